//! What `relref.Url`, `explain` and `validate` need of the engine.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;
use relref::validate::Grammar;
use relref::whatwg::{Attribute, Url};
use relref::{Base, RuleSet};

use crate::error::{of_engine, of_whatwg};
use crate::named_tuples::STEP;
use crate::rule_set::rule_set;
use crate::uri_text::UriText;

/// Return a URL with another value of an attribute, by its name in the URL Standard.
#[pyfunction]
pub fn _with_attribute(py: Python<'_>, url: &str, attribute: &str, value: &str) -> PyResult<String> {
    let attribute: Attribute =
        attribute.parse().map_err(|error: relref::Error| PyValueError::new_err(error.to_string()))?;
    let mut url = Url::parse(url).map_err(|error| of_whatwg(py, &error, url))?;
    url.set(attribute, value).map_err(|error| of_whatwg(py, &error, value))?;
    Ok(url.into_string())
}

/// Return the host of a URL as it is shown to people.
#[pyfunction]
pub fn _display_host(py: Python<'_>, url: &str) -> PyResult<Option<String>> {
    let url = Url::parse(url).map_err(|error| of_whatwg(py, &error, url))?;
    Ok(url.display_host().map(|host| host.into_owned()))
}

/// Return the steps by which the rules of a document resolve a reference, as a list of Step: the action, the text that it is about, and
/// the words of the document that say so. Raise ValueError for "whatwg", which has no such steps.
///
/// >>> for step in explain("http://a/b/c", "../g"):
/// ...     print(step.action, step.text)
/// directory http://a/b/
/// segment-removed b
#[pyfunction]
#[pyo3(signature = (base, reference, rules = "rfc3986"))]
pub fn explain<'py>(
    py: Python<'py>,
    base: UriText<'_>,
    reference: UriText<'_>,
    rules: &str,
) -> PyResult<Bound<'py, PyList>> {
    let RuleSet::Rules(rules) = rule_set(rules)? else {
        return Err(PyValueError::new_err("rules: only the rules of a document have steps, such as \"rfc3986\""));
    };
    let base = Base::new(&*base, rules).map_err(|error| of_engine(py, &error, &base))?;
    let explained = base.explain(&*reference);
    STEP.list(py, explained.steps.iter().map(|step| (step.action.name(), step.text, step.source.to_string())))
}

/// Raise Error, with the position, if a text does not match a grammar: that of URIs of RFC 3986, or another one by its name, such as
/// "rfc3986-reference", "rfc3987-iri" or "rfc1738-url".
///
/// >>> validate("http://example.com/a?b#c")
/// >>> try:
/// ...     validate("http://example.com/a b")
/// ... except Error as error:
/// ...     print(error.kind, error.position)
/// not-valid 20
#[pyfunction]
#[pyo3(signature = (text, grammar = "rfc3986-uri"))]
pub fn validate(py: Python<'_>, text: UriText<'_>, grammar: &str) -> PyResult<()> {
    let grammar: Grammar = grammar.parse().map_err(|error: relref::Error| PyValueError::new_err(error.to_string()))?;
    grammar.validate(&*text).map_err(|error| of_engine(py, &error, &text))
}
