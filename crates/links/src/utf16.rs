//! Recognizes UTF-16 by the first bytes of a text, and reads the US-ASCII in it.

use alloc::borrow::Cow;

/// The order of the two bytes of each 16-bit unit of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    LittleEndian,
    BigEndian,
}

/// Returns the byte order of a text in UTF-16, by the byte order mark at its start. `None` if the text starts without a mark, or
/// with the mark of UTF-8.
pub(crate) fn byte_order_by_mark(start: &[u8]) -> Option<ByteOrder> {
    match start {
        [0xff, 0xfe, ..] => Some(ByteOrder::LittleEndian),
        [0xfe, 0xff, ..] => Some(ByteOrder::BigEndian),
        _ => None,
    }
}

/// Returns the byte order of a text in UTF-16 without a byte order mark, by its first four bytes: two bytes other than NUL, each
/// with a NUL before or after it, as US-ASCII characters have. `None` if the text does not start with these.
pub(crate) fn byte_order_by_nuls(start: &[u8]) -> Option<ByteOrder> {
    match start {
        [1..=255, 0, 1..=255, 0, ..] => Some(ByteOrder::LittleEndian),
        [0, 1..=255, 0, 1..=255, ..] => Some(ByteOrder::BigEndian),
        _ => None,
    }
}

/// Returns the start of a text with one byte for each US-ASCII character, so that it can be compared with US-ASCII. Removes a byte
/// order mark. If the text is in UTF-16, also removes one byte of each two, which for US-ASCII is the NUL.
pub(crate) fn ascii_start(start: &[u8]) -> Cow<'_, [u8]> {
    let (text, order) = match byte_order_by_mark(start) {
        Some(order) => (&start[2..], Some(order)),
        None => (start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start), byte_order_by_nuls(start)),
    };
    match order {
        None => Cow::Borrowed(text),
        Some(ByteOrder::LittleEndian) => text.iter().copied().step_by(2).collect(),
        Some(ByteOrder::BigEndian) => text.iter().copied().skip(1).step_by(2).collect(),
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
            assert_eq!(byte_order_by_mark(text).or(byte_order_by_nuls(text)).is_some(), is_utf_16, "{text:?}");
        }
        for other in [&b""[..], b"<\0", b"\xff", b"\0\0\0\0", b"\0\0\0<", b"<\0\0\0"] {
            assert_eq!((&*ascii_start(other), byte_order_by_nuls(other)), (other, None));
        }
        assert_eq!(&*ascii_start(b"\xff\xfe"), b"");
    }
}
