//! Many paths, in their order, each of which is found by itself.

use std::borrow::Cow;
use std::hash::BuildHasher;
use std::path::Path;
#[cfg(not(unix))]
use std::path::PathBuf;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// The paths are relative to a root, with `/` between names.
#[derive(Default)]
pub(super) struct Paths {
    // One text: a box for each path would be an allocation to make and to drop, and most are in no cache of the processor.
    text: Vec<u8>,
    ends: Vec<usize>,
    /// The number of each path, with its hash, so that few other paths are looked at, and none when the table grows.
    numbers: HashTable<(u64, u32)>,
    hasher: RandomState,
}

impl Paths {
    /// Adds a path, unless it is known, and returns its number.
    pub(super) fn insert(&mut self, path: &[u8]) -> u32 {
        let hash = self.hasher.hash_one(path);
        if let Some(number) = self.find(hash, path) {
            return number;
        }
        let number = self.ends.len() as u32;
        self.text.extend_from_slice(path);
        self.ends.push(self.text.len());
        self.numbers.insert_unique(hash, (hash, number), |(hash, _)| *hash);
        number
    }

    pub(super) fn number(&self, path: &[u8]) -> Option<u32> {
        self.find(self.hasher.hash_one(path), path)
    }

    fn find(&self, hash: u64, path: &[u8]) -> Option<u32> {
        let found = self.numbers.find(hash, |(other, number)| *other == hash && self.get(*number) == path);
        found.map(|(_, number)| *number)
    }

    /// Returns the path with a number; an empty one if there is none.
    pub(super) fn get(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let Some(end) = self.ends.get(number) else { return &[] };
        &self.text[number.checked_sub(1).map_or(0, |before| self.ends[before])..*end]
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns all paths, each after its number.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &[u8])> + Clone {
        (0..self.ends.len() as u32).map(|number| (number, self.get(number)))
    }
}

#[cfg(unix)]
pub(super) fn path_of(path: &[u8]) -> Cow<'_, Path> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    Cow::Borrowed(Path::new(OsStr::from_bytes(path)))
}

#[cfg(not(unix))]
pub(super) fn path_of(path: &[u8]) -> Cow<'_, Path> {
    Cow::Owned(PathBuf::from(String::from_utf8_lossy(path).replace('/', std::path::MAIN_SEPARATOR_STR)))
}

#[cfg(test)]
mod tests {
    use super::*;

    quickcheck::quickcheck! {
        fn paths_have_their_numbers(inserted: Vec<Vec<u8>>, other: Vec<u8>) -> bool {
            let (mut paths, mut expected) = (Paths::default(), Vec::new());
            for path in &inserted {
                if !expected.contains(&path) {
                    expected.push(path);
                }
                let number = expected.iter().position(|known| *known == path).unwrap();
                if paths.insert(path) as usize != number {
                    return false;
                }
            }
            paths.iter().map(|(_, path)| path).eq(expected.iter().map(|path| &***path))
                && paths.len() == expected.len()
                && paths.number(&other).is_some() == expected.contains(&&other)
                && paths.get(paths.len() as u32).is_empty()
        }
    }
}
