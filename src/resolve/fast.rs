//! The one shortcut: frequent references, whose result is two texts as they stand.
//!
//! Of the links of real pages, nearly all are a name, a path with some `../` before it, a rooted path, a fragment, or absolute. Their
//! result is the base up to a cut and the reference from some byte on, so nothing needs to be taken apart: one pass over the
//! reference looks for what would make that wrong (a dot segment inside it, a scheme, an empty part that counts as absent), and two
//! copies write the result. That is several times faster than [`partial`], and gives the same: laws compare the two.
//!
//! The same function, [`FastBase::find`], serves a base that is prepared, where the cuts are known, and one that is used once,
//! where the one cut that the reference needs is searched for. The cuts say where a base may be cut (`cuts.rs`). They are missing where
//! a result is not of this form: then, and for all that is not frequent, [`partial`] resolves.

use alloc::string::String;

use super::cuts::Cuts;
use super::dots::has_dot_segments;
use super::partial;
use super::parts::{may_have_empty_parts, may_have_empty_parts_after_path};
use super::prepared::{BorrowedBase, Prepared, needs_slash_runs};
use super::resolved::{Components, Resolved};
use super::slash_runs::count_slashes;
use crate::error::Error;
use crate::rules::Rules;
use crate::scan::{count_parents, each_slash_back, may_have_dots, may_have_dots_or_colon};
use crate::uri::{UriRef, no_scheme, path_and_query_ends, scheme_end};

/// Resolves a reference by the shortcut or, where that finds nothing, segment by segment.
#[inline]
pub(super) fn resolve<'b>(base: BorrowedBase<'b>, reference: &'b str) -> Resolved<'b> {
    match of_prepared(base, reference) {
        Some((first, last)) => with_components(base, reference, first, last),
        None => partial::resolve(base, reference, &mut ()),
    }
}

/// Appends the text of what [`resolve`] returns.
pub(super) fn resolve_into<'b>(base: BorrowedBase<'b>, reference: &'b str, out: &mut String) {
    match of_prepared(base, reference) {
        Some(pieces) => push_both(pieces, out),
        None => partial::resolve(base, reference, &mut ()).append_to(out),
    }
}

/// Resolves one reference. The base is prepared only if the shortcut does not find the result without that.
pub(super) fn resolve_once(base: &str, reference: &str, rules: Rules, out: &mut String) -> Result<(), Error> {
    let uri = &UriRef::split(base);
    if uri.is_relative() {
        return Err(no_scheme(base));
    }
    let must_prepare = rules.params || rules.by_level() && needs_slash_runs(uri, uri.path_end);
    let pieces =
        if must_prepare { None } else { FastBase { text: base, offsets: uri, rules, cuts: None }.find(reference) };
    match pieces {
        Some(pieces) => push_both(pieces, out),
        None => resolve_into(BorrowedBase { text: base, prepared: &Prepared::new(*uri, rules) }, reference, out),
    }
    Ok(())
}

#[inline(always)]
fn of_prepared<'b>(base: BorrowedBase<'b>, reference: &'b str) -> Option<(&'b str, &'b str)> {
    FastBase { text: base.text, offsets: &base.prepared.offsets, rules: base.rules, cuts: Some(&base.prepared.cuts) }
        .find(reference)
}

#[inline]
fn with_components<'b>(base: BorrowedBase<'b>, reference: &'b str, first: &'b str, last: &'b str) -> Resolved<'b> {
    if first.is_empty() {
        return Resolved::of_texts([first, ""], [last, ""], Components::of(&UriRef::split(last)));
    }
    let uri = base.uri_ref();
    let mut authority = uri.authority();
    let (path_end, query_end) = path_and_query_ends(last.as_bytes(), 0);
    let (mut query, mut fragment) = (last[..query_end].get(path_end + 1..), last.get(query_end + 1..));
    if path_end == 0 && query.is_none() && reference.len() == last.len() {
        // A fragment or nothing: the query is the base's.
        query = uri.query();
        if reference.is_empty() {
            fragment = uri.fragment().filter(|_| base.rules.empty_is_whole);
        }
    }
    if first.len() == uri.scheme_end && last.starts_with("//") {
        authority = UriRef::split(last).authority();
    }
    Resolved::of_texts([first, ""], [last, ""], Components { scheme: base.scheme(), authority, query, fragment })
}

#[inline(always)]
fn push_both((first, last): (&str, &str), out: &mut String) {
    let len = first.len() + last.len();
    // A call of `reserve` is not inlined in every profile.
    if out.capacity() - out.len() < len {
        out.reserve(len);
    }
    out.push_str(first);
    out.push_str(last);
}

