//! The parts of a base that are found once, when it is prepared.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use core::ops::Deref;

use super::cuts::{Cuts, Offset};
use super::dotless::DotlessDirectory;
use super::dots::{Stack, last_dots};
use super::long_segments::LongSegments;
use super::slash_runs::SlashRuns;
use crate::rules::Rules;
use crate::scan::{find_byte, has_run, slashes_back};
use crate::uri::UriRef;

/// The parts of a base that are found once: all but its text.
#[derive(Clone)]
pub(crate) struct Prepared {
    /// The offsets of the components.
    pub(crate) offsets: UriRef<()>,
    pub(crate) rules: Rules,
    /// The byte after the last slash of the path; the start of a path without one.
    pub(crate) directory_end: usize,
    /// True if the base ends in a host: its path is empty after an authority or, by level, ends in `:`, exactly two slashes and
    /// text without a slash. The missing path after that host is read as `/`: relative paths, and parameters where these are a
    /// component, follow such a slash, and no cut is prepared for them.
    pub(crate) ends_in_host: bool,
    /// By level: true if the URI has a slash run of two or more in its path, or has no host. If false, each level is cut where
    /// its component starts, and no `..` meets such a run.
    pub(crate) needs_slash_runs: bool,
    pub(crate) cuts: Cuts,
    /// Present if the base has dot segments or is long. Without it, each reference would walk through such a base again.
    walked: Option<Box<Walked>>,
}

/// The parts of a base that only a walk through it finds.
#[derive(Clone)]
struct Walked {
    /// The slash runs, for rules that cut by level.
    slash_runs: Option<SlashRuns>,
    /// The directory without its dot segments, if it has any.
    dotless: Option<DotlessDirectory>,
    /// The long segments of the path, or of that directory.
    long_segments: LongSegments,
}

impl Prepared {
    /// Prepares an absolute URI.
    #[inline(always)]
    pub(crate) fn new(uri: UriRef<&str>, rules: Rules) -> Self {
        Prepared::of(uri, rules, |directory| last_dots(directory).is_some())
    }

    /// Does what [`new`](Prepared::new) does. `has_dots` reports whether the directory has dot segments.
    #[inline(always)]
    pub(crate) fn of(uri: UriRef<&str>, rules: Rules, has_dots: impl Fn(&[u8]) -> bool) -> Self {
        let bytes = uri.as_str().as_bytes();
        let path_end = path_end(&uri, rules);
        let mut cuts = Cuts::by_component(bytes, uri.scheme_end, uri.path_start, path_end);
        let directory_end = cuts.directory_end();
        let is_dotted = has_dots(&bytes[uri.path_start..directory_end]);
        let mut ends_in_host = uri.path_start == path_end && uri.path_start > uri.scheme_end;
        let needs_slash_runs = rules.by_level() && needs_slash_runs(&uri, path_end);
        if needs_slash_runs {
            let runs = SlashRuns::new(bytes, uri.scheme_end..path_end, rules.slashes);
            ends_in_host = runs.ends_in_host();
            cuts.set_slashes(|level| {
                let cut = runs.cut(level).at();
                if is_dotted && cut > uri.path_start { Offset::NONE } else { Offset::new(cut) }
            });
            cuts.stop_at_run(bytes);
        }
        if is_dotted || ends_in_host {
            cuts.relative.fill(Offset::NONE);
        }
        let walked = if is_dotted || path_end - uri.scheme_end > LongSegments::LONG {
            let dotted_end = if ends_in_host { path_end } else { directory_end.saturating_sub(1) };
            Some(Walked::new(&uri, path_end, is_dotted.then_some(dotted_end), rules))
        } else {
            None
        };
        Prepared { offsets: uri.with_text(()), rules, directory_end, ends_in_host, needs_slash_runs, cuts, walked }
    }
}

impl Walked {
    /// Walks through a base. `dotted_end` is the byte after the last segment of its directory, if that has dot segments.
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
        Box::new(Walked { slash_runs, dotless, long_segments })
    }
}

/// A prepared base, borrowed: what the engine works on, whatever text the base holds.
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

    /// Returns the URI, split.
    pub(crate) fn uri_ref(&self) -> UriRef<&'b str> {
        self.prepared.offsets.with_text(self.text)
    }

    pub(crate) fn scheme(&self) -> &'b str {
        &self.as_str()[..self.offsets.scheme_end - 1]
    }

    /// Returns the byte at which its path ends, without the parameters where these are a component.
    pub(crate) fn path_end(&self) -> usize {
        path_end(&self.uri_ref(), self.rules)
    }

    /// Returns its slash runs, for rules that cut by level. Those of a short base are found anew each time.
    pub(crate) fn slash_runs(&self) -> Cow<'b, SlashRuns> {
        let found =
            || SlashRuns::new(self.as_str().as_bytes(), self.offsets.scheme_end..self.path_end(), self.rules.slashes);
        let kept = self.prepared.walked.as_ref().and_then(|walked| walked.slash_runs.as_ref());
        kept.map_or_else(|| Cow::Owned(found()), Cow::Borrowed)
    }

    /// Returns its directory without dot segments, if the base has any.
    pub(crate) fn dotless(&self) -> Option<&'b DotlessDirectory> {
        self.prepared.walked.as_ref()?.dotless.as_ref()
    }

    /// Returns the long segments of the text that [`directory`](BorrowedBase::directory) is, or is part of.
    pub(crate) fn long_segments(&self) -> &'b LongSegments {
        self.prepared.walked.as_ref().map_or(LongSegments::NONE, |walked| &walked.long_segments)
    }

    /// Finds the cut for more `../` than were prepared; `None` where a slash run may come before that, or the base is long.
    pub(crate) fn cut_above(&self, parents: usize) -> Option<usize> {
        if self.needs_slash_runs || self.walked.is_some() {
            return None;
        }
        let [.., last] = self.cuts.relative;
        let mut left = parents - (self.cuts.relative.len() - 1);
        let directory = self.as_str().as_bytes().get(..last.get()?)?;
        let mut cut = None;
        slashes_back(&directory[self.offsets.path_start..directory.len() - 1], |slash| {
            left -= 1;
            cut = (left == 0).then_some(self.offsets.path_start + slash + 1);
            left > 0
        });
        cut
    }

    /// Returns the segments that a relative path is appended to, without dot segments and without the slash after them.
    pub(crate) fn directory(&self) -> Option<&'b str> {
        match self.dotless() {
            Some(dotless) => dotless.directory(),
            None => self.written_directory(),
        }
    }

    /// Returns the segments that a relative path is appended to, as they are written, without the slash after them.
    pub(crate) fn written_directory(&self) -> Option<&'b str> {
        let end = if self.ends_in_host { Some(self.path_end()) } else { self.directory_end.checked_sub(1) };
        end.and_then(|end| self.as_str().get(self.offsets.path_start..end))
    }
}

/// Returns the byte at which the path of a URI ends, under rules that may make parameters a component of their own.
#[inline(always)]
pub(crate) fn path_end(uri: &UriRef<&str>, rules: Rules) -> usize {
    match rules.params.then(|| find_byte(uri.path().as_bytes(), b';')).flatten() {
        Some(at) => uri.path_start + at,
        None => uri.path_end,
    }
}

/// Reports whether a URI has a slash run of two or more in its path, or has no host.
#[inline(never)]
fn needs_slash_runs(uri: &UriRef<&str>, path_end: usize) -> bool {
    let path = &uri.as_str().as_bytes()[uri.path_start..path_end];
    uri.path_start <= uri.scheme_end + "//".len() || has_run(path)
}
