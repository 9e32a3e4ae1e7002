//! Readers around readers: one that counts, one that forgives.

use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom};

use super::progress::Progress;

/// A file, and how much of it was read at least once.
pub struct Counted<'p> {
    file: File,
    at: u64,
    furthest: u64,
    progress: Option<&'p Progress>,
}

impl<'p> Counted<'p> {
    pub fn new(file: File, progress: Option<&'p Progress>) -> Self {
        Counted { file, at: 0, furthest: 0, progress }
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(into)?;
        self.at += read as u64;
        if self.at > self.furthest {
            if let Some(progress) = self.progress {
                progress.bytes.add(self.at - self.furthest);
            }
            self.furthest = self.at;
        }
        Ok(read)
    }
}

impl Seek for Counted<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = self.file.seek(to)?;
        Ok(self.at)
    }
}

/// A body that, if it is known to be cut, ends where its codings can no longer be read.
pub struct MayEndEarly<'b> {
    pub body: Box<dyn BufRead + 'b>,
    pub truncated: bool,
}

impl Read for MayEndEarly<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.body.read(into) {
            Err(error) if error.raw_os_error().is_some() => Err(error),
            Err(_) if self.truncated => Ok(0),
            Err(error) => Err(io::Error::new(error.kind(), format!("its body is damaged: {error}"))),
            read => read,
        }
    }
}
