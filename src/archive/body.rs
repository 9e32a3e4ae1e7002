//! The body of a response without its content and transfer codings (RFC 9110 §8.4, RFC 9112 §7).

use std::io::{self, BufRead, BufReader, Cursor, Error, ErrorKind, Read};

use flate2::{FlushDecompress, Status};

use super::chunked::{Chunked, Damaged, is_chunked};
use super::damage::{invalid, is_damage};
use super::inflate::{Frame, GzipBody, Inflate};
use super::sniff;

/// The body of a response, its codings removed: `chunked`, `gzip`, `x-gzip`, `deflate` (zlib or bare).
///
/// Many archivers remove a coding and leave its name in the head, so the bytes decide: what does not look coded is read as it
/// is. Needs about 128 KiB of memory for each coding, and time linear in the bytes that are read from it: so bound these with
/// [`take`](Read::take), as a body of a few KiB may become gigabytes. A body that is still coded after removing a coding ends
/// after 64 KiB and 16 times the length of the body, so that many codings do not multiply.
///
/// # Errors
/// Where the body is damaged, an error of kind [`InvalidData`](ErrorKind::InvalidData) follows all that could be decoded.
///
/// ```
/// use std::io::Read;
/// use relref::archive::Body;
///
/// let raw = b"4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n";
/// let mut body = Body::new(&raw[..], raw.len() as u64, &["chunked".into()])?;
/// let mut text = String::new();
/// body.read_to_string(&mut text)?;
/// assert_eq!(text, "Wikipedia");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Body<'b> {
    /// The first bytes of the body, if they were looked at.
    start: Cursor<Vec<u8>>,
    rest: Box<dyn BufRead + 'b>,
    /// True if the body was cut short on purpose, so that its codings need not end well.
    truncated: bool,
}

impl<'b> Body<'b> {
    /// Removes codings from a body of `len` bytes. The codings are names in lower case, the last one the outermost.
    ///
    /// # Errors
    /// A coding is not known ([`Unsupported`](ErrorKind::Unsupported)), there are more than four, or the start of the body cannot be read.
    pub fn new(raw: impl Read + 'b, len: u64, codings: &[String]) -> io::Result<Self> {
        Ok(Body { start: Cursor::default(), rest: decoded(raw, len, codings)?, truncated: false })
    }

    /// Sets whether the archive's writer cut the body short on purpose (`WARC-Truncated`). Then damage just ends it.
    pub fn truncated(self, truncated: bool) -> Self {
        Body { truncated, ..self }
    }

    /// Reports whether the body [starts like an HTML page](sniff::is_html), before any of it is read.
    ///
    /// # Errors
    /// The start of the body cannot be read.
    pub fn is_html(&mut self) -> io::Result<bool> {
        if self.start.get_ref().is_empty() {
            read_start(&mut self.rest, self.start.get_mut())?;
        }
        Ok(sniff::is_html(self.start.get_ref()))
    }
}

impl Read for Body<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self.start.read(into)? {
            0 => {}
            read => return Ok(read),
        }
        match self.rest.read(into) {
            Err(error) if self.truncated && is_damage(&error) => Ok(0),
            read => read,
        }
    }
}

/// Reads the bytes that are enough to recognize a body. Damage after them is returned again when they are used up.
fn read_start(body: &mut impl Read, start: &mut Vec<u8>) -> io::Result<()> {
    match body.take(sniff::LEN as u64).read_to_end(start) {
        Err(error) if !is_damage(&error) => Err(error),
        _ => Ok(()),
    }
}

/// The number of codings that a body may have: more than any server sends.
pub(super) const CODINGS: usize = 4;

/// Removes the codings of a body of `len` bytes.
fn decoded<'b>(raw: impl Read + 'b, len: u64, codings: &[String]) -> io::Result<Box<dyn BufRead + 'b>> {
    if codings.len() > CODINGS {
        return Err(invalid("its body has more than 4 codings"));
    }
    let mut body: Box<dyn BufRead + 'b> = Box::new(BufReader::with_capacity(32 << 10, raw));
    // A body that is still coded is not much longer than it was, unless it is made to take forever.
    let most = len.saturating_mul(16).saturating_add(64 << 10);
    for coding in codings.iter().rev() {
        // Many archivers remove a coding and leave its name in the head: the bytes decide.
        let mut first = Vec::new();
        read_start(&mut body, &mut first)?;
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

/// Finds the frame of a `deflate` body, which servers send as the zlib of RFC 9110 and without; `None` if it is a text.
fn deflate_frame(start: &[u8]) -> Option<Frame> {
    let fits = |frame: &Frame| {
        let mut out = [0; 4 << 10];
        let mut inflate = frame.inflater();
        match inflate.decompress(start, &mut out, FlushDecompress::None) {
            Ok(Status::StreamEnd) => true,
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

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{DeflateEncoder, ZlibEncoder};

    use super::*;
    use crate::archive::inflate::tests::gzip;

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
            (text.into(), "deflate gzip chunked"),
            (gzip(text.as_bytes()), "gzip chunked"),
        ] {
            assert_eq!(read(&raw, codings).unwrap(), text, "{codings}");
        }
        let error = read(b"\x01\x02", "br").unwrap_err();
        assert_eq!(
            (error.kind(), &*error.to_string()),
            (ErrorKind::Unsupported, "its content coding `br` is not known")
        );
        assert_eq!(read(b"\x01\x02", "gzip").unwrap_err().kind(), ErrorKind::InvalidData);
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
