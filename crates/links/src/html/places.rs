//! The places of references: their bytes in the page, as they are written, and their lines and columns.

use std::collections::VecDeque;
use std::ops::Range;

use encoding_rs::{Decoder, Encoding, UTF_8};
use memchr::memrchr2;

use super::offsets::{line_ends, page_offset};
use super::rendered::{DestinationForm, LineColumn, SourceMap};
use super::tokens::character_references::{TextKind, decode_reference};

/// The place of a link's reference in its page.
///
/// `start` and `end` are offsets in bytes of the reference as it is written: inside of its value, of the candidate of a `srcset`,
/// of the `url()`, without quotes and white space around it. Decoded as their place says, these bytes are the
/// [`reference`](super::Link::reference), except that the line breaks and tabs inside of it stay. An empty reference is where its
/// value stands.
///
/// A line ends at a line feed, a carriage return, or both; a column is a number of characters or of units of UTF-16. All start with 1. A byte order mark
/// has offsets, but is no column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Place {
    /// The offset of the first byte.
    pub start: u64,
    /// The offset after the last byte.
    pub end: u64,
    /// The line of the start.
    pub line: u64,
    /// The column of the start, in characters.
    pub column: u64,
    /// The column of the start, in units of UTF-16, as editors and JavaScript count it: a character beyond U+FFFF has two.
    #[cfg_attr(feature = "serde", serde(default))]
    pub column_utf16: u64,
}

/// How exactly it is known where a reference stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Positions {
    Unknown,
    /// All of its [`Place`] is known.
    Lines,
    /// Offsets are known, and no lines.
    Offsets,
}

/// The length, in bytes, of the longest character in any character encoding.
const MAX_CHARACTER_LEN: usize = 4;

/// Follows the lines and columns of a page from chunk to chunk. Places must be asked for in the order of the page.
pub(super) struct Places {
    /// The offset of the start of the chunk in the text that is scanned.
    pub(super) chunk_at: u64,
    /// The offset in that text up to which lines and columns are counted.
    at: u64,
    line: u64,
    column: u64,
    column_utf16: u64,
    after_return: bool,
    /// The decoder of characters that are not US-ASCII, which may be in two chunks.
    decoder: Decoder,
    charset: &'static Encoding,
    /// The number of US-ASCII bytes at the end of those counted: after few, they may be the start of a character.
    ascii_len: usize,
    origin: TextOffsets,
    pub(super) bom_len: u64,
    /// Otherwise there are only offsets.
    counts_lines: bool,
    /// The length, in bytes, of the page, once it is known. No place ends after it: half a unit at the end is a character of
    /// UTF-16.
    pub(super) page_len: u64,
}

/// How offsets in the text that is scanned become offsets in the page.
pub(super) enum TextOffsets {
    /// The text is the page after this many bytes.
    Same(u64),
    /// The text was UTF-16. The offset in the page at which [`Places::at`] is.
    Utf16(u64),
    /// The offsets, in the text and in the page, of each place after which they differ by another number than before.
    Points(VecDeque<(u64, u64)>),
    /// The text is the HTML that the page is rendered to, all of it in one chunk.
    #[cfg_attr(not(feature = "markdown"), allow(dead_code))]
    Rendered(SourceMap),
}

impl Places {
    /// `charset` is that of the text that is scanned.
    pub(super) fn new(
        charset: Option<&'static Encoding>,
        bom_len: u64,
        origin: TextOffsets,
        positions: Positions,
    ) -> Self {
        let charset = charset.unwrap_or(UTF_8);
        Places {
            chunk_at: 0,
            at: 0,
            line: 1,
            column: 1,
            column_utf16: 1,
            after_return: false,
            decoder: charset.new_decoder_without_bom_handling(),
            charset,
            ascii_len: MAX_CHARACTER_LEN,
            origin,
            bom_len,
            counts_lines: positions == Positions::Lines,
            page_len: u64::MAX,
        }
    }

    pub(super) fn set_charset(&mut self, charset: Option<&'static Encoding>) {
        self.charset = charset.unwrap_or(UTF_8);
        self.decoder = self.charset.new_decoder_without_bom_handling();
    }

    pub(super) fn points(&mut self) -> Option<&mut VecDeque<(u64, u64)>> {
        match &mut self.origin {
            TextOffsets::Points(points) => Some(points),
            _ => None,
        }
    }

    /// The offset in the page up to which no place is asked for any more, between two chunks.
    pub(super) fn read_len(&self) -> u64 {
        match &self.origin {
            TextOffsets::Same(before) => before + self.chunk_at,
            TextOffsets::Utf16(offset) => *offset,
            TextOffsets::Points(points) => page_offset(points, self.chunk_at),
            TextOffsets::Rendered(_) => u64::MAX,
        }
        .min(self.page_len)
    }

