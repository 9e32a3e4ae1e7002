//! Queries of pages in legacy encodings (URL Standard §4.4, query state).

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::Write;

use encoding_rs::{EncoderResult, Encoding};

use crate::uri::UriRef;

/// The reference with its query percent-encoded in an encoding, if there is one, as far as it is not US-ASCII; characters that the encoding
/// does not have are written as `%26%23NNN%3B`. Borrowed if there is nothing to encode. One pass.
///
/// Only queries of `http`, `https`, `ftp` and `file` are sent that way; `scheme` is that of the base.
pub(super) fn encode<'r>(reference: &'r str, scheme: &str, encoding: Option<&'static Encoding>) -> Cow<'r, str> {
    let Some(encoding) = encoding else { return Cow::Borrowed(reference) };
    let split = UriRef::new(reference);
    let scheme = split.scheme().unwrap_or(scheme);
    let special = ["http", "https", "ftp", "file"].into_iter().any(|special| scheme.eq_ignore_ascii_case(special));
    let Some(query) = split.query().filter(|query| special && !query.is_ascii()) else {
        return Cow::Borrowed(reference);
    };
    let mut out = String::with_capacity(reference.len() * 2);
    out.push_str(&reference[..split.query_end - query.len()]);
    let mut encoder = encoding.new_encoder();
    for (at, c) in query.char_indices() {
        let mut text = &query[at..at + c.len_utf8()];
        loop {
            let mut bytes = [0; 16];
            let (result, read, written) = encoder.encode_from_utf8_without_replacement(text, &mut bytes, false);
            text = &text[read..];
            // A US-ASCII character stays as it is; what an encoding writes in front of it does not.
            let kept = usize::from(c.is_ascii()).min(written);
            push_bytes(&bytes[..written - kept], &mut out);
            out.extend(bytes[written - kept..written].iter().map(|&byte| char::from(byte)));
            match result {
                EncoderResult::Unmappable(c) => {
                    let _ = write!(out, "%26%23{}%3B", u32::from(c));
                }
                EncoderResult::InputEmpty => break,
                EncoderResult::OutputFull => {}
            }
        }
    }
    let mut bytes = [0; 16];
    let (_, _, written) = encoder.encode_from_utf8_without_replacement("", &mut bytes, true);
    push_bytes(&bytes[..written], &mut out);
    out.push_str(&reference[split.query_end..]);
    Cow::Owned(out)
}

/// Octets in a query: the special-query percent-encode set (URL Standard §1.3).
fn push_bytes(bytes: &[u8], out: &mut String) {
    for &byte in bytes {
        if matches!(byte, 0x21..=0x7E) && !b"\"#<>'".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
}
