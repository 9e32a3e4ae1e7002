//! A rewindable reader: buffered input that knows its offset and can go back.

use std::io::{self, BufRead, ErrorKind, Read, Seek, SeekFrom};

use memchr::memchr;

/// The greatest length in bytes that [`Rewind::peek`] may be called with.
const MAX_PEEK_LEN: usize = 64 << 10;
/// The number of consumed bytes that at least stay in the buffer, so that a stream can go back to them.
const HISTORY_LEN: usize = 64 << 10;
/// The length in bytes of the buffer at first. It grows with the input, as an archive may be short.
const FIRST_BUFFER_LEN: usize = 16 << 10;

/// A buffered input that knows its offset and can go back: a stream as far as its buffer reaches, an input that can seek to any
/// offset. The total distance that it goes back is limited: see `go_back`.
pub(crate) struct Rewind<R> {
    /// The input. Its position is the end of the buffer.
    pub(super) input: R,
    /// The function that seeks in the input; `None` if the input is a stream.
    seek: Option<SeekIn<R>>,
    /// The length of the input in bytes when the reader last sought its end; 0 before, and for a stream.
    known_len: u64,
    /// The number of last consumed bytes that always stay in the buffer, to go back to; more may stay. 0 if the reader never goes
    /// back.
    history: usize,
    buffer: Vec<u8>,
    /// The index in the buffer of the next byte that is not consumed.
    next: usize,
    /// The index in the buffer after the last byte that was read from the input.
    end: usize,
    /// The offset in the input of the buffer's first byte.
    buffer_offset: u64,
    /// The furthest offset up to which bytes were consumed before the reader last went back.
    furthest: u64,
    /// The sum of all distances in bytes that the reader went back. [`go_back`](Self::go_back) limits it.
    back: u64,
    /// True if the input ended or failed after the bytes in the buffer, so that it is not read any further.
    is_over: bool,
    /// The error of the input that follows the bytes in the buffer, until it is returned.
    error: Option<io::Error>,
}

/// A function that seeks in an input, and returns the new offset.
type SeekIn<R> = fn(&mut R, SeekFrom) -> io::Result<u64>;

impl<R: Read> Rewind<R> {
    /// Returns a reader of an input that cannot seek. It can go back as far as its buffer reaches.
    pub(crate) fn stream(input: R) -> Self {
        Rewind { history: HISTORY_LEN, ..Rewind::forward(input) }
    }

    /// Returns a reader that never goes back in its input, so that no consumed bytes stay in its buffer.
    pub(super) fn forward(input: R) -> Self {
        Rewind {
            input,
            seek: None,
            known_len: 0,
            history: 0,
            buffer: Vec::new(),
            next: 0,
            end: 0,
            buffer_offset: 0,
            furthest: 0,
            back: 0,
            is_over: false,
            error: None,
        }
    }

    /// Returns a reader from where the input is now; offsets count from its beginning.
    pub(crate) fn seekable(mut input: R) -> io::Result<Self>
    where
        R: Seek,
    {
        let buffer_offset = input.stream_position()?;
        Ok(Rewind { seek: Some(R::seek), buffer_offset, ..Rewind::stream(input) })
    }

    /// Returns the offset in the input of the next byte that is not consumed.
    pub(crate) fn offset(&self) -> u64 {
        self.buffer_offset + self.next as u64
    }

    /// Returns the furthest offset up to which bytes were consumed.
    pub(crate) fn furthest(&self) -> u64 {
        self.furthest.max(self.offset())
    }

    /// Returns the bytes in the buffer that are not consumed.
    pub(super) fn buffered(&self) -> &[u8] {
        &self.buffer[self.next..self.end]
    }

    /// Removes all bytes and the error after them from the buffer, so that the next bytes are read from where the input is now.
    /// Does not change `buffer_offset`: a caller that moved the input sets it.
    pub(super) fn clear(&mut self) {
        (self.next, self.end, self.is_over, self.error) = (0, 0, false, None);
    }

    /// Removes the error that follows the bytes in the buffer, and returns it; `None` if the input did not fail, or its error was
    /// returned before. The bytes stay, and the input then ends after them.
    pub(super) fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Lets `error`, which was returned before the reader went back, follow the bytes in the buffer again. Does nothing if the
    /// input is read again after these bytes, as it then fails again itself.
    pub(super) fn restore_error(&mut self, error: Option<io::Error>) {
        if self.is_over {
            self.error = self.error.take().or(error);
        }
    }

