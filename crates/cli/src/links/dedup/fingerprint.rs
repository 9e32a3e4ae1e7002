//! Fingerprints of URIs and sort keys (hashes of 127 bits), and a set of them in memory.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, DefaultHasher, Hasher};
use std::io::{self, Write};

use crate::args::{Links, Unique};
use crate::quoting::percent;

/// Keys of the two hash functions (SipHash), random in each run: nobody can make a page whose links have others' fingerprints.
#[derive(Clone, Default)]
pub struct FingerprintSecrets(RandomState, RandomState);

/// 1 in the second fingerprint of a line, 0 in the first. So a URI is not taken for a key that is the same text.
const SECOND_BIT: u128 = 1;

impl FingerprintSecrets {
    /// Returns the second fingerprint and the first, 0 where there is none. The first is of the URI or, with `--unique=key`, of
    /// the key. The second is of the other; it exists only with `--seen` and `--key`, because it is only looked for in the lists.
    #[inline]
    pub fn of_line(&self, args: &Links, uri: &str, key: Option<&str>) -> [u128; 2] {
        let has_lists = !args.seen.is_empty();
        if !has_lists && args.unique.is_none() {
            return [0; 2];
        }
        let (first, second) = match (args.unique, key) {
            (Some(Unique::Key), Some(key)) => (key, Some(uri)),
            _ => (uri, key),
        };
        let second = second.filter(|_| has_lists).map_or(0, |text| self.of_text(text) | SECOND_BIT);
        [second, self.of_text(first)]
    }

    /// Never 0. Made from the text as it is printed: with unsafe characters percent-encoded.
    pub fn of_text(&self, text: &str) -> u128 {
        let mut fingerprint = self.new_fingerprint();
        let _ = percent(&mut fingerprint, text);
        fingerprint.value()
    }

    pub fn new_fingerprint(&self) -> Fingerprint {
        Fingerprint(self.0.build_hasher(), self.1.build_hasher())
    }
}

/// The parts in which the text is written make no difference.
pub struct Fingerprint(DefaultHasher, DefaultHasher);

impl Fingerprint {
    /// Has [`SECOND_BIT`] not set, and is never 0.
    pub fn value(&self) -> u128 {
        let halves = [&self.0, &self.1].map(|half| u128::from(half.finish()));
        // 0 is an empty slot of the table.
        ((halves[0] << 64 | halves[1]) & !SECOND_BIT).max(2)
    }
}

impl Write for Fingerprint {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        self.0.write(part);
        self.1.write(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Second fingerprints are only looked for in the lists of `--seen`.
pub fn is_second(fingerprint: u128) -> bool {
    fingerprint & SECOND_BIT != 0
}

/// The lists of `--seen` have only such fingerprints.
pub fn without_second_bit(fingerprint: u128) -> u128 {
    // No text has 0 or 1.
    (fingerprint & !SECOND_BIT).max(2)
}

/// A set of fingerprints in memory: a hash table with open addressing and linear probing.
pub struct FingerprintTable {
    /// 0 is an empty slot.
    slots: Vec<u128>,
    count: usize,
}

impl FingerprintTable {
    /// The leading bits of a fingerprint are the index of the slot that is tried first. With so many, all slots take 4 MiB.
    const INDEX_BITS: u32 = 18;
    pub const SLOTS: usize = 1 << Self::INDEX_BITS;

    pub fn new() -> Self {
        FingerprintTable { slots: vec![0; Self::SLOTS], count: 0 }
    }

    /// At least a quarter of the slots must stay empty.
    pub fn is_full(&self, more: usize) -> bool {
        self.count + more > Self::SLOTS / 4 * 3
    }

    /// Returns the index of its slot, and true if the fingerprint is new.
    pub fn insert(&mut self, fingerprint: u128) -> (usize, bool) {
        let at = self.slot_of(fingerprint);
        let is_new = self.slots[at] != fingerprint;
        self.slots[at] = fingerprint;
        self.count += usize::from(is_new);
        (at, is_new)
    }

    /// Returns the slot of the fingerprint, or the empty slot where it would be added.
    pub fn slot_of(&self, fingerprint: u128) -> usize {
        let mut at = (fingerprint >> (128 - Self::INDEX_BITS)) as usize;
        while self.slots[at] != 0 && self.slots[at] != fingerprint {
            at = (at + 1) % Self::SLOTS;
        }
        at
    }

    pub fn sorted(&self) -> Vec<u128> {
        let mut all = Vec::with_capacity(self.count);
        all.extend(self.slots.iter().filter(|slot| **slot != 0));
        all.sort_unstable();
        all
    }

    pub fn clear(&mut self) {
        self.slots.fill(0);
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_depend_on_secrets() {
        let [one, other] = [FingerprintSecrets::default(), FingerprintSecrets::default()];
        assert_eq!(one.of_text("a"), one.clone().of_text("a"));
        assert!(one.of_text("a") != one.of_text("b") && one.of_text("a") != other.of_text("a"));
        assert!(!is_second(one.of_text("a")) && without_second_bit(one.of_text("a") | SECOND_BIT) == one.of_text("a"));
    }

    #[test]
    fn parts_do_not_matter() {
        let secrets = FingerprintSecrets::default();
        let text = "http://example.com/a/long/path?and=a&query=too";
        for first in 0..text.len() {
            for second in first..text.len() {
                let mut fingerprint = secrets.new_fingerprint();
                for part in [&text[..first], &text[first..second], &text[second..]] {
                    fingerprint.write_all(part.as_bytes()).unwrap();
                }
                assert_eq!(fingerprint.value(), secrets.of_text(text), "{first} {second}");
            }
        }
        // That of a text in a column, where it is quoted.
        assert_eq!(secrets.of_text("a\u{1}\u{202e}b"), secrets.of_text("a%01%E2%80%AEb"));
    }

    #[test]
    fn fingerprints_of_one_slot_have_slots_after_it() {
        let mut table = FingerprintTable::new();
        // The last slot, after which comes the first; the same slot again; and the first.
        let all = [u128::MAX, u128::MAX - 1, u128::MAX - 2, 1];
        let slots: Vec<usize> = all.iter().map(|one| table.insert(*one).0).collect();
        let last = FingerprintTable::SLOTS - 1;
        assert_eq!(slots, [last, 0, 1, 2]);
        assert!(all.iter().all(|one| !table.insert(*one).1));
        assert_eq!(all.map(|one| table.slot_of(one)), [last, 0, 1, 2]);
        assert_eq!(table.sorted(), [1, u128::MAX - 2, u128::MAX - 1, u128::MAX]);
        let most = FingerprintTable::SLOTS / 4 * 3;
        assert!(!table.is_full(most - 4) && table.is_full(most - 3));
        table.clear();
        assert!(table.sorted().is_empty() && !table.is_full(most) && table.insert(u128::MAX) == (last, true));
    }
}
