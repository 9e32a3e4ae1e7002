//! The two passes over the pages of a site, by several threads.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, ErrorKind};
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, available_parallelism};

use super::fragments::{FragmentKeys, Fragments, MAX_REDIRECTS, Missing, decoded_fragment, page_of};
use super::judge::{Origin, Verdict, depth};
use super::lock::lock;
use super::page_reader::PageReader;
use super::problem::{Problem, ProblemKind, Totals, Unread};
use super::similar::Suggestions;
use super::site::{ALL_LINKS, HTML, IS_LINKED, IS_NEEDED, IS_READ, Site};
use crate::html::{AskedPlaces, Kind, Link, Place};

/// The most problems of a page that wait until it is its turn to report them.
const MAX_WAITING: usize = 1000;

/// The most fragments of a page that wait for its ids.
const MAX_OWN: usize = 1 << 18;

/// In [`FileState::problem_links`](super::site::FileState::problem_links), of a link that is the `count`th.
fn bit_of(count: u32) -> u64 {
    1 << (count.saturating_sub(1) % u64::BITS)
}

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
        in_threads(threads, &self.pages, |next| self.find(next, true, &fragments, &known, &totals))?;
        // A page may lead to another by itself, for which that one must be read, too.
        for _ in 0..=MAX_REDIRECTS {
            let is_next = |page: &u32| self.is_part && self.has(*page, IS_NEEDED) && !self.has(*page, IS_READ);
            let next_pages: Vec<u32> = self.files.pages().into_iter().filter(is_next).collect();
            if next_pages.is_empty() {
                break;
            }
            in_threads(threads, &next_pages, |next| self.find(next, false, &fragments, &known, &totals))?;
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

    /// The first pass: finds the fragments that pages have and need, and the pages that have problems.
    fn find<'p>(
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
        let mut sums = Totals::default();
        let (mut own, mut others) = (Vec::new(), Vec::new());
        let mut section_links = HashMap::new();
        while let Some((_, &page)) = next() {
            let uri = self.uri_of(page);
            let origin = Origin { file: page, uri: &uri, depth: depth(&uri[self.root.len()..]) };
            let (mut links, mut to_report, mut mask) = (0_u32, 0, 0_u64);
            let mut problems = PageProblems::default();
            let read = reader.links(page, |link, base| {
                links = links.saturating_add(1);
                if !with_links && link.kind != Kind::Refresh {
                    return Ok(());
                }
                sums.links += u64::from(with_links);
                let target = match self.judge(link, &origin, base) {
                    Verdict::External => return Ok(()),
                    Verdict::Works { file } => {
                        if link.kind == Kind::Refresh && file != page {
                            lock(fragments).redirects.insert(page, file);
                            self.flag(file, IS_NEEDED);
                        }
                        Some(file)
                    }
                    _ if !with_links => return Ok(()),
                    Verdict::Fragment { page: target, keys, is_without_slash } => {
                        if is_without_slash {
                            (to_report, mask) = (links, mask | bit_of(links));
                            problems.has_others = true;
                        }
                        let list: &mut Vec<FragmentKeys> = if target == page { &mut own } else { &mut others };
                        list.push(keys);
                        self.flag(target, IS_NEEDED);
                        Some(target)
                    }
                    Verdict::Fails { kind, target, note } => {
                        (to_report, mask) = (links, mask | bit_of(links));
                        // Those in an attribute have other places.
                        problems.has_others |= !link.inner.is_empty();
                        problems.add(|| self.failure(link, kind, target, note), &asked);
                        if kind == ProblemKind::Invalid {
                            return Ok(());
                        }
                        None
                    }
                    // All must be resolved again, so that the same ones exceed the limit.
                    Verdict::NotChecked => {
                        (to_report, mask) = (links, u64::MAX);
                        problems.has_others = true;
                        None
                    }
                };
                if let Some(target) = target.filter(|target| *target != page) {
                    self.flag(target, IS_LINKED);
                    if self.options.structure {
                        let sections = (self.section_of[page as usize], self.section_of[target as usize]);
                        *section_links.entry(sections).or_insert(0) += 1;
                    }
                }
                sums.internal += u64::from(with_links);
                if own.len() + others.len() >= MAX_OWN {
                    let mut fragments = lock(fragments);
                    fragments.need(page, own.drain(..))?;
                    fragments.need(page, others.drain(..))?;
                }
                Ok(())
            });
            self.flag(page, IS_READ);
            match read {
                Ok(Some(read)) => {
                    sums.pages += u64::from(with_links);
                    sums.bytes += read.len;
                    self.bytes_read.fetch_add(read.len, Ordering::Relaxed);
                    self.flag(page, if read.is_html { HTML } else { 0 });
                }
                Ok(None) => {}
                // It is read again for the message, and for the links before the damage. Its ids are not all known.
                Err(_) => to_report = ALL_LINKS,
            }
            others.sort_unstable_by_key(|keys| keys.decoded);
            others.dedup_by_key(|keys| (keys.decoded, keys.written));
            reader.take_ids(|ids| {
                let mut fragments = lock(fragments);
                if let Some(ids) = ids {
                    ids.sort_unstable();
                    ids.dedup();
                    let is_missing = |key| ids.binary_search(&key).is_err();
                    for keys in own.drain(..) {
                        if is_missing(keys.decoded) && keys.written.is_none_or(is_missing) {
                            to_report = ALL_LINKS;
                            fragments.missing.extend([keys.decoded].into_iter().chain(keys.written))?;
                        }
                    }
                    fragments.ids.extend(ids.drain(..))?;
                }
                fragments.need(page, own.drain(..))?;
                fragments.need(page, others.drain(..))
            })?;
            if let Some(error) = lock(&failure).take() {
                return Err(error);
            }
            if to_report > 0 {
                self.flag_problems(page, to_report, mask);
                problems.add_places(asked.take());
                if to_report != ALL_LINKS {
                    lock(known).add(page, problems);
                }
            }
        }
        let mut all_links = lock(&self.section_links);
        section_links.into_iter().for_each(|(sections, count)| *all_links.entry(sections).or_default() += count);
        drop(all_links);
        let mut totals = lock(totals);
        totals.pages += sums.pages;
        totals.bytes += sums.bytes;
        totals.links += sums.links;
        totals.internal += sums.internal;
        Ok(())
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

    fn failure(
        &self,
        link: &Link<'_>,
        kind: ProblemKind,
        target: Option<Vec<u8>>,
        note: Option<String>,
    ) -> FoundProblem {
        FoundProblem { problem: Problem::of(link, kind, self.shown(link.uri), note), target, page: None }
    }
}

