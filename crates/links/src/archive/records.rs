//! The records of a WARC or ARC file, one after the other, past damaged ones.
//!
//! They are framed here, on `flate2`, because no crate does what damaged archives need: `warc` has no offsets, `fastwarc` needs
//! Rust 1.88 and takes a short record for a whole one, `warcat` brings a database, and none continues after a damaged gzip member.

use std::fs::File;
use std::io::{self, BufRead, Read, Seek};
use std::path::Path;

use memchr::memrchr;

use super::arc;
use super::damage::{ContentRead, Damage, Reason, is_damage};
use super::frame_header::MAX_WINDOW;
use super::members::Members;
use super::record::{
    FIRST_LINE_LEN, Format, RECORD_MAGIC, Record, SkippedRecords, can_follow_content, find_record, find_record_of,
};
use super::rewind::Rewind;

const MAX_HEAD_LEN: usize = 64 << 10;

/// The records of a WARC file (WARC 1.1, ISO 28500) or of an ARC file, uncompressed, gzipped or compressed by Zstandard, from a file
/// or a stream. The first record shows the format.
///
/// [`next_record`](Self::next_record) reads the head of a record; reading from `Records` then gives its content. A `for` loop over
/// `Records` gets the heads only. The pages of an archive, with their content, are an iterator in `relref_links::page`.
///
/// Needs at most about 400 KiB of memory, and 9 MiB more for Zstandard. Takes time linear in the length of the archive, as each
/// byte is read at most a few times; a gzipped archive may inflate to 1032 times its length.
///
/// # Damage
/// After damage, the next record is searched for: in an uncompressed archive its first line, in a gzipped one a member that starts
/// with such a line. In an ARC file, this is a line with the URI, an IP address, a date of 12 or 14 digits and a length. A
/// record whose length is too great seems to hold the records after it. To find these, the reader goes back to where the content
/// started: anywhere in an input that can [seek](Self::seekable), 64 KiB at least in a [stream](Self::new).
///
/// ```
/// use std::io::Read;
/// use relref_links::archive::Records;
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
    bytes: Rewind<Members<R>>,
    /// The offset in the archive from which it is read.
    start: u64,
    /// The offset in the archive; in a compressed one, that of the record's member.
    record_offset: u64,
    /// An offset in an uncompressed archive; not set in a compressed one.
    content_offset: u64,
    remaining: u64,
    /// False while the end of the current record is to be checked. True before the first record, and after a damaged head.
    finished: bool,
    /// [`go_back_to_content`](Self::go_back_to_content) went back from here: up to it, bytes are read for the second time.
    reread_end: u64,
    next: NextRecord,
    /// The format of the first record; `None` before it.
    format: Option<Format>,
    /// The damage of the current content, found before or while it was read. [`finish`](Self::finish) returns it.
    damage: Option<Damage>,
    /// The damage of an earlier record, after it, or before the first one. [`next_record`](Self::next_record) returns it.
    pub(super) unreported: Option<Damage>,
    pub(super) skipped: SkippedRecords,
}

/// `Read`, `Seek` and `Send` in one trait. As `Box<dyn ReadSeek>`, files, archives in WACZ files and bytes in memory are one type, and the
/// code that reads [`Records`] of them is compiled once. A seek may fail, as in an archive that a WACZ file compresses.
pub trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send + ?Sized> ReadSeek for T {}

#[derive(PartialEq)]
enum NextRecord {
    AfterLineBreaks,
    /// Somewhere after damage: a first line is searched for.
    Anywhere,
    /// The current member cannot be read any further: a member with a record is searched for.
    InLaterMember,
    Nowhere,
}

debug_fields!([R] Records<R>: record_offset);

impl Records<File> {
    /// Opens a WARC or ARC file, and returns its records.
    ///
    /// # Errors
    /// The file cannot be opened or its start cannot be read.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Records::from_file(File::open(path)?)
    }

    /// Returns the records of a file. One that is not regular, such as a named pipe, is read as a stream.
    ///
    /// # Errors
    /// The start of the archive cannot be read.
    pub fn from_file(file: File) -> io::Result<Self> {
        let is_regular = file.metadata().is_ok_and(|metadata| metadata.is_file());
        if is_regular { Records::seekable(file) } else { Records::new(file) }
    }
}

