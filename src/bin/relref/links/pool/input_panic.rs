//! The input at which a thread panicked, for the message.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The content of a panic: the name of the input.
struct InputPanic(String);

/// Does some work at an input. If it panics, so does this function, with the name of the input or of one within it.
pub fn at_input<T>(name: impl FnOnce() -> String, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let is_named = input_of(&*panic).is_some();
        resume_unwind(if is_named { panic } else { Box::new(InputPanic(name())) })
    })
}

/// Returns the name of the input at which a thread panicked. `None` if it was at none.
pub fn input_of(panic: &(dyn Any + Send)) -> Option<&str> {
    panic.downcast_ref::<InputPanic>().map(|InputPanic(name)| name.as_str())
}
