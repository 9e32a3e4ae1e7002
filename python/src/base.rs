//! `Base`, `resolve` and `resolve_many`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use relref::whatwg;
use relref_links::html::PageBase;

use crate::error::{Error, of_engine, of_whatwg};
use crate::rule_set::RuleSet;
use crate::text::{hash, strings, written};

/// A base that is prepared by its rules.
pub enum Prepared<'a> {
    /// A base by browsers' rules.
    Whatwg(whatwg::Base<'a>),
    /// A base by a rule set of the engine. It owns its text, so that it has the lifetime of the other variant.
    Engine(relref::Base<String>),
    /// A base whose references are resolved within the innermost URI in it.
    Nested(Box<Nested>),
}

/// A URI that contains another one, which is a base.
pub struct Nested {
    /// The URI as given.
    uri: String,
    /// The number of bytes before the innermost URI.
    prefix_len: usize,
    innermost: Prepared<'static>,
}

impl Nested {
    fn prefix(&self) -> &str {
        &self.uri[..self.prefix_len]
    }
}

/// The reason why a base or a reference was refused.
pub enum Refused {
    Whatwg(whatwg::Error),
    Engine(relref::Error),
}

impl Refused {
    /// Returns the exception about a text that was refused.
    pub fn exception(&self, py: Python<'_>, text: &str) -> PyErr {
        match self {
            Refused::Whatwg(error) => of_whatwg(py, error, text),
            Refused::Engine(error) => of_engine(py, error, text),
        }
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refused::Whatwg(error) => error.fmt(f),
            Refused::Engine(error) => error.fmt(f),
        }
    }
}

impl<'a> Prepared<'a> {
    /// Prepares a base. Fails if the rules refuse it.
    pub fn new(uri: &'a str, rules: RuleSet) -> Result<Self, Refused> {
        match rules {
            RuleSet::Whatwg => whatwg::Base::new(uri).map(Prepared::Whatwg).map_err(Refused::Whatwg),
            RuleSet::Engine(rules) => {
                relref::Base::new(uri, rules).map(|base| Prepared::Engine(base.to_owned())).map_err(Refused::Engine)
            }
        }
    }

    /// Prepares a base that a caller in Python gave.
    ///
    /// # Errors
    /// `relref.Error`, if it is refused.
    pub fn given(py: Python<'_>, uri: &'a str, rules: RuleSet) -> PyResult<Self> {
        Prepared::new(uri, rules).map_err(|refused| refused.exception(py, uri))
    }

