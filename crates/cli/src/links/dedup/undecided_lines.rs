//! Undecided lines, which wait in a temporary file until it is known whether they are printed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::mem;
use std::time::{Duration, Instant};

use crate::links::temp_file::{temp_error, temp_file};

#[derive(Default)]
pub struct UndecidedLines {
    /// The text of all lines. `None` until the first text is written.
    file: Option<File>,
    /// The slots of the line's fingerprints in the table (the same twice if there is only one), and the bytes of its text.
    lines: Vec<([u32; 2], u64)>,
    /// `None` if there is no text.
    since: Option<Instant>,
}

impl UndecidedLines {
    /// The length, in bytes, of each of the buffers between the file and the output.
    const BUFFER_LEN: usize = 64 << 10;

    /// All lines are decided when there are so many.
    const MAX_LINES: usize = 192 << 10;

    /// True if the lines are many, or a reader of the output would notice the delay.
    pub fn is_due(&self) -> bool {
        self.lines.len() >= Self::MAX_LINES || self.since.is_some_and(|since| since.elapsed() > Duration::from_secs(1))
    }

    /// The caller then writes the line's text, of which `len` bytes are known now.
    pub fn start_line(&mut self, slots: [usize; 2], len: usize) {
        self.lines.push((slots.map(|slot| slot as u32), len as u64));
    }

    pub fn last_slots(&self) -> Option<[usize; 2]> {
        self.lines.last().map(|(slots, _)| slots.map(|slot| slot as usize))
    }

    pub fn extend_last_line(&mut self, text: &[u8]) -> io::Result<()> {
        if let Some((_, len)) = self.lines.last_mut() {
            *len += text.len() as u64;
        }
        self.write_text(text)
    }

    /// Writes text of one or more lines that were added with [`start_line`](Self::start_line).
    pub fn write_text(&mut self, text: &[u8]) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.since.get_or_insert_with(Instant::now);
        self.file()?.write_all(text).map_err(temp_error)
    }

    fn file(&mut self) -> io::Result<&mut File> {
        match &mut self.file {
            Some(file) => Ok(file),
            none => Ok(none.insert(temp_file()?)),
        }
    }

    /// Removes all lines, prints those for whose slots `is_printed` is true, and returns their number.
    pub fn drain(&mut self, mut is_printed: impl FnMut([usize; 2]) -> bool, out: &mut impl Write) -> io::Result<u64> {
        if self.lines.is_empty() {
            return Ok(0);
        }
        self.since = None;
        let mut lines = mem::take(&mut self.lines);
        let file = self.file()?;
        file.rewind().map_err(temp_error)?;
        let mut text = BufReader::with_capacity(Self::BUFFER_LEN, &*file);
        let mut out = BufWriter::with_capacity(Self::BUFFER_LEN, out);
        let mut printed = 0;
        for (slots, mut rest) in lines.drain(..) {
            let is_printed = is_printed(slots.map(|slot| slot as usize));
            printed += u64::from(is_printed);
            // A last line may have no text yet.
            while rest > 0 {
                let part = text.fill_buf().map_err(temp_error)?;
                let len = part.len().min(usize::try_from(rest).unwrap_or(usize::MAX));
                if len == 0 {
                    return Err(temp_error(io::ErrorKind::UnexpectedEof.into()));
                }
                if is_printed {
                    out.write_all(&part[..len])?;
                }
                text.consume(len);
                rest -= len as u64;
            }
        }
        out.flush()?;
        file.rewind().and_then(|()| file.set_len(0)).map_err(temp_error)?;
        // Its memory is used again.
        self.lines = lines;
        Ok(printed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_printed_by_their_slot() {
        let mut lines = UndecidedLines::default();
        let text = |slot: usize| slot.to_string().repeat(slot * 30_000) + "\n";
        // Used again after each decision.
        for odd in [0, 1] {
            assert!(lines.last_slots().is_none() && !lines.is_due());
            for slot in 0..6 {
                let text = text(slot);
                let (start, rest) = text.as_bytes().split_at(text.len() / 2);
                lines.start_line([slot, 9], start.len());
                lines.write_text(start).unwrap();
                assert_eq!(lines.last_slots(), Some([slot, 9]));
                lines.extend_last_line(rest).unwrap();
            }
            // No text came before the end of the block.
            lines.start_line([7, 9], 0);
            let mut out = Vec::new();
            let count = lines.drain(|[slot, _]| slot % 2 == odd, &mut out).unwrap();
            let expected: String = (0..6).filter(|slot| slot % 2 == odd).map(text).collect();
            assert!(out == expected.as_bytes());
            assert_eq!(count, if odd == 1 { 4 } else { 3 });
        }
        let mut out = Vec::new();
        assert_eq!(lines.drain(|_| true, &mut out).unwrap(), 0);
        assert!(out.is_empty(), "nothing is left");
    }
}
