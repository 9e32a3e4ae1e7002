//! `split`: the components of a URI or reference.

use pyo3::prelude::*;
use relref::UriRef;

use crate::named_tuples::SPLIT;
use crate::uri_text::UriText;

/// Return the components of a URI or reference as a Split. A component that is absent is None, and differs from an empty one.
///
/// >>> split("http://example.com/a?")
/// Split(scheme='http', authority='example.com', path='/a', query='', fragment=None)
#[pyfunction]
pub fn split<'py>(py: Python<'py>, uri: UriText<'_>) -> PyResult<Bound<'py, PyAny>> {
    let uri = UriRef::new(&*uri);
    SPLIT.make(py, (uri.scheme(), uri.authority(), uri.path(), uri.query(), uri.fragment()))
}

/// Return the host of an authority as it is written, and its port, or None if it is not a number up to 65535.
#[pyfunction]
pub fn _host_and_port(authority: &str) -> (String, Option<u16>) {
    let text = format!("//{authority}");
    let uri = UriRef::new(&text);
    (uri.host().unwrap_or_default().to_owned(), uri.port())
}
