//! Capsules of Arrow data that no producer should give: consumed ones, and those whose schema and data do not match.
//!
//! The crates of Arrow panic on some of them.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use arrow_schema::{DataType, FieldRef};
use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::PyField;

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

/// Fails with `ValueError` if a consumer requests another type than a column of type `own` can be read as without loss: a string of
/// another layout, or a table whose columns have the same names, and such types.
pub fn check_schema(py: Python<'_>, requested: Option<&Bound<'_, PyCapsule>>, own: &DataType) -> PyResult<()> {
    let Some(requested) = requested else { return Ok(()) };
    let field = without_panic(py, "requested_schema", || PyField::from_arrow_pycapsule(requested))?.into_inner();
    if fits(own, field.data_type()) {
        return Ok(());
    }
    let why = format!("requested_schema: what has the type {own} is not read as {}", field.data_type());
    Err(PyValueError::new_err(why))
}

fn fits(own: &DataType, requested: &DataType) -> bool {
    match (own, requested) {
        (DataType::Utf8, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View) => true,
        (DataType::Utf8, DataType::Dictionary(_, values)) => fits(own, values),
        (DataType::Struct(own), DataType::Struct(requested)) => {
            let is_same = |(own, requested): (&FieldRef, &FieldRef)| {
                own.name() == requested.name() && fits(own.data_type(), requested.data_type())
            };
            own.len() == requested.len() && own.iter().zip(requested).all(is_same)
        }
        _ => own == requested,
    }
}
