//! Recognizes by the first bytes of a file what it holds: a page, an archive, something else (MIME Sniffing Standard §7.1).

use std::io::{self, Read};
use std::str;

use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memchr_iter, memchr2, memmem};

use super::arc;
pub use super::compression::{DAMAGED_START_LEN, holds_compressed_record, is_archive};
use super::compression::{is_gzip, is_zstd};
use super::mime::is_token;
use super::record::find_record_of;
use crate::utf16;

/// The number of first bytes that are enough to recognize a page.
pub const START_LEN: usize = 1445;

/// The most first bytes that are read to recognize a page or feed that starts with a long comment, or a mail.
pub(crate) const LONG_START_LEN: usize = 64 << 10;

/// The first bytes of a ZIP file, such as a WACZ or an EPUB: the magic number of an entry.
pub const ZIP_START: &[u8] = b"PK\x03\x04";

/// The first bytes, as many as [`read_start`] reads.
#[cfg(any(test, feature = "page"))]
pub(crate) fn start(bytes: &[u8]) -> &[u8] {
    let start = &bytes[..bytes.len().min(START_LEN)];
    if is_undecided(start) { &bytes[..bytes.len().min(LONG_START_LEN)] } else { start }
}

/// Appends the first bytes of a stream to `start`, which must be empty: enough to recognize a page or a feed, [`START_LEN`], or up to 64
/// KiB if they end within a comment, or within a header that may be that of a mail.
///
/// # Errors
/// The stream cannot be read.
pub fn read_start(mut from: impl Read, start: &mut Vec<u8>) -> io::Result<()> {
    from.by_ref().take(START_LEN as u64).read_to_end(start)?;
    if is_undecided(start) {
        from.take(LONG_START_LEN.saturating_sub(start.len()) as u64).read_to_end(start)?;
    }
    Ok(())
}

/// False if `start` has fewer than [`START_LEN`] bytes: it is then the whole text.
fn is_undecided(start: &[u8]) -> bool {
    start.len() >= START_LEN && (ends_in_comment(start) || mime_header(start) == Some(false))
}

/// Reports whether a page or feed that starts with a comment or `<?xml` is inside a comment where its first bytes `start` end. Its
/// root element may follow after that comment.
fn ends_in_comment(start: &[u8]) -> bool {
    let text = utf16::ascii_start(start);
    let text = text.trim_ascii_start();
    (text.starts_with(b"<!--") || text.starts_with(b"<?xml")) && last_of(text, b"<!--") > last_of(text, b"-->")
}

/// Where a part that cannot overlap itself starts last.
fn last_of(text: &[u8], part: &[u8]) -> Option<usize> {
    // `memmem::rfind` takes ten times as long.
    memmem::find_iter(text, part).last()
}

/// The names of the tags with which a page may start: the ones of the standard, and three more of a `head` element. White space
/// or `>` follows the name.
#[rustfmt::skip]
const TAGS: [&str; 19] = [
    "!doctype html", "html", "head", "script", "iframe", "h1", "div", "font", "table", "a",
    "style", "title", "b", "body", "br", "p", "base", "meta", "link",
];

/// Reports whether these bytes start an HTML page, in a character encoding like US-ASCII or in UTF-16.
#[must_use]
pub fn is_html(start: &[u8]) -> bool {
    let text = utf16::ascii_start(start);
    let Some(markup) = text.trim_ascii_start().strip_prefix(b"<") else { return false };
    if markup.starts_with(b"!--") {
        return true;
    }
    if markup.starts_with(b"?xml") {
        let is_html = |at: usize| markup.get(at..at + 5).is_some_and(|tag| tag.eq_ignore_ascii_case(b"<html"));
        return memchr_iter(b'<', markup).any(is_html);
    }
    TAGS.iter().any(|tag| {
        let ends = |end: &u8| end.is_ascii_whitespace() || *end == b'>';
        markup.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()))
            && markup.get(tag.len()).is_none_or(ends)
    })
}

/// Reports whether these bytes start an SVG image: XML whose root element is `svg`, with any prefix.
#[must_use]
pub fn is_svg(start: &[u8]) -> bool {
    let text = utf16::ascii_start(start);
    let mut rest = text.trim_ascii_start();
    loop {
        let end: &[u8] = match rest {
            [b'<', b'?', ..] => b"?>",
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'!', ..] => b">",
            [b'<', name @ ..] => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
                let name = &name[..name.iter().position(ends).unwrap_or(name.len())];
                return name == b"svg" || name.ends_with(b":svg");
            }
            _ => return false,
        };
        // The entities of a document type have `>` before its end.
        let skipped = if end == b">" { doctype_entities(rest) } else { 0 };
        let Some(at) = memmem::find(&rest[skipped..], end) else { return false };
        rest = rest[skipped + at + end.len()..].trim_ascii_start();
    }
}

