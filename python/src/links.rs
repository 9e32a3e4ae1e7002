//! `Link`, `Pages` and `links`: the links of pages, in memory or streamed.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use encoding_rs::{Encoding, UTF_8};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyList, PyMemoryView, PyString, PyTuple};
use relref::html::{self, Kind, Rejected};

use crate::arena::Arena;
use crate::base::Prepared;
use crate::file::PyFile;
use crate::rule_set::RuleSet;

/// A link of a page.
///
/// element and attribute are names in lower case, kind is "hyperlink", "resource", "form", "citation", "refresh" or "metadata",
/// rel is the `rel` of the element, reference the link as written, uri the absolute URI; None if it is no valid URL.
///
/// >>> link = links(b"<a href=intro rel=nofollow>", "http://example.com/")[0]
/// >>> link
/// Link(element='a', attribute='href', kind='hyperlink', rel='nofollow', reference='intro', uri='http://example.com/intro')
/// >>> link.nofollow, link.followable
/// (True, True)
#[pyclass(frozen, get_all, module = "relref")]
pub struct Link {
    element: Py<PyString>,
    attribute: Py<PyString>,
    kind: Py<PyString>,
    rel: Py<PyString>,
    reference: Py<PyString>,
    uri: Option<Py<PyString>>,
}

#[pymethods]
impl Link {
    #[new]
    fn new(
        element: Py<PyString>,
        attribute: Py<PyString>,
        kind: Py<PyString>,
        rel: Py<PyString>,
        reference: Py<PyString>,
        uri: Option<Py<PyString>>,
    ) -> Self {
        Link { element, attribute, kind, rel, reference, uri }
    }