impl<R: Read> Records<R> {
    /// Returns the records of a stream: a pipe, a socket, bytes in memory. Reads up to 64 KiB to see how it is compressed.
    ///
    /// # Errors
    /// The start of the archive cannot be read.
    pub fn new(input: R) -> io::Result<Self> {
        Records::from_rewind(Rewind::stream(input))
    }

    /// Returns the records of an input that can seek, from where it is now; offsets count from its beginning. So one record can be
    /// read at the offset that an index of the archive gives.
    ///
    /// # Errors
    /// The start of the archive cannot be read.
    pub fn seekable(input: R) -> io::Result<Self>
    where
        R: Seek,
    {
        Records::from_rewind(Rewind::seekable(input)?)
    }

    pub(crate) fn from_rewind(input: Rewind<R>) -> io::Result<Self> {
        let start = input.offset();
        let (members, unreported) = Members::new(input)?;
        Ok(Records {
            bytes: Rewind::forward(members),
            start,
            record_offset: 0,
            content_offset: 0,
            remaining: 0,
            finished: true,
            reread_end: 0,
            next: NextRecord::AfterLineBreaks,
            format: None,
            damage: None,
            unreported,
            skipped: SkippedRecords::default(),
        })
    }

    /// Returns the number of bytes of the archive, as it is in the file, that were read so far. Bytes that were read again count
    /// once.
    pub fn bytes_read(&self) -> u64 {
        self.bytes.input.archive_bytes().furthest() - self.start
    }

    /// Returns the most memory in bytes that reading the archive needs.
    pub fn memory(&self) -> u64 {
        (400 << 10) + if self.bytes.input.is_zstd() { MAX_WINDOW + (1 << 20) } else { 0 }
    }

    /// Returns the number of bytes of the current content that were not read yet, by the length in its head, or by the end of the archive
    /// if that is known to come first. 0 once damage ended the content.
    pub fn remaining(&self) -> u64 {
        self.remaining
    }

    /// Returns the next record, after [finishing](Self::finish) the one before; `None` at the end of the archive.
    ///
    /// # Errors
    /// Damage of the record before, or of this one. Go on calling: the records after it follow.
    pub fn next_record(&mut self) -> Option<Result<Record, Damage>> {
        if let Some(damage) = self.finish().err().or_else(|| self.unreported.take()) {
            return Some(Err(damage));
        }
        let found = match self.next {
            NextRecord::AfterLineBreaks => self.find_after_line_breaks(),
            NextRecord::Anywhere => self.find_first_line(),
            NextRecord::InLaterMember => self.find_after_damaged_member(),
            NextRecord::Nowhere => Ok(false),
        };
        let record = match found {
            Ok(true) => self.read_head(),
            Ok(false) => return None,
            Err(error) => Err(Reason::Io(error)),
        };
        Some(record.map_err(|reason| self.abandon(reason)))
    }

    /// Reads the rest of the current content, and checks that it ended where it should. Does nothing after an error, or when called
    /// again.
    ///
    /// # Errors
    /// Damage of the record; its [`content`](Damage::content) says whether the bytes that were read can be used.
    pub fn finish(&mut self) -> Result<(), Damage> {
        if self.finished {
            return Ok(());
        }
        while self.remaining > 0 {
            let len = self.buffered_content().len();
            self.bytes.consume(len);
            self.remaining -= len as u64;
        }
        self.finished = true;
        if let Some(damage) = self.damage.take() {
            return Err(damage);
        }
        match self.content_ends_here() {
            Ok(true) => Ok(()),
            Ok(false) => Err(Damage { content: ContentRead::Partial, ..self.abandon(Reason::WrongLength) }),
            Err(error) => Err(Damage { content: ContentRead::Whole, ..self.abandon(Reason::Io(error)) }),
        }
    }

    /// [Finishes](Self::finish) the record, and returns its length in the archive, from its [offset](Record::offset) on: in a compressed
    /// archive, that of its gzip members or Zstandard frames; else that of head and content, and of the two line breaks after it. An index of
    /// captures (CDX) has it beside the offset.
    ///
    /// # Errors
    /// Those of [`finish`](Self::finish).
    ///
    /// ```
    /// use relref_links::archive::Records;
    ///
    /// let warc = "WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 2\r\n\r\nyo\r\n\r\n".repeat(2);
    /// let mut records = Records::new(warc.as_bytes())?;
    /// while let Some(Ok(record)) = records.next_record() {
    ///     let len = records.record_len().unwrap();
    ///     assert_eq!((record.offset % len, len), (0, warc.len() as u64 / 2));
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn record_len(&mut self) -> Result<u64, Damage> {
        self.finish()?;
        let end = if self.is_uncompressed() { self.offset() } else { self.bytes.input.archive_bytes().offset() };
        Ok(end.saturating_sub(self.record_offset))
    }

