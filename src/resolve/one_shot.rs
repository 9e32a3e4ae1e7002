//! Resolving one reference without preparing the base: only the cut that this reference needs is found.

use alloc::string::String;

use super::base::Base;
use super::dots::last_dots_end;
use super::fast_path::{FastBase, push_both};
use super::prepared::needs_slash_runs;
use crate::rules::Rules;
use crate::scan::each_slash_back;
use crate::uri::{Uri, UriRef};

/// `uri` must have a scheme. The base is prepared only if the fast path does not find the result without that.
pub(super) fn resolve_into(uri: UriRef<&str>, reference: &str, rules: Rules, out: &mut String) {
    let must_prepare = rules.params || rules.by_level() && needs_slash_runs(&uri, uri.path_end);
    let pieces = if must_prepare { None } else { (&Unprepared { uri, rules }).fast(reference) };
    match pieces {
        Some(pieces) => push_both(pieces, out),
        None => Base::from_uri(Uri::new(uri), rules).resolve_into(reference, out),
    }
}

/// Its cuts must be those by component, and its rules must not have parameters as a component.
struct Unprepared<'t> {
    uri: UriRef<&'t str>,
    rules: Rules,
}

impl<'t> FastBase<'t> for &Unprepared<'t> {
    #[inline(always)]
    fn uri(self) -> UriRef<&'t str> {
        self.uri
    }

    #[inline(always)]
    fn rules(self) -> Rules {
        self.rules
    }

    #[inline(always)]
    fn cut_for_slashes(self, slashes: usize) -> Option<usize> {
        Some(if slashes == 1 { self.uri.path_start } else { self.uri.scheme_end })
    }

    #[inline(always)]
    fn cut_for_parents(self, parents: usize) -> Option<usize> {
        find_cut_for_parents(&self.uri, parents, |directory| last_dots_end(directory).is_some())
    }
}

/// Returns the cut for `parents` times `../`; `None` for dot segments in the directory, too few segments, or a path missing after
/// an authority. Parameters must not be a component. By level, the caller must check that no `../` crosses two slashes in a row.
#[inline(always)]
pub(super) fn find_cut_for_parents(
    uri: &UriRef<&str>,
    parents: usize,
    has_dots: impl Fn(&[u8]) -> bool,
) -> Option<usize> {
    let path = uri.path().as_bytes();
    if path.is_empty() && uri.path_start > uri.scheme_end {
        return None;
    }
    let (mut directory, mut end, mut left) = (0, 0, parents + 1);
    each_slash_back(path, |slash| {
        end = slash + 1;
        if left == parents + 1 {
            directory = end;
        }
        left -= 1;
        left > 0
    });
    let is_whole_path = parents == 0 && end == 0;
    let is_found = left == 0 || is_whole_path;
    (is_found && !has_dots(&path[..directory])).then_some(uri.path_start + end)
}
