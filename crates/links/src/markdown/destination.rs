//! The destination of a link as it is written: how it is found and decoded.

use std::borrow::Cow;
use std::ops::Range;

use crate::changed_part::changed_part;
use crate::html::{Delimiters, DestinationForm, TextKind, decode_reference};

/// Decodes the backslash escapes and character references of a destination or a text (CommonMark §2.4, §2.5).
pub(super) fn decoded(written: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr2(b'\\', b'&', written.as_bytes()) else { return Cow::Borrowed(written) };
    let mut text = String::with_capacity(written.len());
    text.push_str(&written[..first]);
    let mut rest = &written[first..];
    while !rest.is_empty() {
        let taken = decode_first(rest, &mut text);
        let plain = memchr::memchr2(b'\\', b'&', &rest.as_bytes()[taken..]).unwrap_or(rest.len() - taken);
        text.push_str(&rest[taken..taken + plain]);
        rest = &rest[taken + plain..];
    }
    Cow::Owned(text)
}

/// Decodes the character references of an address in angle brackets, in which a backslash escapes nothing (CommonMark §2.5, §6.5).
pub(super) fn decoded_address(written: &str) -> String {
    decoded(&written.replace('\\', "\\\\")).into_owned()
}

/// Appends the text of the escape, character reference or character at the start of a destination, and returns its written length.
fn decode_first(written: &str, text: &mut String) -> usize {
    let first = written.chars().next().unwrap_or_default();
    let found = match first {
        '\\' => escaped(written).map(|c| (2, c.to_string())),
        '&' => character_reference(written),
        _ => None,
    };
    match &found {
        Some((_, found)) => text.push_str(found),
        None => text.push(first),
    }
    found.map_or(first.len_utf8(), |(len, _)| len)
}

fn escaped(text: &str) -> Option<char> {
    text[1..].chars().next().filter(char::is_ascii_punctuation)
}

/// Returns the length of the character reference at the start of a text, and what it stands for. Unlike in HTML, it ends with `;`,
/// and a number has at most seven digits (six hexadecimal ones).
pub(super) fn character_reference(text: &str) -> Option<(usize, String)> {
    const LONGEST: usize = 33;
    let bytes = &text.as_bytes()[..text.len().min(LONGEST + 2)];
    let end = memchr::memchr(b';', bytes)?;
    let name = &text[1..end];
    if let Some(number) = name.strip_prefix('#') {
        let (digits, radix, most) = match number.strip_prefix(['x', 'X']) {
            Some(digits) => (digits, 16, 6),
            None => (number, 10, 7),
        };
        let is_number =
            (1..=most).contains(&digits.len()) && digits.bytes().all(|digit| char::from(digit).is_digit(radix));
        let code = u32::from_str_radix(digits, radix).ok().filter(|_| is_number)?;
        let c = char::from_u32(code).filter(|c| *c != '\0').unwrap_or(char::REPLACEMENT_CHARACTER);
        return Some((end + 1, c.to_string()));
    }
    let mut decoded = Vec::new();
    let len = decode_reference(&bytes[..=end], TextKind::Text, &mut decoded)?;
    (len == end + 1).then(|| Some((len, String::from_utf8(decoded).ok()?)))?
}

/// Finds the destination of a link or an image whose text or description ends after `from`: the one that decodes to `destination`.
pub(super) fn after_text(text: &str, from: usize, end: usize, destination: &str) -> Option<(Range<usize>, Delimiters)> {
    let link = text.get(from..end)?;
    let opening = memchr::memmem::find_iter(link.as_bytes(), b"](").map(|at| from + at + "](".len());
    // Before it there is at most what ends the text.
    opening.take(MAX_TRIES).find_map(|start| at(text, start..end, destination, Delimiters::Inline))
}

/// Finds the destination of a definition.
pub(super) fn of_definition(
    text: &str,
    definition: Range<usize>,
    destination: &str,
) -> Option<(Range<usize>, Delimiters)> {
    let colons = memchr::memmem::find_iter(text.get(definition.clone())?.as_bytes(), b"]:");
    let starts = colons.map(|at| definition.start + at + "]:".len());
    starts.take(MAX_TRIES).find_map(|start| at(text, start..definition.end, destination, Delimiters::Definition))
}

/// The most places at which a destination is sought: only in a hostile page there are more, whose links have no places.
const MAX_TRIES: usize = 8;

