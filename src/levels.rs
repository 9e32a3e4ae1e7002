//! Levels: where RFC 1630 and its draft cut a base for a reference that starts with *n* slashes.

use core::ops::Range;

use smallvec::SmallVec;

use crate::rules::Slashes;
use crate::scan::find_byte;

/// The runs of slashes of a base that can ever be chosen.
///
/// Built in one pass; its size is bounded by the number of distinct levels, which is at most the square
/// root of twice the base's length.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    region: Range<usize>,
    /// The run of each level before which a reference of that level goes, longest level first.
    runs: SmallVec<[Range<usize>; 4]>,
    /// Runs of two or more at the region's start or right after a `:`, each with the end of the element that follows; one
    /// stays only while it is longer than all such runs to its right.
    hosts: SmallVec<[(Range<usize>, usize); 2]>,
}

/// Where a base is cut, and why there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Before a run of exactly the level.
    Run(Range<usize>),
    /// No such run: at the end of the element behind the last longer run that announces a host.
    Host { run: Range<usize>, end: usize },
    /// Neither: right after the scheme.
    Scheme(usize),
}

impl Cut {
    pub(crate) fn at(&self) -> usize {
        match *self {
            Cut::Run(ref run) => run.start,
            Cut::Host { end, .. } => end,
            Cut::Scheme(at) => at,
        }
    }
}

impl Levels {
    /// Finds the runs of a base; `region` is all between its scheme and its query.
    pub(crate) fn new(base: &[u8], region: Range<usize>, slashes: Slashes) -> Self {
        let bytes = &base[..region.end];
        let mut levels = Levels { region: region.clone(), runs: SmallVec::new(), hosts: SmallVec::new() };
        let mut at = region.start;
        let mut last = 0;
        while let Some(element) = find_byte(&bytes[at..], b'/') {
            let start = at + element;
            let len = count_slashes(&bytes[start..]);
            at = start + len;
            // A run as long as the one before it tells nothing new, unless it announces a host.
            if len != last || bytes[start - 1] == b':' {
                levels.add(bytes, start..at, slashes);
                last = len;
            }
        }
        levels
    }

    /// Takes in the next run to the right.
    fn add(&mut self, bytes: &[u8], run: Range<usize>, slashes: Slashes) {
        if run.len() > 1 && (run.start == self.region.start || bytes[run.start - 1] == b':') {
            while self.hosts.last().is_some_and(|(last, _)| last.len() <= run.len()) {
                self.hosts.pop();
            }
            let behind = &bytes[run.end..];
            let end = run.end + behind.iter().position(|&byte| byte == b'/').unwrap_or(behind.len());
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

    /// Where the base is cut for a reference that starts with exactly `level` slashes.
    pub(crate) fn cut(&self, level: usize) -> Cut {
        if let Some(run) = self.runs.iter().rev().find(|run| run.len() >= level).filter(|run| run.len() == level) {
            return Cut::Run(run.clone());
        }
        match self.hosts.iter().rev().find(|(run, _)| run.len() > level) {
            Some(&(ref run, end)) => Cut::Host { run: run.clone(), end },
            None => Cut::Scheme(self.region.start),
        }
    }

    /// Whether the base ends in a host, its own or that of a nested URI: nothing but one element after `//`.
    pub(crate) fn ends_in_host(&self) -> bool {
        self.hosts.last().is_some_and(|(run, end)| run.len() == 2 && *end == self.region.end)
    }

    /// Every place where `cut` may cut.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        let runs = self.runs.iter().map(|run| run.start);
        runs.chain(self.hosts.iter().map(|&(_, end)| end)).chain([self.region.start])
    }
}

/// How many slashes a text starts with.
pub(crate) fn count_slashes(bytes: &[u8]) -> usize {
    bytes.iter().position(|&b| b != b'/').unwrap_or(bytes.len())
}
