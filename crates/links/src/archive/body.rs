//! The body of a response without its content and transfer codings (RFC 9110 §8.4, RFC 9112 §7).

use std::io::{self, BufRead, BufReader, Cursor, Error, ErrorKind, Read};

use flate2::{FlushDecompress, Status};

use super::chunked::{Chunked, ThenError, is_chunked};
use super::codec::{Codec, Container};
use super::codec_reader::{CodecReader, Series};
use super::compression::is_zstd;
use super::damage::{invalid, is_damage};
use super::frame_header::{FrameHeader, MAX_WINDOW};
use super::sniff;
use super::zstd::Zstd;

/// The body of a response without its codings: `chunked`, `gzip`, `x-gzip`, `deflate` (zlib or bare), `br` and, with feature
/// `zstd`, `zstd`.
///
/// Many archivers remove a coding and leave its name in the head, so the bytes decide: a text or a page is read as it is. The time
/// is linear in the bytes that are read: bound these with [`take`](Read::take), as a body of a few KiB may become gigabytes. A body
/// that is still coded after removing a coding ends after 64 KiB and 16 times the length of the body, so that many codings do not
/// multiply. A `zstd` body whose window is larger than 8 MiB (RFC 9659) is damaged. For memory, see [`memory`](Self::memory).
///
/// # Errors
/// Where the body is damaged, an error of kind [`InvalidData`](ErrorKind::InvalidData) follows all that could be decoded.
///
/// ```
/// use std::io::Read;
/// use relref_links::archive::Body;
///
/// let raw = b"4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n";
/// let mut body = Body::new(&raw[..], raw.len() as u64, &["chunked"])?;
/// let mut text = String::new();
/// body.read_to_string(&mut text)?;
/// assert_eq!(text, "Wikipedia");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Body<'b> {
    rest: Box<dyn BufRead + Send + 'b>,
    /// True if damage just ends the body.
    truncated: bool,
}

debug_fields!([] Body<'_>: truncated);

impl<'b> Body<'b> {
    /// Returns a reader of the body `raw`, of `len` bytes as it was sent. `codings` has the names of its codings in lower case, the
    /// outermost one last.
    ///
    /// # Errors
    /// A coding is not known although the body is no text ([`Unsupported`](ErrorKind::Unsupported)), there are more than four, or
    /// the start of the body cannot be read.
    pub fn new(raw: impl Read + Send + 'b, len: u64, codings: &[impl AsRef<str>]) -> io::Result<Self> {
        Ok(Body { rest: without_codings(raw, len, codings)?, truncated: false })
    }

    /// Returns the most memory in bytes that removing codings needs from a body that starts with these bytes.
    ///
    /// `chunked`, `gzip` and `deflate` take 128 KiB each, `zstd` up to 9 MiB, and `br` up to 25 MiB, as its window grows.
    #[must_use]
    pub fn memory(start: &[u8], codings: &[impl AsRef<str>]) -> u64 {
        let mut start = Some(start);
        let mut memory = 0;
        for coding in codings.iter().rev().take(MAX_CODINGS) {
            let first = start.take().unwrap_or_default();
            memory += match coding.as_ref() {
                "chunked" => {
                    start = first.iter().position(|byte| *byte == b'\n').map(|end| &first[end + 1..]);
                    0
                }
                "br" => (3 << brotli_window_bits(first)) / 2 + (1 << 20),
                "zstd" => {
                    FrameHeader::parse(first).map_or(MAX_WINDOW, |frame| frame.window.min(MAX_WINDOW)) + (512 << 10)
                }
                _ => 0,
            } + (128 << 10);
        }
        memory
    }

    /// Sets whether the archive's writer cut the body short on purpose (`WARC-Truncated`). Then damage ends it, and is no error.
    #[must_use]
    pub fn truncated(self, truncated: bool) -> Self {
        Body { truncated, ..self }
    }
}

impl Read for Body<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.rest.read(into) {
            Err(error) if self.truncated && is_damage(&error) => Ok(0),
            read => read,
        }
    }
}

/// Appends the next [`sniff::START_LEN`] bytes, or fewer before the end or damage; the next read of the body returns the damage again.
fn read_first_bytes(body: &mut impl Read, first_bytes: &mut Vec<u8>) -> io::Result<()> {
    match body.take(sniff::START_LEN as u64).read_to_end(first_bytes) {
        Err(error) if !is_damage(&error) => Err(error),
        _ => Ok(()),
    }
}

/// More than any server sends.
pub(super) const MAX_CODINGS: usize = 4;

