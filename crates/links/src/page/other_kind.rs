//! The kinds of files that are recognized by their first bytes, but have no links that are read.

use std::io;

use memchr::memchr;

use crate::archive::sniff::{ZIP_START, is_mhtml};
use crate::feeds::has_root;
use crate::utf16;

pub(super) const OTHER_ZIP: &str = "a ZIP file that is neither a WACZ nor an EPUB";

type Kind = (&'static str, fn(&[u8]) -> bool);

/// Each kind, and how it is recognized by first bytes. UTF-16 was made US-ASCII, and white space at the start removed.
const KINDS: [Kind; 9] = [
    ("a PDF file", |start| start.starts_with(b"%PDF-")),
    ("an EPUB file", starts_epub),
    (OTHER_ZIP, |start| start.starts_with(ZIP_START)),
    ("a HAR file (HTTP archive)", is_har),
    ("a JSON Feed", |start| start.starts_with(b"{") && holds(start, b"//jsonfeed.org/version/")),
    ("an OPML file", |start| has_root(start, |name| name.eq_ignore_ascii_case("opml"))),
    ("a CDXJ file (index of web archives)", |start| {
        is_index(start, &[b"!OpenWayback-CDXJ ", b"!meta {"], |third| third.starts_with(b"{"))
    }),
    ("a CDX file (index of web archives)", |start| is_index(start, &[b"CDX "], |third| third.contains(&b':'))),
    ("an MHTML file", is_mhtml),
];

/// Returns the kind of a file that is no page although it is recognized by its first bytes: HAR, JSON Feed, OPML, CDX, CDXJ, PDF,
/// ZIP, and what only [`Captures`](super::Captures) reads. `None` for all others. `start` has as many first bytes as
/// [`read_start`](crate::archive::sniff::read_start) reads, without codings.
///
/// ```
/// use relref_links::page::other_kind;
///
/// assert_eq!(other_kind(b"{\"log\": {\"version\": \"1.2\""), Some("a HAR file (HTTP archive)"));
/// assert_eq!(other_kind(b"<p>"), None);
/// ```
#[must_use]
pub fn other_kind(start: &[u8]) -> Option<&'static str> {
    let text = utf16::ascii_start(start);
    let text = text.trim_ascii_start();
    KINDS.iter().find(|(_, is_of_kind)| is_of_kind(text)).map(|(name, _)| *name)
}

/// Returns the error about a file of a kind that is not read.
pub(super) fn not_read(kind: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("{kind}: not read"))
}

/// Reports whether the first entry of a ZIP file says that it is an EPUB (EPUB 3.3 §4.3.4).
pub(super) fn starts_epub(start: &[u8]) -> bool {
    // The name comes after 30 bytes, and the content after the name and an extra field, which should be empty.
    start.starts_with(ZIP_START)
        && start.get(30..38) == Some(b"mimetype")
        && holds(&start[..start.len().min(256)], b"application/epub+zip")
}

/// An object that has only `log`, in which the names of HAR 1.2 are.
fn is_har(start: &[u8]) -> bool {
    let inner = (|| {
        let log = start.strip_prefix(b"{")?.trim_ascii_start().strip_prefix(b"\"log\"")?.trim_ascii_start();
        log.strip_prefix(b":")?.trim_ascii_start().strip_prefix(b"{")?.trim_ascii_start().strip_prefix(b"\"")
    })();
    let names = [&b"version\""[..], b"creator\"", b"browser\"", b"pages\"", b"entries\"", b"comment\"", b"_"];
    inner.is_some_and(|inner| names.iter().any(|name| inner.starts_with(name)))
}

/// The first line of an index has one of these starts, or a key, a time of 14 digits, and a third column.
fn is_index(start: &[u8], starts: &[&[u8]], is_third: fn(&[u8]) -> bool) -> bool {
    let line = &start[..memchr(b'\n', start).unwrap_or(start.len())];
    let mut columns = line.split(|byte| *byte == b' ').skip(1);
    let is_time = |time: &[u8]| time.len() == 14 && time.iter().all(u8::is_ascii_digit);
    starts.iter().any(|start| line.starts_with(start))
        || columns.next().is_some_and(is_time) && columns.next().is_some_and(is_third)
}

fn holds(text: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(text, part).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_their_first_bytes() {
        for (start, expected) in [
            ("%PDF-1.7\n", "a PDF file"),
            ("PK\u{3}\u{4}x", "a ZIP file that is neither a WACZ nor an EPUB"),
            ("\u{feff} {\n \"log\" : {\"_x\":1", "a HAR file (HTTP archive)"),
            ("{\"log\":{\"entries\":[]}}", "a HAR file (HTTP archive)"),
            ("{\"title\":\"Привет\",\"version\":\"https://jsonfeed.org/version/1.1\"", "a JSON Feed"),
            ("<?xml version=\"1.0\"?>\n<!-- <html> -->\n<opml version=\"2.0\">", "an OPML file"),
            (" CDX N b a m s k r M S V g\n", "a CDX file (index of web archives)"),
            ("com,h)/ 20200101000000 http://h/ text/html 200 X - - 1 2 a.warc", "a CDX file (index of web archives)"),
            ("com,h)/ 20200101000000 {\"url\": \"http://h/\"}", "a CDXJ file (index of web archives)"),
            ("!OpenWayback-CDXJ 1.0\n", "a CDXJ file (index of web archives)"),
            ("From: x\r\nMIME-Version: 1.0\r\n", "an MHTML file"),
        ] {
            assert_eq!(other_kind(start.as_bytes()), Some(expected), "{start}");
            let utf_16: Vec<u8> = start.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let is_text = !start.starts_with("PK") && start.is_ascii() && !start.starts_with("From");
            assert!(!is_text || other_kind(&utf_16) == Some(expected), "{start}");
        }
        for start in [
            "",
            "{",
            "{\"log\"",
            "{\"log\":\"version\"}",
            "{\"log\":{\"level\":1}}",
            "{\"a\":{\"log\":{\"version\":1}}}",
            "<html>",
            "<outline>",
            "a 2020 http://h/",
            "a b c",
            "x 20200101000000 y",
            "User-agent: *\nDisallow: /",
            "PK",
            "%PDF",
            "HTTP/1.1 200 OK\r\nMIME-Version: 1.0\r\n",
        ] {
            assert_eq!(other_kind(start.as_bytes()), None, "{start}");
        }
    }
}
