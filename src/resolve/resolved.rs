//! The result of a resolution: the pieces of the absolute URI, not yet written out.

use alloc::borrow::Cow;
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt::{self, Write};
use core::hash::{Hash, Hasher};

use super::segments::Segments;
use crate::uri::{Text, Uri, UriRef};

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
    /// The text between it and the segments: the authority of the reference with its slashes, or `/.`.
    pub(crate) lead: &'a str,
    /// Segments of the base's path that are not in `head`; a slash follows.
    pub(crate) kept: Option<&'a str>,
    /// Segments of the reference that were before dot segments; a slash follows each.
    pub(crate) segments: Segments<'a>,
    /// The rest of the reference, as it is written.
    pub(crate) tail: &'a str,
    pub(crate) split: Split,
}

/// The places of the components in a result. Those after the path are counted from the end: the length of the path is only
/// known once all its pieces are.
#[derive(Clone, Copy)]
pub(crate) struct Split {
    /// The byte after the colon of the scheme.
    pub(crate) scheme_end: usize,
    /// The byte at which the path starts; there is an authority if this is not `scheme_end`.
    pub(crate) path_start: usize,
    /// The bytes of query and fragment, with their marks.
    pub(crate) after_path: usize,
    /// The bytes of the fragment, with its hash sign.
    pub(crate) after_query: usize,
}

impl Split {
    /// Returns the places of a whole URI.
    pub(crate) fn of(uri: &UriRef<&str>) -> Self {
        let len = uri.as_str().len();
        let UriRef { scheme_end, path_start, path_end, query_end, .. } = *uri;
        Split { scheme_end, path_start, after_path: len - path_end, after_query: len - query_end }
    }
}

impl<'a> Resolved<'a> {
    /// Returns a part of the base with a part of the reference after it.
    #[inline]
    pub(crate) fn two_pieces(head: &'a str, tail: &'a str, split: Split) -> Self {
        Resolved { head, lead: "", kept: None, segments: Segments::empty(), tail, split }
    }

