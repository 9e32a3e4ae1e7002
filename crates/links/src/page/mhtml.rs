//! The parts of MHTML files and of mails, one after the other (RFC 2557, RFC 2046).
//!
//! They are split here, line by line, because `mail-parser` and `mailparse` need the whole message in memory.

use std::io::{self, BufRead, Cursor, Read};
use std::mem::take;

use encoding_rs::Encoding;
use memchr::memchr;
use relref::{AnyBase, RuleSet};

use super::Page;
use super::bytes::Store;
use super::kind::PageKind;
use super::problem::{ArchiveProblem, Skipped};
use super::transfer::{Decoder, TransferEncoding};
use crate::archive::mime::{extract, is_token, parameters};
use crate::archive::{Fields, Rewind, invalid, mime_fields, sniff};

pub(super) struct Mhtml<R> {
    input: Rewind<R>,
    /// The multiparts around the current place, from the outermost to the innermost one.
    multiparts: Vec<Multipart>,
    next: Next,
    is_line_start: bool,
    problems: Vec<ArchiveProblem>,
}

struct Multipart {
    offset: u64,
    /// The boundaries, without the two hyphens before them: that of the header, if it can be used, and one that was found although
    /// the header has another.
    boundaries: Vec<Vec<u8>>,
    /// The base of the URIs of its parts, if its header or one around it gives one.
    base: Option<String>,
    is_digest: bool,
    has_part: bool,
}

/// The content of a part, by its header.
struct PartHead {
    uri: String,
    /// The `Content-ID` without its angle brackets.
    #[cfg_attr(not(feature = "check"), expect(dead_code, reason = "only links that are checked name it"))]
    content_id: Option<String>,
    /// The media type without parameters.
    essence: String,
    charset: Option<String>,
    /// The error is the name of one that is not known.
    encoding: Result<TransferEncoding, String>,
}

#[derive(Clone, Copy, PartialEq)]
enum Next {
    /// The header of the whole message.
    FirstHeader,
    /// The header of a part.
    Header,
    /// The header of the message that is a part.
    MessageHeader,
    /// Text that is not read, up to a delimiter.
    Text,
    End,
}

const MAX_DEPTH: usize = 16;
/// The most bytes of a boundary that is used. RFC 2046 §5.1.1 allows 70.
const MAX_BOUNDARY_LEN: usize = 256;
/// The most bytes of a delimiter with its hyphens, white space and line end.
const MAX_DELIMITER_LEN: usize = 512;
const MAX_HEADER_LEN: usize = 64 << 10;
const MAX_URI_LEN: usize = 64 << 10;
const MAX_NAME_LEN: usize = 128;
/// RFC 2557 §5: the base of a message that gives none.
const NO_BASE: &str = "thismessage:/";

impl<R> Mhtml<R> {
    /// The most memory in bytes that reading needs, without that of a page: for the buffers of the input and of a line, and the
    /// URIs around a part.
    pub(super) const MEMORY: u64 = 2 << 20;
}

impl<R: Read> Mhtml<R> {
    pub(super) fn new(input: Rewind<R>) -> Self {
        Mhtml { input, multiparts: Vec::new(), next: Next::FirstHeader, is_line_start: true, problems: Vec::new() }
    }

    pub(super) fn bytes_read(&self) -> u64 {
        self.input.furthest()
    }

    pub(super) fn input(&self) -> &R {
        &self.input.input
    }

    /// Returns the next part that may have links, in `store`, or the next problem. After an error of the input, the parts end.
    pub(super) fn next_stored(
        &mut self,
        store: &mut Store<'_>,
        skipped: &mut Skipped,
    ) -> Option<Result<Page, ArchiveProblem>> {
        loop {
            if !self.problems.is_empty() {
                return Some(Err(self.problems.remove(0)));
            }
            let offset = self.input.offset();
            let found = match self.next {
                Next::FirstHeader | Next::Header | Next::MessageHeader => self.read_part(store, skipped),
                Next::Text => self.skip_text().map(|()| None),
                Next::End => return None,
            };
            match found {
                Ok(None) => {}
                Ok(Some(page)) => return Some(Ok(page)),
                Err(error) => return Some(Err(ArchiveProblem { offset, error })),
            }
        }
    }

