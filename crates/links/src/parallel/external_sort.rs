//! An external merge sort: keys in memory, and sorted runs of them in temporary files.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, Write};
use std::mem::take;

/// A key of a fixed length.
pub trait Key: Copy + Ord {
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

impl<A: Key, B: Key> Key for (A, B) {
    fn write(self, to: &mut impl Write) -> io::Result<()> {
        self.0.write(to)?;
        self.1.write(to)
    }

    fn read(from: &mut impl Read) -> io::Result<Option<Self>> {
        Ok(A::read(from)?.zip(B::read(from)?))
    }
}

/// Any number of keys, of which 16 MiB are in memory.
pub struct ExternalSort<K> {
    in_memory: Vec<K>,
    max_in_memory: usize,
    /// The runs, by the number of merges behind them. So few files are open, and each key is written again a few times only.
    runs: Vec<Vec<File>>,
}

impl<K> Default for ExternalSort<K> {
    fn default() -> Self {
        Self::with_memory(16 << 20)
    }
}

impl<K> ExternalSort<K> {
    /// The length in bytes of the buffer with which a file is written or read.
    const RUN_BUFFER_LEN: usize = 64 << 10;
    /// So many runs are merged into one.
    const MERGED_RUNS: usize = 32;

    fn with_memory(bytes: usize) -> Self {
        ExternalSort { in_memory: Vec::new(), max_in_memory: bytes / size_of::<K>(), runs: Vec::new() }
    }
}

impl<K: Key> ExternalSort<K> {
    /// Adds keys in any order.
    pub fn extend(&mut self, keys: impl IntoIterator<Item = K>) -> io::Result<()> {
        for key in keys {
            if self.in_memory.len() == self.max_in_memory {
                self.spill()?;
            }
            self.in_memory.push(key);
        }
        Ok(())
    }

    /// Removes those of the keys in memory that are not wanted.
    pub fn retain_in_memory(&mut self, is_wanted: impl Fn(K) -> bool) {
        self.in_memory.retain(|key| is_wanted(*key));
    }

    fn spill(&mut self) -> io::Result<()> {
        let mut run = Self::write_run(Sorted::new(&mut self.in_memory, &mut [])?)?;
        self.in_memory.clear();
        for level in 0.. {
            if level == self.runs.len() {
                self.runs.push(Vec::new());
            }
            self.runs[level].push(run);
            if self.runs[level].len() < Self::MERGED_RUNS {
                break;
            }
            run = Self::write_run(Sorted::new(&mut [], &mut [take(&mut self.runs[level])])?)?;
        }
        Ok(())
    }

    fn write_run(mut keys: Sorted<'_, K>) -> io::Result<File> {
        let mut file = BufWriter::with_capacity(Self::RUN_BUFFER_LEN, tempfile::tempfile()?);
        while let Some(key) = keys.next()? {
            key.write(&mut file)?;
        }
        file.into_inner().map_err(io::IntoInnerError::into_error)
    }

    /// Returns all keys in their order, each once. Can be called again.
    pub fn sorted(&mut self) -> io::Result<Sorted<'_, K>> {
        Sorted::new(&mut self.in_memory, &mut self.runs)
    }
}

/// Sorted keys, which are read one by one.
pub struct Sorted<'k, K> {
    in_memory: std::slice::Iter<'k, K>,
    runs: Vec<BufReader<File>>,
    /// The least key of each run; the keys in memory are the last run.
    next: BinaryHeap<Reverse<(K, usize)>>,
    last: Option<K>,
}

impl<'k, K: Key> Sorted<'k, K> {
    fn new(in_memory: &'k mut [K], runs: &mut [Vec<File>]) -> io::Result<Self> {
        in_memory.sort_unstable();
        let mut sorted = Sorted { in_memory: in_memory.iter(), runs: Vec::new(), next: BinaryHeap::new(), last: None };
        for mut run in runs.iter().flatten().map(File::try_clone) {
            run.as_mut().map_or(Ok(()), |run| run.rewind())?;
            sorted.runs.push(BufReader::with_capacity(ExternalSort::<K>::RUN_BUFFER_LEN, run?));
        }
        for run in 0..=sorted.runs.len() {
            sorted.advance(run)?;
        }
        Ok(sorted)
    }

    fn advance(&mut self, run: usize) -> io::Result<()> {
        let key = match self.runs.get_mut(run) {
            Some(run) => K::read(run)?,
            None => self.in_memory.next().copied(),
        };
        self.next.extend(key.map(|key| Reverse((key, run))));
        Ok(())
    }

    /// Returns the next key; `None` at the end.
    #[allow(clippy::should_implement_trait, reason = "an iterator would have the error in each item")]
    pub fn next(&mut self) -> io::Result<Option<K>> {
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

    /// In memory, in a few runs, and in runs that were merged twice.
    #[test]
    fn keys_are_sorted_and_each_comes_once() {
        for (count, levels) in [(0, 0), (1, 0), (1000, 1), (200_000, 3_usize)] {
            let mut keys = ExternalSort::with_memory(100 * size_of::<(u64, u128)>());
            let key = |number: u64| (number * 7919 % (count / 2 + 1), u128::from(number % 2) << 100);
            keys.extend((0..count).map(key)).unwrap();
            assert_eq!(keys.runs.len(), levels, "{count}");
            assert!(keys.runs.iter().all(|level| level.len() < ExternalSort::<u64>::MERGED_RUNS));
            let expected: std::collections::BTreeSet<_> = (0..count).map(key).collect();
            for _ in 0..2 {
                let mut sorted = keys.sorted().unwrap();
                let mut expected = expected.iter().copied();
                while let Some(key) = sorted.next().unwrap() {
                    assert_eq!(Some(key), expected.next());
                }
                assert_eq!(expected.next(), None);
            }
        }
    }
}
