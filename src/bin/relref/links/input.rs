//! The first stage: reads the inputs, which are files, folders, standard input and archives, and queues their jobs in order.

mod file_kind;
mod folder_names;
mod folder_symlinks;
mod name_stack;
mod path_bytes;
mod path_list;
mod place;
mod walk;

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::mem;
use std::path::{Path, PathBuf};

use relref::archive::sniff::Content;
use relref::archive::{Records, Wacz};

use self::file_kind::{FileKind, is_archive_file};
use self::path_bytes::path_of;
use self::path_list::PathList;
pub use self::place::note_about_base;
use self::place::{below, uri_below};
use self::walk::{Unread, Walk};
use super::Shared;
use super::archive_jobs::ArchiveReader;
use super::job::{Job, Page, PageFile};
use super::page_bytes::{PageBytes, store};
use super::pool::{Claimant, JobQueue, Problem, Stopped, at_input};
use super::start::{Start, is_zip_start};
use crate::args::Links;
use crate::file_uri::file_uri;
use crate::open::open;
use crate::output::quoted;
use crate::quoting::file_name;
use crate::rule_set::AnyBase;

/// The reader of the inputs.
pub struct Reader<'r> {
    pub shared: &'r Shared,
    pub queue: &'r mut JobQueue<Job>,
    /// The message about an invalid `--base`, which is empty after it is reported. `None` if the base is valid or not given.
    pub bad_base: Option<String>,
}

