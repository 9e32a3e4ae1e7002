//! An ordered parallel map: threads do jobs at the same time, and the results are written in the order of the jobs.
//!
//! The thread whose job has the turn writes each block of its results as soon as it is full, from the buffer in which it was made.
//! Blocks of later jobs wait in memory (a reorder buffer). When the job that has the turn is done, its thread also writes the
//! blocks of those next jobs that are done. So no thread only writes, and a block is still in the processor's cache when it is written.

use std::collections::BTreeMap;
use std::io;
use std::iter::Enumerate;
use std::mem::take;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use super::lock::lock;
use super::turns::{Claim, Claimant, Limits, Stopped, Turns, Use};

/// The jobs, in their order. Threads take them one by one.
pub type Jobs<I> = Mutex<Enumerate<I>>;

type Write<'w, B> = dyn FnMut(&mut B) -> io::Result<()> + Send + 'w;

/// The results of all jobs: blocks of type `B`.
pub struct Ordered<'w, B> {
    turns: Arc<Turns>,
    state: Mutex<Progress<B>>,
    /// Signals that a thread has ended, or that the work is stopped.
    ended: Condvar,
    /// Called only for blocks of the job that has the turn.
    write: Mutex<Box<Write<'w, B>>>,
    /// Large blocks that were written.
    spare: Mutex<Vec<B>>,
}

/// The turn itself changes only while this is locked.
struct Progress<B> {
    /// The results of the jobs that are done and do not have the turn yet.
    done: BTreeMap<u64, Vec<(B, Claim)>>,
    threads: usize,
    /// The first error, until it is taken.
    failure: Option<io::Error>,
    is_stopped: bool,
    has_panicked: bool,
}

impl<'w, B> Ordered<'w, B> {
    /// The bytes of a block from which on it is kept.
    const SPARE_LEN: u64 = 64 << 10;
    const MAX_SPARE: usize = 16;