    /// `None` if the reference is in no place of its page. A page that is rendered also has a form there.
    pub(super) fn place(&mut self, chunk: &[u8], range: Range<usize>) -> Option<(Place, Option<DestinationForm>)> {
        if let TextOffsets::Rendered(parts) = &mut self.origin {
            let (source, LineColumn { line, column, column_utf16, .. }, form) = parts.place(chunk, range)?;
            return Some((Place { start: source.start, end: source.end, line, column, column_utf16 }, form));
        }
        self.count_to(chunk, range.start);
        let (text_start, text_end) = (self.chunk_at + range.start as u64, self.chunk_at + range.end as u64);
        let (start, end) = match &self.origin {
            TextOffsets::Same(before) => (before + text_start, before + text_end),
            TextOffsets::Utf16(start) => (*start, start + 2 * units(&chunk[range])),
            TextOffsets::Points(points) => (page_offset(points, text_start), page_offset(points, text_end)),
            TextOffsets::Rendered(_) => return None,
        };
        let (start, end) = (start.min(self.page_len), end.min(self.page_len));
        let (line, column, column_utf16) = (self.line, self.column, self.column_utf16);
        Some((Place { start, end, line, column, column_utf16 }, None))
    }

    /// The next chunk starts after the first `len` bytes of this one.
    pub(super) fn end_chunk(&mut self, chunk: &[u8], len: usize) {
        self.count_to(chunk, len);
        self.chunk_at += len as u64;
        if let TextOffsets::Points(points) = &mut self.origin {
            let before = points.partition_point(|(known, _)| *known <= self.chunk_at);
            points.drain(..before.saturating_sub(1));
        }
    }

    fn count_to(&mut self, chunk: &[u8], end: usize) {
        let is_counted = self.counts_lines || matches!(self.origin, TextOffsets::Utf16(_));
        if !is_counted || matches!(self.origin, TextOffsets::Rendered(_)) {
            return;
        }
        let start = (self.at - self.chunk_at) as usize;
        let Some(bytes) = chunk.get(start..end).filter(|bytes| !bytes.is_empty()) else { return };
        self.at += bytes.len() as u64;
        if let TextOffsets::Utf16(offset) = &mut self.origin {
            *offset += 2 * units(bytes);
        }
        if !self.counts_lines {
            return;
        }
        let mut last_line = bytes;
        if let Some(last) = memrchr2(b'\n', b'\r', bytes) {
            self.line += line_ends(bytes) - u64::from(self.after_return && bytes[0] == b'\n');
            (self.column, self.column_utf16) = (1, 1);
            self.ascii_len = MAX_CHARACTER_LEN;
            self.decoder = self.charset.new_decoder_without_bom_handling();
            last_line = &bytes[last + 1..];
        }
        self.after_return = bytes.ends_with(b"\r");
        let (characters, units) = self.count_characters(last_line);
        self.column += characters;
        self.column_utf16 += units;
    }

    /// Returns the number of characters, and of units of UTF-16.
    fn count_characters(&mut self, text: &[u8]) -> (u64, u64) {
        let is_cut = self.ascii_len < MAX_CHARACTER_LEN;
        let is_ascii = text.is_ascii();
        if is_ascii && !is_cut {
            return (text.len() as u64, text.len() as u64);
        }
        // Characters that are whole do not wait in the decoder, which takes twice as long.
        if self.charset == UTF_8 && !is_cut && Encoding::utf8_valid_up_to(text) == text.len() {
            return count(text);
        }
        let last_ascii = text.iter().rev().take(MAX_CHARACTER_LEN).take_while(|byte| byte.is_ascii());
        self.ascii_len = if is_ascii { self.ascii_len + text.len() } else { last_ascii.count() };
        let (mut rest, mut buffer, mut characters, mut units) = (text, [0; 1024], 0, 0);
        while !rest.is_empty() {
            let (_, read, written, _) = self.decoder.decode_to_utf8(rest, &mut buffer, false);
            let counted = count(&buffer[..written]);
            (characters, units) = (characters + counted.0, units + counted.1);
            rest = &rest[read..];
        }
        (characters, units)
    }
}

/// Reports whether a byte starts a character in UTF-8.
fn is_start(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// Reports whether a byte of UTF-8 starts a character that is two units of UTF-16.
fn starts_pair(byte: u8) -> bool {
    byte >= 0xF0
}

/// The number of units of UTF-16 that a part of a text in UTF-8 has. The parts may cut characters.
pub(super) fn units(text: &[u8]) -> u64 {
    count(text).1
}

/// The numbers of characters and of units of UTF-16 of a text in UTF-8.
fn count(text: &[u8]) -> (u64, u64) {
    let (mut characters, mut pairs) = (0, 0);
    // Each part's sums fit in a byte, the narrowest lane of a vector: a sum of `u64` takes five times as long.
    for part in text.chunks(usize::from(u8::MAX)) {
        let (mut part_characters, mut part_pairs) = (0_u8, 0_u8);
        for byte in part {
            part_characters += u8::from(is_start(*byte));
            part_pairs += u8::from(starts_pair(*byte));
        }
        characters += u64::from(part_characters);
        pairs += u64::from(part_pairs);
    }
    (characters, characters + pairs)
}

/// Finds the places in a chunk of places in a text that was decoded from pieces of it. These must be asked for in order.
pub(super) struct Locator<'c> {
    chunk: &'c [u8],
    pieces: &'c [(Range<usize>, TextKind)],
    charset: Option<&'static Encoding>,
    /// The text is the only piece, as it is written.
    is_same: bool,
    chunk_at: usize,
    text_at: usize,
}

