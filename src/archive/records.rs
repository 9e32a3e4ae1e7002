//! The records of a WARC file, one after the other, past damaged ones.
//!
//! They are framed here, on `flate2`, because no crate does what damaged archives need: `warc` has no offsets, `fastwarc` needs
//! Rust 1.88 and takes a short record for a whole one, `warcat` brings a database, and none continues after a damaged gzip
//! member.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use super::capture::Skipped;
use super::damage::{ContentRead, Damage, Reason, is_damage};
use super::frame_header::MOST_WINDOW;
use super::members::{Found, Members};
use super::record::{FIRST_LINE, Record, can_follow_content, find_start, head_len};
use super::rewind::Rewind;
use super::window::Window;

/// The length in bytes of the longest head of a record.
const HEAD: usize = 64 << 10;

/// The records of a WARC file (WARC 1.1, ISO 28500), uncompressed, gzipped or compressed by Zstandard, from a file or a stream.
///
/// [`next_record`](Self::next_record) reads the head of a record; reading from `Records` then gives its content.
///
/// About 400 KiB of memory are needed whatever the archive holds, and 9 MiB more if it is compressed by Zstandard. Each byte is
/// read at most a few times, so the time is linear in the length of the archive; a gzipped archive may inflate to 1032 times its
/// length.
///
/// # Damage
/// After damage the next record is searched: in an uncompressed archive its first line, in a gzipped one a member that starts with
/// such a line. A record may claim the records after it, if its length is wrong. To find these, the reader goes back to where the
/// content started: anywhere in an input that can [seek](Self::seekable), 64 KiB at least in a [stream](Self::new).
///
/// ```
/// use std::io::Read;
/// use relref::archive::Records;
///
/// let bytes = b"WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n\
///     noise WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 2\r\n\r\nyo\r\n\r\n";
/// let mut records = Records::new(&bytes[..])?;
/// let mut contents = Vec::new();
/// while let Some(record) = records.next_record() {
///     match record {
///         Ok(record) => {
///             let mut content = String::new();
///             records.read_to_string(&mut content)?;
///             contents.push(format!("{} {content}", record.kind));
///         }
///         Err(damage) => assert_eq!(damage.to_string(), "record at byte 58: no record starts here"),
///     }
/// }
/// assert_eq!(contents, ["warcinfo hi", "resource yo"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Records<R> {
    window: Window<R>,
    /// The offset where the current record starts.
    record_start: u64,
    /// The offset in an uncompressed archive where the record's content starts.
    content_start: u64,
    /// The number of bytes of the record's content that are not read yet.
    remaining: u64,
    /// True once the end of the current record was looked at.
    finished: bool,
    /// An offset in an uncompressed archive. Bytes before it are read for the second time.
    reread_end: u64,
    position: Position,
    /// The damage of the current content.
    damage: Option<Damage>,
    /// The damage of an earlier record, which is reported next.
    pub(super) unreported: Option<Damage>,
    pub(super) skipped: Skipped,
}

/// The place in the archive between two records.
#[derive(PartialEq)]
enum Position {
    /// A record starts here, after line breaks.
    Between,
    /// No record starts here: the next one must be searched for.
    Lost,
    /// The current gzip member cannot be read any further.
    Broken,
    /// The archive ended or cannot be read any further.
    Over,
}

impl<R> fmt::Debug for Records<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").field("record_start", &self.record_start).finish_non_exhaustive()
    }
}

impl Records<File> {
    /// Opens a WARC file.
    ///
    /// # Errors
    /// The file cannot be opened or its start cannot be read.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Records::from_file(File::open(path)?)
    }

    /// Reads a file; one that is not a regular file, such as a named pipe, as a stream.
    ///
    /// # Errors
    /// The start of the archive cannot be read.
    pub fn from_file(file: File) -> io::Result<Self> {
        let is_regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
        if is_regular { Records::seekable(file) } else { Records::new(file) }
    }
}

impl<R: Read> Records<R> {
    /// Reads a stream: a pipe, a socket, bytes in memory. Up to 64 KiB are read to see how it is compressed.
    ///
    /// # Errors
    /// The start of the archive cannot be read.
    pub fn new(input: R) -> io::Result<Self> {
        Records::of(Rewind::stream(input))
    }

    /// Reads an input that can seek, from where it is now; offsets count from its beginning. So a single record is read at the
    /// offset that an index of the archive has.
    ///
    /// # Errors
    /// The start of the archive cannot be read.
    pub fn seekable(input: R) -> io::Result<Self>
    where
        R: Seek,
    {
        Records::of(Rewind::seekable(input)?)
    }

    fn of(input: Rewind<R>) -> io::Result<Self> {
        let mut members = Members::new(input)?;
        let unreported = members.start_damage.take();
        Ok(Records {
            window: Window::new(members, HEAD),
            record_start: 0,
            content_start: 0,
            remaining: 0,
            finished: true,
            reread_end: 0,
            position: Position::Between,
            damage: None,
            unreported,
            skipped: Skipped::default(),
        })
    }

