//! The directory of a base without its dot segments, which are removed once, when the base is prepared.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::dots::Stack;
use super::segments::Segments;
use crate::scan::find_byte;

/// The directory of a base after its dot segments were removed: a relative path is appended to it. By level, also what remains
/// of the path before each cut: a path that starts with slashes is appended to that.
#[derive(Clone)]
pub(crate) struct DotlessDirectory {
    /// The segments of the directory that remain after dot segments were removed, with a slash after each.
    text: String,
    /// The cuts inside the path, in ascending order of their bytes. Empty by component: then no cut is inside the path.
    cuts: Vec<DotlessCut>,
}

/// A cut inside the path, by level, and what remains of the path before it after dot segments were removed from that part alone:
/// the segments of `shared`, then the segment `own`.
///
/// All these segments are also in the text of the whole directory, except perhaps the last one, which a `..` after the cut may
/// remove. No `..` after the cut removes a second one, for two reasons. A cut is before or after a slash run, and no `..` crosses a
/// run of two or more slashes. If dot segments make such a run shorter, a `..` can remove only the segment right after it.
#[derive(Clone)]
struct DotlessCut {
    /// The byte of the base at which it is cut.
    at: usize,
    /// The number of bytes at the start of [`text`](DotlessDirectory::text) that also remain before this cut. The slash after the
    /// last segment is not counted. `None` if no segment of that text remains.
    shared: Option<usize>,
    /// The last segment that remains before this cut, as a range of bytes of the base. `None` if the text of the whole directory
    /// also has this segment.
    own: Option<Range<usize>>,
}

impl DotlessDirectory {
    /// Returns the directory of a base without its dot segments. `base` is the text of the base up to the end of its path.
    /// `directory` is the range of bytes of the directory in that text, without its last slash. `stack` must be empty, and have the
    /// rules of the base. `cuts` has the bytes at which rules by level may cut the base, in any order and also outside the path;
    /// none by component.
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

    /// Returns the segments of the directory that remain, with slashes between them; `None` if none does.
    pub(crate) fn directory(&self) -> Option<&str> {
        self.text.strip_suffix('/')
    }

    /// Returns what remains of the path of `base` before byte `at`, at which the base is cut: the first segments, with slashes
    /// between them, and one more segment. A slash that is in neither is between the two. Each is `None` if there is none; the
    /// empty segment before the root is one. Both are `None` if `at` is not a cut inside the path.
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

/// Joins segments, with a slash after each. Returns this text, and for each segment the byte of the text at which it ends.
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

/// Returns the range of bytes of `text` that is `part`, which must be borrowed from `text`. For an empty part, which may be
/// borrowed from elsewhere, returns `0..0`.
fn range_in(text: &str, part: &str) -> Range<usize> {
    // The removal of dot segments can leave an empty segment that is not borrowed from the text.
    if part.is_empty() {
        return 0..0;
    }
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}
