//! Percent-encoding: octets written as escapes, and escapes read as octets.
//!
//! An escape is `%` and two hex digits of either case; `%` is never anything else (RFC 1630, *Reserved characters: the
//! percent sign*; RFC 1738 §2.2; RFC 3986 §2.1). Which octets are to be escaped is a [`ByteSet`]; each document's sets are
//! constants of it.
//!
//! ```
//! use relref::percent::{ByteSet, decode, encode};
//!
//! assert_eq!(encode("50% of a/b", ByteSet::SEGMENT).to_string(), "50%25%20of%20a%2Fb");
//! assert_eq!(decode("50%25%20of")?.to_string(), "50% of");
//!
//! // `%` with anything else behind it is an error where the digit is missing, never decoded and never dropped.
//! assert_eq!(decode("asdf%*.fred").unwrap_err().position(), 5);
//! # Ok::<(), relref::Error>(())
//! ```

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write};

use memchr::memchr;

use crate::error::{Error, ErrorKind};

/// A set of octets, as a mask of 256 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ByteSet([u64; 4]);

/// Everything but letters, digits, and these.
const fn all_but(kept: &[u8]) -> ByteSet {
    let mut set = ByteSet([u64::MAX; 4]);
    let mut byte = 0;
    while byte < 128 {
        if (byte as u8).is_ascii_alphanumeric() {
            set = set.remove(byte as u8);
        }
        byte += 1;
    }
    set.without(ByteSet::new(kept))
}

impl ByteSet {
    /// No octet.
    pub const EMPTY: ByteSet = ByteSet([0; 4]);

    /// What RFC 1630 never lets stand for itself: all but its `xalpha` and `+` (letters, digits, safe and extra).
    pub const RFC1630: ByteSet = all_but(b"$-_@.&+!*\"'(),");

    /// What RFC 1630 keeps out of a word of the search part: the same, and `+`, which separates words.
    pub const RFC1630_WORD: ByteSet = ByteSet::RFC1630.add(b'+');

    /// RFC 1738 §2.2: all but letters, digits and `$-_.+!*'(),`. Reserved characters are in the set; those that are used
    /// for what they are reserved for are not to be encoded with it.
    pub const RFC1738: ByteSet = all_but(b"$-_.+!*'(),");

    /// RFC 1738 §2.2, *unsafe*: controls, space, `<>"#%{}|\^~[]` and the grave accent, and what is not US-ASCII.
    pub const RFC1738_UNSAFE: ByteSet = ByteSet::RFC1738.without(ByteSet::new(b";/?:@=&"));

    /// RFC 3986 §2.3: all but the unreserved characters, letters, digits and `-._~`.
    pub const RFC3986: ByteSet = all_but(b"-._~");

    /// RFC 3986 §3.3: what cannot stand in a path segment.
    pub const SEGMENT: ByteSet = ByteSet::RFC3986.without(ByteSet::new(b"!$&'()*+,;=:@"));

    /// RFC 3986 §3.3: what cannot stand in a path.
    pub const PATH: ByteSet = ByteSet::SEGMENT.remove(b'/');

    /// RFC 3986 §3.4, §3.5: what cannot stand in a query or a fragment.
    pub const QUERY: ByteSet = ByteSet::PATH.remove(b'?');

    /// RFC 3986 §3.2.1: what cannot stand in the user information.
    pub const USERINFO: ByteSet = ByteSet::SEGMENT.add(b'@');

    /// RFC 3986 §3.2.2: what cannot stand in a registered name.
    pub const HOST: ByteSet = ByteSet::USERINFO.add(b':');

