//! The removal of dot segments: what `.` and `..` do to the segments before them.

use memchr::memrchr_iter;

use super::long_segments::LongSegments;
use super::segments::Segments;
use super::step::{Action, Place, Trace};
use crate::rules::Rules;
use crate::scan::may_have_dots;

impl<'a> Segments<'a> {
    /// Removes the last segment of a directory, as a `..` does under `rules`, and returns it.
    ///
    /// The segments are the ones *before* the `..`. Nothing is removed, and `None` returned, in three cases: only the root is left;
    /// the last segment is itself a `..`; by level, the last segment or the `..` is right after a run of two or more slashes. If
    /// the only segment of a rootless path is removed, [`Rules::drop_surplus`] leaves the root, as RFC 3986 §5.2.4 does; without it
    /// nothing is left.
    ///
    /// ```
    /// # use relref::{Rules, Segments};
    /// let mut directory = Segments::new("/a/http://host");
    /// assert_eq!(directory.remove_last(Rules::RFC1630), None);
    /// assert_eq!(directory.remove_last(Rules::RFC3986), Some("host"));
    /// ```
    pub fn remove_last(&mut self, rules: Rules) -> Option<&'a str> {
        let mut stack = Stack::new(None, LongSegments::NONE, rules, false);
        stack.added = core::mem::replace(self, Segments::empty());
        // A `..` right after a slash run stays, too.
        let stays = stack.by_level && stack.ends_in_double_slash();
        let removed = if stays { None } else { stack.remove_top().map(|(removed, _)| removed) };
        *self = stack.added;
        removed
    }

    /// Removes the dot segments, under `rules`, in one pass.
    ///
    /// `.` is removed with its slash and `..` with the segment before it. As the last segment they leave a trailing slash.
    /// [`Rules::drop_surplus`] decides about a `..` with nothing before it. By level, the segment right after a run of two or
    /// more slashes stays, whatever it is. The path may start with `//` afterwards (`/a/..//b`), which is not possible in a
    /// URI without an authority: [`resolve`](crate::Base::resolve) writes `/.` before such a path, this function does not.
    ///
    /// Source: RFC 1630, *Partial (relative) form*; RFC 1808 §4 step 6; RFC 3986 §5.2.4.
    pub fn remove_dots(&mut self, rules: Rules) {
        let mut stack = Stack::new(None, LongSegments::NONE, rules, false);
        let Some((last, directory)) = self.list.split_last() else { return };
        for segment in directory {
            stack.add(segment, false, &mut ());
        }
        if !stack.add(last, true, &mut ()) {
            stack.added.push("");
        }
        *self = stack.added;
    }
}

/// The segments of a directory while dot segments are removed: a `..` removes the last one, the top. First come segments of the
/// base, which are one borrowed text, then the segments that were added.
pub(crate) struct Stack<'a> {
    /// The segments of the base that were not removed, with slashes between them and none at the end; `None` if all were removed.
    pub(crate) base_segments: Option<&'a str>,
    /// The segments after those of `base_segments`: all that were added and not removed again. A segment of the base is moved here
    /// once a `..` was found that cannot remove it.
    pub(crate) added: Segments<'a>,
    /// The long segments of the text that `base_segments` was before segments were removed from its end.
    long: &'a LongSegments,
    /// True if the rules cut bases by level. Then no `..` crosses a run of two or more slashes.
    by_level: bool,
    /// True if a `..` that has no segment to remove is dropped; false if it is kept, as [`Rules::drop_surplus`] says.
    drop_surplus: bool,
    /// True if the path comes right after `//` and an empty authority. Then its first slash is the third of a slash run.
    has_empty_authority: bool,
}

impl<'a> Stack<'a> {
    /// Returns a stack whose first segments are in `base`, with slashes between them and none at the end; `None` if there
    /// are none yet. `long` has the long segments of that text. `has_empty_authority` is true if the path comes right after `//`
    /// and an empty authority, as in `file:///a`.
    pub(crate) fn new(base: Option<&'a str>, long: &'a LongSegments, rules: Rules, has_empty_authority: bool) -> Self {
        let (by_level, drop_surplus) = (rules.by_level(), rules.drop_surplus);
        Stack { base_segments: base, added: Segments::empty(), long, by_level, drop_surplus, has_empty_authority }
    }

