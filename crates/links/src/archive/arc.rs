//! The heads of ARC records, which are lines (ARC File Format of 1996, versions 1 and 2), and how they are found among other bytes.

use std::net::IpAddr;
use std::str;

use memchr::{memchr, memchr_iter, memmem, memrchr};

/// The length in bytes of the longest line that is found, with the line feed.
pub(super) const MAX_LINE_LEN: usize = 32 << 10;

/// The first bytes of an ARC file: the URI of its version block.
pub(super) const VERSION_BLOCK: &[u8] = b"filedesc://";

/// The starts of the URIs of the records that a search finds.
const SCHEMES: [&[u8]; 7] = [b"http://", b"https://", b"dns:", b"ftp://", VERSION_BLOCK, b"gopher://", b"whois://"];

/// The most fields after the URI that are looked at: version 2 has 9, and a media type with spaces is several.
const MAX_FIELDS: usize = 16;

/// The fields of a line. Those that are missing are empty.
#[derive(Debug, PartialEq)]
pub(super) struct Line<'l> {
    /// May have spaces: some archivers did not encode them.
    pub(super) uri: &'l [u8],
    pub(super) ip: &'l [u8],
    /// 12 or 14 digits.
    pub(super) date: &'l str,
    pub(super) media_type: &'l [u8],
    /// May be no number.
    pub(super) length: &'l [u8],
}

