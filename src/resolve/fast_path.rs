//! Resolving: the fast path for common references, and the engine for all others.

use alloc::string::String;

use super::base::Base;
use super::cuts::{Cuts, Offset};
use super::form::Form;
use super::prepared::BorrowedBase;
use super::resolved::{Components, Resolved};
use super::slash_runs::count_slashes;
use crate::scan::{count_parents, find_byte, find_either, has_dots, has_dots_or_colon};
use crate::uri::{Text, UriRef, scheme_end};

impl<T: Text> Base<T> {
    /// Resolves a reference. Any text resolves as a reference.
    ///
    /// The result borrows from the base and the reference. Cost: one pass over the reference, and one over the base only if dot
    /// segments of the reference remove segments of the base. Nothing is allocated, unless more than sixteen segments of the
    /// reference come before its dot segments.
    ///
    /// ```
    /// use relref::{Base, Rules};
    ///
    /// let base = Base::new("https://web.archive.org/web/2020/http://example.com/a/b", Rules::RFC1630)?;
    /// assert_eq!(base.resolve("/g"), "https://web.archive.org/web/2020/http://example.com/g");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn resolve<'b>(&'b self, reference: &'b (impl AsRef<str> + ?Sized)) -> Resolved<'b> {
        self.borrowed().resolve(reference.as_ref())
    }

    /// Resolves a reference and appends the text of the result to `out`. Allocates if `out` must grow, and where
    /// [`resolve`](Base::resolve) does.
    pub fn resolve_into(&self, reference: &(impl AsRef<str> + ?Sized), out: &mut String) {
        self.borrowed().resolve_into(reference.as_ref(), out);
    }
}

impl<'b> BorrowedBase<'b> {
    /// Does what [`Base::resolve`] does.
    pub(crate) fn resolve(self, reference: &'b str) -> Resolved<'b> {
        match self.fast(reference) {
            Some((head, tail)) => self.in_pieces(reference, head, tail),
            None => self.resolve_traced(reference, &mut ()),
        }
    }

    /// Does what [`Base::resolve_into`] does.
    pub(crate) fn resolve_into(self, reference: &'b str, out: &mut String) {
        match self.fast(reference) {
            Some((head, tail)) => {
                out.reserve(head.len() + tail.len());
                out.push_str(head);
                out.push_str(tail);
            }
            None => self.resolve_into_by_engine(reference, out),
        }
    }

    /// Returns the result that [`fast`](BorrowedBase::fast) found as `head` and `tail`, with its components.
    #[inline]
    fn in_pieces(self, reference: &'b str, head: &'b str, tail: &'b str) -> Resolved<'b> {
        if head.is_empty() {
            return Resolved::two_pieces(head, tail, Components::of(&UriRef::split(tail)));
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
                fragment = Some(&tail[1..]);
            }
            Some(_) => {
                if let Some(mark) = find_either(tail.as_bytes(), [b'?', b'#']) {
                    let after = &tail[mark + 1..];
                    if tail.as_bytes()[mark] == b'#' {
                        fragment = Some(after);
                    } else if let Some(at) = find_byte(after.as_bytes(), b'#') {
                        (query, fragment) = (Some(&after[..at]), Some(&after[at + 1..]));
                    } else {
                        query = Some(after);
                    }
                }
            }
        }
        if head.len() == base.scheme_end && tail.starts_with("//") {
            authority = UriRef::split(tail).authority();
        }
        Resolved::two_pieces(head, tail, Components { scheme: self.scheme(), authority, query, fragment })
    }

    /// Does what [`resolve_into`](BorrowedBase::resolve_into) does, always by the engine.
    #[inline(never)]
    fn resolve_into_by_engine(self, reference: &'b str, out: &mut String) {
        self.resolve_traced(reference, &mut ()).append_to(out);
    }

    /// Returns the result of a common reference as two texts: a part of the base, then a part of the reference. `None` if the
    /// engine must resolve the reference: no cut is prepared for it, its scheme may be ignored, or dot segments may remain after
    /// the leading `../` or `./`.
    #[inline(always)]
    fn fast(self, reference: &'b str) -> Option<(&'b str, &'b str)> {
        let bytes = reference.as_bytes();
        let form = Form::of(bytes, self.rules);
        if matches!(form, Form::Name) && has_dots_or_colon(bytes) {
            return self.fast_with_colon(reference);
        }
        let (cut, start) = self.cut(form, bytes)?;
        if matches!(form, Form::Slashes | Form::Dot) && has_dots(&bytes[start..]) {
            return None;
        }
        Some((self.as_str().get(..cut)?, &reference[start..]))
    }

    /// Returns the byte at which the base is cut for a reference without a scheme, and the byte at which the rest of the reference
    /// starts. `None` if no cut is prepared. The caller must check that the rest has no dot segments after its first segment.
    #[inline(always)]
    pub(crate) fn cut(self, form: Form, reference: &[u8]) -> Option<(usize, usize)> {
        let Cuts { slashes, relative } = &self.prepared.cuts;
        match form {
            Form::Empty | Form::Fragment | Form::Query => Some((self.pathless_cut(form)?, 0)),
            Form::Params => None,
            Form::Slashes => match count_slashes(&reference[1..]) {
                more @ (0 | 1) => Some((slashes[more].get()?, 0)),
                _ => None,
            },
            Form::Dot => {
                let count = count_parents(reference);
                let start = match reference[3 * count..] {
                    [b'.', b'/', b'.' | b'/', ..] => return None,
                    // By level, a dot right after a slash run stays. Then no cut is prepared for `../` either.
                    [b'.', b'/', ..] if count == 0 && !(self.needs_slash_runs && relative[1] == Offset::NONE) => 2,
                    [b'.' | b'/', ..] => return None,
                    _ => 3 * count,
                };
                let cut = match relative.get(count) {
                    Some(cut) => cut.get(),
                    None => self.cut_above(count),
                };
                Some((cut?, start))
            }
            Form::Name => Some((relative[0].get()?, 0)),
        }
    }

    /// Does what [`fast`](BorrowedBase::fast) does for a reference of the form [`Name`](Form::Name) that has a colon or perhaps dot
    /// segments.
    #[inline(never)]
    fn fast_with_colon(self, reference: &'b str) -> Option<(&'b str, &'b str)> {
        let bytes = reference.as_bytes();
        if has_dots(bytes) {
            return None;
        }
        match scheme_end(bytes) {
            0 => Some((self.as_str().get(..self.cuts.relative[0].get()?)?, reference)),
            end if self.rules.lenient || bytes.get(end) == Some(&b'.') => None,
            // Nothing of the base is kept.
            _ => Some(("", reference)),
        }
    }
}
