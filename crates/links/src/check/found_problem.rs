//! Problems as they are found: without the paths and suggestions that their reports have.

use std::collections::HashMap;

use encoding_rs::Encoding;

use super::judge::{Failure, Judge};
use super::problem::Problem;
use crate::html::{DestinationForm, Link, Locate, Rejected};

/// A problem without its paths and suggestion.
pub(super) struct FoundProblem {
    pub(super) problem: Problem,
    /// Relative to the root.
    pub(super) target: Option<Vec<u8>>,
    /// The page that lacks the fragment.
    pub(super) page: Option<u32>,
    /// The base of the link, if it is not the page.
    pub(super) base: Option<String>,
    pub(super) form: Option<DestinationForm>,
    /// The byte of the reference at which it is invalid, and the character encoding of the page.
    pub(super) error: Option<(usize, Option<&'static Encoding>)>,
}

impl FoundProblem {
    pub(super) fn new(
        judge: &Judge<'_>,
        link: &Link<'_>,
        locate: &mut Locate<'_, '_>,
        Failure { kind, target, note }: Failure,
    ) -> Self {
        let (place, form) = locate().map_or((None, None), |found| (Some(found.place), found.form));
        let problem = Problem { place, ..Problem::of(link, kind, judge.site.shown(link.uri), note) };
        let error = match link.rejected {
            Some(Rejected::Invalid(error)) => Some((error.position(), link.page_charset)),
            _ => None,
        };
        FoundProblem { problem, target, page: None, base: judge.base().map(str::to_owned), form, error }
    }

    /// Returns the size in bytes of the problem with its texts.
    fn len(&self) -> usize {
        self.problem.len() + self.target.as_ref().map_or(0, Vec::len) + self.base.as_ref().map_or(0, String::len)
    }
}

/// The problems of a page, as far as the first pass knows them.
#[derive(Default)]
pub(super) struct PageProblems {
    list: Vec<FoundProblem>,
    /// The size of `list` in bytes, with its texts.
    len: usize,
    /// The page must be read again for the others.
    pub(super) has_others: bool,
}

impl PageProblems {
    /// The size of `list` in bytes above which no more problems are added.
    const MAX_LEN: usize = 1 << 18;

    pub(super) fn add(&mut self, problem: impl FnOnce() -> FoundProblem) {
        if self.has_others {
            return;
        }
        let problem = problem();
        self.len += problem.len();
        self.list.push(problem);
        self.has_others = self.len > Self::MAX_LEN;
    }
}

/// The pages whose problems are all known after the first pass.
#[derive(Default)]
pub(super) struct KnownProblems {
    pub(super) pages: HashMap<u32, Vec<FoundProblem>>,
    /// The size of all problems in `pages`, in bytes.
    len: usize,
}

impl KnownProblems {
    /// The most bytes of all problems in `pages`. Problems of a page that would exceed them are not kept.
    const MAX_LEN: usize = 4 << 20;

    pub(super) fn add(&mut self, page: u32, problems: PageProblems) {
        let PageProblems { list, len, has_others } = problems;
        if !has_others && self.len + len <= Self::MAX_LEN {
            self.len += len;
            self.pages.insert(page, list);
        }
    }
}