    /// True if `nofollow` is a token of rel: the author does not endorse the link.
    #[getter]
    fn nofollow(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.rel.to_str(py)?.split_ascii_whitespace().any(|token| token.eq_ignore_ascii_case("nofollow")))
    }

    /// True if a crawler can follow the link: its scheme is http, https, ftp or file.
    #[getter]
    fn followable(&self, py: Python<'_>) -> PyResult<bool> {
        let Some(uri) = &self.uri else { return Ok(false) };
        let scheme = relref::UriRef::new(uri.to_str(py)?).scheme().unwrap_or_default();
        Ok(["http", "https", "ftp", "file"].iter().any(|known| known.eq_ignore_ascii_case(scheme)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let names = ["element", "attribute", "kind", "rel", "reference", "uri"];
        let mut fields = Vec::new();
        for (name, text) in names.iter().zip(self.tuple(py)?) {
            fields.push(format!("{name}={}", text.repr()?));
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
    fn tuple<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Link { element, attribute, kind, rel, reference, uri } = self;
        (element, attribute, kind, rel, reference, uri).into_pyobject(py)
    }

    /// Makes the object of a link. The few different names are shared.
    fn of(py: Python<'_>, kind: Kind, is_valid: bool, texts: [&str; 5]) -> Self {
        let [element, attribute, rel, reference, uri] = texts;
        let shared = |name| PyString::intern(py, name).unbind();
        let own = |text| PyString::new(py, text).unbind();
        let (element, attribute, kind) = (shared(element), shared(attribute), shared(kind.name()));
        Link { element, attribute, kind, rel: own(rel), reference: own(reference), uri: is_valid.then(|| own(uri)) }
    }
}

/// A page in memory, readable without the interpreter.
enum Page {
    Bytes(PyBackedBytes),
    Text(PyBackedStr),
}

impl Page {
    fn new(page: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = page.cast::<PyString>() {
            return text.clone().try_into().map(Page::Text);
        }
        if let Ok(bytes) = page.cast::<PyBytes>() {
            return Ok(Page::Bytes(bytes.clone().into()));
        }
        if let Ok(bytes) = page.cast::<PyByteArray>() {
            return Ok(Page::Bytes(bytes.clone().into()));
        }
        if page.is_instance_of::<PyMemoryView>() {
            return Page::new(&page.call_method0("tobytes")?);
        }
        Err(PyTypeError::new_err(format!("page: expected bytes or str, not {}", page.get_type().name()?)))
    }

    /// Returns the bytes, and the encoding if it is known.
    fn bytes(&self, charset: Option<&'static Encoding>) -> (&[u8], Option<&'static Encoding>) {
        match self {
            Page::Bytes(bytes) => (bytes, charset),
            Page::Text(text) => (text.as_bytes(), Some(UTF_8)),
        }
    }
}

/// The options of a reader of pages.
#[derive(Clone)]
pub struct Options {
    pub rules: RuleSet,
    pub kinds: Vec<Kind>,
    pub followable: bool,
    pub lazy: bool,
    pub items: bool,
    pub legacy_queries: bool,
    pub max_uri: usize,
    pub max_uris: u64,
}

impl Options {
    /// Returns a reader of pages.
    pub fn pages(&self) -> html::Pages {
        let mut pages = html::Pages::new();
        pages.kinds.clone_from(&self.kinds);
        pages.followable = self.followable;
        pages.lazy = self.lazy;
        pages.items = self.items;
        pages.legacy_queries = self.legacy_queries;
        pages.max_uri = self.max_uri;
        pages.max_uris = self.max_uris;
        pages
    }
}

/// Parses a label of the Encoding Standard.
pub fn charset(label: Option<&str>) -> PyResult<Option<&'static Encoding>> {
    let find =
        |label| html::charset(label).map_err(|error| PyValueError::new_err(format!("charset {label:?}: {error}")));
    label.map(find).transpose()
}

/// Parses names of kinds.
pub fn kinds(names: Option<Vec<String>>) -> PyResult<Vec<Kind>> {
    let parse = |name: &String| name.parse().map_err(|error: relref::Error| PyValueError::new_err(error.to_string()));
    names.unwrap_or_default().iter().map(parse).collect()
}

/// A reader of pages, for many pages with the same options. Threads may share it.
///
/// kinds: report only links of these kinds. followable: only those with the scheme http, https, ftp or file. lazy: also data-src
/// and the like, from which scripts load later. items: also itemtype and itemid. legacy_queries: percent-encode queries in the
/// encoding of the page also by other rules than "whatwg". report_invalid: also report links that are no valid URL, with None as
/// uri. max_uri: leave out links with a longer URI, in bytes. max_uris: leave out the links after so many bytes of URIs of one page;
/// short pages can have long URIs.
///
/// >>> pages = Pages(kinds=["hyperlink"])
/// >>> [link.uri for link in pages.links("<a href=x><img src=y>", "http://example.com/")]
/// ['http://example.com/x']
#[pyclass(frozen, module = "relref")]
pub struct Pages {
    options: Options,
    /// True if links that are no valid URL are reported.
    reports_invalid: bool,
    /// The readers that are not in use, so that their buffers are used again.
    idle: Mutex<Vec<html::Pages>>,
    left_out: AtomicU64,
    invalid: AtomicU64,
}

#[pymethods]
impl Pages {
    #[new]
    #[pyo3(signature = (
        rules = "whatwg", *, kinds = None, followable = false, lazy = false, items = false, legacy_queries = false,
        report_invalid = false, max_uri = None, max_uris = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python call")]
    fn new(
        rules: &str,
        kinds: Option<Vec<String>>,
        followable: bool,
        lazy: bool,
        items: bool,
        legacy_queries: bool,
        report_invalid: bool,
        max_uri: Option<usize>,
        max_uris: Option<u64>,
    ) -> PyResult<Self> {
        let (max_uri, max_uris) = (max_uri.unwrap_or(usize::MAX), max_uris.unwrap_or(u64::MAX));
        let (rules, kinds) = (RuleSet::parse(rules)?, self::kinds(kinds)?);
        let options = Options { rules, kinds, followable, lazy, items, legacy_queries, max_uri, max_uris };
        let reports_invalid = report_invalid;
        Ok(Pages { options, reports_invalid, idle: Mutex::default(), left_out: 0.into(), invalid: 0.into() })
    }

    /// Return the links of a page as a list, in the order of the document.
    ///
    /// page is bytes or str, uri the URI of the page, charset the label of its encoding if an HTTP header has one. Other threads run meanwhile.
    #[pyo3(signature = (page, uri, charset = None))]
    fn links<'py>(
        &self,
        py: Python<'py>,
        page: &Bound<'py, PyAny>,
        uri: &str,
        charset: Option<&str>,
    ) -> PyResult<Bound<'py, PyList>> {
        let page = Page::new(page)?;
        let (bytes, charset) = page.bytes(self::charset(charset)?);
        let base = Prepared::new(uri, self.options.rules).map_err(|refused| refused.exception(py, uri))?;
        let mut arena = Arena::default();
        py.detach(|| {
            let mut reader = self.reader();
            reader.links(bytes, charset, base.page_base(), |link| arena.push(&link));
            self.give_back(reader);
        });
        self.list(py, &arena)
    }

    /// Call each(link) for every link of a page that is read as a stream from a seekable binary file. Memory does not grow with the
    /// page. The exceptions of each end the reading.
    ///
    /// >>> import io
    /// >>> Pages().stream(io.BytesIO(b"<a href=x>"), "http://example.com/", lambda link: print(link.uri))
    /// http://example.com/x
    #[pyo3(signature = (file, uri, each, charset = None))]
    fn stream(
        &self,
        py: Python<'_>,
        file: &Bound<'_, PyAny>,
        uri: &str,
        each: Py<PyAny>,
        charset: Option<&str>,
    ) -> PyResult<()> {
        let file = PyFile::new(file)?;
        let charset = self::charset(charset)?;
        let base = Prepared::new(uri, self.options.rules).map_err(|refused| refused.exception(py, uri))?;
        let done = py.detach(|| {
            let mut reader = self.reader();
            let done = reader.links_from(file, charset, base.page_base(), |link| {
                if self.reports(link.rejected) {
                    let texts = [link.element, link.attribute, link.rel, link.reference, link.uri];
                    Python::attach(|py| each.call1(py, (Link::of(py, link.kind, link.rejected.is_none(), texts),)))?;
                }
                Ok::<_, io::Error>(())
            });
            self.give_back(reader);
            done
        });
        Ok(done?)
    }

    /// The number of links left out so far because of max_uri or max_uris.
    #[getter]
    fn left_out(&self) -> u64 {
        self.left_out.load(Ordering::Relaxed)
    }

    /// The number of links so far that are no valid URL by "whatwg". They are left out without report_invalid.
    #[getter]
    fn invalid(&self) -> u64 {
        self.invalid.load(Ordering::Relaxed)
    }
}

