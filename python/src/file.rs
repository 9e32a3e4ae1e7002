//! Binary file objects of Python as readers. Each read attaches to the interpreter.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::signals::{Interrupt, Signals};

/// Clones share the position of the file.
#[derive(Clone)]
pub struct PyFile {
    file: Arc<Py<PyAny>>,
    interrupt: Arc<Interrupt>,
    signals: Signals,
}

impl PyFile {
    /// `expected` names an object that has `read`, in the `TypeError` about one that has none.
    pub fn new(file: &Bound<'_, PyAny>, expected: &str) -> PyResult<Self> {
        PyFile::sharing(file, expected, Arc::default())
    }

    /// `interrupt` gets the exception that should end the reading, such as KeyboardInterrupt.
    pub fn sharing(file: &Bound<'_, PyAny>, expected: &str, interrupt: Arc<Interrupt>) -> PyResult<Self> {
        if !file.hasattr("read")? {
            let name = file.get_type().name()?;
            return Err(PyTypeError::new_err(format!("expected {expected}, not {name}")));
        }
        Ok(PyFile { file: Arc::new(file.clone().unbind()), interrupt, signals: Signals::new() })
    }

    /// An exception that is no `Exception`, such as KeyboardInterrupt, should end the reading.
    fn keep_interrupt(&self, py: Python<'_>, error: &PyErr) {
        if !error.is_instance_of::<PyException>(py) {
            self.interrupt.set(error.clone_ref(py));
        }
    }

    pub fn is_seekable(&self, py: Python<'_>) -> bool {
        self.file.call_method0(py, "seekable").and_then(|answer| answer.extract(py)).unwrap_or(false)
    }
}

impl Read for PyFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            self.signals.check().inspect_err(|error| {
                self.interrupt.set_signal(error.clone_ref(py));
            })?;
            let read = self.file.bind(py).call_method1("read", (into.len(),));
            let read = read.inspect_err(|error| self.keep_interrupt(py, error))?;
            let read = read.cast::<PyBytes>().map_err(|_| {
                PyTypeError::new_err("read() of the file returned no bytes: expected a file opened in binary mode")
            })?;
            let bytes = read.as_bytes();
            let len = bytes.len().min(into.len());
            into[..len].copy_from_slice(&bytes[..len]);
            if bytes.len() > into.len() {
                return Err(io::Error::other("read() of the file returned more bytes than wanted"));
            }
            Ok(len)
        })
    }
}

impl Seek for PyFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (offset, whence) = match to {
            SeekFrom::Start(offset) => (i64::try_from(offset).map_err(io::Error::other)?, 0),
            SeekFrom::Current(offset) => (offset, 1),
            SeekFrom::End(offset) => (offset, 2),
        };
        Python::attach(|py| {
            let offset = self.file.call_method1(py, "seek", (offset, whence));
            Ok(offset.inspect_err(|error| self.keep_interrupt(py, error))?.extract(py)?)
        })
    }
}
