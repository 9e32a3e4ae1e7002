//! The directory of a base without its dot segments, which are removed once, when the base is prepared.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::dots::Stack;
use super::segments::Segments;
use crate::scan::find_byte;

/// The directory of a base without dot segments and, by level, what remains of the path before each cut.
#[derive(Clone)]
pub(crate) struct DotlessDirectory {
    /// The segments with a slash after each.
    text: String,
    /// In ascending order; empty by component, where no cut is inside the path.
    cuts: Vec<DotlessCut>,
}

/// A cut inside the path, by level. Before it remain the segments of `shared`, then the segment `own`, after dot segments were
/// removed from that part alone.
///
/// Only the last of these may be missing in the whole directory: removed by a `..` after the cut. No such `..` removes a second
/// one. A cut is before or after a slash run, and no `..` crosses a run of two or more slashes. If dot segments make such a run
/// shorter, a `..` can remove only the segment right after it.
#[derive(Clone)]
struct DotlessCut {
    at: usize,
    /// The length of the shared start of [`text`](DotlessDirectory::text), without its last slash; `None` if no segment is shared.
    shared: Option<usize>,
    /// A range of the base; `None` if the whole directory also has this segment.
    own: Option<Range<usize>>,
}

impl DotlessDirectory {
    /// `directory` is without its last slash, `stack` empty. `cuts` may be outside the path, in any order; none by component.
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
        let mut start = directory.start;
        while start <= directory.end {
            // Up to the end of the segment that has the next cut, all segments are added at once.
            let next = cuts.peek().filter(|&&at| at < directory.end);
            let slash =
                next.and_then(|&at| find_byte(&base.as_bytes()[at..directory.end], b'/').map(|slash| at + slash));
            let end = slash.unwrap_or(directory.end);
            let text = &base[start..end];
            let last = stack.add_directory(text, &mut ());
            stack.add(&text[last..], false, &mut ());
            while let Some(at) = cuts.next_if(|&at| at <= end) {
                found.push((at, stack.added.len(), stack.added.last().copied()));
            }
            start = end + 1;
        }
        let last = base.rsplit('/').next();
        found.extend(cuts.map(|at| (at, stack.added.len() + 1, last)));
        let (text, ends) = joined(&stack.added);
        let cut = |(at, count, last): (usize, usize, Option<&'a str>)| {
            let own = last.filter(|last| stack.added.get(count - 1) != Some(last));
            let shared = (count - usize::from(own.is_some())).checked_sub(1).map(|index| ends[index]);
            DotlessCut { at, shared, own: own.map(|own| range_in(base, own)) }
        };
        DotlessDirectory { cuts: found.into_iter().map(cut).collect(), text }
    }

    pub(crate) fn directory(&self) -> Option<&str> {
        self.text.strip_suffix('/')
    }

    /// Returns what remains of the path before the cut `at`: the first segments, and one more, with a slash between the two. The
    /// empty segment before the root counts. Both are `None` if `at` is not a cut inside the path.
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

/// Returns the segments with a slash after each, and the byte at which each segment ends.
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

/// `part` must be borrowed from `text`, unless it is empty.
fn range_in(text: &str, part: &str) -> Range<usize> {
    // The removal of dot segments can leave an empty segment that is not borrowed from the text.
    if part.is_empty() {
        return 0..0;
    }
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}
