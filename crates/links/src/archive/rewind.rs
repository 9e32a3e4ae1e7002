//! `Rewind`: a buffered reader that knows its offset and can go back.

use std::io::{self, BufRead, ErrorKind, Read, Seek, SeekFrom};

use memchr::memchr;

const MAX_PEEK_LEN: usize = 64 << 10;
/// The number of consumed bytes that at least stay in the buffer, so that a stream can go back to them.
const HISTORY_LEN: usize = 64 << 10;
/// The buffer grows with the input, as an archive may be short.
const FIRST_BUFFER_LEN: usize = 16 << 10;

/// A stream goes back as far as its buffer reaches, an input that can seek anywhere; [`go_back`](Self::go_back) limits the sum.
pub(crate) struct Rewind<R> {
    /// Its position is the end of the buffer.
    pub(crate) input: R,
    seek: Option<SeekIn<R>>,
    /// The length of the input when its end was last sought; 0 before, and for a stream.
    known_len: u64,
    /// The number of last consumed bytes that always stay in the buffer; more may stay. 0 if the reader never goes back.
    history: usize,
    buffer: Vec<u8>,
    next: usize,
    end: usize,
    /// The offset in the input of the buffer's first byte.
    buffer_offset: u64,
    /// The furthest offset up to which bytes were consumed before the reader last went back.
    furthest: u64,
    back: u64,
    /// True if the input ended or failed after the bytes in the buffer.
    is_over: bool,
    /// Follows the bytes in the buffer, until it is returned.
    error: Option<io::Error>,
}

type SeekIn<R> = fn(&mut R, SeekFrom) -> io::Result<u64>;

impl<R: Read> Rewind<R> {
    pub(crate) fn stream(input: R) -> Self {
        Rewind { history: HISTORY_LEN, ..Rewind::forward(input) }
    }

    /// Never goes back, so that no consumed bytes stay in the buffer.
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

    /// Starts where the input is now; offsets count from its beginning.
    pub(crate) fn seekable(mut input: R) -> io::Result<Self>
    where
        R: Seek,
    {
        let buffer_offset = input.stream_position()?;
        Ok(Rewind { seek: Some(R::seek), buffer_offset, ..Rewind::stream(input) })
    }

    /// Returns the input, at the place where this reader is.
    #[cfg(all(feature = "page", feature = "wacz"))]
    pub(crate) fn into_inner(mut self) -> io::Result<R> {
        let offset = self.offset();
        if let Some(seek) = self.seek {
            seek(&mut self.input, SeekFrom::Start(offset))?;
        }
        Ok(self.input)
    }

    pub(crate) fn offset(&self) -> u64 {
        self.buffer_offset + self.next as u64
    }

    pub(crate) fn furthest(&self) -> u64 {
        self.furthest.max(self.offset())
    }

    pub(super) fn buffered(&self) -> &[u8] {
        &self.buffer[self.next..self.end]
    }

    /// Does not change `buffer_offset`: a caller that moved the input sets it.
    pub(super) fn clear(&mut self) {
        (self.next, self.end, self.is_over, self.error) = (0, 0, false, None);
    }

    pub(super) fn has_error(&self) -> bool {
        self.error.is_some()
    }

    /// The bytes before the error stay, and the input then ends after them.
    pub(super) fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Restores an error that was returned before the reader went back, unless the input is read again and fails itself.
    pub(super) fn restore_error(&mut self, error: Option<io::Error>) {
        if self.is_over {
            self.error = self.error.take().or(error);
        }
    }

    /// Returns `len` bytes, at most [`MAX_PEEK_LEN`], or fewer before the end or an error; fails if an error comes first.
    pub(crate) fn peek(&mut self, len: usize) -> io::Result<&[u8]> {
        debug_assert!(len <= MAX_PEEK_LEN, "a full buffer keeps so many bytes and has room for more");
        while self.end - self.next < len && self.read_more() > 0 {}
        self.fail_if_empty()?;
        Ok(&self.buffer[self.next..self.end.min(self.next + len)])
    }

    /// Reads on after the end of the input, which has more bytes now.
    pub(super) fn resume(&mut self) {
        self.is_over = self.error.is_some();
    }

    /// Returns the bytes in the buffer with up to `len` more.
    pub(super) fn peek_more(&mut self, len: usize) -> io::Result<&[u8]> {
        let most = (self.end - self.next + len).min(MAX_PEEK_LEN);
        self.peek(most)
    }

    /// Returns false at the end of the input. `is_found` gets `len` bytes, as [`peek`](Self::peek) returns them.
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

    /// Returns the input's length if it is known to be less than `offset`. A stream's is known once it has ended or failed.
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

    /// Does not move. Fewer bytes at the end of the input; `None` if a stream does not have them in its buffer.
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

    /// Returns false, and does not move, for a later offset, one that a stream no longer has in its buffer, a failed seek, or a
    /// total distance gone back of more than 1 MiB and four times [`furthest`](Self::furthest).
    pub(crate) fn go_back(&mut self, to: u64) -> bool {
        let Some(distance) = self.offset().checked_sub(to) else { return false };
        // Because of this limit, no input takes more than linear time.
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

    /// Returns 0 at the end and at an error, which is kept in `error`. The last `history` consumed bytes stay in the buffer.
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
