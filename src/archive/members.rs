//! The bytes of an archive: as they are, or from its gzip members or Zstandard frames one after the other, with a search for the
//! next one after a damaged one (WARC 1.1 annex D, RFC 1952, RFC 8878). "Member" means both here.

use std::io::{self, BufRead, Read};

use flate2::Decompress;

use super::codec::{Codec, Container};
use super::compression::{
    Compression, DAMAGED_START_LEN, GZIP_FIRST, MEMBER_START_LEN, starts_frame, starts_record_member,
};
use super::damage::{ContentRead, Damage, Reason, invalid};
use super::decoded::Decoded;
use super::frame_header::{FrameHeader, MAGIC};
use super::rewind::Rewind;

/// A reader of an archive without its compression: of one member at a time, or of the whole archive if it is uncompressed.
pub(super) struct Members<R> {
    layer: Layer<R>,
    /// The offset in the archive where the current member starts.
    pub(super) member_start: u64,
    /// The damage before the first member, if the archive is read from after it.
    pub(super) start_damage: Option<Damage>,
}

/// The input of an archive, in the decoder of its members if it has members.
enum Layer<R> {
    Uncompressed(Rewind<R>),
    Gzip(Decoded<Rewind<R>>),
    Zstd(Decoded<Rewind<R>>),
}

/// The result of a search.
#[derive(PartialEq)]
pub(super) enum Reached {
    /// The reader is where a member or a record starts.
    Start,
    /// The archive ended before one was found.
    End,
}

impl<R: Read> Members<R> {
    /// Returns a reader of an archive. The start of the archive decides its compression.
    pub(super) fn new(mut input: Rewind<R>) -> io::Result<Self> {
        let offset = input.offset();
        let (layer, start_damage) = match Compression::of(input.peek(DAMAGED_START_LEN)?) {
            Compression::None => (Layer::Uncompressed(input), None),
            Compression::Gzip => (Layer::Gzip(Decoded::new(input, Codec::deflate(Container::Gzip))), None),
            Compression::Zstd(at) => {
                input.consume(at);
                let codec = zstd_codec(&mut input)?;
                let reason = || Reason::Frame(invalid("it does not start as one"));
                let damage = (at > 0).then(|| Damage { offset, reason: reason(), content: ContentRead::Wrong });
                // An archive that ends after its dictionary has no frame.
                let is_over = input.fill_buf()?.is_empty();
                (if is_over { Layer::Uncompressed(input) } else { Layer::Zstd(Decoded::new(input, codec)) }, damage)
            }
        };
        let mut members = Members { layer, member_start: 0, start_damage };
        members.member_start = members.input().offset();
        Ok(members)
    }

    /// Reports whether the archive is uncompressed.
    pub(super) fn is_uncompressed(&self) -> bool {
        matches!(self.layer, Layer::Uncompressed(_))
    }

    /// Reports whether the archive has Zstandard frames.
    pub(super) fn is_zstd(&self) -> bool {
        matches!(self.layer, Layer::Zstd(_))
    }

    /// Returns the archive as it is in the file.
    pub(super) fn input(&self) -> &Rewind<R> {
        match &self.layer {
            Layer::Uncompressed(input) => input,
            Layer::Gzip(decoded) | Layer::Zstd(decoded) => decoded.get_ref(),
        }
    }

    /// Returns the archive as it is in the file.
    pub(super) fn input_mut(&mut self) -> &mut Rewind<R> {
        match &mut self.layer {
            Layer::Uncompressed(input) => input,
            Layer::Gzip(decoded) | Layer::Zstd(decoded) => decoded.get_mut(),
        }
    }

    /// Goes on to the member after the one that ended.
    pub(super) fn next_member(&mut self) -> io::Result<Reached> {
        if self.is_uncompressed() || self.input_mut().fill_buf()?.is_empty() {
            return Ok(Reached::End);
        }
        self.start_member();
        Ok(Reached::Start)
    }

    /// Finds the next member that holds a record, after the start of a damaged one.
    pub(super) fn skip_damaged(&mut self) -> io::Result<Reached> {
        let damaged = self.member_start;
        let mut inflate = Decompress::new(false);
        let is_zstd = self.is_zstd();
        let input = self.input_mut();
        // If it cannot go back, the search continues from here.
        input.go_back(damaged + 1);
        while match is_zstd {
            true => input.find(MAGIC[0], FrameHeader::MAX_LEN, starts_frame)?,
            false => input.find(GZIP_FIRST, MEMBER_START_LEN, |bytes| starts_record_member(bytes, &mut inflate))?,
        } {
            if input.offset() > damaged {
                self.start_member();
                return Ok(Reached::Start);
            }
            input.consume(1);
        }
        Ok(Reached::End)
    }

