//! `rewrite`, `rewrite_links`, `make_links_absolute` and what `rewrite_folder` needs: pages with other references.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufWriter, Cursor, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use encoding_rs::Encoding;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use relref::percent::{ByteSet, encode_with};
use relref::{AnyBase, RuleSet};
use relref_links::check::FolderRenderers;
use relref_links::files::{FolderLock, HeldFolder, NewFile, is_new_file, remove_new_files};
use relref_links::html::{Link, Options};
use relref_links::page::PageKind;
use relref_links::rewrite::{ChangedSheets, Choose, Content, LeftReason, MapError, Mapping, Mode, Rewriter};

use crate::base::given;
use crate::link::LinkMaker;
use crate::normalizer::Normalizer;
use crate::options;
use crate::pages::{MAX_UNWATCHED_LEN, Page, kind_and_charset, warn_of_damage};
use crate::rule_set::rule_set;
use crate::signals::Watched;
use crate::text::names_or_none;
use crate::uri_text::{OwnedUriText, UriText};

/// Return a page whose references are absolute URIs, and of which no other byte changed. base is the URI of the page.
///
/// page is bytes or str, and so is the result. charset, and media_type, which is the field Content-Type, are as in Pages.links: style
/// sheets, Markdown, feeds, sitemaps, XHTML and SVG images are rewritten, too. What is of another kind stays as it is; ValueError for
/// compressed bytes. Left as they are: what has no host (javascript:, data:, mailto:), what is not a valid URL or a template, and srcdoc.
/// With lazy, also the references that only scripts read (data-src) are rewritten. A part of a page that cannot be read stays, with a
/// warning. Other threads run meanwhile.
///
/// >>> make_links_absolute('<a href=a?b&amp;c>x</a><img srcset="d, /e 2x">', "http://example.com/docs/")
/// '<a href=http://example.com/docs/a?b&amp;c>x</a><img srcset="http://example.com/docs/d, http://example.com/e 2x">'
/// >>> make_links_absolute("[a](b.md)", "http://example.com/README.md")
/// '[a](http://example.com/b.md)'
#[pyfunction]
#[pyo3(signature = (page, base, charset = None, *, media_type = None, rules = "whatwg", lazy = false))]
pub fn make_links_absolute<'py>(
    py: Python<'py>,
    page: &Bound<'py, PyAny>,
    base: UriText<'_>,
    charset: Option<&str>,
    media_type: Option<&str>,
    rules: &str,
    lazy: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new(page, &base, charset, media_type, rules)?;
    let mut rewriter = Rewriter::from(Mapping::new(Mode::Absolute)).options(Options { lazy, ..Options::default() });
    let new = py.detach(|| source.rewritten(&mut rewriter, &AtomicBool::new(false)))?;
    source.result(py, new)
}

/// Return a page whose references are what function returns for them, and of which no other byte changed. base is the URI of the
/// page.
///
/// function gets the absolute URI of a link, and returns the new reference, or None if the reference stays as it is written; that of
/// rewrite() gets the whole link. It is not called for what is not a valid URL, nor for srcdoc. A reference that cannot be written in its
/// place stays as it is. All else is as in make_links_absolute. The exceptions of function end the call.
///
/// >>> rewrite_links(b"<a href=/a>x</a> <p style='a:url(b)'>", lambda uri: uri.replace("http:", "https:"), "http://example.com/")
/// b"<a href=https://example.com/a>x</a> <p style='a:url(https://example.com/b)'>"
/// >>> rewrite_links("a { background: url(b.png) }", lambda uri: uri + "?1", "http://example.com/a.css")
/// 'a { background: url(http://example.com/b.png?1) }'
#[pyfunction]
#[pyo3(signature = (page, function, base, charset = None, *, media_type = None, rules = "whatwg", lazy = false))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python call")]
pub fn rewrite_links<'py>(
    py: Python<'py>,
    page: &Bound<'py, PyAny>,
    function: &Bound<'py, PyAny>,
    base: UriText<'_>,
    charset: Option<&str>,
    media_type: Option<&str>,
    rules: &str,
    lazy: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new(page, &base, charset, media_type, rules)?;
    source.rewritten_by(py, lazy, |link| new_reference(function.call1((link.uri,))?))
}

