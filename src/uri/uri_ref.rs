//! The splitter: takes a URI or reference apart into its five components.

use alloc::string::String;
use core::convert::Infallible;
use core::ops::Range;

use super::{Lend, UriText};
use crate::percent::ByteSet;
use crate::scan::{find_byte, find_either};

/// A URI or a relative reference, split into its components.
///
/// It holds any [`UriText`]: `UriRef<&str>` borrows, `UriRef<String>` owns, `UriRef<Arc<str>>` shares. Equality, order and hash are
/// the same as for the text; [`canon::compare`](crate::canon::compare) finds the degree to which two different texts are equal.
///
/// Splitting never fails and copies nothing; a component that is absent (`None`) differs from one that is empty. Nothing
/// is validated, trimmed, decoded or changed in case, so [`Display`](core::fmt::Display) gives the text back byte for byte.
///
/// - scheme: the text before the first `:`, if it is a letter followed by letters, digits, `+`, `-` or `.`
///   (RFC 1738 §5, RFC 3986 §3.1)
/// - authority: after `//`, which is after the scheme or at the start, up to the next `/`, `?`, `#` or the end
/// - query: from the first `?` before the fragment
/// - fragment: from the first `#`
///
/// Cost: one pass over the text. Source: RFC 1630, BNF; RFC 3986 §3 and appendix B.
///
/// ```
/// use relref::UriRef;
///
/// let uri = UriRef::new("http://example.com/a/b?q#f");
/// assert_eq!(uri.scheme(), Some("http"));
/// assert_eq!(uri.authority(), Some("example.com"));
/// assert_eq!(uri.path(), "/a/b");
/// assert_eq!(uri.query(), Some("q"));
/// assert_eq!(uri.fragment(), Some("f"));
///
/// // Absent and empty differ.
/// assert_eq!(UriRef::new("file:///x").authority(), Some(""));
/// assert_eq!(UriRef::new("/x").authority(), None);
///
/// // Not schemes: a byte before the colon is not allowed there, or the first is not a letter.
/// for text in ["g?x:y", "1a:b", ":b", "a/b:c"] {
///     assert_eq!(UriRef::new(text).scheme(), None);
/// }
/// ```
#[derive(Clone, Copy)]
pub struct UriRef<T = String> {
    /// Changed only together with the offsets.
    pub(crate) text: T,
    /// The byte offset after the colon of the scheme; 0 if there is no scheme.
    pub(crate) scheme_end: usize,
    /// Differs from `scheme_end` if there is an authority, and only then.
    pub(crate) path_start: usize,
    /// The byte offset of the `?`; without a query, the same as `query_end`.
    pub(crate) path_end: usize,
    /// The byte offset of the `#`; without a fragment, the length of the text.
    pub(crate) query_end: usize,
}

impl<'a> UriRef<&'a str> {
    /// Always inlined: the engine calls it for each reference, and a call would cost more.
    #[inline(always)]
    pub(crate) fn split(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        // The ends come first, as all else is before them: then a colon or `//` in a query is no scheme and no authority, and no
        // search passes a `?` or `#` twice.
        let (path_end, query_end) = path_and_query_ends(bytes, 0);
        let scheme_end = scheme_end(&bytes[..path_end]);
        let path_start = match bytes[scheme_end..path_end] {
            [b'/', b'/', ref rest @ ..] => scheme_end + 2 + find_byte(rest, b'/').unwrap_or(rest.len()),
            _ => scheme_end,
        };
        UriRef { text, scheme_end, path_start, path_end, query_end }
    }
}

impl UriRef<&'static str> {
    /// Splits a text of the program, as [`new`](UriRef::new) does, also in a `const` or `static`.
    ///
    /// ```
    /// use relref::UriRef;
    ///
    /// const HOME: UriRef<&str> = UriRef::from_static("https://example.com/?a#b");
    /// assert_eq!((HOME.authority(), HOME.path()), (Some("example.com"), "/"));
    /// ```
    #[must_use]
    pub const fn from_static(text: &'static str) -> Self {
        let bytes = text.as_bytes();
        let query_end = position_of(bytes, 0, bytes.len(), b'#');
        let path_end = position_of(bytes, 0, query_end, b'?');
        let colon = position_of(bytes, 0, path_end, b':');
        let mut is_scheme = colon < path_end && bytes[0].is_ascii_alphabetic();
        let mut at = 0;
        while at < colon {
            is_scheme &= !NOT_IN_SCHEME[bytes[at] as usize];
            at += 1;
        }
        let scheme_end = if is_scheme { colon + 1 } else { 0 };
        let has_authority = path_end - scheme_end >= 2 && bytes[scheme_end] == b'/' && bytes[scheme_end + 1] == b'/';
        let path_start = if has_authority { position_of(bytes, scheme_end + 2, path_end, b'/') } else { scheme_end };
        UriRef { text, scheme_end, path_start, path_end, query_end }
    }
}

/// Returns the position of the first `byte` from `start` on; `end` without one.
const fn position_of(bytes: &[u8], start: usize, end: usize, byte: u8) -> usize {
    let mut at = start;
    while at < end && bytes[at] != byte {
        at += 1;
    }
    at
}

impl<T> UriRef<T> {
    /// `text` must have the same bytes, or be `()`.
    #[inline(always)]
    pub(crate) fn with_text<U>(&self, text: U) -> UriRef<U> {
        let UriRef { scheme_end, path_start, path_end, query_end, .. } = *self;
        UriRef { text, scheme_end, path_start, path_end, query_end }
    }

    /// The offsets are in the order of the fields.
    #[inline(always)]
    pub(crate) fn from_parts(text: T, [scheme_end, path_start, path_end, query_end]: [usize; 4]) -> Self {
        UriRef { text, scheme_end, path_start, path_end, query_end }
    }
}