    /// Returns the number of bytes of the archive that were read so far, as they are in the file.
    pub fn bytes_read(&self) -> u64 {
        self.window.members.input().furthest()
    }

    /// Returns the memory in bytes that reading the archive takes.
    pub fn memory(&self) -> u64 {
        (400 << 10) + if self.window.members.is_zstd() { MOST_WINDOW + (1 << 20) } else { 0 }
    }

    /// Returns the number of bytes of the current content that were not read yet, by the record's `Content-Length`.
    pub fn remaining(&self) -> u64 {
        self.remaining
    }

    /// Returns the next record, after [finishing](Self::finish) the one before; `None` at the end of the archive.
    ///
    /// # Errors
    /// Damage of the record before, or of this one. Go on calling: the records after it follow.
    pub fn next_record(&mut self) -> Option<Result<Record, Damage>> {
        if let Some(damage) = self.unreported.take().or_else(|| self.finish().err()) {
            return Some(Err(damage));
        }
        let found = match self.position {
            Position::Between => self.between(),
            Position::Lost => self.search(),
            Position::Broken => self.leave_member(),
            Position::Over => Ok(Found::End),
        };
        match found {
            Ok(Found::Start) => Some(self.head()),
            Ok(Found::End) => None,
            Err(error) => Some(Err(self.broken(error))),
        }
    }

    /// Reads the rest of the current record's content, and checks that the content ended where it should. After an error, or if it
    /// was called before, there is nothing left to check.
    ///
    /// # Errors
    /// Damage of the record; its [`content`](Damage::content) says whether the bytes that were read are of use.
    pub fn finish(&mut self) -> Result<(), Damage> {
        if self.finished {
            return Ok(());
        }
        while self.remaining > 0 {
            let len = self.content().len();
            self.window.consume(len);
            self.remaining -= len as u64;
        }
        self.finished = true;
        match self.damage.take() {
            Some(damage) => Err(damage),
            None => self.after_content(),
        }
    }

    /// Checks what follows the content.
    fn after_content(&mut self) -> Result<(), Damage> {
        match self.ends_well() {
            Ok(true) => Ok(()),
            Ok(false) => {
                self.go_back();
                Err(self.lost(Reason::WrongLength))
            }
            Err(error) => Err(Damage { content: ContentRead::Whole, ..self.broken(error) }),
        }
    }

    /// Reports whether the content ends here: two line breaks, the next record or the end of the archive follow.
    fn ends_well(&mut self) -> io::Result<bool> {
        self.window.fill(4)?;
        if self.window.rest().starts_with(b"\r\n\r\n") {
            self.window.consume(4);
            // At the end of a gzip member its checksum is checked.
            self.window.fill(1)?;
            return Ok(true);
        }
        self.window.skip_breaks()?;
        self.window.fill(5)?;
        Ok(can_follow_content(self.window.rest()))
    }

    /// Goes to the next record after line breaks, in the next gzip member if this one ends.
    fn between(&mut self) -> io::Result<Found> {
        loop {
            self.window.skip_breaks()?;
            if !self.window.is_empty() {
                return Ok(Found::Start);
            }
            if self.window.members.next_member()? == Found::End {
                return Ok(Found::End);
            }
        }
    }

    /// Finds the first line of a record.
    fn search(&mut self) -> io::Result<Found> {
        loop {
            self.window.fill(HEAD)?;
            let rest = self.window.rest();
            let len = rest.len();
            if let Some(at) = find_start(rest) {
                self.window.consume(at);
                return Ok(Found::Start);
            }
            if len < HEAD {
                self.window.consume(len);
                return self.between();
            }
            self.window.consume(len - (FIRST_LINE - 1));
        }
    }

    /// In an uncompressed archive, goes back to the start of content that turned out to be wrong, as records may start in it. Does
    /// nothing if the input cannot go back that far, or if the record itself starts in bytes that are read for the second time: so
    /// no byte is read a third time because of this.
    fn go_back(&mut self) {
        if self.window.members.is_uncompressed() && self.record_start >= self.reread_end {
            let here = self.window.members.input().offset();
            if self.window.go_back(self.content_start) {
                self.reread_end = here;
            }
        }
    }

    /// Finds the next gzip member that holds a record.
    fn leave_member(&mut self) -> io::Result<Found> {
        self.window.clear();
        match self.window.members.skip_damaged()? {
            Found::Start => self.between(),
            Found::End => Ok(Found::End),
        }
    }

