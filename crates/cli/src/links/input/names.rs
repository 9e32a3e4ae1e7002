//! The names that a walk has found and not yet visited: those in one folder, sorted, and a stack of those in all folders on the way.
//! Many are in temporary files.

use std::cmp::Reverse;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::links::spill::{SpillFiles, SpillValue};

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

/// A stack of names, of which the top is in memory. A name is stored as its text, length and kind, in this order, so that it can be read from its end.
#[derive(Default)]
pub struct NameStack {
    memory: Vec<u8>,
    /// The bytes below `memory`; a name may start here and end there. `None` until `memory` is too long for the first time.
    file: Option<File>,
    /// Bytes of the file that belong to the stack. Those after them were moved back to `memory`.
    file_len: u64,
}

impl NameStack {
    /// The bytes that are moved to or from the file at once. At most about twice as many are in memory.
    const PART_LEN: usize = 1 << 20;
    /// The bytes after the text of a name: four for its length, one for its kind.
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

/// Sorted in reverse: the walk pushes the last name first, so that the first one is on the top of its stack.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    text: Reverse<Vec<u8>>,
    kind: NameKind,
}

impl SpillValue for Name {
    fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut start = [0; 5];
        from.read_exact(&mut start)?;
        let [kind, len @ ..] = start;
        let mut text = vec![0; u32::from_le_bytes(len) as usize];
        from.read_exact(&mut text)?;
        Ok(Name { text: Reverse(text), kind: NameKind::of(kind) })
    }

    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let Name { text: Reverse(text), kind } = self;
        to.write_all(&[*kind as u8])?;
        to.write_all(&(text.len() as u32).to_le_bytes())?;
        to.write_all(text)
    }
}

/// The names in one folder. They are in memory if they are few, and in spill files otherwise.
#[derive(Default)]
pub struct FolderNames {
    in_memory: Vec<Name>,
    /// The bytes that are counted for the names in memory.
    memory: usize,
    older: SpillFiles<Name>,
}

impl FolderNames {
    const MAX_MEMORY: usize = 2 << 20;
    /// Bytes counted beside the text: two entries, because the list doubles when it grows, and the allocator's overhead.
    const NAME_OVERHEAD: usize = 2 * size_of::<Name>() + 16;

    /// Moves the earlier names to a spill file if they take too much memory.
    pub fn add(&mut self, kind: NameKind, text: Vec<u8>) -> io::Result<()> {
        let memory = text.capacity() + Self::NAME_OVERHEAD;
        if self.memory + memory > Self::MAX_MEMORY {
            self.spill()?;
        }
        self.memory += memory;
        self.in_memory.push(Name { text: Reverse(text), kind });
        Ok(())
    }

    /// The last name comes first.
    pub fn each_reversed(mut self, mut each: impl FnMut(NameKind, &[u8]) -> io::Result<()>) -> io::Result<()> {
        if self.older.0.is_empty() {
            self.in_memory.sort_unstable();
            return self.in_memory.iter().try_for_each(|Name { text, kind }| each(*kind, &text.0));
        }
        self.spill()?;
        let FolderNames { in_memory, older, .. } = self;
        drop(in_memory);
        if let Some(mut all) = older.into_one()? {
            for name in all.values()? {
                let Name { text, kind } = name?;
                each(kind, &text.0)?;
            }
        }
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        self.memory = 0;
        self.in_memory.sort_unstable();
        self.older.add(self.in_memory.drain(..))
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

    /// Few names, and more than stay in memory.
    #[test]
    fn names_are_in_reverse_order() {
        for count in [0, 1, 1000, 200_000] {
            let mut expected: Vec<(String, NameKind)> = (0..count)
                .map(|number| (format!("{}.html", number * 7919 % count), NameKind::of((number % 4) as u8)))
                .collect();
            let mut names = FolderNames::default();
            expected.iter().for_each(|(name, kind)| names.add(*kind, name.clone().into_bytes()).unwrap());
            assert_eq!(names.older.0.is_empty(), count < 200_000);
            expected.sort_unstable_by(|one, other| other.0.cmp(&one.0));
            let mut found = Vec::new();
            names
                .each_reversed(|kind, name| {
                    found.push((String::from_utf8(name.to_vec()).unwrap(), kind));
                    Ok(())
                })
                .unwrap();
            assert!(found == expected, "{count}");
        }
    }
}
