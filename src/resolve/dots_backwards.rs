//! The removal of dot segments from the end of a path to its start. There, the number of `..` that have not met their segment says
//! all that the segments before them need to know, and what remains is copied in few parts, without a list of segments.

use core::ops::Range;

use smallvec::SmallVec;

use crate::scan::each_slash_back;

/// The remainder of a path. No `..` must be kept, as by level right after a slash run, or as surplus.
pub(crate) struct Remainder {
    /// Adjacent segments are one part. The last part is the first one here.
    parts: SmallVec<[Range<usize>; 16]>,
    /// The number of `..` with no segment to remove.
    pub(crate) parents: usize,
}

impl Remainder {
    pub(crate) fn of(path: &[u8]) -> Self {
        let mut remainder = Remainder { parts: SmallVec::new(), parents: 0 };
        let (mut part, mut end) = (path.len()..path.len(), path.len());
        let mut add = |start: usize, end: usize| {
            // The slash after a segment belongs to it. The last segment has none, and no `..` after it.
            let next = path.len().min(end + 1);
            match &path[start..end] {
                b"." => {}
                b".." => remainder.parents += 1,
                _ if remainder.parents > 0 && end < path.len() => remainder.parents -= 1,
                _ if next == part.start => part.start = start,
                _ => {
                    let later = core::mem::replace(&mut part, start..next);
                    if !later.is_empty() {
                        remainder.parts.push(later);
                    }
                }
            }
        };
        each_slash_back(path, |slash| {
            add(slash + 1, end);
            end = slash;
            true
        });
        add(0, end);
        remainder.parts.push(part);
        remainder
    }

    /// `path` must be the one of which this is the remainder.
    pub(crate) fn each_part<'p>(&self, path: &'p str, mut each: impl FnMut(&'p str)) {
        self.parts.iter().rev().for_each(|part| each(&path[part.clone()]));
    }
}