/// A base, prepared or not, that knows where it is cut for frequent references.
///
/// A cut is a byte of the base. It is `None` if the result is not the base up to there and the rest of the reference, as for dot
/// segments in the base, a missing path, or more `../` than directory segments.
struct FastBase<'u, 'b, T> {
    // Not a copy: to read what has just been written, by loads of another width, stalls the processor.
    offsets: &'u UriRef<T>,
    text: &'b str,
    rules: Rules,
    /// `None` for a base that is used once. Its cuts must be those by component, and its rules must not have parameters as a component.
    cuts: Option<&'u Cuts>,
}

impl<'b, T> FastBase<'_, 'b, T> {
    /// Returns the cut for exactly `slashes` slashes, one or two.
    #[inline(always)]
    fn cut_for_slashes(&self, slashes: usize) -> Option<usize> {
        match self.cuts {
            Some(cuts) => Cuts::known(cuts.for_slashes[slashes - 1]),
            None => Some(if slashes == 1 { self.offsets.path_start } else { self.offsets.scheme_end }),
        }
    }

    /// Returns the cut for exactly `parents` times `../`.
    #[inline(always)]
    fn cut_for_parents(&self, parents: usize) -> Option<usize> {
        match self.cuts {
            Some(cuts) => Cuts::known(*cuts.for_parents.get(parents)?),
            None => self.find_cut_for_parents(parents),
        }
    }

    /// Searches for the cut for `parents` times `../`; `None` for dot segments in the directory, too few segments unless the path has a
    /// root and the rules drop the surplus, or a path missing after an authority. By level, the caller must check that no `../` crosses
    /// two slashes in a row.
    #[inline(always)]
    fn find_cut_for_parents(&self, parents: usize) -> Option<usize> {
        let uri = self.offsets;
        let path = &self.text[uri.path_start..uri.path_end];
        if path.is_empty() && uri.path_start > uri.scheme_end {
            return None;
        }
        let (mut directory, mut end, mut left) = (0, 0, parents + 1);
        each_slash_back(path.as_bytes(), |slash| {
            end = slash + 1;
            if left == parents + 1 {
                directory = end;
            }
            left -= 1;
            left > 0
        });
        let is_whole_path = parents == 0 && end == 0;
        // At the root, the last slash that was found is the first one.
        let is_found = left == 0 || is_whole_path || (self.rules.drops_all_surplus() && path.starts_with('/'));
        (is_found && !has_dot_segments(&path[..directory])).then_some(uri.path_start + end)
    }

    /// Returns the base up to the cut, and the reference from some byte on. The first text is empty if the reference has a scheme.
    /// `None` if the reference must be resolved segment by segment.
    // Inlined always: as a call, it would cost a third of what most references cost.
    #[inline(always)]
    fn find(&self, reference: &'b str) -> Option<(&'b str, &'b str)> {
        let (bytes, rules) = (reference.as_bytes(), self.rules);
        if rules.empty_is_absent
            && (may_have_empty_parts(bytes) || may_have_empty_parts_after_path(&self.offsets.with_text(self.text)))
        {
            return None;
        }
        let (cut, start) = match *bytes {
            [] if rules.empty_is_whole => (self.text.len(), 0),
            [] | [b'#', ..] => (self.offsets.query_end, 0),
            [b'?', ..] if !rules.query_replaces => (self.offsets.path_end, 0),
            // Such a query has an empty path, which replaces the last segment.
            [b'?', ..] => (self.cut_for_parents(0)?, 0),
            [b';', ..] if rules.params => return None,
            [b'/', ref rest @ ..] => match count_slashes(rest) {
                more @ (0 | 1) if !may_have_dots(bytes) => (self.cut_for_slashes(1 + more)?, 0),
                _ => return None,
            },
            [b'.', ..] => {
                let parents = count_parents(bytes);
                let start = match bytes[3 * parents..] {
                    [b'.', b'/', b'.' | b'/', ..] => return None,
                    // By level, a dot right after a slash run stays. Then there is no cut for `../` either.
                    [b'.', b'/', ..] if parents == 0 && !(rules.by_level() && self.cut_for_parents(1).is_none()) => 2,
                    [b'.' | b'/', ..] => return None,
                    _ => 3 * parents,
                };
                if may_have_dots(&bytes[start..]) {
                    return None;
                }
                (self.cut_for_parents(parents)?, start)
            }
            _ => {
                if may_have_dots_or_colon(bytes) {
                    if may_have_dots(bytes) {
                        return None;
                    }
                    match scheme_end(bytes) {
                        0 => {}
                        // `x:.` and `x:..` are dot segments that no slash comes before.
                        end if rules.lenient || bytes.get(end) == Some(&b'.') => return None,
                        // Nothing of the base is kept.
                        _ => return Some(("", reference)),
                    }
                }
                (self.cut_for_parents(0)?, 0)
            }
        };
        Some((self.text.get(..cut)?, &reference[start..]))
    }
}
