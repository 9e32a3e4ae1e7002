//! `make_links_absolute`, `rewrite_links` and what `rewrite_folder` needs: pages with other references.

use std::fs::File;
use std::io::{self, BufWriter, Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use encoding_rs::Encoding;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use relref::percent::{ByteSet, encode_with};
use relref::{AnyBase, RuleSet};
use relref_links::html::{Link, Options};
use relref_links::rewrite::{Choose, Content, LeftReason, Mapping, Mode, Rewriter};

use crate::base::given;
use crate::normalizer::Normalizer;
use crate::pages::{MAX_UNWATCHED_LEN, Page};
use crate::rule_set::rule_set;
use crate::signals::Watched;

/// Return a page whose references are absolute URIs, and of which no other byte changed. base is the URI of the page.
///
/// page is bytes or str, and so is the result. charset is the label of its character encoding if an HTTP field has one. Left as they
/// are: what has no host (javascript:, data:, mailto:), what is no valid URL or a template, and srcdoc. With lazy, also the references
/// that only scripts read (data-src) are rewritten. Other threads run meanwhile.
///
/// >>> make_links_absolute('<a href=a?b&amp;c>x</a><img srcset="d, /e 2x">', "http://example.com/docs/")
/// '<a href=http://example.com/docs/a?b&amp;c>x</a><img srcset="http://example.com/docs/d, http://example.com/e 2x">'
#[pyfunction]
#[pyo3(signature = (page, base, charset = None, *, rules = "whatwg", lazy = false))]
pub fn make_links_absolute<'py>(
    py: Python<'py>,
    page: &Bound<'py, PyAny>,
    base: &str,
    charset: Option<&str>,
    rules: &str,
    lazy: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let ((page, charset), rules) = (Page::labeled(page, charset)?, rule_set(rules)?);
    let base = given(py, base, rules)?;
    let new = py.detach(|| {
        let options = Options { lazy, ..Options::default() };
        rewritten(&mut Rewriter::from(Mapping::new(Mode::Absolute)).options(options), &page, charset, &base)
    })?;
    result(py, &page, new)
}

/// Return a page whose references are what function returns for them, and of which no other byte changed. base is the URI of the
/// page.
///
/// function gets the absolute URI of a link, and returns the new reference, or None if the reference stays as it is written. It is not
/// called for what is no valid URL, nor for srcdoc. A reference that cannot be written in its place stays as it is. page is bytes or
/// str, and so is the result. charset is the label of its character encoding if an HTTP field has one. With lazy, also the references
/// that only scripts read (data-src) count. The exceptions of function end the call.
///
/// >>> rewrite_links(b"<a href=/a>x</a> <p style='a:url(b)'>", lambda uri: uri.replace("http:", "https:"), "http://example.com/")
/// b"<a href=https://example.com/a>x</a> <p style='a:url(https://example.com/b)'>"
#[pyfunction]
#[pyo3(signature = (page, function, base, charset = None, *, rules = "whatwg", lazy = false))]
pub fn rewrite_links<'py>(
    py: Python<'py>,
    page: &Bound<'py, PyAny>,
    function: &Bound<'py, PyAny>,
    base: &str,
    charset: Option<&str>,
    rules: &str,
    lazy: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let ((page, charset), rules) = (Page::labeled(page, charset)?, rule_set(rules)?);
    let base = given(py, base, rules)?;
    let mut failure = None;
    let choose = |link: &Link<'_>| {
        if failure.is_some() || link.rejected.is_some() || !link.inner.is_empty() {
            return None;
        }
        let new = function.call1((link.uri,)).and_then(|new| new.extract::<Option<String>>());
        new.unwrap_or_else(|error| {
            failure = Some(error);
            None
        })
    };
    let new =
        rewritten(&mut Rewriter::from(choose).options(Options { lazy, ..Options::default() }), &page, charset, &base);
    failure.map_or_else(|| result(py, &page, new?), Err)
}

fn rewritten<C: Choose>(
    rewriter: &mut Rewriter<'_, C>,
    page: &Page,
    charset: Option<&'static Encoding>,
    base: &relref::AnyBase,
) -> PyResult<Vec<u8>> {
    let bytes = page.bytes();
    if bytes.len() <= MAX_UNWATCHED_LEN {
        return Ok(rewriter.html(bytes, charset, base).into_owned());
    }
    let (watched, mut new) = (Watched::new(Cursor::new(bytes)), Vec::with_capacity(bytes.len() + bytes.len() / 4));
    let raised = watched.raised();
    // Other errors tell of tags that are too long, as nothing does for shorter pages.
    let _ = rewriter.html_from_file(watched, charset, base, &mut new);
    raised.get().map_or(Ok(new), |error| Err(Python::attach(|py| error.clone_ref(py))))
}

