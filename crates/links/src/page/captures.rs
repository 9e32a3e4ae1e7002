//! The pages of an archive, one after the other.

use std::collections::VecDeque;
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::mem::take;
use std::path::Path;

use super::bytes::{PageBytes, Store};
use super::kind::PageKind;
use super::statuses::Statuses;
use super::{Page, link_fields, shortened};
use crate::archive::{
    self, Body, Capture, ContentRead, Damage, Record, Records, has_outlinks, sniff, wat_has_response,
};

/// The pages of an archive: what has links, or may have some, among its captures. An iterator, whose pages own their bytes: those of
/// a long page are in a temporary file.
///
/// The outlinks that a crawler wrote into a `metadata` record are those of a page of their own, [`PageKind::Outlinks`]. They are
/// skipped if the page in which they were found was read: the last page before them, by its `WARC-Record-ID` and their
/// `WARC-Concurrent-To`. So each link is there once, and those of revisits, other files and damaged pages are there at all.
///
/// A problem does not end it: the pages after it follow. The problems are those of the pages so far, and of records that were
/// skipped. The bytes are stored, with their codings, by the default [`Store`]; [`next_stored`](Self::next_stored) takes another
/// one.
///
/// ```
/// use relref_links::page::Captures;
///
/// let archive = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/a\r\nContent-Length: 55\r\n\r\n\
///     HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=to>\r\n\r\n";
/// for page in Captures::new(archive.as_bytes())? {
///     let mut page = page?;
///     for link in page.links() {
///         assert_eq!((page.uri.as_str(), link?.uri.as_str()), ("http://h/a", "http://h/to"));
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Captures<R> {
    records: Records<R>,
    /// `WARC-Record-ID` of the last page that was read whole; empty without one.
    last_page: String,
    /// The problems that come after the page that was returned last.
    problems: VecDeque<Problem>,
    skipped: Skipped,
    /// `None` for all.
    statuses: Option<Statuses>,
}

/// A problem of an archive, after which its reading goes on.
#[derive(Debug)]
#[non_exhaustive]
pub struct Problem {
    /// The byte offset in the archive of the record that has the problem.
    pub offset: u64,
    /// The damage of the record, or the reason why its page cannot be stored. Its text is half a sentence.
    pub error: io::Error,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "record at byte {}: {}", self.offset, self.error)
    }
}

impl Error for Problem {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.error)
    }
}

/// The error has the kind of the problem's.
impl From<Problem> for io::Error {
    fn from(problem: Problem) -> Self {
        io::Error::new(problem.error.kind(), problem)
    }
}

impl From<Damage> for Problem {
    fn from(damage: Damage) -> Self {
        let kind = damage.reason.error().map_or(io::ErrorKind::InvalidData, io::Error::kind);
        Problem { offset: damage.offset, error: io::Error::new(kind, damage.reason) }
    }
}

/// In bytes: all forms of dates in WARC are shorter.
const MAX_DATE_LEN: usize = 64;

/// The numbers of records whose bodies are not read, by reason. Their HTTP fields may have links nevertheless. Captures that only
/// [`Page::decode`] shows to be no pages do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Skipped {
    /// Captures whose media type is that of files without links.
    pub other_media_types: u64,
    /// Captures whose media type does not show what they are, and whose first bytes are not those of a page.
    pub not_pages: u64,
    /// Captures of other status codes than those [wanted](Captures::with_statuses). Their HTTP fields are not read either.
    pub other_statuses: u64,
    /// As [`archive::Skipped::other_kinds`], with metadata that is not about a response or has no outlinks, and with the outlinks of
    /// pages that were read.
    pub other_kinds: u64,
    /// As [`archive::Skipped::other_protocols`].
    pub other_protocols: u64,
    /// As [`archive::Skipped::revisits_without_head`].
    pub revisits_without_head: u64,
    /// `revisit` records whose body is that of another URI (`WARC-Refers-To-Target-URI`), so that the links of this URI are not
    /// known.
    pub revisits_of_other_uris: u64,
}

impl Captures<File> {
    /// Opens an archive.
    ///
    /// # Errors
    /// Those of [`Records::open`].
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Records::open(path).map(Captures::from)
    }
}

impl<R: Read> Captures<R> {
    /// The greatest length in bytes of the JSON of a WAT record, and of the fields of a `metadata` record. A longer one is a problem.
    pub const MAX_WAT_LEN: u64 = 8 << 20;