    /// These octets.
    pub const fn new(bytes: &[u8]) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        let mut at = 0;
        while at < bytes.len() {
            set = set.add(bytes[at]);
            at += 1;
        }
        set
    }

    /// The set with one more octet.
    #[must_use]
    pub const fn add(mut self, byte: u8) -> ByteSet {
        self.0[byte as usize / 64] |= 1 << (byte % 64);
        self
    }

    /// The set with one octet less.
    #[must_use]
    pub const fn remove(mut self, byte: u8) -> ByteSet {
        self.0[byte as usize / 64] &= !(1 << (byte % 64));
        self
    }

    /// What is in either set.
    #[must_use]
    pub const fn union(self, other: ByteSet) -> ByteSet {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        ByteSet([a | e, b | f, c | g, d | h])
    }

    /// What is in this set and not in the other.
    #[must_use]
    pub const fn without(self, other: ByteSet) -> ByteSet {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        ByteSet([a & !e, b & !f, c & !g, d & !h])
    }

    /// Whether an octet is in the set.
    pub const fn contains(&self, byte: u8) -> bool {
        self.0[byte as usize / 64] >> (byte % 64) & 1 != 0
    }
}

impl fmt::Debug for ByteSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries((0..=255).filter(|&byte| self.contains(byte)).map(|byte| byte as char)).finish()
    }
}

/// Octets being encoded: a [`Display`](fmt::Display), an iterator of the encoded text's bytes, and a `Cow`, borrowed if
/// nothing needs an escape. Made by [`encode`].
#[derive(Clone, Debug)]
pub struct Encode<'a> {
    bytes: &'a [u8],
    set: ByteSet,
    /// What is left of the escape that was begun.
    escape: &'static [u8],
}

/// Encodes octets: those in the set, and all beyond US-ASCII, become escapes with upper-case digits.
///
/// Text is encoded as its UTF-8; [`encode_latin1`] is RFC 1630's way. A set that has `%` makes encoding reversible.
///
/// Cost: one pass, when the result is used.
pub fn encode<'a>(bytes: &'a (impl AsRef<[u8]> + ?Sized), set: ByteSet) -> Encode<'a> {
    Encode { bytes: bytes.as_ref(), set, escape: b"" }
}

/// Encodes text by ISO Latin-1, as RFC 1630 does (*Conventional URI encoding scheme*).
///
/// # Errors
/// A character above U+00FF has no octet; the error names it and its byte.
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

impl<'a> Encode<'a> {
    fn is_escaped(&self, byte: u8) -> bool {
        self.set.contains(byte) || !byte.is_ascii()
    }

    /// The text before the next octet that needs an escape, that octet, and what follows it.
    fn split(&self) -> (&'a str, Option<(u8, Encode<'a>)>) {
        let plain = self.bytes.iter().take_while(|&&byte| !self.is_escaped(byte)).count();
        let (plain, rest) = self.bytes.split_at(plain);
        let plain = core::str::from_utf8(plain).expect("what is not escaped is US-ASCII");
        (plain, rest.split_first().map(|(&byte, bytes)| (byte, Encode { bytes, ..self.clone() })))
    }
}

/// The escape of an octet, with upper-case digits.
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
        // An iterator stopped inside an escape.
        self.escape.iter().try_for_each(|&byte| f.write_char(byte.into()))?;
        let mut rest = self.clone();
        loop {
            let (plain, next) = rest.split();
            f.write_str(plain)?;
            let Some((byte, behind)) = next else { return Ok(()) };
            f.write_str(escape(byte))?;
            rest = behind;
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

/// Escapes being decoded: an iterator of octets, a `Cow` of them, borrowed if there is no escape, and a
/// [`Display`](fmt::Display) of them as UTF-8 (what is not becomes U+FFFD). Made by [`decode`].
#[derive(Clone, Debug)]
pub struct Decode<'a> {
    bytes: &'a [u8],
}

/// Decodes the escapes of a text to octets.
///
/// # Errors
/// A `%` without two hex digits behind it (RFC 1630, example 3); the position is where a digit is missing.
///
/// Cost: one pass to find illegal escapes, another when the result is used.
pub fn decode(text: &str) -> Result<Decode<'_>, Error> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(next) = memchr(b'%', &bytes[at..]) {
        at += next;
        if octet(&bytes[at..]).is_none() {
            return Err(illegal_escape(text, at));
        }
        at += 3;
    }
    Ok(Decode { bytes })
}

