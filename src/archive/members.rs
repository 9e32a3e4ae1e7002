//! The bytes of an archive: a file as it is, or its gzip members one after the other, with a way to continue after a damaged
//! one.

use std::io::{self, BufRead, Read};

use flate2::{Decompress, FlushDecompress};
use memchr::{memchr, memchr_iter};

use super::inflate::{Frame, Inflate};
use super::record::{FIRST_LINE, START as RECORD, find_start};
use super::rewind::Rewind;

/// The length in bytes of the start of a member in which its first line is looked for: more than headers and the tables of
/// deflate have.
const START: usize = 4 << 10;

/// The length in bytes of the start of an archive that decides whether it is gzipped, if its first bytes do not.
const LOOK: usize = 64 << 10;

/// An archive that is plain, or at one of its gzip members.
pub struct Members {
    layer: Layer,
    /// The offset in the file where the member starts; that of a plain file is 0.
    pub start: u64,
}

enum Layer {
    Plain(Rewind),
    Gzip(Inflate<Rewind>),
}

impl Members {
    pub fn new(mut input: Rewind) -> io::Result<Self> {
        let start = input.peek(LOOK)?;
        // Where the start is damaged, the first record after it decides.
        let plain = find_start(start);
        let gzip = !start.starts_with(RECORD)
            && (is_gzip(start) || find_member(start).is_some_and(|at| plain.is_none_or(|plain| at < plain)));
        let layer = if gzip { Layer::Gzip(Inflate::new(input, Frame::Gzip)) } else { Layer::Plain(input) };
        Ok(Members { layer, start: 0 })
    }

    pub fn is_plain(&self) -> bool {
        matches!(self.layer, Layer::Plain(_))
    }

    pub fn input(&mut self) -> &mut Rewind {
        match &mut self.layer {
            Layer::Plain(input) => input,
            Layer::Gzip(inflate) => inflate.get_mut(),
        }
    }

    /// Goes on to the next member; false at the end.
    pub fn next_member(&mut self) -> io::Result<bool> {
        if self.is_plain() || self.input().fill_buf()?.is_empty() {
            return Ok(false);
        }
        self.open();
        Ok(true)
    }

    /// Looks for the next member that holds a record, after where a damaged one starts; false at the end.
    pub fn find(&mut self) -> io::Result<bool> {
        let after = self.start + 1;
        let input = self.input();
        if input.offset() > after {
            // Without a way back the search continues from here.
            input.go_back(after);
        }
        let mut inflate = Decompress::new(false);
        while find_magic(input)? {
            if input.offset() >= after && holds_record(input.peek(START)?, &mut inflate) {
                self.open();
                return Ok(true);
            }
            input.consume(1);
        }
        Ok(false)
    }

    /// Opens the member that starts here.
    fn open(&mut self) {
        self.start = self.input().offset();
        if let Layer::Gzip(inflate) = &mut self.layer {
            inflate.restart();
        }
    }
}

/// Reads the member; no bytes are its end, where its checksum was right.
impl Read for Members {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match &mut self.layer {
            Layer::Plain(input) => input.read(into),
            Layer::Gzip(inflate) => inflate.read(into),
        }
    }
}

/// Reports whether these bytes can start a gzip member (RFC 1952 §2.3): the magic, deflate, and no reserved flag.
pub fn is_gzip(bytes: &[u8]) -> bool {
    bytes.len() >= 4 && bytes.starts_with(b"\x1f\x8b\x08") && bytes[3] & 0xe0 == 0
}

/// Reports whether these bytes start an archive for certain, not only some gzip.
pub fn holds_archive(start: &[u8]) -> bool {
    match start {
        [b'W', ..] => find_start(start) == Some(0),
        [0x1f, ..] => is_gzip(start) && holds_record(start, &mut Decompress::new(false)),
        _ => false,
    }
}

/// Finds the first member that holds a record.
fn find_member(bytes: &[u8]) -> Option<usize> {
    let mut inflate = Decompress::new(false);
    memchr_iter(0x1f, bytes).find(|at| {
        let start = &bytes[*at..bytes.len().min(at + START)];
        is_gzip(start) && holds_record(start, &mut inflate)
    })
}

/// Reports whether the member that these bytes start holds a record. Nothing is allocated or read for that, as any number of
/// members may seem to start in damaged bytes.
fn holds_record(start: &[u8], inflate: &mut Decompress) -> bool {
    let Some(header) = header_len(start) else { return false };
    let mut line = [0; FIRST_LINE];
    inflate.reset(false);
    // An error comes after the bytes before it.
    let _ = inflate.decompress(&start[header..], &mut line, FlushDecompress::None);
    find_start(&line) == Some(0)
}

/// Returns the length of a member's header (RFC 1952 §2.3), unless it continues after these bytes.
fn header_len(bytes: &[u8]) -> Option<usize> {
    const HEADER_CRC: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    let flags = *bytes.get(3)?;
    let mut rest = bytes.get(10..)?;
    if flags & EXTRA != 0 {
        let (len, after) = rest.split_first_chunk()?;
        rest = after.get(usize::from(u16::from_le_bytes(*len))..)?;
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            rest = &rest[memchr(0, rest)? + 1..];
        }
    }
    if flags & HEADER_CRC != 0 {
        rest = rest.get(2..)?;
    }
    Some(bytes.len() - rest.len())
}

/// Goes to the next place where a member can start.
fn find_magic(input: &mut Rewind) -> io::Result<bool> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(false);
        }
        match memchr(0x1f, buffer) {
            None => {
                let len = buffer.len();
                input.consume(len);
            }
            Some(at) => {
                input.consume(at);
                if is_gzip(input.peek(4)?) {
                    return Ok(true);
                }
                input.consume(1);
            }
        }
    }
}
