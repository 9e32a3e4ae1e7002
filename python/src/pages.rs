//! `Pages` and `links`: the links of pages, in memory or streamed.

use std::ffi::CString;
use std::fs::File;
use std::io::{self, Cursor, Seek};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use encoding_rs::{Encoding, UTF_8};
use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyMemoryView, PyString};
use relref::{AnyBase, RuleSet};
use relref_links::archive::sniff;
use relref_links::html::{self, LinkReceiver, Options, Rejected};
use relref_links::page::{self, LinkReader, PageBytes, PageKind};

use crate::arena::Arena;
use crate::base::given;
use crate::chunked_page::ChunkedPage;
use crate::error::os_error;
use crate::file::PyFile;
use crate::link::LinkMaker;
use crate::options;
use crate::rule_set::rule_set;
use crate::signals::{Interrupt, Signals, Watched, in_background_if};
use crate::text::names_or_none;
use crate::uri_text::UriText;

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

    /// Returns a page and its character encoding, if it is known: that of a label, or UTF-8 of a `str`. `ValueError` for a `str` with
    /// another label.
    pub fn labeled(page: &Bound<'_, PyAny>, charset: Option<&str>) -> PyResult<(Self, Option<&'static Encoding>)> {
        let (page, charset) = (Page::new(page)?, options::charset(charset)?);
        match page {
            Page::Text(_) if charset.is_some_and(|charset| charset != UTF_8) => Err(PyValueError::new_err(
                "charset: a str is decoded already: leave it out, or pass the bytes of the page",
            )),
            Page::Text(_) => Ok((page, Some(UTF_8))),
            Page::Bytes(_) => Ok((page, charset)),
        }
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Page::Bytes(bytes) => bytes,
            Page::Text(text) => text.as_bytes(),
        }
    }
}

/// The most bytes of a page that is read without a look for signals.
pub const MAX_UNWATCHED_LEN: usize = 4 << 20;

/// The most bytes of the URIs in the list of a page, beside [`uris_len`].
pub const MAX_URIS_LEN: u64 = 1 << 20;

/// Returns the number of bytes of URIs that so many bytes of a page may give.
pub fn uris_len(page_len: usize) -> u64 {
    (page_len as u64).saturating_mul(256)
}

