//! The segments of a path: a list of texts that are borrowed from the path.

use alloc::vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::iter::Copied;
use core::ops::Deref;
use core::slice;

use smallvec::SmallVec;

use super::dots::Path;
use crate::rules::Rules;

/// The segments of a path: the texts between its slashes.
///
/// A path of *n* slashes has *n* + 1 segments, so the first segment of a rooted path is empty, and so is the last one of a
/// path that ends in a slash. Nothing is lost: [`Display`](fmt::Display) gives the path back. Sixteen segments fit without
/// allocating. Dereferences to a slice of the segments.
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
#[derive(Clone, Debug, Default)]
pub struct Segments<'a> {
    pub(crate) list: SmallVec<[&'a str; 16]>,
}

impl<'a> Segments<'a> {
    /// Splits a path into its segments, all at once: a list, because `..` removes from its end.
    ///
    /// The empty path has one segment, an empty one. No segments at all, as an empty iterator gives, print the same. Cost:
    /// one pass.
    #[must_use]
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

    /// The list of the empty path differs: it has one empty segment.
    #[inline]
    pub(crate) fn empty() -> Self {
        Segments { list: SmallVec::new() }
    }

    /// Appends a segment. A slash inside it does not separate segments.
    #[inline]
    pub fn push(&mut self, segment: &'a str) {
        self.list.push(segment);
    }

    /// Removes the last segment and the slash before it, and returns the segment; `None` if there is no segment.
    #[inline]
    pub fn pop(&mut self) -> Option<&'a str> {
        self.list.pop()
    }

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
        let mut path = Path::new(rules, false);
        path.segments = core::mem::take(self);
        // A `..` right after a slash run stays, too.
        let removed = if path.ends_in_run() { None } else { path.remove_last() };
        if removed.is_some() && rules.drop_surplus && path.segments.is_empty() {
            path.segments.push("");
        }
        *self = path.segments;
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
        let mut path = Path::new(rules, false);
        let last = self.len().saturating_sub(1);
        for (at, segment) in self.iter().copied().enumerate() {
            path.push(segment, at == last, &mut ());
        }
        *self = path.segments;
    }
}

impl<'a> Deref for Segments<'a> {
    type Target = [&'a str];

    #[inline]
    fn deref(&self) -> &[&'a str] {
        &self.list
    }
}

/// Compares lists that may be borrowed for different lifetimes, which a derived `==` could not.
impl<'a> PartialEq<Segments<'a>> for Segments<'_> {
    fn eq(&self, other: &Segments<'a>) -> bool {
        **self == **other
    }
}

impl Eq for Segments<'_> {}

impl PartialEq<[&str]> for Segments<'_> {
    fn eq(&self, other: &[&str]) -> bool {
        **self == *other
    }
}

impl<const N: usize> PartialEq<[&str; N]> for Segments<'_> {
    fn eq(&self, other: &[&str; N]) -> bool {
        **self == *other
    }
}

impl Hash for Segments<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Display for Segments<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.list.join("/"))
    }
}

/// Moves the segments into a vector. To iterate without allocating, borrow them.
impl<'a> IntoIterator for Segments<'a> {
    type Item = &'a str;
    type IntoIter = vec::IntoIter<&'a str>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_vec().into_iter()
    }
}

impl<'s, 'a> IntoIterator for &'s Segments<'a> {
    type Item = &'a str;
    type IntoIter = Copied<slice::Iter<'s, &'a str>>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter().copied()
    }
}

impl<'a> FromIterator<&'a str> for Segments<'a> {
    fn from_iter<I: IntoIterator<Item = &'a str>>(segments: I) -> Self {
        Segments { list: segments.into_iter().collect() }
    }
}

impl<'a> Extend<&'a str> for Segments<'a> {
    fn extend<I: IntoIterator<Item = &'a str>>(&mut self, segments: I) {
        self.list.extend(segments);
    }
}

impl<'a> From<&'a str> for Segments<'a> {
    fn from(path: &'a str) -> Self {
        Segments::new(path)
    }
}
