//! Blocks of output: the lines of a job, and the problems to report after them.

/// The kind of a line. As a number, it is the index of the text of such lines in a block.
#[derive(Clone, Copy)]
pub enum LineKind {
    /// The line of a link.
    Link,
    /// The line of a rejected link, for `--rejected`.
    Rejected,
}

/// A piece of the finished output of a job: lines and problems.
#[derive(Default)]
pub struct Block {
    /// The text of the lines of each [`LineKind`]. It consists of whole lines, but the last line may go on in the next block.
    pub texts: [Vec<u8>; 2],
    /// The marks of the lines of links that start in the block, in their order. Empty unless `--unique` or `--seen` is given.
    pub marks: Vec<Mark>,
    pub problems: Vec<Problem>,
    /// The number of lines of links that start in the block.
    pub lines: u64,
}

/// The start of a line, and one of its fingerprints.
pub struct Mark {
    /// The index of its first byte in the text of links of the block.
    pub start: usize,
    pub fingerprint: u128,
}

/// A problem of an input, reported on standard error.
pub struct Problem {
    /// The name of the file, quoted so that no two files have the same name.
    pub input: String,
    /// The index of the first byte of a record in an archive. `None` if the problem is not about one record.
    pub offset: Option<u64>,
    pub why: String,
}

impl Problem {
    /// Returns the size of the problem in memory, in bytes.
    pub fn size(&self) -> usize {
        size_of::<Problem>() + self.input.capacity() + self.why.capacity()
    }
}

impl Block {
    /// The number of bytes that a block takes besides its buffers, with some for its job.
    const SELF: usize = 256;

    /// Returns the size of the block in memory, in bytes.
    pub fn size(&self) -> u64 {
        let problems = self.problems.iter().map(Problem::size).sum::<usize>();
        let marks = self.marks.capacity() * size_of::<Mark>();
        let texts = self.texts.iter().map(Vec::capacity).sum::<usize>();
        (Self::SELF + texts + marks + problems) as u64
    }

    /// Empties the block, but keeps its buffers.
    pub fn clear(&mut self) {
        self.texts.iter_mut().for_each(Vec::clear);
        self.marks.clear();
        self.problems.clear();
        self.lines = 0;
    }
}
