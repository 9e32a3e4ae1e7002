//! The fast path: the engine of RFC 3986 resolves references whose result needs no percent-encoding.
//!
//! It takes only references for which its result is that of the basic URL parser; tests compare the two. Spaces and controls at
//! the ends of a reference are removed first. `simple.rs` defines which texts *need no encoding* and are *simple*. One search tests
//! whether a reference is simple; only if it is not, each of its components is tested.
//!
//! | base | reference | result |
//! |---|---|---|
//! | any | `#` and a fragment that needs no encoding | the base up to its fragment, then the reference |
//! | `http`, `https`, `ws`, `wss`, `ftp` | needs no encoding, without scheme and authority | the engine's |
//! | `file`, without a drive letter | the same, without `:` and `\|` | the engine's |
//! | `http`, `https`, `ws`, `wss`, `ftp` | `//`, a simple host, then a simple path | the engine's |
//! | any or none | `http://` or `https://`, a simple host and a port as serialized, then a text that needs no encoding, without dots | the reference, `/` inserted where there is no path |
//! | any or none | a scheme that is not special, in lower case, then an opaque path without spaces; no byte is percent-encoded | the reference |

use alloc::string::String;

use super::input::trim;
use super::prepared::BorrowedBase;
use super::scheme::Scheme;
use super::simple::{
    fragment_needs_no_encoding, has_nothing_to_encode, is_simple, is_simple_without_colon, needs_no_encoding,
    simple_host_and_port_len, simple_host_len,
};
use crate::percent::ByteSet;
use crate::resolve::fast_path::{FastBase, push_both};
use crate::resolve::form::Form;
use crate::rules::Rules;
use crate::scan::may_have_dots;
use crate::uri::scheme_end;

/// Returns false, and appends nothing, if the reference needs the Standard's states.
#[inline(always)]
pub(super) fn resolve_into(base: BorrowedBase<'_>, reference: &str, out: &mut String) -> bool {
    if serialized_path_start(reference).is_some() {
        out.push_str(reference);
        return true;
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
            let is_simple = base.prepared.scheme != Scheme::File && path_start_after_host(bytes, "//".len()).is_some();
            (is_simple.then_some(engine_base.offsets.scheme_end)?, 0)
        }
        _ => {
            let (cut, start) = engine_base.cut_and_start(Form::of(bytes, Rules::RFC3986), bytes)?;
            (is_simple_without_colon(&bytes[start..]).then_some(cut)?, start)
        }
    };
    Some((engine_base.as_str().get(..cut)?, &reference[start..]))
}

/// For references for which [`in_pieces`] returned `None`: most have a scheme, or are not [simple](super::simple).
#[inline(never)]
fn resolve_not_in_pieces_into(base: BorrowedBase<'_>, reference: &str, out: &mut String) -> bool {
    let reference = trim(reference);
    let bytes = reference.as_bytes();
    let scheme_end = scheme_end(bytes);
    if scheme_end > 0 {
        return copy_absolute_into(reference, scheme_end, out);
    }
    let is_taken = match base.prepared.scheme {
        _ if bytes.starts_with(b"#") => true,
        _ if bytes.starts_with(b"//") => false,
        Scheme::Other => false,
        Scheme::File => !base.prepared.has_drive_letter && !bytes.iter().any(|byte| matches!(byte, b':' | b'|')),
        _ => true,
    };
    let is_taken = is_taken && needs_no_encoding(bytes);
    if is_taken {
        base.engine_base().resolve_into(reference, out);
    }
    is_taken
}

/// Returns false, and appends nothing, if the result may be another text than the reference, with a `/` for an empty path.
#[inline(always)]
pub(super) fn copy_absolute_into(reference: &str, scheme_end: usize, out: &mut String) -> bool {
    let (scheme, rest) = reference.as_bytes().split_at(scheme_end);
    let port = match scheme {
        b"https:" => 443,
        b"http:" => 80,
        _ => return copy_opaque_into(reference, scheme_end, out),
    };
    let Some(rest) = rest.strip_prefix(b"//") else { return false };
    let Some(host) = simple_host_and_port_len(rest, port) else { return false };
    let after_host = &rest[host..];
    if may_have_dots(after_host) || !needs_no_encoding(after_host) {
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

/// `None` unless the text is an `http` or `https` URL with a [simple](super::simple) host, no port, and a simple text from a `/`
/// on. Such a URL is already serialized.
#[inline(always)]
pub(super) fn serialized_path_start(text: &str) -> Option<usize> {
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
    (text.get(path_start) == Some(&b'/') && is_simple(&text[path_start..])).then_some(path_start)
}
