//! Arguments and results that are strings, and hashes.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};

/// Gives `work` an empty scratch buffer, which each thread keeps.
pub fn with_buffer<T>(work: impl FnOnce(&mut String) -> T) -> T {
    /// The most bytes of a buffer that is kept.
    const MAX_KEPT_LEN: usize = 64 << 10;
    thread_local!(static BUFFER: RefCell<String> = const { RefCell::new(String::new()) });
    let mut buffer = BUFFER.take();
    buffer.clear();
    let done = work(&mut buffer);
    if buffer.capacity() <= MAX_KEPT_LEN {
        BUFFER.set(buffer);
    }
    done
}

pub fn written<'py, E>(
    py: Python<'py>,
    write: impl FnOnce(&mut String) -> Result<(), E>,
) -> Result<Bound<'py, PyString>, E> {
    with_buffer(|out| write(out).map(|()| PyString::new(py, out)))
}

/// `TypeError` for one string, which would be iterated by characters. `name` is that of the argument.
pub fn strings<'py>(argument: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyIterator>> {
    if argument.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!("{name}: expected an iterable of strings, not one string")));
    }
    argument.try_iter()
}

/// `TypeError` for one string.
pub fn names(argument: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if argument.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("expected a list of strings, not one string"));
    }
    argument.extract()
}

pub fn names_or_none(argument: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    if argument.is_none() { Ok(None) } else { names(argument).map(Some) }
}

pub fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
