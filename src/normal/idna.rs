//! Hosts beyond US-ASCII, as A-labels (feature `idna`).

use alloc::borrow::Cow;
use alloc::string::String;

use idna::AsciiDenyList;
use memchr::{memchr, memchr_iter};

use super::encoding::escapes_any;
use crate::percent::{decode, octet};

/// Returns a host written in A-labels, by UTS 46 as browsers read it (URL Standard §3.5).
///
/// Returns `None` if the host must stay as it is:
/// - It is US-ASCII without `%`.
/// - It has a `%` that does not start an escape, or an escape of a US-ASCII octet.
/// - Its decoded octets are not UTF-8.
/// - UTS 46, or the URL Standard's list of forbidden characters, does not permit it.
/// - Its A-labels are empty, or have characters that no URI can contain.
///
/// Only a host beyond US-ASCII, plain or escaped, costs an allocation.
pub(super) fn a_labels(host: &str) -> Option<String> {
    let bytes = host.as_bytes();
    let is_escape_of_ascii = |at: usize| octet(&bytes[at..]).is_none_or(|octet| octet.is_ascii());
    let is_plain_ascii = host.is_ascii() && memchr(b'%', bytes).is_none();
    if is_plain_ascii || memchr_iter(b'%', bytes).any(is_escape_of_ascii) {
        return None;
    }
    let octets = Cow::from(decode(host).ok()?);
    let labels = idna::domain_to_ascii_cow(&octets, AsciiDenyList::URL).ok()?;
    (!labels.is_empty() && !escapes_any(labels.as_bytes())).then(|| labels.into_owned())
}
