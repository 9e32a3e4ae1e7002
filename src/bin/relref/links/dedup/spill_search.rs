//! Finds fingerprints in sorted spill files.
//!
//! Fingerprints are like random numbers. So the place of a fingerprint between two others is nearly proportional to its value. The
//! search estimates the place from the value (interpolation search). For many fingerprints it reads a file from start to end. For
//! few, it reads one or two windows for each fingerprint.

use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::links::spill::{Entry, SpillFile};

/// The number of bytes of a fingerprint.
const SIZE: usize = size_of::<u128>();

impl Entry for u128 {
    fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut bytes = [0; SIZE];
        from.read_exact(&mut bytes)?;
        Ok(u128::from_le_bytes(bytes))
    }

    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&self.to_le_bytes())
    }
}

/// Reports for each fingerprint, in their order, whether it is in one of the files. The fingerprints must be sorted.
pub fn find_all(
    files: &mut [SpillFile<u128>],
    fingerprints: impl ExactSizeIterator<Item = u128> + Clone,
) -> io::Result<Vec<bool>> {
    let mut found = vec![false; fingerprints.len()];
    for file in files {
        let mut window = Window { file, start: 0, bytes: Vec::new() };
        for (fingerprint, found) in fingerprints.clone().zip(&mut found) {
            *found = *found || window.find(fingerprint)?;
        }
    }
    Ok(found)
}

/// The part of a file that was read last.
struct Window<'f> {
    file: &'f mut SpillFile<u128>,
    /// The number of fingerprints in the file before the window.
    start: u64,
    /// The fingerprints in the window. Empty before the first read.
    bytes: Vec<u8>,
}

impl Window<'_> {
    /// The number of fingerprints that are read at once.
    const LEN: u64 = 1024;

    /// Moves the window forward to the place of a fingerprint, and reports whether the fingerprint is there. It must not be smaller
    /// than the fingerprint of the call before.
    fn find(&mut self, wanted: u128) -> io::Result<bool> {
        // The place is in `low..high`. The fingerprint before is `below`, and the one after is at most `above`.
        let (mut low, mut high) = (self.end(), self.file.len);
        let (mut below, mut above) = (self.last(), u128::MAX);
        if self.end() > 0 && wanted <= below {
            return Ok(self.has(wanted));
        }
        while low < high {
            let part = ((wanted - below) >> 64) * u128::from(high - low) / ((above - below) >> 64).max(1);
            let guess = low + (part as u64).min(high - low - 1);
            self.read(low.max(guess - guess % Self::LEN))?;
            if self.value(0) > wanted {
                (high, above) = (self.start, self.value(0));
            } else if self.last() < wanted {
                (low, below) = (self.end(), self.last());
            } else {
                return Ok(self.has(wanted));
            }
        }
        Ok(false)
    }

    /// Reads the window after the first `start` fingerprints of the file.
    fn read(&mut self, start: u64) -> io::Result<()> {
        let len = Self::LEN.min(self.file.len - start) as usize;
        if start != self.end() || start == 0 {
            self.file.file.seek(SeekFrom::Start(start * SIZE as u64))?;
        }
        self.start = start;
        self.bytes.resize(len * SIZE, 0);
        self.file.file.read_exact(&mut self.bytes)
    }

    /// Reports whether a fingerprint is in the window. It must not be greater than the last one in the window.
    fn has(&self, wanted: u128) -> bool {
        let (mut low, mut high) = (0, self.bytes.len() / SIZE);
        while low < high {
            let middle = low.midpoint(high);
            if self.value(middle) < wanted { low = middle + 1 } else { high = middle }
        }
        self.value(low) == wanted
    }

    /// Returns the fingerprint at an index in the window.
    fn value(&self, at: usize) -> u128 {
        let bytes = self.bytes[at * SIZE..].first_chunk();
        u128::from_le_bytes(*bytes.expect("the bytes are whole fingerprints"))
    }

    /// Returns the last fingerprint in the window, or 0 before the first window.
    fn last(&self) -> u128 {
        (self.bytes.len() / SIZE).checked_sub(1).map_or(0, |last| self.value(last))
    }

    /// Returns the number of fingerprints in the file before the end of the window.
    fn end(&self) -> u64 {
        self.start + (self.bytes.len() / SIZE) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, RandomState};

    use super::*;
    use crate::links::spill::SpillFiles;

    /// Files of many sizes; few and many fingerprints, and those at the ends of files.
    #[test]
    fn finds_what_is_in_the_files() {
        let keys = (RandomState::new(), RandomState::new());
        let number = |of: u32| (u128::from(keys.0.hash_one(of)) << 64 | u128::from(keys.1.hash_one(of))).max(1);
        let mut files = SpillFiles::default();
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
                assert_eq!(find_all(&mut files.0, wanted.iter().copied()).unwrap(), expected, "{count} {step}");
            }
        }
    }
}
