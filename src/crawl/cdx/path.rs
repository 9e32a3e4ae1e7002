//! The path of a CDX key: without dot segments and session ids, and with one slash for each slash run.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::{memchr, memmem, memrchr};

use super::push_escaped;
use super::unescape::fully_decoded;

/// Appends a path decoded, escaped anew, in lower case; only with a host without dot segments and slash runs.
pub(super) fn push_path(path: &str, has_host: bool, out: &mut String) {
    let mut path = fully_decoded(path);
    let may_change = || memmem::find(&path, b"/.").is_some() || memmem::find(&path, b"//").is_some();
    if has_host && may_change() {
        path = Cow::Owned(without_dots_and_runs(&path));
    }
    for session in [lettered_session_ids_len as fn(&[u8]) -> Option<usize>, bare_session_id_len] {
        if let Some((start, end)) = find_last_session_id(&path, session) {
            path.to_mut().drain(start..end);
        }
    }
    let path = match &*path {
        [first @ .., b'/'] if !first.is_empty() => first,
        path => path,
    };
    push_escaped(path, out);
}

/// Unlike in RFC 3986, `..` also removes an empty segment, and a surplus `..` stays until the next `..` removes it.
fn without_dots_and_runs(path: &[u8]) -> Vec<u8> {
    let mut stack = Vec::with_capacity(path.len());
    for segment in path.strip_prefix(b"/").unwrap_or(path).split(|&byte| byte == b'/') {
        match segment {
            b"." => {}
            b".." if !stack.is_empty() => stack.truncate(memrchr(b'/', &stack).unwrap_or_default()),
            segment => {
                stack.push(b'/');
                stack.extend_from_slice(segment);
            }
        }
    }
    stack.dedup_by(|byte, before| (*byte, *before) == (b'/', b'/'));
    if stack.is_empty() {
        stack.push(b'/');
    }
    stack
}

/// The range has the slash after the session id. At least one byte and then `.aspx` must follow, without a `?` between. `id_len`
/// returns the length in bytes of the session id, with that slash, with which a text starts.
fn find_last_session_id(path: &[u8], id_len: fn(&[u8]) -> Option<usize>) -> Option<(usize, usize)> {
    memchr(b'(', path)?;
    // The last `.aspx` between the byte `at` and the next `?`.
    // From the end, the question whether `.aspx` follows is answered by what was seen; from the start, each `(` would search the
    // rest of the path.
    let mut aspx = None;
    for at in (0..path.len()).rev() {
        match path[at] {
            b'?' => aspx = None,
            b'.' if aspx.is_none()
                && path[at + 1..].get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"aspx")) =>
            {
                aspx = Some(at);
            }
            b'(' if aspx.is_some() && at > 0 && path[at - 1] == b'/' => {
                if let Some(len) = id_len(&path[at..]) {
                    let end = at + len;
                    if aspx > Some(end) {
                        return Some((at, end));
                    }
                }
            }
            _ => {}
        }
    }
    None
}

fn bare_session_id_len(text: &[u8]) -> Option<usize> {
    // `(24 letters or digits)/`, of which the caller has seen the `(`.
    let is_id = text.len() >= 27 && text[1..25].iter().all(u8::is_ascii_alphanumeric) && text[25..].starts_with(b")/");
    is_id.then_some(27)
}

/// The text is `(X(24 letters or digits))/`: `X` is any letter, `X(…)` may be repeated, and the caller has seen the first `(`.
fn lettered_session_ids_len(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    while let Some(group) = text.get(at..at + 27) {
        let is_id = group[0].is_ascii_alphabetic()
            && group[1] == b'('
            && group[2..26].iter().all(u8::is_ascii_alphanumeric)
            && group[26] == b')';
        if !is_id {
            break;
        }
        at += 27;
    }
    (at > 1 && text[at..].starts_with(b")/")).then_some(at + 2)
}
