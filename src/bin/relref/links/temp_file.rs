//! Temporary files, and their errors.

use std::env::temp_dir;
use std::fs::File;
use std::io;

/// Returns a new temporary file, which has no name.
pub fn temp_file() -> io::Result<File> {
    tempfile::tempfile().map_err(temp_error)
}

/// Returns an error with the folder of temporary files in its message. So nobody takes the input for the cause.
pub fn temp_error(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("temporary file in {}: {error}", temp_dir().display()))
}