/// A reader of pages, for many pages with the same options. Threads may share it.
///
/// kinds: report only links of these kinds. fetchable: report only links with the scheme http, https, ftp or file. lazy: also
/// report what only scripts and other programs than browsers read: data-src and the like, and the URLs of og: and twitter: in meta elements. items: also report itemtype and itemid. legacy_queries:
/// percent-encode queries in the character encoding of the page also by other rules than "whatwg". report_invalid: also report
/// links that are no valid URL, with None as uri. robots: read `<meta name=robots>`, for nofollow and page_nofollow of the links.
/// max_uri: leave out links whose URI has more bytes. max_total: leave out the links of a page after so many bytes of URIs; short
/// pages can have long URIs, so links() has at most 1 MiB and 256 times the length of the page. max_text: read the texts of the links, up to so many bytes each; 0 for none. facts: read the title and the
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
    /// page is bytes or str, or an os.PathLike of a file; uri is the URI of the page, by default that of the file. charset is the label
    /// of the character encoding if an HTTP field has one, and media_type that field (Content-Type). Without it, the start and the URI
    /// tell whether it is a sitemap, a feed, a style sheet, Markdown, a robots.txt, an SVG image or XHTML; all else is HTML. It may be
    /// compressed by gzip or Zstandard. A damaged page gives the links that are found, and a warning. Other threads run meanwhile.
    ///
    /// >>> [link.uri for link in Pages(kinds=["resource"]).links("<a href=b><img src=c>", "http://example.com/")]
    /// ['http://example.com/c']
    #[pyo3(signature = (page, uri = None, charset = None, *, media_type = None))]
    fn links<'py>(
        &self,
        py: Python<'py>,
        page: &Bound<'py, PyAny>,
        uri: Option<UriText<'_>>,
        charset: Option<&str>,
        media_type: Option<&str>,
    ) -> PyResult<Bound<'py, PyList>> {
        let uri = uri.as_deref();
        if page.hasattr(intern!(py, "__fspath__"))? {
            return self.links_of_file(page, uri, charset, media_type);
        }
        let uri = uri.ok_or_else(|| PyTypeError::new_err("uri: only a page that is a path has one of its own"))?;
        let (page, charset) = Page::labeled(page, charset)?;
        let bytes = page.bytes();
        let base = given(py, uri, self.rules)?;
        let (kind, label) = kind_and_charset(bytes, uri, media_type);
        let (kind, charset) = (if self.options.xml { PageKind::Html } else { kind }, charset.or(label));
        let mut arena = Arena::default();
        let done = match kind {
            PageKind::Html => py.detach(|| self.html_links(bytes, charset, &base, &mut arena)),
            _ => {
                let mut page = page::Page::new(uri, PageBytes::Memory(Vec::new()));
                page.kind = kind;
                page.codings.extend(sniff::compression(bytes).map(str::to_owned));
                let bytes = Watched::new(Cursor::new(bytes.to_vec()));
                let raised = bytes.raised();
                page.bytes = PageBytes::File(Box::new(bytes));
                py.detach(|| self.read(&mut page, charset, &mut arena, &raised))
            }
        };
        self.found(py, &arena, done)
    }

    /// Start a page that comes in chunks, which ChunkedPage.feed takes.
    ///
    /// uri, charset and media_type are as in links(), but the page is HTML or, by its media type or URI, XML. ValueError for another kind.
    ///
    /// >>> page = Pages().start("http://example.com/", media_type="text/html; charset=utf-8")
    /// >>> [link.uri for link in page.feed(b"<a hr") + page.feed(b"ef=x>") + page.finish()]
    /// ['http://example.com/x']
    #[pyo3(signature = (uri, charset = None, *, media_type = None))]
    fn start(
        pages: &Bound<'_, Self>,
        uri: UriText<'_>,
        charset: Option<&str>,
        media_type: Option<&str>,
    ) -> PyResult<ChunkedPage> {
        let own = pages.get();
        let (is_xml, label) = own.is_xml_and_charset(&uri, media_type)?;
        let base = given(pages.py(), &uri, own.rules)?;
        let charset = options::charset(charset)?.or(label);
        let mut reader = own.reader();
        reader.options.xml = is_xml;
        Ok(ChunkedPage::new(pages.clone().unbind(), reader, base, charset))
    }

    /// Return an iterator of the links of a page that is read in chunks: file is a binary file object, which need not seek, or an
    /// iterable of bytes. Memory does not grow with the page. ChunkedPage says how such links may differ. uri, charset and media_type are
    /// as in start().
    ///
    /// With each, call each(link) for every link instead. The file must be able to seek, and the links are those of links(). The exceptions
    /// of each end the reading.
    ///
    /// >>> [link.uri for link in Pages().stream([b"<a hr", b"ef=x>"], "http://example.com/")]
    /// ['http://example.com/x']
    #[pyo3(signature = (file, uri, each = None, charset = None, *, media_type = None))]
    fn stream<'py>(
        pages: &Bound<'py, Self>,
        file: &Bound<'py, PyAny>,
        uri: UriText<'_>,
        each: Option<Py<PyAny>>,
        charset: Option<&str>,
        media_type: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = pages.py();
        let Some(each) = each else {
            let page = Pages::start(pages, uri, charset, media_type)?;
            return py.import("relref._chunks")?.call_method1("links", (page, file));
        };
        pages.get().stream_to(file, &uri, &each, charset, media_type)?;
        Ok(py.None().into_bound(py))
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

    /// Returns true for a page that is read as XML, and the character encoding that its media type has. `ValueError` if it is neither HTML
    /// nor XML.
    fn is_xml_and_charset(&self, uri: &str, media_type: Option<&str>) -> PyResult<(bool, Option<&'static Encoding>)> {
        let (kind, label) = kind_and_charset(b"<html>", uri, media_type);
        // A feed, or something else that only its start shows.
        let is_other_xml =
            |media_type: &str| media_type.split(';').next().is_some_and(|name| name.trim_end().ends_with("xml"));
        match kind {
            _ if self.options.xml => Ok((true, label)),
            PageKind::Xml => Ok((true, label)),
            PageKind::Html if !media_type.is_some_and(is_other_xml) => Ok((false, label)),
            _ => Err(PyValueError::new_err("only HTML and XML come in chunks: links() reads the whole page")),
        }
    }

    fn stream_to(
        &self,
        file: &Bound<'_, PyAny>,
        uri: &str,
        each: &Py<PyAny>,
        charset: Option<&str>,
        media_type: Option<&str>,
    ) -> PyResult<()> {
        let py = file.py();
        let file = PyFile::new(file, "a binary file object")?;
        let (is_xml, label) = self.is_xml_and_charset(uri, media_type)?;
        let charset = options::charset(charset)?.or(label);
        let base = given(py, uri, self.rules)?;
        let done = py.detach(|| {
            let mut reader = self.reader();
            reader.options.xml = is_xml;
            let done = reader.links_from_file(file, charset, &base, |link| {
                if self.reports(&link) {
                    let facts = self.options.title;
                    Python::attach(|py| {
                        let title = PyString::new(py, link.page_title);
                        each.call1(py, (LinkMaker::new(py)?.make(&link, &title, facts)?,))
                    })?;
                }
                Ok::<_, io::Error>(())
            });
            self.give_back(reader);
            done
        });
        Ok(done?)
    }

    pub fn reader(&self) -> html::Pages {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| html::Pages::with(self.options.clone()))
    }

    pub fn give_back(&self, mut reader: html::Pages) {
        reader.options.xml = self.options.xml;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
    }

    pub fn leave_out(&self) {
        self.left_out.fetch_add(1, Ordering::Relaxed);
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
                self.leave_out();
                false
            }
        }
    }

    pub fn list<'py>(&self, py: Python<'py>, arena: &Arena) -> PyResult<Bound<'py, PyList>> {
        let mut all = Vec::with_capacity(arena.len());
        let (maker, mut signals) = (LinkMaker::new(py)?, Signals::new());
        let page_title = PyString::new(py, arena.page_title());
        for (number, link) in arena.links().enumerate() {
            if self.reports(&link) {
                all.push(maker.make(&link, &page_title, self.options.title)?);
            }
            if number % 1024 == 1023 {
                signals.check()?;
            }
        }
        PyList::new(py, all)
    }

    /// Fails only with the exception of a signal.
    fn html_links(
        &self,
        page: &[u8],
        charset: Option<&'static Encoding>,
        base: &AnyBase,
        arena: &mut Arena,
    ) -> io::Result<()> {
        let mut reader = self.reader();
        reader.options.max_total = self.options.max_total.min(MAX_URIS_LEN.saturating_add(uris_len(page.len())));
        let done = if page.len() <= MAX_UNWATCHED_LEN {
            reader.links(page, charset, base, |link| arena.push(&link));
            Ok(())
        } else {
            let page = Watched::new(Cursor::new(page));
            let raised = page.raised();
            let done = reader.links_from_file(page, charset, base, |link| {
                arena.push(&link);
                Ok(())
            });
            // Other errors tell of tags that are too long, as nothing does for shorter pages.
            let _ = done;
            raised.get().map_or(Ok(()), |error| Err(Python::attach(|py| error.clone_ref(py)).into()))
        };
        reader.options.max_total = self.options.max_total;
        self.give_back(reader);
        done
    }

    fn links_of_file<'py>(
        &self,
        path: &Bound<'py, PyAny>,
        uri: Option<&str>,
        charset: Option<&str>,
        media_type: Option<&str>,
    ) -> PyResult<Bound<'py, PyList>> {
        let py = path.py();
        let path: PathBuf = path.extract()?;
        let own_uri;
        let uri = match uri {
            Some(uri) => uri,
            None => {
                let absolute = py.import("pathlib")?.getattr("Path")?.call1((&path,))?.call_method0("absolute")?;
                own_uri = absolute.call_method0("as_uri")?.extract::<String>()?;
                &own_uri
            }
        };
        given(py, uri, self.rules)?;
        let charset = options::charset(charset)?;
        let mut file = File::open(&path).map_err(|error| os_error(py, &path, error))?;
        let (mut start, raised) = (Vec::new(), Arc::default());
        sniff::read_start(&mut file, &mut start).map_err(|error| os_error(py, &path, error))?;
        file.rewind()?;
        let mut page = page::Page::new(uri, file);
        let (kind, label) = kind_and_charset(&start, uri, media_type);
        page.kind = match media_type {
            _ if self.options.xml => PageKind::Xml,
            None => match PageKind::of_file(&start, uri, &path) {
                named @ (PageKind::Markdown | PageKind::Mdx) => named,
                _ => kind,
            },
            Some(_) => kind,
        };
        page.codings.extend(sniff::compression(&start).map(str::to_owned));
        let mut arena = Arena::default();
        let done = py.detach(|| self.read(&mut page, charset.or(label), &mut arena, &raised));
        self.found(py, &arena, done)
    }

    fn read(
        &self,
        page: &mut page::Page,
        charset: Option<&'static Encoding>,
        arena: &mut Arena,
        raised: &Arc<Interrupt>,
    ) -> io::Result<()> {
        let mut reader = LinkReader { pages: self.reader(), rules: self.rules, charset };
        let mut signals = Signals::new();
        let done = reader.links(page, |link| {
            arena.push(&link);
            Ok(signals.check()?)
        });
        self.give_back(reader.pages);
        raised.get().map_or(done, |error| Err(Python::attach(|py| error.clone_ref(py)).into()))
    }

    /// Makes a warning of damage, before which there are links.
    pub fn found<'py>(&self, py: Python<'py>, arena: &Arena, done: io::Result<()>) -> PyResult<Bound<'py, PyList>> {
        warn_of_damage(py, done)?;
        self.list(py, arena)
    }
}

