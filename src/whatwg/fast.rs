//! The fast path: references whose result needs no encoding, by the engine of RFC 3986.
//!
//! It is exact: on what it takes it gives what the basic URL parser gives; tests compare them. Spaces and
//! controls at the ends are removed first. *Plain* is defined in `plain.rs`, and so is *clean*: references that one
//! search finds clean are tried first.
//!
//! | base | reference | result |
//! |---|---|---|
//! | any | `#` and a plain fragment | the base up to its fragment, then the reference |
//! | `http`, `https`, `ws`, `wss`, `ftp` | plain, without scheme and authority | the engine's |
//! | `file`, without a drive letter | the same, without `:` and `\|` | the engine's |
//! | `http`, `https`, `ws`, `wss`, `ftp` | `//`, a plain host and port, then plain | the engine's, `/` inserted where there is no path |
//! | any or none | `http://` or `https://`, then the same | the reference (the engine's if there may be dots), `/` inserted where there is no path |
//! | any or none | a scheme that is not special, in lower case, and a plain opaque path | the reference |

use alloc::string::String;

use super::base::Base;
use super::input::trim;
use super::plain::{host_and_port, is_clean, is_clean_without_colon, is_plain, is_plain_fragment, is_plain_host};
use super::record::Scheme;
use crate::resolve::form::Form;
use crate::rules::Rules;
use crate::scan::{find_byte, has_dots};
use crate::uri::scheme_end;

/// Appends the result of a reference, if the fast path takes it.
#[inline(always)]
pub(super) fn resolve_into(base: &Base<'_>, reference: &str, out: &mut String) -> bool {
    if serialized(reference).is_some() {
        out.push_str(reference);
        return true;
    }
    let Some((kept, rest)) = in_pieces(base, reference) else { return by_component(base, reference, out) };
    out.reserve(kept.len() + rest.len());
    out.push_str(kept);
    out.push_str(rest);
    true
}

/// Returns how much of the base and how much of the reference make the result, if the reference has no scheme and all of it is
/// clean.
#[inline(always)]
pub(super) fn in_pieces<'b>(base: &'b Base<'_>, reference: &'b str) -> Option<(&'b str, &'b str)> {
    let bytes = reference.as_bytes();
    let engine_base = base.engine_base.borrowed();
    let (cut, start) = match bytes {
        [b'#', ..] if is_plain_fragment(bytes) => (engine_base.offsets.query_end, 0),
        [b'#', ..] => return None,
        _ if base.scheme == Scheme::Other || base.has_drive_letter => return None,
        [b'/', b'/', ..] => {
            let is_clean = base.scheme != Scheme::File && path_after_host(bytes, "//".len()).is_some();
            (is_clean.then_some(engine_base.offsets.scheme_end)?, 0)
        }
        _ => {
            let (cut, start) = engine_base.cut(Form::of(bytes, Rules::RFC3986), bytes)?;
            (is_clean_without_colon(&bytes[start..]).then_some(cut)?, start)
        }
    };
    Some((engine_base.as_str().get(..cut)?, &reference[start..]))
}

/// Does what [`resolve_into`] does, for all references that the fast path takes, clean or not.
#[inline(never)]
fn by_component(base: &Base<'_>, reference: &str, out: &mut String) -> bool {
    let reference = trim(reference);
    let bytes = reference.as_bytes();
    let scheme_end = scheme_end(bytes);
    if scheme_end > 0 {
        return absolute_into(Some(base), reference, scheme_end, out);
    }
    let is_taken = match base.scheme {
        _ if bytes.starts_with(b"#") => true,
        Scheme::Other => false,
        Scheme::File => !base.has_drive_letter && !bytes.iter().any(|byte| matches!(byte, b':' | b'|')),
        _ => true,
    };
    if !is_taken {
        return false;
    }
    if let [b'/', b'/', rest @ ..] = bytes {
        return base.scheme != Scheme::File && authority_into(base, reference, rest, out);
    }
    if !is_plain(bytes) {
        return false;
    }
    base.engine_base.resolve_into(reference, out);
    true
}

/// Appends the result of a reference with an authority and without a scheme.
#[inline(never)]
fn authority_into(base: &Base<'_>, reference: &str, rest: &[u8], out: &mut String) -> bool {
    let Some(host) = host_and_port(rest, base.scheme.default_port()) else { return false };
    let tail = &rest[host..];
    if !is_plain(tail) {
        return false;
    }
    if tail.first() == Some(&b'/') {
        base.engine_base.resolve_into(reference, out);
    } else {
        let end = "//".len() + host;
        base.engine_base.resolve_into(&reference[..end], out);
        out.push('/');
        out.push_str(&reference[end..]);
    }
    true
}

/// Appends the result of a reference with a scheme, which ends at a byte.
#[inline(always)]
pub(super) fn absolute_into(base: Option<&Base<'_>>, reference: &str, scheme_end: usize, out: &mut String) -> bool {
    let bytes = reference.as_bytes();
    let rest = &bytes[scheme_end..];
    let port = match &bytes[..scheme_end] {
        b"https:" => 443,
        b"http:" => 80,
        _ => return opaque_into(reference, scheme_end, out),
    };
    let [b'/', b'/', rest @ ..] = rest else { return false };
    let Some(host) = host_and_port(rest, Some(port)) else { return false };
    let tail = &rest[host..];
    if !is_plain(tail) {
        return false;
    }
    let end = reference.len() - tail.len();
    if tail.first() != Some(&b'/') {
        out.reserve(reference.len() + 1);
        out.push_str(&reference[..end]);
        out.push('/');
        out.push_str(&reference[end..]);
    } else if has_dots(tail) {
        let Some(base) = base else { return false };
        base.engine_base.resolve_into(reference, out);
    } else {
        out.push_str(reference);
    }
    true
}

/// Appends a reference with a scheme that is not special and an opaque path.
#[inline(never)]
fn opaque_into(reference: &str, scheme_end: usize, out: &mut String) -> bool {
    let bytes = reference.as_bytes();
    let (scheme, rest) = bytes.split_at(scheme_end);
    if scheme.iter().any(u8::is_ascii_uppercase) || rest.first() == Some(&b'/') {
        return false;
    }
    if Scheme::of(&reference[..scheme_end - 1]).is_special() {
        return false;
    }
    let find = |text: &[u8], bytes: &[u8]| text.iter().position(|byte| bytes.contains(byte)).unwrap_or(text.len());
    let (path, rest) = rest.split_at(find(rest, b"?#"));
    let (query, fragment) = rest.split_at(find(rest, b"#"));
    let is_written =
        |text: &[u8], not: &[u8]| text.iter().all(|byte| matches!(byte, 0x20..=0x7E) && !not.contains(byte));
    let is_plain = is_written(path, b"")
        && path.last() != Some(&b' ')
        && is_written(query, b" \"<>")
        && is_written(fragment, b" \"<>`");
    if is_plain {
        out.push_str(reference);
    }
    is_plain
}

/// Returns the byte at which the path of a text starts, if the text is an `http` or `https` URL as the Standard serializes it. Misses
/// some.
#[inline(always)]
pub(super) fn serialized(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let host = match bytes {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => 8,
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => 7,
        _ => return None,
    };
    path_after_host(bytes, host)
}

/// Returns the byte at which the path starts after a host, if host and path are clean. A byte says where the host starts.
#[inline(never)]
fn path_after_host(text: &[u8], host: usize) -> Option<usize> {
    let path = host + find_byte(&text[host..], b'/')?;
    (is_plain_host(&text[host..path]) && is_clean(&text[path..])).then_some(path)
}
