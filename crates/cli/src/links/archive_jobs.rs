//! The jobs of an archive: one for each of its pages and problems.

use std::io::{self, Cursor, Read, Seek};
use std::mem::take;
use std::path::Path;
use std::sync::Arc;

use relref_links::archive::sniff::CaptureKind;
use relref_links::archive::{self, Capture, Damage, Records, Wacz};
use relref_links::html::{field_nofollow, is_link_field};

use super::Shared;
use super::job::{Job, Page};
use super::page_bytes::{PAGE_IN_MEMORY, PageBytes, store};
use super::pool::{Claimant, Problem, Stopped, Use, at_input};
use crate::quoting::{file_name, percent_from};

/// The greatest length in bytes of a record of a WAT file. A longer one is not read, and is a problem.
const MAX_WAT_LEN: u64 = 8 << 20;

/// A reader of archives, which makes a job for each page and each problem.
pub struct ArchiveReader<'a> {
    shared: &'a Shared,
    /// The claimant for the memory of decoders, and for the disk of large bodies.
    claimant: &'a Claimant,
    /// The function that is called with each job. It fails if the command ends early.
    add_job: &'a mut dyn FnMut(Job) -> Result<(), Stopped>,
    /// The number of problems of the current archive or WACZ file for which jobs were added.
    told: u64,
    /// The number of its further problems, which are only counted.
    untold: u64,
}

impl<'a> ArchiveReader<'a> {
    /// Returns a reader that claims memory and disk with `claimant`, and calls `add_job` with each job.
    pub fn new(
        shared: &'a Shared,
        claimant: &'a Claimant,
        add_job: &'a mut dyn FnMut(Job) -> Result<(), Stopped>,
    ) -> Self {
        ArchiveReader { shared, claimant, add_job, told: 0, untold: 0 }
    }

    /// Reads the archives in the WACZ file at `path`, and adds their jobs. Each archive is counted as an input, and so is the file
    /// if it is damaged or has no archive. A problem of an archive is reported for the name `FILE:ARCHIVE`, and one of the WACZ
    /// file for its own path. Fails if the command ends early.
    pub fn read_wacz(&mut self, path: &Path, mut wacz: Wacz<impl Read + Seek>) -> Result<(), Stopped> {
        let (zip_name, mut has_problem) = (file_name(path).into(), false);
        while let Some(archive) = wacz.next_archive() {
            match archive {
                Ok(mut archive) => {
                    self.end_problems(&zip_name)?;
                    let mut name = file_name(path) + ":";
                    let start = name.len();
                    name.push_str(&archive.name);
                    percent_from(&mut name, start);
                    let name: Arc<str> = name.into();
                    at_input(|| name.to_string(), || self.read_archive(&name, archive.records()))?;
                }
                Err(error) => {
                    has_problem = true;
                    self.add_problem(&zip_name, None, error.to_string())?;
                }
            }
        }
        self.shared.progress.inputs.add(has_problem.into());
        self.end_problems(&zip_name)
    }

    /// Reads the archive with this name, and adds its jobs. If it could not be opened, `records` is the error, which becomes the
    /// only job. Counts the archive as an input, and its bytes and the skipped records. Fails if the command ends early.
    pub fn read_archive<R: Read>(&mut self, name: &Arc<str>, records: io::Result<Records<R>>) -> Result<(), Stopped> {
        let Shared { progress, .. } = self.shared;
        progress.inputs.add(1);
        let mut records = match records {
            Ok(records) => records,
            Err(error) => {
                self.add_problem(name, None, error.to_string())?;
                return self.end_problems(name);
            }
        };
        let _memory = self.claimant.claim(Use::Page, records.memory() + PAGE_IN_MEMORY as u64)?;
        let mut counted = 0;
        while let Some(capture) = records.next_capture() {
            let mut capture = match capture {
                Ok(capture) => capture,
                Err(damage) => {
                    self.add_damage(name, &damage)?;
                    continue;
                }
            };
            let (offset, head_damage) = (capture.record.offset, capture.head_damage);
            let mut kind = CaptureKind::of(&capture);
            let mut start = Vec::new();
            if kind == CaptureKind::None {
                progress.other_types.add(1);
            } else if kind == CaptureKind::Unknown {
                kind = CaptureKind::of_body(&mut capture, &mut start);
                progress.not_pages.add((kind == CaptureKind::None).into());
            }
            let has_links = kind != CaptureKind::None || capture.fields.iter().any(|(name, _)| is_link_field(name));
            if head_damage.is_none() && !has_links {
                continue;
            }
            let page = self.page_of(&mut capture, kind, start, name);
            let end = records.finish();
            let page = match end.as_ref().map_err(|damage| damage.content) {
                Ok(()) | Err(archive::ContentRead::Whole) => page.map(Some),
                Err(archive::ContentRead::Partial) => Ok(page.ok().and_then(page_cut_short)),
                Err(archive::ContentRead::Wrong) => Ok(None),
            };
            match page {
                Err(error) if Stopped::is_cause(&error) => return Err(Stopped),
                Err(error) => self.add_problem(name, Some(offset), error.to_string())?,
                // The first record of a WAT file, and what archivers say of themselves.
                Ok(Some(page)) if page.is_other_metadata() => progress.other_record_types.add(1),
                Ok(Some(page)) => {
                    (self.add_job)(Job::Page(Box::new(page)))?;
                    // In a record that is cut short, the end of its head may be missing.
                    if let (Some(why), Ok(())) = (head_damage, &end) {
                        self.add_problem(name, Some(offset), why.to_owned())?;
                    }
                }
                Ok(None) => {}
            }
            if let Err(damage) = end {
                self.add_damage(name, &damage)?;
            }
            let bytes = records.bytes_read();
            progress.bytes.add(bytes - counted);
            counted = bytes;
        }
        progress.bytes.add(records.bytes_read() - counted);
        let skipped = records.skipped();
        progress.other_record_types.add(skipped.other_kinds);
        progress.other_protocols.add(skipped.other_protocols);
        progress.revisits_without_head.add(skipped.revisits_without_head);
        self.end_problems(name)
    }

