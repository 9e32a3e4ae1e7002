//! Hosts beyond US-ASCII, as A-labels (feature `idna`).

use alloc::borrow::Cow;
use alloc::string::String;

use idna::AsciiDenyList;
use memchr::memchr;

use super::encoding::escapes_any;
use crate::percent::{decode, octet};

/// Writes the host at the bytes `start..end` of `out` as A-labels, by UTS 46 as browsers read it (URL Standard §3.5). Returns the
/// byte at which the host now ends.
///
/// The host stays as it is if it is US-ASCII, if it has an escape of US-ASCII, if its escapes are not UTF-8, or if UTS 46 or the
/// URL Standard's list of forbidden characters does not permit it. Only a host beyond US-ASCII costs an allocation.
pub(super) fn to_ascii(start: usize, end: usize, out: &mut String) -> usize {
    let host = &out[start..end];
    if host.is_ascii() && memchr(b'%', host.as_bytes()).is_none() {
        return end;
    }
    match a_labels(host) {
        Some(labels) => {
            out.replace_range(start..end, &labels);
            start + labels.len()
        }
        None => end,
    }
}

/// Returns the A-labels of a host; `None` if the host must stay as it is.
fn a_labels(host: &str) -> Option<String> {
    let bytes = host.as_bytes();
    let is_escape_of_ascii = |at: usize| octet(&bytes[at..]).is_none_or(|octet| octet.is_ascii());
    if memchr::memchr_iter(b'%', bytes).any(is_escape_of_ascii) {
        return None;
    }
    let octets = Cow::from(decode(host).ok()?);
    let labels = idna::domain_to_ascii_cow(&octets, AsciiDenyList::URL).ok()?;
    (!labels.is_empty() && !escapes_any(labels.as_bytes())).then(|| labels.into_owned())
}
