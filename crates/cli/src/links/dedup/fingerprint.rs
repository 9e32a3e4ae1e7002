//! Fingerprints of URIs and sort keys (hashes of 127 bits), and a set of them in memory.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, DefaultHasher, Hasher};
use std::io::{self, Write};

use crate::args::{Links, Unique};
use crate::quoting::percent;

/// Keys of the two hash functions (SipHash), random in each run: nobody can make a page whose links have others' fingerprints.
#[derive(Clone, Default)]
pub struct FingerprintSecrets(RandomState, RandomState);

impl FingerprintSecrets {
    /// Returns the fingerprint of the URI or, with `--unique=key`, of the key; `None` if lines are not compared. The second one is of the
    /// other; it exists only with `--seen` and `--key`, because it is only looked for in the lists.
    #[inline]
    pub fn of_line(&self, args: &Links, uri: &str, key: Option<&str>) -> Option<(u128, Option<u128>)> {
        let has_lists = !args.seen.is_empty();
        if !has_lists && args.unique.is_none() {
            return None;
        }
        let (first, second) = match (args.unique, key) {
            (Some(Unique::Key), Some(key)) => (key, Some(uri)),
            _ => (uri, key),
        };
        Some((self.of_text(first), second.filter(|_| has_lists).map(|text| self.of_text(text))))
    }

    /// Made from the text as it is printed: with unsafe characters percent-encoded.
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
    /// The last bit is 0: the set of fingerprints uses it.
    pub fn value(&self) -> u128 {
        let [high, low] = [&self.0, &self.1].map(|half| u128::from(half.finish()));
        (high << 64 | low) & !1
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_depend_on_secrets() {
        let [one, other] = [FingerprintSecrets::default(), FingerprintSecrets::default()];
        assert_eq!(one.of_text("a"), one.clone().of_text("a"));
        assert!(one.of_text("a") != one.of_text("b") && one.of_text("a") != other.of_text("a"));
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
}
