//! Which URIs were seen: fingerprints, the latest in memory, the others sorted in temporary files.
//!
//! Two URIs of the same 128 bits would count as one: among ten thousand million URIs the chance is below 10⁻¹⁸.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;

use super::runs::Runs;
use super::spool::temporary;

/// 2 to the power of how many slots are in memory: 4 MiB.
const BITS: u32 = 18;

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

/// The fingerprints that were seen.
pub struct Seen {
    /// The latest: open addressing, linear probing; the leading bits are the place.
    slots: Vec<u128>,
    len: usize,
    older: Option<Runs>,
}

impl Seen {
    pub fn new() -> Self {
        Seen { slots: vec![0; 1 << BITS], len: 0, older: None }
    }

    /// Whether it was not seen before.
    pub fn insert(&mut self, fingerprint: u128) -> io::Result<bool> {
        let at = self.find(fingerprint);
        if self.slots[at] == fingerprint {
            return Ok(false);
        }
        if let Some(older) = &mut self.older {
            if older.contains(fingerprint).map_err(temporary)? {
                return Ok(false);
            }
        }
        self.slots[at] = fingerprint;
        self.len += 1;
        if self.len > 3 << (BITS - 2) {
            self.flush().map_err(temporary)?;
        }
        Ok(true)
    }

    /// Where it is, or the empty slot for it.
    fn find(&self, fingerprint: u128) -> usize {
        let mut at = (fingerprint >> (128 - BITS)) as usize;
        while self.slots[at] != 0 && self.slots[at] != fingerprint {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    /// Brings all to the files.
    fn flush(&mut self) -> io::Result<()> {
        self.slots.retain(|slot| *slot != 0);
        self.slots.sort_unstable();
        self.older.get_or_insert_with(Runs::new).add(&self.slots)?;
        self.slots.clear();
        self.slots.resize(1 << BITS, 0);
        self.len = 0;
        Ok(())
    }
}