    /// Reads an archive from a stream, such as standard input. `Captures::from` takes [`Records`], which can also be
    /// [seekable](Records::seekable).
    ///
    /// # Errors
    /// Those of [`Records::new`].
    pub fn new(reader: R) -> io::Result<Self> {
        Records::new(reader).map(Captures::from)
    }

    /// Selects captures: of those with a status code, only these are read. Captures that are files, WAT records and responses whose
    /// status code cannot be read have none, and are all read.
    ///
    /// ```no_run
    /// use relref_links::page::Captures;
    ///
    /// for page in Captures::open("crawl.warc.gz")?.with_statuses("200,3xx".parse()?) {
    ///     println!("{:?}", page?.status);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_statuses(self, statuses: Statuses) -> Self {
        Captures { statuses: Some(statuses), ..self }
    }

    /// Returns what [`next`](Self::next) returns, and stores the bytes as `store` says, with its limits, and in its files.
    pub fn next_stored(&mut self, store: &mut Store<'_>) -> Option<Result<Page, Problem>> {
        loop {
            if let Some(problem) = self.problems.pop_front() {
                return Some(Err(problem));
            }
            let mut capture = match self.records.next_capture()? {
                Ok(capture) => capture,
                Err(damage) => return Some(Err(damage.into())),
            };
            let (offset, head_damage) = (capture.record.offset, capture.head_damage);
            if is_of_page(&capture.record, &self.last_page) {
                self.skipped.other_kinds += 1;
                continue;
            }
            let id = capture.record.field("WARC-Record-ID").map(str::to_owned);
            let is_other = |status| self.statuses.as_ref().is_some_and(|statuses| !statuses.contains(status));
            let page = if capture.status.is_some_and(is_other) {
                self.skipped.other_statuses += 1;
                Ok(None)
            } else {
                read_page(&mut capture, store, &mut self.skipped)
            };
            let page = match page {
                Ok(None) if head_damage.is_none() => continue,
                page => page.transpose(),
            };
            let end = self.records.finish();
            if let (Ok(()), Some(Ok(page)), Some(id)) = (&end, &page, id) {
                if !matches!(page.kind, PageKind::None | PageKind::Wat | PageKind::Outlinks) {
                    self.last_page = id;
                }
            }
            let page = match end.as_ref().map_or_else(|damage| damage.content, |()| ContentRead::Whole) {
                ContentRead::Whole => page,
                ContentRead::Partial => page.and_then(Result::ok).and_then(cut_short).map(Ok),
                ContentRead::Wrong => None,
            };
            // In a record that is cut short, the end of its head may be missing.
            if let (Some(why), Ok(()), Some(Ok(_)) | None) = (head_damage, &end, &page) {
                self.problems.push_back(Problem { offset, error: io::Error::new(io::ErrorKind::InvalidData, why) });
            }
            self.problems.extend(end.err().map(Problem::from));
            match page {
                // The first record of a WAT file, and what archivers say of themselves.
                Some(Ok(page)) if is_other_metadata(&page) => self.skipped.other_kinds += 1,
                Some(page) => return Some(page.map_err(|error| Problem { offset, error })),
                None => {}
            }
        }
    }

    /// Returns the numbers of records skipped so far.
    pub fn skipped(&self) -> Skipped {
        let archive::Skipped { other_kinds, other_protocols, revisits_without_head, revisits_of_other_uris } =
            self.records.skipped();
        Skipped {
            other_kinds: self.skipped.other_kinds + other_kinds,
            other_protocols,
            revisits_without_head,
            revisits_of_other_uris: self.skipped.revisits_of_other_uris + revisits_of_other_uris,
            ..self.skipped
        }
    }

    /// Returns the records.
    pub fn records(&self) -> &Records<R> {
        &self.records
    }
}

impl<R> From<Records<R>> for Captures<R> {
    fn from(records: Records<R>) -> Self {
        let last_page = String::new();
        Captures { records, last_page, problems: VecDeque::new(), skipped: Skipped::default(), statuses: None }
    }
}

impl<R: Read> Iterator for Captures<R> {
    type Item = Result<Page, Problem>;

    fn next(&mut self) -> Option<Result<Page, Problem>> {
        self.next_stored(&mut Store::default())
    }
}

