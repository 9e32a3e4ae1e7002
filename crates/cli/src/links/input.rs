//! The first stage: reads the inputs (files, folders, standard input and archives), and queues their jobs in order.

mod path_list;
mod place;

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::mem;
use std::path::{Path, PathBuf};

use relref::UriRef;
use relref_links::archive::ReadSeek;
use relref_links::archive::sniff::{ZIP_START, is_mhtml, read_start};
use relref_links::files::{EntryKind, Unreadable, Walk, WalkEntry};
use relref_links::page::{Captures, FileKind, Page, PageBytes, PageKind, Store, other_kind, split_query};
use relref_links::parallel::{Claimant, Stopped};

use self::path_list::{PathList, path_of};
pub use self::place::note_about_base;
pub use self::place::{path_below, uri_below};
use super::archive_jobs::ArchiveReader;
use super::block::Problem;
use super::first_bytes::{FirstBytes, OpenedFile, has_zip_name, is_archive_file, is_archive_start};
use super::job::Job;
use super::pool::{JobQueue, at_input};
use super::progress::Progress;
use super::shared::Shared;
use super::temp_file::ClaimedFile;
use crate::args::Links;
use crate::base::new_base;
use crate::file_uri::file_uri;
use crate::lines::open_list;
use crate::output::shown;
use crate::quoting::file_name;

/// The reader of the inputs. It runs in a thread of its own. The `io::Error` of its functions is the problem of the input, or a
/// converted [`Stopped`] if the command ends early.
pub struct Reader<'r> {
    pub shared: &'r Shared,
    pub queue: &'r mut JobQueue<Job>,
    /// The message about an invalid `--base`. Empty after it was reported. `None` if the base is valid or not given.
    pub bad_base: Option<String>,
}

