//! Prepares the bytes of a page to be reported: as text, of limited length, without white space.

use std::borrow::Cow;
use std::ops::Range;

use encoding_rs::{Encoding, GB18030, GBK, UTF_8};
use relref::private::all;

use crate::html::tokens::character_references::{TextKind, decode_into, is_plain};

/// Decodes what a page has, with its character references. `charset` is `None` for UTF-8.
pub(crate) fn decode<'t>(
    raw: &'t [u8],
    kind: TextKind,
    charset: Option<&'static Encoding>,
    buffer: &'t mut Vec<u8>,
) -> Cow<'t, str> {
    let text = match charset {
        Some(charset) if !raw.is_ascii() => decode_part(raw, charset),
        _ if is_plain(raw) => return to_text(raw),
        _ => {
            buffer.clear();
            decode_into(raw, kind, buffer);
            return to_text(buffer);
        }
    };
    if is_plain(text.as_bytes()) {
        return Cow::Owned(text.into_owned());
    }
    buffer.clear();
    decode_into(text.as_bytes(), kind, buffer);
    to_text(buffer)
}

/// `None` for UTF-8 and what is decoded to it before it is scanned.
pub(crate) fn charset_of_text(charset: &'static Encoding) -> Option<&'static Encoding> {
    Some(charset).filter(|charset| *charset != UTF_8 && charset.is_ascii_compatible())
}

/// The same as [`decode`] of the text at this place, in less time. `None` unless it and the bytes around it are US-ASCII that stands for
/// itself, as most are.
#[inline(always)]
pub(crate) fn plain_text(chunk: &[u8], text: Range<usize>) -> Option<&str> {
    // `from_utf8` is fast on aligned blocks of 16 bytes, and looks at each byte before and after them.
    let start = text.start.saturating_sub((chunk.as_ptr() as usize + text.start) % 8);
    let around = chunk.get(start..start + (text.end - start).next_multiple_of(16))?;
    let is_plain = all(around, |byte| (b' '..0x80).contains(&byte) & (byte != b'&'));
    if is_plain { std::str::from_utf8(around).ok()?.get(text.start - start..text.end - start) } else { None }
}

/// Decodes a text that is in these pieces of a chunk, each [as it is read](decode).
pub(crate) fn decode_pieces<'t>(
    chunk: &'t [u8],
    pieces: &[(Range<usize>, TextKind)],
    charset: Option<&'static Encoding>,
    buffer: &'t mut Vec<u8>,
) -> Cow<'t, str> {
    match pieces {
        [(piece, kind)] => decode(&chunk[piece.clone()], *kind, charset, buffer),
        pieces => {
            Cow::Owned(pieces.iter().fold(String::new(), |text, (piece, kind)| {
                text + &*decode(&chunk[piece.clone()], *kind, charset, buffer)
            }))
        }
    }
}

/// Decodes bytes as they are read in a page where another character follows.
fn decode_part<'t>(raw: &'t [u8], charset: &'static Encoding) -> Cow<'t, str> {
    // At its end, a decoder of these forgets the digits of four bytes that are no character.
    let is_cut = || raw[raw.len().saturating_sub(3)..].iter().any(|byte| !byte.is_ascii());
    if (charset != GB18030 && charset != GBK) || !is_cut() {
        return charset.decode_without_bom_handling(raw).0;
    }
    let mut text = charset.decode_without_bom_handling(&[raw, b"\n"].concat()).0.into_owned();
    text.pop();
    Cow::Owned(text)
}

