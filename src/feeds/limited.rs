//! A stream as UTF-8, of which a limited number of bytes is read at a time.

use std::io::{self, BufRead, ErrorKind, Read};

use encoding_rs::{CoderResult, Decoder, Encoding};

/// The bytes of text that are decoded at once.
const BUFFER: usize = 16 << 10;

/// A reader that decodes a stream, and fails when it was read too far.
pub(super) struct Limited<R> {
    input: R,
    decoder: Decoder,
    buffer: Vec<u8>,
    /// The index in the buffer of the next byte.
    start: usize,
    /// The index in the buffer after the last byte.
    end: usize,
    is_over: bool,
    /// The number of bytes that may be read before the limit is set again.
    pub(super) left: usize,
}

impl<R: BufRead> Limited<R> {
    pub(super) fn new(input: R, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_with_bom_removal();
        Limited { input, decoder, buffer: vec![0; BUFFER], start: 0, end: 0, is_over: false, left: 0 }
    }
}

impl<R> Limited<R> {
    /// Reports whether the whole stream was read.
    pub(super) fn is_read(&self) -> bool {
        self.is_over && self.start == self.end
    }
}

impl<R: BufRead> BufRead for Limited<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.start == self.end && !self.is_over {
            let input = self.input.fill_buf()?;
            let is_last = input.is_empty();
            let (result, read, written, _) = self.decoder.decode_to_utf8(input, &mut self.buffer, is_last);
            self.input.consume(read);
            (self.start, self.end) = (0, written);
            self.is_over = is_last && result == CoderResult::InputEmpty;
        }
        if self.start < self.end && self.left == 0 {
            return Err(io::Error::new(ErrorKind::InvalidData, "a tag or text has more than 1 MiB"));
        }
        Ok(&self.buffer[self.start..self.end.min(self.start.saturating_add(self.left))])
    }

    fn consume(&mut self, amount: usize) {
        self.start += amount;
        self.left -= amount;
    }
}

impl<R: BufRead> Read for Limited<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}
