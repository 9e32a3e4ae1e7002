//! The second stage: workers turn jobs into lines. Each worker has an [`Extractor`].

mod counted_file;
mod long_values;
mod measure;
mod outcome;
mod page_lines;
mod page_reader;

use std::borrow::Cow;
use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::mem;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use relref::archive::sniff::Content;
use relref::archive::{Body, Records, UndamagedPart, Wacz, is_wacz};

use self::outcome::{Outcome, ReadError};
use self::page_reader::{DecodedPage, PageReader};
use super::archive_jobs::ArchiveReader;
use super::columns::line::RecordPlace;
use super::dedup::FingerprintSecrets;
use super::job::{Job, Page, PageFile};
use super::page_bytes::{PageBytes, store};
use super::pool::{Claimant, JobOutput, Problem, Stopped, Use, at_input};
use super::shared::Shared;
use super::start::{Start, is_zip_start};
use crate::file_uri::file_uri;
use crate::quoting::file_name;

/// The most bytes of a page that stay in memory. A larger page is read as a stream from a file.
const IN_MEMORY: usize = 256 << 10;

/// The part of a worker that turns jobs into lines.
pub struct Extractor {
    shared: Arc<Shared>,
    reader: PageReader,
}

impl Extractor {
    /// Returns the extractor of a worker. `workers` is the number of workers, which share the memory for buffers.
    pub fn new(shared: &Arc<Shared>, secrets: &FingerprintSecrets, workers: usize) -> Self {
        Extractor { shared: Arc::clone(shared), reader: PageReader::new(shared, secrets, workers) }
    }

    /// Does a job: adds the lines of its links, and its problems, to the output.
    pub fn job(&mut self, job: Job, output: &mut JobOutput<'_>) -> Result<(), Stopped> {
        let (input, offset, done) = match job {
            Job::Problem(problem) => return output.problem(problem),
            Job::File(file) => {
                let input = file_name(&file.path);
                let done = at_input(|| input.clone(), || self.file(&file, output));
                (input, None, done)
            }
            Job::Page(page) => {
                let (input, offset) = (file_name(&page.input), page.offset);
                let name =
                    || offset.map_or_else(|| input.clone(), |offset| format!("{input}: record at byte {offset}"));
                let done = at_input(name, || self.page(*page, output));
                (input, offset, done)
            }
        };
        if offset.is_none() && matches!(done, Ok(Outcome::Page) | Err(_)) {
            self.shared.progress.inputs.add(1);
        }
        match done {
            Ok(_) => Ok(()),
            Err(ReadError::Stopped) => Err(Stopped),
            Err(ReadError::Problem(why)) => output.problem(Problem { input, offset, why }),
        }
    }

    /// Reads a file: a page, or an archive whose name does not say so.
    fn file(&mut self, page: &PageFile, output: &mut JobOutput<'_>) -> Result<Outcome, ReadError> {
        let PageFile { path, uri, must_sniff } = page;
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        let has_own_uri = uri.is_none();
        let uri = match uri {
            Some(uri) => Cow::Borrowed(uri),
            None => Cow::Owned(file_uri(path)?),
        };
        let start = Start::of_file(&mut file, &output.claimant)?;
        if start.is_archive() {
            self.shared.replaced.check(path, &metadata)?;
            let records = Records::from_file(file);
            return self.archive(output, |reader| reader.read(path, records));
        }
        if metadata.is_file() && is_zip_start(&start.raw) {
            let _memory = output.claimant.claim(Use::Page, Wacz::MEMORY)?;
            if is_wacz(&file)? {
                self.shared.replaced.check(path, &metadata)?;
                let wacz = Wacz::new(file)?;
                return self.archive(output, |reader| reader.read_wacz(path, wacz));
            }
            file.rewind()?;
        }
        let content = Content::sniff(start.decoded(), &uri);
        // Without --base, nothing tells the folder of a site, so that each file of that name may be one.
        let is_robots = (!must_sniff || has_own_uri) && path.file_name().is_some_and(|name| name == "robots.txt");
        let content = if is_robots && content == Content::None { Content::Robots } else { content };
        if *must_sniff && content == Content::None {
            self.shared.progress.files_skipped.add(1);
            return Ok(Outcome::NotAPage);
        }
        self.shared.replaced.check(path, &metadata)?;
        let bytes = if metadata.is_file() && metadata.len() > IN_MEMORY as u64 {
            let max_page = self.shared.args.max_page;
            if metadata.len() > max_page.0 {
                return Err(ReadError::Problem(max_page.exceeded()));
            }
            PageBytes::File(file, None)
        } else {
            self.store(file, &output.claimant)?
        };
        let codings: Vec<String> = start.coding.map(str::to_owned).into_iter().collect();
        let (bytes, damage) = self.decode(bytes, &codings, false, &output.claimant)?;
        let name = &file_name(path);
        // A file that is given by its name is a page, if nothing says that it is something else.
        let content = if content == Content::None { Content::Html } else { content };
        // The damage is reported, so the end that is missing is not.
        let is_truncated = damage.is_some();
        let page = DecodedPage {
            name,
            place: None,
            uri: &uri,
            charset: None,
            content,
            fields: &[],
            nofollow: false,
            bytes,
            is_truncated,
        };
        self.reader.read_damaged(page, damage, output)
    }

