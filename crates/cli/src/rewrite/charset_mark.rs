//! The character encoding of a page that only its HTTP head names, written into the copy, which has no head.

use std::io::{self, Write};
use std::ops::Range;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::{memchr, memchr_iter, memmem};
use relref_links::page::PageKind;

/// The bytes of a page that wait until the mark is written. Browsers look for a `meta` in as many (HTML §13.2.3.2).
const START_LEN: usize = 1024;

/// Writes a page with a byte order mark, or with what declares an encoding in its format where that has none.
pub struct CharsetMark<W: Write> {
    out: W,
    /// The encoding to mark, with the bytes that wait for its mark; `None` if the page is not marked, or after the mark.
    mark: Option<(&'static Encoding, Vec<u8>)>,
    kind: PageKind,
    is_marked: bool,
}

impl<W: Write> CharsetMark<W> {
    /// `None` writes no mark.
    pub fn new(out: W, charset: Option<&'static Encoding>, kind: PageKind) -> Self {
        CharsetMark { out, mark: charset.map(|charset| (charset, Vec::new())), kind, is_marked: false }
    }

    /// Returns whether a mark was written.
    pub fn finish(mut self) -> io::Result<bool> {
        self.write_start()?;
        self.out.flush()?;
        Ok(self.is_marked)
    }

    fn write_start(&mut self) -> io::Result<()> {
        let Some((charset, start)) = self.mark.take() else { return Ok(()) };
        let (place, mark) = match (charset, self.kind) {
            _ if charset == UTF_16LE => (0..0, "\u{FEFF}".encode_utf16().flat_map(u16::to_le_bytes).collect()),
            _ if charset == UTF_16BE => (0..0, "\u{FEFF}".encode_utf16().flat_map(u16::to_be_bytes).collect()),
            (_, PageKind::Xml | PageKind::Feed) => xml_declaration(&start, charset),
            // Read as its pages are, which mostly are in UTF-8, it stays as an `integrity` wants it.
            (_, PageKind::Css) if charset == UTF_8 || charset_rule(&start) == Some(charset) => (0..0, Vec::new()),
            _ if charset == UTF_8 => (0..0, "\u{FEFF}".into()),
            (_, PageKind::Css) => (0..0, format!("@charset \"{}\";", label(charset)).into_bytes()),
            _ => {
                let at = head_start(&start);
                (at..at, format!("<meta charset={}>", label(charset)).into_bytes())
            }
        };
        self.is_marked = !mark.is_empty();
        self.out.write_all(&start[..place.start])?;
        self.out.write_all(&mark)?;
        self.out.write_all(&start[place.end..])
    }
}

/// The encoding that a style sheet declares (CSS Syntax §3.2).
fn charset_rule(sheet: &[u8]) -> Option<&'static Encoding> {
    let label = sheet.strip_prefix(b"@charset \"")?;
    Encoding::for_label(&label[..memmem::find(label, b"\";")?])
}

fn label(charset: &'static Encoding) -> String {
    charset.name().to_ascii_lowercase()
}

/// Returns the text that declares an encoding in XML (XML 1.0 §2.8), and the place of the text that it replaces. Both are empty if the
/// page declares that encoding already.
fn xml_declaration(page: &[u8], charset: &'static Encoding) -> (Range<usize>, Vec<u8>) {
    let label = label(charset);
    let is_declared = page.starts_with(b"<?xml") && page.get(5).is_some_and(u8::is_ascii_whitespace);
    let Some(end) = memmem::find(page, b"?>").filter(|_| is_declared) else {
        // Without one, the page is in UTF-8.
        let mark =
            if charset == UTF_8 { String::new() } else { format!("<?xml version=\"1.0\" encoding=\"{label}\"?>") };
        return (0..0, mark.into_bytes());
    };
    let (mut at, mut version_end) = (5, None);
    while let Some(quote) = page[at..end].iter().position(|byte| matches!(byte, b'"' | b'\'')).map(|found| at + found) {
        let Some(len) = memchr(page[quote], &page[quote + 1..end]) else { break };
        let value = quote + 1..quote + 1 + len;
        if memmem::find(&page[at..quote], b"encoding").is_some() {
            let is_right = Encoding::for_label(&page[value.clone()]) == Some(charset);
            return if is_right { (0..0, Vec::new()) } else { (value, label.into_bytes()) };
        }
        version_end.get_or_insert(value.end + 1);
        at = value.end + 1;
    }
    let at = version_end.unwrap_or(end);
    (at..at, format!(" encoding=\"{label}\"").into_bytes())
}

