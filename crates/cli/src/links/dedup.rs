//! Deduplication (`--unique`, `--seen`): decides for each line whether it is printed.
//! With `--unique`, only the first of the lines with the same URI or key is printed. With `--seen`, no line is printed whose URI or
//! key is in a list.
//!
//! Lines are compared by fingerprints of their URIs and keys. The latest fingerprints are in a table in memory. Older ones, and
//! those of the lists, are in sorted spill files. To search the files for each line would take too long. So a line that may be in a
//! file stays undecided until the table is full, or until the first block that comes more than a second later. Then the
//! fingerprints of the table are sorted too, and one pass over each file finds those that are in it.
//!
//! Two texts with the same fingerprint of 127 bits would count as one. Among ten thousand million texts, the chance of this is
//! below 10⁻¹⁸.

mod fingerprint;
mod seen_list;
mod spill_search;
mod undecided_lines;

use std::io::{self, Write};

pub use self::fingerprint::FingerprintSecrets;
use self::fingerprint::{FingerprintTable, is_second, without_second_bit};
pub use self::seen_list::read_lists;
use self::spill_search::find_all;
use self::undecided_lines::UndecidedLines;
use super::pool::{Block, LineFingerprint};
use super::progress::Progress;
use super::spill::SpillFiles;
use super::temp_file::temp_error;

pub struct Dedup {
    /// A line is printed only if no earlier line has the same URI or, with `--unique=key`, the same key.
    is_unique: bool,
    /// The fingerprints of all lines so far or, if there are spill files, those of the undecided lines.
    table: FingerprintTable,
    /// First fingerprints that are no longer in `table`, also of lines that a list of `--seen` has. Empty without `--unique`.
    older: SpillFiles<u128>,
    seen: SpillFiles<u128>,
    undecided: UndecidedLines,
    /// The outcome of the last line. It also decides the start of the next block, if that is the rest of the line. `None` if the
    /// line is undecided.
    last_outcome: Option<Outcome>,
}

/// The outcome of one fingerprint. If a line has two, the greater of their outcomes is that of the line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// A line is printed if all its fingerprints are new.
    Printed,
    /// The fingerprint is in a list of `--seen`.
    Seen,
    /// An earlier line has the same fingerprint.
    Repeated,
}

impl Dedup {
    /// `seen` has the fingerprints of the lists of `--seen`.
    pub fn new(is_unique: bool, seen: SpillFiles<u128>) -> Self {
        Dedup {
            is_unique,
            table: FingerprintTable::new(),
            older: SpillFiles::default(),
            seen,
            undecided: UndecidedLines::default(),
            last_outcome: Some(Outcome::Printed),
        }
    }

    /// Prints the new lines of a block, and keeps the undecided ones for later. Overwrites the text of the block.
    pub fn add(&mut self, block: &mut Block, progress: &Progress, out: &mut impl Write) -> io::Result<()> {
        if self.table.is_full(block.fingerprints.len()) || self.undecided.is_due() {
            self.empty_table(progress, out)?;
        }
        let Block { texts: [text, _], fingerprints, .. } = block;
        let first = fingerprints.first().map_or(text.len(), |first| first.line_start);
        match self.last_outcome {
            Some(Outcome::Printed) => out.write_all(&text[..first])?,
            Some(_) => {}
            None => self.undecided.extend_last_line(&text[..first])?,
        }
        let is_decided = self.older.0.is_empty() && self.seen.0.is_empty();
        let mut kept = first;
        // The slot of a second fingerprint, which comes before the first of the same line.
        let mut second = None;
        for (number, &LineFingerprint { line_start, fingerprint }) in fingerprints.iter().enumerate() {
            let (slot, is_new) = self.table.insert(fingerprint);
            if is_second(fingerprint) {
                second = Some(slot);
                continue;
            }
            let slots = [slot, second.take().unwrap_or(slot)];
            if self.is_unique && !is_new {
                self.last_outcome = Some(Outcome::Repeated);
                continue;
            }
            let end = fingerprints.get(number + 1).map_or(text.len(), |next| next.line_start);
            if is_decided {
                progress.links.add(1);
                self.last_outcome = Some(Outcome::Printed);
            } else {
                self.undecided.start_line(slots, end - line_start);
                self.last_outcome = None;
            }
            text.copy_within(line_start..end, kept);
            kept += end - line_start;
        }
        let text = &text[first..kept];
        if is_decided { out.write_all(text) } else { self.undecided.write_text(text) }
    }