    /// Passes the URI of each part to `each`, and its `Content-ID` if it has one. Contents are skipped, and damage is no error.
    #[cfg(feature = "check")]
    pub(super) fn each_name(&mut self, each: &mut dyn FnMut(&str, Option<&str>)) -> io::Result<()> {
        loop {
            match self.next {
                Next::FirstHeader | Next::Header | Next::MessageHeader => match self.read_head() {
                    Ok(Some(PartHead { uri, content_id, .. })) => each(&uri, content_id.as_deref()),
                    Ok(None) => {}
                    Err(error) if error.kind() == io::ErrorKind::InvalidData => {}
                    Err(error) => return Err(error),
                },
                Next::Text => self.skip_text()?,
                Next::End => return Ok(()),
            }
            self.problems.clear();
        }
    }

    /// Returns the part, if it may have links. Those in a multipart follow as parts of their own.
    fn read_part(&mut self, store: &mut Store<'_>, skipped: &mut Skipped) -> io::Result<Option<Page>> {
        let offset = self.input.offset();
        let Some(PartHead { uri, essence, charset, encoding, .. }) = self.read_head()? else { return Ok(None) };
        let mut kind = PageKind::of_head("resource", &essence, &uri);
        if kind == PageKind::None {
            skipped.other_media_types += 1;
            return Ok(None);
        }
        let encoding = encoding.map_err(|name| invalid(format!("its transfer encoding {name:?} is unknown")))?;
        let depth = self.multiparts.len();
        let mut body =
            PartBody { parts: self, raw: Vec::new(), is_over: false, decoder: Decoder::new(encoding), at: 0 };
        let mut start = Vec::new();
        if kind.is_unknown() {
            sniff::read_start(&mut body, &mut start)?;
            kind = kind.of_start(&start, &uri);
            if kind == PageKind::None {
                skipped.not_pages += 1;
                return Ok(None);
            }
        }
        let bytes = store.store(Cursor::new(start).chain(&mut body))?;
        let damage = take(&mut body.decoder.damage);
        let is_cut_short = damage.is_some() || depth > 0 && self.next == Next::End;
        Ok(Some(Page { offset: Some(offset), kind, charset, is_cut_short, damage, ..Page::new(uri, bytes) }))
    }

    /// Returns what the header says of a part with content. Enters a multipart or a message.
    fn read_head(&mut self) -> io::Result<Option<PartHead>> {
        let (offset, is_message) = (self.input.offset(), self.next != Next::Header);
        let Some(header) = self.read_header()? else { return Ok(None) };
        let fields = mime_fields(&header);
        let text = |name| fields.get(name).map(String::from_utf8_lossy);
        let media_type = extract(text("content-type"));
        let around = self.multiparts.last();
        let essence = match &*media_type.essence {
            "" if !is_message && around.is_some_and(|multipart| multipart.is_digest) => "message/rfc822",
            "" => "text/plain",
            essence => essence,
        };
        let base = base_of(&fields, around.and_then(|multipart| multipart.base.as_deref()));
        if let Some(subtype) = essence.strip_prefix("multipart/") {
            if self.multiparts.len() == MAX_DEPTH {
                return Err(invalid(format!("its parts are nested more than {MAX_DEPTH} deep: not read")));
            }
            let content_type = text("content-type").unwrap_or_default();
            let boundary = parameters(&content_type, "boundary").next().unwrap_or_default();
            let boundary = boundary.trim_end();
            let is_usable = (1..=MAX_BOUNDARY_LEN).contains(&boundary.len());
            // Some writers quote it by these, which may also be a part of it.
            let unquoted = boundary.strip_prefix('\'').and_then(|boundary| boundary.strip_suffix('\''));
            let all = [Some(boundary), unquoted.filter(|boundary| !boundary.is_empty())].into_iter().flatten();
            let boundaries = all.filter(|_| is_usable).map(|boundary| boundary.as_bytes().to_owned()).collect();
            let is_digest = subtype == "digest";
            self.multiparts.push(Multipart { offset, boundaries, base, is_digest, has_part: false });
            return Ok(None);
        }
        let encoding = text("content-transfer-encoding").unwrap_or_default();
        let encoding = TransferEncoding::named(&encoding);
        if matches!(essence, "message/rfc822" | "message/global") && encoding == Ok(TransferEncoding::None) {
            self.next = Next::MessageHeader;
            return Ok(None);
        }
        let uri = base.unwrap_or_else(|| NO_BASE.to_owned());
        let content_id = text("content-id").map(|id| id.trim().trim_matches(['<', '>']).to_owned());
        Ok(Some(PartHead { uri, content_id, essence: essence.to_owned(), charset: media_type.charset, encoding }))
    }

