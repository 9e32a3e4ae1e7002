//! Compressed streams, read up to where they are damaged.

use std::io::{self, BufRead, Read};

#[cfg(feature = "page")]
use super::codec::Container;
use super::codec::{Codec, Decompressed};
use super::damage::{invalid, is_damage};
#[cfg(feature = "page")]
use super::zstd::Zstd;

/// Unlike the readers of `flate2`, which lose the bytes of the read that fails, it returns all bytes before damage.
pub(super) struct CodecReader<R> {
    pub(super) inner: R,
    codec: Codec,
    ended: bool,
    /// Set by the read that reaches damage, which still returns the bytes before it; each later read fails with this message.
    damage: Option<String>,
}

impl<R: BufRead> CodecReader<R> {
    pub(super) fn new(inner: R, codec: Codec) -> Self {
        CodecReader { inner, codec, ended: false, damage: None }
    }

    /// The next stream starts at the next byte of the input, also after damage.
    pub(super) fn restart(&mut self) {
        self.codec.restart();
        (self.ended, self.damage) = (false, None);
    }
}

/// Returns 0 only after the stream's end, with a right checksum.
impl<R: BufRead> Read for CodecReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while !self.ended && self.damage.is_none() && !into.is_empty() {
            let (input, error) = match self.inner.fill_buf() {
                Ok(input) => (input, None),
                Err(error) if !is_damage(&error) => return Err(error),
                // The decompressor may still hold bytes before the damage.
                Err(error) => (&[][..], Some(error)),
            };
            let is_last = input.is_empty();
            let Decompressed { read, written, ended } = self.codec.decompress(input, into);
            self.inner.consume(read);
            match ended {
                Ok(true) => self.ended = true,
                Ok(false) if written == 0 && is_last => {
                    self.damage = Some(error.map_or_else(|| "unexpected end".to_owned(), |error| error.to_string()));
                }
                Ok(false) => {}
                Err(why) => self.damage = Some(why),
            }
            if written > 0 {
                return Ok(written);
            }
        }
        self.damage.as_ref().map_or(Ok(0), |why| Err(invalid(why.clone())))
    }
}

/// Reads all gzip members or Zstandard frames of a body, one after the other. It ends before other bytes, as in browsers.
pub(crate) struct Series<R>(CodecReader<R>);

impl<R: BufRead> Series<R> {
    pub(super) fn new(inner: R, codec: Codec) -> Self {
        Series(CodecReader::new(inner, codec))
    }

    /// `coding` is what [`compression`](super::sniff::compression) returns of the input.
    #[cfg(feature = "page")]
    pub(crate) fn of_coding(inner: R, coding: &str) -> io::Result<Self> {
        let codec = if coding == "zstd" { Codec::Zstd(Zstd::new(&[])?) } else { Codec::deflate(Container::Gzip) };
        Ok(Series::new(inner, codec))
    }

    #[cfg(feature = "page")]
    pub(crate) fn get_ref(&self) -> &R {
        &self.0.inner
    }
}

impl<R: BufRead> Read for Series<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.0.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            match self.0.inner.fill_buf()?.first() {
                // The first bytes of a gzip member, a frame and a skippable frame.
                Some(0x1f | 0x28 | 0x50..=0x5f) => self.0.restart(),
                _ => return Ok(0),
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::archive::codec::Container;

    pub(in crate::archive) fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    /// Returns all that can be read, and the error after it.
    fn read(mut from: impl Read) -> (String, String) {
        let mut text = Vec::new();
        let end = from.read_to_end(&mut text).map_or_else(|error| error.to_string(), |_| String::new());
        (String::from_utf8(text).unwrap(), end)
    }

    #[test]
    fn all_bytes_before_a_damage_are_read() {
        let whole = gzip(b"some text");
        let mut wrong = whole.clone();
        wrong[whole.len() - 5] ^= 1;
        for (bytes, text, end) in [
            (&whole[..], "some text", ""),
            (&whole[..whole.len() - 1], "some text", "unexpected end"),
            (&whole[..whole.len() - 12], "some t", "unexpected end"),
            (&wrong, "some text", "incorrect data check"),
            (b"", "", "unexpected end"),
        ] {
            let mut inflate = CodecReader::new(bytes, Codec::deflate(Container::Gzip));
            let read = read(&mut inflate);
            assert!(text.starts_with(&read.0) && (read.0.len() > 4 || text.is_empty()), "{read:?}");
            assert_eq!(read.1, end);
            assert_eq!(inflate.read(&mut [0]).is_err(), !end.is_empty(), "an error is returned again");
        }
    }

    #[test]
    fn a_body_has_any_number_of_members() {
        let two = [gzip(b"one "), gzip(b"two")].concat();
        assert_eq!(read(Series::new(&*two, Codec::deflate(Container::Gzip))), ("one two".into(), "".into()));
        let more = [&two[..], b"x"].concat();
        assert_eq!(read(Series::new(&*more, Codec::deflate(Container::Gzip))), ("one two".into(), "".into()));
    }
}
