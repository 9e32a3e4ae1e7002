//! `ChunkedPage`: a page that comes in chunks.

use encoding_rs::Encoding;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use relref::AnyBase;
use relref_links::html::{self, Link};

use crate::arena::Arena;
use crate::pages::{MAX_URIS_LEN, Page, Pages, uris_len};
use crate::signals::Signals;

/// The bytes that are read between two looks for signals.
const PIECE_LEN: usize = 1 << 20;

/// A page that comes in chunks, from Pages.start, such as the body of a response that an asynchronous program reads.
///
/// feed(chunk) takes the next bytes, or str, and returns the list of the links that are settled; finish() returns the others. In a
/// `with` statement, the page ends with it, and what is not finished is dropped. The links are those of Pages.links, with two differences.
/// A page waits in memory until its head ends and 1,024 bytes follow, for at most 8 MiB: what is stated after that about
/// the whole page (a base, a character encoding, a rule for robots) counts only before the first link, else finish() warns. And the page is
/// HTML, or with xml of Pages XML. So memory does not grow with the page. Not for several threads at once: RuntimeError.
///
/// >>> with Pages().start("http://example.com/") as page:
/// ...     links = page.feed(b"<base href=/docs/><a hr") + page.feed(b"ef=intro>") + page.finish()
/// >>> [link.uri for link in links]
/// ['http://example.com/docs/intro']
#[pyclass(module = "relref")]
pub struct ChunkedPage {
    pages: Py<Pages>,
    base: AnyBase,
    charset: Option<&'static Encoding>,
    /// `None` after the end.
    reader: Option<html::Pages>,
    is_started: bool,
    /// The bytes that the URIs in lists may still have.
    remaining: u64,
}

impl ChunkedPage {
    pub fn new(pages: Py<Pages>, reader: html::Pages, base: AnyBase, charset: Option<&'static Encoding>) -> Self {
        ChunkedPage { pages, base, charset, reader: Some(reader), is_started: false, remaining: MAX_URIS_LEN }
    }

    fn reader(&mut self) -> PyResult<html::Pages> {
        self.reader.take().ok_or_else(|| PyValueError::new_err("the page has ended"))
    }
}

#[pymethods]
impl ChunkedPage {
    /// Take the next bytes of the page, or str, and return the list of the links that are settled.
    fn feed<'py>(&mut self, py: Python<'py>, chunk: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let (chunk, charset) = Page::labeled(chunk, self.charset.map(Encoding::name))?;
        if self.is_started && charset != self.charset {
            return Err(PyValueError::new_err("chunk: expected bytes, as before, and not str"));
        }
        let mut reader = self.reader()?;
        if !self.is_started {
            (self.charset, self.is_started) = (charset, true);
            let _ = reader.start(&self.base).charset(charset);
        }
        self.remaining = self.remaining.saturating_add(uris_len(chunk.bytes().len()));
        let (mut arena, mut signals) = (Arena::default(), Signals::new());
        let pages = self.pages.get();
        for piece in chunk.bytes().chunks(PIECE_LEN) {
            py.detach(|| {
                reader.resume(&self.base).push(piece, |link| keep(pages, &mut arena, &mut self.remaining, &link))
            });
            signals.check()?;
        }
        self.reader = Some(reader);
        pages.list(py, &arena)
    }

    /// End the page, and return the list of the other links. A damaged page gives a warning.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut reader = self.reader()?;
        let (mut arena, pages) = (Arena::default(), self.pages.get());
        let page = if self.is_started { reader.resume(&self.base) } else { reader.start(&self.base) };
        let done = py.detach(|| page.finish(|link| keep(pages, &mut arena, &mut self.remaining, &link)));
        pages.give_back(reader);
        pages.found(py, &arena, done)
    }

    fn __enter__(page: Py<Self>) -> Py<Self> {
        page
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&mut self, _error: &Bound<'_, PyTuple>) {
        self.reader = None;
    }
}

/// Leaves out a link if the lists would be too long.
fn keep(pages: &Pages, arena: &mut Arena, remaining: &mut u64, link: &Link<'_>) {
    match remaining.checked_sub(link.uri.len() as u64) {
        Some(rest) => {
            *remaining = rest;
            arena.push(link);
        }
        None => pages.leave_out(),
    }
}
