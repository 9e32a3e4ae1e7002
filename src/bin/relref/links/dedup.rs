//! `--unique` and `--seen`: of lines with the same URI or key, prints only the first, and prints no line whose URI or key is in a
//! list.
//!
//! The latest fingerprints are in a table in memory. Older ones and the fingerprints of lists are in sorted spill files. It would
//! take too long to search the files for each line. So a line that may be in a file stays undecided until the table is full, or
//! until the first block that comes more than a second later. Then the fingerprints of the table are sorted too, and one pass over
//! each file finds those that are in it.
//!
//! Two texts with the same fingerprint of 127 bits would count as one. Among ten thousand million texts, the chance of this is
//! below 10⁻¹⁸.

mod fingerprint;
mod fingerprint_table;
mod seen_list;
mod spill_search;
mod undecided_lines;

use std::io;

pub use self::fingerprint::FingerprintSecrets;
use self::fingerprint::{is_second, of_list};
use self::fingerprint_table::FingerprintTable;
pub use self::seen_list::read_lists;
use self::spill_search::find_all;
use self::undecided_lines::UndecidedLines;
use super::pool::{Block, Mark};
use super::progress::Progress;
use super::spill::SpillFiles;
use super::temp_file::temp_error;

/// The state of the deduplication: the fingerprints of the lines so far and of the lists of `--seen`, and the undecided lines.
pub struct Dedup {
    /// True with `--unique`: of lines with the same URI or key, only the first is printed.
    is_unique: bool,
    /// The latest fingerprints: of all printed lines if there are no spill files, and of the undecided lines otherwise.
    table: FingerprintTable,
    /// The fingerprints of printed lines that are no longer in `table`. Empty without `--unique`.
    older: SpillFiles<u128>,
    /// The fingerprints of the lists of `--seen`.
    seen: SpillFiles<u128>,
    /// The lines that wait for the next decision.
    undecided: UndecidedLines,
    /// The decision on the last line. It holds for the rest of the line, which may be in the next block. `None` while the line is
    /// undecided.
    last: Option<Decision>,
}

/// The decision on a fingerprint. If a line has two fingerprints, the greater decision is the one on the line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Decision {
    /// The fingerprint is new. The line is printed if all its fingerprints are.
    Printed,
    /// The fingerprint is in a list of `--seen`, so the line is not printed.
    Seen,
    /// An earlier line has the same fingerprint, so the line is not printed.
    Repeated,
}

impl Dedup {
    /// Returns the state before the first line. `seen` has the fingerprints of the lists.
    pub fn new(is_unique: bool, seen: SpillFiles<u128>) -> Self {
        Dedup {
            is_unique,
            table: FingerprintTable::new(),
            older: SpillFiles::default(),
            seen,
            undecided: UndecidedLines::default(),
            last: Some(Decision::Printed),
        }
    }

    /// Prints the new lines of a block, and keeps the undecided ones for later. Before that, decides the lines of earlier blocks if
    /// they have waited long enough. Overwrites the text of the block. Counts the lines that were decided in this call.
    pub fn add(
        &mut self,
        block: &mut Block,
        progress: &Progress,
        mut print: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.table.is_full(block.marks.len()) || self.undecided.is_due() {
            self.empty_table(progress, &mut print)?;
        }
        let Block { texts: [text, _], marks, .. } = block;
        let first = marks.first().map_or(text.len(), |mark| mark.start);
        match self.last {
            Some(Decision::Printed) => print(&text[..first])?,
            Some(_) => {}
            None => self.undecided.extend(&text[..first])?,
        }
        let is_decided = self.older.0.is_empty() && self.seen.0.is_empty();
        let mut kept = first;
        // The slot of a second fingerprint, which comes before the first of the same line.
        let mut second = None;
        for (number, &Mark { start, fingerprint }) in marks.iter().enumerate() {
            let (slot, is_new) = self.table.insert(fingerprint);
            if is_second(fingerprint) {
                second = Some(slot);
                continue;
            }
            let slots = [slot, second.take().unwrap_or(slot)];
            if self.is_unique && !is_new {
                self.last = Some(Decision::Repeated);
                continue;
            }
            let end = marks.get(number + 1).map_or(text.len(), |next| next.start);
            if is_decided {
                progress.links.add(1);
                self.last = Some(Decision::Printed);
            } else {
                self.undecided.start(slots, end - start);
                self.last = None;
            }
            text.copy_within(start..end, kept);
            kept += end - start;
        }
        let text = &text[first..kept];
        if is_decided { print(text) } else { self.undecided.write(text) }
    }

    /// Decides the undecided lines, counts them, and prints the new ones. Must be called after the last block.
    pub fn finish(&mut self, progress: &Progress, print: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        if self.undecided.last().is_none() { Ok(()) } else { self.decide(progress, print).map(drop) }
    }

    /// Decides the undecided lines, counts them, and prints the new ones. Then moves the fingerprints of the table to the spill
    /// files.
    fn empty_table(&mut self, progress: &Progress, print: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let new = self.decide(progress, print)?;
        self.older.add(new.into_iter()).map_err(temp_error)?;
        self.table.clear();
        Ok(())
    }