    /// `write` gets the blocks in the order of the jobs, never in two threads at a time, and may change them. Its error stops all.
    pub fn new(limits: Limits, write: impl FnMut(&mut B) -> io::Result<()> + Send + 'w) -> Self {
        let state =
            Progress { done: BTreeMap::new(), threads: 0, failure: None, is_stopped: false, has_panicked: false };
        let (state, write) = (Mutex::new(state), Mutex::new(Box::new(write) as Box<Write<'w, B>>));
        Ordered { turns: Turns::new(limits), state, ended: Condvar::new(), write, spare: Mutex::default() }
    }

    /// Returns the claimant of a thread that only makes jobs.
    pub fn claimant(&self) -> Claimant {
        self.turns.claimant(None)
    }

    /// Does jobs in this thread until there are no more, or the work is stopped. An error of `work` stops it.
    pub fn do_jobs<I: Iterator>(
        &self,
        jobs: &Jobs<I>,
        mut work: impl FnMut(I::Item, &mut JobResults<'_, 'w, B>) -> io::Result<()>,
    ) -> io::Result<()> {
        let next = || lock(jobs).next();
        while let Some((index, job)) = next() {
            let mut results = self.results_of(index);
            work(job, &mut results)?;
            results.finish()?;
        }
        Ok(())
    }

    /// Starts the results of the job with this index. Each job from 0 on must be started by some thread, in this order.
    pub fn results_of(&self, index: usize) -> JobResults<'_, 'w, B> {
        let job = index as u64;
        JobResults { ordered: self, job, claimant: self.turns.claimant(Some(job)), waiting: Vec::new() }
    }

    /// Counts a thread that is about to start; its end must be told by [`end_thread`](Self::end_thread).
    pub fn start_thread(&self) {
        lock(&self.state).threads += 1;
    }

    /// Counts a thread that has ended. An error stops all others, unless these stopped it.
    pub fn end_thread(&self, done: io::Result<()>) {
        done.map_or_else(|error| self.stop(error), drop);
        lock(&self.state).threads -= 1;
        self.ended.notify_all();
    }

    /// Counts a thread that has ended early, which is an error, unless a panic in a job made it end: that is told by its own thread.
    pub fn end_early(&self, error: io::Error) {
        let has_panicked = lock(&self.state).has_panicked;
        self.end_thread(if has_panicked { Ok(()) } else { Err(error) });
    }

    /// Waits until all threads have ended, or the work is stopped. Returns the first error.
    pub fn wait(&self) -> io::Result<()> {
        let is_running = |state: &mut Progress<B>| state.threads > 0 && !state.is_stopped;
        let mut state = self.ended.wait_while(lock(&self.state), is_running).unwrap_or_else(PoisonError::into_inner);
        state.failure.take().map_or(Ok(()), Err)
    }

    /// Ends the work early. The first error is kept.
    pub fn stop(&self, error: io::Error) {
        let mut state = lock(&self.state);
        if !state.is_stopped {
            state.failure = Some(error);
            state.is_stopped = true;
        }
        drop(state);
        self.turns.stop();
        self.ended.notify_all();
    }

    fn write(&self, block: &mut B) -> Result<(), Stopped> {
        let done = lock(&self.write)(block);
        done.map_err(|error| {
            self.stop(error);
            Stopped
        })
    }

    fn write_all(&self, blocks: Vec<(B, Claim)>) -> Result<(), Stopped> {
        for (mut block, claim) in blocks {
            self.write(&mut block)?;
            let mut spare = lock(&self.spare);
            if claim.bytes() >= Self::SPARE_LEN && spare.len() < Self::MAX_SPARE {
                spare.push(block);
            }
        }
        Ok(())
    }

    /// Gives the turn to the next job, and writes the results of those next jobs that are done.
    fn pass_turn(&self) -> Result<(), Stopped> {
        loop {
            let mut state = lock(&self.state);
            let turn = self.turns.pass();
            let Some(blocks) = state.done.remove(&turn) else { return Ok(()) };
            drop(state);
            self.write_all(blocks)?;
        }
    }
}

/// The results of one job, which are made block by block.
pub struct JobResults<'o, 'w, B> {
    ordered: &'o Ordered<'w, B>,
    job: u64,
    pub claimant: Claimant,
    waiting: Vec<(B, Claim)>,
}

impl<B> JobResults<'_, '_, B> {
    /// Writes a block if the job has the turn; the caller can use its buffers again. Otherwise keeps what `keep` returns, the block and its
    /// bytes of memory, and waits until they fit or the job has the turn.
    pub fn add(&mut self, block: &mut B, keep: impl FnOnce(&mut B) -> (B, u64)) -> Result<(), Stopped> {
        if self.claimant.has_turn() {
            self.ordered.write_all(take(&mut self.waiting))?;
            return self.ordered.write(block);
        }
        let (kept, bytes) = keep(block);
        let claim = self.claimant.claim(Use::Results, bytes)?;
        // Most jobs have one block, and any number of jobs wait.
        self.waiting.reserve_exact(1);
        self.waiting.push((kept, claim));
        Ok(())
    }

    /// Returns a large block that was written, for its buffers. One thread makes them and another is done with them: an allocator would give
    /// their memory back to the system, and memory that is new from the system is slow at first use.
    #[must_use]
    pub fn spare_block(&self) -> Option<B> {
        lock(&self.ordered.spare).pop()
    }

    /// Passes the turn. Without it, leaves the blocks to the thread whose job has it.
    pub fn finish(mut self) -> Result<(), Stopped> {
        let blocks = take(&mut self.waiting);
        let mut state = lock(&self.ordered.state);
        if state.is_stopped {
            return Err(Stopped);
        }
        if self.ordered.turns.turn() != self.job {
            state.done.insert(self.job, blocks);
            return Ok(());
        }
        drop(state);
        self.ordered.write_all(blocks)?;
        self.ordered.pass_turn()
    }
}

/// The threads that wait for the turn must not wait for a thread that is no more.
impl<B> Drop for JobResults<'_, '_, B> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.ordered.state).has_panicked = true;
            self.ordered.turns.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Does the jobs `0..count` in threads. Job `n` has the results of `blocks(n)`, each of as many bytes as its text.
    fn texts(
        threads: usize,
        limit: u64,
        count: usize,
        blocks: impl Fn(usize) -> Vec<String> + Sync,
    ) -> io::Result<String> {
        let mut all = String::new();
        let ordered = Ordered::new([limit, 0, 0, 0], |block: &mut String| {
            all.push_str(block);
            if block == "bad" { Err(io::Error::other("disk full")) } else { Ok(()) }
        });
        let jobs = Jobs::new((0..count).enumerate());
        thread::scope(|scope| {
            for _ in 0..threads {
                ordered.start_thread();
                scope.spawn(|| {
                    let done = ordered.do_jobs(&jobs, |job, results| {
                        if job % 7 == 0 {
                            thread::sleep(Duration::from_millis(2));
                        }
                        for mut block in blocks(job) {
                            results.add(&mut block, |block| (take(block), 3))?;
                        }
                        Ok(())
                    });
                    ordered.end_thread(done);
                });
            }
        });
        let done = ordered.wait();
        drop(ordered);
        done.map(|()| all)
    }

    #[test]
    fn results_are_in_the_order_of_the_jobs() {
        let blocks = |job: usize| (0..job % 5).map(|block| format!("{job}.{block} ")).collect::<Vec<_>>();
        let expected: String = (0..100).flat_map(blocks).collect();
        for (threads, limit) in [(1, 0), (3, 0), (3, 7), (8, 1000)] {
            assert_eq!(texts(threads, limit, 100, blocks).unwrap(), expected);
        }
        assert_eq!(texts(2, 0, 0, blocks).unwrap(), "");
    }

    #[test]
    fn an_error_ends_all() {
        let blocks = |job: usize| vec![if job == 30 { "bad".into() } else { String::from("good") }];
        assert_eq!(texts(3, 1000, usize::MAX, blocks).unwrap_err().to_string(), "disk full");
    }

    #[test]
    fn a_panic_ends_all() {
        let blocks = |job: usize| vec![if job == 30 { panic!("wanted by this test") } else { String::from("good") }];
        let done = std::panic::catch_unwind(|| texts(3, 5, usize::MAX, blocks).is_ok());
        assert!(done.is_err());
    }
}
