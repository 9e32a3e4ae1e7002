//! The host of a CDX key: labels from right to left, without `www.`.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::net::Ipv4Addr;

use memchr::memmem;

use super::push_escaped;
use super::unescape::fully_decoded;
use crate::whatwg::ipv4_number;

/// Appends the labels from right to left, with commas; A-labels, or escapes if one has none. False if nothing is left to append.
pub(super) fn push_host(host: &str, out: &mut String) -> bool {
    let mut host = fully_decoded(host);
    if !host.is_ascii() {
        if let Some(labels) = a_labels(&host) {
            host = Cow::Owned(labels);
        }
    }
    let mut host = without_extra_dots(&host);
    if let Some(address) = ipv4_address(&host) {
        host = Cow::Owned(address.to_string().into_bytes());
    }
    let host = without_www(&host);
    for (number, label) in host.rsplit(|&byte| byte == b'.').enumerate() {
        out.push_str(if number == 0 { "" } else { "," });
        push_escaped(label, out);
    }
    !host.is_empty()
}

/// Replaces each `..` by a dot once, from left to right: `a...b` becomes `a..b`.
fn without_extra_dots(host: &[u8]) -> Cow<'_, [u8]> {
    let start = host.iter().position(|&byte| byte != b'.').unwrap_or(host.len());
    let end = host.iter().rposition(|&byte| byte != b'.').map_or(start, |last| last + 1);
    let mut labels = Vec::new();
    let mut rest = &host[start..end];
    while let Some(at) = memmem::find(rest, b"..") {
        labels.extend_from_slice(&rest[..=at]);
        rest = &rest[at + 2..];
    }
    if labels.is_empty() {
        return Cow::Borrowed(rest);
    }
    labels.extend_from_slice(rest);
    Cow::Owned(labels)
}

/// Digits may follow `www`, as in `www2.`.
fn without_www(host: &[u8]) -> &[u8] {
    let prefix = host.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"www"));
    let digits = host.iter().skip(3).take_while(|byte| byte.is_ascii_digit()).count();
    if prefix && host.get(3 + digits) == Some(&b'.') { &host[4 + digits..] } else { host }
}

/// Reads addresses as `inet_aton` does, but without hexadecimal numbers: `127.1` is `127.0.0.1`. If the first number starts with a
/// zero, none may have the digit 8 or 9. A number without dots is decimal, and only its lowest 32 bits count.
fn ipv4_address(host: &[u8]) -> Option<Ipv4Addr> {
    if !host.iter().all(|&byte| byte.is_ascii_digit() || byte == b'.') || host.is_empty() {
        return None;
    }
    if !host.contains(&b'.') {
        let digit = |number: u32, &byte: &u8| number.wrapping_mul(10).wrapping_add(u32::from(byte - b'0'));
        return Some(Ipv4Addr::from_bits(host.iter().fold(0, digit)));
    }
    if host.starts_with(b"0") && host.iter().any(|&byte| matches!(byte, b'8' | b'9')) {
        return None;
    }
    let number = |digits| ipv4_number(digits).map(|(number, _)| number);
    let numbers = host.split(|&byte| byte == b'.').map(number).collect::<Option<Vec<u64>>>()?;
    let (last, first) = numbers.split_last()?;
    let bits = 8 * 4_usize.checked_sub(first.len())?;
    if bits == 0 || first.iter().any(|&number| number > 0xFF) || last >> bits != 0 {
        return None;
    }
    let address = first.iter().fold(0, |address, number| address << 8 | number) << bits | last;
    Some(Ipv4Addr::from_bits(address as u32))
}

/// Returns the host with A-labels by IDNA 2003, without octets that are not UTF-8. `None` if IDNA 2003 does not permit a label.
#[cfg(feature = "idna")]
fn a_labels(host: &[u8]) -> Option<Vec<u8>> {
    let text: String = host.utf8_chunks().map(|chunk| chunk.valid()).collect();
    if text.is_empty() {
        return Some(Vec::new());
    }
    let labels: Vec<&str> = text.split(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}']).collect();
    let mut out = Vec::with_capacity(text.len() + 8);
    for (index, label) in labels.iter().enumerate() {
        if index > 0 {
            out.push(b'.');
        }
        if label.is_ascii() {
            let is_last = index + 1 == labels.len();
            if label.len() > 63 || (label.is_empty() && !(is_last && index > 0)) {
                return None;
            }
            out.extend_from_slice(label.as_bytes());
            continue;
        }
        // IDNA 2003 replaces or removes these characters; UTS 46 keeps them.
        let label = label.replace(['\u{df}', '\u{1e9e}'], "ss").replace('\u{3c2}', "\u{3c3}");
        let label = label.replace(['\u{200c}', '\u{200d}'], "");
        let ascii = to_ascii(&label).or_else(|| {
            // Mapping can make the label start with `xn--`. IDNA 2003 then takes it even if it is not a valid A-label, but UTS 46
            // does not. With a letter before it, UTS 46 maps it and does not read it as an A-label.
            to_ascii(&["a", &label].concat())?
                .strip_prefix("a")
                .filter(|mapped| mapped.starts_with("xn--"))
                .map(String::from)
        })?;
        if ascii.is_empty() || ascii.len() > 63 {
            return None;
        }
        out.extend_from_slice(ascii.as_bytes());
    }
    Some(out)
}

#[cfg(feature = "idna")]
fn to_ascii(label: &str) -> Option<String> {
    idna::domain_to_ascii_cow(label.as_bytes(), idna::AsciiDenyList::EMPTY).ok().map(Cow::into_owned)
}

#[cfg(not(feature = "idna"))]
fn a_labels(_: &[u8]) -> Option<Vec<u8>> {
    None
}