/// Return a page whose references are what function returns for its links, and of which no other byte changed. base is the URI of the
/// page.
///
/// function gets a Link, without its text and place, and returns the new reference, or None if the reference stays as it is written.
/// With kinds, it is called only for links of these kinds. All else is as in rewrite_links.
///
/// >>> page = "<a href=a.png>a</a> <img src=a.png>"
/// >>> rewrite(page, lambda link: "b.png" if link.element == "img" else None, "http://example.com/")
/// '<a href=a.png>a</a> <img src=b.png>'
/// >>> rewrite("[a](b.md#c)", lambda link: link.reference.replace(".md", ".html"), "http://example.com/README.md")
/// '[a](b.html#c)'
#[pyfunction]
#[pyo3(signature = (
    page, function, base, charset = None, *, media_type = None, kinds = None, rules = "whatwg", lazy = false
))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of a Python call")]
pub fn rewrite<'py>(
    py: Python<'py>,
    page: &Bound<'py, PyAny>,
    function: &Bound<'py, PyAny>,
    base: UriText<'_>,
    charset: Option<&str>,
    media_type: Option<&str>,
    #[pyo3(from_py_with = names_or_none)] kinds: Option<Vec<String>>,
    rules: &str,
    lazy: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let source = Source::new(page, &base, charset, media_type, rules)?;
    let (kinds, maker, no_title) = (options::kinds(kinds)?, LinkMaker::new(py)?, PyString::intern(py, ""));
    source.rewritten_by(py, lazy, |link| {
        if !kinds.is_empty() && !kinds.contains(&link.kind) {
            return Ok(None);
        }
        new_reference(function.call1((maker.make(link, &no_title, false)?,))?)
    })
}

/// Takes a `str`, a `Url` or None.
fn new_reference(object: Bound<'_, PyAny>) -> PyResult<Option<String>> {
    Ok(object.extract::<Option<UriText<'_>>>()?.map(|text| text.to_string()))
}

/// What is rewritten.
struct Source {
    page: Page,
    charset: Option<&'static Encoding>,
    content: Content,
    base: AnyBase,
}

impl Source {
    fn new(
        page: &Bound<'_, PyAny>,
        uri: &str,
        charset: Option<&str>,
        media_type: Option<&str>,
        rules: &str,
    ) -> PyResult<Self> {
        let base = given(page.py(), uri, rule_set(rules)?)?;
        let (page, charset) = Page::labeled(page, charset)?;
        let (kind, label) = kind_and_charset(page.bytes(), uri, media_type);
        let content = match kind {
            PageKind::Html => Content::Html,
            PageKind::Xml => Content::Xml,
            PageKind::Css => Content::Css,
            PageKind::Markdown => Content::Markdown,
            PageKind::Mdx => Content::Mdx,
            PageKind::Feed => Content::Feed,
            PageKind::Unknown => return Err(PyValueError::new_err("page: its bytes are compressed: decompress them")),
            _ => Content::Other,
        };
        Ok(Source { page, charset: charset.or(label), content, base })
    }

    fn rewritten_by<'py>(
        &self,
        py: Python<'py>,
        lazy: bool,
        mut new: impl FnMut(&Link<'_>) -> PyResult<Option<String>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (mut failure, is_over) = (None, AtomicBool::new(false));
        let choose = |link: &Link<'_>| match failure {
            Some(_) => None,
            None => new(link).unwrap_or_else(|error| {
                failure = Some(error);
                is_over.store(true, Ordering::Relaxed);
                None
            }),
        };
        let mut rewriter = Rewriter::from(choose).options(Options { lazy, ..Options::default() });
        let new = self.rewritten(&mut rewriter, &is_over);
        failure.map_or_else(|| self.result(py, new?), Err)
    }

    /// Returns the new bytes, and what could not be read. Fails only with the exception of a signal. Of a long page, the rest is not read once
    /// `is_over` is true.
    fn rewritten<C: Choose>(
        &self,
        rewriter: &mut Rewriter<'_, C>,
        is_over: &AtomicBool,
    ) -> PyResult<(Vec<u8>, io::Result<()>)> {
        let bytes = self.page.bytes();
        if self.content == Content::Html && bytes.len() <= MAX_UNWATCHED_LEN {
            return Ok((rewriter.html(bytes, self.charset, &self.base).into_owned(), Ok(())));
        }
        let (watched, mut new) = (Watched::new(Cursor::new(bytes)), Vec::with_capacity(bytes.len() + bytes.len() / 4));
        let raised = watched.raised();
        let watched = Until { reader: watched, is_over };
        let done = if self.content == Content::Html {
            // Its errors tell of tags that are too long, as nothing does for shorter pages.
            let _ = rewriter.html_from_file(watched, self.charset, &self.base, &mut new);
            Ok(())
        } else {
            rewriter.file(self.content, watched, self.charset, &self.base, &mut new)
        };
        raised.get().map_or(Ok((new, done)), |error| Err(Python::attach(|py| error.clone_ref(py))))
    }

    /// Returns an object of the type of the page, after a warning of damage.
    fn result<'py>(&self, py: Python<'py>, (new, done): (Vec<u8>, io::Result<()>)) -> PyResult<Bound<'py, PyAny>> {
        warn_of_damage(py, done)?;
        match self.page {
            Page::Bytes(_) => Ok(PyBytes::new(py, &new).into_any()),
            Page::Text(_) => Ok(PyString::new(py, &String::from_utf8(new)?).into_any()),
        }
    }
}

