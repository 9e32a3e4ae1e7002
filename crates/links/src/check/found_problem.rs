//! Problems as they are found: without the paths and suggestions that their reports have.

use std::collections::HashMap;
use std::io;

use encoding_rs::Encoding;

use super::judge::{Failure, Judge};
use super::problem::{Problem, ProblemKind};
use crate::html::{DestinationForm, Link, Locate, Place, Rejected};

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
}

/// The problems of a page, as far as the first pass knows them. They are packed: most of the problems of a site are the same few on
/// all pages, and each with strings of its own takes thrice the memory.
#[derive(Default)]
pub(super) struct PageProblems {
    list: Vec<PackedProblem>,
    texts: Vec<u8>,
    /// The page must be read again for the others.
    pub(super) has_others: bool,
}

/// A [`FoundProblem`] without its texts.
struct PackedProblem {
    kind: ProblemKind,
    place: Option<Place>,
    form: Option<DestinationForm>,
    error: Option<(usize, Option<&'static Encoding>)>,
    /// The lengths of its texts in bytes, which follow one another; [`NO_TEXT`](Self::NO_TEXT) without one.
    lens: [u32; 7],
}

impl PackedProblem {
    const NO_TEXT: u32 = u32::MAX;

    /// The texts are the first of `texts`, which are taken from it.
    fn unpack(self, texts: &mut &[u8]) -> FoundProblem {
        let PackedProblem { kind, place, form, error, lens } = self;
        let mut next = |len: u32| {
            let (text, rest) = texts.split_at_checked(len as usize).filter(|_| len != Self::NO_TEXT)?;
            *texts = rest;
            Some(text)
        };
        let [element, attribute, reference, uri, note, target, base] = lens.map(&mut next);
        let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default().to_owned();
        let [element, attribute, reference] =
            [element, attribute, reference].map(|bytes| bytes.map_or(String::new(), text));
        let [uri, note, base] = [uri, note, base].map(|bytes| bytes.map(text));
        let problem = Problem { place, uri, note, ..Problem::new(kind, element, attribute, reference) };
        FoundProblem { problem, target: target.map(<[u8]>::to_vec), page: None, base, form, error }
    }
}

impl PageProblems {
    /// The size in bytes above which no more problems are added.
    const MAX_LEN: usize = 1 << 20;

    pub(super) fn add(&mut self, problem: impl FnOnce() -> FoundProblem) {
        if self.has_others {
            return;
        }
        let FoundProblem { problem, target, base, form, error, .. } = problem();
        let Problem { kind, place, element, attribute, reference, uri, note, .. } = problem;
        let texts =
            [Some(element), Some(attribute), Some(reference), uri, note].map(|text| text.map(String::into_bytes));
        let [element, attribute, reference, uri, note] = &texts;
        let base = base.map(String::into_bytes);
        let texts = [element, attribute, reference, uri, note, &target, &base];
        let lens = texts.map(|text| text.as_ref().map_or(PackedProblem::NO_TEXT, |text| text.len() as u32));
        texts.into_iter().flatten().for_each(|text| self.texts.extend_from_slice(text));
        self.list.push(PackedProblem { kind, place, form, error, lens });
        self.has_others = self.len() > Self::MAX_LEN;
    }

    /// Returns the size of all problems in bytes.
    fn len(&self) -> usize {
        size_of_val(&*self.list) + self.texts.len()
    }

    /// Calls `each` with all problems, until it fails.
    pub(super) fn try_for_each(self, mut each: impl FnMut(FoundProblem) -> io::Result<()>) -> io::Result<()> {
        let mut texts = &*self.texts;
        self.list.into_iter().try_for_each(|packed| each(packed.unpack(&mut texts)))
    }
}

/// The pages whose problems are all known after the first pass.
#[derive(Default)]
pub(super) struct KnownProblems {
    pub(super) pages: HashMap<u32, PageProblems>,
    /// The size of all problems in `pages`, in bytes.
    len: usize,
}

impl KnownProblems {
    /// The most bytes of all problems in `pages`. Problems of a page that would exceed them are not kept.
    const MAX_LEN: usize = 32 << 20;

    pub(super) fn add(&mut self, page: u32, mut problems: PageProblems) {
        let len = problems.len();
        if !problems.has_others && self.len + len <= Self::MAX_LEN {
            self.len += len;
            problems.list.shrink_to_fit();
            problems.texts.shrink_to_fit();
            self.pages.insert(page, problems);
        }
    }
}
