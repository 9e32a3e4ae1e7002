//! `Scope`: the links that a crawl fetches.

use std::collections::BTreeMap;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};
use relref::crawl;

use crate::robots::RobotsTxt;
use crate::text::{hash, names_or_none};
use crate::uri_text::{OwnedUriText, UriText};

/// The scope of a crawl: the links that it fetches, and the reasons why it does not fetch others.
///
/// A URI is out of scope if it cannot be fetched (its scheme is not in schemes, it has no host, or its host or port cannot exist),
/// or is beyond the limits. schemes are http, https, ftp and file by default. same_host: only the host of the page. same_domain:
/// only its domain, by the list of public suffixes. include and exclude are regular expressions, which may match anywhere in a URI.
/// If include is given, one of them must match; none of exclude may match. Their syntax is the one of Rust's crate regex, which
/// takes linear time. robots is a dict of sites and their RobotsTxt: on a site (the scheme, host and port of a URL), what it disallows for
/// user_agent is out of scope. within is a URL, or a list of them: only they and what is below them is in scope, so "http://h/a" lets in
/// "http://h/a/b" and "http://h/a?b", and not "http://h/ab". max_len is the most bytes of a URI, max_depth the most segments of its
/// path, which is not the number of links from the start, and max_repeats says how often a segment may come in it. Scopes are immutable
/// and picklable, and threads may share them.
///
/// >>> scope = Scope(same_domain=True, exclude=[r"\.pdf$"])
/// >>> scope.allows("http://docs.example.co.uk/a", "http://www.example.co.uk/")
/// True
/// >>> scope.reason("http://docs.example.co.uk/a.pdf", "http://www.example.co.uk/")
/// 'excluded'
/// >>> Scope(within="http://example.com/docs/", max_depth=4).reason("http://example.com/docs/../shop")
/// 'outside'
#[pyclass(frozen, module = "relref")]
pub struct Scope {
    pub inner: crawl::Scope,
    settings: ScopeSettings,
}

#[derive(PartialEq, Hash)]
struct ScopeSettings {
    schemes: Option<Vec<String>>,
    same_host: bool,
    same_domain: bool,
    include: Vec<String>,
    exclude: Vec<String>,
    /// Sites, and the texts of their files.
    robots: BTreeMap<String, Vec<u8>>,
    user_agent: String,
    within: Vec<String>,
    max_len: Option<usize>,
    max_depth: Option<usize>,
    max_repeats: Option<usize>,
}

impl ScopeSettings {
    fn scope(&self) -> PyResult<crawl::Scope> {
        let mut scope = crawl::Scope::new();
        if let Some(schemes) = &self.schemes {
            scope = scope.schemes(schemes);
        }
        scope = match (self.same_host, self.same_domain) {
            (false, false) => scope,
            (true, false) => scope.same_host(),
            (false, true) => scope.same_domain(),
            (true, true) => return Err(PyValueError::new_err("same_host, same_domain: expected one of them")),
        };
        if !self.include.is_empty() {
            scope = scope.include(&self.include).map_err(|error| PyValueError::new_err(format!("include: {error}")))?;
        }
        if !self.exclude.is_empty() {
            scope = scope.exclude(&self.exclude).map_err(|error| PyValueError::new_err(format!("exclude: {error}")))?;
        }
        for (site, text) in &self.robots {
            let robots = crawl::RobotsTxt::parse(text).for_agent(&self.user_agent);
            scope =
                scope.robots(site, robots).map_err(|why| PyValueError::new_err(format!("robots: {site:?}: {why}")))?;
        }
        for url in &self.within {
            scope = scope.within(url).map_err(|why| PyValueError::new_err(format!("within: {url:?}: {why}")))?;
        }
        let most = |limit: Option<usize>| limit.unwrap_or(usize::MAX);
        Ok(scope.max_len(most(self.max_len)).max_depth(most(self.max_depth)).max_repeats(most(self.max_repeats)))
    }
}

