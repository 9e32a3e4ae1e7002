//! Resolving: the fast path for frequent references, and the engine for all others.

use alloc::string::String;

use super::cuts::find_cut_for_parents;
use super::dots_backwards::Remainder;
use super::empty_parts::may_have_empty_parts;
use super::form::Form;
use super::prepared::{BorrowedBase, needs_slash_runs};
use super::resolved::{Components, Resolved};
use super::slash_runs::count_slashes;
use crate::rules::Rules;
use crate::scan::{count_parents, find_byte, find_either, has_double_slash, may_have_dots, may_have_dots_or_colon};
use crate::uri::{UriRef, scheme_end};

impl<'b> BorrowedBase<'b> {
    /// Resolves a reference by the fast path or, where that returns nothing, by the engine.
    #[must_use]
    pub fn resolve(self, reference: &'b str) -> Resolved<'b> {
        match self.fast(reference) {
            Some((first, last)) => self.with_components(reference, first, last),
            None => self.resolve_traced(reference, &mut ()),
        }
    }

    /// Resolves a reference and appends the text of the result to `out`.
    pub fn resolve_into(self, reference: &'b str, out: &mut String) {
        match self.fast(reference) {
            Some(pieces) => push_both(pieces, out),
            None => self.resolve_into_by_engine(reference, out),
        }
    }

    #[inline]
    fn with_components(self, reference: &'b str, first: &'b str, last: &'b str) -> Resolved<'b> {
        if first.is_empty() {
            return Resolved::two_pieces(first, last, Components::of(&UriRef::split(last)));
        }
        let base = self.uri_ref();
        let mut authority = base.authority();
        let (mut query, mut fragment) = (None, None);
        match reference.as_bytes().first() {
            None => {
                query = base.query();
                fragment = base.fragment().filter(|_| self.rules.empty_is_whole);
            }
            Some(b'#') => {
                query = base.query();
                fragment = Some(&last[1..]);
            }
            Some(_) => {
                if let Some(delimiter) = find_either(last.as_bytes(), [b'?', b'#']) {
                    let after = &last[delimiter + 1..];
                    if last.as_bytes()[delimiter] == b'#' {
                        fragment = Some(after);
                    } else if let Some(at) = find_byte(after.as_bytes(), b'#') {
                        (query, fragment) = (Some(&after[..at]), Some(&after[at + 1..]));
                    } else {
                        query = Some(after);
                    }
                }
            }
        }
        if first.len() == base.scheme_end && last.starts_with("//") {
            authority = UriRef::split(last).authority();
        }
        Resolved::two_pieces(first, last, Components { scheme: self.scheme(), authority, query, fragment })
    }

    #[inline(never)]
    fn resolve_into_by_engine(self, reference: &'b str, out: &mut String) {
        if !self.resolve_path_into(reference, out) {
            self.resolve_traced(reference, &mut ()).append_to(out);
        }
    }

    /// Returns false, and appends nothing, unless the reference is a path with at most one slash at its start, by component or
    /// without slash runs, and no `..` is kept.
    fn resolve_path_into(self, reference: &str, out: &mut String) -> bool {
        let (rules, bytes) = (self.rules, reference.as_bytes());
        let has_path_after_host = self.offsets.path_start > self.offsets.scheme_end && !self.ends_in_host;
        if !has_path_after_host || rules.params || rules.empty_is_absent {
            return false;
        }
        let start = match Form::of(bytes, rules) {
            Form::Slashes if rules.rooted_dots && bytes.get(1) != Some(&b'/') => 1,
            // Without this cut, there is none for any `../`.
            Form::Dot | Form::Name if self.cut_for_parents(0).is_some() && scheme_end(bytes) == 0 => 0,
            _ => return false,
        };
        let path_end = find_either(bytes, [b'?', b'#']).unwrap_or(bytes.len());
        let has_runs =
            || needs_slash_runs(&self.uri_ref(), self.offsets.path_end) || has_double_slash(&bytes[..path_end]);
        if rules.by_level() && has_runs() {
            return false;
        }
        let path = &reference[start..path_end];
        let mut remainder = Remainder::default();
        if !remainder.fill(path.as_bytes()) {
            return false;
        }
        let cut = match start {
            0 => self.cut_for_parents(remainder.parents),
            _ if remainder.parents > 0 && !rules.drop_surplus => None,
            _ => Some(self.offsets.path_start + 1),
        };
        let Some(directory) = cut.and_then(|cut| self.text.get(..cut)) else { return false };
        out.reserve(directory.len() + bytes.len() - start);
        out.push_str(directory);
        remainder.each_part(path, |part| out.push_str(part));
        out.push_str(&reference[path_end..]);
        true
    }
}

#[inline(always)]
pub(crate) fn push_both((first, last): (&str, &str), out: &mut String) {
    let len = first.len() + last.len();
    // A call of `reserve` is not inlined in every profile.
    if out.capacity() - out.len() < len {
        out.reserve(len);
    }
    out.push_str(first);
    out.push_str(last);
}

/// A base, prepared or not, for which the fast path finds results.
///
/// A cut is the byte of the base at which it is cut for a reference. It is `None` if only the engine can find the result, as for
/// dot segments in the base, a missing path, or more `../` than directory segments.
pub(crate) trait FastBase<'b>: Copy {
    fn uri(self) -> UriRef<&'b str>;

    fn rules(self) -> Rules;

    /// Returns the cut for exactly `slashes` slashes, one or two.
    fn cut_for_slashes(self, slashes: usize) -> Option<usize>;

    /// Returns the cut for exactly `parents` times `../`.
    fn cut_for_parents(self, parents: usize) -> Option<usize>;

    /// Returns the base up to the cut, and the reference from some byte on. The first text is empty if the reference has a scheme.
    /// `None` if the engine must find the result.
    #[inline(always)]
    fn fast(self, reference: &'b str) -> Option<(&'b str, &'b str)> {
        let bytes = reference.as_bytes();
        if self.rules().empty_is_absent && may_have_empty_parts(bytes) {
            return None;
        }
        let form = Form::of(bytes, self.rules());
        if matches!(form, Form::Name) && may_have_dots_or_colon(bytes) {
            if may_have_dots(bytes) {
                return None;
            }
            match scheme_end(bytes) {
                0 => {}
                end if self.rules().lenient || bytes.get(end) == Some(&b'.') => return None,
                // Nothing of the base is kept.
                _ => return Some(("", reference)),
            }
        }
        let (cut, start) = self.cut_and_start(form, bytes)?;
        if matches!(form, Form::Slashes | Form::Dot) && may_have_dots(&bytes[start..]) {
            return None;
        }
        Some((self.uri().as_str().get(..cut)?, &reference[start..]))
    }

    /// Returns the cut, and the byte of the reference after the `../` or `./` at its start. No dot segment starts there, but the
    /// caller must check for later ones.
    #[inline(always)]
    fn cut_and_start(self, form: Form, reference: &[u8]) -> Option<(usize, usize)> {
        match form {
            Form::Empty | Form::Fragment | Form::Query | Form::Params => Some((self.cut_for_pathless(form)?, 0)),
            Form::Slashes => match count_slashes(&reference[1..]) {
                more @ (0 | 1) => Some((self.cut_for_slashes(1 + more)?, 0)),
                _ => None,
            },
            Form::Dot => {
                let parents = count_parents(reference);
                let start = match reference[3 * parents..] {
                    [b'.', b'/', b'.' | b'/', ..] => return None,
                    // By level, a dot right after a slash run stays. Then there is no cut for `../` either.
                    [b'.', b'/', ..]
                        if parents == 0 && !(self.rules().by_level() && self.cut_for_parents(1).is_none()) =>
                    {
                        2
                    }
                    [b'.' | b'/', ..] => return None,
                    _ => 3 * parents,
                };
                Some((self.cut_for_parents(parents)?, start))
            }
            Form::Name => Some((self.cut_for_parents(0)?, 0)),
        }
    }

    #[inline(always)]
    fn cut_for_pathless(self, form: Form) -> Option<usize> {
        match form {
            Form::Empty if self.rules().empty_is_whole => Some(self.uri().as_str().len()),
            _ if self.rules().empty_is_absent && may_have_empty_parts_after_path(&self.uri()) => None,
            Form::Empty | Form::Fragment => Some(self.uri().query_end),
            // Such a query has an empty path, which replaces the last segment.
            Form::Query if self.rules().query_replaces => self.cut_for_parents(0),
            Form::Query => Some(self.uri().path_end),
            _ => None,
        }
    }
}

/// If false, the base has certainly neither empty parameters nor an empty query.
pub(super) fn may_have_empty_parts_after_path(base: &UriRef<&str>) -> bool {
    base.path().ends_with(';') || base.query() == Some("")
}

impl<'b> FastBase<'b> for BorrowedBase<'b> {
    #[inline(always)]
    fn uri(self) -> UriRef<&'b str> {
        self.uri_ref()
    }

    #[inline(always)]
    fn rules(self) -> Rules {
        self.prepared.rules
    }

    #[inline(always)]
    fn cut_for_slashes(self, slashes: usize) -> Option<usize> {
        self.cuts.for_slashes[slashes - 1].get()
    }

    #[inline(always)]
    fn cut_for_parents(self, parents: usize) -> Option<usize> {
        match self.cuts.for_parents.get(parents) {
            Some(cut) => cut.get(),
            None => self.cut_for_more_parents(parents),
        }
    }
}

impl BorrowedBase<'_> {
    /// Returns the cut for more `../` than are prepared. It is not searched for, and `None`, if parameters are a component, or the
    /// base has dot segments or a long segment.
    #[inline(never)]
    fn cut_for_more_parents(self, parents: usize) -> Option<usize> {
        // If there is no cut for the most parents that are prepared, there is none for more.
        self.cuts.for_parents.last()?.get()?;
        if self.rules.params || !self.long_segments().is_empty() {
            return None;
        }
        let cut = find_cut_for_parents(&self.uri_ref(), parents, self.rules.drops_all_surplus(), |_| false)?;
        let crosses_run = self.rules.by_level() && has_double_slash(&self.text.as_bytes()[cut - 2..self.directory_end]);
        (!crosses_run).then_some(cut)
    }
}
