//! The lines of a page that change, as a unified diff, which `patch` and `git apply` take. Bytes are as they are in the page, whatever
//! its character encoding. Memory does not grow with the page, nor with the number of edits.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Component, Path};

use memchr::memchr;
use relref_links::archive::ReadSeek;
use tempfile::{SpooledTempFile, spooled_tempfile};

use crate::quoting::push_quoted;

/// The number of unchanged lines around changed ones: `git apply` takes no fewer.
const CONTEXT: u64 = 3;
/// The most bytes of records that are held in memory.
const IN_MEMORY: usize = 1 << 20;

/// Records of numbers, in a temporary file if they are many.
pub struct Records<const N: usize>(BufWriter<SpooledTempFile>);

impl<const N: usize> Default for Records<N> {
    fn default() -> Self {
        Records(BufWriter::new(spooled_tempfile(IN_MEMORY)))
    }
}

impl<const N: usize> Records<N> {
    pub fn push(&mut self, record: [u64; N]) -> io::Result<()> {
        record.iter().try_for_each(|number| self.0.write_all(&number.to_ne_bytes()))
    }

    fn read(self) -> io::Result<RecordReader<N>> {
        let mut file = self.0.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(RecordReader(BufReader::new(file)))
    }
}

struct RecordReader<const N: usize>(BufReader<SpooledTempFile>);

impl<const N: usize> RecordReader<N> {
    /// `None` at the end.
    fn next(&mut self) -> io::Result<Option<[u64; N]>> {
        if self.0.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let (mut record, mut bytes) = ([0; N], [0; 8]);
        for number in &mut record {
            self.0.read_exact(&mut bytes)?;
            *number = u64::from_ne_bytes(bytes);
        }
        Ok(Some(record))
    }
}

/// Edits, each of which has the offsets of its first byte and after its last one in the old page, the number of its new bytes, and
/// that of the line feeds in them.
pub type ByteEdits = Records<4>;

/// Lines that follow one another and change.
struct Change {
    /// The offset of the first line of the context before it, and that after the context after it.
    first: u64,
    last: u64,
    /// The number of its first line, and how many there are.
    line: u64,
    old_lines: u64,
    new_lines: u64,
    lines_before: u64,
    lines_after: u64,
    /// The offsets of its first line and after its last one, in the old page and in the new one.
    old: [u64; 2],
    new: [u64; 2],
}

/// Changes whose contexts meet.
struct Hunk {
    first: u64,
    last: u64,
    changes: u64,
    old_line: u64,
    new_line: u64,
    old_count: u64,
    new_count: u64,
}

/// Finds the hunks, line by line.
struct Scan {
    edits: RecordReader<4>,
    next_edit: Option<[u64; 4]>,
    line: u64,
    /// The offsets of the lines before the current one, as many as a context has.
    recent: VecDeque<u64>,
    /// The line feed before the current line is replaced.
    is_joined: bool,
    /// The offset after the last edit so far, and how much further behind the text after it is in the new page.
    edit_end: u64,
    moved: u64,
    change: Option<Change>,
    hunk: Option<Hunk>,
    /// How many more lines the new page has so far, wrapping around.
    more_lines: u64,
    /// The offsets of changes, and hunks with the numbers of their changes.
    changes: Records<4>,
    hunks: Records<7>,
}

impl Scan {
    fn new(edits: ByteEdits) -> io::Result<Self> {
        let mut edits = edits.read()?;
        let next_edit = edits.next()?;
        let (line, recent, is_joined, edit_end, moved, change, hunk) = (1, VecDeque::new(), false, 0, 0, None, None);
        let (more_lines, changes, hunks) = (0, Records::default(), Records::default());
        Ok(Scan {
            edits,
            next_edit,
            line,
            recent,
            is_joined,
            edit_end,
            moved,
            change,
            hunk,
            more_lines,
            changes,
            hunks,
        })
    }

    fn page(mut self, old: &mut dyn ReadSeek) -> io::Result<(RecordReader<4>, RecordReader<7>)> {
        old.rewind()?;
        let mut old = BufReader::with_capacity(1 << 16, old);
        let (mut start, mut at) = (0, 0);
        loop {
            let chunk = old.fill_buf()?;
            let len = memchr(b'\n', chunk).map_or(chunk.len(), |end| end + 1);
            let ends_line = len == 0 || chunk[len - 1] == b'\n';
            old.consume(len);
            at += len as u64;
            if ends_line && at > start {
                self.add_line(start, at)?;
                start = at;
            }
            if len == 0 {
                break;
            }
        }
        self.end_change()?;
        self.end_hunk()?;
        Ok((self.changes.read()?, self.hunks.read()?))
    }

