//! A block of output: text of the lines of a job, and the problems to report after this text.

use std::mem;
use std::sync::Arc;

/// As a number, an index of [`Block::texts`].
#[derive(Clone, Copy)]
pub enum LineKind {
    Link,
    /// A line of a rejected link. There is none without `--rejected`.
    Rejected,
}

#[derive(Default)]
pub struct Block {
    /// For each [`LineKind`]. A long line may go on in later blocks of the same job.
    pub texts: [Vec<u8>; 2],
    /// Of the lines of links that start here, in their order. Empty without `--unique` and `--seen`.
    pub fingerprints: Vec<LineFingerprint>,
    pub problems: Vec<Problem>,
    /// Lines of links that start in this block.
    pub line_count: u64,
}

pub struct LineFingerprint {
    /// In bytes, in the text of the lines of links of its block.
    pub line_start: usize,
    pub first: u128,
    /// A fingerprint that is only looked for in the lists of `--seen`.
    pub second: Option<u128>,
}

pub struct Problem {
    /// Percent-encoded, so different paths give different texts. Problems of one input share it: equal texts that are not shared
    /// count as different inputs.
    pub input: Arc<str>,
    /// The byte at which the record starts in the archive. `None` if the problem is not about one record.
    pub offset: Option<u64>,
    pub why: String,
    /// 1, or the number of further problems of the input whose texts are not kept. Then `why` is empty.
    pub count: u64,
}

impl Problem {
    /// Per input; further problems are only counted.
    pub const MAX_TOLD: u64 = 100;
    /// Bytes counted for the headers of its allocations.
    const OVERHEAD: usize = 64;

    pub fn new(input: Arc<str>, offset: Option<u64>, why: String) -> Self {
        Problem { input, offset, why, count: 1 }
    }

    pub fn further(input: Arc<str>, count: u64) -> Self {
        Problem { input, offset: None, why: String::new(), count }
    }

    /// In bytes of memory.
    pub fn size(&self) -> usize {
        size_of::<Problem>() + self.input.len() + self.why.capacity() + Self::OVERHEAD
    }
}

impl Block {
    /// Bytes counted in addition to the buffers.
    const OVERHEAD: usize = 256;

    /// In bytes of memory, with its buffers.
    pub fn size(&self) -> u64 {
        let problems = self.problems.iter().map(Problem::size).sum::<usize>();
        let fingerprints = self.fingerprints.capacity() * size_of::<LineFingerprint>();
        let texts = self.texts.iter().map(Vec::capacity).sum::<usize>();
        (Self::OVERHEAD + texts + fingerprints + problems) as u64
    }

    /// Takes a block that must wait. Returns it with its size.
    pub fn take(&mut self) -> (Block, u64) {
        let mut block = mem::take(self);
        // It has at most about twice the memory that it needs, and a large buffer stays where it is used again.
        let [text, rejected] = &mut block.texts;
        if text.len() < text.capacity() / 2 {
            let copy = text.as_slice().into();
            self.texts[0] = mem::replace(text, copy);
        }
        rejected.shrink_to_fit();
        block.fingerprints.shrink_to_fit();
        block.problems.shrink_to_fit();
        let size = block.size();
        (block, size)
    }

    /// Keeps the buffers for reuse.
    pub fn clear(&mut self) {
        self.texts.iter_mut().for_each(Vec::clear);
        self.fingerprints.clear();
        self.problems.clear();
        self.line_count = 0;
    }
}
