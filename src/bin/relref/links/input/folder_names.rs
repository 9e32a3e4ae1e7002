//! The names in a folder, sorted: in memory if they are few, and in spill files otherwise.

use std::cmp::Reverse;
use std::io::{self, Read, Write};

use super::name_stack::NameKind;
use crate::links::spill::{Entry, SpillFiles};

/// A name in a folder. Names are sorted in reverse order, because the last one must be pushed on the stack first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Name {
    text: Reverse<Vec<u8>>,
    kind: NameKind,
}

impl Entry for Name {
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

/// The names in a folder.
#[derive(Default)]
pub struct FolderNames {
    /// The names that were added last, in memory.
    names: Vec<Name>,
    /// The bytes that the names in memory take.
    size: usize,
    /// The names that are no longer in memory, in files.
    older: SpillFiles<Name>,
}

impl FolderNames {
    /// The most bytes that names may take in memory.
    const MOST: usize = 2 << 20;
    /// The number of bytes that a name takes besides its text: twice an entry of the list, because the list doubles when it grows,
    /// and the overhead of an allocator.
    const ENTRY: usize = 2 * size_of::<Name>() + 16;

    /// Adds a name. If the names in memory take too many bytes, moves them to a file first.
    pub fn add(&mut self, kind: NameKind, text: Vec<u8>) -> io::Result<()> {
        self.size += text.capacity() + Self::ENTRY;
        if self.size > Self::MOST {
            self.spill()?;
            self.size = text.capacity() + Self::ENTRY;
        }
        self.names.push(Name { text: Reverse(text), kind });
        Ok(())
    }

    /// Calls a function with each name, the last one first.
    pub fn each_reversed(mut self, mut each: impl FnMut(NameKind, &[u8]) -> io::Result<()>) -> io::Result<()> {
        if self.older.0.is_empty() {
            self.names.sort_unstable();
            return self.names.iter().try_for_each(|Name { text, kind }| each(*kind, &text.0));
        }
        self.spill()?;
        let FolderNames { names, older, .. } = self;
        drop(names);
        if let Some(mut all) = older.into_one()? {
            for name in all.entries()? {
                let Name { text, kind } = name?;
                each(kind, &text.0)?;
            }
        }
        Ok(())
    }

    /// Moves the names in memory to a spill file.
    fn spill(&mut self) -> io::Result<()> {
        self.names.sort_unstable();
        self.older.add(self.names.drain(..))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
