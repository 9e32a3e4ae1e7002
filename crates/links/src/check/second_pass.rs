//! The second pass over the pages of a site: reads the pages that have problems once more, unless all of these are known, and reports
//! them in the order of the pages and of their links.

use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::found_problem::{FoundProblem, KnownProblems};
use super::fragments::{Missing, decoded_fragment, page_of};
use super::judge::{Failure, Judge, Verdict};
use super::page_reader::PageReader;
use super::problem::{Problem, ProblemKind, Totals, Unread};
use super::similar::Suggestions;
use super::site::{ALL_LINKS, HTML, Site};
use crate::html::{Link, Locate, PageSink, Positions};

/// Reports the problems of a page whose number is given.
pub(super) struct SecondPass<'s, E> {
    site: &'s Site,
    missing: Missing,
    known: KnownProblems,
    reader: PageReader<'s>,
    pub(super) reporter: Reporter<'s, E>,
}

impl<'s, E> SecondPass<'s, E>
where
    E: FnMut(Result<Problem, Unread>) -> ControlFlow<()>,
{
    pub(super) fn new(site: &'s Site, missing: Missing, known: KnownProblems, reporter: Reporter<'s, E>) -> Self {
        SecondPass { site, missing, known, reader: PageReader::new(site), reporter }
    }

    /// Reports the problems of a page that has some. Most pages need not be read again. Fails if the check is to end.
    pub(super) fn report_problems(&mut self, number: u32) -> io::Result<()> {
        let SecondPass { site, missing, known, reader, reporter } = self;
        let state = site.state(number);
        let (to_report, mask) =
            (state.links_to_report.load(Ordering::Relaxed), state.problem_links.load(Ordering::Relaxed));
        let path = site.full_path(number);
        if let Some(found) = known.pages.remove(&number).filter(|_| to_report != ALL_LINKS) {
            return found.into_iter().try_for_each(|found| reporter.report_found(&path, found));
        }
        let (judge, links, not_checked, is_over) = (Judge::new(site, number), 0, 0, false);
        let mut page =
            ProblemPage { judge, missing, reporter, path: &path, mask, to_report, links, not_checked, is_over };
        let read = reader.read(number, &mut page);
        let ProblemPage { links, not_checked, is_over, .. } = page;
        let why = match read {
            _ if is_over => return Err(ErrorKind::Interrupted.into()),
            Err(error) if links != to_report || to_report == ALL_LINKS => error.to_string(),
            _ if not_checked > 0 => format!("{not_checked} links whose URIs are too long are not checked"),
            _ => return Ok(()),
        };
        self.reporter.report(Err(Unread { path, why }))
    }
}

/// A page whose links are judged once more, as far as they may have problems.
struct ProblemPage<'p, 's, E> {
    judge: Judge<'s>,
    missing: &'p Missing,
    reporter: &'p mut Reporter<'s, E>,
    path: &'p Path,
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

    fn wants_link(&mut self) -> bool {
        let is_wanted = self.mask >> (self.links % u64::BITS) & 1 == 1;
        self.links = self.links.saturating_add(1);
        is_wanted
    }

    fn link(&mut self, link: &Link<'_>, locate: &mut Locate<'_, '_>) -> io::Result<()> {
        let verdict = self.judge.judge(link);
        self.not_checked += u64::from(matches!(verdict, Verdict::NotChecked));
        if let Some((failure, page)) = self.failure(verdict) {
            let found = FoundProblem::new(self.judge.site, link, locate, failure);
            let done = self.reporter.report_found(self.path, FoundProblem { page, ..found });
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
            Verdict::External | Verdict::Outside | Verdict::Works { .. } | Verdict::NotChecked => None,
            Verdict::Fragment { page, keys, is_without_slash } => {
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
    site: &'s Site,
    each: E,
    pub(super) totals: Totals,
    suggestions: Suggestions,
    /// Reads the `id`s of pages.
    ids: Option<PageReader<'s>>,
}

impl<'s, E> Reporter<'s, E>
where
    E: FnMut(Result<Problem, Unread>) -> ControlFlow<()>,
{
    pub(super) fn new(site: &'s Site, each: E, totals: Totals) -> Self {
        Reporter { site, each, totals, suggestions: Suggestions::default(), ids: None }
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

    fn report_found(&mut self, path: &Path, found: FoundProblem) -> io::Result<()> {
        let problem = self.complete(path, found);
        self.report(Ok(problem))
    }

    fn complete(&mut self, path: &Path, found: FoundProblem) -> Problem {
        let FoundProblem { mut problem, target, page } = found;
        let files = &self.site.files;
        problem.page = path.to_owned();
        problem.suggestion = match (problem.kind, &target, page) {
            (ProblemKind::Missing | ProblemKind::NotALink, Some(target), _) => match problem.kind {
                ProblemKind::NotALink if problem.reference.contains('@') => {
                    Some(format!("mailto:{}", problem.reference))
                }
                ProblemKind::NotALink => Some(format!("https://{}", problem.reference)),
                _ => self.suggestions.file(files, target),
            },
            (ProblemKind::MissingFragment, _, Some(page)) => {
                let fragment =
                    problem.uri.as_deref().and_then(|uri| uri.split_once('#')).map_or("", |(_, fragment)| fragment);
                let fragment = decoded_fragment(fragment).into_owned();
                let ids = self.ids.get_or_insert_with(|| PageReader::new(self.site));
                self.suggestions.fragment(page, &fragment, || ids.ids(page))
            }
            (ProblemKind::MissingSlash, ..) => {
                problem.reference.split(['?', '#']).next().map(|path| format!("{path}/"))
            }
            _ => None,
        };
        problem.target = target.map(|target| files.full_path(&target));
        problem
    }
}