/// U+FFFD replaces bytes that are not UTF-8.
pub(crate) fn to_text(bytes: &[u8]) -> Cow<'_, str> {
    // Faster on text that is UTF-8 than `from_utf8_lossy` alone, which looks for the first byte that is not.
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Returns the start of a text: at most `max_len` bytes, in whole characters.
pub(crate) fn prefix(text: &str, max_len: usize) -> &str {
    let mut end = max_len.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns the start of a text: at most `max_len` bytes, in whole tokens; empty if the first is longer.
pub(crate) fn whole_tokens(text: &str, max_len: usize) -> &str {
    let start = prefix(text, max_len);
    let is_space = |c: char| c.is_ascii_whitespace();
    if text[start.len()..].is_empty() || text[start.len()..].starts_with(is_space) {
        return start;
    }
    &start[..start.rfind(is_space).unwrap_or(0)]
}

/// The part that [`clean_reference`] keeps; of nothing, the start.
pub(crate) fn kept_range(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start_matches(|c| c <= ' ').len();
    let end = text.trim_end_matches(|c| c <= ' ').len();
    if start < end { start..end } else { 0..0 }
}

/// Removes C0 control characters and spaces at the ends, and all line breaks and tabs (URL Standard §4.4).
pub(crate) fn clean_reference<'t>(text: &'t str, buffer: &'t mut String) -> &'t str {
    // Nearly all texts have none of these.
    if all(text.as_bytes(), |byte| byte > b' ') {
        return text;
    }
    let text = text.trim_matches(|c| c <= ' ');
    if memchr::memchr3(b'\t', b'\n', b'\r', text.as_bytes()).is_none() {
        return text;
    }
    buffer.clear();
    buffer.extend(text.split(['\t', '\n', '\r']));
    buffer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf_8_are_replaced() {
        assert!(matches!(to_text("é".as_bytes()), Cow::Borrowed("é")));
        assert_eq!(to_text(b"a\xC3b\xFF"), "a\u{FFFD}b\u{FFFD}");
    }

    quickcheck::quickcheck! {
        fn a_plain_text_is_that_which_is_decoded(bytes: Vec<u8>, others: Vec<(usize, u8)>, start: usize, len: usize) -> bool {
            // Most bytes are printable.
            let mut chunk: Vec<u8> = bytes.iter().map(|byte| b' ' + byte % 0x60).collect();
            for (at, byte) in others.into_iter().take(chunk.len() / 16) {
                let at = at % chunk.len();
                chunk[at] = byte;
            }
            let start = start % (chunk.len() + 1);
            let text = start..start + len % (chunk.len() - start + 1);
            [None, Some(encoding_rs::WINDOWS_1252)].into_iter().all(|charset| {
                let (raw, mut buffer) = (&chunk[text.clone()], Vec::new());
                plain_text(&chunk, text.clone())
                    .is_none_or(|found| found == decode(raw, TextKind::Attribute, charset, &mut buffer))
            })
        }
    }

    #[test]
    fn most_texts_are_plain() {
        let chunk = b"<a href=\"../b/c.html#d\" title=x>text of the link</a>";
        assert_eq!(plain_text(chunk, 9..22), Some("../b/c.html#d"));
        for (at, byte) in [(10, b'&'), (10, b'\r'), (10, 0), (10, 0xE9)] {
            let mut chunk = *chunk;
            chunk[at] = byte;
            assert_eq!(plain_text(&chunk, 9..22), None, "{byte}");
        }
    }

    #[test]
    fn a_prefix_ends_between_characters() {
        for (len, expected) in [(0, ""), (1, "a"), (2, "a"), (3, "aé"), (4, "aéb"), (9, "aéb")] {
            assert_eq!(prefix("aéb", len), expected);
        }
    }

    #[test]
    fn only_whole_tokens_are_kept() {
        for (text, len, expected) in [
            ("next nofollow", 13, "next nofollow"),
            ("next nofollow", 12, "next"),
            ("next nofollow", 5, "next"),
            ("next nofollow", 4, "next"),
            ("next nofollow", 3, ""),
            ("é", 1, ""),
            ("", 1, ""),
        ] {
            assert_eq!(whole_tokens(text, len), expected, "{text} {len}");
        }
    }

    #[test]
    fn white_space_is_removed_from_references() {
        let mut buffer = String::from("old");
        for (text, expected) in [
            ("", ""),
            ("x y", "x y"),
            (" \0\x1F x \n", "x"),
            ("\tx\ny\r\n z\t", "xy z"),
            ("x\x0By", "x\x0By"),
            ("\u{A0}x", "\u{A0}x"),
            (" \n ", ""),
        ] {
            assert_eq!(clean_reference(text, &mut buffer), expected, "{text:?}");
        }
    }
}
