//! The jobs of an archive: one for each of its pages and problems.

use std::io;
use std::mem::take;
use std::path::Path;
use std::sync::Arc;

use relref_links::archive::sniff::{ZIP_START, is_archive};
use relref_links::archive::{ReadSeek, Wacz};
use relref_links::page::{Captures, Skipped, Store, is_epub};
use relref_links::parallel::{Claimant, Stopped, Use, lock};

use super::block::Problem;
use super::first_bytes::{has_ending, has_mhtml_name, has_zip_name};
use super::job::Job;
use super::pool::at_input;
use super::shared::{PAGE_IN_MEMORY, Shared};
use super::temp_file::ClaimedFile;
use crate::quoting::{file_name, percent_from};

/// A reader of archives, which makes a job for each page and each problem.
pub struct ArchiveReader<'a> {
    shared: &'a Shared,
    /// The claimant of the memory of decoders, and of the disk of large bodies.
    claimant: &'a Claimant,
    /// Fails if the command ends early.
    add_job: &'a mut dyn FnMut(Job) -> Result<(), Stopped>,
    /// Problems of the current archive or WACZ file for which jobs were added.
    told: u64,
    /// Its further problems.
    untold: u64,
}

impl<'a> ArchiveReader<'a> {
    pub fn new(
        shared: &'a Shared,
        claimant: &'a Claimant,
        add_job: &'a mut dyn FnMut(Job) -> Result<(), Stopped>,
    ) -> Self {
        ArchiveReader { shared, claimant, add_job, told: 0, untold: 0 }
    }

    /// Adds the jobs of a regular file that is an archive of any format. `uri` is the root of an EPUB; without it, the file has its
    /// own. `start` has its first bytes. Fails if the file cannot be read, or the command ends early.
    pub fn read_file(
        &mut self,
        path: &Path,
        file: Box<dyn ReadSeek>,
        start: &[u8],
        uri: Option<&str>,
    ) -> io::Result<()> {
        if start.starts_with(ZIP_START) || has_zip_name(path) {
            return self.read_zip(path, file, uri);
        }
        let by_name = has_mhtml_name(path) && !is_archive(start);
        let captures = if by_name { Ok(Captures::mhtml(file)) } else { Captures::seekable(file, "") };
        Ok(self.read_archive(&file_name(path).into(), captures)?)
    }

    /// Adds the jobs of a WACZ or an EPUB, as [`read_file`](Self::read_file) does.
    pub fn read_zip(&mut self, path: &Path, mut zip: Box<dyn ReadSeek>, uri: Option<&str>) -> io::Result<()> {
        if !has_ending(path, &["epub"]) && !is_epub(&mut zip)? {
            return Ok(self.read_wacz(path, Wacz::new(zip)?)?);
        }
        let root = uri.map_or_else(|| Captures::epub_root(path), |uri| Ok(uri.to_owned()))?;
        Ok(self.read_archive(&file_name(path).into(), Captures::epub(zip, &root))?)
    }

    /// Adds the jobs of the archives in a WACZ file. Each archive is counted as an input, and so is the file if it is damaged or has
    /// no archive. A problem of an archive is reported for the name `FILE:ARCHIVE`, and one of the WACZ file for its own path.
    fn read_wacz(&mut self, path: &Path, mut wacz: Wacz<Box<dyn ReadSeek>>) -> Result<(), Stopped> {
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
                    let captures = archive.records().map(Captures::from);
                    at_input(|| name.to_string(), || self.read_archive(&name, captures))?;
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

    /// Adds the jobs of the archive with this name. Counts the archive as an input, and its bytes and the skipped records.
    pub fn read_archive(
        &mut self,
        name: &Arc<str>,
        captures: io::Result<Captures<Box<dyn ReadSeek + '_>>>,
    ) -> Result<(), Stopped> {
        let Shared { args, progress, .. } = self.shared;
        progress.inputs.add(1);
        let mut captures = match captures {
            Ok(captures) => captures,
            Err(error) => {
                self.add_problem(name, None, error.to_string())?;
                return self.end_problems(name);
            }
        };
        let claimant = self.claimant;
        if let Some(statuses) = &args.status {
            captures = captures.with_statuses(statuses.clone());
        }
        let _memory = claimant.claim(Use::Memory, captures.memory() + PAGE_IN_MEMORY as u64)?;
        let new_file = || ClaimedFile::create(claimant);
        let mut store = Store { new_file: &new_file, ..self.shared.store() };
        let (mut counted, mut skipped) = (0, Skipped::default());
        while let Some(page) = captures.next_stored(&mut store) {
            // After each page, as a signal may end the command.
            self.count(captures.skipped(), &mut skipped);
            match page {
                Ok(page) => (self.add_job)(Job::Page(Arc::clone(name), Box::new(page)))?,
                Err(problem) if Stopped::is_cause(&problem.error) => return Err(Stopped),
                Err(problem) => self.add_problem(name, Some(problem.offset), problem.error.to_string())?,
            }
            let bytes = captures.bytes_read();
            progress.bytes.add(bytes - counted);
            counted = bytes;
        }
        progress.bytes.add(captures.bytes_read() - counted);
        self.count(captures.skipped(), &mut skipped);
        self.end_problems(name)
    }

    /// Adds what `now` has more than `before`, and keeps it there.
    fn count(&self, now: Skipped, before: &mut Skipped) {
        let mut all = lock(&self.shared.progress.skipped);
        all.other_media_types += now.other_media_types - before.other_media_types;
        all.other_statuses += now.other_statuses - before.other_statuses;
        all.not_pages += now.not_pages - before.not_pages;
        all.other_kinds += now.other_kinds - before.other_kinds;
        all.other_protocols += now.other_protocols - before.other_protocols;
        all.revisits_without_head += now.revisits_without_head - before.revisits_without_head;
        all.revisits_of_other_uris += now.revisits_of_other_uris - before.revisits_of_other_uris;
        *before = now;
    }

    /// Adds the job for a problem, or only counts a problem about which no message would be written. `offset` is that of the record
    /// in the archive.
    fn add_problem(&mut self, name: &Arc<str>, offset: Option<u64>, why: String) -> Result<(), Stopped> {
        if self.told == Problem::MAX_TOLD || self.shared.progress.messages_end.get() > 0 {
            self.untold += 1;
            return Ok(());
        }
        self.told += 1;
        (self.add_job)(Job::Problem(Problem::new(Arc::clone(name), offset, why)))
    }

    /// Adds the job for the problems that were only counted. From then on, problems are those of another archive.
    fn end_problems(&mut self, name: &Arc<str>) -> Result<(), Stopped> {
        self.told = 0;
        match take(&mut self.untold) {
            0 => Ok(()),
            untold => (self.add_job)(Job::Problem(Problem::further(Arc::clone(name), untold))),
        }
    }
}
