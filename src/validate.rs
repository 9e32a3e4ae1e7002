//! Validity: whether a text is derivable from a document's printed grammar, and if not, where which production fails.
//!
//! Nothing else of the crate validates: splitting and resolving take any text. Each [`Grammar`] is one document's, read to
//! the letter but for the defects of the print, which are decided where they stand.
//!
//! ```
//! use relref::ErrorKind;
//! use relref::validate::{Grammar, validate};
//!
//! assert!(validate("http://[::1]:8080/a?b#c", Grammar::Rfc3986Uri).is_ok());
//! assert!(validate("../a?b", Grammar::Rfc3986Reference).is_ok());
//!
//! let error = validate("http://h:8o/", Grammar::Rfc1738Url).unwrap_err();
//! assert_eq!(error.kind(), ErrorKind::NotValid);
//! assert_eq!(error.to_string(), "not valid: expected a character of `hostport`, found `o` at byte 10");
//! ```

use crate::error::Error;
use crate::uri::UriRef;

mod cursor;
mod host;
mod rfc1630;
mod rfc1738;
mod rfc3986;

use cursor::Cursor;

/// A printed grammar, by document and start production.
///
/// Common to all: the scheme is a letter followed by letters, digits, `+`, `-` and `.`, in either case, so that what is
/// valid also splits. (RFC 1630 prints `ialpha`, which would let `@` and `%41` in; RFC 1738 would let a digit, `+`, `-` or
/// `.` come first, and prints lower case only, but §2.1 asks to read both.) An illegal escape, a control, a space, and
/// what is not US-ASCII are valid nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grammar {
    /// RFC 1630, *BNF of Generic URI Syntax*: `fragmentaddress`, of any scheme.
    ///
    /// The path may start with slashes and have void segments anywhere, and `:`, `;` and `=` may stand in it: by the print
    /// no URI with a host, none with a port and no WAIS document would be derivable, though the generic production is to
    /// parse "the same URIs" as the specific ones. The search and the fragment keep to the letter, so `?a=b` is an error, and
    /// so is a search with a void word (`?a++b`). A void fragment is valid, as *Fragment-id* says.
    Rfc1630Generic,
    /// RFC 1630, *BNF for specific URL schemes*: `url`, which has no fragment; a scheme it does not list is read by the
    /// generic production.
    ///
    /// Hosts are RFC 1738's: to the letter `user@host`, `h%41` and `h..` would be host names, and `3com.com` none.
    Rfc1630Url,
    /// RFC 1738 §5: `genericurl`, of any scheme. There is no fragment.
    Rfc1738Generic,
    /// RFC 1738 §5: `url`. A listed scheme is read by its own production only, any other by `otherurl`, which is
    /// `genericurl`.
    Rfc1738Url,
    /// RFC 3986, appendix A: `URI`.
    Rfc3986Uri,
    /// RFC 3986, appendix A: `URI-reference`, a URI or a relative reference.
    Rfc3986Reference,
}

impl Grammar {
    /// Every grammar.
    pub const ALL: [Grammar; 6] = [
        Grammar::Rfc1630Generic,
        Grammar::Rfc1630Url,
        Grammar::Rfc1738Generic,
        Grammar::Rfc1738Url,
        Grammar::Rfc3986Uri,
        Grammar::Rfc3986Reference,
    ];
}

/// Checks a text against a grammar.
///
/// # Errors
/// [`NotValid`](crate::ErrorKind::NotValid) names the production that failed, at the byte where it did, and
/// [`IllegalEscape`](crate::ErrorKind::IllegalEscape) is a `%` without two hex digits where an escape may stand.
///
/// Cost: a few passes over the text at most; nothing is allocated.
///
/// ```
/// use relref::validate::{Grammar, validate};
///
/// // RFC 1738 has a search only behind a slash, RFC 1630 also right behind the host.
/// assert!(validate("http://host?find", Grammar::Rfc1630Url).is_ok());
/// assert!(validate("http://host?find", Grammar::Rfc1738Url).is_err());
///
/// // RFC 1630, example 3: illegal.
/// let error = validate("news:12345667123%asdghfh@info.cern.ch", Grammar::Rfc1630Url).unwrap_err();
/// assert_eq!(error.position(), 18);
/// ```
pub fn validate(text: &str, grammar: Grammar) -> Result<(), Error> {
    let uri = UriRef::new(text);
    if uri.scheme().is_none() && grammar != Grammar::Rfc3986Reference {
        return Err(no_scheme(text));
    }
    match grammar {
        Grammar::Rfc1630Generic => rfc1630::fragmentaddress(&uri),
        Grammar::Rfc1630Url => rfc1630::url(&uri),
        Grammar::Rfc1738Generic => rfc1738::genericurl(Cursor::behind_scheme(&uri)),
        Grammar::Rfc1738Url => rfc1738::url(&uri),
        Grammar::Rfc3986Uri | Grammar::Rfc3986Reference => rfc3986::reference(&uri),
    }
}

/// Where a text stops being able to start with a scheme.
fn no_scheme(text: &str) -> Error {
    let mut cursor = Cursor::new(text, 0, text.len());
    if !cursor.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
        return cursor.error("a letter to start a `scheme`");
    }
    cursor.take(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    cursor.error("`:` to end the `scheme`")
}
