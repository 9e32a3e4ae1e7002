//! The directory of a base without its dot segments: removed once, when the base is made ready.

use alloc::string::String;
use alloc::vec::Vec;

use crate::segments::{Segments, Stack};

/// The segments of a base's path that references are appended to, without dot segments.
#[derive(Clone)]
pub(crate) struct Undotted<'a> {
    /// The segments of the whole directory, a slash after each.
    text: String,
    /// By level: the places in the base where it may be cut, the first one first.
    cuts: Vec<UndottedCut<'a>>,
}

/// A place in the base, and the segments that are left of the path before it once its dots are removed.
///
/// The segments left before a cut are also left of the whole directory, except for the last one. A cut is before or after a
/// run of slashes, and no `..` crosses a run of two or more; where dots have made a shorter run of it, the segment after
/// that is the only one that a later `..` can remove.
#[derive(Clone)]
struct UndottedCut<'a> {
    place: usize,
    /// The length in bytes of the segments that are left of the whole directory, too; `None` if there is none.
    shared: Option<usize>,
    /// The last segment, if a later `..` removes it from the directory.
    own: Option<&'a str>,
}

impl<'a> Undotted<'a> {
    /// Removes the dot segments of a base's `directory`, which has no slash after its last segment. The directory starts
    /// at byte `start` of the base. `last` is the segment after it, and `places` are those where the base may be cut.
    pub(crate) fn new(
        directory: &'a str,
        start: usize,
        last: &'a str,
        mut stack: Stack<'a>,
        places: impl Iterator<Item = usize>,
    ) -> Self {
        let mut places: Vec<usize> = places.filter(|&place| place > start).collect();
        places.sort_unstable();
        places.dedup();
        let mut places = places.into_iter().peekable();
        let mut found = Vec::new();
        let mut end = start;
        for (index, segment) in directory.split('/').enumerate() {
            stack.step(segment, &mut ());
            end += usize::from(index > 0) + segment.len();
            while let Some(place) = places.next_if(|&place| place <= end) {
                found.push((place, stack.above.len(), stack.above.last().copied()));
            }
        }
        found.extend(places.map(|place| (place, stack.above.len() + 1, Some(last))));
        let (text, ends) = joined(&stack.above);
        let cut = |(place, count, last): (usize, usize, Option<&'a str>)| {
            let own = last.filter(|last| stack.above.get(count - 1) != Some(last));
            let shared = (count - usize::from(own.is_some())).checked_sub(1).map(|index| ends[index]);
            UndottedCut { place, shared, own }
        };
        Undotted { cuts: found.into_iter().map(cut).collect(), text }
    }

    /// Returns the segments of the whole directory, without the slash after them; `None` if there are none.
    pub(crate) fn directory(&self) -> Option<&str> {
        self.text.strip_suffix('/')
    }

    /// Returns the segments that are left before a cut, and one more after them.
    pub(crate) fn before(&self, place: usize) -> (Option<&str>, Option<&'a str>) {
        match self.cuts.binary_search_by_key(&place, |cut| cut.place) {
            Ok(index) => {
                let UndottedCut { shared, own, .. } = self.cuts[index];
                (shared.map(|end| &self.text[..end]), own)
            }
            Err(_) => (None, None),
        }
    }
}

/// Returns the segments with a slash after each, and where each ends.
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
