//! A check: the two passes over the pages of a site, by several threads, of which the second reports the problems.

use std::fmt;
use std::io::{self, ErrorKind};
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, available_parallelism};

use super::found_problem::{FoundProblem, KnownProblems};
use super::fragments::{Fragments, MAX_REDIRECTS, Missing, decoded_fragment, page_of};
use super::judge::{Origin, Verdict, depth};
use super::lock::lock;
use super::page_reader::PageReader;
use super::problem::{Problem, ProblemKind, Totals, Unread};
use super::similar::Suggestions;
use super::site::{ALL_LINKS, HTML, IS_NEEDED, IS_READ, Site};
use crate::html::Link;

/// The most problems of a page that wait until it is its turn to report them.
const MAX_WAITING: usize = 1000;

impl Site {
    /// Reports every problem to `each`, in the order of the files and of their links, until it breaks off. An error is a file that could
    /// not be read, as a whole or in part. All threads are those of this call; `each` is called by one of them at a time.
    ///
    /// # Errors
    /// Those of temporary files.
    pub fn each_problem(
        &self,
        each: impl FnMut(Result<Problem, Unread>) -> ControlFlow<()> + Send,
    ) -> io::Result<Totals> {
        // A check may be repeated.
        for state in &self.states {
            state.flags.store(0, Ordering::Relaxed);
            state.links_to_report.store(0, Ordering::Relaxed);
        }
        lock(&self.section_links).clear();
        self.bytes_read.store(0, Ordering::Relaxed);
        let cores = available_parallelism().map_or(1, usize::from);
        let threads = if self.options.threads == 0 { cores } else { self.options.threads }.clamp(1, 256);
        let fragments = Arc::new(Mutex::new(Fragments::default()));
        let totals = Mutex::new(Totals::default());
        let known = Mutex::new(KnownProblems::default());
        in_threads(threads, &self.pages, |next| self.find_problems(next, true, &fragments, &known, &totals))?;
        // A page may lead to another by itself, for which that one must be read, too.
        for _ in 0..=MAX_REDIRECTS {
            let is_next = |page: &u32| self.is_part && self.has(*page, IS_NEEDED) && !self.has(*page, IS_READ);
            let next_pages: Vec<u32> = self.files.pages().into_iter().filter(is_next).collect();
            if next_pages.is_empty() {
                break;
            }
            in_threads(threads, &next_pages, |next| self.find_problems(next, false, &fragments, &known, &totals))?;
        }
        let fragments = mem::take(&mut *lock(&fragments));
        let (missing, lost) =
            fragments.missing(|page| self.has(page, HTML), |page| self.flag_problems(page, ALL_LINKS, 0))?;
        let mut reporter =
            Reporter { site: self, each, totals: *lock(&totals), suggestions: Suggestions::default(), ids: None };
        let mut unread = self.unread.clone();
        if lost > 0 {
            let why = format!("{lost} more fragments are missing than can be kept");
            unread.push(Unread { path: self.files.root.clone(), why });
        }
        for unread in unread {
            if reporter.report(Err(unread)).is_err() {
                return Ok(reporter.totals);
            }
        }
        let has_problems = |page: &u32| self.state(*page).links_to_report.load(Ordering::Relaxed) > 0;
        let with_problems: Vec<u32> = self.pages.iter().copied().filter(has_problems).collect();
        let turns = Turns { turn: Mutex::new(0), changed: Condvar::new(), is_over: AtomicBool::new(false) };
        let reporter = Mutex::new(reporter);
        in_threads(threads, &with_problems, |next| self.report(next, &missing, &known, &turns, &reporter))?;
        let totals = lock(&reporter).totals;
        Ok(totals)
    }

