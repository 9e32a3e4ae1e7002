//! `resolve_column`, `normalize_column`, and the column that they return.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray};
use arrow_buffer::{Buffer, NullBufferBuilder, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyCapsule, PyList, PyString, PyTuple};
use pyo3_arrow::ffi::{ArrayIterator, to_array_pycapsules, to_stream_pycapsule};

use crate::base::{Base, Prepared};
use crate::normalizer::{Key, Normalizer, preset};
use crate::rule_set::RuleSet;
use crate::strings::Strings;

/// A column of strings, with the problems of its rows.
///
/// It has Arrow's PyCapsule interface, so that pyarrow.chunked_array(column), polars.Series(column) and others read it without a
/// copy. A row that could not be computed is null, and has a Problem.
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

    /// The problems as a list of Problem: the row, and why it is null. A row that was null before has none.
    #[getter]
    fn problems<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let all = PyList::empty(py);
        for (row, message) in &self.problems {
            all.append(problem(py, *row, message)?)?;
        }
        Ok(all)
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
        Ok(to_stream_pycapsule(py, Box::new(ArrayIterator::new(chunks, field())), requested_schema)?)
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
        Ok(to_array_pycapsules(py, field(), &*whole, requested_schema)?)
    }

    fn __repr__(&self) -> String {
        format!("<Column of {} rows, {} problems>", self.__len__(), self.problems.len())
    }
}

fn field() -> FieldRef {
    Arc::new(Field::new("", DataType::Utf8, true))
}

/// Makes a `Problem`.
fn problem<'py>(py: Python<'py>, row: usize, message: &str) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    CLASS.import(py, "relref._types", "Problem")?.call1((row, message))
}

/// A column under construction. Results are written into the values of a chunk, so that nothing is copied again.
struct Builder {
    done: Vec<ArrayRef>,
    values: String,
    /// The ends of the rows in `values`, after a 0.
    offsets: Vec<i32>,
    valid: NullBufferBuilder,
    /// The number of rows in finished chunks.
    rows_done: usize,
    problems: Vec<(usize, String)>,
}

impl Builder {
    /// The most bytes in a chunk, whose offsets have 32 bits.
    const MOST: usize = i32::MAX as usize;

    fn new(rows: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(0);
        let (done, problems) = (Vec::new(), Vec::new());
        Builder { done, values: String::new(), offsets, valid: NullBufferBuilder::new(rows), rows_done: 0, problems }
    }

    /// Adds a row that a function appends. If it fails, the row is null.
    fn add<E: ToString>(&mut self, name: &str, append: impl FnOnce(&mut String) -> Result<(), E>) {
        let start = self.values.len();
        match append(&mut self.values) {
            Ok(()) if self.values.len() <= Self::MOST => {
                self.offsets.push(self.values.len() as i32);
                self.valid.append_non_null();
            }
            Ok(()) => self.start_chunk_at(start),
            Err(error) => self.problem(format!("{name}: {}", error.to_string())),
        }
    }

    /// Finishes the chunk before the last row, which does not fit in it, and starts the next chunk with that row.
    fn start_chunk_at(&mut self, start: usize) {
        let row = self.values.split_off(start);
        if row.len() > Self::MOST {
            return self.problem(format!("the result has more than {} bytes", Self::MOST));
        }
        self.finish_chunk();
        self.values = row;
        self.offsets.push(self.values.len() as i32);
        self.valid.append_non_null();
    }

    fn null(&mut self) {
        self.offsets.push(self.values.len() as i32);
        self.valid.append_null();
    }

    fn problem(&mut self, message: String) {
        self.problems.push((self.rows_done + self.valid.len(), message));
        self.null();
    }

    fn finish_chunk(&mut self) {
        self.rows_done += self.valid.len();
        let offsets = OffsetBuffer::new(std::mem::replace(&mut self.offsets, vec![0]).into());
        let values = Buffer::from(std::mem::take(&mut self.values).into_bytes());
        let chunk = StringArray::new(offsets, values, self.valid.finish());
        self.done.push(Arc::new(chunk));
    }

    fn finish(mut self) -> Column {
        if self.done.is_empty() || !self.valid.is_empty() {
            self.finish_chunk();
        }
        Column { chunks: self.done, problems: self.problems }
    }
}

/// Returns the text of a row; otherwise adds the problem, or a null for a null.
fn text<'t>(bytes: Option<&'t [u8]>, name: &str, builder: &mut Builder) -> Option<&'t str> {
    let Some(bytes) = bytes else {
        builder.null();
        return None;
    };
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) => {
            builder.problem(format!("{name}: {error}"));
            None
        }
    }
}

