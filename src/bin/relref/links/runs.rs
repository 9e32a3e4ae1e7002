//! Sorted numbers in temporary files: each file is at least twice as long as the next, so there are few.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

const SIZE: usize = 16;
/// How many numbers are read at a time; the first of each such block is in memory.
const BLOCK: usize = 1024;
/// 2 to the power of how many bits the filter has: 4 MiB.
const FILTER: u32 = 25;
/// 2 to the power of how many numbers the cache holds: 1 MiB.
const CACHE: u32 = 16;

pub struct Runs {
    runs: Vec<Run>,
    /// A Bloom filter of all of them: most numbers that are not here need no look at a file.
    filter: Vec<u64>,
    /// Numbers that were found before.
    cache: Vec<u128>,
}

struct Run {
    file: File,
    len: usize,
    firsts: Vec<u128>,
}

impl Runs {
    pub fn new() -> Self {
        Runs { runs: Vec::new(), filter: vec![0; 1 << (FILTER - 6)], cache: vec![0; 1 << CACHE] }
    }

    /// Whether a number, not 0, is here.
    pub fn contains(&mut self, number: u128) -> io::Result<bool> {
        if bits(number).any(|bit| self.filter[bit >> 6] >> (bit & 63) & 1 == 0) {
            return Ok(false);
        }
        let cached = &mut self.cache[(number as usize) & ((1 << CACHE) - 1)];
        if *cached == number {
            return Ok(true);
        }
        for run in &mut self.runs {
            if run.contains(number)? {
                *cached = number;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds sorted numbers that are not here.
    pub fn add(&mut self, numbers: &[u128]) -> io::Result<()> {
        for bit in numbers.iter().flat_map(|number| bits(*number)) {
            self.filter[bit >> 6] |= 1 << (bit & 63);
        }
        self.runs.push(Run::write(numbers.iter().map(|number| Ok(*number)))?);
        while let [.., longer, last] = &mut self.runs[..] {
            if longer.len >= 2 * last.len {
                break;
            }
            let merged = Run::write(merge(longer.numbers()?, last.numbers()?))?;
            self.runs.truncate(self.runs.len() - 2);
            self.runs.push(merged);
        }
        Ok(())
    }
}

impl Run {
    fn write(numbers: impl Iterator<Item = io::Result<u128>>) -> io::Result<Self> {
        let mut file = BufWriter::with_capacity(64 << 10, tempfile::tempfile()?);
        let mut firsts = Vec::new();
        let mut len = 0;
        for number in numbers {
            let number = number?;
            if len % BLOCK == 0 {
                firsts.push(number);
            }
            file.write_all(&number.to_le_bytes())?;
            len += 1;
        }
        Ok(Run { file: file.into_inner()?, len, firsts })
    }

    fn contains(&mut self, number: u128) -> io::Result<bool> {
        let Some(block) = self.firsts.partition_point(|first| *first <= number).checked_sub(1) else {
            return Ok(false);
        };
        let mut bytes = [0; BLOCK * SIZE];
        let bytes = &mut bytes[..BLOCK.min(self.len - block * BLOCK) * SIZE];
        self.file.seek(SeekFrom::Start((block * BLOCK * SIZE) as u64))?;
        self.file.read_exact(bytes)?;
        let numbers: Vec<_> = bytes.chunks_exact(SIZE).collect();
        let value = |bytes: &&[u8]| u128::from_le_bytes((*bytes).try_into().expect("a number has its size"));
        Ok(numbers.binary_search_by_key(&number, value).is_ok())
    }

    fn numbers(&mut self) -> io::Result<impl Iterator<Item = io::Result<u128>> + '_> {
        self.file.rewind()?;
        let mut file = BufReader::with_capacity(64 << 10, &mut self.file);
        Ok((0..self.len).map(move |_| {
            let mut bytes = [0; SIZE];
            file.read_exact(&mut bytes)?;
            Ok(u128::from_le_bytes(bytes))
        }))
    }
}

/// Two sorted sequences as one.
fn merge(
    left: impl Iterator<Item = io::Result<u128>>,
    right: impl Iterator<Item = io::Result<u128>>,
) -> impl Iterator<Item = io::Result<u128>> {
    let (mut left, mut right) = (left.peekable(), right.peekable());
    std::iter::from_fn(move || match (left.peek(), right.peek()) {
        // An error goes before any number.
        (Some(Ok(_)), Some(Err(_))) | (None, _) => right.next(),
        (Some(Ok(one)), Some(Ok(other))) if other < one => right.next(),
        _ => left.next(),
    })
}

/// The bits of the filter for a number, which is itself as good as random.
fn bits(number: u128) -> impl Iterator<Item = usize> {
    (0..4).map(move |part| (number >> (part * 32)) as usize & ((1 << FILTER) - 1))
}
