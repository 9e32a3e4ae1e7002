//! Writes a reference as its place needs it: escapes, character references and quotes, in the page's character encoding.

use std::borrow::Cow;
use std::fmt::Write;

use encoding_rs::{EncoderResult, Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use crate::changed_part::changed_part;
use crate::html::{Occurrence, TextKind, decode_reference};

/// The number of bytes in which a character reference is looked for: more than one needs after its end to be certain.
const LOOKAHEAD: usize = 40;

/// The page that a reference is written into.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub(super) charset: &'static Encoding,
    /// Readers of XML refuse `&` and `<` that start nothing.
    pub(super) is_xml: bool,
}

impl Target {
    /// Returns the text to write for `reference`: all of its characters are in the page's character encoding. `None` for the reference
    /// as it is, if it is [plain](is_plain).
    pub(super) fn text(self, reference: &str, occurrence: &Occurrence<'_>) -> Option<String> {
        // After an escape, a digit could belong to it.
        let has_quote = occurrence.quote().is_some();
        if is_plain(reference, has_quote) && !(occurrence.is_css() && occurrence.before().contains(&b'\\')) {
            return None;
        }
        let css;
        let (mut text, mut reference) = (String::with_capacity(reference.len() + 2), reference);
        if occurrence.is_css() {
            css = self.in_css(reference, occurrence);
            reference = &css;
        }
        let quote = occurrence.quote();
        let is_attribute = occurrence.kind() == TextKind::Attribute;
        let new_quote =
            if is_attribute && quote.is_none() && occurrence.is_whole() { needed_quote(reference) } else { None };
        let is_unquoted = is_attribute && quote.or(new_quote).is_none();
        let quote = quote.or(new_quote).filter(|_| is_attribute).map(char::from);
        text.extend(new_quote.map(char::from));
        self.escape_into(&mut text, reference, occurrence, quote, is_unquoted);
        text.extend(new_quote.map(char::from));
        Some(text)
    }

    /// Returns the text to write for `reference` with the ends that it has in common with the old one as they are written. `None` if the
    /// old one has no character reference.
    pub(super) fn text_around(self, reference: &str, occurrence: &Occurrence<'_>) -> Option<String> {
        let written = occurrence.written().0;
        let has_references = matches!(occurrence.kind(), TextKind::Text | TextKind::Attribute) && !occurrence.is_css();
        if self.charset != UTF_8 || !has_references || !written.contains(&b'&') {
            return None;
        }
        let written = std::str::from_utf8(written).ok()?;
        let unit = |written: &str, text: &mut String| {
            let mut decoded = Vec::new();
            let reference =
                written.starts_with('&').then(|| decode_reference(written.as_bytes(), occurrence.kind(), &mut decoded));
            match reference.flatten() {
                Some(len) => {
                    text.push_str(&String::from_utf8_lossy(&decoded));
                    len
                }
                None => {
                    let first = written.chars().next().unwrap_or_default();
                    text.push(first);
                    first.len_utf8()
                }
            }
        };
        let (changed, new) = changed_part(written, reference, unit)?;
        let mut text = written[..changed.start].to_owned();
        let quote = occurrence.quote().map(char::from);
        let is_unquoted = occurrence.kind() == TextKind::Attribute && quote.is_none();
        self.escape_into(&mut text, &reference[new], occurrence, quote, is_unquoted);
        text.push_str(&written[changed.end..]);
        // An empty value needs quotes, and a quote at its start would be one around it.
        let needs_quotes = is_unquoted && matches!(text.as_bytes(), [] | [b'"' | b'\'', ..]);
        Some(text).filter(|_| !needs_quotes)
    }

    /// Appends a part of a reference with character references where it needs them.
    fn escape_into(
        self,
        text: &mut String,
        reference: &str,
        occurrence: &Occurrence<'_>,
        quote: Option<char>,
        is_unquoted: bool,
    ) {
        let escapes_all = self.is_xml || occurrence.written().0.windows(5).any(|bytes| bytes == b"&amp;");
        for (at, c) in reference.char_indices() {
            let is_special = match c {
                '&' => self.is_reference(&reference[at..], occurrence, escapes_all),
                '<' => self.is_xml && occurrence.kind() != TextKind::Cdata,
                '"' | '\'' => Some(c) == quote || is_unquoted,
                '>' => is_unquoted,
                c if c.is_ascii() => is_unquoted && c.is_ascii_whitespace() || !self.has(c),
                c => !self.has(c),
            };
            match c {
                _ if !is_special || !matches!(occurrence.kind(), TextKind::Text | TextKind::Attribute) => text.push(c),
                '&' => text.push_str("&amp;"),
                '<' => text.push_str("&lt;"),
                '>' => text.push_str("&gt;"),
                '"' => text.push_str("&quot;"),
                c => {
                    let _ = write!(text, "&#{};", u32::from(c));
                }
            }
        }
    }

