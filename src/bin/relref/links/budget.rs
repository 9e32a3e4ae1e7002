//! The memory budget: the bytes that queued items, pages that are being read and output that waits may take together.
//!
//! Whoever needs memory waits until it fits. The job whose turn it is to be written never waits: so something always goes on,
//! and what it holds comes back. What it takes is counted too, so the others start nothing large in the meantime.
//!
//! Counted are the texts and bodies of items from when they are read until their jobs are done ([`Use::Queue`]); an estimate of
//! the most that reading a page can take, whose text may be three times as long as its bytes ([`Use::Page`]); and blocks of
//! output and problems until they are written ([`Use::Output`]). Not counted are a few hundred KiB for each thread, for which
//! the budget is smaller the more threads there are, and the one page that is read in its turn.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::pool::Gone;

/// What memory is for.
#[derive(Clone, Copy, PartialEq)]
pub enum Use {
    Queue,
    Page,
    Output,
}

/// The bytes that all uses may take together if there were no threads.
const TOTAL: usize = 32 << 20;
/// The bytes less for each thread.
const THREAD: usize = 704 << 10;
/// As many threads are counted: more are not started.
const MOST_THREADS: usize = 32;
/// The number under which the reader waits, after all jobs.
pub const READER: u64 = u64::MAX;

pub struct Budget {
    total: usize,
    state: Mutex<State>,
    /// The number of the job that is being written.
    turn: AtomicU64,
}

#[derive(Default)]
struct State {
    /// The bytes taken for each use.
    used: [usize; 3],
    turn: u64,
    is_stopped: bool,
    /// Who waits, by the number of the job.
    waiting: BTreeMap<u64, Waiting>,
}

struct Waiting {
    kind: Use,
    bytes: usize,
    wake: Arc<Condvar>,
}

impl Budget {
    /// A budget for so many workers.
    pub fn new(threads: usize) -> Self {
        let total = TOTAL - THREAD * threads.min(MOST_THREADS);
        Budget { total, state: Mutex::default(), turn: AtomicU64::new(0) }
    }

    /// Takes bytes for a job, once they fit or its turn has come.
    pub fn take(&self, kind: Use, job: u64, bytes: usize) -> Result<(), Gone> {
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
    pub fn free(&self, kind: Use, bytes: usize) {
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

    /// Wakes all who wait; from now on everybody is told to end.
    pub fn stop(&self) {
        let mut state = self.lock();
        state.is_stopped = true;
        state.waiting.values().for_each(|waiting| waiting.wake.notify_one());
    }

    /// Gives bytes to those who wait, the earliest job first, and wakes only them.
    fn grant(&self, state: &mut State) {
        let State { used, turn, waiting, .. } = state;
        let mut is_full = [false; 3];
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
    fn fits(&self, used: &[usize; 3], kind: Use, bytes: usize, waited: bool) -> bool {
        let most = match kind {
            Use::Queue if waited => self.total / 4,
            Use::Queue => self.total / 3,
            Use::Output => self.total / 2,
            Use::Page => self.total,
        };
        // An item that is larger than the queue still has to go through; a page that is larger waits for its turn.
        let bytes = if kind == Use::Queue { bytes.min(most) } else { bytes };
        used[kind as usize] + bytes <= most && used.iter().sum::<usize>() + bytes <= self.total
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
        fn try_take(&self, kind: Use, bytes: usize) -> bool {
            let mut state = self.lock();
            let fits = self.fits(&state.used, kind, bytes, false);
            state.used[kind as usize] += if fits { bytes } else { 0 };
            fits
        }
    }

    /// Starts threads that each take so many bytes, one after the other; tells who got them.
    fn waiting(budget: &Arc<Budget>, wanted: &[(u64, usize)]) -> Receiver<(u64, bool)> {
        let (told, got) = channel();
        for &(job, bytes) in wanted {
            let (budget, told) = (Arc::clone(budget), told.clone());
            let before = budget.lock().waiting.len();
            let own = Arc::clone(&budget);
            thread::spawn(move || told.send((job, own.take(Use::Page, job, bytes).is_ok())));
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
        let budget = Arc::new(Budget::new(8));
        let all = budget.total;
        assert!(budget.try_take(Use::Page, all) && !budget.try_take(Use::Page, 1));
        let got = waiting(&budget, &[(7, all / 2), (5, all / 2), (6, all / 2)]);
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
        assert_eq!(budget.lock().used, [0; 3]);
    }

    #[test]
    fn no_use_takes_all_of_it_but_pages() {
        let budget = Budget::new(1);
        assert!(budget.try_take(Use::Queue, budget.total / 3) && !budget.try_take(Use::Queue, 1));
        assert!(budget.try_take(Use::Output, budget.total / 2) && !budget.try_take(Use::Output, 1));
        assert!(budget.try_take(Use::Page, budget.total / 6));
        // An item that is larger than the queue still fits once it is empty; a page is not.
        budget.free(Use::Queue, budget.total / 3);
        budget.free(Use::Output, budget.total / 2);
        budget.free(Use::Page, budget.total / 6);
        assert!(!budget.try_take(Use::Page, budget.total + 1) && budget.try_take(Use::Queue, budget.total));
    }

    #[test]
    fn stopping_wakes_all() {
        let budget = Arc::new(Budget::new(8));
        assert!(budget.try_take(Use::Page, budget.total));
        let got = waiting(&budget, &[(READER, 9), (2, 9)]);
        budget.stop();
        let mut both = [got.recv().unwrap(), got.recv().unwrap()];
        both.sort_unstable();
        assert_eq!(both, [(2, false), (READER, false)]);
        assert!(budget.take(Use::Page, 0, 1).is_err());
    }
}
