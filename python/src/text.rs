//! Arguments and results that are strings, and hashes.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyString};

/// Calls a function with an empty buffer, which each thread keeps.
pub fn with_buffer<T>(work: impl FnOnce(&mut String) -> T) -> T {
    /// The greatest length in bytes of a buffer that is kept.
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

/// Returns the Python string that a function appends to an empty buffer. Fails if the function fails.
pub fn written<'py, E>(
    py: Python<'py>,
    write: impl FnOnce(&mut String) -> Result<(), E>,
) -> Result<Bound<'py, PyString>, E> {
    with_buffer(|out| write(out).map(|()| PyString::new(py, out)))
}

/// Returns an iterator over an argument that holds strings, and is not a string itself. `name` is the name of the argument. Fails
/// with `TypeError` for another argument.
pub fn strings<'py>(argument: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyIterator>> {
    if argument.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err(format!("{name}: expected an iterable of strings, not one string")));
    }
    argument.try_iter()
}

/// Reads an argument that is a sequence of names, and not one string. Fails with an exception for another argument.
pub fn names(argument: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if argument.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("expected a list of strings, not one string"));
    }
    argument.extract()
}

/// Reads an argument that is a sequence of names or None. Fails with an exception for another argument.
pub fn names_or_none(argument: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    if argument.is_none() { Ok(None) } else { names(argument).map(Some) }
}

/// Returns the hash of a value for Python.
pub fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
