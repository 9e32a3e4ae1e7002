//! The budgets: the bytes of memory that queued items, pages that are being read and output that waits may take together; and
//! the bytes of disk that temporary files of pages may take.
//!
//! Whoever needs bytes waits until they fit. The job whose turn it is to be written never waits: so one job always makes
//! progress, and what it holds comes back. What it takes is counted too, so the others start nothing large in the meantime.
//!
//! Nobody waits for ever. Workers take jobs in their order, so the job that has its turn is either queued or being read; it
//! ends, and all that it holds is given back. So the turn comes to every job that waits. The reader waits last of all, after
//! all jobs that it queued, each of which it queued as soon as it was read. Once these are done, all that is still taken is
//! what the reader itself holds: the part of one page that it has written to a file, which is never larger than the disk.
//!
//! Counted are the texts and bodies of items from when they are read until their jobs are done ([`Use::Queue`]); an estimate of
//! the most that reading a page can take, whose text may be three times as long as its bytes ([`Use::Page`]); and blocks of
//! output and problems until they are written ([`Use::Output`]). Not counted are a few hundred KiB for each thread, for which
//! the budget is smaller the more threads there are, and the one page that is read in its turn.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::pool::Gone;

/// A use of memory, or of the disk.
#[derive(Clone, Copy, PartialEq)]
pub enum Use {
    Queue,
    Page,
    Output,
    Disk,
}

/// The bytes taken for each use.
type Used = [u64; 4];

/// The bytes that all uses may take together if there were no threads.
const TOTAL: u64 = 32 << 20;
/// The bytes less for each thread.
const THREAD: u64 = 704 << 10;
/// The most threads that a run may have: they leave 10 MiB of memory.
pub const MOST_THREADS: usize = 32;
const _: () = assert!(THREAD * MOST_THREADS as u64 + (10 << 20) <= TOTAL);
/// The number under which the reader waits, after all jobs.
pub const READER: u64 = u64::MAX;

pub struct Budget {
    /// The bytes of memory that all uses may take together.
    memory: u64,
    /// The bytes of disk that temporary files may take together.
    pub disk: u64,
    state: Mutex<State>,
    /// The number of the job that is being written.
    turn: AtomicU64,
}

#[derive(Default)]
struct State {
    used: Used,
    turn: u64,
    is_stopped: bool,
    /// Who waits, by the number of the job.
    waiting: BTreeMap<u64, Waiting>,
}

struct Waiting {
    kind: Use,
    bytes: u64,
    wake: Arc<Condvar>,
}

impl Budget {
    /// Returns the budgets of a run with a number of workers, at most [`MOST_THREADS`], and with bytes of disk.
    pub fn new(threads: usize, disk: u64) -> Self {
        let memory = TOTAL - THREAD * threads as u64;
        Budget { memory, disk, state: Mutex::default(), turn: AtomicU64::new(0) }
    }

    /// Takes bytes for a job, once they fit or its turn has come.
    pub fn take(&self, kind: Use, job: u64, bytes: u64) -> Result<(), Gone> {
        let mut state = self.lock();
        // Whoever comes later does not take what an earlier job waits for.
        let is_first = !state.waiting.range(..job).any(|(_, waiting)| waiting.kind == kind);
        if job == state.turn || (is_first && self.fits(&state.used, kind, bytes, false)) {
            state.used[kind as usize] += bytes;
        } else {
            let wake = Arc::new(Condvar::new());
            state.waiting.insert(job, Waiting { kind, bytes, wake: Arc::clone(&wake) });
            let is_waiting = |state: &mut State| state.waiting.contains_key(&job) && !state.is_stopped;
            state = wake.wait_while(state, is_waiting).unwrap_or_else(PoisonError::into_inner);
        }
        if state.is_stopped { Err(Gone) } else { Ok(()) }
    }

    /// Gives bytes back.
    pub fn free(&self, kind: Use, bytes: u64) {
        if bytes > 0 {
            let mut state = self.lock();
            state.used[kind as usize] -= bytes;
            self.grant(&mut state);
        }
    }

    /// Reports whether a job is the one that is being written.
    pub fn is_turn(&self, job: u64) -> bool {
        self.turn.load(Ordering::Acquire) == job
    }

    /// Says which job is the one that is being written.
    pub fn set_turn(&self, job: u64) {
        let mut state = self.lock();
        state.turn = job;
        self.turn.store(job, Ordering::Release);
        self.grant(&mut state);
    }

    /// Wakes all who wait; from now on each call of `take` fails.
    pub fn stop(&self) {
        let mut state = self.lock();
        state.is_stopped = true;
        state.waiting.values().for_each(|waiting| waiting.wake.notify_one());
    }

    /// Gives bytes to those who wait, the earliest job first, and wakes only them.
    fn grant(&self, state: &mut State) {
        let State { used, turn, waiting, .. } = state;
        let mut is_full = [false; 4];
        waiting.retain(|job, Waiting { kind, bytes, wake }| {
            let of = *kind as usize;
            let fits = job == turn || !is_full[of] && self.fits(used, *kind, *bytes, true);
            if fits {
                used[of] += *bytes;
                wake.notify_one();
            }
            is_full[of] |= !fits;
            !fits
        });
    }

