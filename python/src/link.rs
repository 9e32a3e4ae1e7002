//! Links as the named tuples `relref._types.Link`.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use relref_links::html::{self, Kind};

use crate::named_tuples::LINK;

/// A maker of the tuples of links.
pub struct LinkMaker<'py> {
    class: Bound<'py, PyAny>,
    /// `tuple.__new__`, without the call in Python of the `__new__` of the class.
    new: Bound<'py, PyAny>,
}

impl<'py> LinkMaker<'py> {
    pub fn new(py: Python<'py>) -> PyResult<Self> {
        Ok(LinkMaker { class: LINK.class(py)?.clone(), new: py.get_type::<PyTuple>().getattr("__new__")? })
    }

    /// Objects share the strings of names, and that of `page_title`, which is the title of the page. Without `facts`, these are left out.
    pub fn make(
        &self,
        link: &html::Link<'_>,
        page_title: &Bound<'py, PyString>,
        facts: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = self.class.py();
        let shared = |name: &str| PyString::intern(py, name).into_any();
        let own = |text: &str| PyString::new(py, text).into_any();
        let number = |number: Option<u64>| number.into_pyobject(py);
        let or_none = |text: Option<Bound<'py, PyAny>>| text.unwrap_or_else(|| py.None().into_bound(py));
        // In the order of the fields.
        let fields = [
            shared(link.element),
            shared(link.attribute),
            shared(link.kind.name()),
            if link.rel.is_empty() { shared("") } else { own(link.rel) },
            own(link.reference),
            or_none(link.rejected.is_none().then(|| own(link.uri))),
            own(link.text),
            link.page_nofollow.into_pyobject(py)?.to_owned().into_any(),
            shared(link.hreflang),
            shared(link.media),
            page_title.clone().into_any(),
            or_none(link.page_charset.filter(|_| facts).map(|charset| shared(charset.name()))),
            number(link.place.map(|place| place.start))?,
            number(link.place.map(|place| place.end))?,
            number(link.place.map(|place| place.line))?,
            number(link.place.map(|place| place.column))?,
            shared(link.inner),
        ];
        self.new.call1((&self.class, PyTuple::new(py, fields)?))
    }
}

/// Reports whether the author does not endorse a link.
#[pyfunction]
pub fn _is_nofollow(rel: &str, page_nofollow: bool) -> bool {
    let mut link = html::Link::new(Kind::Hyperlink, "");
    (link.rel, link.page_nofollow) = (rel, page_nofollow);
    link.nofollow()
}

/// Reports whether a crawler can fetch what a URI names.
#[pyfunction]
pub fn _is_fetchable(uri: &str) -> bool {
    html::Link::new(Kind::Hyperlink, uri).is_fetchable()
}
