//! The second pass over the pages of a site: reads the pages that have problems once more, unless all of these are known, and reports
//! them in the order of the pages and of their links.

use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use super::found_problem::{FoundProblem, KnownProblems};
use super::fragments::{Missing, decoded_fragment, page_of};
use super::judge::{Failure, Judge, Verdict};
use super::lock::lock;
use super::page_reader::PageReader;
use super::problem::{Problem, ProblemKind, Totals, Unread};
use super::similar::Suggestions;
use super::site::{ALL_LINKS, HTML, Site};
use crate::html::{Link, Locate, PageSink, Positions};

/// The most problems of a page that wait until it is its turn to report them.
pub(super) const MAX_WAITING: usize = 1000;

/// The pass of all threads.
pub(super) struct SecondPass<'s, E> {
    site: &'s Site,
    missing: Missing,
    known: Mutex<KnownProblems>,
    turns: Turns,
    reporter: Mutex<Reporter<'s, E>>,
}

impl<'s, E> SecondPass<'s, E>
where
    E: FnMut(Result<Problem, Unread>) -> ControlFlow<()>,
{
    pub(super) fn new(
        site: &'s Site,
        missing: Missing,
        known: Mutex<KnownProblems>,
        reporter: Reporter<'s, E>,
    ) -> Self {
        let turns = Turns { turn: Mutex::new(0), changed: Condvar::new(), is_over: AtomicBool::new(false) };
        SecondPass { site, missing, known, turns, reporter: Mutex::new(reporter) }
    }

    /// Reports the problems of the pages that `next` returns, in one thread.
    pub(super) fn report_problems<'p>(&self, mut next: impl FnMut() -> Option<(usize, &'p u32)>) -> io::Result<()> {
        let (mut reader, mut waiting) = (PageReader::new(self.site), Vec::new());
        let _stop = StopAtPanic(&self.turns);
        while let Some((index, &number)) = next() {
            let path = self.site.full_path(number);
            let state = self.site.state(number);
            let to_report = state.links_to_report.load(Ordering::Relaxed);
            let mask = state.problem_links.load(Ordering::Relaxed);
            let judge = Judge::new(self.site, number);
            let (links, has_turn, not_checked) = (0, false, 0);
            let waiting = &mut waiting;
            let mut page = ProblemPage {
                pass: self,
                judge,
                index,
                path: &path,
                mask,
                to_report,
                links,
                has_turn,
                not_checked,
                waiting,
            };
            let known = if to_report == ALL_LINKS { None } else { lock(&self.known).pages.remove(&number) };
            let read = match known {
                Some(found) => {
                    page.waiting.extend(found.into_iter().map(Ok));
                    Ok(None)
                }
                None => reader.read(number, &mut page),
            };
            if self.turns.is_over.load(Ordering::Relaxed) {
                return Ok(());
            }
            let why = match read {
                Err(error) if page.links != to_report || to_report == ALL_LINKS => Some(error.to_string()),
                _ if page.not_checked > 0 => {
                    Some(format!("{} links whose URIs are too long are not checked", page.not_checked))
                }
                _ => None,
            };
            page.waiting.extend(why.map(|why| Err(Unread { path: path.clone(), why })));
            if page.report_waiting().is_err() {
                return Ok(());
            }
            self.turns.pass(index);
        }
        Ok(())
    }

    pub(super) fn into_totals(self) -> Totals {
        self.reporter.into_inner().unwrap_or_else(PoisonError::into_inner).totals
    }

    /// `None` for a link that works, as is known now.
    fn failure(&self, verdict: Verdict) -> Option<(Failure, Option<u32>)> {
        match verdict {
            Verdict::External | Verdict::Works { .. } | Verdict::NotChecked => None,
            Verdict::Fragment { page, keys, is_without_slash } => {
                let kind = match self.site.has(page, HTML) && self.missing.has(keys) {
                    true => ProblemKind::MissingFragment,
                    false if is_without_slash => ProblemKind::MissingSlash,
                    false => return None,
                };
                debug_assert_eq!(page_of(keys.decoded), page);
                Some((Failure { kind, target: Some(self.site.files.path(page).to_vec()), note: None }, Some(page)))
            }
            Verdict::Fails(failure) => Some((failure, None)),
        }
    }
}

/// A page whose links are judged once more, as far as they may have problems.
struct ProblemPage<'p, 's, E> {
    pass: &'p SecondPass<'s, E>,
    judge: Judge<'s>,
    /// The number of the turns before that of the page.
    index: usize,
    path: &'p Path,
    /// The links that may have problems, and the number of the last one, as [`FileState`](super::site::FileState) has them.
    mask: u64,
    to_report: u32,
    /// The number of links so far.
    links: u32,
    has_turn: bool,
    /// The number of links whose URIs are too long.
    not_checked: u64,
    waiting: &'p mut Vec<Result<FoundProblem, Unread>>,
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
        if let Some((failure, page)) = self.pass.failure(verdict) {
            let found = FoundProblem::new(self.judge.site, link, locate, failure);
            self.waiting.push(Ok(FoundProblem { page, ..found }));
            if self.waiting.len() >= MAX_WAITING {
                self.report_waiting()?;
            }
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

impl<E> ProblemPage<'_, '_, E>
where
    E: FnMut(Result<Problem, Unread>) -> ControlFlow<()>,
{
    /// Reports the problems that wait, once it is the page's turn. Fails once the check is over.
    fn report_waiting(&mut self) -> io::Result<()> {
        let SecondPass { turns, reporter, .. } = self.pass;
        if !self.has_turn {
            turns.wait(self.index)?;
            self.has_turn = true;
        }
        lock(reporter).report_all(self.path, self.waiting, turns)
    }
}

/// Problems are reported in the order of the pages, whose turn it is one after the other.
struct Turns {
    turn: Mutex<usize>,
    changed: Condvar,
    is_over: AtomicBool,
}

impl Turns {
    /// Fails once the check is over.
    fn wait(&self, index: usize) -> io::Result<()> {
        let is_waiting = |turn: &mut usize| *turn != index && !self.is_over.load(Ordering::Relaxed);
        drop(self.changed.wait_while(lock(&self.turn), is_waiting).unwrap_or_else(PoisonError::into_inner));
        if self.is_over.load(Ordering::Relaxed) { Err(ErrorKind::Interrupted.into()) } else { Ok(()) }
    }

    fn pass(&self, index: usize) {
        *lock(&self.turn) = index + 1;
        self.changed.notify_all();
    }

    fn stop(&self) {
        let turn = lock(&self.turn);
        self.is_over.store(true, Ordering::Relaxed);
        drop(turn);
        self.changed.notify_all();
    }
}

/// The threads that wait for a turn must not wait for a thread that is no more.
struct StopAtPanic<'t>(&'t Turns);

impl Drop for StopAtPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
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

    fn report_all(
        &mut self,
        path: &Path,
        problems: &mut Vec<Result<FoundProblem, Unread>>,
        turns: &Turns,
    ) -> io::Result<()> {
        let done = problems.drain(..).try_for_each(|found| {
            let problem = found.map(|found| self.complete(path, found));
            self.report(problem)
        });
        done.inspect_err(|_| turns.stop())
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