/// A problem without its paths and suggestion.
struct FoundProblem {
    problem: Problem,
    /// Relative to the root.
    target: Option<Vec<u8>>,
    page: Option<u32>,
}

impl FoundProblem {
    /// Returns the size in bytes of the problem with its texts.
    fn len(&self) -> usize {
        let Problem { element, attribute, reference, uri, note, .. } = &self.problem;
        let texts = [element.len(), attribute.len(), reference.len(), uri.as_ref().map_or(0, |uri| uri.len())];
        let others = [note.as_ref().map_or(0, String::len), self.target.as_ref().map_or(0, Vec::len)];
        size_of::<Self>() + texts.into_iter().chain(others).sum::<usize>()
    }
}

/// The problems of a page, as far as the first pass knows them.
#[derive(Default)]
struct PageProblems {
    list: Vec<FoundProblem>,
    /// The size of `list` in bytes, with its texts.
    len: usize,
    /// The page must be read again for the others.
    has_others: bool,
}

impl PageProblems {
    /// The size of `list` in bytes above which no more problems are added.
    const MAX_LEN: usize = 1 << 18;

    fn add(&mut self, problem: impl FnOnce() -> FoundProblem, asked: &AskedPlaces) {
        if self.has_others {
            return;
        }
        asked.ask();
        let problem = problem();
        self.len += problem.len();
        self.list.push(problem);
        self.has_others = self.len > Self::MAX_LEN;
    }

    fn add_places(&mut self, places: Vec<Option<Place>>) {
        self.has_others |= places.len() != self.list.len();
        self.list.iter_mut().zip(places).for_each(|(found, place)| found.problem.place = place);
    }
}

/// The pages whose problems are all known after the first pass.
#[derive(Default)]
struct KnownProblems {
    pages: HashMap<u32, Vec<FoundProblem>>,
    /// The size of all problems in `pages`, in bytes.
    len: usize,
}

impl KnownProblems {
    /// The most bytes of all problems in `pages`. Problems of a page that would exceed them are not kept.
    const MAX_LEN: usize = 4 << 20;

    fn add(&mut self, page: u32, problems: PageProblems) {
        let PageProblems { list, len, has_others } = problems;
        if !has_others && self.len + len <= Self::MAX_LEN {
            self.len += len;
            self.pages.insert(page, list);
        }
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
