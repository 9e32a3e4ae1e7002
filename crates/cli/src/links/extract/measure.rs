//! Measures of a page in a file, from which the memory to read it is estimated. A page without long values of attributes and long
//! style sheets can be read with little memory, however long it is. To claim the most for each page longer than 2 MiB instead
//! lets only one of them be read at a time: with two threads, the documentation of Rust's library takes 1.3 times as long.
//!
//! The search does not know where tags are, so no page can mislead it. It looks for the end of a value after each place where a
//! value may start:
//!
//! - A value in double quotes ends at the next `"`. If each part of the page without `"` is short, no such value is long.
//! - A value without quotes, or a name, ends at white space or `>`. If each part of the page without these is short, no such value
//!   is long.
//! - A value in single quotes starts at a `'` after a `=`, and ends at the next `'`.
//! - A style sheet starts at `<style`, and ends at `</style`.
//!
//! If a page has NULs or the control character ESC (0x1B), these bytes may have other meanings in its character encoding. Such a
//! page counts as one with long values.

use std::io::{self, Read};

use memchr::{memchr_iter, memchr2, memchr2_iter, memrchr, memrchr3};
use relref_links::archive::ReadSeek;

/// The number of bytes above which the value of an attribute is long.
const LONG_VALUE_LEN: usize = 8 << 10;
/// The number of bytes above which a style sheet is long. It is also the most bytes that all values of a tag which hold links can
/// have together, if none of them is long.
pub const LONG_STYLE_LEN: usize = 36 * LONG_VALUE_LEN;

#[derive(Debug, Default, PartialEq)]
pub struct Measures {
    /// The number of bytes that are not US-ASCII.
    pub non_ascii: u64,
    /// True if the page may have a long value of an attribute, or a long style sheet.
    pub has_long_values: bool,
}

/// Measures a page, and rewinds its file. `buffer` is overwritten.
pub fn measure(file: &mut impl ReadSeek, buffer: &mut Vec<u8>) -> io::Result<Measures> {
    let (mut measures, mut search) = (Measures::default(), LongValues::default());
    loop {
        buffer.clear();
        if (&mut *file).take(64 << 10).read_to_end(buffer)? == 0 {
            file.rewind()?;
            return Ok(measures);
        }
        measures.non_ascii += count_non_ascii(buffer);
        measures.has_long_values = search.search_chunk(buffer);
    }
}

pub fn count_non_ascii(bytes: &[u8]) -> u64 {
    // The sum of so many bits fits in a byte, so that the compiler adds up sixteen bytes with one instruction; none are left over.
    bytes.chunks(240).map(|part| u64::from(part.iter().map(|byte| byte >> 7).sum::<u8>())).sum()
}

/// The state of a search through a page, which is given in chunks.
#[derive(Default)]
struct LongValues {
    /// The number of bytes since the last double quote, and the number of bytes since the last space, line feed or `>`.
    gap_lens: [usize; 2],
    /// The number of bytes since the last single quote that may start a value. `None` if the last single quote does not start one.
    single_quoted_len: Option<usize>,
    /// The number of bytes since the start of the current style sheet. `None` outside of style sheets.
    style_len: Option<usize>,
    /// True if an earlier chunk may have had a long value or style sheet.
    found: bool,
}

impl LongValues {
    /// Searches the next chunk. Returns true if the page up to its end may have a long value or style sheet.
    fn search_chunk(&mut self, chunk: &[u8]) -> bool {
        let [double, space] = &mut self.gap_lens;
        self.found = self.found
            || memchr2(0, 0x1b, chunk).is_some()
            || search_for_gap(chunk, double, |text| memrchr(b'"', text))
            || search_for_gap(chunk, space, |text| memrchr3(b' ', b'\n', b'>', text))
            || self.search_for_long_single_quoted(chunk)
            || self.search_for_long_style(chunk);
        self.found
    }

    fn search_for_long_single_quoted(&mut self, chunk: &[u8]) -> bool {
        let mut at = 0;
        for quote in memchr_iter(b'\'', chunk) {
            if self.single_quoted_len.is_some_and(|before| before + quote - at > LONG_VALUE_LEN) {
                return true;
            }
            let start = chunk[..quote].trim_ascii_end();
            self.single_quoted_len = (start.is_empty() || start.ends_with(b"=")).then_some(0);
            at = quote;
        }
        self.single_quoted_len = self.single_quoted_len.map(|before| before + chunk.len() - at);
        self.single_quoted_len.is_some_and(|before| before > LONG_VALUE_LEN)
    }