    /// Returns the same base with a text of its own.
    pub fn into_owned(self) -> Prepared<'static> {
        match self {
            Prepared::Whatwg(base) => Prepared::Whatwg(base.into_owned()),
            Prepared::Engine(base) => Prepared::Engine(base),
            Prepared::Nested(nested) => Prepared::Nested(nested),
        }
    }

    /// Returns the URI: by browsers' rules as serialized, otherwise and if it is nested as given.
    pub fn as_str(&self) -> &str {
        match self {
            Prepared::Whatwg(base) => base.as_str(),
            Prepared::Engine(base) => base.as_str(),
            Prepared::Nested(nested) => &nested.uri,
        }
    }

    /// Returns the base for the links of a page.
    pub fn page_base(&self) -> PageBase<'_> {
        match self {
            Prepared::Whatwg(base) => base.into(),
            Prepared::Engine(base) => base.into(),
            Prepared::Nested(nested) => nested.innermost.page_base(),
        }
    }

    fn rules(&self) -> RuleSet {
        match self {
            Prepared::Whatwg(_) => RuleSet::Whatwg,
            Prepared::Engine(base) => RuleSet::Engine(base.rules()),
            Prepared::Nested(nested) => nested.innermost.rules(),
        }
    }

    /// Appends the URI to which a reference resolves. Fails only by browsers' rules, which refuse some references.
    #[inline]
    pub fn resolve_into(&self, reference: &str, out: &mut String) -> Result<(), Refused> {
        match self {
            Prepared::Whatwg(base) => base.resolve_into(reference, out).map_err(Refused::Whatwg),
            Prepared::Engine(base) => {
                base.resolve_into(reference, out);
                Ok(())
            }
            Prepared::Nested(nested) => {
                let start = out.len();
                out.push_str(nested.prefix());
                nested.innermost.resolve_into(reference, out).inspect_err(|_| out.truncate(start))
            }
        }
    }

    /// Returns the shortest reference that resolves to a URI, or the URI. Returns `None` if the base is nested, and no reference
    /// resolves to the URI.
    fn relativize(&self, target: &str) -> Option<String> {
        match self {
            Prepared::Whatwg(base) => Some(base.relativize(target).into_owned()),
            Prepared::Engine(base) => Some(base.relativize(target).into_owned()),
            Prepared::Nested(nested) => {
                let reference = nested.innermost.relativize(target.strip_prefix(nested.prefix())?)?;
                let mut resolved = String::new();
                let is_resolved = self.resolve_into(&reference, &mut resolved).is_ok() && resolved == target;
                is_resolved.then_some(reference)
            }
        }
    }

    /// Returns the URI to which a reference resolves, as a Python string. Fails with `relref.Error` if the reference is refused.
    fn resolve<'py>(&self, py: Python<'py>, reference: &str) -> PyResult<Bound<'py, PyString>> {
        written(py, |out| self.resolve_into(reference, out)).map_err(|refused| refused.exception(py, reference))
    }

    fn resolve_many<'py>(
        &self,
        py: Python<'py>,
        references: &Bound<'py, PyAny>,
        errors: &str,
    ) -> PyResult<Bound<'py, PyList>> {
        let skips = match errors {
            "raise" => false,
            "none" => true,
            _ => return Err(PyValueError::new_err("errors: expected \"raise\" or \"none\"")),
        };
        let all = PyList::empty(py);
        for reference in strings(references, "references")? {
            let reference = reference?;
            // A string with lone surrogates is no text, and is refused as well.
            match reference.cast::<PyString>()?.to_str().and_then(|reference| self.resolve(py, reference)) {
                Ok(uri) => all.append(uri)?,
                Err(error) if skips && error.is_instance_of::<PyValueError>(py) => all.append(py.None())?,
                Err(error) => return Err(error),
            }
        }
        Ok(all)
    }
}

/// A URI against which references are resolved. It is prepared once.
///
/// The rules are browsers' rules ("whatwg", the URL Standard) or the rules of a document: "rfc3986", "rfc2396", "rfc1808",
/// "rfc1630", "draft-www-uri-00", "url7", also with "+lenient". Bases are immutable, picklable and hashable, and threads may share
/// them.
///
/// With nested, references are resolved within the innermost URI in the URI, as in those of archived pages, and what is before it
/// stays as it is. Positions in errors are those in the innermost URI.
///
/// Raises Error (a ValueError) if the URI is not absolute.
///
/// >>> base = Base("http://example.com/docs/intro.html")
/// >>> base.resolve("../a b")
/// 'http://example.com/a%20b'
/// >>> base.relativize("http://example.com/docs/api#top")
/// 'api#top'
/// >>> Base("https://web.archive.org/web/2020/http://example.com/list/page", nested=True).resolve("//cdn.example/x")
/// 'https://web.archive.org/web/2020/http://cdn.example/x'
/// >>> Base("docs/")
/// Traceback (most recent call last):
/// relref.Error: missing-scheme-non-relative-URL at byte 0: there is no scheme, nor a base that has one and a hierarchy
#[pyclass(frozen, module = "relref")]
pub struct Base {
    pub prepared: Prepared<'static>,
}

#[pymethods]
impl Base {
    #[new]
    #[pyo3(signature = (uri, rules = "whatwg", nested = false))]
    fn new(py: Python<'_>, uri: &str, rules: &str, nested: bool) -> PyResult<Self> {
        let (prefix, innermost) = if nested { relref::split_nested(uri) } else { ("", uri) };
        let prepared = Prepared::given(py, innermost, RuleSet::parse(rules)?)?.into_owned();
        if !nested {
            return Ok(Base { prepared });
        }
        let nested = Nested { uri: uri.to_owned(), prefix_len: prefix.len(), innermost: prepared };
        Ok(Base { prepared: Prepared::Nested(Box::new(nested)) })
    }

