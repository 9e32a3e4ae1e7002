//! Fingerprints of the texts of lines: URIs and sort keys.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, DefaultHasher, Hasher};
use std::io::{self, Write};

use crate::args::{Links, Unique};
use crate::quoting::percent;

/// The secrets of two SipHashes. As nobody knows them, a page cannot be made whose links have the
/// fingerprints of another page's.
#[derive(Clone, Default)]
pub struct FingerprintSecrets(RandomState, RandomState);

/// The bit of the second fingerprint of a line. So it never is the first one of another line.
const SECOND: u128 = 1;

impl FingerprintSecrets {
    /// Returns the fingerprints of a line: its second, if the lists of `--seen` may have another text than the one of which each is
    /// printed once, and its first.
    pub fn of_line(&self, args: &Links, uri: &str, key: Option<&str>) -> impl Iterator<Item = u128> {
        let has_lists = !args.seen.is_empty();
        let (first, second) = match (args.unique, key) {
            (Some(Unique::Key), Some(key)) => (key, Some(uri)),
            _ => (uri, key),
        };
        let second = second.filter(|_| has_lists).map(|text| self.of_text(text) | SECOND);
        let first = (has_lists || args.unique.is_some()).then(|| self.of_text(first));
        second.into_iter().chain(first)
    }

    /// Returns the fingerprint of a text, percent-encoded as in a column. It is not 0.
    fn of_text(&self, text: &str) -> u128 {
        let mut fingerprint = self.start();
        // Nothing fails here.
        let _ = percent(&mut fingerprint, text);
        fingerprint.end()
    }

    /// Starts a fingerprint.
    pub fn start(&self) -> Fingerprint {
        Fingerprint(self.0.build_hasher(), self.1.build_hasher())
    }
}

/// A fingerprint of the text that is written to it. It does not depend on the parts in which it is written.
pub struct Fingerprint(DefaultHasher, DefaultHasher);

impl Fingerprint {
    /// Returns the fingerprint, which is not 0.
    pub fn end(&self) -> u128 {
        let halves = [&self.0, &self.1].map(|half| u128::from(half.finish()));
        // 0 is an empty slot of the table.
        ((halves[0] << 64 | halves[1]) & !SECOND).max(2)
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

/// Reports whether it is the second fingerprint of a line.
pub fn is_second(fingerprint: u128) -> bool {
    fingerprint & SECOND != 0
}

/// Returns the fingerprint that the same text has in a list.
pub fn of_list(fingerprint: u128) -> u128 {
    // No text has 0 or 1.
    (fingerprint & !SECOND).max(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_depend_on_secret_keys() {
        let [one, other] = [FingerprintSecrets::default(), FingerprintSecrets::default()];
        assert_eq!(one.of_text("a"), one.clone().of_text("a"));
        assert!(one.of_text("a") != one.of_text("b") && one.of_text("a") != other.of_text("a"));
        assert!(!is_second(one.of_text("a")) && of_list(one.of_text("a") | SECOND) == one.of_text("a"));
    }

    #[test]
    fn parts_do_not_matter() {
        let keys = FingerprintSecrets::default();
        let text = "http://example.com/a/long/path?and=a&query=too";
        for first in 0..text.len() {
            for second in first..text.len() {
                let mut fingerprint = keys.start();
                for part in [&text[..first], &text[first..second], &text[second..]] {
                    fingerprint.write_all(part.as_bytes()).unwrap();
                }
                assert_eq!(fingerprint.end(), keys.of_text(text), "{first} {second}");
            }
        }
        // That of a text in a column, where it is quoted.
        assert_eq!(keys.of_text("a\u{1}\u{202e}b"), keys.of_text("a%01%E2%80%AEb"));
    }
}
