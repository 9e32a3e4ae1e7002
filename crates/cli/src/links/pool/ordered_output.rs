//! The output of all jobs, which is written in the order of the jobs.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex};

use super::block::Block;
use super::budget::{Budget, Claim, Stopped};
use crate::lock::lock;

/// A block whose job does not have the turn, and its memory.
pub type WaitingBlock = (Block, Claim);

/// Writes a block's lines and reports its problems. It may change the block.
type WriteBlock = dyn Fn(&mut Block) -> io::Result<()> + Send + Sync;

/// The reorder buffer of the jobs' output.
pub struct OrderedOutput {
    pub budget: Arc<Budget>,
    state: Mutex<OutputState>,
    /// Signals that all jobs are written, or that the stages are stopped.
    over: Condvar,
    /// Called only for blocks of the job that has the turn.
    write: Box<WriteBlock>,
    /// Empty, for the lines of links in later blocks.
    buffers: Mutex<Vec<Vec<u8>>>,
}

/// The turn itself is in the budget, and changes only while this is locked.
#[derive(Default)]
struct OutputState {
    /// `None` until the reader has queued the last job.
    job_count: Option<u64>,
    /// The blocks of jobs that are done, by the indexes of the jobs.
    waiting: BTreeMap<u64, Vec<WaitingBlock>>,
    /// The first error, until it is taken.
    failure: Option<io::Error>,
    is_stopped: bool,
}

impl OrderedOutput {
    /// In bytes. Allocators get a larger buffer directly from the system, often from 128 KiB on.
    pub const BUFFER_LEN: usize = 120 << 10;
    const MAX_KEPT_BUFFERS: usize = 64;

    pub fn new(budget: Arc<Budget>, write: impl Fn(&mut Block) -> io::Result<()> + Send + Sync + 'static) -> Self {
        OrderedOutput {
            budget,
            state: Mutex::default(),
            over: Condvar::new(),
            write: Box::new(write),
            buffers: Mutex::default(),
        }
    }

    /// An error stops all stages.
    pub fn write(&self, block: &mut Block) -> Result<(), Stopped> {
        (self.write)(block).map_err(|error| self.stop(error))
    }

    /// Writes waiting blocks of the job that has the turn, and gives their memory back.
    pub fn write_all(&self, blocks: &mut Vec<WaitingBlock>) -> Result<(), Stopped> {
        for (mut block, _claim) in blocks.drain(..) {
            self.write(&mut block)?;
            let [text, _] = block.texts;
            self.keep_buffer(text);
        }
        Ok(())
    }

    /// Leaves blocks to the worker whose job has the turn. Returns them if `job` has got it by now: the caller must write them.
    pub fn hand_over(&self, job: u64, blocks: Vec<WaitingBlock>) -> Option<Vec<WaitingBlock>> {
        let mut state = lock(&self.state);
        // The turn changes only while the state is locked.
        if self.budget.turn() == job {
            return Some(blocks);
        }
        state.waiting.insert(job, blocks);
        None
    }

    /// Also writes the output of those next jobs that are already done.
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

    /// Must be called when the last job is queued.
    pub fn set_job_count(&self, count: u64) {
        lock(&self.state).job_count = Some(count);
        self.over.notify_all();
    }

    /// Keeps the first error.
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

    pub fn wait_until_over(&self) {
        drop(self.over.wait_while(lock(&self.state), |state| !self.is_over(state)));
    }

    pub fn take_failure(&self) -> Option<io::Error> {
        lock(&self.state).failure.take()
    }

    fn is_over(&self, state: &OutputState) -> bool {
        state.is_stopped || state.job_count == Some(self.budget.turn())
    }

    /// Takes a buffer that was kept, or makes one. One thread allocates buffers and another frees them: the allocator would give
    /// their memory back to the system, and memory that is new from the system is slow at first use.
    pub fn take_buffer(&self) -> Vec<u8> {
        lock(&self.buffers).pop().unwrap_or_else(|| Vec::with_capacity(Self::BUFFER_LEN))
    }

    /// Drops a buffer whose capacity is below [`BUFFER_LEN`](Self::BUFFER_LEN) or at least twice that.
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
