//! The path model: borrowed segments, and what `.` and `..` do to them.

use core::fmt;
use core::ops::Deref;

use memchr::memrchr_iter;
use smallvec::SmallVec;

use crate::long_segments::LongSegments;
use crate::rules::Rules;
use crate::scan::has_dots;
use crate::step::{Action, Trace};

/// The segments of a path: the texts between its slashes.
///
/// A path of *n* slashes has *n* + 1 segments, so the first segment of a rooted path is empty, and so is the last one of a
/// path that ends in a slash. Nothing is lost: [`Display`](fmt::Display) gives the path back. Sixteen segments fit without
/// allocating. A read-only view of them is had by dereferencing to a slice.
///
/// Source: RFC 1630, *Hierarchical forms* and *Partial (relative) form*; RFC 3986 §3.3.
///
/// ```
/// use relref::{Rules, Segments};
///
/// let mut path = Segments::new("/a/b/../c");
/// assert_eq!(*path, ["", "a", "b", "..", "c"]);
/// path.remove_dots(Rules::RFC3986);
/// assert_eq!(path.to_string(), "/a/c");
/// assert_eq!(path.pop(), Some("c"));
/// path.push("d");
/// assert_eq!(path.to_string(), "/a/d");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Segments<'a> {
    list: SmallVec<[&'a str; 16]>,
}

impl<'a> Segments<'a> {
    /// The segments of a path. The empty path has one segment, an empty one. Cost: one pass.
    pub fn new(path: &'a str) -> Self {
        let mut list = SmallVec::new();
        let mut start = 0;
        // Segments are short: looking at each byte costs less than a call of memchr for each slash.
        for (at, byte) in path.bytes().enumerate() {
            if byte == b'/' {
                list.push(&path[start..at]);
                start = at + 1;
            }
        }
        list.push(&path[start..]);
        Segments { list }
    }

    /// No segments at all: what [`pop`](Segments::pop) leaves of the empty path.
    pub(crate) fn empty() -> Self {
        Segments { list: SmallVec::new() }
    }

    /// Appends a segment. A slash inside it would not be one that separates.
    pub fn push(&mut self, segment: &'a str) {
        self.list.push(segment);
    }

    /// Takes the last segment off: what follows the rightmost slash, and that slash.
    pub fn pop(&mut self) -> Option<&'a str> {
        self.list.pop()
    }

    /// Does to a directory what `..` does, under `rules`: takes its last segment off and returns it.
    ///
    /// The segments are those *before* the `..`. Nothing is removed, and `None` returned, when none is left but the root,
    /// when the last one is itself a `..`, and, where slashes are levels, when the last one or the `..` stands right after a
    /// run of two or more slashes. Of a rootless path's only segment, [`Rules::drop_surplus`] leaves the root, as RFC 3986 §5.2.4 does, and others nothing.
    ///
    /// ```
    /// # use relref::{Rules, Segments};
    /// let mut directory = Segments::new("/a/http://host");
    /// assert_eq!(directory.parent(Rules::RFC1630), None);
    /// assert_eq!(directory.parent(Rules::RFC3986), Some("host"));
    /// ```
    pub fn parent(&mut self, rules: Rules) -> Option<&'a str> {
        let mut stack = Stack::new(None, LongSegments::NONE, rules, false);
        stack.above = core::mem::replace(self, Segments::empty());
        // A `..` right after a run of slashes stays, too.
        let stays = stack.by_level && stack.ends_in_run();
        let removed = if stays { None } else { stack.parent() };
        *self = stack.above;
        removed
    }

    /// Removes the dot segments, under `rules`; in one pass.
    ///
    /// `.` goes with its slash and `..` with the segment before it; as last segment they leave a trailing slash. What
    /// becomes of a `..` with nothing before it is [`Rules::drop_surplus`]; where slashes are levels, the segment right
    /// behind a run of two or more slashes stays whatever it is. A path may come to start with `//` (`/a/..//b`), which no
    /// URI without an authority can: [`resolve`](crate::Base::resolve) guards against that, here it is the caller's to do.
    ///
    /// Source: RFC 1630, *Partial (relative) form*; RFC 1808 §4 step 6; RFC 3986 §5.2.4.
    pub fn remove_dots(&mut self, rules: Rules) {
        let mut stack = Stack::new(None, LongSegments::NONE, rules, false);
        let Some((last, directory)) = self.list.split_last() else { return };
        for segment in directory {
            stack.step(segment, &mut ());
        }
        if !stack.step(last, &mut ()) {
            stack.above.push("");
        }
        *self = stack.above;
    }
}

impl<'a> Deref for Segments<'a> {
    type Target = [&'a str];

    fn deref(&self) -> &[&'a str] {
        &self.list
    }
}

impl fmt::Display for Segments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_some() || f.precision().is_some() {
            return f.pad(&self.list.join("/"));
        }
        for (at, segment) in self.list.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { "/" })?;
            f.write_str(segment)?;
        }
        Ok(())
    }
}

