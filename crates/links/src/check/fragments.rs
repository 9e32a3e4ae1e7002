//! The fragments that links need, and those that pages have.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

use relref::percent::decode_lossy;

use super::fragment_key::{FragmentHasher, FragmentKeys, page_of, with_page};
use super::key_tables::KeyTables;
use crate::parallel::{ExternalSort, Sorted};

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
    if fragment.is_empty() {
        return None;
    }
    let directive = memchr::memchr(b':', fragment.as_bytes()).and_then(|_| fragment.split_once(":~:"));
    let fragment = directive.map_or(fragment, |(before, _)| before);
    let is_top = || fragment.starts_with(['t', 'T', '%']) && decoded_fragment(fragment).eq_ignore_ascii_case("top");
    let is_top = fragment.is_empty() || is_top();
    (!is_top).then_some(fragment)
}

/// The fragments that pages have and need.
#[derive(Default)]
pub(super) struct Fragments {
    ids: IdKeys,
    /// The keys of what links need, but for ids that were known by then.
    needed: ExternalSort<u128>,
    /// Known to be missing.
    missing: ExternalSort<u64>,
    /// The page to which another leads by itself, by the number of that other page, which keeps the fragment for the reader.
    pub(super) redirects: HashMap<u32, u32>,
}

/// The most ids of a page that are collected before they are noted.
pub(super) const MAX_IDS: usize = 1 << 18;

/// The keys of the ids of all pages that were read.
enum IdKeys {
    /// The keys of most sites are few: what a link needs is then looked up, in a fraction of the time of sorting both.
    Few(KeyTables),
    Many(ExternalSort<u64>),
}

impl Default for IdKeys {
    fn default() -> Self {
        IdKeys::Few(KeyTables::default())
    }
}

impl IdKeys {
    /// Adds the keys of the ids of a page. Once a page comes again, as one of more than [`MAX_IDS`] ids does, those of all are sorted.
    fn add(&mut self, page: u32, ids: impl ExactSizeIterator<Item = u64>) -> io::Result<()> {
        if ids.len() == 0 {
            return Ok(());
        }
        if let IdKeys::Few(few) = self {
            if few.has_room(page, ids.len()) {
                few.add(page, ids);
                return Ok(());
            }
            let mut many = ExternalSort::default();
            many.extend(few.iter())?;
            *self = IdKeys::Many(many);
        }
        match self {
            IdKeys::Few(_) => Ok(()),
            IdKeys::Many(many) => many.extend(ids),
        }
    }

    /// Reports whether an id with one of these keys is known by now. `None` if that takes a search on disk.
    fn has(&self, keys: FragmentKeys) -> Option<bool> {
        let IdKeys::Few(few) = self else { return None };
        Some(few.has(keys.decoded) || keys.written.is_some_and(|key| few.has(key)))
    }

    /// Calls `each` with the parts of each [`pair`] whose key is not that of an id, in pages that are HTML.
    fn each_missing(
        &mut self,
        needed: &mut ExternalSort<u128>,
        is_html: impl Fn(u32) -> bool,
        mut each: impl FnMut(u64, u32, u64) -> io::Result<()>,
    ) -> io::Result<()> {
        let (few, mut many) = match self {
            IdKeys::Few(few) => {
                // Nearly all are found, and need not be sorted.
                needed.retain_in_memory(|pair| !few.has((pair >> 64) as u64));
                (Some(few), None)
            }
            IdKeys::Many(many) => (None, Some(many.sorted()?)),
        };
        let mut next = || many.as_mut().map_or(Ok(None), Sorted::next);
        let (mut needed, mut id) = (needed.sorted()?, next()?);
        while let Some(pair) = needed.next()? {
            let key = (pair >> 64) as u64;
            while id.is_some_and(|id| id < key) {
                id = next()?;
            }
            let is_id = id == Some(key) || few.as_ref().is_some_and(|few| few.has(key));
            if !is_id && is_html(page_of(key)) {
                let (target, place) = (pair as u64 >> PLACE_BITS, pair as u64 & NO_PLACE);
                each(key, target as u32, place)?;
            }
        }
        Ok(())
    }
}

