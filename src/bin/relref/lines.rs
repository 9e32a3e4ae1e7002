//! Standard input, by whole lines in blocks: memory is that of the longest line.

use std::io::{self, Read};

use memchr::{memchr_iter, memrchr};

use crate::output::Output;

const BLOCK: usize = 1 << 16;

/// Reads standard input until its end and hands over blocks of whole lines; a last line without its line feed is handed
/// over too. An error of reading is reported; those that come back are of output.
pub fn blocks(out: &mut Output, mut each: impl FnMut(&[u8], &mut Output) -> io::Result<()>) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut buffer = vec![0; BLOCK];
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
        // Only what was just read can hold the line feed: a long line is not searched twice.
        if let Some(last) = memrchr(b'\n', &buffer[filled..filled + read]) {
            let end = filled + last + 1;
            each(&buffer[..end], out)?;
            buffer.copy_within(end..filled + read, 0);
            filled = filled + read - end;
            if buffer.len() > BLOCK && filled < BLOCK {
                buffer.truncate(BLOCK);
                buffer.shrink_to_fit();
            }
        } else {
            filled += read;
        }
    }
}

/// The lines of a block, without `\n` or `\r\n`.
pub fn lines(block: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends = memchr_iter(b'\n', block).chain((block.last() != Some(&b'\n')).then_some(block.len()));
    let mut start = 0;
    ends.map(move |end| {
        let line = &block[start..end];
        start = end + 1;
        line.strip_suffix(b"\r").unwrap_or(line)
    })
}
