//! Deflate streams, alone and in the frames of zlib and gzip (RFC 1950 to 1952), read up to where they are damaged.

use std::io::{self, BufRead, Read};

use flate2::{Decompress, FlushDecompress, Status};

use super::damage::{invalid, is_damage};

/// The format around a deflate stream.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Frame {
    None,
    Zlib,
    Gzip,
}

/// The reader of a stream. It gives all bytes before a damage; the readers of `flate2` lose those of the read that fails.
pub(super) struct Inflate<R> {
    inner: R,
    frame: Frame,
    inflate: Decompress,
    /// True if the stream ended and its checksum was right.
    ended: bool,
    /// The damage that follows the bytes that were read.
    failed: Option<String>,
}

impl Frame {
    /// Returns a new decompressor of streams in this frame.
    pub(super) fn inflater(self) -> Decompress {
        match self {
            Frame::Gzip => Decompress::new_gzip(15),
            Frame::Zlib | Frame::None => Decompress::new(self == Frame::Zlib),
        }
    }
}

impl<R: BufRead> Inflate<R> {
    pub(super) fn new(inner: R, frame: Frame) -> Self {
        Inflate { inner, frame, inflate: frame.inflater(), ended: false, failed: None }
    }

    pub(super) fn get_ref(&self) -> &R {
        &self.inner
    }

    pub(super) fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Starts with the next stream.
    pub(super) fn restart(&mut self) {
        // Resetting one does not keep the frame of gzip.
        self.inflate = self.frame.inflater();
        (self.ended, self.failed) = (false, None);
    }
}

/// Reads the stream. It ends where no more bytes are read and its checksum was right.
impl<R: BufRead> Read for Inflate<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while !self.ended && self.failed.is_none() && !into.is_empty() {
            let (input, error) = match self.inner.fill_buf() {
                Ok(input) => (input, None),
                Err(error) if !is_damage(&error) => return Err(error),
                // The inflater may still hold bytes from before the damage.
                Err(error) => (&[][..], Some(error)),
            };
            let is_last = input.is_empty();
            let (before_in, before_out) = (self.inflate.total_in(), self.inflate.total_out());
            let flush = if is_last { FlushDecompress::Finish } else { FlushDecompress::None };
            let status = self.inflate.decompress(input, into, flush);
            self.inner.consume((self.inflate.total_in() - before_in) as usize);
            let read = (self.inflate.total_out() - before_out) as usize;
            match status {
                Ok(Status::StreamEnd) => self.ended = true,
                Ok(_) if read == 0 && is_last => {
                    self.failed = Some(error.map_or_else(|| "unexpected end".to_owned(), |error| error.to_string()));
                }
                Ok(_) => {}
                Err(error) => self.failed = Some(error.message().unwrap_or("damaged data").to_owned()),
            }
            if read > 0 {
                return Ok(read);
            }
        }
        // A stream that failed once gives nothing more.
        self.failed.as_ref().map_or(Ok(0), |why| Err(invalid(why)))
    }
}

/// The gzip members of a body, one after the other.
pub(super) struct GzipBody<R>(pub(super) Inflate<R>);

impl<R: BufRead> Read for GzipBody<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.0.read(into)?;
            if read > 0 || into.is_empty() {
                return Ok(read);
            }
            match self.0.inner.fill_buf()?.first() {
                None => return Ok(0),
                Some(0x1f) => self.0.restart(),
                Some(_) => return Err(invalid("other bytes follow it")),
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
            let mut inflate = Inflate::new(bytes, Frame::Gzip);
            let read = read(&mut inflate);
            assert!(text.starts_with(&read.0) && (read.0.len() > 4 || text.is_empty()), "{read:?}");
            assert_eq!(read.1, end);
            assert_eq!(inflate.read(&mut [0]).is_err(), !end.is_empty(), "an error is returned again");
        }
    }

    #[test]
    fn a_body_has_any_number_of_members() {
        let two = [gzip(b"one "), gzip(b"two")].concat();
        assert_eq!(read(GzipBody(Inflate::new(&*two, Frame::Gzip))), ("one two".into(), "".into()));
        let more = [&two[..], b"x"].concat();
        assert_eq!(
            read(GzipBody(Inflate::new(&*more, Frame::Gzip))),
            ("one two".into(), "other bytes follow it".into())
        );
    }
}
