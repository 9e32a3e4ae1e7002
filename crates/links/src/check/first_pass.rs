//! The first pass over the pages of a site: finds the fragments that pages have and need, and the pages that have problems.

use std::collections::HashMap;
use std::io;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use super::found_problem::{KnownProblems, PageProblems};
use super::fragments::{FragmentKeys, Fragments};
use super::judge::{Origin, Verdict, depth};
use super::lock::lock;
use super::page_reader::{PageReader, ReadPage};
use super::problem::{ProblemKind, Totals};
use super::site::{ALL_LINKS, HTML, IS_LINKED, IS_NEEDED, IS_READ, Site};
use crate::html::{AskedPlaces, Kind, Link};

/// The most fragments of a page that wait for its ids.
const MAX_OWN: usize = 1 << 18;

/// The pass of one thread.
struct FirstPass<'s> {
    site: &'s Site,
    /// Reports whether all links are judged. If false, only those by which a page leads to another by itself.
    with_links: bool,
    fragments: &'s Mutex<Fragments>,
    asked: &'s AskedPlaces,
    totals: Totals,
    /// The numbers of links from one section to another.
    section_links: HashMap<(u32, u32), u64>,
    /// The fragments that links of the page being read have within it.
    own: Vec<FragmentKeys>,
    /// The fragments that links of the page being read have in other pages.
    others: Vec<FragmentKeys>,
}

/// The links of the page being read that have problems, as far as they are known.
#[derive(Default)]
struct FoundOnPage {
    /// The number of links so far.
    links: u32,
    /// The number of the last link to report, or [`ALL_LINKS`]; 0 without one.
    last: u32,
    /// The links to report, as [`FileState::problem_links`](super::site::FileState::problem_links) has them.
    mask: u64,
    problems: PageProblems,
}

impl FoundOnPage {
    /// Adds the link that was counted last.
    fn add_link(&mut self) {
        self.last = self.links;
        self.mask |= 1 << (self.links.saturating_sub(1) % u64::BITS);
    }
}

impl Site {
    /// Reads the pages that `next` returns, in one thread of the first pass.
    pub(super) fn find_problems<'p>(
        &self,
        mut next: impl FnMut() -> Option<(usize, &'p u32)>,
        with_links: bool,
        fragments: &Arc<Mutex<Fragments>>,
        known: &Mutex<KnownProblems>,
        totals: &Mutex<Totals>,
    ) -> io::Result<()> {
        let failure = Arc::new(Mutex::new(None));
        let asked = Arc::default();
        let reader = PageReader::new(self, {
            let (fragments, failure) = (Arc::clone(fragments), Arc::clone(&failure));
            move |ids: &mut Vec<u64>| {
                if let Err(error) = lock(&fragments).ids.extend(ids.drain(..)) {
                    *lock(&failure) = Some(error);
                }
            }
        });
        let mut reader = reader.with_asked(&asked);
        let mut pass = FirstPass {
            site: self,
            with_links,
            fragments,
            asked: &asked,
            totals: Totals::default(),
            section_links: HashMap::new(),
            own: Vec::new(),
            others: Vec::new(),
        };
        while let Some((_, &page)) = next() {
            let uri = self.uri_of(page);
            let origin = Origin { file: page, uri: &uri, depth: depth(&uri[self.root.len()..]) };
            let mut found = FoundOnPage::default();
            let read = reader.links(page, |link, base| pass.add_link(link, base, &origin, &mut found));
            pass.end_page(page, read, &mut found);
            if reader.take_ids(|ids| pass.settle_fragments(page, ids))? {
                found.last = ALL_LINKS;
            }
            if let Some(error) = lock(&failure).take() {
                return Err(error);
            }
            let FoundOnPage { last, mask, mut problems, .. } = found;
            if last > 0 {
                self.flag_problems(page, last, mask);
                problems.add_places(asked.take());
                if last != ALL_LINKS {
                    lock(known).add(page, problems);
                }
            }
        }
        pass.add_totals(totals);
        Ok(())
    }
}

