//! Fingerprints in memory.

/// A hash table with open addressing and linear probing; the leading bits are the place, 0 is an empty slot.
pub struct Table {
    slots: Vec<u128>,
    len: usize,
}

impl Table {
    /// 2 to the power of how many slots there are: 4 MiB.
    const BITS: u32 = 18;
    pub const SLOTS: usize = 1 << Self::BITS;

    pub fn new() -> Self {
        Table { slots: vec![0; Self::SLOTS], len: 0 }
    }

    /// Reports whether so many more would be too many. A quarter of the slots stays empty.
    pub fn is_full(&self, more: usize) -> bool {
        self.len + more > Self::SLOTS / 4 * 3
    }

    /// Inserts a fingerprint, not 0. Returns its slot if it is new.
    pub fn insert(&mut self, fingerprint: u128) -> Option<usize> {
        let at = self.find(fingerprint);
        if self.slots[at] == fingerprint {
            return None;
        }
        self.slots[at] = fingerprint;
        self.len += 1;
        Some(at)
    }

    /// Returns the slot of a fingerprint, or the empty slot for it.
    pub fn find(&self, fingerprint: u128) -> usize {
        let mut at = (fingerprint >> (128 - Self::BITS)) as usize;
        while self.slots[at] != 0 && self.slots[at] != fingerprint {
            at = (at + 1) % Self::SLOTS;
        }
        at
    }

    /// Returns all fingerprints, sorted.
    pub fn sorted(&self) -> Vec<u128> {
        let mut all = Vec::with_capacity(self.len);
        all.extend(self.slots.iter().filter(|slot| **slot != 0));
        all.sort_unstable();
        all
    }

    pub fn clear(&mut self) {
        self.slots.fill(0);
        self.len = 0;
    }
}
