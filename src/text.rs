//! URIs in running text: found in, and put into, the wrappers that delimit them there.
//!
//! In mail, news and print a URI stands in angle brackets: `<http://h/>` (URL7, section 1.3) or, with a prefix,
//! `<URL:http://h/>` (RFC 1738, appendix). The wrapper is not part of the URI. Where the format has delimiters of its own, as
//! in HTML or a protocol, no wrapper is to be used, and this module is not the way to find URIs.
//!
//! ```
//! use relref::text::{unwrap, wrap};
//!
//! let text = "Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;
//!     type=d> but <jim@cern.ch> has another.";
//! let found: Vec<_> = unwrap(text).collect();
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

use crate::percent::{ByteSet, encode};
use crate::uri::UriRef;

/// A wrapped URI found in a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Wrapped<'a> {
    /// Where the wrapper stands in the text, in bytes, from its `<` to behind its `>`.
    pub range: Range<usize>,
    /// The URI, with its fragment, without the prefix and without white space; borrowed unless white space stood inside.
    pub uri: Cow<'a, str>,
    /// Whether the prefix `URL:` was there.
    pub prefixed: bool,
    /// What the URI may be instead, if it was broken over lines right behind a hyphen.
    ///
    /// Whoever broke the line may have put the hyphen there, and no reader can know (RFC 1738, appendix). `uri` keeps every
    /// hyphen; here each hyphen at the end of a line is gone, for who puts one puts all. Other choices among several such
    /// lines can be read from the text at `range`.
    pub without_hyphens: Option<String>,
}

/// The wrapped URIs of a text, in order. Made by [`unwrap`].
#[derive(Clone, Debug)]
pub struct Unwrap<'a> {
    text: &'a str,
    at: usize,
}

/// Finds the wrapped URIs of a text.
///
/// A wrapper is `<`, maybe the prefix `URL:` in either case, a scheme and a colon, the rest of the URI, and `>`. White space
/// (spaces, tabs, line and page breaks) is ignored everywhere but within the prefix and the scheme. What is legal behind the
/// scheme is not checked, but:
///
/// - `<` inside starts anew, so what was open before is no wrapper.
/// - `"` inside makes it markup. RFC 1630 has `"` among its characters; RFC 1738 took it out, because it delimits.
/// - Control characters inside make it no URI.
/// - The prefix needs a scheme behind it: `<URL:foo/bar>` is no wrapper, for `URL` is no scheme and a wrapper holds no
///   partial form.
///
/// Addresses, tags, comments and comparisons have no scheme, so they are passed over. Other things in angle brackets have the
/// form of a URI (`<Note: this>`, `<svg:rect/>`, `<T: Clone>`): look at the scheme, or at [`Wrapped::prefixed`]. The `>` that
/// marks a quoted line of mail would end a wrapper; it has to be taken off first.
///
/// Cost: one pass, at the speed of memchr where there is no `<`. Source: URL7, section 1.3; RFC 1738, appendix.
///
/// ```
/// use relref::text::unwrap;
///
/// let text = "from <http://h/a#b> or <url: http://h/long-\n name>";
/// let found: Vec<_> = unwrap(text).collect();
/// assert_eq!(&text[found[0].range.clone()], "<http://h/a#b>");
/// assert_eq!(found[0].uri, "http://h/a#b");
/// assert!(!found[0].prefixed);
/// assert_eq!(found[1].uri, "http://h/long-name");
/// assert_eq!(found[1].without_hyphens.as_deref(), Some("http://h/longname"));
///
/// for text in ["<a@b>", "<a href=\"x:y\">", "</a>", "<!-- x:y -->", "<x>", "<x:y", "<x:\"y\">", "<URL:foo/bar>", "a < b"] {
///     assert_eq!(unwrap(text).next(), None);
/// }
/// ```
pub fn unwrap(text: &str) -> Unwrap<'_> {
    Unwrap { text, at: 0 }
}

impl<'a> Iterator for Unwrap<'a> {
    type Item = Wrapped<'a>;

    fn next(&mut self) -> Option<Wrapped<'a>> {
        let bytes = self.text.as_bytes();
        loop {
            let start = self.at + memchr(b'<', &bytes[self.at..])?;
            self.at = start + 1;
            // Most of what is no wrapper is seen at once: a scheme starts with a letter.
            if !bytes.get(self.at).is_some_and(|byte| byte.is_ascii_alphabetic() || byte.is_ascii_whitespace()) {
                continue;
            }
            self.at += memchr3(b'<', b'>', b'"', &bytes[self.at..])?;
            if bytes[self.at] == b'>' {
                if let Some(wrapped) = read(self.text, start..self.at + 1) {
                    return Some(wrapped);
                }
            }
        }
    }
}

