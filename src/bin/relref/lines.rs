//! Reads the texts of a command: its arguments, or standard input in batches of whole lines. The length of the longest line decides
//! how much memory that takes.

use std::io::{self, Read};

use memchr::{memchr_iter, memrchr};

use crate::output::{Output, quoted};

/// The size of the buffer in bytes, as long as no line is longer.
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

/// Calls `each` with each argument or, if there are none, with each line of standard input. A line that is not UTF-8 is reported,
/// and an empty line is written for it. A returned error is about the output.
pub fn each_text(
    texts: &[String],
    out: &mut Output,
    mut each: impl FnMut(&str, &mut Output) -> io::Result<()>,
) -> io::Result<()> {
    if !texts.is_empty() {
        return texts.iter().try_for_each(|text| each(text, out));
    }
    let mut number = 0;
    batches(out, |batch, out| {
        for line in lines(batch) {
            number += 1;
            match std::str::from_utf8(line) {
                Ok(text) => each(text, out)?,
                Err(error) => {
                    out.problem(format_args!("line {number}: {}", quoted(&String::from_utf8_lossy(line))), error);
                    out.end_line()?;
                }
            }
        }
        out.flush()
    })
}
