//! URIs in running text: finding them in their wrappers, and wrapping them.
//!
//! In mail, news and print a wrapper delimits a URI: angle brackets, as in `<http://h/>` (URL7, section 1.3), or with a prefix,
//! as in `<URL:http://h/>` (RFC 1738, appendix). The wrapper is not part of the URI. Formats with their own delimiters, such as
//! HTML and protocols, use no wrappers; do not look for their URIs with this module.
//!
//! ```
//! use relref::text::{find_wrapped, wrap};
//!
//! let text = "Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;
//!     type=d> but <jim@cern.ch> has another.";
//! let found: Vec<_> = find_wrapped(text).collect();
//! assert_eq!(found.len(), 1);
//! assert_eq!(found[0].uri, "ftp://info.cern.ch/pub/www/doc;type=d");
//!
//! assert_eq!(wrap("ftp://info.cern.ch/pub/www/doc;type=d", 40), "<URL:ftp://info.cern.ch/pub/www/doc;type\n=d>");
//! ```

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::iter::FusedIterator;
use core::ops::Range;

use memchr::{memchr, memchr3};

use crate::percent::{ByteSet, encode_with};
use crate::uri::UriRef;

/// A wrapped URI found in a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Wrapped<'a> {
    /// The bytes of the wrapper in the text, with its `<` and `>`.
    pub range: Range<usize>,
    /// The URI with its fragment, without the prefix and without white space; borrowed unless it had white space inside.
    pub uri: Cow<'a, str>,
    /// True if the wrapper has the prefix `URL:`.
    pub prefixed: bool,
    /// The other possible URI, without hyphens at the end of lines; `None` if no line before the last ends with a hyphen.
    ///
    /// Such a hyphen may be part of the URI, or may have been added where the line was broken; nobody can know (RFC 1738,
    /// appendix). `uri` keeps every hyphen. This text keeps none at the end of a line, since somebody who adds a hyphen at one
    /// break adds one at each. For other choices, read the text at `range`.
    pub without_hyphens: Option<String>,
}

/// An iterator over the wrapped URIs of a text, in order. Made by [`find_wrapped`].
#[derive(Clone, Debug)]
pub struct FindWrapped<'a> {
    text: &'a str,
    at: usize,
}

/// Finds the wrapped URIs of a text.
///
/// A wrapper is `<`, maybe the prefix `URL:` in either case, a scheme and a colon, the rest of the URI, and `>`. White space
/// (spaces, tabs, line and page breaks) is ignored everywhere except in the prefix and the scheme. The rest of the URI is not
/// checked, but:
///
/// - `<` inside starts a new wrapper, and what came before is not one.
/// - `"` inside means markup. RFC 1630 permits `"`; RFC 1738 does not, because it is a delimiter.
/// - A text with control characters inside is not a URI.
/// - The prefix needs a scheme after it: `<URL:foo/bar>` is not a wrapper, since `URL` is not a scheme and a wrapper does not
///   contain partial forms.
///
/// Addresses, tags, comments and comparisons have no scheme, so they are skipped. Other texts in angle brackets look like URIs
/// (`<Note: this>`, `<svg:rect/>`, `<T: Clone>`): check the scheme, or [`Wrapped::prefixed`]. The `>` that marks a quoted line
/// of mail would end a wrapper; remove it before.
///
/// Cost: one pass, as fast as memchr up to the next `<`. Source: URL7, section 1.3; RFC 1738, appendix.
///
/// ```
/// use relref::text::find_wrapped;
///
/// let text = "from <http://h/a#b> or <url: http://h/long-\n name>";
/// let found: Vec<_> = find_wrapped(text).collect();
/// assert_eq!(&text[found[0].range.clone()], "<http://h/a#b>");
/// assert_eq!(found[0].uri, "http://h/a#b");
/// assert!(!found[0].prefixed);
/// assert_eq!(found[1].uri, "http://h/long-name");
/// assert_eq!(found[1].without_hyphens.as_deref(), Some("http://h/longname"));
///
/// for text in ["<a@b>", "<a href=\"x:y\">", "</a>", "<!-- x:y -->", "<x>", "<x:y", "<x:\"y\">", "<URL:foo/bar>", "a < b"] {
///     assert_eq!(find_wrapped(text).next(), None);
/// }
/// ```
#[must_use]
#[doc(alias("find", "unwrap"))]
pub fn find_wrapped(text: &str) -> FindWrapped<'_> {
    FindWrapped { text, at: 0 }
}

impl<'a> Iterator for FindWrapped<'a> {
    type Item = Wrapped<'a>;

    fn next(&mut self) -> Option<Wrapped<'a>> {
        let bytes = self.text.as_bytes();
        loop {
            let start = self.at + memchr(b'<', &bytes[self.at..])?;
            self.at = start + 1;
            // This skips most other texts at once: a scheme starts with a letter.
            if !bytes.get(self.at).is_some_and(|byte| byte.is_ascii_alphabetic() || byte.is_ascii_whitespace()) {
                continue;
            }
            // A new `<` starts anew from there, so that no byte is read twice, however many of them have no `>`.
            self.at += memchr3(b'<', b'>', b'"', &bytes[self.at..])?;
            if bytes[self.at] == b'>' {
                if let Some(wrapped) = read_wrapped(self.text, start..self.at + 1) {
                    return Some(wrapped);
                }
            }
        }
    }
}

