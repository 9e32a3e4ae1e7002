//! The budgets of `links`: the bytes of memory and of disk that its stages may use together.
//!
//! A stage that needs bytes makes a [`Claim`], and waits until the bytes fit in the budget. Dropping the claim gives the bytes
//! back. One job at a time has the turn to write its output: the first one whose output is not completely written. This job never
//! waits, so there is always progress. Its bytes are counted too, so that other jobs start nothing large in the meantime.
//!
//! No stage waits forever. Workers take jobs in their order, so the job that has the turn is either in the queue or being done by a
//! worker. When that job ends, the next job gets the turn. So each waiting job gets the turn at some time. The reader waits longer
//! than all jobs that it has queued. When these are done, only the reader has a claim: for the part of a page that it has written
//! to a file. This part is never larger than the budget of disk.
//!
//! These bytes are claimed:
//!
//! - [`Use::Queue`]: the texts and bodies of jobs, from the time when they are read until the jobs are done;
//! - [`Use::Page`]: the most memory that reading a page is expected to take, as its decoded text may be three times as long as its
//!   bytes;
//! - [`Use::Output`]: blocks of output that wait until their job has the turn;
//! - [`Use::Disk`]: temporary files of pages.
//!
//! A few hundred KiB for each thread are not claimed. So the budget of memory is smaller if there are more threads.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{self, Display};
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::lock;

/// A purpose for which bytes of memory or of disk are claimed. Each has a limit of its own.
#[derive(Clone, Copy, PartialEq)]
pub enum Use {
    /// Memory of jobs that are in the queue or being done.
    Queue,
    /// Memory that is needed to read a page.
    Page,
    /// Memory of blocks of output that wait until their job has the turn to write.
    Output,
    /// Disk for temporary files of pages.
    Disk,
}

/// The order in which claimants get bytes that they wait for: jobs by their indexes, then the reader.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The job with this index.
    Job(u64),
    Reader,
}

/// The error of a stage that must end because the command ends early. Nobody needs its results any more.
#[derive(Debug)]
pub struct Stopped;

impl Stopped {
    /// Reports whether an I/O error was converted from a `Stopped`.
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

/// For each [`Use`], the number of bytes that are claimed now. The use as a number is the index.
type Used = [u64; 4];

/// The bytes of memory that claims and threads may take together.
const TOTAL_MEMORY: u64 = 32 << 20;
/// The bytes of [`TOTAL_MEMORY`] that are set aside for each thread, and cannot be claimed.
const MEMORY_PER_THREAD: u64 = 704 << 10;
/// The greatest number of worker threads. With so many, at least 10 MiB of memory can still be claimed.
pub const MAX_THREADS: usize = 32;
const _: () = assert!(MEMORY_PER_THREAD * MAX_THREADS as u64 + (10 << 20) <= TOTAL_MEMORY);

/// The budgets of memory and disk, the index of the job that has the turn to write, and the claims that wait.
pub struct Budget {
    /// The most bytes of memory that claims may take together. A claim of the job that has the turn to write may exceed it, and so
    /// may a job that is larger than the queue.
    memory: u64,
    /// The most bytes of disk that claims may take together. A claim of the job that has the turn to write may exceed it.
    disk: u64,
    accounts: Mutex<Accounts>,
    /// The signal to threads that wait in [`acquire`](Self::acquire): some of them got their bytes, or the stages are stopped.
    wake: Condvar,
}

/// The part of a [`Budget`] that changes.
#[derive(Default)]
struct Accounts {
    /// The bytes that are claimed now, for each use.
    used: Used,
    /// The index of the job that has the turn to write its output.
    turn: u64,
    /// True if the stages are stopped. Then each claim fails.
    is_stopped: bool,
    /// For each waiting claimant, the use and the number of bytes that it waits for. The earliest job comes first, the reader last.
    waiting: BTreeMap<Rank, (Use, u64)>,
}

/// The right of one job, or of the reader, to claim bytes.
#[derive(Clone)]
pub struct Claimant {
    budget: Arc<Budget>,
    rank: Rank,
    /// The number of bytes of disk that this claimant must leave to another file.
    disk_left: u64,
}

impl Claimant {
    /// Returns a claimant that leaves `bytes` of disk to another file, so that the reader never waits for its own.
    pub fn leaving_disk(&self, bytes: u64) -> Self {
        Claimant { disk_left: self.disk_left + bytes, ..self.clone() }
    }

    /// Claims bytes, which are counted as used until the claim is dropped. Before that, waits until they fit in the budget and no
    /// earlier claimant waits for the same use. The job that has the turn to write does not wait. Fails if the stages are stopped.
    pub fn claim(&self, purpose: Use, bytes: u64) -> Result<Claim, Stopped> {
        self.budget.acquire(purpose, self.rank, bytes)?;
        Ok(Claim { claimant: self.clone(), purpose, bytes })
    }

    /// Reports whether the claimant is the job that has the turn to write its output. False for the reader.
    pub fn has_turn(&self) -> bool {
        self.rank == Rank::Job(self.budget.turn())
    }

    /// Returns the most bytes of disk that the temporary files of this claimant may take together.
    pub fn max_disk(&self) -> u64 {
        self.budget.disk.saturating_sub(self.disk_left)
    }
}

/// Bytes that are counted as used. Dropping the claim gives them back.
pub struct Claim {
    claimant: Claimant,
    purpose: Use,
    bytes: u64,
}

impl Claim {
    /// Adds bytes to the claim. Before that, waits until they fit in the budget and no earlier claimant waits for the same use. The
    /// job that has the turn to write does not wait. Fails if the stages are stopped.
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
    /// Returns the budgets for a number of worker threads, at most [`MAX_THREADS`], and for `disk` bytes of disk.
    pub fn new(threads: usize, disk: u64) -> Arc<Self> {
        let memory = TOTAL_MEMORY - MEMORY_PER_THREAD * threads as u64;
        Arc::new(Budget { memory, disk, accounts: Mutex::default(), wake: Condvar::new() })
    }

    /// Returns the claimant with this rank: the reader or a job.
    pub fn claimant(self: &Arc<Self>, rank: Rank) -> Claimant {
        Claimant { budget: Arc::clone(self), rank, disk_left: 0 }
    }

    /// Counts bytes as used, until [`release`](Self::release) gives them back. Before that, waits until they fit in the budget and
    /// no claimant of an earlier rank waits for the same use. Does not wait if `rank` is the job that has the turn to write. Fails
    /// if the stages are stopped.
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

    /// Counts bytes as no longer used. Then gives free bytes to threads that wait.
    fn release(&self, purpose: Use, bytes: u64) {
        if bytes > 0 {
            let mut accounts = lock(&self.accounts);
            accounts.used[purpose as usize] -= bytes;
            self.grant(&mut accounts);
        }
    }

    /// Returns the index of the job that has the turn to write its output.
    pub fn turn(&self) -> u64 {
        lock(&self.accounts).turn
    }

    /// Gives the turn to write to the next job, and returns the index of that job.
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

    /// Gives free bytes to waiting claimants, first to the earliest job. Each gets all bytes that it waits for, or none. If its
    /// bytes do not fit, later claimants get none for the same use. The job that has the turn gets its bytes even if they do not
    /// fit.
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

    /// Reports whether `bytes` more fit: in the limit of the use `purpose` and, for memory, together with the other uses. A job
    /// that is larger than the limit of the queue counts as just that large. `used` has the bytes that are claimed now. `waited` is
    /// true for a claimant that already waits: for the queue, its limit is lower. So the reader wakes only when a good part of the
    /// queue is free, and not after each job.
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
