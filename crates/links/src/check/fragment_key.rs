//! Keys of fragments: the number of a page and the hash of an `id`, in one number.

use std::hash::BuildHasher;

use foldhash::quality::RandomState;

/// Makes keys, of which many take little memory. The hash has a seed that is random in each run: nobody can make an `id` that has the
/// hash of another fragment in all runs.
#[derive(Clone, Default)]
pub(super) struct FragmentHasher(RandomState);

impl FragmentHasher {
    /// So many bits are for the number of the page. With the others, one of 10^9 missing fragments of a page of 275 ids is overlooked.
    pub(super) const PAGE_BITS: u32 = 26;
    /// The number of bits of the hash, which are the lowest.
    pub(super) const HASH_BITS: u32 = 64 - Self::PAGE_BITS;
    /// No page has the last number, which stands for none.
    pub(super) const MAX_PAGES: usize = (1 << Self::PAGE_BITS) - 1;

    pub(super) fn key(&self, page: u32, id: &str) -> u64 {
        with_page(self.0.hash_one(id) >> Self::PAGE_BITS, page)
    }
}

pub(super) fn page_of(key: u64) -> u32 {
    (key >> FragmentHasher::HASH_BITS) as u32
}

/// The keys of a fragment: an `id` with one of them is enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FragmentKeys {
    /// The key of the percent-decoded fragment.
    pub(super) decoded: u64,
    /// The key of the fragment as it is in the URI, if that is another.
    pub(super) written: Option<u64>,
}

/// Returns the key of the same `id` in another page.
pub(super) fn with_page(key: u64, page: u32) -> u64 {
    u64::from(page) << FragmentHasher::HASH_BITS | hash_of(key)
}

/// Returns the hash of the `id`.
pub(super) fn hash_of(key: u64) -> u64 {
    key & ((1 << FragmentHasher::HASH_BITS) - 1)
}
