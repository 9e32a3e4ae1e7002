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
    pub(super) fn new(judge: &Judge<'_>, link: &Link<'_>, locate: &mut Locate<'_, '_>, failure: Failure) -> Self {
        let mut texts = PackedTexts::default();
        PackedProblem::new(judge, link, locate, failure, &mut texts).unpack(&mut (&texts.texts, &texts.targets))
    }
}

/// The problems of a page, as far as the first pass knows them. They are packed: most of the problems of a site are the same few on
/// all pages, and each with strings of its own takes thrice the memory.
#[derive(Default)]
pub(super) struct PageProblems {
    list: Vec<PackedProblem>,
    texts: PackedTexts,
    /// The page must be read again for the others.
    pub(super) has_others: bool,
}

/// The texts and the targets of packed problems, one after another.
#[derive(Default)]
struct PackedTexts {
    texts: String,
    targets: Vec<u8>,
}

/// A [`FoundProblem`] without its texts.
struct PackedProblem {
    kind: ProblemKind,
    place: Option<Place>,
    form: Option<DestinationForm>,
    error: Option<(usize, Option<&'static Encoding>)>,
    /// The lengths of its texts in bytes; [`NO_TEXT`](Self::NO_TEXT) without one.
    text_lens: [u32; 6],
    target_len: u32,
}

impl PackedProblem {
    const NO_TEXT: u32 = u32::MAX;

    /// Appends its texts to `packed`.
    fn new(
        judge: &Judge<'_>,
        link: &Link<'_>,
        locate: &mut Locate<'_, '_>,
        Failure { kind, target, note }: Failure,
        packed: &mut PackedTexts,
    ) -> Self {
        let (place, form) = locate().map_or((None, None), |found| (Some(found.place), found.form));
        let error = match link.rejected {
            Some(Rejected::Invalid(error)) => Some((error.position(), link.page_charset)),
            _ => None,
        };
        let uri = (kind != ProblemKind::Invalid).then(|| judge.site.shown(link.uri));
        let [element, attribute, reference] = [link.element, link.attribute, link.reference].map(Some);
        let text_lens = [element, attribute, reference, uri, note.as_deref(), judge.base()].map(|text| {
            packed.texts.push_str(text.unwrap_or_default());
            text.map_or(Self::NO_TEXT, |text| text.len() as u32)
        });
        packed.targets.extend_from_slice(target.as_deref().unwrap_or_default());
        let target_len = target.map_or(Self::NO_TEXT, |target| target.len() as u32);
        PackedProblem { kind, place, form, error, text_lens, target_len }
    }

    /// Takes its texts and its target from the start of those that follow.
    fn unpack(self, (texts, targets): &mut (&str, &[u8])) -> FoundProblem {
        let PackedProblem { kind, place, form, error, text_lens, target_len } = self;
        let [element, attribute, reference, uri, note, base] = text_lens.map(|len| {
            let (text, rest) = texts.split_at_checked(len as usize).filter(|_| len != Self::NO_TEXT)?;
            *texts = rest;
            Some(text.to_owned())
        });
        let [element, attribute, reference] = [element, attribute, reference].map(Option::unwrap_or_default);
        let problem = Problem { place, uri, note, ..Problem::new(kind, element, attribute, reference) };
        let target = targets.split_at_checked(target_len as usize).filter(|_| target_len != Self::NO_TEXT);
        let target = target.map(|(target, rest)| {
            *targets = rest;
            target.to_vec()
        });
        FoundProblem { problem, target, page: None, base, form, error }
    }
}

impl PageProblems {
    /// The size in bytes above which no more problems are added.
    const MAX_LEN: usize = 1 << 20;

    pub(super) fn add(&mut self, judge: &Judge<'_>, link: &Link<'_>, locate: &mut Locate<'_, '_>, failure: Failure) {
        if !self.has_others {
            self.list.push(PackedProblem::new(judge, link, locate, failure, &mut self.texts));
            self.has_others = self.len() > Self::MAX_LEN;
        }
    }

    /// Returns the size of all problems in bytes.
    fn len(&self) -> usize {
        size_of_val(&*self.list) + self.texts.texts.len() + self.texts.targets.len()
    }

    /// Leaves no room for more problems.
    pub(super) fn shrunk(mut self) -> Self {
        self.list.shrink_to_fit();
        self.texts.texts.shrink_to_fit();
        self.texts.targets.shrink_to_fit();
        self
    }

    /// Calls `each` with all problems, until it fails.
    pub(super) fn try_for_each(self, mut each: impl FnMut(FoundProblem) -> io::Result<()>) -> io::Result<()> {
        let mut texts = (&*self.texts.texts, &*self.texts.targets);
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
    /// About the bytes that a page takes without its problems.
    const PAGE_LEN: usize = 250;

    pub(super) fn add(&mut self, page: u32, problems: PageProblems) {
        let len = Self::PAGE_LEN + problems.len();
        if !problems.has_others && self.len + len <= Self::MAX_LEN {
            self.len += len;
            self.pages.insert(page, problems);
        }
    }
}