/// A key, and the page that a link leads to, and the [place](place_of) of the link, or [`NO_PLACE`].
fn pair(key: u64, target: u32, place: u64) -> u128 {
    u128::from(key) << 64 | u128::from(target) << PLACE_BITS | u128::from(place)
}

/// The number of a page, and that of one of its links, or [`LAST_LINK`] for any after it.
fn place_of(page: u32, link: u32) -> u64 {
    u64::from(page) << LINK_BITS | u64::from(link.min(LAST_LINK))
}

const PLACE_BITS: u32 = FragmentHasher::HASH_BITS;
const LINK_BITS: u32 = PLACE_BITS - FragmentHasher::PAGE_BITS;
const LAST_LINK: u32 = (1 << LINK_BITS) - 1;
const NO_PLACE: u64 = (1 << PLACE_BITS) - 1;

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
    /// Notes the ids of a page.
    pub(super) fn add_ids(&mut self, page: u32, ids: impl ExactSizeIterator<Item = u64>) -> io::Result<()> {
        self.ids.add(page, ids)
    }

    /// Notes the fragments that links of a page need, unless they are those of ids that are known by now.
    pub(super) fn need(&mut self, page: u32, needed: impl IntoIterator<Item = NeededFragment>) -> io::Result<()> {
        for NeededFragment { keys, link } in needed {
            if self.ids.has(keys) != Some(true) {
                self.needed.extend([pair(keys.decoded, page_of(keys.decoded), place_of(page, link))])?;
                self.needed.extend(keys.written.map(|key| pair(key, page_of(key), NO_PLACE)))?;
            }
        }
        Ok(())
    }

    /// Looks for fragments that links of a page have within it, whose ids were all added, as far as it could be read. Calls `each` with
    /// the links for which there is none, as far as that is known without a search on disk.
    pub(super) fn find_own(
        &mut self,
        page: u32,
        needed: impl IntoIterator<Item = NeededFragment>,
        mut each: impl FnMut(u32),
    ) -> io::Result<()> {
        for own in needed {
            match self.ids.has(own.keys) {
                Some(true) => {}
                Some(false) => {
                    each(own.link);
                    self.missing.extend([own.keys.decoded].into_iter().chain(own.keys.written))?;
                }
                None => self.need(page, [own])?,
            }
        }
        Ok(())
    }

    /// Returns the fragments that are missing in pages that are HTML, and calls `each` with each page that needs one, or may need it, and
    /// the number of its link, if that is known. The number returned is that of the missing fragments that are not kept.
    pub(super) fn missing(
        mut self,
        is_html: impl Fn(u32) -> bool,
        mut each: impl FnMut(u32, Option<u32>),
    ) -> io::Result<(Missing, u64)> {
        let mut each = |place: u64| {
            if place != NO_PLACE {
                let link = place as u32 & LAST_LINK;
                each((place >> LINK_BITS) as u32, Some(link).filter(|link| *link < LAST_LINK));
            }
        };
        let redirects = &self.redirects;
        let mut redirected = ExternalSort::default();
        let mut own = self.missing.sorted()?;
        while let Some(key) = own.next()? {
            let page = page_of(key);
            // In another page or none, and of the same page, which is known to have a problem.
            let key = destination(redirects, page).map_or(key, |other| with_page(key, other));
            redirected.extend([pair(key, page, NO_PLACE)])?;
        }
        let mut all_missing = ExternalSort::default();
        self.ids.each_missing(&mut self.needed, &is_html, |key, target, place| {
            match destination(redirects, target) {
                Some(other) => redirected.extend([pair(with_page(key, other), target, place)]),
                None => {
                    each(place);
                    all_missing.extend([key])
                }
            }
        })?;
        self.ids.each_missing(&mut redirected, &is_html, |key, target, place| {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_that_are_too_many_for_memory_are_kept_on_disk() {
        let mut ids = IdKeys::default();
        let key = |page: u32, id: u64| with_page(id << 20, page);
        for page in 1..=5 {
            ids.add(page, (0..1 << 17).map(|id| key(page, id)).collect::<Vec<_>>().into_iter()).unwrap();
        }
        assert!(matches!(ids, IdKeys::Few(_)));
        ids.add(6, (0..1 << 17).map(|id| key(6, id)).collect::<Vec<_>>().into_iter()).unwrap();
        assert!(matches!(ids, IdKeys::Many(_)));
        let mut needed = ExternalSort::default();
        let keys = [key(1, 7), key(6, 0), key(6, 1 << 17), key(7, 0)];
        needed.extend(keys.map(|key| pair(key, 0, NO_PLACE))).unwrap();
        let mut missing = Vec::new();
        let mut each = |key, _, _| {
            missing.push(key);
            Ok(())
        };
        ids.each_missing(&mut needed, |_| true, &mut each).unwrap();
        assert_eq!(missing, keys[2..]);
    }

    quickcheck::quickcheck! {
        /// In memory, on disk, and by looking through all ids.
        fn fragments_without_an_id_are_found(ids: BTreeSet<(u8, u8)>, links: Vec<(u8, u8, u8, Option<u8>)>, redirect: Option<(u8, u8)>) -> bool {
            const PAGES: u8 = 4;
            let hasher = FragmentHasher::default();
            let key = |page: u8, name: u8| hasher.key(u32::from(page % PAGES), &(name % 8).to_string());
            let links = (0..).map(|at: u32| at * 1000).zip(&links);
            let links: Vec<_> = links.map(|(link, (page, target, decoded, written))| {
                let written = written.map(|written| key(*target, written));
                (page % PAGES, target % PAGES, NeededFragment { keys: FragmentKeys { decoded: key(*target, *decoded), written }, link })
            }).collect();
            let redirect = redirect.map(|(from, to)| (from % PAGES, to % PAGES)).filter(|(from, to)| from != to);
            let known: BTreeSet<u64> = ids.iter().map(|(page, name)| key(*page, *name)).collect();
            let is_missing = |target: u8, key: u64| {
                let there = redirect.filter(|(from, _)| *from == target).map_or(key, |(_, to)| with_page(key, to.into()));
                !known.contains(&key) && !known.contains(&there)
            };
            [IdKeys::default(), IdKeys::Many(ExternalSort::default())].into_iter().all(|all_ids| {
                let redirects = redirect.into_iter().map(|(from, to)| (from.into(), to.into())).collect();
                let mut fragments = Fragments { ids: all_ids, redirects, ..Fragments::default() };
                let mut found = BTreeSet::new();
                for page in 0..PAGES {
                    let own_ids: Vec<u64> = ids.iter().filter(|id| id.0 % PAGES == page).map(|id| key(id.0, id.1)).collect();
                    fragments.add_ids(page.into(), own_ids.into_iter()).unwrap();
                    let (own, others): (Vec<_>, Vec<_>) = links.iter().filter(|link| link.0 == page).partition(|link| link.1 == page);
                    let needed = |links: Vec<&(u8, u8, NeededFragment)>| links.into_iter().map(|link| link.2).collect::<Vec<_>>();
                    fragments.find_own(page.into(), needed(own), |link| { found.insert((page.into(), Some(link))); }).unwrap();
                    fragments.need(page.into(), needed(others)).unwrap();
                }
                let (missing, lost) = fragments.missing(|_| true, |page, link| { found.insert((page, link)); }).unwrap();
                lost == 0 && links.iter().all(|(page, target, NeededFragment { keys, link })| {
                    let expected = is_missing(*target, keys.decoded) && keys.written.is_none_or(|key| is_missing(*target, key));
                    let page = u32::from(*page);
                    let is_found = || found.contains(&(page, Some(*link))) || *link >= LAST_LINK && found.contains(&(page, None));
                    missing.has(*keys) == expected && (!expected || is_found())
                })
            })
        }
    }
}
