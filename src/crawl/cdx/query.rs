//! The query of a CDX key: parameters sorted, without session ids.

use alloc::string::String;

use memchr::memmem;
use smallvec::SmallVec;

use super::push_escaped;
use super::unescape::fully_decoded;

/// Appends a query decoded, escaped anew, in lower case. Neither text has the `?`. Appends nothing if nothing is left.
pub(super) fn push_query(query: &str, out: &mut String) {
    let query_start = out.len();
    push_escaped(&fully_decoded(query), out);
    drop_session_ids(query_start, out);
    sort_parameters(query_start, out);
}

/// Removes the last id of each kind. Text that is before the name of the id in the same parameter stays.
fn drop_session_ids(query_start: usize, out: &mut String) {
    // Each name below has `id` in it.
    if memmem::find(&out.as_bytes()[query_start..], b"id").is_none() {
        return;
    }
    let id_len = |id: &[u8]| id.get(..32).is_some_and(|id| id.iter().all(u8::is_ascii_alphanumeric)).then_some(32);
    for name in ["jsessionid=", "phpsessid=", "sid="] {
        drop_last_session_id(query_start, out, name, id_len);
    }
    drop_last_session_id(query_start, out, "aspsessionid", |id| {
        let id = id.get(..33)?;
        (id[8] == b'=' && id[..8].iter().chain(&id[9..]).all(u8::is_ascii_alphabetic)).then_some(33)
    });
    drop_coldfusion_ids(query_start, out);
}

/// Removes `name`, the id after it and the `&` after that, at the last place where an id and then `&` or the end follow `name`.
fn drop_last_session_id(query_start: usize, out: &mut String, name: &str, id_len: impl Fn(&[u8]) -> Option<usize>) {
    let query = &out.as_bytes()[query_start..];
    let found = memmem::rfind_iter(query, name).find_map(|at| {
        let end = at + name.len() + id_len(&query[at + name.len()..])?;
        match query.get(end) {
            None => Some(at..end),
            Some(b'&') => Some(at..end + 1),
            Some(_) => None,
        }
    });
    if let Some(range) = found {
        out.drain(query_start + range.start..query_start + range.end);
    }
}

/// Removes the last `cfid=…&cftoken=…` and the `&` after it. Each `…` is at least one byte, and no `&`.
fn drop_coldfusion_ids(query_start: usize, out: &mut String) {
    let query = &out.as_bytes()[query_start..];
    let found = memmem::rfind_iter(query, "&cftoken=").find_map(|token| {
        let before = query[..token].iter().rposition(|&byte| byte == b'&').map_or(0, |at| at + 1);
        let id = memmem::rfind(query.get(before..token.checked_sub(1)?)?, b"cfid=")? + before;
        let value = token + "&cftoken=".len();
        let end = memchr::memchr(b'&', &query[value..]).map_or(query.len(), |len| value + len);
        (end > value).then_some(id..(end + 1).min(query.len()))
    });
    if let Some(range) = found {
        out.drain(query_start + range.start..query_start + range.end);
    }
}

/// Sorts by name and then by value. Of parameters with the same name, those without `=` come first.
fn sort_parameters(query_start: usize, out: &mut String) {
    let query = &out[query_start..];
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
    out.replace_range(query_start.., &sorted);
}