    /// Return the absolute URI that a reference means.
    ///
    /// Raises Error if the reference is refused, as some are by "whatwg". By other rules every text resolves.
    ///
    /// >>> Base("http://example.com/a/b", "rfc3986").resolve("?q")
    /// 'http://example.com/a/b?q'
    fn resolve<'py>(&self, py: Python<'py>, reference: &str) -> PyResult<Bound<'py, PyString>> {
        self.prepared.resolve(py, reference)
    }

    /// Return a list of the absolute URIs of many references. With errors="none" the result of a refused reference, or of one with
    /// lone surrogates, is None.
    ///
    /// >>> Base("http://example.com/a/").resolve_many(["b", "http://x:y/"], errors="none")
    /// ['http://example.com/a/b', None]
    #[pyo3(signature = (references, errors = "raise"))]
    fn resolve_many<'py>(
        &self,
        py: Python<'py>,
        references: &Bound<'py, PyAny>,
        errors: &str,
    ) -> PyResult<Bound<'py, PyList>> {
        self.prepared.resolve_many(py, references, errors)
    }

    /// Return the shortest reference that resolves to a URI, or the URI.
    ///
    /// With nested, raises Error if no reference resolves to the URI.
    ///
    /// >>> Base("http://example.com/a/b").relativize("http://example.com/c")
    /// '/c'
    fn relativize(&self, target: &str) -> PyResult<String> {
        let reference = self.prepared.relativize(target);
        reference
            .ok_or_else(|| Error::new_err("no reference resolves to it: it is no absolute URI within the nested base"))
    }

    /// The URI: by "whatwg" as browsers write it, by other rules and with nested as given.
    #[getter]
    fn uri(&self) -> &str {
        self.prepared.as_str()
    }

    /// The name of the rules.
    #[getter]
    fn rules(&self) -> String {
        self.prepared.rules().to_string()
    }

    /// True if references are resolved within the innermost URI.
    #[getter]
    fn nested(&self) -> bool {
        matches!(self.prepared, Prepared::Nested(_))
    }

    fn __str__(&self) -> &str {
        self.prepared.as_str()
    }

    fn __repr__<'py>(&self, py: Python<'py>) -> PyResult<String> {
        let uri = PyString::new(py, self.prepared.as_str()).repr()?;
        let nested = if self.nested() { ", nested=True" } else { "" };
        Ok(format!("Base({uri}, '{}'{nested})", self.prepared.rules()))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.arguments() == other.arguments()
    }

    fn __hash__(&self) -> u64 {
        hash(self.arguments())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (&str, String, bool)) {
        (py.get_type::<Base>().into_any(), self.arguments())
    }
}

impl Base {
    /// Returns the arguments that make an equal base.
    fn arguments(&self) -> (&str, String, bool) {
        (self.prepared.as_str(), self.prepared.rules().to_string(), self.nested())
    }
}

/// Return the absolute URI that a reference means. For several references of one base, make a Base once.
///
/// >>> resolve("http://example.com/a/b", "../c")
/// 'http://example.com/c'
#[pyfunction]
#[pyo3(signature = (base, reference, rules = "whatwg"))]
pub fn resolve<'py>(py: Python<'py>, base: &str, reference: &str, rules: &str) -> PyResult<Bound<'py, PyString>> {
    let base = Prepared::given(py, base, RuleSet::parse(rules)?)?;
    base.resolve(py, reference)
}

/// Return a list of the absolute URIs that references of one base mean. With errors="none" the result of a refused reference, or of
/// one with lone surrogates, is None.
///
/// >>> resolve_many("http://example.com/a/b", ["c", "#d"])
/// ['http://example.com/a/c', 'http://example.com/a/b#d']
#[pyfunction]
#[pyo3(signature = (base, references, rules = "whatwg", errors = "raise"))]
pub fn resolve_many<'py>(
    py: Python<'py>,
    base: &str,
    references: &Bound<'py, PyAny>,
    rules: &str,
    errors: &str,
) -> PyResult<Bound<'py, PyList>> {
    let base = Prepared::given(py, base, RuleSet::parse(rules)?)?;
    base.resolve_many(py, references, errors)
}
