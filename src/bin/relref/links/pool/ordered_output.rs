//! The output of all jobs, written in the order of the jobs.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex};

use super::block::Block;
use super::budget::{Budget, Claim, Stopped};
use super::lock;

/// A block that waits for the turn of its job, and the claim of its memory.
pub type WaitingBlock = (Block, Claim);

/// A function that writes a block.
type WriteBlock = dyn Fn(&mut Block) -> io::Result<()> + Send + Sync;

/// The output of all jobs. One job at a time has the turn to write: the earliest that is not complete.
pub struct OrderedOutput {
    pub budget: Arc<Budget>,
    state: Mutex<OutputState>,
    /// The signal that all jobs are written, or that the stages are stopped.
    over: Condvar,
    /// The function that writes a block. It is called only for the job that has the turn.
    write: Box<WriteBlock>,
    /// Buffers for texts of blocks, kept for reuse.
    buffers: Mutex<Vec<Vec<u8>>>,
}

/// The state of the output of all jobs.
#[derive(Default)]
struct OutputState {
    /// The number of jobs; `None` until the reader has ended.
    jobs: Option<u64>,
    /// The blocks of complete jobs whose turn has not come, by the numbers of the jobs.
    complete: BTreeMap<u64, Vec<WaitingBlock>>,
    /// The first error that stopped the stages.
    failure: Option<io::Error>,
    /// True if the stages are stopped.
    is_stopped: bool,
}

impl OrderedOutput {
    /// The capacity of a buffer in bytes. From a greater size on, often 128 KiB, allocators get memory from the system for each
    /// buffer.
    pub const BUFFER: usize = 120 << 10;
    /// The most buffers that are kept for reuse.
    const KEPT_BUFFERS: usize = 64;

    /// Returns the output before the first job. `write` writes a block.
    pub fn new(budget: Arc<Budget>, write: impl Fn(&mut Block) -> io::Result<()> + Send + Sync + 'static) -> Self {
        OrderedOutput {
            budget,
            state: Mutex::default(),
            over: Condvar::new(),
            write: Box::new(write),
            buffers: Mutex::default(),
        }
    }

    /// Writes a block of the job that has the turn. An error stops all stages.
    pub fn write(&self, block: &mut Block) -> Result<(), Stopped> {
        (self.write)(block).map_err(|error| self.stop(error))
    }

    /// Writes blocks of the job that has the turn, in their order, and gives their memory back. The list is then empty.
    pub fn write_all(&self, blocks: &mut Vec<WaitingBlock>) -> Result<(), Stopped> {
        for (mut block, _claim) in blocks.drain(..) {
            self.write(&mut block)?;
            let [text, _] = block.texts;
            self.keep(text);
        }
        Ok(())
    }

    /// Leaves the blocks of a complete job to the job that has the turn. If the complete job itself has the turn by now, returns
    /// the blocks, which the caller must write.
    pub fn leave(&self, job: u64, blocks: Vec<WaitingBlock>) -> Option<Vec<WaitingBlock>> {
        let mut state = lock(&self.state);
        // The turn changes only while the state is locked.
        if self.budget.turn() == job {
            return Some(blocks);
        }
        state.complete.insert(job, blocks);
        None
    }

    /// Passes the turn to the next job. If that job is already complete, writes its blocks and passes the turn on, too, up to the
    /// first job that is not complete.
    pub fn pass_turn(&self) -> Result<(), Stopped> {
        loop {
            let mut state = lock(&self.state);
            let turn = self.budget.next_turn();
            let Some(mut blocks) = state.complete.remove(&turn) else {
                if self.is_over(&state) {
                    self.over.notify_all();
                }
                return Ok(());
            };
            drop(state);
            self.write_all(&mut blocks)?;
        }
    }

    /// Sets the number of jobs. Must be called when all jobs are queued.
    pub fn set_jobs(&self, jobs: u64) {
        lock(&self.state).jobs = Some(jobs);
        self.over.notify_all();
    }

    /// Stops all stages because of an error. If they are already stopped, the first error is kept.
    pub fn stop(&self, error: io::Error) -> Stopped {
        let mut state = lock(&self.state);
        if !state.is_stopped {
            state.failure = Some(error);
            state.is_stopped = true;
        }
        drop(state);
        self.budget.stop();
        self.over.notify_all();
        Stopped
    }

    /// Waits until all jobs are written or the stages are stopped.
    pub fn wait(&self) {
        drop(self.over.wait_while(lock(&self.state), |state| !self.is_over(state)));
    }

    /// Takes the error that stopped the stages. Returns `None` if they were not stopped.
    pub fn take_failure(&self) -> Option<io::Error> {
        lock(&self.state).failure.take()
    }

    /// Reports whether all jobs are written, or the stages are stopped.
    fn is_over(&self, state: &OutputState) -> bool {
        state.is_stopped || state.jobs == Some(self.budget.turn())
    }

    /// Returns an empty buffer, one that was kept if there is one.
    ///
    /// Buffers are kept because one thread allocates them and another frees them. The allocator would then give their memory back
    /// to the system, and new memory from the system costs a page fault for each 4 KiB.
    pub fn buffer(&self) -> Vec<u8> {
        lock(&self.buffers).pop().unwrap_or_else(|| Vec::with_capacity(Self::BUFFER))
    }

    /// Keeps a buffer for reuse. Drops it if its capacity is unusual, or if enough buffers are kept.
    fn keep(&self, mut buffer: Vec<u8>) {
        if (Self::BUFFER..2 * Self::BUFFER).contains(&buffer.capacity()) {
            let mut buffers = lock(&self.buffers);
            if buffers.len() < Self::KEPT_BUFFERS {
                buffer.clear();
                buffers.push(buffer);
            }
        }
    }
}