    /// Reads the body of a capture in the archive `name`, and returns the page that it is. The bytes of the page have the codings
    /// of the body. If `kind` is [`CaptureKind::None`], the body is not read, and the page has no bytes. `start` has the bytes of
    /// the body that were already read. An error is the problem of the page, or a converted [`Stopped`] if the command ends early.
    fn page_of<R: Read>(
        &self,
        capture: &mut Capture<'_, R>,
        kind: CaptureKind,
        start: Vec<u8>,
        name: &Arc<str>,
    ) -> io::Result<Page> {
        let max = self.shared.args.max_page;
        // With codings, a page may be longer than without, but not by much.
        let most = if capture.codings.is_empty() { max.0 } else { max.0.saturating_mul(2).saturating_add(64 << 10) };
        let nofollow = capture.fields.iter().any(|(name, value)| field_nofollow(name, value));
        let fields = capture.fields.iter().filter(|(name, _)| is_link_field(name));
        let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let bytes = match kind {
            CaptureKind::Wat if capture.record.length > MAX_WAT_LEN => {
                return Err(io::Error::other("its WAT metadata has more than 8 MiB"));
            }
            CaptureKind::Wat => store(capture.raw(), Vec::new(), MAX_WAT_LEN as usize, MAX_WAT_LEN, self.claimant)?,
            CaptureKind::None => Some(PageBytes::Memory(Vec::new())),
            _ => store(Cursor::new(start).chain(capture.raw()), Vec::new(), PAGE_IN_MEMORY, most, self.claimant)?,
        };
        Ok(Page {
            input: Arc::clone(name),
            offset: Some(capture.record.offset),
            uri: take(&mut capture.record.target_uri),
            bytes: bytes.ok_or_else(|| max.exceeded())?,
            kind,
            fields,
            nofollow,
            charset: capture.charset.take(),
            codings: if kind == CaptureKind::None { Vec::new() } else { take(&mut capture.codings) },
            is_cut_short: capture.record.truncated,
        })
    }

    fn add_damage(&mut self, name: &Arc<str>, damage: &Damage) -> Result<(), Stopped> {
        self.add_problem(name, Some(damage.offset), damage.reason.to_string())
    }

    /// Adds the job that reports a problem of the archive `name`, or only counts the problem if no message would be written about
    /// it. `offset` is the byte offset in the archive at which the record starts that has the problem, or `None` if the problem is
    /// not about one record.
    fn add_problem(&mut self, name: &Arc<str>, offset: Option<u64>, why: String) -> Result<(), Stopped> {
        if self.told == Problem::MAX_TOLD || self.shared.progress.messages_end.get() > 0 {
            self.untold += 1;
            return Ok(());
        }
        self.told += 1;
        (self.add_job)(Job::Problem(Problem::new(Arc::clone(name), offset, why)))
    }

    /// Adds the job for the problems of the archive or WACZ file `name` that were only counted, if there are any. From then on,
    /// problems are those of another one.
    fn end_problems(&mut self, name: &Arc<str>) -> Result<(), Stopped> {
        self.told = 0;
        match take(&mut self.untold) {
            0 => Ok(()),
            untold => (self.add_job)(Job::Problem(Problem::further(Arc::clone(name), untold))),
        }
    }
}

fn page_cut_short(mut page: Page) -> Option<Page> {
    // If another record starts in it, the length of the record was wrong, and the bytes are not those of one page.
    page.is_cut_short = true;
    if page.bytes.has_record().unwrap_or(true) { None } else { Some(page) }
}
