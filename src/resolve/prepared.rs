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

/// The greatest number of bytes, from the end of the scheme to the end of the path, of a base that has no
/// [costly parts](Prepared::costly) unless it has dot segments. It must not be greater than the length of a long segment: without
/// costly parts, no long segment is known.
const MAX_LEN_WITHOUT_COSTLY: usize = LongSegments::MIN_LEN;

/// All that a prepared base has besides its text: the parts that are found once, when it is prepared.
#[derive(Clone)]
pub struct Prepared {
    /// The bytes of the text at which the components start and end.
    pub(crate) offsets: UriRef<()>,
    pub(crate) rules: Rules,
    /// The byte after the last slash of the path; if the path has no slash, the byte at which it starts.
    pub(crate) directory_end: usize,
    /// True if the base ends in a host, and the path after that host is missing. That is so if the path is empty after an authority
    /// or, by level, if the path ends in `:`, exactly two slashes and a text without a slash, which may be empty. The missing path
    /// is read as `/`: a relative path comes after that slash, and so do parameters where these are a component. No cut is prepared
    /// for these references.
    pub(crate) ends_in_host: bool,
    /// The cuts for frequent references.
    pub(crate) cuts: Cuts,
    /// The parts that are found by a walk through the whole path. Present only for a base that has dot segments in its directory,
    /// or more than [`MAX_LEN_WITHOUT_COSTLY`] bytes from the end of its scheme to the end of its path: there, a walk for each
    /// reference would cost too much.
    costly: Option<Box<CostlyParts>>,
}

/// The parts of a base that are found by a walk through all of its path.
#[derive(Clone)]
struct CostlyParts {
    /// The slash runs; `None` if the rules are by component.
    slash_runs: Option<SlashRuns>,
    /// The directory after its dot segments were removed; `None` if the directory has no dot segments.
    dotless: Option<DotlessDirectory>,
    /// The long segments of the directory in `dotless`; if `dotless` is `None`, of the path as it is written.
    long_segments: LongSegments,
}

impl Prepared {
    /// Prepares a base. `uri` must have a scheme.
    #[inline(always)]
    pub(crate) fn new(uri: UriRef<&str>, rules: Rules) -> Self {
        Prepared::with_dots_search(uri, rules, |directory| last_dots_end(directory).is_some())
    }

    /// Prepares a base as [`new`](Prepared::new) does, but lets the caller choose the search for dot segments. `has_dots` gets the
    /// directory with its last slash, and returns true if the directory has dot segments.
    #[inline(always)]
    pub(crate) fn with_dots_search(uri: UriRef<&str>, rules: Rules, has_dots: impl Fn(&[u8]) -> bool) -> Self {
        let bytes = uri.as_str().as_bytes();
        let path_end = path_end_by(&uri, rules);
        let mut cuts = Cuts::by_component(bytes, uri.scheme_end, uri.path_start, path_end);
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
    /// Finds the costly parts of the base `uri`, whose path ends at byte `path_end` of its text. `dotted_end` is `None` if the
    /// directory has no dot segments. Else it is the byte at which the directory ends, without its last slash; if the base ends in
    /// a host, it is `path_end`.
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

/// A prepared base that is borrowed, so that it can be copied. References are resolved on this type, whatever type of text a
/// [`Base`](super::base::Base) holds.
#[derive(Clone, Copy)]
pub struct BorrowedBase<'b> {
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
    /// Returns the URI, as given.
    #[inline(always)]
    pub fn as_str(&self) -> &'b str {
        self.text
    }

    /// Returns the URI of the base with its components, from the prepared offsets.
    #[inline(always)]
    pub(crate) fn uri_ref(&self) -> UriRef<&'b str> {
        self.prepared.offsets.with_text(self.text)
    }

    /// Returns the scheme, without its colon.
    pub fn scheme(&self) -> &'b str {
        &self.as_str()[..self.offsets.scheme_end - 1]
    }

    /// Returns the rule set.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the byte at which the path of the base ends; parameters that are a component are not part of it.
    pub(crate) fn path_end_by_rules(&self) -> usize {
        path_end_by(&self.uri_ref(), self.rules)
    }

    /// Returns the slash runs of the base, whose rules must be by level. If the base has no [costly parts](Prepared::costly), they
    /// are searched for at each call.
    pub(crate) fn slash_runs(&self) -> Cow<'b, SlashRuns> {
        let kept = self.prepared.costly.as_ref().and_then(|parts| parts.slash_runs.as_ref());
        let region = self.offsets.scheme_end..self.path_end_by_rules();
        kept.map_or_else(|| Cow::Owned(SlashRuns::new(self.text.as_bytes(), region, self.rules.slashes)), Cow::Borrowed)
    }

    /// Returns the directory of the base after its dot segments were removed; `None` if the directory has no dot segments.
    pub(crate) fn dotless(&self) -> Option<&'b DotlessDirectory> {
        self.prepared.costly.as_ref()?.dotless.as_ref()
    }

    /// Returns the long segments of the text that [`directory`](BorrowedBase::directory) returns; for a base without dot segments,
    /// the long segments of its whole path. A base without [costly parts](Prepared::costly) has none.
    pub(crate) fn long_segments(&self) -> &'b LongSegments {
        self.prepared.costly.as_ref().map_or(LongSegments::NONE, |parts| &parts.long_segments)
    }

    /// Returns the segments that a relative path is appended to, after dot segments were removed from them. Slashes are between
    /// them, and none after the last one: the text is empty for the directory `/`. `None` if there are no segments.
    pub(crate) fn directory(&self) -> Option<&'b str> {
        match self.dotless() {
            Some(dotless) => dotless.directory(),
            None => self.directory_with_dots(),
        }
    }

    /// Returns the segments that a relative path is appended to, as the base has them, with dot segments. Slashes are between them,
    /// and none after the last one: the text is empty for the directory `/`. `None` if there are no segments.
    pub(crate) fn directory_with_dots(&self) -> Option<&'b str> {
        let end = if self.ends_in_host { Some(self.path_end_by_rules()) } else { self.directory_end.checked_sub(1) };
        end.and_then(|end| self.as_str().get(self.offsets.path_start..end))
    }
}

/// Returns the byte of a URI or reference at which its path ends under `rules`: at the first `;` of the path if parameters are a
/// component; else, or if there is no `;`, at the query, the fragment or the end of the text.
#[inline(always)]
pub(crate) fn path_end_by(uri: &UriRef<&str>, rules: Rules) -> usize {
    match rules.params.then(|| find_byte(uri.path().as_bytes(), b';')).flatten() {
        Some(at) => uri.path_start + at,
        None => uri.path_end,
    }
}

/// Reports whether the cuts by level may differ from those by component. They may if the URI has no authority or an empty one, or a
/// run of two or more slashes in its path. `path_end` is the byte at which the path ends.
#[inline(never)]
pub(super) fn needs_slash_runs(uri: &UriRef<&str>, path_end: usize) -> bool {
    let path = &uri.as_str().as_bytes()[uri.path_start..path_end];
    uri.path_start <= uri.scheme_end + "//".len() || has_double_slash(path)
}