impl FusedIterator for FindWrapped<'_> {}

/// `None` if the text in the wrapper has no scheme, or has a control character other than white space.
fn read_wrapped(text: &str, range: Range<usize>) -> Option<Wrapped<'_>> {
    // A quote or `<` inside ends the search before this: what is read here is short in texts with markup, and each byte is in one
    // range at most.
    let inside = text[range.start + 1..range.end - 1].trim_ascii_start();
    let after_prefix = strip_prefix(inside);
    let written = after_prefix.unwrap_or(inside);
    UriRef::new(written).scheme()?;
    let mut found = Wrapped { range, uri: written.into(), prefixed: after_prefix.is_some(), without_hyphens: None };
    if written.bytes().any(|byte| byte == b' ' || byte.is_ascii_control()) {
        let uri: String = written.split_ascii_whitespace().collect();
        if uri.bytes().any(|byte| byte.is_ascii_control()) {
            return None;
        }
        let trimmed = written.trim_ascii_end();
        found.uri = if uri.len() == trimmed.len() { trimmed.into() } else { uri.into() };
        found.without_hyphens = without_hyphens(written);
    }
    Some(found)
}

/// `written` is the URI as it is in the wrapper, on one line or several.
fn without_hyphens(written: &str) -> Option<String> {
    let is_break = |c: char| matches!(c, '\n' | '\r' | '\x0C');
    let (broken, last) = written.rsplit_once(is_break)?;
    // White space around a line break is ignored, also between the hyphen and the break.
    let lines = broken.split(is_break).map(str::trim_ascii_end);
    if !lines.clone().any(|line| line.ends_with('-')) {
        return None;
    }
    let lines = lines.map(|line| line.strip_suffix('-').unwrap_or(line));
    Some(lines.chain([last]).flat_map(str::split_ascii_whitespace).collect())
}

/// Writes a URI in a wrapper, `<URL:…>`, on lines of at most `width` characters.
///
/// The first line starts with the `<`. For a single line use `usize::MAX`. A line is longer than `width` if there is no place to
/// break it: lines do not break right after a hyphen (RFC 1738, appendix), in the prefix and the scheme, or before the last
/// `>`, which would look like that of a quoted line.
///
/// White space, control characters, `<`, `>` and `"` are encoded, since a wrapper cannot contain them, and so are characters
/// beyond US-ASCII, as UTF-8. Escapes stay as they are. So [`find_wrapped`] finds every URI again, encoded, for any width; but it does
/// not find a text without a scheme.
///
/// Cost: one pass. Source: RFC 1738, appendix.
///
/// ```
/// use relref::text::wrap;
///
/// assert_eq!(wrap("http://h/a b", usize::MAX), "<URL:http://h/a%20b>");
/// assert_eq!(wrap("http://h/long-name/x", 19), "<URL:http://h/long\n-name/x>");
/// ```
#[must_use]
pub fn wrap(uri: impl AsRef<str>, width: usize) -> String {
    let uri = uri.as_ref();
    const PREFIX: &str = "<URL:";
    const ENCODED: ByteSet = ByteSet::RFC1738_UNSAFE.without(ByteSet::new(b"#%{}|\\^~[]`"));

    let line = format!("{PREFIX}{}>", encode_with(uri, ENCODED));
    let mut out = String::with_capacity(line.len() + line.len() / width.max(1));
    let mut rest = line.as_str();
    let mut unbroken = PREFIX.len() + UriRef::new(&line[PREFIX.len()..]).scheme_end;
    while rest.len() > width {
        let last = rest.len() - 1;
        let breaks = |at: &usize| rest.as_bytes()[at - 1] != b'-';
        let fits = (unbroken..last.min(width + 1)).rev().find(breaks);
        let Some(at) = fits.or_else(|| (unbroken.max(width + 1)..last).find(breaks)) else { break };
        out.push_str(&rest[..at]);
        out.push('\n');
        (rest, unbroken) = (&rest[at..], 1);
    }
    out + rest
}

/// Returns the text after the prefix `URL:`, in upper or lower case, and the white space after it; `None` if there is no prefix.
///
/// Removes only one prefix, and does not check the rest. Source: RFC 1630, BNF, `prefixedurl`; RFC 1738, appendix, which
/// recommends the prefix to distinguish URLs from other data.
///
/// ```
/// use relref::text::strip_prefix;
///
/// assert_eq!(strip_prefix("URL:http://h/"), Some("http://h/"));
/// assert_eq!(strip_prefix("url: http://h/"), Some("http://h/"));
/// assert_eq!(strip_prefix("http://h/"), None);
/// ```
#[must_use]
pub fn strip_prefix(text: &str) -> Option<&str> {
    let (prefix, after) = text.split_at_checked("url:".len())?;
    prefix.eq_ignore_ascii_case("url:").then(|| after.trim_ascii_start())
}
