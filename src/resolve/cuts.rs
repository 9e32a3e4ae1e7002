//! The cuts of a base for the most common references.

use crate::scan::last_slashes;

/// The bytes at which a base is cut for the most common references. The result is the base up to the cut, and the reference,
/// without its leading `../` or `./`, after it.
///
/// By component, the cuts for `http://host/a/b/c/d?q` are
///
/// ```text
/// http://host/a/b/c/d?q
///      ^                for_slashes[1]   `//h`          after the scheme
///            ^          for_slashes[0]   `/g`           where the path starts
///                   ^   for_parents[0]  `g`            after the last slash of the path
///                 ^     for_parents[1]  `../g`         after the slash before that
///               ^       for_parents[2]  `../../g`
///             ^         for_parents[3]  `../../../g`
/// ```
///
/// By level, each cut of `for_slashes` is the start of the chosen run, or the end of a host if there is no such run. It is the cut by
/// component if the only run of two or more slashes is the one before the host.
///
/// No cut is prepared where text must be removed or added between base and reference: if the base has dot segments or a missing
/// path. By level, no cut is prepared before a slash run either, since no `..` crosses the run.
#[derive(Clone)]
pub(crate) struct Cuts {
    /// The cut for one leading slash, and the cut for two.
    pub(crate) for_slashes: [Cut; 2],
    /// The cuts for a relative path after no `../`, one, two and three. More cuts would cost each base more than they save.
    pub(crate) for_parents: [Cut; 4],
}

/// The byte at which a base is cut, or [`NONE`](Cut::NONE).
///
/// It is a number, not an `Option`, so that six of them are set for each base without branches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut(usize);

impl Cut {
    /// The value if no cut is prepared. No text has `usize::MAX` bytes.
    pub(crate) const NONE: Cut = Cut(usize::MAX);

    pub(crate) fn new(at: usize) -> Self {
        Cut(at)
    }

    /// Returns the byte; `None` if no cut is prepared.
    #[inline(always)]
    pub(crate) fn get(self) -> Option<usize> {
        if self == Cut::NONE { None } else { Some(self.0) }
    }

    /// Returns the byte if it is at most `len`; else, and if no cut is prepared, `None`.
    #[inline(always)]
    pub(crate) fn within(self, len: usize) -> Option<usize> {
        if self.0 <= len { Some(self.0) } else { None }
    }
}

impl Cuts {
    /// Returns the cuts of a base by its components. Dot segments, slash runs and a missing path are not considered.
    #[inline(always)]
    pub(crate) fn by_component(base: &[u8], scheme_end: usize, path_start: usize, path_end: usize) -> Self {
        let mut for_parents = [usize::MAX; 4];
        // A path without a slash is replaced as a whole.
        for_parents[0] = path_start;
        last_slashes(&base[..path_end], path_start, &mut for_parents);
        Cuts { for_slashes: [path_start, scheme_end].map(Cut), for_parents: for_parents.map(Cut) }
    }

    /// Returns the byte after the last slash of the path. The caller must not have changed `for_parents` before.
    pub(crate) fn directory_end(&self) -> usize {
        self.for_parents[0].0
    }

    /// Sets the cuts for leading slashes. `cut` returns the cut for a number of slashes.
    pub(crate) fn set_for_slashes(&mut self, cut: impl Fn(usize) -> Cut) {
        self.for_slashes = [cut(1), cut(2)];
    }

    /// Removes the cuts for `../` at the last run of two or more slashes and before it. No `..` removes the segment right after
    /// that run.
    pub(crate) fn stop_at_run(&mut self, base: &[u8]) {
        let is_after_run = |cut: &Cut| cut.get().is_some_and(|end| base[..end].ends_with(b"//"));
        if let Some(run) = self.for_parents.iter().position(is_after_run) {
            self.for_parents[run.max(1)..].fill(Cut::NONE);
        }
    }
}