impl UriRef<String> {
    /// Splits a text, and copies it, as [`Uri::parse`](super::Uri::parse) does for absolute URIs. It cannot fail:
    /// [`parse_valid`](UriRef::parse_valid) also checks the text, and [`UriRef::new`] keeps the text that it is given.
    pub fn parse(text: impl AsRef<str>) -> Result<Self, Infallible> {
        Ok(UriRef::new(String::from(text.as_ref())))
    }
}

impl<T: UriText + Into<String>> UriRef<T> {
    /// Returns the text. Copies only a borrowed one.
    pub fn into_string(self) -> String {
        self.text.into()
    }
}

impl<T: UriText> UriRef<T> {
    /// Splits a text, and holds it: `UriRef::new("../a")` is a `UriRef<&str>`.
    pub fn new(text: T) -> Self {
        let split = UriRef::split(text.text()).with_text(());
        split.with_text(text)
    }

    /// Returns the same URI or reference with a borrowed text. Nothing is split again.
    #[inline]
    pub fn as_borrowed(&self) -> UriRef<&str> {
        self.with_text(self.text.text())
    }

    /// Returns the same URI or reference with a text of its own. Nothing is split again.
    pub fn to_owned(&self) -> UriRef<String> {
        self.with_text(String::from(self.text.text()))
    }

    /// Returns the text.
    pub fn into_inner(self) -> T {
        self.text
    }

    /// Reports whether there is a scheme. Only then can the reference be a [`Uri`](super::Uri) and a base.
    #[inline]
    pub fn is_absolute(&self) -> bool {
        self.scheme_end > 0
    }

    /// Reports whether there is no scheme: whether this is a relative reference (RFC 3986 §4.2).
    #[inline]
    pub fn is_relative(&self) -> bool {
        !self.is_absolute()
    }

    /// Reports whether the text is empty: a reference to the base itself, without its fragment.
    pub fn is_empty(&self) -> bool {
        self.text.text().is_empty()
    }

    /// Reports whether the text is empty or only a fragment: whether, in any page, it refers to this page (RFC 3986 §4.4).
    ///
    /// ```
    /// use relref::UriRef;
    ///
    /// assert!(UriRef::new("#top").is_same_document() && UriRef::new("").is_same_document());
    /// assert!(!UriRef::new("?q#top").is_same_document());
    /// ```
    pub fn is_same_document(&self) -> bool {
        self.query_end == 0
    }

    /// Reports whether there is an authority, which may be empty.
    #[doc(alias = "has_host")]
    #[inline]
    pub fn has_authority(&self) -> bool {
        self.path_start != self.scheme_end
    }

    pub(crate) fn path_range(&self) -> Range<usize> {
        self.path_start..self.path_end
    }
}

impl<'i, 'o, T: Lend<'i, 'o>> UriRef<T> {
    /// Returns the whole text.
    #[inline]
    pub fn as_str(&'i self) -> &'o str {
        self.text.lend()
    }

    /// Returns the scheme, without its colon, as written.
    #[inline]
    pub fn scheme(&'i self) -> Option<&'o str> {
        self.scheme_end.checked_sub(1).map(|end| &self.as_str()[..end])
    }

    /// Returns the authority, without its two slashes.
    #[inline]
    pub fn authority(&'i self) -> Option<&'o str> {
        self.has_authority().then(|| &self.as_str()[self.scheme_end + 2..self.path_start])
    }

    /// Returns the path. Every URI has one, which may be empty.
    #[inline]
    pub fn path(&'i self) -> &'o str {
        &self.as_str()[self.path_start..self.path_end]
    }

    /// Returns the query (RFC 1630: search part), without its `?`.
    #[inline]
    pub fn query(&'i self) -> Option<&'o str> {
        (self.path_end != self.query_end).then(|| &self.as_str()[self.path_end + 1..self.query_end])
    }

    /// Returns the fragment, without its `#`.
    #[inline]
    pub fn fragment(&'i self) -> Option<&'o str> {
        self.as_str().get(self.query_end + 1..)
    }
}

// A table, since this is asked for each byte of each reference up to the first that no scheme has.
static NOT_IN_SCHEME: [bool; 256] = ByteSet::all_but(b"+-.").table();

/// The text before byte `start` must have neither `?` nor `#`.
#[inline(always)]
pub(crate) fn path_and_query_ends(text: &[u8], start: usize) -> (usize, usize) {
    let path_end = find_either(&text[start..], [b'?', b'#']).map_or(text.len(), |at| start + at);
    // Most URIs have neither query nor fragment: then one search has found both ends.
    let query_end = match text.get(path_end) {
        Some(b'?') => find_byte(&text[path_end..], b'#').map_or(text.len(), |at| path_end + at),
        _ => path_end,
    };
    (path_end, query_end)
}

/// The length with the colon; 0 if there is no scheme.
#[inline]
pub(crate) fn scheme_end(bytes: &[u8]) -> usize {
    // Most absolute URIs start with one of two schemes. Eight bytes are read as one number, and those after the colon are shifted
    // out: one comparison takes the place of a look-up for each byte. Any text of less than eight bytes takes the loop.
    match bytes.first_chunk().map(|start| u64::from_be_bytes(*start)) {
        Some(start) if start >> 16 == u64::from_be_bytes(*b"\0\0https:") => 6,
        Some(start) if start >> 24 == u64::from_be_bytes(*b"\0\0\0http:") => 5,
        _ => match bytes.iter().position(|&byte| NOT_IN_SCHEME[usize::from(byte)]) {
            Some(at) if bytes[at] == b':' && bytes[0].is_ascii_alphabetic() => at + 1,
            _ => 0,
        },
    }
}
