//! `--unique`: prints only the first line of each URI.
//!
//! The latest fingerprints are in a table in memory, the older ones in sorted spill files. To look into the files for each line
//! would take too long. So a line whose URI is not in the table stays undecided until the table is full, or until the first block
//! that comes a second or more later. Then the fingerprints of the table are sorted too, and one pass over each file finds those
//! that are in it.
//!
//! Two URIs with the same fingerprint of 128 bits would count as one. Among ten thousand million URIs the chance is below 10⁻¹⁸.

mod fingerprint_table;
mod spill_search;
mod undecided_lines;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;

use self::fingerprint_table::FingerprintTable;
use self::spill_search::find_all;
use self::undecided_lines::UndecidedLines;
use super::pool::{Block, Mark};
use super::spill::SpillFiles;
use super::temp_file::temp_error;

/// The secret keys of two SipHashes. As they are secret, a page cannot be made whose links have the
/// fingerprints of another page's.
#[derive(Clone, Default)]
pub struct FingerprintKeys(RandomState, RandomState);

impl FingerprintKeys {
    /// Returns the fingerprint of a URI, which is not 0.
    pub fn fingerprint(&self, uri: &str) -> u128 {
        let halves = [self.0.hash_one(uri), self.1.hash_one(uri)].map(u128::from);
        // 0 is an empty slot of the table.
        (halves[0] << 64 | halves[1]).max(1)
    }
}

/// The URIs that were seen, and the lines that are undecided.
pub struct Dedup {
    /// The latest fingerprints: those of the lines printed so far if there are no spill files, and those of the undecided lines
    /// otherwise.
    table: FingerprintTable,
    older: SpillFiles<u128>,
    undecided: UndecidedLines,
    last: Fate,
}

/// The fate of a line. That of the last line is kept, as the line may go on in the next block.
enum Fate {
    Printed,
    Dropped,
    Undecided,
}

impl Dedup {
    pub fn new() -> Self {
        Dedup {
            table: FingerprintTable::new(),
            older: SpillFiles::default(),
            undecided: UndecidedLines::default(),
            last: Fate::Dropped,
        }
    }

