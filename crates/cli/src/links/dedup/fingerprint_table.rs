//! A set of fingerprints in memory.

/// A hash table with open addressing and linear probing.
pub struct FingerprintTable {
    /// 0 is an empty slot.
    slots: Vec<u128>,
    count: usize,
}

impl FingerprintTable {
    /// The leading bits of a fingerprint are the index of the slot that is tried first. With so many, all slots take 4 MiB.
    const INDEX_BITS: u32 = 18;
    pub const SLOTS: usize = 1 << Self::INDEX_BITS;

    pub fn new() -> Self {
        FingerprintTable { slots: vec![0; Self::SLOTS], count: 0 }
    }

    /// At least a quarter of the slots must stay empty.
    pub fn is_full(&self, more: usize) -> bool {
        self.count + more > Self::SLOTS / 4 * 3
    }

    /// Returns the index of its slot, and true if the fingerprint is new.
    pub fn insert(&mut self, fingerprint: u128) -> (usize, bool) {
        let at = self.slot_of(fingerprint);
        let is_new = self.slots[at] != fingerprint;
        self.slots[at] = fingerprint;
        self.count += usize::from(is_new);
        (at, is_new)
    }

    /// Returns the slot of the fingerprint, or the empty slot where it would be added.
    pub fn slot_of(&self, fingerprint: u128) -> usize {
        let mut at = (fingerprint >> (128 - Self::INDEX_BITS)) as usize;
        while self.slots[at] != 0 && self.slots[at] != fingerprint {
            at = (at + 1) % Self::SLOTS;
        }
        at
    }

    pub fn sorted(&self) -> Vec<u128> {
        let mut all = Vec::with_capacity(self.count);
        all.extend(self.slots.iter().filter(|slot| **slot != 0));
        all.sort_unstable();
        all
    }

    pub fn clear(&mut self) {
        self.slots.fill(0);
        self.count = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_of_one_slot_have_slots_after_it() {
        let mut table = FingerprintTable::new();
        // The last slot, after which comes the first; the same slot again; and the first.
        let all = [u128::MAX, u128::MAX - 1, u128::MAX - 2, 1];
        let slots: Vec<usize> = all.iter().map(|one| table.insert(*one).0).collect();
        let last = FingerprintTable::SLOTS - 1;
        assert_eq!(slots, [last, 0, 1, 2]);
        assert!(all.iter().all(|one| !table.insert(*one).1));
        assert_eq!(all.map(|one| table.slot_of(one)), [last, 0, 1, 2]);
        assert_eq!(table.sorted(), [1, u128::MAX - 2, u128::MAX - 1, u128::MAX]);
        let most = FingerprintTable::SLOTS / 4 * 3;
        assert!(!table.is_full(most - 4) && table.is_full(most - 3));
        table.clear();
        assert!(table.sorted().is_empty() && !table.is_full(most) && table.insert(u128::MAX) == (last, true));
    }
}
