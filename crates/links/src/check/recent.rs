//! Answers that were found not long ago.

/// Answers by the hashes of their questions, one for each cell: the last one.
pub(super) struct Recent<T> {
    // The hash stands for the question, without a text to touch and to copy. It has a random seed, and 54 of its bits tell the questions of a cell
    // apart: of 10^9 questions, one gets the answer to another in one of 10^7 runs.
    cells: Vec<Option<(u64, T)>>,
    /// The number of answers before there were cells.
    before_cells: usize,
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Recent { cells: Vec::new(), before_cells: 0 }
    }
}

impl<T: Copy> Recent<T> {
    const CELLS: usize = 1024;
    /// The number of answers for which cells are made: for fewer, such as that about a single link, these would take longer than they save.
    const FEWEST: usize = if cfg!(test) { 2 } else { 64 };

    pub(super) fn get(&self, hash: u64) -> Option<T> {
        match self.cells.get(hash as usize % Self::CELLS)? {
            Some((known, answer)) if *known == hash => Some(*answer),
            _ => None,
        }
    }

    pub(super) fn put(&mut self, hash: u64, answer: T) {
        if self.cells.is_empty() {
            self.before_cells += 1;
            if self.before_cells < Self::FEWEST {
                return;
            }
            self.cells.resize(Self::CELLS, None);
        }
        self.cells[hash as usize % Self::CELLS] = Some((hash, answer));
    }
}
