//! Percent-encoding: octets written as escapes.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::byte_set::ByteSet;
use crate::error::{Error, ErrorKind};

/// Octets to encode, made by [`encode`]. It displays the encoded text, iterates over its bytes, and converts to a `Cow` of it,
/// which is borrowed if nothing needs an escape.
#[derive(Clone, Debug)]
pub struct Encode<'a> {
    bytes: &'a [u8],
    set: ByteSet,
    /// The bytes of an escape that the iterator has not yet returned. Empty if it has not stopped inside an escape.
    escape: &'static [u8],
}

/// Encodes octets: each octet in the set, and each octet beyond US-ASCII, becomes an escape with upper-case digits.
///
/// A text is encoded as UTF-8; for ISO Latin-1, as in RFC 1630, see [`encode_latin1`]. Encoding is reversible if `%` is in the
/// set.
///
/// Cost: one pass, when the result is used.
pub fn encode<'a>(bytes: &'a (impl AsRef<[u8]> + ?Sized), set: ByteSet) -> Encode<'a> {
    Encode { bytes: bytes.as_ref(), set, escape: b"" }
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
        return Ok(encode(text, set).into());
    }
    let mut octets = Vec::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let octet =
            u8::try_from(c).map_err(|_| Error::new(ErrorKind::NotLatin1, "a character of ISO Latin-1", text, at))?;
        octets.push(octet);
    }
    Ok(Cow::Owned(encode(&octets, set).to_string()))
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
        write!(out, "{}", encode(word, set.add(b'+'))).expect("a string takes all");
    }
    out
}

impl<'a> Encode<'a> {
    /// Reports whether an octet becomes an escape.
    fn is_escaped(&self, byte: u8) -> bool {
        self.set.contains(byte) || !byte.is_ascii()
    }

    /// Returns the text before the next octet that needs an escape. With it is that octet and what follows it, or `None` if no
    /// octet needs an escape.
    fn split(&self) -> (&'a str, Option<(u8, Encode<'a>)>) {
        let plain = self.bytes.iter().take_while(|&&byte| !self.is_escaped(byte)).count();
        let (plain, rest) = self.bytes.split_at(plain);
        let plain = core::str::from_utf8(plain).expect("octets without an escape are US-ASCII");
        (plain, rest.split_first().map(|(&byte, bytes)| (byte, Encode { bytes, ..self.clone() })))
    }
}

/// Returns the escape of an octet, with upper-case digits.
pub(crate) fn escape(byte: u8) -> &'static str {
    const ALL: [u8; 768] = {
        let digits = b"0123456789ABCDEF";
        let mut all = [b'%'; 768];
        let mut byte = 0;
        while byte < 256 {
            all[3 * byte + 1] = digits[byte / 16];
            all[3 * byte + 2] = digits[byte % 16];
            byte += 1;
        }
        all
    };
    let at = 3 * usize::from(byte);
    core::str::from_utf8(&ALL[at..at + 3]).expect("escapes are US-ASCII")
}

impl Iterator for Encode<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        if let Some((&first, rest)) = self.escape.split_first() {
            self.escape = rest;
            return Some(first);
        }
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        if !self.is_escaped(first) {
            return Some(first);
        }
        self.escape = &escape(first).as_bytes()[1..];
        Some(b'%')
    }
}

impl fmt::Display for Encode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_some() || f.precision().is_some() {
            return f.pad(&Cow::from(self.clone()));
        }
        // The iterator may have stopped inside an escape.
        self.escape.iter().try_for_each(|&byte| f.write_char(byte.into()))?;
        let mut rest = self.clone();
        loop {
            let (plain, next) = rest.split();
            f.write_str(plain)?;
            let Some((byte, after)) = next else { return Ok(()) };
            f.write_str(escape(byte))?;
            rest = after;
        }
    }
}

impl<'a> From<Encode<'a>> for Cow<'a, str> {
    fn from(encode: Encode<'a>) -> Self {
        match encode.split() {
            (plain, None) if encode.escape.is_empty() => Cow::Borrowed(plain),
            _ => Cow::Owned(encode.to_string()),
        }
    }
}