/// The error of a `%` that starts no escape: its place is that of the byte which is no hex digit.
pub(crate) fn illegal_escape(text: &str, percent: usize) -> Error {
    let digit = text.as_bytes().get(percent + 1).is_some_and(u8::is_ascii_hexdigit);
    Error::new(ErrorKind::IllegalEscape, "two hex digits after `%`", text, percent + 1 + usize::from(digit))
}

/// Decodes the escapes of a text to octets, and leaves as it is any `%` without two hex digits behind it.
///
/// What comes out can no longer be told from what a legal escape of `%` gives, so this is not reversible; it is for display
/// and for guesses.
pub fn decode_leaving_illegal(text: &str) -> Decode<'_> {
    Decode { bytes: text.as_bytes() }
}

/// Decodes the words of a query, between which `+` stands for a space (RFC 1630, *Query strings*).
///
/// # Errors
/// As [`decode`].
///
/// ```
/// use relref::percent::decode_query;
///
/// assert_eq!(*decode_query("indexes+for+C%2B%2B")?, *b"indexes for C++");
/// # Ok::<(), relref::Error>(())
/// ```
pub fn decode_query(query: &str) -> Result<Cow<'_, [u8]>, Error> {
    let decode = decode(query)?;
    if memchr(b'+', query.as_bytes()).is_none() {
        return Ok(decode.into());
    }
    let spaced: Vec<u8> = query.bytes().map(|byte| if byte == b'+' { b' ' } else { byte }).collect();
    Ok(Cow::Owned(Decode { bytes: &spaced }.collect()))
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

impl<'a> Decode<'a> {
    /// The octets as UTF-8, as today's URIs have it.
    ///
    /// # Errors
    /// They are not UTF-8; the position is that in the octets.
    pub fn to_utf8(&self) -> Result<Cow<'a, str>, Error> {
        let not_utf8 = |error: core::str::Utf8Error| Error::not_utf8(error.valid_up_to());
        match Cow::from(self.clone()) {
            Cow::Borrowed(octets) => core::str::from_utf8(octets).map(Cow::Borrowed).map_err(not_utf8),
            Cow::Owned(octets) => match String::from_utf8(octets) {
                Ok(text) => Ok(Cow::Owned(text)),
                Err(error) => Err(not_utf8(error.utf8_error())),
            },
        }
    }

    /// The octets as ISO Latin-1, as RFC 1630 has it; each is a character.
    pub fn to_latin1(&self) -> String {
        self.clone().map(char::from).collect()
    }
}

/// The octet of the escape that a text starts with.
pub(crate) fn octet(bytes: &[u8]) -> Option<u8> {
    /// The value of each hex digit; 16 for what is none.
    static DIGITS: [u8; 256] = {
        let mut digits = [16; 256];
        let mut value = 0;
        while value < 16 {
            let digit = b"0123456789abcdef"[value];
            digits[digit as usize] = value as u8;
            digits[digit.to_ascii_uppercase() as usize] = value as u8;
            value += 1;
        }
        digits
    };
    match *bytes {
        [b'%', high, low, ..] => {
            let (high, low) = (DIGITS[usize::from(high)], DIGITS[usize::from(low)]);
            (high < 16 && low < 16).then_some(high << 4 | low)
        }
        _ => None,
    }
}

impl Iterator for Decode<'_> {
    type Item = u8;

    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        let (byte, rest) = match octet(self.bytes) {
            Some(octet) => (octet, &self.bytes[3..]),
            None => (first, rest),
        };
        self.bytes = rest;
        Some(byte)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.bytes.len().div_ceil(3), Some(self.bytes.len()))
    }
}

impl fmt::Display for Decode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(&Cow::from(self.clone())))
    }
}

impl<'a> From<Decode<'a>> for Cow<'a, [u8]> {
    fn from(decode: Decode<'a>) -> Self {
        let mut rest = decode.bytes;
        while let Some(at) = memchr(b'%', rest) {
            if octet(&rest[at..]).is_some() {
                return Cow::Owned(decode.collect());
            }
            rest = &rest[at + 1..];
        }
        Cow::Borrowed(decode.bytes)
    }
}
