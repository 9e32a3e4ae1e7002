//! `Base`, `resolve` and `resolve_many`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use relref::html::PageBase;
use relref::whatwg;

use crate::error::{of_engine, of_whatwg};
use crate::rule_set::RuleSet;
use crate::text::{hash, strings, written};

/// A base that is prepared by its rules.
pub enum Prepared<'a> {
    /// A base by browsers' rules.
    Whatwg(whatwg::Base<'a>),
    /// A base by a rule set of the engine. It owns its text, so that it has the lifetime of the other variant.
    Engine(relref::Base<String>),
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
        }
    }

    /// Returns the URI: by browsers' rules as serialized, otherwise as given.
    pub fn as_str(&self) -> &str {
        match self {
            Prepared::Whatwg(base) => base.as_str(),
            Prepared::Engine(base) => base.as_str(),
        }
    }

    /// Returns the base for the links of a page.
    pub fn page_base(&self) -> PageBase<'_> {
        match self {
            Prepared::Whatwg(base) => base.into(),
            Prepared::Engine(base) => base.into(),
        }
    }

    fn rules(&self) -> RuleSet {
        match self {
            Prepared::Whatwg(_) => RuleSet::Whatwg,
            Prepared::Engine(base) => RuleSet::Engine(base.rules()),
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
            let reference = reference.cast::<PyString>()?.to_str()?;
            match self.resolve(py, reference) {
                Ok(uri) => all.append(uri)?,
                Err(error) if skips && error.is_instance_of::<crate::error::Error>(py) => all.append(py.None())?,
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
/// Raises Error (a ValueError) if the URI is not absolute.
///
/// >>> base = Base("http://example.com/docs/intro.html")
/// >>> base.resolve("../a b")
/// 'http://example.com/a%20b'
/// >>> base.relativize("http://example.com/docs/api#top")
/// 'api#top'
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
    #[pyo3(signature = (uri, rules = "whatwg"))]
    fn new(py: Python<'_>, uri: &str, rules: &str) -> PyResult<Self> {
        Ok(Base { prepared: Prepared::given(py, uri, RuleSet::parse(rules)?)?.into_owned() })
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

    /// Return a list of the absolute URIs of many references. With errors="none" the result of a refused reference is None.
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
    /// >>> Base("http://example.com/a/b").relativize("http://example.com/c")
    /// '/c'
    fn relativize(&self, target: &str) -> String {
        match &self.prepared {
            Prepared::Whatwg(base) => base.relativize(target).into_owned(),
            Prepared::Engine(base) => base.relativize(target).into_owned(),
        }
    }

    /// The URI: by "whatwg" as browsers write it, by other rules as given.
    #[getter]
    fn uri(&self) -> &str {
        self.prepared.as_str()
    }

    /// The name of the rules.
    #[getter]
    fn rules(&self) -> String {
        self.prepared.rules().to_string()
    }

    fn __str__(&self) -> &str {
        self.prepared.as_str()
    }

    fn __repr__<'py>(&self, py: Python<'py>) -> PyResult<String> {
        let uri = PyString::new(py, self.prepared.as_str()).repr()?;
        Ok(format!("Base({uri}, '{}')", self.prepared.rules()))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.arguments() == other.arguments()
    }

    fn __hash__(&self) -> u64 {
        hash(self.arguments())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (&str, String)) {
        (py.get_type::<Base>().into_any(), self.arguments())
    }
}

impl Base {
    /// Returns the arguments that make an equal base.
    fn arguments(&self) -> (&str, String) {
        (self.prepared.as_str(), self.prepared.rules().to_string())
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

/// Return a list of the absolute URIs that references of one base mean. With errors="none" the result of a refused reference is
/// None.
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