impl FusedIterator for Unwrap<'_> {}

/// Reads what stands in angle brackets, if that is a URI.
fn read(text: &str, range: Range<usize>) -> Option<Wrapped<'_>> {
    let inside = text[range.start + 1..range.end - 1].trim_ascii_start();
    let behind_prefix = strip_prefix(inside);
    let written = behind_prefix.unwrap_or(inside);
    UriRef::new(written).scheme()?;
    let mut found = Wrapped { range, uri: written.into(), prefixed: behind_prefix.is_some(), without_hyphens: None };
    if written.bytes().any(|byte| byte == b' ' || byte.is_ascii_control()) {
        let uri = join(written.split_ascii_whitespace(), written.len());
        if uri.bytes().any(|byte| byte.is_ascii_control()) {
            return None;
        }
        let trimmed = written.trim_ascii_end();
        found.uri = if uri.len() == trimmed.len() { trimmed.into() } else { uri.into() };
        found.without_hyphens = without_hyphens(written);
    }
    Some(found)
}

/// A URI without its white space and without the hyphens right before its line breaks, if there are any.
fn without_hyphens(written: &str) -> Option<String> {
    let is_break = |c: char| matches!(c, '\n' | '\r' | '\x0C');
    let (broken, last) = written.rsplit_once(is_break)?;
    // White space around a line break is ignored, so it may also stand between the hyphen and the break.
    let lines = broken.split(is_break).map(str::trim_ascii_end);
    if !lines.clone().any(|line| line.ends_with('-')) {
        return None;
    }
    let lines = lines.map(|line| line.strip_suffix('-').unwrap_or(line));
    Some(join(lines.chain([last]).flat_map(str::split_ascii_whitespace), written.len()))
}

fn join<'a>(words: impl Iterator<Item = &'a str>, capacity: usize) -> String {
    let mut out = String::with_capacity(capacity);
    out.extend(words);
    out
}

/// Puts a URI into a wrapper, `<URL:…>`, broken into lines of at most `width` characters.
///
/// The first line counts from the `<`; `usize::MAX` makes one line. A line is longer than `width` if it has no place to break:
/// there is none right behind a hyphen (RFC 1738, appendix), nor in the prefix and the scheme, nor before the last `>`,
/// which at the start of a line would look like a mark of quoting.
///
/// What cannot stand in a wrapper, white space, control characters, `<`, `>` and `"`, is encoded, and so is what is not
/// US-ASCII, as UTF-8; escapes stay as they are. So [`unwrap`] finds again any URI, as it was encoded, at any width. A text
/// without a scheme is wrapped but not found again.
///
/// Cost: one pass. Source: RFC 1738, appendix.
///
/// ```
/// use relref::text::wrap;
///
/// assert_eq!(wrap("http://h/a b", usize::MAX), "<URL:http://h/a%20b>");
/// assert_eq!(wrap("http://h/long-name/x", 19), "<URL:http://h/long\n-name/x>");
/// ```
pub fn wrap(uri: &str, width: usize) -> String {
    const PREFIX: &str = "<URL:";
    /// White space, control characters, `<`, `>` and `"`.
    const ENCODED: ByteSet = ByteSet::RFC1738_UNSAFE.without(ByteSet::new(b"#%{}|\\^~[]`"));

    let line = format!("{PREFIX}{}>", encode(uri, ENCODED));
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

/// What stands behind the prefix `URL:`, in either case, and white space behind that; `None` if the prefix is not there.
///
/// Only the one prefix is taken off, and what follows is not looked at. Source: RFC 1630, BNF, `prefixedurl`; RFC 1738,
/// appendix, which recommends the prefix wherever URLs are to be told from other data.
///
/// ```
/// use relref::text::strip_prefix;
///
/// assert_eq!(strip_prefix("URL:http://h/"), Some("http://h/"));
/// assert_eq!(strip_prefix("url: http://h/"), Some("http://h/"));
/// assert_eq!(strip_prefix("http://h/"), None);
/// ```
pub fn strip_prefix(text: &str) -> Option<&str> {
    let (prefix, behind) = text.split_at_checked("url:".len())?;
    prefix.eq_ignore_ascii_case("url:").then(|| behind.trim_ascii_start())
}
