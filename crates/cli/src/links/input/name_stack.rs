//! A stack of names. Its top is in memory. If the stack is large, the rest is in a temporary file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    File,
    Folder,
    /// To a file or a folder.
    Symlink,
    /// The system does not say what the name names.
    Unknown,
    /// A folder that the walk has entered. It lies below all names in that folder: popping it means leaving the folder.
    FolderEnd,
    /// The same for a symbolic link to a folder.
    SymlinkEnd,
}

impl NameKind {
    pub fn of(byte: u8) -> Self {
        use NameKind::{File, Folder, FolderEnd, Symlink, SymlinkEnd, Unknown};
        [File, Folder, Symlink, Unknown, FolderEnd, SymlinkEnd][usize::from(byte)]
    }
}

/// A name is stored as its text, length and kind, in this order, so that it can be read from its end.
#[derive(Default)]
pub struct NameStack {
    memory: Vec<u8>,
    /// The bytes below `memory`; a name may start here and end there. `None` until `memory` is too long for the first time.
    file: Option<File>,
    /// Bytes of the file that belong to the stack. Those after them were moved back to `memory`.
    file_len: u64,
}

impl NameStack {
    /// In bytes, to or from the file at once. At most about twice as many are in memory.
    const PART_LEN: usize = 1 << 20;
    /// In bytes: four for the length of a name, one for its kind.
    const TRAILER_LEN: usize = 5;

    pub fn push(&mut self, kind: NameKind, name: &[u8]) -> io::Result<()> {
        if self.memory.len() >= 2 * Self::PART_LEN {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(tempfile::tempfile()?),
            };
            file.seek(SeekFrom::Start(self.file_len))?;
            file.write_all(&self.memory[..Self::PART_LEN])?;
            self.file_len += Self::PART_LEN as u64;
            self.memory.drain(..Self::PART_LEN);
        }
        self.memory.extend_from_slice(name);
        self.memory.extend_from_slice(&(name.len() as u32).to_le_bytes());
        self.memory.push(kind as u8);
        Ok(())
    }

    /// Replaces `name` by the text on the top, and returns its kind.
    pub fn pop(&mut self, name: &mut Vec<u8>) -> io::Result<Option<NameKind>> {
        self.fetch(Self::TRAILER_LEN)?;
        let Some((_, &[a, b, c, d, kind])) = self.memory.split_last_chunk() else { return Ok(None) };
        let len = u32::from_le_bytes([a, b, c, d]) as usize;
        self.fetch(Self::TRAILER_LEN + len)?;
        let end = self.memory.len() - Self::TRAILER_LEN;
        name.clear();
        name.extend_from_slice(&self.memory[end - len..end]);
        self.memory.truncate(end - len);
        Ok(Some(NameKind::of(kind)))
    }

    /// Reads until at least `len` bytes are in memory, or the file has no more.
    fn fetch(&mut self, len: usize) -> io::Result<()> {
        while self.memory.len() < len && self.file_len > 0 {
            let Some(file) = &mut self.file else { return Ok(()) };
            // The file consists of whole parts.
            self.file_len -= Self::PART_LEN as u64;
            file.seek(SeekFrom::Start(self.file_len))?;
            let mut part = Vec::with_capacity(2 * Self::PART_LEN);
            file.take(Self::PART_LEN as u64).read_to_end(&mut part)?;
            part.extend_from_slice(&self.memory);
            self.memory = part;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More names than stay in memory, pushed and popped in turn.
    #[test]
    fn the_last_name_comes_first() {
        let (mut stack, mut expected, mut name) = (NameStack::default(), Vec::new(), Vec::new());
        for round in 0..3 {
            for number in 0..20_000_usize {
                let entry = (NameKind::of((number % 6) as u8), format!("{round} {number} ").repeat(number % 90));
                stack.push(entry.0, entry.1.as_bytes()).unwrap();
                expected.push(entry);
            }
            assert!(stack.file_len > 0);
            let kept = if round < 2 { expected.len() - 15_000 } else { 0 };
            while expected.len() > kept {
                let (kind, text) = expected.pop().unwrap();
                assert_eq!(stack.pop(&mut name).unwrap(), Some(kind));
                assert!(name == text.as_bytes());
            }
        }
        assert_eq!(stack.pop(&mut name).unwrap(), None);
    }
}
