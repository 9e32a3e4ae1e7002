//! The lists of `--seen`: URIs and keys of earlier runs, one in each line.

use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

use memchr::{memchr, memchr2};

use super::fingerprint::{Fingerprint, FingerprintSecrets};
use crate::links::spill::SpillFiles;
use crate::links::temp_file::temp_error;
use crate::open::open;

/// The number of fingerprints that are sorted at once. They take 4 MiB. Later the table of fingerprints takes the same size, so an
/// allocator that has kept the memory can use it again.
const CHUNK: usize = 1 << 18;

/// Reads lists into sorted files of fingerprints. The lists and their lines may have any length. `-` is standard input.
///
/// # Errors
/// The path of the first list that cannot be read, and why.
pub fn read_lists(paths: &[PathBuf], secrets: &FingerprintSecrets) -> Result<SpillFiles<u128>, (PathBuf, io::Error)> {
    let mut list = SeenList { secrets, chunk: Vec::new(), files: SpillFiles::default() };
    for path in paths {
        list.read_file(path).map_err(|error| (path.clone(), error))?;
    }
    list.spill().map_err(|error| (paths.last().cloned().unwrap_or_default(), error))?;
    Ok(list.files)
}

/// A reader of lists.
struct SeenList<'k> {
    secrets: &'k FingerprintSecrets,
    /// The fingerprints that are not in a file yet.
    chunk: Vec<u128>,
    /// The sorted files of fingerprints.
    files: SpillFiles<u128>,
}

impl SeenList<'_> {
    /// Reads a list from a file, or from standard input if the path is `-`. Skips the byte order mark that it may start with. A
    /// compressed list is an error: its lines would be no URIs or keys.
    fn read_file(&mut self, path: &Path) -> io::Result<()> {
        self.chunk.reserve_exact(CHUNK - self.chunk.len());
        let mut start = Vec::new();
        let mut list = open(path)?.take(4);
        list.read_to_end(&mut start)?;
        if start.starts_with(b"\x1f\x8b") || start == *b"\x28\xb5\x2f\xfd" {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is compressed: a list is uncompressed text"));
        }
        let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start);
        self.read(text.chain(list.into_inner()))
    }

    /// Adds a fingerprint for each entry of a list. An entry is the part of a line before its first tab or carriage return.
    fn read(&mut self, mut list: impl BufRead) -> io::Result<()> {
        let mut entry: Option<Fingerprint> = None;
        // True from the end of an entry to the end of its line.
        let mut is_over = false;
        loop {
            let block = match list.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                block => block?,
            };
            if block.is_empty() {
                return self.add(entry.map(|entry| entry.end()));
            }
            let line_end = memchr(b'\n', block);
            let line = &block[..line_end.unwrap_or(block.len())];
            let part = if is_over { &[][..] } else { &line[..memchr2(b'\t', b'\r', line).unwrap_or(line.len())] };
            if !part.is_empty() {
                entry.get_or_insert_with(|| self.secrets.start()).write_all(part)?;
            }
            is_over |= part.len() < line.len();
            let used = line_end.map_or(block.len(), |end| end + 1);
            list.consume(used);
            if line_end.is_some() {
                is_over = false;
                self.add(entry.take().map(|entry| entry.end()))?;
            }
        }
    }

    /// Adds the fingerprint of an entry, if there is one. If the chunk is then full, moves it to a file.
    fn add(&mut self, fingerprint: Option<u128>) -> io::Result<()> {
        self.chunk.extend(fingerprint);
        if self.chunk.len() < CHUNK { Ok(()) } else { self.spill() }
    }

    /// Sorts the fingerprints of the chunk, and moves them to a file.
    fn spill(&mut self) -> io::Result<()> {
        self.chunk.sort_unstable();
        self.chunk.dedup();
        self.files.add(self.chunk.drain(..)).map_err(temp_error)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;
    use crate::links::dedup::spill_search::find_all;

    /// Through buffers of any length.
    #[test]
    fn entries_are_the_starts_of_lines() {
        let secrets = FingerprintSecrets::default();
        let fingerprint = |text: &str| {
            let mut fingerprint = secrets.start();
            fingerprint.write_all(text.as_bytes()).unwrap();
            fingerprint.end()
        };
        let text = "http://h/a\nhttp://h/b\r\n\n\thttp://h/c\nhttp://h/d\tx\ty\n\r\nhttp://h/e";
        for capacity in 1..text.len() {
            let mut list = SeenList { secrets: &secrets, chunk: Vec::new(), files: SpillFiles::default() };
            list.read(BufReader::with_capacity(capacity, text.as_bytes())).unwrap();
            assert_eq!(list.chunk.len(), 4, "{capacity}");
            list.spill().unwrap();
            for (path, expected) in [("a", true), ("b", true), ("c", false), ("d", true), ("e", true), ("", false)] {
                let wanted = [fingerprint(&format!("http://h/{path}"))];
                assert_eq!(find_all(&mut list.files.0, wanted.into_iter()).unwrap(), [expected], "{path}, {capacity}");
            }
        }
    }

    #[test]
    fn a_list_that_is_missing_is_an_error() {
        let paths = [PathBuf::from("/no/such/list")];
        let error = read_lists(&paths, &FingerprintSecrets::default()).err().unwrap();
        assert_eq!((error.0, error.1.kind()), (paths[0].clone(), io::ErrorKind::NotFound));
    }
}
