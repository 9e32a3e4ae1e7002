//! Rules by their names: browsers' rules, and the rule sets of the engine.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use relref::Rules;

/// Browsers' rules, or a rule set.
#[derive(Clone, Copy, PartialEq)]
pub enum RuleSet {
    /// Browsers' rules, the URL Standard.
    Whatwg,
    /// A rule set of the engine.
    Engine(Rules),
}

impl RuleSet {
    /// Returns the rules with this name.
    ///
    /// # Errors
    /// `ValueError`, if no rules have it.
    pub fn parse(name: &str) -> PyResult<Self> {
        if name == "whatwg" {
            return Ok(RuleSet::Whatwg);
        }
        name.parse().map(RuleSet::Engine).map_err(|_| {
            let names: Vec<_> = Rules::ALL.iter().map(ToString::to_string).collect();
            PyValueError::new_err(format!("no rules have the name {name:?}: expected whatwg, {}", names.join(", ")))
        })
    }
}

impl std::fmt::Display for RuleSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RuleSet::Whatwg => f.write_str("whatwg"),
            RuleSet::Engine(rules) => rules.fmt(f),
        }
    }
}