    fn search_for_long_style(&mut self, chunk: &[u8]) -> bool {
        let mut at = 0;
        for letter in memchr2_iter(b'y', b'Y', chunk) {
            // If a name lies across two chunks, what is in this chunk must fit.
            let (before, after) = (&chunk[letter.saturating_sub(4)..letter], &chunk[letter..]);
            let name_ends = ends_alike(b"</st", before) || ends_alike(b"<st", before);
            let starts_alike = after[..after.len().min(3)].eq_ignore_ascii_case(&b"yle"[..after.len().min(3)]);
            if !name_ends || !starts_alike {
                continue;
            }
            let is_end = before.eq_ignore_ascii_case(b"</st")
                && after.get(3).is_some_and(|byte| byte.is_ascii_whitespace() || b"/>".contains(byte));
            if self.style_len.is_some_and(|before| before + letter - at > LONG_STYLE_LEN) {
                return true;
            }
            self.style_len = if is_end { None } else { self.style_len.map(|before| before + letter - at).or(Some(0)) };
            at = letter;
        }
        self.style_len = self.style_len.map(|before| before + chunk.len() - at);
        self.style_len.is_some_and(|before| before > LONG_STYLE_LEN)
    }
}

/// The longer text ends with the shorter one, in upper or lower case.
fn ends_alike(one: &[u8], other: &[u8]) -> bool {
    let len = one.len().min(other.len());
    one[one.len() - len..].eq_ignore_ascii_case(&other[other.len() - len..])
}

/// Returns true if the page up to the end of this chunk has more than [`LONG_VALUE_LEN`] bytes without one that ends values.
/// `gap_len` is the number of bytes since the last such byte.
///
/// Looks at few bytes: it goes forward as far as a value that is not long may reach, and from there backward to the nearest end of
/// a value.
fn search_for_gap(chunk: &[u8], gap_len: &mut usize, last_end: impl Fn(&[u8]) -> Option<usize>) -> bool {
    let mut rest = chunk;
    while *gap_len + rest.len() > LONG_VALUE_LEN {
        let Some(at) = last_end(&rest[..(LONG_VALUE_LEN - *gap_len).min(rest.len())]) else { return true };
        rest = &rest[at + 1..];
        *gap_len = 0;
    }
    *gap_len = match last_end(rest) {
        Some(at) => rest.len() - at - 1,
        None => *gap_len + rest.len(),
    };
    false
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};

    use super::*;

    /// Searches a page in chunks of `len` bytes. Reports whether it may have a long value or style sheet.
    fn is_long(page: &str, len: usize) -> bool {
        let mut search = LongValues::default();
        page.as_bytes().chunks(len).map(|chunk| search.search_chunk(chunk)).last().unwrap_or(false)
    }

    #[test]
    fn long_values_are_found_in_all_places() {
        let text = "<p class=\"a\">it's <b>text</b></p>\n".repeat(2000);
        let tags = "<i a=\"b\"> ";
        for (start, filling, end, longest) in [
            ("<a href=\"", "x ", "\">", LONG_VALUE_LEN),
            ("<a href=", "\"", ">", LONG_VALUE_LEN),
            ("<a href= \n'", "\"x> ", "'>", LONG_VALUE_LEN),
            ("<a", "\"", ">", LONG_VALUE_LEN),
            ("<STyle>", tags, "</stYLE >", LONG_STYLE_LEN),
            ("<style>", tags, "</stylex></ style></styl", LONG_STYLE_LEN),
            ("<style x>", "<style> \"", "</style>", LONG_STYLE_LEN),
        ] {
            for len in [7, 1000, 65_536] {
                let page = |times| [&text, start, &filling.repeat(times), end, &text].concat();
                assert!(is_long(&page(longest / filling.len() + 5), len), "{start}, {len}");
            }
            let is_closed = end != "</stylex></ style></styl";
            let page = [&text, start, &filling.repeat(longest / filling.len() * 9 / 10), end, &text].concat();
            assert_eq!(is_long(&page, 1 << 20), !is_closed, "{start}");
        }
        for page in ["<\0a\0", "\u{1b}$B"] {
            assert!(is_long(page, 100));
        }
    }

    #[test]
    fn files_are_measured_from_their_start() {
        for (page, non_ascii, has_long_values) in [
            (String::new(), 0, false),
            ("<p>é</p> \"".repeat(20_000), 40_000, false),
            (format!("<a href='{}'>", "x".repeat(9000)), 0, true),
        ] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(page.as_bytes()).unwrap();
            file.rewind().unwrap();
            for _ in 0..2 {
                let measures = measure(&mut file, &mut Vec::new()).unwrap();
                assert_eq!(measures, Measures { non_ascii, has_long_values });
            }
        }
        assert_eq!(count_non_ascii(&[0xFF; 1000]), 1000);
        assert_eq!(count_non_ascii(&[0x7F; 1000]), 0);
    }
}
