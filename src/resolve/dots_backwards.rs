//! The removal of dot segments from the end of a path to its start. There, the number of `..` that have not met their segment says
//! all that the segments before them need to know, and what remains is copied in few parts, without a list of segments.

use core::ops::Range;

use smallvec::SmallVec;

use crate::scan::each_slash_back;

/// The remainder of a path. No `..` must be kept, as by level right after a slash run, or as surplus.
#[derive(Default)]
pub(crate) struct Remainder {
    /// Adjacent segments, with the slash after each.
    first: Range<usize>,
    /// The other parts, the last one first.
    others: SmallVec<[Range<usize>; 16]>,
    /// The number of `..` with no segment to remove.
    pub(crate) parents: usize,
}

impl Remainder {
    /// More parts, each perhaps only a slash, are written faster by the engine.
    const MOST_PARTS: usize = 64;
    /// The number of parts is tested after each block, not after each segment.
    const BLOCK_LEN: usize = 1 << 10;

    /// Returns false if there are too many parts. The remainder must be empty before. It is not returned, as it is long to move.
    pub(crate) fn fill(&mut self, path: &[u8]) -> bool {
        let directory = path.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
        let (start, parents) = match &path[directory..] {
            b"." => (path.len(), 0),
            b".." => (path.len(), 1),
            _ => (directory, 0),
        };
        (self.first, self.parents) = (start..path.len(), parents);
        let mut end = directory;
        let mut block_start = directory.saturating_sub(1);
        for block in path[..block_start].rchunks(Self::BLOCK_LEN) {
            block_start -= block.len();
            each_slash_back(block, |slash| {
                let start = block_start + slash + 1;
                self.add(path, start..end);
                end = start;
                true
            });
            if self.others.len() > Self::MOST_PARTS {
                return false;
            }
        }
        self.add(path, 0..end);
        true
    }

    /// Adds a segment with the slash after it, which must come right before the ones that were added. Empty where the path has none.
    #[inline(always)]
    fn add(&mut self, path: &[u8], segment: Range<usize>) {
        match path[segment.clone()] {
            [] | [b'.', b'/'] => {}
            [b'.', b'.', b'/'] => self.parents += 1,
            _ if self.parents > 0 => self.parents -= 1,
            _ if segment.end == self.first.start => self.first.start = segment.start,
            _ => {
                let later = core::mem::replace(&mut self.first, segment);
                if !later.is_empty() {
                    self.others.push(later);
                }
            }
        }
    }

    /// `path` must be the one of which this is the remainder.
    pub(crate) fn each_part<'p>(&self, path: &'p str, mut each: impl FnMut(&'p str)) {
        each(&path[self.first.clone()]);
        self.others.iter().rev().for_each(|part| each(&path[part.clone()]));
    }
}
