//! The pages of an archive, as items of work.

use std::io::{self, Read};
use std::mem::take;
use std::path::Path;
use std::sync::Arc;

use relref::archive::{self, Content, Damage, Records};

use super::body_store::spool;
use super::job::{Job, Page};
use super::pool::{Claimant, Problem, Stopped};
use super::progress::Progress;
use crate::args::Links;
use crate::quoting::file_name;

/// The bytes of a body that stay in memory.
const SMALL: usize = 256 << 10;

/// Reads archives, and hands over their records.
pub struct Archives<'a> {
    pub args: &'a Links,
    pub progress: &'a Progress,
    pub disk: &'a Claimant,
    pub push: &'a mut dyn FnMut(Job) -> Result<(), Stopped>,
}

impl Archives<'_> {
    pub fn read<R: Read>(&mut self, path: &Path, records: io::Result<Records<R>>) -> Result<(), Stopped> {
        self.progress.inputs.add(1);
        let name: Arc<Path> = path.into();
        let mut records = match records {
            Ok(records) => records,
            Err(error) => return self.problem(&name, None, error.to_string()),
        };
        let mut counted = 0;
        while let Some(page) = records.next_page() {
            let (offset, page, head_damage) = match page {
                Ok(mut page) => (page.record.offset, self.store(&mut page, &name), page.head_damage),
                Err(damage) => {
                    self.damage(&name, &damage)?;
                    continue;
                }
            };
            let end = records.finish();
            let page = match end.as_ref().map_err(|damage| damage.content) {
                Ok(()) | Err(Content::Whole) => page.map(Some),
                Err(Content::Cut) => Ok(page.ok().and_then(cut)),
                Err(Content::Wrong) => Ok(None),
            };
            match page {
                Err(error) if Stopped::is_cause(&error) => return Err(Stopped),
                Err(error) => self.problem(&name, Some(offset), error.to_string())?,
                Ok(Some(page)) => {
                    (self.push)(Job::Page(Box::new(page)))?;
                    if let Some(why) = head_damage {
                        self.problem(&name, Some(offset), why.to_owned())?;
                    }
                }
                Ok(None) => {}
            }
            if let Err(damage) = end {
                self.damage(&name, &damage)?;
            }
            let bytes = records.bytes_read();
            self.progress.bytes.add(bytes - counted);
            counted = bytes;
        }
        self.progress.bytes.add(records.bytes_read() - counted);
        Ok(())
    }

    /// Reads a page whose codings are still on.
    fn store<R: Read>(&self, page: &mut archive::Page<'_, R>, name: &Arc<Path>) -> io::Result<Page> {
        let max = self.args.max_page;
        // A coded page may be longer than the page, but not by much.
        let most = if page.codings.is_empty() { max.0 } else { max.0.saturating_mul(2).saturating_add(64 << 10) };
        let Some(bytes) = spool(page.raw(), Vec::new(), SMALL, most, self.disk)? else {
            return Err(io::Error::other(max.exceeded()));
        };
        Ok(Page {
            input: Arc::clone(name),
            offset: Some(page.record.offset),
            uri: take(&mut page.record.target_uri),
            bytes,
            must_sniff: page.media_type.is_empty(),
            charset: page.charset.take(),
            codings: take(&mut page.codings),
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

/// Returns the page of a record that is cut; `None` if its length was wrong, so that the next record is in it.
fn cut(mut page: Page) -> Option<Page> {
    page.is_truncated = true;
    if page.bytes.hold_record().unwrap_or(true) { None } else { Some(page) }
}
