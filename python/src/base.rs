//! `Base`, `resolve` and `resolve_many`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use relref::support::InnerBase;
use relref::{AnyBase, ReferenceForm, RuleSet, split_nested};

use crate::error::{Error, of_base, of_whatwg};
use crate::rule_set::rule_set;
use crate::text::{hash, mapped, written};
use crate::uri_text::UriText;

/// Fails with `relref.Error`.
pub fn given(py: Python<'_>, uri: &str, rules: RuleSet) -> PyResult<AnyBase> {
    AnyBase::new(uri, rules).map_err(|refused| of_base(py, refused, uri))
}

/// Fails with `relref.Error`.
fn resolved<'py>(py: Python<'py>, base: &AnyBase, reference: &str) -> PyResult<Bound<'py, PyString>> {
    written(py, |out| base.resolve_into(reference, out)).map_err(|refused| of_whatwg(py, &refused, reference))
}

fn all_resolved<'py>(
    py: Python<'py>,
    base: &AnyBase,
    references: &Bound<'py, PyAny>,
    errors: &str,
) -> PyResult<Bound<'py, PyList>> {
    let skips = match errors {
        "raise" => false,
        "none" => true,
        _ => return Err(PyValueError::new_err("errors: expected \"raise\" or \"none\"")),
    };
    let write = |reference: &str, out: &mut String| base.resolve_into(reference, out);
    mapped(references, "references", skips, write, |error, reference| of_whatwg(py, error, reference))
}

fn reference_form(name: &str) -> PyResult<ReferenceForm> {
    match name {
        "shortest" => Ok(ReferenceForm::Shortest),
        "same-origin" => Ok(ReferenceForm::SameOrigin),
        "rooted" => Ok(ReferenceForm::Rooted),
        "relative" => Ok(ReferenceForm::Relative),
        _ => Err(PyValueError::new_err("form: expected \"shortest\", \"same-origin\", \"relative\" or \"rooted\"")),
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
/// relref.Error: missing-scheme-non-relative-URL at byte 0: not an absolute URL: it has no scheme
#[pyclass(frozen, module = "relref")]
pub struct Base {
    pub prepared: AnyBase,
    nested: bool,
}

#[pymethods]
impl Base {
    #[new]
    #[pyo3(signature = (uri, rules = "whatwg", nested = false))]
    fn new(py: Python<'_>, uri: UriText<'_>, rules: &str, nested: bool) -> PyResult<Self> {
        let rules = rule_set(rules)?;
        let base = if nested { AnyBase::nested(&*uri, rules) } else { AnyBase::new(&*uri, rules) };
        let innermost = if nested { split_nested(&*uri).1 } else { &*uri };
        let prepared = base.map_err(|refused| of_base(py, refused, innermost))?;
        Ok(Base { prepared, nested })
    }

    /// Return the absolute URI that a reference means.
    ///
    /// Raises Error if the reference is refused, as some are by "whatwg". By other rules every text resolves.
    ///
    /// >>> Base("http://example.com/a/b", "rfc3986").resolve("?q")
    /// 'http://example.com/a/b?q'
    fn resolve<'py>(&self, py: Python<'py>, reference: UriText<'_>) -> PyResult<Bound<'py, PyString>> {
        resolved(py, &self.prepared, &reference)
    }

    /// Return a list of the absolute URIs of many references. With errors="none" the result of a refused reference, or of one with
    /// lone surrogates, is None. Other threads run meanwhile.
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
        all_resolved(py, &self.prepared, references, errors)
    }

    /// Return the shortest reference of a form that resolves to a URI, or the URI if there is none.
    ///
    /// form is "shortest"; "same-origin", without a scheme and a host, such as ../x or /x; or "relative", which does not start with a slash
    /// either, such as ../x or ?q: it stays right where the site moves into a folder; or "rooted", with one slash at its start, such as /x.
    ///
    /// With nested, raises Error if no reference resolves to the URI.
    ///
    /// >>> base = Base("http://example.com/a/b")
    /// >>> base.relativize("http://example.com/c"), base.relativize("http://example.com/c", form="relative")
    /// ('/c', '../c')
    #[pyo3(signature = (target, *, form = "shortest"))]
    fn relativize<'py>(&self, py: Python<'py>, target: UriText<'_>, form: &str) -> PyResult<Bound<'py, PyString>> {
        let reference = self.prepared.relativize_as(&*target, reference_form(form)?);
        let leads_back = |reference: &str| self.prepared.resolve(reference).is_ok_and(|uri| uri == *target);
        match reference {
            _ if !self.nested => Ok(PyString::new(py, &reference.unwrap_or((&*target).into()))),
            Some(reference) if leads_back(&reference) => Ok(PyString::new(py, &reference)),
            _ => Err(Error::new_err("no reference resolves to it: it is no absolute URI within the nested base")),
        }
    }

    /// The URI: by "whatwg" as browsers write it, by other rules and with nested as given.
    #[getter]
    fn uri(&self) -> &str {
        match self.prepared.inner() {
            InnerBase::Whatwg(base) if !self.nested => base.as_str(),
            _ => self.prepared.as_str(),
        }
    }

    /// The URI against which references are resolved, as given: with nested the innermost URI, such as that of the archived page.
    ///
    /// >>> Base("https://web.archive.org/web/2020/http://example.com/a", nested=True).innermost
    /// 'http://example.com/a'
    #[getter]
    fn innermost(&self) -> &str {
        self.prepared.innermost()
    }

    /// The name of the rules.
    #[getter]
    fn rules(&self) -> String {
        self.prepared.rules().to_string()
    }

    /// True if references are resolved within the innermost URI.
    #[getter]
    fn nested(&self) -> bool {
        self.nested
    }

    fn __str__(&self) -> &str {
        self.uri()
    }

    fn __repr__<'py>(&self, py: Python<'py>) -> PyResult<String> {
        let uri = PyString::new(py, self.uri()).repr()?;
        let nested = if self.nested { ", nested=True" } else { "" };
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
    /// The arguments that make an equal base.
    fn arguments(&self) -> (&str, String, bool) {
        (self.uri(), self.prepared.rules().to_string(), self.nested)
    }
}

/// Return the absolute URI that a reference means. For several references of one base, make a Base once.
///
/// >>> resolve("http://example.com/a/b", "../c")
/// 'http://example.com/c'
#[pyfunction]
#[pyo3(signature = (base, reference, rules = "whatwg"))]
pub fn resolve<'py>(
    py: Python<'py>,
    base: UriText<'_>,
    reference: UriText<'_>,
    rules: &str,
) -> PyResult<Bound<'py, PyString>> {
    resolved(py, &given(py, &base, rule_set(rules)?)?, &reference)
}