impl FirstPass<'_> {
    fn add_link(
        &mut self,
        link: &Link<'_>,
        base: &dyn Fn() -> Option<String>,
        origin: &Origin<'_>,
        found: &mut FoundOnPage,
    ) -> io::Result<()> {
        let (site, page) = (self.site, origin.file);
        found.links = found.links.saturating_add(1);
        if !self.with_links && link.kind != Kind::Refresh {
            return Ok(());
        }
        self.totals.links += u64::from(self.with_links);
        let target = match site.judge(link, origin, base) {
            Verdict::External => return Ok(()),
            Verdict::Works { file } => {
                if link.kind == Kind::Refresh && file != page {
                    lock(self.fragments).redirects.insert(page, file);
                    site.flag(file, IS_NEEDED);
                }
                Some(file)
            }
            _ if !self.with_links => return Ok(()),
            Verdict::Fragment { page: target, keys, is_without_slash } => {
                if is_without_slash {
                    found.add_link();
                    found.problems.has_others = true;
                }
                let list = if target == page { &mut self.own } else { &mut self.others };
                list.push(keys);
                site.flag(target, IS_NEEDED);
                Some(target)
            }
            Verdict::Fails { kind, target, note } => {
                found.add_link();
                // Those in an attribute have other places.
                found.problems.has_others |= !link.inner.is_empty();
                found.problems.add(|| site.failure(link, kind, target, note), self.asked);
                if kind == ProblemKind::Invalid {
                    return Ok(());
                }
                None
            }
            // All must be resolved again, so that the same ones exceed the limit.
            Verdict::NotChecked => {
                (found.last, found.mask) = (found.links, u64::MAX);
                found.problems.has_others = true;
                None
            }
        };
        if let Some(target) = target.filter(|target| *target != page) {
            site.flag(target, IS_LINKED);
            if site.options.structure {
                let sections = (site.section_of[page as usize], site.section_of[target as usize]);
                *self.section_links.entry(sections).or_insert(0) += 1;
            }
        }
        self.totals.internal += u64::from(self.with_links);
        if self.own.len() + self.others.len() >= MAX_OWN { self.need_fragments(page) } else { Ok(()) }
    }

    fn end_page(&mut self, page: u32, read: io::Result<Option<ReadPage>>, found: &mut FoundOnPage) {
        self.site.flag(page, IS_READ);
        match read {
            Ok(Some(read)) => {
                self.totals.pages += u64::from(self.with_links);
                self.totals.bytes += read.len;
                self.site.bytes_read.fetch_add(read.len, Ordering::Relaxed);
                self.site.flag(page, if read.is_html { HTML } else { 0 });
            }
            Ok(None) => {}
            // It is read again for the message, and for the links before the damage. Its ids are not all known.
            Err(_) => found.last = ALL_LINKS,
        }
    }

    /// Looks for the page's own fragments in its ids, unless these are too many to be kept (`None`), and leaves its others and the
    /// ids to all pages. Reports whether one of its own is missing.
    fn settle_fragments(&mut self, page: u32, ids: Option<&mut Vec<u64>>) -> io::Result<bool> {
        self.others.sort_unstable_by_key(|keys| keys.decoded);
        self.others.dedup_by_key(|keys| (keys.decoded, keys.written));
        let mut is_one_missing = false;
        if let Some(ids) = ids {
            let mut fragments = lock(self.fragments);
            ids.sort_unstable();
            ids.dedup();
            let is_missing = |key| ids.binary_search(&key).is_err();
            for keys in self.own.drain(..) {
                if is_missing(keys.decoded) && keys.written.is_none_or(is_missing) {
                    is_one_missing = true;
                    fragments.missing.extend([keys.decoded].into_iter().chain(keys.written))?;
                }
            }
            fragments.ids.extend(ids.drain(..))?;
        }
        self.need_fragments(page)?;
        Ok(is_one_missing)
    }

    fn need_fragments(&mut self, page: u32) -> io::Result<()> {
        let mut fragments = lock(self.fragments);
        fragments.need(page, self.own.drain(..))?;
        fragments.need(page, self.others.drain(..))
    }

    fn add_totals(self, totals: &Mutex<Totals>) {
        let mut all_links = lock(&self.site.section_links);
        self.section_links.into_iter().for_each(|(sections, count)| *all_links.entry(sections).or_default() += count);
        let mut totals = lock(totals);
        totals.pages += self.totals.pages;
        totals.bytes += self.totals.bytes;
        totals.links += self.totals.links;
        totals.internal += self.totals.internal;
    }
}
