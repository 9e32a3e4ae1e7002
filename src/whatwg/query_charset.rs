//! The character encoding of queries (URL Standard §1.3, *percent-encode after encoding*).

use alloc::string::String;

use crate::percent::ByteSet;

/// A character encoding other than UTF-8, in which a [`Base`](super::Base::query_charset) writes queries. The tables of character
/// encodings are not in this crate: `relref_links::html::query_charset` makes this from an `encoding_rs::Encoding`.
#[derive(Clone, Copy, Debug)]
pub struct QueryCharset {
    /// The name that the Encoding Standard gives it, such as `windows-1251`.
    pub name: &'static str,
    /// Converts a query and appends it: gets `name`, the query, the bytes that become escapes, and the text to append to. The set
    /// has all bytes beyond US-ASCII. A character that the character encoding lacks is written as `%26%23NNN%3B`, where `NNN` is
    /// its code point in decimal.
    pub encode: fn(&str, &str, ByteSet, &mut String),
}
