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
/// By level, `for_slashes` has the cuts that [`SlashRuns`](super::slash_runs::SlashRuns) chooses for one slash and for two. They
/// are the same as by component if the base has a host and no run of two or more slashes in its path.
///
/// A cut is [`NONE`](Cut::NONE) if base and reference cannot simply be joined there, so that the engine must find the result. That
/// is so for the cuts of `for_parents` if the directory has dot segments, if the path is missing, if there are fewer segments than
/// `../`, and by level if a `../` would cross a run of two or more slashes. It is so for a cut of `for_slashes` only by level: if it
/// is inside a path whose directory has dot segments.
#[derive(Clone)]
pub(crate) struct Cuts {
    /// The cuts for references that start with one slash and with two, in this order.
    pub(crate) for_slashes: [Cut; 2],
    /// The cuts for relative paths that start with no `../`, one, two and three, in this order. To prepare more cuts would cost
    /// each base more than they save.
    pub(crate) for_parents: [Cut; 4],
}

/// The byte of a base at which it is cut, or [`NONE`](Cut::NONE).
///
/// This is a number and not an `Option`, so that the six cuts of a base are set without branches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut(usize);

impl Cut {
    /// The value if no cut is prepared. It is larger than the length of any text.
    pub(crate) const NONE: Cut = Cut(usize::MAX);

    pub(crate) fn new(at: usize) -> Self {
        Cut(at)
    }

    /// Returns the byte at which the base is cut; `None` if no cut is prepared.
    #[inline(always)]
    pub(crate) fn get(self) -> Option<usize> {
        if self == Cut::NONE { None } else { Some(self.0) }
    }

    /// Returns the byte at which the base is cut if that byte is at most `len`; `None` if it is larger, or if no cut is prepared.
    #[inline(always)]
    pub(crate) fn within(self, len: usize) -> Option<usize> {
        if self.0 <= len { Some(self.0) } else { None }
    }
}

impl Cuts {
    /// Returns the cuts by component of the text `base`. The other arguments are the byte after the colon of its scheme, and the
    /// bytes at which its path starts and ends. The caller must then correct the cuts if the base has dot segments or a missing
    /// path and, by level, if it has no authority, an empty one, or two slashes in a row in its path.
    #[inline(always)]
    pub(crate) fn by_component(base: &[u8], scheme_end: usize, path_start: usize, path_end: usize) -> Self {
        let mut for_parents = [usize::MAX; 4];
        // A path without a slash is replaced as a whole.
        for_parents[0] = path_start;
        last_slashes(&base[..path_end], path_start, &mut for_parents);
        Cuts { for_slashes: [path_start, scheme_end].map(Cut), for_parents: for_parents.map(Cut) }
    }

    /// Returns the byte after the last slash of the base path; if it has no slash, the byte at which the path starts. It is read
    /// from the cuts, so these must be the ones that [`by_component`](Cuts::by_component) returned.
    pub(crate) fn directory_end(&self) -> usize {
        self.for_parents[0].0
    }

    /// Replaces the cuts for references that start with one or two slashes, by the function of that number.
    pub(crate) fn set_for_slashes(&mut self, cut: impl Fn(usize) -> Cut) {
        self.for_slashes = [cut(1), cut(2)];
    }

    /// Removes the cuts for `../` that rules by level do not permit: under these, a `..` removes neither a run of two or more
    /// slashes nor the segment right after it. `base` is the text of the base.
    pub(crate) fn remove_cuts_across_double_slash(&mut self, base: &[u8]) {
        let is_after_run = |cut: &Cut| cut.get().is_some_and(|end| base[..end].ends_with(b"//"));
        if let Some(run) = self.for_parents.iter().position(is_after_run) {
            self.for_parents[run.max(1)..].fill(Cut::NONE);
        }
    }
}