/// An uncoded page or text is read as it is, even if the coding is not known; so is a body without a chunk. Other bytes that should
/// be `gzip` or `zstd`, but do not start so, are read as they are, and an error follows.
fn without_codings<'b>(
    raw: impl Read + Send + 'b,
    len: u64,
    codings: &[impl AsRef<str>],
) -> io::Result<Box<dyn BufRead + Send + 'b>> {
    if codings.len() > MAX_CODINGS {
        return Err(invalid("its body has more than 4 codings"));
    }
    let mut body: Box<dyn BufRead + Send + 'b> = Box::new(BufReader::with_capacity(32 << 10, raw));
    // A body that is still coded is not much longer than it was, unless it is made to take forever.
    let most = len.saturating_mul(16).saturating_add(64 << 10);
    for coding in codings.iter().rev().map(AsRef::as_ref) {
        let mut first = Vec::new();
        read_first_bytes(&mut body, &mut first)?;
        let is_decoded = first.is_empty() || sniff::is_html(&first);
        let chunked = is_chunked(&first);
        let gzip = first.starts_with(b"\x1f\x8b");
        let zstd = is_zstd(&first);
        let deflate = if coding == "deflate" { deflate_container(&first) } else { None };
        let text = sniff::is_text(&first);
        let whole = Cursor::new(first).chain(body);
        let boxed = |decoder: Box<dyn Read + Send + 'b>| Box::new(BufReader::with_capacity(32 << 10, decoder));
        body = match coding {
            _ if is_decoded => Box::new(whole),
            "chunked" if chunked => boxed(Box::new(Chunked::new(whole.take(most)))),
            "gzip" | "x-gzip" if gzip => {
                boxed(Box::new(Series::new(whole.take(most), Codec::deflate(Container::Gzip))))
            }
            "zstd" if zstd => boxed(Box::new(Series::new(whole.take(most), Codec::Zstd(Zstd::new(&[])?)))),
            "gzip" | "x-gzip" if !text => boxed(Box::new(ThenError { body: whole, why: "it does not start as gzip" })),
            "zstd" if !text => boxed(Box::new(ThenError { body: whole, why: "it does not start as zstd" })),
            // Brotli has no magic number, but hardly any brotli is a text.
            "br" if !text => boxed(Box::new(CodecReader::new(whole.take(most), Codec::brotli()))),
            "chunked" | "gzip" | "x-gzip" | "deflate" | "br" | "zstd" => match deflate {
                Some(container) => boxed(Box::new(CodecReader::new(whole.take(most), Codec::deflate(container)))),
                None => Box::new(whole),
            },
            // The name of what is no coding: `utf-8`, `text/html`.
            _ if text => Box::new(whole),
            other => {
                return Err(Error::new(ErrorKind::Unsupported, format!("its content coding `{other}` is unknown")));
            }
        };
    }
    Ok(body)
}

/// `WBITS` (RFC 7932 §9.1): the window has 2^`WBITS` - 16 bytes. 24, the greatest, for no byte or a reserved number.
fn brotli_window_bits(start: &[u8]) -> u32 {
    match start.first() {
        Some(byte) if byte & 1 == 0 => 16,
        Some(byte) if byte & 0x0e != 0 => 17 + u32::from(byte >> 1 & 7),
        Some(byte) if byte & 0x70 == 0 => 17,
        Some(byte) if byte & 0x70 != 0x10 => 8 + u32::from(byte >> 4 & 7),
        _ => 24,
    }
}

