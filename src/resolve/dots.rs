//! The removal of dot segments: what `.` and `..` do to the segments before them.

use memchr::memrchr;

use super::segments::Segments;
use super::step::{Action, Listener, Place};
use crate::rules::Rules;
use crate::scan::may_have_dots;

/// A path from which dot segments are removed as they are appended.
pub(crate) struct Path<'a> {
    pub(crate) segments: Segments<'a>,
    /// The first of the segments is a directory of any number of segments.
    // Most of it stays in most results, so it is split only where a `..` removes from it, and written as one text.
    starts_with_directory: bool,
    rules: Rules,
    /// The path comes right after `//` and an empty authority, so that its first slash is the third of a slash run.
    has_empty_authority: bool,
}

impl<'a> Path<'a> {
    #[inline]
    pub(crate) fn new(rules: Rules, has_empty_authority: bool) -> Self {
        Path { segments: Segments::empty(), starts_with_directory: false, rules, has_empty_authority }
    }

    /// Starts the path with a directory that has no dot segments. No slash at its end: empty for `/`.
    #[inline]
    pub(crate) fn start_with(&mut self, directory: &'a str) {
        self.segments.push(directory);
        self.starts_with_directory = true;
    }

    /// Appends the segments of a text that has slashes between them. `is_end` says that the last one is the last of the path.
    #[inline]
    pub(crate) fn append<L: Listener<'a>>(&mut self, text: &'a str, is_end: bool, listener: &mut L) {
        let mut start = 0;
        loop {
            let dots = match text.as_bytes()[start..] {
                [b'.', b'/', ..] => ".",
                [b'.', b'.', b'/', ..] => "..",
                // Segments are short: a search for many bytes at once would cost more than it saves.
                ref rest => match rest.iter().position(|&byte| byte == b'/') {
                    Some(len) => {
                        self.segments.push(&text[start..start + len]);
                        start += len + 1;
                        continue;
                    }
                    None => break,
                },
            };
            if self.keeps_dots(dots, false, listener) {
                self.segments.push(dots);
            }
            start += dots.len() + 1;
        }
        self.push(&text[start..], is_end, listener);
    }

    /// Appends one segment. A dot segment that takes effect is not appended, unless it is the last: then an empty segment stands
    /// for it, after which the path ends in a slash.
    pub(crate) fn push<L: Listener<'a>>(&mut self, segment: &'a str, is_last: bool, listener: &mut L) {
        if !matches!(segment, "." | "..") || self.keeps_dots(segment, is_last, listener) {
            self.segments.push(segment);
        } else if is_last {
            self.segments.push("");
        }
    }

    /// Lets a dot segment take effect, or returns true if it stays as it is.
    #[inline]
    fn keeps_dots<L: Listener<'a>>(&mut self, dots: &'a str, is_last: bool, listener: &mut L) -> bool {
        let place = Place { is_first: self.segments.is_empty(), is_last, is_after_host: false };
        if self.ends_in_run() {
            // A host may stand there, and no dot segment removes a host.
            listener.dots(Action::DotsAfterRun, dots, place);
            return true;
        }
        if dots.len() == 1 {
            listener.dots(Action::DotRemoved, dots, place);
            return false;
        }
        match self.remove_last() {
            Some(removed) => {
                listener.dots(Action::SegmentRemoved, removed, place);
                if self.rules.drop_surplus && self.segments.is_empty() {
                    // RFC 3986 §5.2.4, step 2C: the slash of `a/..` stays, so the path becomes rooted.
                    listener.dots(Action::RootAdded, "/", place);
                    self.segments.push("");
                }
                false
            }
            None if self.rules.drop_surplus => {
                listener.dots(Action::SurplusDropped, dots, place);
                false
            }
            None => {
                let is_after_host = !matches!(self.segments[..], [] | [""] | [.., ".."]);
                listener.dots(Action::SurplusKept, dots, Place { is_after_host, ..place });
                true
            }
        }
    }

    /// Removes the segment that a `..` after it removes, and returns it. `None` if there is none or it must stay: the root, another
    /// `..`, or by level what comes right after a slash run.
    #[inline(always)]
    pub(super) fn remove_last(&mut self) -> Option<&'a str> {
        let last = match self.segments[..] {
            [] => return None,
            [_] if self.starts_with_directory => self.split_directory()?,
            // Only the root is left.
            [""] => return None,
            [.., last] => last,
        };
        // Compared as bytes: a comparison of texts is a call.
        if last.as_bytes() == b".." {
            return None;
        }
        self.segments.pop();
        if self.ends_in_run() {
            self.segments.push(last);
            return None;
        }
        Some(last)
    }

    /// Makes the last segment of the directory a segment of its own, and returns it; `None` if only the root is left.
    #[inline(never)]
    fn split_directory(&mut self) -> Option<&'a str> {
        let directory = self.segments[0];
        let Some(slash) = memrchr(b'/', directory.as_bytes()) else {
            self.starts_with_directory = false;
            return Some(directory).filter(|directory| !directory.is_empty());
        };
        let last = &directory[slash + 1..];
        self.segments.list[0] = &directory[..slash];
        self.segments.push(last);
        Some(last)
    }

    /// Reports whether the next segment comes right after a run of two or more slashes, which mean something by level only.
    #[inline]
    pub(super) fn ends_in_run(&self) -> bool {
        self.rules.by_level()
            && match self.segments[..] {
                [] => false,
                // An empty last segment has a slash on each side, but the root only the one after it.
                [""] => self.has_empty_authority,
                [directory] => self.starts_with_directory && directory.ends_with('/'),
                [.., last] => last.is_empty(),
            }
    }

    /// Reports whether the path starts with `//`, which would be read as an authority if there is none before it.
    pub(crate) fn would_be_read_as_authority(&self) -> bool {
        match self.segments[..] {
            [] => false,
            // Each can be a text of several segments: a directory, or a path whose dot segments stay.
            [first] => first.starts_with("//"),
            ["", second] => second.starts_with('/'),
            ["", second, ..] => second.is_empty() || second.starts_with('/'),
            [first, ..] => first == "/" || first.starts_with("//"),
        }
    }
}

/// Reports whether a segment of `path` is `.` or `..`.
pub(crate) fn has_dot_segments(path: &str) -> bool {
    // Nearly every path is told from its bytes alone, many at once.
    (path.starts_with('.') || may_have_dots(path.as_bytes()))
        && path.split('/').any(|segment| matches!(segment, "." | ".."))
}
