//! Bytes whose number is not known before they are read: in memory if few, else in a temporary file.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::args::Size;

/// Where the bytes of a page are.
pub enum Bytes {
    Memory(Vec<u8>),
    /// A file at its start; with a claim if it is a temporary one, which nobody else sees.
    File(File, Option<Claim>),
}

/// The bytes that the temporary files of all threads have, and may have.
pub struct Disk {
    used: AtomicU64,
    most: Size,
}

impl Disk {
    pub fn new(most: Size) -> Arc<Self> {
        Arc::new(Disk { used: AtomicU64::new(0), most })
    }
}

/// The bytes that a temporary file has of the disk; they are given back when it is dropped.
pub struct Claim {
    disk: Arc<Disk>,
    bytes: u64,
}

impl Claim {
    fn new(disk: &Arc<Disk>) -> Self {
        Claim { disk: Arc::clone(disk), bytes: 0 }
    }

    /// Claims more bytes; fails if they do not fit now.
    fn grow(&mut self, bytes: u64) -> io::Result<()> {
        let most = self.disk.most.0;
        let more = |used: u64| used.checked_add(bytes).filter(|used| *used <= most);
        if self.disk.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).is_err() {
            let why = format!("the page does not fit: temporary files have at most {most} bytes (--max-temp)");
            return Err(io::Error::other(why));
        }
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.disk.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Reads all; `None` if there are more than `max`. Up to `small` bytes stay in `buffer`, which is emptied first.
pub fn spool(
    mut from: impl Read,
    mut buffer: Vec<u8>,
    small: usize,
    max: u64,
    disk: &Arc<Disk>,
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
    let mut claim = Claim::new(disk);
    let mut file = tempfile::tempfile().map_err(temporary)?;
    let mut len = 0;
    loop {
        claim.grow(buffer.len() as u64)?;
        file.write_all(&buffer).map_err(temporary)?;
        len += buffer.len() as u64;
        buffer.clear();
        from.by_ref().take(SPOOLED).read_to_end(&mut buffer)?;
        if len + buffer.len() as u64 > max {
            return Ok(None);
        }
        if buffer.is_empty() {
            file.rewind().map_err(temporary)?;
            return Ok(Some(Bytes::File(file, Some(claim))));
        }
    }
}

/// As many bytes are read and written at once.
const SPOOLED: u64 = 64 << 10;

/// Says that it is not the input that failed.
pub fn temporary(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("temporary file in {}: {error}", std::env::temp_dir().display()))
}
