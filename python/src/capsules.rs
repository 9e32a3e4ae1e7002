//! Capsules of Arrow data that no producer should give: consumed ones, and those whose schema and data do not match.
//!
//! The crates of Arrow panic on some of them.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;

thread_local! {
    /// True while a panic is expected, so that nothing is printed about it.
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Makes `ValueError` of a panic of `read`, and of the exceptions that these crates make of their errors. `name` is that of the
/// argument.
pub fn without_panic<T>(py: Python<'_>, name: &str, read: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    static QUIET_HOOK: Once = Once::new();
    QUIET_HOOK.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !IS_QUIET.get() {
                hook(info);
            }
        }));
    });
    let was_quiet = IS_QUIET.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(read));
    IS_QUIET.set(was_quiet);
    let Ok(done) = done else {
        let why = format!("{name}: its Arrow capsules were consumed before, or do not fit together");
        return Err(PyValueError::new_err(why));
    };
    done.map_err(|error| {
        let class = error.get_type(py);
        if !class.is(py.get_type::<PyException>()) && !class.is(py.get_type::<PyTypeError>()) {
            return error;
        }
        let refused = PyValueError::new_err(format!("{name}: {}", error.value(py)));
        refused.set_cause(py, Some(error));
        refused
    })
}
