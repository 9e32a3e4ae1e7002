//! The pages of an archive, of an MHTML file or of an EPUB, one after the other.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, absolute};

use relref::percent::{ByteSet, encode_with};

use super::any_page::Page;
use super::bytes::Store;
#[cfg(feature = "wacz")]
use super::epub::{self, Epub};
use super::mhtml::Mhtml;
#[cfg(feature = "wacz")]
use super::other_kind::OTHER_ZIP;
use super::other_kind::{not_read, other_kind};
use super::problem::{ArchiveProblem, Skipped};
use super::record_pages::{CaptureState, MAX_WAT_LEN, decoded_start};
use super::statuses::Statuses;
#[cfg(feature = "wacz")]
use super::wacz::WaczRecords;
use crate::archive::{self, Body, ReadSeek, Records, Rewind, Series, sniff};

/// The pages of an archive: what has links, or may have some, among its captures. An iterator, whose pages own their bytes: those of
/// a long page are in a temporary file.
///
/// An archive is a WARC or ARC file, or, by its first bytes, one of three others. In the first two of these, `offset` is that of the
/// header of the page.
/// - An MHTML file or a mail (RFC 2557), which may be compressed by gzip or, with feature `zstd`, by Zstandard: its HTML parts. The URI
///   of a part is its `Content-Location`, which may be relative to `Content-Base` or to those of the parts around it. Without any,
///   it is `thismessage:/`. A part may be nested 16 deep. In a compressed file, `offset` is that in the bytes without compression.
/// - With feature `wacz`, an EPUB file: what its manifest lists, in the order of reading. The URI of a page is its path in the file
///   below a [root](Self::seekable).
/// - With feature `wacz`, a WACZ file: the pages of all archives in it. `offset` is that in the archive that has the page. One that is cut
///   short, and the names of the archives, are read by [`Wacz`](crate::archive::Wacz).
///
/// The outlinks that a crawler wrote into a `metadata` record are those of a page of their own, [`PageKind::Outlinks`](super::PageKind::Outlinks). They are
/// skipped if the page in which they were found was read: the last page before them, by its `WARC-Record-ID` and their
/// `WARC-Concurrent-To`. So each link is there once, and those of revisits, other files and damaged pages are there at all.
///
/// [`with_all`](Self::with_all) adds the responses that have no links. A problem does not end it: the pages after it follow. The problems are those of the pages so far, and of records that were
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
    state: CaptureState,
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
    /// A WACZ file, as an EPUB.
    #[cfg(feature = "wacz")]
    Wacz(Box<WaczRecords<R>>, NextOfRecords<R>),
}

#[cfg(feature = "wacz")]
type NextPage<R> = fn(&mut Epub<R>, &mut Store<'_>, &mut Skipped) -> Option<Result<Page, ArchiveProblem>>;

#[cfg(feature = "wacz")]
type NextOfRecords<R> =
    fn(&mut WaczRecords<R>, &mut CaptureState, &mut Store<'_>) -> Option<Result<Page, ArchiveProblem>>;

debug_fields!([R] Captures<R>: state);

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
                (false, true) => {
                    let records = Box::new(WaczRecords::new(zip)?);
                    Ok(Captures::of(CaptureSource::Wacz(records, WaczRecords::next_stored)))
                }
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

#[cfg(feature = "check")]
impl<R: Read> Captures<R> {
    /// Passes the URI and the `Content-ID` of each part of an MHTML file to `each`. Returns `false` for other files.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn each_part_name(&mut self, each: &mut dyn FnMut(&str, Option<&str>)) -> io::Result<bool> {
        match &mut self.source {
            CaptureSource::Mhtml(mhtml) => mhtml.each_name(each)?,
            CaptureSource::CompressedMhtml(mhtml, _) => mhtml.each_name(each)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl<R> Captures<R> {
    fn of(source: CaptureSource<R>) -> Self {
        Captures { source, state: CaptureState::default() }
    }
}

impl<R: Read> Captures<R> {
    /// The greatest length in bytes of the JSON of a WAT record, and of the fields of a `metadata` record. A longer one is a problem.
    pub const MAX_WAT_LEN: u64 = MAX_WAT_LEN;

    /// Reads an archive from a stream, such as standard input, but no EPUB or WACZ: their directory is at the end. `Captures::from` takes
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
    pub fn with_statuses(mut self, statuses: Statuses) -> Self {
        self.state.statuses = Some(statuses);
        self
    }

    /// Returns the responses of an archive that have no links, too, such as images and errors without a page: as pages of the kind
    /// [`None`](super::PageKind::None) without bytes, for their status, date and media type. They stay counted as [skipped](Self::skipped).
    ///
    /// ```
    /// use relref_links::page::Captures;
    ///
    /// let archive = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/a.png\r\nContent-Length: 47\r\n\r\n\
    ///     HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\nPNG\r\n\r\n";
    /// assert_eq!(Captures::new(archive.as_bytes())?.count(), 0);
    /// for page in Captures::new(archive.as_bytes())?.with_all() {
    ///     let page = page?;
    ///     assert_eq!((page.status, page.media_type.as_str()), (Some(200), "image/png"));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_all(mut self) -> Self {
        self.state.has_all = true;
        self
    }

    /// Returns what [`next`](Self::next) returns, and stores the bytes as `store` says, with its limits, and in its files.
    pub fn next_stored(&mut self, store: &mut Store<'_>) -> Option<Result<Page, ArchiveProblem>> {
        let Captures { source, state } = self;
        match source {
            CaptureSource::Records(records) => state.next_of(records, store),
            CaptureSource::Mhtml(parts) => parts.next_stored(store, &mut state.skipped),
            CaptureSource::CompressedMhtml(parts, _) => parts.next_stored(store, &mut state.skipped),
            #[cfg(feature = "wacz")]
            CaptureSource::Epub(epub, next_page) => next_page(epub, store, &mut state.skipped),
            #[cfg(feature = "wacz")]
            CaptureSource::Wacz(records, next_page) => next_page(records, state, store),
        }
    }

    /// Returns the numbers of records skipped so far.
    pub fn skipped(&self) -> Skipped {
        let of_records = match &self.source {
            CaptureSource::Records(records) => records.skipped(),
            #[cfg(feature = "wacz")]
            CaptureSource::Wacz(wacz, _) => wacz.counts.skipped,
            _ => archive::SkippedRecords::default(),
        };
        let archive::SkippedRecords { other_kinds, other_protocols, revisits_without_head, revisits_of_other_uris } =
            of_records;
        let skipped = self.state.skipped;
        Skipped {
            other_kinds: skipped.other_kinds + other_kinds,
            other_protocols,
            revisits_without_head,
            revisits_of_other_uris: skipped.revisits_of_other_uris + revisits_of_other_uris,
            ..skipped
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
            #[cfg(feature = "wacz")]
            CaptureSource::Wacz(wacz, _) => wacz.counts.bytes_read,
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
            #[cfg(feature = "wacz")]
            CaptureSource::Wacz(wacz, _) => wacz.memory,
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
