//! A list of paths, one a line, or with NUL after each. The first line break or NUL decides which: so the first path of a list
//! with NUL has no line break.

use std::io::{self, BufRead};

use memchr::{memchr, memchr2};

use crate::output::quoted;

/// The lines of a list.
pub struct List<'l> {
    list: Box<dyn BufRead + 'l>,
    /// The byte that ends a line; `None` until the first was found.
    end: Option<u8>,
    line: Vec<u8>,
    number: u64,
}

impl<'l> List<'l> {
    /// The length in bytes of the longest line: longer than any path that a system takes.
    const LONGEST: usize = 32 << 10;
    /// The length in bytes of what is shown of a line that is longer.
    const SHOWN: usize = 60;

    pub fn new(list: Box<dyn BufRead + 'l>) -> Self {
        List { list, end: None, line: Vec::new(), number: 0 }
    }

    /// Returns the next path, or why the next line is none. Lines without anything are passed over.
    pub fn next(&mut self) -> io::Result<Option<Result<&[u8], String>>> {
        while let Some(len) = self.line()? {
            if len > Self::LONGEST as u64 {
                let start = String::from_utf8_lossy(&self.line[..Self::SHOWN]);
                let (number, longest) = (self.number, Self::LONGEST);
                return Ok(Some(Err(format!("line {number} has more than {longest} bytes: {}…", quoted(&start)))));
            }
            if self.end != Some(0) && self.line.last() == Some(&b'\r') {
                self.line.pop();
            }
            if !self.line.is_empty() {
                return Ok(Some(Ok(&self.line)));
            }
        }
        Ok(None)
    }

    /// Reads a line, of which it keeps no more than the longest may have, and returns its length without its end.
    fn line(&mut self) -> io::Result<Option<u64>> {
        self.line.clear();
        self.number += 1;
        let (mut len, mut any) = (0, false);
        loop {
            let block = match self.list.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                block => block?,
            };
            if block.is_empty() {
                return Ok(any.then_some(len));
            }
            any = true;
            let found = match self.end {
                Some(end) => memchr(end, block),
                None => memchr2(0, b'\n', block),
            };
            self.end = self.end.or(found.map(|at| block[at]));
            let part = &block[..found.unwrap_or(block.len())];
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

    /// However few bytes come at a time, and with a path before the first end that is longer than any.
    #[test]
    fn the_first_end_decides() {
        let long = "x".repeat(List::LONGEST + 9);
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
                let mut list = List::new(Box::new(io::BufReader::with_capacity(capacity, text.as_bytes())));
                for path in paths {
                    let found = list.next().unwrap().unwrap().map(String::from_utf8_lossy);
                    // One that is too long is an error.
                    assert_eq!(found.unwrap_or_default(), *path, "{text:?} {capacity}");
                }
                assert!(list.next().unwrap().is_none());
            }
        }
    }
}