    fn add_line(&mut self, start: u64, end: u64) -> io::Result<()> {
        if self.is_joined || self.next_edit.is_some_and(|[edit_start, ..]| edit_start < end) {
            self.add_changed_line(start, end)?;
        } else if let Some(change) = self.change.as_mut().filter(|change| change.lines_after < CONTEXT) {
            change.lines_after += 1;
            change.last = end;
        }
        self.line += 1;
        self.recent.push_back(start);
        if self.recent.len() as u64 > CONTEXT {
            self.recent.pop_front();
        }
        Ok(())
    }

    fn add_changed_line(&mut self, start: u64, end: u64) -> io::Result<()> {
        if self.change.as_ref().is_none_or(|change| change.lines_after > 0) {
            self.end_change()?;
            self.change = Some(Change {
                first: self.recent.front().copied().unwrap_or(start),
                last: end,
                line: self.line,
                old_lines: 0,
                new_lines: 0,
                lines_before: self.recent.len() as u64,
                lines_after: 0,
                old: [start, end],
                new: [start.wrapping_add(self.moved), 0],
            });
        }
        let Some(change) = &mut self.change else { return Ok(()) };
        (change.old_lines, change.new_lines) = (change.old_lines + 1, change.new_lines + 1);
        while let Some([edit_start, edit_end, new_len, line_feeds]) = self.next_edit.filter(|edit| edit[0] < end) {
            self.edit_end = edit_end;
            self.moved = self.moved.wrapping_add(new_len).wrapping_sub(edit_end - edit_start);
            change.new_lines += line_feeds;
            self.next_edit = self.edits.next()?;
        }
        self.is_joined = self.edit_end >= end;
        change.new_lines -= u64::from(self.is_joined);
        (change.last, change.old[1], change.new[1]) = (end, end, end.wrapping_add(self.moved));
        Ok(())
    }

    fn end_change(&mut self) -> io::Result<()> {
        let Some(change) = self.change.take() else { return Ok(()) };
        if self.hunk.as_ref().is_none_or(|hunk| hunk.last < change.first) {
            self.end_hunk()?;
            let old_line = change.line - change.lines_before;
            let new_line = old_line.wrapping_add(self.more_lines);
            let (first, last) = (change.first, change.last);
            self.hunk = Some(Hunk { first, last, changes: 0, old_line, new_line, old_count: 0, new_count: 0 });
        }
        if let Some(hunk) = &mut self.hunk {
            let end = change.line + change.old_lines + change.lines_after;
            self.more_lines = self.more_lines.wrapping_add(change.new_lines).wrapping_sub(change.old_lines);
            hunk.last = change.last;
            hunk.changes += 1;
            hunk.old_count = end - hunk.old_line;
            hunk.new_count = end.wrapping_add(self.more_lines).wrapping_sub(hunk.new_line);
        }
        self.changes.push([change.old[0], change.old[1], change.new[0], change.new[1]])
    }

    fn end_hunk(&mut self) -> io::Result<()> {
        let Some(Hunk { first, last, changes, old_line, new_line, old_count, new_count }) = self.hunk.take() else {
            return Ok(());
        };
        self.hunks.push([first, last, changes, old_line, old_count, new_line, new_count])
    }
}

/// A page whose lines are copied from its start to its end.
struct Source<'s> {
    page: BufReader<&'s mut dyn ReadSeek>,
    at: u64,
    /// Characters that could control a terminal are quoted.
    is_quoted: bool,
}

impl<'s> Source<'s> {
    fn new(page: &'s mut dyn ReadSeek, is_quoted: bool) -> io::Result<Self> {
        page.rewind()?;
        Ok(Source { page: BufReader::with_capacity(1 << 16, page), at: 0, is_quoted })
    }

