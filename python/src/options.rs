//! The options of a reader of pages, and their parsers.

use encoding_rs::Encoding;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use relref_links::html::{self, Kind, Pages};

/// `Pages` of Python says what each means.
pub struct Options {
    pub kinds: Vec<Kind>,
    pub fetchable: bool,
    pub lazy: bool,
    pub items: bool,
    pub robots: bool,
    pub legacy_queries: bool,
    pub max_uri: usize,
    pub max_total: u64,
    pub max_text: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            kinds: Vec::new(),
            fetchable: false,
            lazy: false,
            items: false,
            robots: false,
            legacy_queries: false,
            max_uri: usize::MAX,
            max_total: u64::MAX,
            max_text: 0,
        }
    }
}

impl Options {
    pub fn pages(&self) -> Pages {
        let mut pages = Pages::new();
        pages.kinds.clone_from(&self.kinds);
        pages.fetchable = self.fetchable;
        pages.lazy = self.lazy;
        pages.items = self.items;
        pages.robots = self.robots;
        pages.legacy_queries = self.legacy_queries;
        pages.max_uri = self.max_uri;
        pages.max_total = self.max_total;
        pages.max_text = self.max_text;
        pages
    }
}

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