    /// Reports whether bytes fit. `waited` makes the reader wait until a good part of the queue is free, so that it is not
    /// woken for each item.
    fn fits(&self, used: &Used, kind: Use, bytes: u64, waited: bool) -> bool {
        let most = match kind {
            Use::Queue if waited => self.memory / 4,
            Use::Queue => self.memory / 3,
            Use::Output => self.memory / 2,
            Use::Page => self.memory,
            Use::Disk => self.disk,
        };
        // An item that is larger than the queue still has to go through; a page that is larger waits for its turn.
        let bytes = if kind == Use::Queue { bytes.min(most) } else { bytes };
        let fits = used[kind as usize].saturating_add(bytes) <= most;
        let memory: u64 = [Use::Queue, Use::Page, Use::Output].map(|kind| used[kind as usize]).iter().sum();
        fits && (kind == Use::Disk || memory + bytes <= self.memory)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;
    use std::time::Duration;

    use super::*;

    impl Budget {
        /// Takes bytes if they fit; reports whether they did.
        fn try_take(&self, kind: Use, bytes: u64) -> bool {
            let mut state = self.lock();
            let fits = self.fits(&state.used, kind, bytes, false);
            state.used[kind as usize] += if fits { bytes } else { 0 };
            fits
        }
    }

    /// Starts threads that each take so many bytes, one after the other; tells who got them.
    fn waiting(budget: &Arc<Budget>, wanted: &[(Use, u64, u64)]) -> Receiver<(u64, bool)> {
        let (told, got) = channel();
        for &(kind, job, bytes) in wanted {
            let (budget, told) = (Arc::clone(budget), told.clone());
            let before = budget.lock().waiting.len();
            let own = Arc::clone(&budget);
            thread::spawn(move || told.send((job, own.take(kind, job, bytes).is_ok())));
            while budget.lock().waiting.len() == before {
                thread::yield_now();
            }
        }
        got
    }

    fn nobody(got: &Receiver<(u64, bool)>) -> bool {
        got.recv_timeout(Duration::from_millis(20)).is_err()
    }

    #[test]
    fn earlier_batches_come_first() {
        let budget = Arc::new(Budget::new(8, 1000));
        let all = budget.memory;
        assert!(budget.try_take(Use::Page, all) && !budget.try_take(Use::Page, 1));
        let got = waiting(&budget, &[7, 5, 6].map(|job| (Use::Page, job, all / 2)));
        assert!(nobody(&got));
        budget.free(Use::Page, all / 2);
        assert_eq!(got.recv(), Ok((5, true)));
        assert!(nobody(&got));
        // Whose turn it is does not wait, and its bytes count.
        budget.set_turn(7);
        assert_eq!(got.recv(), Ok((7, true)));
        budget.free(Use::Page, all / 2);
        assert!(nobody(&got));
        budget.free(Use::Page, all / 2);
        assert_eq!(got.recv(), Ok((6, true)));
        budget.free(Use::Page, all);
        assert_eq!(budget.lock().used, [0; 4]);
    }

    #[test]
    fn no_use_takes_all_of_it_but_pages() {
        let budget = Budget::new(1, 1000);
        assert!(budget.try_take(Use::Queue, budget.memory / 3) && !budget.try_take(Use::Queue, 1));
        assert!(budget.try_take(Use::Output, budget.memory / 2) && !budget.try_take(Use::Output, 1));
        assert!(budget.try_take(Use::Page, budget.memory / 6));
        // An item that is larger than the queue still fits once it is empty; a page is not.
        budget.free(Use::Queue, budget.memory / 3);
        budget.free(Use::Output, budget.memory / 2);
        budget.free(Use::Page, budget.memory / 6);
        assert!(!budget.try_take(Use::Page, budget.memory + 1) && budget.try_take(Use::Queue, budget.memory));
    }

    #[test]
    fn stopping_wakes_all() {
        let budget = Arc::new(Budget::new(8, 1000));
        assert!(budget.try_take(Use::Page, budget.memory));
        let got = waiting(&budget, &[(Use::Page, READER, 9), (Use::Disk, 2, 1001)]);
        budget.stop();
        let mut both = [got.recv().unwrap(), got.recv().unwrap()];
        both.sort_unstable();
        assert_eq!(both, [(2, false), (READER, false)]);
        assert!(budget.take(Use::Page, 0, 1).is_err());
    }

    #[test]
    fn threads_take_from_it() {
        let memory = [1, 4, MOST_THREADS].map(|threads| Budget::new(threads, 0).memory >> 10);
        assert_eq!(memory, [(32 << 10) - 704, (32 << 10) - 4 * 704, 10 << 10]);
        let budget = Budget::new(MOST_THREADS, 0);
        let (third, rest) = ((10 << 20) / 3, (10 << 20) - (10 << 20) / 3);
        assert!(!budget.try_take(Use::Output, (5 << 20) + 1));
        assert!(budget.try_take(Use::Queue, third) && !budget.try_take(Use::Queue, 1));
        assert!(budget.try_take(Use::Output, 5 << 20) && !budget.try_take(Use::Page, rest));
        assert!(budget.try_take(Use::Page, rest - (5 << 20)) && !budget.try_take(Use::Page, 1));
    }

    #[test]
    fn the_disk_is_waited_for() {
        let budget = Arc::new(Budget::new(8, 1000));
        assert!(budget.try_take(Use::Page, budget.memory));
        assert!(budget.try_take(Use::Disk, 600) && !budget.try_take(Use::Disk, 401));
        let got = waiting(&budget, &[(Use::Disk, READER, 600), (Use::Disk, 4, 500), (Use::Disk, 3, 600)]);
        assert!(nobody(&got));
        // The job that has its turn may take more than there is.
        budget.set_turn(4);
        assert_eq!(got.recv(), Ok((4, true)));
        assert!(budget.take(Use::Disk, 4, 1).is_ok());
        budget.free(Use::Disk, 501);
        assert!(nobody(&got));
        budget.free(Use::Disk, 600);
        assert_eq!(got.recv(), Ok((3, true)));
        assert!(nobody(&got));
        budget.free(Use::Disk, 600);
        assert_eq!(got.recv(), Ok((READER, true)));
    }
}
