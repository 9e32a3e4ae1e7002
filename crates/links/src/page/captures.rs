//! The pages of an archive, of an MHTML file or of an EPUB, one after the other.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::mem::take;
use std::path::{Path, absolute};

use relref::percent::{ByteSet, encode_with};

use super::any_page::{Page, link_fields, shortened};
use super::bytes::{PageBytes, Store};
#[cfg(feature = "wacz")]
use super::epub::{self, Epub};
use super::kind::PageKind;
use super::mhtml::Mhtml;
#[cfg(feature = "wacz")]
use super::other_kind::OTHER_ZIP;
use super::other_kind::{not_read, other_kind};
use super::problem::{ArchiveProblem, Skipped};
use super::statuses::Statuses;
use crate::archive::{
    self, Body, Capture, ContentRead, ReadSeek, Record, Records, Rewind, Series, has_outlinks, sniff, wat_has_response,
};

/// The pages of an archive: what has links, or may have some, among its captures. An iterator, whose pages own their bytes: those of
/// a long page are in a temporary file.
///
/// An archive is a WARC file, or, by its first bytes, one of two others. `offset` is then that of the header of the page.
/// - An MHTML file or a mail (RFC 2557), which may be compressed by gzip or, with feature `zstd`, by Zstandard: its HTML parts. The URI
///   of a part is its `Content-Location`, which may be relative to `Content-Base` or to those of the parts around it. Without any,
///   it is `thismessage:/`. A part may be nested 16 deep. In a compressed file, `offset` is that in the bytes without compression.
/// - With feature `wacz`, an EPUB file: what its manifest lists, in the order of reading. The URI of a page is its path in the file
///   below a [root](Self::seekable).
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
pub struct Captures<R> {
    source: CaptureSource<R>,
    /// `WARC-Record-ID` of the last page that was read whole; empty without one.
    last_page: String,
    /// The problems that come after the page that was returned last.
    problems: VecDeque<ArchiveProblem>,
    skipped: Skipped,
    /// `None` for all.
    statuses: Option<Statuses>,
}

#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
enum CaptureSource<R> {
    Records(Records<R>),
    Mhtml(Mhtml<R>),
    /// A compressed MHTML file, and the memory in bytes of the decompressor.
    CompressedMhtml(Mhtml<Series<Rewind<R>>>, u64),
    /// An EPUB, and the function that returns its next page: it needs an input that can seek.
    #[cfg(feature = "wacz")]
    Epub(Epub<R>, NextPage<R>),
}

#[cfg(feature = "wacz")]
type NextPage<R> = fn(&mut Epub<R>, &mut Store<'_>, &mut Skipped) -> Option<Result<Page, ArchiveProblem>>;

debug_fields!([R] Captures<R>: skipped);

/// The length in bytes of the longest date that is kept: all forms of dates in WARC are shorter.
const MAX_DATE_LEN: usize = 64;

impl Captures<File> {
    /// Opens an archive. A file that is not regular, such as a named pipe, is read as a stream. The root of an EPUB is
    /// [`epub_root`](Self::epub_root).
    ///
    /// # Errors
    /// Those of [`new`](Self::new) and of the file.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let file = File::open(&path)?;
        let is_regular = file.metadata()?.is_file();
        if is_regular { Captures::seekable(file, &Self::epub_root(path)?) } else { Captures::new(file) }
    }

    /// Returns the URI that an EPUB file has as its own root: `epub://`, the percent-encoded absolute path of the file as a host,
    /// and `/`. No reference in the EPUB leads out of it: `../x` and `/x` stay below the root (EPUB 3.3 §4.2.5).
    ///
    /// # Errors
    /// The path cannot be made absolute.
    ///
    /// ```
    /// # #[cfg(unix)]
    /// assert_eq!(relref_links::page::Captures::epub_root("/books/a b.epub")?, "epub://%2Fbooks%2Fa%20b.epub/");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn epub_root(path: impl AsRef<Path>) -> io::Result<String> {
        let path = absolute(path)?;
        Ok(format!("epub://{}/", encode_with(path.as_os_str().as_encoded_bytes(), ByteSet::HOST)))
    }
}

