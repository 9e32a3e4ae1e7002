//! Threads for work that takes much memory.
//!
//! Allocators keep for each thread the memory that it frees. Much memory must not be kept for each worker, so work that takes much
//! has a thread of its own. A new thread takes over the memory of one that has ended.

use std::io;
use std::panic::resume_unwind;
use std::thread;

/// The memory in bytes from which on a decoder has a thread of its own.
const DECODER: u64 = 2 << 20;

/// Calls `work` in a new thread, and waits for its end. Fails if no thread can be started, or with the error of `work`.
pub fn in_own_thread<T: Send>(work: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, work)?;
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Calls `decode`, which takes `memory` bytes: in a new thread if that is much, and in this thread otherwise.
pub fn decode_in_thread<T: Send>(memory: u64, decode: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
    if memory < DECODER { decode() } else { in_own_thread(decode) }
}
