//! The HTTP response in a record: its head, and the decoders of its body (RFC 9112 §6 and §7, RFC 9110 §8.4).

use std::io::{self, BufRead, BufReader, Cursor, Error, ErrorKind, Read};
use std::mem::MaybeUninit;

use flate2::{FlushDecompress, Status as Inflated};
use httparse::{ParserConfig, Response, Status, parse_chunk_size};
use memchr::memmem;

use super::inflate::{Frame, GzipBody, Inflate};
use super::sniff;

/// The longest head of a response.
const HEAD: usize = 256 << 10;
/// More codings one upon the other than any server sends.
const CODINGS: usize = 4;
/// The characters of the longest name of a coding that is kept: longer than any that is known.
const LONGEST_NAME: usize = 64;

/// What the head of a response says about its body.
#[derive(Default)]
pub struct Head {
    /// `Content-Type` without parameters, in lower case; empty without one.
    pub media: String,
    pub charset: Option<String>,
    /// The codings of the body, the last of them the outermost.
    pub codings: Codings,
    /// Why the head is damaged, if it could be read all the same.
    pub damage: Option<&'static str>,
}

/// Names of codings; the first few, and how many there are.
#[derive(Default)]
pub struct Codings {
    names: Vec<String>,
    count: usize,
}

impl Codings {
    /// Adds those of a list.
    fn add(&mut self, list: &str) {
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty() && *name != "identity") {
            self.count += 1;
            if self.count <= CODINGS {
                // A longer name is none; it is only told.
                self.names.push(name.chars().take(LONGEST_NAME).collect());
            }
        }
    }

    /// Returns the names if they are not too many.
    pub fn into_names(self) -> io::Result<Vec<String>> {
        if self.count <= CODINGS {
            Ok(self.names)
        } else {
            Err(invalid(&format!("its body has {} codings", self.count)))
        }
    }
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
    let status = b"HTTP/1.1 200 OK\r\n";
    let mut clean = status.to_vec();
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
    let mut head = Head::default();
    if clean[status.len()..] != bytes[line..] {
        head.damage = Some("its HTTP head has a NUL or a lone carriage return");
    }
    let mut transfer = Vec::new();
    for field in response.headers.iter() {
        let value = String::from_utf8_lossy(field.value).to_ascii_lowercase();
        match field.name.to_ascii_lowercase().as_str() {
            "content-type" => (head.media, head.charset) = media(&value),
            "content-encoding" => head.codings.add(&value),
            "transfer-encoding" => transfer.push(value),
            _ => {}
        }
    }
    transfer.iter().for_each(|list| head.codings.add(list));
    Ok(head)
}

/// Appends the fields of a head without what the parser refuses: NULs, and carriage returns that are no part of a line break,
/// of which some servers make their line breaks.
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

/// A media type in lower case, taken apart.
pub fn media(value: &str) -> (String, Option<String>) {
    let mut parts = value.split(';');
    let essence = parts.next().unwrap_or_default().trim().to_owned();
    let charset =
        parts.find_map(|part| part.trim().strip_prefix("charset=")).map(|label| label.trim_matches(['"', '\'', ' ']));
    // The longest label of an encoding has 19 bytes; a page that waits for its turn keeps it.
    (essence, charset.filter(|label| (1..64).contains(&label.len())).map(str::to_owned))
}

/// Takes the codings off a body of so many bytes. Where it is damaged, an error follows all that could be decoded.
pub fn decoded<'b>(body: impl Read + 'b, len: u64, codings: &[String]) -> io::Result<Box<dyn BufRead + 'b>> {
    let mut body: Box<dyn BufRead + 'b> = Box::new(BufReader::with_capacity(32 << 10, body));
    // A body that is still coded is not much longer than it was, unless it is made to take forever.
    let most = len.saturating_mul(16).saturating_add(64 << 10);
    for coding in codings.iter().rev() {
        // Many archivers take a coding off and leave its name in the head: the bytes decide.
        let mut first = Vec::new();
        // Another error is met again after these bytes.
        if let Err(error) = body.by_ref().take(sniff::LEN as u64).read_to_end(&mut first) {
            if error.raw_os_error().is_some() {
                return Err(error);
            }
        }
        let plain = first.is_empty() || sniff::is_html(&first);
        let chunked = is_chunked(&first);
        let gzip = first.starts_with(b"\x1f\x8b");
        let deflate = if coding == "deflate" { deflate_frame(&first) } else { None };
        let text = sniff::is_text(&first);
        let whole = Cursor::new(first).chain(body);
        let buffer = |decoder: Box<dyn Read + 'b>| Box::new(BufReader::with_capacity(32 << 10, decoder));
        body = match coding.as_str() {
            _ if plain => Box::new(whole),
            "chunked" if chunked => buffer(Box::new(Chunked::new(whole.take(most)))),
            "gzip" | "x-gzip" if gzip => buffer(Box::new(GzipBody(Inflate::new(whole.take(most), Frame::Gzip)))),
            "gzip" | "x-gzip" if !text => buffer(Box::new(Damaged { body: whole, why: "it does not start as gzip" })),
            "chunked" | "gzip" | "x-gzip" | "deflate" => match deflate {
                Some(frame) => buffer(Box::new(Inflate::new(whole.take(most), frame))),
                None => Box::new(whole),
            },
            other => {
                return Err(Error::new(ErrorKind::Unsupported, format!("its content coding `{other}` is not known")));
            }
        };
    }
    Ok(body)
}

