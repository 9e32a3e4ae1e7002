//! The pages of an archive, each with its bytes in memory or in a temporary file, and the problems between them.

use std::io::{self, Cursor, Read};

use relref_links::archive::sniff::CaptureKind;
use relref_links::archive::{self, Body, Capture, Records, UndamagedPart};
use relref_links::feeds::is_feed;
use relref_links::html::{field_nofollow, is_link_field};

use super::page_bytes::{PageBytes, store};

/// The greatest length in bytes of a record of a WAT file. A longer one is not read, and is a problem.
const MAX_WAT_LEN: u64 = 8 << 20;
/// The message about a longer record.
const WAT_TOO_LONG: &str = "its WAT metadata has more than 8 MiB";

/// A problem: the offset of its record in the archive, and the message.
pub type Problem = (Option<u64>, String);

/// The number of problems after which [`next_page`] returns, so that they take little memory.
const MAX_PROBLEMS: usize = 1000;

/// The result of [`next_page`].
pub enum Found {
    Page(DecodedPage),
    /// Many problems, and no page so far.
    Problems,
    End,
}

/// The limits of what is read of a page.
#[derive(Clone, Copy)]
pub struct Limits {
    /// The most bytes of a page.
    pub max_page: u64,
    /// The most bytes of a URI.
    pub max_uri: usize,
}

/// A page without its codings.
pub struct DecodedPage {
    /// The offset of its record in the archive.
    pub offset: u64,
    pub uri: String,
    /// The `charset` of its media type.
    pub charset: Option<String>,
    /// The names and values of the HTTP fields that may have links.
    pub fields: Vec<(String, Vec<u8>)>,
    /// True if the HTTP head of the page asks robots to follow none of its links.
    pub nofollow: bool,
    pub kind: CaptureKind,
    pub bytes: PageBytes,
    /// True if the page is known to be cut short, so that the end of a feed may be missing.
    pub is_cut_short: bool,
}

impl DecodedPage {
    /// Reports whether this is a page or another file that has links, or metadata that describes a page.
    pub fn is_about_page(&self) -> bool {
        match &self.bytes {
            PageBytes::Memory(json) if self.kind == CaptureKind::Wat => archive::wat_has_page(json),
            _ => self.kind != CaptureKind::None,
        }
    }
}

/// The numbers of captures that are no pages. Also the numbers of records without a capture in the archives before the current one.
#[derive(Default)]
pub struct SkippedTotals {
    /// The number of captures whose media type is not that of a page.
    other_types: u64,
    /// The number of captures whose media type does not show what they are, and whose first bytes are not those of a page.
    not_pages: u64,
    /// The number of records of other kinds, and of metadata that is not about a response.
    other_kinds: u64,
    other_protocols: u64,
    revisits_without_head: u64,
}

impl SkippedTotals {
    /// Adds the numbers of the current archive, after it was read to its end.
    pub fn add(&mut self, records: archive::Skipped) {
        self.other_kinds += records.other_kinds;
        self.other_protocols += records.other_protocols;
        self.revisits_without_head += records.revisits_without_head;
    }

    /// Returns the numbers by reason. `records` has the numbers of the current archive so far.
    pub fn counts(&self, records: archive::Skipped) -> Vec<(&'static str, u64)> {
        vec![
            ("other_media_types", self.other_types),
            ("other_kinds", self.other_kinds + records.other_kinds),
            ("other_protocols", self.other_protocols + records.other_protocols),
            ("revisits_without_head", self.revisits_without_head + records.revisits_without_head),
            ("not_pages", self.not_pages),
        ]
    }
}

/// Reads the next page of an archive. Adds the problems up to the end of the page to `problems`, and counts captures that are no
/// pages in `skipped`. Also returns after many problems.
///
/// A page whose record turns out to be damaged is left out if the bytes may not belong to the page.
pub fn next_page<R: Read>(
    records: &mut Records<R>,
    limits: Limits,
    problems: &mut Vec<Problem>,
    skipped: &mut SkippedTotals,
) -> Found {
    while problems.len() < MAX_PROBLEMS {
        let Some(capture) = records.next_capture() else { return Found::End };
        let (raw, head_damage) = match capture {
            Ok(mut page) => {
                let mut kind = CaptureKind::of(&page);
                let mut start = Vec::new();
                if kind == CaptureKind::None {
                    skipped.other_types += 1;
                } else if kind == CaptureKind::Unknown {
                    kind = CaptureKind::of_body(&mut page, &mut start);
                    skipped.not_pages += u64::from(kind == CaptureKind::None);
                }
                let has_links = || page.fields.iter().any(|(name, _)| is_link_field(name));
                if kind == CaptureKind::None && page.head_damage.is_none() && !has_links() {
                    continue;
                }
                (RawPage::read(&mut page, kind, start, limits), page.head_damage)
            }
            Err(damage) => {
                problems.push((Some(damage.offset), damage.reason.to_string()));
                continue;
            }
        };
        let end = records.finish();
        let raw = match end.as_ref().map_err(|damage| damage.content) {
            Ok(()) | Err(archive::ContentRead::Whole) => raw.map(Some),
            Err(archive::ContentRead::Partial) => Ok(raw.ok().and_then(RawPage::cut_short)),
            Err(archive::ContentRead::Wrong) => Ok(None),
        };
        let mut found = None;
        match raw {
            Err(problem) => problems.push(problem),
            Ok(Some(raw)) if raw.is_other_metadata() => skipped.other_kinds += 1,
            Ok(Some(raw)) => {
                let offset = raw.offset;
                match raw.decode(limits, problems, skipped) {
                    Ok(page) => found = page,
                    Err(why) => problems.push((Some(offset), why)),
                }
                // In a record that is cut short, the end of its head may be missing.
                if let (Some(why), Ok(())) = (head_damage, &end) {
                    problems.push((Some(offset), why.to_owned()));
                }
            }
            Ok(None) => {}
        }
        if let Err(damage) = end {
            problems.push((Some(damage.offset), damage.reason.to_string()));
        }
        if let Some(page) = found {
            return Found::Page(page);
        }
    }
    Found::Problems
}