    /// Writes the lines from an offset to another, each with `sign` before it.
    fn copy(&mut self, sign: &[u8], [start, end]: [u64; 2], out: &mut impl Write) -> io::Result<()> {
        self.page.seek_relative(start.wrapping_sub(self.at) as i64)?;
        self.at = start;
        let mut is_line_start = true;
        while self.at < end {
            let chunk = self.page.fill_buf()?;
            let most = chunk.len().min(usize::try_from(end - self.at).unwrap_or(usize::MAX));
            if most == 0 {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter"));
            }
            let len = memchr(b'\n', &chunk[..most]).map_or(most, |line_end| line_end + 1);
            let (text, has_end) = (&chunk[..len], chunk[len - 1] == b'\n');
            out.write_all(if is_line_start { sign } else { b"" })?;
            if self.is_quoted {
                out.write_all(quoted(text).as_bytes())?;
            } else {
                out.write_all(text)?;
            }
            is_line_start = has_end;
            self.page.consume(len);
            self.at += len as u64;
        }
        out.write_all(if is_line_start { b"" } else { b"\n\\ No newline at end of file\n" })
    }
}

/// Quotes what could control a terminal. A character between two chunks is shown as U+FFFD.
fn quoted(text: &[u8]) -> String {
    let mut out = String::new();
    let keep_or_escape = |c: char| if matches!(c, '\t' | '\n') { c.into() } else { c.escape_default().collect() };
    push_quoted(&mut out, &String::from_utf8_lossy(text), keep_or_escape);
    out
}

/// Writes the changes from `old` to `new`, with a line for git before them if `for_git`. With `for_terminal`, nothing in them controls a
/// terminal, and the diff may not apply.
pub fn write_diff(
    paths: [&Path; 2],
    for_git: bool,
    (old, new): (&mut dyn ReadSeek, &mut dyn ReadSeek),
    edits: ByteEdits,
    for_terminal: bool,
    out: &mut impl Write,
) -> io::Result<()> {
    let (mut changes, mut hunks) = Scan::new(edits)?.page(old)?;
    let (mut old, mut new) = (Source::new(old, for_terminal)?, Source::new(new, for_terminal)?);
    let mut is_started = false;
    while let Some([first, last, count, old_line, old_count, new_line, new_count]) = hunks.next()? {
        if !is_started {
            if for_git {
                write_git_line(paths, out)?;
            }
            // `git apply` and `patch -p1` leave out the first folder.
            writeln!(out, "--- {}\n+++ {}", diff_name("a/", paths[0]), diff_name("b/", paths[1]))?;
            is_started = true;
        }
        writeln!(out, "@@ -{old_line},{old_count} +{new_line},{new_count} @@")?;
        let mut at = first;
        for _ in 0..count {
            let Some([old_start, old_end, new_start, new_end]) = changes.next()? else { break };
            old.copy(b" ", [at, old_start], out)?;
            old.copy(b"-", [old_start, old_end], out)?;
            new.copy(b"+", [new_start, new_end], out)?;
            at = old_end;
        }
        old.copy(b" ", [at, last], out)?;
    }
    Ok(())
}

/// Writes the new name of a file, as git does.
pub fn write_rename([old, new]: [&Path; 2], out: &mut impl Write) -> io::Result<()> {
    write_git_line([old, new], out)?;
    let [old, new] = [old, new].map(|path| diff_name("", path));
    writeln!(out, "rename from {}\nrename to {}", old.trim_end_matches('\t'), new.trim_end_matches('\t'))
}

/// Writes the line with which git starts what it says of a file.
fn write_git_line([old, new]: [&Path; 2], out: &mut impl Write) -> io::Result<()> {
    let (old, new) = (diff_name("a/", old), diff_name("b/", new));
    writeln!(out, "diff --git {} {}", old.trim_end_matches('\t'), new.trim_end_matches('\t'))
}

/// A name as git writes it: quoted as in C if it has special bytes or such beyond US-ASCII; a tab ends one with spaces.
fn diff_name(prefix: &str, path: &Path) -> String {
    let names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name),
        Component::ParentDir => Some(OsStr::new("..")),
        _ => None,
    });
    let names: Vec<&[u8]> = names.map(OsStr::as_encoded_bytes).collect();
    let (mut name, mut is_plain) = (prefix.to_owned(), true);
    for byte in names.join(&b'/') {
        let letter =
            b"\x07a\x08b\tt\nn\x0Bv\x0Cf\rr\"\"\\\\".chunks(2).find(|pair| pair[0] == byte).map(|pair| pair[1]);
        match letter {
            Some(letter) => name.extend(['\\', char::from(letter)]),
            None if matches!(byte, b' '..=b'~') => name.push(char::from(byte)),
            None => name.push_str(&format!("\\{byte:03o}")),
        }
        is_plain &= letter.is_none() && matches!(byte, b' '..=b'~');
    }
    match is_plain {
        true if name.contains(' ') => name + "\t",
        true => name,
        false => format!("\"{name}\""),
    }
}
