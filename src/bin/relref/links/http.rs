//! The HTTP response in a record: its head, and the decoders of its body (RFC 9112 §6 and §7, RFC 9110 §8.4).

use std::io::{self, BufRead, BufReader, Cursor, Error, ErrorKind, Read};

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use httparse::{ParserConfig, Response, Status, parse_chunk_size};
use memchr::memmem;

use super::sniff;

/// The longest head of a response.
const HEAD: usize = 256 << 10;
/// More codings one upon the other than any server sends.
const CODINGS: usize = 4;

/// What the head of a response says about its body.
#[derive(Default)]
pub struct Head {
    /// `Content-Type` without parameters, in lower case; empty without one.
    pub media: String,
    pub charset: Option<String>,
    /// The codings of the body, the last to be taken off first.
    pub codings: Vec<String>,
}

/// Reads the head; gives it, and the start of the body that was read with it.
pub fn head(block: &mut impl Read) -> io::Result<(Head, Vec<u8>)> {
    let mut bytes = Vec::new();
    let len = loop {
        let from = bytes.len();
        block.by_ref().take(4 << 10).read_to_end(&mut bytes)?;
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

fn parse(bytes: &[u8]) -> io::Result<Head> {
    let line = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
    if !bytes.starts_with(b"HTTP/") {
        return Err(invalid("its block is no HTTP response"));
    }
    // Writers put `HTTP/2 200` and stranger there; nothing depends on it.
    let bytes = [b"HTTP/1.1 200 OK\r\n", &bytes[line..]].concat();
    let mut fields = vec![httparse::EMPTY_HEADER; 1024];
    let mut response = Response::new(&mut fields);
    let mut parser = ParserConfig::default();
    parser
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_spaces_after_header_name_in_responses(true)
        .ignore_invalid_headers_in_responses(true);
    parser.parse_response(&mut response, &bytes).map_err(|error| invalid(&format!("its HTTP head: {error}")))?;
    let mut head = Head::default();
    let (mut content, mut transfer) = (Vec::new(), Vec::new());
    for field in response.headers.iter() {
        let value = String::from_utf8_lossy(field.value).to_ascii_lowercase();
        let codings = || value.split(',').map(|coding| coding.trim().to_owned()).filter(|coding| !coding.is_empty());
        match field.name.to_ascii_lowercase().as_str() {
            "content-type" => (head.media, head.charset) = media(&value),
            "content-encoding" => content.extend(codings()),
            "transfer-encoding" => transfer.extend(codings()),
            _ => {}
        }
    }
    head.codings = content.into_iter().chain(transfer).filter(|coding| coding != "identity").collect();
    Ok(head)
}

/// A media type in lower case, taken apart.
pub fn media(value: &str) -> (String, Option<String>) {
    let mut parts = value.split(';');
    let essence = parts.next().unwrap_or_default().trim().to_owned();
    let charset =
        parts.find_map(|part| part.trim().strip_prefix("charset=")).map(|label| label.trim_matches(['"', '\'', ' ']));
    (essence, charset.filter(|label| !label.is_empty()).map(str::to_owned))
}

/// Takes the codings off a body.
pub fn decoded<'b>(body: impl Read + 'b, codings: &[String]) -> io::Result<Box<dyn BufRead + 'b>> {
    if codings.len() > CODINGS {
        return Err(invalid(&format!("its body has {} codings", codings.len())));
    }
    let mut body: Box<dyn BufRead + 'b> = Box::new(BufReader::with_capacity(32 << 10, body));
    for coding in codings.iter().rev() {
        // Many archivers take a coding off and leave its name in the head: the bytes decide.
        let mut first = Vec::new();
        body.by_ref().take(sniff::LEN as u64).read_to_end(&mut first)?;
        let magic = [first.first().copied().unwrap_or(0), first.get(1).copied().unwrap_or(0)];
        let chunked = matches!(parse_chunk_size(&first), Ok(Status::Complete(_)));
        let plain = first.is_empty() || sniff::is_html(&first);
        let whole = Cursor::new(first).chain(body);
        let buffer = |decoder: Box<dyn Read + 'b>| Box::new(BufReader::with_capacity(32 << 10, decoder));
        body = match coding.as_str() {
            _ if plain => Box::new(whole),
            "chunked" if chunked => buffer(Box::new(Chunked { body: whole, left: 0, started: false, ended: false })),
            "gzip" | "x-gzip" if magic == [0x1f, 0x8b] => buffer(Box::new(MultiGzDecoder::new(whole))),
            "deflate" if magic[0] & 0x0f == 8 && u16::from_be_bytes(magic) % 31 == 0 => {
                buffer(Box::new(ZlibDecoder::new(whole)))
            }
            "deflate" if magic[0] != b'<' => buffer(Box::new(DeflateDecoder::new(whole))),
            "chunked" | "gzip" | "x-gzip" | "deflate" => Box::new(whole),
            other => {
                return Err(Error::new(ErrorKind::Unsupported, format!("its content coding `{other}` is not known")));
            }
        };
    }
    Ok(body)
}

/// A body in chunks (RFC 9112 §7.1); trailers are not read.
struct Chunked<R> {
    body: R,
    /// What is left of the chunk.
    left: u64,
    started: bool,
    ended: bool,
}

impl<R: BufRead> Read for Chunked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !self.ended {
            // The line break that ends a chunk, and the line that starts the next.
            let mut line = Vec::new();
            let mut lines = if self.started { 2 } else { 1 };
            while lines > 0 {
                line.clear();
                self.body.by_ref().take(4 << 10).read_until(b'\n', &mut line)?;
                lines -= 1;
                if lines == 1 && !line.trim_ascii().is_empty() {
                    return Err(invalid("a chunk is not as long as it says"));
                }
            }
            self.left = match parse_chunk_size(&line) {
                Ok(Status::Complete((_, len))) => len,
                _ if line.is_empty() => return Err(invalid("it ends before the last chunk")),
                _ => return Err(invalid("a chunk has no size")),
            };
            self.started = true;
            self.ended = self.left == 0;
        }
        let most = into.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let read = self.body.read(&mut into[..most])?;
        if read == 0 && most > 0 {
            return Err(invalid("it ends within a chunk"));
        }
        self.left -= read as u64;
        Ok(read)
    }
}

fn invalid(why: &str) -> Error {
    Error::new(ErrorKind::InvalidData, why)
}
