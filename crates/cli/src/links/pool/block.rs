//! Blocks of output: text of the lines of one job, and the problems to report after this text.

use std::sync::Arc;

/// The kind of a line of output. As a number, it is an index of [`Block::texts`].
#[derive(Clone, Copy)]
pub enum LineKind {
    /// The line of a link that is printed.
    Link,
    /// The line of a rejected link. There are such lines only with `--rejected`.
    Rejected,
}

/// A part of the finished output of a job: text of lines, and problems.
#[derive(Default)]
pub struct Block {
    /// The text of the lines of each [`LineKind`]. A long line may start in one block and go on in later blocks of the same job.
    pub texts: [Vec<u8>; 2],
    /// The fingerprints of the lines of links that start in this block, in the order of the lines. Empty without `--unique` and
    /// `--seen`.
    pub fingerprints: Vec<LineFingerprint>,
    pub problems: Vec<Problem>,
    /// The number of lines of links that start in this block.
    pub line_count: u64,
}

/// A fingerprint of a line of a link, and the place of the line. A line with two fingerprints has two of these.
pub struct LineFingerprint {
    /// The byte at which the line starts, in the text of the lines of links of its block.
    pub line_start: usize,
    pub fingerprint: u128,
}

/// A problem of an input, which is reported on standard error.
pub struct Problem {
    /// The path of the input, percent-encoded so that no two paths give the same text. Problems of one input share it, so the
    /// input is counted as failed once. Equal texts that are not shared are of different inputs.
    pub input: Arc<str>,
    /// The byte offset in the archive at which the record that has the problem starts. `None` if the problem is not about one
    /// record.
    pub offset: Option<u64>,
    pub why: String,
    /// The number of problems: 1, or the number of further problems of the input whose texts are not kept. Then `why` is empty.
    pub count: u64,
}

impl Problem {
    /// The most problems of one input of which messages are written.
    pub const MAX_TOLD: u64 = 100;
    /// The number of bytes of memory that are counted for the headers of the allocations of a problem.
    const OVERHEAD: usize = 64;

    /// Returns a problem of an input.
    pub fn new(input: Arc<str>, offset: Option<u64>, why: String) -> Self {
        Problem { input, offset, why, count: 1 }
    }

    /// Returns a number of further problems of an input, without their texts.
    pub fn further(input: Arc<str>, count: u64) -> Self {
        Problem { input, offset: None, why: String::new(), count }
    }

    /// Returns the number of bytes of memory that the problem takes.
    pub fn size(&self) -> usize {
        size_of::<Problem>() + self.input.len() + self.why.capacity() + Self::OVERHEAD
    }
}

impl Block {
    /// The number of bytes of memory that are counted for a block in addition to its buffers.
    const OVERHEAD: usize = 256;

    /// Returns the number of bytes of memory that are counted for the block, with its buffers.
    pub fn size(&self) -> u64 {
        let problems = self.problems.iter().map(Problem::size).sum::<usize>();
        let fingerprints = self.fingerprints.capacity() * size_of::<LineFingerprint>();
        let texts = self.texts.iter().map(Vec::capacity).sum::<usize>();
        (Self::OVERHEAD + texts + fingerprints + problems) as u64
    }

    /// Removes the text, fingerprints and problems. Keeps the buffers for reuse.
    pub fn clear(&mut self) {
        self.texts.iter_mut().for_each(Vec::clear);
        self.fingerprints.clear();
        self.problems.clear();
        self.line_count = 0;
    }
}
