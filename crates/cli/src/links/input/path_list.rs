//! Reads the list of paths of `--files-from`.
//! Each path ends at a line break, or each ends at a NUL. In a list with line breaks, a tab and the URI of the page can follow the
//! path.

use std::io::{self, BufRead};
use std::path::PathBuf;

use memchr::{memchr, memrchr};

use crate::output::shown;

pub type ListedPath<'l> = (&'l [u8], Option<String>);

/// Its entries are called lines, even if they end at a NUL.
pub struct PathList<'l> {
    list: Box<dyn BufRead + 'l>,
    /// A line feed or a NUL.
    terminator: u8,
    /// The current line without its end; at most `max_line_len` bytes of it.
    line: Vec<u8>,
    /// The most bytes of a line with a path and a URI, without its end. A longer line is not valid.
    max_line_len: usize,
    /// Counted from 1.
    line_number: u64,
}

impl<'l> PathList<'l> {
    /// The most bytes of a path, and of a line that is only a path, with its carriage return. No system has longer paths.
    const MAX_PATH_LEN: usize = 32 << 10;
    /// The bytes that the message about a line shows of it if it is too long.
    const SHOWN_LEN: usize = 60;

    /// `max_uri` is in bytes.
    pub fn new(list: Box<dyn BufRead + 'l>, terminator: u8, max_uri: u64) -> Self {
        let max_path_len = Self::MAX_PATH_LEN + "\t\r".len();
        let max_line_len = max_path_len.saturating_add(usize::try_from(max_uri).unwrap_or(usize::MAX));
        PathList { list, terminator, line: Vec::new(), max_line_len, line_number: 0 }
    }

    /// The inner error is the message about a line that is not valid. Skips empty lines.
    pub fn next(&mut self) -> io::Result<Option<Result<ListedPath<'_>, String>>> {
        while let Some(len) = self.read_line()? {
            let number = self.line_number;
            let has_lines = self.terminator != 0;
            let tab = if has_lines { memrchr(b'\t', &self.line) } else { None };
            let has_path = tab.is_some_and(|tab| tab <= Self::MAX_PATH_LEN);
            let max = if has_path { self.max_line_len } else { Self::MAX_PATH_LEN };
            if len > max as u64 {
                let start = shown(&String::from_utf8_lossy(&self.line[..Self::SHOWN_LEN]));
                return Ok(Some(Err(format!("line {number} has more than {max} bytes: {start}…"))));
            }
            if has_lines && memchr(0, &self.line).is_some() {
                let line = shown(&String::from_utf8_lossy(&self.line[..self.line.len().min(Self::SHOWN_LEN)]));
                return Ok(Some(Err(format!(
                    "line {number} has a NUL: give --null if NULs separate the names: {line}"
                ))));
            }
            if has_lines && self.line.last() == Some(&b'\r') {
                self.line.pop();
            }
            if !self.line.is_empty() {
                let Some(tab) = tab else { return Ok(Some(Ok((&self.line, None)))) };
                let uri = String::from_utf8(self.line[tab + 1..].to_owned());
                let uri = uri.map_err(|error| format!("line {number}: the URI is not UTF-8: {error}"));
                return Ok(Some(uri.map(|uri| (&self.line[..tab], Some(uri)))));
            }
        }
        Ok(None)
    }

    /// Returns the bytes of the whole line, of which `line` gets at most `max_line_len`. `None` at the end of the list.
    fn read_line(&mut self) -> io::Result<Option<u64>> {
        self.line.clear();
        self.line_number += 1;
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
            let found = memchr(self.terminator, bytes);
            let part = &bytes[..found.unwrap_or(bytes.len())];
            len += part.len() as u64;
            self.line.extend_from_slice(&part[..part.len().min(self.max_line_len - self.line.len())]);
            let used = part.len() + usize::from(found.is_some());
            self.list.consume(used);
            if found.is_some() {
                return Ok(Some(len));
            }
        }
    }
}

#[cfg(unix)]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few and many bytes at a time, and a first line that is too long.
    #[test]
    fn lines_end_at_the_terminator() {
        let long = "x".repeat(PathList::MAX_PATH_LEN + 9);
        for capacity in [1, 7, 64 << 10] {
            for (terminator, text, paths) in [
                (0, "a b\0c\nd\0", &["a b", "c\nd"][..]),
                (0, "\0\0ab\0", &["ab"]),
                (0, "a\nb\0", &["a\nb"]),
                (b'\n', "a b\r\n\ncd\n", &["a b", "cd"]),
                (b'\n', "a\0b\nc\n", &["", "c"]),
                (b'\n', "abc", &["abc"]),
                (0, "abc", &["abc"]),
                (0, "", &[]),
                (0, &format!("{long}\0a\nb\0"), &["", "a\nb"]),
                (b'\n', &format!("{long}\nab\n"), &["", "ab"]),
            ] {
                let text: &str = text;
                let list = io::BufReader::with_capacity(capacity, text.as_bytes());
                let mut list = PathList::new(Box::new(list), terminator, 0);
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
            let terminator = if text.ends_with('\0') { 0 } else { b'\n' };
            let mut list = PathList::new(Box::new(text.as_bytes()), terminator, 0);
            let (path, uri) = list.next().unwrap().unwrap().unwrap();
            assert_eq!((String::from_utf8_lossy(path).as_ref(), uri.as_deref()), expected);
        }
        let mut list = PathList::new(Box::new(&b"a\t\xff\nb"[..]), b'\n', 0);
        assert!(list.next().unwrap().unwrap().unwrap_err().starts_with("line 1: the URI is not UTF-8: "));
        assert_eq!(list.next().unwrap().unwrap().unwrap().0, b"b");
    }

    /// A path has a limit of its own, whatever the limit of a URI.
    #[test]
    fn paths_and_uris_have_limits() {
        let [path, uri] = [PathList::MAX_PATH_LEN, 1 << 17].map(|len| "x".repeat(len));
        for (line, is_valid) in [
            (path.clone(), true),
            (format!("{path}\t{uri}\r\n"), true),
            (format!("{path}x"), false),
            (format!("{path}x\ta"), false),
            (format!("a\t{path}{uri}x"), false),
        ] {
            let mut list = PathList::new(Box::new(line.as_bytes()), b'\n', uri.len() as u64);
            assert_eq!(list.next().unwrap().unwrap().is_ok(), is_valid, "{} bytes", line.len());
        }
    }
}
