//! The parts of an archive that are no pages: its problems, and the numbers of records that are skipped.

use std::error::Error;
use std::fmt;
use std::io;

use crate::archive::Damage;

/// A problem of an archive, after which its reading goes on.
#[derive(Debug)]
#[non_exhaustive]
pub struct ArchiveProblem {
    /// The byte offset in the archive of the record that has the problem.
    pub offset: u64,
    /// The damage of the record, or the reason why its page cannot be stored. Its text is half a sentence.
    pub error: io::Error,
}

impl fmt::Display for ArchiveProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record at byte {}: {}", self.offset, self.error)
    }
}

impl Error for ArchiveProblem {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

/// The error has the kind of the problem's.
impl From<ArchiveProblem> for io::Error {
    fn from(problem: ArchiveProblem) -> Self {
        io::Error::new(problem.error.kind(), problem)
    }
}

impl From<Damage> for ArchiveProblem {
    fn from(damage: Damage) -> Self {
        let kind = damage.reason.error().map_or(io::ErrorKind::InvalidData, io::Error::kind);
        ArchiveProblem { offset: damage.offset, error: io::Error::new(kind, damage.reason) }
    }
}

/// The numbers of records whose bodies are not read, by reason. Their HTTP fields may have links nevertheless. Captures that only
/// [`Page::decode`](super::Page::decode) shows to be no pages do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Skipped {
    /// Captures whose media type is that of files without links.
    pub other_media_types: u64,
    /// Captures whose media type does not show what they are, and whose first bytes are not those of a page.
    pub not_pages: u64,
    /// Captures of other status codes than those [wanted](super::Captures::with_statuses). Their HTTP fields are not read either.
    pub other_statuses: u64,
    /// As [`archive::SkippedRecords::other_kinds`](crate::archive::SkippedRecords::other_kinds), with metadata that is not about a response
    /// or has no outlinks, and with the outlinks of pages that were read.
    pub other_kinds: u64,
    /// As [`archive::SkippedRecords::other_protocols`](crate::archive::SkippedRecords::other_protocols).
    pub other_protocols: u64,
    /// As [`archive::SkippedRecords::revisits_without_head`](crate::archive::SkippedRecords::revisits_without_head).
    pub revisits_without_head: u64,
    /// `revisit` records whose body is that of another URI (`WARC-Refers-To-Target-URI`), so that the links of this URI are not
    /// known.
    pub revisits_of_other_uris: u64,
}