/// The length up to the end of the entities that a document type declares; 0 if it declares none.
fn doctype_entities(doctype: &[u8]) -> usize {
    match memchr2(b'[', b'>', doctype) {
        Some(at) if doctype[at] == b'[' => memchr(b']', doctype).unwrap_or(doctype.len()),
        _ => 0,
    }
}

/// Reports whether these bytes start an MHTML file or a mail (RFC 2557): a header whose fields say that it has MIME parts.
#[must_use]
pub fn is_mhtml(start: &[u8]) -> bool {
    mime_header(start) == Some(true)
}

/// True once a field shows that these are MIME fields. `None` if they are not, or their header has ended.
fn mime_header(start: &[u8]) -> Option<bool> {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    // Empty lines may come before the header, as `Mhtml` reads it.
    let start = &start[start.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count()..];
    // Most pages. Their first line may be long.
    if start.starts_with(b"<") {
        return None;
    }
    let mut is_header = false;
    for (number, line) in start.split(|byte| *byte == b'\n').enumerate() {
        let Some(colon) = memchr(b':', line) else {
            match line {
                [b' ' | b'\t', ..] if is_header => continue,
                // The first bytes may end within a name.
                _ if is_header && !line.is_empty() && !line.ends_with(b"\r") => break,
                _ => return None,
            }
        };
        let (name, value) = (line[..colon].trim_ascii_end(), line[colon + 1..].trim_ascii_start());
        match () {
            () if is_header && matches!(line, [b' ' | b'\t', ..]) => {}
            // The first line of a mailbox.
            () if number == 0 && line.starts_with(b"From ") => {}
            () if !str::from_utf8(name).is_ok_and(is_token) => return None,
            () if name.eq_ignore_ascii_case(b"MIME-Version") => return Some(true),
            () if name.eq_ignore_ascii_case(b"Content-Type") && has_parts(value) => return Some(true),
            () => {}
        }
        is_header = true;
    }
    is_header.then_some(false)
}

fn has_parts(media_type: &[u8]) -> bool {
    let starts_with = |name: &[u8]| media_type.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    starts_with(b"multipart/") || starts_with(b"message/rfc822")
}

/// Reports whether these bytes can be text: none of them is a binary data byte of the MIME Sniffing Standard (§3).
pub(super) fn is_text(start: &[u8]) -> bool {
    !start.iter().any(|byte| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f))
}

/// Reports whether these bytes are binary data: they have a NUL, and start neither a page nor a text in UTF-16.
#[must_use]
pub fn is_binary(start: &[u8]) -> bool {
    let start = &start[..start.len().min(START_LEN)];
    let has_mark = Encoding::for_bom(start).is_some_and(|(charset, _)| charset != UTF_8);
    !has_mark && start.contains(&0) && !is_html(start) && !is_svg(start)
}

/// Returns the name of the coding with which a file or stream with this start is compressed: `gzip`, `zstd`, or `None`. 4 bytes are
/// enough. [`Body`](super::Body) removes it.
#[must_use]
pub fn compression(start: &[u8]) -> Option<&'static str> {
    match () {
        () if is_gzip(start) => Some("gzip"),
        () if is_zstd(start) => Some("zstd"),
        () => None,
    }
}

/// Returns where a record of a WARC or ARC file starts in these bytes.
#[cfg(feature = "page")]
pub(crate) fn find_record(bytes: &[u8]) -> Option<usize> {
    find_record_of(None, bytes)
}

/// Reports whether a record of WARC or ARC starts anywhere in the content of another, as in the
/// [part that was read](super::ContentRead::Partial) of a record whose length was wrong. Reads up to there.
///
/// # Errors
/// The content cannot be read.
pub fn holds_record(content: impl Read) -> io::Result<bool> {
    Ok(record_in(content)?.is_some())
}

