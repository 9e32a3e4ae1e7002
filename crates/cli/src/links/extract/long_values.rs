//! A search for long values of attributes and long style sheets, before a page is read.
//! A page without them can be read with little memory, however long the page is.
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

use memchr::{memchr_iter, memchr2, memchr2_iter, memrchr, memrchr3};

/// The number of bytes above which the value of an attribute is long.
const LONG_VALUE_LEN: usize = 8 << 10;
/// The number of bytes above which a style sheet is long. It is also the most bytes that all values of a tag which hold links can
/// have together, if none of them is long.
pub const LONG_STYLE_LEN: usize = 36 * LONG_VALUE_LEN;

/// The state of a search through a page, which is given in chunks.
#[derive(Default)]
pub struct LongValues {
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
    /// Searches the next chunk of the page. Reports whether the page up to the end of this chunk may have a long value or style
    /// sheet.
    pub fn search_chunk(&mut self, chunk: &[u8]) -> bool {
        let [double, space] = &mut self.gap_lens;
        self.found = self.found
            || memchr2(0, 0x1b, chunk).is_some()
            || search_for_gap(chunk, double, |text| memrchr(b'"', text))
            || search_for_gap(chunk, space, |text| memrchr3(b' ', b'\n', b'>', text))
            || self.search_for_long_single_quoted(chunk)
            || self.search_for_long_style(chunk);
        self.found
    }

    /// Searches the next chunk for single quotes. Reports whether a value in single quotes that reaches into this chunk may have
    /// more than [`LONG_VALUE_LEN`] bytes up to the end of the chunk.
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

    /// Searches the next chunk for the tags of style sheets. Reports whether a style sheet that reaches into this chunk may have
    /// more than [`LONG_STYLE_LEN`] bytes up to the end of the chunk.
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

/// Reports whether the longer of two texts ends with the shorter one, in upper or lower case.
fn ends_alike(one: &[u8], other: &[u8]) -> bool {
    let len = one.len().min(other.len());
    one[one.len() - len..].eq_ignore_ascii_case(&other[other.len() - len..])
}

/// Reports whether the page up to the end of this chunk has a gap of more than [`LONG_VALUE_LEN`] bytes. A gap is a part of the
/// page without a byte that ends values. `last_end` returns the index in a text of the last byte that ends values. When called,
/// `gap_len` is the number of bytes since the last such byte before the chunk. If the result is false, it becomes the number of
/// bytes since the last such byte before the end of the chunk.
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
}
