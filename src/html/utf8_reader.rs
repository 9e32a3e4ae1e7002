//! Reads a page as UTF-8, piece by piece.

use core::ops::Range;
use std::io::{self, ErrorKind, Read, Seek};

use encoding_rs::{CoderResult, Decoder, Encoding};

/// A page that can be read again.
pub(super) trait Stream: Read + Seek {}

impl<R: Read + Seek> Stream for R {}

/// A reader that decodes a page. It decodes UTF-8, too: so U+FFFD replaces what is no character before anybody counts bytes.
pub(super) struct Utf8Reader<'s> {
    page: &'s mut dyn Stream,
    decoder: Decoder,
    input: &'s mut [u8],
    /// The range of `input` that is read and not yet decoded.
    rest: Range<usize>,
    progress: Progress,
}

/// The progress of reading and decoding.
#[derive(PartialEq, Eq)]
enum Progress {
    Reading,
    /// All of the page is read, but not decoded.
    Read,
    /// All of the page is decoded.
    Decoded,
}

impl<'s> Utf8Reader<'s> {
    /// Returns a reader that decodes from where the page is, through a buffer.
    pub(super) fn new(page: &'s mut dyn Stream, encoding: &'static Encoding, input: &'s mut [u8]) -> Self {
        let decoder = encoding.new_decoder_without_bom_handling();
        Utf8Reader { page, decoder, input, rest: 0..0, progress: Progress::Reading }
    }
}

impl Read for Utf8Reader<'_> {
    /// Reads into `out`, which has room for a character.
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.progress != Progress::Decoded {
            if self.rest.is_empty() && self.progress == Progress::Reading {
                self.rest = 0..read_some(self.page, self.input)?;
                if self.rest.is_empty() {
                    self.progress = Progress::Read;
                }
            }
            let is_last = self.progress == Progress::Read;
            let (result, read, written, _) = self.decoder.decode_to_utf8(&self.input[self.rest.clone()], out, is_last);
            self.rest.start += read;
            if is_last && result == CoderResult::InputEmpty {
                self.progress = Progress::Decoded;
            }
            if written > 0 {
                return Ok(written);
            }
        }
        Ok(0)
    }
}

/// Reads once, however often that is interrupted.
pub(super) fn read_some(page: &mut (impl Read + ?Sized), out: &mut [u8]) -> io::Result<usize> {
    loop {
        match page.read(out) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// Reads until `out` is full or the page ends.
pub(super) fn read_full(page: &mut dyn Stream, out: &mut [u8]) -> io::Result<usize> {
    let mut len = 0;
    while len < out.len() {
        match read_some(page, &mut out[len..])? {
            0 => break,
            read => len += read,
        }
    }
    Ok(len)
}
