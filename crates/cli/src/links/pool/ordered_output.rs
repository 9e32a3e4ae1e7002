//! The output of all jobs, which is written in the order of the jobs.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex};

use super::block::Block;
use super::budget::{Budget, Claim, Stopped};
use super::lock;

/// A block that is not written yet because its job does not have the turn to write, and the claim of the memory that the block
/// takes.
pub type WaitingBlock = (Block, Claim);

/// A function that writes the lines of a block to the outputs of the command, and reports its problems. It may change the block.
type WriteBlock = dyn Fn(&mut Block) -> io::Result<()> + Send + Sync;

/// The output of all jobs. One job at a time has the turn to write: the first one whose output is not completely written.
pub struct OrderedOutput {
    pub budget: Arc<Budget>,
    state: Mutex<OutputState>,
    /// The signal that all jobs are written, or that the stages are stopped.
    over: Condvar,
    /// The function that writes a block. It is called only for blocks of the job that has the turn to write.
    write: Box<WriteBlock>,
    /// Empty buffers, which are kept for the text of the lines of links in later blocks.
    buffers: Mutex<Vec<Vec<u8>>>,
}

/// The part of an [`OrderedOutput`] that workers share: the blocks that wait, and the end of the jobs. The turn to write is in the
/// budget, and changes only while this is locked.
#[derive(Default)]
struct OutputState {
    /// The number of all jobs. `None` until the reader has queued the last one.
    job_count: Option<u64>,
    /// The blocks of jobs that are done but do not have the turn to write, by the indexes of the jobs.
    waiting: BTreeMap<u64, Vec<WaitingBlock>>,
    /// The error that stopped the stages. Later errors are dropped. `None` if they are not stopped, and once the error is taken.
    failure: Option<io::Error>,
    /// True if the stages are stopped.
    is_stopped: bool,
}

impl OrderedOutput {
    /// The capacity in bytes of a new buffer. Allocators get a buffer directly from the system if it is larger, often if it has 128
    /// KiB.
    pub const BUFFER_LEN: usize = 120 << 10;
    /// The greatest number of buffers that are kept for reuse.
    const MAX_KEPT_BUFFERS: usize = 64;

    /// Returns the output before the first job. `write` writes a block to the outputs of the command.
    pub fn new(budget: Arc<Budget>, write: impl Fn(&mut Block) -> io::Result<()> + Send + Sync + 'static) -> Self {
        OrderedOutput {
            budget,
            state: Mutex::default(),
            over: Condvar::new(),
            write: Box::new(write),
            buffers: Mutex::default(),
        }
    }

    /// Writes a block of the job that has the turn to write. An error stops all stages.
    pub fn write(&self, block: &mut Block) -> Result<(), Stopped> {
        (self.write)(block).map_err(|error| self.stop(error))
    }

    /// Writes waiting blocks of the job that has the turn to write, in their order, and gives their memory back. The list is then
    /// empty. An error stops all stages.
    pub fn write_all(&self, blocks: &mut Vec<WaitingBlock>) -> Result<(), Stopped> {
        for (mut block, _claim) in blocks.drain(..) {
            self.write(&mut block)?;
            let [text, _] = block.texts;
            self.keep_buffer(text);
        }
        Ok(())
    }

    /// Leaves the blocks of a job that is done to the worker whose job has the turn to write. `job` is the index of the job that
    /// is done. If this job itself has got the turn by now, returns its blocks, and the caller must write them.
    pub fn hand_over(&self, job: u64, blocks: Vec<WaitingBlock>) -> Option<Vec<WaitingBlock>> {
        let mut state = lock(&self.state);
        // The turn changes only while the state is locked.
        if self.budget.turn() == job {
            return Some(blocks);
        }
        state.waiting.insert(job, blocks);
        None
    }

    /// Gives the turn to write to the next job. While the job that gets the turn is already done, writes its blocks and gives the
    /// turn to the one after it.
    pub fn pass_turn(&self) -> Result<(), Stopped> {
        loop {
            let mut state = lock(&self.state);
            let turn = self.budget.next_turn();
            let Some(mut blocks) = state.waiting.remove(&turn) else {
                if self.is_over(&state) {
                    self.over.notify_all();
                }
                return Ok(());
            };
            drop(state);
            self.write_all(&mut blocks)?;
        }
    }

    /// Sets the number of all jobs. Must be called when the last job is queued.
    pub fn set_job_count(&self, count: u64) {
        lock(&self.state).job_count = Some(count);
        self.over.notify_all();
    }

    /// Stops all stages because of an error. If they are already stopped, the earlier error is kept.
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
    pub fn wait_until_over(&self) {
        drop(self.over.wait_while(lock(&self.state), |state| !self.is_over(state)));
    }

    /// Returns the error that stopped the stages, once. Returns `None` if they were not stopped.
    pub fn take_failure(&self) -> Option<io::Error> {
        lock(&self.state).failure.take()
    }

    fn is_over(&self, state: &OutputState) -> bool {
        state.is_stopped || state.job_count == Some(self.budget.turn())
    }

    /// Returns an empty buffer: one that was kept for reuse, or a new one.
    ///
    /// Buffers are kept because one thread allocates them and another frees them. The allocator would then give their memory back
    /// to the system, and memory that is new from the system is slow at first use.
    pub fn take_buffer(&self) -> Vec<u8> {
        lock(&self.buffers).pop().unwrap_or_else(|| Vec::with_capacity(Self::BUFFER_LEN))
    }

    /// Keeps a buffer for reuse. Drops it instead if its capacity is below [`BUFFER_LEN`](Self::BUFFER_LEN) or at least twice that,
    /// or if there are [`MAX_KEPT_BUFFERS`](Self::MAX_KEPT_BUFFERS) already.
    fn keep_buffer(&self, mut buffer: Vec<u8>) {
        if (Self::BUFFER_LEN..2 * Self::BUFFER_LEN).contains(&buffer.capacity()) {
            let mut buffers = lock(&self.buffers);
            if buffers.len() < Self::MAX_KEPT_BUFFERS {
                buffer.clear();
                buffers.push(buffer);
            }
        }
    }
}