    /// Returns the next `len` bytes and does not consume them; fewer if the input ends or fails after them. Fails only if the error
    /// comes before any byte. `len` is at most [`MAX_PEEK_LEN`].
    pub(crate) fn peek(&mut self, len: usize) -> io::Result<&[u8]> {
        debug_assert!(len <= MAX_PEEK_LEN, "a full buffer keeps so many bytes and has room for more");
        while self.end - self.next < len && self.read_more() > 0 {}
        self.fail_if_empty()?;
        Ok(&self.buffer[self.next..self.end.min(self.next + len)])
    }

    /// Goes to the next byte with the value `first` at which `is_found` returns true. `is_found` gets `len` bytes from there on, as
    /// [`peek`](Self::peek) returns them. Returns false, at the end of the input, if there is no such byte. Fails if the input
    /// fails before there is one.
    pub(crate) fn find(&mut self, first: u8, len: usize, mut is_found: impl FnMut(&[u8]) -> bool) -> io::Result<bool> {
        loop {
            let buffer = self.fill_buf()?;
            if buffer.is_empty() {
                return Ok(false);
            }
            let at = memchr(first, buffer);
            let skipped = at.unwrap_or(buffer.len());
            self.consume(skipped);
            if at.is_some() {
                if is_found(self.peek(len)?) {
                    return Ok(true);
                }
                self.consume(1);
            }
        }
    }

    /// Returns the length of the input in bytes if it is known to be less than `offset`, otherwise `None`. The length of a stream
    /// is known only once it has ended or failed: one that failed ends there. Fails if a seek fails.
    pub(crate) fn ends_before(&mut self, offset: u64) -> io::Result<Option<u64>> {
        let buffer_end = self.buffer_end();
        let len = match self.seek {
            None if self.is_over => buffer_end,
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

    /// Returns `len` bytes from an offset on, and does not move; fewer at the end of the input. `None` if a stream does not have
    /// them in its buffer. Fails if a seek or a read fails.
    pub(crate) fn look_at(&mut self, offset: u64, len: usize) -> io::Result<Option<Vec<u8>>> {
        let buffer_end = self.buffer_end();
        let is_enough = self.is_over || offset.saturating_add(len as u64) <= buffer_end;
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

    /// Goes back to the offset `to`. Returns false, and does not move, if `to` is a later offset, if a stream no longer has it in
    /// its buffer, if a seek fails, or if the total distance gone back would pass 1 MiB and four times
    /// [`furthest`](Self::furthest).
    ///
    /// Because of that limit, no input takes more than linear time.
    pub(crate) fn go_back(&mut self, to: u64) -> bool {
        let Some(distance) = self.offset().checked_sub(to) else { return false };
        if self.back + distance > (1 << 20) + 4 * self.furthest() {
            return false;
        }
        let furthest = self.furthest();
        if to >= self.buffer_offset {
            self.next = (to - self.buffer_offset) as usize;
        } else if let Some(seek) = self.seek {
            if seek(&mut self.input, SeekFrom::Start(to)).is_err() {
                return false;
            }
            self.clear();
            self.buffer_offset = to;
        } else {
            return false;
        }
        self.furthest = furthest;
        self.back += distance;
        true
    }

    fn buffer_end(&self) -> u64 {
        self.buffer_offset + self.end as u64
    }

    fn fail_if_empty(&mut self) -> io::Result<()> {
        self.error.take_if(|_| self.next == self.end).map_or(Ok(()), Err)
    }

    /// Reads more bytes of the input into the buffer, and returns their number: 0 at the end of the input, and at an error, which
    /// is kept in `error`. At least the last `history` consumed bytes stay in the buffer, if there were so many.
    fn read_more(&mut self) -> usize {
        if self.is_over {
            return 0;
        }
        let most = 2 * (self.history + MAX_PEEK_LEN);
        if self.end == self.buffer.len() && self.end < most {
            self.buffer.resize((2 * self.end).clamp(FIRST_BUFFER_LEN, most), 0);
        } else if self.end == self.buffer.len() {
            let from = self.next.saturating_sub(self.history);
            self.buffer.copy_within(from..self.end, 0);
            self.buffer_offset += from as u64;
            (self.next, self.end) = (self.next - from, self.end - from);
        }
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    // Nothing more is read: a reader that fails each time would be read without end.
                    (self.is_over, self.error) = (true, Some(error));
                    return 0;
                }
                Ok(read) => {
                    self.is_over = read == 0;
                    self.end += read;
                    return read;
                }
            }
        }
    }
}

