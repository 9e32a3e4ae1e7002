//! The pages of an archive, as items of work.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use relref::archive::http;
use relref::archive::record::Record;
use relref::archive::records::{Archive, Block, Damage};
use relref::archive::rewind::Rewind;

use super::body_store::spool;
use super::job::{Job, Page};
use super::pool::{Claimant, Problem, Stopped};
use super::progress::Progress;
use crate::args::Links;
use crate::quoting::file_name;

/// How many bytes of a body stay in memory.
const SMALL: usize = 256 << 10;

/// Reads archives, and hands over their pages.
pub struct Archives<'a> {
    pub args: &'a Links,
    pub progress: &'a Progress,
    pub disk: &'a Claimant,
    pub push: &'a mut dyn FnMut(Job) -> Result<(), Stopped>,
}

impl Archives<'_> {
    pub fn read(&mut self, path: &Path, input: Rewind) -> Result<(), Stopped> {
        self.progress.inputs.add(1);
        let name: Arc<Path> = path.into();
        let mut archive = match Archive::new(input) {
            Ok(archive) => archive,
            Err(error) => return self.problem(&name, None, error.to_string()),
        };
        let mut counted = 0;
        while let Some(record) = archive.next_record() {
            let record = match record {
                Ok(record) => record,
                Err(damage) => {
                    self.problem(&name, Some(damage.offset), damage.why)?;
                    continue;
                }
            };
            let page = self.record(&record, &mut archive, &name);
            let end = archive.finish();
            let page = match &end {
                Ok(()) | Err(Damage { block: Block::Whole, .. }) => page,
                Err(Damage { block: Block::Cut, .. }) => Ok(page.ok().flatten().and_then(cut)),
                Err(Damage { block: Block::Wrong, .. }) => Ok(None),
            };
            match page {
                Err(error) if Stopped::is_cause(&error) => return Err(Stopped),
                Err(error) => self.problem(&name, Some(record.offset), error.to_string())?,
                Ok(Some((page, damage))) => {
                    (self.push)(Job::Page(Box::new(page)))?;
                    if let Some(why) = damage {
                        self.problem(&name, Some(record.offset), why.to_owned())?;
                    }
                }
                Ok(None) => {}
            }
            if let Err(damage) = end {
                self.problem(&name, Some(damage.offset), damage.why)?;
            }
            let bytes = archive.bytes_read();
            self.progress.bytes.add(bytes - counted);
            counted = bytes;
        }
        self.progress.bytes.add(archive.bytes_read() - counted);
        Ok(())
    }

    /// Returns the page in a record, its codings still on, and why its head is damaged, if it is; `None` if the record holds
    /// something else.
    fn record(
        &self,
        record: &Record,
        archive: &mut Archive,
        name: &Arc<Path>,
    ) -> io::Result<Option<(Page, Option<&'static str>)>> {
        let (media, _) = http::media(&record.media);
        if record.kind != "response" || !(media.is_empty() || media == "application/http") {
            return Ok(None);
        }
        let (head, start) = http::head(archive)?;
        if !matches!(head.media.as_str(), "" | "text/html" | "application/xhtml+xml") {
            return Ok(None);
        }
        let codings = head.codings.into_names()?;
        let body = io::Cursor::new(start).chain(archive);
        let max = self.args.max_page;
        // A coded page may be longer than the page, but not by much.
        let most = if codings.is_empty() { max.0 } else { max.0.saturating_mul(2).saturating_add(64 << 10) };
        let Some(bytes) = spool(body, Vec::new(), SMALL, most, self.disk)? else {
            return Err(io::Error::other(max.exceeded()));
        };
        let page = Page {
            input: Arc::clone(name),
            offset: Some(record.offset),
            uri: record.target.clone(),
            bytes,
            must_sniff: head.media.is_empty(),
            charset: head.charset,
            codings,
            is_truncated: record.truncated,
        };
        Ok(Some((page, head.damage)))
    }

    fn problem(&mut self, name: &Path, offset: Option<u64>, why: String) -> Result<(), Stopped> {
        (self.push)(Job::Problem(Problem { input: file_name(name), offset, why }))
    }
}

/// Returns the page of a record that is cut; `None` if the next record is in it, as its length was wrong.
fn cut((mut page, damage): (Page, Option<&'static str>)) -> Option<(Page, Option<&'static str>)> {
    let is_wrong = page.bytes.hold_record().unwrap_or(true);
    page.is_truncated = true;
    (!is_wrong).then_some((page, damage))
}
