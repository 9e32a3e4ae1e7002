//! Arguments and results that are strings, and hashes.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyString};

use crate::signals::Signals;
use crate::uri_text::owned;

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
    // One by one: what an object says about its length may be wrong.
    argument.try_iter()?.map(|name| name?.extract()).collect()
}

/// The number of strings after which the interpreter, and signals, have their turn.
const BATCH: usize = 1024;

/// Returns the list of what `write` makes of the strings of an iterable, for which the interpreter is released. `refused` makes the
/// exception about a string for which `write` fails; with `skips`, its result is None, as is that of a string with lone surrogates.
pub fn mapped<'py, E: Send>(
    argument: &Bound<'py, PyAny>,
    name: &str,
    skips: bool,
    write: impl Fn(&str, &mut String) -> Result<(), E> + Sync,
    refused: impl Fn(&E, &str) -> PyErr,
) -> PyResult<Bound<'py, PyList>> {
    let py = argument.py();
    let (mut all, mut signals, mut strings) = (Vec::new(), Signals::new(), strings(argument, name)?);
    let (mut texts, mut out, mut results) = (Vec::with_capacity(BATCH), String::new(), Vec::with_capacity(BATCH));
    let mut end = None;
    while end.is_none() {
        texts.clear();
        while end.is_none() && texts.len() < BATCH {
            let Some(item) = strings.next() else {
                end = Some(Ok(()));
                break;
            };
            match item.map(owned) {
                Ok(Ok(text)) => texts.push(Some(text)),
                Ok(Err(error)) if skips && error.is_instance_of::<PyValueError>(py) => texts.push(None),
                // What comes before it is refused first.
                Ok(Err(error)) | Err(error) => end = Some(Err(error)),
            }
        }
        out.clear();
        results.clear();
        py.detach(|| {
            for text in &texts {
                let start = out.len();
                let done = text.as_deref().map(|text| write(text, &mut out).map(|()| start..out.len()));
                let is_last = !skips && matches!(done, Some(Err(_)));
                results.push(done);
                if is_last {
                    break;
                }
            }
        });
        all.reserve(texts.len());
        for (text, result) in texts.iter().zip(results.drain(..)) {
            all.push(match (text, result) {
                (_, Some(Ok(range))) => Some(PyString::new(py, &out[range])),
                (Some(text), Some(Err(error))) if !skips => return Err(refused(&error, text)),
                _ => None,
            });
        }
        signals.check()?;
    }
    end.unwrap_or(Ok(()))?;
    PyList::new(py, all)
}

pub fn names_or_none(argument: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    if argument.is_none() { Ok(None) } else { names(argument).map(Some) }
}

pub fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
