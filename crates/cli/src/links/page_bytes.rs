//! The bytes of a page: in memory if they are few, and in a file otherwise.
//!
//! `tempfile::SpooledTempFile` would need up to 2.6 times the instructions: it copies what stays in memory and cannot use a buffer
//! again. It also writes to disk before the disk can be claimed.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};

use relref_links::archive::sniff::{self, holds_record};

use super::pool::{Claim, Claimant, Use};
use super::temp_file::{temp_error, temp_file};

/// The most bytes of a page that stay in memory. If a page has more, its bytes are in a file, which is read as a stream. Pages from
/// streams and records of WAT files have limits of their own.
pub const PAGE_IN_MEMORY: usize = 256 << 10;

/// The bytes of a page, which are in memory or in a file.
pub enum PageBytes {
    Memory(Vec<u8>),
    /// A file, rewound to its first byte. For a temporary file, also the claim of the disk that the file takes.
    File(File, Option<Claim>),
}

impl PageBytes {
    /// Returns as many of the first bytes as are needed to recognize a page or feed. A file must be rewound, and is rewound again.
    pub fn first_bytes(&mut self) -> io::Result<Cow<'_, [u8]>> {
        match self {
            PageBytes::Memory(bytes) => Ok(Cow::Borrowed(sniff::start(bytes))),
            PageBytes::File(file, _) => {
                let mut start = Vec::with_capacity(sniff::START_LEN);
                sniff::read_start(&mut *file, &mut start)?;
                file.rewind()?;
                Ok(Cow::Owned(start))
            }
        }
    }

    /// Returns the number of all bytes.
    pub fn len(&self) -> io::Result<u64> {
        match self {
            PageBytes::Memory(bytes) => Ok(bytes.len() as u64),
            PageBytes::File(file, _) => Ok(file.metadata()?.len()),
        }
    }

    /// Returns a reader of the bytes. In a file, it starts at the position of the file and moves it.
    pub fn reader(&mut self) -> Box<dyn BufRead + '_> {
        match self {
            PageBytes::Memory(bytes) => Box::new(&**bytes),
            PageBytes::File(file, _) => Box::new(BufReader::new(file)),
        }
    }

    /// Reports whether a record of an archive starts anywhere in the bytes. A file must be rewound, and is rewound again.
    pub fn has_record(&mut self) -> io::Result<bool> {
        match self {
            PageBytes::Memory(bytes) => holds_record(&**bytes),
            PageBytes::File(file, _) => {
                let found = holds_record(&*file)?;
                file.rewind()?;
                Ok(found)
            }
        }
    }
}

/// Reads all bytes of a page from `from`. Returns `None` if there are more than `max`. If there are at most `in_memory`, they are
/// in `buffer`, whose older content is removed. Otherwise they are in a temporary file, for which the claimant claims disk. Fails
/// if the file would be larger than the budget of disk.
pub fn store(
    mut from: impl Read,
    mut buffer: Vec<u8>,
    in_memory: usize,
    max: u64,
    claimant: &Claimant,
) -> io::Result<Option<PageBytes>> {
    buffer.clear();
    let in_memory = in_memory.min(usize::try_from(max).unwrap_or(usize::MAX));
    from.by_ref().take(in_memory as u64 + 1).read_to_end(&mut buffer)?;
    if buffer.len() <= in_memory {
        return Ok(Some(PageBytes::Memory(buffer)));
    }
    if buffer.len() as u64 > max {
        return Ok(None);
    }
    let mut claim = claimant.claim(Use::Disk, 0)?;
    let mut file = temp_file()?;
    let mut len = 0;
    loop {
        len += buffer.len() as u64;
        if len > claimant.max_disk() {
            let (most, why) = (claimant.max_disk(), "it does not fit: a temporary file has at most");
            return Err(io::Error::other(format!("{why} {most} bytes (--max-temp)")));
        }
        claim.grow(buffer.len() as u64)?;
        file.write_all(&buffer).map_err(temp_error)?;
        buffer.clear();
        from.by_ref().take(COPY_LEN).read_to_end(&mut buffer)?;
        if len + buffer.len() as u64 > max {
            return Ok(None);
        }
        if buffer.is_empty() {
            file.rewind().map_err(temp_error)?;
            return Ok(Some(PageBytes::File(file, Some(claim))));
        }
    }
}

/// The number of bytes that are copied to a temporary file at once.
const COPY_LEN: u64 = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::links::pool::claimant;

    #[test]
    fn few_bytes_stay_in_memory() {
        let claimant = claimant(100_000);
        let page = vec![b'x'; 90_000];
        let store = |len: usize, in_memory: usize, max: u64| {
            Ok::<_, io::Error>(store(&page[..len], vec![1], in_memory, max, &claimant)?.map(|bytes| match bytes {
                PageBytes::Memory(bytes) => (bytes, true),
                PageBytes::File(mut file, claim) => {
                    assert!(claim.is_some());
                    let mut bytes = Vec::new();
                    file.read_to_end(&mut bytes).unwrap();
                    (bytes, false)
                }
            }))
        };
        for (len, in_memory, max, expected) in [
            (0, 0, 0, Some(true)),
            (10, 10, 10, Some(true)),
            (11, 10, 11, Some(false)),
            (11, 10, 10, None),
            (11, 20, 10, None),
            (90_000, 10, 90_000, Some(false)),
            (90_000, 10, 89_999, None),
        ] {
            let found = store(len, in_memory, max).unwrap();
            assert_eq!(found.as_ref().map(|(_, is_in_memory)| *is_in_memory), expected, "{len} {in_memory} {max}");
            assert!(found.is_none_or(|(bytes, _)| bytes == page[..len]));
        }
    }

    #[test]
    fn disk_is_given_back_with_the_file() {
        let claimant = claimant(100);
        let store = |len: u64| store(io::repeat(b'x').take(len), Vec::new(), 10, 1000, &claimant);
        for _ in 0..3 {
            assert!(store(100).unwrap().is_some());
        }
        let why = store(101).err().unwrap().to_string();
        assert_eq!(why, "it does not fit: a temporary file has at most 100 bytes (--max-temp)");
    }

    #[test]
    fn records_are_found_in_files() {
        let start = "x".repeat(70_000) + "WARC/1.1\r\n";
        for (text, expected) in [(start.as_str(), true), (&start[..70_008], false)] {
            for in_memory in [10, 100_000] {
                let mut bytes =
                    store(text.as_bytes(), Vec::new(), in_memory, 100_000, &claimant(100_000)).unwrap().unwrap();
                assert_eq!(bytes.has_record().unwrap(), expected);
            }
        }
    }
}
