//! The second pass over the pages of a site: reads the pages that have problems once more, unless all of these are known, and reports
//! them in the order of the pages and of their links.

use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use super::found_problem::{FoundProblem, KnownProblems};
use super::fragment_key::page_of;
use super::fragments::Missing;
use super::judge::{Failure, Judge, LinkedFile, Verdict};
use super::known_ids::KnownIds;
use super::page_reader::{KINDS, PageReader};
use super::problem::{Problem, ProblemKind, Totals, Unread};
use super::repair::Repairs;
use super::site::{ALL_LINKS, HTML, Site, link_bit};
use crate::html::{Link, Locate, PageSink, Positions};
use crate::markdown::Renderer;

/// Reports the problems of a page whose number is given.
pub(super) struct SecondPass<'s, E> {
    site: &'s Site,
    missing: Missing,
    known: KnownProblems,
    reader: PageReader<'s>,
    /// The judge of the last page that was read.
    last_judge: Option<Judge<'s>>,
    pub(super) reporter: Reporter<'s, E>,
}

impl<'s, E> SecondPass<'s, E>
where
    E: FnMut(Result<Problem, Unread>) -> ControlFlow<()>,
{
    pub(super) fn new(site: &'s Site, missing: Missing, known: KnownProblems, reporter: Reporter<'s, E>) -> Self {
        SecondPass { site, missing, known, reader: PageReader::new(site, &KINDS), last_judge: None, reporter }
    }

    /// Reports the problems of a page that has some. Most pages need not be read again. Fails if the check is to end.
    pub(super) fn report_problems(&mut self, number: u32) -> io::Result<()> {
        let SecondPass { site, missing, known, reader, last_judge, reporter } = self;
        let state = site.state(number);
        let (to_report, mask) =
            (state.links_to_report.load(Ordering::Relaxed), state.problem_links.load(Ordering::Relaxed));
        if let Some(found) = known.pages.remove(&number) {
            return found.try_for_each(|found| reporter.report_found(number, found));
        }
        let judge = last_judge.take().map_or_else(|| Judge::new(site, number), |last| last.next(number));
        let (judge, links, not_checked, is_over) = (last_judge.insert(judge), 0, 0, false);
        let mut page = ProblemPage { judge, missing, reporter, mask, to_report, links, not_checked, is_over };
        let read = reader.read(number, &mut page);
        let ProblemPage { links, not_checked, is_over, .. } = page;
        let why = match read {
            _ if is_over => return Err(ErrorKind::Interrupted.into()),
            Err(error) if links != to_report || to_report == ALL_LINKS => error.to_string(),
            _ if not_checked == 1 => "a link is not checked: its URI is too long".to_owned(),
            _ if not_checked > 0 => format!("{not_checked} links are not checked: their URIs are too long"),
            _ => return Ok(()),
        };
        self.reporter.report(Err(Unread { path: site.full_path(number), why }))
    }
}

/// A page whose links are judged once more, as far as they may have problems.
struct ProblemPage<'p, 's, E> {
    judge: &'p mut Judge<'s>,
    missing: &'p Missing,
    reporter: &'p mut Reporter<'s, E>,
    /// The links that may have problems, and the number of the last one, as [`FileState`](super::site::FileState) has them.
    mask: u64,
    to_report: u32,
    /// The number of links so far.
    links: u32,
    /// The number of links whose URIs are too long.
    not_checked: u64,
    /// The check is to end.
    is_over: bool,
}

impl<E: FnMut(Result<Problem, Unread>) -> ControlFlow<()>> PageSink for ProblemPage<'_, '_, E> {
    fn positions(&self) -> Positions {
        Positions::Lines
    }

    fn is_browser(&self) -> bool {
        true
    }

    // As in the first pass: a page must have the same links in both, as their numbers count.
    fn wants_ids(&self) -> bool {
        true
    }

    fn renderer(&self) -> Option<Renderer> {
        self.judge.renderer
    }

    fn wants_link(&mut self) -> bool {
        let is_wanted = self.mask & link_bit(self.links) != 0;
        self.links = self.links.saturating_add(1);
        is_wanted
    }

    fn link(&mut self, link: &Link<'_>, locate: &mut Locate<'_, '_>) -> io::Result<()> {
        let verdict = self.judge.judge(link);
        self.not_checked += u64::from(matches!(verdict, Verdict::NotChecked));
        if let Some((failure, page)) = self.failure(verdict) {
            let found = FoundProblem::new(self.judge, link, locate, failure);
            let done = self.reporter.report_found(self.judge.page, FoundProblem { page, ..found });
            self.is_over = done.is_err();
            done?;
        }
        // The rest has no problems, and need not be read.
        if self.links == self.to_report && self.links != ALL_LINKS {
            Err(ErrorKind::Interrupted.into())
        } else {
            Ok(())
        }
    }

    fn base(&mut self, uri: &str) {
        self.judge.set_base(uri);
    }
}

impl<E> ProblemPage<'_, '_, E> {
    /// `None` for a link that works, as is known now.
    fn failure(&self, verdict: Verdict) -> Option<(Failure, Option<u32>)> {
        match verdict {
            Verdict::External | Verdict::Outside | Verdict::NotChecked => None,
            Verdict::LeadsTo(LinkedFile { file: page, keys, is_without_slash }) => {
                let keys = keys?;
                let kind = match self.judge.site.has(page, HTML) && self.missing.has(keys) {
                    true => ProblemKind::MissingFragment,
                    false if is_without_slash => ProblemKind::MissingSlash,
                    false => return None,
                };
                debug_assert_eq!(page_of(keys.decoded), page);
                Some((
                    Failure { kind, target: Some(self.judge.site.files.path(page).to_vec()), note: None },
                    Some(page),
                ))
            }
            Verdict::Fails(failure) => Some((failure, None)),
        }
    }
}

/// Reports problems one by one, with what they may mean.
pub(super) struct Reporter<'s, E> {
    each: E,
    pub(super) totals: Totals,
    repairs: Repairs<'s>,
}

impl<'s, E> Reporter<'s, E>
where
    E: FnMut(Result<Problem, Unread>) -> ControlFlow<()>,
{
    pub(super) fn new(site: &'s Site, each: E, totals: Totals, ids: KnownIds) -> Self {
        Reporter { each, totals, repairs: Repairs::new(site, ids) }
    }

    /// Fails if the check is to end.
    pub(super) fn report(&mut self, problem: Result<Problem, Unread>) -> io::Result<()> {
        let count = match &problem {
            Ok(problem) if problem.kind.is_note() => &mut self.totals.notes,
            Ok(_) => &mut self.totals.problems,
            Err(_) => &mut self.totals.unread,
        };
        *count += 1;
        match (self.each)(problem) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ErrorKind::Interrupted.into()),
        }
    }

    /// `page` has the link.
    fn report_found(&mut self, page: u32, found: FoundProblem) -> io::Result<()> {
        let problem = self.repairs.complete(page, found);
        self.report(Ok(problem))
    }
}
