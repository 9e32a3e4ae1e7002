//! `make_links_absolute` and `rewrite_links`: pages with other references.

use encoding_rs::Encoding;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use relref_links::html::{Link, Options};
use relref_links::rewrite::{Choose, Mapping, Mode, Rewriter};

use crate::base::given;
use crate::options;
use crate::pages::Page;
use crate::rule_set::rule_set;

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
    let (page, charset, rules) = (Page::new(page)?, options::charset(charset)?, rule_set(rules)?);
    let base = given(py, base, rules)?;
    let new = py.detach(|| {
        let options = Options { lazy, ..Options::default() };
        rewritten(&mut Rewriter::with(options, Mapping::new(Mode::Absolute)), &page, charset, &base)
    });
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
    let (page, charset, rules) = (Page::new(page)?, options::charset(charset)?, rule_set(rules)?);
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
    let new = rewritten(&mut Rewriter::with(Options { lazy, ..Options::default() }, choose), &page, charset, &base);
    failure.map_or_else(|| result(py, &page, new), Err)
}

fn rewritten<C: Choose>(
    rewriter: &mut Rewriter<'_, C>,
    page: &Page,
    charset: Option<&'static Encoding>,
    base: &relref::AnyBase,
) -> Vec<u8> {
    let (bytes, charset) = page.bytes(charset);
    rewriter.html(bytes, charset, base).into_owned()
}

fn result<'py>(py: Python<'py>, page: &Page, new: Vec<u8>) -> PyResult<Bound<'py, PyAny>> {
    match page {
        Page::Bytes(_) => Ok(PyBytes::new(py, &new).into_any()),
        Page::Text(_) => Ok(PyString::new(py, &String::from_utf8(new)?).into_any()),
    }
}
