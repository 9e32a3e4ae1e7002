//! The turn to write, and the bytes of memory and disk that jobs may claim together.
//!
//! One job at a time has the turn: the first one whose results are not all written. Another job that needs bytes waits until they fit
//! (a semaphore that counts bytes), or until it has the turn. The job that has the turn never waits, so there is always progress, and each
//! waiting job gets the turn at some time.

use std::fmt;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::lock::lock;

/// The purpose for which bytes are claimed. Each has a limit of its own.
#[derive(Clone, Copy, Debug)]
pub enum Use {
    /// Results that wait until their job has the turn.
    Results,
    /// Memory for other things.
    Memory,
    /// Temporary files.
    Disk,
    /// Jobs that wait in a queue. Who fills it waits from the limit on until half of it is free, so as not to be woken for each job.
    Queue,
}

/// The most bytes that may be claimed, by [`Use`].
pub type Limits = [u64; 4];

/// The work ends early, and nobody needs its results.
#[derive(Debug)]
pub struct Stopped;

impl Stopped {
    /// Reports whether an error was made from this.
    #[must_use]
    pub fn is_cause(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Stopped>())
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the work ends early")
    }
}

impl std::error::Error for Stopped {}

impl From<Stopped> for io::Error {
    fn from(stopped: Stopped) -> Self {
        io::Error::other(stopped)
    }
}

/// The turn, and the claims of all jobs.
#[derive(Debug)]
pub struct Turns {
    limits: Limits,
    state: Mutex<Turn>,
    changed: Condvar,
    /// Signals that half of the queue is free.
    has_room: Condvar,
}

#[derive(Debug, Default)]
struct Turn {
    turn: u64,
    used: Limits,
    is_stopped: bool,
    /// The number of threads that wait.
    waiting: usize,
}

impl Turns {
    /// The first job, 0, has the turn.
    #[must_use]
    pub fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Turns { limits, state: Mutex::default(), changed: Condvar::new(), has_room: Condvar::new() })
    }

    /// Waits until the job has the turn or `is_enough` is true.
    fn wait(&self, job: Option<u64>, is_enough: impl Fn(&Turn) -> bool) -> Result<MutexGuard<'_, Turn>, Stopped> {
        let mut state = lock(&self.state);
        while !(state.is_stopped || job == Some(state.turn) || is_enough(&state)) {
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        if state.is_stopped { Err(Stopped) } else { Ok(state) }
    }

    fn half_queue(&self) -> u64 {
        self.limits[Use::Queue as usize] / 2
    }

    fn wait_for_room(&self) -> Result<MutexGuard<'_, Turn>, Stopped> {
        let mut state = lock(&self.state);
        let used = |state: &Turn| state.used[Use::Queue as usize];
        if used(&state) > self.limits[Use::Queue as usize] {
            let is_full = |state: &mut Turn| used(state) > self.half_queue() && !state.is_stopped;
            state = self.has_room.wait_while(state, is_full).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_stopped { Err(Stopped) } else { Ok(state) }
    }

    fn wake(&self, state: &Turn) {
        // To signal takes a system call, also if nobody waits.
        if state.waiting > 0 {
            self.changed.notify_all();
        }
    }

    /// Returns the claimant of a job or, without one, that of a thread which never has the turn.
    pub fn claimant(self: &Arc<Self>, job: Option<u64>) -> Claimant {
        Claimant { turns: Arc::clone(self), job, disk_left: 0 }
    }

    /// Returns the job that has the turn.
    pub(super) fn turn(&self) -> u64 {
        lock(&self.state).turn
    }

    /// Passes the turn to the next job, and returns it.
    pub(super) fn pass(&self) -> u64 {
        let mut state = lock(&self.state);
        state.turn += 1;
        self.wake(&state);
        state.turn
    }

    /// Lets each claim fail from now on, also those that wait.
    pub(super) fn stop(&self) {
        lock(&self.state).is_stopped = true;
        self.changed.notify_all();
        self.has_room.notify_all();
    }
}

/// Claims bytes for a job.
#[derive(Clone, Debug)]
pub struct Claimant {
    turns: Arc<Turns>,
    job: Option<u64>,
    /// Bytes that must be left to another file.
    disk_left: u64,
}

impl Claimant {
    /// Leaves `bytes` of disk to another file of this thread, so that it never waits for itself.
    #[must_use]
    pub fn leaving_disk(&self, bytes: u64) -> Self {
        Claimant { disk_left: self.disk_left + bytes, ..self.clone() }
    }