#[pymethods]
impl Scope {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they have names")]
    #[pyo3(signature = (*, schemes = None, same_host = false, same_domain = false, include = None, exclude = None,
        robots = None, user_agent = "*", within = None, max_len = None, max_depth = None, max_repeats = None))]
    fn new(
        #[pyo3(from_py_with = names_or_none)] schemes: Option<Vec<String>>,
        same_host: bool,
        same_domain: bool,
        #[pyo3(from_py_with = names_or_none)] include: Option<Vec<String>>,
        #[pyo3(from_py_with = names_or_none)] exclude: Option<Vec<String>>,
        robots: Option<BTreeMap<OwnedUriText, Py<RobotsTxt>>>,
        user_agent: &str,
        #[pyo3(from_py_with = one_or_more)] within: Option<Vec<String>>,
        max_len: Option<usize>,
        max_depth: Option<usize>,
        max_repeats: Option<usize>,
    ) -> PyResult<Self> {
        let robots = robots
            .unwrap_or_default()
            .into_iter()
            .map(|(site, robots)| (site.0.to_string(), robots.get().text.clone()))
            .collect();
        let user_agent = user_agent.to_owned();
        let settings = ScopeSettings {
            schemes,
            same_host,
            same_domain,
            include: include.unwrap_or_default(),
            exclude: exclude.unwrap_or_default(),
            robots,
            user_agent,
            within: within.unwrap_or_default(),
            max_len,
            max_depth,
            max_repeats,
        };
        Ok(Scope { inner: settings.scope()?, settings })
    }

    /// Report whether a URI found in a page is in scope. page is the URI of the page; only same_host and same_domain need it; without it,
    /// files are in scope.
    ///
    /// >>> Scope().allows("mailto:me@example.com")
    /// False
    #[pyo3(signature = (uri, page = None))]
    fn allows(&self, uri: UriText<'_>, page: Option<UriText<'_>>) -> PyResult<bool> {
        Ok(self.reason(uri, page)?.is_none())
    }

    /// Return the reason why a URI is out of scope, None if it is not. Reasons are "scheme", "no-host", "bad-host", "bad-port",
    /// "other-host", "other-domain", "outside" (not within), "too-long", "too-deep", "repeats", "not-included", "excluded" and "robots".
    ///
    /// >>> Scope(same_host=True).reason("http://example.org/", page="http://example.com/")
    /// 'other-host'
    #[pyo3(signature = (uri, page = None))]
    fn reason(&self, uri: UriText<'_>, page: Option<UriText<'_>>) -> PyResult<Option<&'static str>> {
        if page.is_none() && (self.settings.same_host || self.settings.same_domain) {
            return Err(PyTypeError::new_err(
                "page: expected the URI of the page, which same_host and same_domain need",
            ));
        }
        Ok(self.inner.check(&*uri, page.as_deref().unwrap_or_default()).err().map(|reason| reason.name()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut out = Vec::new();
        for (name, value) in self.arguments(py)? {
            // A limit of 0 is one.
            if value.is_truthy()? || value.is_exact_instance_of::<PyInt>() {
                out.push(format!("{name}={}", value.repr()?));
            }
        }
        Ok(format!("Scope({})", out.join(", ")))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.settings == other.settings
    }

    fn __hash__(&self) -> u64 {
        hash(&self.settings)
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        Ok(((), self.arguments(py)?))
    }
}

impl Scope {
    /// The arguments that make an equal scope.
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let ScopeSettings { schemes, same_host, same_domain, include, exclude, robots, user_agent, .. } =
            &self.settings;
        let arguments = PyDict::new(py);
        arguments.set_item("schemes", schemes)?;
        arguments.set_item("same_host", same_host)?;
        arguments.set_item("same_domain", same_domain)?;
        arguments.set_item("include", include)?;
        arguments.set_item("exclude", exclude)?;
        if !robots.is_empty() {
            let files = PyDict::new(py);
            for (site, text) in robots {
                files.set_item(site, Py::new(py, RobotsTxt::of(text))?)?;
            }
            arguments.set_item("robots", files)?;
            arguments.set_item("user_agent", user_agent)?;
        }
        arguments.set_item("within", &self.settings.within)?;
        arguments.set_item("max_len", self.settings.max_len)?;
        arguments.set_item("max_depth", self.settings.max_depth)?;
        arguments.set_item("max_repeats", self.settings.max_repeats)?;
        Ok(arguments)
    }
}

/// Takes a URL, a list of them, or None.
fn one_or_more(argument: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    if argument.is_none() {
        return Ok(None);
    }
    if UriText::is_one(argument)? {
        return Ok(Some(vec![argument.extract::<UriText<'_>>()?.to_string()]));
    }
    argument.try_iter()?.map(|url| Ok(url?.extract::<OwnedUriText>()?.0.to_string())).collect::<PyResult<_>>().map(Some)
}