    /// Returns `None` if no body follows. Otherwise, text follows.
    fn read_header(&mut self) -> io::Result<Option<Vec<u8>>> {
        let (is_first, offset) = (self.next == Next::FirstHeader, self.input.offset());
        self.next = Next::Text;
        let (mut header, mut is_too_long, mut is_damaged) = (Vec::new(), false, false);
        // Of the current line, of which a part may be read.
        let (mut start, mut is_left_out, mut is_before) = (0, false, false);
        loop {
            if self.is_line_start {
                (start, is_left_out) = (header.len(), false);
            }
            let line = self.input.peek(MAX_NAME_LEN)?;
            let is_folded = start > 0 && matches!(line, [b' ' | b'\t', ..]);
            let is_field = !self.is_line_start || is_folded || {
                let name = memchr(b':', line).map(|colon| line[..colon].trim_ascii_end());
                name.is_some_and(|name| std::str::from_utf8(name).is_ok_and(is_token))
            };
            let is_end = self.is_line_start && (line.starts_with(b"\n") || line.starts_with(b"\r\n"));
            // Before the fields of a message may be the line of a mailbox, or damage.
            is_before = if self.is_line_start { !is_field && is_first && start == 0 } else { is_before };
            is_damaged |= self.is_line_start && is_before && !is_end && !line.is_empty() && !line.starts_with(b"From ");
            // RFC 2045 has no word about a line that is no field. Other readers take it for the first line of the body.
            if !is_field && !is_end && !is_before {
                break;
            }
            if !self.read_line(&mut header)? {
                if start == 0 && is_first {
                    self.add_problem(offset, "no message header was found");
                }
                return Ok(None);
            }
            if is_before {
                header.clear();
            } else if is_end {
                break;
            } else if is_left_out || header.len() > MAX_HEADER_LEN {
                header.truncate(start);
                (is_left_out, is_too_long) = (true, true);
            }
        }
        if is_damaged {
            self.add_problem(offset, "the first lines are not a header");
        }
        if is_too_long {
            self.add_problem(offset, "its header has more than 64 KiB: some lines are not read");
        }
        Ok(Some(header))
    }

    /// Appends a line, or the next bytes of one, to `line`. Returns false, and sets what is next, at a delimiter or at the end.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<bool> {
        if self.is_line_start && self.input.peek(2)? == b"--" && self.read_delimiter()? {
            return Ok(false);
        }
        let bytes = self.input.fill_buf()?;
        if bytes.is_empty() {
            self.next = Next::End;
            self.close(0);
            return Ok(false);
        }
        let end = memchr(b'\n', bytes).map(|at| at + 1);
        let len = end.unwrap_or(bytes.len());
        line.extend_from_slice(&bytes[..len]);
        self.input.consume(len);
        self.is_line_start = end.is_some();
        Ok(true)
    }

    fn skip_text(&mut self) -> io::Result<()> {
        let mut line = Vec::new();
        while self.read_line(&mut line)? {
            line.clear();
        }
        Ok(())
    }

    /// Reads a line that starts with `--` if it is the delimiter of a multipart around the current place: first, the innermost one.
    fn read_delimiter(&mut self) -> io::Result<bool> {
        let offset = self.input.offset();
        let bytes = self.input.peek(MAX_DELIMITER_LEN)?;
        let end = match memchr(b'\n', bytes) {
            None if bytes.len() == MAX_DELIMITER_LEN => return Ok(false),
            end => end.map_or(bytes.len(), |at| at + 1),
        };
        let line = bytes[2..end].trim_ascii_end();
        // `Some(true)` for the last delimiter.
        let is_end_of = |multipart: &Multipart| {
            multipart.boundaries.iter().find_map(|boundary| match line.strip_prefix(&**boundary)? {
                b"" => Some(false),
                b"--" => Some(true),
                _ => None,
            })
        };
        let mut around = self.multiparts.iter().enumerate().rev();
        let (index, is_end) = if let Some(found) = around.find_map(|(index, one)| Some((index, is_end_of(one)?))) {
            found
        } else if let Some(innermost) = self.multiparts.last_mut().filter(|innermost| !innermost.has_part) {
            // A boundary that is damaged in the header of a multipart, or here, is found where the header of a part follows it.
            let next = bytes[end..].get(..8);
            if line.is_empty()
                || line.len() > MAX_BOUNDARY_LEN
                || !next.is_some_and(|next| next.eq_ignore_ascii_case(b"content-"))
            {
                return Ok(false);
            }
            innermost.boundaries.push(line.to_owned());
            self.add_problem(offset, "its boundary is not the one in its header");
            (self.multiparts.len() - 1, false)
        } else {
            return Ok(false);
        };
        self.input.consume(end);
        self.is_line_start = true;
        self.close(index + 1);
        self.multiparts[index].has_part = true;
        if is_end {
            self.multiparts.truncate(index);
        }
        self.next = if is_end { Next::Text } else { Next::Header };
        Ok(true)
    }

    /// Leaves the multiparts from this one, which have no end.
    fn close(&mut self, from: usize) {
        let first = self.multiparts.drain(from..).next();
        if let Some(Multipart { offset, has_part, .. }) = first {
            let why = if has_part { "its end boundary is missing" } else { "it has no part: its boundary is missing" };
            self.add_problem(offset, why);
        }
    }

    fn add_problem(&mut self, offset: u64, why: &str) {
        self.problems.push(ArchiveProblem { offset, error: invalid(why) });
    }
}

