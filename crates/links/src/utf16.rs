//! Recognizes UTF-16 by the first bytes of a text, and reads the US-ASCII in it.

use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    LittleEndian,
    BigEndian,
}

pub(crate) fn byte_order_by_mark(start: &[u8]) -> Option<ByteOrder> {
    match start {
        [0xff, 0xfe, ..] => Some(ByteOrder::LittleEndian),
        [0xfe, 0xff, ..] => Some(ByteOrder::BigEndian),
        _ => None,
    }
}

/// Recognizes the byte order by two US-ASCII characters at the start, each of which has a NUL as its other byte.
pub(crate) fn byte_order_by_nuls(start: &[u8]) -> Option<ByteOrder> {
    match start {
        [1..=255, 0, 1..=255, 0, ..] => Some(ByteOrder::LittleEndian),
        [0, 1..=255, 0, 1..=255, ..] => Some(ByteOrder::BigEndian),
        _ => None,
    }
}

/// Returns the start with one byte for each US-ASCII character, so that it can be compared, and without a byte order mark.
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
