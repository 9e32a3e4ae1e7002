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
use crate::scan::{find_byte, has_run};
use crate::uri::UriRef;

/// The parts of a base that are found once: all but its text.
#[derive(Clone)]
pub(crate) struct Prepared {
    /// The offsets of the components.
    pub(crate) offsets: UriRef<()>,
    pub(crate) rules: Rules,
    /// The byte after the last slash of the path; if the path has no slash, the byte at which it starts.
    pub(crate) directory_end: usize,
    /// True if the base ends in a host: its path is empty after an authority or, by level, ends in `:`, exactly two slashes and
    /// text without a slash. The missing path after that host is read as `/`. A relative path follows that slash, and so do
    /// parameters where these are a component. No cut is prepared for these references.
    pub(crate) ends_in_host: bool,
    /// The cuts for common references.
    pub(crate) cuts: Cuts,
    /// The parts that are found by a walk through the base. Present only if the base has dot segments or is longer than
    /// [`LongSegments::MIN_LEN`] bytes; without these parts, each reference would walk through it again.
    costly: Option<Box<CostlyParts>>,
}

/// The parts of a base that are found by a walk through all of its path.
#[derive(Clone)]
struct CostlyParts {
    /// The slash runs, if the rules are by level.
    slash_runs: Option<SlashRuns>,
    /// The directory without its dot segments; `None` if it has no dot segments.
    dotless: Option<DotlessDirectory>,
    /// The long segments of `dotless`, or of the path if `dotless` is `None`.
    long_segments: LongSegments,
}

impl Prepared {
    /// Prepares an absolute URI.
    #[inline(always)]
    pub(crate) fn new(uri: UriRef<&str>, rules: Rules) -> Self {
        Prepared::of(uri, rules, |directory| last_dots_end(directory).is_some())
    }

    /// Does what [`new`](Prepared::new) does, with another search for dot segments. `has_dots` gets the directory with its last
    /// slash, and returns true if that has dot segments.
    #[inline(always)]
    pub(crate) fn of(uri: UriRef<&str>, rules: Rules, has_dots: impl Fn(&[u8]) -> bool) -> Self {
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
            cuts.stop_at_run(bytes);
        }
        if is_dotted || ends_in_host {
            cuts.for_parents.fill(Cut::NONE);
        }
        let costly = if is_dotted || path_end - uri.scheme_end > LongSegments::MIN_LEN {
            let dotted_end = if ends_in_host { path_end } else { directory_end.saturating_sub(1) };
            Some(CostlyParts::new(&uri, path_end, is_dotted.then_some(dotted_end), rules))
        } else {
            None
        };
        Prepared { offsets: uri.with_text(()), rules, directory_end, ends_in_host, cuts, costly }
    }
}

impl CostlyParts {
    /// Walks through a base, whose path ends at byte `path_end`. `dotted_end` is the byte after the last segment of its directory;
    /// `None` if the directory has no dot segments.
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

/// A prepared base that is borrowed. The engine works on this type, whatever text a [`Base`](super::base::Base) holds.
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

    /// Returns the URI of the base and its components. It is not split again.
    #[inline(always)]
    pub(crate) fn uri_ref(&self) -> UriRef<&'b str> {
        self.prepared.offsets.with_text(self.text)
    }

    pub(crate) fn scheme(&self) -> &'b str {
        &self.as_str()[..self.offsets.scheme_end - 1]
    }

    /// Returns the byte at which the path of the base ends. Where parameters are a component, they are not part of the path.
    pub(crate) fn path_end_by_rules(&self) -> usize {
        path_end_by(&self.uri_ref(), self.rules)
    }

    /// Returns the slash runs of the base, which only rules by level need. Those of a base without dot segments and up to 1 KiB are
    /// searched for at each call.
    pub(crate) fn slash_runs(&self) -> Cow<'b, SlashRuns> {
        let kept = self.prepared.costly.as_ref().and_then(|parts| parts.slash_runs.as_ref());
        let region = self.offsets.scheme_end..self.path_end_by_rules();
        kept.map_or_else(|| Cow::Owned(SlashRuns::new(self.text.as_bytes(), region, self.rules.slashes)), Cow::Borrowed)
    }

    /// Returns the directory of the base without its dot segments; `None` if it has no dot segments.
    pub(crate) fn dotless(&self) -> Option<&'b DotlessDirectory> {
        self.prepared.costly.as_ref()?.dotless.as_ref()
    }

    /// Returns the long segments of the path of the base or, if it has dot segments, of [`directory`](BorrowedBase::directory). A
    /// base without dot segments and of at most [`LongSegments::MIN_LEN`] bytes has none.
    pub(crate) fn long_segments(&self) -> &'b LongSegments {
        self.prepared.costly.as_ref().map_or(LongSegments::NONE, |parts| &parts.long_segments)
    }

    /// Reports whether the base has the parts that are found by a walk through it.
    pub(crate) fn has_costly_parts(&self) -> bool {
        self.prepared.costly.is_some()
    }

    /// Returns the segments that a relative path is appended to, without dot segments and without the slash after them; `None` if
    /// there are no segments.
    pub(crate) fn directory(&self) -> Option<&'b str> {
        match self.dotless() {
            Some(dotless) => dotless.directory(),
            None => self.written_directory(),
        }
    }

    /// Returns the segments that a relative path is appended to, as they are written in the base and without the slash after them;
    /// `None` if there are no segments.
    pub(crate) fn written_directory(&self) -> Option<&'b str> {
        let end = if self.ends_in_host { Some(self.path_end_by_rules()) } else { self.directory_end.checked_sub(1) };
        end.and_then(|end| self.as_str().get(self.offsets.path_start..end))
    }
}

/// Returns the byte at which the path of a URI ends. Where parameters are a component, they are not part of the path.
#[inline(always)]
pub(crate) fn path_end_by(uri: &UriRef<&str>, rules: Rules) -> usize {
    match rules.params.then(|| find_byte(uri.path().as_bytes(), b';')).flatten() {
        Some(at) => uri.path_start + at,
        None => uri.path_end,
    }
}

/// Reports whether a URI has no authority or an empty one, or has a run of two or more slashes in its path, which ends at byte
/// `path_end`.
#[inline(never)]
fn needs_slash_runs(uri: &UriRef<&str>, path_end: usize) -> bool {
    let path = &uri.as_str().as_bytes()[uri.path_start..path_end];
    uri.path_start <= uri.scheme_end + "//".len() || has_run(path)
}
