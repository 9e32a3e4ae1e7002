//! The path of a CDX key: without dot segments, slash runs and session ids.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use memchr::{memchr, memmem, memrchr};

use super::push_escaped;
use super::unescape::unescaped;

/// Appends the path of a key, without session ids, and without a slash at its end unless it is the only character. If `has_host` is
/// true, dot segments and slash runs are removed, too.
pub(super) fn push(path: &str, has_host: bool, out: &mut String) {
    let mut path = unescaped(path);
    let is_odd = || memmem::find(&path, b"/.").is_some() || memmem::find(&path, b"//").is_some();
    if has_host && is_odd() {
        path = Cow::Owned(normal(&path));
    }
    for session in [in_parentheses as fn(&[u8]) -> Option<usize>, in_one_pair] {
        if let Some((start, end)) = find_session(&path, session) {
            path.to_mut().drain(start..end);
        }
    }
    let path = match &*path {
        [first @ .., b'/'] if !first.is_empty() => first,
        path => path,
    };
    push_escaped(path, out);
}

/// Removes dot segments and slash runs. Unlike in RFC 3986, a `..` also removes an empty segment. A surplus `..` stays until the
/// next `..` removes it.
fn normal(path: &[u8]) -> Vec<u8> {
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

/// Returns the bytes at which the last session id of ASP.NET starts and ends; `None` if the path has none.
///
/// The session id is after a slash, and its range includes the slash that ends it. After it follow a name and `.aspx`, before any
/// `?`. `len` returns the length in bytes of the session id at the start of a text; `None` if the text starts with something else.
fn find_session(path: &[u8], len: fn(&[u8]) -> Option<usize>) -> Option<(usize, usize)> {
    memchr(b'(', path)?;
    // The last `.aspx` between the byte `at` and the next `?`.
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
                if let Some(len) = len(&path[at..]) {
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

/// Returns the length in bytes of `(24 letters or digits)/` at the start of a text; `None` if the text starts with something else.
/// The first byte is not checked.
fn in_one_pair(text: &[u8]) -> Option<usize> {
    let is_id = text.len() >= 27 && text[1..25].iter().all(u8::is_ascii_alphanumeric) && text[25..].starts_with(b")/");
    is_id.then_some(27)
}

/// Returns the length in bytes of `(X(24 letters or digits))/` at the start of a text, where `X(…)` may be repeated; `None` if the
/// text starts with something else. The first byte is not checked.
fn in_parentheses(text: &[u8]) -> Option<usize> {
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
