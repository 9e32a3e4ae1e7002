//! A stack of names. Its top is in memory. If the stack is large, the rest is in a temporary file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// The kind of a name on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    File,
    Folder,
    Symlink,
    /// The name of something whose kind the folder does not give.
    Unknown,
    /// The end of the folder that has this name.
    End,
    /// The end of a folder that was entered through the symbolic link of this name.
    EndOfSymlink,
}

impl NameKind {
    /// Returns the kind that was stored as this byte.
    pub fn of(byte: u8) -> Self {
        use NameKind::{End, EndOfSymlink, File, Folder, Symlink, Unknown};
        [File, Folder, Symlink, Unknown, End, EndOfSymlink][usize::from(byte)]
    }
}

/// A stack of names. After each name come its length and its kind, so that names can be read from the end.
#[derive(Default)]
pub struct NameStack {
    /// The names on the top.
    memory: Vec<u8>,
    /// The names below those in memory, and maybe bytes that are no longer needed. `None` until it is needed.
    file: Option<File>,
    /// The number of bytes of the file that belong to the stack.
    filed: u64,
}

impl NameStack {
    /// The number of bytes that are moved to or from the file at once. At most about twice as many are in memory.
    const PART: usize = 1 << 20;
    /// The number of bytes that the length and the kind of a name take.
    const END: usize = 5;

    /// Pushes a name on the stack.
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

    /// Takes the top name off the stack, writes it to `name`, and returns its kind. Returns `None` if the stack is empty.
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

    /// Moves bytes from the file to memory until at least `len` bytes are in memory, or the file has no more.
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
