//! The output of one job, which is made block by block.

use std::io::{self, Write};
use std::mem::take;

use relref_links::parallel::{Claimant, JobResults, Stopped};

use super::block::{Block, LineFingerprint, LineKind, Problem};

/// A line of output, which can be written at once or in parts.
pub trait WriteLine {
    /// An upper limit for the length in bytes.
    fn max_len(&self) -> usize;

    fn write_to(&self, out: &mut impl Write) -> io::Result<()>;
}

/// The output of one job. A full block is written at once if the job has the turn to write, and otherwise waits in memory.
pub struct JobOutput<'o, 'r> {
    results: &'o mut JobResults<'r, 'static, Block>,
    block: Block,
    /// Bytes of text in the blocks before `block`, for each [`LineKind`].
    len_before_block: [u64; 2],
}

impl<'o, 'r> JobOutput<'o, 'r> {
    /// The most bytes of text in a block, for each [`LineKind`]. A line that does not fit goes on in the next block.
    const MAX_BLOCK_TEXT_LEN: [usize; 2] = [120 << 10, 32 << 10];
    /// The most bytes of a short line. A short line of a link is written to one block as a whole.
    const MAX_SHORT_LINE_LEN: usize = 8 << 10;
    /// The bytes of the lines of links at which a block is full. In one that is not full, a short line always fits.
    const FULL_TEXT_LEN: usize = Self::MAX_BLOCK_TEXT_LEN[0] - Self::MAX_SHORT_LINE_LEN;
    /// A block whose lines have very few bytes has so many before [`FULL_TEXT_LEN`](Self::FULL_TEXT_LEN).
    const FULL_FINGERPRINTS: usize = 4 << 10;
    /// The memory of problems, in bytes, at which a block is full.
    const FULL_PROBLEMS_LEN: usize = 16 << 10;

    /// `block` must be empty. Its buffers are used.
    pub fn new(results: &'o mut JobResults<'r, 'static, Block>, block: Block) -> Self {
        JobOutput { results, block, len_before_block: [0; 2] }
    }

    pub fn claimant(&self) -> &Claimant {
        &self.results.claimant
    }

    /// `fingerprints` are those of the line, if lines are compared.
    pub fn add_line(&mut self, fingerprints: Option<(u128, Option<u128>)>, line: &impl WriteLine) -> io::Result<()> {
        self.block.line_count += 1;
        let line_start = self.block.texts[0].len();
        let fingerprint = fingerprints.map(|(first, second)| LineFingerprint { line_start, first, second });
        self.block.fingerprints.extend(fingerprint);
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
            *text = self.results.spare_block().map_or(Vec::new(), |Block { texts: [text, _], .. }| text);
            text.clear();
            text.reserve_exact(Self::MAX_BLOCK_TEXT_LEN[0]);
        }
        text
    }

    /// Writes the block, or lets it wait.
    fn end_block(&mut self) -> Result<(), Stopped> {
        self.len_before_block = [LineKind::Link, LineKind::Rejected].map(|kind| self.lines_len(kind));
        self.results.add(&mut self.block, Block::take)?;
        self.block.clear();
        Ok(())
    }

    /// Ends the last block. Returns an empty one for the next job.
    pub fn finish(mut self) -> Result<Block, Stopped> {
        self.end_block()?;
        Ok(take(&mut self.block))
    }
}

/// Splits a line that does not fit between this block and later ones.
struct LineParts<'p, 'o, 'r> {
    output: &'p mut JobOutput<'o, 'r>,
    kind: LineKind,
}

impl Write for LineParts<'_, '_, '_> {
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
