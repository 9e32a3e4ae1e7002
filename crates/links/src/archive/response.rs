//! The head of the HTTP response in a record (RFC 9112 §4 and §5, RFC 9110 §8).

use std::io::{self, Read};
use std::{iter, str};

use memchr::{memchr, memchr_iter, memchr2_iter, memrchr};

use super::body::MAX_CODINGS;
use super::damage::invalid;
use super::fields::Fields;
use super::mime::{self, MediaType};

/// The most bytes of a head that are kept. A longer head is read to its end, but its last fields are left out.
const MAX_HEAD_LEN: usize = 256 << 10;
/// Longer names of codings are cut: no known one is as long, so a cut one is still reported as unknown.
const MAX_CODING_NAME_CHAR_COUNT: usize = 64;
/// The number of bytes by which the start of a response is known.
pub(super) const HTTP_START_LEN: usize = b"HTTP 2".len();

/// Reports whether a response starts here.
// Some servers write the protocol in lower case or leave out its version, and browsers read it.
pub(super) fn starts_http(bytes: &[u8]) -> bool {
    let Some((name, after)) = bytes.split_first_chunk::<4>() else { return false };
    name.eq_ignore_ascii_case(b"HTTP") && matches!(after, [b'/', ..] | [b' ', b'0'..=b'9', ..])
}

/// The head of a response, or the media type alone of a file.
#[derive(Default)]
pub(crate) struct HttpHead {
    /// `None` for a file, or if the first line has none that can be read.
    pub(super) status: Option<u16>,
    pub(crate) media_type: MediaType,
    /// In lower case, the outermost one last, without those after the first [`MAX_CODINGS`] + 1.
    pub(crate) codings: Vec<String>,
    /// If read from a head, without those after its first [`MAX_HEAD_LEN`] bytes.
    pub(crate) fields: Fields,
    /// The damage of a head that could be read nevertheless.
    pub(super) damage: Option<&'static str>,
}

/// Reads the head, and returns it with the first bytes of the body, which were read together. A head without an end is damage, but
/// no error. Interim responses before the final one are skipped (RFC 9110 §15.2), but their `Link` fields count (RFC 8297).
pub(super) fn read_http_head(content: &mut impl Read) -> io::Result<(HttpHead, Vec<u8>)> {
    let (mut rest, mut links, mut links_len) = (Vec::new(), Vec::new(), 0);
    loop {
        let (mut head, mut body) = read_one_head(content, rest)?;
        // After 101 follows another protocol.
        if matches!(head.status, Some(100 | 102..=199)) {
            let missing = HTTP_START_LEN.saturating_sub(body.len());
            content.by_ref().take(missing as u64).read_to_end(&mut body)?;
            if starts_http(&body) {
                let new = head.fields.all("link").take_while(|link| {
                    links_len += link.len();
                    links_len <= MAX_HEAD_LEN
                });
                links.extend(new.map(<[u8]>::to_vec));
                rest = body;
                continue;
            }
        }
        if !links.is_empty() {
            let early = links.iter().map(|link| ("link", &**link));
            head.fields = early.chain(head.fields.iter()).collect();
        }
        return Ok((head, body));
    }
}

/// Reads a head that starts with these bytes.
fn read_one_head(content: &mut impl Read, mut bytes: Vec<u8>) -> io::Result<(HttpHead, Vec<u8>)> {
    // The length in bytes of the lines that are kept of a head that is too long.
    let mut kept = None;
    let mut has_end = true;
    let mut searched = 0;
    let len = loop {
        if let Some(end) = head_end(&bytes[searched..]) {
            break searched + end;
        }
        // The end may start in the last bytes of the part before.
        searched = bytes.len().saturating_sub(MAX_END_LEN - 1);
        if bytes.len() > MAX_HEAD_LEN {
            let kept = *kept.get_or_insert_with(|| memrchr(b'\n', &bytes[..searched]).map_or(0, |at| at + 1));
            bytes.drain(kept..searched);
            searched = kept;
        }
        let from = bytes.len();
        content.by_ref().take(4 << 10).read_to_end(&mut bytes)?;
        if !starts_http(&bytes) {
            return Err(invalid("its content is not an HTTP response"));
        }
        if bytes.len() == from {
            has_end = false;
            break from;
        }
    };
    let body = bytes.split_off(len);
    if let Some(kept) = kept {
        bytes.truncate(kept);
        bytes.extend_from_slice(b"\r\n");
    }
    let mut head = parse_head(&bytes);
    if !has_end {
        head.damage = Some("its HTTP head has no end");
    }
    if kept.is_some() {
        head.damage = Some("its HTTP head has more than 256 KiB: the rest of its fields is not read");
    }
    Ok((head, body))
}

