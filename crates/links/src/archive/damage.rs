//! Damage of an archive: its offset, its reason, and the part of the content that was read.

use std::error::Error;
use std::fmt::{self, Display};
use std::io::{self, ErrorKind};

/// Damage of one record. The reader goes on with the next record that it finds.
#[derive(Debug)]
#[non_exhaustive]
pub struct Damage {
    /// The byte offset in the archive at which the record starts; in a compressed archive, that of its gzip member or Zstandard
    /// frame.
    pub offset: u64,
    /// The reason why the record is damaged.
    pub reason: Reason,
    /// The part of the content that was read.
    pub content: ContentRead,
}

/// The part of the content of a damaged record that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ContentRead {
    /// All of it.
    Whole,
    /// Its start, or all of it. If the record's length was wrong, other records may follow in it:
    /// [`holds_record`](super::sniff::holds_record) finds that.
    Partial,
    /// None of it can be used: the bytes are not the content, or hold other records too.
    Wrong,
}

/// Why a record is damaged. Its [`Display`] is half a sentence in English, such as "its header has no end".
#[derive(Debug)]
#[non_exhaustive]
pub enum Reason {
    /// Neither a record nor the end of the archive is at the offset (WARC 1.1 §4).
    NoRecord,
    /// The head of the record has no empty line at its end (in an ARC file, no line feed), or is longer than 64 KiB.
    EndlessHead,
    /// The head of the record has no `Content-Length` or `Archive-length` that is a number (WARC 1.1 §5.3).
    NoLength,
    /// The content has another length than the head of the record says: no record follows it.
    WrongLength,
    /// The archive, gzip member or Zstandard frame ends so many bytes before the content does.
    Missing(u64),
    /// The gzip member is cut short, or its data or checksum are wrong (RFC 1952).
    Member(io::Error),
    /// The Zstandard frame is cut short, its data or checksum are wrong, its window is larger than 8 MiB, or its dictionary is
    /// missing (RFC 8878).
    Frame(io::Error),
    /// The archive could not be read. It ends here.
    Io(io::Error),
    /// The content is no readable HTTP response (RFC 9112 §4). Only
    /// [`next_capture`](super::Records::next_capture) reports it.
    Http(io::Error),
}

impl Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record at byte {}: {}", self.offset, self.reason)
    }
}

impl Error for Damage {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.reason.source()
    }
}

/// The error has the kind of the error in the damage, or [`InvalidData`](ErrorKind::InvalidData).
impl From<Damage> for io::Error {
    fn from(damage: Damage) -> Self {
        let kind = damage.reason.error().map_or(ErrorKind::InvalidData, io::Error::kind);
        io::Error::new(kind, damage)
    }
}

impl Error for Reason {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error().map(|error| error as &(dyn Error + 'static))
    }
}

impl Reason {
    pub(crate) fn error(&self) -> Option<&io::Error> {
        match self {
            Reason::Member(error) | Reason::Frame(error) | Reason::Io(error) | Reason::Http(error) => Some(error),
            _ => None,
        }
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NoRecord => f.write_str("no record starts here"),
            Reason::EndlessHead => f.write_str("its header has no end"),
            Reason::NoLength => f.write_str("its header has no valid length"),
            Reason::WrongLength => f.write_str("its length is wrong: no record follows"),
            Reason::Missing(bytes) => write!(f, "it ends early: {bytes} bytes of its content are missing"),
            Reason::Member(error) => write!(f, "its gzip member is damaged: {error}"),
            Reason::Frame(error) => write!(f, "its Zstandard frame is damaged: {error}"),
            Reason::Io(error) | Reason::Http(error) => error.fmt(f),
        }
    }
}

pub(crate) fn invalid(why: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why.into())
}

/// False if the data could not be read.
pub(super) fn is_damage(error: &io::Error) -> bool {
    error.kind() == ErrorKind::InvalidData && error.raw_os_error().is_none()
}
