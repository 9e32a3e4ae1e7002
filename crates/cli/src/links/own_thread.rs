//! Threads for work that takes much memory.
//!
//! An allocator keeps, for each thread, memory that the thread has freed. A worker must not keep much memory in this way, so work
//! that takes much memory has a thread of its own. A new thread takes over the memory of a thread that has ended.

use std::io;
use std::panic::resume_unwind;
use std::thread;

/// The number of bytes of memory at which decoding gets a thread of its own.
const OWN_THREAD_MEMORY: u64 = 2 << 20;

/// Calls `work` in a new thread, waits until it ends, and returns its result. Fails also if the system cannot start a thread. A
/// panic of `work` goes on in the calling thread.
pub fn in_own_thread<T: Send>(work: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, work)?;
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Calls `decode`, in a new thread if it needs much memory, of which `memory` is the number of bytes.
pub fn decode_in_thread<T: Send>(memory: u64, decode: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
    if memory < OWN_THREAD_MEMORY { decode() } else { in_own_thread(decode) }
}
