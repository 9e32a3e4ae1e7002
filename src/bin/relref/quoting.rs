//! Quoting: writes texts so that they cannot end a line, and cannot control the terminal that shows them.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// Reports whether a character is unsafe in a line: a control character (C0, DEL, C1), a line separator, or a character that
/// sets the direction of the text after it.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Reports whether a text has only printable US-ASCII characters, so that none is unsafe. Nearly every text has only these.
fn is_printable_ascii(text: &str) -> bool {
    // Checking all bytes without an early exit is faster, since it is vectorized.
    text.bytes().fold(true, |all, byte| all & (0x20..0x7F).contains(&byte))
}

/// Percent-encodes the unsafe characters of a text from byte `start` to the end.
pub fn percent_from(text: &mut String, start: usize) {
    if !is_printable_ascii(&text[start..]) && text[start..].contains(is_unsafe) {
        let rest = text.split_off(start);
        push_encoded(text, &rest, is_unsafe);
    }
}

/// Appends a text to `out`. Percent-encodes the characters for which `is_encoded` returns true.
fn push_encoded(out: &mut String, text: &str, is_encoded: impl Fn(char) -> bool) {
    for c in text.chars() {
        if is_encoded(c) { out.extend(c.to_string().bytes().map(escape)) } else { out.push(c) }
    }
}

/// Writes a text with its unsafe characters percent-encoded.
pub fn percent(out: &mut impl Write, text: &str) -> io::Result<()> {
    if is_printable_ascii(text) {
        return out.write_all(text.as_bytes());
    }
    pieces(text, |piece, c| {
        out.write_all(piece.as_bytes())?;
        c.encode_utf8(&mut [0; 4]).bytes().try_for_each(|byte| write!(out, "%{byte:02X}"))
    })
    .and_then(|rest| out.write_all(rest.as_bytes()))
}

/// Writes a text as a JSON string in double quotes, with its unsafe characters escaped.
pub fn json(out: &mut impl Write, text: &str) -> io::Result<()> {
    let is_unchanged =
        text.bytes().fold(true, |all, byte| all & (0x20..0x7F).contains(&byte) & (byte != b'"') & (byte != b'\\'));
    if is_unchanged {
        out.write_all(b"\"")?;
        out.write_all(text.as_bytes())?;
        return out.write_all(b"\"");
    }
    Ok(text.serialize(&mut json_writer(out))?)
}

/// Returns the name of a file with its unsafe characters, its bytes that are not UTF-8, and `%` percent-encoded. Different paths
/// have different names.
pub fn file_name(path: &Path) -> String {
    let mut name = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        push_encoded(&mut name, chunk.valid(), |c| c == '%' || is_unsafe(c));
        name.extend(chunk.invalid().iter().copied().map(escape));
    }
    name
}

/// Returns a byte as an escape.
fn escape(byte: u8) -> String {
    format!("%{byte:02X}")
}

/// Returns a serializer that writes JSON. It also escapes the unsafe characters that JSON allows in a string.
pub fn json_writer<W: Write>(out: W) -> Serializer<W, EscapeUnsafe> {
    Serializer::with_formatter(out, EscapeUnsafe)
}

/// A format of JSON in one line, with unsafe characters escaped.
pub struct EscapeUnsafe;

impl Formatter for EscapeUnsafe {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        if is_printable_ascii(text) {
            return out.write_all(text.as_bytes());
        }
        let rest = pieces(text, |piece, c| {
            out.write_all(piece.as_bytes())?;
            write!(out, "\\u{:04x}", u32::from(c))
        })?;
        out.write_all(rest.as_bytes())
    }
}

/// Calls `each` for each unsafe character, with the safe text before it. Returns the safe text after the last unsafe character.
fn pieces(text: &str, mut each: impl FnMut(&str, char) -> io::Result<()>) -> io::Result<&str> {
    let mut start = 0;
    for (at, c) in text.char_indices().filter(|(_, c)| is_unsafe(*c)) {
        each(&text[start..at], c)?;
        start = at + c.len_utf8();
    }
    Ok(&text[start..])
}
