//! Bytes whose number is not known before they are read: in memory if few, else in a temporary file.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

/// Where the bytes of a page are.
pub enum Bytes {
    Memory(Vec<u8>),
    /// A file at its start, that nobody else sees.
    File(File),
}

/// Reads all; `None` if there are more than `max`. Up to `small` bytes stay in `buffer`, which is emptied first.
pub fn spool(mut from: impl Read, mut buffer: Vec<u8>, small: usize, max: u64) -> io::Result<Option<Bytes>> {
    buffer.clear();
    let small = small.min(usize::try_from(max).unwrap_or(usize::MAX));
    from.by_ref().take(small as u64 + 1).read_to_end(&mut buffer)?;
    if buffer.len() <= small {
        return Ok(Some(Bytes::Memory(buffer)));
    }
    if buffer.len() as u64 > max {
        return Ok(None);
    }
    let mut file = tempfile::tempfile().map_err(temporary)?;
    file.write_all(&buffer).map_err(temporary)?;
    let mut block = vec![0; 64 << 10];
    let mut len = buffer.len() as u64;
    loop {
        let read = match from.read(&mut block) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        len += read as u64;
        if len > max {
            return Ok(None);
        }
        if read == 0 {
            file.rewind().map_err(temporary)?;
            return Ok(Some(Bytes::File(file)));
        }
        file.write_all(&block[..read]).map_err(temporary)?;
    }
}

/// Says that it is not the input that failed.
pub fn temporary(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("temporary file in {}: {error}", std::env::temp_dir().display()))
}
