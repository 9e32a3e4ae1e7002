//! The reason why a part of an HTTP field cannot be read.

use std::error::Error;
use std::fmt;

/// The reason why a part of an HTTP field cannot be read. Its [`Display`](fmt::Display) is half a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum FieldError {
    /// A target of a `Link` is not between `<` and `>`.
    Target,
    /// A quoted string has no end.
    QuotedString,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FieldError::Target => "a target of its Link field has no `<` and `>`",
            FieldError::QuotedString => "a quoted string of its Link field has no end",
        })
    }
}

impl Error for FieldError {}
