//! Slash runs: where RFC 1630 and its draft cut a base for a reference that starts with slashes.

use core::ops::Range;

use smallvec::SmallVec;

use crate::rules::Slashes;
use crate::scan::{find_byte, find_double_slash};

/// The slash runs of a base that decide where it is cut by level. The level of a run is its length in slashes.
///
/// They are found in one pass, and at most one run to cut before is kept for each level. Runs of *n* different levels take *n*²/2
/// bytes, so there are at most √(2*l*) of them in a base of *l* bytes.
#[derive(Clone, Debug)]
pub(crate) struct SlashRuns {
    /// The bytes from after the colon of the scheme to the end of the path.
    region: Range<usize>,
    /// The runs to cut before: at most one for each level, the longest first.
    runs: SmallVec<[Range<usize>; 4]>,
    /// The runs that a host follows, from left to right, with the byte at which the host ends. A host follows a run of two or more
    /// slashes at the start of the region or right after a `:`. Each run is longer than the next: none is chosen if one to its
    /// right is as long.
    hosts: SmallVec<[(Range<usize>, usize); 2]>,
}

/// The place where a base is cut for a reference of some level, which is the number of slashes at its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChosenCut {
    /// The run has the level of the reference.
    BeforeRun(Range<usize>),
    /// No run to cut before has the level. `run` is the last one longer than the level that a host follows.
    AfterHost { run: Range<usize>, end: usize },
    /// There is neither such a run nor such a host.
    AfterScheme(usize),
}

impl ChosenCut {
    pub(crate) fn at(&self) -> usize {
        match *self {
            ChosenCut::BeforeRun(ref run) => run.start,
            ChosenCut::AfterHost { end, .. } => end,
            ChosenCut::AfterScheme(at) => at,
        }
    }
}

impl SlashRuns {
    /// `slashes` must be a variant by level.
    pub(crate) fn new(base: &[u8], region: Range<usize>, slashes: Slashes) -> Self {
        let bytes = &base[..region.end];
        let mut found = SlashRuns { region: region.clone(), runs: SmallVec::new(), hosts: SmallVec::new() };
        let mut at = region.start;
        let mut last = 0;
        // A run as long as the one before it changes nothing, unless it is followed by a host. No host follows a single slash.
        let find_next = |rest, last| if last == 1 { find_double_slash(rest) } else { find_byte(rest, b'/') };
        while let Some(segment) = find_next(&bytes[at..], last) {
            let start = at + segment;
            let len = count_slashes(&bytes[start..]);
            at = start + len;
            if len != last || bytes[start - 1] == b':' {
                found.add(bytes, start..at, slashes);
                last = len;
            }
        }
        found
    }

    /// Adds the next run from the left, unless no reference can choose it, and removes those that none can choose any more.
    fn add(&mut self, bytes: &[u8], run: Range<usize>, slashes: Slashes) {
        if run.len() > 1 && (run.start == self.region.start || bytes[run.start - 1] == b':') {
            while self.hosts.last().is_some_and(|(last, _)| last.len() <= run.len()) {
                self.hosts.pop();
            }
            let rest = &bytes[run.end..];
            let end = run.end + rest.iter().position(|&byte| byte == b'/').unwrap_or(rest.len());
            self.hosts.push((run.clone(), end));
        }
        if self.runs.last().is_some_and(|last| last.len() == run.len()) {
            return;
        }
        if slashes == Slashes::Levels {
            // "… which has no greater number of consecutive slashes anywhere to the right of it"
            while self.runs.last().is_some_and(|last| last.len() < run.len()) {
                self.runs.pop();
            }
        }
        let place = self.runs.partition_point(|known| known.len() > run.len());
        if self.runs.get(place).is_none_or(|known| known.len() != run.len()) {
            self.runs.insert(place, run);
        }
    }

    pub(crate) fn choose(&self, level: usize) -> ChosenCut {
        if let Some(run) = self.runs.iter().rev().find(|run| run.len() >= level).filter(|run| run.len() == level) {
            return ChosenCut::BeforeRun(run.clone());
        }
        match self.hosts.iter().rev().find(|(run, _)| run.len() > level) {
            Some(&(ref run, end)) => ChosenCut::AfterHost { run: run.clone(), end },
            None => ChosenCut::AfterScheme(self.region.start),
        }
    }

    /// The host may be empty, and follows exactly two slashes.
    pub(crate) fn ends_in_host(&self) -> bool {
        self.hosts.last().is_some_and(|(run, end)| run.len() == 2 && *end == self.region.end)
    }

    /// In no particular order. A byte may come twice.
    pub(crate) fn cuts(&self) -> impl Iterator<Item = usize> {
        let runs = self.runs.iter().map(|run| run.start);
        runs.chain(self.hosts.iter().map(|&(_, end)| end)).chain([self.region.start])
    }
}

#[inline]
pub(crate) fn count_slashes(bytes: &[u8]) -> usize {
    bytes.iter().position(|&b| b != b'/').unwrap_or(bytes.len())
}