impl Reader<'_> {
    /// The most bytes of a page from a stream that stay in memory.
    const STREAM_IN_MEMORY: usize = 1 << 20;

    /// Reads all inputs, and queues their jobs.
    pub fn read(&mut self) -> Result<(), Stopped> {
        let args = &self.shared.args;
        for path in &args.files {
            self.read_one(path, |reader| match path.as_os_str() == "-" {
                true => reader.stream(path, args.base.clone().unwrap_or_default(), Box::new(io::stdin())),
                false => reader.input(path, None),
            })?;
        }
        args.files_from.as_ref().map_or(Ok(()), |list| self.read_one(list, |reader| reader.listed(list)))
    }

    /// Calls `read` to read an input. Its error is the problem of the input.
    fn read_one(&mut self, path: &Path, read: impl FnOnce(&mut Self) -> io::Result<()>) -> Result<(), Stopped> {
        match at_input(|| file_name(path), || read(self)) {
            Ok(()) => Ok(()),
            Err(error) if Stopped::is_cause(&error) => Err(Stopped),
            Err(error) => self.problem(path, error.to_string()),
        }
    }

    /// Reads the inputs that the list of `--files-from` names.
    fn listed(&mut self, list: &Path) -> io::Result<()> {
        let mut paths = PathList::new(open(list)?);
        while let Some(listed) = paths.next()? {
            match listed {
                Ok((path, uri)) => {
                    let path = path_of(path);
                    self.read_one(&path, |reader| reader.input(&path, uri.as_deref()))?;
                }
                Err(why) => self.problem(list, why)?,
            }
        }
        Ok(())
    }

    /// Reads a file or folder that an argument or a list names. `uri` is the URI that the list gives it, which is used instead of
    /// `--base`.
    fn input(&mut self, path: &Path, uri: Option<&str>) -> io::Result<()> {
        let metadata = fs::metadata(path)?;
        if metadata.is_dir() {
            return self.folder(path, uri);
        }
        let kind = FileKind::of(path);
        if kind == FileKind::Archive || metadata.is_file() && kind != FileKind::Page && is_archive_file(path) {
            return self.archive_file(path);
        }
        if uri.is_none() && self.has_bad_base()? {
            return Ok(());
        }
        let Links { base, root, .. } = &self.shared.args;
        let uri = match (uri, base, root) {
            (Some(uri), ..) => Some(uri.to_owned()),
            (None, Some(base), Some(root)) => {
                let path = below(root, path)?;
                self.shared.progress.below_base.add(1);
                Some(uri_below(base, &path))
            }
            (None, base, _) => {
                self.shared.progress.share_base.add(base.is_some().into());
                base.clone()
            }
        };
        if !metadata.is_file() {
            let file = File::open(path)?;
            return self.stream(path, uri.map_or_else(|| file_uri(path), Ok)?, Box::new(file));
        }
        Ok(self.add_job(Job::File(PageFile { path: path.to_owned(), uri, must_sniff: false }))?)
    }

    /// Reads the pages and archives in a folder and in the folders below it. `uri` is the URI that the list gives the folder, if it
    /// gives one.
    fn folder(&mut self, folder: &Path, uri: Option<&str>) -> io::Result<()> {
        if uri.is_none() && self.has_bad_base()? {
            return Ok(());
        }
        let Links { base, root, .. } = &self.shared.args;
        let (base, place) = match (uri, root) {
            (None, Some(root)) => (base.as_deref(), below(root, folder)?),
            _ => (uri.or(base.as_deref()), PathBuf::new()),
        };
        let is_below_base = uri.is_none() && base.is_some();
        let mut walk = Walk::new(folder);
        for found in &mut walk {
            let path = match found {
                Ok(path) => path,
                Err(Unread { path, why }) => {
                    self.problem(&path, why)?;
                    continue;
                }
            };
            let kind = FileKind::of(&path);
            if kind == FileKind::Archive {
                self.read_one(&path, |reader| reader.archive_file(&path))?;
                continue;
            }
            self.shared.progress.below_base.add(is_below_base.into());
            let uri = base.map(|base| uri_below(base, &place.join(path.strip_prefix(folder).unwrap_or(&path))));
            self.add_job(Job::File(PageFile { path, uri, must_sniff: kind == FileKind::Unknown }))?;
        }
        self.shared.progress.files_skipped.add(walk.skipped);
        Ok(())
    }

    /// Reads a page from a stream, or an archive if the stream starts as one. `uri` is the URI of the page. It is empty if the page
    /// has none, which is a problem.
    fn stream(&mut self, name: &Path, uri: String, mut stream: Box<dyn Read + Send>) -> io::Result<()> {
        let mut start = Start::read(&mut stream, &self.queue.claimant)?;
        let is_archive = start.is_archive_stream(&mut stream)?;
        let is_zip = is_zip_start(&start.raw);
        let input = io::Cursor::new(start.raw).chain(stream);
        if is_zip {
            return self.wacz_stream(name, input);
        }
        if is_archive {
            return self.archive(name, Records::new(input)?);
        }
        if uri.is_empty() {
            return Err(io::Error::other("a page on standard input has no URI of its own: give --base"));
        }
        let max_page = self.shared.args.max_page;
        let bytes = store(input, Vec::new(), Self::STREAM_IN_MEMORY, max_page.0, &self.queue.claimant)?;
        let bytes = bytes.ok_or_else(|| max_page.exceeded())?;
        Ok(self.add_job(Job::Page(Box::new(Page::of_input(name, uri, bytes, start.coding, Content::Html))))?)
    }

    /// Reads a file that is an archive by its name or its first bytes.
    fn archive_file(&mut self, path: &Path) -> io::Result<()> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        self.shared.replaced.check(path, &metadata)?;
        let mut is_zip = FileKind::is_wacz(path);
        if metadata.is_file() {
            let mut start = Vec::new();
            file.by_ref().take(4).read_to_end(&mut start)?;
            file.rewind()?;
            is_zip |= is_zip_start(&start);
        }
        match (is_zip, metadata.is_file()) {
            (false, _) => self.archive(path, Records::from_file(file)?),
            (true, true) => self.wacz(path, file, &self.queue.claimant.clone()),
            (true, false) => self.wacz_stream(path, file),
        }
    }

    /// Reads the archives in a WACZ file.
    fn wacz(&mut self, path: &Path, zip: impl Read + Seek, claimant: &Claimant) -> io::Result<()> {
        let wacz = Wacz::new(zip)?;
        self.archives(claimant, |reader| reader.read_wacz(path, wacz))
    }

    /// Reads a WACZ file from a stream. Its directory is at its end, so the whole file is first written to a temporary file. This
    /// file may take half of the disk budget, and pages may take the other half.
    fn wacz_stream(&mut self, path: &Path, stream: impl Read) -> io::Result<()> {
        let claimant = &self.queue.claimant;
        let half = claimant.reserving(claimant.max_disk() / 2);
        match store(stream, Vec::new(), 0, u64::MAX, &half) {
            Ok(Some(PageBytes::File(zip, _claim))) => self.wacz(path, zip, &half),
            Ok(_) => Err(io::Error::other("it is empty")),
            Err(error) if Stopped::is_cause(&error) => Err(error),
            Err(error) => Err(io::Error::other(format!("a WACZ in a stream needs a temporary file: {error}"))),
        }
    }

    /// Reads an archive, and queues its jobs.
    fn archive<R: Read>(&mut self, path: &Path, records: Records<R>) -> io::Result<()> {
        self.archives(&self.queue.claimant.clone(), |reader| reader.read(path, Ok(records)))
    }

    /// Calls `read` to read archives, and queues their jobs.
    fn archives(
        &mut self,
        claimant: &Claimant,
        read: impl FnOnce(&mut ArchiveReader<'_>) -> Result<(), Stopped>,
    ) -> io::Result<()> {
        Ok(read(&mut ArchiveReader { shared: self.shared, claimant, add_job: &mut |job| self.add_job(job) })?)
    }

    /// Reports whether `--base` is not valid, so that an input that needs it cannot be read. If so, counts the input as read, and
    /// reports the base when the first such input comes.
    fn has_bad_base(&mut self) -> Result<bool, Stopped> {
        let Some(why) = &mut self.bad_base else { return Ok(false) };
        let Shared { args, progress, .. } = self.shared;
        progress.inputs.add(1);
        if why.is_empty() {
            progress.failed.add(1);
        } else {
            let (input, why) = (base_option(args), mem::take(why));
            self.add_job(Job::Problem(Problem { input, offset: None, why }))?;
        }
        Ok(true)
    }

    /// Counts an input that cannot be read, and queues the problem.
    fn problem(&mut self, path: &Path, why: String) -> Result<(), Stopped> {
        self.shared.progress.inputs.add(1);
        self.add_job(Job::Problem(Problem { input: file_name(path), offset: None, why }))
    }

    /// Queues a job.
    fn add_job(&mut self, job: Job) -> Result<(), Stopped> {
        let size = job.size();
        self.queue.add(job, size)
    }
}

