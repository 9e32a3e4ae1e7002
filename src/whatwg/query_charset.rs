//! Queries in the character encoding of their page (URL Standard §1.3, *percent-encode after encoding*).

use alloc::string::String;
use core::fmt::Write;

use encoding_rs::{EncoderResult, Encoding};

use super::parser::encode_into;
use crate::percent::{ByteSet, escape};

/// Converts a query to the character encoding `charset`, and appends its bytes with those in `set` percent-encoded. The set must
/// have all bytes beyond US-ASCII. A character that the character encoding lacks becomes `%26%23NNN%3B`, where `NNN` is its code
/// point in decimal.
pub(super) fn push_in_charset(mut query: &str, charset: &'static Encoding, set: &ByteSet, out: &mut String) {
    if charset == encoding_rs::UTF_8 {
        return encode_into(query, set, out);
    }
    let mut encoder = charset.new_encoder();
    loop {
        let mut bytes = [0; 128];
        let (result, read, written) = encoder.encode_from_utf8_without_replacement(query, &mut bytes, true);
        query = &query[read..];
        for &byte in &bytes[..written] {
            if set.contains(byte) {
                out.push_str(escape(byte));
            } else {
                out.push(byte.into());
            }
        }
        match result {
            EncoderResult::InputEmpty => return,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(c) => {
                write!(out, "%26%23{}%3B", u32::from(c)).expect("a string takes all");
            }
        }
    }
}
