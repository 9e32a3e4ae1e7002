//! The column that `resolve_column` and `normalize_column` return, and its builder.

use std::convert::Infallible;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray};
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyCapsule, PyDict, PyIterator, PyList, PySlice, PyTuple};
use pyo3_arrow::ffi::{ArrayIterator, to_array_pycapsules, to_stream_pycapsule};

use crate::capsules::{check_schema, without_panic};
use crate::named_tuples::PROBLEM;
use crate::signals::Signals;
use crate::strings::is_of;

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
    /// The index and the name of the Series of pandas from which it was made.
    labels: Labels,
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

    /// Return the rows as a Series of pandas, with the index and name of the Series from which the column was made. Needs pandas.
    ///
    /// >>> import pandas
    /// >>> references = pandas.Series(["a", "b"], index=[7, 8], name="link")
    /// >>> resolve_column("http://example.com/", references).to_pandas().to_dict()
    /// {7: 'http://example.com/a', 8: 'http://example.com/b'}
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let named = PyDict::new(py);
        if let Some((index, name)) = &self.labels {
            named.set_item("index", index)?;
            named.set_item("name", name)?;
        }
        if self.null_count() == self.__len__() {
            // Nothing shows their type.
            named.set_item("dtype", "object")?;
        }
        py.import("pandas")?.call_method("Series", (self.to_pylist(py)?,), Some(&named))
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if index.is_instance_of::<PySlice>() {
            return self.to_pylist(py)?.as_any().get_item(index);
        }
        let index: isize = index.extract()?;
        let len = self.__len__();
        let mut row = if index < 0 { len.checked_add_signed(index) } else { Some(index.unsigned_abs()) }
            .filter(|row| *row < len)
            .ok_or_else(|| PyIndexError::new_err("the column has no such row"))?;
        for chunk in &self.chunks {
            if row < chunk.len() {
                let text = chunk.is_valid(row).then(|| chunk.as_string::<i32>().value(row));
                return Ok(text.into_pyobject(py)?);
            }
            row -= chunk.len();
        }
        unreachable!("the chunks have all rows")
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.to_pylist(py)?.try_iter()
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let chunks = self.chunks.clone().into_iter().map(Ok);
        check_schema(py, requested_schema.as_ref(), &DataType::Utf8)?;
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
        check_schema(py, requested_schema.as_ref(), &DataType::Utf8)?;
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
        let labels = self.labels.as_ref().map(|(index, name)| (index.clone_ref(py), name.clone_ref(py)));
        Ok((make, (self.to_pylist(py)?, self.problems.clone(), labels)))
    }

    fn __repr__(&self) -> String {
        format!("<Column of {} rows, {} problems>", self.__len__(), self.problems.len())
    }
}

impl Column {
    /// Keeps the labels of the rows if they are those of a Series of pandas.
    pub fn with_rows_of(mut self, rows: &Bound<'_, PyAny>) -> PyResult<Self> {
        if is_of(rows, "pandas")? && rows.hasattr("index")? && rows.hasattr("name")? {
            self.labels = Some((rows.getattr("index")?.unbind(), rows.getattr("name")?.unbind()));
        }
        Ok(self)
    }
}

type Labels = Option<(Py<PyAny>, Py<PyAny>)>;
type Reduced<'c> = (Bound<'c, PyAny>, (Bound<'c, PyList>, Vec<(usize, String)>, Labels));

/// Return the column of a list of strings and None, with its problems and labels.
#[pyfunction]
#[pyo3(signature = (rows, problems, labels = None))]
pub fn _column(rows: &Bound<'_, PyList>, problems: Vec<(usize, String)>, labels: Labels) -> PyResult<Column> {
    let mut builder = Builder::new(rows.len())?;
    for row in rows {
        let text = row.extract::<Option<PyBackedStr>>()?;
        builder.add("row", text.as_ref().map(|text| text.as_bytes()), |text, out| {
            out.push_str(text);
            Ok::<_, Infallible>(())
        });
    }
    Ok(Column { problems, labels, ..builder.finish() })
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
    signals: Signals,
}

impl Builder {
    /// The most bytes of the values of a chunk: offsets have 32 bits.
    const MAX_CHUNK_LEN: usize = i32::MAX as usize;

    /// Fails with MemoryError.
    pub fn new(rows: usize) -> PyResult<Self> {
        let mut offsets = Vec::new();
        let reserved = offsets.try_reserve_exact(rows.saturating_add(1));
        reserved.map_err(|_| PyMemoryError::new_err(format!("there is no memory for {rows} rows")))?;
        offsets.push(0);
        Ok(Builder {
            done: Vec::new(),
            values: String::new(),
            offsets,
            valid: NullBufferBuilder::new(rows),
            rows_done: 0,
            problems: Vec::new(),
            signals: Signals::new(),
        })
    }

    /// Fails with the exception of a signal, such as KeyboardInterrupt.
    #[inline]
    pub fn look_for_signals(&mut self) -> PyResult<()> {
        if self.valid.len().is_multiple_of(64) { self.signals.check() } else { Ok(()) }
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
        Column { chunks: self.done, problems: self.problems, labels: None }
    }
}
