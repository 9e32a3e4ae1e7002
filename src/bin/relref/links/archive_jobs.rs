//! The jobs of an archive: one for each of its pages and problems.

use std::io::{self, Cursor, Read};
use std::mem::take;
use std::path::Path;
use std::sync::Arc;

use relref::archive::sniff::compression;
use relref::archive::{self, Body, Capture, Damage, Records};
use relref::feeds::is_robots;
use relref::html::{field_nofollow, is_link_field};

use super::job::{Content, Job, Page};
use super::page_bytes::{PageBytes, read_start, store};
use super::pool::{Claimant, Problem, Stopped, Use};
use super::shared::Shared;
use crate::quoting::file_name;

/// The most bytes of a body that stay in memory.
const IN_MEMORY: usize = 256 << 10;

/// The length in bytes of the longest record of a WAT file that is read.
const LONGEST_WAT: u64 = 8 << 20;

/// A reader of archives.
pub struct ArchiveReader<'a> {
    pub shared: &'a Shared,
    /// Claims memory, and disk for large bodies.
    pub claimant: &'a Claimant,
    /// Takes the jobs.
    pub push: &'a mut dyn FnMut(Job) -> Result<(), Stopped>,
}

impl ArchiveReader<'_> {
    /// Reads an archive, and pushes its jobs.
    pub fn read<R: Read>(&mut self, path: &Path, records: io::Result<Records<R>>) -> Result<(), Stopped> {
        self.shared.progress.inputs.add(1);
        let name: Arc<Path> = path.into();
        let mut records = match records {
            Ok(records) => records,
            Err(error) => return self.problem(&name, None, error.to_string()),
        };
        let _memory = self.claimant.claim(Use::Page, records.memory() + IN_MEMORY as u64)?;
        let mut counted = 0;
        while let Some(capture) = records.next_capture() {
            let (offset, page, head_damage) = match capture {
                Ok(mut capture) => {
                    let mut content = content_of(&capture);
                    let mut start = Vec::new();
                    if content == Content::None {
                        self.shared.progress.skipped.other_types.add(1);
                    } else if content == Content::Unknown {
                        content = sniff_body(&mut capture, &mut start);
                        self.shared.progress.skipped.not_pages.add((content == Content::None).into());
                    }
                    let has_links = || capture.fields.iter().any(|(name, _)| is_link_field(name));
                    if content == Content::None && capture.head_damage.is_none() && !has_links() {
                        continue;
                    }
                    let page = self.page(&mut capture, content, start, &name);
                    (capture.record.offset, page, capture.head_damage)
                }
                Err(damage) => {
                    self.damage(&name, &damage)?;
                    continue;
                }
            };
            let end = records.finish();
            let page = match end.as_ref().map_err(|damage| damage.content) {
                Ok(()) | Err(archive::Content::Whole) => page.map(Some),
                Err(archive::Content::Partial) => Ok(page.ok().and_then(cut)),
                Err(archive::Content::Wrong) => Ok(None),
            };
            match page {
                Err(error) if Stopped::is_cause(&error) => return Err(Stopped),
                Err(error) => self.problem(&name, Some(offset), error.to_string())?,
                // The first record of a WAT file, and what archivers say of themselves.
                Ok(Some(page)) if page.is_other_metadata() => self.shared.progress.skipped.other_kinds.add(1),
                Ok(Some(page)) => {
                    (self.push)(Job::Page(Box::new(page)))?;
                    // In a record that is cut, the end of its head may be missing.
                    if let (Some(why), Ok(())) = (head_damage, &end) {
                        self.problem(&name, Some(offset), why.to_owned())?;
                    }
                }
                Ok(None) => {}
            }
            if let Err(damage) = end {
                self.damage(&name, &damage)?;
            }
            let bytes = records.bytes_read();
            self.shared.progress.bytes.add(bytes - counted);
            counted = bytes;
        }
        self.shared.progress.bytes.add(records.bytes_read() - counted);
        self.shared.progress.skipped.add(records.skipped());
        Ok(())
    }

    /// Reads the bytes of a page, with its content codings. `start` has those that were already read.
    fn page<R: Read>(
        &self,
        page: &mut Capture<'_, R>,
        content: Content,
        start: Vec<u8>,
        name: &Arc<Path>,
    ) -> io::Result<Page> {
        let max = self.shared.args.max_page;
        // With codings, a page may be longer than without, but not by much.
        let most = if page.codings.is_empty() { max.0 } else { max.0.saturating_mul(2).saturating_add(64 << 10) };
        let nofollow = page.fields.iter().any(|(name, value)| field_nofollow(name, value));
        let fields = page.fields.iter().filter(|(name, _)| is_link_field(name));
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let bytes = match content {
            Content::Wat if page.record.length > LONGEST_WAT => {
                return Err(io::Error::other("its WAT metadata has more than 8 MiB"));
            }
            Content::Wat => store(page.raw(), Vec::new(), LONGEST_WAT as usize, LONGEST_WAT, self.claimant)?,
            Content::None => Some(PageBytes::Memory(Vec::new())),
            _ => store(Cursor::new(start).chain(page.raw()), Vec::new(), IN_MEMORY, most, self.claimant)?,
        };
        let Some(bytes) = bytes else {
            return Err(io::Error::other(max.exceeded()));
        };
        Ok(Page {
            input: Arc::clone(name),
            offset: Some(page.record.offset),
            uri: take(&mut page.record.target_uri),
            bytes,
            content,
            fields,
            nofollow,
            charset: page.charset.take(),
            codings: if content == Content::None { Vec::new() } else { take(&mut page.codings) },
            is_truncated: page.record.truncated,
        })
    }

    fn damage(&mut self, name: &Path, damage: &Damage) -> Result<(), Stopped> {
        self.problem(name, Some(damage.offset), damage.reason.to_string())
    }

    fn problem(&mut self, name: &Path, offset: Option<u64>, why: String) -> Result<(), Stopped> {
        (self.push)(Job::Problem(Problem { input: file_name(name), offset, why }))
    }
}

