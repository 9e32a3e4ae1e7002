//! A page read as UTF-8, by the piece.

use std::io::{self, ErrorKind, Read, Seek};

use encoding_rs::{CoderResult, Decoder, Encoding};

/// A page that can be read again.
pub(super) trait Stream: Read + Seek {}

impl<R: Read + Seek> Stream for R {}

/// A reader that decodes. In UTF-8, too, what is no character is replaced here, so that whoever counts bytes counts U+FFFD.
pub(super) struct Source<'s> {
    page: &'s mut dyn Stream,
    decoder: Decoder,
    /// Bytes read, and which of them are not yet decoded.
    input: &'s mut [u8],
    from: usize,
    to: usize,
    /// Whether the page has no more bytes, and whether all were decoded.
    is_ended: bool,
    is_done: bool,
}

impl<'s> Source<'s> {
    pub(super) fn new(page: &'s mut dyn Stream, encoding: &'static Encoding, input: &'s mut [u8]) -> Self {
        let decoder = encoding.new_decoder_without_bom_handling();
        Source { page, decoder, input, from: 0, to: 0, is_ended: false, is_done: false }
    }
}

impl Read for Source<'_> {
    /// `out` has room for a character.
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !self.is_done {
            if self.from == self.to && !self.is_ended {
                (self.from, self.to) = (0, retry(self.page, self.input)?);
                self.is_ended = self.to == 0;
            }
            let input = &self.input[self.from..self.to];
            let (result, read, written, _) = self.decoder.decode_to_utf8(input, out, self.is_ended);
            self.from += read;
            self.is_done = self.is_ended && result == CoderResult::InputEmpty;
            if written > 0 {
                return Ok(written);
            }
        }
        Ok(0)
    }
}

/// Reads, however often that is interrupted.
pub(super) fn retry(page: &mut (impl Read + ?Sized), out: &mut [u8]) -> io::Result<usize> {
    loop {
        match page.read(out) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// Reads until the bytes are full or the page ends.
pub(super) fn fill(page: &mut dyn Stream, out: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < out.len() {
        match retry(page, &mut out[len..])? {
            0 => break,
            read => len += read,
        }
    }
    Ok(len)
}