    /// Must be called after the last block.
    pub fn finish(&mut self, progress: &Progress, out: &mut impl Write) -> io::Result<()> {
        if self.undecided.last_slots().is_none() { Ok(()) } else { self.decide(progress, out).map(drop) }
    }

    /// Decides the undecided lines, and moves the fingerprints that are still needed from the table to `older`.
    fn empty_table(&mut self, progress: &Progress, out: &mut impl Write) -> io::Result<()> {
        let new = self.decide(progress, out)?;
        self.older.add(new.into_iter()).map_err(temp_error)?;
        self.table.clear();
        Ok(())
    }

    /// Counts printed and seen lines, not repeated ones. Returns the sorted fingerprints of the table that `older` must get.
    fn decide(&mut self, progress: &Progress, out: &mut impl Write) -> io::Result<Vec<u128>> {
        let mut fingerprints = self.table.sorted();
        let in_lists = fingerprints.iter().copied().map(without_second_bit);
        let mut is_seen = find_all(&mut self.seen.0, in_lists).map_err(temp_error)?.into_iter();
        let is_old = find_all(&mut self.older.0, fingerprints.iter().copied()).map_err(temp_error)?;
        let mut is_old = is_old.into_iter();
        let mut outcomes = vec![Outcome::Printed; FingerprintTable::SLOTS];
        fingerprints.retain(|&fingerprint| {
            let outcome = match (is_old.next() == Some(true), is_seen.next() == Some(true)) {
                (true, _) => Outcome::Repeated,
                (false, true) => Outcome::Seen,
                (false, false) => Outcome::Printed,
            };
            outcomes[self.table.slot_of(fingerprint)] = outcome;
            outcome != Outcome::Repeated && self.is_unique && !is_second(fingerprint)
        });
        let outcome = |[first, second]: [usize; 2]| outcomes[first].max(outcomes[second]);
        self.last_outcome = self.last_outcome.or(self.undecided.last_slots().map(outcome));
        let is_printed = |slots| {
            let outcome = outcome(slots);
            progress.seen.add((outcome == Outcome::Seen).into());
            outcome == Outcome::Printed
        };
        progress.links.add(self.undecided.drain(is_printed, out)?);
        Ok(fingerprints)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds a block to `dedup`. The block starts with `start`, the rest of the last line of the block before. Then come the
    /// `lines`, each with the number from which its fingerprint is made. Returns the text that is printed.
    fn add(dedup: &mut Dedup, start: &str, lines: &[(u128, &str)]) -> String {
        let mut block = Block { texts: [start.into(), Vec::new()], ..Block::default() };
        for (number, text) in lines {
            block.fingerprints.push(LineFingerprint { line_start: block.texts[0].len(), fingerprint: 2 * number });
            block.texts[0].extend_from_slice(text.as_bytes());
        }
        let mut out = Vec::new();
        dedup.add(&mut block, &Progress::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn unique() -> Dedup {
        Dedup::new(true, SpillFiles::default())
    }

    #[test]
    fn the_first_line_of_a_uri_is_printed() {
        let mut dedup = unique();
        assert_eq!(add(&mut dedup, "", &[(1, "a "), (2, "b "), (1, "c ")]), "a b ");
        // A line that goes on in two more blocks is dropped, the next is printed.
        assert_eq!(add(&mut dedup, "no ", &[]), "");
        assert_eq!(add(&mut dedup, "no ", &[(3, "d ")]), "d ");
        assert_eq!(add(&mut dedup, "yes ", &[]), "yes ");

        // From now on there is a spill file.
        let mut out = Vec::new();
        dedup.empty_table(&Progress::default(), &mut out).unwrap();
        assert!(out.is_empty(), "no line is undecided");
        assert_eq!(add(&mut dedup, "yes ", &[(4, "e "), (1, "f "), (4, "g "), (5, "h ")]), "yes ");
        // The last line is undecided: what follows belongs to it.
        assert_eq!(add(&mut dedup, "more ", &[(2, "i ")]), "");
        assert_eq!(add(&mut dedup, "no ", &[(6, "j ")]), "");
        let mut out = Vec::new();
        let progress = Progress::default();
        dedup.finish(&progress, &mut out).unwrap();
        assert_eq!((progress.links.get(), progress.seen.get()), (3, 0));
        assert_eq!(String::from_utf8(out).unwrap(), "e h more j ");
    }

    /// Texts printed once and all texts, also across a table that was emptied.
    #[test]
    fn lines_in_a_list_are_not_printed() {
        for is_unique in [false, true] {
            let mut seen = SpillFiles::default();
            seen.add([2 * 2, 2 * 7, 2 * 8].into_iter()).unwrap();
            let mut dedup = Dedup::new(is_unique, seen);
            let (mut out, progress) = (Vec::new(), Progress::default());
            // The second fingerprints of a line come first.
            for lines in [&[(1, "a ")][..], &[(1, "a "), (2, "b "), (2, "b ")], &[(3, "c "), (1, "a "), (2, "b ")]] {
                assert_eq!(add(&mut dedup, "", lines), "");
                dedup.empty_table(&progress, &mut out).unwrap();
            }
            let second = |number: u128| (2 * number) | 1;
            let add_fingerprints = |dedup: &mut Dedup, text: &str, fingerprints: &[(usize, u128)]| {
                let mut block = Block { texts: [text.into(), Vec::new()], ..Block::default() };
                let starts = fingerprints.iter();
                block.fingerprints =
                    starts.map(|&(line_start, fingerprint)| LineFingerprint { line_start, fingerprint }).collect();
                let mut out = Vec::new();
                dedup.add(&mut block, &Progress::default(), &mut out).unwrap();
                assert!(out.is_empty(), "all are undecided");
            };
            // A second fingerprint that is repeated is no reason.
            add_fingerprints(&mut dedup, "g ", &[(0, second(9)), (0, 2 * 6)]);
            dedup.empty_table(&progress, &mut out).unwrap();
            let fingerprints = [(0, second(7)), (0, 2 * 4), (2, second(9)), (2, 2 * 5), (4, second(8)), (4, 2 * 2)];
            add_fingerprints(&mut dedup, "d e f", &fingerprints);
            // The decision on a last line that goes on.
            assert_eq!(add(&mut dedup, "f ", &[]), "");
            dedup.finish(&progress, &mut out).unwrap();
            assert_eq!(add(&mut dedup, "no ", &[]), "");
            let (expected, printed, seen) = if is_unique { ("a c g e ", 4, 2) } else { ("a a c a g e ", 6, 5) };
            assert_eq!(String::from_utf8(out).unwrap(), expected);
            assert_eq!((progress.links.get(), progress.seen.get()), (printed, seen));
        }
    }

    #[test]
    fn a_decision_holds_for_the_rest_of_the_line() {
        for (fingerprint, expected) in [(1, ""), (9, "rest ")] {
            let mut dedup = unique();
            add(&mut dedup, "", &[(1, "a ")]);
            dedup.empty_table(&Progress::default(), &mut io::sink()).unwrap();
            assert_eq!(add(&mut dedup, "", &[(fingerprint, "long ")]), "");
            dedup.empty_table(&Progress::default(), &mut io::sink()).unwrap();
            assert_eq!(add(&mut dedup, "rest ", &[]), expected);
        }
    }
}