/// Reads a capture. Returns `None` if it has no links.
fn read_page<R: Read>(
    capture: &mut Capture<'_, R>,
    store: &mut Store<'_>,
    skipped: &mut Skipped,
) -> io::Result<Option<Page>> {
    let mut kind = PageKind::of_head(&capture.record.kind, &capture.media_type, &capture.record.target_uri);
    let mut start = Vec::new();
    if capture.record.revisits_other_uri() {
        skipped.revisits_of_other_uris += 1;
    } else if kind == PageKind::None {
        skipped.other_media_types += 1;
    } else if kind == PageKind::Unknown {
        kind = kind_of_body(capture, &mut start);
        skipped.not_pages += u64::from(kind == PageKind::None);
    }
    let (fields, nofollow) = link_fields(&capture.fields);
    if kind == PageKind::None && fields.is_empty() {
        return Ok(None);
    }
    let max_wat = Captures::<R>::MAX_WAT_LEN;
    let bytes = match kind {
        PageKind::None => PageBytes::Memory(Vec::new()),
        PageKind::Wat | PageKind::Outlinks if capture.record.length > max_wat => {
            return Err(io::Error::other("its metadata has more than 8 MiB"));
        }
        PageKind::Wat | PageKind::Outlinks => store.store_within(capture.raw(), max_wat, max_wat as usize)?,
        _ => {
            let max = store.max_page;
            // With codings, a page may be longer than without, but not by much.
            let most = if capture.codings.is_empty() { max } else { max.saturating_mul(2).saturating_add(64 << 10) };
            store.store_within(Cursor::new(start).chain(capture.raw()), most, store.in_memory)?
        }
    };
    Ok(Some(Page {
        uri: take(&mut capture.record.target_uri),
        offset: Some(capture.record.offset),
        status: capture.status,
        date: capture.record.field("WARC-Date").filter(|date| date.len() <= MAX_DATE_LEN).map(str::to_owned),
        media_type: shortened(take(&mut capture.media_type)),
        kind,
        charset: capture.charset.take(),
        codings: if kind == PageKind::None { Vec::new() } else { take(&mut capture.codings) },
        fields,
        nofollow,
        is_cut_short: capture.record.truncated,
        damage: None,
        bytes,
    }))
}

/// Recognizes the kind of a capture by the start of its body, so that a body without links need not be stored. Returns `Unknown` if
/// only more of the body can show it. Appends the bytes that it reads to `start`. A file that is compressed itself gets its
/// compression as one more coding.
fn kind_of_body<R: Read>(capture: &mut Capture<'_, R>, start: &mut Vec<u8>) -> PageKind {
    // The decoders of other codings may take much memory.
    let is_light = |coding: &String| matches!(coding.as_str(), "gzip" | "x-gzip" | "deflate" | "chunked");
    // An error is found again when the bytes are stored.
    if !capture.codings.iter().all(is_light) || sniff::read_start(capture.raw(), start).is_err() {
        return PageKind::Unknown;
    }
    let decoded = |bytes: &[u8], codings: &[String]| {
        let mut decoded = Vec::new();
        let body = Body::new(bytes, bytes.len() as u64, codings);
        // The start is cut short, so an error at its end says nothing about the body.
        let _ = body.and_then(|body| sniff::read_start(body, &mut decoded));
        decoded
    };
    let mut decoded_start = decoded(start, &capture.codings);
    if let Some(coding) = sniff::compression(&decoded_start) {
        capture.codings.insert(0, coding.to_owned());
        if coding != "gzip" {
            // A block of Zstandard may be longer than the start.
            return PageKind::Unknown;
        }
        decoded_start = decoded(&decoded_start, &capture.codings[..1]);
    } else if decoded_start.is_empty() {
        return PageKind::Unknown;
    }
    PageKind::Unknown.of_start(&decoded_start, &capture.record.target_uri)
}

fn is_other_metadata(page: &Page) -> bool {
    match (page.kind, &page.bytes) {
        (PageKind::Wat, PageBytes::Memory(json)) => !wat_has_response(json),
        (PageKind::Outlinks, PageBytes::Memory(fields)) => !has_outlinks(fields),
        _ => false,
    }
}

/// `id` is the `WARC-Record-ID` of the page.
fn is_of_page(record: &Record, id: &str) -> bool {
    let of = || record.field("WARC-Concurrent-To").or_else(|| record.field("WARC-Refers-To"));
    record.kind == "metadata" && record.content_type.starts_with("application/warc-fields") && of() == Some(id)
}

/// Returns the page of a record that is cut short, with this noted.
fn cut_short(mut page: Page) -> Option<Page> {
    // If another record starts in it, the length of the record was wrong, and the bytes are not those of one page.
    page.is_cut_short = true;
    if page.bytes.hold_record().unwrap_or(true) { None } else { Some(page) }
}