/// Returns the URI of a part or multipart, if its header or those around it give one (RFC 2557 §5).
fn base_of(fields: &Fields, around: Option<&str>) -> Option<String> {
    // `Content-Base` is of RFC 2110.
    ["content-base", "content-location"].into_iter().fold(around.map(str::to_owned), |base, name| {
        let Some(value) = fields.get(name) else { return base };
        // A long URI may be folded (RFC 2557 §4.4.2).
        let value = String::from_utf8_lossy(value);
        let folded: String = value.lines().map(str::trim).collect();
        // Some writers put it in quotes, as RFC 2017 has other URIs, or in angle brackets.
        let inner =
            [('"', '"'), ('<', '>')].into_iter().find_map(|(start, end)| folded.strip_prefix(start)?.strip_suffix(end));
        let reference = without_encoded_words(inner.unwrap_or(&folded));
        let from = AnyBase::new(base.as_deref().unwrap_or(NO_BASE), RuleSet::Whatwg);
        let uri = from.ok().and_then(|from| Some(from.resolve(&reference).ok()?.to_string()));
        Some(uri.unwrap_or(reference)).filter(|uri| !uri.is_empty() && uri.len() <= MAX_URI_LEN).or(base)
    })
}

/// Decodes the encoded words of a URI (RFC 2557 §4.4.1, RFC 2047 §2); text that is none stays.
fn without_encoded_words(value: &str) -> String {
    let mut decoded = String::new();
    let mut rest = value;
    while let Some(at) = rest.find("=?") {
        let word = &rest[at + 2..];
        let mut parts = word.splitn(3, '?');
        let (charset, encoding, text) =
            (parts.next(), parts.next(), parts.next().and_then(|text| text.split_once("?=")));
        let (Some(label), Some(encoding), Some((text, after))) = (charset, encoding, text) else { break };
        // A language may follow the charset (RFC 2231 §5).
        let charset = label.split('*').next().and_then(|label| Encoding::for_label(label.as_bytes()));
        let encoding = match encoding {
            "q" | "Q" => Some((TransferEncoding::QuotedPrintable, text.replace('_', " "))),
            "b" | "B" => Some((TransferEncoding::Base64, text.to_owned())),
            _ => None,
        };
        decoded.push_str(&rest[..at]);
        match charset.zip(encoding) {
            Some((charset, (encoding, text))) => {
                let mut decoder = Decoder::new(encoding);
                decoder.decode(&mut text.into_bytes(), true);
                decoded.push_str(&charset.decode_without_bom_handling(&decoder.bytes).0);
            }
            None => decoded.push_str(&rest[at..rest.len() - after.len()]),
        }
        // Only white space between two words is no text.
        rest = if after.trim_start().starts_with("=?") { after.trim_start() } else { after };
    }
    decoded + rest
}

/// The body of a part, without its transfer encoding. It ends at a delimiter, or before its damage.
struct PartBody<'m, R> {
    parts: &'m mut Mhtml<R>,
    raw: Vec<u8>,
    is_over: bool,
    decoder: Decoder,
    /// In the bytes of `decoder`.
    at: usize,
}

impl<R: Read> Read for PartBody<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at == self.decoder.bytes.len() {
            self.decoder.bytes.clear();
            self.at = 0;
            if self.is_over || self.decoder.damage.is_some() {
                return Ok(0);
            }
            self.is_over = !self.parts.read_line(&mut self.raw)?;
            self.decoder.decode(&mut self.raw, self.is_over);
        }
        let read = (&self.decoder.bytes[self.at..]).read(into)?;
        self.at += read;
        Ok(read)
    }
}
