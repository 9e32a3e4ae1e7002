//! `--unique`: only the first line of each URI passes.
//!
//! The latest fingerprints are in a table in memory; the others, sorted, in temporary files. A URI that is in neither would
//! need a look at the files for each line. So lines whose URI is not in the table wait until the table is full, or until the
//! first block that comes a second or more later: then the fingerprints in the table, sorted too, are looked up in one pass over
//! each file.
//!
//! Two URIs of the same 128 bits would count as one: among ten thousand million URIs the chance is below 10⁻¹⁸.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;

use super::body_store::temporary;
use super::lookup::look_up;
use super::pool::{Block, Mark};
use super::sorted::Cascade;
use super::table::Table;
use super::waiting::Waiting;

/// Two SipHashes with secret keys: no page can be made so that its links hide another's.
#[derive(Clone, Default)]
pub struct Fingerprints(RandomState, RandomState);

impl Fingerprints {
    pub fn of(&self, uri: &str) -> u128 {
        let halves = [self.0.hash_one(uri), self.1.hash_one(uri)].map(u128::from);
        // 0 is an empty slot.
        (halves[0] << 64 | halves[1]).max(1)
    }
}

/// The URIs that were seen, and the lines that wait.
pub struct Unique {
    /// The latest fingerprints: without older ones all of lines that have passed, else all of lines that wait.
    table: Table,
    older: Cascade<u128>,
    waiting: Waiting,
    last: Fate,
}

/// The fate of the line that a block ends in, for when it goes on in the next.
enum Fate {
    Passed,
    Dropped,
    Waits,
}

impl Unique {
    pub fn new() -> Self {
        Unique { table: Table::new(), older: Cascade(Vec::new()), waiting: Waiting::default(), last: Fate::Dropped }
    }

    /// Writes the lines that pass, those that waited before a block and those of the block, or lets them wait. Returns how
    /// many passed. The block's text is of no use then.
    pub fn pass(&mut self, block: &mut Block, mut write: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<u64> {
        let mut passed = 0;
        if self.table.is_full(block.marks.len()) || self.waiting.is_due() {
            passed = self.empty(&mut write)?;
        }
        let Block { text, marks, .. } = block;
        let first = marks.first().map_or(text.len(), |mark| mark.start);
        match self.last {
            Fate::Passed => write(&text[..first])?,
            Fate::Waits => self.waiting.extend(&text[..first])?,
            Fate::Dropped => {}
        }
        let waits = !self.older.0.is_empty();
        let mut kept = first;
        for (number, &Mark { start, fingerprint }) in marks.iter().enumerate() {
            let end = marks.get(number + 1).map_or(text.len(), |next| next.start);
            let slot = self.table.insert(fingerprint);
            self.last = match slot {
                None => Fate::Dropped,
                Some(slot) if waits => {
                    self.waiting.start(slot, end - start);
                    Fate::Waits
                }
                Some(_) => {
                    passed += 1;
                    Fate::Passed
                }
            };
            if slot.is_some() {
                text.copy_within(start..end, kept);
                kept += end - start;
            }
        }
        if waits {
            self.waiting.write(&text[first..kept])?
        } else {
            write(&text[first..kept])?
        }
        Ok(passed)
    }

    /// Writes those of the lines that wait that pass. Returns how many they are.
    pub fn finish(&mut self, write: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<u64> {
        if self.waiting.last().is_none() { Ok(0) } else { Ok(self.release(write)?.0) }
    }

    /// Brings what is in the table to the older ones; then no line waits.
    fn empty(&mut self, write: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<u64> {
        let (passed, new) = self.release(write)?;
        self.older.add(new.into_iter()).map_err(temporary)?;
        self.table.clear();
        Ok(passed)
    }

    /// Writes those of the lines that wait that pass. Returns how many they are, and the fingerprints that are new.
    fn release(&mut self, write: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<(u64, Vec<u128>)> {
        let mut fingerprints = self.table.sorted();
        let seen = look_up(&mut self.older.0, &fingerprints).map_err(temporary)?;
        let mut passes = vec![true; Table::SLOTS];
        let mut each = seen.into_iter();
        fingerprints.retain(|fingerprint| {
            let seen = each.next() == Some(true);
            if seen {
                passes[self.table.find(*fingerprint)] = false;
            }
            !seen
        });
        if let (Fate::Waits, Some(slot)) = (&self.last, self.waiting.last()) {
            self.last = if passes[slot] { Fate::Passed } else { Fate::Dropped };
        }
        let passed = self.waiting.end(|slot| passes[slot], write)?;
        Ok((passed, fingerprints))
    }
}
