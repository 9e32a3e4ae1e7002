//! Hosts beyond US-ASCII, as A-labels (feature `idna`).

use alloc::string::String;

use idna::AsciiDenyList;
use memchr::{memchr, memchr_iter};

use super::encoding::escapes_any;
use crate::percent::{decode_bytes, octet};

/// Returns the host with A-labels by UTS 46, as browsers read it (URL Standard §3.5); `None` if the host must stay. Allocates only
/// beyond US-ASCII.
pub(super) fn a_labels(host: &str) -> Option<String> {
    let bytes = host.as_bytes();
    let is_escape_of_ascii = |at: usize| octet(&bytes[at..]).is_none_or(|octet| octet.is_ascii());
    let is_plain_ascii = host.is_ascii() && memchr(b'%', bytes).is_none();
    if is_plain_ascii || memchr_iter(b'%', bytes).any(is_escape_of_ascii) {
        return None;
    }
    let octets = decode_bytes(host).ok()?.to_bytes();
    let labels = idna::domain_to_ascii_cow(&octets, AsciiDenyList::URL).ok()?;
    (!labels.is_empty() && !escapes_any(labels.as_bytes())).then(|| labels.into_owned())
}
