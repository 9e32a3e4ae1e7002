//! Slash runs: where RFC 1630 and its draft cut a base for a reference that starts with slashes.

use core::ops::Range;

use smallvec::SmallVec;

use crate::rules::Slashes;
use crate::scan::find_byte;

/// The slash runs of a base before or after which it can be cut. The level of a run is its length in slashes.
///
/// They are found in one pass. For each level, at most one run is kept. Runs of *n* different levels take *n*²/2 bytes of the base,
/// so their number is at most the square root of twice its length.
#[derive(Clone, Debug)]
pub(crate) struct SlashRuns {
    /// The range of bytes of the base that is searched: after the colon of its scheme, up to the end of its path.
    region: Range<usize>,
    /// The run to cut before, for each level that has one; the longest run first.
    runs: SmallVec<[Range<usize>; 4]>,
    /// The runs that are followed by a host, from left to right. With each is the byte at which its host ends: the next slash, or
    /// the end of the region. Such a run has two or more slashes, and is at the start of the region or right after a `:`. It is
    /// kept only if it is longer than all such runs to its right.
    hosts: SmallVec<[(Range<usize>, usize); 2]>,
}

/// A place where a base is cut, and the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChosenCut {
    /// Before this run, which has the level of the reference.
    BeforeRun(Range<usize>),
    /// No run to cut before has the level of the reference: at byte `end`, after the host that follows `run`. Of all runs that a
    /// host follows, `run` is the last one that is longer than the level.
    AfterHost { run: Range<usize>, end: usize },
    /// There is neither such a run nor such a host: at this byte, right after the scheme and its colon.
    AfterScheme(usize),
}

impl ChosenCut {
    /// Returns the byte at which the base is cut.
    pub(crate) fn at(&self) -> usize {
        match *self {
            ChosenCut::BeforeRun(ref run) => run.start,
            ChosenCut::AfterHost { end, .. } => end,
            ChosenCut::AfterScheme(at) => at,
        }
    }
}

impl SlashRuns {
    /// Finds the runs of a base. `region` is the range of bytes to search: after the colon of the scheme, up to the end of the
    /// path. `slashes` must be a variant by level.
    pub(crate) fn new(base: &[u8], region: Range<usize>, slashes: Slashes) -> Self {
        let bytes = &base[..region.end];
        let mut found = SlashRuns { region: region.clone(), runs: SmallVec::new(), hosts: SmallVec::new() };
        let mut at = region.start;
        let mut last = 0;
        while let Some(segment) = find_byte(&bytes[at..], b'/') {
            let start = at + segment;
            let len = count_slashes(&bytes[start..]);
            at = start + len;
            // A run as long as the one before it changes nothing, unless it is followed by a host.
            if len != last || bytes[start - 1] == b':' {
                found.add(bytes, start..at, slashes);
                last = len;
            }
        }
        found
    }

    /// Keeps a run, if it can be chosen. The runs must be added from left to right. `bytes` is the base up to the end of the
    /// region.
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

    /// Reports whether the base ends in a host, after exactly two slashes: its own host, or the host of a URI in its path.
    pub(crate) fn ends_in_host(&self) -> bool {
        self.hosts.last().is_some_and(|(run, end)| run.len() == 2 && *end == self.region.end)
    }

    /// Returns the bytes of all cuts that [`choose`](SlashRuns::choose) can choose, in no particular order.
    pub(crate) fn cuts(&self) -> impl Iterator<Item = usize> {
        let runs = self.runs.iter().map(|run| run.start);
        runs.chain(self.hosts.iter().map(|&(_, end)| end)).chain([self.region.start])
    }
}

/// Counts the slashes that a text starts with.
pub(crate) fn count_slashes(bytes: &[u8]) -> usize {
    bytes.iter().position(|&b| b != b'/').unwrap_or(bytes.len())
}
