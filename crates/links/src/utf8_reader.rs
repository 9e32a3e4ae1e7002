//! Reads a page, feed or list as UTF-8, chunk by chunk.

use std::io::{self, Chain, Cursor, ErrorKind, Read};
use std::ops::Range;

use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8};

/// Decodes UTF-8, too: bytes that are no characters become U+FFFD, so that limits count the same in any encoding.
pub(crate) struct Utf8Reader<R, B> {
    page: R,
    /// `None` once all of the page is decoded.
    decoder: Option<Decoder>,
    /// Bytes of the page before they are decoded.
    input: B,
    /// The part of `input` that is not yet decoded.
    rest: Range<usize>,
    /// The stream was read to its end.
    is_read: bool,
}

impl<R, B> Utf8Reader<R, B> {
    pub(crate) fn new(page: R, charset: &'static Encoding, input: B) -> Self {
        let decoder = Some(charset.new_decoder_without_bom_handling());
        Utf8Reader { page, decoder, input, rest: 0..0, is_read: false }
    }
}

impl<R: Read, B: AsMut<[u8]>> Read for Utf8Reader<R, B> {
    /// `out` must have room for the longest character.
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            if self.rest.is_empty() && !self.is_read {
                self.rest = 0..read_some(&mut self.page, self.input.as_mut())?;
                self.is_read = self.rest.is_empty();
            }
            let input = &self.input.as_mut()[self.rest.clone()];
            let (result, read, written, _) = decoder.decode_to_utf8(input, out, self.is_read);
            self.rest.start += read;
            if self.is_read && result == CoderResult::InputEmpty {
                self.decoder = None;
            }
            if written > 0 {
                return Ok(written);
            }
        }
        Ok(0)
    }
}

/// Reads a list without its byte order mark: as UTF-8 if the mark is one of UTF-16, otherwise byte by byte as it is.
pub struct Unmarked<R>(UnmarkedText<R>);

enum UnmarkedText<R> {
    /// `None` after an error.
    New(Option<R>),
    Plain(Chain<Cursor<Vec<u8>>, R>),
    Utf16(Utf8Reader<R, Vec<u8>>),
}

impl<R: Read> Unmarked<R> {
    /// Reads nothing yet.
    pub fn new(text: R) -> Self {
        Unmarked(UnmarkedText::New(Some(text)))
    }
}

impl<R: Read> UnmarkedText<R> {
    fn of_start(mut text: R) -> io::Result<Self> {
        const MARKS: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF"];
        let mut start = Vec::new();
        // No more bytes than could be a mark, as a first line may be shorter than one, and its answer is waited for.
        while MARKS.iter().any(|mark| mark.len() > start.len() && mark.starts_with(&start)) {
            let mut byte = [0];
            if read_some(&mut text, &mut byte)? == 0 {
                break;
            }
            start.push(byte[0]);
        }
        Ok(match Encoding::for_bom(&start) {
            Some((charset, _)) if charset == UTF_8 => UnmarkedText::Plain(Cursor::new(Vec::new()).chain(text)),
            Some((utf_16, _)) => UnmarkedText::Utf16(Utf8Reader::new(text, utf_16, vec![0; 8 << 10])),
            None => UnmarkedText::Plain(Cursor::new(start).chain(text)),
        })
    }
}

impl<R: Read> Read for Unmarked<R> {
    /// `out` must have room for the longest character.
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if let UnmarkedText::New(text) = &mut self.0 {
            let Some(text) = text.take() else { return Ok(0) };
            self.0 = UnmarkedText::of_start(text)?;
        }
        match &mut self.0 {
            UnmarkedText::New(_) => Ok(0),
            UnmarkedText::Plain(text) => text.read(out),
            UnmarkedText::Utf16(text) => text.read(out),
        }
    }
}

/// Reads again as long as reading is interrupted. Returns 0 at the end of the page.
pub(crate) fn read_some(page: &mut (impl Read + ?Sized), out: &mut [u8]) -> io::Result<usize> {
    loop {
        match page.read(out) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use encoding_rs::{SHIFT_JIS, UTF_8, UTF_16LE};

    use super::*;

    /// Decodes a page through buffers of this length. Returns the text.
    fn decoded(page: &[u8], charset: &'static Encoding, input: usize, output: usize) -> String {
        let (mut page, mut input, mut out) = (Cursor::new(page), vec![0; input], vec![0; output]);
        let mut reader = Utf8Reader::new(&mut page, charset, &mut input);
        let mut text = Vec::new();
        loop {
            match reader.read(&mut out).unwrap() {
                0 => break,
                read => text.extend_from_slice(&out[..read]),
            }
        }
        // The end stays the end.
        assert_eq!(reader.read(&mut out).unwrap(), 0);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn characters_may_be_in_two_chunks() {
        for (page, charset, expected) in [
            ("aж日\u{1F600}".as_bytes(), UTF_8, "aж日\u{1F600}"),
            (b"a\xFFb\xE6\x97", UTF_8, "a\u{FFFD}b\u{FFFD}"),
            (b"a\0\x3D\xD8\0\xDEb", UTF_16LE, "a\u{1F600}\u{FFFD}"),
            (b"\x83\\a\x83", SHIFT_JIS, "ソa\u{FFFD}"),
            (b"", UTF_8, ""),
        ] {
            for (input, output) in [(1, 4), (2, 5), (3, 4), (64, 64)] {
                assert_eq!(decoded(page, charset, input, output), expected, "{page:?} {input} {output}");
            }
        }
    }

    #[test]
    fn a_mark_decides_and_is_no_text() {
        for (list, expected) in [
            (&b"\xEF\xBB\xBFa\xFF"[..], &b"a\xFF"[..]),
            (b"\xFF\xFEa\0\xE9\0", "a\u{E9}".as_bytes()),
            (b"\xFE\xFF\0a\0", "a\u{FFFD}".as_bytes()),
            (b"\xFF\xFE", b""),
            (b"\xEF\xBBa", b"\xEF\xBBa"),
            (b"\xEF", b"\xEF"),
            (b"\xFE\xFEa", b"\xFE\xFEa"),
            (b"a\xEF\xBB\xBF\0", b"a\xEF\xBB\xBF\0"),
            (b"", b""),
        ] {
            let mut text = Vec::new();
            Unmarked::new(list).read_to_end(&mut text).unwrap();
            assert_eq!(text, expected, "{list:?}");
        }
    }

    #[test]
    fn interrupted_reads_are_repeated() {
        struct Interrupted(u8);
        impl Read for Interrupted {
            fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                match self.0 % 3 {
                    0 => (&b"ab"[..]).read(&mut out[..1]),
                    _ => Err(ErrorKind::Interrupted.into()),
                }
            }
        }
        let mut out = [0; 4];
        assert_eq!(read_some(&mut Interrupted(0), &mut out).unwrap(), 1);
    }
}