impl<R: Read> BufRead for Rewind<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.next == self.end {
            self.read_more();
            self.fail_if_empty()?;
        }
        Ok(self.buffered())
    }

    fn consume(&mut self, amount: usize) {
        self.next += amount;
    }
}

impl<R: Read> Read for Rewind<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn bytes(len: usize) -> Vec<u8> {
        // Bytes that tell their offset.
        (0..len).map(|at| (at / 251) as u8).collect()
    }

    fn read(input: &mut Rewind<impl Read>, len: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        input.take(len).read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn a_stream_goes_back_in_its_buffer_and_a_file_anywhere() {
        let all = bytes(1 << 20);
        let mut stream = Rewind::stream(&*all);
        let mut file = Rewind::seekable(Cursor::new(&all)).unwrap();
        assert_eq!(
            (read(&mut stream, 900_000), read(&mut file, 900_000)),
            (all[..900_000].into(), all[..900_000].into())
        );
        let near = 900_000 - HISTORY_LEN as u64;
        assert!(stream.go_back(near) && file.go_back(near) && !stream.go_back(10) && file.go_back(10));
        assert_eq!((stream.offset(), file.offset(), file.furthest()), (near, 10, 900_000));
        assert_eq!(
            (read(&mut stream, 1 << 20), read(&mut file, 99)),
            (all[near as usize..].into(), all[10..109].into())
        );
        assert!(!file.go_back(110), "only back");
    }

    #[test]
    fn the_total_distance_gone_back_is_bounded() {
        let all = bytes(3 << 20);
        let mut file = Rewind::seekable(Cursor::new(&all)).unwrap();
        let mut times = 0;
        loop {
            read(&mut file, 1 << 20);
            if !file.go_back(0) {
                break;
            }
            times += 1;
        }
        assert_eq!(times, 5);
    }

    #[test]
    fn the_end_is_known_once_it_is_reached_or_from_a_file() {
        let all = bytes(300_000);
        let mut file = Rewind::seekable(Cursor::new(&all)).unwrap();
        assert_eq!([300_000, 300_001].map(|end| file.ends_before(end).unwrap()), [None, Some(300_000)]);
        let mut stream = Rewind::stream(&*all);
        assert_eq!(stream.ends_before(300_001).unwrap(), None);
        read(&mut stream, 1 << 20);
        assert_eq!([300_000, 300_001].map(|end| stream.ends_before(end).unwrap()), [None, Some(300_000)]);
    }

    #[test]
    fn bytes_are_seen_without_reading_them() {
        let all = bytes(600_000);
        let mut file = Rewind::seekable(Cursor::new(&all)).unwrap();
        let mut stream = Rewind::stream(&*all);
        assert_eq!((stream.peek(9).unwrap(), file.peek(9).unwrap()), (&all[..9], &all[..9]));
        assert_eq!(stream.look_at(20, 9).unwrap().unwrap(), all[20..29]);
        assert_eq!(
            (stream.look_at(500_000, 9).unwrap(), file.look_at(599_999, 9).unwrap().unwrap()),
            (None, all[599_999..].into())
        );
        assert_eq!((read(&mut stream, 1 << 20), read(&mut file, 1 << 20)), (all.clone(), all));
    }

    #[test]
    fn an_input_starts_where_it_is() {
        let mut input = Cursor::new(bytes(1000));
        input.set_position(300);
        let mut file = Rewind::seekable(input).unwrap();
        assert_eq!((file.offset(), read(&mut file, 1)), (300, vec![1]));
        assert!(file.go_back(300) && file.ends_before(1001).unwrap() == Some(1000));
    }

    /// Fails each time but every second time with an interruption.
    struct Failing(bool);

    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            self.0 = !self.0;
            Err(if self.0 { ErrorKind::Interrupted } else { ErrorKind::InvalidData }.into())
        }
    }

    #[test]
    fn an_error_follows_the_bytes_before_it() {
        let mut input = Rewind::stream(b"ab".chain(Failing(false)));
        assert_eq!(input.peek(9).unwrap(), b"ab");
        assert_eq!(read(&mut input, 2), b"ab");
        assert_eq!(input.peek(9).unwrap_err().kind(), ErrorKind::InvalidData);
        assert!(input.peek(9).unwrap().is_empty());
    }

    #[test]
    fn an_error_ends_the_input() {
        let mut input = Rewind::stream(Failing(false));
        assert_eq!(input.fill_buf().unwrap_err().kind(), ErrorKind::InvalidData);
        assert!(input.fill_buf().unwrap().is_empty());
    }
}