    /// Waits until the bytes fit. The job that has the turn does not wait.
    pub fn claim(&self, purpose: Use, bytes: u64) -> Result<Claim, Stopped> {
        let mut claim = Claim { turns: Arc::clone(&self.turns), job: self.job, purpose, bytes: 0 };
        claim.grow(bytes)?;
        Ok(claim)
    }

    /// The bytes that a temporary file of this claimant may take.
    #[must_use]
    pub fn max_disk(&self) -> u64 {
        self.turns.limits[Use::Disk as usize].saturating_sub(self.disk_left)
    }

    pub(super) fn has_turn(&self) -> bool {
        self.job == Some(self.turns.turn())
    }
}

/// Bytes that are counted as used until it is dropped.
#[derive(Debug)]
pub struct Claim {
    turns: Arc<Turns>,
    job: Option<u64>,
    purpose: Use,
    bytes: u64,
}

impl Claim {
    /// Waits as [`Claimant::claim`] does.
    pub fn grow(&mut self, bytes: u64) -> Result<(), Stopped> {
        let (at, limit) = (self.purpose as usize, self.turns.limits[self.purpose as usize]);
        // What is larger than the limit fits alone: a thread that never has the turn must not wait forever.
        let fits = |state: &Turn| bytes == 0 || state.used[at] == 0 || state.used[at].saturating_add(bytes) <= limit;
        let mut state = match self.purpose {
            Use::Queue => self.turns.wait_for_room()?,
            _ => self.turns.wait(self.job, fits)?,
        };
        state.used[at] = state.used[at].saturating_add(bytes);
        drop(state);
        self.bytes = self.bytes.saturating_add(bytes);
        Ok(())
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if self.bytes > 0 {
            let mut state = lock(&self.turns.state);
            let used = &mut state.used[self.purpose as usize];
            let (before, after) = (*used, *used - self.bytes);
            *used = after;
            if !matches!(self.purpose, Use::Queue) {
                self.turns.wake(&state);
            } else if (after..before).contains(&self.turns.half_queue()) {
                self.turns.has_room.notify_all();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn jobs_wait_for_bytes_or_for_the_turn() {
        let turns = Turns::new([0, 1000, 100, 0]);
        let first = turns.claimant(Some(5)).claim(Use::Memory, 600).unwrap();
        let (sender, receiver) = channel();
        for job in [Some(1), Some(2), None] {
            let (claimant, sender) = (turns.claimant(job), sender.clone());
            thread::spawn(move || sender.send((job, claimant.claim(Use::Memory, 500).is_ok())));
        }
        let none = || receiver.recv_timeout(Duration::from_millis(20)).is_err();
        assert!(none());
        // Another purpose has its own bytes, and the job that has the turn may take more than there are.
        drop(turns.claimant(None).claim(Use::Disk, 100).unwrap());
        drop(turns.claimant(Some(0)).claim(Use::Memory, 10_000).unwrap());
        assert!(none());
        turns.pass();
        assert_eq!(receiver.recv(), Ok((Some(1), true)));
        turns.pass();
        assert_eq!(receiver.recv(), Ok((Some(2), true)));
        drop(first);
        assert_eq!(receiver.recv(), Ok((None, true)));
    }

    #[test]
    fn a_full_queue_is_filled_when_half_is_free() {
        let claimant = Turns::new([0, 0, 0, 100]).claimant(None);
        let mut claims: Vec<Claim> = (0..6).map(|_| claimant.claim(Use::Queue, 20).unwrap()).collect();
        let waiting = thread::spawn(move || claimant.claim(Use::Queue, 1000).is_ok());
        // Time for it to find the queue full.
        thread::sleep(Duration::from_millis(200));
        claims.truncate(3);
        thread::sleep(Duration::from_millis(20));
        assert!(!waiting.is_finished());
        claims.truncate(2);
        assert!(waiting.join().unwrap());
    }

    #[test]
    fn stopping_wakes_all() {
        let turns = Turns::new([0, 0, 1000, 0]);
        let claimant = turns.claimant(None).leaving_disk(400);
        assert_eq!(claimant.max_disk(), 600);
        let _alone = claimant.claim(Use::Disk, 2000).unwrap();
        let waiting = thread::spawn(move || claimant.claim(Use::Disk, 1).is_ok());
        turns.stop();
        assert!(!waiting.join().unwrap());
        assert!(turns.claimant(Some(0)).claim(Use::Memory, 0).is_err());
    }
}
