//! The character encoding of a page that only its HTTP head names, written into the copy, which has no head.

use std::io::{self, Write};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use memchr::{memchr, memchr_iter};

/// The bytes of a page that wait until the mark is written. Browsers look for a `meta` in as many (HTML §13.2.3.2).
const START_LEN: usize = 1024;

/// Writes a page with a byte order mark, or a `meta` element where its encoding has none.
pub struct CharsetMark<W: Write> {
    out: W,
    /// The encoding to mark, with the bytes that wait for its mark; `None` if the page is not marked, or after the mark.
    mark: Option<(&'static Encoding, Vec<u8>)>,
}

impl<W: Write> CharsetMark<W> {
    /// `None` writes no mark.
    pub fn new(out: W, charset: Option<&'static Encoding>) -> Self {
        CharsetMark { out, mark: charset.map(|charset| (charset, Vec::new())) }
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.write_start()?;
        self.out.flush()
    }

    fn write_start(&mut self) -> io::Result<()> {
        let Some((charset, start)) = self.mark.take() else { return Ok(()) };
        let mark = match charset {
            charset if charset == UTF_8 => Some(&b"\xEF\xBB\xBF"[..]),
            charset if charset == UTF_16LE => Some(&b"\xFF\xFE"[..]),
            charset if charset == UTF_16BE => Some(&b"\xFE\xFF"[..]),
            _ => None,
        };
        if let Some(mark) = mark {
            self.out.write_all(mark)?;
            return self.out.write_all(&start);
        }
        let (before, after) = start.split_at(head_start(&start));
        self.out.write_all(before)?;
        write!(self.out, "<meta charset={}>", charset.name().to_ascii_lowercase())?;
        self.out.write_all(after)
    }
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
        let mut out = Vec::new();
        let mut mark = CharsetMark::new(&mut out, Some(charset));
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
}
