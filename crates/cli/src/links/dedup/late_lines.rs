//! The lines that come when no more fingerprints fit in memory: they wait in a file, and are decided at the end, by a sort on disk.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};

use memchr::memchr;
use relref_links::parallel::ExternalSort;

use crate::links::progress::Progress;
use crate::links::temp_file::{temp_error, temp_file};

/// What a fingerprint is of: 0 for a list, else four times the number of a line from 1, and [`SEEN`] or [`SECOND`]. So what comes first in
/// the order of the keys comes first in the order of the lines.
type Owner = u64;

const LIST: Owner = 0;
/// The line is known to be in a list.
const SEEN: Owner = 1;
/// It is the second fingerprint of the line, which is only looked for in the lists.
const SECOND: Owner = 2;

/// Its lines end with a line feed, and have no other.
#[derive(Default)]
pub struct LateLines {
    fingerprints: ExternalSort<(u128, Owner)>,
    /// `None` until the first text is written.
    text: Option<BufWriter<File>>,
    count: u64,
}

impl LateLines {
    /// The length, in bytes, of each of the buffers between the file and the output.
    const BUFFER_LEN: usize = 64 << 10;

    pub fn add_listed(&mut self, fingerprint: u128) -> io::Result<()> {
        self.fingerprints.extend([(fingerprint, LIST)]).map_err(temp_error)
    }

    /// The caller then writes the line's text. `is_seen` if a list is known to have one of the fingerprints.
    pub fn add(&mut self, first: u128, second: Option<u128>, is_seen: bool) -> io::Result<()> {
        self.count += 1;
        let line = self.count << 2;
        let first = (first, if is_seen { line | SEEN } else { line });
        let second = second.map(|second| (second, line | SECOND));
        self.fingerprints.extend([first].into_iter().chain(second)).map_err(temp_error)
    }

    /// Writes text of one or more lines, or a part of the last one.
    pub fn write(&mut self, text: &[u8]) -> io::Result<()> {
        if self.text.is_none() && !text.is_empty() {
            self.text = Some(BufWriter::with_capacity(Self::BUFFER_LEN, temp_file()?));
        }
        self.text.as_mut().map_or(Ok(()), |file| file.write_all(text))
    }

    /// Prints the lines that are new, and counts those that are printed or seen.
    pub fn finish(mut self, is_unique: bool, progress: &Progress, out: &mut impl Write) -> io::Result<()> {
        let Some(mut text) = self.text else { return Ok(()) };
        text.rewind().map_err(temp_error)?;
        let mut text = BufReader::with_capacity(Self::BUFFER_LEN, text.into_inner().map_err(io::Error::from)?);
        let mut out = BufWriter::with_capacity(Self::BUFFER_LEN, out);
        let mut dropped = dropped_lines(&mut self.fingerprints, is_unique).map_err(temp_error)?;
        let mut dropped = dropped.sorted().map_err(temp_error)?;
        let mut next = dropped.next().map_err(temp_error)?;
        for line in 1..=self.count {
            let why = next.filter(|dropped| dropped >> 1 == line);
            while next.is_some_and(|dropped| dropped >> 1 == line) {
                next = dropped.next().map_err(temp_error)?;
            }
            match why {
                None => progress.links.add(1),
                Some(why) => progress.seen.add(why & 1),
            }
            copy_line(&mut text, if why.is_none() { Some(&mut out) } else { None })?;
        }
        out.flush()
    }
}

/// Returns twice the numbers of the lines that are not printed, and one more for those that are in a list and not repeated. A line may
/// have both.
fn dropped_lines(fingerprints: &mut ExternalSort<(u128, Owner)>, is_unique: bool) -> io::Result<ExternalSort<u64>> {
    let mut dropped = ExternalSort::default();
    let mut sorted = fingerprints.sorted()?;
    let (mut last, mut is_listed, mut is_repeated) = (0, false, false);
    while let Some((fingerprint, owner)) = sorted.next()? {
        if fingerprint != last {
            (last, is_listed, is_repeated) = (fingerprint, false, false);
        }
        let (line, kind) = (owner >> 2, owner & 3);
        if owner == LIST {
            is_listed = true;
            continue;
        }
        if is_repeated && kind != SECOND {
            dropped.extend([line << 1])?;
        } else if is_listed || kind == SEEN {
            dropped.extend([line << 1 | 1])?;
        }
        is_repeated |= is_unique && kind != SECOND;
    }
    Ok(dropped)
}

/// Copies a line, or skips it. A line of any length takes no memory.
fn copy_line(text: &mut impl BufRead, mut out: Option<&mut impl Write>) -> io::Result<()> {
    loop {
        let part = text.fill_buf().map_err(temp_error)?;
        if part.is_empty() {
            return Err(temp_error(io::ErrorKind::UnexpectedEof.into()));
        }
        let end = memchr(b'\n', part).map(|end| end + 1);
        let len = end.unwrap_or(part.len());
        out.as_mut().map_or(Ok(()), |out| out.write_all(&part[..len]))?;
        text.consume(len);
        if end.is_some() {
            return Ok(());
        }
    }
}
