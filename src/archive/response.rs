//! The head of the HTTP response in a record (RFC 9112 §4 and §5, RFC 9110 §8).

use std::io::{self, Read};
use std::mem::{self, MaybeUninit};

use httparse::{ParserConfig, Response};
use memchr::{memmem, memrchr};

use super::body::CODINGS;
use super::damage::invalid;
use super::fields::Fields;
use super::mime::{self, MediaType};

/// The number of bytes of a head that are kept. Longer ones are read, but not their last fields.
const HEAD: usize = 256 << 10;
/// The characters of the longest name of a coding that is kept: more than any known name has.
const LONGEST_NAME: usize = 64;
/// The start of each response.
const HTTP: &[u8] = b"HTTP/";
const NOT_HTTP: &str = "its content is not an HTTP response";

/// The head of a response.
#[derive(Default)]
pub(super) struct Head {
    /// The status code; `None` if the first line has none.
    pub(super) status: Option<u16>,
    /// The media type of the body.
    pub(super) media_type: MediaType,
    /// The names of the codings of the body, the last one the outermost; one more than [`CODINGS`] at most.
    pub(super) codings: Vec<String>,
    pub(super) fields: Fields,
    /// The damage of the head, if it could be read nevertheless.
    pub(super) damage: Option<&'static str>,
}

impl Head {
    /// Adds the codings in a list.
    fn add_codings(&mut self, list: &str) {
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != "identity") {
            if self.codings.len() <= CODINGS {
                // A longer one is not known, and is only reported.
                self.codings.push(name.chars().take(LONGEST_NAME).collect());
            }
        }
    }
}

/// Reads the head; returns it, and the start of the body that was read with it.
pub(super) fn read_head(content: &mut impl Read) -> io::Result<(Head, Vec<u8>)> {
    let mut bytes = Vec::new();
    // The start of a head that is too long, up to the end of a line.
    let mut kept = None;
    let len = loop {
        let from = bytes.len();
        content.by_ref().take(4 << 10).read_to_end(&mut bytes)?;
        let search = &bytes[from.saturating_sub(3)..];
        let end = memmem::find(search, b"\r\n\r\n").map(|at| at + 4);
        let end = end.into_iter().chain(memmem::find(search, b"\n\n").map(|at| at + 2)).min();
        if let Some(end) = end {
            break from.saturating_sub(3) + end;
        }
        if bytes.len() == from {
            return Err(invalid("its HTTP head has no end"));
        }
        if bytes.len() > HEAD {
            let rest = bytes.split_off(bytes.len() - 3);
            if kept.is_none() {
                if !bytes.starts_with(HTTP) {
                    return Err(invalid(NOT_HTTP));
                }
                bytes.truncate(memrchr(b'\n', &bytes).map_or(0, |at| at + 1));
                kept = Some(mem::take(&mut bytes));
            }
            bytes = rest;
        }
    };
    let body = bytes.split_off(len);
    let is_long = kept.is_some();
    let mut head = parse(&kept.map_or(bytes, |kept| [&kept, &b"\r\n"[..]].concat()))?;
    if is_long {
        head.damage = Some("its HTTP head has more than 256 KiB: the rest of its fields is not read");
    }
    Ok((head, body))
}

/// Parses a head, with the empty line that ends it.
fn parse(bytes: &[u8]) -> io::Result<Head> {
    let line = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
    if !bytes.starts_with(HTTP) {
        return Err(invalid(NOT_HTTP));
    }
    // Writers put `HTTP/2 200` and stranger there, which the parser refuses.
    let first_line = b"HTTP/1.1 200 OK\r\n";
    let mut clean = first_line.to_vec();
    clean_fields(&bytes[line..], &mut clean);
    let mut fields = [const { MaybeUninit::uninit() }; 1024];
    let mut response = Response::new(&mut []);
    let mut parser = ParserConfig::default();
    parser
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true)
        .ignore_invalid_headers_in_responses(true);
    parser
        .parse_response_with_uninit_headers(&mut response, &clean, &mut fields)
        .map_err(|error| invalid(&format!("its HTTP head: {error}")))?;
    let mut head = Head { status: status_code(&bytes[..line]), ..Head::default() };
    if clean[first_line.len()..] != bytes[line..] {
        head.damage = Some("its HTTP head has a NUL or a lone carriage return");
    }
    head.fields = response.headers.iter().map(|field| (field.name, field.value)).collect();
    let lists = |name| response.headers.iter().filter(move |field| field.name.eq_ignore_ascii_case(name));
    let types: Vec<_> = lists("content-type").map(|field| String::from_utf8_lossy(field.value)).collect();
    head.media_type = mime::extract(&types.iter().map(|value| &**value).collect::<Vec<_>>());
    for field in lists("content-encoding").chain(lists("transfer-encoding")) {
        head.add_codings(&String::from_utf8_lossy(field.value).to_ascii_lowercase());
    }
    Ok(head)
}

/// Returns the status code in the first line of a head: three digits after its first space.
fn status_code(line: &[u8]) -> Option<u16> {
    let code = std::str::from_utf8(line).ok()?.split_ascii_whitespace().nth(1)?;
    if code.len() == 3 { code.parse().ok() } else { None }
}

/// Appends the fields of a head without what the parser refuses: NULs, and carriage returns that are not part of a line
/// break; some servers end their lines with a lone one.
fn clean_fields(bytes: &[u8], clean: &mut Vec<u8>) {
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            0 => {}
            b'\r' if bytes.get(at + 1) != Some(&b'\n') => {
                if !clean.ends_with(b"\n") && bytes.get(at + 1) != Some(&b'\r') {
                    clean.push(b'\n');
                }
            }
            byte => clean.push(*byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> io::Result<(Head, String)> {
        read_head(&mut text.as_bytes()).map(|(head, start)| (head, String::from_utf8(start).unwrap()))
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
    fn damaged_heads_are_read_or_refused() {
        let (head, _) = read("HTTP/1.1 OK\r\nA: b\0\rContent-Type: text/html\r\n\r\n").unwrap();
        assert_eq!((head.status, &*head.media_type.essence, head.damage.is_some()), (None, "text/html", true));
        for (text, why) in
            [("HTTP/1.1 200 OK\r\nA: b\r\n", "no end"), ("GET / HTTP/1.1\r\n\r\n", "not an HTTP response")]
        {
            assert!(read(text).is_err_and(|error| error.to_string().contains(why)));
        }
        let codings = "HTTP/1.1 200\r\nContent-Encoding: a, b, c, d, e, f\r\n\r\n";
        assert_eq!(read(codings).unwrap().0.codings.len(), CODINGS + 1);
    }

    #[test]
    fn the_start_of_a_long_head_is_read() {
        for len in [HEAD - 9000, HEAD + 9000, 4 * HEAD + 5] {
            let text = format!("HTTP/1.1 200\nContent-Type: text/html\nX: {}\nY: z\n\nbody", "x".repeat(len));
            let (head, start) = read(&text).unwrap();
            let is_long = len > HEAD;
            assert_eq!((&*head.media_type.essence, &*start), ("text/html", "body"), "{len}");
            assert_eq!((head.damage.is_some(), head.fields.get("y").is_none()), (is_long, is_long), "{len}");
        }
    }
}
