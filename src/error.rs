//! The one error type: the text that was expected, the character found instead, and its byte.

use core::convert::Infallible;
use core::fmt;

use crate::names::UnknownName;

// No text is kept, so that an error is small, is `Copy`, and costs no allocation: a crawl makes one for each URI that it rejects.
// Where text is needed, as for the nearest name, there is a number of a static one.
/// The reason why a text was refused, and the byte where it does not fit.
///
/// ```
/// use relref::{Base, ErrorKind, Rules};
///
/// let error = Base::new("1a:b", Rules::RFC3986).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::NoScheme);
/// assert_eq!(error.position(), 0);
/// assert_eq!(error.to_string(), "not an absolute URI: expected a letter to start a scheme, found `1` at byte 0");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Error {
    kind: ErrorKind,
    expected: Expected,
    /// `None` at the end of the text, and if the message does not name the character.
    found: Option<char>,
    position: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Expected {
    Part {
        phrase: &'static str,
        /// Production and document; `None` if the error is not from a grammar.
        grammar: Option<&'static str>,
    },
    Name(UnknownName),
    /// The expected thing: the message is `not` and this.
    #[cfg(any(feature = "http", feature = "regex"))]
    Whole(&'static str),
    /// The whole message.
    Reason(&'static str),
    /// The name and description of a validation error of the URL Standard.
    Url(&'static str, &'static str),
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A text without a scheme where an absolute URI must be: a [`Uri`](crate::Uri), or a base (RFC 3986 §5.1).
    #[doc(alias("MissingScheme", "NotAbsolute", "RelativeUrlWithoutBase"))]
    NoScheme,
    /// A component that would be read as another, so that a text with it would split differently.
    NotComponent,
    /// A URI that does not name a file of this system, or a path that is not absolute or has a NUL.
    NotFilePath,
    /// A text that is not the name of a rule set, change, grammar, or other value that parses by name. The message lists the names
    /// unless they are very many, and suggests the nearest.
    UnknownName,
    /// A `%` without two hex digits after it (RFC 1630, example 3; RFC 3986 §2.1).
    IllegalEscape,
    /// A character that ISO Latin-1 does not have.
    NotLatin1,
    /// Octets that are not UTF-8. The position is that of the first that does not start a character, or of its escape.
    NotUtf8,
    /// A text that is not derivable from a [grammar](crate::validate::Grammar). The message names the production that fails.
    NotValid,
    /// A pattern of [`Scope`](crate::crawl::Scope) that is no regular expression, or is too large: an error of the crate `regex`,
    /// converted by `?`. The message does not say where; that of `regex` does.
    NotPattern,
    /// A URI that is not in a [`Scope`](crate::crawl::Scope), or that cannot limit one: a reason of it, converted by `?`. The position is 0.
    OutOfScope,
    /// A text that browsers do not read as a URL: an error of [`whatwg`](crate::whatwg), converted by `?`.
    NotUrl,
}

impl Error {
    /// `position` must be a character boundary.
    pub(crate) fn new(kind: ErrorKind, expected: &'static str, text: &str, position: usize) -> Self {
        let found = text[position..].chars().next();
        Error { kind, expected: Expected::Part { phrase: expected, grammar: None }, found, position }
    }

    /// Takes the result of [`ValueNames::unknown`](crate::names::ValueNames::unknown).
    #[doc(hidden)]
    #[must_use]
    pub fn unknown_name((name, position): (UnknownName, usize)) -> Self {
        Error { kind: ErrorKind::UnknownName, expected: Expected::Name(name), found: None, position }
    }

    /// `name` and `description` are those of a validation error of the URL Standard.
    pub(crate) fn not_url(name: &'static str, description: &'static str, position: usize) -> Self {
        Error { kind: ErrorKind::NotUrl, expected: Expected::Url(name, description), found: None, position }
    }

    /// The text is not known.
    #[cfg(any(feature = "http", feature = "regex"))]
    pub(crate) fn not_whole(kind: ErrorKind, expected: &'static str) -> Self {
        Error { kind, expected: Expected::Whole(expected), found: None, position: 0 }
    }

    pub(crate) fn out_of_scope(why: &'static str) -> Self {
        Error { kind: ErrorKind::OutOfScope, expected: Expected::Reason(why), found: None, position: 0 }
    }

    pub(crate) fn not_utf8(position: usize) -> Self {
        let expected = Expected::Part { phrase: "", grammar: None };
        Error { kind: ErrorKind::NotUtf8, expected, found: None, position }
    }

    /// The position is the first byte that a scheme cannot have there, or the end of the text.
    pub(crate) fn no_scheme(kind: ErrorKind, text: &str) -> Self {
        if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Error::new(kind, "a letter to start a scheme", text, 0);
        }
        let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(text.len());
        Error::new(kind, "`:` to end the scheme", text, end)
    }

    /// Leaves an error about an unknown name as it is.
    pub(crate) fn with_grammar(mut self, name: &'static str) -> Self {
        if let Expected::Part { grammar, .. } = &mut self.expected {
            *grammar = Some(name);
        }
        self
    }

    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the index of the byte where the text does not fit; its length if the text ends too early.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (expected, grammar) = match &self.expected {
            Expected::Part { phrase, grammar } => (phrase, grammar.unwrap_or("a URI")),
            Expected::Name(name) => return name.fmt(f),
            #[cfg(any(feature = "http", feature = "regex"))]
            Expected::Whole(expected) => return write!(f, "not {expected}"),
            Expected::Reason(why) => return f.write_str(why),
            Expected::Url(name, description) => {
                return write!(f, "not a URL: {name} at byte {}: {description}", self.position);
            }
        };
        match self.kind {
            // Their messages are returned above.
            ErrorKind::NotUrl | ErrorKind::NotPattern | ErrorKind::OutOfScope => {}
            ErrorKind::NoScheme => f.write_str("not an absolute URI")?,
            ErrorKind::NotComponent => f.write_str("not a component")?,
            ErrorKind::NotFilePath => f.write_str("not the path of a file")?,
            ErrorKind::UnknownName => f.write_str("not a name")?,
            ErrorKind::IllegalEscape => f.write_str("illegal escape")?,
            ErrorKind::NotLatin1 => f.write_str("not ISO Latin-1")?,
            ErrorKind::NotValid => write!(f, "not valid as {grammar}")?,
            ErrorKind::NotUtf8 => {
                return write!(f, "not UTF-8: the octet at byte {} does not start a character", self.position);
            }
        }
        write!(f, ": expected {expected}, found ")?;
        match self.found {
            Some(c) => write!(f, "`{}` at byte {}", c.escape_debug(), self.position),
            None => write!(f, "the end at byte {}", self.position),
        }
    }
}