impl<'c> Locator<'c> {
    pub(super) fn new(
        chunk: &'c [u8],
        pieces: &'c [(Range<usize>, TextKind)],
        charset: Option<&'static Encoding>,
        text: &str,
    ) -> Self {
        let is_same = matches!(pieces, [(piece, _)] if is_same(&chunk[piece.clone()], text.as_bytes()));
        let chunk_at = pieces.first().map_or(0, |(piece, _)| piece.start);
        Locator { chunk, pieces, charset, is_same, chunk_at, text_at: 0 }
    }

    /// `None` if the text is from several pieces.
    #[inline]
    pub(super) fn range(&mut self, text: Range<usize>) -> Option<Range<usize>> {
        if self.is_same {
            return Some(self.chunk_at + text.start..self.chunk_at + text.end);
        }
        self.decoded_range(text)
    }

    fn decoded_range(&mut self, text: Range<usize>) -> Option<Range<usize>> {
        let start = self.skip_to(text.start);
        if text.is_empty() {
            return Some(start..start);
        }
        // After what lies between two pieces.
        let start = match self.pieces {
            [(piece, _), (next, _), ..] if start == piece.end => next.start,
            _ => start,
        };
        let end = self.skip_to(text.end);
        let is_whole = self.pieces.first().is_some_and(|(piece, _)| piece.start <= start);
        is_whole.then_some(start..end)
    }

    fn skip_to(&mut self, text_at: usize) -> usize {
        while self.text_at < text_at {
            let Some((piece, kind)) = self.pieces.first() else { break };
            if self.chunk_at >= piece.end {
                self.pieces = &self.pieces[1..];
                self.chunk_at = self.pieces.first().map_or(self.chunk_at, |(piece, _)| piece.start);
                continue;
            }
            let rest = &self.chunk[self.chunk_at..piece.end];
            // Most bytes stand for themselves.
            let is_same = |byte: &&u8| byte.is_ascii() && !matches!(byte, 0 | b'\r' | b'&');
            let (len, text_len) = match rest.iter().take(text_at - self.text_at).take_while(is_same).count() {
                0 => unit(rest, *kind, self.charset),
                len => (len, len),
            };
            self.chunk_at += len;
            self.text_at += text_len;
        }
        self.chunk_at
    }
}

/// A text that is borrowed is not compared.
fn is_same(raw: &[u8], text: &[u8]) -> bool {
    std::ptr::eq(raw, text) || raw == text
}

/// The lengths of the first character or character reference, as written and decoded. `raw` must not be empty.
fn unit(raw: &[u8], kind: TextKind, charset: Option<&'static Encoding>) -> (usize, usize) {
    match raw {
        [b'\r', b'\n', ..] => (1, 0),
        [0, ..] => (1, if matches!(kind, TextKind::Text | TextKind::Cdata) { 1 } else { "\u{FFFD}".len() }),
        [b'&', ..] if matches!(kind, TextKind::Text | TextKind::Attribute) => {
            let mut text = Vec::new();
            decode_reference(raw, kind, &mut text).map_or((1, 1), |len| (len, text.len()))
        }
        [byte, ..] if byte.is_ascii() => (1, 1),
        _ => character(raw, charset),
    }
}

/// Like [`unit()`], of a character that is not US-ASCII, or bytes that are none.
fn character(raw: &[u8], charset: Option<&'static Encoding>) -> (usize, usize) {
    let Some(charset) = charset else {
        return match raw[..raw.len().min(MAX_CHARACTER_LEN)].utf8_chunks().next() {
            Some(chunk) => match chunk.valid().chars().next() {
                Some(c) => (c.len_utf8(), c.len_utf8()),
                None => (chunk.invalid().len(), "\u{FFFD}".len()),
            },
            None => (1, 1),
        };
    };
    let mut decoder = charset.new_decoder_without_bom_handling();
    let mut text = [0; 32];
    for (at, byte) in raw.iter().enumerate() {
        let (_, _, written, _) = decoder.decode_to_utf8(&[*byte], &mut text, false);
        match written {
            0 => {}
            // It ended what is no character.
            2.. if byte.is_ascii() && text[written - 1] == *byte => return (at, written - 1),
            _ => return (at + 1, written),
        }
    }
    // Another character follows.
    let (_, _, written, _) = decoder.decode_to_utf8(b"\n", &mut text, false);
    (raw.len(), written.saturating_sub(1))
}
