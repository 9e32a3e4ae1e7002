//! Temporary files, and errors about them.

use std::env::temp_dir;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use relref_links::page::TempFile;
use relref_links::parallel::{Claim, Claimant, Use};

/// Returns a new temporary file. It has no name, so the system deletes it when it is closed.
pub fn temp_file() -> io::Result<File> {
    tempfile::tempfile().map_err(temp_error)
}

/// A temporary file of a page, without a name. It claims disk before it grows, and gives it back when it is dropped.
pub struct ClaimedFile {
    file: File,
    claim: Claim,
    max_len: u64,
    len: u64,
}

impl ClaimedFile {
    pub fn create(claimant: &Claimant) -> io::Result<Box<dyn TempFile>> {
        let (claim, max_len) = (claimant.claim(Use::Disk, 0)?, claimant.max_disk());
        Ok(Box::new(ClaimedFile { file: temp_file()?, claim, max_len, len: 0 }))
    }
}

impl Write for ClaimedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.len += bytes.len() as u64;
        if self.len > self.max_len {
            let why = format!("it does not fit: a temporary file has at most {} bytes (--max-temp)", self.max_len);
            return Err(io::Error::other(why));
        }
        self.claim.grow(bytes.len() as u64)?;
        self.file.write_all(bytes).map_err(temp_error)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for ClaimedFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.file.read(into).map_err(temp_error)
    }
}

impl Seek for ClaimedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to).map_err(temp_error)
    }
}

/// Names the folder of temporary files in an error; without it, users would think that the input has failed.
pub fn temp_error(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("temporary file in {}: {error}", temp_dir().display()))
}

#[cfg(test)]
mod tests {
    use relref_links::page::Store;
    use relref_links::parallel::Turns;

    use super::*;

    #[test]
    fn disk_is_given_back_with_the_file() {
        let claimant = Turns::new([0, 0, 100, 0]).claimant(None);
        let new_file = || ClaimedFile::create(&claimant);
        let store = |len: u64| {
            Store { in_memory: 10, new_file: &new_file, ..Store::default() }.store(io::repeat(b'x').take(len))
        };
        for _ in 0..3 {
            assert_eq!(store(100).unwrap().len().unwrap(), 100);
        }
        let why = store(101).err().unwrap().to_string();
        assert_eq!(why, "it does not fit: a temporary file has at most 100 bytes (--max-temp)");
    }
}