    /// Calls `read` to read an archive. Does each of its jobs at once, in this thread.
    fn archive(
        &mut self,
        output: &mut JobOutput<'_>,
        read: impl FnOnce(&mut ArchiveReader<'_>) -> Result<(), Stopped>,
    ) -> Result<Outcome, ReadError> {
        let shared = Arc::clone(&self.shared);
        let (shared, claimant) = (&*shared, &output.claimant.clone());
        let push = &mut |job| self.job(job, output);
        read(&mut ArchiveReader { shared, claimant, push })?;
        Ok(Outcome::Archive)
    }

    /// Reads a page from an archive or a stream.
    fn page(&mut self, page: Page, output: &mut JobOutput<'_>) -> Result<Outcome, ReadError> {
        let Page { input, offset, uri, bytes, codings, charset, content, fields, nofollow, is_truncated } = page;
        let input = file_name(&input);
        let place = offset.map(|offset| RecordPlace { archive: &input, offset });
        let name = if place.is_some() { &uri } else { &input };
        let (bytes, damage) = self.decode(bytes, &codings, is_truncated, &output.claimant)?;
        let is_truncated = is_truncated || damage.is_some();
        let (charset, fields) = (charset.as_deref(), &*fields);
        let page = DecodedPage { name, place, uri: &uri, charset, content, fields, nofollow, bytes, is_truncated };
        self.reader.read_damaged(page, damage, output)
    }

    /// The memory in bytes from which on decoders have a thread of their own.
    const OWN_THREAD: u64 = 2 << 20;
    /// The memory in bytes above which the decoders of only one job may run at a time.
    const MUCH: u64 = 16 << 20;

    /// Removes the content codings of a body. Returns the decoded bytes, and the damage that ends them, if there is damage. Waits
    /// until the memory of the decoders is available.
    fn decode(
        &mut self,
        mut bytes: PageBytes,
        codings: &[String],
        is_truncated: bool,
        claimant: &Claimant,
    ) -> Result<(PageBytes, Option<String>), ReadError> {
        if codings.is_empty() {
            return Ok((bytes, None));
        }
        let memory = IN_MEMORY as u64 + Body::memory(&bytes.start()?, codings);
        // Jobs that need very much wait for their turn, so that only one of them is done at a time.
        let _memory = claimant.claim(Use::Page, if memory > Self::MUCH { u64::from(u32::MAX) } else { memory })?;
        if memory < Self::OWN_THREAD {
            return self.decode_here(bytes, codings, is_truncated, claimant);
        }
        // As in `PageReader::read`: so much memory must not be kept for each worker.
        thread::scope(|scope| {
            let decode = || self.decode_here(bytes, codings, is_truncated, claimant);
            let thread = thread::Builder::new().spawn_scoped(scope, decode)?;
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// Does what [`decode`](Self::decode) does, in this thread. The memory of the decoders must be claimed.
    fn decode_here(
        &mut self,
        bytes: PageBytes,
        codings: &[String],
        is_truncated: bool,
        claimant: &Claimant,
    ) -> Result<(PageBytes, Option<String>), ReadError> {
        let (body, len, _claim): (Box<dyn Read>, u64, _) = match bytes {
            PageBytes::Memory(bytes) => {
                let len = bytes.len() as u64;
                (Box::new(Cursor::new(bytes)), len, None)
            }
            PageBytes::File(file, claim) => {
                let len = file.metadata()?.len();
                (Box::new(file), len, claim)
            }
        };
        let mut body = UndamagedPart::new(Body::new(body, len, codings)?.truncated(is_truncated));
        let bytes = self.store(&mut body, claimant)?;
        Ok((bytes, body.into_damage()))
    }

    /// Reads all bytes of a page. A page that has more than `--max-page` bytes is a problem.
    fn store(&mut self, from: impl Read, claimant: &Claimant) -> Result<PageBytes, ReadError> {
        let max_page = self.shared.args.max_page;
        let buffer = mem::take(&mut self.reader.buffer);
        store(from, buffer, IN_MEMORY, max_page.0, claimant)?.ok_or_else(|| ReadError::Problem(max_page.exceeded()))
    }
}
