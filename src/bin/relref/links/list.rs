//! A list of paths, one a line; with NUL between them if there is a NUL in its first block.

use std::io::{self, BufRead};

use memchr::memchr;

use crate::output::quoted;

/// The lines of a list.
pub struct List<'l> {
    list: Box<dyn BufRead + 'l>,
    /// The byte that ends a line; `None` before the first.
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
        let end = match self.end {
            Some(end) => end,
            None => *self.end.insert(if self.list.fill_buf()?.contains(&0) { 0 } else { b'\n' }),
        };
        while let Some(len) = self.line(end)? {
            if len > Self::LONGEST as u64 {
                let start = String::from_utf8_lossy(&self.line[..Self::SHOWN]);
                let (number, longest) = (self.number, Self::LONGEST);
                return Ok(Some(Err(format!("line {number} has more than {longest} bytes: {}…", quoted(&start)))));
            }
            if end == b'\n' && self.line.last() == Some(&b'\r') {
                self.line.pop();
            }
            if !self.line.is_empty() {
                return Ok(Some(Ok(&self.line)));
            }
        }
        Ok(None)
    }

    /// Reads a line, of which it keeps no more than the longest may have, and returns its length without its end.
    fn line(&mut self, end: u8) -> io::Result<Option<u64>> {
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
            let found = memchr(end, block);
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
