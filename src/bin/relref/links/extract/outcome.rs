//! The results of reading an input or a page: an outcome, or the reason why it is not read.

use std::io;

use crate::links::pool::Stopped;

/// The outcome if an input or a page is read without a problem.
pub enum Outcome {
    /// The input or page is read as a page.
    Page,
    /// The input is neither a page nor an archive, and is ignored.
    NotAPage,
    /// The input is an archive, which is already counted as an input.
    Archive,
}

/// The reason why an input or a page is not read, or not read to its end.
pub enum ReadError {
    /// The command ends early.
    Stopped,
    /// The message about the input or page.
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
