//! The names in one folder, sorted. They are in memory if they are few, and in spill files otherwise.

use std::cmp::Reverse;
use std::io::{self, Read, Write};

use super::name_stack::NameKind;
use crate::links::spill::{SpillFiles, SpillValue};

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

#[derive(Default)]
pub struct FolderNames {
    in_memory: Vec<Name>,
    /// In bytes, of the names in memory.
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