    /// Decides the undecided lines, counts them, and prints the new ones. Returns the sorted fingerprints that must be added to
    /// `older`.
    fn decide(&mut self, progress: &Progress, print: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<Vec<u128>> {
        let mut fingerprints = self.table.sorted();
        let in_lists = fingerprints.iter().copied().map(of_list);
        let mut is_seen = find_all(&mut self.seen.0, in_lists).map_err(temp_error)?.into_iter();
        let is_old = find_all(&mut self.older.0, fingerprints.iter().copied()).map_err(temp_error)?;
        let mut is_old = is_old.into_iter();
        let mut decisions = vec![Decision::Printed; FingerprintTable::SLOTS];
        fingerprints.retain(|&fingerprint| {
            let decision = match (is_old.next() == Some(true), is_seen.next() == Some(true)) {
                (true, _) => Decision::Repeated,
                (false, true) => Decision::Seen,
                (false, false) => Decision::Printed,
            };
            decisions[self.table.find(fingerprint)] = decision;
            decision != Decision::Repeated && self.is_unique && !is_second(fingerprint)
        });
        let decision = |[first, second]: [usize; 2]| decisions[first].max(decisions[second]);
        self.last = self.last.or(self.undecided.last().map(decision));
        let is_printed = |slots| {
            let decision = decision(slots);
            progress.seen.add((decision == Decision::Seen).into());
            decision == Decision::Printed
        };
        progress.links.add(self.undecided.decide(is_printed, print)?);
        Ok(fingerprints)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Adds a block of lines. `start` is the rest of the last line of the block before. Returns what is printed.
    fn add(dedup: &mut Dedup, start: &str, lines: &[(u128, &str)]) -> String {
        let mut block = Block { texts: [start.into(), Vec::new()], ..Block::default() };
        for (number, text) in lines {
            block.marks.push(Mark { start: block.texts[0].len(), fingerprint: 2 * number });
            block.texts[0].extend_from_slice(text.as_bytes());
        }
        let mut out = Vec::new();
        dedup.add(&mut block, &Progress::default(), |text| out.write_all(text)).unwrap();
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
        dedup.empty_table(&Progress::default(), |_| panic!("no line is undecided")).unwrap();
        assert_eq!(add(&mut dedup, "yes ", &[(4, "e "), (1, "f "), (4, "g "), (5, "h ")]), "yes ");
        // The last line is undecided: what follows belongs to it.
        assert_eq!(add(&mut dedup, "more ", &[(2, "i ")]), "");
        assert_eq!(add(&mut dedup, "no ", &[(6, "j ")]), "");
        let mut out = Vec::new();
        let progress = Progress::default();
        dedup.finish(&progress, |text| out.write_all(text)).unwrap();
        assert_eq!((progress.links.get(), progress.seen.get()), (3, 0));
        assert_eq!(String::from_utf8(out).unwrap(), "e h more j ");
    }

    /// With texts printed once and with all texts; and across a table that was emptied.
    #[test]
    fn lines_in_a_list_are_not_printed() {
        for is_unique in [false, true] {
            let mut seen = SpillFiles::default();
            seen.add([2 * 2, 2 * 7, 2 * 8].into_iter()).unwrap();
            let mut dedup = Dedup::new(is_unique, seen);
            let (mut out, progress) = (Vec::new(), Progress::default());
            // The second fingerprints of a line come first.
            for marks in [&[(1, "a ")][..], &[(1, "a "), (2, "b "), (2, "b ")], &[(3, "c "), (1, "a "), (2, "b ")]] {
                assert_eq!(add(&mut dedup, "", marks), "");
                dedup.empty_table(&progress, |text| out.write_all(text)).unwrap();
            }
            let second = |number: u128| (2 * number) | 1;
            let add_marks = |dedup: &mut Dedup, text: &str, marks: &[(usize, u128)]| {
                let mut block = Block { texts: [text.into(), Vec::new()], ..Block::default() };
                block.marks.extend(marks.iter().map(|&(start, fingerprint)| Mark { start, fingerprint }));
                let print = |text: &[u8]| {
                    assert!(text.is_empty(), "all are undecided");
                    Ok(())
                };
                dedup.add(&mut block, &Progress::default(), print).unwrap();
            };
            // A second fingerprint that is repeated is no reason.
            add_marks(&mut dedup, "g ", &[(0, second(9)), (0, 2 * 6)]);
            dedup.empty_table(&progress, |text| out.write_all(text)).unwrap();
            let marks = [(0, second(7)), (0, 2 * 4), (2, second(9)), (2, 2 * 5), (4, second(8)), (4, 2 * 2)];
            add_marks(&mut dedup, "d e f", &marks);
            // The decision on a last line that goes on.
            assert_eq!(add(&mut dedup, "f ", &[]), "");
            dedup.finish(&progress, |text| out.write_all(text)).unwrap();
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
            dedup.empty_table(&Progress::default(), |_| Ok(())).unwrap();
            assert_eq!(add(&mut dedup, "", &[(fingerprint, "long ")]), "");
            dedup.empty_table(&Progress::default(), |_| Ok(())).unwrap();
            assert_eq!(add(&mut dedup, "rest ", &[]), expected);
        }
    }
}