    /// Content can end before two CRLF, or before line breaks and then the next record or the end of the archive or member. If it
    /// cannot, goes back to its start.
    fn content_ends_here(&mut self) -> io::Result<bool> {
        if self.format == Some(Format::Arc) {
            return self.arc_content_ends_here();
        }
        if self.bytes.peek(4)? == b"\r\n\r\n" {
            self.bytes.consume(4);
            // At the end of a gzip member its checksum is checked.
            self.bytes.peek(1)?;
            return Ok(true);
        }
        self.skip_line_breaks()?;
        let ends = self.bytes.peek(RECORD_MAGIC.len()).map(can_follow_content)?;
        if !ends {
            self.go_back_to_content();
        }
        Ok(ends)
    }

    /// If a line break and then no record follows, the content decides: it ends here unless a record starts in it. Then the damage
    /// is what follows.
    fn arc_content_ends_here(&mut self) -> io::Result<bool> {
        let after = self.bytes.peek(arc::MAX_LINE_LEN)?;
        let has_line_break = matches!(after, [b'\r' | b'\n', ..]);
        let ends = arc::can_follow_content(after);
        let content_end = self.offset();
        self.skip_line_breaks()?;
        let offset = self.offset();
        if ends || !self.go_back_to_content() {
            return Ok(ends || has_line_break);
        }
        if !has_line_break || self.find_first_line()? && self.offset() < content_end {
            return Ok(false);
        }
        self.unreported = Some(Damage { offset, reason: Reason::NoRecord, content: ContentRead::Wrong });
        Ok(true)
    }

    fn skip_line_breaks(&mut self) -> io::Result<()> {
        while let [b'\r' | b'\n'] = self.bytes.peek(1)? {
            self.bytes.consume(1);
        }
        Ok(())
    }

    /// Skips line breaks, and goes into the next member if the current one ends with them. A record should start there, which is
    /// not checked. Returns false at the end of the archive, as do the searches below.
    fn find_after_line_breaks(&mut self) -> io::Result<bool> {
        loop {
            self.skip_line_breaks()?;
            if !self.bytes.buffered().is_empty() {
                return Ok(true);
            }
            if !self.bytes.input.next_member()? {
                return Ok(false);
            }
            self.bytes.clear();
        }
    }

    fn find_first_line(&mut self) -> io::Result<bool> {
        let is_start = |bytes: &[u8]| bytes.starts_with(RECORD_MAGIC) && find_record(bytes) == Some(0);
        let is_found = match self.format {
            Some(Format::Warc) => self.bytes.find(RECORD_MAGIC[0], FIRST_LINE_LEN, is_start)?,
            format => self.find_line(format)?,
        };
        Ok(is_found || self.find_after_line_breaks()?)
    }

    /// Returns false at the end of the input.
    fn find_line(&mut self, format: Option<Format>) -> io::Result<bool> {
        loop {
            if self.bytes.fill_buf()?.is_empty() {
                return Ok(false);
            }
            if !self.bytes.buffered().contains(&b'\n') {
                self.bytes.peek(MAX_HEAD_LEN)?;
            }
            let bytes = self.bytes.buffered();
            let (found, checked) = match memrchr(b'\n', bytes) {
                Some(end) => (find_record_of(format, &bytes[..=end]), end + 1),
                // The end of a long line may be the head of a record.
                None if bytes.len() >= MAX_HEAD_LEN => (None, bytes.len() - arc::MAX_LINE_LEN),
                None => (None, bytes.len()),
            };
            self.bytes.consume(found.unwrap_or(checked));
            if found.is_some() {
                return Ok(true);
            }
        }
    }

    /// Records may start in the content. Does nothing, and returns false, if the input cannot go back that far, or if the current
    /// record starts before `reread_end`: so no byte is read a third time.
    fn go_back_to_content(&mut self) -> bool {
        let here = self.bytes.input.archive_bytes().offset();
        let goes =
            self.is_uncompressed() && self.record_offset >= self.reread_end && self.go_back_to(self.content_offset);
        if goes {
            self.reread_end = here;
        }
        goes
    }

