//! The budgets of `links`: the bytes of memory and of disk that its stages may use together.
//!
//! A stage that needs bytes makes a [`Claim`] and waits until they fit. Dropping the claim gives the bytes back. The job that
//! has the turn to write never waits, so one job always makes progress. Its bytes are counted too, so that other jobs start
//! nothing large in the meantime.
//!
//! No stage waits forever. Workers take jobs in their order, so the job that has the turn is either queued or being done. It
//! ends, and its claims end with it. So each waiting job gets the turn at some time. The reader comes after all jobs that it has
//! queued. When these are done, the only claim left is the reader's own: the part of a page that it has written to a file, which
//! is never larger than the disk's budget.
//!
//! Claimed are the texts and bodies of jobs from when they are read until they are done ([`Use::Queue`]); the most memory that
//! reading a page is expected to take, as its decoded text may be three times as long as its bytes ([`Use::Page`]); and output
//! that waits for its turn ([`Use::Output`]). A few hundred KiB for each thread are not claimed: the budget is smaller the more
//! threads there are.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{self, Display};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A use of memory or of disk.
#[derive(Clone, Copy, PartialEq)]
pub enum Use {
    Queue,
    Page,
    Output,
    Disk,
}

/// The rank among those who wait for bytes: earlier jobs come first, and the reader last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The number of a job.
    Job(u64),
    Reader,
}

/// The command ends early, and the results of its stages are no longer needed.
#[derive(Debug)]
pub struct Stopped;

impl Stopped {
    /// Reports whether an error was made from this.
    pub fn is_cause(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Stopped>())
    }
}

impl Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the command ends early")
    }
}

impl Error for Stopped {}

impl From<Stopped> for io::Error {
    fn from(stopped: Stopped) -> Self {
        io::Error::other(stopped)
    }
}

/// The bytes claimed for each use.
type Used = [u64; 4];

/// The bytes of memory that all uses may take together if there are no threads.
const TOTAL: u64 = 32 << 20;
/// The bytes that each thread takes from the total.
const THREAD: u64 = 704 << 10;
/// The most threads that there may be. They leave 10 MiB of memory.
pub const MOST_THREADS: usize = 32;
const _: () = assert!(THREAD * MOST_THREADS as u64 + (10 << 20) <= TOTAL);

/// The budgets, and the turn to write.
pub struct Budget {
    /// The bytes of memory that all uses may take together.
    memory: u64,
    /// The bytes of disk that temporary files of pages may take together.
    disk: u64,
    accounts: Mutex<Accounts>,
}

#[derive(Default)]
struct Accounts {
    used: Used,
    /// The number of the job that may write its output.
    turn: u64,
    is_stopped: bool,
    waiting: BTreeMap<Rank, Waiting>,
}

/// Bytes that a thread waits for.
struct Waiting {
    purpose: Use,
    bytes: u64,
    wake: Arc<Condvar>,
}

/// A job or the reader, which claims bytes.
#[derive(Clone)]
pub struct Claimant {
    budget: Arc<Budget>,
    rank: Rank,
    /// The bytes of disk that are kept for another use.
    reserved: u64,
}

impl Claimant {
    /// Returns the same claimant with fewer bytes of disk, because it keeps some for another use. So the reader, which may wait for
    /// disk, never waits for bytes that it has itself.
    pub fn reserving(&self, bytes: u64) -> Self {
        Claimant { reserved: self.reserved + bytes, ..self.clone() }
    }

    /// Claims bytes, once they fit or the job has the turn.
    pub fn claim(&self, purpose: Use, bytes: u64) -> Result<Claim, Stopped> {
        self.budget.take(purpose, self.rank, bytes)?;
        Ok(Claim { claimant: self.clone(), purpose, bytes })
    }

    /// Reports whether it is the job that has the turn.
    pub fn has_turn(&self) -> bool {
        self.rank == Rank::Job(self.budget.turn())
    }

    /// Returns the bytes of disk that temporary files may take together.
    pub fn max_disk(&self) -> u64 {
        self.budget.disk.saturating_sub(self.reserved)
    }
}

/// Bytes of a budget, given back when this is dropped.
pub struct Claim {
    claimant: Claimant,
    purpose: Use,
    bytes: u64,
}

