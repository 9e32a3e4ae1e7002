//! `Pages` and `links`: the links of pages, in memory or streamed.

use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use encoding_rs::{Encoding, UTF_8};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyMemoryView, PyString};
use relref::RuleSet;
use relref_links::html::{self, LinkReceiver, Options, Rejected};

use crate::arena::Arena;
use crate::base::given;
use crate::file::PyFile;
use crate::link::Link;
use crate::options;
use crate::rule_set::rule_set;
use crate::text::names_or_none;

/// Can be read without the interpreter.
pub enum Page {
    Bytes(PyBackedBytes),
    Text(PyBackedStr),
}

impl Page {
    pub fn new(page: &Bound<'_, PyAny>) -> PyResult<Self> {
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

    /// `None` if the character encoding is not known.
    pub fn bytes(&self, charset: Option<&'static Encoding>) -> (&[u8], Option<&'static Encoding>) {
        match self {
            Page::Bytes(bytes) => (bytes, charset),
            Page::Text(text) => (text.as_bytes(), Some(UTF_8)),
        }
    }
}

/// A reader of pages, for many pages with the same options. Threads may share it.
///
/// kinds: report only links of these kinds. fetchable: report only links with the scheme http, https, ftp or file. lazy: also
/// report data-src and the like, from which scripts load later. items: also report itemtype and itemid. legacy_queries:
/// percent-encode queries in the character encoding of the page also by other rules than "whatwg". report_invalid: also report
/// links that are no valid URL, with None as uri. robots: read `<meta name=robots>`, for nofollow and page_nofollow of the links.
/// max_uri: leave out links whose URI has more bytes. max_total: leave out the links of a page after so many bytes of URIs; short
/// pages can have long URIs. max_text: read the texts of the links, up to so many bytes each; 0 for none. facts: read the title and the
/// character encoding of the page, which each link then has as page_title and page_charset. places: find out start, end, line and
/// column of each reference. xml: read pages as XML, as those of XHTML and SVG images are: empty elements end, and prefixes have
/// namespaces; after the first error of well-formedness, as HTML. Readers are picklable; a copy counts from 0.
///
/// >>> pages = Pages(kinds=["hyperlink"])
/// >>> [link.uri for link in pages.links("<a href=x><img src=y>", "http://example.com/")]
/// ['http://example.com/x']
/// >>> page = "<meta name=robots content=nofollow><a href=x>go <b>on</b></a>"
/// >>> [(link.text, link.nofollow) for link in Pages(max_text=1000, robots=True).links(page, "http://example.com/")]
/// [('go on', True)]
/// >>> link = Pages(facts=True, places=True).links("<title>T</title><a href=x hreflang=de>", "http://example.com/")[0]
/// >>> link.page_title, link.page_charset, link.hreflang, link.line, link.column
/// ('T', 'UTF-8', 'de', 1, 25)
#[pyclass(frozen, module = "relref")]
pub struct Pages {
    rules: RuleSet,
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
        rules = "whatwg", *, kinds = None, fetchable = false, lazy = false, items = false, robots = false,
        legacy_queries = false, report_invalid = false, max_uri = None, max_total = None, max_text = 0, facts = false,
        places = false, xml = false
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python call")]
    fn new(
        rules: &str,
        #[pyo3(from_py_with = names_or_none)] kinds: Option<Vec<String>>,
        fetchable: bool,
        lazy: bool,
        items: bool,
        robots: bool,
        legacy_queries: bool,
        report_invalid: bool,
        max_uri: Option<usize>,
        max_total: Option<u64>,
        max_text: usize,
        facts: bool,
        places: bool,
        xml: bool,
    ) -> PyResult<Self> {
        let kinds = options::kinds(kinds)?;
        let (max_uri, max_total) = (max_uri.unwrap_or(usize::MAX), max_total.unwrap_or(u64::MAX));
        let options = Options {
            kinds,
            fetchable,
            lazy,
            items,
            robots,
            title: facts,
            legacy_queries,
            places,
            xml,
            max_uri,
            max_total,
            max_text,
            rejected: true,
            ..Options::default()
        };
        Ok(Pages::with(rule_set(rules)?, options, report_invalid))
    }

