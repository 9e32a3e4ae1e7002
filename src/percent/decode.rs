//! Percent-decoding: escapes read as octets.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use memchr::memchr;

use crate::error::{Error, ErrorKind};

/// A text to decode, made by [`decode_bytes`]. It iterates over the decoded octets, gives all of them by [`to_bytes`](Decode::to_bytes),
/// and displays them as UTF-8, with U+FFFD for octets that are not UTF-8.
#[derive(Clone, Debug)]
pub struct Decode<'a> {
    bytes: &'a [u8],
}

/// Decodes the escapes of a text to octets.
///
/// # Errors
/// A `%` without two hex digits after it (RFC 1630, example 3); the position is where a digit is missing.
///
/// Cost: one pass to find illegal escapes, another when the result is used.
///
/// ```
/// use relref::percent::decode_bytes;
///
/// assert_eq!(*decode_bytes("%FFa")?.to_bytes(), *b"\xFFa");
/// # Ok::<(), relref::Error>(())
/// ```
#[doc(alias = "percent_decode")]
pub fn decode_bytes(text: &(impl AsRef<str> + ?Sized)) -> Result<Decode<'_>, Error> {
    let text = text.as_ref();
    let bytes = text.as_bytes();
    // The search for the next `%` compares vectors, and skips what has no escapes. But in text of other scripts one escape follows
    // the other: there, a call for each would cost more than the three bytes it finds.
    let mut rest = each_of_run(bytes, |_| ());
    while let Some(at) = memchr(b'%', rest) {
        let percent = bytes.len() - rest.len() + at;
        rest = each_of_run(&rest[at..], |_| ());
        if bytes.len() - rest.len() == percent {
            return Err(illegal_escape_error(text, percent));
        }
    }
    Ok(Decode { bytes })
}

/// Calls `each` with the octet of each escape of the run at the start, and returns the bytes after the run. Escapes come in runs, in
/// which a search for each would cost more than the escape.
#[inline(always)]
fn each_of_run(mut bytes: &[u8], mut each: impl FnMut(u8)) -> &[u8] {
    while let Some(octet) = octet(bytes) {
        each(octet);
        bytes = &bytes[3..];
    }
    bytes
}

/// Decodes the escapes of a text, and reads the octets as UTF-8. Borrowed if there is no escape.
///
/// # Errors
/// The errors of [`decode_bytes`]; octets that are not UTF-8, with the position in the text.
///
/// ```
/// use relref::percent::decode;
///
/// assert_eq!(decode("%E6%97%A5%E6%9C%AC")?, "日本");
/// assert!(decode("100%").is_err() && decode("%FF").is_err());
/// # Ok::<(), relref::Error>(())
/// ```
#[doc(alias("percent_decode_str", "decode_utf8", "unquote"))]
pub fn decode(text: &(impl AsRef<str> + ?Sized)) -> Result<Cow<'_, str>, Error> {
    decode_bytes(text)?.to_utf8()
}

/// Decodes the escapes of a text for display: a `%` without two hex digits stays, and octets that are not UTF-8 become U+FFFD.
///
/// ```
/// assert_eq!(relref::percent::decode_lossy("100% caf%C3%A9 %FF"), "100% café \u{FFFD}");
/// ```
#[must_use]
pub fn decode_lossy(text: &(impl AsRef<str> + ?Sized)) -> Cow<'_, str> {
    let text = text.as_ref();
    // Without an escape, the usual answer, its octets need not be read as UTF-8 again.
    match memchr(b'%', text.as_bytes()) {
        Some(_) => lossy(decode_leaving_illegal(text).to_bytes()),
        None => Cow::Borrowed(text),
    }
}

/// Replaces octets that are not UTF-8 by U+FFFD.
pub(crate) fn lossy(octets: Cow<'_, [u8]>) -> Cow<'_, str> {
    match octets {
        Cow::Borrowed(octets) => String::from_utf8_lossy(octets),
        Cow::Owned(octets) => Cow::Owned(match String::from_utf8(octets) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        }),
    }
}

/// The position is the byte where a hex digit is missing.
pub(crate) fn illegal_escape_error(text: &str, percent: usize) -> Error {
    let digit = text.as_bytes().get(percent + 1).is_some_and(u8::is_ascii_hexdigit);
    Error::new(ErrorKind::IllegalEscape, "two hex digits after `%`", text, percent + 1 + usize::from(digit))
}

