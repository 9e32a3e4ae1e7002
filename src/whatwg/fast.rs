//! The fast path: the engine of RFC 3986 resolves most references, and components are percent-encoded where they are copied.
//!
//! It takes only references for which its result is that of the basic URL parser; tests compare the two. Spaces and controls at
//! the ends of a reference are removed first. `simple.rs` defines which hosts and texts are *simple*. One search tests whether a
//! reference is simple; only if it is not, `encoded.rs` looks at each byte of its components. It leaves tabs, line breaks and, in a
//! path, backslashes and `%2e` to the Standard's states.
//!
//! | base | reference | result |
//! |---|---|---|
//! | any | `#` and a fragment | the base up to its fragment, then the reference |
//! | `http`, `https`, `ws`, `wss`, `ftp` | without scheme and authority | the engine's |
//! | `file`, without a drive letter | the same, without `:` and `\|` | the engine's |
//! | `http`, `https`, `ws`, `wss`, `ftp` | `//`, a simple host, then a simple text or one without dots | the engine's, `/` inserted where there is no path |
//! | any or none | `http://` or `https://`, a simple host and a port as serialized, then a text without dots | the reference, `/` inserted where there is no path |
//! | any or none | a scheme that is not special, in lower case, then an opaque path without spaces; no byte is percent-encoded | the reference |

use alloc::string::String;

use super::encoded;
use super::input::trim;
use super::prepared::BorrowedBase;
use super::query_charset::QueryCharset;
use super::scheme::Scheme;
use super::simple::{
    fragment_needs_no_encoding, has_nothing_to_encode, is_simple, is_simple_without_colon, needs_no_encoding,
    simple_host_and_port_len, simple_host_len,
};
use crate::percent::ByteSet;
use crate::resolve::fast::{FastBase, Form, push_both};
use crate::rules::Rules;
use crate::scan::may_have_dots;
use crate::uri::scheme_end;

/// Returns false, and appends nothing, if the reference needs the Standard's states.
#[inline(always)]
pub(super) fn resolve_into(base: BorrowedBase<'_>, reference: &str, out: &mut String) -> bool {
    if reference.starts_with("http") {
        return match http_path_start(reference) {
            Some(path_start) if is_simple(&reference.as_bytes()[path_start..]) => {
                out.push_str(reference);
                true
            }
            Some(path_start) => copy_http_into(base, reference, path_start, out),
            None => resolve_not_in_pieces_into(base, reference, out),
        };
    }
    let Some(pieces) = in_pieces(base, reference) else { return resolve_not_in_pieces_into(base, reference, out) };
    push_both(pieces, out);
    true
}

/// The result is the start of the base and the rest of the reference. `None` if that is uncertain, and always for a reference that
/// has a scheme or is not [simple](super::simple). A fragment alone only has to *need no encoding*.
#[inline(always)]
pub(super) fn in_pieces<'b>(base: BorrowedBase<'b>, reference: &'b str) -> Option<(&'b str, &'b str)> {
    let bytes = reference.as_bytes();
    let engine_base = base.engine_base();
    let (cut, start) = match bytes {
        [b'#', ..] if fragment_needs_no_encoding(bytes) => (engine_base.offsets.query_end, 0),
        [b'#', ..] => return None,
        _ if base.prepared.scheme == Scheme::Other || base.prepared.has_drive_letter => return None,
        [b'/', b'/', ..] => {
            let path_start = path_start_after_host(bytes, "//".len())?;
            let is_taken = base.prepared.scheme != Scheme::File && is_simple(&bytes[path_start..]);
            (is_taken.then_some(engine_base.offsets.scheme_end)?, 0)
        }
        _ => {
            let (cut, start) = engine_base.cut_and_start(Form::of(bytes, Rules::RFC3986), bytes)?;
            (is_simple_without_colon(&bytes[start..]).then_some(cut)?, start)
        }
    };
    Some((engine_base.as_str().get(..cut)?, &reference[start..]))
}

