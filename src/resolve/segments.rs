//! The segments of a path: a list of texts that are borrowed from the path.

use alloc::vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::iter::Copied;
use core::ops::Deref;
use core::slice;

use smallvec::SmallVec;

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
