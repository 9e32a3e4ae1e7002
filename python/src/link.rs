//! `Link`: a link of a page as a Python object.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use relref_links::html::{self, Kind};

/// A link of a page. Links are immutable, picklable and hashable.
///
/// >>> link = links(b"<a href=intro rel=nofollow>", "http://example.com/")[0]
/// >>> link
/// Link(element='a', attribute='href', kind='hyperlink', rel='nofollow', reference='intro', uri='http://example.com/intro')
/// >>> link.nofollow, link.fetchable
/// (True, True)
#[pyclass(frozen, get_all, module = "relref")]
pub struct Link {
    /// The name of the element, in lower case.
    element: Py<PyString>,
    /// The name of the attribute, in lower case; "text" for the text of a style element.
    attribute: Py<PyString>,
    /// The purpose of the link: "hyperlink", "resource", "form", "citation", "refresh" or "metadata".
    kind: Py<PyString>,
    /// The `rel` of the element, as written.
    rel: Py<PyString>,
    /// The link as written, without the spaces around it and the line breaks in it.
    reference: Py<PyString>,
    /// The absolute URI; None if the reference is no valid URL.
    uri: Option<Py<PyString>>,
    /// The text of the link, or its `alt`; empty without max_text of Pages.
    text: Py<PyString>,
    /// True if the page asks robots to follow none of its links; False without robots of Pages.
    page_nofollow: bool,
}

#[pymethods]
impl Link {
    #[new]
    #[pyo3(
        signature = (element, attribute, kind, rel, reference, uri, text = None, page_nofollow = false),
        text_signature = "(element, attribute, kind, rel, reference, uri, text='', page_nofollow=False)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are the arguments of a Python call")]
    fn new(
        py: Python<'_>,
        element: Py<PyString>,
        attribute: Py<PyString>,
        kind: Py<PyString>,
        rel: Py<PyString>,
        reference: Py<PyString>,
        uri: Option<Py<PyString>>,
        text: Option<Py<PyString>>,
        page_nofollow: bool,
    ) -> Self {
        let text = text.unwrap_or_else(|| PyString::intern(py, "").unbind());
        Link { element, attribute, kind, rel, reference, uri, text, page_nofollow }
    }

    /// True if the author does not endorse the link: `nofollow` is a token of rel, or page_nofollow is True.
    #[getter]
    fn nofollow(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.decisive(py)?.nofollow())
    }

    /// True if a crawler can fetch what the link leads to: its scheme is http, https, ftp or file.
    #[getter]
    fn fetchable(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.decisive(py)?.is_fetchable())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let names = ["element", "attribute", "kind", "rel", "reference", "uri", "text", "page_nofollow"];
        let mut fields = Vec::new();
        for (number, (name, value)) in names.iter().zip(self.tuple(py)?).enumerate() {
            // Fields that are not always read are left out if they are empty.
            if number < 6 || value.is_truthy()? {
                fields.push(format!("{name}={}", value.repr()?));
            }
        }
        Ok(format!("Link({})", fields.join(", ")))
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        self.tuple(py)?.eq(other.tuple(py)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.tuple(py)?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Link>().into_any(), self.tuple(py)?))
    }
}

impl Link {
    /// Objects share the strings of names.
    pub fn of(py: Python<'_>, link: &html::Link<'_>) -> Self {
        let shared = |name: &str| PyString::intern(py, name).unbind();
        let own = |text: &str| PyString::new(py, text).unbind();
        Link {
            element: shared(link.element),
            attribute: shared(link.attribute),
            kind: shared(link.kind.name()),
            rel: own(link.rel),
            reference: own(link.reference),
            uri: link.rejected.is_none().then(|| own(link.uri)),
            text: own(link.text),
            page_nofollow: link.page_nofollow,
        }
    }

    /// In the order of the arguments.
    fn tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Link { element, attribute, kind, rel, reference, uri, text, page_nofollow } = self;
        (element, attribute, kind, rel, reference, uri, text, page_nofollow).into_pyobject(py)
    }

    /// Returns a link with only the fields that decide about `fetchable` and `nofollow`.
    fn decisive(&self, py: Python<'_>) -> PyResult<html::Link<'_>> {
        let uri = self.uri.as_ref().map_or(Ok(""), |uri| uri.to_str(py))?;
        let mut link = html::Link::new(Kind::Hyperlink, uri);
        (link.rel, link.page_nofollow) = (self.rel.to_str(py)?, self.page_nofollow);
        Ok(link)
    }
}
