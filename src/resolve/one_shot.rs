//! Resolving one reference without preparing the base: only the cut that this reference needs is found.

use alloc::string::String;

use super::base::Base;
use super::dots::last_dots;
use super::form::Form;
use super::slash_runs::count_slashes;
use crate::rules::Rules;
use crate::scan::{count_parents, has_dots, has_dots_or_colon, slashes_back};
use crate::uri::{Uri, UriRef, scheme_end};

/// Resolves a reference against a URI, which must have a scheme, and appends the text of the result to `out`.
pub(super) fn resolve_into(uri: UriRef<&str>, reference: &str, rules: Rules, out: &mut String) {
    match cut(&uri, reference, rules) {
        Some((head, tail)) => {
            out.reserve(head.len() + tail.len());
            out.push_str(head);
            out.push_str(tail);
        }
        None => Base::from_uri(Uri::new(uri), rules).resolve_into(reference, out),
    }
}

/// Returns the result of a common reference as two texts, as the fast path does for a prepared base: a part of the URI, then a part
/// of the reference. `None` for other references, by level, and where parameters are a component.
#[inline(always)]
fn cut<'t>(uri: &UriRef<&'t str>, reference: &'t str, rules: Rules) -> Option<(&'t str, &'t str)> {
    if rules.by_level() || rules.params {
        return None;
    }
    let bytes = reference.as_bytes();
    let (at, start) = match Form::of(bytes, rules) {
        Form::Empty if rules.empty_is_whole => (uri.as_str().len(), 0),
        Form::Empty | Form::Fragment => (uri.query_end, 0),
        Form::Query if rules.query_replaces => return None,
        Form::Query => (uri.path_end, 0),
        Form::Params => return None,
        Form::Slashes if has_dots(bytes) => return None,
        Form::Slashes => match count_slashes(&bytes[1..]) {
            0 => (uri.path_start, 0),
            1 => (uri.scheme_end, 0),
            _ => return None,
        },
        Form::Dot => {
            let parents = count_parents(bytes);
            let start = match bytes[3 * parents..] {
                [b'.', b'/', b'.' | b'/', ..] => return None,
                [b'.', b'/', ..] if parents == 0 => 2,
                [b'.' | b'/', ..] => return None,
                _ => 3 * parents,
            };
            if has_dots(&bytes[start..]) {
                return None;
            }
            (directory_end(uri, parents)?, start)
        }
        Form::Name if has_dots_or_colon(bytes) => match scheme_end(bytes) {
            _ if has_dots(bytes) => return None,
            0 => (directory_end(uri, 0)?, 0),
            end if rules.lenient || bytes.get(end) == Some(&b'.') => return None,
            // Nothing of the base is kept.
            _ => (0, 0),
        },
        Form::Name => (directory_end(uri, 0)?, 0),
    };
    Some((uri.as_str().get(..at)?, &reference[start..]))
}

/// Returns the byte after the last slash that remains of the path when the last segment and `parents` segments before it are
/// removed. `None` if the directory has dot segments or too few segments, or if the URI has an authority and no path.
#[inline(always)]
fn directory_end(uri: &UriRef<&str>, parents: usize) -> Option<usize> {
    let path = uri.path().as_bytes();
    if path.is_empty() && uri.path_start > uri.scheme_end {
        return None;
    }
    let (mut directory, mut end, mut left) = (0, 0, parents + 1);
    slashes_back(path, |slash| {
        end = slash + 1;
        if left == parents + 1 {
            directory = end;
        }
        left -= 1;
        left > 0
    });
    let is_whole_path = parents == 0 && end == 0;
    let is_found = left == 0 || is_whole_path;
    (is_found && last_dots(&path[..directory]).is_none()).then_some(uri.path_start + end)
}
