//! A search for long values of attributes and long style sheets, before a page is read. A page without them can be read with little
//! memory, however long the page is.
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
//! If a page has NULs or escape characters, these bytes may have other meanings in its character encoding. Such a page counts as
//! one with long values.

use memchr::{memchr_iter, memchr2, memchr2_iter, memrchr, memrchr3};

/// The number of bytes above which a value is long.
const LONG: usize = 8 << 10;
/// The number of bytes above which a style sheet is long. If no value is long, all values of a tag together have no more bytes
/// either, with one value of each attribute that holds links.
pub const SHORT: usize = 36 * LONG;

/// The state of a search through a page, which is given part by part.
#[derive(Default)]
pub struct LongValues {
    /// The number of bytes since the last double quote, and the number since the last white space or `>`.
    gaps: [usize; 2],
    /// The number of bytes since a single quote that may start a value. `None` if there is no such quote.
    single: Option<usize>,
    /// The number of bytes since the start of a style sheet. `None` outside of style sheets.
    style: Option<usize>,
    /// True if a long value may have been found.
    found: bool,
}

impl LongValues {
    /// Searches the next part of the page. Reports whether this part or an earlier one may have a long value.
    pub fn search(&mut self, part: &[u8]) -> bool {
        let [double, space] = &mut self.gaps;
        self.found = self.found
            || memchr2(0, 0x1b, part).is_some()
            || has_gap(part, double, |text| memrchr(b'"', text))
            || has_gap(part, space, |text| memrchr3(b' ', b'\n', b'>', text))
            || self.has_single(part)
            || self.has_style(part);
        self.found
    }

    /// Reports whether a value in single quotes becomes long in this part.
    fn has_single(&mut self, part: &[u8]) -> bool {
        let mut at = 0;
        for quote in memchr_iter(b'\'', part) {
            if self.single.is_some_and(|before| before + quote - at > LONG) {
                return true;
            }
            let start = part[..quote].trim_ascii_end();
            self.single = (start.is_empty() || start.ends_with(b"=")).then_some(0);
            at = quote;
        }
        self.single = self.single.map(|before| before + part.len() - at);
        self.single.is_some_and(|before| before > LONG)
    }

    /// Reports whether a style sheet becomes long in this part.
    fn has_style(&mut self, part: &[u8]) -> bool {
        let mut at = 0;
        for letter in memchr2_iter(b'y', b'Y', part) {
            // If a name lies across two parts, what is in this part must fit.
            let (before, after) = (&part[letter.saturating_sub(4)..letter], &part[letter..]);
            let name_ends = ends_alike(b"</st", before) || ends_alike(b"<st", before);
            let starts_alike = after[..after.len().min(3)].eq_ignore_ascii_case(&b"yle"[..after.len().min(3)]);
            if !name_ends || !starts_alike {
                continue;
            }
            let is_end = before.eq_ignore_ascii_case(b"</st")
                && after.get(3).is_some_and(|byte| byte.is_ascii_whitespace() || b"/>".contains(byte));
            if self.style.is_some_and(|before| before + letter - at > SHORT) {
                return true;
            }
            self.style = if is_end { None } else { self.style.map(|before| before + letter - at).or(Some(0)) };
            at = letter;
        }
        self.style = self.style.map(|before| before + part.len() - at);
        self.style.is_some_and(|before| before > SHORT)
    }
}

/// Reports whether the longer of two texts ends with the shorter one. Ignores case.
fn ends_alike(one: &[u8], other: &[u8]) -> bool {
    let len = one.len().min(other.len());
    one[one.len() - len..].eq_ignore_ascii_case(&other[other.len() - len..])
}

/// Reports whether there is a gap of more than [`LONG`] bytes: a text without a byte that ends values. `last_end` finds the last
/// such byte in a text. `gap` is the number of bytes since the last such byte: before this part, and after the call at the end of
/// this part.
///
/// Looks at few bytes: it goes forward as far as a value that is not long may reach, and from there backward to the nearest end of
/// a value.
fn has_gap(part: &[u8], gap: &mut usize, last_end: impl Fn(&[u8]) -> Option<usize>) -> bool {
    let mut rest = part;
    while *gap + rest.len() > LONG {
        let Some(at) = last_end(&rest[..(LONG - *gap).min(rest.len())]) else { return true };
        rest = &rest[at + 1..];
        *gap = 0;
    }
    *gap = match last_end(rest) {
        Some(at) => rest.len() - at - 1,
        None => *gap + rest.len(),
    };
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches a page in parts of `len` bytes.
    fn is_long(page: &str, len: usize) -> bool {
        let mut search = LongValues::default();
        page.as_bytes().chunks(len).map(|part| search.search(part)).last().unwrap_or(false)
    }

    #[test]
    fn long_values_are_found_in_all_places() {
        let text = "<p class=\"a\">it's <b>text</b></p>\n".repeat(2000);
        let tags = "<i a=\"b\"> ";
        for (start, filling, end, longest) in [
            ("<a href=\"", "x ", "\">", LONG),
            ("<a href=", "\"", ">", LONG),
            ("<a href= \n'", "\"x> ", "'>", LONG),
            ("<a", "\"", ">", LONG),
            ("<STyle>", tags, "</stYLE >", SHORT),
            ("<style>", tags, "</stylex></ style></styl", SHORT),
            ("<style x>", "<style> \"", "</style>", SHORT),
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
