//! The budgets of `links`: the bytes of memory and of disk that its stages may use together.
//!
//! A stage that needs bytes makes a [`Claim`] and waits until the bytes fit. Dropping the claim gives the bytes back. The job that
//! has the turn to write never waits, so one job always makes progress. Its bytes are counted too, so that other jobs start nothing
//! large in the meantime.
//!
//! No stage waits forever. Workers take jobs in their order, so the job that has the turn is either in the queue or a worker is
//! doing it. That job ends, and then the next job gets the turn. So each waiting job gets the turn at some time. The reader comes
//! after all jobs that it has queued. When these are done, only the reader has a claim: for the part of a page that it has
//! written to a file. This part is never larger than the disk's budget.
//!
//! These bytes are claimed:
//!
//! - [`Use::Queue`]: the texts and bodies of jobs, from the time when they are read until the jobs are done;
//! - [`Use::Page`]: the most memory that reading a page is expected to take, as its decoded text may be three times as long as its
//!   bytes;
//! - [`Use::Output`]: output that waits for the turn of its job;
//! - [`Use::Disk`]: temporary files of pages.
//!
//! A few hundred KiB for each thread are not claimed. So the budget of memory is smaller if there are more threads.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{self, Display};
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::lock;

/// A use of memory or of disk.
#[derive(Clone, Copy, PartialEq)]
pub enum Use {
    /// Memory of jobs that are queued or being done.
    Queue,
    /// Memory that is needed to read a page.
    Page,
    /// Memory of blocks that wait for the turn of their job.
    Output,
    /// Disk for temporary files of pages.
    Disk,
}

/// The rank of a claimant among those that wait for bytes. Earlier jobs come first, and the reader comes last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The number of a job.
    Job(u64),
    Reader,
}

/// The error of a stage that must end because the command ends early. Its results are no longer needed.
#[derive(Debug)]
pub struct Stopped;

impl Stopped {
    /// Reports whether an error was made from a `Stopped`.
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

/// The number of bytes claimed for each use, in the order of [`Use`].
type Used = [u64; 4];

/// The bytes of memory that all uses could take together if there were no threads.
const TOTAL: u64 = 32 << 20;
/// The bytes of the total that each thread has for itself.
const THREAD: u64 = 704 << 10;
/// The most threads that there may be. With so many, at least 10 MiB of memory are left.
pub const MOST_THREADS: usize = 32;
const _: () = assert!(THREAD * MOST_THREADS as u64 + (10 << 20) <= TOTAL);

/// The budgets, and the turn to write.
pub struct Budget {
    /// The bytes of memory that all uses may take together.
    memory: u64,
    /// The bytes of disk that temporary files of pages may take together.
    disk: u64,
    accounts: Mutex<Accounts>,
    /// The signal that waiting threads got their bytes, or that the stages are stopped.
    wake: Condvar,
}

/// The state of the budgets.
#[derive(Default)]
struct Accounts {
    /// The bytes that are claimed now.
    used: Used,
    /// The number of the job that may write its output.
    turn: u64,
    /// True if the stages are stopped. Then each claim fails.
    is_stopped: bool,
    /// The claims that wait, each a use and a number of bytes, by the ranks of their claimants.
    waiting: BTreeMap<Rank, (Use, u64)>,
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
    /// Returns the same claimant with `bytes` less of disk, because it keeps these for another use. So the reader, which may wait
    /// for disk, never waits for bytes that it has claimed itself.
    pub fn reserving(&self, bytes: u64) -> Self {
        Claimant { reserved: self.reserved + bytes, ..self.clone() }
    }

    /// Waits until the bytes fit or the job has the turn, and claims them.
    pub fn claim(&self, purpose: Use, bytes: u64) -> Result<Claim, Stopped> {
        self.budget.take(purpose, self.rank, bytes)?;
        Ok(Claim { claimant: self.clone(), purpose, bytes })
    }

