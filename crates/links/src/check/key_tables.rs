//! The keys of the ids of pages, in memory.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::fragment_key::{FragmentHasher, hash_of, page_of};

/// A hash table for each page, one after the other.
#[derive(Default)]
pub(super) struct KeyTables {
    // Most links of a page need ids of its own, and are looked up while its table, just made, is in the cache of the processor. A table of
    // all ids is in none, and grows by moving all.
    cells: Vec<u64>,
    /// Where the table of each page that has ids starts and ends.
    ranges: HashMap<u32, (u32, u32), RandomState>,
}

impl KeyTables {
    /// The most cells, of which a third or more is empty, with as many as the ranges take. They take 8 MiB, and half as much more while they grow.
    const MAX_CELLS: usize = 1 << 20;
    /// The number of cells that take as much memory as a range.
    const RANGE_CELLS: usize = 4;
    /// No page has the last number, so that no id has this key.
    const EMPTY: u64 = u64::MAX;

    fn cells_for(ids: usize) -> usize {
        ids + ids / 2 + 1
    }

    /// Reports whether the ids of a page, of which none was added before, may be added.
    pub(super) fn has_room(&self, page: u32, ids: usize) -> bool {
        let cells = self.cells.len() + Self::cells_for(ids) + Self::RANGE_CELLS * (self.ranges.len() + 1);
        cells <= Self::MAX_CELLS && !self.ranges.contains_key(&page)
    }

    pub(super) fn add(&mut self, page: u32, ids: impl ExactSizeIterator<Item = u64>) {
        let start = self.cells.len();
        self.cells.resize(start + Self::cells_for(ids.len()), Self::EMPTY);
        self.ranges.insert(page, (start as u32, self.cells.len() as u32));
        let table = &mut self.cells[start..];
        for key in ids {
            let cell = Self::cell(table, key);
            table[cell] = key;
        }
    }

    pub(super) fn has(&self, key: u64) -> bool {
        let Some((start, end)) = self.ranges.get(&page_of(key)) else { return false };
        let table = &self.cells[*start as usize..*end as usize];
        table[Self::cell(table, key)] == key
    }

    /// Returns the cell that has a key, or would have it.
    fn cell(table: &[u64], key: u64) -> usize {
        // By the top bits of the hash, whatever the number of cells is. At least one is empty.
        let first = ((hash_of(key) * table.len() as u64) >> FragmentHasher::HASH_BITS) as usize;
        let is_found = |cell: &usize| matches!(table[*cell], found if found == key || found == Self::EMPTY);
        (first..table.len()).chain(0..first).find(is_found).unwrap_or(first)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = u64> {
        self.cells.iter().copied().filter(|key| *key != Self::EMPTY)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::check::fragment_key::with_page;

    quickcheck::quickcheck! {
        // The hashes are far from each other, or such as want the same cell.
        fn tables_have_what_was_added(pages: Vec<Vec<u64>>, others: Vec<u64>, bits: u8) -> bool {
            let mask = u64::MAX >> (bits % 64);
            let pages: Vec<BTreeSet<u64>> = (0..).zip(pages).map(|(page, ids)| {
                ids.into_iter().map(|id| with_page(id & mask, page)).collect()
            }).collect();
            let mut tables = KeyTables::default();
            for (page, ids) in (0..).zip(&pages) {
                let twice: Vec<u64> = ids.iter().chain(ids.iter().take(2)).copied().collect();
                tables.add(page, twice.into_iter());
            }
            let mut all: Vec<u64> = tables.iter().collect();
            all.sort_unstable();
            let is_right = |key: u64| tables.has(key) == pages.get(page_of(key) as usize).is_some_and(|ids| ids.contains(&key));
            let others = others.into_iter().flat_map(|id| (0..3).map(move |page| with_page(id & mask, page)));
            all.iter().eq(pages.iter().flatten()) && all.iter().copied().chain(others).all(is_right)
        }
    }
}
