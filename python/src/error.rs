//! The exception about a refused text, with the kind of the error and its position.

use std::io;
use std::path::Path;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::{create_exception, intern};
use relref::BaseError;

create_exception!(
    relref,
    Error,
    PyValueError,
    "The reason why a text was refused. `kind` is the name of the reason, `position` the index of the character where the text does
not fit. The message counts bytes of UTF-8. In an Error that a program makes itself, they are \"\" and 0.

>>> try:
...     resolve(\"http://example.com/\", \"http://x:y/\")
... except Error as error:
...     print(error.kind, error.position)
port-invalid 9
"
);

/// Gives the class the attributes of an exception that the package did not make.
pub fn init(py: Python<'_>) -> PyResult<()> {
    let class = py.get_type::<Error>();
    class.setattr("kind", "")?;
    class.setattr("position", 0)
}

/// `byte` is an index in `text`.
pub fn refused(py: Python<'_>, message: &impl ToString, kind: &str, text: &str, byte: usize) -> PyErr {
    let error = Error::new_err(message.to_string());
    let position = text.bytes().take(byte).filter(|byte| !is_continuation(*byte)).count();
    let value = error.value(py);
    let set = value.setattr(intern!(py, "kind"), kind).and_then(|()| value.setattr(intern!(py, "position"), position));
    set.err().unwrap_or(error)
}

pub fn of_engine(py: Python<'_>, error: &relref::Error, text: &str) -> PyErr {
    refused(py, error, &kebab_case(&format!("{:?}", error.kind())), text, error.position())
}

pub fn of_whatwg(py: Python<'_>, error: &relref::whatwg::Error, text: &str) -> PyErr {
    refused(py, error, error.kind().name(), text, error.position())
}

pub fn of_base(py: Python<'_>, error: BaseError, text: &str) -> PyErr {
    match error {
        BaseError::Rules(error) => of_engine(py, &error, text),
        BaseError::Whatwg(error) => of_whatwg(py, &error, text),
    }
}

/// Returns the exception about a file or folder, with its number and name as those of `open` have them.
pub fn os_error(py: Python<'_>, path: &Path, error: io::Error) -> PyErr {
    let Some(number) = error.raw_os_error() else { return error.into() };
    let text = py.import("os").and_then(|os| os.call_method1("strerror", (number,))?.extract::<String>());
    PyOSError::new_err((number, text.unwrap_or_else(|_| error.to_string()), path.as_os_str().to_owned()))
}

/// True for a continuation byte of UTF-8.
fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// `NoScheme` becomes `no-scheme`.
fn kebab_case(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
