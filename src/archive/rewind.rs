//! Buffered input that knows its offset, and can go back.

use std::fs::File;
use std::io::{self, BufRead, ErrorKind, Read, Seek, SeekFrom};

const BUFFER: usize = 256 << 10;
/// What stays in the buffer of what was read, to go back to in a stream.
const HISTORY: usize = 64 << 10;

/// A file or a stream, read once from its start, with short ways back.
pub struct Rewind {
    input: Input,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The offset of the buffer's first byte.
    buffer_offset: u64,
    furthest: u64,
    /// How many bytes were gone back in all.
    back: u64,
    /// The input has no more bytes after those in the buffer.
    ended: bool,
}

pub enum Input {
    File(File),
    Stream(Box<dyn Read + Send>),
}

impl Rewind {
    pub fn new(input: Input) -> Self {
        let input = match input {
            // A pipe that has a name.
            Input::File(file) if !file.metadata().is_ok_and(|metadata| metadata.is_file()) => {
                Input::Stream(Box::new(file))
            }
            other => other,
        };
        Rewind {
            input,
            buffer: vec![0; BUFFER],
            start: 0,
            end: 0,
            buffer_offset: 0,
            furthest: 0,
            back: 0,
            ended: false,
        }
    }

    pub fn offset(&self) -> u64 {
        self.buffer_offset + self.start as u64
    }

    /// The furthest offset that was read.
    pub fn furthest(&self) -> u64 {
        self.furthest.max(self.offset())
    }

    /// The next bytes, `len` of them (at most the history) unless the input ends before.
    pub fn peek(&mut self, len: usize) -> io::Result<&[u8]> {
        while self.end - self.start < len && self.read_more()? {}
        Ok(&self.buffer[self.start..self.end.min(self.start + len)])
    }

    /// Returns the length of the input in bytes, if that can be known.
    pub fn len(&self) -> io::Result<Option<u64>> {
        match &self.input {
            Input::File(file) => Ok(Some(file.metadata()?.len())),
            Input::Stream(_) => Ok(self.ended.then(|| self.buffer_offset + self.end as u64)),
        }
    }

    /// Reads a few bytes at an offset without going there, fewer at the end of the input; `None` if a stream does not have
    /// them in its buffer.
    pub fn look_at(&mut self, offset: u64, len: usize) -> io::Result<Option<Vec<u8>>> {
        let buffer_end = self.buffer_offset + self.end as u64;
        let is_enough = self.ended || offset.saturating_add(len as u64) <= buffer_end;
        if is_enough && (self.buffer_offset..=buffer_end).contains(&offset) {
            let at = (offset - self.buffer_offset) as usize;
            return Ok(Some(self.buffer[at..self.end.min(at + len)].to_vec()));
        }
        let Input::File(file) = &mut self.input else { return Ok(None) };
        let mut bytes = Vec::with_capacity(len);
        file.seek(SeekFrom::Start(offset))?;
        file.by_ref().take(len as u64).read_to_end(&mut bytes)?;
        file.seek(SeekFrom::Start(buffer_end))?;
        Ok(Some(bytes))
    }

    /// Goes back to an offset, if there is a way. All ways together are no longer than a few times the input, so that no
    /// input takes more than linear time.
    pub fn go_back(&mut self, to: u64) -> bool {
        let distance = self.offset() - to;
        if self.back + distance > (1 << 20) + 4 * self.furthest() {
            return false;
        }
        self.furthest = self.furthest();
        if to >= self.buffer_offset {
            self.start = (to - self.buffer_offset) as usize;
        } else if let Input::File(file) = &mut self.input {
            if file.seek(SeekFrom::Start(to)).is_err() {
                return false;
            }
            (self.buffer_offset, self.start, self.end, self.ended) = (to, 0, 0, false);
        } else {
            return false;
        }
        self.back += distance;
        true
    }

    /// Reads behind what the buffer holds; false at the end of the input.
    fn read_more(&mut self) -> io::Result<bool> {
        if self.ended {
            // The bytes in the buffer stay, to go back to.
            return Ok(false);
        }
        if self.end == self.buffer.len() {
            let from = self.start.saturating_sub(HISTORY);
            self.buffer.copy_within(from..self.end, 0);
            self.buffer_offset += from as u64;
            (self.start, self.end) = (self.start - from, self.end - from);
        }
        loop {
            let room = &mut self.buffer[self.end..];
            let read = match &mut self.input {
                Input::File(file) => file.read(room),
                Input::Stream(stream) => stream.read(room),
            };
            match read {
                Ok(read) => {
                    self.end += read;
                    self.ended = read == 0;
                    return Ok(read > 0);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl BufRead for Rewind {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            self.read_more()?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, amount: usize) {
        self.start += amount;
    }
}

impl Read for Rewind {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}
