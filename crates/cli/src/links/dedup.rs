//! Deduplication (`--unique`, `--seen`): decides for each line whether it is printed.
//! With `--unique`, only the first of the lines with the same URI or key is printed. With `--seen`, no line is printed whose URI or
//! key is in a list.
//!
//! Lines are compared by fingerprints of their URIs and keys. Up to `--max-memory`, these are in memory, and each line is decided when
//! it comes. Once they are too many, no more are added: lines that may be new wait in a file, and are decided at the end.
//!
//! Two texts with the same fingerprint of 127 bits would count as one. Among ten thousand million texts, the chance of this is
//! below 10⁻¹⁸.

mod fingerprint;
mod late_lines;
mod seen_list;

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::{self, Write};

pub use self::fingerprint::FingerprintSecrets;
use self::late_lines::LateLines;
pub use self::seen_list::read_lists;
use super::block::Block;
use super::progress::Progress;
use super::temp_file::temp_error;

/// A bit that no fingerprint has.
const IN_LIST: u128 = 1;

pub struct Dedup {
    /// A line is printed only if no earlier line has the same URI or, with `--unique=key`, the same key.
    is_unique: bool,
    /// The first fingerprint of each line with `--unique`, also of those that are in a list, and those of the lists with [`IN_LIST`].
    known: HashSet<u128, BuildHasherDefault<FirstHalf>>,
    max_known: usize,
    has_lists: bool,
    /// The lines that wait, and the fingerprints of lists that are not in `known`. `None` until `known` is full.
    late: Option<LateLines>,
    /// The last line is printed, or waits. So does the start of the next block, if that is the rest of the line.
    keeps_last: bool,
}

/// Fingerprints are like random numbers: a half of one is its hash.
#[derive(Default)]
struct FirstHalf(u64);

