//! The one error type: what was expected, what stood there, and where.

use core::fmt;

/// Why a text was refused, and at which byte of it.
///
/// ```
/// use relref::{Base, ErrorKind, Rules};
///
/// let error = Base::new("1a:b", Rules::RFC3986).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::NotAbsolute);
/// assert_eq!(error.position(), 0);
/// assert_eq!(error.to_string(), "not an absolute URI: expected a letter to start a scheme, found `1` at byte 0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    kind: ErrorKind,
    expected: &'static str,
    found: Option<char>,
    position: usize,
}

/// What kind of thing an [`Error`] complains of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A base has no scheme, so nothing can be resolved against it (RFC 3986 §5.1).
    NotAbsolute,
    /// A text names no rule set.
    UnknownRules,
    /// A text names no change of a normalizer.
    UnknownChange,
    /// A text names no kind of link.
    UnknownKind,
    /// A `%` has not two hex digits behind it (RFC 1630, example 3; RFC 3986 §2.1).
    IllegalEscape,
    /// A character has no octet in ISO Latin-1.
    NotLatin1,
    /// Octets are not UTF-8; the position is the first that is not.
    NotUtf8,
    /// A text is not in the grammar asked for; the expectation names the production that failed.
    NotValid,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, expected: &'static str, text: &str, position: usize) -> Self {
        let found = text[position..].chars().next();
        Error { kind, expected, found, position }
    }

    /// An error of octets that are no text.
    pub(crate) fn not_utf8(position: usize) -> Self {
        Error { kind: ErrorKind::NotUtf8, expected: "", found: None, position }
    }

    /// The kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The byte of the refused text where the expectation failed; its length, if the text ended too early.
    pub fn position(&self) -> usize {
        self.position
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ErrorKind::NotAbsolute => "not an absolute URI",
            ErrorKind::UnknownRules => "not a rule set",
            ErrorKind::UnknownChange => "not a change",
            ErrorKind::UnknownKind => "not a kind of link",
            ErrorKind::IllegalEscape => "illegal escape",
            ErrorKind::NotLatin1 => "not ISO Latin-1",
            ErrorKind::NotValid => "not valid",
            ErrorKind::NotUtf8 => return write!(f, "not UTF-8: octet {} starts no character", self.position),
        };
        write!(f, "{what}: expected {}, found ", self.expected)?;
        match self.found {
            Some(c) => write!(f, "`{}` at byte {}", c.escape_debug(), self.position),
            None => write!(f, "the end at byte {}", self.position),
        }
    }
}

impl core::error::Error for Error {}