/// A reader that fails once `is_over` is true.
struct Until<'a, R> {
    reader: R,
    is_over: &'a AtomicBool,
}

impl<R: Read> Read for Until<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.is_over.load(Ordering::Relaxed) {
            return Err(io::Error::other("it is over"));
        }
        self.reader.read(into)
    }
}

impl<R: Seek> Seek for Until<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.reader.seek(to)
    }
}

/// Rewrites the files of a folder, one by one. base is the URI of the folder.
#[pyclass(frozen, module = "relref")]
pub struct _FileRewriter {
    rewriter: Mutex<Rewriter<'static, Mapping>>,
    base: String,
    rules: RuleSet,
    sheets: Arc<ChangedSheets>,
    renderers: Mutex<FolderRenderers>,
    /// The folder that is written.
    folder_lock: Mutex<Option<FolderLock>>,
}

#[pymethods]
impl _FileRewriter {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of rewrite_folder")]
    fn new(
        py: Python<'_>,
        folder: PathBuf,
        base: UriText<'_>,
        to: &str,
        map: Vec<(OwnedUriText, OwnedUriText)>,
        normalize: Option<&Bound<'_, Normalizer>>,
        rules: &str,
        keep_fragments: bool,
        lazy: bool,
    ) -> PyResult<Self> {
        let rules = rule_set(rules)?;
        given(py, &base, rules)?;
        let mode = match to {
            "absolute" => Mode::Absolute,
            "relative" => Mode::Relative,
            "rooted" | "root" => Mode::Rooted,
            "as-written" => Mode::AsWritten,
            other => {
                let names = "\"absolute\", \"relative\", \"rooted\" or \"as-written\"";
                let why = format!("to: expected {names}, not {other:?}");
                return Err(PyValueError::new_err(why));
            }
        };
        let normalizer = normalize.map(|normalizer| normalizer.get().inner.clone());
        let mapping = || {
            let mapping = Mapping::new(mode).keep_fragments(keep_fragments).normalize(normalizer.clone());
            map.iter().try_fold(mapping, |mapping, (old, new)| mapping.map(&*old.0, &*new.0))
        };
        let invalid = |error: MapError| PyValueError::new_err(error.to_string());
        let renderers = Mutex::new(FolderRenderers::new(&folder));
        let sheets = Arc::new(ChangedSheets::new(folder, &base, rules, mapping().map_err(invalid)?));
        let asked = Arc::clone(&sheets);
        let mapping = mapping().map_err(invalid)?.drop_integrity(move |uri| asked.changes(uri));
        let rewriter = Mutex::new(Rewriter::from(mapping).options(Options { lazy, ..Options::default() }));
        let folder = base.split(['?', '#']).next().unwrap_or(&base);
        let slash = if folder.ends_with('/') { "" } else { "/" };
        let base = format!("{folder}{slash}");
        Ok(_FileRewriter { rewriter, base, rules, sheets, renderers, folder_lock: Mutex::default() })
    }

    /// Keeps other programs from changing files in a folder until this object is gone.
    fn lock_folder(&self, folder: PathBuf) -> PyResult<()> {
        let held = HeldFolder::open(&folder)?.lock()?;
        *self.folder_lock.lock().unwrap_or_else(PoisonError::into_inner) = Some(held);
        Ok(())
    }