    /// Reads the head of the record that starts here.
    fn head(&mut self) -> Result<Record, Damage> {
        self.position = Position::Between;
        self.record_start =
            if self.window.members.is_uncompressed() { self.window.offset() } else { self.window.members.member_start };
        if let Err(error) = self.window.fill(HEAD) {
            return Err(self.broken(error));
        }
        let rest = self.window.rest();
        let len = match head_len(&rest[..rest.len().min(HEAD)]) {
            Ok(len) => len,
            Err((reason, checked)) => {
                self.window.consume(checked);
                return Err(match self.window.take_error() {
                    Some(error) => self.broken(error),
                    None => self.lost(reason),
                });
            }
        };
        let parsed = Record::parse(&self.window.rest()[..len], self.record_start);
        self.window.consume(len);
        let Some(record) = parsed else { return Err(self.lost(Reason::NoLength)) };
        self.remaining = record.length;
        if self.window.members.is_uncompressed() {
            self.content_start = self.window.offset();
            self.check_length()?;
        }
        self.finished = false;
        Ok(record)
    }

    /// Checks the length of the content in an uncompressed archive as far as that is possible before it is read. The length is
    /// wrong if the file ends early and a record starts before that; or, where bytes are read for the second time, if no record
    /// follows.
    fn check_length(&mut self) -> Result<(), Damage> {
        let end = self.content_start.saturating_add(self.remaining);
        let input = self.window.members.input_mut();
        let checked = input.ends_before(end).and_then(|len| match len {
            None if self.record_start < self.reread_end => Ok((None, input.look_at(end, 16)?)),
            len => Ok((len, None)),
        });
        match checked {
            Err(error) => Err(self.broken(error)),
            Ok((Some(len), _)) => self.check_partial(end, len),
            Ok((_, Some(after))) if !can_follow_content(&after) => Err(self.lost(Reason::WrongLength)),
            Ok(_) => Ok(()),
        }
    }

    /// Checks content that should end after the file of `len` bytes does: it is partial if the record is the last one of the file.
    fn check_partial(&mut self, end: u64, len: u64) -> Result<(), Damage> {
        let reason = Reason::Missing(end - len);
        self.remaining = 0;
        match self.search() {
            Err(error) => Err(self.broken(error)),
            // Only if there is no record after it, all of this is read twice.
            Ok(Found::End) if self.window.go_back(self.content_start) => {
                self.remaining = len.saturating_sub(self.content_start);
                self.damage = Some(Damage { offset: self.record_start, reason, content: ContentRead::Partial });
                Ok(())
            }
            Ok(_) => Err(self.lost(reason)),
        }
    }

    /// Returns the part of the content in the window; nothing at its end and once the content is found damaged.
    fn content(&mut self) -> &[u8] {
        if self.remaining == 0 {
            return &[];
        }
        if let Err(error) = self.window.fill(1) {
            self.damage = Some(self.broken(error));
        } else if self.window.is_empty() {
            let reason = Reason::Missing(self.remaining);
            self.damage = Some(Damage { offset: self.record_start, reason, content: ContentRead::Partial });
            // In an uncompressed archive the next record may start in what this one claims.
            self.position = if self.window.members.is_uncompressed() { Position::Lost } else { Position::Between };
            self.go_back();
            self.remaining = 0;
        }
        let rest = self.window.rest();
        &rest[..self.remaining.min(rest.len() as u64) as usize]
    }

    /// Returns the first bytes of the rest of the content without reading them, at most `len`.
    pub(super) fn peek(&mut self, len: usize) -> &[u8] {
        // An error is found again when the bytes are read.
        let _ = self.window.fill(len);
        let content = self.content();
        &content[..content.len().min(len)]
    }

    /// Returns the damage after which the next record has to be searched.
    fn lost(&mut self, reason: Reason) -> Damage {
        (self.position, self.remaining) = (Position::Lost, 0);
        Damage { offset: self.record_start, reason, content: ContentRead::Wrong }
    }

    /// Returns the damage that a failed read means. After a damaged gzip member, others may follow.
    fn broken(&mut self, error: io::Error) -> Damage {
        self.remaining = 0;
        let content = ContentRead::Partial;
        if self.window.members.is_uncompressed() {
            self.position = Position::Over;
            return Damage { offset: self.record_start, reason: Reason::Io(error), content };
        }
        self.position = if is_damage(&error) { Position::Broken } else { Position::Over };
        let reason = match is_damage(&error) {
            true if self.window.members.is_zstd() => Reason::Frame(error),
            true => Reason::Member(error),
            false => Reason::Io(error),
        };
        Damage { offset: self.window.members.member_start, reason, content }
    }
}

/// Reads the content of the current record. It ends early if the record is damaged; [`finish`](Records::finish) or the next
/// call of [`next_record`](Records::next_record) says so. Reading never fails.
impl<R: Read> Read for Records<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = self.content().read(into)?;
        self.window.consume(len);
        self.remaining -= len as u64;
        Ok(len)
    }
}

#[cfg(test)]
mod tests;
