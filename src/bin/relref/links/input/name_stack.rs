//! A stack of names. Its top is in memory, and the rest in a temporary file if it is large.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// The kind of a name on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    File,
    Folder,
    Symlink,
    /// The folder does not tell.
    Unknown,
    /// The end of the folder that has this name.
    End,
    /// The end of a folder that was entered through the symbolic link of this name.
    EndOfSymlink,
}

impl NameKind {
    /// Returns the kind that is stored as a byte.
    pub fn of(byte: u8) -> Self {
        use NameKind::{End, EndOfSymlink, File, Folder, Symlink, Unknown};
        [File, Folder, Symlink, Unknown, End, EndOfSymlink][usize::from(byte)]
    }
}

/// Names, each followed by its length and its kind, so that they are read from the end.
#[derive(Default)]
pub struct NameStack {
    memory: Vec<u8>,
    file: Option<File>,
    /// The bytes of the file that belong to the stack, below those in memory.
    filed: u64,
}

impl NameStack {
    /// The bytes that are written and read at once. Twice as many stay in memory.
    const PART: usize = 1 << 20;
    /// The bytes of the length and the kind.
    const END: usize = 5;

    pub fn push(&mut self, kind: NameKind, name: &[u8]) -> io::Result<()> {
        if self.memory.len() >= 2 * Self::PART {
            let file = match &mut self.file {
                Some(file) => file,
                none => none.insert(tempfile::tempfile()?),
            };
            file.seek(SeekFrom::Start(self.filed))?;
            file.write_all(&self.memory[..Self::PART])?;
            self.filed += Self::PART as u64;
            self.memory.drain(..Self::PART);
        }
        self.memory.extend_from_slice(name);
        self.memory.extend_from_slice(&(name.len() as u32).to_le_bytes());
        self.memory.push(kind as u8);
        Ok(())
    }

    /// Takes the last name off the stack, puts it into `name`, and returns its kind; `None` if the stack is empty.
    pub fn pop(&mut self, name: &mut Vec<u8>) -> io::Result<Option<NameKind>> {
        self.fetch(Self::END)?;
        let Some((_, &[a, b, c, d, kind])) = self.memory.split_last_chunk() else { return Ok(None) };
        let len = u32::from_le_bytes([a, b, c, d]) as usize;
        self.fetch(Self::END + len)?;
        let end = self.memory.len() - Self::END;
        name.clear();
        name.extend_from_slice(&self.memory[end - len..end]);
        self.memory.truncate(end - len);
        Ok(Some(NameKind::of(kind)))
    }

    /// Reads bytes from the file until there are `len` in memory, or all.
    fn fetch(&mut self, len: usize) -> io::Result<()> {
        while self.memory.len() < len && self.filed > 0 {
            let Some(file) = &mut self.file else { return Ok(()) };
            // The file consists of whole parts.
            self.filed -= Self::PART as u64;
            file.seek(SeekFrom::Start(self.filed))?;
            let mut part = Vec::with_capacity(2 * Self::PART);
            file.take(Self::PART as u64).read_to_end(&mut part)?;
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
            assert!(stack.filed > 0);
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