    /// Removes what runs that were killed have left.
    #[staticmethod]
    fn remove_new_files(folder: PathBuf) -> PyResult<()> {
        remove_new_files(&HeldFolder::open(&folder)?)?;
        Ok(())
    }

    #[staticmethod]
    fn is_new_file(name: OsString) -> bool {
        is_new_file(&name)
    }

    /// Copies what is no page.
    #[staticmethod]
    fn copy(py: Python<'_>, path: PathBuf, target: PathBuf) -> PyResult<()> {
        // A copy has the permissions of any new file: it has another owner, and must not run as this one.
        let done = py.detach(|| -> io::Result<()> {
            let new = NewFile::beside(&target, None)?;
            io::copy(&mut File::open(&path)?, &mut new.as_file())?;
            Ok(new.finish_without_sync()?)
        });
        Ok(done?)
    }

    /// place is the path from the folder.
    fn content(&self, py: Python<'_>, path: PathBuf, place: PathBuf) -> PyResult<&'static str> {
        let content = py.detach(|| self.content_of(File::open(&path)?, &path, &place))?;
        Ok(match content {
            Content::Html | Content::Xml => "html",
            Content::Css => "css",
            Content::Markdown | Content::Mdx => "markdown",
            Content::Feed => "feed",
            Content::Compressed => "compressed",
            _ => "other",
        })
    }

    /// Writes the rewritten file to target; without one, replaces the file if it changes. Returns whether it has changed, and what could not
    /// be read.
    fn rewrite(
        &self,
        py: Python<'_>,
        path: PathBuf,
        place: PathBuf,
        target: Option<PathBuf>,
    ) -> PyResult<(bool, Option<String>)> {
        let done = py.detach(|| -> io::Result<_> {
            let mut rewriter = self.lock();
            let uri = self.uri(&place);
            let base = AnyBase::new(&uri, self.rules).map_err(io::Error::other)?;
            let before = rewriter.totals.edits();
            let mut file = File::open(&path)?;
            let content = self.content_of(&mut file, &path, &place)?;
            let done = match target {
                Some(target) => {
                    let new = NewFile::beside(&target, None)?;
                    let mut out = BufWriter::with_capacity(1 << 16, new.as_file());
                    let done = rewriter.file(content, file, None, &base, &mut out);
                    out.flush()?;
                    drop(out);
                    if done.as_ref().map_or_else(|error| error.kind() == ErrorKind::InvalidData, |()| true) {
                        new.finish_without_sync()?;
                    }
                    done
                }
                None => {
                    drop(file);
                    rewriter.replace(&path, content, None, &base).map(|_| ())
                }
            };
            let is_changed = rewriter.totals.edits() > before;
            if is_changed && content == Content::Css {
                self.sheets.add_changed(&path);
            }
            Ok((is_changed, done))
        });
        match done? {
            (is_changed, Err(error)) if error.kind() == ErrorKind::InvalidData => {
                Ok((is_changed, Some(error.to_string())))
            }
            (_, Err(error)) => Err(error.into()),
            (is_changed, Ok(())) => Ok((is_changed, None)),
        }
    }

    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (totals, left) = (self.lock().totals, PyDict::new(py));
        for why in LeftReason::ALL.iter().copied().filter(|why| totals.left(*why) > 0) {
            left.set_item(why.name(), totals.left(why))?;
        }
        let all = PyDict::new(py);
        all.set_item("rewritten", totals.rewritten)?;
        all.set_item("kept", totals.kept)?;
        all.set_item("left", left)?;
        all.set_item("integrity", totals.integrity)?;
        Ok(all)
    }
}

impl _FileRewriter {
    fn lock(&self) -> MutexGuard<'_, Rewriter<'static, Mapping>> {
        self.rewriter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn content_of(&self, file: impl Read + Seek, path: &Path, place: &Path) -> io::Result<Content> {
        let mut renderers = self.renderers.lock().unwrap_or_else(PoisonError::into_inner);
        renderers.content(file, path, &self.uri(place), false)
    }

    fn uri(&self, place: &Path) -> String {
        let path = encode_with(place.as_os_str().as_encoded_bytes(), ByteSet::PATH).to_string();
        self.base.clone() + &if cfg!(windows) { path.replace("%5C", "/") } else { path }
    }
}
