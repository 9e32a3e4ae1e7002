//! The parts of a base that are found once, when it is prepared.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use core::ops::Deref;

use super::cuts::{Cut, Cuts};
use super::dotless::DotlessDirectory;
use super::dots::{Stack, last_dots_end};
use super::long_segments::LongSegments;
use super::slash_runs::SlashRuns;
use crate::rules::Rules;
use crate::scan::{find_byte, has_double_slash};
use crate::uri::UriRef;

/// The length from scheme to path end up to which only dot segments make [costly parts](Prepared::costly). Not greater than that of
/// a long segment: without costly parts, none is known.
const MAX_LEN_WITHOUT_COSTLY: usize = LongSegments::MIN_LEN;

/// The parts of a base besides its text.
#[derive(Clone)]
pub(crate) struct Prepared {
    pub(crate) offsets: UriRef<()>,
    pub(crate) rules: Rules,
    /// The byte after the last slash of the path; without a slash, the byte at which the path starts.
    pub(crate) directory_end: usize,
    /// The base ends in a host, and its missing path is read as `/`: the path is empty after an authority or, by level, ends in
    /// `:`, exactly two slashes and a text without a slash. There is no cut for a relative path, nor for parameters as a component.
    pub(crate) ends_in_host: bool,
    pub(crate) cuts: Cuts,
    /// The parts that are found only for dot segments in the directory, or a long base: there, a walk for each reference would cost
    /// too much.
    costly: Option<Box<CostlyParts>>,
}

#[derive(Clone)]
struct CostlyParts {
    /// `None` by component.
    slash_runs: Option<SlashRuns>,
    /// `None` without dot segments.
    dotless: Option<DotlessDirectory>,
    /// The long segments of the directory in `dotless`, or else of the path as it is written.
    long_segments: LongSegments,
}

impl Prepared {
    /// `uri` must have a scheme.
    #[inline(always)]
    pub(crate) fn new(uri: UriRef<&str>, rules: Rules) -> Self {
        Prepared::with_dots_search(uri, rules, |directory| last_dots_end(directory).is_some())
    }

    /// `has_dots` gets the directory with its last slash.
    #[inline(always)]
    pub(crate) fn with_dots_search(uri: UriRef<&str>, rules: Rules, has_dots: impl Fn(&[u8]) -> bool) -> Self {
        let bytes = uri.as_str().as_bytes();
        let path_end = path_end_by(&uri, rules);
        let mut cuts = Cuts::by_component(bytes, uri.scheme_end, uri.path_start, path_end, rules.drops_all_surplus());
        let directory_end = cuts.directory_end();
        let is_dotted = has_dots(&bytes[uri.path_start..directory_end]);
        let mut ends_in_host = uri.path_start == path_end && uri.path_start > uri.scheme_end;
        if rules.by_level() && needs_slash_runs(&uri, path_end) {
            let runs = SlashRuns::new(bytes, uri.scheme_end..path_end, rules.slashes);
            ends_in_host = runs.ends_in_host();
            cuts.set_for_slashes(|level| {
                let cut = runs.choose(level).at();
                if is_dotted && cut > uri.path_start { Cut::NONE } else { Cut::new(cut) }
            });
            cuts.remove_cuts_across_double_slash(bytes);
        }
        if is_dotted || ends_in_host {
            cuts.for_parents.fill(Cut::NONE);
        }
        let costly = if is_dotted || path_end - uri.scheme_end > MAX_LEN_WITHOUT_COSTLY {
            let dotted_end = if ends_in_host { path_end } else { directory_end.saturating_sub(1) };
            Some(CostlyParts::new(&uri, path_end, is_dotted.then_some(dotted_end), rules))
        } else {
            None
        };
        Prepared { offsets: uri.with_text(()), rules, directory_end, ends_in_host, cuts, costly }
    }
}

