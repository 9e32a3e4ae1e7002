//! Validation: checks that a text is derivable from a document's printed grammar.
//! If not, the error names the production that fails, and the byte.
//!
//! Nothing else in the crate validates: splitting and resolving accept any text. Each [`Grammar`] is read literally, except where
//! the printed grammar has a defect. A comment in the code names each defect and says what is valid instead.
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
//! assert_eq!(error.to_string(), "not valid as `url` of RFC 1738: expected a character of `hostport`, found `o` at byte 10");
//! ```

use crate::by_name::parse_and_print_by_name;
use crate::error::{Error, ErrorKind};
use crate::uri::UriRef;

mod cursor;
mod rfc1630;
mod rfc1738;
mod rfc3986;
mod shared;

use cursor::Cursor;

/// A printed grammar, by document and start production. It parses and prints by [`name`](Grammar::name).
///
/// In all of them, the scheme is a letter followed by letters, digits, `+`, `-` and `.`, in either case, so that the scheme
/// of a valid text is also the scheme of its split. (RFC 1630 prints `ialpha`, which includes `@` and `%41`. RFC 1738 allows
/// a digit, `+`, `-` or `.` as the first character; it prints lower case only, but §2.1 recommends to read both.) Illegal
/// escapes, controls, spaces and characters outside US-ASCII are never valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Grammar {
    /// RFC 1630, *BNF of Generic URI Syntax*: `fragmentaddress`, of any scheme.
    ///
    /// The path may start with slashes, have void segments anywhere, and contain `:`, `;` and `=`. The printed grammar, read
    /// literally, does not permit a host, a port or an object of WAIS, although the generic production should parse "the same URIs"
    /// as the specific ones. The search and the fragment are read literally: `?a=b` is an error, and so is a search with a void
    /// word (`?a++b`). A void fragment is valid, as *Fragment-id* says.
    Rfc1630Generic,
    /// RFC 1630, *BNF for specific URL schemes*: `url`, which has no fragment. A scheme that it does not list is read by the
    /// generic production.
    ///
    /// Hosts are those of RFC 1738. The grammar of RFC 1630, read literally, permits the host names `user@host`, `h%41` and `h..`,
    /// but not `3com.com`.
    Rfc1630Url,
    /// RFC 1738 §5: `genericurl`, of any scheme, which has no fragment.
    Rfc1738Generic,
    /// RFC 1738 §5: `url`. A listed scheme is read only by its own production, any other by `otherurl`, which is
    /// `genericurl`.
    Rfc1738Url,
    /// RFC 3986, appendix A: `URI`.
    Rfc3986Uri,
    /// RFC 3986, appendix A: `URI-reference`, a URI or a relative reference.
    Rfc3986Reference,
}

impl Grammar {
    /// All grammars.
    pub const ALL: [Grammar; 6] = [
        Grammar::Rfc1630Generic,
        Grammar::Rfc1630Url,
        Grammar::Rfc1738Generic,
        Grammar::Rfc1738Url,
        Grammar::Rfc3986Uri,
        Grammar::Rfc3986Reference,
    ];

    /// Returns the name by which it parses and prints, in kebab case.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns a phrase for messages: the start production and the document.
    pub const fn title(self) -> &'static str {
        self.row().1
    }

    /// Returns the name and the title of the grammar.
    const fn row(self) -> (&'static str, &'static str) {
        match self {
            Grammar::Rfc1630Generic => ("rfc1630-generic", "`fragmentaddress` of RFC 1630"),
            Grammar::Rfc1630Url => ("rfc1630-url", "`url` of RFC 1630"),
            Grammar::Rfc1738Generic => ("rfc1738-generic", "`genericurl` of RFC 1738"),
            Grammar::Rfc1738Url => ("rfc1738-url", "`url` of RFC 1738"),
            Grammar::Rfc3986Uri => ("rfc3986-uri", "`URI` of RFC 3986"),
            Grammar::Rfc3986Reference => ("rfc3986-reference", "`URI-reference` of RFC 3986"),
        }
    }
}

parse_and_print_by_name!(Grammar, "a grammar");

/// Checks a text against a grammar.
///
/// # Errors
/// [`NotValid`](crate::ErrorKind::NotValid) if a production fails; the message names it.
/// [`IllegalEscape`](crate::ErrorKind::IllegalEscape) for a `%` without two hex digits where an escape is allowed. The position
/// is the byte that does not fit.
///
/// Cost: a few passes over the text at most; nothing is allocated.
///
/// ```
/// use relref::validate::{Grammar, validate};
///
/// // RFC 1738 has a search only after a slash, RFC 1630 also right after the host.
/// assert!(validate("http://host?find", Grammar::Rfc1630Url).is_ok());
/// assert!(validate("http://host?find", Grammar::Rfc1738Url).is_err());
///
/// // RFC 1630, example 3, which has an illegal escape.
/// let error = validate("news:12345667123%asdghfh@info.cern.ch", Grammar::Rfc1630Url).unwrap_err();
/// assert_eq!(error.position(), 18);
/// ```
pub fn validate(text: &str, grammar: Grammar) -> Result<(), Error> {
    let uri = UriRef::new(text);
    if uri.scheme().is_none() && grammar != Grammar::Rfc3986Reference {
        return Err(Error::no_scheme(ErrorKind::NotValid, text).with_grammar(grammar.title()));
    }
    let checked = match grammar {
        Grammar::Rfc1630Generic => rfc1630::fragmentaddress(&uri),
        Grammar::Rfc1630Url => rfc1630::url(&uri),
        Grammar::Rfc1738Generic => rfc1738::genericurl(Cursor::after_scheme(&uri)),
        Grammar::Rfc1738Url => rfc1738::url(&uri),
        Grammar::Rfc3986Uri | Grammar::Rfc3986Reference => rfc3986::reference(&uri),
    };
    checked.map_err(|error| error.with_grammar(grammar.title()))
}
