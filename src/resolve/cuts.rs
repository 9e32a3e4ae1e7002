//! The cuts of a base for the most frequent references.

use crate::scan::last_slashes;

/// The bytes at which a base is cut for the most frequent references. The result of such a reference is the base up to its cut,
/// followed by the reference without the `../` or `./` at its start.
///
/// By component, the cuts for `http://host/a/b/c/d?q` are
///
/// ```text
/// http://host/a/b/c/d?q
///      ^                for_slashes[1]   `//h`          after the scheme
///            ^          for_slashes[0]   `/g`           where the path starts
///                   ^   for_parents[0]   `g`            after the last slash of the path
///                 ^     for_parents[1]   `../g`         after the slash before that
///               ^       for_parents[2]   `../../g`
///             ^         for_parents[3]   `../../../g`
/// ```
///
/// By level, `for_slashes` has what [`SlashRuns`](super::slash_runs::SlashRuns) chooses for one slash and for two: the same if the
/// base has a host and no run of two or more slashes in its path.
///
/// Where surplus `../` are dropped, the cut for them is after the first slash of the path.
///
/// A cut is [`NONE`](Cut::NONE) if the reference must be resolved segment by segment. In `for_parents`: the directory has dot
/// segments, there are surplus `../` that are not dropped, the path is missing or, by level, a `../` would cross a run of two or more
/// slashes. In `for_slashes`, only by level: the cut is inside a path whose directory has dot segments.
#[derive(Clone)]
pub(crate) struct Cuts {
    pub(crate) for_slashes: [Cut; 2],
    /// To prepare more cuts would cost each base more than they save.
    pub(crate) for_parents: [Cut; 4],
}

/// A number and not an `Option`, so that the six cuts of a base are set without branches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut(usize);

impl Cut {
    /// Larger than the length of any text.
    pub(crate) const NONE: Cut = Cut(usize::MAX);

    pub(crate) fn new(at: usize) -> Self {
        Cut(at)
    }

    #[inline(always)]
    pub(crate) fn get(self) -> Option<usize> {
        if self == Cut::NONE { None } else { Some(self.0) }
    }

    #[inline(always)]
    pub(crate) fn within(self, len: usize) -> Option<usize> {
        if self.0 <= len { Some(self.0) } else { None }
    }
}

impl Cuts {
    /// The caller must correct the cuts for dots, a missing path and, by level, an absent or empty authority or a `//` in the path.
    #[inline(always)]
    pub(crate) fn by_component(
        base: &[u8],
        scheme_end: usize,
        path_start: usize,
        path_end: usize,
        drops_surplus: bool,
    ) -> Self {
        let is_rooted = base[..path_end].get(path_start) == Some(&b'/');
        let for_surplus = if drops_surplus && is_rooted { path_start + 1 } else { usize::MAX };
        let mut for_parents = [for_surplus; 4];
        // A path without a slash is replaced as a whole.
        for_parents[0] = path_start;
        last_slashes(&base[..path_end], path_start, &mut for_parents);
        Cuts { for_slashes: [path_start, scheme_end].map(Cut), for_parents: for_parents.map(Cut) }
    }

    /// The cuts must be those that [`by_component`](Cuts::by_component) returned: the end is read from them.
    pub(crate) fn directory_end(&self) -> usize {
        self.for_parents[0].0
    }

    pub(crate) fn set_for_slashes(&mut self, cut: impl Fn(usize) -> Cut) {
        self.for_slashes = [cut(1), cut(2)];
    }

    /// Removes the cuts for those `../` that would remove a run of two or more slashes, or the segment right after it: by level,
    /// none does.
    pub(crate) fn remove_cuts_across_double_slash(&mut self, base: &[u8]) {
        let is_after_run = |cut: &Cut| cut.get().is_some_and(|end| base[..end].ends_with(b"//"));
        if let Some(run) = self.for_parents.iter().position(is_after_run) {
            self.for_parents[run.max(1)..].fill(Cut::NONE);
        }
    }
}
