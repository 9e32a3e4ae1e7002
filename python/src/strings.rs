//! Columns of strings from any producer of Arrow data. They are read as bytes: nothing guarantees that they are UTF-8.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{AnyDictionaryArray, Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, FieldRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyList};
use pyo3_arrow::input::AnyArray;

use crate::capsules::without_panic;

pub struct Strings {
    chunks: Vec<Chunk>,
    len: usize,
}

enum Chunk {
    Small(BinaryArray),
    Large(LargeBinaryArray),
    View(BinaryViewArray),
    /// Their number.
    Nulls(usize),
}

impl Strings {
    /// Reads an array, a chunked array or a table of one column by Arrow's PyCapsule interface, and what pandas keeps without it by
    /// pyarrow. `TypeError` for other objects and types; `ValueError` for rows or categories out of their data, and bad capsules.
    pub fn new(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let has_capsules = |object: &Bound<'_, PyAny>| {
            Ok::<_, PyErr>(object.hasattr("__arrow_c_array__")? || object.hasattr("__arrow_c_stream__")?)
        };
        let made;
        let object = if has_capsules(object)? {
            object
        } else if let Some(array) = of_pandas(object, name)? {
            made = array;
            &made
        } else {
            let type_name = object.get_type().name()?;
            let is_list = object.is_instance_of::<PyList>();
            let hint = if is_list { ": Normalizer.normalize_many and Base.resolve_many take lists" } else { "" };
            let why = format!("{name}: expected an Arrow column of strings, not {type_name}{hint}");
            return Err(PyTypeError::new_err(why));
        };
        let (arrays, field) = match read(object, name) {
            // Polars gives a column of nulls a buffer, which the format does not have.
            Err(_) if is_of(object, "polars")? => {
                let string = object.py().import("polars")?.getattr("String")?;
                read(&object.call_method1("cast", (string,))?, name)?
            }
            done => done?,
        };
        let data_type = field.data_type();
        if !is_text(data_type) {
            let why = format!("{name}: expected an Arrow column of strings, not of {data_type}");
            return Err(PyTypeError::new_err(why));
        }
        let chunks = arrays.into_iter().map(Chunk::new).collect::<Result<Vec<_>, _>>();
        let chunks = chunks.map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?;
        let len = chunks.iter().map(Chunk::len).sum();
        Ok(Strings { chunks, len })
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// `None` for a null.
    pub fn iter(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.chunks.iter().flat_map(Chunk::iter)
    }
}

fn read(object: &Bound<'_, PyAny>, name: &str) -> PyResult<(Vec<ArrayRef>, FieldRef)> {
    without_panic(object.py(), name, || Ok(object.extract::<AnyArray>()?.into_chunked_array()?.into_inner()))
}

/// Converts a Series or Index of pandas, which has Arrow's PyCapsule interface only from pandas 3 on. `None` for other libraries.
fn of_pandas<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    if !is_of(object, "pandas")? {
        return Ok(None);
    }
    let refused = |why: String| PyTypeError::new_err(format!("{name}: expected an Arrow column of strings; {why}"));
    let pyarrow =
        py.import("pyarrow").map_err(|_| refused("this version of pandas needs pyarrow to make one".to_owned()))?;
    let arguments = [("from_pandas", true)].into_py_dict(py)?;
    let array = pyarrow.call_method("array", (object,), Some(&arguments));
    array.map(Some).map_err(|error| refused(error.value(py).to_string()))
}

/// Reports whether a library defines the type of an object.
pub fn is_of(object: &Bound<'_, PyAny>, library: &str) -> PyResult<bool> {
    Ok(object.get_type().module()?.to_str()?.split('.').next() == Some(library))
}

/// Reports whether a column holds strings, also as categories or as the only column of a table.
fn is_text(data_type: &DataType) -> bool {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => true,
        DataType::Dictionary(_, values) => is_text(values),
        DataType::Struct(fields) => fields.len() == 1 && is_text(fields[0].data_type()),
        _ => false,
    }
}

/// False if an index into the categories has no category.
fn has_all_values(categories: &dyn AnyDictionaryArray) -> bool {
    let indexes = categories.keys();
    // Negative ones become nulls.
    cast(indexes, &DataType::UInt64).is_ok_and(|numbers| {
        let numbers = numbers.as_primitive::<UInt64Type>();
        numbers.null_count() == indexes.null_count()
            && numbers.iter().flatten().all(|index| index < categories.values().len() as u64)
    })
}

impl Chunk {
    /// Checks offsets and categories, as nothing guarantees that they are valid.
    fn new(array: ArrayRef) -> Result<Self, ArrowError> {
        let checked = |array: &dyn Array| array.to_data().validate_full();
        Ok(match array.data_type() {
            DataType::Null => Chunk::Nulls(array.len()),
            DataType::LargeUtf8 => {
                let array: LargeBinaryArray = array.as_string::<i64>().clone().into();
                checked(&array)?;
                Chunk::Large(array)
            }
            DataType::Utf8View => {
                let array = array.as_string_view().clone().to_binary_view();
                checked(&array)?;
                Chunk::View(array)
            }
            DataType::Dictionary(_, _) => {
                let categories = array.as_any_dictionary();
                Chunk::new(Arc::clone(categories.values()))?;
                if !has_all_values(categories) {
                    return Err(ArrowError::InvalidArgumentError(
                        "a row has a category that does not exist".to_owned(),
                    ));
                }
                return Chunk::new(cast(&array, &DataType::LargeUtf8)?);
            }
            DataType::Struct(_) if array.null_count() == 0 => return Chunk::new(array.as_struct().column(0).clone()),
            DataType::Struct(_) => {
                return Err(ArrowError::InvalidArgumentError("a row of the table is null".to_owned()));
            }
            _ => {
                let array: BinaryArray = array.as_string::<i32>().clone().into();
                checked(&array)?;
                Chunk::Small(array)
            }
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