    /// Returns the scheme, without its colon.
    #[inline]
    pub fn scheme(&self) -> &'a str {
        let first = if self.head.is_empty() { self.tail } else { self.head };
        &first[..self.split.scheme_end - 1]
    }

    /// Returns the authority, without its two slashes.
    #[inline]
    pub fn authority(&self) -> Option<&'a str> {
        let Split { scheme_end, path_start, .. } = self.split;
        if path_start == scheme_end {
            return None;
        }
        let (start, end) = (scheme_end + 2, path_start);
        let head = self.head.len();
        Some(match (end <= head, self.lead) {
            (true, _) => &self.head[start..end],
            // Without a lead, the reference starts with it.
            (false, "") => &self.tail[start - head..end - head],
            (false, lead) => &lead[start - head..end - head],
        })
    }

    /// Returns the path; allocated only if it is not one piece of the base or of the reference.
    pub fn path(&self) -> Cow<'a, str> {
        let Split { path_start: start, after_path, .. } = self.split;
        let (head, tail, end) = (self.head, self.tail, self.len() - after_path);
        if self.is_two_pieces() {
            return match (head.get(start..), end.checked_sub(head.len())) {
                // Of a fragment, the query before it is in the head.
                (_, None) => Cow::Borrowed(&head[start..end]),
                (None, Some(end)) => Cow::Borrowed(&tail[start - head.len()..end]),
                (Some(""), Some(end)) => Cow::Borrowed(&tail[..end]),
                (Some(path), Some(0)) => Cow::Borrowed(path),
                (Some(path), Some(end)) => Cow::Owned([path, &tail[..end]].concat()),
            };
        }
        let mut path = String::with_capacity(end - start);
        let mut at = 0;
        self.pieces(|piece| {
            let (from, to) = (start.max(at), end.min(at + piece.len()));
            if from < to {
                path.push_str(&piece[from - at..to - at]);
            }
            at += piece.len();
        });
        Cow::Owned(path)
    }

    /// Returns the query, without its question mark.
    #[inline]
    pub fn query(&self) -> Option<&'a str> {
        let Split { after_path, after_query, .. } = self.split;
        if after_path == after_query { None } else { Some(self.counted_from_end(after_path - 1, after_query)) }
    }

    /// Returns the fragment, without its hash sign.
    #[inline]
    pub fn fragment(&self) -> Option<&'a str> {
        self.split.after_query.checked_sub(1).map(|start| self.counted_from_end(start, 0))
    }

    /// Returns a part of the query or fragment, between two distances in bytes from the end: of the reference, or of the
    /// base if the reference has no path.
    #[inline]
    fn counted_from_end(&self, start: usize, end: usize) -> &'a str {
        let (head, tail) = (self.head, self.tail);
        match tail.len().checked_sub(start) {
            Some(from) => &tail[from..tail.len() - end],
            None => &head[head.len() + tail.len() - start..head.len() + tail.len() - end],
        }
    }

    /// Returns the length of the text in bytes.
    #[allow(clippy::len_without_is_empty, reason = "a URI is never empty")]
    pub fn len(&self) -> usize {
        if self.is_two_pieces() {
            return self.head.len() + self.tail.len();
        }
        let slashed = self.kept.iter().chain(self.segments.iter()).map(|text| text.len() + 1).sum::<usize>();
        self.head.len() + self.lead.len() + slashed + self.tail.len()
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
        let Split { scheme_end, path_start, after_path, after_query } = self.split;
        let text = self.text();
        let len = text.len();
        Uri::new(UriRef::from_parts(text, [scheme_end, path_start, len - after_path, len - after_query]))
    }

    fn text(&self) -> String {
        let mut text = String::new();
        self.append_to(&mut text);
        text
    }

    /// Reports whether `head` and `tail` are all of it.
    fn is_two_pieces(&self) -> bool {
        self.lead.is_empty() && self.kept.is_none() && self.segments.is_empty()
    }

    /// Calls a function with each piece of the text, in order.
    fn pieces(&self, mut each: impl FnMut(&'a str)) {
        each(self.head);
        if !self.is_two_pieces() {
            each(self.lead);
            for text in self.kept.iter().chain(self.segments.iter()) {
                each(text);
                each("/");
            }
        }
        each(self.tail);
    }
}

impl fmt::Display for Resolved<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_some() || f.precision().is_some() {
            return f.pad(&self.text());
        }
        self.write_to(f)
    }
}

impl fmt::Debug for Resolved<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resolved")
            .field("scheme", &self.scheme())
            .field("authority", &self.authority())
            .field("path", &self.path())
            .field("query", &self.query())
            .field("fragment", &self.fragment())
            .finish()
    }
}

impl From<Resolved<'_>> for String {
    fn from(resolved: Resolved<'_>) -> String {
        resolved.into_string()
    }
}

impl From<Resolved<'_>> for Uri<String> {
    fn from(resolved: Resolved<'_>) -> Uri<String> {
        resolved.to_uri()
    }
}

impl PartialEq for Resolved<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.is(&other.text())
    }
}

impl Eq for Resolved<'_> {}

impl PartialOrd for Resolved<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Allocates both texts.
impl Ord for Resolved<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text().cmp(&other.text())
    }
}

/// As the text hashes.
impl Hash for Resolved<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}

impl Resolved<'_> {
    fn is(&self, text: &str) -> bool {
        let mut rest = Some(text);
        self.pieces(|piece| rest = rest.and_then(|rest| rest.strip_prefix(piece)));
        rest == Some("")
    }
}

macro_rules! equal_to {
    ($($text:ty $(, $held:ident)?;)*) => {$(
        impl$(<$held: Text>)? PartialEq<$text> for Resolved<'_> {
            fn eq(&self, text: &$text) -> bool {
                self.is(text.as_ref())
            }
        }

        impl$(<$held: Text>)? PartialEq<Resolved<'_>> for $text {
            fn eq(&self, resolved: &Resolved<'_>) -> bool {
                resolved == self
            }
        }
    )*};
}

equal_to! {
    str;
    &str;
    String;
    Cow<'_, str>;
    Uri<T>, T;
}
