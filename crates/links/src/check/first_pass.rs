//! The first pass over the pages of a site: receives their links and ids, and finds the pages that have problems.

use std::collections::HashMap;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

use super::found_problem::{KnownProblems, PageProblems};
use super::fragments::{Fragments, MAX_IDS, NeededFragment};
use super::judge::{Failure, Judge, LinkedFile, Verdict};
use super::known_ids::{IdNames, KnownIds};
use super::page_reader::{KINDS, PageReader};
use super::problem::{ProblemKind, Totals};
use super::site::{ALL_LINKS, HTML, IS_LINKED, IS_NEEDED, IS_READ, Site, link_bit};
use crate::html::{Kind, Link, Locate, PageSink, Positions};
use crate::markdown::Renderer;
use crate::parallel::lock;

/// The most fragments of a page that wait for its ids.
const MAX_OWN: usize = 1 << 18;

/// The number of ids before a link among which that of its fragment may be.
const MAX_BEFORE: usize = 2;

/// The pass of one thread.
struct FirstPass<'s> {
    /// Reports whether all links are judged. If false, only those by which a page leads to another by itself.
    with_links: bool,
    fragments: &'s Mutex<Fragments>,
    known_ids: &'s Mutex<KnownIds>,
    totals: Totals,
    /// The numbers of links from one section to another.
    section_links: HashMap<(u32, u32), u64>,
    /// The fragments that links of the page being read have within it.
    own: Vec<NeededFragment>,
    /// The fragments that links of the page being read have in other pages.
    others: Vec<NeededFragment>,
    /// The keys of the ids of the page being read, as far as they are not among those of all pages yet.
    ids: Vec<u64>,
    id_names: IdNames,
}

/// Reads the pages that `next` returns, in one thread of the first pass.
pub(super) fn find_problems(
    site: &Site,
    mut next: impl FnMut() -> Option<u32>,
    with_links: bool,
    fragments: &Mutex<Fragments>,
    known: &Mutex<KnownProblems>,
    known_ids: &Mutex<KnownIds>,
    totals: &Mutex<Totals>,
) -> io::Result<()> {
    let mut reader = PageReader::new(site, if with_links { &KINDS } else { &[Kind::Refresh] });
    let mut pass = FirstPass {
        with_links,
        fragments,
        known_ids,
        totals: Totals::default(),
        section_links: HashMap::new(),
        own: Vec::new(),
        others: Vec::new(),
        ids: Vec::new(),
        id_names: IdNames::default(),
    };
    let mut last_judge = None::<Judge>;
    while let Some(page) = next() {
        let judge = last_judge.take().map_or_else(|| Judge::new(site, page), |last| last.next(page));
        let (last, mask, problems) = pass.read_page(&mut reader, last_judge.insert(judge))?;
        if last > 0 {
            site.flag_problems(page, last, mask);
            if last != ALL_LINKS {
                let problems = problems.shrunk();
                lock(known).add(page, problems);
            }
        }
    }
    if let Some(sections) = &site.sections {
        let mut all_links = lock(&sections.links);
        pass.section_links.into_iter().for_each(|(pair, count)| *all_links.entry(pair).or_default() += count);
    }
    let mut totals = lock(totals);
    totals.pages += pass.totals.pages;
    totals.bytes += pass.totals.bytes;
    totals.links += pass.totals.links;
    totals.internal += pass.totals.internal;
    totals.outside += pass.totals.outside;
    Ok(())
}

/// A page while it is read, and those of its links that have problems, as far as they are known.
struct OpenPage<'p, 's> {
    pass: &'p mut FirstPass<'s>,
    judge: &'p mut Judge<'s>,
    /// The number of links so far.
    links: u32,
    /// The number of the last link to report, or [`ALL_LINKS`]; 0 without one.
    last: u32,
    /// The links to report, as [`FileState::problem_links`](super::site::FileState::problem_links) has them.
    mask: u64,
    problems: PageProblems,
    failure: Option<io::Error>,
    /// The page to which this one leads by itself.
    refresh: Option<u32>,
}

impl PageSink for OpenPage<'_, '_> {
    fn positions(&self) -> Positions {
        Positions::Lines
    }

    fn is_browser(&self) -> bool {
        true
    }

    fn wants_ids(&self) -> bool {
        true
    }

    fn renderer(&self) -> Option<Renderer> {
        self.judge.renderer
    }

