//! The output of one job, which is made block by block.

use std::io::{self, Write};
use std::mem;

use super::block::{Block, LineFingerprint, LineKind, Problem};
use super::budget::{Claimant, Rank, Stopped, Use};
use super::ordered_output::{OrderedOutput, WaitingBlock};

/// A line of output, which can be written at once or in parts.
pub trait WriteLine {
    /// An upper limit for the length in bytes.
    fn max_len(&self) -> usize;

    fn write_to(&self, out: &mut impl Write) -> io::Result<()>;
}

/// A full block is written at once if the job has the turn to write, and otherwise waits in memory.
pub struct JobOutput<'p> {
    job: u64,
    pub claimant: Claimant,
    block: Block,
    /// The blocks before `block`, which ended when the job did not have the turn.
    waiting: Vec<WaitingBlock>,
    /// Bytes of text in the blocks before `block`, for each [`LineKind`].
    len_before_block: [u64; 2],
    output: &'p OrderedOutput,
}

impl<'p> JobOutput<'p> {
    /// The most bytes of text in a block, for each [`LineKind`]. A line that does not fit goes on in the next block.
    const MAX_BLOCK_TEXT_LEN: [usize; 2] = [OrderedOutput::BUFFER_LEN, 32 << 10];
    /// The most bytes of a short line. A short line of a link is written to one block as a whole.
    const MAX_SHORT_LINE_LEN: usize = 8 << 10;
    /// The bytes of the lines of links at which a block is full. In one that is not full, a short line always fits.
    const FULL_TEXT_LEN: usize = Self::MAX_BLOCK_TEXT_LEN[0] - Self::MAX_SHORT_LINE_LEN;
    /// A block whose lines have very few bytes has so many before [`FULL_TEXT_LEN`](Self::FULL_TEXT_LEN).
    const FULL_FINGERPRINTS: usize = 4 << 10;
    /// The memory of problems, in bytes, at which a block is full.
    const FULL_PROBLEMS_LEN: usize = 16 << 10;

    /// `block` must be empty.
    pub(super) fn new(output: &'p OrderedOutput, job: u64, block: Block) -> Self {
        let claimant = output.budget.claimant(Rank::Job(job));
        JobOutput { job, claimant, block, waiting: Vec::new(), len_before_block: [0; 2], output }
    }

    /// A fingerprint of 0 stands for none.
    pub fn add_line(&mut self, fingerprints: [u128; 2], line: &impl WriteLine) -> io::Result<()> {
        self.block.line_count += 1;
        let line_start = self.block.texts[0].len();
        for fingerprint in fingerprints.into_iter().filter(|fingerprint| *fingerprint != 0) {
            self.block.fingerprints.push(LineFingerprint { line_start, fingerprint });
        }
        // Nearly every line. Writing it in parts takes more time.
        if line.max_len() <= Self::MAX_SHORT_LINE_LEN {
            line.write_to(self.text_mut(LineKind::Link))?;
        } else {
            line.write_to(&mut LineParts { output: self, kind: LineKind::Link })?;
        }
        let Block { texts: [text, _], fingerprints, .. } = &self.block;
        let is_full = text.len() >= Self::FULL_TEXT_LEN || fingerprints.len() >= Self::FULL_FINGERPRINTS;
        if is_full { Ok(self.end_block()?) } else { Ok(()) }
    }

    pub fn add_rejected(&mut self, line: &impl WriteLine) -> io::Result<()> {
        line.write_to(&mut LineParts { output: self, kind: LineKind::Rejected })
    }

    /// The problem is reported after the lines that were added before it.
    pub fn add_problem(&mut self, problem: Problem) -> Result<(), Stopped> {
        self.block.problems.push(problem);
        let size = self.block.problems.iter().map(Problem::size).sum::<usize>();
        if size < Self::FULL_PROBLEMS_LEN { Ok(()) } else { self.end_block() }
    }

    /// In bytes, of all lines so far.
    pub fn lines_len(&self, kind: LineKind) -> u64 {
        self.len_before_block[kind as usize] + self.block.texts[kind as usize].len() as u64
    }

    /// Gives the text of the lines of links a buffer if it has none.
    #[inline]
    fn text_mut(&mut self, kind: LineKind) -> &mut Vec<u8> {
        let text = &mut self.block.texts[kind as usize];
        if matches!(kind, LineKind::Link) && text.capacity() == 0 {
            *text = self.output.take_buffer();
        }
        text
    }

    /// Writes the waiting blocks and this one if the job has the turn, or gets it while it claims memory.
    fn end_block(&mut self) -> Result<(), Stopped> {
        self.len_before_block = [LineKind::Link, LineKind::Rejected].map(|kind| self.lines_len(kind));
        if !self.claimant.has_turn() {
            self.add_to_waiting()?;
            if !self.claimant.has_turn() {
                return Ok(());
            }
        }
        self.write_blocks()
    }

    /// May wait for memory.
    fn add_to_waiting(&mut self) -> Result<(), Stopped> {
        let mut block = mem::take(&mut self.block);
        // A waiting block has at most about twice the memory that it needs.
        let [text, rejected] = &mut block.texts;
        if text.len() < Self::FULL_TEXT_LEN / 2 {
            let copy = text.as_slice().into();
            self.block.texts[0] = mem::replace(text, copy);
            self.block.texts[0].clear();
        }
        rejected.shrink_to_fit();
        block.fingerprints.shrink_to_fit();
        block.problems.shrink_to_fit();
        let claim = self.claimant.claim(Use::Output, block.size())?;
        if self.waiting.is_empty() {
            // Most jobs have one block, and any number of jobs wait.
            self.waiting.reserve_exact(1);
        }
        self.waiting.push((block, claim));
        Ok(())
    }

    /// The job must have the turn.
    fn write_blocks(&mut self) -> Result<(), Stopped> {
        self.output.write_all(&mut self.waiting)?;
        self.output.write(&mut self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Writes the last blocks of the job and passes the turn. Without the turn, leaves the blocks to the worker whose job has it.
    /// Returns an empty block for the next job.
    pub(super) fn finish(mut self) -> Result<Block, Stopped> {
        if !self.claimant.has_turn() {
            self.add_to_waiting()?;
            match self.output.hand_over(self.job, self.waiting) {
                None => return Ok(self.block),
                Some(blocks) => self.waiting = blocks,
            }
        }
        self.write_blocks()?;
        self.output.pass_turn()?;
        Ok(self.block)
    }
}

/// Splits a line that does not fit between this block and later ones.
struct LineParts<'o, 'p> {
    output: &'o mut JobOutput<'p>,
    kind: LineKind,
}

impl Write for LineParts<'_, '_> {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        let max_len = JobOutput::MAX_BLOCK_TEXT_LEN[self.kind as usize];
        if self.output.text_mut(self.kind).len() >= max_len {
            self.output.end_block()?;
        }
        let text = self.output.text_mut(self.kind);
        let len = part.len().min(max_len - text.len());
        text.extend_from_slice(&part[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
