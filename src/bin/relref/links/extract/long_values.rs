//! Long values of attributes and style sheets, looked for before a page is read: one without them takes little memory, however
//! long it is.
//!
//! The search does not know where tags are, so nothing on a page can mislead it. Wherever a value may start, its end is looked
//! for:
//!
//! - A value in double quotes ends at the next `"`: none is long if every stretch of the page has one.
//! - A value without quotes, or a name, ends at white space or `>`: the same.
//! - A value in single quotes starts with one after a `=` and ends at the next.
//! - A style sheet starts at `<style` and ends at `</style`.
//!
//! A page with NULs or escape characters may be in an encoding in which these bytes mean something else, and counts as long.

use memchr::{memchr_iter, memchr2, memchr2_iter, memrchr, memrchr3};

/// The length in bytes from which a value is long.
const LONG: usize = 8 << 10;
/// The most bytes that the values of a tag have together if none is long, each attribute that holds links once; and the length
/// in bytes of the longest style sheet that is not long.
pub const SHORT: usize = 36 * LONG;

/// A search through the blocks of a page.
#[derive(Default)]
pub struct LongValues {
    /// The number of bytes after the last double quote, and after the last white space or `>`.
    gaps: [usize; 2],
    /// The number of bytes after a single quote that may start a value.
    single: Option<usize>,
    /// The number of bytes after the start of a style sheet.
    style: Option<usize>,
    found: bool,
}

impl LongValues {
    /// Searches the next block; reports whether a long value may have been found so far.
    pub fn search(&mut self, block: &[u8]) -> bool {
        let [double, space] = &mut self.gaps;
        self.found = self.found
            || memchr2(0, 0x1b, block).is_some()
            || has_gap(block, double, |part| memrchr(b'"', part))
            || has_gap(block, space, |part| memrchr3(b' ', b'\n', b'>', part))
            || self.has_single(block)
            || self.has_style(block);
        self.found
    }

    fn has_single(&mut self, block: &[u8]) -> bool {
        let mut at = 0;
        for quote in memchr_iter(b'\'', block) {
            if self.single.is_some_and(|before| before + quote - at > LONG) {
                return true;
            }
            let start = block[..quote].trim_ascii_end();
            self.single = (start.is_empty() || start.ends_with(b"=")).then_some(0);
            at = quote;
        }
        self.single = self.single.map(|before| before + block.len() - at);
        self.single.is_some_and(|before| before > LONG)
    }

    fn has_style(&mut self, block: &[u8]) -> bool {
        let mut at = 0;
        for letter in memchr2_iter(b'y', b'Y', block) {
            // Of a name that lies across two blocks the part in this one has to fit.
            let (before, after) = (&block[letter.saturating_sub(4)..letter], &block[letter..]);
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
        self.style = self.style.map(|before| before + block.len() - at);
        self.style.is_some_and(|before| before > SHORT)
    }
}

/// Reports whether the shorter text ends the longer one, in any case.
fn ends_alike(one: &[u8], other: &[u8]) -> bool {
    let len = one.len().min(other.len());
    one[one.len() - len..].eq_ignore_ascii_case(&other[other.len() - len..])
}

/// Reports whether more than [`LONG`] bytes have no end of a value; `gap` is the number of those before the block, and after it
/// of those at its end. Looks at few bytes.
fn has_gap(block: &[u8], gap: &mut usize, last_end: impl Fn(&[u8]) -> Option<usize>) -> bool {
    let mut rest = block;
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

    /// Searches a page in blocks of a length.
    fn is_long(page: &str, len: usize) -> bool {
        let mut search = LongValues::default();
        page.as_bytes().chunks(len).map(|block| search.search(block)).last().unwrap_or(false)
    }

    #[test]
    fn long_values_are_found_wherever_they_may_be() {
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
