//! Reads an archive without its compression: gzip members or Zstandard frames, one after the other.
//! After a damaged one, the next one is searched for (WARC 1.1 annex D, RFC 1952, RFC 8878). "Member" means both here.

use std::io::{self, BufRead, Read};

use flate2::Decompress;

use super::codec::{Codec, Container};
use super::codec_reader::CodecReader;
use super::compression::{
    Compression, DAMAGED_START_LEN, GZIP_FIRST, MEMBER_START_LEN, starts_frame, starts_record_member,
};
use super::damage::{ContentRead, Damage, Reason, invalid};
use super::frame_header::{FrameHeader, MAGIC};
use super::record::Format;
use super::rewind::Rewind;

/// Reads one member at a time, or the whole archive if it is uncompressed.
pub(super) struct Members<R> {
    layer: Layer<R>,
    pub(super) member_offset: u64,
    /// The members are blocks of one stream, so that a record may end in a later one than it starts in.
    pub(super) joins: bool,
}

enum Layer<R> {
    Uncompressed(Rewind<R>),
    Gzip(CodecReader<Rewind<R>>),
    Zstd(CodecReader<Rewind<R>>),
}

impl<R: Read> Members<R> {
    /// Returns the members, and the damage before the first frame of a Zstandard archive. In other archives, damaged first bytes
    /// are found when they are read.
    pub(super) fn new(mut input: Rewind<R>) -> io::Result<(Self, Option<Damage>)> {
        let offset = input.offset();
        let (layer, start_damage) = match Compression::of(input.peek(DAMAGED_START_LEN)?) {
            Compression::None => (Layer::Uncompressed(input), None),
            Compression::Gzip => (Layer::Gzip(CodecReader::new(input, Codec::deflate(Container::Gzip))), None),
            Compression::Zstd(at) => {
                input.consume(at);
                let codec = zstd_codec(&mut input)?;
                let reason = || Reason::Frame(invalid("it does not start as one"));
                let damage = (at > 0).then(|| Damage { offset, reason: reason(), content: ContentRead::Wrong });
                // An archive that ends after its dictionary has no frame.
                let is_over = input.fill_buf()?.is_empty();
                (if is_over { Layer::Uncompressed(input) } else { Layer::Zstd(CodecReader::new(input, codec)) }, damage)
            }
        };
        let mut members = Members { layer, member_offset: 0, joins: false };
        members.member_offset = members.archive_bytes().offset();
        Ok((members, start_damage))
    }

    /// Reports whether the archive is uncompressed, or has only the dictionary of a Zstandard archive, but no frame.
    pub(super) fn is_uncompressed(&self) -> bool {
        matches!(self.layer, Layer::Uncompressed(_))
    }

    pub(super) fn is_zstd(&self) -> bool {
        matches!(self.layer, Layer::Zstd(_))
    }

    /// The bytes of the archive as they are in the file.
    pub(super) fn archive_bytes(&self) -> &Rewind<R> {
        match &self.layer {
            Layer::Uncompressed(input) => input,
            Layer::Gzip(stream) | Layer::Zstd(stream) => &stream.inner,
        }
    }

    pub(super) fn archive_bytes_mut(&mut self) -> &mut Rewind<R> {
        match &mut self.layer {
            Layer::Uncompressed(input) => input,
            Layer::Gzip(stream) | Layer::Zstd(stream) => &mut stream.inner,
        }
    }

    /// The current member must have been read to its end. Any bytes after it count as a member; reading fails if they are none. Returns
    /// false at the end of the archive, before which there may be zeros, as tapes and disks have them.
    pub(super) fn next_member(&mut self) -> io::Result<bool> {
        if self.is_uncompressed() {
            return Ok(false);
        }
        let input = self.archive_bytes_mut();
        let end = input.offset();
        loop {
            match input.fill_buf()? {
                [] => return Ok(false),
                zeros if zeros.iter().all(|byte| *byte == 0) => {
                    let len = zeros.len();
                    input.consume(len);
                }
                _ => break,
            }
        }
        input.go_back(end);
        self.start_member();
        Ok(true)
    }

