//! The named tuples of `relref._types`.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyList;

/// Imported when it is first used.
pub struct NamedTuple {
    name: &'static str,
    class: PyOnceLock<Py<PyAny>>,
}

pub static LINK: NamedTuple = NamedTuple::new("Link");
pub static STEP: NamedTuple = NamedTuple::new("Step");
pub static ARCHIVE_LINK: NamedTuple = NamedTuple::new("ArchiveLink");
pub static SPLIT: NamedTuple = NamedTuple::new("Split");
pub static PROBLEM: NamedTuple = NamedTuple::new("Problem");
pub static ROBOTS_RULE: NamedTuple = NamedTuple::new("RobotsRule");
pub static SITEMAP_ENTRY: NamedTuple = NamedTuple::new("SitemapEntry");
pub static LINK_PROBLEM: NamedTuple = NamedTuple::new("LinkProblem");
pub static DAMAGE: NamedTuple = NamedTuple::new("Damage");

impl NamedTuple {
    const fn new(name: &'static str) -> Self {
        NamedTuple { name, class: PyOnceLock::new() }
    }

    pub fn class<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyAny>> {
        self.class.import(py, "relref._types", self.name)
    }

    pub fn make<'py>(&self, py: Python<'py>, fields: impl PyCallArgs<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.class(py)?.call1(fields)
    }

    pub fn list<'py, F: PyCallArgs<'py>>(
        &self,
        py: Python<'py>,
        all: impl IntoIterator<Item = F>,
    ) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for fields in all {
            list.append(self.make(py, fields)?)?;
        }
        Ok(list)
    }
}
