//! The second stage: turns jobs into lines. Each worker has an [`Extractor`].

mod long_values;
mod measure;
mod page_lines;
mod page_reader;

use std::fs::File;
use std::io::{self, Read, Seek};
use std::mem;
use std::sync::Arc;

use relref_links::archive::sniff::CaptureKind;
use relref_links::archive::{Body, Records, UndamagedPart, Wacz, is_wacz};

use self::page_reader::PageReader;
use super::Shared;
use super::archive_jobs::ArchiveReader;
use super::first_bytes::{FirstBytes, is_zip_start};
use super::job::{Job, Page, PageFile};
use super::own_thread::decode_in_thread;
use super::page_bytes::{PAGE_IN_MEMORY, PageBytes, store};
use super::pool::{Claimant, JobOutput, Problem, Stopped, Use, at_input};
use crate::file_uri::file_uri;
use crate::quoting::file_name;

/// The state with which a worker turns jobs into lines.
pub struct Extractor {
    shared: Arc<Shared>,
    reader: PageReader,
}

impl Extractor {
    /// Returns the extractor of one worker. `workers` is the number of all workers, which share the memory for buffers.
    pub fn new(shared: &Arc<Shared>, workers: usize) -> Self {
        Extractor { shared: Arc::clone(shared), reader: PageReader::new(shared, workers) }
    }

    /// Does a job: adds the lines of its links, and its problems, to the output. Fails if the command ends early.
    pub fn do_job(&mut self, job: Job, output: &mut JobOutput<'_>) -> Result<(), Stopped> {
        let (input, offset, page) = match job {
            Job::Problem(problem) => return output.add_problem(problem),
            Job::Page(page) => (Arc::clone(&page.input), page.offset, Ok(*page)),
            Job::File(file) => {
                let input = file_name(&file.path);
                let Some(page) = at_input(|| input.clone(), || self.page_of_file(file, output).transpose()) else {
                    return Ok(());
                };
                (input.into(), None, page)
            }
        };
        if offset.is_none() {
            self.shared.progress.inputs.add(1);
        }
        let name = || offset.map_or_else(|| input.to_string(), |offset| format!("{input}: record at byte {offset}"));
        match at_input(name, || self.read_page(page?, output)) {
            Ok(()) => Ok(()),
            Err(error) if Stopped::is_cause(&error) => Err(Stopped),
            Err(error) => output.add_problem(Problem::new(input, offset, error.to_string())),
        }
    }

    /// Opens a file, and returns the page that it is. If the file is an archive, does the jobs of the archive and returns `None`.
    /// If it must be sniffed and its first bytes show neither a page nor an archive, counts it as skipped and returns `None`. Fails
    /// if the file cannot be read, is too large, or would be replaced by an output, and if the command ends early.
    fn page_of_file(&mut self, file: PageFile, output: &mut JobOutput<'_>) -> io::Result<Option<Page>> {
        let PageFile { path, uri, must_sniff } = file;
        let mut file = File::open(&path)?;
        let metadata = file.metadata()?;
        let has_own_uri = uri.is_none();
        let uri = uri.map_or_else(|| file_uri(&path), Ok)?;
        let start = FirstBytes::read(&mut file, &output.claimant)?;
        file.rewind()?;
        if start.is_archive() {
            self.shared.replaced.check(&path, &metadata)?;
            let (name, records) = (file_name(&path).into(), Records::from_file(file));
            return self.do_archive(output, |reader| reader.read_archive(&name, records));
        }
        if metadata.is_file() && is_zip_start(&start.raw) {
            let _memory = output.claimant.claim(Use::Page, Wacz::MEMORY)?;
            if is_wacz(&file)? {
                self.shared.replaced.check(&path, &metadata)?;
                let wacz = Wacz::new(file)?;
                return self.do_archive(output, |reader| reader.read_wacz(&path, wacz));
            }
            file.rewind()?;
        }
        // Without --base, the folder of a site is not known, so that each file of that name may be one.
        let may_be_robots = (!must_sniff || has_own_uri) && path.file_name().is_some_and(|name| name == "robots.txt");
        let kind = match CaptureKind::sniff(start.uncompressed(), &uri) {
            CaptureKind::None if may_be_robots => CaptureKind::Robots,
            CaptureKind::None if must_sniff => {
                self.shared.progress.files_skipped.add(1);
                return Ok(None);
            }
            // A file that is given by its name is a page, if nothing says that it is something else.
            CaptureKind::None => CaptureKind::Html,
            kind => kind,
        };
        self.shared.replaced.check(&path, &metadata)?;
        let bytes = if metadata.is_file() && metadata.len() > PAGE_IN_MEMORY as u64 {
            let max_page = self.shared.args.max_page;
            if metadata.len() > max_page.0 {
                return Err(max_page.exceeded());
            }
            PageBytes::File(file, None)
        } else {
            self.store_page(file, &output.claimant)?
        };
        Ok(Some(Page::of_input(&path, uri, bytes, start.coding, kind)))
    }