impl<R: ReadSeek> Captures<R> {
    /// Reads an archive from an input that can seek, from where it is now. `epub_root` is the URI below which the pages of an EPUB
    /// are: one of a site, or that of [`epub_root`](Captures::epub_root). It is not used for other archives. The input is `Send`, as
    /// what reads ZIP files is compiled once for all inputs.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    #[cfg_attr(not(feature = "wacz"), expect(unused_mut, unused_variables))]
    pub fn seekable(input: R, epub_root: &str) -> io::Result<Self> {
        let mut input = Rewind::seekable(input)?;
        #[cfg(feature = "wacz")]
        if input.peek(4)? == sniff::ZIP_START {
            let mut zip = input.into_inner()?;
            return match (epub::is_epub(&mut zip)?, archive::is_wacz(&mut zip)?) {
                (true, _) => Captures::epub(zip, epub_root),
                (false, true) => Err(not_read("a WACZ file, whose archives `Wacz` has")),
                (false, false) => Err(not_read(OTHER_ZIP)),
            };
        }
        Captures::from_rewind(input)
    }

    /// Reads the pages of an EPUB file, whatever its first bytes are. `root` is the URI below which they are.
    ///
    /// # Errors
    /// The file cannot be read. Damage is no error here.
    #[cfg(feature = "wacz")]
    pub fn epub(input: R, root: &str) -> io::Result<Self> {
        Ok(Captures::of(CaptureSource::Epub(Epub::new(input, root)?, Epub::next_stored)))
    }
}

impl<R> Captures<R> {
    fn of(source: CaptureSource<R>) -> Self {
        let last_page = String::new();
        Captures { source, last_page, problems: VecDeque::new(), skipped: Skipped::default(), statuses: None }
    }
}

impl<R: Read> Captures<R> {
    /// The greatest length in bytes of the JSON of a WAT record, and of the fields of a `metadata` record. A longer one is a problem.
    pub const MAX_WAT_LEN: u64 = 8 << 20;

    /// Reads an archive from a stream, such as standard input, but no EPUB: its directory is at its end. `Captures::from` takes
    /// [`Records`], which can also be [seekable](Records::seekable).
    ///
    /// # Errors
    /// The start cannot be read, or is that of a kind of file that is [not read](super::other_kind()).
    pub fn new(reader: R) -> io::Result<Self> {
        Captures::from_rewind(Rewind::stream(reader))
    }

    /// Reads the parts of an MHTML file or a mail, whatever its first bytes are.
    pub fn mhtml(reader: R) -> Self {
        Captures::of(CaptureSource::Mhtml(Mhtml::new(Rewind::stream(reader))))
    }

