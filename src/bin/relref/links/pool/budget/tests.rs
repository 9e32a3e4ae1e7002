//! Tests of the budgets.

use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::Rank::{Job, Reader};
use super::*;

impl Budget {
    /// Takes bytes if they fit, and reports whether they did.
    fn try_take(&self, purpose: Use, bytes: u64) -> bool {
        let mut state = lock(&self.accounts);
        let fits = self.fits(&state.used, purpose, bytes, false);
        state.used[purpose as usize] += if fits { bytes } else { 0 };
        fits
    }

    /// Gives the turn to a job.
    fn set_turn(&self, job: u64) {
        let mut state = lock(&self.accounts);
        state.turn = job;
        self.grant(&mut state);
    }
}

/// Starts threads that each take bytes, one thread after the other. Each sends its rank when it has got its bytes, with true, or
/// after the stop, with false.
fn start(budget: &Arc<Budget>, wanted: &[(Use, Rank, u64)]) -> Receiver<(Rank, bool)> {
    let (sender, receiver) = channel();
    for &(purpose, place, bytes) in wanted {
        let (budget, sender) = (Arc::clone(budget), sender.clone());
        let before = lock(&budget.accounts).waiting.len();
        let own = Arc::clone(&budget);
        thread::spawn(move || sender.send((place, own.take(purpose, place, bytes).is_ok())));
        while lock(&budget.accounts).waiting.len() == before {
            thread::yield_now();
        }
    }
    receiver
}

/// Returns the number of the job that gets its bytes next, or `None` if it is the reader.
fn next(receiver: &Receiver<(Rank, bool)>) -> Option<u64> {
    match receiver.recv() {
        Ok((Job(number), true)) => Some(number),
        Ok((Reader, true)) => None,
        _ => panic!("stopped"),
    }
}

/// Reports whether no thread gets its bytes for 20 ms.
fn all_wait(receiver: &Receiver<(Rank, bool)>) -> bool {
    receiver.recv_timeout(Duration::from_millis(20)).is_err()
}

#[test]
fn earlier_jobs_come_first() {
    let budget = Budget::new(8, 1000);
    let all = budget.memory;
    assert!(budget.try_take(Use::Page, all) && !budget.try_take(Use::Page, 1));
    let got = start(&budget, &[7, 5, 6].map(|job| (Use::Page, Job(job), all / 2)));
    assert!(all_wait(&got));
    budget.free(Use::Page, all / 2);
    assert_eq!(next(&got), Some(5));
    assert!(all_wait(&got));
    // The job that has the turn does not wait, and its bytes are counted.
    budget.set_turn(7);
    assert_eq!(next(&got), Some(7));
    budget.free(Use::Page, all / 2);
    assert!(all_wait(&got));
    budget.free(Use::Page, all / 2);
    assert_eq!(next(&got), Some(6));
    budget.free(Use::Page, all);
    assert_eq!(lock(&budget.accounts).used, [0; 4]);
}

#[test]
fn claims_give_their_bytes_back() {
    let budget = Budget::new(1, 1000);
    let mut claim = budget.claimant(Job(3)).claim(Use::Page, 5).unwrap();
    claim.grow(6).unwrap();
    let reader = budget.claimant(Reader);
    let file = reader.claim(Use::Disk, reader.max_disk()).unwrap();
    assert_eq!(lock(&budget.accounts).used, [0, 11, 0, 1000]);
    drop((claim, file));
    assert_eq!(lock(&budget.accounts).used, [0; 4]);
}

#[test]
fn only_pages_may_take_all_memory() {
    let budget = Budget::new(1, 1000);
    assert!(budget.try_take(Use::Queue, budget.memory / 3) && !budget.try_take(Use::Queue, 1));
    assert!(budget.try_take(Use::Output, budget.memory / 2) && !budget.try_take(Use::Output, 1));
    assert!(budget.try_take(Use::Page, budget.memory / 6));
    // A job that is larger than the queue fits when the queue is empty; a larger page does not.
    budget.free(Use::Queue, budget.memory / 3);
    budget.free(Use::Output, budget.memory / 2);
    budget.free(Use::Page, budget.memory / 6);
    assert!(!budget.try_take(Use::Page, budget.memory + 1) && budget.try_take(Use::Queue, budget.memory));
}

#[test]
fn stopping_wakes_all() {
    let budget = Budget::new(8, 1000);
    assert!(budget.try_take(Use::Page, budget.memory));
    let got = start(&budget, &[(Use::Page, Reader, 9), (Use::Disk, Job(2), 1001)]);
    budget.stop();
    assert!([got.recv().unwrap(), got.recv().unwrap()].iter().all(|(_, got)| !got));
    assert!(budget.take(Use::Page, Job(0), 1).is_err());
}

#[test]
fn each_thread_makes_the_memory_smaller() {
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
fn disk_has_a_budget_of_its_own() {
    let budget = Budget::new(8, 1000);
    assert!(budget.try_take(Use::Page, budget.memory));
    assert!(budget.try_take(Use::Disk, 600) && !budget.try_take(Use::Disk, 401));
    let got = start(&budget, &[(Use::Disk, Reader, 600), (Use::Disk, Job(4), 500), (Use::Disk, Job(3), 600)]);
    assert!(all_wait(&got));
    // The job that has the turn may take more than there is.
    budget.set_turn(4);
    assert_eq!(next(&got), Some(4));
    assert!(budget.take(Use::Disk, Job(4), 1).is_ok());
    budget.free(Use::Disk, 501);
    assert!(all_wait(&got));
    budget.free(Use::Disk, 600);
    assert_eq!(next(&got), Some(3));
    assert!(all_wait(&got));
    budget.free(Use::Disk, 600);
    assert_eq!(next(&got), None);
}
