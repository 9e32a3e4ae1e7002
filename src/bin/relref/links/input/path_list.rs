//! A list of paths. Each path is a line, or has a NUL after it. The first line break or NUL in the list decides which. So in a list
//! with NULs, the first path cannot have a line break. In a line, a tab and the URI of the page can follow the path.

use std::io::{self, BufRead};

use memchr::{memchr, memchr2, memrchr};

use crate::output::quoted;

/// A path as bytes, and the URI after it, if there is one.
pub type ListedPath<'l> = (&'l [u8], Option<String>);

/// A list of paths, which is read path by path. A line is a path with its URI, also in a list with NULs.
pub struct PathList<'l> {
    list: Box<dyn BufRead + 'l>,
    /// The byte that ends a line: a line feed or a NUL. `None` until the first is found.
    end: Option<u8>,
    /// The line that was read last.
    line: Vec<u8>,
    /// The number of the line that was read last. The first line is 1.
    number: u64,
}

impl<'l> PathList<'l> {
    /// The most bytes of a line. No system has paths that are so long.
    const LONGEST: usize = 32 << 10;
    /// The number of bytes of a line that is too long that the message shows.
    const SHOWN: usize = 60;

    pub fn new(list: Box<dyn BufRead + 'l>) -> Self {
        PathList { list, end: None, line: Vec::new(), number: 0 }
    }

    /// Returns the next path and its URI, or a message if the next line is not a path. Skips empty lines. Returns `None` at the end
    /// of the list.
    pub fn next(&mut self) -> io::Result<Option<Result<ListedPath<'_>, String>>> {
        while let Some(len) = self.read_line()? {
            let number = self.number;
            if len > Self::LONGEST as u64 {
                let start = String::from_utf8_lossy(&self.line[..Self::SHOWN]);
                let (longest, start) = (Self::LONGEST, quoted(&start));
                return Ok(Some(Err(format!("line {number} has more than {longest} bytes: {start}…"))));
            }
            if self.end != Some(0) && self.line.last() == Some(&b'\r') {
                self.line.pop();
            }
            if !self.line.is_empty() {
                let tab = if self.end == Some(0) { None } else { memrchr(b'\t', &self.line) };
                let Some(tab) = tab else { return Ok(Some(Ok((&self.line, None)))) };
                let uri = String::from_utf8(self.line[tab + 1..].to_owned());
                let uri = uri.map_err(|error| format!("line {number}: the URI is not UTF-8: {error}"));
                return Ok(Some(uri.map(|uri| (&self.line[..tab], Some(uri)))));
            }
        }
        Ok(None)
    }

    /// Reads a line, without its end, and returns its length in bytes. Keeps at most [`LONGEST`](Self::LONGEST) bytes of it.
    /// Returns `None` at the end of the list.
    fn read_line(&mut self) -> io::Result<Option<u64>> {
        self.line.clear();
        self.number += 1;
        let (mut len, mut is_line) = (0, false);
        loop {
            let bytes = match self.list.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            if bytes.is_empty() {
                return Ok(is_line.then_some(len));
            }
            is_line = true;
            let found = match self.end {
                Some(end) => memchr(end, bytes),
                None => memchr2(0, b'\n', bytes),
            };
            self.end = self.end.or(found.map(|at| bytes[at]));
            let part = &bytes[..found.unwrap_or(bytes.len())];
            len += part.len() as u64;
            self.line.extend_from_slice(&part[..part.len().min(Self::LONGEST - self.line.len())]);
            let used = part.len() + usize::from(found.is_some());
            self.list.consume(used);
            if found.is_some() {
                return Ok(Some(len));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With few and many bytes at a time, and with a first line that is too long.
    #[test]
    fn the_first_end_of_a_line_decides() {
        let long = "x".repeat(PathList::LONGEST + 9);
        for capacity in [1, 7, 64 << 10] {
            for (text, paths) in [
                ("a b\0c\nd\0", &["a b", "c\nd"][..]),
                ("\0\0ab\0", &["ab"]),
                ("a b\r\n\nc\0d\n", &["a b", "c\0d"]),
                ("abc", &["abc"]),
                ("", &[]),
                (&format!("{long}\0a\nb\0"), &["", "a\nb"]),
                (&format!("{long}\na\0b\n"), &["", "a\0b"]),
            ] {
                let mut list = PathList::new(Box::new(io::BufReader::with_capacity(capacity, text.as_bytes())));
                for path in paths {
                    let found = list.next().unwrap().unwrap().map(|(path, _)| String::from_utf8_lossy(path));
                    // A line that is too long is an error.
                    assert_eq!(found.unwrap_or_default(), *path, "{text:?} {capacity}");
                }
                assert!(list.next().unwrap().is_none());
            }
        }
    }

    /// A name with a tab must be in a list with NULs.
    #[test]
    fn a_uri_follows_the_last_tab_of_a_line() {
        for (text, expected) in [
            ("a\tb\thttp://h/\r\n", ("a\tb", Some("http://h/"))),
            ("a\t\n", ("a", Some(""))),
            ("a\tb\0", ("a\tb", None)),
            ("a b", ("a b", None)),
        ] {
            let mut list = PathList::new(Box::new(text.as_bytes()));
            let (path, uri) = list.next().unwrap().unwrap().unwrap();
            assert_eq!((String::from_utf8_lossy(path).as_ref(), uri.as_deref()), expected);
        }
        let mut list = PathList::new(Box::new(&b"a\t\xff\nb"[..]));
        assert!(list.next().unwrap().unwrap().unwrap_err().starts_with("line 1: the URI is not UTF-8: "));
        assert_eq!(list.next().unwrap().unwrap().unwrap().0, b"b");
    }
}
