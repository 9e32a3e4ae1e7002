//! Reads the texts on which a command works: its arguments or, if there are none, the lines of standard input.
//! Lines are read in batches. Memory grows only with the longest line.

use std::fmt::Display;
use std::io::{self, Read};

use memchr::{memchr_iter, memrchr};
use serde_json::Value;

use crate::output::{Output, shown};

/// The least size in bytes of the buffer for a batch. The buffer grows for a longer line.
const MIN_BUFFER_LEN: usize = 1 << 16;

/// Reads standard input to its end, and calls `each` with batches of whole lines. The last line may have no line feed. An error of
/// reading is reported in `out`, and ends the input. A returned error is about the output.
pub fn each_batch(out: &mut Output, mut each: impl FnMut(&[u8], &mut Output) -> io::Result<()>) -> io::Result<()> {
    let mut input = io::stdin().lock();
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
            return if filled == 0 { Ok(()) } else { each(&buffer[..filled], out) };
        }
        // Only the bytes just read can hold a new line feed, so a long line is not searched twice.
        if let Some(last) = memrchr(b'\n', &buffer[filled..filled + read]) {
            let end = filled + last + 1;
            each(&buffer[..end], out)?;
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

/// Returns the lines of a batch, without the `\n` or `\r\n` at their ends.
pub fn lines_of(batch: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = memchr_iter(b'\n', batch).chain((batch.last() != Some(&b'\n')).then_some(batch.len()));
    let mut start = 0;
    ends.map(move |end| {
        let line = &batch[start..end];
        start = end + 1;
        line.strip_suffix(b"\r").unwrap_or(line)
    })
}

/// A function that returns the JSON object to print for a text that has no answer. Its arguments are the text and the reason.
pub type ErrorObject = fn(&str, &str) -> Value;

/// Calls `write_answer` with each of `texts` or, if there are none, with each line of standard input. `write_answer` writes a line
/// of output, which this function ends.
///
/// A text has no answer if `write_answer` returns the reason for that, or if a line is not UTF-8. This is reported as a problem,
/// and the line of output is empty. With `object`, the line of output has the JSON object that `object` returns. A returned error
/// is about the output.
pub fn each_text(
    texts: &[String],
    object: Option<ErrorObject>,
    out: &mut Output,
    mut write_answer: impl FnMut(&str, &mut Output) -> io::Result<Result<(), String>>,
) -> io::Result<()> {
    let mut one = |number: Option<u64>, text: &[u8], out: &mut Output| {
        let done = match std::str::from_utf8(text) {
            Ok(text) => write_answer(text, out)?,
            Err(error) => Err(error.to_string()),
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
    let mut number = 0;
    each_batch(out, |batch, out| {
        for line in lines_of(batch) {
            number += 1;
            one(Some(number), line, out)?;
        }
        out.flush()
    })
}

/// Reports the problem that a text has no answer. `what` names the text in the message, and `why` is the reason. With `object`,
/// also writes the JSON object for the error, without a line end. A returned error is about the output.
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
