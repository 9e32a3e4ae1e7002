//! The parts of a base that are found once, when it is prepared.

use alloc::boxed::Box;
use alloc::string::String;
use core::ops::Deref;

use super::cuts::Cuts;
use super::dots::{Path, has_dot_segments};
use super::slash_runs::SlashRuns;
use crate::rules::Rules;
use crate::scan::{find_byte, has_double_slash};
use crate::uri::UriRef;

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
    /// The directory once its dot segments are removed, a slash after each segment; `None` if it has no dot segments.
    dotless: Option<Box<str>>,
}

impl Prepared {
    /// `uri` must have a scheme.
    #[inline(always)]
    pub(crate) fn new(uri: UriRef<&str>, rules: Rules) -> Self {
        let (text, path_end) = (uri.as_str(), path_end_by(&uri, rules));
        let mut cuts = Cuts::by_component(&uri, path_end, rules.drops_all_surplus());
        let directory_end = cuts.for_parents[0];
        let is_dotted = has_dot_segments(&text[uri.path_start..directory_end]);
        let mut ends_in_host = uri.path_start == path_end && uri.path_start > uri.scheme_end;
        if rules.by_level() && needs_slash_runs(&uri, path_end) {
            let runs = SlashRuns::new(text.as_bytes(), uri.scheme_end..path_end, rules.slashes);
            ends_in_host = runs.ends_in_host();
            cuts.for_slashes = [1, 2].map(|level| match runs.choose(level).at() {
                cut if is_dotted && cut > uri.path_start => Cuts::NONE,
                cut => cut,
            });
            cuts.remove_across_double_slash(text.as_bytes());
        }
        if is_dotted || ends_in_host {
            cuts.for_parents.fill(Cuts::NONE);
        }
        let mut prepared =
            Prepared { offsets: uri.with_text(()), rules, directory_end, ends_in_host, cuts, dotless: None };
        if is_dotted {
            prepared.dotless = Some(prepared.without_dots(uri.as_str()));
        }
        prepared
    }

    // Once for each base, not for each reference: a page can have a base of many dot segments, and many links.
    #[cold]
    fn without_dots(&self, text: &str) -> Box<str> {
        let base = BorrowedBase { text, prepared: self };
        let mut path = Path::new(self.rules, base.uri_ref().authority() == Some(""));
        base.directory_as_written().into_iter().for_each(|directory| path.append(directory, false, &mut ()));
        path.segments.iter().flat_map(|segment| [segment, "/"]).collect::<String>().into_boxed_str()
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
    pub(crate) fn uri_ref(&self) -> UriRef<&'b str> {
        self.prepared.offsets.with_text(self.text)
    }

    pub(crate) fn scheme(&self) -> &'b str {
        &self.text[..self.offsets.scheme_end - 1]
    }

    /// Parameters that are a component are not part of the path.
    pub(crate) fn path_end_by_rules(&self) -> usize {
        path_end_by(&self.uri_ref(), self.rules)
    }

    /// Returns the slash runs, which only rules by level look for.
    pub(crate) fn slash_runs(self) -> SlashRuns {
        let region = self.offsets.scheme_end..self.path_end_by_rules();
        SlashRuns::new(self.text.as_bytes(), region, self.rules.slashes)
    }

    /// Returns the segments that a relative path is appended to, without dot segments. No slash at the end: empty for `/`.
    pub(crate) fn directory(self) -> Option<&'b str> {
        match &self.prepared.dotless {
            Some(dotless) => dotless.strip_suffix('/'),
            None => self.directory_as_written(),
        }
    }

    /// Like [`directory`](BorrowedBase::directory), but with dot segments.
    pub(crate) fn directory_as_written(self) -> Option<&'b str> {
        let end = if self.ends_in_host { Some(self.path_end_by_rules()) } else { self.directory_end.checked_sub(1) };
        end.and_then(|end| self.text.get(self.offsets.path_start..end))
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
