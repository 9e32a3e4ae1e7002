//! The name of the input at which a thread panicked, for the message.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The payload of a panic: the name of the input.
struct InputPanic(String);

/// Calls `work`, which reads the input with this name. If `work` panics, panics with the name as the payload. If the panic was in
/// an inner call of this function, it keeps the name of the inner input.
pub fn at_input<T>(name: impl FnOnce() -> String, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let is_named = input_of(&*panic).is_some();
        resume_unwind(if is_named { panic } else { Box::new(InputPanic(name())) })
    })
}

/// Returns the name of the input at which a thread panicked. Returns `None` if it panicked outside of [`at_input`].
pub fn input_of(panic: &(dyn Any + Send)) -> Option<&str> {
    panic.downcast_ref::<InputPanic>().map(|InputPanic(name)| name.as_str())
}