/// Zlib, as RFC 9110 says, or bare, as some servers send it. `None` for an uncompressed text.
fn deflate_container(start: &[u8]) -> Option<Container> {
    let fits = |container: &Container| {
        let mut out = [0; 4 << 10];
        let mut inflate = container.inflater();
        match inflate.decompress(start, &mut out, FlushDecompress::None) {
            Ok(Status::StreamEnd) => true,
            // The first bytes of a short text may be some of a stream, but are not a whole one.
            Ok(_) => start.len() == sniff::START_LEN || inflate.total_out() == out.len() as u64,
            Err(_) => false,
        }
    };
    let is_zlib =
        matches!(start, [method, check, ..] if method & 0x0f == 8 && u16::from_be_bytes([*method, *check]) % 31 == 0);
    // A body that fits neither is damaged: the likelier container.
    let likely = if is_zlib { Container::Zlib } else { Container::Bare };
    [Container::Zlib, Container::Bare].into_iter().find(fits).or((!sniff::is_text(start)).then_some(likely))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, ZlibEncoder};

    use super::*;
    use crate::archive::codec_reader::tests::gzip;

    fn read(raw: &[u8], codings: &str) -> io::Result<String> {
        let codings: Vec<String> = codings.split_whitespace().map(str::to_owned).collect();
        io::read_to_string(Body::new(raw, raw.len() as u64, &codings)?)
    }

    #[test]
    fn codings_are_removed_where_the_bytes_have_them() {
        let text = "some text, some text";
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
        zlib.write_all(text.as_bytes()).unwrap();
        let mut bare = DeflateEncoder::new(Vec::new(), Compression::fast());
        bare.write_all(text.as_bytes()).unwrap();
        for (raw, codings) in [
            (text.into(), ""),
            (gzip(text.as_bytes()), "gzip"),
            (gzip(&gzip(text.as_bytes())), "gzip x-gzip"),
            (zlib.finish().unwrap(), "deflate"),
            (bare.finish().unwrap(), "deflate"),
            (text.into(), "gzip"),
            (BROTLI.to_vec(), "br"),
            (gzip(BROTLI), "br gzip"),
            (text.into(), "zstd deflate gzip br"),
            (gzip(text.as_bytes()), "gzip chunked"),
            (text.into(), "utf-8"),
            (text.into(), "text/html gzip"),
        ] {
            assert_eq!(read(&raw, codings).unwrap(), text, "{codings}");
        }
        let error = read(b"\x01\x02", "compress").unwrap_err();
        let why = "its content coding `compress` is unknown";
        assert_eq!((error.kind(), &*error.to_string()), (ErrorKind::Unsupported, why));
        assert_eq!(read(b"\x01\x02", "gzip").unwrap_err().kind(), ErrorKind::InvalidData);
    }

    /// "some text, some text" as `brotli -q 9` compresses it.
    const BROTLI: &[u8] = b"\x1b\x13\x00\x00\xc4\x63\x6c\x5d\x7d\xf7\x9a\x32\x18\xe2\xa0\x08\x6a\x2c\x4c\x1f\x01";

    #[test]
    fn damage_of_brotli_follows_what_could_be_decoded() {
        let mut text = Vec::new();
        let mut body = Body::new(&BROTLI[..BROTLI.len() - 1], 99, &["br".to_owned()]).unwrap();
        let error = body.read_to_end(&mut text).unwrap_err();
        assert_eq!((error.kind(), &*error.to_string()), (ErrorKind::InvalidData, "unexpected end"));
        assert_eq!(read(b"\x11\x1e\x01\x02", "br").unwrap_err().to_string(), "damaged data");
    }

    #[cfg(feature = "zstd")]
    #[test]
    fn zstd_bodies_are_decoded_within_8_mib() {
        let text = "some text, ".repeat(99_999);
        let frame = zstd::encode_all(text.as_bytes(), 3).unwrap();
        assert_eq!(read(&frame, "zstd").unwrap(), text);
        assert_eq!(read(&frame.repeat(2), "zstd").unwrap(), text.repeat(2));
        assert_eq!(read(&frame[..frame.len() - 1], "zstd").unwrap_err().to_string(), "unexpected end");
        let mut huge = frame.clone();
        huge[5] = 21 << 3;
        let why = "its window of 2147483648 bytes is larger than 8 MiB";
        assert_eq!(read(&huge, "zstd").unwrap_err().to_string(), why);
        assert_eq!(read(b"\x01\x02", "zstd").unwrap_err().to_string(), "it does not start as zstd");
        assert!(Body::memory(&huge, &["zstd".to_owned()]) < 9 << 20);
    }

    #[test]
    fn the_window_of_brotli_is_in_its_first_byte() {
        for (byte, bits) in
            [(0x0c, 16), (0x01, 17), (0x21, 10), (0x71, 15), (0x03, 18), (0x1b, 22), (0x0f, 24), (0x11, 24)]
        {
            assert_eq!(brotli_window_bits(&[byte]), bits, "{byte:x}");
        }
        assert_eq!(
            Body::memory(b"5\r\n\x03", &["br".to_owned(), "chunked".to_owned()]),
            (1 << 20) + (3 << 17) + (256 << 10)
        );
    }

    #[test]
    fn a_body_that_is_still_coded_is_bounded() {
        let bomb = gzip(&gzip(&gzip(b"").repeat(100_000)));
        assert!(bomb.len() < 20_000 && read(&bomb, "gzip gzip gzip").is_err());
    }

    #[test]
    fn damage_just_ends_a_body_that_was_cut_on_purpose() {
        let cut = gzip(b"some text");
        let cut = &cut[..cut.len() - 8];
        let body = |truncated| Body::new(cut, 99, &["gzip".to_owned()]).unwrap().truncated(truncated);
        assert!(io::read_to_string(body(false)).is_err());
        assert_eq!(io::read_to_string(body(true)).unwrap(), "some text");
    }
}
