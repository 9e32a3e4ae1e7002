//! The directory of a base without its dot segments, which are removed once, when the base is prepared.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::dots::Stack;
use super::segments::Segments;

/// The directory of a base without its dot segments, and the parts of it that remain before each cut. References are appended to
/// these.
#[derive(Clone)]
pub(crate) struct DotlessDirectory {
    /// The segments of the whole directory, with a slash after each.
    text: String,
    /// The places in the path where rules by level may cut the base, in the order of their bytes. Empty for rules by component.
    cuts: Vec<DotlessCut>,
}

/// A place where the base may be cut, and the segments that remain of the path before it when the dot segments of that part are
/// removed.
///
/// These segments also remain of the whole directory, except perhaps the last one, which a `..` after the cut may remove. No `..`
/// after the cut removes more than one of them, for two reasons. A cut is before or after a slash run, and no `..` crosses a run of
/// two or more slashes. Where dot segments make such a run shorter, a `..` can remove only the segment right after it.
#[derive(Clone)]
struct DotlessCut {
    /// The byte at which the base is cut.
    at: usize,
    /// The number of bytes at the start of `text` that also remain before this cut, without a slash at the end; `None` if nothing
    /// of `text` remains.
    shared: Option<usize>,
    /// The range of bytes of the base that is one more segment: it remains before the cut, but not in `text`. `None` if there is no
    /// such segment.
    own: Option<Range<usize>>,
}

impl DotlessDirectory {
    /// Removes the dot segments of a base's directory. `base` ends where its path ends. `directory` is the range of bytes of the
    /// directory, without the slash after its last segment. `stack` is empty. `cuts` are the bytes at which the base may be cut by
    /// level, in any order.
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
                found.push((at, stack.added.len(), stack.added.last().copied()));
            }
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

    /// Returns the segments of the whole directory, without the slash after them; `None` if there are none.
    pub(crate) fn directory(&self) -> Option<&str> {
        self.text.strip_suffix('/')
    }

    /// Returns the segments that remain before the cut at byte `at` of the base: a text of the first ones, with slashes between
    /// them, and one more segment. Each is `None` if there is none.
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

/// Returns a text of the segments with a slash after each, and the byte at which each segment ends in this text.
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

/// Returns the range of bytes at which a part is in a text. The part must be borrowed from that text, or be empty.
fn range_in(text: &str, part: &str) -> Range<usize> {
    // The removal of dot segments can leave an empty segment that is not borrowed from the text.
    if part.is_empty() {
        return 0..0;
    }
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}
