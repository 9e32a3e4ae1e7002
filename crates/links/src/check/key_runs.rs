//! Sorted keys: those in memory, and runs of them in temporary files (an external merge sort).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, Write};

/// A number of a fixed length.
pub(super) trait Key: Copy + Ord {
    fn write(self, to: &mut impl Write) -> io::Result<()>;
    /// `None` at the end.
    fn read(from: &mut impl Read) -> io::Result<Option<Self>>;
}

macro_rules! key {
    ($number:ident) => {
        impl Key for $number {
            fn write(self, to: &mut impl Write) -> io::Result<()> {
                to.write_all(&self.to_ne_bytes())
            }

            fn read(from: &mut impl Read) -> io::Result<Option<Self>> {
                let mut bytes = [0; size_of::<$number>()];
                match from.read_exact(&mut bytes) {
                    Ok(()) => Ok(Some($number::from_ne_bytes(bytes))),
                    Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
                    Err(error) => Err(error),
                }
            }
        }
    };
}

key!(u64);
key!(u128);

#[derive(Default)]
pub(super) struct KeyRuns<K> {
    in_memory: Vec<K>,
    runs: Vec<File>,
}

impl<K: Key> KeyRuns<K> {
    /// The most memory of a list, in bytes. A full list is sorted, and moved to a file.
    const MAX_MEMORY: usize = 32 << 20;
    /// The length in bytes of the buffer with which a file is written or read.
    const RUN_BUFFER_LEN: usize = 64 << 10;

    pub(super) fn extend(&mut self, keys: impl IntoIterator<Item = K>) -> io::Result<()> {
        for key in keys {
            if self.in_memory.len() == Self::MAX_MEMORY / size_of::<K>() {
                self.spill()?;
            }
            self.in_memory.push(key);
        }
        Ok(())
    }

    fn spill(&mut self) -> io::Result<()> {
        self.in_memory.sort_unstable();
        self.in_memory.dedup();
        let mut file = BufWriter::with_capacity(Self::RUN_BUFFER_LEN, tempfile::tempfile()?);
        self.in_memory.drain(..).try_for_each(|key| key.write(&mut file))?;
        self.runs.push(file.into_inner().map_err(io::IntoInnerError::into_error)?);
        Ok(())
    }

    /// Returns all keys in their order, each once. Can be called again.
    pub(super) fn sorted(&mut self) -> io::Result<SortedKeys<'_, K>> {
        self.in_memory.sort_unstable();
        let mut sorted = SortedKeys {
            in_memory: self.in_memory.iter(),
            runs: self.runs.iter_mut().map(|file| BufReader::with_capacity(Self::RUN_BUFFER_LEN, file)).collect(),
            next: BinaryHeap::new(),
            last: None,
        };
        for run in 0..sorted.runs.len() {
            sorted.runs[run].rewind()?;
        }
        for run in 0..=sorted.runs.len() {
            sorted.advance(run)?;
        }
        Ok(sorted)
    }
}

pub(super) struct SortedKeys<'k, K> {
    in_memory: std::slice::Iter<'k, K>,
    runs: Vec<BufReader<&'k mut File>>,
    /// The least key of each run; the keys in memory are the last run.
    next: BinaryHeap<Reverse<(K, usize)>>,
    last: Option<K>,
}

impl<K: Key> SortedKeys<'_, K> {
    fn advance(&mut self, run: usize) -> io::Result<()> {
        let key = match self.runs.get_mut(run) {
            Some(run) => K::read(run)?,
            None => self.in_memory.next().copied(),
        };
        self.next.extend(key.map(|key| Reverse((key, run))));
        Ok(())
    }

    pub(super) fn next(&mut self) -> io::Result<Option<K>> {
        while let Some(Reverse((key, run))) = self.next.pop() {
            self.advance(run)?;
            if self.last.replace(key) != Some(key) {
                return Ok(Some(key));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_and_each_comes_once() {
        for count in [0, 1, 1000, 10_000_000_u64] {
            let mut runs = KeyRuns::default();
            runs.extend((0..count).map(|number| number * 7919 % (count / 2 + 1))).unwrap();
            assert_eq!(runs.runs.is_empty(), count < 10_000_000);
            for _ in 0..2 {
                let mut sorted = runs.sorted().unwrap();
                let (mut last, mut number) = (None, 0);
                while let Some(key) = sorted.next().unwrap() {
                    assert!(last < Some(key));
                    (last, number) = (Some(key), number + 1);
                }
                let expected = (0..count).map(|number| number * 7919 % (count / 2 + 1)).max();
                assert!(last == expected && number <= count / 2 + 1);
            }
        }
    }
}
