//! Where the shortcut (`fast.rs`) cuts a base for the most frequent references: `/g`, `//g`, `g`, `../g`.

use crate::scan::last_slashes;
use crate::uri::UriRef;

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
/// A cut is [`NONE`](Cuts::NONE) if the reference must be resolved segment by segment. In `for_parents`: the directory has dot
/// segments, there are surplus `../` that are not dropped, the path is missing or, by level, a `../` would cross a run of two or more
/// slashes. In `for_slashes`, only by level: the cut is inside a path whose directory has dot segments.
#[derive(Clone)]
pub(crate) struct Cuts {
    pub(crate) for_slashes: [usize; 2],
    /// To prepare more cuts would cost each base more than they save: of 410,124 links of real pages, 54 have four `../` or more.
    pub(crate) for_parents: [usize; 4],
}

impl Cuts {
    /// Larger than the length of any text.
    // A number and not an `Option`, so that the six cuts of a base are set without branches.
    pub(crate) const NONE: usize = usize::MAX;

    #[inline(always)]
    pub(crate) fn known(cut: usize) -> Option<usize> {
        if cut == Cuts::NONE { None } else { Some(cut) }
    }

    /// The caller must correct the cuts for dots, a missing path and, by level, an absent or empty authority or a `//` in the path.
    #[inline(always)]
    pub(crate) fn by_component(uri: &UriRef<&str>, path_end: usize, drops_surplus: bool) -> Self {
        let path = &uri.as_str().as_bytes()[..path_end];
        let is_rooted = path.get(uri.path_start) == Some(&b'/');
        let for_surplus = if drops_surplus && is_rooted { uri.path_start + 1 } else { Cuts::NONE };
        // A path without a slash is replaced as a whole.
        let mut for_parents = [uri.path_start, for_surplus, for_surplus, for_surplus];
        last_slashes(path, uri.path_start, &mut for_parents);
        Cuts { for_slashes: [uri.path_start, uri.scheme_end], for_parents }
    }

    /// Removes the cuts for those `../` that would remove a run of two or more slashes, or the segment right after it: by level,
    /// none does.
    pub(crate) fn remove_across_double_slash(&mut self, base: &[u8]) {
        let is_after_run = |&cut: &usize| cut != Cuts::NONE && base[..cut].ends_with(b"//");
        if let Some(run) = self.for_parents.iter().position(is_after_run) {
            self.for_parents[run.max(1)..].fill(Cuts::NONE);
        }
    }
}
