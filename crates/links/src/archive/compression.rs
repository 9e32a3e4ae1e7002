//! The compression of an archive, and its gzip members and Zstandard frames that hold records, by their first bytes.

use flate2::{Decompress, FlushDecompress};
use memchr::{memchr, memchr3_iter};

use super::arc;
use super::frame_header::{
    DICTIONARY_FRAME_MAGIC, DICTIONARY_MAGIC, FrameHeader, MAGIC, MAX_DICTIONARY_LEN, MAX_WINDOW,
};
use super::record::{FIRST_LINE_LEN, Format, RECORD_MAGIC, find_record, find_record_of};
use super::zstd::Zstd;

/// The number of first bytes that are enough to recognize an archive whose first bytes are damaged, or come before it.
pub const DAMAGED_START_LEN: usize = 64 << 10;

pub(super) const GZIP_FIRST: u8 = 0x1f;

/// The number of first bytes that are enough to inflate the first line of a member: more than a usual gzip header and the tables of
/// deflate take.
pub(super) const MEMBER_START_LEN: usize = 4 << 10;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Compression {
    None,
    Gzip,
    /// RFC 8878. The index of the first frame, maybe that of the dictionary; the bytes before it are damaged.
    Zstd(usize),
}

impl Compression {
    /// Returns the compression of an archive that starts with these bytes. Without a magic number at its start, the first bytes are
    /// damaged: the first record among them decides, uncompressed or in a member. But a Zstandard frame with a record or a
    /// dictionary decides even after an uncompressed record. If nothing is found, the first frame with unknown content decides;
    /// without one, the archive counts as uncompressed.
    pub(super) fn of(first_bytes: &[u8]) -> Self {
        match first_bytes {
            _ if first_bytes.starts_with(RECORD_MAGIC) || first_bytes.starts_with(arc::VERSION_BLOCK) => {
                return Compression::None;
            }
            _ if is_gzip(first_bytes) => return Compression::Gzip,
            _ if is_zstd(first_bytes) => return Compression::Zstd(0),
            _ => {}
        }
        let (compressed, unknown_frame) = first_compressed(first_bytes);
        match (compressed, find_record_of(None, first_bytes)) {
            (Some((at, Compression::Gzip)), Some(record)) if record < at => Compression::None,
            // Also after a first line: short frames may have their content uncompressed.
            (Some((_, compression)), _) => compression,
            (None, Some(_)) => Compression::None,
            (None, None) => unknown_frame.map_or(Compression::None, Compression::Zstd),
        }
    }
}

/// Reports whether these bytes start an archive: a WARC record, the version block of an ARC file, a gzip member that holds one of
/// these, a Zstandard frame that holds a WARC record, or the dictionary of frames. Give it [`START_LEN`](super::sniff::START_LEN) bytes, if there are as many, and 128 KiB more of a Zstandard frame:
/// without its first block it is not recognized.
#[must_use]
pub fn is_archive(start: &[u8]) -> bool {
    match start {
        [b'W', ..] => find_record(start) == Some(0),
        [b'f', ..] => start.starts_with(arc::VERSION_BLOCK),
        [0x1f, ..] => {
            let line = member_start(start, &mut Decompress::new(false));
            line.is_some_and(|line| find_record(&line) == Some(0) || line == arc::VERSION_BLOCK)
        }
        _ if start.starts_with(DICTIONARY_FRAME_MAGIC) => true,
        _ => FirstLines::default().starts_with_record(after_skippable(start)) == Some(true),
    }
}

/// RFC 1952 §2.3: the magic number, deflate, and no reserved flag.
pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    matches!(bytes, [0x1f, 0x8b, 8, flags, ..] if flags & 0xe0 == 0)
}

/// Reports whether a gzip member or Zstandard frame that starts with a record, or the dictionary of frames, is anywhere in these
/// bytes. With [`DAMAGED_START_LEN`] bytes, if there are as many, it recognizes an archive whose first bytes are damaged.
#[must_use]
pub fn holds_compressed_record(start: &[u8]) -> bool {
    first_compressed(start).0.is_some()
}

/// Returns the index and compression of the first member or frame with a record or a dictionary, and the index of the first frame
/// before it whose content these bytes do not show.
fn first_compressed(bytes: &[u8]) -> (Option<(usize, Compression)>, Option<usize>) {
    let (mut inflate, mut lines, mut unknown_frame) = (Decompress::new(false), FirstLines::default(), None);
    for at in memchr3_iter(GZIP_FIRST, MAGIC[0], DICTIONARY_FRAME_MAGIC[0], bytes) {
        let start = &bytes[at..];
        if starts_record_member(&start[..start.len().min(MEMBER_START_LEN)], None, &mut inflate) {
            return (Some((at, Compression::Gzip)), unknown_frame);
        }
        match has_dictionary_or_record(start, &mut lines) {
            Some(true) => return (Some((at, Compression::Zstd(at))), unknown_frame),
            Some(false) => {}
            None => unknown_frame = unknown_frame.or(Some(at)),
        }
    }
    (None, unknown_frame)
}