/// Decodes the escapes of a text to octets. A `%` without two hex digits after it stays.
///
/// Such a `%` looks the same as a decoded `%25` afterwards, so this is not reversible: use it for display and for guesses.
#[must_use]
pub fn decode_leaving_illegal(text: &(impl AsRef<str> + ?Sized)) -> Decode<'_> {
    Decode { bytes: text.as_ref().as_bytes() }
}

/// Decodes the words of a query, where `+` is a space, to octets (RFC 1630, *Query strings*).
///
/// # Errors
/// The same as [`decode_bytes`].
///
/// ```
/// use relref::percent::decode_query;
///
/// assert_eq!(*decode_query("indexes+for+C%2B%2B")?, *b"indexes for C++");
/// # Ok::<(), relref::Error>(())
/// ```
#[doc(alias = "decode_form")]
pub fn decode_query(query: &(impl AsRef<str> + ?Sized)) -> Result<Cow<'_, [u8]>, Error> {
    let query = query.as_ref();
    let decode = decode_bytes(query)?;
    if memchr(b'+', query.as_bytes()).is_none() {
        return Ok(decode.to_bytes());
    }
    let spaced: Vec<u8> = query.bytes().map(|byte| if byte == b'+' { b' ' } else { byte }).collect();
    Ok(Cow::Owned(Decode { bytes: &spaced }.to_octets()))
}

impl<'a> Decode<'a> {
    /// Returns the octets. Borrowed if there is no escape.
    #[doc(alias = "to_vec")]
    #[must_use]
    pub fn to_bytes(&self) -> Cow<'a, [u8]> {
        // Borrowed is the usual answer, so the text is first searched for an escape, and nothing is allocated on the way. A text
        // with one is then read from its start: what was searched is not worth remembering.
        let mut rest = self.bytes;
        while let Some(at) = memchr(b'%', rest) {
            if octet(&rest[at..]).is_some() {
                return Cow::Owned(self.to_octets());
            }
            rest = &rest[at + 1..];
        }
        Cow::Borrowed(self.bytes)
    }

    fn to_octets(&self) -> Vec<u8> {
        // No escape becomes longer, so that this is the only allocation.
        let mut octets = Vec::with_capacity(self.bytes.len());
        let mut rest = self.bytes;
        loop {
            rest = each_of_run(rest, |octet| octets.push(octet));
            // A `%` that comes first starts no escape.
            let Some((&first, after)) = rest.split_first() else { return octets };
            octets.push(first);
            let len = memchr(b'%', after).unwrap_or(after.len());
            octets.extend_from_slice(&after[..len]);
            rest = &after[len..];
        }
    }

    /// Reads the octets as UTF-8, the character encoding of today's URIs.
    ///
    /// # Errors
    /// Octets that are not UTF-8; the position is that of the first of them, or of its escape, in the text.
    pub fn to_utf8(&self) -> Result<Cow<'a, str>, Error> {
        let not_utf8 = |error: core::str::Utf8Error| {
            let mut rest = self.clone();
            rest.by_ref().take(error.valid_up_to()).for_each(drop);
            Error::not_utf8(self.bytes.len() - rest.bytes.len())
        };
        match self.to_bytes() {
            Cow::Borrowed(octets) => core::str::from_utf8(octets).map(Cow::Borrowed).map_err(not_utf8),
            Cow::Owned(octets) => match String::from_utf8(octets) {
                Ok(text) => Ok(Cow::Owned(text)),
                Err(error) => Err(not_utf8(error.utf8_error())),
            },
        }
    }

    /// Reads the octets as ISO Latin-1, the character encoding of RFC 1630: each octet is a character.
    pub fn to_latin1(&self) -> String {
        self.clone().map(char::from).collect()
    }
}

/// Decodes the escape at the start of a text.
#[inline(always)]
pub(crate) fn octet(bytes: &[u8]) -> Option<u8> {
    /// More than 15 for a byte that is no hex digit.
    static DIGITS: [u8; 256] = {
        let mut digits = [255; 256];
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
        // Both digits are looked up before either is tested: a byte that is no digit has high bits, which the `or` keeps, so one
        // comparison tells whether both are digits.
        [b'%', high, low, ..] => {
            let (high, low) = (DIGITS[usize::from(high)], DIGITS[usize::from(low)]);
            ((high | low) < 16).then_some(high << 4 | low)
        }
        _ => None,
    }
}

impl Iterator for Decode<'_> {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        if let Some(octet) = octet(self.bytes) {
            self.bytes = &self.bytes[3..];
            return Some(octet);
        }
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.bytes.len().div_ceil(3), Some(self.bytes.len()))
    }
}

impl fmt::Display for Decode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&lossy(self.to_bytes()))
    }
}