impl<W: Write> Write for CharsetMark<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some((_, start)) = &mut self.mark else { return self.out.write(bytes) };
        start.extend_from_slice(bytes);
        if start.len() >= START_LEN {
            self.write_start()?;
        }
        Ok(bytes.len())
    }

    /// The start waits.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The length of the start of a page before its first element in `head`: a `meta` before the doctype would change how browsers show
/// the page, and one before `html` or `head` would take their places.
fn head_start(page: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let rest = page[at..].trim_ascii_start();
        let len = match rest {
            [b'<', b'!', b'-', b'-', after @ ..] => comment_len(after).map(|len| "<!--".len() + len),
            // A comment in HTML, whatever it holds (HTML §13.2.5.6).
            [b'<', b'?', ..] => memchr(b'>', rest).map(|end| end + 1),
            _ if is_tag(rest, b"<!doctype") || is_tag(rest, b"<html") || is_tag(rest, b"<head") => tag_len(rest),
            _ => None,
        };
        let Some(len) = len else { return at };
        at = page.len() - rest.len() + len;
        if is_tag(rest, b"<head") {
            return at;
        }
    }
}

fn is_tag(text: &[u8], name: &[u8]) -> bool {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    text.len() > name.len() && text[..name.len()].eq_ignore_ascii_case(name) && is_end(&text[name.len()])
}

/// The length of the rest of a comment (HTML §13.2.5.43 to §13.2.5.52).
fn comment_len(rest: &[u8]) -> Option<usize> {
    let ends = |at: &usize| match &rest[..*at] {
        [] | [b'-'] => true,
        before => before.ends_with(b"--") || before.ends_with(b"--!"),
    };
    memchr_iter(b'>', rest).find(ends).map(|at| at + 1)
}