/// The bases of a column.
enum Bases<'py> {
    One(Prepared<'static>),
    Shared(&'py Base),
    Column(Strings),
}

/// Return the column of the absolute URIs of a column of references.
///
/// base is a str, a Base, or a column with as many rows. Columns are Arrow data of any library with the PyCapsule interface: arrays,
/// chunked arrays and series of strings, and tables of one column. A null gives a null. A row with a reference or base that is
/// refused is null, too, and has a Problem in column.problems. Other threads run meanwhile.
///
/// >>> import pyarrow
/// >>> column = resolve_column("http://example.com/a/", pyarrow.array(["b", None, "http://x:y/"]))
/// >>> column.to_pylist()
/// ['http://example.com/a/b', None, None]
/// >>> column.problems[0].row
/// 2
/// >>> pyarrow.chunked_array(column).null_count
/// 2
#[pyfunction]
#[pyo3(signature = (base, references, rules = None))]
pub fn resolve_column(
    py: Python<'_>,
    base: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
    rules: Option<&str>,
) -> PyResult<Column> {
    let rule_set = RuleSet::parse(rules.unwrap_or("whatwg"))?;
    let bases = if let Ok(base) = base.cast::<PyString>() {
        let base = base.to_str()?;
        Bases::One(Prepared::new(base, rule_set).map_err(|refused| refused.exception(py, base))?.into_owned())
    } else if let Ok(base) = base.cast::<Base>() {
        if rules.is_some() {
            return Err(PyTypeError::new_err("rules: a Base has rules of its own"));
        }
        Bases::Shared(base.get())
    } else {
        Bases::Column(Strings::new(base, "base")?)
    };
    let references = Strings::new(references, "references")?;
    match &bases {
        Bases::Column(column) if column.len() != references.len() => {
            let (left, right) = (column.len(), references.len());
            Err(PyValueError::new_err(format!("base has {left} rows, but references has {right}")))
        }
        Bases::Column(column) => Ok(py.detach(|| resolve_pairs(column, &references, rule_set))),
        Bases::One(base) => Ok(py.detach(|| resolve_all(base, &references))),
        Bases::Shared(base) => {
            let base = &base.prepared;
            Ok(py.detach(|| resolve_all(base, &references)))
        }
    }
}

/// Resolves the references of one base.
fn resolve_all(base: &Prepared<'_>, references: &Strings) -> Column {
    let mut builder = Builder::new(references.len());
    for reference in references.iter() {
        let Some(reference) = text(reference, "reference", &mut builder) else { continue };
        builder.add("reference", |out| base.resolve_into(reference, out));
    }
    builder.finish()
}

/// Resolves each reference by the base in its row. Equal bases in rows that follow each other are made ready once.
fn resolve_pairs(bases: &Strings, references: &Strings, rules: RuleSet) -> Column {
    let mut builder = Builder::new(references.len());
    let mut last: Option<(&[u8], Result<Prepared<'_>, String>)> = None;
    for (base, reference) in bases.iter().zip(references.iter()) {
        let (Some(base), Some(_)) = (base, reference) else {
            builder.null();
            continue;
        };
        if last.as_ref().is_none_or(|(known, _)| *known != base) {
            let text = std::str::from_utf8(base).map_err(|error| format!("base: {error}"));
            let prepared =
                text.and_then(|text| Prepared::new(text, rules).map_err(|refused| format!("base: {refused}")));
            last = Some((base, prepared));
        }
        let Some(reference) = text(reference, "reference", &mut builder) else { continue };
        match &last {
            Some((_, Ok(base))) => builder.add("reference", |out| base.resolve_into(reference, out)),
            Some((_, Err(why))) => builder.problem(why.clone()),
            None => builder.null(),
        }
    }
    builder.finish()
}

/// Return the column of the normal forms of a column of URIs, or of their keys with key="surt" or "cdx".
///
/// normalizer is a Normalizer, or the name of a preset. Nulls and problems are as in resolve_column.
///
/// >>> import pyarrow
/// >>> normalize_column(pyarrow.array(["http://Example.com#top", None])).to_pylist()
/// ['http://example.com/', None]
/// >>> normalize_column(pyarrow.array(["http://Example.com/a"]), key="surt").to_pylist()
/// ['com,example)/a']
#[pyfunction]
#[pyo3(signature = (uris, normalizer = None, *, key = None))]
pub fn normalize_column(
    py: Python<'_>,
    uris: &Bound<'_, PyAny>,
    normalizer: Option<&Bound<'_, PyAny>>,
    key: Option<&str>,
) -> PyResult<Column> {
    let normalizer = self::normalizer(normalizer)?;
    let key = key.map(Key::parse).transpose()?;
    let uris = Strings::new(uris, "uris")?;
    Ok(py.detach(|| {
        let mut builder = Builder::new(uris.len());
        for uri in uris.iter() {
            let Some(uri) = text(uri, "uri", &mut builder) else { continue };
            builder.add("uri", |out| match key {
                Some(key) => key.append(&normalizer, uri, out),
                None => normalizer.normalize_into(uri, out),
            });
        }
        builder.finish()
    }))
}

/// Returns the normalizer that an argument names, by default the preset of crawlers.
pub fn normalizer(argument: Option<&Bound<'_, PyAny>>) -> PyResult<relref::crawl::Normalizer> {
    let Some(argument) = argument else { return preset("crawl") };
    if let Ok(normalizer) = argument.cast::<Normalizer>() {
        return Ok(normalizer.get().inner.clone());
    }
    let name = argument.cast::<PyString>().map_err(|_| {
        PyTypeError::new_err("normalizer: expected a Normalizer or the name of a preset, \"crawl\" or \"safe\"")
    })?;
    preset(name.to_str()?)
}
