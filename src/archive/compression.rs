//! The compression of an archive, told by its first bytes: where gzip members and Zstandard frames start, and which of them hold
//! records.

use flate2::{Decompress, FlushDecompress};
use memchr::{memchr, memchr_iter, memchr2_iter};

use super::first_lines::FirstLines;
use super::frame_header::{
    DICTIONARY_CONTENT_MAGIC, DICTIONARY_MAGIC, FrameHeader, MAGIC, MOST_DICTIONARY, MOST_WINDOW,
};
use super::record::{FIRST_LINE, RECORD_MAGIC, find_start};

/// The length in bytes of the start of an archive that decides its compression, if its first bytes do not.
pub(super) const LOOK: usize = 64 << 10;

/// The number of compressed bytes at the start of a member that are inflated to find its first line: more than usual gzip headers
/// and the tables of deflate take.
pub(super) const MEMBER_HEAD: usize = 4 << 10;

/// The compression of an archive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Compression {
    None,
    /// Gzip members (RFC 1952).
    Gzip,
    /// Zstandard frames (RFC 8878). The index of the first one that is not damaged, or of the one with the dictionary.
    Zstd(usize),
}

impl Compression {
    /// Returns the compression of an archive with this start. Where its first bytes are damaged, the first record after them
    /// decides.
    pub(super) fn of(start: &[u8]) -> Self {
        match start {
            _ if start.starts_with(RECORD_MAGIC) => return Compression::None,
            _ if is_gzip(start) => return Compression::Gzip,
            _ if is_zstd(start) => return Compression::Zstd(0),
            _ => {}
        }
        let gzip = first_member(start);
        // Before the others, as short frames have their text as it is.
        if let Some(at) = first_frame(start, true).filter(|at| gzip.is_none_or(|gzip| *at < gzip)) {
            return Compression::Zstd(at);
        }
        let found = [find_start(start).map(|at| (at, Compression::None)), gzip.map(|at| (at, Compression::Gzip))];
        let found = found.into_iter().flatten().min_by_key(|(at, _)| *at).map(|(_, compression)| compression);
        let unknown = || first_frame(start, false).map(Compression::Zstd);
        found.or_else(unknown).unwrap_or(Compression::None)
    }
}

/// Reports whether these bytes start an archive: a record, a gzip member or a frame that holds one, or the frame of a dictionary.
pub(super) fn starts_archive(start: &[u8]) -> bool {
    match start {
        [b'W', ..] => find_start(start) == Some(0),
        [0x1f, ..] => is_gzip(start) && holds_record(start, &mut Decompress::new(false)),
        _ if start.starts_with(DICTIONARY_MAGIC) => true,
        _ => FirstLines::default().holds_record(after_skippable(start)) == Some(true),
    }
}

/// Reports whether these bytes can start a gzip member (RFC 1952 §2.3): the magic, deflate, and no reserved flag.
pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.len() >= 4 && bytes.starts_with(b"\x1f\x8b\x08") && bytes[3] & 0xe0 == 0
}

/// Reports whether a member or a frame that holds a record, or a dictionary, is anywhere in these bytes.
pub(super) fn holds_compressed_record(bytes: &[u8]) -> bool {
    first_member(bytes).is_some() || first_frame(bytes, true).is_some()
}

/// Finds the first member that holds a record.
fn first_member(bytes: &[u8]) -> Option<usize> {
    let mut inflate = Decompress::new(false);
    memchr_iter(0x1f, bytes).find(|at| {
        let start = &bytes[*at..bytes.len().min(at + MEMBER_HEAD)];
        is_gzip(start) && holds_record(start, &mut inflate)
    })
}

/// Reports whether the member that these bytes start holds a record. Nothing is allocated or read for that, as any number of
/// members may seem to start in damaged bytes.
pub(super) fn holds_record(start: &[u8], inflate: &mut Decompress) -> bool {
    let Some(header) = header_len(start) else { return false };
    let mut line = [0; FIRST_LINE];
    inflate.reset(false);
    // An error comes after the bytes before it.
    let _ = inflate.decompress(&start[header..], &mut line, FlushDecompress::None);
    find_start(&line) == Some(0)
}

/// Returns the length of a member's header (RFC 1952 §2.3), unless it continues after these bytes.
fn header_len(bytes: &[u8]) -> Option<usize> {
    const HEADER_CRC: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    let flags = *bytes.get(3)?;
    let mut rest = bytes.get(10..)?;
    if flags & EXTRA != 0 {
        let (len, after) = rest.split_first_chunk()?;
        rest = after.get(usize::from(u16::from_le_bytes(*len))..)?;
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            rest = &rest[memchr(0, rest)? + 1..];
        }
    }
    if flags & HEADER_CRC != 0 {
        rest = rest.get(2..)?;
    }
    Some(bytes.len() - rest.len())
}

/// Reports whether these bytes start as Zstandard does: a frame, or a skippable one.
pub(super) fn is_zstd(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || is_skippable(bytes)
}

/// Reports whether these bytes start a skippable frame (RFC 8878 §3.1.2).
fn is_skippable(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Returns the bytes after the skippable frames at their start.
fn after_skippable(mut bytes: &[u8]) -> &[u8] {
    while is_skippable(bytes) {
        let len = bytes[4..].first_chunk().map_or(u32::MAX, |len| u32::from_le_bytes(*len));
        bytes = bytes.get(8..).and_then(|after| after.get(len as usize..)).unwrap_or_default();
    }
    bytes
}

/// Finds the first frame that holds a record, or a dictionary. With `is_sure` false, also one whose content cannot be told.
fn first_frame(bytes: &[u8], is_sure: bool) -> Option<usize> {
    let mut lines = FirstLines::default();
    for at in memchr2_iter(MAGIC[0], DICTIONARY_MAGIC[0], bytes) {
        let start = &bytes[at..];
        let starts_any = start.starts_with(DICTIONARY_MAGIC) || starts_frame(start);
        if starts_any && dictionary_or_record(start, &mut lines).unwrap_or(!is_sure) {
            return Some(at);
        }
        if lines.is_over() {
            break;
        }
    }
    None
}

/// Reports whether the frame that these bytes start holds a dictionary or a record; `None` if that cannot be told: the magic of
/// the frame of a dictionary may also be in text.
fn dictionary_or_record(start: &[u8], lines: &mut FirstLines) -> Option<bool> {
    let Some(frame) = start.strip_prefix(DICTIONARY_MAGIC) else { return lines.holds_record(start) };
    let (len, content) = frame.split_first_chunk()?;
    let is_dictionary = content.starts_with(MAGIC) || content.starts_with(DICTIONARY_CONTENT_MAGIC);
    (is_dictionary && u32::from_le_bytes(*len) <= MOST_DICTIONARY).then_some(true)
}

/// Reports whether these bytes start a frame that may hold a record: one with a window that can be decoded.
pub(super) fn starts_frame(bytes: &[u8]) -> bool {
    FrameHeader::parse(bytes).is_some_and(|frame| frame.window <= MOST_WINDOW)
}
