//! The lines of a page that change, as a diff.

use std::io::{self, Write};
use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr};

use crate::output::{Output, quoted};

/// Lines end with a line feed. Bytes that are not UTF-8 are shown as U+FFFD.
pub fn write_diff(name: &str, page: &[u8], edits: &[(Range<u64>, String)], out: &mut Output) -> io::Result<()> {
    writeln!(out, "--- {name}\n+++ {name}")?;
    let (mut line, mut line_at, mut added) = (1, 0, 0);
    let mut rest = edits;
    while let [(first, _), ..] = rest {
        let start = memrchr(b'\n', &page[..index(first.start, page)]).map_or(0, |at| at + 1);
        let (mut end, mut count) = (start, 0);
        for (edit, _) in rest {
            if count > 0 && index(edit.start, page) >= end {
                break;
            }
            let edit_end = index(edit.end, page);
            end = memchr(b'\n', &page[edit_end..]).map_or(page.len(), |at| edit_end + at + 1);
            count += 1;
        }
        let (changed, after) = rest.split_at(count);
        rest = after;
        let mut new = Vec::new();
        let mut at = start;
        for (edit, text) in changed {
            new.extend_from_slice(&page[at..index(edit.start, page)]);
            new.extend_from_slice(text.as_bytes());
            at = index(edit.end, page);
        }
        new.extend_from_slice(&page[at..end]);
        line += memchr_iter(b'\n', &page[line_at..start]).count();
        line_at = start;
        let (old_lines, new_lines) = (lines(&page[start..end]), lines(&new));
        let new_line = (line as i64 + added) as u64;
        writeln!(out, "@@ -{line},{} +{new_line},{} @@", old_lines.len(), new_lines.len())?;
        added += new_lines.len() as i64 - old_lines.len() as i64;
        for (sign, lines) in [("-", old_lines), ("+", new_lines)] {
            for line in lines {
                writeln!(out, "{sign}{}", quoted(&line).replace("\\t", "\t"))?;
            }
        }
    }
    Ok(())
}

fn index(offset: u64, page: &[u8]) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX).min(page.len())
}

fn lines(text: &[u8]) -> Vec<String> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    text.split(|byte| *byte == b'\n').map(|line| String::from_utf8_lossy(line).into_owned()).collect()
}