impl Pages {
    fn reader(&self) -> html::Pages {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| self.options.pages())
    }

    fn give_back(&self, reader: html::Pages) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
    }

    /// Reports whether a link is reported, and counts it if it has no URI.
    fn reports(&self, rejected: Option<Rejected>) -> bool {
        match rejected {
            None => true,
            Some(Rejected::Invalid(_)) => {
                self.invalid.fetch_add(1, Ordering::Relaxed);
                self.reports_invalid
            }
            Some(_) => {
                self.left_out.fetch_add(1, Ordering::Relaxed);
                false
            }
        }
    }

    fn list<'py>(&self, py: Python<'py>, arena: &Arena) -> PyResult<Bound<'py, PyList>> {
        let mut all = Vec::with_capacity(arena.len());
        for (kind, rejected, texts) in arena.links() {
            if self.reports(rejected) {
                all.push(Bound::new(py, Link::of(py, kind, rejected.is_none(), texts))?);
            }
        }
        PyList::new(py, all)
    }
}

/// Return the links of a page as a list, in the order of the document. Pages has more options.
///
/// >>> page = b'<base href="/docs/"><a href=" intro?a=1&amp;b=2 ">start</a><img src=logo.png>'
/// >>> for link in links(page, "http://example.com/x/index.html"):
/// ...     print(link.element, link.reference, link.uri)
/// a intro?a=1&b=2 http://example.com/docs/intro?a=1&b=2
/// img logo.png http://example.com/docs/logo.png
#[pyfunction]
#[pyo3(signature = (page, uri, charset = None, *, rules = "whatwg"))]
pub fn links<'py>(
    py: Python<'py>,
    page: &Bound<'py, PyAny>,
    uri: &str,
    charset: Option<&str>,
    rules: &str,
) -> PyResult<Bound<'py, PyList>> {
    Pages::new(rules, None, false, false, false, false, false, None, None)?.links(py, page, uri, charset)
}
