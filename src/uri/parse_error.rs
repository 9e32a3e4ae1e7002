//! The error of an owned text, which gives the text back.

use alloc::string::String;
use core::fmt;

use crate::error::{Error, ErrorKind};

/// An error and the owned text that was refused. The operator `?` converts it to an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParseError<T = String> {
    error: Error,
    text: T,
}

impl<T> ParseError<T> {
    pub(crate) fn new(error: Error, text: T) -> Self {
        ParseError { error, text }
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.error.kind()
    }

    /// Returns the index of the byte where the text does not fit; its length if the text ends too early.
    pub fn position(&self) -> usize {
        self.error.position()
    }

    /// Returns the text that was refused.
    pub fn into_text(self) -> T {
        self.text
    }
}

impl<T> fmt::Display for ParseError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<T: fmt::Debug> core::error::Error for ParseError<T> {}

impl<T> From<ParseError<T>> for Error {
    fn from(error: ParseError<T>) -> Error {
        error.error
    }
}