    /// Reports whether the claimant is the job that has the turn.
    pub fn has_turn(&self) -> bool {
        self.rank == Rank::Job(self.budget.turn())
    }

    /// Returns the most bytes of disk that the temporary files of the claimant may take together.
    pub fn max_disk(&self) -> u64 {
        self.budget.disk.saturating_sub(self.reserved)
    }
}

/// A claim of bytes. Dropping it gives the bytes back.
pub struct Claim {
    claimant: Claimant,
    purpose: Use,
    bytes: u64,
}

impl Claim {
    /// Waits until more bytes fit or the job has the turn, and claims them too.
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
    /// Returns the budgets for a number of threads, at most [`MOST_THREADS`], and for `disk` bytes of disk.
    pub fn new(threads: usize, disk: u64) -> Arc<Self> {
        let memory = TOTAL - THREAD * threads as u64;
        Arc::new(Budget { memory, disk, accounts: Mutex::default(), wake: Condvar::new() })
    }

    /// Returns the claimant with this rank.
    pub fn claimant(self: &Arc<Self>, rank: Rank) -> Claimant {
        Claimant { budget: Arc::clone(self), rank, reserved: 0 }
    }

    /// Waits until bytes fit or the job of this rank has the turn, and counts them as used. [`free`](Self::free) gives them back.
    fn take(&self, purpose: Use, rank: Rank, bytes: u64) -> Result<(), Stopped> {
        let mut accounts = lock(&self.accounts);
        // Bytes that an earlier job waits for are not taken by a later one.
        let is_first = !accounts.waiting.range(..rank).any(|(_, (waiting, _))| *waiting == purpose);
        if rank == Rank::Job(accounts.turn) || (is_first && self.fits(&accounts.used, purpose, bytes, false)) {
            accounts.used[purpose as usize] += bytes;
        } else {
            accounts.waiting.insert(rank, (purpose, bytes));
            let is_waiting = |accounts: &mut Accounts| accounts.waiting.contains_key(&rank) && !accounts.is_stopped;
            accounts = self.wake.wait_while(accounts, is_waiting).unwrap_or_else(PoisonError::into_inner);
        }
        if accounts.is_stopped { Err(Stopped) } else { Ok(()) }
    }

    /// Counts bytes as no longer used, and gives them to waiting threads.
    fn free(&self, purpose: Use, bytes: u64) {
        if bytes > 0 {
            let mut accounts = lock(&self.accounts);
            accounts.used[purpose as usize] -= bytes;
            self.grant(&mut accounts);
        }
    }

    /// Returns the number of the job that has the turn to write.
    pub fn turn(&self) -> u64 {
        lock(&self.accounts).turn
    }

    /// Gives the turn to the next job, and returns its number.
    pub fn next_turn(&self) -> u64 {
        let mut accounts = lock(&self.accounts);
        accounts.turn += 1;
        self.grant(&mut accounts);
        accounts.turn
    }

    /// Stops the stages: wakes all waiting threads, and makes each claim fail from now on.
    pub fn stop(&self) {
        lock(&self.accounts).is_stopped = true;
        self.wake.notify_all();
    }

    /// Gives free bytes to waiting threads, first to the thread of the earliest job. A thread gets all bytes it waits for, or none.
    fn grant(&self, accounts: &mut Accounts) {
        let Accounts { used, turn, waiting, .. } = accounts;
        let mut is_full = [false; 4];
        waiting.retain(|rank, (purpose, bytes)| {
            let at = *purpose as usize;
            let fits = *rank == Rank::Job(*turn) || !is_full[at] && self.fits(used, *purpose, *bytes, true);
            if fits {
                used[at] += *bytes;
                self.wake.notify_all();
            }
            is_full[at] |= !fits;
            !fits
        });
    }

    /// Reports whether bytes for a use fit. A reader that has `waited` may fill less of the queue. So it wakes only when a good
    /// part of the queue is free, and not for each job.
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
}

#[cfg(test)]
mod tests;
