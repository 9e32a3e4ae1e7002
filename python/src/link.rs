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
    /// The `hreflang` of the element, at most its first 64 bytes; empty without one.
    hreflang: Py<PyString>,
    /// The `media` of the element, at most its first 1024 bytes; empty without one.
    media: Py<PyString>,
    /// The text of the page's title, at most its first 1024 bytes; empty without one, and without facts of Pages.
    page_title: Py<PyString>,
    /// The character encoding by which the page was read, such as "UTF-8"; None without facts of Pages.
    page_charset: Option<Py<PyString>>,
    /// The offset of the reference in the page, in bytes; None without places of Pages. That of a str counts its bytes as UTF-8.
    start: Option<u64>,
    /// The offset of the end of the reference.
    end: Option<u64>,
    /// The line of the reference, from 1.
    line: Option<u64>,
    /// The number of its first character in the line, from 1.
    column: Option<u64>,
    /// The element and attribute in the HTML that the attribute holds, such as "a href", of the links of srcdoc; otherwise empty.
    inner: Py<PyString>,
}

#[pymethods]
impl Link {
    #[new]
    #[pyo3(
        signature = (
            element, attribute, kind, rel, reference, uri, text = None, page_nofollow = false, hreflang = None, media = None,
            page_title = None, page_charset = None, start = None, end = None, line = None, column = None, inner = None
        ),
        text_signature = "(element, attribute, kind, rel, reference, uri, text='', page_nofollow=False, hreflang='', media='', \
            page_title='', page_charset=None, start=None, end=None, line=None, column=None, inner='')"
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
        hreflang: Option<Py<PyString>>,
        media: Option<Py<PyString>>,
        page_title: Option<Py<PyString>>,
        page_charset: Option<Py<PyString>>,
        start: Option<u64>,
        end: Option<u64>,
        line: Option<u64>,
        column: Option<u64>,
        inner: Option<Py<PyString>>,
    ) -> Self {
        let [text, hreflang, media, page_title, inner] = [text, hreflang, media, page_title, inner]
            .map(|text| text.unwrap_or_else(|| PyString::intern(py, "").unbind()));
        Link {
            element,
            attribute,
            kind,
            rel,
            reference,
            uri,
            text,
            page_nofollow,
            hreflang,
            media,
            page_title,
            page_charset,
            start,
            end,
            line,
            column,
            inner,
        }
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
        let mut fields = Vec::new();
        for (number, (name, value)) in NAMES.iter().zip(self.tuple(py)?).enumerate() {
            // Fields that are not always read are left out if they are empty. An offset may be 0.
            if number < 6 || value.is_truthy()? || (12..16).contains(&number) && !value.is_none() {
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

/// In the order of the arguments.
const NAMES: [&str; 17] = [
    "element",
    "attribute",
    "kind",
    "rel",
    "reference",
    "uri",
    "text",
    "page_nofollow",
    "hreflang",
    "media",
    "page_title",
    "page_charset",
    "start",
    "end",
    "line",
    "column",
    "inner",
];

impl Link {
    /// Objects share the strings of names, and that of `page_title`, which is the title of the page. Without `facts`, these are left out.
    pub fn of(py: Python<'_>, link: &html::Link<'_>, page_title: &Bound<'_, PyString>, facts: bool) -> Self {
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
            hreflang: shared(link.hreflang),
            media: shared(link.media),
            page_title: page_title.clone().unbind(),
            page_charset: link.page_charset.filter(|_| facts).map(|charset| shared(charset.name())),
            start: link.place.map(|place| place.start),
            end: link.place.map(|place| place.end),
            line: link.place.map(|place| place.line),
            column: link.place.map(|place| place.column),
            inner: shared(link.inner),
        }
    }

    /// In the order of the arguments.
    fn tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Link { element, attribute, kind, rel, reference, uri, text, page_nofollow, .. } = self;
        let first = (element, attribute, kind, rel, reference, uri, text, page_nofollow).into_pyobject(py)?;
        let Link { hreflang, media, page_title, page_charset, start, end, line, column, inner, .. } = self;
        let rest = (hreflang, media, page_title, page_charset, start, end, line, column, inner).into_pyobject(py)?;
        PyTuple::new(py, first.iter().chain(rest.iter()).collect::<Vec<_>>())
    }

    /// Returns a link with only the fields that decide about `fetchable` and `nofollow`.
    fn decisive(&self, py: Python<'_>) -> PyResult<html::Link<'_>> {
        let uri = self.uri.as_ref().map_or(Ok(""), |uri| uri.to_str(py))?;
        let mut link = html::Link::new(Kind::Hyperlink, uri);
        (link.rel, link.page_nofollow) = (self.rel.to_str(py)?, self.page_nofollow);
        Ok(link)
    }
}
