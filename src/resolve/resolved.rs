//! The result of a resolution: the pieces of the absolute URI, not yet written out.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use super::segments::Segments;
use crate::uri::UriRef;

/// An absolute URI that a reference resolved to, borrowed in pieces from the base and the reference.
///
/// Its components are read from the pieces, and its text is only written when it is needed: by
/// [`Display`](fmt::Display), [`append_to`](Resolved::append_to), or `String::from`, which allocates once.
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
/// assert_eq!(String::from(result), "http://host/c?x#y");
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
}

impl<'a> Resolved<'a> {
    /// Returns a part of the base with a part of the reference after it.
    #[inline]
    pub(crate) fn plain(head: &'a str, tail: &'a str) -> Self {
        Resolved { head, lead: "", kept: None, segments: Segments::empty(), tail }
    }

    /// Returns the scheme, without its colon.
    pub fn scheme(&self) -> &'a str {
        UriRef::new(self.head).scheme().expect("every result starts with a scheme")
    }

    /// Returns the authority, without its two slashes.
    pub fn authority(&self) -> Option<&'a str> {
        let head = UriRef::new(self.head);
        let rest = match self.lead {
            _ if head.scheme_end < self.head.len() => return head.authority(),
            _ if self.is_plain() => self.tail,
            lead => lead,
        };
        rest.starts_with("//").then(|| UriRef::new(rest).authority()).flatten()
    }

    /// Returns the path; allocated only if it is not one piece of the base or of the reference.
    pub fn path(&self) -> Cow<'a, str> {
        let start = self.scheme().len() + 1 + self.authority().map_or(0, |text| text.len() + 2);
        let after = self.query().map_or(0, |text| text.len() + 1) + self.fragment().map_or(0, |text| text.len() + 1);
        let end = self.len() - after;
        let mut at = 0;
        let mut path = Cow::Borrowed("");
        self.pieces(|piece| {
            let (from, to) = (start.max(at), end.min(at + piece.len()));
            if from < to {
                let part = &piece[from - at..to - at];
                if path.is_empty() {
                    path = Cow::Borrowed(part);
                } else {
                    path.to_mut().push_str(part);
                }
            }
            at += piece.len();
        });
        path
    }

    /// Returns the query, without its question mark.
    pub fn query(&self) -> Option<&'a str> {
        UriRef::new(self.head).query().or_else(|| UriRef::new(self.tail).query())
    }

    /// Returns the fragment, without its hash sign.
    pub fn fragment(&self) -> Option<&'a str> {
        UriRef::new(self.head).fragment().or_else(|| UriRef::new(self.tail).fragment())
    }

    /// Returns the length of the text in bytes.
    #[allow(clippy::len_without_is_empty, reason = "a URI is never empty")]
    pub fn len(&self) -> usize {
        if self.is_plain() {
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

    /// Reports whether `head` and `tail` are all of it.
    fn is_plain(&self) -> bool {
        self.lead.is_empty() && self.kept.is_none() && self.segments.is_empty()
    }

    /// Calls a function with each piece of the text, in order.
    fn pieces(&self, mut each: impl FnMut(&'a str)) {
        each(self.head);
        if !self.is_plain() {
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
            return f.pad(&String::from(self.clone()));
        }
        let mut result = Ok(());
        self.pieces(|piece| result = result.and_then(|()| f.write_str(piece)));
        result
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
        let mut out = String::with_capacity(resolved.len());
        resolved.pieces(|piece| out.push_str(piece));
        out
    }
}

/// Results are equal if their texts are.
impl PartialEq for Resolved<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && *self == *String::from(other.clone())
    }
}

impl Eq for Resolved<'_> {}

impl PartialEq<str> for Resolved<'_> {
    fn eq(&self, text: &str) -> bool {
        let mut rest = Some(text);
        self.pieces(|piece| rest = rest.and_then(|rest| rest.strip_prefix(piece)));
        rest == Some("")
    }
}

impl PartialEq<&str> for Resolved<'_> {
    fn eq(&self, text: &&str) -> bool {
        *self == **text
    }
}