/// Resolves references that are not resolved [`in_pieces`]: most have a scheme, or are not [simple](super::simple).
#[inline(never)]
fn resolve_not_in_pieces_into(base: BorrowedBase<'_>, reference: &str, out: &mut String) -> bool {
    let reference = trim(reference);
    let bytes = reference.as_bytes();
    if bytes.first() == Some(&b'#') {
        return encoded::resolve_fragment_into(base, reference, out);
    }
    let scheme_end = scheme_end(bytes);
    if scheme_end > 0 {
        return copy_absolute_into(reference, scheme_end, base.prepared.query_charset, out);
    }
    let is_taken = match base.prepared.scheme {
        Scheme::Other => false,
        Scheme::File if base.prepared.has_drive_letter || bytes.iter().any(|byte| matches!(byte, b':' | b'|')) => false,
        scheme if bytes.starts_with(b"//") => return scheme != Scheme::File && resolve_host_into(base, reference, out),
        _ => true,
    };
    is_taken && encoded::resolve_into(base, reference, out)
}

/// Copies a reference that is an `http` or `https` URL with a simple host and no port.
#[inline(never)]
fn copy_http_into(base: BorrowedBase<'_>, reference: &str, path_start: usize, out: &mut String) -> bool {
    let (origin, rest) = trim(reference).split_at(path_start);
    encoded::copy_into(["", origin, rest], base.prepared.query_charset, out)
}

/// `reference` must start with two slashes.
fn resolve_host_into(base: BorrowedBase<'_>, reference: &str, out: &mut String) -> bool {
    let bytes = reference.as_bytes();
    let Some(len) = simple_host_len(&bytes["//".len()..]) else { return false };
    let (origin, rest) = reference.split_at("//".len() + len);
    let scheme = &base.text[..base.engine_base().offsets.scheme_end];
    matches!(rest.as_bytes().first(), None | Some(b'/' | b'?' | b'#'))
        && encoded::copy_into([scheme, origin, rest], base.query_charset(), out)
}

/// Returns false, and appends nothing, if the reference needs the Standard's states.
#[inline(always)]
pub(super) fn copy_absolute_into(
    reference: &str,
    scheme_end: usize,
    query_charset: Option<QueryCharset>,
    out: &mut String,
) -> bool {
    let (scheme, rest) = reference.as_bytes().split_at(scheme_end);
    let port = match scheme {
        b"https:" => 443,
        b"http:" => 80,
        _ => return copy_opaque_into(reference, scheme_end, out),
    };
    let Some(rest) = rest.strip_prefix(b"//") else { return false };
    let Some(host) = simple_host_and_port_len(rest, port) else { return false };
    let after_host = &rest[host..];
    if !needs_no_encoding(after_host) {
        let (origin, rest) = reference.split_at(reference.len() - after_host.len());
        return encoded::copy_into(["", origin, rest], query_charset, out);
    }
    if may_have_dots(after_host) {
        return false;
    }
    out.push_str(reference);
    if after_host.first() != Some(&b'/') {
        out.insert(out.len() - after_host.len(), '/');
    }
    true
}

/// Bytes that are always percent-encoded, and the space, which is percent-encoded only at the end of the path.
const CHANGED_IN_OPAQUE_PATH: ByteSet = ByteSet::WHATWG_C0_CONTROL.add(b' ');

/// Takes only a scheme that is not special and in lower case, with an opaque path without spaces. Else appends nothing.
#[inline(never)]
fn copy_opaque_into(reference: &str, scheme_end: usize, out: &mut String) -> bool {
    let bytes = reference.as_bytes();
    let scheme = &reference[..scheme_end - 1];
    let is_own_result = !scheme.bytes().any(|byte| byte.is_ascii_uppercase())
        && !Scheme::of(scheme).is_special()
        && bytes.get(scheme_end) != Some(&b'/')
        && has_nothing_to_encode(bytes, scheme_end, &CHANGED_IN_OPAQUE_PATH, &ByteSet::WHATWG_QUERY);
    if is_own_result {
        out.push_str(reference);
    }
    is_own_result
}

/// `None` unless the text is a serialized `http` or `https` URL without a port, [simple](super::simple) from its host on.
#[inline(always)]
pub(super) fn serialized_path_start(text: &str) -> Option<usize> {
    http_path_start(text).filter(|&path_start| is_simple(&text.as_bytes()[path_start..]))
}

/// Returns the byte where the path of an `http` or `https` URL starts, as [`serialized_path_start`] does, but whatever follows `/`.
#[inline(always)]
fn http_path_start(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let host = match bytes {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => 8,
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => 7,
        _ => return None,
    };
    path_start_after_host(bytes, host)
}

#[inline(never)]
fn path_start_after_host(text: &[u8], host_start: usize) -> Option<usize> {
    let path_start = host_start + simple_host_len(&text[host_start..])?;
    (text.get(path_start) == Some(&b'/')).then_some(path_start)
}