impl Reader<'_> {
    /// The most bytes of a page from a stream that stay in memory. If there are more, all are in a temporary file.
    const STREAM_IN_MEMORY: usize = 1 << 20;

    pub fn read_all(&mut self) -> Result<(), Stopped> {
        let args = &self.shared.args;
        for path in &args.files {
            self.try_input(path, |reader| match path.as_os_str() == "-" {
                true => reader.read_stream(path, args.base.clone().unwrap_or_default(), Box::new(io::stdin())),
                false => reader.read_input(path, None),
            })?;
        }
        args.files_from.as_ref().map_or(Ok(()), |list| self.try_input(list, |reader| reader.read_listed(list)))
    }

    /// An error of `read` is queued as the problem of the input.
    fn try_input(&mut self, path: &Path, read: impl FnOnce(&mut Self) -> io::Result<()>) -> Result<(), Stopped> {
        match at_input(|| file_name(path), || read(self)) {
            Ok(()) => Ok(()),
            Err(error) if Stopped::is_cause(&error) => Err(Stopped),
            Err(error) => self.add_failed_input(path, error.to_string()),
        }
    }

    /// A line of the list that is not valid is queued as a problem.
    fn read_listed(&mut self, list: &Path) -> io::Result<()> {
        let Links { null, max_uri, .. } = &self.shared.args;
        let mut paths = PathList::new(open_list(list)?, if *null { 0 } else { b'\n' }, max_uri.0);
        while let Some(listed) = paths.next()? {
            match listed {
                Ok((path, uri)) => {
                    let path = path_of(path);
                    self.try_input(&path, |reader| reader.read_input(&path, uri.as_deref()))?;
                }
                Err(why) => self.add_failed_input(list, why)?,
            }
        }
        Ok(())
    }

    /// Reads a file or folder. `uri` is its URI from the list of `--files-from`, which is used instead of `--base`.
    fn read_input(&mut self, path: &Path, uri: Option<&str>) -> io::Result<()> {
        let metadata = fs::metadata(path).map_err(|error| with_advice(path, error, PIPE))?;
        if metadata.is_dir() {
            return self.read_folder(path, uri);
        }
        let kind = FileKind::of(path);
        if kind == FileKind::Archive {
            return self.read_archive_file(path, self.uri_of(path, uri).ok().flatten());
        }
        let mut opened = None;
        if metadata.is_file() && kind != FileKind::Page {
            let file = OpenedFile::new(path, &self.queue.claimant)?;
            if is_archive_start(path, &file.start.raw) {
                let OpenedFile { file, metadata, start } = file;
                let root = self.uri_of(path, uri).ok().flatten();
                return self.read_opened_archive(path, file, &metadata, &start.raw, root.as_deref());
            }
            opened = Some(Box::new(file));
        }
        if uri.is_none() && self.skip_if_bad_base()? {
            return Ok(());
        }
        let (listed, uri) = (uri, self.uri_of(path, uri)?);
        if listed.is_none() && uri.is_some() {
            let Shared { args, progress, .. } = self.shared;
            let count = if args.root_folder.is_some() { &progress.below_base } else { &progress.share_base };
            count.add(1);
        }
        if !metadata.is_file() {
            let file = File::open(path)?;
            return self.read_stream(path, uri.map_or_else(|| file_uri(path), Ok)?, Box::new(file));
        }
        Ok(self.add_job(Job::File { path: path.to_owned(), uri, must_sniff: false, opened })?)
    }

    /// Reads all files in a folder, and in the folders below it, that may be pages or archives by their names.
    fn read_folder(&mut self, folder: &Path, uri: Option<&str>) -> io::Result<()> {
        if uri.is_none() && self.skip_if_bad_base()? {
            return Ok(());
        }
        let Links { base, root_folder, no_ignore, .. } = &self.shared.args;
        let (base, place) = match (uri, root_folder) {
            (None, Some(root_folder)) => (base.as_deref(), path_below(root_folder, folder)?),
            _ => (uri.or(base.as_deref()), PathBuf::new()),
        };
        let is_below_base = uri.is_none() && base.is_some();
        let Progress { files_skipped, special_files, below_base, .. } = &self.shared.progress;
        for found in walk(folder, *no_ignore) {
            let (path, kind) = match found {
                Ok(WalkEntry { path, kind, .. }) => (path, kind),
                Err(Unreadable { path, error, .. }) => {
                    self.add_failed_input(&path, error.to_string())?;
                    continue;
                }
            };
            let named = FileKind::of(&path);
            match kind {
                EntryKind::File | EntryKind::Symlink if named == FileKind::Other => files_skipped.add(1),
                EntryKind::File => {
                    let below = place.join(path.strip_prefix(folder).unwrap_or(&path));
                    let uri = base.map(|base| self.uri_below(base, &below));
                    if named == FileKind::Archive {
                        self.try_input(&path, |reader| reader.read_archive_file(&path, uri))?;
                        continue;
                    }
                    below_base.add(is_below_base.into());
                    self.add_job(Job::File { path, uri, must_sniff: named == FileKind::Unknown, opened: None })?;
                }
                EntryKind::Symlink => self.add_failed_input(&path, why_unread(&path))?,
                EntryKind::OtherFolder(around) if path.is_symlink() && path.starts_with(&around) => {
                    self.add_failed_input(&path, format!("a symbolic link back to {}", file_name(&around)))?;
                }
                EntryKind::Special => special_files.add(1),
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the URI of a page or of the root of an archive: `listed`, which is from the list of `--files-from`, or the one that
    /// follows from `--base`. Fails if the file is not below `--root`. `None` if it has its own.
    fn uri_of(&self, path: &Path, listed: Option<&str>) -> io::Result<Option<String>> {
        let Links { base, root_folder, .. } = &self.shared.args;
        match (listed, base, root_folder) {
            (None, Some(base), Some(root_folder)) => Ok(Some(self.uri_below(base, &path_below(root_folder, path)?))),
            _ => Ok(listed.or(base.as_deref()).map(str::to_owned)),
        }
    }

    /// Returns the URI of a file of the site `base`. `path` is relative to the folder of the site. Without `--names`, counts a name that
    /// looks like one of wget.
    fn uri_below(&self, base: &str, path: &Path) -> String {
        let Shared { args, progress, .. } = self.shared;
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        progress.query_names.add((args.names.is_none() && split_query(name).is_some()).into());
        uri_below(base, path, args.index_of_mirror())
    }

    /// Reads a stream as an archive, if its first bytes show that it is one, and otherwise as a page, whose URI must not be empty.
    /// `name` is its name in lines and messages.
    fn read_stream(&mut self, name: &Path, uri: String, mut stream: Box<dyn Read + Send>) -> io::Result<()> {
        let mut start = FirstBytes::read(&mut stream, &self.queue.claimant)?;
        if start.raw.starts_with(ZIP_START) {
            return self.read_zip_stream(name, Some(uri), Box::new(io::Cursor::new(start.raw).chain(stream)));
        }
        let is_mhtml = is_mhtml(start.uncompressed());
        if let Some(kind) = other_kind(start.uncompressed()).filter(|_| !is_mhtml) {
            return Err(io::Error::other(format!("{kind}: not read")));
        }
        let is_archive = is_mhtml || start.is_archive_stream(&mut stream)?;
        let kind = PageKind::Unknown.of_start(start.uncompressed(), &uri);
        let input: Box<dyn Read + Send> = Box::new(io::Cursor::new(start.raw).chain(stream));
        if is_archive {
            return self.read_archive(name, input);
        }
        if uri.is_empty() {
            return Err(io::Error::other("a page on standard input has no URI of its own: give --base"));
        }
        let new_file = || ClaimedFile::create(&self.queue.claimant);
        let mut store = Store { in_memory: Self::STREAM_IN_MEMORY, new_file: &new_file, ..self.shared.store() };
        let mut page = Page::new(uri, store.store(input)?);
        page.kind = if kind == PageKind::None { PageKind::Unknown } else { kind };
        page.codings.extend(start.coding.map(str::to_owned));
        Ok(self.add_job(Job::Page(file_name(name).into(), Box::new(page)))?)
    }

    /// Reads a file that is known to be an archive, by its name or its first bytes. `root` is the URI of the root of an EPUB, which may
    /// also have one of its own. Fails also if an output would replace the file.
    fn read_archive_file(&mut self, path: &Path, root: Option<String>) -> io::Result<()> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        match (metadata.is_file(), has_zip_name(path)) {
            (true, _) => {
                let mut start = Vec::new();
                read_start(&mut file, &mut start)?;
                file.rewind()?;
                self.read_opened_archive(path, file, &metadata, &start, root.as_deref())
            }
            (false, true) => self.read_zip_stream(path, root, Box::new(file)),
            (false, false) => self.read_archive(path, Box::new(file)),
        }
    }

    /// `start` has the first bytes of the file.
    fn read_opened_archive(
        &mut self,
        path: &Path,
        file: File,
        metadata: &Metadata,
        start: &[u8],
        root: Option<&str>,
    ) -> io::Result<()> {
        self.shared.replaced.check(path, metadata)?;
        self.queue_archives(&self.queue.claimant.clone(), |reader| reader.read_file(path, Box::new(file), start, root))
    }

    /// Reads a WACZ or EPUB file that comes as a stream. Its directory is at its end, so the whole file is first written to a temporary
    /// file, which may take half of the budget of disk; pages may take the other half.
    fn read_zip_stream(&mut self, path: &Path, root: Option<String>, stream: Box<dyn Read + Send>) -> io::Result<()> {
        let claimant = &self.queue.claimant;
        let half = claimant.leaving_disk(claimant.max_disk() / 2);
        let new_file = || ClaimedFile::create(&half);
        // An EPUB without a name.
        let root = root.map(|root| if root.is_empty() { String::from("epub:///") } else { root });
        match (Store { max_page: u64::MAX, in_memory: 0, new_file: &new_file, ..Store::default() }.store(stream)) {
            Ok(PageBytes::File(zip)) => {
                self.queue_archives(&half, |reader| reader.read_zip(path, zip, root.as_deref()))
            }
            Ok(_) => Err(io::Error::other("it is empty")),
            Err(error) if Stopped::is_cause(&error) => Err(error),
            Err(error) => Err(io::Error::other(format!("a ZIP file in a stream needs a temporary file: {error}"))),
        }
    }

    fn read_archive(&mut self, path: &Path, stream: Box<dyn Read + Send>) -> io::Result<()> {
        let name = file_name(path).into();
        let captures = Captures::new(Box::new(Stream(stream)) as Box<dyn ReadSeek>);
        self.queue_archives(&self.queue.claimant.clone(), |reader| Ok(reader.read_archive(&name, captures)?))
    }

    fn queue_archives(
        &mut self,
        claimant: &Claimant,
        read: impl FnOnce(&mut ArchiveReader<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        read(&mut ArchiveReader::new(self.shared, claimant, &mut |job| self.add_job(job)))
    }

    /// True if `--base`, which the current input needs, is not valid: the caller must not read the input. The first time, queues the
    /// problem of the base, for which the writer counts the input as failed. Later, counts it as failed here.
    fn skip_if_bad_base(&mut self) -> Result<bool, Stopped> {
        let Some(why) = &mut self.bad_base else { return Ok(false) };
        let Shared { args, progress, .. } = self.shared;
        progress.inputs.add(1);
        if why.is_empty() {
            progress.failed.add(1);
        } else {
            let (input, why) = (base_option(args).into(), mem::take(why));
            self.add_job(Job::Problem(Problem::new(input, None, why)))?;
        }
        Ok(true)
    }

    /// Queues the problem of an input that cannot be read, for which the writer counts it as failed. If no more messages are written,
    /// only counts the input as failed.
    fn add_failed_input(&mut self, path: &Path, why: String) -> Result<(), Stopped> {
        let Shared { progress, .. } = self.shared;
        progress.inputs.add(1);
        if progress.messages_end.get() > 0 {
            progress.failed.add(1);
            progress.untold.add(1);
            return Ok(());
        }
        self.add_job(Job::Problem(Problem::new(file_name(path).into(), None, why)))
    }

    fn add_job(&mut self, job: Job) -> Result<(), Stopped> {
        let size = job.size();
        self.queue.add(job, size)
    }
}

/// Why a symbolic link leads to nothing.
fn why_unread(symlink: &Path) -> String {
    let target = fs::read_link(symlink).map(|target| file_name(&target)).unwrap_or_default();
    match fs::metadata(symlink) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => error.to_string(),
        _ => format!("a broken symbolic link to {target}"),
    }
}

/// One type with files, so that what reads archives is compiled once. It is never sought.
struct Stream(Box<dyn Read + Send>);

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

impl Seek for Stream {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::NotSeekable.into())
    }
}

