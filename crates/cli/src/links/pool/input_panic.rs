//! Panics that say at which input they happened.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The payload of a panic in [`at_input`]: the name of the input.
struct InputPanic(String);

/// Calls `work`, which reads an input. `name` returns the name of the input. If `work` panics, panics again with this name as the
/// payload. If `work` calls this function for an input inside its own, such as an archive in a WACZ file, and that inner call
/// panics, the inner name is kept.
pub fn at_input<T>(name: impl FnOnce() -> String, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let is_named = input_of(&*panic).is_some();
        resume_unwind(if is_named { panic } else { Box::new(InputPanic(name())) })
    })
}

/// Returns the name of the input from the payload of a panic. Returns `None` if the panic did not happen in [`at_input`].
pub fn input_of(panic: &(dyn Any + Send)) -> Option<&str> {
    panic.downcast_ref::<InputPanic>().map(|InputPanic(name)| name.as_str())
}