/// Reports whether a gzip member starts here whose first line is that of a record of this format, or of any. In ARC, only the
/// scheme is looked at: the line is longer than what is decompressed.
pub(super) fn starts_record_member(start: &[u8], format: Option<Format>, inflate: &mut Decompress) -> bool {
    let Some(line) = member_start(start, inflate) else { return false };
    match format {
        Some(Format::Warc) => find_record(&line) == Some(0),
        Some(Format::Arc) => arc::has_scheme(&line),
        None => find_record(&line) == Some(0) || arc::starts_with_scheme(&line),
    }
}

/// Resets `inflate`, which saves an allocation per call: any number of members may seem to start in damaged bytes.
fn member_start(start: &[u8], inflate: &mut Decompress) -> Option<[u8; FIRST_LINE_LEN]> {
    let header = is_gzip(start).then(|| gzip_header_len(start))??;
    let mut line = [0; FIRST_LINE_LEN];
    inflate.reset(false);
    // An error comes after the bytes before it.
    let _ = inflate.decompress(&start[header..], &mut line, FlushDecompress::None);
    Some(line)
}

/// RFC 1952 §2.3. `None` if `bytes` ends within the header.
fn gzip_header_len(bytes: &[u8]) -> Option<usize> {
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

/// Reports whether these bytes start with a Zstandard frame or a skippable one.
pub(super) fn is_zstd(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || is_skippable(bytes)
}

fn is_skippable(bytes: &[u8]) -> bool {
    // RFC 8878 §3.1.2.
    matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

fn after_skippable(mut bytes: &[u8]) -> &[u8] {
    while is_skippable(bytes) {
        let len = bytes[4..].first_chunk().map_or(u32::MAX, |len| u32::from_le_bytes(*len));
        bytes = bytes.get(8..).and_then(|after| after.get(len as usize..)).unwrap_or_default();
    }
    bytes
}

fn has_dictionary_or_record(start: &[u8], lines: &mut FirstLines) -> Option<bool> {
    // Other bytes may have the magic number of a dictionary's frame by chance: without a dictionary of a possible length, `None`.
    let Some(frame) = start.strip_prefix(DICTIONARY_FRAME_MAGIC) else { return lines.starts_with_record(start) };
    let (len, content) = frame.split_first_chunk()?;
    let is_dictionary = content.starts_with(MAGIC) || content.starts_with(DICTIONARY_MAGIC);
    (is_dictionary && u32::from_le_bytes(*len) <= MAX_DICTIONARY_LEN).then_some(true)
}

/// The first lines of Zstandard frames, which show the frames that hold records. The total work is limited: any number of frames may seem to start in damaged bytes, each with a block of 128 KiB.
#[derive(Default)]
struct FirstLines {
    zstd: Option<Zstd>,
    content: Vec<u8>,
    /// The number of bytes read and written so far, and [`STEP_WORK`](Self::STEP_WORK) for each call of the decompressor.
    work: usize,
}

impl FirstLines {
    /// The work in bytes after which no more is done: enough for all short frames in 64 KiB, or for 64 long blocks.
    const MAX_WORK: usize = 8 << 20;
    /// The work in bytes of one call of the decompressor, added to the bytes that it reads and writes.
    const STEP_WORK: usize = 512;
    /// The length in bytes of the longest block of a frame, without compression.
    const MAX_BLOCK_LEN: usize = 128 << 10;

    /// `None` if the frame needs a dictionary, or as `first_line_is_record`. `Some(false)` without a complete frame header, for a
    /// window that is too large, and for every frame once [`MAX_WORK`](Self::MAX_WORK) is done.
    fn starts_with_record(&mut self, bytes: &[u8]) -> Option<bool> {
        match FrameHeader::parse(bytes) {
            Some(header) if header.window <= MAX_WINDOW && self.work < Self::MAX_WORK => match header.dictionary {
                0 => self.first_line_is_record(bytes),
                _ => None,
            },
            _ => Some(false),
        }
    }

    /// `None` if the bytes are too few to decompress any, or the feature `zstd` is missing. The frame must need no dictionary.
    fn first_line_is_record(&mut self, bytes: &[u8]) -> Option<bool> {
        let zstd = match &mut self.zstd {
            Some(zstd) => zstd,
            empty => empty.insert(Zstd::new(&[]).ok()?),
        };
        zstd.restart();
        self.content.resize(Self::MAX_BLOCK_LEN + FIRST_LINE_LEN, 0);
        let (mut rest, mut len) = (bytes, 0);
        while len < FIRST_LINE_LEN {
            let done = zstd.decompress(rest, &mut self.content[len..]);
            rest = &rest[done.read..];
            len += done.written;
            self.work += Self::STEP_WORK + done.read + done.written;
            match done.ended {
                Ok(false) if done.read + done.written > 0 => {}
                Ok(false) if len == 0 => return None,
                Ok(_) => break,
                Err(_) => {
                    // The block may have been decompressed up to its end.
                    self.work += Self::MAX_BLOCK_LEN;
                    break;
                }
            }
        }
        Some(find_record(&self.content[..len.min(FIRST_LINE_LEN)]) == Some(0))
    }
}

/// False for skippable frames, and for windows larger than [`MAX_WINDOW`].
pub(super) fn starts_frame(bytes: &[u8]) -> bool {
    FrameHeader::parse(bytes).is_some_and(|frame| frame.window <= MAX_WINDOW)
}
