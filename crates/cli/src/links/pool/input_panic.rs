//! Panics that say at which input they happened.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Has the name of the input.
struct InputPanic(String);

/// Adds the name of an input to a panic in `work`. Of nested inputs, such as an archive in a WACZ file, the inner name is kept.
pub fn at_input<T>(name: impl FnOnce() -> String, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let is_named = input_of(&*panic).is_some();
        resume_unwind(if is_named { panic } else { Box::new(InputPanic(name())) })
    })
}

/// `None` if the panic did not happen in [`at_input`].
pub fn input_of(panic: &(dyn Any + Send)) -> Option<&str> {
    panic.downcast_ref::<InputPanic>().map(|InputPanic(name)| name.as_str())
}