/// Returns the message about `--base` if it is not valid as a base. Returns `None` if it is valid, or not given.
pub fn bad_base(args: &Links) -> Option<String> {
    AnyBase::new(args.base.as_deref()?, args.rules).err()
}

/// Returns the option `--base` as it is given, for a message.
pub fn base_option(args: &Links) -> String {
    format!("--base {}", quoted(args.base.as_deref().unwrap_or_default()))
}

/// Reports whether an input of the command line surely needs `--base`: a folder, or a file that is not an archive. The pages of
/// archives have their own URIs.
pub fn needs_base(args: &Links) -> bool {
    let is_page = |file: &PathBuf| file.is_file() && FileKind::of(file) != FileKind::Archive && !is_archive_file(file);
    args.files.iter().any(|file| file.as_os_str() != "-" && (file.is_dir() || is_page(file)))
}

/// Returns the number of bytes in all inputs. Returns `None` if standard input or a list is among them.
pub fn total_bytes(args: &Links) -> Option<u64> {
    if args.files_from.is_some() || args.files.iter().any(|file| file.as_os_str() == "-") {
        return None;
    }
    let len = |path: &PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let bytes = |input: &PathBuf| match input.is_dir() {
        true => Walk::new(input).flatten().map(|path| len(&path)).sum(),
        false => len(input),
    };
    Some(args.files.iter().map(bytes).sum())
}
