//! A stack of names: the top of it in memory, what does not fit in a temporary file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use super::names::Kind;

/// Names, each followed by its length and its kind, so that they are read from the end.
#[derive(Default)]
pub struct NameStack {
    memory: Vec<u8>,
    file: Option<File>,
    /// How many bytes of the file belong to the stack. They are below those in memory.
    filed: u64,
}

impl NameStack {
    /// The number of bytes that are written and read at a time; twice as many are in memory.
    const PART: usize = 1 << 20;
    /// The size of the length and the kind.
    const END: usize = 5;

    pub fn push(&mut self, kind: Kind, name: &[u8]) -> io::Result<()> {
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

    /// Takes the last name that was pushed.
    pub fn pop(&mut self, name: &mut Vec<u8>) -> io::Result<Option<Kind>> {
        self.fetch(Self::END)?;
        let Some((_, &[a, b, c, d, kind])) = self.memory.split_last_chunk() else { return Ok(None) };
        let len = u32::from_le_bytes([a, b, c, d]) as usize;
        self.fetch(Self::END + len)?;
        let end = self.memory.len() - Self::END;
        name.clear();
        name.extend_from_slice(&self.memory[end - len..end]);
        self.memory.truncate(end - len);
        Ok(Some(Kind::of(kind)))
    }

    /// Brings so many bytes to memory, if there are as many.
    fn fetch(&mut self, len: usize) -> io::Result<()> {
        while self.memory.len() < len && self.filed > 0 {
            let Some(file) = &mut self.file else { return Ok(()) };
            // All that was filed was filed by the part.
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