/// Fails with what is no damage: the exception of a signal, and an error of a file.
pub fn warn_of_damage(py: Python<'_>, done: io::Result<()>) -> PyResult<()> {
    let Err(error) = done else { return Ok(()) };
    if error.get_ref().is_some_and(|inner| inner.is::<PyErr>()) || error.raw_os_error().is_some() {
        return Err(error.into());
    }
    let message = CString::new(format!("the page is damaged: {error}"))?;
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)
}

/// Returns the kind of a page by its first bytes or, if it is compressed, `Unknown`; and the encoding that its media type has. What
/// shows no other kind is HTML.
pub fn kind_and_charset(
    mut bytes: &[u8],
    uri: &str,
    media_type: Option<&str>,
) -> (PageKind, Option<&'static Encoding>) {
    let fields = media_type.map(|media_type| ("content-type", media_type));
    let head = page::Page::from_response(uri, fields, "");
    let charset = head.charset.and_then(|label| Encoding::for_label(label.as_bytes()));
    let kind = match PageKind::of_head("response", &head.media_type, uri) {
        PageKind::None => PageKind::None,
        _ if sniff::compression(bytes).is_some() => PageKind::Unknown,
        known => {
            let mut start = Vec::new();
            // Bytes can be read.
            let _ = sniff::read_start(&mut bytes, &mut start);
            match known.of_start(&start, uri) {
                PageKind::None => PageKind::Html,
                kind => kind,
            }
        }
    };
    (kind, charset)
}

