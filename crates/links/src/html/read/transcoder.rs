//! Decodes a page to UTF-8, chunk by chunk, and notes the places in it.

use std::collections::VecDeque;

use encoding_rs::{CoderResult, Decoder, Encoding, ISO_2022_JP};

pub(crate) struct Transcoder {
    decoder: Decoder,
    /// The offsets in the text and in the page.
    at: (u64, u64),
    /// The decoder keeps nothing of the bytes before.
    is_between: bool,
}

impl Transcoder {
    pub(crate) fn new(charset: &'static Encoding) -> Self {
        Transcoder { decoder: charset.new_decoder_without_bom_handling(), at: (0, 0), is_between: true }
    }

    /// Returns the length, in bytes, of what was decoded of the page, without the byte order mark unless there are points.
    pub(crate) fn page_len(&self) -> u64 {
        self.at.1
    }

    /// Appends the text of a chunk. `points` are those of [`TextOffsets`](crate::html::places::TextOffsets).
    pub(crate) fn decode(
        &mut self,
        bytes: &[u8],
        is_last: bool,
        text: &mut Vec<u8>,
        points: Option<&mut VecDeque<(u64, u64)>>,
    ) {
        let Some(points) = points else {
            self.at.1 += bytes.len() as u64;
            return self.append(bytes, is_last, text);
        };
        if let (Some(&start), (0, 0)) = (points.front(), self.at) {
            self.at = start;
        }
        let has_ascii = self.decoder.encoding().is_ascii_compatible();
        let mut rest = bytes;
        loop {
            if self.is_between && has_ascii {
                let (ascii, after) = rest.split_at(Encoding::ascii_valid_up_to(rest));
                text.extend_from_slice(ascii);
                self.advance(ascii.len() as u64, ascii.len() as u64, points);
                rest = after;
            }
            // Of a single byte, it is known which character it ends.
            let (byte, after) = rest.split_at(rest.len().min(1));
            if byte.is_empty() && !is_last {
                return;
            }
            let start = text.len();
            self.append(byte, byte.is_empty(), text);
            let (text_len, page_len) = ((text.len() - start) as u64, byte.len() as u64);
            let kept_len = match byte {
                [0x1B] if self.decoder.encoding() == ISO_2022_JP => 0,
                [byte] if byte.is_ascii() && text[start..].ends_with(&[*byte]) => 1,
                _ => text_len,
            };
            self.is_between = matches!(byte, [byte] if byte.is_ascii()) && kept_len == 1;
            if kept_len < text_len {
                // It ended what is no character.
                self.advance(text_len - kept_len, 0, points);
                self.advance(kept_len, page_len, points);
            } else {
                self.advance(text_len, page_len, points);
            }
            if byte.is_empty() {
                return;
            }
            rest = after;
        }
    }

    fn advance(&mut self, text_len: u64, page_len: u64, points: &mut VecDeque<(u64, u64)>) {
        let (text_at, page_at) = &mut self.at;
        *text_at += text_len;
        *page_at += page_len;
        let is_as_before = points.back().is_some_and(|(known, offset)| offset + (*text_at - known) == *page_at);
        if text_len > 0 && !is_as_before {
            points.push_back(self.at);
        }
    }

    fn append(&mut self, bytes: &[u8], is_last: bool, text: &mut Vec<u8>) {
        let mut rest = bytes;
        loop {
            let start = text.len();
            let room = self.decoder.max_utf8_buffer_length(rest.len()).unwrap_or(rest.len()).clamp(16, 1 << 16);
            text.resize(start + room, 0);
            let (result, read, written, _) = self.decoder.decode_to_utf8(rest, &mut text[start..], is_last);
            text.truncate(start + written);
            rest = &rest[read..];
            if result == CoderResult::InputEmpty {
                return;
            }
        }
    }
}
