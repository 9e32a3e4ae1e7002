//! A file that counts in the progress what is read of it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use crate::links::progress::Progress;

/// A file that counts its bytes when they are read first.
pub struct CountedFile<'p> {
    file: File,
    /// The index of the next byte.
    at: u64,
    /// The number of bytes read so far.
    counted: u64,
    /// `None` if the bytes are counted elsewhere, as those of archives.
    progress: Option<&'p Progress>,
}

impl<'p> CountedFile<'p> {
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
