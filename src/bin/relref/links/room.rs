//! How much output may wait for its turn.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// As much as may wait in all.
const MOST: usize = 6 << 20;
/// As much more as the job that is being printed may have, so that it never waits for the others.
const RESERVE: usize = 1 << 20;

/// The bytes that wait, and the number of the job that is being printed.
#[derive(Default)]
pub struct Room {
    state: Mutex<(usize, u64)>,
    changed: Condvar,
}

impl Room {
    /// Takes room for bytes of a job, once there is some.
    pub fn take(&self, job: u64, bytes: usize) {
        let is_full = |(used, printed): &mut (usize, u64)| *used > MOST + if job == *printed { RESERVE } else { 0 };
        let state = self.changed.wait_while(self.lock(), is_full);
        state.unwrap_or_else(PoisonError::into_inner).0 += bytes;
    }

    /// Gives back the room of bytes that were printed.
    pub fn free(&self, bytes: usize) {
        self.lock().0 -= bytes;
        self.changed.notify_all();
    }

    /// Goes on to the next job.
    pub fn next(&self) {
        self.lock().1 += 1;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, (usize, u64)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