    /// In an uncompressed archive. Returns false, and does not move, if that is not possible.
    fn go_back_to(&mut self, offset: u64) -> bool {
        let is_possible = self.bytes.input.archive_bytes_mut().go_back(offset);
        if is_possible {
            let error = self.bytes.take_error();
            self.bytes.clear();
            self.bytes.input.archive_bytes_mut().restore_error(error);
        }
        is_possible
    }

    fn find_after_damaged_member(&mut self) -> io::Result<bool> {
        self.bytes.clear();
        Ok(self.bytes.input.skip_damaged(self.format)? && self.find_after_line_breaks()?)
    }

    fn is_uncompressed(&self) -> bool {
        self.bytes.input.is_uncompressed()
    }

    pub(super) fn is_arc(&self) -> bool {
        self.format == Some(Format::Arc)
    }

    /// In a compressed archive, the offset where the current member starts.
    fn offset(&self) -> u64 {
        let members = &self.bytes.input;
        if members.is_uncompressed() {
            members.archive_bytes().offset() - self.bytes.buffered().len() as u64
        } else {
            members.member_offset
        }
    }

    fn read_head(&mut self) -> Result<Record, Reason> {
        self.next = NextRecord::AfterLineBreaks;
        self.record_offset = self.offset();
        self.complete_head().map_err(Reason::Io)?;
        let head = self.bytes.peek(MAX_HEAD_LEN).map_err(Reason::Io)?;
        let format = self.format.unwrap_or_else(|| Format::of(head));
        if format == Format::Warc {
            // Even if the head is damaged: nothing else starts so, and a search for one format takes less time.
            self.format = Some(format);
        }
        let (len, record) = match format.read(head, self.record_offset) {
            Ok(read) => read,
            Err((reason, checked)) => {
                self.bytes.consume(checked);
                return Err(self.bytes.take_error().map_or(reason, Reason::Io));
            }
        };
        self.format = Some(format);
        self.bytes.consume(len);
        let record = record.ok_or(Reason::NoLength)?;
        self.remaining = record.length;
        if self.is_uncompressed() {
            self.content_offset = self.offset();
            self.check_length()?;
        }
        self.finished = false;
        Ok(record)
    }

    /// Joins members to the current one as long as it ends within the head that starts here.
    fn complete_head(&mut self) -> io::Result<()> {
        loop {
            let head = self.bytes.peek(MAX_HEAD_LEN)?;
            let format = self.format.unwrap_or_else(|| Format::of(head));
            let len = head.len();
            let is_cut = len < MAX_HEAD_LEN && format.read(head, 0).is_err();
            if !is_cut || !self.join_next_member()? || self.bytes.buffered().len() == len {
                return Ok(());
            }
        }
    }

    /// Continues the current member, which ended within a record, with the next one (RFC 1952 §2.2), as writers of blocks make them,
    /// unless a record starts in that. Then, and at the end of the archive, returns false.
    fn join_next_member(&mut self) -> io::Result<bool> {
        let can_join = !self.is_uncompressed() && !self.bytes.input.joins && !self.bytes.has_error();
        if !can_join || !self.bytes.input.next_member()? {
            return Ok(false);
        }
        self.bytes.resume();
        let before = self.bytes.buffered().len();
        let next = self.bytes.peek_more(arc::MAX_LINE_LEN)?;
        self.bytes.input.joins = find_record_of(self.format, &next[before..]) != Some(0);
        self.bytes.resume();
        Ok(self.bytes.input.joins)
    }

    /// Checks the length as far as it is known before the content is read: not what a stream has not read yet.
    fn check_length(&mut self) -> Result<(), Reason> {
        let end = self.content_offset.saturating_add(self.remaining);
        let input = self.bytes.input.archive_bytes_mut();
        if let Some(len) = input.ends_before(end).map_err(Reason::Io)? {
            let most = len.saturating_sub(self.content_offset);
            return self.keep_partial(Reason::Missing(end - len), most);
        }
        // Only after the reader went back.
        if self.record_offset < self.reread_end {
            let after = input.look_at(end, 16).map_err(Reason::Io)?;
            let can_follow = match self.format {
                Some(Format::Arc) => arc::may_follow_content,
                _ => can_follow_content,
            };
            if after.is_some_and(|after| !can_follow(&after)) {
                return self.keep_partial(Reason::WrongLength, self.remaining);
            }
        }
        Ok(())
    }

