//! Quoting: writes texts so that they cannot end a line, and cannot control the terminal that shows them.
//! Characters that could do this are called unsafe.

use std::io::{self, Write};
use std::path::Path;

use relref::private::all;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// True for characters that could end a line, control a terminal, or set the direction of the text after them.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// No printable US-ASCII character is unsafe, and nearly every text has only those.
#[inline]
fn is_printable_ascii(text: &str) -> bool {
    all(text.as_bytes(), |byte| (0x20..0x7F).contains(&byte))
}

/// Splits a text into parts, each with the unsafe character after it. Only the last part may have none.
fn split_after_unsafe(text: &str) -> impl Iterator<Item = (&str, Option<char>)> {
    text.split_inclusive(is_unsafe).map(|part| match part.char_indices().next_back() {
        Some((at, last)) if is_unsafe(last) => (&part[..at], Some(last)),
        _ => (part, None),
    })
}

/// Appends a text with `quote` applied to each unsafe character.
pub fn push_quoted(out: &mut String, text: &str, quote: impl Fn(char) -> String) {
    if is_printable_ascii(text) {
        return out.push_str(text);
    }
    for (text, last) in split_after_unsafe(text) {
        out.push_str(text);
        out.extend(last.map(&quote));
    }
}

#[inline(always)]
fn write_quoted<W: Write + ?Sized>(out: &mut W, text: &str, quote: impl Fn(char) -> String) -> io::Result<()> {
    if is_printable_ascii(text) { out.write_all(text.as_bytes()) } else { write_in_parts(out, text, quote) }
}

/// The result may be much longer than `text`.
#[cold]
fn write_in_parts<W: Write + ?Sized>(out: &mut W, text: &str, quote: impl Fn(char) -> String) -> io::Result<()> {
    split_after_unsafe(text).try_for_each(|(text, last)| {
        out.write_all(text.as_bytes())?;
        last.map_or(Ok(()), |c| out.write_all(quote(c).as_bytes()))
    })
}

/// Percent-encodes unsafe characters from byte `start` to the end.
pub fn percent_from(text: &mut String, start: usize) {
    if !is_printable_ascii(&text[start..]) && text[start..].contains(is_unsafe) {
        let rest = text.split_off(start);
        push_quoted(text, &rest, percent_encoded);
    }
}

#[inline(always)]
pub fn percent(out: &mut impl Write, text: &str) -> io::Result<()> {
    write_quoted(out, text, percent_encoded)
}

/// Writes a text as [`shown`](crate::output::shown) returns it.
pub fn write_shown(out: &mut impl Write, text: &str) -> io::Result<()> {
    if text.is_empty() { out.write_all(b"\"\"") } else { write_quoted(out, text, |c| c.escape_default().collect()) }
}

pub fn json(out: &mut impl Write, text: &str) -> io::Result<()> {
    if all(text.as_bytes(), |byte| (0x20..0x7F).contains(&byte) & (byte != b'"') & (byte != b'\\')) {
        out.write_all(b"\"")?;
        out.write_all(text.as_bytes())?;
        return out.write_all(b"\"");
    }
    Ok(text.serialize(&mut json_writer(out))?)
}

/// Percent-encodes unsafe characters, bytes that are not UTF-8, and `%`, so different paths give different texts.
pub fn file_name(path: &Path) -> String {
    name(path, true)
}

/// Returns a path as an editor opens it: percent-encoded are only unsafe characters, and bytes that are not UTF-8.
pub fn path_name(path: &Path) -> String {
    name(path, false)
}

fn name(path: &Path, encodes_percent: bool) -> String {
    // Most are.
    let is_plain = |name: &&str| is_printable_ascii(name) && !(encodes_percent && name.contains('%'));
    if let Some(plain) = path.to_str().filter(is_plain) {
        return plain.to_owned();
    }
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        let percent = if encodes_percent { "%25" } else { "%" };
        push_quoted(&mut name, &chunk.valid().replace('%', percent), percent_encoded);
        name.extend(chunk.invalid().iter().copied().map(percent_encoded_byte));
    }
    name
}

fn percent_encoded(c: char) -> String {
    c.to_string().bytes().map(percent_encoded_byte).collect()
}

fn percent_encoded_byte(byte: u8) -> String {
    format!("%{byte:02X}")
}

pub fn json_writer<W: Write>(out: W) -> Serializer<W, QuoteUnsafe> {
    Serializer::with_formatter(out, QuoteUnsafe)
}

/// JSON in one line, with the unsafe characters quoted that JSON allows, such as `\u009b`.
pub struct QuoteUnsafe;

impl Formatter for QuoteUnsafe {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        write_quoted(out, text, |c| format!("\\u{:04x}", u32::from(c)))
    }
}

/// For text and values in quotes of a page.
pub fn escaped_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_cannot_end_a_line() {
        for (path, expected) in [
            ("a b/c.html", "a b/c.html"),
            ("100%", "100%25"),
            ("a\u{1}b\n", "a%01b%0A"),
            ("日本/é%", "日本/é%25"),
            ("\u{202E}x", "%E2%80%AEx"),
            ("", ""),
        ] {
            assert_eq!(file_name(Path::new(path)), expected, "{path:?}");
            assert_eq!(path_name(Path::new(path)), expected.replace("%25", "%"), "{path:?}");
        }
    }
}
