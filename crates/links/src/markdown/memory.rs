//! The memory that reading a page takes, before it is read.

use std::io;

use encoding_rs::{Encoding, UTF_8};

/// The most memory, in bytes, that reading a page may take: with all else, a command stays below 64 MiB.
const MAX_MEMORY: usize = 48 << 20;

/// The most memory, in bytes, that one byte of a page may take: that of most pages need not be counted.
const MAX_COST: usize = 330;

/// Fails for a page that would take more than [`MAX_MEMORY`]: the parser and the links of a page of marks take a hundred times its length.
pub(crate) fn check_memory(page: &[u8]) -> io::Result<()> {
    if page.len() > MAX_MEMORY / MAX_COST && memory(page) > MAX_MEMORY {
        let why = format!("its Markdown would take more than {} MiB of memory", MAX_MEMORY >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(())
}

/// Returns how much memory a page takes at most, in bytes. One in UTF-8 is taken to be read as that.
fn memory(page: &[u8]) -> usize {
    // A decoded character has up to three bytes, and a point that says where it was; two, while there are twice as many.
    const DECODED: usize = 27;
    let is_utf8 = || std::str::from_utf8(page).is_ok();
    let (width, decoded) = match Encoding::for_bom(page) {
        Some((charset, _)) if charset != UTF_8 => (2, DECODED * page.len() / 2),
        _ if is_utf8() => (1, 0),
        _ => (1, DECODED * page.iter().filter(|byte| !byte.is_ascii()).count()),
    };
    let near = |at: Option<usize>| at.and_then(|at| page.get(at)).copied().unwrap_or(b'\n');
    let marks = page
        .iter()
        .enumerate()
        .filter(|(_, byte)| byte.is_ascii_punctuation() || byte.is_ascii_control() || **byte == b'w');
    let cost = |(at, byte): (usize, &u8)| cost(near(at.checked_sub(width)), *byte, near(at.checked_add(width)));
    3 * page.len() + decoded + marks.map(cost).sum::<usize>()
}

/// Returns the most memory that a byte makes the parser, the links and the headings take: as measured, with what comes with it.
fn cost(before: u8, byte: u8, after: u8) -> usize {
    let is_end = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    match byte {
        b'\n' => 96,
        b'\r' if after != b'\n' => 96,
        // An item is in a list.
        b'-' | b'+' | b'*' if is_end(after) => 128,
        b'.' | b')' if before.is_ascii_digit() && is_end(after) => 128,
        // A heading.
        b'#' if is_end(after) => 160,
        b'-' | b'=' if is_end(before) => 160,
        b'[' => 112,
        b']' if after == b'(' => 272,
        b']' if after == b':' => 296,
        b']' => 40,
        // A footnote.
        b'^' if before == b'[' => 80,
        b'*' | b'_' | b'~' => 100,
        b'`' => 112,
        b'<' | b'>' | b'\\' | b'!' => 64,
        b'&' => 80,
        // A table.
        b'|' if before == b'-' || after == b'-' => 210,
        b'|' => 110,
        // An address.
        b'@' => 208,
        b'/' if before == b':' => 208,
        b'w' if before == b'w' && after == b'.' => 112,
        b'"' => 8,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of these took more than 64 MiB.
    #[test]
    fn pages_of_marks_are_refused() {
        let utf_16 =
            |text: &str| [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let pages: [(&str, Vec<u8>); 9] = [
            ("lists", "1) ".repeat(1_000_000).into()),
            ("items", "1. a\n".repeat(500_000).into()),
            ("lines", "a\n".repeat(600_000).into()),
            ("definitions", (0..150_000).map(|number| format!("[a{number}]: b\n")).collect::<String>().into()),
            ("links", "[a](b) ".repeat(150_000).into()),
            ("addresses", "a@b.cd\n".repeat(200_000).into()),
            ("windows-1252", b"\xE9 ".repeat(3_000_000)),
            ("UTF-16", utf_16(&"日 ".repeat(2_000_000))),
            ("UTF-16 lists", utf_16(&"1) ".repeat(400_000))),
        ];
        for (name, page) in pages {
            assert_eq!(check_memory(&page).map_err(|error| error.kind()), Err(io::ErrorKind::FileTooLarge), "{name}");
        }
    }

    #[test]
    fn pages_as_people_write_them_are_not() {
        const MEGABYTE: usize = 1 << 20;
        for lines in [
            "- [A name](https://github.com/owner/project) - What it is, in a *few* words. `MIT` `Rust`\n",
            "| [name](https://example.com/name) | `value` | 2019. | text_with_underscores |\n",
            "## Heading\n\nText with **strong** words, [links](a.md), and so on.\n\n",
            "[name]: https://example.com/a/longer/path \"title\"\n",
            "1. one\n2. two\n   - three\n",
            "Größe, naïveté, déjà vu, 日本語のテキスト。\n",
        ] {
            let page = lines.repeat(MEGABYTE / lines.len());
            assert!(check_memory(page.as_bytes()).is_ok(), "{lines} {}", memory(page.as_bytes()));
        }
    }
}
