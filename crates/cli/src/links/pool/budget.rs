//! The budgets of `links`: the bytes of memory and of disk that its stages may use together.
//!
//! A stage that needs bytes makes a [`Claim`], and waits until they fit in the budget; dropping the claim gives them back (a
//! semaphore that counts bytes). One job at a time has the turn to write its output: the first one whose output is not completely
//! written. It never waits, so there is always progress. Its bytes are counted too, so that other jobs start nothing large in the
//! meantime.
//!
//! No stage waits forever. Workers take jobs in their order, so the job that has the turn is either in the queue or being done by a
//! worker. When that job ends, the next job gets the turn. So each waiting job gets the turn at some time. The reader waits longer
//! than all jobs that it has queued. When these are done, only the reader has a claim: for the part of a page that it has written
//! to a file. This part is never larger than the budget of disk.
//!
//! A few hundred KiB for each thread are not claimed. So the budget of memory is smaller if there are more threads.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{self, Display};
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::lock::lock;

/// Each has a limit of its own.
#[derive(Clone, Copy, PartialEq)]
pub enum Use {
    /// Memory of the texts and bodies of jobs, from the time when they are read until the jobs are done.
    Queue,
    /// The most memory that reading a page is expected to take: its decoded text may be three times as long as its bytes.
    Page,
    /// Memory of blocks that wait until their job has the turn.
    Output,
    /// Disk for temporary files of pages.
    Disk,
}

/// Waiting claimants get bytes in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// A job, by its index.
    Job(u64),
    Reader,
}

/// The command ends early, and nobody needs the stage's results.
#[derive(Debug)]
pub struct Stopped;

impl Stopped {
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

/// Bytes, indexed by [`Use`].
type Used = [u64; 4];

/// The memory, in bytes, for claims and threads.
const TOTAL_MEMORY: u64 = 32 << 20;
/// The bytes of [`TOTAL_MEMORY`] that cannot be claimed, for each thread.
const MEMORY_PER_THREAD: u64 = 704 << 10;
/// At least 10 MiB of memory can still be claimed with so many.
pub const MAX_THREADS: usize = 32;
const _: () = assert!(MEMORY_PER_THREAD * MAX_THREADS as u64 + (10 << 20) <= TOTAL_MEMORY);

pub struct Budget {
    /// The job that has the turn may exceed it, and so may a job that is larger than the queue.
    memory: u64,
    /// The job that has the turn may exceed it.
    disk: u64,
    accounts: Mutex<Accounts>,
    /// Signals that waiting threads got their bytes, or that the stages are stopped.
    wake: Condvar,
}

#[derive(Default)]
struct Accounts {
    used: Used,
    /// The index of the job that has the turn.
    turn: u64,
    /// Each claim fails then.
    is_stopped: bool,
    /// The use and the bytes that each claimant waits for.
    waiting: BTreeMap<Rank, (Use, u64)>,
}

#[derive(Clone)]
pub struct Claimant {
    budget: Arc<Budget>,
    rank: Rank,
    /// Bytes that must be left to another file.
    disk_left: u64,
}

impl Claimant {
    /// Leaves `bytes` of disk to another file, so that the reader never waits for its own.
    pub fn leaving_disk(&self, bytes: u64) -> Self {
        Claimant { disk_left: self.disk_left + bytes, ..self.clone() }
    }

    /// Waits until the bytes fit and no earlier claimant waits for the same use. The job that has the turn does not wait.
    pub fn claim(&self, purpose: Use, bytes: u64) -> Result<Claim, Stopped> {
        self.budget.acquire(purpose, self.rank, bytes)?;
        Ok(Claim { claimant: self.clone(), purpose, bytes })
    }

    /// False for the reader.
    pub fn has_turn(&self) -> bool {
        self.rank == Rank::Job(self.budget.turn())
    }

    /// The bytes that temporary files of this claimant may take together.
    pub fn max_disk(&self) -> u64 {
        self.budget.disk.saturating_sub(self.disk_left)
    }
}

/// Bytes that are counted as used until it is dropped.
pub struct Claim {
    claimant: Claimant,
    purpose: Use,
    bytes: u64,
}

impl Claim {
    /// Waits as [`Claimant::claim`] does.
    pub fn grow(&mut self, bytes: u64) -> Result<(), Stopped> {
        let Claimant { budget, rank, .. } = &self.claimant;
        budget.acquire(self.purpose, *rank, bytes)?;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.claimant.budget.release(self.purpose, self.bytes);
    }
}

impl Budget {
    /// At most [`MAX_THREADS`] threads; `disk` in bytes.
    pub fn new(threads: usize, disk: u64) -> Arc<Self> {
        let memory = TOTAL_MEMORY - MEMORY_PER_THREAD * threads as u64;
        Arc::new(Budget { memory, disk, accounts: Mutex::default(), wake: Condvar::new() })
    }

    pub fn claimant(self: &Arc<Self>, rank: Rank) -> Claimant {
        Claimant { budget: Arc::clone(self), rank, disk_left: 0 }
    }

    /// Waits as [`Claimant::claim`] does.
    fn acquire(&self, purpose: Use, rank: Rank, bytes: u64) -> Result<(), Stopped> {
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

    fn release(&self, purpose: Use, bytes: u64) {
        if bytes > 0 {
            let mut accounts = lock(&self.accounts);
            accounts.used[purpose as usize] -= bytes;
            self.grant(&mut accounts);
        }
    }

    pub fn turn(&self) -> u64 {
        lock(&self.accounts).turn
    }

    /// Passes the turn to the next job, and returns its index.
    pub fn next_turn(&self) -> u64 {
        let mut accounts = lock(&self.accounts);
        accounts.turn += 1;
        self.grant(&mut accounts);
        accounts.turn
    }

    /// Wakes all waiting threads, and makes each claim fail from now on.
    pub fn stop(&self) {
        lock(&self.accounts).is_stopped = true;
        self.wake.notify_all();
    }

    /// Gives each waiting claimant, in order, all its bytes or none. If they do not fit, later ones get none for the same use.
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

    /// The limit of the queue is lower for a reader that already waited, so it wakes when a good part is free, not after each job.
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
