//! The parts after the path of a URI or a reference, without those that are left out because they are empty.

use memchr::{memchr_iter, memchr3_iter};

use super::prepared::path_end_by;
use crate::rules::Rules;
use crate::uri::UriRef;

#[derive(Clone, Copy)]
pub(crate) struct PartsAfterPath<'a> {
    /// The byte up to which the text stays as it is written.
    pub(crate) end: usize,
    /// The parts after the first one that is left out, as one text with their delimiters.
    pub(crate) tail: &'a str,
    /// True only for parameters that are a component and not left out.
    pub(crate) has_params: bool,
    pub(crate) query: Option<&'a str>,
    pub(crate) fragment: Option<&'a str>,
}

impl<'a> PartsAfterPath<'a> {
    #[inline]
    pub(crate) fn all(uri: &UriRef<&'a str>) -> Self {
        PartsAfterPath {
            end: uri.as_str().len(),
            tail: "",
            has_params: false,
            query: uri.query(),
            fragment: uri.fragment(),
        }
    }

    /// Calls `left_out` with each delimiter that nothing follows, if `rules` leave such parts out.
    #[inline]
    pub(crate) fn of(uri: &UriRef<&'a str>, rules: Rules, mut left_out: impl FnMut(&'a str)) -> Self {
        let text = uri.as_str();
        let path_end = path_end_by(uri, rules);
        let all = PartsAfterPath { has_params: path_end < uri.path_end, ..PartsAfterPath::all(uri) };
        if !rules.empty_is_absent {
            return all;
        }
        let mut parts = PartsAfterPath { end: path_end, ..all };
        let mut tail = path_end..path_end;
        let ranges = [path_end..uri.path_end, uri.path_end..uri.query_end, uri.query_end..text.len()];
        for (index, range) in ranges.into_iter().enumerate().filter(|(_, range)| !range.is_empty()) {
            if range.len() == 1 {
                left_out(&text[range]);
                match index {
                    0 => parts.has_params = false,
                    1 => parts.query = None,
                    _ => parts.fragment = None,
                }
            } else if range.start == parts.end {
                parts.end = range.end;
            } else {
                tail = if range.start == tail.end { tail.start } else { range.start }..range.end;
            }
        }
        parts.tail = &text[tail];
        parts
    }
}

/// May be true without an empty part ([`Rules::empty_is_absent`]), but is never false with one.
// Not inlined: only RFC 1808's rules ask, and the shortcut of all others would be longer by it.
#[inline(never)]
pub(super) fn may_have_empty_parts(reference: &[u8]) -> bool {
    let byte = |at: usize| reference.get(at);
    memchr3_iter(b';', b'?', b'#', reference).any(|at| matches!(byte(at + 1), None | Some(b'?' | b'#')))
        || memchr_iter(b'/', reference)
            .any(|at| byte(at + 1) == Some(&b'/') && matches!(byte(at + 2), None | Some(b'/' | b'?' | b'#')))
}

/// If false, the base has certainly neither empty parameters nor an empty query.
pub(super) fn may_have_empty_parts_after_path(base: &UriRef<&str>) -> bool {
    base.path().ends_with(';') || base.query() == Some("")
}
