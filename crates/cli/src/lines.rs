//! Reads the texts on which a command works: its arguments or, if there are none, the lines of standard input.
//! Lines are read in batches. Memory grows only with the longest line. Also opens the files and lists that arguments name.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::str::Utf8Error;

use memchr::{memchr_iter, memrchr};
use relref_links::Unmarked;
use serde_json::Value;

use crate::output::{Output, shown};

/// The least length of the buffer, in bytes. It grows for a longer line.
const MIN_BUFFER_LEN: usize = 1 << 16;

/// Calls `each` with the number and the bytes of each line of standard input, and flushes when there is no further line yet. An error
/// of reading is a problem, and ends the input.
pub fn each_line(out: &mut Output, mut each: impl FnMut(u64, &[u8], &mut Output) -> io::Result<()>) -> io::Result<()> {
    let mut number = 0;
    let mut each_of = |batch: &[u8], out: &mut Output| {
        for line in lines_of(batch) {
            number += 1;
            each(number, line, out)?;
        }
        out.flush()
    };
    let mut input = Unmarked::new(io::stdin().lock());
    let mut buffer = vec![0; MIN_BUFFER_LEN];
    let mut filled = 0;
    loop {
        if filled == buffer.len() {
            buffer.resize(2 * filled, 0);
        }
        let read = match input.read(&mut buffer[filled..]) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                out.problem("standard input", error);
                0
            }
        };
        if read == 0 {
            return if filled == 0 { Ok(()) } else { each_of(&buffer[..filled], out) };
        }
        // Only the bytes just read can hold a new line feed, so a long line is not searched twice.
        if let Some(last) = memrchr(b'\n', &buffer[filled..filled + read]) {
            let end = filled + last + 1;
            each_of(&buffer[..end], out)?;
            buffer.copy_within(end..filled + read, 0);
            filled = filled + read - end;
            if buffer.len() > MIN_BUFFER_LEN && filled < MIN_BUFFER_LEN {
                buffer.truncate(MIN_BUFFER_LEN);
                buffer.shrink_to_fit();
            }
        } else {
            filled += read;
        }
    }
}

/// Returns the lines of a batch without their ends, `\n` or `\r\n`.
fn lines_of(batch: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = memchr_iter(b'\n', batch).chain((batch.last() != Some(&b'\n')).then_some(batch.len()));
    let mut start = 0;
    ends.map(move |end| {
        let line = &batch[start..end];
        start = end + 1;
        line.strip_suffix(b"\r").unwrap_or(line)
    })
}

/// Makes the JSON object for a text that has no answer, from the text and the reason.
pub type ErrorObject = fn(&str, &str) -> Value;

/// Answers `texts` or, if there are none, the lines of standard input. A text without an answer is a problem, and its line has
/// the object of `object`, or is empty.
pub fn each_text(
    texts: &[String],
    object: Option<ErrorObject>,
    out: &mut Output,
    mut write_answer: impl FnMut(&str, &mut Output) -> io::Result<Result<(), String>>,
) -> io::Result<()> {
    let mut one = |number: Option<u64>, text: &[u8], out: &mut Output| {
        let done = match std::str::from_utf8(text) {
            Ok(text) => write_answer(text, out)?,
            Err(error) => Err(not_utf8(&error)),
        };
        if let Err(why) = done {
            let text = String::from_utf8_lossy(text);
            let line = number.map_or(String::new(), |number| format!("line {number}: "));
            no_answer(format_args!("{line}{}", shown(&text)), &text, &why, object, out)?;
        }
        out.end_line()
    };
    if !texts.is_empty() {
        return texts.iter().try_for_each(|text| one(None, text.as_bytes(), out));
    }
    each_line(out, |number, line, out| one(Some(number), line, out))
}

/// Says where a line stops being UTF-8.
pub fn not_utf8(error: &Utf8Error) -> String {
    format!("not UTF-8 at byte {}", error.valid_up_to())
}

/// `what` names the text in the message. Writes no line end.
pub fn no_answer(
    what: impl Display,
    text: &str,
    why: &str,
    object: Option<ErrorObject>,
    out: &mut Output,
) -> io::Result<()> {
    out.problem(what, why);
    object.map_or(Ok(()), |object| out.json(&object(text, why)))
}

/// Opens a file, or standard input if the path is `-`.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    match path.to_str() {
        Some("-") => Ok(Box::new(io::stdin().lock())),
        _ => Ok(Box::new(BufReader::with_capacity(1 << 16, File::open(path)?))),
    }
}

/// Opens a list of lines, without its byte order mark, and in UTF-8 if the mark is one of UTF-16.
pub fn open_list(path: &Path) -> io::Result<Box<dyn BufRead>> {
    Ok(Box::new(BufReader::with_capacity(1 << 16, Unmarked::new(open(path)?))))
}
