//! `RobotsTxt`: the rules of a robots.txt.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use relref::crawl;

use crate::named_tuples::ROBOTS_RULE;
use crate::text::hash;
use crate::uri_text::UriText;

/// The rules of a robots.txt, by RFC 9309.
///
/// text is str or bytes. Of a longer text, the first 500 KiB are read; ignored_len is the number of bytes that are not.
///
/// user_agent is the name that a crawler has in robots.txt (its product token), such as "ExampleBot"; a version after a slash does not
/// matter. Its rules are those of all groups that name it, or its start before a hyphen, or else "*". The longest pattern that
/// matches decides, of equally long ones one that allows. url is a URL, or a path with its query. It need not be normalized: escapes are
/// compared as RFC 9309 says. Time is linear in the length of the URL for each rule. Objects are immutable and picklable, and
/// threads may share them.
///
/// >>> robots = RobotsTxt("User-agent: *\nDisallow: /private/\nAllow: /private/press/\nCrawl-delay: 2\nSitemap: /map.xml")
/// >>> robots.can_fetch("ExampleBot", "https://example.com/private/a.html")
/// False
/// >>> robots.can_fetch("ExampleBot", "https://example.com/private/press/")
/// True
/// >>> robots.crawl_delay("ExampleBot"), robots.sitemaps, robots.ignored_len
/// (2.0, ['/map.xml'], 0)
#[pyclass(frozen, module = "relref")]
pub struct RobotsTxt {
    inner: crawl::RobotsTxt,
    pub text: Vec<u8>,
}

#[pymethods]
impl RobotsTxt {
    #[new]
    fn new(text: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = text.cast::<PyString>() {
            return Ok(RobotsTxt::of(text.to_str()?.as_bytes()));
        }
        let bytes = text.cast::<PyBytes>().map_err(|_| PyTypeError::new_err("text: expected str or bytes"))?;
        Ok(RobotsTxt::of(bytes.as_bytes()))
    }

    /// Report whether a crawler may fetch a URL.
    ///
    /// >>> RobotsTxt(b"User-agent: ExampleBot\nDisallow: /*.pdf$").can_fetch("ExampleBot/1.0", "https://example.com/a.pdf")
    /// False
    fn can_fetch(&self, user_agent: &str, url: UriText<'_>) -> PyResult<bool> {
        Ok(self.inner.allows(checked(user_agent, "second")?, &*url))
    }

    /// Report whether a crawler may fetch a URL: can_fetch with the URL first, as in Scope.allows. By default, the rules for all crawlers count.
    ///
    /// >>> RobotsTxt("User-agent: *\nDisallow: /*.pdf$").allows("https://example.com/a.pdf")
    /// False
    #[pyo3(signature = (url, user_agent = "*"))]
    fn allows(&self, url: UriText<'_>, user_agent: &str) -> PyResult<bool> {
        Ok(self.inner.allows(checked(user_agent, "first")?, &*url))
    }

    /// Return the RobotsRule that decides about a URL: the number of its line, its pattern, and True if it allows. None if no rule
    /// matches, which allows the URL.
    ///
    /// >>> RobotsTxt("User-agent: *\nDisallow: /café").rule("ExampleBot", "https://example.com/caf%c3%a9?a")
    /// RobotsRule(line=2, allows=False, pattern='/caf%C3%A9')
    fn rule<'py>(&self, py: Python<'py>, user_agent: &str, url: UriText<'_>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let rule = self.inner.rule(checked(user_agent, "second")?, &*url);
        rule.map(|rule| ROBOTS_RULE.make(py, (rule.line, rule.allows, rule.pattern))).transpose()
    }

    /// Return the seconds between two requests for which the site asks, or None. RFC 9309 does not have them.
    fn crawl_delay(&self, user_agent: &str) -> PyResult<Option<f64>> {
        Ok(self.inner.crawl_delay(checked(user_agent, "second")?).map(|delay| delay.as_secs_f64()))
    }

    /// The references of the Sitemap lines, as a list of strings.
    #[getter]
    fn sitemaps(&self) -> Vec<&str> {
        self.inner.sitemaps().collect()
    }

    /// The number of bytes at the end of the text that are not read, 0 for a text of up to 500 KiB.
    #[getter]
    fn ignored_len(&self) -> usize {
        self.inner.ignored_len()
    }

    fn __repr__(&self) -> String {
        format!("<RobotsTxt of {} bytes>", self.text.len())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.text == other.text
    }

    fn __hash__(&self) -> u64 {
        hash(&self.text)
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>,) {
        (PyBytes::new(py, &self.text),)
    }
}

impl RobotsTxt {
    pub fn of(text: &[u8]) -> Self {
        RobotsTxt { inner: crawl::RobotsTxt::parse(text), text: text.to_vec() }
    }
}

/// Protego has the arguments in the other order than `can_fetch`. `place` is that of the URL among the arguments.
fn checked<'a>(user_agent: &'a str, place: &str) -> PyResult<&'a str> {
    let start = user_agent.split(' ').next().unwrap_or_default();
    if start.starts_with('/') || start.contains("://") {
        let why =
            format!("user_agent: expected the name of a crawler, found {start:?}: the URL is the {place} argument");
        return Err(PyValueError::new_err(why));
    }
    Ok(user_agent)
}