fn at(
    text: &str,
    range: Range<usize>,
    destination: &str,
    delimiters: Delimiters,
) -> Option<(Range<usize>, Delimiters)> {
    let bytes = text.as_bytes();
    let mut start = range.start;
    let mut after_break = false;
    // On a new line, the marks of quotes come first.
    while let Some(byte) = bytes[..range.end].get(start) {
        after_break |= matches!(byte, b'\n' | b'\r');
        let is_between = byte.is_ascii_whitespace() || (after_break && *byte == b'>');
        if !is_between {
            break;
        }
        start += 1;
    }
    let (len, delimiters) = match bytes[..range.end].get(start) {
        Some(b'<') => {
            start += 1;
            (len_until(&bytes[start..range.end], |byte, _| matches!(byte, b'>' | b'\n' | b'\r')), Delimiters::Angle)
        }
        _ => (
            len_until(&bytes[start..range.end], |byte, depth| {
                byte.is_ascii_whitespace()
                    || byte.is_ascii_control()
                    || (byte == b')' && depth == 0 && delimiters == Delimiters::Inline)
            }),
            delimiters,
        ),
    };
    let written = text.get(start..start + len)?;
    (decoded(written) == destination).then_some((start..start + len, delimiters))
}

/// Returns the length of a destination up to its end, which is no escaped byte. `is_end` gets each byte and the number of open parentheses.
fn len_until(bytes: &[u8], is_end: impl Fn(u8, usize) -> bool) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(&byte) = bytes.get(at) {
        if is_end(byte, depth) {
            break;
        }
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
            _ => {}
        }
        at += 1;
    }
    at.min(bytes.len())
}

/// Reports whether another address without brackets may stand in place of this one. One that has a mark of code, of a tag, of the end of a link
/// text or of an expression may not: without it, or with a letter after it, another part of the page could become a link or code.
pub(crate) fn is_replaceable(address: &str) -> bool {
    !address.contains(['\\', '`', '>', '{', '}', char::REPLACEMENT_CHARACTER])
        && !address.contains("](")
        && !address.ends_with(']')
}

/// Returns a reference as it is written in place of a destination; `None` if nothing that is written there would be read as it.
pub(crate) fn written(reference: &str, form: DestinationForm) -> Option<String> {
    let is_absolute = || relref::UriRef::new(reference).scheme().is_some_and(|scheme| (2..=32).contains(&scheme.len()));
    let has_space = || reference.bytes().any(|byte| byte.is_ascii_whitespace() || byte.is_ascii_control());
    let mut text = String::with_capacity(reference.len() + 2);
    match form.delimiters {
        Delimiters::Autolink => {
            let may_be = is_absolute() && !has_space() && !reference.contains(['<', '>']);
            for (at, c) in reference.char_indices() {
                let is_reference = c == '&' && character_reference(&reference[at..]).is_some();
                text.push_str(if is_reference { "&amp;" } else { &reference[at..at + c.len_utf8()] });
            }
            return may_be.then(|| in_cell(&text, form));
        }
        Delimiters::Bare => {
            let found =
                super::address::Addresses::default().next(reference, 0..reference.len(), reference.len(), false);
            return found
                .filter(|found| found.range == (0..reference.len()) && found.prefix.is_empty())
                .map(|_| in_cell(reference, form));
        }
        // An attribute of raw HTML has other escapes.
        Delimiters::Html => return None,
        Delimiters::Angle => escape_into(&mut text, reference, form, |c, _| matches!(c, '<' | '>')),
        Delimiters::Inline | Delimiters::Definition if has_space() => return None,
        // Without anything, a definition would take the next line.
        Delimiters::Definition if reference.is_empty() => text.push_str("<>"),
        Delimiters::Inline | Delimiters::Definition => {
            let is_balanced = is_balanced(reference);
            escape_into(&mut text, reference, form, |c, at| match c {
                '(' | ')' => !is_balanced,
                '<' => at == 0,
                _ => false,
            });
        }
    }
    // A line break cannot be escaped.
    (!text.contains(['\n', '\r']) && (decoded(&text) == reference || text == "<>")).then_some(text)
}

/// Returns the parts of a destination that stay as they are `written`, around the part that another reference does not have, written for
/// its place. `None` without any, or if the whole would be read as something else.
pub(crate) fn written_around(written: &str, reference: &str, form: DestinationForm) -> Option<String> {
    if !written.contains(['&', '\\'])
        || matches!(form.delimiters, Delimiters::Autolink | Delimiters::Bare | Delimiters::Html)
    {
        return None;
    }
    let (changed, new) = changed_part(written, reference, decode_first)?;
    let mut text = written[..changed.start].to_owned();
    escape_into(&mut text, &reference[new], form, |c, _| matches!(c, '<' | '>'));
    text.push_str(&written[changed.end..]);
    let (open, close) = if form.delimiters == Delimiters::Angle { ("<", ">") } else { ("", ")") };
    let read = at_end(
        &[open, &text, if form.delimiters == Delimiters::Definition { "" } else { close }].concat(),
        reference,
        form,
    );
    (read == Some(text.len()) && is_balanced(&text) && !(form.in_table && text.contains('|'))).then_some(text)
}

