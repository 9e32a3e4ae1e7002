//! The head of the HTTP response in a record (RFC 9112 §4 and §5, RFC 9110 §8).

use std::io::{self, Read};
use std::mem::MaybeUninit;

use httparse::{ParserConfig, Response};
use memchr::memmem;

use super::damage::invalid;

/// The length in bytes of the longest head of a response.
const HEAD: usize = 256 << 10;
/// The number of codings that a body may have: more than any server sends.
const CODINGS: usize = 4;
/// The characters of the longest name of a coding that is kept: more than any known name has.
const LONGEST_NAME: usize = 64;

/// The fields of the head that tell how to read the body.
#[derive(Default)]
pub(super) struct Head {
    /// The status code; `None` if the first line has none.
    pub(super) status: Option<u16>,
    /// `Content-Type` without parameters, in lower case; empty without one.
    pub(super) media_type: String,
    /// The `charset` of `Content-Type`, in lower case.
    pub(super) charset: Option<String>,
    /// The names of the codings of the body, the last one the outermost; the first [`CODINGS`] of them.
    pub(super) codings: Vec<String>,
    /// The number of codings.
    count: usize,
    /// The damage of the head, if it could be read nevertheless.
    pub(super) damage: Option<&'static str>,
}

impl Head {
    /// Adds the codings in a list.
    fn add_codings(&mut self, list: &str) {
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != "identity") {
            self.count += 1;
            if self.count <= CODINGS {
                // A longer one is not known, and is only reported.
                self.codings.push(name.chars().take(LONGEST_NAME).collect());
            }
        }
    }

    /// Checks that the codings are not too many.
    pub(super) fn check_codings(&self) -> io::Result<()> {
        match self.count {
            0..=CODINGS => Ok(()),
            count => Err(invalid(&format!("its body has {count} codings"))),
        }
    }
}

/// Reads the head; returns it, and the start of the body that was read with it.
pub(super) fn read_head(content: &mut impl Read) -> io::Result<(Head, Vec<u8>)> {
    let mut bytes = Vec::new();
    let len = loop {
        let from = bytes.len();
        content.by_ref().take(4 << 10).read_to_end(&mut bytes)?;
        let search = &bytes[from.saturating_sub(3)..];
        let end = memmem::find(search, b"\r\n\r\n").map(|at| at + 4);
        let end = end.into_iter().chain(memmem::find(search, b"\n\n").map(|at| at + 2)).min();
        if let Some(end) = end {
            break from.saturating_sub(3) + end;
        }
        if bytes.len() == from || bytes.len() > HEAD {
            return Err(invalid("its HTTP head has no end"));
        }
    };
    let body = bytes.split_off(len);
    Ok((parse(&bytes)?, body))
}

/// Parses a head, with the empty line that ends it.
fn parse(bytes: &[u8]) -> io::Result<Head> {
    let line = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
    if !bytes.starts_with(b"HTTP/") {
        return Err(invalid("its content is not an HTTP response"));
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
    let mut transfer = Vec::new();
    for field in response.headers.iter() {
        let value = String::from_utf8_lossy(field.value).to_ascii_lowercase();
        match field.name.to_ascii_lowercase().as_str() {
            "content-type" => (head.media_type, head.charset) = media_type(&value),
            "content-encoding" => head.add_codings(&value),
            "transfer-encoding" => transfer.push(value),
            _ => {}
        }
    }
    transfer.iter().for_each(|list| head.add_codings(list));
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

/// Splits the value of `Content-Type`, in lower case, into its media type and its charset.
pub(super) fn media_type(value: &str) -> (String, Option<String>) {
    let mut parts = value.split(';');
    let essence = parts.next().unwrap_or_default().trim().to_owned();
    let charset =
        parts.find_map(|part| part.trim().strip_prefix("charset=")).map(|label| label.trim_matches(['"', '\'', ' ']));
    // The longest label of an encoding has 19 bytes; a page that waits for its turn keeps it.
    (essence, charset.filter(|label| (1..64).contains(&label.len())).map(str::to_owned))
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
        assert_eq!((head.status, &*head.media_type, head.charset.as_deref()), (Some(404), "text/html", Some("utf-8")));
        assert_eq!((head.codings.join(" "), &*start), ("gzip chunked".into(), "body"));
        assert!(head.damage.is_none());
    }

    #[test]
    fn damaged_heads_are_read_or_refused() {
        let (head, _) = read("HTTP/1.1 OK\r\nA: b\0\rContent-Type: text/html\r\n\r\n").unwrap();
        assert_eq!((head.status, &*head.media_type, head.damage.is_some()), (None, "text/html", true));
        for (text, why) in
            [("HTTP/1.1 200 OK\r\nA: b\r\n", "no end"), ("GET / HTTP/1.1\r\n\r\n", "not an HTTP response")]
        {
            assert!(read(text).is_err_and(|error| error.to_string().contains(why)));
        }
        let codings = "HTTP/1.1 200\r\nContent-Encoding: gzip, gzip, gzip, gzip, gzip\r\n\r\n";
        assert!(read(codings).unwrap().0.check_codings().is_err());
    }
}