    /// Starts to read the member that starts here: keeps its offset and restarts the decompressor.
    fn start_member(&mut self) {
        self.member_start = self.input().offset();
        if let Layer::Gzip(decoded) | Layer::Zstd(decoded) = &mut self.layer {
            decoded.restart();
        }
    }
}

/// Returns the decoder of an archive's frames, with the dictionary that starts here or at the start of the archive.
#[cfg(feature = "zstd")]
fn zstd_codec(input: &mut Rewind<impl Read>) -> io::Result<Codec> {
    Ok(Codec::Zstd(super::zstd::Zstd::new(&super::dictionary::read(input)?)?))
}

/// Returns the error of the missing feature.
#[cfg(not(feature = "zstd"))]
fn zstd_codec(_: &mut Rewind<impl Read>) -> io::Result<Codec> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "an archive compressed by Zstandard needs the feature `zstd`"))
}

/// Reads the current member. Returns 0 at its end, if its checksum is right.
impl<R: Read> Read for Members<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match &mut self.layer {
            Layer::Uncompressed(input) => input.read(into),
            Layer::Gzip(decoded) | Layer::Zstd(decoded) => decoded.read(into),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::decoded::tests::gzip;

    #[test]
    fn members_are_read_one_after_the_other() {
        let members = [gzip(b"WARC/1.1\r\n1"), gzip(b"2"), gzip(b"")];
        let all = members.concat();
        let mut archive = Members::new(Rewind::stream(&*all)).unwrap();
        for (number, expected) in ["WARC/1.1\r\n1", "2", ""].iter().enumerate() {
            let mut text = String::new();
            archive.read_to_string(&mut text).unwrap();
            assert_eq!((&*text, archive.member_start), (*expected, members[..number].concat().len() as u64));
            assert!(archive.next_member().unwrap() == if number < 2 { Reached::Start } else { Reached::End });
        }
    }

    /// The search goes back into a damaged member, and passes what only looks like a member, or holds no record.
    #[test]
    fn the_next_member_that_holds_a_record_is_found() {
        let good = gzip(b"WARC/1.1\r\nX: y");
        let cut = &good[..15];
        let before = [cut, b"\x1f\x8b\x08\x00 and \x1f", &gzip(b"no record")].concat();
        let all = [&before, &good[..]].concat();
        let mut archive = Members::new(Rewind::stream(&*all)).unwrap();
        assert!(archive.read_to_end(&mut Vec::new()).is_err());
        assert!(archive.skip_damaged().unwrap() == Reached::Start);
        assert_eq!(archive.member_start, before.len() as u64);
        let mut text = String::new();
        archive.read_to_string(&mut text).unwrap();
        assert_eq!(text, "WARC/1.1\r\nX: y");
        assert!(archive.skip_damaged().unwrap() == Reached::End);
    }

    #[cfg(not(feature = "zstd"))]
    #[test]
    fn a_missing_feature_is_named_before_anything_is_read() {
        // The length of this dictionary would be an error, too.
        let error = Members::new(Rewind::stream(&b"\x5d\x2a\x4d\x18\xff\xff\xff\xff"[..])).err().unwrap();
        assert_eq!(error.to_string(), "an archive compressed by Zstandard needs the feature `zstd`");
        let body = crate::archive::Body::new(&b"\x28\xb5\x2f\xfd\x04\x58\0"[..], 7, &["zstd".to_owned()]);
        assert_eq!(body.err().unwrap().to_string(), "its content coding `zstd` needs the feature `zstd`");
    }

    #[test]
    fn the_start_decides_whether_an_archive_is_gzipped() {
        let good = gzip(b"WARC/1.1\r\n");
        for (bytes, is_uncompressed) in [
            (&b"WARC/1.1\r\n"[..], true),
            (&good, false),
            (&[b"noise", &good[..]].concat(), false),
            (&[b"noise WARC/1.1\r\n", &good[..]].concat(), true),
            (&gzip(b"no record"), false),
            (b"noise", true),
            (b"", true),
        ] {
            assert_eq!(Members::new(Rewind::stream(bytes)).unwrap().is_uncompressed(), is_uncompressed, "{bytes:?}");
        }
    }
}