    /// Prints the lines of a block whose URIs are new, and lets those wait that are undecided. Before them, it prints lines of
    /// earlier blocks if it is time to decide. Returns the number of lines printed. The block's text is overwritten.
    pub fn add(&mut self, block: &mut Block, mut print: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<u64> {
        let mut printed = 0;
        if self.table.is_full(block.marks.len()) || self.undecided.is_due() {
            printed = self.empty_table(&mut print)?;
        }
        let Block { text, marks, .. } = block;
        let first = marks.first().map_or(text.len(), |mark| mark.start);
        match self.last {
            Fate::Printed => print(&text[..first])?,
            Fate::Undecided => self.undecided.extend(&text[..first])?,
            Fate::Dropped => {}
        }
        let is_decided = self.older.0.is_empty();
        let mut kept = first;
        for (number, &Mark { start, fingerprint }) in marks.iter().enumerate() {
            let end = marks.get(number + 1).map_or(text.len(), |next| next.start);
            let Some(slot) = self.table.insert(fingerprint) else {
                self.last = Fate::Dropped;
                continue;
            };
            if is_decided {
                printed += 1;
                self.last = Fate::Printed;
            } else {
                self.undecided.start(slot, end - start);
                self.last = Fate::Undecided;
            }
            text.copy_within(start..end, kept);
            kept += end - start;
        }
        let text = &text[first..kept];
        if is_decided {
            print(text)?
        } else {
            self.undecided.write(text)?
        }
        Ok(printed)
    }

    /// Prints the undecided lines whose URIs are new. Returns their number.
    pub fn finish(&mut self, print: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<u64> {
        if self.undecided.last().is_none() { Ok(0) } else { Ok(self.decide(print)?.0) }
    }

    /// Moves the fingerprints of the table to the spill files. Then no line is undecided.
    fn empty_table(&mut self, print: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<u64> {
        let (printed, new) = self.decide(print)?;
        self.older.add(new.into_iter()).map_err(temp_error)?;
        self.table.clear();
        Ok(printed)
    }

    /// Prints the undecided lines whose URIs are new. Returns their number, and the fingerprints that are in no spill file.
    fn decide(&mut self, print: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<(u64, Vec<u128>)> {
        let mut fingerprints = self.table.sorted();
        let is_old = find_all(&mut self.older.0, &fingerprints).map_err(temp_error)?;
        let mut is_printed = vec![true; FingerprintTable::SLOTS];
        let mut is_old = is_old.into_iter();
        fingerprints.retain(|fingerprint| {
            let is_old = is_old.next() == Some(true);
            if is_old {
                is_printed[self.table.find(*fingerprint)] = false;
            }
            !is_old
        });
        if let (Fate::Undecided, Some(slot)) = (&self.last, self.undecided.last()) {
            self.last = if is_printed[slot] { Fate::Printed } else { Fate::Dropped };
        }
        let printed = self.undecided.decide(|slot| is_printed[slot], print)?;
        Ok((printed, fingerprints))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Adds a block of lines, the first of which may go on from the block before. Returns what is printed.
    fn add(dedup: &mut Dedup, start: &str, lines: &[(u128, &str)]) -> String {
        let mut block = Block { text: start.into(), ..Block::default() };
        for (fingerprint, text) in lines {
            block.marks.push(Mark { start: block.text.len(), fingerprint: *fingerprint });
            block.text.extend_from_slice(text.as_bytes());
        }
        let mut out = Vec::new();
        dedup.add(&mut block, |text| out.write_all(text)).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_first_line_of_a_uri_is_printed() {
        let mut dedup = Dedup::new();
        assert_eq!(add(&mut dedup, "", &[(1, "a "), (2, "b "), (1, "c ")]), "a b ");
        // A line that goes on in two more blocks is dropped, the next is printed.
        assert_eq!(add(&mut dedup, "no ", &[]), "");
        assert_eq!(add(&mut dedup, "no ", &[(3, "d ")]), "d ");
        assert_eq!(add(&mut dedup, "yes ", &[]), "yes ");

        // From now on there is a spill file.
        assert_eq!(dedup.empty_table(|_| panic!("no line is undecided")).unwrap(), 0);
        assert_eq!(add(&mut dedup, "yes ", &[(4, "e "), (1, "f "), (4, "g "), (5, "h ")]), "yes ");
        // The last line is undecided: what follows belongs to it.
        assert_eq!(add(&mut dedup, "more ", &[(2, "i ")]), "");
        assert_eq!(add(&mut dedup, "no ", &[(6, "j ")]), "");
        let mut out = Vec::new();
        assert_eq!(dedup.finish(|text| out.write_all(text)).unwrap(), 3);
        assert_eq!(String::from_utf8(out).unwrap(), "e h more j ");
    }

    #[test]
    fn a_decision_holds_for_the_rest_of_the_line() {
        for (fingerprint, expected) in [(1, ""), (9, "rest ")] {
            let mut dedup = Dedup::new();
            add(&mut dedup, "", &[(1, "a ")]);
            dedup.empty_table(|_| Ok(())).unwrap();
            assert_eq!(add(&mut dedup, "", &[(fingerprint, "long ")]), "");
            dedup.empty_table(|_| Ok(())).unwrap();
            assert_eq!(add(&mut dedup, "rest ", &[]), expected);
        }
    }

    #[test]
    fn fingerprints_depend_on_secret_keys() {
        let [one, other] = [FingerprintKeys::default(), FingerprintKeys::default()];
        assert_eq!(one.fingerprint("a"), one.clone().fingerprint("a"));
        assert!(one.fingerprint("a") != one.fingerprint("b") && one.fingerprint("a") != other.fingerprint("a"));
    }
}
