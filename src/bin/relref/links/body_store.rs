//! Bytes whose number is not known before they are read: in memory if few, else in a temporary file.
//!
//! `tempfile::SpooledTempFile` would need up to 2.6 times the instructions: it copies what stays in memory and cannot use a buffer
//! again. It also writes to disk before the disk can be claimed.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use relref::archive::sniff::holds_record;

use super::pool::{Claim, Claimant, Use};
use super::temp_file::{temp_error, temp_file};

/// Where the bytes of a page are.
pub enum Bytes {
    Memory(Vec<u8>),
    /// A file at its start; with a claim if it is a temporary one, which nobody else sees.
    File(File, Option<Claim>),
}

impl Bytes {
    /// Reports whether a record of an archive starts in them.
    pub fn hold_record(&mut self) -> io::Result<bool> {
        match self {
            Bytes::Memory(bytes) => holds_record(&**bytes),
            Bytes::File(file, _) => {
                let found = holds_record(&*file)?;
                file.rewind()?;
                Ok(found)
            }
        }
    }
}

/// Reads all; `None` if there are more than `max`. Up to `small` bytes stay in `buffer`, which is emptied first.
pub fn spool(
    mut from: impl Read,
    mut buffer: Vec<u8>,
    small: usize,
    max: u64,
    disk: &Claimant,
) -> io::Result<Option<Bytes>> {
    buffer.clear();
    let small = small.min(usize::try_from(max).unwrap_or(usize::MAX));
    from.by_ref().take(small as u64 + 1).read_to_end(&mut buffer)?;
    if buffer.len() <= small {
        return Ok(Some(Bytes::Memory(buffer)));
    }
    if buffer.len() as u64 > max {
        return Ok(None);
    }
    let mut claim = disk.claim(Use::Disk, 0)?;
    let mut file = temp_file()?;
    let mut len = 0;
    loop {
        len += buffer.len() as u64;
        if len > disk.max_disk() {
            let (most, why) = (disk.max_disk(), "the page does not fit: a temporary file has at most");
            return Err(io::Error::other(format!("{why} {most} bytes (--max-temp)")));
        }
        claim.grow(buffer.len() as u64)?;
        file.write_all(&buffer).map_err(temp_error)?;
        buffer.clear();
        from.by_ref().take(SPOOLED).read_to_end(&mut buffer)?;
        if len + buffer.len() as u64 > max {
            return Ok(None);
        }
        if buffer.is_empty() {
            file.rewind().map_err(temp_error)?;
            return Ok(Some(Bytes::File(file, Some(claim))));
        }
    }
}

/// The number of bytes that are read and written at once.
const SPOOLED: u64 = 64 << 10;