    fn from_rewind(mut input: Rewind<R>) -> io::Result<Self> {
        let start = sniff::start(input.peek(sniff::LONG_START_LEN)?);
        if sniff::is_mhtml(start) {
            return Ok(Captures::of(CaptureSource::Mhtml(Mhtml::new(input))));
        }
        if let Some(coding) = sniff::compression(start) {
            let codings = [coding.to_owned()];
            if sniff::is_mhtml(&decoded_start(start, &codings)) {
                let memory = Body::memory(start, &codings);
                let input = Rewind::stream(Series::of_coding(input, coding)?);
                return Ok(Captures::of(CaptureSource::CompressedMhtml(Mhtml::new(input), memory)));
            }
        }
        match other_kind(start) {
            Some(kind) => Err(not_read(kind)),
            None => Records::from_rewind(input).map(Captures::from),
        }
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
    pub fn next_stored(&mut self, store: &mut Store<'_>) -> Option<Result<Page, ArchiveProblem>> {
        loop {
            if let Some(problem) = self.problems.pop_front() {
                return Some(Err(problem));
            }
            let records = match &mut self.source {
                CaptureSource::Records(records) => records,
                CaptureSource::Mhtml(parts) => return parts.next_stored(store, &mut self.skipped),
                CaptureSource::CompressedMhtml(parts, _) => return parts.next_stored(store, &mut self.skipped),
                #[cfg(feature = "wacz")]
                CaptureSource::Epub(epub, next_page) => return next_page(epub, store, &mut self.skipped),
            };
            let mut capture = match records.next_capture()? {
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
            let end = records.finish();
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
                self.problems
                    .push_back(ArchiveProblem { offset, error: io::Error::new(io::ErrorKind::InvalidData, why) });
            }
            self.problems.extend(end.err().map(ArchiveProblem::from));
            match page {
                // The first record of a WAT file, and what archivers say of themselves.
                Some(Ok(page)) if is_other_metadata(&page) => self.skipped.other_kinds += 1,
                Some(page) => return Some(page.map_err(|error| ArchiveProblem { offset, error })),
                None => {}
            }
        }
    }

    /// Returns the numbers of records skipped so far.
    pub fn skipped(&self) -> Skipped {
        let of_records = match &self.source {
            CaptureSource::Records(records) => records.skipped(),
            _ => archive::SkippedRecords::default(),
        };
        let archive::SkippedRecords { other_kinds, other_protocols, revisits_without_head, revisits_of_other_uris } =
            of_records;
        Skipped {
            other_kinds: self.skipped.other_kinds + other_kinds,
            other_protocols,
            revisits_without_head,
            revisits_of_other_uris: self.skipped.revisits_of_other_uris + revisits_of_other_uris,
            ..self.skipped
        }
    }

    /// Returns the number of bytes of the archive that were read so far, as [`Records::bytes_read`] counts them.
    pub fn bytes_read(&self) -> u64 {
        match &self.source {
            CaptureSource::Records(records) => records.bytes_read(),
            CaptureSource::Mhtml(parts) => parts.bytes_read(),
            CaptureSource::CompressedMhtml(parts, _) => parts.input().get_ref().furthest(),
            #[cfg(feature = "wacz")]
            CaptureSource::Epub(epub, _) => epub.bytes_read,
        }
    }

    /// Returns the most memory in bytes that reading the archive needs, without that of the pages.
    pub fn memory(&self) -> u64 {
        match &self.source {
            CaptureSource::Records(records) => records.memory(),
            CaptureSource::Mhtml(_) => Mhtml::<R>::MEMORY,
            CaptureSource::CompressedMhtml(_, memory) => Mhtml::<R>::MEMORY + memory,
            #[cfg(feature = "wacz")]
            CaptureSource::Epub(..) => epub::MEMORY,
        }
    }
}

impl<R> From<Records<R>> for Captures<R> {
    fn from(records: Records<R>) -> Self {
        Captures::of(CaptureSource::Records(records))
    }
}

impl<R: Read> Iterator for Captures<R> {
    type Item = Result<Page, ArchiveProblem>;

    fn next(&mut self) -> Option<Result<Page, ArchiveProblem>> {
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
    } else if capture.status == Some(206) && !is_whole(&capture.fields) {
        kind = PageKind::None;
        skipped.not_pages += 1;
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
        ..Page::new(take(&mut capture.record.target_uri), bytes)
    }))
}

/// Reports whether the range of a partial response (RFC 9110 §14.4) is all of the page.
fn is_whole(fields: &archive::Fields) -> bool {
    let range = fields.get("content-range").and_then(|range| std::str::from_utf8(range).ok());
    let whole = || {
        let (last, len) = range?.trim().strip_prefix("bytes 0-")?.split_once('/')?;
        Some(last.parse::<u64>().ok()?.checked_add(1)? == len.parse::<u64>().ok()?)
    };
    whole() == Some(true)
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
    let mut decoded = decoded_start(start, &capture.codings);
    if let Some(coding) = sniff::compression(&decoded) {
        capture.codings.insert(0, coding.to_owned());
        if coding != "gzip" {
            // A block of Zstandard may be longer than the start.
            return PageKind::Unknown;
        }
        decoded = decoded_start(&decoded, &capture.codings[..1]);
    } else if decoded.is_empty() {
        return PageKind::Unknown;
    }
    PageKind::Unknown.of_start(&decoded, &capture.record.target_uri)
}

/// Returns the first bytes without codings.
pub(crate) fn decoded_start(start: &[u8], codings: &[String]) -> Vec<u8> {
    let mut decoded = Vec::new();
    let body = Body::new(start, start.len() as u64, codings);
    // The start is cut short, so an error at its end says nothing about the body.
    let _ = body.and_then(|body| sniff::read_start(body, &mut decoded));
    decoded
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
    page.is_cut_short = true;
    // If another record starts in it, the length of the record was wrong, and the bytes from there on are not those of the page.
    page.bytes.end_before_record().ok().map(|()| page)
}