    /// Does the jobs of an archive, one after the other in this thread. `read` reads the archive with the reader that it gets.
    /// Returns `None`, as an archive is no page. Fails only if the command ends early.
    fn do_archive(
        &mut self,
        output: &mut JobOutput<'_>,
        read: impl FnOnce(&mut ArchiveReader<'_>) -> Result<(), Stopped>,
    ) -> io::Result<Option<Page>> {
        let shared = Arc::clone(&self.shared);
        let (shared, claimant) = (&*shared, &output.claimant.clone());
        read(&mut ArchiveReader::new(shared, claimant, &mut |job| self.do_job(job, output)))?;
        Ok(None)
    }

    /// Removes the codings of a page, reads the page, and adds the lines of its links to the output. An error is the problem of the
    /// page.
    fn read_page(&mut self, mut page: Page, output: &mut JobOutput<'_>) -> io::Result<()> {
        let damage = self.remove_codings(&mut page, &output.claimant)?;
        // The damage is reported, so the end that is missing is not.
        page.is_cut_short |= damage.is_some();
        self.reader.read_page(page, damage, output)
    }

    /// The number of bytes of memory above which the decoders of a page wait until their job has the turn to write. One job at a
    /// time has the turn, so only one such page is decoded at a time.
    const EXCLUSIVE_BYTES: u64 = 16 << 20;

    /// Removes the content and transfer codings of a page from its bytes. Before that, waits until the memory of the decoders is
    /// available. If the bytes are damaged, keeps those before the damage, and returns a description of the damage.
    fn remove_codings(&mut self, page: &mut Page, claimant: &Claimant) -> io::Result<Option<String>> {
        if page.codings.is_empty() {
            return Ok(None);
        }
        let memory = PAGE_IN_MEMORY as u64 + Body::memory(&page.bytes.first_bytes()?, &page.codings);
        // Jobs that need very much wait for their turn, so that only one of them is done at a time.
        let _memory =
            claimant.claim(Use::Page, if memory > Self::EXCLUSIVE_BYTES { u64::from(u32::MAX) } else { memory })?;
        decode_in_thread(memory, || {
            let (len, is_cut_short) = (page.bytes.len()?, page.is_cut_short);
            let body = Body::new(page.bytes.reader(), len, &page.codings)?;
            let mut body = UndamagedPart::new(body.truncated(is_cut_short));
            let bytes = self.store_page(&mut body, claimant)?;
            let damage = body.into_damage();
            page.bytes = bytes;
            Ok(damage)
        })
    }

    /// Reads a page into memory, or into a temporary file if it is long. Claims disk, but no memory.
    fn store_page(&mut self, from: impl Read, claimant: &Claimant) -> io::Result<PageBytes> {
        let max_page = self.shared.args.max_page;
        let buffer = mem::take(&mut self.reader.buffer);
        store(from, buffer, PAGE_IN_MEMORY, max_page.0, claimant)?.ok_or_else(|| max_page.exceeded())
    }
}
