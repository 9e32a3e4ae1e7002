//! The query of a CDX key: parameters sorted, without session ids.

use alloc::string::String;

use memchr::memmem;
use smallvec::SmallVec;

use super::push_escaped;
use super::unescape::unescaped;

/// Appends a query as a CDX key has it, without a `?`: in lower case, escaped anew, without session ids, its parameters sorted.
/// `query` has no `?` either. Appends nothing if nothing is left.
pub(super) fn push(query: &str, out: &mut String) {
    let start = out.len();
    push_escaped(&unescaped(query), out);
    drop_sessions(start, out);
    sort(start, out);
}

/// Removes the last session id of each kind from the query at the end of `out`, from the byte `start` on. If other text is before
/// the name in the same parameter, that text stays.
fn drop_sessions(start: usize, out: &mut String) {
    // Each name below has `id` in it.
    if memmem::find(&out.as_bytes()[start..], b"id").is_none() {
        return;
    }
    let word = |id: &[u8]| id.get(..32).is_some_and(|id| id.iter().all(u8::is_ascii_alphanumeric)).then_some(32);
    for name in ["jsessionid=", "phpsessid=", "sid="] {
        drop_last(start, out, name, word);
    }
    drop_last(start, out, "aspsessionid", |id| {
        let id = id.get(..33)?;
        (id[8] == b'=' && id[..8].iter().chain(&id[9..]).all(u8::is_ascii_alphabetic)).then_some(33)
    });
    drop_coldfusion(start, out);
}

/// Removes the last `name` after which an id and then `&` or the end of the query follow. The id and the `&` are removed, too. The
/// function `id` returns the length in bytes of the id at the start of a text; `None` if there is none.
fn drop_last(start: usize, out: &mut String, name: &str, id: impl Fn(&[u8]) -> Option<usize>) {
    let query = &out.as_bytes()[start..];
    let found = memmem::rfind_iter(query, name).find_map(|at| {
        let end = at + name.len() + id(&query[at + name.len()..])?;
        match query.get(end) {
            None => Some(at..end),
            Some(b'&') => Some(at..end + 1),
            Some(_) => None,
        }
    });
    if let Some(range) = found {
        out.drain(start + range.start..start + range.end);
    }
}

/// Removes the last `cfid=…&cftoken=…` and the `&` after it, in the query at the end of `out`, from the byte `start` on.
fn drop_coldfusion(start: usize, out: &mut String) {
    let query = &out.as_bytes()[start..];
    let found = memmem::rfind_iter(query, "&cftoken=").find_map(|token| {
        let before = query[..token].iter().rposition(|&byte| byte == b'&').map_or(0, |at| at + 1);
        let id = memmem::rfind(query.get(before..token.checked_sub(1)?)?, b"cfid=")? + before;
        let value = token + "&cftoken=".len();
        let end = memchr::memchr(b'&', &query[value..]).map_or(query.len(), |len| value + len);
        (end > value).then_some(id..(end + 1).min(query.len()))
    });
    if let Some(range) = found {
        out.drain(start + range.start..start + range.end);
    }
}

/// Sorts the parameters of the query at the end of `out`, from the byte `start` on: by name, then by value. A parameter without a
/// value comes first.
fn sort(start: usize, out: &mut String) {
    let query = &out[start..];
    let mut params: SmallVec<[(&str, Option<&str>); 24]> = query
        .split('&')
        .map(|param| param.split_once('=').map_or((param, None), |(name, value)| (name, Some(value))))
        .collect();
    if params.is_sorted() {
        return;
    }
    params.sort_unstable();
    let mut sorted = String::with_capacity(query.len());
    for (number, (name, value)) in params.into_iter().enumerate() {
        sorted.push_str(if number == 0 { "" } else { "&" });
        sorted.push_str(name);
        if let Some(value) = value {
            sorted.push('=');
            sorted.push_str(value);
        }
    }
    out.replace_range(start.., &sorted);
}