    fn is_reference(self, rest: &str, occurrence: &Occurrence<'_>, escapes_all: bool) -> bool {
        if escapes_all {
            return true;
        }
        let (rest, after) = (rest.as_bytes(), occurrence.written().1);
        let text = [&rest[..rest.len().min(LOOKAHEAD)], &after[..after.len().min(LOOKAHEAD)]].concat();
        occurrence.starts_with_reference(&text)
    }

    pub(super) fn has(self, c: char) -> bool {
        match self.charset {
            charset if charset == UTF_8 || charset == UTF_16LE || charset == UTF_16BE => true,
            // Where a page is in the Roman set of JIS, these are others. Characters beyond US-ASCII would need escape sequences.
            charset if charset == ISO_2022_JP => c.is_ascii() && !matches!(c, '\\' | '~'),
            _ if c.is_ascii() => true,
            charset => !charset.encode(c.encode_utf8(&mut [0; 4])).2,
        }
    }

    /// The content of a string or `url()` (CSS Syntax §4.3.5, §4.3.6). `<` and `>` could end the `style` element or CDATA section.
    fn in_css(self, reference: &str, occurrence: &Occurrence<'_>) -> String {
        let quote = occurrence.before.filter(|before| matches!(before, b'"' | b'\'')).map(char::from);
        let mut text = String::new();
        let mut is_after_number = false;
        // The number could go on.
        let mut is_after_escape = occurrence.before().contains(&b'\\');
        for c in reference.chars() {
            let is_number = match c {
                '<' | '>' => true,
                c if is_after_escape && (c.is_ascii_hexdigit() || c.is_ascii_whitespace()) => true,
                '&' => self.is_xml && matches!(occurrence.kind(), TextKind::RawText | TextKind::Cdata),
                ' ' => quote.is_none() || is_after_number,
                c if c.is_ascii() => c.is_ascii_control(),
                c => !self.has(c),
            };
            let is_escaped = c == '\\' || Some(c) == quote || (quote.is_none() && matches!(c, '"' | '\'' | '(' | ')'));
            match c {
                c if is_number => {
                    let _ = write!(text, "\\{:06x}", u32::from(c));
                }
                c => {
                    text.extend(is_escaped.then_some('\\'));
                    text.push(c);
                }
            }
            (is_after_number, is_after_escape) = (is_number, false);
        }
        text
    }
}

/// Reports whether a text is written as it is, in every place and encoding, or in every one with quotes around the value. Most are.
fn is_plain(text: &str, has_quote: bool) -> bool {
    // Without a branch for each byte, which is faster.
    let everywhere = text.bytes().fold(WITHOUT_QUOTES | WITH_QUOTES, |all, byte| all & IS_PLAIN[usize::from(byte)]);
    !text.is_empty() && everywhere & (if has_quote { WITH_QUOTES } else { WITHOUT_QUOTES }) != 0
}

const WITHOUT_QUOTES: u8 = 1;
const WITH_QUOTES: u8 = 2;
/// The sum of [`WITHOUT_QUOTES`] and [`WITH_QUOTES`], as far as a byte is plain with them, for each byte.
static IS_PLAIN: [u8; 256] = {
    let (mut table, mut byte) = ([0; 256], 0);
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'\\' | b'`' => 0,
            b'!' | b'#'..=b'%' | b'*'..=b';' | b'?'..=b'}' => WITHOUT_QUOTES | WITH_QUOTES,
            b'=' => WITH_QUOTES,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// A value without quotes ends at white space and `>`; the other characters are errors in it (HTML §13.1.2.3).
fn needed_quote(value: &str) -> Option<u8> {
    let needs_quotes = |c: char| c.is_ascii_whitespace() || matches!(c, '"' | '\'' | '=' | '<' | '>' | '`');
    let quote = if value.contains('"') && !value.contains('\'') { b'\'' } else { b'"' };
    (value.is_empty() || value.contains(needs_quotes)).then_some(quote)
}

/// `text` must have only characters of the encoding.
pub(super) fn encode<'t>(text: &'t str, charset: &'static Encoding) -> Cow<'t, [u8]> {
    let units = |to_bytes: fn(u16) -> [u8; 2]| Cow::Owned(text.encode_utf16().flat_map(to_bytes).collect());
    match charset {
        charset if charset == UTF_16LE => units(u16::to_le_bytes),
        charset if charset == UTF_16BE => units(u16::to_be_bytes),
        _ if charset == UTF_8 || text.is_ascii() => Cow::Borrowed(text.as_bytes()),
        charset => {
            let (mut encoder, mut bytes) = (charset.new_encoder(), Vec::new());
            let room = encoder.max_buffer_length_from_utf8_without_replacement(text.len()).unwrap_or(4 * text.len());
            bytes.resize(room, 0);
            let (result, _, len) = encoder.encode_from_utf8_without_replacement(text, &mut bytes, true);
            debug_assert_eq!(result, EncoderResult::InputEmpty);
            bytes.truncate(len);
            Cow::Owned(bytes)
        }
    }
}
