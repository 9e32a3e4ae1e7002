//! The output of one job, made in blocks.

use std::io::{self, Write};
use std::mem;

use super::block::{Block, LineKind, Mark, Problem};
use super::budget::{Claimant, Rank, Stopped, Use};
use super::ordered_output::{OrderedOutput, WaitingBlock};
use crate::links::columns::line::Line;

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
    /// The bytes of text for each [`LineKind`] in blocks that were full.
    written: [u64; 2],
    output: &'p OrderedOutput,
}

impl<'p> JobOutput<'p> {
    /// The most bytes of text for each [`LineKind`] in a block. A longer line goes on in the next block.
    const MOST: [usize; 2] = [OrderedOutput::BUFFER, 32 << 10];
    /// The most bytes of a short line.
    const SHORT: usize = 8 << 10;
    /// The number of bytes of the text of links from which on a block is full, so that a short line always fits.
    const FULL: usize = Self::MOST[0] - Self::SHORT;
    /// The number of marks from which on a block is full. A block of short lines reaches it before [`FULL`](Self::FULL).
    const FULL_MARKS: usize = 4 << 10;
    /// The number of bytes of problems from which on a block is full.
    const FULL_PROBLEMS: usize = 16 << 10;

    /// Returns the output of a job. The block must be empty. Its buffers are used for the first block of the output.
    pub(super) fn new(output: &'p OrderedOutput, job: u64, block: Block) -> Self {
        let claimant = output.budget.claimant(Rank::Job(job));
        JobOutput { job, claimant, block, waiting: Vec::new(), written: [0; 2], output }
    }

    /// Adds a line and its fingerprints, of which there may be none.
    pub fn line<const N: usize>(
        &mut self,
        fingerprints: impl IntoIterator<Item = u128>,
        line: &Line<'_, N>,
    ) -> io::Result<()> {
        self.block.lines += 1;
        let start = self.block.texts[0].len();
        self.block.marks.extend(fingerprints.into_iter().map(|fingerprint| Mark { start, fingerprint }));
        // Nearly every line. Writing it in parts takes more time.
        if line.most_bytes <= Self::SHORT {
            line.write_to(self.text(LineKind::Link))?;
        } else {
            line.write_to(&mut LineParts { output: self, kind: LineKind::Link })?;
        }
        let Block { texts: [text, _], marks, .. } = &self.block;
        let is_full = text.len() >= Self::FULL || marks.len() >= Self::FULL_MARKS;
        if is_full { Ok(self.end_block()?) } else { Ok(()) }
    }

    /// Adds the line of a rejected link.
    pub fn rejected<const N: usize>(&mut self, line: &Line<'_, N>) -> io::Result<()> {
        line.write_to(&mut LineParts { output: self, kind: LineKind::Rejected })
    }

    /// Adds a problem, which is reported after the lines so far.
    pub fn problem(&mut self, problem: Problem) -> Result<(), Stopped> {
        self.block.problems.push(problem);
        let size = self.block.problems.iter().map(Problem::size).sum::<usize>();
        if size < Self::FULL_PROBLEMS { Ok(()) } else { self.end_block() }
    }

    /// Returns the number of bytes of lines of a kind that were added so far.
    pub fn len(&self, kind: LineKind) -> u64 {
        self.written[kind as usize] + self.block.texts[kind as usize].len() as u64
    }

    /// Returns the text of the lines of a kind in the block. If the text of links has no buffer, it gets one.
    fn text(&mut self, kind: LineKind) -> &mut Vec<u8> {
        let text = &mut self.block.texts[kind as usize];
        if matches!(kind, LineKind::Link) && text.capacity() == 0 {
            *text = self.output.buffer();
        }
        text
    }

    /// Ends the block. Writes it and the waiting blocks if the job has the turn, and lets it wait otherwise.
    fn end_block(&mut self) -> Result<(), Stopped> {
        self.written = [LineKind::Link, LineKind::Rejected].map(|kind| self.len(kind));
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
        let [text, rejected] = &mut block.texts;
        if text.len() < Self::FULL / 2 {
            let copy = text.as_slice().into();
            self.block.texts[0] = mem::replace(text, copy);
            self.block.texts[0].clear();
        }
        rejected.shrink_to_fit();
        block.marks.shrink_to_fit();
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

/// A writer of the parts of a line. It ends a block when its text is full.
struct LineParts<'o, 'p> {
    output: &'o mut JobOutput<'p>,
    kind: LineKind,
}

impl Write for LineParts<'_, '_> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        let most = JobOutput::MOST[self.kind as usize];
        if self.output.text(self.kind).len() >= most {
            self.output.end_block()?;
        }
        let text = self.output.text(self.kind);
        let len = part.len().min(most - text.len());
        text.extend_from_slice(&part[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