impl CostlyParts {
    /// `dotted_end` is the end of a directory with dot segments, without its last slash; `path_end` if the base ends in a host.
    #[cold]
    fn new(uri: &UriRef<&str>, path_end: usize, dotted_end: Option<usize>, rules: Rules) -> Box<Self> {
        let (text, start) = (uri.as_str(), uri.path_start);
        let region = uri.scheme_end..path_end;
        let slash_runs = rules.by_level().then(|| SlashRuns::new(text.as_bytes(), region, rules.slashes));
        let dotless = dotted_end.map(|end| {
            let stack = Stack::new(None, LongSegments::NONE, rules, uri.authority() == Some(""));
            let cuts = slash_runs.iter().flat_map(SlashRuns::cuts);
            DotlessDirectory::new(&text[..path_end], start..end, stack, cuts)
        });
        let long_segments = match &dotless {
            Some(dotless) => LongSegments::new(dotless.directory().unwrap_or_default()),
            None => LongSegments::new(&text[start..path_end]),
        };
        Box::new(CostlyParts { slash_runs, dotless, long_segments })
    }
}

/// A prepared base and its text. References are resolved on it.
#[derive(Clone, Copy)]
pub(crate) struct BorrowedBase<'b> {
    pub(crate) text: &'b str,
    pub(crate) prepared: &'b Prepared,
}

impl Deref for BorrowedBase<'_> {
    type Target = Prepared;

    #[inline(always)]
    fn deref(&self) -> &Prepared {
        self.prepared
    }
}

impl<'b> BorrowedBase<'b> {
    #[inline(always)]
    pub(crate) fn as_str(&self) -> &'b str {
        self.text
    }

    #[inline(always)]
    pub(crate) fn uri_ref(&self) -> UriRef<&'b str> {
        self.prepared.offsets.with_text(self.text)
    }

    pub(crate) fn scheme(&self) -> &'b str {
        &self.as_str()[..self.offsets.scheme_end - 1]
    }

    /// Parameters that are a component are not part of the path.
    pub(crate) fn path_end_by_rules(&self) -> usize {
        path_end_by(&self.uri_ref(), self.rules)
    }

    /// Returns the slash runs, by level only. They are searched for at each call if the base has no
    /// [costly parts](Prepared::costly).
    pub(crate) fn slash_runs(&self) -> Cow<'b, SlashRuns> {
        let kept = self.prepared.costly.as_ref().and_then(|parts| parts.slash_runs.as_ref());
        let region = self.offsets.scheme_end..self.path_end_by_rules();
        kept.map_or_else(|| Cow::Owned(SlashRuns::new(self.text.as_bytes(), region, self.rules.slashes)), Cow::Borrowed)
    }

    pub(crate) fn dotless(&self) -> Option<&'b DotlessDirectory> {
        self.prepared.costly.as_ref()?.dotless.as_ref()
    }

    /// The long segments of [`directory`](BorrowedBase::directory) or, for a base without dot segments, of its whole path.
    pub(crate) fn long_segments(&self) -> &'b LongSegments {
        self.prepared.costly.as_ref().map_or(LongSegments::NONE, |parts| &parts.long_segments)
    }

    /// Returns the segments that a relative path is appended to, without dot segments. No slash at the end: empty for `/`.
    pub(crate) fn directory(&self) -> Option<&'b str> {
        match self.dotless() {
            Some(dotless) => dotless.directory(),
            None => self.directory_with_dots(),
        }
    }

    /// Like [`directory`](BorrowedBase::directory), but as the base has them, with dot segments.
    pub(crate) fn directory_with_dots(&self) -> Option<&'b str> {
        let end = if self.ends_in_host { Some(self.path_end_by_rules()) } else { self.directory_end.checked_sub(1) };
        end.and_then(|end| self.as_str().get(self.offsets.path_start..end))
    }
}

/// The path ends at its first `;` if parameters are a component.
#[inline(always)]
pub(crate) fn path_end_by(uri: &UriRef<&str>, rules: Rules) -> usize {
    match rules.params.then(|| find_byte(uri.path().as_bytes(), b';')).flatten() {
        Some(at) => uri.path_start + at,
        None => uri.path_end,
    }
}

/// If false, the cuts by level are certainly the same as those by component.
#[inline(never)]
pub(super) fn needs_slash_runs(uri: &UriRef<&str>, path_end: usize) -> bool {
    let path = &uri.as_str().as_bytes()[uri.path_start..path_end];
    uri.path_start <= uri.scheme_end + "//".len() || has_double_slash(path)
}
