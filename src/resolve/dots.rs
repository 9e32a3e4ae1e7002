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

/// The segments while dot segments are removed: first those of the base, in one borrowed text, then the added ones.
pub(crate) struct Stack<'a> {
    /// The segments of the base that are left, with slashes between them and none at the end; `None` if all were removed.
    pub(crate) base_segments: Option<&'a str>,
    /// A segment of the base is moved here once a `..` was found that cannot remove it.
    pub(crate) added: Segments<'a>,
    /// The long segments of what `base_segments` was before segments were removed from its end.
    long: &'a LongSegments,
    by_level: bool,
    drop_surplus: bool,
    /// The path comes right after `//` and an empty authority, so that its first slash is the third of a slash run.
    has_empty_authority: bool,
}

impl<'a> Stack<'a> {
    /// `base` has slashes between its segments and none at the end. `long` is of that text.
    #[inline]
    pub(crate) fn new(base: Option<&'a str>, long: &'a LongSegments, rules: Rules, has_empty_authority: bool) -> Self {
        let (by_level, drop_surplus) = (rules.by_level(), rules.drop_surplus);
        Stack { base_segments: base, added: Segments::empty(), long, by_level, drop_surplus, has_empty_authority }
    }

    /// Returns the byte after the last slash of `text`: the segment that starts there is not added.
    pub(crate) fn add_directory<T: Trace<'a>>(&mut self, text: &'a str, trace: &mut T) -> usize {
        let mut left = text;
        loop {
            let bytes = left.as_bytes();
            let len = match bytes {
                [b'.', b'/', rest @ ..] if !(self.by_level && self.ends_in_double_slash()) => {
                    // A single one is frequent, and takes no loop.
                    let more = if matches!(rest, [b'.', b'/', ..]) { count_dots(rest) } else { 0 };
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
            if bytes.first() == Some(&b'.') {
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

    /// Adds a segment, unless it is a dot segment that takes effect. Returns true if the segment was added.
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

    /// Removes the top segment and returns it, and true if the path becomes rooted by that; `None` if there is none or it must
    /// stay. By level, the caller must have checked that the path does not [end in a double slash](Stack::ends_in_double_slash).
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

    /// Counts the slash after the top segment: if true, the next segment is right after a run of two or more slashes.
    fn ends_in_double_slash(&self) -> bool {
        match (&self.added[..], self.base_segments) {
            ([.., top], base) => top.is_empty() && (self.added.len() > 1 || base.is_some() || self.has_empty_authority),
            ([], Some("")) => self.has_empty_authority,
            ([], Some(base)) => base.ends_with('/'),
            ([], None) => false,
        }
    }

    /// Reports whether the segments, with a slash after each, and `rest` start with `//`, which would be read as an authority.
    pub(crate) fn looks_like_authority(&self, rest: &str) -> bool {
        let segments = self.base_segments.into_iter().chain(self.added.iter().copied());
        let mut start = segments.flat_map(|segment| [segment, "/"]).chain([rest]).flat_map(str::bytes);
        start.next() == Some(b'/') && start.next() == Some(b'/')
    }
}

fn count_dots(text: &[u8]) -> usize {
    text.chunks_exact(2).take_while(|dot| *dot == b"./").count()
}

/// Returns the byte after the last dot segment and its slash.
#[inline]
pub(crate) fn last_dots_end(path: &[u8]) -> Option<usize> {
    if path.first() == Some(&b'.') || may_have_dots(path) { find_last_dots_end(path) } else { None }
}

/// Slow: looks at each dot from the end. Called only for paths that may have dot segments.
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
