//! How much may be in memory: output that waits for its turn, and large pages that are being read.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// As much output as may wait in all.
const MOST: usize = 6 << 20;
/// As much more as the job that is being printed may have, so that it never waits for the others.
const RESERVE: usize = 1 << 20;
/// As many buffers as are kept for later.
const SPARE: usize = 16;
/// As many bytes of large pages as may be read at a time, next to that of the job that is being printed; as text they may be
/// three times as many, and again as URIs.
const PAGES: u64 = 4 << 20;

#[derive(Default)]
pub struct Room {
    state: Mutex<State>,
    changed: Condvar,
    spare: Mutex<Vec<Vec<u8>>>,
}

#[derive(Default)]
struct State {
    output: usize,
    pages: u64,
    /// The number of the job that is being printed.
    printed: u64,
}

impl Room {
    /// The size of the largest block of output, so that there is always room for one of the job that is being printed.
    pub const BLOCK: usize = RESERVE;

    /// The size of a buffer for output: less than what allocators map from the system each time, often 128 KiB.
    pub const BUFFER: usize = 120 << 10;

    /// An empty buffer. They come back, for what one thread allocates and another frees would go back to the system each time.
    pub fn buffer(&self) -> Vec<u8> {
        self.spare().pop().unwrap_or_else(|| Vec::with_capacity(Self::BUFFER))
    }

    /// Takes a buffer that is not needed any more.
    pub fn give(&self, mut buffer: Vec<u8>) {
        let mut spare = self.spare();
        if (Self::BUFFER..2 * Self::BUFFER).contains(&buffer.capacity()) && spare.len() < SPARE {
            buffer.clear();
            spare.push(buffer);
        }
    }

    /// Takes room for output of a job, once there is some.
    pub fn take(&self, job: u64, bytes: usize) {
        self.wait(|state| state.output + bytes > MOST + if job == state.printed { RESERVE } else { 0 }).output += bytes;
    }

    /// Gives back the room of output that was printed.
    pub fn free(&self, bytes: usize) {
        self.lock().output -= bytes;
        self.changed.notify_all();
    }

    /// Takes room for a large page of a job, once there is some or its turn has come: so one giant is read at a time.
    pub fn open(&self, job: u64, bytes: u64) {
        self.wait(|state| state.pages + bytes > PAGES && job != state.printed).pages += bytes;
    }

    /// Gives back the room of a large page.
    pub fn close(&self, bytes: u64) {
        self.lock().pages -= bytes;
        self.changed.notify_all();
    }

    /// Goes on to the next job.
    pub fn next(&self) {
        self.lock().printed += 1;
        self.changed.notify_all();
    }

    fn wait(&self, is_full: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let state = self.changed.wait_while(self.lock(), |state| is_full(state));
        state.unwrap_or_else(PoisonError::into_inner)
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