/// The length in bytes of the longest end of a head.
const MAX_END_LEN: usize = b"\n\r\r\n".len();

/// Returns the length of the head that ends first: with an empty line, each line with LF, CRLF or CR CR LF (RFC 9112 §2.2).
fn head_end(bytes: &[u8]) -> Option<usize> {
    memchr_iter(b'\n', bytes).find_map(|at| match &bytes[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        [b'\r', b'\r', b'\n', ..] => Some(at + 4),
        _ => None,
    })
}

fn parse_head(bytes: &[u8]) -> HttpHead {
    let line = memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1);
    let clean = clean_fields(&bytes[line..]);
    let is_line_end = |rest: &[u8]| matches!(rest, [b'\r', b'\n', ..] | [b'\r', b'\r', b'\n', ..]);
    let is_clean = memchr2_iter(0, b'\r', bytes).all(|at| is_line_end(&bytes[at..]));
    let damage = (!is_clean).then_some("its HTTP head has a NUL or a lone carriage return");
    HttpHead { status: status_code(&bytes[..line]), damage, ..HttpHead::of_fields(http_fields(&clean).collect()) }
}

impl HttpHead {
    pub(crate) fn of_fields(fields: Fields) -> HttpHead {
        let values = |name| fields.all(name).map(String::from_utf8_lossy);
        let media_type = mime::extract(values("content-type"));
        let lists: Vec<_> = values("content-encoding").chain(values("transfer-encoding")).collect();
        let codings = lists.iter().flat_map(|list| codings(list)).take(MAX_CODINGS + 1).collect();
        HttpHead { media_type, codings, fields, ..HttpHead::default() }
    }
}

/// The fields of a MIME header (RFC 2045 §3), which are written like those of HTTP.
#[cfg(feature = "page")]
pub(crate) fn mime_fields(header: &[u8]) -> Fields {
    http_fields(&clean_fields(header)).collect()
}

/// In lower case and shortened; without `identity`, which is no coding.
fn codings(list: &str) -> impl Iterator<Item = String> {
    let is_around_name = |c: char| c.is_whitespace() || matches!(c, '"' | '\'');
    // Some servers add quotes or a weight.
    let names = list.split(',').filter_map(move |item| Some(item.split(';').next()?.trim_matches(is_around_name)));
    let names = names.filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity"));
    names.map(|name| name.chars().take(MAX_CODING_NAME_CHAR_COUNT).collect::<String>().to_ascii_lowercase())
}

fn status_code(line: &[u8]) -> Option<u16> {
    // Three digits after the first white space (RFC 9110 §15).
    let code = line.split(u8::is_ascii_whitespace).filter(|part| !part.is_empty()).nth(1)?;
    if code.len() == 3 && code.iter().all(u8::is_ascii_digit) { str::from_utf8(code).ok()?.parse().ok() } else { None }
}

/// `head` is without its first line. A folded value keeps its line breaks (RFC 9112 §5.2). Lines without a valid name are left out.
fn http_fields(head: &[u8]) -> impl Iterator<Item = (&str, &[u8])> {
    let mut rest = head;
    iter::from_fn(move || {
        while !rest.is_empty() {
            let starts_field = |at: &usize| !matches!(rest.get(at + 1), Some(b' ' | b'\t'));
            let end = memchr_iter(b'\n', rest).find(starts_field).map_or(rest.len(), |at| at + 1);
            let (line, after) = rest.split_at(end);
            rest = after;
            let Some(colon) = memchr(b':', line) else { continue };
            match str::from_utf8(line[..colon].trim_ascii_end()) {
                Ok(name) if mime::is_token(name) => return Some((name, line[colon + 1..].trim_ascii())),
                _ => {}
            }
        }
        None
    })
}

