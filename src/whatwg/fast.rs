//! The fast path: references whose result needs no encoding, by the engine of RFC 3986.
//!
//! It is exact: on what it takes it gives what the basic URL parser gives; a test compares them. Spaces and
//! controls at the ends are removed first. *Plain* is defined in `plain.rs`.
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
use super::plain::{Facts, host_and_port, is_plain};
use super::record::Scheme;
use crate::scan::has_dots;
use crate::uri::scheme_end;

/// Appends the result of a reference, if the fast path takes it.
#[inline(always)]
pub(super) fn resolve_into(base: &Base<'_>, reference: &str, out: &mut String) -> bool {
    let reference = trim(reference);
    let bytes = reference.as_bytes();
    let facts = Facts::of(bytes);
    match bytes.first() {
        Some(b'#') => {
            let is_fragment = !facts.is_odd || is_plain(bytes, facts);
            if is_fragment {
                base.prepared.resolve_into(reference, out);
            }
            return is_fragment;
        }
        Some(first) if facts.has_colon && first.is_ascii_alphabetic() => {
            let end = scheme_end(bytes);
            if end > 0 {
                return absolute_into(Some(base), reference, end, facts, out);
            }
        }
        _ => {}
    }
    let is_taken = match base.scheme {
        Scheme::Other => false,
        Scheme::File => !base.has_drive_letter && !facts.has_colon && !bytes.contains(&b'|'),
        _ => true,
    };
    if !is_taken {
        return false;
    }
    if let [b'/', b'/', rest @ ..] = bytes {
        return base.scheme != Scheme::File && authority_into(base, reference, rest, out);
    }
    if !is_plain(bytes, facts) {
        return false;
    }
    base.prepared.resolve_into(reference, out);
    true
}

/// Appends the result of a reference with an authority and without a scheme.
#[inline(never)]
fn authority_into(base: &Base<'_>, reference: &str, rest: &[u8], out: &mut String) -> bool {
    let Some(host) = host_and_port(rest, base.scheme.default_port()) else { return false };
    let tail = &rest[host..];
    if !is_plain(tail, Facts::of(tail)) {
        return false;
    }
    if tail.first() == Some(&b'/') {
        base.prepared.resolve_into(reference, out);
    } else {
        let end = "//".len() + host;
        base.prepared.resolve_into(&reference[..end], out);
        out.push('/');
        out.push_str(&reference[end..]);
    }
    true
}

/// Appends the result of a reference with a scheme, which ends at a byte.
#[inline(always)]
pub(super) fn absolute_into(
    base: Option<&Base<'_>>,
    reference: &str,
    scheme_end: usize,
    facts: Facts,
    out: &mut String,
) -> bool {
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
    // The colon of the scheme is plain, and so is the host.
    if !is_plain(tail, facts) {
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
        base.prepared.resolve_into(reference, out);
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

/// Returns the scheme of a text that is an `http` or `https` URL as the Standard serializes it. Misses some.
#[inline(always)]
pub(super) fn serialized(text: &str) -> Option<Scheme> {
    let (scheme, rest) = match text.as_bytes() {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', rest @ ..] => (Scheme::Https, rest),
        [b'h', b't', b't', b'p', b':', b'/', b'/', rest @ ..] => (Scheme::Http, rest),
        _ => return None,
    };
    let tail = &rest[host_and_port(rest, scheme.default_port())?..];
    let is_serialized = tail.first() == Some(&b'/') && is_plain(tail, Facts::of(tail)) && !has_dots(tail);
    is_serialized.then_some(scheme)
}
