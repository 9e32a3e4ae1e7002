//! The bytes of an archive: a file as it is, or its gzip members one after the other, with a way to go on behind a damaged
//! one.

use std::io::{self, BufRead, Read};
use std::mem;

use flate2::bufread::GzDecoder;
use memchr::memchr;

use super::tape::Tape;

/// What the first bytes of a record's member inflate to.
const RECORD: &[u8] = b"WARC/";

pub struct Members {
    layer: Layer,
    /// The offset in the file where the member starts; that of a plain file is 0.
    pub start: u64,
    /// Bytes of the member that were read to see whether it holds a record.
    ahead: Vec<u8>,
}

enum Layer {
    Plain(Tape),
    Gzip(Box<GzDecoder<Tape>>),
    /// Only while one member follows another.
    None,
}

impl Members {
    pub fn new(mut tape: Tape) -> io::Result<Self> {
        let gzip = is_gzip(tape.peek(4)?);
        let layer = if gzip { Layer::Gzip(Box::new(GzDecoder::new(tape))) } else { Layer::Plain(tape) };
        Ok(Members { layer, start: 0, ahead: Vec::new() })
    }

    pub fn is_plain(&self) -> bool {
        matches!(self.layer, Layer::Plain(_))
    }

    pub fn tape(&mut self) -> &mut Tape {
        match &mut self.layer {
            Layer::Plain(tape) => tape,
            Layer::Gzip(decoder) => decoder.get_mut(),
            Layer::None => unreachable!("a member has a decoder"),
        }
    }

    /// Goes on to the next member; false at the end.
    pub fn next(&mut self) -> io::Result<bool> {
        if self.is_plain() || self.tape().fill_buf()?.is_empty() {
            return Ok(false);
        }
        self.open();
        Ok(true)
    }

    /// Looks for the next member that holds a record, behind where a damaged one starts.
    pub fn find(&mut self) -> io::Result<bool> {
        let mut after = self.start;
        loop {
            let tape = self.tape();
            if tape.offset() > after {
                // Without a way back the search goes on from here.
                tape.go_back(after + 1);
            } else if !tape.fill_buf()?.is_empty() {
                tape.consume(1);
            }
            if !find_magic(tape)? {
                return Ok(false);
            }
            self.open();
            after = self.start;
            let mut first = Vec::with_capacity(RECORD.len());
            match self.take(RECORD.len() as u64).read_to_end(&mut first) {
                Err(error) if error.raw_os_error().is_some() => return Err(error),
                Ok(_) if first == RECORD => {
                    self.ahead = first;
                    return Ok(true);
                }
                _ => {}
            }
        }
    }

    /// Opens the member that starts here.
    fn open(&mut self) {
        self.ahead.clear();
        if let Layer::Gzip(decoder) = mem::replace(&mut self.layer, Layer::None) {
            let tape = decoder.into_inner();
            self.start = tape.offset();
            self.layer = Layer::Gzip(Box::new(GzDecoder::new(tape)));
        }
    }

    fn take(&mut self, limit: u64) -> io::Take<&mut Self> {
        Read::take(self, limit)
    }
}

/// Reads the member; no bytes are its end, where its checksum was right.
impl Read for Members {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if !self.ahead.is_empty() {
            let len = into.len().min(self.ahead.len());
            into[..len].copy_from_slice(&self.ahead[..len]);
            self.ahead.drain(..len);
            return Ok(len);
        }
        match &mut self.layer {
            Layer::Plain(tape) => tape.read(into),
            Layer::Gzip(decoder) => decoder.read(into),
            Layer::None => unreachable!("a member has a decoder"),
        }
    }
}

/// Whether these bytes can start a gzip member (RFC 1952 §2.3): the magic, deflate, and no reserved flag.
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.len() >= 4 && bytes.starts_with(b"\x1f\x8b\x08") && bytes[3] & 0xe0 == 0
}

/// Goes to the next place where a member can start.
fn find_magic(tape: &mut Tape) -> io::Result<bool> {
    loop {
        let buffer = tape.fill_buf()?;
        if buffer.is_empty() {
            return Ok(false);
        }
        match memchr(0x1f, buffer) {
            None => {
                let len = buffer.len();
                tape.consume(len);
            }
            Some(at) => {
                tape.consume(at);
                if is_gzip(tape.peek(4)?) {
                    return Ok(true);
                }
                tape.consume(1);
            }
        }
    }
}