/// Removes NULs. Turns a lone carriage return into a line feed, as some servers end lines with it, but not beside a line end.
fn clean_fields(bytes: &[u8]) -> Vec<u8> {
    let mut clean = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        match (byte, bytes.get(at + 1)) {
            (0, _) | (b'\r', Some(b'\r')) => {}
            (b'\r', next) if next != Some(&b'\n') => {
                if !clean.ends_with(b"\n") {
                    clean.push(b'\n');
                }
            }
            _ => clean.push(*byte),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> io::Result<(HttpHead, String)> {
        read_http_head(&mut text.as_bytes()).map(|(head, start)| (head, String::from_utf8(start).unwrap()))
    }

    #[test]
    fn heads_are_read_with_the_start_of_the_body() {
        let text = "HTTP/2 404\nContent-Type: Text/HTML; Charset=\"UTF-8\"\nX: y\n z\ncontent-encoding: gzip, identity\n\
            Transfer-Encoding: chunked\n\nbody";
        let (head, start) = read(text).unwrap();
        let MediaType { essence, charset } = &head.media_type;
        assert_eq!((head.status, &**essence, charset.as_deref()), (Some(404), "text/html", Some("utf-8")));
        assert_eq!(head.fields.get("x"), Some(&b"y\n z"[..]));
        assert_eq!((head.codings.join(" "), &*start), ("gzip chunked".into(), "body"));
        assert!(head.damage.is_none());
    }

    #[test]
    fn each_line_ends_as_it_likes() {
        for end in ["\n", "\r\n", "\r\r\n"] {
            for last in ["\n", "\r\n", "\r\r\n"] {
                let filler = "x".repeat(4096 - "HTTP/1.1 200 OK\r\nA: ".len() - 2);
                for value in ["b", &filler, &filler[1..], &filler[2..], &filler[3..]] {
                    let text = format!("HTTP/1.1 200 OK\r\nA: {value}{end}{last}body\n\n");
                    let mut rest = text.as_bytes();
                    let (head, mut body) = read_http_head(&mut rest).unwrap();
                    body.extend_from_slice(rest);
                    assert_eq!(head.fields.get("a"), Some(value.as_bytes()), "{end:?} {last:?}");
                    assert_eq!((&*body, head.damage), (&b"body\n\n"[..], None), "{end:?} {last:?}");
                }
            }
        }
    }

    #[test]
    fn interim_responses_are_skipped() {
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nX: y\r\n\r\n";
        let last = "HTTP/1.1 200 OK\nLink: </b>\n\nbody";
        for (text, expected) in [
            (["HTTP/1.1 100 Continue\r\n\r\n", last].concat(), (Some(200), "</b>", "body")),
            ([hints, hints, last].concat(), (Some(200), "</a>, </a>, </b>", "body")),
            (hints.into(), (Some(103), "</a>", "")),
            ([hints, "HTT"].concat(), (Some(103), "</a>", "HTT")),
            (["HTTP/1.1 101 Switching Protocols\n\n", last].concat(), (Some(101), "", last)),
            (["HTTP/1.1 200 OK\n\n", last].concat(), (Some(200), "", last)),
        ] {
            let (head, start) = read(&text).unwrap();
            let links: Vec<_> = head.fields.all("link").map(|link| str::from_utf8(link).unwrap()).collect();
            assert_eq!((head.status, &*links.join(", "), &*start), expected, "{text}");
        }
        let many = hints.repeat(100_000) + last;
        let (head, start) = read(&many).unwrap();
        assert_eq!((head.status, &*start), (Some(200), "body"));
        assert!(head.fields.all("link").map(<[u8]>::len).sum::<usize>() <= MAX_HEAD_LEN + 4);
    }

    #[test]
    fn damaged_heads_are_read_or_refused() {
        let (head, _) = read("HTTP/1.1 OK\r\nA: b\0\rContent-Type: text/html\r\n\r\n").unwrap();
        assert_eq!((head.status, &*head.media_type.essence, head.damage.is_some()), (None, "text/html", true));
        for text in ["GET / HTTP/1.1\r\n\r\n", "GET", "HTTP Error: see <a href=b>", ""] {
            assert!(read(text).is_err_and(|error| error.to_string().contains("not an HTTP response")), "{text}");
        }
        let codings = "HTTP/1.1 200\r\nContent-Encoding: a, b, c, d, e, f\r\n\r\n";
        assert_eq!(read(codings).unwrap().0.codings.len(), MAX_CODINGS + 1);
    }

    #[test]
    fn a_status_code_is_three_digits() {
        for (line, status) in [
            ("HTTP/1.1 200", Some(200)),
            ("HTTP/1.0\t 404  ", Some(404)),
            ("http/1.0 200", Some(200)),
            ("HTTP 200 OK", Some(200)),
            ("HTTP/2 299 \u{e9}", Some(299)),
            ("HTTP/1.1 +12 OK", None),
            ("HTTP/1.1 -12", None),
            ("HTTP/1.1 20", None),
            ("HTTP/1.1 2000", None),
            ("HTTP/1.1 \u{661}2", None),
            ("HTTP/1.1", None),
        ] {
            assert_eq!(read(&format!("{line}\r\n\r\n")).unwrap().0.status, status, "{line}");
        }
        // The reason may have any bytes (RFC 9112 §4), such as ISO 8859-1.
        let (head, _) = read_http_head(&mut &b"HTTP/1.1 404 Introuvable \xe9\r\n\r\n"[..]).unwrap();
        assert_eq!(head.status, Some(404));
    }

    #[test]
    fn heads_without_an_end_have_their_fields() {
        for (text, location) in [
            ("HTTP/1.1 301 Moved\r\nLocation: /a\r\n", Some("/a")),
            ("HTTP/1.1 301 Moved\nLocation: /a\nX", Some("/a")),
            ("HTTP/1.1 301 Moved\r\nLocation: /a", Some("/a")),
            ("HTTP/1.1 301", None),
        ] {
            let (head, start) = read(text).unwrap();
            let found = head.fields.get("location").map(|value| str::from_utf8(value).unwrap());
            assert_eq!((found, head.damage, &*start), (location, Some("its HTTP head has no end"), ""), "{text}");
        }
    }

    #[test]
    fn no_field_is_lost() {
        let many: String = (0..5000).map(|n| format!("X-{n}: y\r\n")).collect();
        let text = format!(
            "HTTP/1.1 301\r\n{many}no field\r\n: x\r\na b: c\r\nLocation : /\x1b[31m\x01\x7f\r\nRefresh:\r\n 1;\tb\r\n\r\n"
        );
        let (head, _) = read(&text).unwrap();
        assert_eq!((head.fields.iter().count(), head.damage), (5002, None));
        assert_eq!(head.fields.get("location"), Some(&b"/\x1b[31m\x01\x7f"[..]));
        assert_eq!(head.fields.get("refresh"), Some(&b"1;\tb"[..]));
    }

    #[test]
    fn codings_may_have_quotes_and_weights() {
        for list in ["gzip;q=1", "\"gzip\"", "'GZIP' ; q=0.5", " gzip\t,, identity;q=1"] {
            let (head, _) = read(&format!("HTTP/1.1 200\r\nContent-Encoding: {list}\r\n\r\n")).unwrap();
            assert_eq!(head.codings, ["gzip"], "{list}");
        }
    }

    #[test]
    fn the_start_of_a_long_head_is_read() {
        for len in [MAX_HEAD_LEN - 9000, MAX_HEAD_LEN + 9000, 4 * MAX_HEAD_LEN + 5] {
            let text = format!("HTTP/1.1 200\nContent-Type: text/html\nX: {}\nY: z\n\nbody", "x".repeat(len));
            let (head, start) = read(&text).unwrap();
            let is_long = len > MAX_HEAD_LEN;
            assert_eq!((&*head.media_type.essence, &*start), ("text/html", "body"), "{len}");
            assert_eq!((head.damage.is_some(), head.fields.get("y").is_none()), (is_long, is_long), "{len}");
        }
    }
}