    /// Returns an iterator over the problems, in the order of the files and of their links. An error is a file that could not be read, as a
    /// whole or in part. The check runs in threads of its own, which end when the iterator is dropped.
    ///
    /// Of an error of a temporary file, the path is that of the root.
    #[must_use]
    pub fn problems(self) -> Problems {
        let (sender, receiver) = sync_channel(MAX_WAITING);
        thread::spawn(move || {
            let done = self.each_problem(|problem| match sender.send(problem) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            });
            if let Err(error) = done {
                // If nobody receives it, nobody wants to know.
                let _ = sender.send(Err(Unread { path: self.files.root.clone(), why: error.to_string() }));
            }
        });
        Problems(receiver)
    }

    /// The second pass: reports the problems of the pages that have some. Most pages need not be read again.
    fn report<'p, E: FnMut(Result<Problem, Unread>) -> ControlFlow<()>>(
        &self,
        mut next: impl FnMut() -> Option<(usize, &'p u32)>,
        missing: &Missing,
        known: &Mutex<KnownProblems>,
        turns: &Turns,
        reporter: &Mutex<Reporter<'_, E>>,
    ) -> io::Result<()> {
        let mut reader = PageReader::new(self, Vec::clear).with_wanted(false);
        let _stop = StopAtPanic(turns);
        let mut waiting = Vec::new();
        while let Some((index, &page)) = next() {
            let uri = self.uri_of(page);
            let origin = Origin { file: page, uri: &uri, depth: depth(&uri[self.root.len()..]) };
            let path = self.full_path(page);
            let (mut has_turn, mut not_checked) = (false, 0_u64);
            let to_report = self.state(page).links_to_report.load(Ordering::Relaxed);
            let mask = self.state(page).problem_links.load(Ordering::Relaxed);
            let mut links = 0_u32;
            let known = if to_report == ALL_LINKS { None } else { lock(known).pages.remove(&page) };
            let read = if let Some(found) = known {
                waiting.extend(found.into_iter().map(Ok));
                Ok(None)
            } else {
                reader.problem_links(page, mask, |link, count, base| {
                    links = count;
                    let verdict = self.judge(link, &origin, base);
                    if let Some(found) = self.problem_of(link, verdict, missing, &mut not_checked) {
                        waiting.push(Ok(found));
                        if waiting.len() >= MAX_WAITING {
                            if !has_turn {
                                turns.wait(index)?;
                                has_turn = true;
                            }
                            lock(reporter).report_all(&path, &mut waiting, turns)?;
                        }
                    }
                    // The rest has no problems, and need not be read.
                    if links == to_report && links != ALL_LINKS { Err(ErrorKind::Interrupted.into()) } else { Ok(()) }
                })
            };
            if turns.is_over.load(Ordering::Relaxed) {
                return Ok(());
            }
            let why = match read {
                Err(error) if links != to_report || links == ALL_LINKS => Some(error.to_string()),
                _ if not_checked > 0 => Some(format!("{not_checked} links whose URIs are too long are not checked")),
                _ => None,
            };
            waiting.extend(why.map(|why| Err(Unread { path: path.clone(), why })));
            if !has_turn && turns.wait(index).is_err() {
                return Ok(());
            }
            if lock(reporter).report_all(&path, &mut waiting, turns).is_err() {
                return Ok(());
            }
            turns.pass(index);
        }
        Ok(())
    }

    fn problem_of(
        &self,
        link: &Link<'_>,
        verdict: Verdict,
        missing: &Missing,
        not_checked: &mut u64,
    ) -> Option<FoundProblem> {
        let (kind, page) = match verdict {
            Verdict::External | Verdict::Works { .. } => return None,
            Verdict::NotChecked => {
                *not_checked += 1;
                return None;
            }
            Verdict::Fragment { page, keys, is_without_slash } => {
                let kind = match self.has(page, HTML) && missing.has(keys) {
                    true => ProblemKind::MissingFragment,
                    false if is_without_slash => ProblemKind::MissingSlash,
                    false => return None,
                };
                debug_assert_eq!(page_of(keys.decoded), page);
                (kind, page)
            }
            Verdict::Fails { kind, target, note } => return Some(self.failure(link, kind, target, note)),
        };
        let target = Some(self.files.path(page).to_vec());
        Some(FoundProblem { page: Some(page), ..self.failure(link, kind, target, None) })
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
struct Reporter<'s, E> {
    site: &'s Site,
    each: E,
    totals: Totals,
    suggestions: Suggestions,
    /// Reads the `id`s of pages.
    ids: Option<PageReader<'s>>,
}

impl<E: FnMut(Result<Problem, Unread>) -> ControlFlow<()>> Reporter<'_, E> {
    /// Fails if the check is to end.
    fn report(&mut self, problem: Result<Problem, Unread>) -> io::Result<()> {
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
                let ids = self.ids.get_or_insert_with(|| PageReader::new(self.site, Vec::clear).with_wanted(true));
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

/// Runs `work` in threads, each with a function that returns the next page and its index. The first error of one ends all.
fn in_threads<'p>(
    threads: usize,
    pages: &'p [u32],
    work: impl Fn(&mut dyn FnMut() -> Option<(usize, &'p u32)>) -> io::Result<()> + Sync,
) -> io::Result<()> {
    let (next, failure) = (AtomicUsize::new(0), Mutex::new(None));
    let run = || {
        let mut next_page = || {
            let index = next.fetch_add(1, Ordering::Relaxed);
            pages.get(index).map(|page| (index, page))
        };
        if let Err(error) = work(&mut next_page) {
            next.store(pages.len(), Ordering::Relaxed);
            lock(&failure).get_or_insert(error);
        }
    };
    // This thread is one of them, so that the check goes on where no other can start.
    thread::scope(|scope| {
        for _ in 1..threads.min(pages.len()) {
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
    lock(&failure).take().map_or(Ok(()), Err)
}

/// The problems of a site, from [`Site::problems`].
pub struct Problems(Receiver<Result<Problem, Unread>>);

impl fmt::Debug for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Problems").finish_non_exhaustive()
    }
}

impl Iterator for Problems {
    type Item = Result<Problem, Unread>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.recv().ok()
    }
}
