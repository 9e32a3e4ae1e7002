//! The outcomes of reading an input or a page.

use std::io;

use crate::links::pool::Stopped;

/// The outcome of reading an input or a page without a problem.
pub enum Outcome {
    Page,
    /// The input is something else, and is ignored.
    NotAPage,
    /// The input is an archive, which has been counted.
    Archive,
}

/// The reason why an input or a page is not read, or not to its end.
pub enum ReadError {
    /// The command ends early.
    Stopped,
    Problem(String),
}

impl From<Stopped> for ReadError {
    fn from(_: Stopped) -> Self {
        ReadError::Stopped
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        if Stopped::is_cause(&error) { ReadError::Stopped } else { ReadError::Problem(error.to_string()) }
    }
}