/// Returns where the first record starts that [`holds_record`] finds.
pub(crate) fn record_in(mut content: impl Read) -> io::Result<Option<u64>> {
    let (mut part, mut part_at) = (Vec::new(), 0_u64);
    loop {
        // The end of a part may be the start of a record that ends in the next.
        let before = part.len().saturating_sub(arc::MAX_LINE_LEN);
        part.drain(..before);
        part_at += before as u64;
        if content.by_ref().take(64 << 10).read_to_end(&mut part)? == 0 {
            return Ok(None);
        }
        if let Some(at) = find_record_of(None, &part) {
            return Ok(Some(part_at + at as u64));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_comment_may_be_long() {
        let filler = " -- > <!- -->".repeat(200);
        for (start, is_long) in [
            ("<!-- a", true),
            ("<?xml version='1.0'?>\n<!-- a --><!--", true),
            ("\u{FEFF}<!--", true),
            ("<!-- a --> <html>", false),
            ("<html><!-- a", false),
        ] {
            let end = filler.replace("-->", if is_long { "--" } else { "-->" });
            let text = format!("{start}{end}");
            assert_eq!(is_undecided(&text.as_bytes()[..START_LEN]), is_long, "{start}");
        }
    }

    #[test]
    fn xhtml_is_told_by_its_root() {
        for (text, expected) in [
            ("<?xml version='1.0'?><!-- < <htm --><hTmL", true),
            ("<?xml version='1.0'?><htm", false),
            ("<?xml version='1.0'?><rss>html", false),
        ] {
            assert_eq!(is_html(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn pages_and_binary_data_are_told_by_their_start() {
        let utf_16: Vec<u8> = "<HTML>".bytes().flat_map(|byte| [byte, 0]).collect();
        for page in [
            b"\n <!DOCTYPE html>",
            &b"<p>"[..],
            b"<!-- x",
            b"\xef\xbb\xbf<a href=x>",
            b"<?xml version='1.0'?><html>",
            &utf_16,
        ] {
            assert!(is_html(page) && !is_binary(page), "{page:?}");
        }
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let image: Vec<u8> = "<?xml version='1.0'?><svg>".encode_utf16().flat_map(order).collect();
            assert!(is_svg(&image) && !is_binary(&image));
        }
        for other in [&b"text"[..], b"<pre>", b"<?xml version='1.0'?><rss>", b"", b"<q>"] {
            assert!(!is_html(other) && !is_binary(other), "{other:?}");
        }
        assert!(is_binary(b"\x89PNG\0") && !is_text(b"\x01") && is_text(b"\t\x1b"));
    }

    #[test]
    fn mails_are_told_by_their_header() {
        for start in [
            "MIME-Version: 1.0",
            "From: <Saved by Blink>\r\nSubject: =?utf-8?Q?=D0=9F?=\r\n x: y\r\nmime-version:1.0\r\n",
            "From a@b Mon Jan  1 00:00:00 2020\nReceived: x\n\ty\nContent-type: Multipart/Related; boundary=x\n",
            "Content-Type: message/rfc822\n\n",
            "\r\n\nMIME-Version: 1.0",
        ] {
            assert!(is_mhtml(start.as_bytes()), "{start}");
        }
        for start in [
            "",
            " MIME-Version: 1.0",
            "x y: z\nMIME-Version: 1.0",
            "A: b\r\n\r\nMIME-Version: 1.0",
            "A: b\nc\nMIME-Version: 1.0",
            "Content-Type: text/html\n\n<p>",
        ] {
            assert!(!is_mhtml(start.as_bytes()), "{start}");
        }
        // The fields before may be long.
        let mail = format!("{}MIME-Version: 1.0\n", "Received: x\n".repeat(5000));
        assert!(is_mhtml(start(mail.as_bytes())) && !is_mhtml(&mail.as_bytes()[..START_LEN]));
    }

    #[test]
    fn archives_are_told_by_their_start() {
        assert_eq!(compression(b"\x1f\x8b\x08\0"), Some("gzip"));
        assert_eq!((compression(b"\x28\xb5\x2f\xfd"), compression(b"\x5f\x2a\x4d\x18")), (Some("zstd"), Some("zstd")));
        assert_eq!((compression(b"\x1f\x8b\x08"), compression(b"WARC"), compression(b"")), (None, None, None));
        assert!(is_archive(b"WARC/1.0\r\n") && !is_archive(b"WARC/x") && !is_archive(b"\x1f\x8b\x08\0\0"));
    }

    #[test]
    fn records_are_found_between_parts() {
        for at in [0, 1, (64 << 10) - 10, (64 << 10) - 1, 64 << 10, (128 << 10) - 5] {
            let mut content = vec![b'W'; at];
            content.extend_from_slice(b"WARC/1.1\r\n");
            assert!(holds_record(&*content).unwrap(), "{at}");
            assert!(!holds_record(&content[..content.len() - 2]).unwrap(), "{at}");
        }
    }
}
