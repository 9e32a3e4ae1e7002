//! URIs as arguments.

use std::ops::Deref;

use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};

/// The text of a `str` or of a `relref.Url`, for the length of a call.
pub enum UriText<'a> {
    Str(&'a str),
    Url(PyBackedStr),
}

impl UriText<'_> {
    /// Reports whether an object is a `str` or a `relref.Url`.
    pub fn is_one(object: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(object.is_instance_of::<PyString>() || is_url(object)?)
    }
}

impl Deref for UriText<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            UriText::Str(text) => text,
            UriText::Url(text) => text,
        }
    }
}

impl<'a> FromPyObject<'a, '_> for UriText<'a> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, '_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>() {
            object.extract().map(UriText::Str)
        } else {
            of_url(&object).map(UriText::Url)
        }
    }
}

/// The text of a `str` or of a `relref.Url` that is in a list or a dict.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub struct OwnedUriText(pub PyBackedStr);

impl FromPyObject<'_, '_> for OwnedUriText {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        owned(object.to_owned()).map(OwnedUriText)
    }
}

/// Takes a `str` or a `relref.Url`.
pub fn owned(object: Bound<'_, PyAny>) -> PyResult<PyBackedStr> {
    match object.cast_into::<PyString>() {
        Ok(text) => text.try_into(),
        Err(other) => of_url(&other.into_inner()),
    }
}

fn of_url(object: &Bound<'_, PyAny>) -> PyResult<PyBackedStr> {
    if !is_url(object)? {
        return Err(PyTypeError::new_err(format!("expected str or Url, not {}", object.get_type().name()?)));
    }
    object.getattr(intern!(object.py(), "_text"))?.cast_into::<PyString>()?.try_into()
}

fn is_url(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static URL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    object.is_instance(URL.import(object.py(), "relref._url", "Url")?)
}
