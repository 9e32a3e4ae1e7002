//! The fragments that links need, and those that pages have.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;

use super::key_runs::KeyRuns;

/// The number of a page and the hash of an `id` in one number, so that a set of many takes little memory. The hash has a key that is
/// random in each run: nobody can make an `id` that has the hash of another fragment.
#[derive(Clone, Default)]
pub(super) struct FragmentHasher(RandomState);

impl FragmentHasher {
    /// So many bits are for the number of the page. With the others, one of 10^9 missing fragments of a page of 275 ids is overlooked.
    const PAGE_BITS: u32 = 26;
    pub(super) const MAX_PAGES: usize = 1 << Self::PAGE_BITS;

    pub(super) fn key(&self, page: u32, id: &str) -> u64 {
        u64::from(page) << (64 - Self::PAGE_BITS) | self.0.hash_one(id) >> Self::PAGE_BITS
    }
}

pub(super) fn page_of(key: u64) -> u32 {
    (key >> (64 - FragmentHasher::PAGE_BITS)) as u32
}

/// The keys of a fragment: an `id` with one of them is enough.
#[derive(Clone, Copy, Debug)]
pub(super) struct FragmentKeys {
    /// Percent-decoded.
    pub(super) decoded: u64,
    /// As it is in the URI, if that is another.
    pub(super) written: Option<u64>,
}

/// What the pages have and need.
#[derive(Default)]
pub(super) struct Fragments {
    pub(super) ids: KeyRuns<u64>,
    /// A key, and after it the number of a page that needs it, or [`NO_PAGE`].
    needed: KeyRuns<u128>,
    /// Known to be missing.
    pub(super) missing: KeyRuns<u64>,
}

const NO_PAGE: u32 = u32::MAX;

/// Fragments that no page has.
pub(super) struct Missing {
    sorted: Vec<u64>,
}

impl Missing {
    /// More are not kept: those of a hostile site.
    const MAX: usize = 4 << 20;

    pub(super) fn has(&self, keys: FragmentKeys) -> bool {
        let is_missing = |key| self.sorted.binary_search(&key).is_ok();
        is_missing(keys.decoded) && keys.written.is_none_or(is_missing)
    }
}

impl Fragments {
    pub(super) fn need(&mut self, page: u32, keys: impl IntoIterator<Item = FragmentKeys>) -> io::Result<()> {
        let pair = |key: u64, page: u32| u128::from(key) << 32 | u128::from(page);
        self.needed.extend(keys.into_iter().flat_map(|keys| {
            let written = keys.written.map(|key| pair(key, NO_PAGE));
            [pair(keys.decoded, page)].into_iter().chain(written)
        }))
    }

    /// Returns the fragments that are missing in pages that are HTML, and calls `each` with each page that needs one, or may need it. The
    /// number is that of the missing fragments that are not kept.
    pub(super) fn missing(self, is_html: impl Fn(u32) -> bool, mut each: impl FnMut(u32)) -> io::Result<(Missing, u64)> {
        let (mut ids, mut needed) = (self.ids.sorted()?, self.needed.sorted()?);
        let mut missing = KeyRuns::default();
        let mut known = self.missing.sorted()?;
        while let Some(key) = known.next()? {
            missing.extend([key])?;
        }
        let mut id = ids.next()?;
        while let Some(pair) = needed.next()? {
            let (key, page) = ((pair >> 32) as u64, pair as u32);
            while id.is_some_and(|id| id < key) {
                id = ids.next()?;
            }
            if id != Some(key) && is_html(page_of(key)) {
                missing.extend([key])?;
                if page != NO_PAGE {
                    each(page);
                }
            }
        }
        let (mut all, mut sorted, mut lost) = (missing.sorted()?, Vec::new(), 0);
        while let Some(key) = all.next()? {
            if sorted.len() < Missing::MAX { sorted.push(key) } else { lost += 1 }
        }
        Ok((Missing { sorted }, lost))
    }
}
