//! The output of one job.

use std::io::{self, Write};
use std::mem;

use super::block::{Block, Mark, Problem};
use super::budget::{Claimant, Rank, Stopped, Use};
use super::ordered_output::{OrderedOutput, WaitingBlock};

/// A line of output.
pub trait Line {
    /// Returns a number of bytes that the line does not exceed.
    fn most_bytes(&self) -> usize;

    fn write_to(&self, out: &mut impl Write) -> io::Result<()>;
}

/// The output of one job, made in blocks. Full blocks are written if the job has the turn, and wait for it otherwise.
pub struct JobOutput<'p> {
    /// The number of the job.
    job: u64,
    /// Claims memory and disk for the job.
    pub claimant: Claimant,
    /// The block that is being made.
    block: Block,
    /// Full blocks.
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
    /// The bytes of text that a block may have. A longer line goes on in the next block.
    const MOST: usize = OrderedOutput::BUFFER;
    /// The bytes of text that make a block full.
    const FULL: usize = Self::MOST - (8 << 10);
    /// The number of marks, of short lines, that make a block full.
    const FULL_MARKS: usize = 4 << 10;
    /// The bytes of the lines of rejected links that a block may have. A longer line goes on in the next block.
    const MOST_REJECTED: usize = 32 << 10;
    /// The bytes of problems that make a block full.
    const FULL_PROBLEMS: usize = 16 << 10;

    /// Returns the output of a job, which is made in a block that is empty.
    pub(super) fn new(output: &'p OrderedOutput, job: u64, block: Block) -> Self {
        let claimant = output.budget.claimant(Rank::Job(job));
        JobOutput { job, claimant, block, waiting: Vec::new(), written: 0, rejected_written: 0, problems: 0, output }
    }

    /// Adds a line with its fingerprints, if it has some.
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

    /// Adds a problem. It is reported after the lines before it.
    pub fn problem(&mut self, problem: Problem) -> Result<(), Stopped> {
        self.problems += problem.size();
        self.block.problems.push(problem);
        if self.problems < Self::FULL_PROBLEMS { Ok(()) } else { self.end_block() }
    }

    /// Returns the number of bytes of text so far.
    pub fn len(&self) -> u64 {
        self.written + self.block.text.len() as u64
    }

    /// Returns the number of bytes of the lines of rejected links so far.
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

    /// Writes the block, or lets it wait.
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

    /// Adds the block to the waiting ones, once memory for it is available.
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

    /// Writes the waiting blocks and the last one.
    fn write_blocks(&mut self) -> Result<(), Stopped> {
        self.output.write_all(&mut self.waiting)?;
        self.output.write(&mut self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Writes the blocks of the complete job, or leaves them to the job that has the turn. Returns an empty block.
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

/// Writes parts of a line.
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

/// Writes parts of the line of a rejected link.
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