    /// Return the links of a page as a list, in the order of the page.
    ///
    /// page is bytes or str, uri the URI of the page, charset the label of its character encoding if an HTTP field has one. Other
    /// threads run meanwhile.
    ///
    /// >>> [link.uri for link in Pages(kinds=["resource"]).links("<a href=b><img src=c>", "http://example.com/")]
    /// ['http://example.com/c']
    #[pyo3(signature = (page, uri, charset = None))]
    fn links<'py>(
        &self,
        py: Python<'py>,
        page: &Bound<'py, PyAny>,
        uri: &str,
        charset: Option<&str>,
    ) -> PyResult<Bound<'py, PyList>> {
        let page = Page::new(page)?;
        let (bytes, charset) = page.bytes(options::charset(charset)?);
        let base = given(py, uri, self.rules)?;
        let mut arena = Arena::default();
        py.detach(|| {
            let mut reader = self.reader();
            reader.links(bytes, charset, &base, |link| arena.push(&link));
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
        let file = PyFile::new(file, "a binary file object")?;
        let charset = options::charset(charset)?;
        let base = given(py, uri, self.rules)?;
        let done = py.detach(|| {
            let mut reader = self.reader();
            let done = reader.links_from_file(file, charset, &base, |link| {
                if self.reports(&link) {
                    let facts = self.options.title;
                    Python::attach(|py| {
                        each.call1(py, (Link::of(py, &link, &PyString::new(py, link.page_title), facts),))
                    })?;
                }
                Ok::<_, io::Error>(())
            });
            self.give_back(reader);
            done
        });
        Ok(done?)
    }

    /// The number of links left out so far because of max_uri or max_total.
    #[getter]
    fn left_out(&self) -> u64 {
        self.left_out.load(Ordering::Relaxed)
    }

    /// The number of links so far that are no valid URL by "whatwg". They are left out without report_invalid.
    #[getter]
    fn invalid(&self) -> u64 {
        self.invalid.load(Ordering::Relaxed)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String,), Bound<'py, PyDict>)> {
        let Options { kinds, fetchable, lazy, items, robots, title, legacy_queries, places, xml, .. } = &self.options;
        let Options { max_uri, max_total, max_text, .. } = &self.options;
        let kinds = (!kinds.is_empty()).then(|| kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>());
        let named = PyDict::new(py);
        named.set_item("kinds", kinds)?;
        for (name, value) in [
            ("fetchable", fetchable),
            ("lazy", lazy),
            ("items", items),
            ("robots", robots),
            ("legacy_queries", legacy_queries),
            ("report_invalid", &self.reports_invalid),
            ("facts", title),
            ("places", places),
            ("xml", xml),
        ] {
            named.set_item(name, value)?;
        }
        named.set_item("max_uri", max_uri)?;
        named.set_item("max_total", max_total)?;
        named.set_item("max_text", max_text)?;
        Ok(((self.rules.to_string(),), named))
    }
}

impl Pages {
    fn with(rules: RuleSet, options: Options, reports_invalid: bool) -> Self {
        let (left_out, invalid) = (AtomicU64::new(0), AtomicU64::new(0));
        Pages { rules, options, reports_invalid, idle: Mutex::default(), left_out, invalid }
    }

    fn reader(&self) -> html::Pages {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| html::Pages::with(self.options.clone()))
    }

    fn give_back(&self, reader: html::Pages) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
    }

    /// Reports whether a link is for the caller, and counts it if it has no URI.
    fn reports(&self, link: &html::Link<'_>) -> bool {
        match link.rejected {
            None => true,
            Some(Rejected::Invalid(_) | Rejected::Field(_)) => {
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
        let page_title = PyString::new(py, arena.page_title());
        for link in arena.links() {
            if self.reports(&link) {
                all.push(Bound::new(py, Link::of(py, &link, &page_title, self.options.title))?);
            }
        }
        PyList::new(py, all)
    }
}

/// Return the links of a page as a list, in the order of the page. Pages has more options.
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
    Pages::with(rule_set(rules)?, Options::default(), false).links(py, page, uri, charset)
}

/// Return the links of a style sheet as a list: url(), src(), image-set() and @import. uri is its own URI.
///
/// Without charset, its byte order mark or @charset tells the character encoding, else it is UTF-8. Raise ValueError if it has a
/// string or URL of more than 8 MiB.
///
/// >>> for link in css_links("@import 'print.css'; a { background: url(../a.png) }", "http://example.com/css/main.css"):
/// ...     print(link.element, link.attribute, link.uri)
/// css import http://example.com/css/print.css
/// css url http://example.com/a.png
#[pyfunction]
#[pyo3(signature = (sheet, uri, charset = None, *, rules = "whatwg"))]
pub fn css_links<'py>(
    py: Python<'py>,
    sheet: &Bound<'py, PyAny>,
    uri: &str,
    charset: Option<&str>,
    rules: &str,
) -> PyResult<Bound<'py, PyList>> {
    let (sheet, charset, rules) = (Page::new(sheet)?, options::charset(charset)?, rule_set(rules)?);
    let base = given(py, uri, rules)?;
    let mut arena = Arena::default();
    let done = py.detach(|| {
        let (sheet, charset) = sheet.bytes(charset);
        let mut done = Ok(());
        let find = |links: &mut LinkReceiver<'_>| done = html::each_css_link(sheet, charset, |link| links.add(link));
        let _ = html::Pages::new().found_links(&base, find, |link| {
            arena.push(&link);
            ControlFlow::<()>::Continue(())
        });
        done
    });
    done.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Pages::with(rules, Options::default(), false).list(py, &arena)
}
