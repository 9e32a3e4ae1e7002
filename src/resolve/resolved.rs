//! The result of a resolution: the pieces of the absolute URI, not yet written out.

mod traits;

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write};

use super::segments::Segments;
use crate::uri::{Uri, UriRef};

/// An absolute URI that a reference resolved to, borrowed in pieces from the base and the reference.
///
/// Its components are known from the resolution, and its text is only written when it is needed:
/// [`into_string`](Resolved::into_string) allocates once, [`append_to`](Resolved::append_to) and
/// [`write_to`](Resolved::write_to) write into what is there. What must outlive base and reference is a `String`, or a
/// `Uri<String>` by [`to_uri`](Resolved::to_uri). Equality, order and hash are those of the text.
///
/// ```
/// use relref::{Base, Rules};
///
/// let base = Base::new("http://host/a/b?q", Rules::RFC3986)?;
/// let result = base.resolve("../c?x#y");
/// assert_eq!(result.authority(), Some("host"));
/// assert_eq!(result.path(), "/c");
/// assert_eq!(result.query(), Some("x"));
/// assert_eq!(result, "http://host/c?x#y");
/// assert_eq!(result.into_string(), "http://host/c?x#y");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone)]
pub struct Resolved<'a> {
    /// The first text, of the base or of a reference with a scheme.
    pub(crate) head: &'a str,
    /// The texts between head and tail, if there are any.
    pub(crate) middle: Option<Middle<'a>>,
    /// The rest of the reference, as it is written.
    pub(crate) tail: &'a str,
    pub(crate) components: Components<'a>,
}

/// The texts between the first and the last.
#[derive(Clone)]
pub(crate) struct Middle<'a> {
    /// The authority of the reference with its slashes, or `/.`.
    pub(crate) lead: &'a str,
    /// Segments of the base's path that are not in the head; a slash follows.
    pub(crate) base_segments: Option<&'a str>,
    /// Segments of the reference that were before dot segments; a slash follows each.
    pub(crate) reference_segments: Segments<'a>,
}

impl<'a> Middle<'a> {
    /// Returns a lead alone.
    pub(crate) fn lead(lead: &'a str) -> Self {
        Middle { lead, base_segments: None, reference_segments: Segments::empty() }
    }

    fn len(&self) -> usize {
        self.lead.len() + self.segments().map(|text| text.len() + 1).sum::<usize>()
    }

    /// Returns the path that ends in `tail`.
    #[cold]
    fn path(&self, lead_is_authority: bool, tail: &str) -> String {
        let lead = if lead_is_authority { "" } else { self.lead };
        let mut path = String::with_capacity(self.len() + tail.len());
        path.push_str(lead);
        for text in self.segments() {
            path.push_str(text);
            path.push('/');
        }
        path.push_str(tail);
        path
    }

    /// Returns the texts after the lead. A slash follows each.
    fn segments(&self) -> impl Iterator<Item = &'a str> {
        self.base_segments.iter().chain(self.reference_segments.iter()).copied()
    }
}

/// The components of a result. Each is a part of the base or of the reference; the path may be of several parts, and is
/// between these.
#[derive(Clone, Copy)]
pub(crate) struct Components<'a> {
    pub(crate) scheme: &'a str,
    pub(crate) authority: Option<&'a str>,
    pub(crate) query: Option<&'a str>,
    pub(crate) fragment: Option<&'a str>,
}

impl<'a> Components<'a> {
    /// Returns the components of a URI, or of a reference, whose scheme is empty if it has none.
    #[inline]
    pub(crate) fn of(uri: &UriRef<&'a str>) -> Self {
        let scheme = uri.scheme().unwrap_or_default();
        Components { scheme, authority: uri.authority(), query: uri.query(), fragment: uri.fragment() }
    }

    /// Returns the byte at which the path starts.
    #[inline]
    fn path_start(&self) -> usize {
        self.scheme.len() + ":".len() + self.authority.map_or(0, |authority| "//".len() + authority.len())
    }

