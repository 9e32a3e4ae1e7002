//! The cuts of a base for the most common references.

use crate::scan::last_slashes;

/// The bytes at which a base is cut for the most common references. The result is the base up to the cut, and the reference,
/// without its leading `../` or `./`, after it.
///
/// By component, the cuts for `http://host/a/b/c/d?q` are
///
/// ```text
/// http://host/a/b/c/d?q
///      ^                slashes[1]   `//h`          after the scheme
///            ^          slashes[0]   `/g`           where the path starts
///                   ^   relative[0]  `g`            after the last slash of the path
///                 ^     relative[1]  `../g`         after the slash before that
///               ^       relative[2]  `../../g`
///             ^         relative[3]  `../../../g`
/// ```
///
/// By level, each of `slashes` is the start of the chosen run, or the end of a host if there is no such run. They equal the cuts
/// by component if the only run of two slashes is the one before the host.
///
/// No cut is prepared where text must be removed or added between base and reference: if the base has dot segments or a missing
/// path. By level, no cut is prepared before a slash run either, since no `..` crosses the run.
#[derive(Clone)]
pub(crate) struct Cuts {
    /// The cut for one leading slash, and the cut for two.
    pub(crate) slashes: [Offset; 2],
    /// The cuts for a relative path after no `../`, one, two and three. More cuts would cost each base more than they save.
    pub(crate) relative: [Offset; 4],
}

/// The byte at which a base is cut, or [`NONE`](Offset::NONE).
///
/// It is a number, not an `Option`, so that six of them are set for each base without branches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Offset(usize);

impl Offset {
    /// The value if no cut is prepared. No text has `usize::MAX` bytes.
    pub(crate) const NONE: Offset = Offset(usize::MAX);

    pub(crate) fn new(at: usize) -> Self {
        Offset(at)
    }

    /// Returns the byte; `None` if no cut is prepared.
    #[inline(always)]
    pub(crate) fn get(self) -> Option<usize> {
        if self == Offset::NONE { None } else { Some(self.0) }
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
        let mut relative = [usize::MAX; 4];
        // A path without a slash is replaced as a whole.
        relative[0] = path_start;
        last_slashes(&base[..path_end], path_start, &mut relative);
        Cuts { slashes: [path_start, scheme_end].map(Offset), relative: relative.map(Offset) }
    }

    /// Returns the byte after the last slash of the path. The caller must not have changed `relative` before.
    pub(crate) fn directory_end(&self) -> usize {
        self.relative[0].0
    }

    /// Sets the cuts for leading slashes. `cut` returns the cut for a number of slashes.
    pub(crate) fn set_slashes(&mut self, cut: impl Fn(usize) -> Offset) {
        self.slashes = [cut(1), cut(2)];
    }

    /// Removes the cuts for `../` at the last run of two or more slashes and before it. No `..` removes the segment right after
    /// that run.
    pub(crate) fn stop_at_run(&mut self, base: &[u8]) {
        let is_after_run = |cut: &Offset| cut.get().is_some_and(|end| base[..end].ends_with(b"//"));
        if let Some(run) = self.relative.iter().position(is_after_run) {
            self.relative[run.max(1)..].fill(Offset::NONE);
        }
    }
}