    /// Keeps a record of a wrong length, whose content has at most `most` bytes, up to the next record. Goes to that one and fails with
    /// `reason` if the input cannot go back.
    fn keep_partial(&mut self, reason: Reason, most: u64) -> Result<(), Reason> {
        self.remaining = 0;
        self.find_first_line().map_err(Reason::Io)?;
        let next = self.offset();
        if !self.go_back_to(self.content_offset) {
            return Err(reason);
        }
        // What lies between the record and the next one is read twice.
        self.remaining = most.min(next.saturating_sub(self.content_offset));
        self.next = NextRecord::Anywhere;
        self.damage = Some(Damage { offset: self.record_offset, reason, content: ContentRead::Partial });
        Ok(())
    }

    /// Empty at the end of the content, and at damage, which is kept in `damage`.
    fn buffered_content(&mut self) -> &[u8] {
        if self.remaining == 0 {
            return &[];
        }
        match self.bytes.fill_buf().map(<[u8]>::is_empty).and_then(|ends| Ok(ends && !self.join_next_member()?)) {
            Err(error) => self.damage = Some(self.abandon(Reason::Io(error))),
            Ok(true) => {
                let reason = Reason::Missing(self.remaining);
                self.damage = Some(Damage { offset: self.record_offset, reason, content: ContentRead::Partial });
                // In an uncompressed archive the next record may start in what seems to be the content of this one.
                self.next = if self.is_uncompressed() { NextRecord::Anywhere } else { NextRecord::AfterLineBreaks };
                self.go_back_to_content();
                self.remaining = 0;
            }
            Ok(false) => {}
        }
        let rest = self.bytes.buffered();
        &rest[..self.remaining.min(rest.len() as u64) as usize]
    }

    /// Fewer than `len` bytes if the content ends or is damaged. [`Rewind::peek`] limits `len`.
    pub(super) fn peek_content(&mut self, len: usize) -> &[u8] {
        if !self.buffered_content().is_empty() {
            // An error follows these bytes, and is found when they are read.
            let _ = self.bytes.peek(len);
        }
        let content = self.buffered_content();
        &content[..content.len().min(len)]
    }

    /// Sets `next`: an archive that could not be read is over; after damage, the next record is searched for.
    fn abandon(&mut self, reason: Reason) -> Damage {
        self.remaining = 0;
        let is_uncompressed = self.is_uncompressed();
        let offset = match &reason {
            Reason::Io(_) if !is_uncompressed => self.bytes.input.member_offset,
            _ => self.record_offset,
        };
        let (next, content, reason) = match reason {
            Reason::Io(error) if is_uncompressed || !is_damage(&error) => {
                (NextRecord::Nowhere, ContentRead::Partial, Reason::Io(error))
            }
            Reason::Io(error) if self.bytes.input.is_zstd() => {
                (NextRecord::InLaterMember, ContentRead::Partial, Reason::Frame(error))
            }
            Reason::Io(error) => (NextRecord::InLaterMember, ContentRead::Partial, Reason::Member(error)),
            reason => (NextRecord::Anywhere, ContentRead::Wrong, reason),
        };
        self.next = next;
        Damage { offset, reason, content }
    }
}

/// The heads of the records of a WARC file: the content of a record can only be read from [`Records`].
#[derive(Debug)]
pub struct IntoRecords<R>(Records<R>);

impl<R: Read> Iterator for IntoRecords<R> {
    type Item = Result<Record, Damage>;

    /// Returns what [`Records::next_record`] returns.
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next_record()
    }
}

impl<R: Read> IntoIterator for Records<R> {
    type Item = Result<Record, Damage>;
    type IntoIter = IntoRecords<R>;

    fn into_iter(self) -> IntoRecords<R> {
        IntoRecords(self)
    }
}

/// Reads the content of the current record. Reading never fails: a damaged content ends early, and [`finish`](Records::finish) or
/// the next call of [`next_record`](Records::next_record) returns the damage.
impl<R: Read> Read for Records<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = self.buffered_content().read(into)?;
        self.bytes.consume(len);
        self.remaining -= len as u64;
        Ok(len)
    }
}

#[cfg(test)]
mod tests;