/// A page as it was sent.
struct RawPage {
    offset: u64,
    uri: String,
    charset: Option<String>,
    codings: Vec<String>,
    fields: Vec<(String, Vec<u8>)>,
    nofollow: bool,
    kind: CaptureKind,
    is_cut_short: bool,
    bytes: PageBytes,
}

impl RawPage {
    /// Reads the bytes of a page with its codings. `start` has the first ones, which were already read. An error is the problem of
    /// the page.
    fn read<R: Read>(
        page: &mut Capture<'_, R>,
        kind: CaptureKind,
        start: Vec<u8>,
        limits: Limits,
    ) -> Result<Self, Problem> {
        // With codings, a page may be longer than without, but not by much.
        let max = limits.max_page;
        let most = if page.codings.is_empty() { max } else { max.saturating_mul(2).saturating_add(64 << 10) };
        let offset = page.record.offset;
        let nofollow = page.fields.iter().any(|(name, value)| field_nofollow(name, value));
        let fields = page.fields.iter().filter(|(name, _)| is_link_field(name));
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let mut codings = std::mem::take(&mut page.codings);
        let bytes = match kind {
            CaptureKind::None => {
                codings.clear();
                Ok(PageBytes::Memory(Vec::new()))
            }
            CaptureKind::Wat if page.record.length > MAX_WAT_LEN => Err(String::from(WAT_TOO_LONG)),
            CaptureKind::Wat => store(page.raw(), MAX_WAT_LEN, || String::from(WAT_TOO_LONG)),
            _ => store(Cursor::new(start).chain(page.raw()), most, || exceeded(max)),
        };
        let bytes = bytes.map_err(|why| (Some(offset), why))?;
        Ok(RawPage {
            offset,
            uri: std::mem::take(&mut page.record.target_uri),
            charset: page.charset.take(),
            codings,
            fields,
            nofollow,
            kind,
            is_cut_short: page.record.truncated,
            bytes,
        })
    }

    /// Reports whether this is whole metadata that is not about a response, and so has no links.
    fn is_other_metadata(&self) -> bool {
        matches!(&self.bytes, PageBytes::Memory(json) if self.kind == CaptureKind::Wat && !archive::wat_has_response(json))
    }

    /// Returns the page of a record that is cut short, with this noted. Returns `None` if another record starts in the bytes of the
    /// page: then the length of its record was wrong.
    fn cut_short(mut self) -> Option<Self> {
        self.is_cut_short = true;
        if self.bytes.contain_record().unwrap_or(true) { None } else { Some(self) }
    }

    /// Removes the codings of the page. Returns `None` if its first bytes without codings show that it is no page. A body is read
    /// up to its damage, which is added to `problems`. An error is the message about another problem of the page.
    fn decode(
        self,
        limits: Limits,
        problems: &mut Vec<Problem>,
        skipped: &mut SkippedTotals,
    ) -> Result<Option<DecodedPage>, String> {
        let RawPage { offset, uri, charset, codings, fields, nofollow, mut kind, mut is_cut_short, mut bytes } = self;
        let text = |error: io::Error| error.to_string();
        let mut damage = None;
        if !codings.is_empty() {
            let len = bytes.len().map_err(text)?;
            let body = Body::new(bytes.reader(), len, &codings).map_err(text)?;
            let mut body = UndamagedPart::new(body.truncated(is_cut_short));
            let stored = store(&mut body, limits.max_page, || exceeded(limits.max_page))?;
            damage = body.into_damage();
            is_cut_short |= damage.is_some();
            bytes = stored;
        }
        if kind == CaptureKind::Unknown {
            kind = CaptureKind::sniff(&bytes.start().map_err(text)?, &uri);
            skipped.not_pages += u64::from(kind == CaptureKind::None);
        }
        if kind == CaptureKind::None && fields.is_empty() {
            return Ok(None);
        }
        problems.extend(damage.map(|why| (Some(offset), why)));
        if kind == CaptureKind::Html && is_feed(&bytes.start().map_err(text)?) {
            // Servers send feeds as HTML (MIME Sniffing §8).
            kind = CaptureKind::Feed;
        }
        if uri.len() > limits.max_uri {
            return Err(format!("its URI has more than {} bytes (max_uri)", limits.max_uri));
        }
        Ok(Some(DecodedPage { offset, uri, charset, fields, nofollow, kind, bytes, is_cut_short }))
    }
}

/// Returns the message about a page that has more than `max` bytes.
fn exceeded(max: u64) -> String {
    format!("the page has more than {max} bytes (max_page)")
}
