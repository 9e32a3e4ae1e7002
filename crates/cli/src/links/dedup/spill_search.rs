//! Finds fingerprints in sorted spill files.
//!
//! Fingerprints are like random numbers. So the index of a fingerprint in a sorted file can be estimated from its value
//! (interpolation search). For many fingerprints, the search loads the whole file from start to end. For few, it loads one or two
//! parts for each.

use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::links::spill::{SpillFile, SpillValue};

const FINGERPRINT_LEN: usize = size_of::<u128>();

impl SpillValue for u128 {
    fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut bytes = [0; FINGERPRINT_LEN];
        from.read_exact(&mut bytes)?;
        Ok(u128::from_le_bytes(bytes))
    }

    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&self.to_le_bytes())
    }
}

/// The fingerprints must be sorted.
pub fn find_all(
    files: &mut [SpillFile<u128>],
    fingerprints: impl ExactSizeIterator<Item = u128> + Clone,
) -> io::Result<Vec<bool>> {
    let mut found = vec![false; fingerprints.len()];
    for file in files {
        let mut loaded = LoadedPart { file, first_index: 0, values: Vec::new() };
        for (fingerprint, found) in fingerprints.clone().zip(&mut found) {
            *found = *found || loaded.find_forward(fingerprint)?;
        }
    }
    Ok(found)
}

/// Consecutive fingerprints of a file.
struct LoadedPart<'f> {
    file: &'f mut SpillFile<u128>,
    first_index: u64,
    /// Empty until a part is loaded.
    values: Vec<u128>,
}

impl LoadedPart<'_> {
    const MAX_COUNT: u64 = 1024;

    /// `wanted` must not be smaller than in the call before.
    fn find_forward(&mut self, wanted: u128) -> io::Result<bool> {
        // The place is in `low..high`. The fingerprint before is `below`, and the one after is at most `above`.
        let (mut low, mut high) = (self.end_index(), self.file.count);
        let (mut below, mut above) = (self.values.last().copied().unwrap_or(0), u128::MAX);
        if wanted <= below {
            return Ok(self.values.binary_search(&wanted).is_ok());
        }
        while low < high {
            let ahead = ((wanted - below) >> 64) * u128::from(high - low) / ((above - below) >> 64).max(1);
            let guess = low + (ahead as u64).min(high - low - 1);
            self.load(low.max(guess - guess % Self::MAX_COUNT))?;
            match (self.values.first(), self.values.last()) {
                (Some(&first), _) if first > wanted => (high, above) = (self.first_index, first),
                (_, Some(&last)) if last < wanted => (low, below) = (self.end_index(), last),
                _ => return Ok(self.values.binary_search(&wanted).is_ok()),
            }
        }
        Ok(false)
    }

    fn load(&mut self, first_index: u64) -> io::Result<()> {
        let count = Self::MAX_COUNT.min(self.file.count - first_index) as usize;
        if first_index != self.end_index() || first_index == 0 {
            self.file.file.seek(SeekFrom::Start(first_index * FINGERPRINT_LEN as u64))?;
        }
        self.first_index = first_index;
        let mut buffer = [0; Self::MAX_COUNT as usize * FINGERPRINT_LEN];
        self.file.file.read_exact(&mut buffer[..count * FINGERPRINT_LEN])?;
        self.values.clear();
        let mut bytes = &buffer[..];
        (0..count).try_for_each(|_| u128::read(&mut bytes).map(|value| self.values.push(value)))
    }

    fn end_index(&self) -> u64 {
        self.first_index + self.values.len() as u64
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
        let secrets = (RandomState::new(), RandomState::new());
        let number = |of: u32| (u128::from(secrets.0.hash_one(of)) << 64 | u128::from(secrets.1.hash_one(of))).max(1);
        let mut files = SpillFiles::default();
        let mut count = 0;
        for len in [60_000, 1, 20_000, 0, 1024, 3000, 5, 1024, 0, 1] {
            let mut numbers: Vec<u128> = (count..count + len).map(number).collect();
            numbers.sort_unstable();
            files.add(numbers.into_iter()).unwrap();
            count += len;
            assert!(files.0.windows(2).all(|pair| pair[0].count >= 2 * pair[1].count && pair[1].count > 0));
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