/// The directory that grows and shrinks while dots are removed: segments of the base, which are only ever taken away, and
/// segments put above them.
pub(crate) struct Stack<'a> {
    /// Segments with a slash between each two of them; `None` is no segment at all.
    pub(crate) below: Option<&'a str>,
    pub(crate) above: Segments<'a>,
    /// The long segments of the path that `below` starts.
    long: &'a LongSegments,
    by_level: bool,
    drop_surplus: bool,
    /// The path stands behind `//` and nothing: its first slash is part of a longer run.
    void_authority: bool,
}

impl<'a> Stack<'a> {
    pub(crate) fn new(below: Option<&'a str>, long: &'a LongSegments, rules: Rules, void_authority: bool) -> Self {
        let (by_level, drop_surplus) = (rules.by_level(), rules.drop_surplus);
        Stack { below, above: Segments::empty(), long, by_level, drop_surplus, void_authority }
    }

    /// Takes in the segments of a text that have a slash behind them, and returns where what is left starts.
    pub(crate) fn steps<T: Trace<'a>>(&mut self, text: &'a str, trace: &mut T) -> usize {
        let mut rest = text;
        loop {
            let bytes = rest.as_bytes();
            let len = match bytes {
                [b'.', b'/', behind @ ..] if !(self.by_level && self.ends_in_run()) => {
                    // A lone one is common, and is spared the loop.
                    let more = if behind.starts_with(b"./") { run_of_dots(behind) } else { 0 };
                    (0..=more).for_each(|_| trace.step(Action::DotRemoved, "."));
                    rest = &rest[2 * (1 + more)..];
                    continue;
                }
                [b'.', b'.', b'/', ..] => 2,
                _ => match bytes.iter().position(|&byte| byte == b'/') {
                    Some(len) => len,
                    None => return text.len() - rest.len(),
                },
            };
            let (segment, behind) = rest.split_at(len);
            if segment.starts_with('.') {
                self.step(segment, trace);
            } else {
                let list = &self.above.list;
                if list.len() == list.capacity() {
                    // More than twice as many: there may be very many, and each time they are copied.
                    self.above.list.reserve(7 * list.len());
                }
                self.above.push(segment);
            }
            rest = &behind[1..];
        }
    }

    /// Takes one more segment in; `false` if it was a dot segment that did its work and is not part of the path.
    pub(crate) fn step<T: Trace<'a>>(&mut self, segment: &'a str, trace: &mut T) -> bool {
        let stays = match segment {
            "." | ".." if self.by_level && self.ends_in_run() => {
                trace.step(Action::DotsBehindRun, segment);
                true
            }
            "." => {
                trace.step(Action::DotRemoved, segment);
                false
            }
            ".." => match self.parent() {
                Some(removed) => {
                    trace.step(Action::ParentRemoved, removed);
                    false
                }
                None if self.drop_surplus => {
                    trace.step(Action::SurplusDropped, segment);
                    false
                }
                None => {
                    trace.step(Action::SurplusKept, segment);
                    true
                }
            },
            _ => true,
        };
        if stays {
            self.above.push(segment);
        }
        stays
    }

    /// Removes the last segment and returns it; `None` if it has to stay.
    fn parent(&mut self) -> Option<&'a str> {
        let top = self.above.pop().or_else(|| self.pop_below())?;
        if top == ".." || (top.is_empty() && self.is_empty()) || (self.by_level && self.ends_in_run()) {
            // It is not looked for again, however many `..` follow.
            self.above.push(top);
            return None;
        }
        if self.drop_surplus && self.is_empty() {
            // RFC 3986 §5.2.4, step 2C: the slash of `a/..` stays, so the path becomes rooted.
            self.above.push("");
        }
        Some(top)
    }

    fn pop_below(&mut self) -> Option<&'a str> {
        let below = self.below?;
        let slash = self.long.last_slash(below);
        self.below = slash.map(|slash| &below[..slash]);
        Some(&below[slash.map_or(0, |slash| slash + 1)..])
    }

    fn is_empty(&self) -> bool {
        self.below.is_none() && self.above.is_empty()
    }

    /// Whether the next segment stands right behind a run of two or more slashes.
    fn ends_in_run(&self) -> bool {
        match (&self.above[..], self.below) {
            ([.., top], below) => top.is_empty() && (self.above.len() > 1 || below.is_some() || self.void_authority),
            ([], Some("")) => self.void_authority,
            ([], Some(below)) => below.ends_with('/'),
            ([], None) => false,
        }
    }

    /// Whether the path, once `rest` is written behind it, starts with two slashes.
    pub(crate) fn looks_like_authority(&self, rest: &str) -> bool {
        let segments = self.below.into_iter().chain(self.above.iter().copied());
        let mut start = segments.flat_map(|segment| [segment, "/"]).chain([rest]).flat_map(str::bytes);
        start.next() == Some(b'/') && start.next() == Some(b'/')
    }
}

/// How many times a text starts with `./`.
fn run_of_dots(text: &[u8]) -> usize {
    text.chunks_exact(2).take_while(|dot| *dot == b"./").count()
}

/// Where the last dot segment of a path ends, with its slash; `None` if there is none.
#[inline]
pub(crate) fn last_dots(path: &[u8]) -> Option<usize> {
    if path.starts_with(b".") || has_dots(path) { find_last_dots(path) } else { None }
}

fn find_last_dots(path: &[u8]) -> Option<usize> {
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
