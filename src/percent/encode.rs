//! Percent-encoding: octets written as escapes.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::byte_set::ByteSet;
use crate::error::{Error, ErrorKind};

/// Octets to encode, made by [`encode_with`]. It displays the encoded text, iterates over pieces of it, and converts to a `Cow` of it,
/// which is borrowed if nothing needs an escape.
#[derive(Clone, Debug)]
pub struct Encode<'a> {
    bytes: &'a [u8],
    set: ByteSet,
}

/// Encodes text or octets so that they can stand anywhere in a URI: all but letters, digits, `-`, `.`, `_` and `~` become escapes
/// (RFC 3986 §2.3). Text is encoded as UTF-8. Borrowed if nothing changes. [`encode_with`] encodes fewer characters, or others.
///
/// ```
/// use relref::percent::encode;
///
/// assert_eq!(encode("a b/c?ü"), "a%20b%2Fc%3F%C3%BC");
/// assert_eq!(format!("http://h/?q={}", encode("R&D")), "http://h/?q=R%26D");
/// ```
#[must_use]
#[doc(alias("percent_encode", "utf8_percent_encode", "quote"))]
pub fn encode(bytes: &(impl AsRef<[u8]> + ?Sized)) -> Cow<'_, str> {
    encode_with(bytes, ByteSet::RFC3986).into()
}

/// Encodes octets: each octet in the set, and each octet beyond US-ASCII, becomes an escape with upper-case digits.
///
/// A text is encoded as UTF-8; for ISO Latin-1, as in RFC 1630, see [`encode_latin1`]. Encoding is reversible if `%` is in the set.
///
/// Cost: one pass, when the result is used.
pub fn encode_with<'a>(bytes: &'a (impl AsRef<[u8]> + ?Sized), set: ByteSet) -> Encode<'a> {
    Encode { bytes: bytes.as_ref(), set }
}

/// Encodes text by ISO Latin-1, as RFC 1630 does (*Conventional URI encoding scheme*).
///
/// # Errors
/// A character above U+00FF, which has no octet; the error names it and its byte.
///
/// ```
/// use relref::percent::{ByteSet, encode_latin1};
///
/// assert_eq!(encode_latin1("café", ByteSet::RFC1630)?, "caf%E9");
/// assert_eq!(encode_latin1("5 €", ByteSet::RFC1630).unwrap_err().position(), 2);
/// # Ok::<(), relref::Error>(())
/// ```
pub fn encode_latin1(text: &str, set: ByteSet) -> Result<Cow<'_, str>, Error> {
    if text.is_ascii() {
        return Ok(encode_with(text, set).into());
    }
    let mut octets = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let octet =
            u8::try_from(c).map_err(|_| Error::new(ErrorKind::NotLatin1, "a character of ISO Latin-1", text, at))?;
        octets.push(octet);
    }
    Ok(Cow::Owned(encode_with(&octets, set).to_string()))
}

/// Encodes octets as the words of a query: a space becomes `+`, and a plus an escape.
///
/// ```
/// use relref::percent::{ByteSet, encode_query};
///
/// assert_eq!(encode_query("C++ & more", ByteSet::RFC1630_WORD), "C%2B%2B+&+more");
/// assert_eq!(encode_query("C++ & more", ByteSet::RFC3986), "C%2B%2B+%26+more");
/// ```
pub fn encode_query(bytes: &(impl AsRef<[u8]> + ?Sized), set: ByteSet) -> String {
    let mut out = String::new();
    for (number, word) in bytes.as_ref().split(|&byte| byte == b' ').enumerate() {
        out.push_str(if number == 0 { "" } else { "+" });
        out.extend(encode_with(word, set.add(b'+')));
    }
    out
}

impl<'a> Encode<'a> {
    fn is_escaped(&self, byte: u8) -> bool {
        self.set.contains(byte) || !byte.is_ascii()
    }
}

fn plain(bytes: &[u8]) -> &str {
    core::str::from_utf8(bytes).expect("octets without an escape are US-ASCII")
}

/// The digits are in upper case.
pub(crate) fn escape(byte: u8) -> &'static str {
    // All escapes stand in one text of 768 bytes, so that an escape is a slice of it: nothing is formatted, and there is no buffer
    // whose bytes must be shown to be UTF-8.
    const BYTES: [u8; 768] = {
        let mut all = [0; 768];
        let mut byte = 0;
        while byte < 256 {
            [all[3 * byte], all[3 * byte + 1], all[3 * byte + 2]] = escape_bytes(byte as u8);
            byte += 1;
        }
        all
    };
    const ALL: &str = if let Ok(all) = core::str::from_utf8(&BYTES) { all } else { panic!("escapes are US-ASCII") };
    let at = 3 * usize::from(byte);
    &ALL[at..at + 3]
}

pub(crate) const fn escape_bytes(byte: u8) -> [u8; 3] {
    let digits = b"0123456789ABCDEF";
    [b'%', digits[byte as usize / 16], digits[byte as usize % 16]]
}

impl<'a> Iterator for Encode<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (&first, after_first) = self.bytes.split_first()?;
        // The pieces are as long as they can be: a writer gets one call for all plain octets up to the next escape.
        let len = self.bytes.iter().take_while(|&&byte| !self.is_escaped(byte)).count();
        if len == 0 {
            self.bytes = after_first;
            return Some(escape(first));
        }
        let (text, rest) = self.bytes.split_at(len);
        self.bytes = rest;
        Some(plain(text))
    }
}

impl fmt::Display for Encode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_some() || f.precision().is_some() {
            return f.pad(&Cow::from(self.clone()));
        }
        self.clone().try_for_each(|piece| f.write_str(piece))
    }
}

impl<'a> From<Encode<'a>> for Cow<'a, str> {
    fn from(encode: Encode<'a>) -> Self {
        if encode.bytes.iter().any(|&byte| encode.is_escaped(byte)) {
            return Cow::Owned(encode.collect());
        }
        Cow::Borrowed(plain(encode.bytes))
    }
}