/// Return the links of a page as a list, in the order of the page. page, uri, charset and media_type are as in Pages.links, all else as
/// in Pages, which is faster for many pages; but here the links have their places, unless places=False.
///
/// >>> page = b'<base href="/docs/"><a href=" intro?a=1&amp;b=2 ">start</a><img src=logo.png>'
/// >>> for link in links(page, "http://example.com/x/index.html"):
/// ...     print(link.element, link.reference, link.uri)
/// a intro?a=1&b=2 http://example.com/docs/intro?a=1&b=2
/// img logo.png http://example.com/docs/logo.png
/// >>> [(link.uri, link.line, link.column) for link in links("<img src=a>\n<a href=b>", "http://example.com/", kinds=["hyperlink"])]
/// [('http://example.com/b', 2, 9)]
/// >>> links(b"<urlset><url><loc>http://example.com/a</loc></url></urlset>", "http://example.com/sitemap.xml")[0].uri
/// 'http://example.com/a'
#[pyfunction]
#[pyo3(signature = (
    page, uri = None, charset = None, *, media_type = None, rules = "whatwg", kinds = None, fetchable = false, lazy = false,
    items = false, robots = false, legacy_queries = false, report_invalid = false, max_uri = None, max_total = None,
    max_text = 0, facts = false, places = true, xml = false
))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python call")]
pub fn links<'py>(
    py: Python<'py>,
    page: &Bound<'py, PyAny>,
    uri: Option<UriText<'_>>,
    charset: Option<&str>,
    media_type: Option<&str>,
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
) -> PyResult<Bound<'py, PyList>> {
    let pages = Pages::new(
        rules,
        kinds,
        fetchable,
        lazy,
        items,
        robots,
        legacy_queries,
        report_invalid,
        max_uri,
        max_total,
        max_text,
        facts,
        places,
        xml,
    )?;
    pages.links(py, page, uri, charset, media_type)
}