    /// Goes to the next member that may hold a record after the start of the current one, or after the bytes read if the input
    /// cannot go back so far. Returns false if there is none. The archive must be compressed.
    pub(super) fn skip_damaged(&mut self, format: Option<Format>) -> io::Result<bool> {
        let damaged = self.member_offset;
        let mut inflate = Decompress::new(false);
        let is_zstd = self.is_zstd();
        let input = self.archive_bytes_mut();
        // If it cannot go back, the search continues from here.
        input.go_back(damaged + 1);
        while match is_zstd {
            true => input.find(MAGIC[0], FrameHeader::MAX_LEN, starts_frame)?,
            false => {
                input.find(GZIP_FIRST, MEMBER_START_LEN, |bytes| starts_record_member(bytes, format, &mut inflate))?
            }
        } {
            if input.offset() > damaged {
                self.start_member();
                self.joins = false;
                return Ok(true);
            }
            input.consume(1);
        }
        Ok(false)
    }

    fn start_member(&mut self) {
        self.member_offset = self.archive_bytes().offset();
        if let Layer::Gzip(stream) | Layer::Zstd(stream) = &mut self.layer {
            stream.restart();
        }
    }
}

#[cfg(feature = "zstd")]
fn zstd_codec(input: &mut Rewind<impl Read>) -> io::Result<Codec> {
    Ok(Codec::Zstd(super::zstd::Zstd::new(&super::dictionary::read(input)?)?))
}

#[cfg(not(feature = "zstd"))]
fn zstd_codec(_: &mut Rewind<impl Read>) -> io::Result<Codec> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "an archive compressed by Zstandard needs the feature `zstd`"))
}

/// Returns 0 only at the end of the current member, or of the last one that is joined to it, with a right checksum; each read after
/// damage fails again.
impl<R: Read> Read for Members<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = match &mut self.layer {
                Layer::Uncompressed(input) => input.read(into)?,
                Layer::Gzip(stream) | Layer::Zstd(stream) => stream.read(into)?,
            };
            if read > 0 || into.is_empty() || !self.joins || !self.next_member()? {
                return Ok(read);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::codec_reader::tests::gzip;

    #[test]
    fn members_are_read_one_after_the_other() {
        let members = [gzip(b"WARC/1.1\r\n1"), gzip(b"2"), gzip(b"")];
        let all = members.concat();
        let (mut archive, _) = Members::new(Rewind::stream(&*all)).unwrap();
        for (number, expected) in ["WARC/1.1\r\n1", "2", ""].iter().enumerate() {
            let mut text = String::new();
            archive.read_to_string(&mut text).unwrap();
            assert_eq!((&*text, archive.member_offset), (*expected, members[..number].concat().len() as u64));
            assert_eq!(archive.next_member().unwrap(), number < 2);
        }
    }

    /// The search goes back into a damaged member, and passes what only looks like a member, or holds no record.
    #[test]
    fn the_next_member_that_holds_a_record_is_found() {
        let good = gzip(b"WARC/1.1\r\nX: y");
        let cut = &good[..15];
        let before = [cut, b"\x1f\x8b\x08\x00 and \x1f", &gzip(b"no record")].concat();
        let all = [&before, &good[..]].concat();
        let (mut archive, _) = Members::new(Rewind::stream(&*all)).unwrap();
        assert!(archive.read_to_end(&mut Vec::new()).is_err());
        assert!(archive.skip_damaged(None).unwrap());
        assert_eq!(archive.member_offset, before.len() as u64);
        let mut text = String::new();
        archive.read_to_string(&mut text).unwrap();
        assert_eq!(text, "WARC/1.1\r\nX: y");
        assert!(!archive.skip_damaged(None).unwrap());
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
            assert_eq!(Members::new(Rewind::stream(bytes)).unwrap().0.is_uncompressed(), is_uncompressed, "{bytes:?}");
        }
    }
}
