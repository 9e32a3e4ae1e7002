//! The pages of the records of an archive.

use std::collections::VecDeque;
use std::io::{self, Cursor, Read};
use std::mem::take;

use super::any_page::{Page, link_fields, shortened};
use super::bytes::{PageBytes, Store};
use super::kind::PageKind;
use super::problem::{ArchiveProblem, Skipped};
use super::statuses::Statuses;
use crate::archive::{self, Body, Capture, ContentRead, Record, Records, has_outlinks, sniff, wat_has_response};

/// See [`Captures::MAX_WAT_LEN`](super::Captures::MAX_WAT_LEN).
pub(super) const MAX_WAT_LEN: u64 = 8 << 20;

/// The length in bytes of the longest date that is kept: all forms of dates in WARC are shorter.
const MAX_DATE_LEN: usize = 64;

/// The facts about the captures up to now.
#[derive(Debug, Default)]
pub(super) struct CaptureState {
    /// `WARC-Record-ID` of the last page that was read whole; empty without one.
    last_page: String,
    /// The problems that come after the page that was returned last.
    problems: VecDeque<ArchiveProblem>,
    pub(super) skipped: Skipped,
    /// Captures without links are returned, too.
    pub(super) has_all: bool,
    /// `None` for all.
    pub(super) statuses: Option<Statuses>,
}

impl CaptureState {
    /// Returns the next page of an archive.
    pub(super) fn next_of<R: Read>(
        &mut self,
        records: &mut Records<R>,
        store: &mut Store<'_>,
    ) -> Option<Result<Page, ArchiveProblem>> {
        loop {
            if let Some(problem) = self.problems.pop_front() {
                return Some(Err(problem));
            }
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
                read_page(&mut capture, store, self.has_all, &mut self.skipped)
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
}

/// Reads a capture. Returns `None` if it has no links, unless all are wanted.
fn read_page<R: Read>(
    capture: &mut Capture<'_, R>,
    store: &mut Store<'_>,
    has_all: bool,
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
    } else if kind.is_unknown() {
        kind = kind_of_body(capture, kind, &mut start);
        skipped.not_pages += u64::from(kind == PageKind::None);
    } else if capture.codings.is_empty() && !matches!(kind, PageKind::Wat | PageKind::Outlinks) {
        // Not every server or archiver names the coding.
        capture.raw().take(4).read_to_end(&mut start)?;
        capture.codings.extend(sniff::compression(&start).map(str::to_owned));
    }
    let (fields, nofollow) = link_fields(&capture.fields);
    if kind == PageKind::None && fields.is_empty() && !(has_all && capture.status.is_some()) {
        return Ok(None);
    }
    let max_wat = MAX_WAT_LEN;
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

/// Recognizes the unknown kind of a capture by the start of its body, so that a body without links need not be stored. Returns `kind` if
/// only more of the body can show it. Appends the bytes that it reads to `start`. A file that is compressed itself gets its
/// compression as one more coding.
fn kind_of_body<R: Read>(capture: &mut Capture<'_, R>, kind: PageKind, start: &mut Vec<u8>) -> PageKind {
    // The decoders of other codings may take much memory.
    let is_light = |coding: &String| matches!(coding.as_str(), "gzip" | "x-gzip" | "deflate" | "chunked");
    // An error is found again when the bytes are stored.
    if !capture.codings.iter().all(is_light) || sniff::read_start(capture.raw(), start).is_err() {
        return kind;
    }
    let mut decoded = decoded_start(start, &capture.codings);
    if let Some(coding) = sniff::compression(&decoded) {
        capture.codings.insert(0, coding.to_owned());
        if coding != "gzip" {
            // A block of Zstandard may be longer than the start.
            return kind;
        }
        decoded = decoded_start(&decoded, &capture.codings[..1]);
    } else if decoded.is_empty() {
        return kind;
    }
    kind.of_start(&decoded, &capture.record.target_uri)
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
