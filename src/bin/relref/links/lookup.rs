//! Looks for sorted fingerprints in sorted files.
//!
//! Fingerprints are as good as random, so the place of one between two others follows from its value, nearly. Where many are
//! looked for, this reads a file from start to end; where they are few, a block or two for each.

use std::io::{self, Read, Seek, SeekFrom, Write};

use super::sorted::{Record, Sorted};

const SIZE: usize = 16;

impl Record for u128 {
    fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut bytes = [0; SIZE];
        from.read_exact(&mut bytes)?;
        Ok(u128::from_le_bytes(bytes))
    }

    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&self.to_le_bytes())
    }
}

/// Reports of each fingerprint whether it is in one of the files.
pub fn look_up(files: &mut [Sorted<u128>], fingerprints: &[u128]) -> io::Result<Vec<bool>> {
    let mut found = vec![false; fingerprints.len()];
    for file in files {
        let mut block = Block { file, start: 0, bytes: Vec::new() };
        for (fingerprint, found) in fingerprints.iter().zip(&mut found) {
            *found = *found || block.goes_to(*fingerprint)?;
        }
    }
    Ok(found)
}

/// A block of a file that was read.
struct Block<'f> {
    file: &'f mut Sorted<u128>,
    /// How many fingerprints of the file are before it.
    start: u64,
    bytes: Vec<u8>,
}

impl Block<'_> {
    /// The number of fingerprints that are read at a time.
    const LEN: u64 = 1024;

    /// Goes on to where a fingerprint would be, no less than the one before; reports whether it is there.
    fn goes_to(&mut self, wanted: u128) -> io::Result<bool> {
        // It lies from `low` up to `high`; these are greater than the one and less than the other.
        let (mut low, mut high) = (self.end(), self.file.len);
        let (mut more, mut less) = (self.last(), u128::MAX);
        if self.end() > 0 && wanted <= more {
            return Ok(self.has(wanted));
        }
        while low < high {
            let part = ((wanted - more) >> 64) * u128::from(high - low) / ((less - more) >> 64).max(1);
            let guess = low + (part as u64).min(high - low - 1);
            self.read(low.max(guess - guess % Self::LEN))?;
            if self.value(0) > wanted {
                (high, less) = (self.start, self.value(0));
            } else if self.last() < wanted {
                (low, more) = (self.end(), self.last());
            } else {
                return Ok(self.has(wanted));
            }
        }
        Ok(false)
    }

    fn read(&mut self, start: u64) -> io::Result<()> {
        let len = Self::LEN.min(self.file.len - start) as usize;
        if start != self.end() || start == 0 {
            self.file.file.seek(SeekFrom::Start(start * SIZE as u64))?;
        }
        self.start = start;
        self.bytes.resize(len * SIZE, 0);
        self.file.file.read_exact(&mut self.bytes)
    }

    fn has(&self, wanted: u128) -> bool {
        let (mut low, mut high) = (0, self.bytes.len() / SIZE);
        while low < high {
            let middle = low.midpoint(high);
            if self.value(middle) < wanted { low = middle + 1 } else { high = middle }
        }
        self.value(low) == wanted
    }

    /// Returns the fingerprint at a place in the block.
    fn value(&self, at: usize) -> u128 {
        let bytes = self.bytes[at * SIZE..].first_chunk();
        u128::from_le_bytes(*bytes.expect("a fingerprint has its size"))
    }

    /// Returns the last fingerprint, or 0 before the first block.
    fn last(&self) -> u128 {
        (self.bytes.len() / SIZE).checked_sub(1).map_or(0, |last| self.value(last))
    }

    /// Returns how many fingerprints of the file are before the end of the block.
    fn end(&self) -> u64 {
        self.start + (self.bytes.len() / SIZE) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, RandomState};

    use super::*;
    use crate::links::sorted::Cascade;

    /// Files of all sizes, and few and many fingerprints, also those at the ends of files.
    #[test]
    fn finds_what_is_there() {
        let keys = (RandomState::new(), RandomState::new());
        let number = |of: u32| (u128::from(keys.0.hash_one(of)) << 64 | u128::from(keys.1.hash_one(of))).max(1);
        let mut files = Cascade(Vec::new());
        let mut count = 0;
        for len in [60_000, 1, 20_000, 0, 1024, 3000, 5, 1024, 0, 1] {
            let mut numbers: Vec<u128> = (count..count + len).map(number).collect();
            numbers.sort_unstable();
            files.add(numbers.into_iter()).unwrap();
            count += len;
            assert!(files.0.windows(2).all(|pair| pair[0].len >= 2 * pair[1].len && pair[1].len > 0));
            for step in [1, 7, 1000, 30_000] {
                let mut wanted: Vec<(u128, bool)> =
                    (0..2 * count).step_by(step).map(|of| (number(of), of < count)).collect();
                wanted.extend([(1, false), (u128::MAX, false)]);
                wanted.sort_unstable();
                let (wanted, expected): (Vec<u128>, Vec<bool>) = wanted.into_iter().unzip();
                assert_eq!(look_up(&mut files.0, &wanted).unwrap(), expected, "{count} {step}");
            }
        }
    }
}
