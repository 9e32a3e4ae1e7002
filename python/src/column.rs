//! The column that `resolve_column` and `normalize_column` return, and its builder.

use std::convert::Infallible;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray};
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyCapsule, PyList, PyTuple};
use pyo3_arrow::ffi::{ArrayIterator, to_array_pycapsules, to_stream_pycapsule};

use crate::capsules::without_panic;
use crate::named_tuples::PROBLEM;

/// A column of strings, with the problems of its rows.
///
/// It has Arrow's PyCapsule interface, so that pyarrow.chunked_array(column), polars.Series(column) and others read it without a
/// copy. A row that could not be computed is null, and has a Problem. Columns are picklable.
///
/// >>> import pyarrow
/// >>> column = resolve_column("http://example.com/", pyarrow.array(["a", "http://x:y/", None]))
/// >>> column.to_pylist(), len(column), column.null_count
/// (['http://example.com/a', None, None], 3, 2)
/// >>> [problem.row for problem in column.problems]
/// [1]
#[pyclass(frozen, module = "relref")]
pub struct Column {
    chunks: Vec<ArrayRef>,
    problems: Vec<(usize, String)>,
}

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// The number of rows that are null.
    #[getter]
    fn null_count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.null_count()).sum()
    }

    /// The problems as a list of Problem: the row, and the reason why it is null. A row that was null before has no problem.
    #[getter]
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PROBLEM.list(py, self.problems.iter().map(|(row, message)| (*row, message)))
    }

    /// Return the rows as a list of strings and None.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.chunks.iter().flat_map(|chunk| chunk.as_string::<i32>().iter()).collect::<Vec<_>>())
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let chunks = self.chunks.clone().into_iter().map(Ok);
        without_panic(py, "requested_schema", || {
            Ok(to_stream_pycapsule(py, Box::new(ArrayIterator::new(chunks, field())), requested_schema)?)
        })
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let chunks: Vec<&dyn Array> = self.chunks.iter().map(|chunk| &**chunk).collect();
        let whole = match &chunks[..] {
            [] => arrow_array::new_empty_array(&DataType::Utf8),
            [_] => self.chunks[0].clone(),
            _ => arrow_select::concat::concat(&chunks).map_err(|error| {
                PyValueError::new_err(format!("the column does not fit in one array: {error}; read it as a stream"))
            })?,
        };
        without_panic(py, "requested_schema", || Ok(to_array_pycapsules(py, field(), &*whole, requested_schema)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let make = py.import("relref._relref")?.getattr("_column")?;
        Ok((make, (self.to_pylist(py)?, self.problems.clone())))
    }

    fn __repr__(&self) -> String {
        format!("<Column of {} rows, {} problems>", self.__len__(), self.problems.len())
    }
}

type Reduced<'c> = (Bound<'c, PyAny>, (Bound<'c, PyList>, Vec<(usize, String)>));

/// Return the column of a list of strings and None, with its problems.
#[pyfunction]
pub fn _column(rows: &Bound<'_, PyList>, problems: Vec<(usize, String)>) -> PyResult<Column> {
    let mut builder = Builder::new(rows.len());
    for row in rows {
        let text = row.extract::<Option<PyBackedStr>>()?;
        builder.add("row", text.as_ref().map(|text| text.as_bytes()), |text, out| {
            out.push_str(text);
            Ok::<_, Infallible>(())
        });
    }
    Ok(Column { problems, ..builder.finish() })
}

fn field() -> FieldRef {
    Arc::new(Field::new("", DataType::Utf8, true))
}

/// Results are written into the values of a chunk, so that nothing is copied again.
pub struct Builder {
    done: Vec<ArrayRef>,
    values: String,
    /// The ends of the rows in `values`, in bytes, after a 0.
    offsets: Vec<i32>,
    valid: NullBufferBuilder,
    /// In finished chunks.
    rows_done: usize,
    problems: Vec<(usize, String)>,
}

impl Builder {
    /// The most bytes of the values of a chunk: offsets have 32 bits.
    const MAX_CHUNK_LEN: usize = i32::MAX as usize;

    pub fn new(rows: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        let (done, problems) = (Vec::new(), Vec::new());
        Builder { done, values: String::new(), offsets, valid: NullBufferBuilder::new(rows), rows_done: 0, problems }
    }

    /// Adds what `append` makes of a row of the column `name`. A null gives a null; UTF-8 errors and failures give a problem.
    #[inline]
    pub fn add<E: ToString>(
        &mut self,
        name: &str,
        bytes: Option<&[u8]>,
        append: impl FnOnce(&str, &mut String) -> Result<(), E>,
    ) {
        let Some(bytes) = bytes else { return self.add_null() };
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => return self.add_problem(format!("{name}: {error}")),
        };
        let start = self.values.len();
        match append(text, &mut self.values) {
            Ok(()) if self.values.len() <= Self::MAX_CHUNK_LEN => {
                self.offsets.push(self.values.len() as i32);
                self.valid.append_non_null();
            }
            Ok(()) => self.start_chunk_at(start),
            Err(error) => self.add_problem(format!("{name}: {}", error.to_string())),
        }
    }

    /// The new chunk starts with the last row, at byte `start`, which does not fit in this one.
    fn start_chunk_at(&mut self, start: usize) {
        let row = self.values.split_off(start);
        if row.len() > Self::MAX_CHUNK_LEN {
            return self.add_problem(format!("the result has more than {} bytes", Self::MAX_CHUNK_LEN));
        }
        self.finish_chunk();
        self.values = row;
        self.offsets.push(self.values.len() as i32);
        self.valid.append_non_null();
    }

    pub fn add_null(&mut self) {
        self.offsets.push(self.values.len() as i32);
        self.valid.append_null();
    }

    pub fn add_problem(&mut self, message: String) {
        self.problems.push((self.rows_done + self.valid.len(), message));
        self.add_null();
    }

    fn finish_chunk(&mut self) {
        self.rows_done += self.valid.len();
        let offsets = OffsetBuffer::new(std::mem::replace(&mut self.offsets, vec![0]).into());
        let values = Buffer::from(std::mem::take(&mut self.values).into_bytes());
        let chunk = StringArray::new(offsets, values, self.valid.finish());
        self.done.push(Arc::new(chunk));
    }

    pub fn finish(mut self) -> Column {
        if self.done.is_empty() || !self.valid.is_empty() {
            self.finish_chunk();
        }
        Column { chunks: self.done, problems: self.problems }
    }
}