/// Writes the message, which is what a failed `unwrap` should show.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl core::error::Error for Error {}

/// So that `?` can follow what never fails, such as [`UriRef::parse`](crate::UriRef::parse).
impl From<Infallible> for Error {
    fn from(never: Infallible) -> Error {
        match never {}
    }
}

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;

    #[test]
    fn a_text_without_a_scheme_fails_at_the_first_byte_that_no_scheme_has() {
        for (text, position, message) in [
            ("", 0, "a letter to start a scheme, found the end at byte 0"),
            ("éa:", 0, "a letter to start a scheme, found `é` at byte 0"),
            ("a", 1, "`:` to end the scheme, found the end at byte 1"),
            ("a+é", 2, "`:` to end the scheme, found `é` at byte 2"),
            ("a\n:", 1, "`:` to end the scheme, found `\\n` at byte 1"),
        ] {
            let error = Error::no_scheme(ErrorKind::NotValid, text).with_grammar("a test");
            assert_eq!(error.position(), position, "{text}");
            assert_eq!(error.to_string().strip_prefix("not valid as a test: expected "), Some(message), "{text}");
        }
    }

    #[test]
    fn octets_that_are_not_utf8_have_a_position() {
        let message = "not UTF-8: the octet at byte 3 does not start a character";
        assert_eq!(Error::not_utf8(3).to_string(), message);
    }
}
