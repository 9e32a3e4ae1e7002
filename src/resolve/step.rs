//! The steps of a resolution.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::ops::Range;

use crate::by_name::enum_of_rows;
use crate::source::Source;

/// One step of a resolution.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Step<'a> {
    /// The action.
    pub action: Action,
    /// The text that the action is about: the kept text of the base, or the segment that was removed or kept. For
    /// [`Action::Absolute`] it is the whole reference, for [`Action::SchemeIgnored`] its scheme, for [`Action::EmptyLeftOut`] the
    /// delimiter, for [`Action::DotsKept`] the path, for [`Action::RootAdded`] `/`, for [`Action::Guard`] `/.`.
    pub text: &'a str,
    /// The words of a document that say so, or the decision of this crate where none does.
    pub source: Source,
}

// In the text, `{text}` is the text of the step, and `{run}` a description of the slash run.
enum_of_rows! {
    /// The action of a step. A range is of bytes of the base.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Action {
        /// The reference has a scheme: nothing of the base is used.
        Absolute "absolute" "the reference has a scheme: nothing of the base is used"
        /// The reference has the base's scheme, which non-strict rules ignore.
        SchemeIgnored "scheme-ignored" "ignore the scheme `{text}`, which is the base's"
        /// A part of the reference or the base is empty and counts as absent ([`Rules::empty_is_absent`](crate::Rules)).
        EmptyLeftOut "empty-left-out" "leave out `{text}`: it is empty and counts as absent"
        /// The reference is empty: the base is kept, without its fragment unless [`Rules::empty_is_whole`](crate::Rules).
        Empty "empty" "keep `{text}`: the reference is empty"
        /// All parts of the reference are empty and count as absent: the base is kept without its fragment.
        AllEmpty "all-empty" "keep `{text}`: all parts of the reference are empty"
        /// The reference is a fragment: the base is kept up to its own fragment.
        Fragment "fragment" "keep `{text}`: the reference is a fragment"
        /// The reference starts with `?`: the base is kept up to the end of its path.
        Query "query" "keep `{text}`: the reference starts with `?`"
        /// The reference starts with parameters: the base is kept up to its own parameters.
        Params "params" "keep `{text}`: the reference starts with parameters"
        /// Rules by level search for slash runs only up to the query, which has slashes, too.
        QueryLeftOut "query-left-out" "look for slash runs only in `{text}`, before the query"
        /// Rules by level cut the base before this slash run, the first of the reference's level without a longer run to its right.
        Run(Range<usize>) "run" "keep `{text}`: {run} is the first of its length with no longer run to its right"
        /// The draft's rules, by level, cut the base before this slash run, the first of the reference's level.
        FirstRun(Range<usize>) "first-run" "keep `{text}`: {run} is the first of its length"
        /// Rules by level find no slash run as in [`Run`](Action::Run) or [`FirstRun`](Action::FirstRun). The base is cut after the
        /// host that follows this longer run.
        Host(Range<usize>) "host" "keep `{text}`: no slash run fits the reference, and a host follows {run}"
        /// Rules by level find neither a slash run as in [`Run`](Action::Run) or [`FirstRun`](Action::FirstRun), nor a host as in
        /// [`Host`](Action::Host): the base is cut after its scheme.
        NoRun "no-run" "keep `{text}`: no slash run fits the reference, and there is no host"
        /// The reference has an authority: rules by component keep only the scheme of the base.
        Authority "authority" "keep `{text}`: the reference has an authority"
        /// The reference is rooted: rules by component keep the base up to its path.
        Root "root" "keep `{text}`: the reference is rooted"
        /// The reference is a relative path, or a query that replaces the last segment ([`Rules::query_replaces`](crate::Rules)): the
        /// text after the last slash of the base path is removed.
        Directory "directory" "keep `{text}`: the text after the last slash of the path is removed"
        /// The reference is as in [`Directory`](Action::Directory), but the base path has no slash: all of it is removed.
        WholePath "whole-path" "keep `{text}`: the path has no slash and is removed"
        /// The base ends in a host: its missing path counts as `/`.
        MissingPath "missing-path" "read the missing path after `{text}` as `/`"
        /// The dot segments of this path were kept.
        DotsKept "dots-kept" "keep the dot segments of `{text}`"
        /// A `.` was removed.
        DotRemoved "dot-removed" "remove `.`"
        /// This segment was removed by the `..` after it.
        SegmentRemoved "segment-removed" "remove `{text}/..`"
        /// A path without a root became rooted, because its only segment was removed by a `..` (RFC 3986).
        RootAdded "root-added" "start the path with `/`, which stays of `/..`"
        /// A `..` had nothing to remove and was kept.
        SurplusKept "surplus-kept" "keep surplus `..`: no segment before it can be removed"
        /// A `..` had nothing to remove and was dropped.
        SurplusDropped "surplus-dropped" "drop surplus `..`: no segment before it can be removed"
        /// A dot segment right after a run of two or more slashes was kept, because a host may be there.
        DotsAfterRun "dots-after-run" "keep `{text}` right after a slash run"
        /// The path would start with `//` and be read as an authority: `/.` was written before it.
        Guard "guard" "write `/.` before the path, which would be read as an authority"
    }
}

impl Action {
    /// Returns a name for machines, in kebab case.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.row().0
    }

    /// Returns the bytes of the slash run that was chosen, if one was.
    #[must_use]
    pub fn run(&self) -> Option<Range<usize>> {
        match self {
            Action::Run(run) | Action::FirstRun(run) | Action::Host(run) => Some(run.clone()),
            _ => None,
        }
    }
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run = self.action.run().map_or_else(String::new, |run| {
            let plural = if run.len() == 1 { "" } else { "es" };
            format!("the run of {} slash{plural} at bytes {}..{}", run.len(), run.start, run.end)
        });
        let sentence = self.action.row().1.replace("{run}", &run).replace("{text}", self.text);
        write!(f, "{sentence} ({})", self.source)
    }
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    /// The path has no root, and nothing remains before the segment.
    pub(crate) is_first: bool,
    pub(crate) is_last: bool,
    /// The segment before it stays only because it is right after a run of two or more slashes.
    pub(crate) is_after_host: bool,
}

/// What is told each step of a resolution. `()` ignores them, at no cost.
pub(crate) trait Listener<'a> {
    /// If false, what only a step needs to know is not searched for.
    const LISTENS: bool = true;

    #[inline(always)]
    fn step(&mut self, action: Action, text: &'a str) {
        self.dots(action, text, Place::default());
    }

    fn dots(&mut self, action: Action, text: &'a str, place: Place);
}

impl<'a> Listener<'a> for () {
    const LISTENS: bool = false;

    #[inline(always)]
    fn dots(&mut self, _: Action, _: &'a str, _: Place) {}
}
