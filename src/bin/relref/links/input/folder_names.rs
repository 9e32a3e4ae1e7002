//! The names in a folder, sorted: in memory if they are few, and in spill files otherwise.

use std::cmp::Ordering;
use std::io::{self, Read, Write};

use super::name_stack::NameKind;
use crate::links::spill::{Entry, SpillFiles};

/// A name in a spill file. The order is the reverse of that of the names, as the last name is pushed first on the stack.
struct SpilledName {
    name: Vec<u8>,
    kind: NameKind,
}

impl Entry for SpilledName {
    fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut start = [0; 5];
        from.read_exact(&mut start)?;
        let [kind, len @ ..] = start;
        let mut name = vec![0; u32::from_le_bytes(len) as usize];
        from.read_exact(&mut name)?;
        Ok(SpilledName { name, kind: NameKind::of(kind) })
    }

    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&[self.kind as u8])?;
        to.write_all(&(self.name.len() as u32).to_le_bytes())?;
        to.write_all(&self.name)
    }
}

impl Ord for SpilledName {
    fn cmp(&self, other: &Self) -> Ordering {
        other.name.cmp(&self.name)
    }
}

impl PartialOrd for SpilledName {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SpilledName {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for SpilledName {}

/// A name in memory.
struct Name {
    /// The index of its first byte in the text, and its length in bytes.
    start: u32,
    len: u32,
    kind: NameKind,
}

/// The names in a folder.
#[derive(Default)]
pub struct FolderNames {
    /// The latest names, one after the other.
    text: Vec<u8>,
    names: Vec<Name>,
    older: SpillFiles<SpilledName>,
}

impl FolderNames {
    /// The most bytes of names in memory, with the entries for them.
    const MOST: usize = 2 << 20;

    pub fn add(&mut self, kind: NameKind, name: &[u8]) -> io::Result<()> {
        if self.text.len() + name.len() + self.names.len() * size_of::<Name>() > Self::MOST {
            self.spill()?;
        }
        self.names.push(Name { start: self.text.len() as u32, len: name.len() as u32, kind });
        self.text.extend_from_slice(name);
        Ok(())
    }

    /// Calls a function with each name, the last first.
    pub fn each_reversed(mut self, mut each: impl FnMut(NameKind, &[u8]) -> io::Result<()>) -> io::Result<()> {
        if self.older.0.is_empty() {
            return self.sorted().try_for_each(|(kind, name)| each(kind, name));
        }
        self.spill()?;
        let FolderNames { text, names, older } = self;
        drop((text, names));
        if let Some(mut all) = older.into_one()? {
            for entry in all.entries()? {
                let entry = entry?;
                each(entry.kind, &entry.name)?;
            }
        }
        Ok(())
    }

    /// Moves the names in memory to a spill file.
    fn spill(&mut self) -> io::Result<()> {
        let mut older = std::mem::take(&mut self.older);
        older.add(self.sorted().map(|(kind, name)| SpilledName { name: name.to_vec(), kind }))?;
        self.older = older;
        self.text.clear();
        self.names.clear();
        Ok(())
    }

    /// Sorts the names in memory, the last first.
    fn sorted(&mut self) -> impl Iterator<Item = (NameKind, &[u8])> {
        let FolderNames { text, names, .. } = self;
        let bytes = |name: &Name| &text[name.start as usize..][..name.len as usize];
        names.sort_unstable_by(|one, other| bytes(other).cmp(bytes(one)));
        names.iter().map(move |name| (name.kind, bytes(name)))
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
            expected.iter().for_each(|(name, kind)| names.add(*kind, name.as_bytes()).unwrap());
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