impl Hasher for FirstHalf {
    fn write_u128(&mut self, fingerprint: u128) {
        self.0 = (fingerprint >> 64) as u64;
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only numbers are hashed")
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Dedup {
    /// The bytes that a slot of the set takes: 16 of the fingerprint and one of the set. While a set grows to twice its slots, the
    /// smaller one is still there.
    const SLOT_LEN: u64 = 17 * 3 / 2 + 1;

    /// `max_memory` is in bytes.
    pub fn new(is_unique: bool, max_memory: u64) -> Self {
        let slots = 1_usize << (max_memory / Self::SLOT_LEN).clamp(16, 1 << 40).ilog2();
        // The standard library doubles the slots when seven of eight are full.
        let max_known = slots / 8 * 7;
        Dedup { is_unique, known: HashSet::default(), max_known, has_lists: false, late: None, keeps_last: true }
    }

    /// Adds a fingerprint of a list of `--seen`. The lists come before all lines.
    pub fn add_listed(&mut self, fingerprint: u128) -> io::Result<()> {
        self.has_lists = true;
        if self.known.len() < self.max_known {
            self.known.insert(fingerprint | IN_LIST);
            return Ok(());
        }
        self.late.get_or_insert_default().add_listed(fingerprint)
    }

    /// Prints the new lines of a block, and keeps the undecided ones for later. Overwrites the text of the block.
    pub fn add(&mut self, block: &mut Block, progress: &Progress, out: &mut impl Write) -> io::Result<()> {
        let Block { texts: [text, _], fingerprints, .. } = block;
        let first = fingerprints.first().map_or(text.len(), |first| first.line_start);
        if self.keeps_last {
            self.write(&text[..first], out)?;
        }
        if self.known.len() + fingerprints.len() > self.max_known {
            self.late.get_or_insert_default();
        }
        let mut kept = first;
        for (number, line) in fingerprints.iter().enumerate() {
            let end = fingerprints.get(number + 1).map_or(text.len(), |next| next.line_start);
            self.keeps_last = self.keeps(line.first, line.second, progress)?;
            if self.keeps_last {
                text.copy_within(line.line_start..end, kept);
                kept += end - line.line_start;
            }
        }
        self.write(&text[first..kept], out)
    }

    fn write(&mut self, text: &[u8], out: &mut impl Write) -> io::Result<()> {
        match &mut self.late {
            None => out.write_all(text),
            Some(late) => late.write(text).map_err(temp_error),
        }
    }

    /// Decides whether a line is printed, or may be at the end. Counts printed and seen lines, not repeated ones.
    fn keeps(&mut self, first: u128, second: Option<u128>, progress: &Progress) -> io::Result<bool> {
        let in_list = |known: &HashSet<_, _>, fingerprint| known.contains(&(fingerprint | IN_LIST));
        let is_seen = self.has_lists
            && (in_list(&self.known, first) || second.is_some_and(|second| in_list(&self.known, second)));
        if let Some(late) = &mut self.late {
            if self.is_unique && self.known.contains(&first) {
                return Ok(false);
            }
            if self.is_unique || !is_seen {
                late.add(first, second, is_seen)?;
                return Ok(true);
            }
        } else if self.is_unique && !self.known.insert(first) {
            return Ok(false);
        }
        if is_seen { &progress.seen } else { &progress.links }.add(1);
        Ok(!is_seen)
    }

    /// Must be called after the last block.
    pub fn finish(self, progress: &Progress, out: &mut impl Write) -> io::Result<()> {
        // What comes next needs memory, too.
        drop(self.known);
        self.late.map_or(Ok(()), |late| late.finish(self.is_unique, progress, out))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::block::LineFingerprint;
    use super::*;

    /// Adds a block to `dedup`. The block starts with `start`, the rest of the last line of the block before. Then come the
    /// `lines`, each with the numbers from which its fingerprints are made; 0 stands for none.
    fn add(dedup: &mut Dedup, start: &str, lines: &[([u128; 2], &str)], progress: &Progress) -> String {
        let mut block = Block { texts: [start.into(), Vec::new()], ..Block::default() };
        for &([first, second], text) in lines {
            let (first, second) = (2 * first, Some(2 * second).filter(|second| *second > 0));
            block.fingerprints.push(LineFingerprint { line_start: block.texts[0].len(), first, second });
            block.texts[0].extend_from_slice(text.as_bytes());
        }
        let mut out = Vec::new();
        dedup.add(&mut block, progress, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn finish(dedup: Dedup, progress: &Progress) -> String {
        let mut out = Vec::new();
        dedup.finish(progress, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_decision_holds_for_the_rest_of_the_line() {
        let (mut dedup, progress) = (Dedup::new(true, 0), Progress::default());
        let mut add = |start: &str, lines: &[([u128; 2], &str)]| add(&mut dedup, start, lines, &progress);
        assert_eq!(add("", &[([1, 0], "a\n"), ([2, 0], "b\n"), ([1, 0], "c")]), "a\nb\n");
        assert_eq!(add("no", &[]), "");
        assert_eq!(add("no\n", &[([3, 0], "d")]), "d");
        // From now on the set is full.
        let many: Vec<_> = (3..30).map(|number| ([number, 0], "x\n")).collect();
        assert_eq!(add("yes\n", &many), "yes\n");
        assert_eq!(add("", &[([1, 0], "e")]), "");
        assert_eq!(add("no\n", &[([40, 0], "f")]), "");
        assert_eq!(add(" and more\n", &[([40, 0], "g")]), "");
        assert_eq!(add("no\n", &[]), "");
        assert_eq!(finish(dedup, &progress), format!("{}f and more\n", "x\n".repeat(26)));
        assert_eq!((progress.links.get(), progress.seen.get()), (3 + 26 + 1, 0));
    }

    /// Random lines and lists, of which any number is in memory, are decided as by the definition.
    #[test]
    fn lines_are_decided_alike_with_any_memory() {
        let mut random = 7_u64;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u128::from((random >> 33) % below)
        };
        for (is_unique, listed) in [(true, 0), (true, 5), (true, 100), (false, 5), (false, 100)] {
            for max_memory in [0, 100 * Dedup::SLOT_LEN, 10_000 * Dedup::SLOT_LEN] {
                let list: Vec<u128> = (0..listed).map(|_| 1 + next(300)).collect();
                let lines: Vec<([u128; 2], String)> =
                    (0..1000).map(|line| ([1 + next(300), next(3) * next(300)], format!("{line}\n"))).collect();
                let progress = Progress::default();
                let mut dedup = Dedup::new(is_unique, max_memory);
                list.iter().for_each(|number| dedup.add_listed(2 * number).unwrap());
                let mut text = String::new();
                for block in lines.chunks(7) {
                    let block: Vec<_> = block.iter().map(|(numbers, text)| (*numbers, text.as_str())).collect();
                    text += &add(&mut dedup, "", &block, &progress);
                }
                text += &finish(dedup, &progress);
                let (mut firsts, mut expected, mut seen) = (HashSet::new(), String::new(), 0);
                for ([first, second], text) in &lines {
                    match () {
                        () if !firsts.insert(first) && is_unique => {}
                        () if list.contains(first) || list.contains(second) => seen += 1,
                        () => expected += text,
                    }
                }
                assert_eq!(text, expected, "{is_unique} {listed} {max_memory}");
                assert_eq!((progress.links.get(), progress.seen.get()), (expected.lines().count() as u64, seen));
            }
        }
    }
}