    /// Returns the bytes after the path, with their marks.
    #[inline]
    fn after_path(&self) -> usize {
        [self.query, self.fragment].iter().flatten().map(|component| 1 + component.len()).sum()
    }
}

impl<'a> Resolved<'a> {
    /// Returns a part of the base with a part of the reference after it.
    #[inline]
    pub(crate) fn two_pieces(head: &'a str, tail: &'a str, components: Components<'a>) -> Self {
        Resolved { head, middle: None, tail, components }
    }

    /// Returns the scheme, without its colon.
    #[inline]
    pub fn scheme(&self) -> &'a str {
        self.components.scheme
    }

    /// Returns the authority, without its two slashes.
    #[inline]
    pub fn authority(&self) -> Option<&'a str> {
        self.components.authority
    }

    /// Returns the path; allocated only if it is not one piece of the base or of the reference. Its segments are
    /// `Segments::new(&result.path())`.
    pub fn path(&self) -> Cow<'a, str> {
        let (head, start, after) = (self.head, self.components.path_start(), self.components.after_path());
        let Some(end) = self.tail.len().checked_sub(after) else {
            // Of a fragment, the query before it is in the head.
            return Cow::Borrowed(&head[start..head.len() + self.tail.len() - after]);
        };
        let tail = &self.tail[..end];
        if let Some(middle) = &self.middle {
            return Cow::Owned(middle.path(start > head.len(), tail));
        }
        match start.checked_sub(head.len()) {
            Some(skipped) => Cow::Borrowed(&tail[skipped..]),
            None if end == 0 => Cow::Borrowed(&head[start..]),
            None => {
                let directory = &head[start..];
                let mut path = String::with_capacity(directory.len() + end);
                path.push_str(directory);
                path.push_str(tail);
                Cow::Owned(path)
            }
        }
    }

    /// Returns the query, without its question mark.
    #[inline]
    pub fn query(&self) -> Option<&'a str> {
        self.components.query
    }

    /// Returns the fragment, without its hash sign.
    #[inline]
    pub fn fragment(&self) -> Option<&'a str> {
        self.components.fragment
    }

    /// Returns the length of the text in bytes.
    #[allow(clippy::len_without_is_empty, reason = "a URI is never empty")]
    pub fn len(&self) -> usize {
        self.head.len() + self.middle.as_ref().map_or(0, Middle::len) + self.tail.len()
    }

    /// Appends the text; allocates only if `out` must grow.
    pub fn append_to(&self, out: &mut String) {
        out.reserve(self.len());
        self.pieces(|piece| out.push_str(piece));
    }

    /// Writes the text.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_to(&self, out: &mut impl Write) -> fmt::Result {
        let mut result = Ok(());
        self.pieces(|piece| result = result.and_then(|()| out.write_str(piece)));
        result
    }

    /// Returns the text; allocates once.
    pub fn into_string(self) -> String {
        self.text()
    }

    /// Returns the URI with a text of its own. It is not split again.
    pub fn into_uri(self) -> Uri<String> {
        self.to_uri()
    }

    /// Returns the URI with a text of its own. It is not split again.
    pub fn to_uri(&self) -> Uri<String> {
        let Components { scheme, fragment, .. } = self.components;
        let text = self.text();
        let path_end = text.len() - self.components.after_path();
        let query_end = text.len() - fragment.map_or(0, |fragment| 1 + fragment.len());
        let offsets = [scheme.len() + 1, self.components.path_start(), path_end, query_end];
        Uri::new(UriRef::from_parts(text, offsets))
    }

    fn text(&self) -> String {
        let mut text = String::new();
        self.append_to(&mut text);
        text
    }

    /// Calls a function with each piece of the text, in order.
    #[inline]
    fn pieces(&self, mut each: impl FnMut(&'a str)) {
        each(self.head);
        if let Some(middle) = &self.middle {
            each(middle.lead);
            for text in middle.segments() {
                each(text);
                each("/");
            }
        }
        each(self.tail);
    }
}
