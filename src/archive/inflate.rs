//! Deflate streams, alone and in the frames of zlib and gzip (RFC 1950 to 1952), read up to where they are damaged.

use std::io::{self, BufRead, Error, ErrorKind, Read};

use flate2::{Decompress, FlushDecompress, Status};

/// The format around a deflate stream.
#[derive(Clone, Copy, PartialEq)]
pub enum Frame {
    None,
    Zlib,
    Gzip,
}

/// The reader of a stream. It has all bytes before a damage; the readers of `flate2` lose those of the read that fails.
pub struct Inflate<R> {
    inner: R,
    frame: Frame,
    inflate: Decompress,
    /// The stream ended, and its checksum was right.
    ended: bool,
    /// The error that follows the bytes that were read.
    failed: Option<String>,
}

impl Frame {
    pub fn inflater(self) -> Decompress {
        match self {
            Frame::Gzip => Decompress::new_gzip(15),
            Frame::Zlib | Frame::None => Decompress::new(self == Frame::Zlib),
        }
    }
}

impl<R: BufRead> Inflate<R> {
    pub fn new(inner: R, frame: Frame) -> Self {
        Inflate { inner, frame, inflate: frame.inflater(), ended: false, failed: None }
    }

    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Starts with the next stream.
    pub fn restart(&mut self) {
        // Resetting one does not keep the frame of gzip.
        self.inflate = self.frame.inflater();
        (self.ended, self.failed) = (false, None);
    }
}

/// Reads the stream; no bytes are its end, where its checksum was right.
impl<R: BufRead> Read for Inflate<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while !self.ended && self.failed.is_none() && !into.is_empty() {
            let (input, error) = match self.inner.fill_buf() {
                Ok(input) => (input, None),
                Err(error) if error.raw_os_error().is_some() => return Err(error),
                // The inflater may still hold bytes from before.
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
pub struct GzipBody<R>(pub Inflate<R>);

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

fn invalid(why: &str) -> Error {
    Error::new(ErrorKind::InvalidData, why)
}
