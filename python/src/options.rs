//! Parsers of options of a reader of pages.

use encoding_rs::Encoding;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use relref_links::html::{self, Kind};

/// By a label of the Encoding Standard. `ValueError` for an unknown one.
pub fn charset(label: Option<&str>) -> PyResult<Option<&'static Encoding>> {
    let find =
        |label| html::charset(label).map_err(|error| PyValueError::new_err(format!("charset {label:?}: {error}")));
    label.map(find).transpose()
}

/// `None` gives no kinds.
pub fn kinds(names: Option<Vec<String>>) -> PyResult<Vec<Kind>> {
    let parse = |name: &String| name.parse().map_err(|error: relref::Error| PyValueError::new_err(error.to_string()));
    names.unwrap_or_default().iter().map(parse).collect()
}
