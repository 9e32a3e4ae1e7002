//! Recognizes UTF-16 by the first bytes of a text, and reads the US-ASCII in it.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Recognizes the byte order by two US-ASCII characters at the start, each of which has a NUL as its other byte.
pub(crate) fn utf_16_by_nuls(start: &[u8]) -> Option<&'static Encoding> {
    match start {
        [1..=255, 0, 1..=255, 0, ..] => Some(UTF_16LE),
        [0, 1..=255, 0, 1..=255, ..] => Some(UTF_16BE),
        _ => None,
    }
}

/// Returns the start with one byte for each US-ASCII character, so that it can be compared, and without a byte order mark.
pub(crate) fn ascii_start(start: &[u8]) -> Cow<'_, [u8]> {
    let by_nuls = || (utf_16_by_nuls(start).unwrap_or(UTF_8), 0);
    let (charset, bom_len) = Encoding::for_bom(start).unwrap_or_else(by_nuls);
    let text = &start[bom_len..];
    match charset {
        _ if charset == UTF_16LE => text.iter().copied().step_by(2).collect(),
        _ if charset == UTF_16BE => text.iter().copied().skip(1).step_by(2).collect(),
        _ => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_a_text_have_the_same_letters() {
        for (text, is_utf_16) in [
            (&b"<a>"[..], false),
            (b"\xef\xbb\xbf<a>", false),
            (b"\xff\xfe<\0a\0>\0", true),
            (b"\xfe\xff\0<\0a\0>", true),
            (b"<\0a\0>\0", true),
            (b"\0<\0a\0>", true),
        ] {
            assert_eq!(&*ascii_start(text), b"<a>", "{text:?}");
            let charset = Encoding::for_bom(text).map_or(utf_16_by_nuls(text), |(charset, _)| Some(charset));
            assert_eq!(charset.is_some_and(|charset| charset != UTF_8), is_utf_16, "{text:?}");
        }
        for other in [&b""[..], b"<\0", b"\xff", b"\0\0\0\0", b"\0\0\0<", b"<\0\0\0"] {
            assert_eq!((&*ascii_start(other), utf_16_by_nuls(other)), (other, None));
        }
        assert_eq!(&*ascii_start(b"\xff\xfe"), b"");
    }
}
