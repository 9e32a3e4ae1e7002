//! Undecided lines, which wait in a temporary file until it is known whether they are printed.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::time::{Duration, Instant};

use crate::links::temp_file::{temp_error, temp_file};

#[derive(Default)]
pub struct UndecidedLines {
    /// The text of all lines. `None` until the first text is written.
    file: Option<File>,
    /// The slots of the line's fingerprints in the table (the same twice if there is only one), and the bytes of its text.
    lines: Vec<([u32; 2], u64)>,
    /// In bytes, of all lines.
    text_len: u64,
    /// `None` if there is no text.
    since: Option<Instant>,
}

impl UndecidedLines {
    const READ_LEN: usize = 64 << 10;

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
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(temp_file()?),
        };
        self.text_len += text.len() as u64;
        file.write_all(text).map_err(temp_error)
    }

    /// Removes all lines, prints those for whose slots `is_printed` is true, and returns their number.
    pub fn drain(
        &mut self,
        mut is_printed: impl FnMut([usize; 2]) -> bool,
        mut print: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<u64> {
        self.since = None;
        let mut lines = self.lines.drain(..).map(|(slots, len)| (is_printed(slots.map(|slot| slot as usize)), len));
        let mut printed = 0;
        if let Some(file) = &mut self.file {
            file.rewind().map_err(temp_error)?;
            let mut part = vec![0; Self::READ_LEN];
            // For the line at hand; `rest` counts the bytes that are not read yet.
            let (mut is_printed, mut rest) = (false, 0);
            while self.text_len > 0 {
                let end = usize::try_from(self.text_len).unwrap_or(Self::READ_LEN).min(Self::READ_LEN);
                file.read_exact(&mut part[..end]).map_err(temp_error)?;
                self.text_len -= end as u64;
                let (mut at, mut kept) = (0, 0);
                while at < end {
                    if rest == 0 {
                        let Some(line) = lines.next() else { break };
                        (is_printed, rest) = line;
                        printed += u64::from(is_printed);
                    }
                    let len = usize::try_from(rest).unwrap_or(usize::MAX).min(end - at);
                    if is_printed {
                        part.copy_within(at..at + len, kept);
                        kept += len;
                    }
                    at += len;
                    rest -= len as u64;
                }
                print(&part[..kept])?;
            }
            file.rewind().and_then(|()| file.set_len(0)).map_err(temp_error)?;
        }
        // A last line may have no text yet.
        printed += lines.filter(|(is_printed, _)| *is_printed).count() as u64;
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
            let count = lines.drain(|[slot, _]| slot % 2 == odd, |part| out.write_all(part)).unwrap();
            let expected: String = (0..6).filter(|slot| slot % 2 == odd).map(text).collect();
            assert!(out == expected.as_bytes());
            assert_eq!(count, if odd == 1 { 4 } else { 3 });
        }
        assert_eq!(lines.drain(|_| true, |_| panic!("nothing is left")).unwrap(), 0);
    }
}
