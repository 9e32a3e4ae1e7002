//! Lines that wait in a temporary file.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::time::{Duration, Instant};

use super::body_store::temporary;

/// Lines, each with a slot of the table of fingerprints.
#[derive(Default)]
pub struct Waiting {
    /// The text of all, from the file's start.
    file: Option<File>,
    /// The slot and the length in bytes of each.
    lines: Vec<(u32, u64)>,
    /// The length in bytes of the text.
    len: u64,
    /// When the first came.
    since: Option<Instant>,
}

impl Waiting {
    /// The number of bytes that are read at a time.
    const PART: usize = 64 << 10;

    /// Reports whether a line has waited for so long that whoever reads the output may wait for it, too.
    pub fn is_due(&self) -> bool {
        self.since.is_some_and(|since| since.elapsed() > Duration::from_secs(1))
    }

    /// Starts a line; so much of it is written next.
    pub fn start(&mut self, slot: usize, len: usize) {
        self.lines.push((slot as u32, len as u64));
    }

    /// Returns the slot of the last line.
    pub fn last(&self) -> Option<usize> {
        self.lines.last().map(|(slot, _)| *slot as usize)
    }

    /// Goes on with the last line.
    pub fn extend(&mut self, text: &[u8]) -> io::Result<()> {
        if let Some((_, len)) = self.lines.last_mut() {
            *len += text.len() as u64;
        }
        self.write(text)
    }

    /// Writes the text of lines that were started.
    pub fn write(&mut self, text: &[u8]) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.since.get_or_insert_with(Instant::now);
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile().map_err(temporary)?),
        };
        self.len += text.len() as u64;
        file.write_all(text).map_err(temporary)
    }

    /// Ends the waiting: hands over those lines, in parts, that pass by their slot. Returns how many these are.
    pub fn end(
        &mut self,
        passes: impl Fn(usize) -> bool,
        mut write: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<u64> {
        self.since = None;
        let mut lines = self.lines.drain(..).map(|(slot, len)| (passes(slot as usize), len));
        let mut passed = 0;
        if let Some(file) = &mut self.file {
            file.rewind().map_err(temporary)?;
            let mut part = vec![0; Self::PART];
            let (mut pass, mut rest) = (false, 0);
            while self.len > 0 {
                let end = usize::try_from(self.len).unwrap_or(Self::PART).min(Self::PART);
                file.read_exact(&mut part[..end]).map_err(temporary)?;
                self.len -= end as u64;
                let (mut at, mut kept) = (0, 0);
                while at < end {
                    if rest == 0 {
                        let Some(line) = lines.next() else { break };
                        (pass, rest) = line;
                        passed += u64::from(pass);
                    }
                    let len = usize::try_from(rest).unwrap_or(usize::MAX).min(end - at);
                    if pass {
                        part.copy_within(at..at + len, kept);
                        kept += len;
                    }
                    at += len;
                    rest -= len as u64;
                }
                write(&part[..kept])?;
            }
            file.rewind().and_then(|()| file.set_len(0)).map_err(temporary)?;
        }
        // Of a line at the end there may be no text yet.
        passed += lines.filter(|(pass, _)| *pass).count() as u64;
        Ok(passed)
    }
}
