//! A check: the two passes over the pages of a site, of which the first is that of several threads, and the second reports the problems.

use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, available_parallelism};

use super::first_pass::find_problems;
use super::found_problem::KnownProblems;
use super::fragments::{Fragments, MAX_REDIRECTS};
use super::known_ids::KnownIds;
use super::problem::{Problem, Totals, Unread};
use super::second_pass::{Reporter, SecondPass};
use super::site::{ALL_LINKS, HTML, IS_NEEDED, IS_READ, Site, link_bit};
use crate::parallel::{Claim, Turns, Use, lock};

/// The most bytes of problems that wait until [`Problems`] returns them.
const MAX_WAITING: u64 = 4 << 20;

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
        self.flags.iter().for_each(|flags| flags.store(0, Ordering::Relaxed));
        for state in &self.states {
            state.links_to_report.store(0, Ordering::Relaxed);
            state.problem_links.store(0, Ordering::Relaxed);
        }
        self.sections.iter().for_each(|sections| lock(&sections.links).clear());
        self.bytes_read.store(0, Ordering::Relaxed);
        let threads = match self.options.threads {
            0 => available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let threads = threads.clamp(1, 256);
        let fragments = Mutex::new(Fragments::default());
        let totals = Mutex::new(Totals::default());
        let known = Mutex::new(KnownProblems::default());
        let ids = Mutex::new(KnownIds::default());
        let read = |pages: &[u32], with_links| {
            // Allocators keep what a thread has freed for that thread: one reads all large pages.
            let (large, others): (Vec<u32>, Vec<u32>) = pages.iter().partition(|page| self.is_large_markdown(**page));
            let find = |next: &mut dyn FnMut() -> Option<u32>| {
                find_problems(self, next, with_links, &fragments, &known, &ids, &totals)
            };
            in_threads(threads, &others, find)?;
            in_threads(1, &large, find)
        };
        read(&self.pages, true)?;
        // A page may lead to another by itself, for which that one must be read, too.
        for _ in 0..=MAX_REDIRECTS {
            let is_next = |page: &u32| self.is_part && self.has(*page, IS_NEEDED) && !self.has(*page, IS_READ);
            let next_pages: Vec<u32> = self.files.pages().into_iter().filter(is_next).collect();
            if next_pages.is_empty() {
                break;
            }
            read(&next_pages, false)?;
        }
        let fragments = mem::take(&mut *lock(&fragments));
        let mut known = mem::take(&mut *lock(&known));
        let (missing, lost) = fragments.missing(
            |page| self.has(page, HTML),
            |page, link| {
                // It is read again for this problem, and then for all others.
                known.pages.remove(&page);
                match link {
                    Some(link) => self.flag_problems(page, link + 1, link_bit(link)),
                    None => self.flag_problems(page, ALL_LINKS, u64::MAX),
                }
            },
        )?;
        let mut reporter = Reporter::new(self, each, *lock(&totals), mem::take(&mut *lock(&ids)));
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
        let mut pass = SecondPass::new(self, missing, known, reporter);
        // The only error is that of `each`.
        let _ = with_problems.into_iter().try_for_each(|page| pass.report_problems(page));
        Ok(pass.reporter.totals)
    }

    /// Returns an iterator over the problems, in the order of the files and of their links. An error is a file that could not be read, as a
    /// whole or in part. The check runs in threads of its own, which end when the iterator is dropped.
    ///
    /// Of an error of a temporary file, the path is that of the root.
    ///
    /// Some problems are left out, as by `relref check --ignore`, with a filter:
    ///
    /// ```
    /// use relref_links::check::{Options, Site};
    ///
    /// let site = Site::in_memory([("a.html", "<a href=/old/b.html><a href=c.html>")], Options::default())?;
    /// let is_old = |uri: &Option<String>| uri.as_ref().is_some_and(|uri| uri.starts_with("/old/"));
    /// let problems = site.problems().filter(|problem| !problem.as_ref().is_ok_and(|problem| is_old(&problem.uri)));
    /// assert_eq!(problems.map(|problem| problem.unwrap().reference).collect::<Vec<_>>(), ["c.html"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[doc(alias = "ignore")]
    #[must_use]
    pub fn problems(self) -> Problems {
        let (sender, receiver) = channel();
        let claimant = Turns::new([0, 0, 0, MAX_WAITING]).claimant(None);
        thread::spawn(move || {
            let send = |problem: Result<Problem, Unread>| {
                let len = problem.as_ref().map_or(0, Problem::len) as u64;
                let claim = claimant.claim(Use::Queue, len).ok()?;
                sender.send((problem, claim)).ok()
            };
            let done = self.each_problem(|problem| send(problem).map_or(ControlFlow::Break(()), ControlFlow::Continue));
            if let Err(error) = done {
                // If nobody receives it, nobody wants to know.
                let _ = send(Err(Unread { path: self.files.root.clone(), why: error.to_string() }));
            }
        });
        Problems(receiver)
    }
}

/// Runs `work` in threads, each with a function that returns the next page. The first error of one ends all.
fn in_threads(
    threads: usize,
    pages: &[u32],
    work: impl Fn(&mut dyn FnMut() -> Option<u32>) -> io::Result<()> + Sync,
) -> io::Result<()> {
    let (next, failure) = (AtomicUsize::new(0), Mutex::new(None));
    let run = || {
        let mut next_page = || pages.get(next.fetch_add(1, Ordering::Relaxed)).copied();
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
pub struct Problems(Receiver<(Result<Problem, Unread>, Claim)>);

debug_fields!([] Problems:);

impl Iterator for Problems {
    type Item = Result<Problem, Unread>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.recv().ok().map(|(problem, _)| problem)
    }
}
