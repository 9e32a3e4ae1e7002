//! Resolving one reference without preparing the base: only the cut that this reference needs is found.

use alloc::string::String;

use super::cuts::find_cut_for_parents;
use super::dots::last_dots_end;
use super::fast_path::{FastBase, push_both};
use super::prepared::{BorrowedBase, Prepared, needs_slash_runs};
use crate::error::Error;
use crate::rules::Rules;
use crate::uri::{UriRef, no_scheme};

/// The base is prepared only if the fast path does not find the result without that.
pub(super) fn resolve_into(base: &str, reference: &str, rules: Rules, out: &mut String) -> Result<(), Error> {
    let uri = &UriRef::split(base);
    if uri.is_relative() {
        return Err(no_scheme(base));
    }
    let must_prepare = rules.params || rules.by_level() && needs_slash_runs(uri, uri.path_end);
    let pieces = if must_prepare { None } else { (&Unprepared { uri, rules }).fast(reference) };
    match pieces {
        Some(pieces) => push_both(pieces, out),
        None => {
            let prepared = &Prepared::new(*uri, rules);
            BorrowedBase { text: base, prepared }.resolve_into(reference, out);
        }
    }
    Ok(())
}

/// Its cuts must be those by component, and its rules must not have parameters as a component.
struct Unprepared<'u, 't> {
    // Not a copy: to read what has just been written, by loads of another width, stalls the processor.
    uri: &'u UriRef<&'t str>,
    rules: Rules,
}

impl<'t> FastBase<'t> for &Unprepared<'_, 't> {
    #[inline(always)]
    fn uri(self) -> UriRef<&'t str> {
        *self.uri
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
        let drops_surplus = self.rules.drops_all_surplus();
        find_cut_for_parents(self.uri, parents, drops_surplus, |directory| last_dots_end(directory).is_some())
    }
}