/// Return a list of the absolute URIs that references of one base mean. With errors="none" the result of a refused reference, or of
/// one with lone surrogates, is None. Other threads run meanwhile.
///
/// >>> resolve_many("http://example.com/a/b", ["c", "#d"])
/// ['http://example.com/a/c', 'http://example.com/a/b#d']
#[pyfunction]
#[pyo3(signature = (base, references, rules = "whatwg", errors = "raise"))]
pub fn resolve_many<'py>(
    py: Python<'py>,
    base: UriText<'_>,
    references: &Bound<'py, PyAny>,
    rules: &str,
    errors: &str,
) -> PyResult<Bound<'py, PyList>> {
    all_resolved(py, &given(py, &base, rule_set(rules)?)?, references, errors)
}

/// Return the shortest reference that resolves to a URI. form is that of Base.relativize. For several URIs and one base, make a Base
/// once.
///
/// >>> relativize("http://example.com/docs/intro.html", "http://example.com/docs/api#top")
/// 'api#top'
#[pyfunction]
#[pyo3(signature = (base, target, rules = "whatwg", *, form = "shortest"))]
pub fn relativize<'py>(
    py: Python<'py>,
    base: UriText<'_>,
    target: UriText<'_>,
    rules: &str,
    form: &str,
) -> PyResult<Bound<'py, PyString>> {
    Base { prepared: given(py, &base, rule_set(rules)?)?, nested: false }.relativize(py, target, form)
}

/// Return what a reference means by each rule set, as a dict of the names in RULES and absolute URIs. A value is None if the rule set
/// refuses the reference or the base; only "whatwg" refuses references.
///
/// Raises Error if each rule set refuses the base.
///
/// >>> found = compare("http://example.com/a/b", "?c")
/// >>> found["rfc3986"], found["rfc2396"]
/// ('http://example.com/a/b?c', 'http://example.com/a/?c')
/// >>> list(found) == list(RULES)
/// True
#[pyfunction]
pub fn compare<'py>(py: Python<'py>, base: UriText<'_>, reference: UriText<'_>) -> PyResult<Bound<'py, PyDict>> {
    let (found, mut refusal, mut is_base) = (PyDict::new(py), None, false);
    for rules in RuleSet::ALL {
        let uri = match AnyBase::new(&*base, *rules) {
            Ok(base) => {
                is_base = true;
                base.resolve(&*reference).ok()
            }
            Err(error) => {
                refusal = Some(error);
                None
            }
        };
        found.set_item(rules.to_string(), uri)?;
    }
    match refusal {
        Some(error) if !is_base => Err(of_base(py, error, &base)),
        _ => Ok(found),
    }
}
