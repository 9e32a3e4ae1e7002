//! The transfer encodings of MIME (RFC 2045 §6), decoded as the lines come.
//!
//! Quoted-printable is decoded here because the crate `quoted_printable` drops bytes that are not US-ASCII.

use data_encoding::BASE64_NOPAD;
use memchr::{memchr, memrchr};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TransferEncoding {
    /// `7bit`, `8bit` or `binary`.
    None,
    QuotedPrintable,
    Base64,
}

impl TransferEncoding {
    /// The error is the name, if it is not known.
    pub(super) fn named(value: &str) -> Result<Self, String> {
        // Other readers, too, take it up to a comment or parameter.
        let name = value.trim().split([';', ' ', '(']).next().unwrap_or_default().to_ascii_lowercase();
        match &*name {
            "" | "7bit" | "8bit" | "binary" => Ok(TransferEncoding::None),
            "quoted-printable" => Ok(TransferEncoding::QuotedPrintable),
            "base64" => Ok(TransferEncoding::Base64),
            _ => Err(name.chars().take(64).collect()),
        }
    }
}

pub(super) struct Decoder {
    encoding: TransferEncoding,
    /// The bytes that were decoded. The caller removes them.
    pub(super) bytes: Vec<u8>,
    /// True after the padding of base64.
    is_padded: bool,
    /// The damage at which the bytes end.
    pub(super) damage: Option<String>,
}

impl Decoder {
    /// The most bytes of a line of quoted-printable that are decoded at once. RFC 2045 §6.7 allows 76.
    const MAX_LINE_LEN: usize = 8 << 10;

    pub(super) fn new(encoding: TransferEncoding) -> Self {
        Decoder { encoding, bytes: Vec::new(), is_padded: false, damage: None }
    }

    /// Decodes what it can, and leaves the rest in `raw`, which more bytes must be appended to. With `is_end`, leaves none. `raw` has
    /// no more than one line.
    pub(super) fn decode(&mut self, raw: &mut Vec<u8>, is_end: bool) {
        match self.encoding {
            TransferEncoding::None => self.bytes.append(raw),
            TransferEncoding::QuotedPrintable => self.decode_quoted(raw, is_end),
            TransferEncoding::Base64 => self.decode_base64(raw, is_end),
        }
    }

    fn decode_base64(&mut self, raw: &mut Vec<u8>, is_end: bool) {
        // RFC 2045 §6.8: other characters are ignored.
        raw.retain(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
        let padding = memchr(b'=', raw);
        let symbols = &raw[..padding.unwrap_or(raw.len())];
        if self.is_padded && !symbols.is_empty() {
            self.damage = Some("its base64 goes on after its end".to_owned());
            return;
        }
        let has_more = padding.is_some_and(|at| raw[at..].iter().any(|byte| *byte != b'='));
        self.is_padded |= padding.is_some();
        let is_last = is_end || self.is_padded;
        let (whole, rest) = symbols.split_at(symbols.len() / 4 * 4);
        self.add_base64(whole, whole.len() / 4 * 3);
        match rest {
            _ if !is_last || self.damage.is_some() => {}
            [] => {}
            [_] => self.damage = Some("its base64 ends within a byte".to_owned()),
            // The bits that are missing are those of no byte.
            _ => self.add_base64(&[rest, &b"AA"[..4 - rest.len()]].concat(), rest.len() - 1),
        }
        if has_more && self.damage.is_none() {
            self.damage = Some("its base64 goes on after its end".to_owned());
        }
        raw.drain(..if is_last { raw.len() } else { raw.len() / 4 * 4 });
    }

    /// Adds the first `len` bytes of a multiple of four symbols.
    fn add_base64(&mut self, symbols: &[u8], len: usize) {
        let start = self.bytes.len();
        self.bytes.resize(start + symbols.len() / 4 * 3, 0);
        let added =
            BASE64_NOPAD.decode_mut(symbols, &mut self.bytes[start..]).map_or_else(|part| part.written, |_| len);
        self.bytes.truncate(start + added);
    }

    fn decode_quoted(&mut self, raw: &mut Vec<u8>, is_end: bool) {
        let mut at = 0;
        loop {
            let line = &raw[at..];
            let most = &line[..line.len().min(Self::MAX_LINE_LEN)];
            if let Some(end) = memchr(b'\n', most) {
                self.add_quoted_line(&line[..end], true);
                at += end + 1;
            } else if line.len() > most.len() {
                // An escape is not cut.
                let escape = memrchr(b'=', most).filter(|at| *at + 3 > most.len());
                let len = escape.unwrap_or(most.len());
                self.add_quoted(&line[..len]);
                at += len;
            } else {
                if is_end {
                    self.add_quoted_line(line, false);
                    at = raw.len();
                }
                raw.drain(..at);
                return;
            }
        }
    }

    fn add_quoted_line(&mut self, line: &[u8], has_end: bool) {
        // White space at the end was added on the way (RFC 2045 §6.7 rule 3).
        let line = line.trim_ascii_end();
        match line.strip_suffix(b"=") {
            Some(line) => self.add_quoted(line),
            None => {
                self.add_quoted(line);
                self.bytes.extend(has_end.then_some(b'\n'));
            }
        }
    }

    /// Text that is no escape stays.
    fn add_quoted(&mut self, mut text: &[u8]) {
        while let Some(at) = memchr(b'=', text) {
            self.bytes.extend_from_slice(&text[..at]);
            let hex = text.get(at + 1..at + 3).and_then(|hex| {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                Some((digit(hex[0])? << 4 | digit(hex[1])?) as u8)
            });
            self.bytes.push(hex.unwrap_or(b'='));
            text = &text[at + if hex.is_some() { 3 } else { 1 }..];
        }
        self.bytes.extend_from_slice(text);
    }
}