impl<'l> Line<'l> {
    /// A line without a date must have the number of fields that its version has.
    pub(super) fn parse(line: &'l [u8]) -> Option<Line<'l>> {
        let line = line.trim_ascii();
        Line::with_date(line)
            .or_else(|| Line::complete(line))
            .filter(|line| has_scheme(line.uri) && !has_noise(line.uri))
    }

    /// The date shows where the fields are: a URI and a media type can have spaces, and other fields can be missing. The line must
    /// have no white space around it.
    fn with_date(line: &'l [u8]) -> Option<Line<'l>> {
        let (fields, length) = split_last(line)?;
        let mut rest = fields;
        for _ in 0..MAX_FIELDS {
            let (before, field) = split_last(rest)?;
            if let Some(date) = as_date(field) {
                let (uri, ip) = split_last(before).filter(|(_, ip)| is_address(ip)).unwrap_or((before, &[]));
                let media_type = media_type(fields[rest.len()..].trim_ascii());
                return Some(Line { uri, ip, date, media_type, length });
            }
            rest = before;
        }
        None
    }

    fn complete(line: &'l [u8]) -> Option<Line<'l>> {
        let fields = line.split(|byte| *byte == b' ').filter(|field| !field.is_empty());
        let fields: Vec<&[u8]> = fields.take(MAX_FIELDS).collect();
        let is_complete = matches!(fields.len(), 5 | 10);
        is_complete.then(|| Line {
            uri: fields[0],
            ip: fields[1],
            date: "",
            media_type: fields[3],
            length: fields[fields.len() - 1],
        })
    }

    /// Reports whether the line is surely the head of a record, whatever its URI is.
    fn is_certain(&self) -> bool {
        !self.ip.is_empty() && !self.date.is_empty() && self.len().is_some()
    }

    /// The index at which a line starts that is surely the head of a record. Other text may come before it.
    fn find(bytes: &[u8]) -> Option<usize> {
        let line = Line::with_date(bytes.trim_ascii()).filter(Line::is_certain)?;
        // The URI is a part of `bytes`: it starts where the first byte is that is no white space.
        let start = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let end = start + line.uri.len();
        let is_other = |byte: &u8| *byte <= b' ' || matches!(byte, b'"' | b'\'' | b'<' | b'>' | 0x7f);
        let word = bytes[..end].iter().rposition(is_other).map_or(start, |at| at + 1);
        let is_whole = starts_with_scheme(line.uri) && !line.uri.iter().any(|byte| *byte != b' ' && is_other(byte));
        // After damage, a URI in the last word is likelier than one with spaces.
        let schemes = SCHEMES.iter().filter_map(|scheme| memmem::find(&bytes[word..end], scheme));
        match schemes.min() {
            Some(at) if word > start || !is_whole => Some(word + at),
            _ => is_whole.then_some(start),
        }
    }

    pub(super) fn len(&self) -> Option<u64> {
        // `parse` takes a sign, too.
        if self.length.iter().all(u8::is_ascii_digit) { str::from_utf8(self.length).ok()?.parse().ok() } else { None }
    }

    /// In the form of `WARC-Date`; without seconds if it has 12 digits.
    pub(super) fn warc_date(&self) -> Option<String> {
        let part = |from: usize| self.date.get(from..from + 2);
        let minutes = format!("{}-{}-{}T{}:{}", self.date.get(..4)?, part(4)?, part(6)?, part(8)?, part(10)?);
        Some(minutes + &part(12).map_or(String::new(), |seconds| format!(":{seconds}")) + "Z")
    }

    /// The `WARC-Type` that its record would have.
    pub(super) fn kind(&self) -> &'static str {
        let scheme = &self.uri[..memchr(b':', self.uri).unwrap_or(0)];
        let is = |other: &[u8]| scheme.eq_ignore_ascii_case(other);
        match () {
            () if is(b"filedesc") => "warcinfo",
            () if is(b"http") || is(b"https") || is(b"dns") => "response",
            () => "resource",
        }
    }
}

/// Returns the start of the first line that is the head of a record, also within another line. Each line must have its line feed.
pub(super) fn find_record(bytes: &[u8]) -> Option<usize> {
    let mut start = 0;
    for end in memchr_iter(b'\n', bytes) {
        let line = &bytes[start..end];
        // A longer line is binary data, or one that follows it.
        let skipped = line.len().saturating_sub(MAX_LINE_LEN);
        if let Some(at) = Line::find(&line[skipped..]) {
            return Some(start + skipped + at);
        }
        start = end + 1;
    }
    None
}

/// Reports whether these bytes start as the URIs of most records do.
pub(super) fn starts_with_scheme(bytes: &[u8]) -> bool {
    SCHEMES.iter().any(|scheme| bytes.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

/// Reports whether a record can end before `after`, the bytes up to the end of a line: only line breaks follow, or also the head
/// of a record.
pub(super) fn can_follow_content(after: &[u8]) -> bool {
    let breaks = after.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let next = &after[breaks..];
    let line = &next[..memchr(b'\n', next).unwrap_or(next.len())];
    let is_head = || Line::parse(line).is_some_and(|line| !line.date.is_empty() || line.len().is_some());
    // Without a line break, the first letters of a URI may be in the content.
    line.is_empty() || (breaks > 0 || starts_with_scheme(line)) && is_head()
}

/// Reports whether a record may end before a few bytes: before a line break, or a URI.
pub(super) fn may_follow_content(after: &[u8]) -> bool {
    matches!(after, [] | [b'\r' | b'\n', ..]) || starts_with_scheme(after)
}

fn split_last(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = memrchr(b' ', text)?;
    Some((text[..at].trim_ascii_end(), &text[at + 1..]))
}

/// `2004…`: year, month, day, hours, minutes, and mostly seconds.
fn as_date(field: &[u8]) -> Option<&str> {
    if !matches!(field.len(), 12 | 14) || !field.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = |from: usize| (field[from] - b'0') * 10 + field[from + 1] - b'0';
    let is_date = matches!(number(0), 19 | 20) && matches!(number(4), 1..=12) && matches!(number(6), 1..=31);
    let is_time = number(8) < 24 && number(10) < 60 && (field.len() == 12 || number(12) <= 60);
    if is_date && is_time { str::from_utf8(field).ok() } else { None }
}

/// `-` and `0` are those of records without a server.
fn is_address(field: &[u8]) -> bool {
    matches!(field, b"-" | b"0") || str::from_utf8(field).is_ok_and(|text| text.parse::<IpAddr>().is_ok())
}

/// Returns the media type among the fields after the date: the first of them, with its parameters after spaces.
fn media_type(fields: &[u8]) -> &[u8] {
    let mut end = 0;
    loop {
        end += memchr(b' ', &fields[end..]).unwrap_or(fields.len() - end);
        if end == fields.len() || !fields[..end].ends_with(b";") {
            return &fields[..end];
        }
        end += 1;
    }
}

/// RFC 3986 §3.1.
pub(super) fn has_scheme(uri: &[u8]) -> bool {
    let scheme = &uri[..memchr(b':', uri).unwrap_or(0)];
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    scheme.first().is_some_and(u8::is_ascii_alphabetic) && scheme.iter().all(is_part)
}

/// Reports whether other letters are before the scheme of a page: what is left of another record.
fn has_noise(uri: &[u8]) -> bool {
    let scheme = &uri[..memchr(b':', uri).unwrap_or(0)];
    [&b"http"[..], b"https"].iter().any(|page| scheme.len() > page.len() && scheme.ends_with(page))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the URI, the address, the date as in WARC, the media type, the length and the kind.
    fn parsed(line: &str) -> Option<String> {
        let line = Line::parse(line.as_bytes())?;
        let text = |bytes| str::from_utf8(bytes).unwrap();
        let date = line.warc_date().unwrap_or_default();
        let [uri, ip, media_type] = [line.uri, line.ip, line.media_type].map(text);
        Some(format!("{uri}|{ip}|{date}|{media_type}|{:?}|{}", line.len(), line.kind()))
    }

    #[test]
    fn lines_have_the_fields_of_their_version() {
        for (line, expected) in [
            (
                "filedesc://IA-001102.arc 0 19960923142103 text/plain 76",
                "filedesc://IA-001102.arc|0|1996-09-23T14:21:03Z|text/plain|Some(76)|warcinfo",
            ),
            (
                "http://www.dryswamp.edu:80/index.html 127.10.100.2 19961104142103 text/html 202",
                "http://www.dryswamp.edu:80/index.html|127.10.100.2|1996-11-04T14:21:03Z|text/html|Some(202)|response",
            ),
            (
                "http://www.dryswamp.edu:80/index.html 127.10.100.2 19961104142103 text/html 200 fac069150613fe55599cc7fa88aa089d - 209 IA-001102.arc 202",
                "http://www.dryswamp.edu:80/index.html|127.10.100.2|1996-11-04T14:21:03Z|text/html|Some(202)|response",
            ),
            (
                "dns:h 10.0.0.1 20080430204825 text/dns 56\r",
                "dns:h|10.0.0.1|2008-04-30T20:48:25Z|text/dns|Some(56)|response",
            ),
            ("FTP://h/ ::1 200804302048  no-type   5", "FTP://h/|::1|2008-04-30T20:48Z|no-type|Some(5)|resource"),
            // Spaces, and fields that are missing.
            (
                "http://h/a b  c 1.2.3.4 20080430204825 text/html 5",
                "http://h/a b  c|1.2.3.4|2008-04-30T20:48:25Z|text/html|Some(5)|response",
            ),
            (
                "http://h/ 1.2.3.4 20080430204825 text/html; charset=x 5",
                "http://h/|1.2.3.4|2008-04-30T20:48:25Z|text/html; charset=x|Some(5)|response",
            ),
            ("http://h/ 1.2.3.4 20080430204825 5", "http://h/|1.2.3.4|2008-04-30T20:48:25Z||Some(5)|response"),
            (
                "https://h/a b 20080430204825 text/html 5",
                "https://h/a b||2008-04-30T20:48:25Z|text/html|Some(5)|response",
            ),
            ("http://h/ ? ? text/html 5", "http://h/|?||text/html|Some(5)|response"),
            ("http://h/ ? ? text/html 200 - - 0 a.arc 5", "http://h/|?||text/html|Some(5)|response"),
            ("http://h/ 1.2.3.4 20081330204825 text/html 5", "http://h/|1.2.3.4||text/html|Some(5)|response"),
            (
                "http://사이트/я 1.2.3.4 20080430204825 text/html 5",
                "http://사이트/я|1.2.3.4|2008-04-30T20:48:25Z|text/html|Some(5)|response",
            ),
            // Lengths that are none.
            (
                "http://h/ 1.2.3.4 20080430204825 text/html -5",
                "http://h/|1.2.3.4|2008-04-30T20:48:25Z|text/html|None|response",
            ),
            (
                "http://h/ 1.2.3.4 20080430204825 text/html +5",
                "http://h/|1.2.3.4|2008-04-30T20:48:25Z|text/html|None|response",
            ),
            ("http://h/ 1.2.3.4 20080430204825 text/html", "http://h/|1.2.3.4|2008-04-30T20:48:25Z||None|response"),
            (
                "http://h/ 1.2.3.4 20080430204825 text/html 99999999999999999999",
                "http://h/|1.2.3.4|2008-04-30T20:48:25Z|text/html|None|response",
            ),
        ] {
            assert_eq!(parsed(line).as_deref(), Some(expected), "{line}");
        }
        for line in [
            "",
            "http://h/",
            "http://h/ 5",
            "http://h/ text/html 5",
            "h/ 1.2.3.4 20080430204825 text/html 5",
            "1a: b c d 5",
        ] {
            assert_eq!(parsed(line), None, "{line}");
        }
    }

    #[test]
    fn heads_are_found_in_other_text() {
        const TAIL: &str = " 1.2.3.4 20080430204825 text/html 5\n";
        for (before, uri) in [
            ("", "http://h/"),
            ("text\n\n", "http://h/a b"),
            ("<a href=\"http://x/\">cut", "http://h/"),
            ("cut in a word", "https://h/?u=http://x/"),
            ("http://x/ cut", "http://h/"),
            ("\u{0}\u{1}", "dns:h"),
            ("note: a b ", "ftp://h/a/"),
            ("http://x/ 1.2.3.4 20080430204825 text/html x\n", "HTTP://h/"),
            ("http://x/ ? 20080430204825 text/html 5\nhttp://x/ 1.2.3.4 2008 text/html 5\n", "http://h/"),
        ] {
            let text = format!("{before}{uri}{TAIL}http://y/{TAIL}");
            assert_eq!(find_record(text.as_bytes()), Some(before.len()), "{text}");
            assert_eq!(
                Line::parse(&text.as_bytes()[before.len()..text.find(TAIL).unwrap() + TAIL.len()]).unwrap().uri,
                uri.as_bytes()
            );
        }
        for text in [
            "http://h/ 1.2.3.4 20080430204825 text/html 5",
            "x://h/ 1.2.3.4 20080430204825 text/html 5\n",
            "a 1.2.3.4 20080430204825 5\n",
        ] {
            assert_eq!(find_record(text.as_bytes()), None, "{text}");
        }
        let long = "x".repeat(MAX_LINE_LEN) + " http://h/" + TAIL;
        assert_eq!(find_record(long.as_bytes()), Some(MAX_LINE_LEN + 1));
    }

    quickcheck::quickcheck! {
        /// A line that the search finds is a head.
        fn found_heads_are_read(before: Vec<u8>, uri: String, spaces: u8) -> bool {
            let spaces = " ".repeat(1 + spaces as usize % 3);
            let line = format!("http://h/{uri}{spaces}1.2.3.4{spaces}20080430204825{spaces}7\n");
            let text = [&before, line.as_bytes()].concat();
            find_record(&text).is_none_or(|at| {
                let line = &text[at..][..=memchr(b'\n', &text[at..]).unwrap()];
                Line::parse(line).is_some_and(|line| line.is_certain() && starts_with_scheme(line.uri))
            })
        }
    }
}
