//! Character references, such as `&amp;` and `&#65;`, in texts and attribute values (HTML §13.2.5.72).

use std::borrow::Cow;

use memchr::{memchr, memchr3, memrchr};
use relref::private::all;

/// The named references (HTML §13.5, from Python's `html.entities`), sorted: the name, `*` if it needs no semicolon and a space if it
/// does, and the code points.
pub(super) static NAMED: &[u8] = include_bytes!("character_references.txt");
/// The named references that are found first, although they are in the table, too: the name and the code point.
const COMMON: [(&[u8], &[u8]); 4] = [(b"amp", b"26"), (b"lt", b"3C"), (b"gt", b"3E"), (b"quot", b"22")];
/// The length, in bytes, of the longest name.
const MAX_NAME_LEN: usize = 31;
/// The length, in bytes, of the longest name that needs no semicolon.
const MAX_SHORT_NAME_LEN: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextKind {
    Text,
    Attribute,
    /// The text of a `title`.
    EscapableText,
    /// A text without character references, such as that of a `style`, or a name.
    RawText,
    /// The text of a CDATA section, which has no character references.
    Cdata,
}

/// Reports whether [`decode_into`] would only copy.
#[inline]
pub(crate) fn is_plain(text: &[u8]) -> bool {
    // Of a short text, this takes less time.
    if text.len() <= 32 {
        return all(text, |byte| (byte != b'&') & (byte != b'\r') & (byte != 0));
    }
    memchr3(b'&', b'\r', 0, text).is_none()
}

pub(crate) fn decoded(text: &[u8], place: TextKind) -> Cow<'_, [u8]> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    decode_into(text, place, &mut out);
    Cow::Owned(out)
}

/// Appends a text as the tokens of the Standard have it: references decoded, NULs replaced except in `Text` and `Cdata`, and line
/// breaks written as line feeds.
pub(crate) fn decode_into(text: &[u8], place: TextKind, out: &mut Vec<u8>) {
    let mut rest = text;
    loop {
        let len = memchr3(b'&', b'\r', 0, rest).unwrap_or(rest.len());
        out.extend_from_slice(&rest[..len]);
        rest = &rest[len..];
        let taken = match rest {
            [] => return,
            [b'\r', b'\n', ..] => 1,
            [b'\r', ..] => {
                out.push(b'\n');
                1
            }
            [0, ..] => {
                out.extend_from_slice(
                    if matches!(place, TextKind::Text | TextKind::Cdata) { "\0" } else { "\u{FFFD}" }.as_bytes(),
                );
                1
            }
            _ => match place {
                TextKind::Text | TextKind::Attribute | TextKind::EscapableText => decode_reference(rest, place, out),
                TextKind::RawText | TextKind::Cdata => None,
            }
            .unwrap_or_else(|| {
                out.push(b'&');
                1
            }),
        };
        rest = &rest[taken..];
    }
}

/// Returns the length of the reference at the start.
pub(crate) fn decode_reference(text: &[u8], place: TextKind, out: &mut Vec<u8>) -> Option<usize> {
    let push = |code: char, out: &mut Vec<u8>| out.extend_from_slice(code.encode_utf8(&mut [0; 4]).as_bytes());
    if let [b'&', b'#', after @ ..] = text {
        let (code, len) = number(after)?;
        push(code, out);
        return Some(2 + len + usize::from(after.get(len) == Some(&b';')));
    }
    let name = &text[1..];
    let is_in_name = |byte: &&u8| byte.is_ascii_alphanumeric();
    let len = name.iter().take(MAX_NAME_LEN + 1).take_while(is_in_name).count();
    if len == 0 {
        return None;
    }
    let has_semicolon = name.get(len) == Some(&b';');
    // The longest name that matches.
    let (len, codes) = match find(&name[..len]).filter(|(_, needs_semicolon)| has_semicolon || !needs_semicolon) {
        Some((codes, _)) => (len + usize::from(has_semicolon), codes),
        None => (1..=len.min(MAX_SHORT_NAME_LEN)).rev().find_map(|len| match find(&name[..len])? {
            (codes, false) => Some((len, codes)),
            _ => None,
        })?,
    };
    let ends_early =
        text[len] != b';' && name.get(len).is_some_and(|byte| *byte == b'=' || byte.is_ascii_alphanumeric());
    if place == TextKind::Attribute && ends_early {
        return None;
    }
    for code in codes.split(|&byte| byte == b' ') {
        let code = std::str::from_utf8(code).ok().and_then(|code| u32::from_str_radix(code, 16).ok());
        push(code.and_then(char::from_u32)?, out);
    }
    Some(1 + len)
}

/// Returns the code points of a name, and whether it needs a semicolon.
fn find(name: &[u8]) -> Option<(&'static [u8], bool)> {
    if let Some((_, code)) = COMMON.iter().find(|(common, _)| *common == name) {
        return Some((code, false));
    }
    let (mut low, mut high) = (0, NAMED.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = memrchr(b'\n', &NAMED[low..middle]).map_or(low, |at| low + at + 1);
        let end = start + memchr(b'\n', &NAMED[start..high])?;
        let line = &NAMED[start..end];
        let len = line.iter().position(|byte| !byte.is_ascii_alphanumeric())?;
        match line[..len].cmp(name) {
            std::cmp::Ordering::Equal => return Some((&line[len + 1..], line[len] == b' ')),
            std::cmp::Ordering::Less => low = end + 1,
            std::cmp::Ordering::Greater => high = start,
        }
    }
    None
}

/// Reads the number after `&#`. Also returns its length.
fn number(text: &[u8]) -> Option<(char, usize)> {
    let (start, radix) = if matches!(text, [b'x' | b'X', ..]) { (1, 16) } else { (0, 10) };
    let digits = text[start..].iter().map_while(|&byte| char::from(byte).to_digit(radix));
    let (mut code, mut len) = (0_u32, start);
    for digit in digits {
        // Larger ones are out of range, too.
        code = (code * radix + digit).min(0x0011_0000);
        len += 1;
    }
    (len > start).then(|| (character(code), len))
}

/// The character of a code point in a reference (HTML §13.2.5.80): controls are those of windows-1252.
fn character(code: u32) -> char {
    const WINDOWS_1252: [u16; 32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ];
    let code = match code {
        0x80..=0x9F => u32::from(WINDOWS_1252[code as usize - 0x80]),
        0 => 0xFFFD,
        _ => code,
    };
    char::from_u32(code).unwrap_or('\u{FFFD}')
}