    fn link(&mut self, link: &Link<'_>, locate: &mut Locate<'_, '_>) -> io::Result<()> {
        let OpenPage { pass, judge, .. } = self;
        let (site, page) = (judge.site, judge.page);
        self.links = self.links.saturating_add(1);
        pass.totals.links += u64::from(pass.with_links);
        let target = match judge.judge(link) {
            Verdict::External => return Ok(()),
            Verdict::Outside => {
                pass.totals.outside += u64::from(pass.with_links);
                return Ok(());
            }
            Verdict::LeadsTo(LinkedFile { file, keys: None, .. }) => {
                if link.kind == Kind::Refresh && file != page {
                    self.refresh = Some(file);
                }
                Some(file)
            }
            Verdict::Fails(Failure { kind: ProblemKind::MissingSlash, target: Some(path), .. }) if !pass.with_links => {
                self.refresh = site.files.file_at(&path);
                return Ok(());
            }
            _ if !pass.with_links => return Ok(()),
            // An element that links to itself, as most headings of documentation do.
            Verdict::LeadsTo(LinkedFile { file, keys: Some(keys), is_without_slash: false })
                if pass.ids.iter().rev().take(MAX_BEFORE).any(|id| *id == keys.decoded) =>
            {
                debug_assert_eq!(file, page);
                Some(file)
            }
            Verdict::LeadsTo(LinkedFile { file, keys: Some(keys), is_without_slash }) => {
                let list = if file == page { &mut pass.own } else { &mut pass.others };
                list.push(NeededFragment { keys, link: self.links - 1 });
                site.flag(file, IS_NEEDED);
                if is_without_slash {
                    self.note_problem();
                    self.problems.has_others = true;
                }
                Some(file)
            }
            Verdict::Fails(failure) => {
                if link.kind == Kind::Refresh && failure.kind == ProblemKind::MissingSlash {
                    self.refresh = failure.target.as_ref().and_then(|path| site.files.file_at(path));
                }
                let is_invalid = failure.kind == ProblemKind::Invalid;
                if let Some(file) = judge.meant(&failure) {
                    note_linked(site, page, link, file);
                }
                self.problems.add(judge, link, locate, failure);
                self.note_problem();
                if is_invalid {
                    return Ok(());
                }
                None
            }
            // All must be resolved again, so that the same ones exceed the limit.
            Verdict::NotChecked => {
                (self.last, self.mask) = (self.links, u64::MAX);
                self.problems.has_others = true;
                None
            }
        };
        let pass = &mut *self.pass;
        if let Some(target) = target.filter(|target| *target != page) {
            note_linked(site, page, link, target);
            if let Some(sections) = &site.sections {
                let [from, to] = [page, target].map(|file| sections.of[file as usize]);
                if sections.linked.contains(&from) && sections.linked.contains(&to) {
                    *pass.section_links.entry((from, to)).or_insert(0) += 1;
                }
            }
        }
        pass.totals.internal += u64::from(pass.with_links);
        if pass.own.len() + pass.others.len() >= MAX_OWN { pass.need_fragments(page) } else { Ok(()) }
    }

    fn id(&mut self, id: &str) {
        let OpenPage { pass, judge, .. } = self;
        pass.ids.push(judge.site.hasher.key(judge.page, id));
        pass.id_names.push(id);
        if pass.ids.len() == MAX_IDS {
            let done = lock(pass.fragments).add_ids(judge.page, pass.ids.drain(..));
            self.failure = self.failure.take().or(done.err());
        }
    }

    fn base(&mut self, uri: &str) {
        self.judge.set_base(uri);
    }
}

impl OpenPage<'_, '_> {
    /// Notes that the link that was counted last has a problem.
    fn note_problem(&mut self) {
        self.last = self.links;
        self.mask |= link_bit(self.links - 1);
    }
}

/// Notes that a page has a link to a file. A sitemap names all pages, also those that no page links to.
fn note_linked(site: &Site, page: u32, link: &Link<'_>, file: u32) {
    let is_of_sitemap = || link.element == "xhtml:link" || link.element.rsplit(':').next() == Some("loc");
    if file != page && !site.has(file, IS_LINKED) && !is_of_sitemap() {
        site.flag(file, IS_LINKED);
    }
}

impl<'s> FirstPass<'s> {
    /// Returns the number of the last link to report, those to report, and the problems: see [`OpenPage`].
    fn read_page(
        &mut self,
        reader: &mut PageReader<'s>,
        judge: &mut Judge<'s>,
    ) -> io::Result<(u32, u64, PageProblems)> {
        let (site, page, problems) = (judge.site, judge.page, PageProblems::default());
        let (links, last, mask, failure) = (0, 0, 0, None);
        let mut open = OpenPage { pass: self, judge, links, last, mask, problems, failure, refresh: None };
        let read = reader.read(page, &mut open);
        let OpenPage { mut last, mut mask, mut problems, failure, refresh, .. } = open;
        failure.map_or(Ok(()), Err)?;
        // The fragment of a link to this page is lost (HTML §4.2.5.3), unless a script takes it along, as those of rustdoc do.
        if let Some(file) = refresh.filter(|_| reader.has_text(b"location.hash")) {
            lock(self.fragments).redirects.insert(page, file);
            site.flag(file, IS_NEEDED);
        }
        site.flag(page, IS_READ);
        match read {
            Ok(Some(read)) => {
                self.totals.pages += u64::from(self.with_links);
                self.totals.bytes += read.len;
                site.bytes_read.fetch_add(read.len, Ordering::Relaxed);
                site.flag(page, if read.is_html { HTML } else { 0 });
                self.id_names.page_len = read.len;
                lock(self.known_ids).add(page, &self.id_names);
            }
            Ok(None) => {}
            // It is read again for the message, and for the links before the damage. Its ids are not all known.
            Err(_) => last = ALL_LINKS,
        }
        self.id_names.clear();
        let mut fragments = lock(self.fragments);
        fragments.add_ids(page, self.ids.drain(..))?;
        fragments.find_own(page, self.own.drain(..), |link| {
            last = last.max(link + 1);
            mask |= link_bit(link);
            problems.has_others = true;
        })?;
        fragments.need(page, self.others.drain(..))?;
        drop(fragments);
        Ok((last, mask, problems))
    }

    fn need_fragments(&mut self, page: u32) -> io::Result<()> {
        let mut fragments = lock(self.fragments);
        fragments.need(page, self.own.drain(..))?;
        fragments.need(page, self.others.drain(..))
    }
}
