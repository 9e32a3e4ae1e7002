//! Rule sets by their names.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use relref::RuleSet;

/// `ValueError` for an unknown name.
pub fn rule_set(name: &str) -> PyResult<RuleSet> {
    name.parse().map_err(|error| PyValueError::new_err(format!("no rules have the name {name:?}: {error}")))
}
