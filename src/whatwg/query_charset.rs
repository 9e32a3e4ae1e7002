//! Queries in the character encoding of their page (URL Standard §1.3, *percent-encode after encoding*).

use alloc::string::String;
use core::fmt::Write;

use crate::percent::{ByteSet, escape};

/// A character encoding other than UTF-8, in which a [`Base`](super::Base::query_charset) writes queries. The tables of character
/// encodings are not in this crate: `relref_links::html::query_charset` makes this from an `encoding_rs::Encoding`.
#[derive(Clone, Copy, Debug)]
pub struct QueryCharset {
    /// The name that the Encoding Standard gives it, such as `windows-1251`.
    pub name: &'static str,
    /// Converts a query, the second argument, to the character encoding with the name in the first. The receiver, the third, gets
    /// its bytes in one part or more, each with the character after it that the character encoding lacks, if there is one.
    pub encode: fn(&str, &str, &mut dyn FnMut(&[u8], Option<char>)),
}

/// Converts a query to the character encoding `charset`, and appends its bytes with those in `set` percent-encoded. The set must
/// have all bytes beyond US-ASCII. A character that the character encoding lacks becomes `%26%23NNN%3B`, where `NNN` is its code
/// point in decimal.
pub(super) fn push_in_charset(query: &str, charset: QueryCharset, set: &ByteSet, out: &mut String) {
    (charset.encode)(charset.name, query, &mut |bytes, lacked| {
        for &byte in bytes {
            if set.contains(byte) {
                out.push_str(escape(byte));
            } else {
                out.push(byte.into());
            }
        }
        if let Some(c) = lacked {
            write!(out, "%26%23{}%3B", u32::from(c)).expect("a string takes all");
        }
    });
}