/// The advice in the message about an input that is the URI of a page, not the name of a file.
const PIPE: &str = "curl -sL URI | relref links --base URI -";
/// The same for commands that do not read pages with a URI from standard input.
pub const SAVE_FIRST: &str = "save it first, as with curl or wget";

/// Adds the advice to the error about a file that does not exist, if its name is the URI of a page.
pub fn with_advice(path: &Path, error: io::Error, advice: &str) -> io::Error {
    match error.kind() {
        io::ErrorKind::NotFound if is_like_uri(path) => {
            io::Error::new(error.kind(), format!("{error}; relref reads files, and never fetches: {advice}"))
        }
        _ => error,
    }
}

fn is_like_uri(path: &Path) -> bool {
    path.to_str().is_some_and(|text| UriRef::new(text).scheme().is_some() && UriRef::new(text).authority().is_some())
}

/// The message about an invalid `--base`.
pub fn bad_base(args: &Links) -> Option<String> {
    new_base(args.base.as_deref()?, args.rules, args.nested).err()
}

/// As messages name it.
pub fn base_option(args: &Links) -> String {
    format!("--base {}", shown(args.base.as_deref().unwrap_or_default()))
}

/// Reports whether an input surely needs `--base`: a folder, or a file that is no archive.
pub fn needs_base(args: &Links) -> bool {
    let is_page = |file: &PathBuf| file.is_file() && FileKind::of(file) != FileKind::Archive && !is_archive_file(file);
    args.files.iter().any(|file| file.as_os_str() != "-" && (file.is_dir() || is_page(file)))
}

/// `None` if standard input or a list of inputs is among them.
pub fn total_bytes(args: &Links) -> Option<u64> {
    if args.files_from.is_some() || args.files.iter().any(|file| file.as_os_str() == "-") {
        return None;
    }
    let len = |path: &PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let is_read = |entry: &WalkEntry| entry.kind == EntryKind::File && FileKind::of(&entry.path) != FileKind::Other;
    let bytes = |input: &PathBuf| match input.is_dir() {
        true => walk(input, args.no_ignore).flatten().filter(is_read).map(|entry| len(&entry.path)).sum(),
        false => len(input),
    };
    Some(args.files.iter().map(bytes).sum())
}

fn walk(folder: &Path, no_ignore: bool) -> Walk {
    let walk = Walk::new(folder);
    if no_ignore { walk } else { walk.without_ignored() }
}
