//! Reads the texts of a command: its arguments, or standard input in batches of whole lines. The length of the longest line decides
//! how much memory that takes.

use std::fmt::Display;
use std::io::{self, Read};

use memchr::{memchr_iter, memrchr};
use serde_json::Value;

use crate::output::{Output, quoted};

/// The least size of the buffer in bytes. It grows for a longer line.
const BATCH: usize = 1 << 16;

/// Reads standard input to its end, and calls `each` with batches of whole lines. The last line may have no line feed. A read error
/// is reported in `out`, and counts as the end. A returned error is about the output.
pub fn batches(out: &mut Output, mut each: impl FnMut(&[u8], &mut Output) -> io::Result<()>) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut buffer = vec![0; BATCH];
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
            if buffer.len() > BATCH && filled < BATCH {
                buffer.truncate(BATCH);
                buffer.shrink_to_fit();
            }
        } else {
            filled += read;
        }
    }
}

/// Returns the lines of a batch, without their `\n` or `\r\n`.
pub fn lines(batch: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = memchr_iter(b'\n', batch).chain((batch.last() != Some(&b'\n')).then_some(batch.len()));
    let mut start = 0;
    ends.map(move |end| {
        let line = &batch[start..end];
        start = end + 1;
        line.strip_suffix(b"\r").unwrap_or(line)
    })
}

/// A function that returns the JSON object for a text that has no answer. It is called with the text and the reason.
pub type ErrorObject = fn(&str, &str) -> Value;

/// Calls `answer` with each argument or, if there are none, with each line of standard input, and ends the line that it writes. If
/// it returns the reason why a text has no answer, or a line is not UTF-8, that is a problem. For such a text, writes what `object`
/// returns, and nothing if `object` is `None`. A returned error is about the output.
pub fn each_text(
    texts: &[String],
    object: Option<ErrorObject>,
    out: &mut Output,
    mut answer: impl FnMut(&str, &mut Output) -> io::Result<Result<(), String>>,
) -> io::Result<()> {
    let mut one = |number: Option<u64>, text: &[u8], out: &mut Output| {
        let done = match std::str::from_utf8(text) {
            Ok(text) => answer(text, out)?,
            Err(error) => Err(error.to_string()),
        };
        if let Err(why) = done {
            let text = String::from_utf8_lossy(text);
            let line = number.map_or(String::new(), |number| format!("line {number}: "));
            no_answer(format_args!("{line}{}", quoted(&text)), &text, &why, object, out)?;
        }
        out.end_line()
    };
    if !texts.is_empty() {
        return texts.iter().try_for_each(|text| one(None, text.as_bytes(), out));
    }
    let mut number = 0;
    batches(out, |batch, out| {
        for line in lines(batch) {
            number += 1;
            one(Some(number), line, out)?;
        }
        out.flush()
    })
}

/// Reports that a text has no answer: `what` names it in the message. Writes nothing to its line of output or, with `object`, an
/// object.
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