/// Returns the length of a destination at the start of a text, if it is read as this reference in a place of this form.
fn at_end(text: &str, reference: &str, form: DestinationForm) -> Option<usize> {
    let delimiters =
        if form.delimiters == Delimiters::Definition { Delimiters::Definition } else { Delimiters::Inline };
    let (range, found) = at(text, 0..text.len(), reference, delimiters)?;
    (found == form.delimiters).then_some(range.len())
}

fn in_cell(reference: &str, form: DestinationForm) -> String {
    if form.in_table { reference.replace('|', "\\|") } else { reference.to_owned() }
}

/// CommonMark §6.3: parentheses in a destination are in pairs. cmark and its like read 32 of them in each other.
fn is_balanced(reference: &str) -> bool {
    let mut depth = 0_i32;
    reference.bytes().all(|byte| {
        depth += i32::from(byte == b'(') - i32::from(byte == b')');
        (0..=32).contains(&depth)
    }) && depth == 0
}

fn escape_into(text: &mut String, reference: &str, form: DestinationForm, is_escaped: impl Fn(char, usize) -> bool) {
    for (at, c) in reference.char_indices() {
        let rest = &reference[at..];
        let needs_escape = match c {
            '\\' => escaped(rest).is_some() || rest.len() == 1,
            '&' => character_reference(rest).is_some(),
            '|' => form.in_table,
            c => is_escaped(c, at),
        };
        text.extend(needs_escape.then_some('\\'));
        text.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_is_as_it_was_written() {
        let form = |delimiters| DestinationForm { delimiters, in_table: false };
        for (written, reference, delimiters, expected) in [
            ("B.md?a&amp;b#x", "b.md?a&b#x", Delimiters::Inline, Some("b.md?a&amp;b#x")),
            ("B.md?a&amp;b\\_#X&#38;", "b.md?a&b_#X&", Delimiters::Angle, Some("b.md?a&amp;b\\_#X&#38;")),
            ("B&eacute;.md?&copy;", "bé.md?©", Delimiters::Definition, Some("b&eacute;.md?&copy;")),
            ("a&amp;B", "a&b", Delimiters::Inline, Some("a&amp;b")),
            ("a&amp;B", "a&amp;b", Delimiters::Inline, Some("a&amp;amp;b")),
            ("a\\(B.md", "a(b(.md", Delimiters::Inline, None),
            ("B.md", "b.md", Delimiters::Inline, None),
            ("a&amp;b c", "a&b d", Delimiters::Inline, None),
        ] {
            assert_eq!(written_around(written, reference, form(delimiters)).as_deref(), expected, "{written}");
        }
    }

    #[test]
    fn what_is_written_reads_as_the_reference() {
        let form = |delimiters| DestinationForm { delimiters, in_table: false };
        for (reference, inline, definition, angle, autolink) in [
            ("a.md", Some("a.md"), Some("a.md"), Some("a.md"), None),
            ("", Some(""), Some("<>"), Some(""), None),
            ("a b", None, None, Some("a b"), None),
            ("a(b)", Some("a(b)"), Some("a(b)"), Some("a(b)"), None),
            ("a(b", Some("a\\(b"), Some("a\\(b"), Some("a(b"), None),
            ("<a", Some("\\<a"), Some("\\<a"), Some("\\<a"), None),
            ("a\\_b\\c", Some("a\\\\_b\\c"), Some("a\\\\_b\\c"), Some("a\\\\_b\\c"), None),
            ("a&amp;b&c", Some("a\\&amp;b&c"), Some("a\\&amp;b&c"), Some("a\\&amp;b&c"), None),
            ("http://h/a", Some("http://h/a"), Some("http://h/a"), Some("http://h/a"), Some("http://h/a")),
            ("a\nb", None, None, None, None),
        ] {
            for (delimiters, expected) in [
                (Delimiters::Inline, inline),
                (Delimiters::Definition, definition),
                (Delimiters::Angle, angle),
                (Delimiters::Autolink, autolink),
                (Delimiters::Bare, autolink),
            ] {
                assert_eq!(written(reference, form(delimiters)).as_deref(), expected, "{reference:?} {delimiters:?}");
            }
        }
        assert_eq!(
            written("a|b", DestinationForm { delimiters: Delimiters::Inline, in_table: true }).as_deref(),
            Some("a\\|b")
        );
        assert_eq!(written("h:a&amp;b&c", form(Delimiters::Autolink)).as_deref(), None);
        assert_eq!(written("http:a&amp;\\*b&c", form(Delimiters::Autolink)).as_deref(), Some("http:a&amp;amp;\\*b&c"));
    }
}
