//! Tests of the budgets.

use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::Rank::{Job, Reader};
use super::*;

impl Budget {
    /// Counts bytes as used if they fit now, and reports whether they fit. Never waits.
    fn try_acquire(&self, purpose: Use, bytes: u64) -> bool {
        let mut state = lock(&self.accounts);
        let fits = self.fits(&state.used, purpose, bytes, false);
        state.used[purpose as usize] += if fits { bytes } else { 0 };
        fits
    }

    /// Gives the turn to write to the job with this index.
    fn set_turn(&self, job: u64) {
        let mut state = lock(&self.accounts);
        state.turn = job;
        self.grant(&mut state);
    }
}

/// For each of `wanted`, starts a thread that acquires the bytes, and waits until that thread waits: no bytes may fit at once. When
/// a thread stops waiting, it sends its rank, and true if it got its bytes. False means that the budget was stopped.
fn start(budget: &Arc<Budget>, wanted: &[(Use, Rank, u64)]) -> Receiver<(Rank, bool)> {
    let (sender, receiver) = channel();
    for &(purpose, rank, bytes) in wanted {
        let (budget, sender) = (Arc::clone(budget), sender.clone());
        let before = lock(&budget.accounts).waiting.len();
        let own = Arc::clone(&budget);
        thread::spawn(move || sender.send((rank, own.acquire(purpose, rank, bytes).is_ok())));
        while lock(&budget.accounts).waiting.len() == before {
            thread::yield_now();
        }
    }
    receiver
}

/// Waits until the next thread gets its bytes. Returns the index of its job, or `None` if it is the reader. Panics if the budget
/// was stopped.
fn next(receiver: &Receiver<(Rank, bool)>) -> Option<u64> {
    match receiver.recv() {
        Ok((Job(index), true)) => Some(index),
        Ok((Reader, true)) => None,
        _ => panic!("stopped"),
    }
}

fn all_wait(receiver: &Receiver<(Rank, bool)>) -> bool {
    receiver.recv_timeout(Duration::from_millis(20)).is_err()
}

#[test]
fn earlier_jobs_come_first() {
    let budget = Budget::new(8, 1000);
    let all = budget.memory;
    assert!(budget.try_acquire(Use::Page, all) && !budget.try_acquire(Use::Page, 1));
    let got = start(&budget, &[7, 5, 6].map(|job| (Use::Page, Job(job), all / 2)));
    assert!(all_wait(&got));
    budget.release(Use::Page, all / 2);
    assert_eq!(next(&got), Some(5));
    assert!(all_wait(&got));
    // The job that has the turn does not wait, and its bytes are counted.
    budget.set_turn(7);
    assert_eq!(next(&got), Some(7));
    budget.release(Use::Page, all / 2);
    assert!(all_wait(&got));
    budget.release(Use::Page, all / 2);
    assert_eq!(next(&got), Some(6));
    budget.release(Use::Page, all);
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
    assert!(budget.try_acquire(Use::Queue, budget.memory / 3) && !budget.try_acquire(Use::Queue, 1));
    assert!(budget.try_acquire(Use::Output, budget.memory / 2) && !budget.try_acquire(Use::Output, 1));
    assert!(budget.try_acquire(Use::Page, budget.memory / 6));
    // A job that is larger than the queue fits when the queue is empty; a larger page does not.
    budget.release(Use::Queue, budget.memory / 3);
    budget.release(Use::Output, budget.memory / 2);
    budget.release(Use::Page, budget.memory / 6);
    assert!(!budget.try_acquire(Use::Page, budget.memory + 1) && budget.try_acquire(Use::Queue, budget.memory));
}

#[test]
fn stopping_wakes_all() {
    let budget = Budget::new(8, 1000);
    assert!(budget.try_acquire(Use::Page, budget.memory));
    let got = start(&budget, &[(Use::Page, Reader, 9), (Use::Disk, Job(2), 1001)]);
    budget.stop();
    assert!([got.recv().unwrap(), got.recv().unwrap()].iter().all(|(_, got)| !got));
    assert!(budget.acquire(Use::Page, Job(0), 1).is_err());
}

#[test]
fn each_thread_makes_the_memory_smaller() {
    let memory = [1, 4, MAX_THREADS].map(|threads| Budget::new(threads, 0).memory >> 10);
    assert_eq!(memory, [(32 << 10) - 704, (32 << 10) - 4 * 704, 10 << 10]);
    let budget = Budget::new(MAX_THREADS, 0);
    let (third, rest) = ((10 << 20) / 3, (10 << 20) - (10 << 20) / 3);
    assert!(!budget.try_acquire(Use::Output, (5 << 20) + 1));
    assert!(budget.try_acquire(Use::Queue, third) && !budget.try_acquire(Use::Queue, 1));
    assert!(budget.try_acquire(Use::Output, 5 << 20) && !budget.try_acquire(Use::Page, rest));
    assert!(budget.try_acquire(Use::Page, rest - (5 << 20)) && !budget.try_acquire(Use::Page, 1));
}

#[test]
fn disk_has_a_budget_of_its_own() {
    let budget = Budget::new(8, 1000);
    assert!(budget.try_acquire(Use::Page, budget.memory));
    assert!(budget.try_acquire(Use::Disk, 600) && !budget.try_acquire(Use::Disk, 401));
    let got = start(&budget, &[(Use::Disk, Reader, 600), (Use::Disk, Job(4), 500), (Use::Disk, Job(3), 600)]);
    assert!(all_wait(&got));
    // The job that has the turn may take more than there is.
    budget.set_turn(4);
    assert_eq!(next(&got), Some(4));
    assert!(budget.acquire(Use::Disk, Job(4), 1).is_ok());
    budget.release(Use::Disk, 501);
    assert!(all_wait(&got));
    budget.release(Use::Disk, 600);
    assert_eq!(next(&got), Some(3));
    assert!(all_wait(&got));
    budget.release(Use::Disk, 600);
    assert_eq!(next(&got), None);
}