/// Returns the page of a record that is cut. Returns `None` if the next record is in it, as then its length was wrong.
fn cut(mut page: Page) -> Option<Page> {
    page.is_truncated = true;
    if page.bytes.contain_record().unwrap_or(true) { None } else { Some(page) }
}

/// Returns the content of a capture, as far as its head tells.
fn content_of<R: Read>(capture: &Capture<'_, R>) -> Content {
    let media_type = capture.media_type.as_str();
    match capture.is_html() {
        _ if capture.record.kind == "metadata" => Content::Wat,
        Some(true) => Content::Html,
        None => Content::Unknown,
        Some(false) if capture.record.kind == "revisit" => Content::None,
        Some(false) if media_type.ends_with("xml") || is_any_file(media_type) => Content::Unknown,
        Some(false) if media_type == "text/plain" && is_robots(&capture.record.target_uri) => Content::Robots,
        Some(false) => Content::None,
    }
}

/// Reports whether a media type is that of compressed files or of any files, as of sitemaps that are compressed.
fn is_any_file(media_type: &str) -> bool {
    const ANY: [&str; 5] = [
        "application/gzip",
        "application/x-gzip",
        "application/zstd",
        "application/octet-stream",
        "binary/octet-stream",
    ];
    ANY.contains(&media_type)
}

/// Recognizes the content of a body by its start, so that what has no links is not stored. The bytes that are read of the body are
/// appended to `start`. A file that is compressed itself gets its compression as one more coding.
fn sniff_body<R: Read>(capture: &mut Capture<'_, R>, start: &mut Vec<u8>) -> Content {
    // The decoders of other codings may take much memory, which only workers claim.
    let is_light = |coding: &String| matches!(coding.as_str(), "gzip" | "x-gzip" | "deflate" | "chunked");
    // What cannot be read is found again when it is stored.
    if !capture.codings.iter().all(is_light) || read_start(capture.raw(), start).is_err() {
        return Content::Unknown;
    }
    let decoded = |bytes: &[u8], codings: &[String]| {
        let mut decoded = Vec::new();
        let body = Body::new(bytes, bytes.len() as u64, codings);
        // The start is cut.
        let _ = body.and_then(|body| read_start(body, &mut decoded));
        decoded
    };
    let mut plain = decoded(start, &capture.codings);
    match compression(&plain) {
        Some("gzip") => plain = decoded(&plain, &[String::from("gzip")]),
        // A block of Zstandard may be longer than the start.
        Some(coding) => {
            capture.codings.insert(0, coding.to_owned());
            return Content::Unknown;
        }
        None if plain.is_empty() => return Content::Unknown,
        None => return Content::sniff(&plain, &capture.record.target_uri),
    }
    capture.codings.insert(0, String::from("gzip"));
    Content::sniff(&plain, &capture.record.target_uri)
}
