//! Fingerprints of the texts of lines: URIs and sort keys.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, DefaultHasher, Hasher};
use std::io::{self, Write};

use crate::args::{Links, Unique};
use crate::quoting::percent;

/// The secrets of the two SipHash functions that make fingerprints. Nobody knows them, so nobody can make a page whose links
/// have the same fingerprints as the links of another page.
#[derive(Clone, Default)]
pub struct FingerprintSecrets(RandomState, RandomState);

/// The bit that is set in second fingerprints, and never in first ones. So the second fingerprint of a line is never equal to the
/// first fingerprint of another line.
const SECOND: u128 = 1;

impl FingerprintSecrets {
    /// Returns the fingerprints of a line: its second one if it has one, then its first one.
    ///
    /// The first is made from the key with `--unique=key`, and from the URI otherwise. The second is made from the other text of
    /// the two, and is only looked for in the lists of `--seen`. Without `--unique` and `--seen` there are no fingerprints.
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

    /// Returns the first fingerprint of a text as it is in a column, with unsafe characters percent-encoded. It is never 0.
    fn of_text(&self, text: &str) -> u128 {
        let mut fingerprint = self.start();
        // Nothing fails here.
        let _ = percent(&mut fingerprint, text);
        fingerprint.end()
    }

    /// Returns a fingerprint to which no text is written yet.
    pub fn start(&self) -> Fingerprint {
        Fingerprint(self.0.build_hasher(), self.1.build_hasher())
    }
}

/// A fingerprint of all text that is written to it. It is the same in whatever parts the text is written.
pub struct Fingerprint(DefaultHasher, DefaultHasher);

impl Fingerprint {
    /// Returns the value of the fingerprint, as a first fingerprint. It is never 0.
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

/// Reports whether a fingerprint is the second one of a line.
pub fn is_second(fingerprint: u128) -> bool {
    fingerprint & SECOND != 0
}

/// Returns the fingerprint that the same text has in a list of `--seen`: a first one.
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
        let secrets = FingerprintSecrets::default();
        let text = "http://example.com/a/long/path?and=a&query=too";
        for first in 0..text.len() {
            for second in first..text.len() {
                let mut fingerprint = secrets.start();
                for part in [&text[..first], &text[first..second], &text[second..]] {
                    fingerprint.write_all(part.as_bytes()).unwrap();
                }
                assert_eq!(fingerprint.end(), secrets.of_text(text), "{first} {second}");
            }
        }
        // That of a text in a column, where it is quoted.
        assert_eq!(secrets.of_text("a\u{1}\u{202e}b"), secrets.of_text("a%01%E2%80%AEb"));
    }
}