    /// Adds each segment of `text` that has a slash after it, as [`add`](Stack::add) does. Returns the byte of `text` after its
    /// last slash: the segment that starts there is not added.
    pub(crate) fn add_directory<T: Trace<'a>>(&mut self, text: &'a str, trace: &mut T) -> usize {
        let mut left = text;
        loop {
            let bytes = left.as_bytes();
            let len = match bytes {
                [b'.', b'/', rest @ ..] if !(self.by_level && self.ends_in_double_slash()) => {
                    // A single one is frequent, and takes no loop.
                    let more = if rest.starts_with(b"./") { count_dots(rest) } else { 0 };
                    let place = Place { is_first: self.is_empty(), is_last: false, is_after_host: false };
                    (0..=more).for_each(|_| trace.dots(Action::DotRemoved, ".", place));
                    left = &left[2 * (1 + more)..];
                    continue;
                }
                [b'.', b'.', b'/', ..] => 2,
                _ => match bytes.iter().position(|&byte| byte == b'/') {
                    Some(len) => len,
                    None => return text.len() - left.len(),
                },
            };
            let (segment, rest) = left.split_at(len);
            if segment.starts_with('.') {
                self.add(segment, false, trace);
            } else {
                let list = &self.added.list;
                if list.len() == list.capacity() {
                    // More than the usual twice as many: each time all are copied, and there may be very many.
                    self.added.list.reserve(7 * list.len());
                }
                self.added.push(segment);
            }
            left = &rest[1..];
        }
    }

    /// Adds a segment, unless it is a dot segment that takes effect: a `.` is left out, and a `..` removes the top segment. Where
    /// the rules keep a dot segment, it is added like any other: by level, right after a run of two or more slashes; and a surplus
    /// `..`, if it is not dropped. `is_last` is true if no slash follows the segment. Reports to `trace` what was done with a dot
    /// segment. Returns true if the segment was added.
    pub(crate) fn add<T: Trace<'a>>(&mut self, segment: &'a str, is_last: bool, trace: &mut T) -> bool {
        let place = Place { is_first: self.is_empty(), is_last, is_after_host: false };
        let stays = match segment {
            "." | ".." if self.by_level && self.ends_in_double_slash() => {
                trace.dots(Action::DotsAfterRun, segment, place);
                true
            }
            "." => {
                trace.dots(Action::DotRemoved, segment, place);
                false
            }
            ".." => match self.remove_top() {
                Some((removed, is_rooted_now)) => {
                    trace.dots(Action::SegmentRemoved, removed, place);
                    if is_rooted_now {
                        trace.dots(Action::RootAdded, "/", place);
                    }
                    false
                }
                None if self.drop_surplus => {
                    trace.dots(Action::SurplusDropped, segment, place);
                    false
                }
                None => {
                    let is_after_host = match self.added[..] {
                        [] | [.., ".."] => false,
                        [""] => self.base_segments.is_some(),
                        _ => true,
                    };
                    trace.dots(Action::SurplusKept, segment, Place { is_after_host, ..place });
                    true
                }
            },
            _ => true,
        };
        if stays {
            self.added.push(segment);
        }
        stays
    }

    /// Removes the top segment, as a `..` does. Returns it, and true if the path becomes rooted by that. Removes nothing and returns
    /// `None` if there is no segment, or if the top must stay. The top stays if it is itself a `..`, if it is the empty segment before the root or, by level, if it is
    /// right after a run of two or more slashes. If the rules drop a surplus `..`, the removal of the only segment of a rootless
    /// path (`a/..`) adds an empty one, so that the path becomes rooted. By level, the caller must have checked that the path does
    /// not [end in a double slash](Stack::ends_in_double_slash): a `..` after it stays.
    fn remove_top(&mut self) -> Option<(&'a str, bool)> {
        let top = self.added.pop().or_else(|| self.pop_base_segment())?;
        if top == ".." || (top.is_empty() && self.is_empty()) || (self.by_level && self.ends_in_double_slash()) {
            // In `added`, the top is not searched for again, however many `..` follow.
            self.added.push(top);
            return None;
        }
        let is_rooted_now = self.drop_surplus && self.is_empty();
        if is_rooted_now {
            // RFC 3986 §5.2.4, step 2C: the slash of `a/..` stays, so the path becomes rooted.
            self.added.push("");
        }
        Some((top, is_rooted_now))
    }

    /// Removes the last segment of `base_segments` and returns it; `None` if no segment is in it.
    fn pop_base_segment(&mut self) -> Option<&'a str> {
        let segments = self.base_segments?;
        let slash = self.long.last_slash(segments);
        self.base_segments = slash.map(|slash| &segments[..slash]);
        Some(&segments[slash.map_or(0, |slash| slash + 1)..])
    }

    fn is_empty(&self) -> bool {
        // The empty path is not empty here: it has one empty segment.
        self.base_segments.is_none() && self.added.is_empty()
    }

    /// Reports whether the path ends in a run of two or more slashes, including the slash after the top segment. The segment that
    /// is added next is then right after that run.
    fn ends_in_double_slash(&self) -> bool {
        match (&self.added[..], self.base_segments) {
            ([.., top], base) => top.is_empty() && (self.added.len() > 1 || base.is_some() || self.has_empty_authority),
            ([], Some("")) => self.has_empty_authority,
            ([], Some(base)) => base.ends_with('/'),
            ([], None) => false,
        }
    }

    /// Reports whether a path starts with two slashes, so that it would be read as an authority if it comes right after the scheme.
    /// The path is the segments of the stack with a slash after each, followed by `rest`.
    pub(crate) fn looks_like_authority(&self, rest: &str) -> bool {
        let segments = self.base_segments.into_iter().chain(self.added.iter().copied());
        let mut start = segments.flat_map(|segment| [segment, "/"]).chain([rest]).flat_map(str::bytes);
        start.next() == Some(b'/') && start.next() == Some(b'/')
    }
}

fn count_dots(text: &[u8]) -> usize {
    text.chunks_exact(2).take_while(|dot| *dot == b"./").count()
}

/// Returns the byte of a path after its last dot segment and the slash after that; `None` if it has none.
#[inline]
pub(crate) fn last_dots_end(path: &[u8]) -> Option<usize> {
    if path.starts_with(b".") || may_have_dots(path) { find_last_dots_end(path) } else { None }
}

/// Returns the same as [`last_dots_end`], but is slow: it looks at each dot, from the end of the path. That function calls it only
/// for paths that may have dot segments.
fn find_last_dots_end(path: &[u8]) -> Option<usize> {
    for at in memrchr_iter(b'.', path) {
        if !matches!(path.get(at + 1), None | Some(b'/')) {
            continue;
        }
        let start = if at > 0 && path[at - 1] == b'.' { at - 1 } else { at };
        if start == 0 || path[start - 1] == b'/' {
            return Some(path.len().min(at + 2));
        }
    }
    None
}
