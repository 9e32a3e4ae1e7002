//! Sorted sequences in temporary files.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::iter;
use std::marker::PhantomData;

/// A member of a sequence.
pub trait Record: Ord + Sized {
    fn read(from: &mut impl Read) -> io::Result<Self>;
    fn write(&self, to: &mut impl Write) -> io::Result<()>;
}

/// A sorted sequence.
pub struct Sorted<T> {
    pub file: File,
    /// The number of its records.
    pub len: u64,
    records: PhantomData<T>,
}

/// Sorted sequences, each at least twice as long as the next, so that there are few.
pub struct Cascade<T>(pub Vec<Sorted<T>>);

impl<T: Record> Sorted<T> {
    fn write(records: impl Iterator<Item = io::Result<T>>) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(64 << 10, tempfile::tempfile()?);
        let mut len = 0;
        for record in records {
            record?.write(&mut file)?;
            len += 1;
        }
        Ok(Sorted { file: file.into_inner()?, len, records: PhantomData })
    }

    /// Reads it from its start.
    pub fn records(&mut self) -> io::Result<impl Iterator<Item = io::Result<T>> + '_> {
        self.file.rewind()?;
        let mut file = BufReader::with_capacity(64 << 10, &mut self.file);
        Ok((0..self.len).map(move |_| T::read(&mut file)))
    }
}

impl<T: Record> Cascade<T> {
    /// Adds a sorted sequence, unless it is empty; merges the last ones while they are too short.
    pub fn add(&mut self, records: impl Iterator<Item = T>) -> io::Result<()> {
        let mut records = records.peekable();
        if records.peek().is_none() {
            return Ok(());
        }
        self.0.push(Sorted::write(records.map(Ok))?);
        while let [.., longer, last] = &self.0[..] {
            if longer.len >= 2 * last.len {
                break;
            }
            self.merge_last()?;
        }
        Ok(())
    }

    /// Merges all.
    pub fn into_one(mut self) -> io::Result<Option<Sorted<T>>> {
        while self.0.len() > 1 {
            self.merge_last()?;
        }
        Ok(self.0.pop())
    }

    /// Merges the last two.
    fn merge_last(&mut self) -> io::Result<()> {
        if let [.., longer, last] = &mut self.0[..] {
            let merged = Sorted::write(merge(longer.records()?, last.records()?))?;
            self.0.truncate(self.0.len() - 2);
            self.0.push(merged);
        }
        Ok(())
    }
}

/// Merges two sorted sequences.
fn merge<T: Ord>(
    left: impl Iterator<Item = io::Result<T>>,
    right: impl Iterator<Item = io::Result<T>>,
) -> impl Iterator<Item = io::Result<T>> {
    let (mut left, mut right) = (left.peekable(), right.peekable());
    iter::from_fn(move || match (left.peek(), right.peek()) {
        // An error comes before any record.
        (Some(Ok(_)), Some(Err(_))) | (None, _) => right.next(),
        (Some(Ok(one)), Some(Ok(other))) if other < one => right.next(),
        _ => left.next(),
    })
}