/// A quote opens a value only as its first character.
fn tag_len(tag: &[u8]) -> Option<usize> {
    let (mut quote, mut may_open) = (None, false);
    let is_doctype = is_tag(tag, b"<!doctype");
    let end = tag.iter().position(|&byte| {
        match quote {
            Some(open) if byte == open => quote = None,
            None if matches!(byte, b'"' | b'\'') && (may_open || is_doctype) => quote = Some(byte),
            _ => {}
        }
        may_open = byte == b'=' || may_open && byte.is_ascii_whitespace();
        // In a doctype, it ends a quoted identifier, too (HTML §13.2.5.59).
        byte == b'>' && (quote.is_none() || is_doctype)
    });
    end.map(|end| end + 1)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{KOI8_R, SHIFT_JIS};

    use super::*;

    fn marked(page: &[u8], charset: &'static Encoding, chunk: usize) -> String {
        marked_as(PageKind::Html, page, charset, chunk)
    }

    fn marked_as(kind: PageKind, page: &[u8], charset: &'static Encoding, chunk: usize) -> String {
        let mut out = Vec::new();
        let mut mark = CharsetMark::new(&mut out, Some(charset), kind);
        page.chunks(chunk).for_each(|chunk| mark.write_all(chunk).unwrap());
        mark.finish().unwrap();
        out.escape_ascii().to_string()
    }

    #[test]
    fn a_mark_is_where_it_changes_nothing_else() {
        for (page, charset, expected) in [
            ("", KOI8_R, "<meta charset=koi8-r>"),
            ("<a>", SHIFT_JIS, "<meta charset=shift_jis><a>"),
            (
                "<!DOCTYPE html>\n<HTML x='>'>\n<!-- > --><head y=\">\">z",
                KOI8_R,
                "<!DOCTYPE html>\\n<HTML x=\\'>\\'>\\n<!-- > --><head y=\\\">\\\"><meta charset=koi8-r>z",
            ),
            (
                "<?xml version='1.0'?><!DOCTYPE html>x",
                KOI8_R,
                "<?xml version=\\'1.0\\'?><!DOCTYPE html><meta charset=koi8-r>x",
            ),
            ("<!doctype html><header>", KOI8_R, "<!doctype html><meta charset=koi8-r><header>"),
            ("<html x=a'><p y='>'>", KOI8_R, "<html x=a\\'><meta charset=koi8-r><p y=\\'>\\'>"),
            (
                "<?x '?><!-- > --!><!--><!---><html>",
                KOI8_R,
                "<?x \\'?><!-- > --!><!--><!---><html><meta charset=koi8-r>",
            ),
            (" <!-- x", KOI8_R, "<meta charset=koi8-r> <!-- x"),
            ("<!doctype html><a>", UTF_8, "\\xef\\xbb\\xbf<!doctype html><a>"),
            ("<\0", UTF_16LE, "\\xff\\xfe<\\x00"),
            ("\0<", UTF_16BE, "\\xfe\\xff\\x00<"),
        ] {
            for chunk in [1, 7, 5000] {
                assert_eq!(marked(page.as_bytes(), charset, chunk), expected);
            }
        }
        let long = format!("<html>{}", "<p>".repeat(5000));
        assert_eq!(marked(long.as_bytes(), KOI8_R, 3), long.replacen("<p>", "<meta charset=koi8-r><p>", 1));
    }
    #[test]
    fn other_formats_declare_it_in_their_own_way() {
        for (kind, page, charset, expected) in [
            (PageKind::Css, "a{}", KOI8_R, "@charset \"koi8-r\";a{}"),
            (PageKind::Css, "@charset \"utf-8\";a{}", KOI8_R, "@charset \"koi8-r\";@charset \"utf-8\";a{}"),
            (PageKind::Css, "@charset \"KOI8\";a{}", KOI8_R, "@charset \"KOI8\";a{}"),
            (PageKind::Css, "a{}", UTF_8, "a{}"),
            (PageKind::Xml, "<svg/>", KOI8_R, "<?xml version=\"1.0\" encoding=\"koi8-r\"?><svg/>"),
            (PageKind::Xml, "<svg/>", UTF_8, "<svg/>"),
            (PageKind::Feed, "<?xml version='1.0'?><rss/>", KOI8_R, "<?xml version='1.0' encoding=\"koi8-r\"?><rss/>"),
            (
                PageKind::Feed,
                "<?xml version='1.0' encoding = 'latin1' standalone='yes'?><rss/>",
                UTF_8,
                "<?xml version='1.0' encoding = 'utf-8' standalone='yes'?><rss/>",
            ),
            (
                PageKind::Xml,
                "<?xml version='1.0' encoding='KOI8'?><a/>",
                KOI8_R,
                "<?xml version='1.0' encoding='KOI8'?><a/>",
            ),
            (
                PageKind::Xml,
                "<?xml-stylesheet href='a'?><a/>",
                KOI8_R,
                "<?xml version=\"1.0\" encoding=\"koi8-r\"?><?xml-stylesheet href='a'?><a/>",
            ),
            (
                PageKind::Xml,
                "<?xml version='1.0",
                KOI8_R,
                "<?xml version=\"1.0\" encoding=\"koi8-r\"?><?xml version='1.0",
            ),
        ] {
            let expected = expected.as_bytes().escape_ascii().to_string();
            assert_eq!(marked_as(kind, page.as_bytes(), charset, 7), expected);
        }
    }
}
