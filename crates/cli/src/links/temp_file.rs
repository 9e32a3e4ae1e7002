//! Temporary files, and errors about them.

use std::env::temp_dir;
use std::fs::File;
use std::io;

/// Returns a new temporary file. It has no name, so the system deletes it when it is closed.
pub fn temp_file() -> io::Result<File> {
    tempfile::tempfile().map_err(temp_error)
}

/// Names the folder of temporary files in an error; without it, users would think that the input has failed.
pub fn temp_error(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("temporary file in {}: {error}", temp_dir().display()))
}
