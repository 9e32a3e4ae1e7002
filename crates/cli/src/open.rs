//! Opens files and standard input for reading.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Opens standard input if the path is `-`.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    match path.to_str() {
        Some("-") => Ok(Box::new(io::stdin().lock())),
        _ => Ok(Box::new(BufReader::with_capacity(1 << 16, File::open(path)?))),
    }
}