fn result<'py>(py: Python<'py>, page: &Page, new: Vec<u8>) -> PyResult<Bound<'py, PyAny>> {
    match page {
        Page::Bytes(_) => Ok(PyBytes::new(py, &new).into_any()),
        Page::Text(_) => Ok(PyString::new(py, &String::from_utf8(new)?).into_any()),
    }
}

/// Rewrites the files of a folder, one by one. base is the URI of the folder.
#[pyclass(frozen, module = "relref")]
pub struct _FileRewriter {
    rewriter: Mutex<Rewriter<'static, Mapping>>,
    base: String,
    rules: RuleSet,
}

#[pymethods]
impl _FileRewriter {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of rewrite_folder")]
    fn new(
        py: Python<'_>,
        base: &str,
        to: &str,
        map: Vec<(String, String)>,
        normalize: Option<&Bound<'_, Normalizer>>,
        rules: &str,
        keep_fragments: bool,
        lazy: bool,
    ) -> PyResult<Self> {
        let rules = rule_set(rules)?;
        given(py, base, rules)?;
        let mode = match to {
            "absolute" => Mode::Absolute,
            "relative" => Mode::Relative,
            "root" => Mode::Rooted,
            other => return Err(PyValueError::new_err(format!("to is absolute, relative or root, not {other:?}"))),
        };
        let normalizer = normalize.map(|normalizer| normalizer.get().inner.clone());
        let mapping = Mapping::new(mode).keep_fragments(keep_fragments).normalize(normalizer);
        let mapping = map.iter().try_fold(mapping, |mapping, (old, new)| mapping.map(old, new));
        let mapping = mapping.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let rewriter = Mutex::new(Rewriter::from(mapping).options(Options { lazy, ..Options::default() }));
        let folder = base.split(['?', '#']).next().unwrap_or(base);
        let slash = if folder.ends_with('/') { "" } else { "/" };
        Ok(_FileRewriter { rewriter, base: format!("{folder}{slash}"), rules })
    }

    /// place is the path from the folder.
    fn content(&self, py: Python<'_>, path: PathBuf, place: PathBuf) -> PyResult<&'static str> {
        let content = py.detach(|| Content::of_file(File::open(&path)?, &path, &self.uri(&place), false))?;
        Ok(match content {
            Content::Html | Content::Xml => "html",
            Content::Css => "css",
            Content::Feed => "feed",
            Content::Compressed => "compressed",
            _ => "other",
        })
    }

    /// Writes to a file that is there. Returns true if it has other references, and what could not be read.
    fn rewrite(
        &self,
        py: Python<'_>,
        path: PathBuf,
        place: PathBuf,
        target: PathBuf,
    ) -> PyResult<(bool, Option<String>)> {
        let done = py.detach(|| -> io::Result<_> {
            let mut rewriter = self.lock();
            let uri = self.uri(&place);
            let base = AnyBase::new(&uri, self.rules).map_err(io::Error::other)?;
            let mut file = File::open(&path)?;
            let content = Content::of_file(&mut file, &path, &uri, false)?;
            let mut out = BufWriter::with_capacity(1 << 16, File::create(&target)?);
            let before = rewriter.totals.rewritten;
            let done = rewriter.file(content, file, None, &base, &mut out);
            out.flush()?;
            Ok((rewriter.totals.rewritten > before, done))
        });
        match done? {
            (changed, Err(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Ok((changed, Some(error.to_string())))
            }
            (_, Err(error)) => Err(error.into()),
            (changed, Ok(())) => Ok((changed, None)),
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
        Ok(all)
    }
}

impl _FileRewriter {
    fn lock(&self) -> MutexGuard<'_, Rewriter<'static, Mapping>> {
        self.rewriter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn uri(&self, place: &Path) -> String {
        let path = encode_with(place.as_os_str().as_encoded_bytes(), ByteSet::PATH).to_string();
        self.base.clone() + &if cfg!(windows) { path.replace("%5C", "/") } else { path }
    }
}
