//! The header of a Zstandard frame (RFC 8878 §3.1).

/// The magic number of a frame, but not of a skippable one.
pub(super) const MAGIC: &[u8] = b"\x28\xb5\x2f\xfd";
/// The magic number of the skippable frame with the dictionary, the first frame of an archive.
pub(super) const DICTIONARY_FRAME_MAGIC: &[u8] = b"\x5d\x2a\x4d\x18";
/// The magic number of an uncompressed dictionary (RFC 8878 §5).
pub(super) const DICTIONARY_MAGIC: &[u8] = b"\x37\xa4\x30\xec";

/// The length in bytes of the longest dictionary that is read. Archives have dictionaries of up to 1 MiB.
pub(super) const MAX_DICTIONARY_LEN: u32 = 4 << 20;
/// The size in bytes of the largest window that is read. The content coding `zstd` has no larger window (RFC 9659), and compression
/// levels up to 19 need none.
pub(super) const MAX_WINDOW: u64 = 8 << 20;

#[derive(Debug, PartialEq)]
pub(super) struct FrameHeader {
    pub(super) window: u64,
    /// 0 if the header names none.
    pub(super) dictionary: u32,
}

impl FrameHeader {
    pub(super) const MAX_LEN: usize = 18;

    /// `None` also for a skippable frame, and if `bytes` ends within the header.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let (descriptor, mut rest) = bytes.strip_prefix(MAGIC)?.split_first()?;
        let mut number = |len: usize| -> Option<u64> {
            let (bytes, after) = rest.split_at_checked(len)?;
            rest = after;
            Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
        };
        let is_single_segment = descriptor & 0x20 != 0;
        let window = if is_single_segment { None } else { Some(number(1)?) };
        let dictionary = number([0, 1, 2, 4][usize::from(descriptor & 3)])? as u32;
        let size_len = [usize::from(is_single_segment), 2, 4, 8][usize::from(descriptor >> 6)];
        let size = number(size_len)? + if size_len == 2 { 256 } else { 0 };
        let window = match window {
            Some(byte) => {
                let base = 1 << (10 + (byte >> 3));
                base + base / 8 * (byte & 7)
            }
            None => size,
        };
        Some(FrameHeader { window, dictionary })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_tell_window_and_dictionary() {
        for (bytes, expected) in [
            (&b"\x00\x58"[..], Some((2 << 20, 0))),
            (b"\x00\x59", Some(((2 << 20) + (256 << 10), 0))),
            (b"\x00\xff", Some((0x3c0_0000_0000, 0))),
            (b"\x20\x07", Some((7, 0))),
            (b"\x60\x07\x01", Some((0x107 + 256, 0))),
            (b"\xe0\x01\0\0\0\0\0\0\x80", Some((0x8000_0000_0000_0001, 0))),
            (b"\x03\x58\x04\x03\x02\x01", Some((2 << 20, 0x0102_0304))),
            (b"\x03\x58\x04\x03\x02", None),
            (b"", None),
        ] {
            let found = FrameHeader::parse(&[MAGIC, bytes].concat());
            assert_eq!(found, expected.map(|(window, dictionary)| FrameHeader { window, dictionary }), "{bytes:x?}");
        }
        assert_eq!(FrameHeader::parse(b"\x1f\x8b\x08\0\0\0\0"), None);
    }
}
