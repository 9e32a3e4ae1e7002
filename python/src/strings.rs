//! Columns of strings from any Arrow producer, read as bytes: nothing guarantees that they are UTF-8.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, LargeBinaryArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;

/// A column of strings, in chunks.
pub struct Strings {
    chunks: Vec<Chunk>,
    len: usize,
}

/// The strings of a chunk as bytes.
enum Chunk {
    Small(BinaryArray),
    Large(LargeBinaryArray),
    View(arrow_array::BinaryViewArray),
    /// Only nulls; their number.
    Nulls(usize),
}

impl Strings {
    /// Reads the column of an object that has Arrow's PyCapsule interface: an array, a chunked array, or a table of one column.
    ///
    /// # Errors
    /// `TypeError` for other objects, and for columns of other types.
    pub fn new(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        if !object.hasattr("__arrow_c_array__")? && !object.hasattr("__arrow_c_stream__")? {
            let type_name = object.get_type().name()?;
            return Err(PyTypeError::new_err(format!("{name}: expected an Arrow column of strings, not {type_name}")));
        }
        let (arrays, field) = object.extract::<AnyArray>()?.into_chunked_array()?.into_inner();
        let data_type = field.data_type();
        let chunks = is_text(data_type).then(|| arrays.into_iter().map(Chunk::new).collect::<Option<Vec<_>>>());
        let chunks = chunks.flatten().ok_or_else(|| {
            PyTypeError::new_err(format!("{name}: expected an Arrow column of strings, not of {data_type}"))
        })?;
        let len = chunks.iter().map(Chunk::len).sum();
        Ok(Strings { chunks, len })
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the bytes of each row; `None` for a null.
    pub fn iter(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.chunks.iter().flat_map(Chunk::iter)
    }
}

/// Reports whether a type holds strings: also as categories, or as the one column of a table.
fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => true,
        DataType::Dictionary(_, values) => is_text(values),
        DataType::Struct(fields) => fields.len() == 1 && is_text(fields[0].data_type()),
        _ => false,
    }
}

impl Chunk {
    fn new(array: ArrayRef) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Utf8 => Chunk::Small(array.as_string::<i32>().clone().into()),
            DataType::LargeUtf8 => Chunk::Large(array.as_string::<i64>().clone().into()),
            DataType::Utf8View => Chunk::View(array.as_string_view().clone().to_binary_view()),
            DataType::Null => Chunk::Nulls(array.len()),
            DataType::Dictionary(_, _) => return Chunk::new(cast(&array, &DataType::LargeUtf8).ok()?),
            DataType::Struct(fields) if fields.len() == 1 && array.null_count() == 0 => {
                return Chunk::new(array.as_struct().column(0).clone());
            }
            _ => return None,
        })
    }

    fn len(&self) -> usize {
        match self {
            Chunk::Small(array) => array.len(),
            Chunk::Large(array) => array.len(),
            Chunk::View(array) => array.len(),
            Chunk::Nulls(len) => *len,
        }
    }

    fn iter(&self) -> Box<dyn Iterator<Item = Option<&[u8]>> + '_> {
        match self {
            Chunk::Small(array) => Box::new(array.iter()),
            Chunk::Large(array) => Box::new(array.iter()),
            Chunk::View(array) => Box::new(array.iter()),
            Chunk::Nulls(len) => Box::new(std::iter::repeat_n(None, *len)),
        }
    }
}
