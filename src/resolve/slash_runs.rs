//! Slash runs: where RFC 1630 and its draft cut a base for a reference that starts with slashes.

use core::ops::Range;

use smallvec::SmallVec;

use crate::rules::Slashes;
use crate::scan::{find_byte, find_double_slash};

/// The slash runs of a base that decide where it is cut by level. The level of a run is its length in slashes.
///
/// They are found in one pass. For each level, at most one run to cut before is kept. Runs of *n* different levels take *n*²/2
/// bytes of the base, so there are at most √(2*l*) of them in a base of *l* bytes.
#[derive(Clone, Debug)]
pub(crate) struct SlashRuns {
    /// The range of bytes of the base in which runs are searched for: from after the colon of the scheme to the end of the path.
    region: Range<usize>,
    /// The runs that the base can be cut before, as ranges of its bytes: at most one for each level, the longest run first.
    runs: SmallVec<[Range<usize>; 4]>,
    /// The runs that a host follows, from left to right. With each is the byte at which that host ends: the next slash, or the end
    /// of the region. A host follows a run of two or more slashes that is at the start of the region or right after a `:`. Each run
    /// here is longer than the next one, since no reference chooses a run if one to its right is as long.
    hosts: SmallVec<[(Range<usize>, usize); 2]>,
}

/// The place where a base is cut for a reference that starts with slashes, and the reason for it. The level of the reference is the
/// number of these slashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChosenCut {
    /// Before this run, because it has the level of the reference.
    BeforeRun(Range<usize>),
    /// At byte `end`, after the host that follows `run`, because no run to cut before has the level of the reference. Of all runs
    /// that a host follows, `run` is the last one that is longer than that level.
    AfterHost { run: Range<usize>, end: usize },
    /// At this byte, right after the colon of the scheme, because there is neither such a run nor such a host.
    AfterScheme(usize),
}

impl ChosenCut {
    /// Returns the byte of the base at which it is cut.
    pub(crate) fn at(&self) -> usize {
        match *self {
            ChosenCut::BeforeRun(ref run) => run.start,
            ChosenCut::AfterHost { end, .. } => end,
            ChosenCut::AfterScheme(at) => at,
        }
    }
}

impl SlashRuns {
    /// Finds the slash runs of a base. `region` is the range of bytes to search: from after the colon of the scheme to the end of
    /// the path. `slashes` says which run of a level is chosen, and must be a variant by level.
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

    /// Adds the next run from the left, unless no reference can choose it. Removes the runs that no reference can choose any more.
    /// `bytes` is the base up to the end of the region. `slashes` is the argument of [`new`](SlashRuns::new).
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

    /// Returns the cut for a reference that starts with exactly `level` slashes.
    pub(crate) fn choose(&self, level: usize) -> ChosenCut {
        if let Some(run) = self.runs.iter().rev().find(|run| run.len() >= level).filter(|run| run.len() == level) {
            return ChosenCut::BeforeRun(run.clone());
        }
        match self.hosts.iter().rev().find(|(run, _)| run.len() > level) {
            Some(&(ref run, end)) => ChosenCut::AfterHost { run: run.clone(), end },
            None => ChosenCut::AfterScheme(self.region.start),
        }
    }

    /// Reports whether the region ends in a host, maybe empty, that follows exactly two slashes.
    pub(crate) fn ends_in_host(&self) -> bool {
        self.hosts.last().is_some_and(|(run, end)| run.len() == 2 && *end == self.region.end)
    }

    /// Returns all bytes at which [`choose`](SlashRuns::choose) can cut the base, in no particular order. A byte may come twice.
    pub(crate) fn cuts(&self) -> impl Iterator<Item = usize> {
        let runs = self.runs.iter().map(|run| run.start);
        runs.chain(self.hosts.iter().map(|&(_, end)| end)).chain([self.region.start])
    }
}

/// Returns the number of slashes at the start of a text.
pub(crate) fn count_slashes(bytes: &[u8]) -> usize {
    bytes.iter().position(|&b| b != b'/').unwrap_or(bytes.len())
}
