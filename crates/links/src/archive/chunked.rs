//! Reads bodies in the chunked transfer coding (RFC 9112 §7.1).

use std::io::{self, BufRead, Cursor, Read};

use httparse::{Status, parse_chunk_size};

use super::damage::invalid;

/// A first line has a size, an extension (`;x`), or both, and must be whole.
pub(super) fn is_chunked(start: &[u8]) -> bool {
    matches!(parse_chunk_size(start), Ok(Status::Complete((len, _))) if !start[..len].trim_ascii().is_empty())
}

/// Reads a body without the sizes and line breaks of its chunks. The trailer is not read.
pub(super) struct Chunked<R> {
    body: R,
    /// The number of bytes of the current chunk that are not read yet.
    left: u64,
    started: bool,
    ended: bool,
    /// The line that should be a size or a line break, its cursor after the bytes that were returned; and the message.
    damage: Option<(Cursor<Vec<u8>>, &'static str)>,
}

impl<R: BufRead> Chunked<R> {
    /// The length in bytes of the longest line, with the line feed. A longer line is damage.
    const MAX_LINE_LEN: usize = 4 << 10;

    pub(super) fn new(body: R) -> Self {
        Chunked { body, left: 0, started: false, ended: false, damage: None }
    }

    /// A line that is no size is kept in `damage`, and is no error here. Fails if the body ends before the last chunk.
    fn next_chunk(&mut self) -> io::Result<()> {
        if self.started {
            let line = self.read_line()?;
            if !line.trim_ascii().is_empty() {
                self.damage = Some((Cursor::new(line), "a chunk is not as long as it says"));
                return Ok(());
            }
        }
        let line = self.read_line()?;
        let cut = line.len() < Self::MAX_LINE_LEN && line.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'\r');
        match parse_chunk_size(&line) {
            // An empty number is 0 for the parser.
            Ok(Status::Complete((_, len))) if line[0].is_ascii_hexdigit() => {
                (self.left, self.started, self.ended) = (len, true, len == 0);
            }
            _ if cut => return Err(invalid("it ends before the last chunk")),
            _ => self.damage = Some((Cursor::new(line), "a chunk has no size")),
        }
        Ok(())
    }

    /// Cuts a longer line after [`MAX_LINE_LEN`](Self::MAX_LINE_LEN) bytes. Empty at the end of the body.
    fn read_line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        self.body.by_ref().take(Self::MAX_LINE_LEN as u64).read_until(b'\n', &mut line)?;
        Ok(line)
    }
}

/// Returns 0 only after the last chunk. From damage on, reads the rest of the body as it is; then each read fails.
impl<R: BufRead> Read for Chunked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !self.ended && self.damage.is_none() {
            self.next_chunk()?;
        }
        if let Some((line, why)) = &mut self.damage {
            return ThenError { body: line.chain(&mut self.body), why }.read(into);
        }
        let most = into.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let read = self.body.read(&mut into[..most])?;
        if read == 0 && most > 0 {
            return Err(invalid("it ends within a chunk"));
        }
        self.left -= read as u64;
        Ok(read)
    }
}

/// Each read after the last byte of `body` fails.
pub(super) struct ThenError<R> {
    pub(super) body: R,
    pub(super) why: &'static str,
}

impl<R: Read> Read for ThenError<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.body.read(into)? {
            0 if !into.is_empty() => Err(invalid(self.why)),
            read => Ok(read),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_joined_and_the_rest_after_damage_is_read_as_it_is() {
        for (body, text, end) in [
            ("1\r\na\r\n00A;ext=1\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n", "a0123456789", ""),
            ("0\r\n\r\n", "", ""),
            ("2\r\nab\r\n", "ab", "it ends before the last chunk"),
            ("2\r\nab\r\n0", "ab", "it ends before the last chunk"),
            ("9\r\nab", "ab", "it ends within a chunk"),
            ("2\r\nabcd\r\n0\r\n\r\n", "abcd\r\n0\r\n\r\n", "a chunk is not as long as it says"),
            ("2\r\nab\r\nxy\r\nz", "abxy\r\nz", "a chunk has no size"),
        ] {
            let mut read = Vec::new();
            let done = Chunked::new(body.as_bytes()).read_to_end(&mut read);
            let error = done.map_or_else(|error| error.to_string(), |_| String::new());
            assert_eq!((String::from_utf8(read).unwrap(), &*error), (text.to_owned(), end), "{body:?}");
        }
    }

    #[test]
    fn a_size_starts_a_body_in_chunks() {
        for (start, expected) in [
            ("5\r\nab", true),
            ("5;x=y\r\n", true),
            ("<p>\r\n", false),
            ("\r\n", false),
            ("5", false),
            (";x\r\n", true),
        ] {
            assert_eq!(is_chunked(start.as_bytes()), expected, "{start:?}");
        }
    }
}
