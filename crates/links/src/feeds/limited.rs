//! `Limited`: a stream that is read as UTF-8, event by event: tag, comment or text, each of limited length.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memmem, memrchr2};

use crate::utf8_reader::Utf8Reader;

const BUFFER_LEN: usize = 16 << 10;

/// Converts a stream of XML to UTF-8. Fails when an event has more bytes than its limit.
pub(super) struct Limited<R> {
    input: BufReader<Utf8Reader<R, Vec<u8>>>,
    /// A read has found the end of the stream.
    pub(super) is_done: bool,
    /// A read after so many more bytes fails. [`skip_event`](Self::skip_event) lifts this limit until it is set again.
    pub(super) left: usize,
    /// The number of bytes that were read, as UTF-8. A byte order mark counts only if the stream is UTF-8.
    pub(super) position: u64,
}

impl<R: Read> Limited<R> {
    /// `input` comes after its byte order mark of `bom_len` bytes. [`left`](Self::left) must be set before the first read.
    pub(super) fn new(input: R, charset: &'static Encoding, bom_len: usize) -> Self {
        let position = if charset == UTF_8 { bom_len as u64 } else { 0 };
        let input = Utf8Reader::new(input, charset, vec![0; BUFFER_LEN]);
        Limited { input: BufReader::with_capacity(BUFFER_LEN, input), is_done: false, left: 0, position }
    }

    /// Skips the rest of the current event, or of the stream if the event has no end. `read`, its first bytes, shows how it ends.
    pub(super) fn skip_event(&mut self, read: &[u8]) -> io::Result<()> {
        match read {
            [b'<', b'!', b'-', ..] => self.skip_to(find_after(b"-->", read)),
            [b'<', b'!', b'[', ..] => self.skip_to(find_after(b"]]>", read)),
            [b'<', b'?', ..] => self.skip_to(find_after(b"?>", read)),
            [b'<', b'!', ..] => {
                // Only an inner chunk has `>` before its end.
                if memrchr2(b'[', b']', read).is_some_and(|at| read[at] == b'[') {
                    self.skip_to(find_after(b"]", b""))?;
                }
                self.skip_to(find_after(b">", b""))
            }
            [b'<', ..] => {
                let mut quote = None;
                let mut is_end = move |byte| {
                    match quote {
                        Some(open) if byte == open => quote = None,
                        None if matches!(byte, b'"' | b'\'') => quote = Some(byte),
                        _ => {}
                    }
                    quote.is_none() && byte == b'>'
                };
                for byte in read {
                    is_end(*byte);
                }
                self.skip_to(|chunk| chunk.iter().position(|byte| is_end(*byte)).map(|at| at + 1))
            }
            _ => self.skip_to(|chunk| memchr(b'<', chunk)),
        }
    }

    /// Skips bytes, without a limit, up to the index in a chunk that `find` returns.
    fn skip_to(&mut self, mut find: impl FnMut(&[u8]) -> Option<usize>) -> io::Result<()> {
        loop {
            self.left = usize::MAX;
            let chunk = self.fill_buf()?;
            let (len, end) = (chunk.len(), find(chunk));
            self.consume(end.unwrap_or(len));
            if end.is_some() || len == 0 {
                return Ok(());
            }
        }
    }

    pub(super) fn is_event_too_long(&self) -> bool {
        self.left == 0 && !self.input.buffer().is_empty()
    }
}

/// Returns a function that finds the index after a delimiter, which may start in `read`, the bytes before the first chunk.
fn find_after(delimiter: &'static [u8], read: &[u8]) -> impl FnMut(&[u8]) -> Option<usize> {
    // The last bytes, too few to be the delimiter, and then the chunk.
    let mut bytes = read[read.len().saturating_sub(delimiter.len() - 1)..].to_vec();
    move |chunk| {
        let last = bytes.len();
        bytes.extend_from_slice(chunk);
        let found = memmem::find(&bytes, delimiter).map(|at| at + delimiter.len() - last);
        bytes.drain(..bytes.len().saturating_sub(delimiter.len() - 1));
        found
    }
}

impl<R: Read> BufRead for Limited<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let len = self.input.fill_buf()?.len();
        self.is_done = len == 0;
        if self.is_event_too_long() {
            return Err(io::Error::new(ErrorKind::InvalidData, "too long"));
        }
        Ok(&self.input.buffer()[..len.min(self.left)])
    }

    fn consume(&mut self, amount: usize) {
        self.input.consume(amount);
        self.left -= amount;
        self.position += amount as u64;
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_skipped_up_to_their_end() {
        for (event, rest) in [
            ("<!-- > -> --", "<a>"),
            ("<![CDATA[ ] ]] > x]]", "<a>"),
            ("<?x > ", "<a>"),
            ("<!DOCTYPE x 'y'", "<a>"),
            ("<!DOCTYPE x [ <!ENTITY y 'z'> ] ", "<a>"),
            ("<x y='>' z=\">'\" ", "<a>"),
            ("text & text ", "<a>"),
        ] {
            let end = match &event[..2] {
                "<!" if event.ends_with('-') || event.ends_with(']') => ">",
                "<?" => "?>",
                "te" => "",
                _ => ">",
            };
            let whole = format!("{event}{end}{rest}");
            // The shortest read part tells what the event is.
            for read in event.find('[').map_or(3, |at| at + 1)..=event.len() {
                for capacity in [1, 2, 100] {
                    let input = io::BufReader::with_capacity(capacity, &whole.as_bytes()[read..]);
                    let mut input = Limited::new(input, UTF_8, 0);
                    input.skip_event(&whole.as_bytes()[..read]).unwrap();
                    let mut left = String::new();
                    input.left = 100;
                    input.read_to_string(&mut left).unwrap();
                    assert_eq!(left, rest, "{whole} {read}");
                }
            }
        }
    }
}
