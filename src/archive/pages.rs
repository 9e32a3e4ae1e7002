//! The pages among the records of an archive: HTTP responses of HTML.

use std::io::{self, Cursor, Read};

use super::body::Body;
use super::damage::{Block, Damage, Reason};
use super::record::Record;
use super::records::Records;
use super::response::{Head, media_type, read_head};

/// The pages of an archive: the HTML in its `response` records, one at a time.
///
/// A response is a page if its `Content-Type` is `text/html` or `application/xhtml+xml`, or if it has none: then
/// [`Body::is_html`] tells. Other records are skipped, but their damage is reported.
///
/// See [`Records`] for how damaged archives are read, and for the cost; a page needs no more memory than its head.
///
/// ```
/// use std::io::Read;
/// use relref::archive::{Block, Pages, Records};
///
/// let archive = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/\r\nContent-Length: 55\r\n\r\n\
///     HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=to>\r\n\r\n";
/// let mut pages = Pages::new(Records::new(archive.as_bytes())?);
/// while let Some(page) = pages.next_page() {
///     let mut page = match page {
///         Ok(page) => page,
///         // Of the record before, if that had the same offset: its page may be of no use.
///         Err(damage) if damage.block == Block::Wrong => panic!("{damage}"),
///         Err(damage) => {
///             eprintln!("{damage}");
///             continue;
///         }
///     };
///     assert_eq!((&*page.record.target_uri, page.status), ("http://h/", Some(200)));
///     let mut text = String::new();
///     page.body()?.take(1 << 20).read_to_string(&mut text)?;
///     assert_eq!(text, "<a href=to>");
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Pages<R> {
    records: Records<R>,
    /// Damage to report next.
    pending: Option<Damage>,
}

impl<R: Read> Pages<R> {
    /// Reads the pages among records.
    pub fn new(records: Records<R>) -> Self {
        Pages { records, pending: None }
    }

    /// Returns the next page, after [finishing](Self::finish) the one before; `None` at the end of the archive.
    ///
    /// # Errors
    /// Damage of a record that was skipped, or of the page before: then it has the offset of that page. Go on calling: the pages
    /// after it follow.
    pub fn next_page(&mut self) -> Option<Result<Page<'_, R>, Damage>> {
        if let Some(damage) = self.pending.take() {
            return Some(Err(damage));
        }
        let (record, head, start) = loop {
            let record = match self.records.next_record()? {
                Ok(record) => record,
                Err(damage) => return Some(Err(damage)),
            };
            if !holds_response(&record) {
                continue;
            }
            match self.read_page_head() {
                Ok(Some((head, start))) => break (record, head, start),
                Ok(None) => {}
                Err(error) => return Some(Err(self.damaged(&record, error))),
            }
        };
        let Head { status, media_type, charset, codings, damage, .. } = head;
        let raw = Cursor::new(start).chain(&mut self.records);
        Some(Ok(Page { record, status, media_type, charset, codings, head_damage: damage, raw }))
    }

    /// Reads the rest of the current page, and checks that its record ended where it should.
    ///
    /// # Errors
    /// As [`Records::finish`]: the page is cut, or its bytes are not a page.
    pub fn finish(&mut self) -> Result<(), Damage> {
        self.records.finish()
    }

    /// Reads the head of a response, and the start of its body; `None` if that is not a page.
    fn read_page_head(&mut self) -> io::Result<Option<(Head, Vec<u8>)>> {
        let (head, start) = read_head(&mut self.records)?;
        if !is_page(&head) {
            return Ok(None);
        }
        head.check_codings()?;
        Ok(Some((head, start)))
    }

    /// Returns the number of bytes of the archive that were read so far, as [`Records::bytes_read`].
    pub fn bytes_read(&self) -> u64 {
        self.records.bytes_read()
    }

    /// Returns the damage of a record whose response cannot be read. Damage of the record itself explains it.
    fn damaged(&mut self, record: &Record, error: io::Error) -> Damage {
        let damage = Damage { offset: record.offset, reason: Reason::Http(error), block: Block::Whole };
        match self.records.finish() {
            Err(end) if end.block != Block::Whole => end,
            end => {
                self.pending = end.err();
                damage
            }
        }
    }
}

/// Reports whether the block of a record is an HTTP response.
fn holds_response(record: &Record) -> bool {
    let (media_type, _) = media_type(&record.content_type);
    record.kind == "response" && matches!(media_type.as_str(), "" | "application/http")
}

/// Reports whether the body of a response is HTML, or may be.
fn is_page(head: &Head) -> bool {
    matches!(head.media_type.as_str(), "" | "text/html" | "application/xhtml+xml")
}

/// A page of an archive, of which only the head was read so far.
#[non_exhaustive]
pub struct Page<'r, R> {
    /// The record that holds the page; its `target_uri` is the URI of the page.
    pub record: Record,
    /// The status code of the response; `None` if its first line has none that can be read.
    pub status: Option<u16>,
    /// The media type of `Content-Type`, in lower case and without parameters; empty without one.
    pub media_type: String,
    /// The `charset` of `Content-Type`, in lower case.
    pub charset: Option<String>,
    /// The names of the content and transfer codings, in lower case, in the order in which they were applied.
    pub codings: Vec<String>,
    /// The damage of the response's head, if it could be read all the same.
    pub head_damage: Option<&'static str>,
    raw: io::Chain<Cursor<Vec<u8>>, &'r mut Records<R>>,
}

impl<R: Read> Page<'_, R> {
    /// The most bytes of a coded body that [`Body`] may count.
    const CODED: u64 = 64 << 20;

    /// Returns a reader of the body as it was sent, its codings still on.
    pub fn raw(&mut self) -> impl Read {
        &mut self.raw
    }

    /// Returns a reader of the body, its codings removed.
    ///
    /// # Errors
    /// As [`Body::new`].
    pub fn body(&mut self) -> io::Result<Body<'_>> {
        let (start, records) = self.raw.get_ref();
        // A damaged archive may claim any length.
        let len = (start.get_ref().len() as u64).saturating_add(records.remaining()).min(Self::CODED);
        let body = Body::new(&mut self.raw, len, &self.codings)?;
        Ok(body.truncated(self.record.truncated))
    }
}