/// Reports whether a body starts with the line of a chunk, even one whose size is missing.
fn is_chunked(start: &[u8]) -> bool {
    matches!(parse_chunk_size(start), Ok(Status::Complete((len, _))) if !start[..len].trim_ascii().is_empty())
}

/// Finds the frame of a `deflate` body, which servers send as the zlib of RFC 9110 and without; `None` if it is a text.
fn deflate_frame(start: &[u8]) -> Option<Frame> {
    let fits = |frame: &Frame| {
        let mut out = [0; 4 << 10];
        let mut inflate = frame.inflater();
        match inflate.decompress(start, &mut out, FlushDecompress::None) {
            Ok(Inflated::StreamEnd) => true,
            // The first bytes of a short text may be some of a stream, but are not a whole one.
            Ok(_) => start.len() == sniff::LEN || inflate.total_out() == out.len() as u64,
            Err(_) => false,
        }
    };
    let is_zlib =
        matches!(start, [method, check, ..] if method & 0x0f == 8 && u16::from_be_bytes([*method, *check]) % 31 == 0);
    // A body that fits neither is damaged.
    let likely = if is_zlib { Frame::Zlib } else { Frame::None };
    [Frame::Zlib, Frame::None].into_iter().find(fits).or((!sniff::is_text(start)).then_some(likely))
}

/// A body in chunks (RFC 9112 §7.1); trailers are not read.
struct Chunked<R> {
    body: R,
    /// The number of bytes that are left of the chunk.
    left: u64,
    started: bool,
    ended: bool,
    /// A line that should be a chunk's and is not, and why.
    damage: Option<(Cursor<Vec<u8>>, &'static str)>,
}

impl<R: BufRead> Chunked<R> {
    /// The length in bytes of the longest line that is read.
    const LINE: usize = 4 << 10;

    fn new(body: R) -> Self {
        Chunked { body, left: 0, started: false, ended: false, damage: None }
    }

    /// Reads the line break that ends a chunk, and the line that starts the next.
    fn next(&mut self) -> io::Result<()> {
        if self.started {
            let line = self.line()?;
            if !line.trim_ascii().is_empty() {
                self.damage = Some((Cursor::new(line), "a chunk is not as long as it says"));
                return Ok(());
            }
        }
        let line = self.line()?;
        let cut = line.len() < Self::LINE && line.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'\r');
        match parse_chunk_size(&line) {
            // An empty number is 0 for the parser.
            Ok(Status::Complete((_, len))) if line[0].is_ascii_hexdigit() => {
                (self.left, self.started, self.ended) = (len, true, len == 0);
            }
            _ if cut => return Err(invalid("it ends before the last chunk")),
            _ => self.damage = Some((Cursor::new(line), "a chunk has no size")),
        }
        Ok(())
    }

    fn line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        self.body.by_ref().take(Self::LINE as u64).read_until(b'\n', &mut line)?;
        Ok(line)
    }
}

/// Reads the body; where it is not in chunks any more, the rest as it is, and then the error.
impl<R: BufRead> Read for Chunked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !self.ended && self.damage.is_none() {
            self.next()?;
        }
        if let Some((line, why)) = &mut self.damage {
            return Damaged { body: line.chain(&mut self.body), why }.read(into);
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

/// Bytes that are read as they are, with an error at their end.
struct Damaged<R> {
    body: R,
    why: &'static str,
}

impl<R: Read> Read for Damaged<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.body.read(into)? {
            0 if !into.is_empty() => Err(invalid(self.why)),
            read => Ok(read),
        }
    }
}

fn invalid(why: &str) -> Error {
    Error::new(ErrorKind::InvalidData, why)
}
