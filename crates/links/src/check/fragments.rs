//! The fragments that links need, and those that pages have.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::io;

use foldhash::quality::RandomState;
use relref::percent::decode_lossy;

use crate::parallel::ExternalSort;

/// The number of a page and the hash of an `id` in one number, so that a set of many takes little memory. The hash has a seed that is
/// random in each run: nobody can make an `id` that has the hash of another fragment in all runs.
#[derive(Clone, Default)]
pub(super) struct FragmentHasher(RandomState);

impl FragmentHasher {
    /// So many bits are for the number of the page. With the others, one of 10^9 missing fragments of a page of 275 ids is overlooked.
    const PAGE_BITS: u32 = 26;
    /// No page has the last number, that of [`NO_LINK`].
    pub(super) const MAX_PAGES: usize = (1 << Self::PAGE_BITS) - 1;

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
    /// The key of the percent-decoded fragment.
    pub(super) decoded: u64,
    /// The key of the fragment as it is in the URI, if that is another.
    pub(super) written: Option<u64>,
}

/// A fragment, and the number of the link of a page that needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct NeededFragment {
    pub(super) keys: FragmentKeys,
    pub(super) link: u32,
}

/// Returns a fragment percent-decoded. Browsers look for the element by the fragment as it is, and then by this one.
pub(super) fn decoded_fragment(fragment: &str) -> Cow<'_, str> {
    decode_lossy(fragment)
}

/// Returns the fragment if it must indicate an element (HTML §7.4.6.4). Those with a directive (`:~:`) count without it; the top of
/// a page may also be percent-encoded.
pub(super) fn indicated(fragment: &str) -> Option<&str> {
    let directive = memchr::memchr(b':', fragment.as_bytes()).and_then(|_| fragment.split_once(":~:"));
    let fragment = directive.map_or(fragment, |(before, _)| before);
    let is_top = || fragment.starts_with(['t', 'T', '%']) && decoded_fragment(fragment).eq_ignore_ascii_case("top");
    let is_top = fragment.is_empty() || is_top();
    (!is_top).then_some(fragment)
}

/// The fragments that pages have and need.
#[derive(Default)]
pub(super) struct Fragments {
    pub(super) ids: ExternalSort<u64>,
    needed: ExternalSort<u128>,
    /// Known to be missing.
    pub(super) missing: ExternalSort<u64>,
    /// The page to which another leads by itself, by the number of that other page, which keeps the fragment for the reader.
    pub(super) redirects: HashMap<u32, u32>,
}

/// A key, and the page that a link leads to, and the [place](place_of) of the link, or [`NO_LINK`].
fn pair(key: u64, target: u32, place: u32) -> u128 {
    u128::from(key) << 64 | u128::from(target) << 32 | u128::from(place)
}

/// The number of a page, and that of one of its links modulo 64.
fn place_of(page: u32, link: u32) -> u32 {
    (page << LINK_BITS) | (link % u64::BITS)
}

const LINK_BITS: u32 = 32 - FragmentHasher::PAGE_BITS;
const NO_LINK: u32 = u32::MAX;

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
    /// Notes the fragments that links of a page need.
    pub(super) fn need(&mut self, page: u32, needed: impl IntoIterator<Item = NeededFragment>) -> io::Result<()> {
        self.needed.extend(needed.into_iter().flat_map(|NeededFragment { keys, link }| {
            let written = keys.written.map(|key| pair(key, page_of(key), NO_LINK));
            [pair(keys.decoded, page_of(keys.decoded), place_of(page, link))].into_iter().chain(written)
        }))
    }

    /// Returns the fragments that are missing in pages that are HTML, and calls `each` with each page that needs one, or may need it, and
    /// the number of its link modulo 64. The number is that of the missing fragments that are not kept.
    pub(super) fn missing(
        mut self,
        is_html: impl Fn(u32) -> bool,
        mut each: impl FnMut(u32, u32),
    ) -> io::Result<(Missing, u64)> {
        let mut each = |place: u32| {
            if place != NO_LINK {
                each(place >> LINK_BITS, place % u64::BITS);
            }
        };
        let redirects = &self.redirects;
        let mut redirected = ExternalSort::default();
        let mut own = self.missing.sorted()?;
        while let Some(key) = own.next()? {
            let page = page_of(key);
            // In another page or none, and of the same page, which is known to have a problem.
            let key = destination(redirects, page).map_or(key, |other| with_page(key, other));
            redirected.extend([pair(key, page, NO_LINK)])?;
        }
        let mut all_missing = ExternalSort::default();
        each_missing(&mut self.ids, &mut self.needed, &is_html, |key, target, place| {
            match destination(redirects, target) {
                Some(other) => redirected.extend([pair(with_page(key, other), target, place)]),
                None => {
                    each(place);
                    all_missing.extend([key])
                }
            }
        })?;
        each_missing(&mut self.ids, &mut redirected, &is_html, |key, target, place| {
            each(place);
            all_missing.extend([with_page(key, target)])
        })?;
        let (mut all, mut sorted, mut lost) = (all_missing.sorted()?, Vec::new(), 0);
        while let Some(key) = all.next()? {
            if sorted.len() < Missing::MAX { sorted.push(key) } else { lost += 1 }
        }
        Ok((Missing { sorted }, lost))
    }
}

fn with_page(key: u64, page: u32) -> u64 {
    let bits = 64 - FragmentHasher::PAGE_BITS;
    u64::from(page) << bits | key & ((1 << bits) - 1)
}

/// The most pages that lead from one to the next.
pub(super) const MAX_REDIRECTS: usize = 20;

fn destination(redirects: &HashMap<u32, u32>, page: u32) -> Option<u32> {
    let mut last = *redirects.get(&page)?;
    for _ in 0..MAX_REDIRECTS {
        match redirects.get(&last) {
            Some(next) => last = *next,
            None => break,
        }
    }
    Some(last)
}

fn each_missing(
    ids: &mut ExternalSort<u64>,
    needed: &mut ExternalSort<u128>,
    is_html: impl Fn(u32) -> bool,
    mut each: impl FnMut(u64, u32, u32) -> io::Result<()>,
) -> io::Result<()> {
    let (mut ids, mut needed) = (ids.sorted()?, needed.sorted()?);
    let mut id = ids.next()?;
    while let Some(pair) = needed.next()? {
        let (key, target, place) = ((pair >> 64) as u64, (pair >> 32) as u32, pair as u32);
        while id.is_some_and(|id| id < key) {
            id = ids.next()?;
        }
        if id != Some(key) && is_html(page_of(key)) {
            each(key, target, place)?;
        }
    }
    Ok(())
}