/// Return the title of a page: the text of its first title element that is HTML, with runs of white space as one space, and at most its
/// first 1 KiB. None without one, or if it is empty.
///
/// page is bytes or str, and charset the label of the character encoding if an HTTP field has one. Other threads run meanwhile. Beside the
/// links, Pages(facts=True) gives the title without a second reading.
///
/// >>> title(b"<title>Cats &amp; dogs</title><p>no link")
/// 'Cats & dogs'
/// >>> title("<svg><title>A drawing</title></svg>") is None
/// True
#[pyfunction]
#[pyo3(signature = (page, charset = None))]
pub fn title(py: Python<'_>, page: &Bound<'_, PyAny>, charset: Option<&str>) -> PyResult<Option<String>> {
    let (page, charset) = Page::labeled(page, charset)?;
    in_background_if(py, page.bytes().len() > MAX_UNWATCHED_LEN, move || {
        let Some(charset) = charset else { return html::title(page.bytes()) };
        let text = charset.decode(page.bytes()).0;
        // After a byte order mark, nothing that the page declares counts.
        html::title(["\u{feff}", text.trim_start_matches('\u{feff}')].concat())
    })
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
    uri: UriText<'_>,
    charset: Option<&str>,
    rules: &str,
) -> PyResult<Bound<'py, PyList>> {
    let ((sheet, charset), rules) = (Page::labeled(sheet, charset)?, rule_set(rules)?);
    let base = given(py, &uri, rules)?;
    let (arena, done) = in_background_if(py, sheet.bytes().len() > MAX_UNWATCHED_LEN, move || {
        let (mut arena, mut done) = (Arena::default(), Ok(()));
        let find = |links: &mut LinkReceiver<'_>| {
            done = relref_links::css::each_link(sheet.bytes(), charset, |link| links.add(link));
        };
        let _ = html::Pages::new().found_links(&base, find, |link| {
            arena.push(&link);
            ControlFlow::<()>::Continue(())
        });
        (arena, done)
    })?;
    done.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Pages::with(rules, Options::default(), false).list(py, &arena)
}

/// Return the links of a field of an HTTP head as a list: those of Link, Location, Content-Location and Refresh. uri is that of the response.
///
/// The element is "http", the attribute the name of the field in lower case, and rel has the relation types. What cannot be read is left
/// out.
///
/// >>> value = '<?page=2>; rel="next", <?page=9>; rel="last"'
/// >>> {link.rel: link.uri for link in field_links("Link", value, "https://example.com/issues")}
/// {'next': 'https://example.com/issues?page=2', 'last': 'https://example.com/issues?page=9'}
#[pyfunction]
#[pyo3(signature = (name, value, uri, *, rules = "whatwg"))]
pub fn field_links<'py>(
    py: Python<'py>,
    name: &str,
    value: &Bound<'py, PyAny>,
    uri: UriText<'_>,
    rules: &str,
) -> PyResult<Bound<'py, PyList>> {
    let (value, rules) = (Page::new(value)?, rule_set(rules)?);
    let base = given(py, &uri, rules)?;
    let mut arena = Arena::default();
    let find = |links: &mut LinkReceiver<'_>| {
        // The links that can be read are there.
        let _ = html::each_field_link(name, value.bytes(), |link| links.add(link));
    };
    let max_total = MAX_URIS_LEN.saturating_add(uris_len(value.bytes().len()));
    let _ = html::Pages::with(Options { max_total, ..Options::default() }).found_links(&base, find, |link| {
        arena.push(&link);
        ControlFlow::<()>::Continue(())
    });
    Pages::with(rules, Options::default(), false).list(py, &arena)
}
