//! The output of one job, made in blocks.

use std::io::{self, Write};
use std::mem;

use super::block::{Block, Mark, Problem};
use super::budget::{Claimant, Rank, Stopped, Use};
use super::ordered_output::{OrderedOutput, WaitingBlock};

/// A line of output.
pub trait Line {
    /// Returns a number of bytes that the line never exceeds.
    fn most_bytes(&self) -> usize;

    /// Writes the line, with its line feed.
    fn write_to(&self, out: &mut impl Write) -> io::Result<()>;
}

/// The output of one job, made in blocks. Full blocks are written if the job has the turn, and wait for it otherwise.
pub struct JobOutput<'p> {
    /// The number of the job.
    job: u64,
    /// The claimant of memory and disk for the job.
    pub claimant: Claimant,
    /// The block that is being made.
    block: Block,
    /// The full blocks that wait for the turn of the job.
    waiting: Vec<WaitingBlock>,
    /// The bytes of text in blocks that were full.
    written: u64,
    /// The bytes of the lines of rejected links in blocks that were full.
    rejected_written: u64,
    /// The size in bytes of the problems in the block.
    problems: usize,
    output: &'p OrderedOutput,
}

impl<'p> JobOutput<'p> {
    /// The most bytes of text in a block. A longer line goes on in the next block.
    const MOST: usize = OrderedOutput::BUFFER;
    /// The number of bytes of text from which on a block is full.
    const FULL: usize = Self::MOST - (8 << 10);
    /// The number of marks from which on a block is full. A block of short lines reaches it before [`FULL`](Self::FULL).
    const FULL_MARKS: usize = 4 << 10;
    /// The most bytes of the lines of rejected links in a block. A longer line goes on in the next block.
    const MOST_REJECTED: usize = 32 << 10;
    /// The number of bytes of problems from which on a block is full.
    const FULL_PROBLEMS: usize = 16 << 10;

    /// Returns the output of a job. The block must be empty. Its buffers are used for the first block of the output.
    pub(super) fn new(output: &'p OrderedOutput, job: u64, block: Block) -> Self {
        let claimant = output.budget.claimant(Rank::Job(job));
        JobOutput { job, claimant, block, waiting: Vec::new(), written: 0, rejected_written: 0, problems: 0, output }
    }

    /// Adds a line and its fingerprints, of which there may be none.
    pub fn line(&mut self, fingerprints: impl IntoIterator<Item = u128>, line: &impl Line) -> io::Result<()> {
        self.block.lines += 1;
        let start = self.block.text.len();
        self.block.marks.extend(fingerprints.into_iter().map(|fingerprint| Mark { start, fingerprint }));
        // Nearly every line. Writing to `self` takes more time.
        if line.most_bytes() <= Self::MOST - Self::FULL {
            line.write_to(self.text())?;
        } else {
            line.write_to(self)?;
        }
        let Block { text, marks, .. } = &self.block;
        let is_full = text.len() >= Self::FULL || marks.len() >= Self::FULL_MARKS;
        if is_full { Ok(self.end_block()?) } else { Ok(()) }
    }

    /// Adds the line of a rejected link.
    pub fn rejected(&mut self, line: &impl Line) -> io::Result<()> {
        line.write_to(&mut RejectedText(self))
    }

    /// Adds a problem, which is reported after the lines so far.
    pub fn problem(&mut self, problem: Problem) -> Result<(), Stopped> {
        self.problems += problem.size();
        self.block.problems.push(problem);
        if self.problems < Self::FULL_PROBLEMS { Ok(()) } else { self.end_block() }
    }

    /// Returns the number of bytes of text that were added so far.
    pub fn len(&self) -> u64 {
        self.written + self.block.text.len() as u64
    }

    /// Returns the number of bytes of the lines of rejected links that were added so far.
    pub fn rejected_len(&self) -> u64 {
        self.rejected_written + self.block.rejected.len() as u64
    }

    /// Returns the text of the block. If it has no buffer, it gets one.
    fn text(&mut self) -> &mut Vec<u8> {
        if self.block.text.capacity() == 0 {
            self.block.text = self.output.buffer();
        }
        &mut self.block.text
    }

    /// Ends the block. Writes it and the waiting blocks if the job has the turn, and lets it wait otherwise.
    fn end_block(&mut self) -> Result<(), Stopped> {
        self.written += self.block.text.len() as u64;
        self.rejected_written += self.block.rejected.len() as u64;
        self.problems = 0;
        if !self.claimant.has_turn() {
            self.wait()?;
            if !self.claimant.has_turn() {
                return Ok(());
            }
        }
        self.write_blocks()
    }

    /// Adds the block to the waiting ones, once memory for it is available. A new block takes its place.
    fn wait(&mut self) -> Result<(), Stopped> {
        let mut block = mem::take(&mut self.block);
        // A waiting block has at most about twice the memory that it needs.
        if block.text.len() < Self::FULL / 2 {
            let text = block.text.as_slice().into();
            self.block.text = mem::replace(&mut block.text, text);
            self.block.text.clear();
        }
        block.marks.shrink_to_fit();
        block.rejected.shrink_to_fit();
        let claim = self.claimant.claim(Use::Output, block.size())?;
        self.waiting.push((block, claim));
        Ok(())
    }

    /// Writes the waiting blocks and then the block that is being made. The job must have the turn.
    fn write_blocks(&mut self) -> Result<(), Stopped> {
        self.output.write_all(&mut self.waiting)?;
        self.output.write(&mut self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Ends the output of a complete job. If the job has the turn, writes its blocks and passes the turn on. Otherwise leaves the
    /// blocks to the job that has the turn. Returns an empty block for the next job.
    pub(super) fn end(mut self) -> Result<Block, Stopped> {
        if !self.claimant.has_turn() {
            self.wait()?;
            match self.output.leave(self.job, self.waiting) {
                None => return Ok(self.block),
                Some(blocks) => self.waiting = blocks,
            }
        }
        self.write_blocks()?;
        self.output.pass_turn()?;
        Ok(self.block)
    }
}

/// Writes parts of a line to the text. Ends a block when its text is full.
impl Write for JobOutput<'_> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        if self.block.text.len() >= Self::MOST {
            self.end_block()?;
        }
        let text = self.text();
        let len = part.len().min(Self::MOST - text.len());
        text.extend_from_slice(&part[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A writer of parts of the line of a rejected link.
struct RejectedText<'o, 'p>(&'o mut JobOutput<'p>);

impl Write for RejectedText<'_, '_> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        if self.0.block.rejected.len() >= JobOutput::MOST_REJECTED {
            self.0.end_block()?;
        }
        let text = &mut self.0.block.rejected;
        let len = part.len().min(JobOutput::MOST_REJECTED - text.len());
        text.extend_from_slice(&part[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
