//! A rewindable reader: buffered input that knows its offset and can go back.

use std::io::{self, BufRead, ErrorKind, Read, Seek, SeekFrom};

/// The bytes that the buffer holds.
const BUFFER: usize = 256 << 10;
/// The bytes that were read and stay in the buffer, to go back to in a stream.
const HISTORY: usize = 64 << 10;

/// An input that is read once from its start, with short ways back.
pub(crate) struct Rewind<R> {
    input: R,
    /// Seeks in the input; `None` if it is a stream.
    seek: Option<SeekIn<R>>,
    /// The length of the input in bytes when it was last looked at; 0 for a stream.
    known_len: u64,
    buffer: Vec<u8>,
    /// The index in the buffer of the next byte.
    start: usize,
    /// The index in the buffer after the last byte that was read.
    end: usize,
    /// The offset in the input of the buffer's first byte.
    buffer_offset: u64,
    /// The furthest offset before the last way back.
    furthest: u64,
    /// The bytes of all ways back together.
    back: u64,
    /// True if the input ended or failed after the bytes in the buffer.
    ended: bool,
}

type SeekIn<R> = fn(&mut R, SeekFrom) -> io::Result<u64>;

impl<R: Read> Rewind<R> {
    /// Reads a stream. The ways back end at the buffer's start.
    pub(crate) fn stream(input: R) -> Self {
        Rewind {
            input,
            seek: None,
            known_len: 0,
            buffer: vec![0; BUFFER],
            start: 0,
            end: 0,
            buffer_offset: 0,
            furthest: 0,
            back: 0,
            ended: false,
        }
    }

    /// Reads an input that can seek, from where it is now. Offsets count from its beginning.
    pub(crate) fn seekable(mut input: R) -> io::Result<Self>
    where
        R: Seek,
    {
        let buffer_offset = input.stream_position()?;
        Ok(Rewind { seek: Some(R::seek), buffer_offset, ..Rewind::stream(input) })
    }

    /// Returns the offset of the next byte.
    pub(crate) fn offset(&self) -> u64 {
        self.buffer_offset + self.start as u64
    }

    /// Returns the furthest offset that was read.
    pub(crate) fn furthest(&self) -> u64 {
        self.furthest.max(self.offset())
    }

    /// Returns the next bytes without reading past them: `len`, at most [`HISTORY`], unless the input ends before.
    pub(crate) fn peek(&mut self, len: usize) -> io::Result<&[u8]> {
        while self.end - self.start < len && self.read_more()? > 0 {}
        Ok(&self.buffer[self.start..self.end.min(self.start + len)])
    }

    /// Returns the length of the input in bytes if it ends before an offset; `None` if it does not, or if a stream may not.
    pub(crate) fn ends_before(&mut self, offset: u64) -> io::Result<Option<u64>> {
        let buffer_end = self.buffer_end();
        let len = match self.seek {
            None if self.ended => buffer_end,
            None => return Ok(None),
            Some(seek) => {
                // An input that is being written gets longer, never shorter.
                if self.known_len < offset {
                    self.known_len = seek(&mut self.input, SeekFrom::End(0))?;
                    seek(&mut self.input, SeekFrom::Start(buffer_end))?;
                }
                self.known_len
            }
        };
        Ok((len < offset).then_some(len))
    }

    /// Returns a few bytes at an offset without going there, fewer at the end of the input; `None` if a stream does not have
    /// them in its buffer.
    pub(crate) fn look_at(&mut self, offset: u64, len: usize) -> io::Result<Option<Vec<u8>>> {
        let buffer_end = self.buffer_end();
        let is_enough = self.ended || offset.saturating_add(len as u64) <= buffer_end;
        if is_enough && (self.buffer_offset..=buffer_end).contains(&offset) {
            let at = (offset - self.buffer_offset) as usize;
            return Ok(Some(self.buffer[at..self.end.min(at + len)].to_vec()));
        }
        let Some(seek) = self.seek else { return Ok(None) };
        let mut bytes = Vec::with_capacity(len);
        seek(&mut self.input, SeekFrom::Start(offset))?;
        self.input.by_ref().take(len as u64).read_to_end(&mut bytes)?;
        seek(&mut self.input, SeekFrom::Start(buffer_end))?;
        Ok(Some(bytes))
    }

    /// Goes back to an offset; returns false, and stays, if there is no way. All ways together are no longer than a few times
    /// the input, so that no input takes more than linear time.
    pub(crate) fn go_back(&mut self, to: u64) -> bool {
        let Some(distance) = self.offset().checked_sub(to) else { return false };
        if self.back + distance > (1 << 20) + 4 * self.furthest() {
            return false;
        }
        let furthest = self.furthest();
        if to >= self.buffer_offset {
            self.start = (to - self.buffer_offset) as usize;
        } else if let Some(seek) = self.seek {
            if seek(&mut self.input, SeekFrom::Start(to)).is_err() {
                return false;
            }
            (self.buffer_offset, self.start, self.end, self.ended) = (to, 0, 0, false);
        } else {
            return false;
        }
        self.furthest = furthest;
        self.back += distance;
        true
    }

    /// Returns the offset after the bytes in the buffer, where the input is.
    fn buffer_end(&self) -> u64 {
        self.buffer_offset + self.end as u64
    }

    /// Reads more bytes into the buffer; returns how many, 0 at the end of the input. The bytes before them stay, to go back to.
    fn read_more(&mut self) -> io::Result<usize> {
        if self.ended {
            return Ok(0);
        }
        if self.end == self.buffer.len() {
            let from = self.start.saturating_sub(HISTORY);
            self.buffer.copy_within(from..self.end, 0);
            self.buffer_offset += from as u64;
            (self.start, self.end) = (self.start - from, self.end - from);
        }
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => {
                    // After an error nothing more is read: a reader that fails each time would be read without end.
                    self.ended = !matches!(read, Ok(1..));
                    self.end += *read.as_ref().unwrap_or(&0);
                    return read;
                }
            }
        }
    }
}

impl<R: Read> BufRead for Rewind<R> {
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

impl<R: Read> Read for Rewind<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}
