//! Readers around readers: one that counts, one that forgives.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use relref::archive::Body;

use super::long_values::LongValues;
use crate::links::progress::Progress;

/// Returns the length of a file, the number of its bytes that are not US-ASCII, and whether it may have long values. Reads it
/// through a buffer, then rewinds it.
pub fn measure(file: &mut File, buffer: &mut Vec<u8>) -> io::Result<(u64, u64, bool)> {
    let (mut len, mut wide) = (0, 0);
    let (mut search, mut is_long) = (LongValues::default(), false);
    loop {
        buffer.clear();
        let read = file.by_ref().take(64 << 10).read_to_end(buffer)?;
        if read == 0 {
            break;
        }
        len += read as u64;
        wide += wide_of(buffer);
        is_long = is_long || search.search(buffer);
    }
    file.rewind()?;
    Ok((len, wide, is_long))
}

/// Returns how many bytes are not US-ASCII.
pub fn wide_of(bytes: &[u8]) -> u64 {
    // So many at a time that a byte can count them, sixteen or more with one instruction.
    bytes.chunks(255).map(|part| u64::from(part.iter().map(|byte| byte >> 7).sum::<u8>())).sum()
}

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

/// A body that ends where its codings can no longer be read, if some of it could.
pub struct MayEndEarly<'b> {
    body: Body<'b>,
    /// True if some bytes were read.
    started: bool,
    ended: bool,
    /// Why the body is damaged, once its end was read.
    pub damage: Option<String>,
}

impl<'b> MayEndEarly<'b> {
    pub fn new(body: Body<'b>) -> Self {
        MayEndEarly { body, started: false, ended: false, damage: None }
    }
}

impl Read for MayEndEarly<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.ended {
            return Ok(0);
        }
        let error = match self.body.read(into) {
            Ok(read) => {
                self.started |= read > 0;
                return Ok(read);
            }
            Err(error) if error.raw_os_error().is_some() => return Err(error),
            Err(error) => io::Error::new(error.kind(), format!("its body is damaged: {error}")),
        };
        if !self.started {
            return Err(error);
        }
        self.ended = true;
        self.damage = Some(error.to_string());
        Ok(0)
    }
}
