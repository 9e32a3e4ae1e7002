//! Spill files: temporary files for sorted values that do not fit in memory (external merge sort).

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::iter;
use std::marker::PhantomData;

pub trait SpillValue: Ord + Sized {
    /// Reads exactly the bytes that [`write`](Self::write) has written.
    fn read(from: &mut impl Read) -> io::Result<Self>;
    /// The value's end must be known when it is read.
    fn write(&self, to: &mut impl Write) -> io::Result<()>;
}

pub struct SpillFile<T> {
    pub file: File,
    pub count: u64,
    values: PhantomData<T>,
}

/// Each file has at least twice as many values as the next one, so the list is short.
pub struct SpillFiles<T>(pub Vec<SpillFile<T>>);

impl<T> Default for SpillFiles<T> {
    fn default() -> Self {
        SpillFiles(Vec::new())
    }
}

impl<T: SpillValue> SpillFile<T> {
    fn write(values: impl Iterator<Item = io::Result<T>>) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(64 << 10, tempfile::tempfile()?);
        let mut count = 0;
        for value in values {
            value?.write(&mut file)?;
            count += 1;
        }
        Ok(SpillFile { file: file.into_inner()?, count, values: PhantomData })
    }

    /// Reads from the start of the file.
    pub fn values(&mut self) -> io::Result<impl Iterator<Item = io::Result<T>> + '_> {
        self.file.rewind()?;
        let mut file = BufReader::with_capacity(64 << 10, &mut self.file);
        Ok((0..self.count).map(move |_| T::read(&mut file)))
    }
}

impl<T: SpillValue> SpillFiles<T> {
    /// Adds a file of sorted values, and merges the last two files until each has at least twice as many values as the next.
    pub fn add(&mut self, values: impl Iterator<Item = T>) -> io::Result<()> {
        let mut values = values.peekable();
        if values.peek().is_none() {
            return Ok(());
        }
        self.0.push(SpillFile::write(values.map(Ok))?);
        while let [.., longer, last] = &self.0[..] {
            if longer.count >= 2 * last.count {
                break;
            }
            self.merge_last()?;
        }
        Ok(())
    }

    pub fn into_one(mut self) -> io::Result<Option<SpillFile<T>>> {
        while self.0.len() > 1 {
            self.merge_last()?;
        }
        Ok(self.0.pop())
    }

    /// Does nothing if there are fewer than two files.
    fn merge_last(&mut self) -> io::Result<()> {
        if let [.., longer, last] = &mut self.0[..] {
            let merged = SpillFile::write(merge(longer.values()?, last.values()?))?;
            self.0.truncate(self.0.len() - 2);
            self.0.push(merged);
        }
        Ok(())
    }
}

/// An error in one sequence comes before the values that are left in the other.
fn merge<T: Ord>(
    left: impl Iterator<Item = io::Result<T>>,
    right: impl Iterator<Item = io::Result<T>>,
) -> impl Iterator<Item = io::Result<T>> {
    let (mut left, mut right) = (left.peekable(), right.peekable());
    iter::from_fn(move || match (left.peek(), right.peek()) {
        (Some(Ok(_)), Some(Err(_))) | (None, _) => right.next(),
        (Some(Ok(one)), Some(Ok(other))) if other < one => right.next(),
        _ => left.next(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    impl SpillValue for u8 {
        fn read(from: &mut impl Read) -> io::Result<Self> {
            let mut byte = [0];
            from.read_exact(&mut byte)?;
            Ok(byte[0])
        }

        fn write(&self, to: &mut impl Write) -> io::Result<()> {
            to.write_all(&[*self])
        }
    }

    #[test]
    fn files_are_merged_in_order() {
        let mut files = SpillFiles::default();
        let counts = |files: &SpillFiles<u8>| files.0.iter().map(|file| file.count).collect::<Vec<_>>();
        for (added, expected) in [
            (&[][..], &[][..]),
            (&[5, 7, 200, 201], &[4]),
            (&[1], &[4, 1]),
            (&[], &[4, 1]),
            (&[7], &[4, 2]),
            (&[6, 202, 203], &[9]),
            (&[0, 255], &[9, 2]),
        ] {
            files.add(added.iter().copied()).unwrap();
            assert_eq!(counts(&files), expected, "{added:?}");
        }
        let mut one = files.into_one().unwrap().unwrap();
        for _ in 0..2 {
            let values: Vec<u8> = one.values().unwrap().map(Result::unwrap).collect();
            assert_eq!(values, [0, 1, 5, 6, 7, 7, 200, 201, 202, 203, 255]);
        }
        assert!(SpillFiles::<u8>::default().into_one().unwrap().is_none());
    }

    #[test]
    fn errors_come_first() {
        let error = || Err(io::Error::other("bad"));
        for [left, right] in [[vec![Ok(1), error()], vec![Ok(2)]], [vec![Ok(2)], vec![Ok(1), error()]]] {
            let merged: Vec<bool> = merge(left.into_iter(), right.into_iter()).map(|value| value.is_ok()).collect();
            assert_eq!(merged, [true, false, true]);
        }
    }
}