impl Claim {
    /// Claims more bytes, once they fit or the job has the turn.
    pub fn grow(&mut self, bytes: u64) -> Result<(), Stopped> {
        let Claimant { budget, rank, .. } = &self.claimant;
        budget.take(self.purpose, *rank, bytes)?;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.claimant.budget.free(self.purpose, self.bytes);
    }
}

impl Budget {
    /// Returns the budgets for a number of workers, at most [`MOST_THREADS`], and with bytes of disk.
    pub fn new(threads: usize, disk: u64) -> Arc<Self> {
        let memory = TOTAL - THREAD * threads as u64;
        Arc::new(Budget { memory, disk, accounts: Mutex::default() })
    }

    /// Returns the claimant of a rank.
    pub fn claimant(self: &Arc<Self>, rank: Rank) -> Claimant {
        Claimant { budget: Arc::clone(self), rank, reserved: 0 }
    }

    fn take(&self, purpose: Use, rank: Rank, bytes: u64) -> Result<(), Stopped> {
        let mut accounts = self.lock();
        // Bytes that an earlier job waits for are not taken by a later one.
        let is_first = !accounts.waiting.range(..rank).any(|(_, waiting)| waiting.purpose == purpose);
        if rank == Rank::Job(accounts.turn) || (is_first && self.fits(&accounts.used, purpose, bytes, false)) {
            accounts.used[purpose as usize] += bytes;
        } else {
            let wake = Arc::new(Condvar::new());
            accounts.waiting.insert(rank, Waiting { purpose, bytes, wake: Arc::clone(&wake) });
            let is_waiting = |accounts: &mut Accounts| accounts.waiting.contains_key(&rank) && !accounts.is_stopped;
            accounts = wake.wait_while(accounts, is_waiting).unwrap_or_else(PoisonError::into_inner);
        }
        if accounts.is_stopped { Err(Stopped) } else { Ok(()) }
    }

    fn free(&self, purpose: Use, bytes: u64) {
        if bytes > 0 {
            let mut accounts = self.lock();
            accounts.used[purpose as usize] -= bytes;
            self.grant(&mut accounts);
        }
    }

    /// Returns the number of the job that has the turn to write.
    pub fn turn(&self) -> u64 {
        self.lock().turn
    }

    /// Gives the turn to the next job, and returns its number.
    pub fn next_turn(&self) -> u64 {
        let mut accounts = self.lock();
        accounts.turn += 1;
        self.grant(&mut accounts);
        accounts.turn
    }

    /// Wakes all waiting threads. From now on each claim fails.
    pub fn stop(&self) {
        let mut accounts = self.lock();
        accounts.is_stopped = true;
        accounts.waiting.values().for_each(|waiting| waiting.wake.notify_one());
    }

    /// Gives bytes to waiting threads, that of the earliest job first, and wakes only those that get theirs.
    fn grant(&self, accounts: &mut Accounts) {
        let Accounts { used, turn, waiting, .. } = accounts;
        let mut is_full = [false; 4];
        waiting.retain(|rank, Waiting { purpose, bytes, wake }| {
            let at = *purpose as usize;
            let fits = *rank == Rank::Job(*turn) || !is_full[at] && self.fits(used, *purpose, *bytes, true);
            if fits {
                used[at] += *bytes;
                wake.notify_one();
            }
            is_full[at] |= !fits;
            !fits
        });
    }

    /// Reports whether bytes fit. A reader that has `waited` is granted less: so it wakes when a good part of the queue is free,
    /// and not for each job.
    fn fits(&self, used: &Used, purpose: Use, bytes: u64, waited: bool) -> bool {
        let most = match purpose {
            Use::Queue if waited => self.memory / 4,
            Use::Queue => self.memory / 3,
            Use::Output => self.memory / 2,
            Use::Page => self.memory,
            Use::Disk => self.disk,
        };
        // A job that is larger than the queue must still be queued. A page that is larger than the memory waits for its turn.
        let bytes = if purpose == Use::Queue { bytes.min(most) } else { bytes };
        let fits = used[purpose as usize].saturating_add(bytes) <= most;
        let memory: u64 = [Use::Queue, Use::Page, Use::Output].map(|purpose| used[purpose as usize]).iter().sum();
        fits && (purpose == Use::Disk || memory + bytes <= self.memory)
    }

    fn lock(&self) -> MutexGuard<'_, Accounts> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
