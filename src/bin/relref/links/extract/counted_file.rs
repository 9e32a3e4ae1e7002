//! A file that adds the number of bytes read from it to the progress.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use crate::links::progress::Progress;

/// A file that counts each byte when it is read for the first time.
pub struct CountedFile<'p> {
    file: File,
    /// The index of the next byte to read.
    at: u64,
    /// The number of bytes counted so far.
    counted: u64,
    /// The progress to which bytes are added. `None` if the bytes are counted elsewhere, as those of archives are.
    progress: Option<&'p Progress>,
}

impl<'p> CountedFile<'p> {
    /// Returns a file of which no bytes are counted yet. The file must be at its start.
    pub fn new(file: File, progress: Option<&'p Progress>) -> Self {
        CountedFile { file, at: 0, counted: 0, progress }
    }
}

impl Read for CountedFile<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(into)?;
        self.at += read as u64;
        if self.at > self.counted {
            if let Some(progress) = self.progress {
                progress.bytes.add(self.at - self.counted);
            }
            self.counted = self.at;
        }
        Ok(read)
    }
}

impl Seek for CountedFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = self.file.seek(to)?;
        Ok(self.at)
    }
}
