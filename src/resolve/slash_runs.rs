//! Slash runs: where RFC 1630 and its draft cut a base for a reference that starts with slashes.

use core::ops::Range;

use smallvec::SmallVec;

use crate::rules::Slashes;
use crate::scan::find_byte;

/// The slash runs of a base before or after which it can be cut. The level of a run is its length in slashes.
///
/// Built in one pass. There is at most one run a level, and runs of *n* levels take *n*²/2 bytes of the base: their number is
/// at most the square root of twice its length.
#[derive(Clone, Debug)]
pub(crate) struct SlashRuns {
    /// The bytes of the base between its scheme and its query.
    region: Range<usize>,
    /// For each level, the run to cut before; longest run first.
    runs: SmallVec<[Range<usize>; 4]>,
    /// The runs that are followed by a host, each with the end of the text up to the next slash. They are of two or more
    /// slashes, at the region's start or right after a `:`. A run is kept while it is longer than all such runs to its right.
    hosts: SmallVec<[(Range<usize>, usize); 2]>,
}

/// A place where a base is cut, and the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Before a run of exactly the level.
    BeforeRun(Range<usize>),
    /// There is no such run: after the text that follows the last longer run that is followed by a host.
    AfterHost { run: Range<usize>, end: usize },
    /// There is neither: right after the scheme.
    AfterScheme(usize),
}

impl Cut {
    /// Returns the byte at which the base is cut.
    pub(crate) fn at(&self) -> usize {
        match *self {
            Cut::BeforeRun(ref run) => run.start,
            Cut::AfterHost { end, .. } => end,
            Cut::AfterScheme(at) => at,
        }
    }
}

impl SlashRuns {
    /// Finds the runs of a base; `region` are its bytes between scheme and query.
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

    /// Adds the next run to the right.
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
    pub(crate) fn cut(&self, level: usize) -> Cut {
        if let Some(run) = self.runs.iter().rev().find(|run| run.len() >= level).filter(|run| run.len() == level) {
            return Cut::BeforeRun(run.clone());
        }
        match self.hosts.iter().rev().find(|(run, _)| run.len() > level) {
            Some(&(ref run, end)) => Cut::AfterHost { run: run.clone(), end },
            None => Cut::AfterScheme(self.region.start),
        }
    }

    /// Reports whether the base ends in a host, its own or that of a URI in its path: in `//` and text without a slash.
    pub(crate) fn ends_in_host(&self) -> bool {
        self.hosts.last().is_some_and(|(run, end)| run.len() == 2 && *end == self.region.end)
    }

    /// Returns the bytes of all cuts that [`cut`](SlashRuns::cut) can choose.
    pub(crate) fn cuts(&self) -> impl Iterator<Item = usize> {
        let runs = self.runs.iter().map(|run| run.start);
        runs.chain(self.hosts.iter().map(|&(_, end)| end)).chain([self.region.start])
    }
}

/// Counts the slashes that a text starts with.
pub(crate) fn count_slashes(bytes: &[u8]) -> usize {
    bytes.iter().position(|&b| b != b'/').unwrap_or(bytes.len())
}
