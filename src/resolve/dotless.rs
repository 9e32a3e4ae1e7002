//! The directory of a base without its dot segments, which are removed once, when the base is prepared.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::dots::Stack;
use super::segments::Segments;

/// The segments of a base's path that references are appended to, without dot segments.
#[derive(Clone)]
pub(crate) struct DotlessDirectory {
    /// The segments of the whole directory, a slash after each.
    text: String,
    /// By level: the places where the base may be cut, in their order.
    cuts: Vec<DotlessCut>,
}

/// A place where the base may be cut, and the segments that remain of the path before it once its dots are removed.
///
/// The segments that remain before a cut also remain of the whole directory, except for the last one. A cut is before or
/// after a slash run, and no `..` crosses a run of two or more. Where dots have made a shorter run of it, the segment after
/// that is the only one that a later `..` can remove.
#[derive(Clone)]
struct DotlessCut {
    /// The byte of the base.
    at: usize,
    /// The length in bytes of the start of `text` that also remains before this cut; `None` if nothing remains.
    shared: Option<usize>,
    /// The bytes of the base of one more segment, which remains before the cut but not in `text`.
    own: Option<Range<usize>>,
}

impl DotlessDirectory {
    /// Removes the dot segments of a base's directory. `base` ends where its path does, `directory` are the bytes of the
    /// directory without the slash after its last segment, and `cuts` are the bytes where the base may be cut.
    pub(crate) fn new<'a>(
        base: &'a str,
        directory: Range<usize>,
        mut stack: Stack<'a>,
        cuts: impl Iterator<Item = usize>,
    ) -> Self {
        let mut cuts: Vec<usize> = cuts.filter(|&at| at > directory.start).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let mut cuts = cuts.into_iter().peekable();
        let mut found = Vec::new();
        let mut end = directory.start;
        for (index, segment) in base[directory.clone()].split('/').enumerate() {
            stack.add(segment, &mut ());
            end += usize::from(index > 0) + segment.len();
            while let Some(at) = cuts.next_if(|&at| at <= end) {
                found.push((at, stack.above.len(), stack.above.last().copied()));
            }
        }
        let last = base.rsplit('/').next();
        found.extend(cuts.map(|at| (at, stack.above.len() + 1, last)));
        let (text, ends) = joined(&stack.above);
        let cut = |(at, count, last): (usize, usize, Option<&'a str>)| {
            let own = last.filter(|last| stack.above.get(count - 1) != Some(last));
            let shared = (count - usize::from(own.is_some())).checked_sub(1).map(|index| ends[index]);
            DotlessCut { at, shared, own: own.map(|own| range_in(base, own)) }
        };
        DotlessDirectory { cuts: found.into_iter().map(cut).collect(), text }
    }

    /// Returns the segments of the whole directory, without the slash after them; `None` if there are none.
    pub(crate) fn directory(&self) -> Option<&str> {
        self.text.strip_suffix('/')
    }

    /// Returns the segments that remain before a cut of the base, and one more after them.
    pub(crate) fn before<'a>(&'a self, base: &'a str, at: usize) -> (Option<&'a str>, Option<&'a str>) {
        match self.cuts.binary_search_by_key(&at, |cut| cut.at) {
            Ok(index) => {
                let DotlessCut { shared, own, .. } = &self.cuts[index];
                (shared.map(|end| &self.text[..end]), own.clone().map(|own| &base[own]))
            }
            Err(_) => (None, None),
        }
    }
}

/// Returns the segments with a slash after each, and the byte at which each ends.
fn joined(segments: &Segments<'_>) -> (String, Vec<usize>) {
    let mut text = String::new();
    let ends = segments.iter().map(|segment| {
        text.push_str(segment);
        text.push('/');
        text.len() - 1
    });
    let ends = ends.collect();
    (text, ends)
}

/// Returns the range of bytes at which a part, borrowed from a text, is in that text.
fn range_in(text: &str, part: &str) -> Range<usize> {
    // An empty segment that dots have left is no part of the text.
    if part.is_empty() {
        return 0..0;
    }
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}
