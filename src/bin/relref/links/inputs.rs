//! What is given: files, folders, standard input and archives, made into items of work in their order.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use relref::archive::members::is_gzip;
use relref::archive::record;
use relref::archive::rewind::{Input, Rewind};

use super::archives::Archives;
use super::body_store::{Bytes, spool};
use super::list::List;
use super::names::path_of;
use super::pool::{JobQueue, Problem, Stopped};
use super::progress::Progress;
use super::target::Replaced;
use super::walk::{Unread, Walk};
use crate::args::Links;
use crate::escape::file_name;
use crate::file_uri::{escaped, file_uri};

/// A piece of work.
pub enum Item {
    File(PageFile),
    Page(Box<Page>),
    Problem(Problem),
}

/// A file that is or may be a page.
pub struct PageFile {
    pub path: PathBuf,
    /// The URI of the page; its own `file:` URI without one.
    pub uri: Option<String>,
    /// Whether its name does not say that it is one.
    pub unsure: bool,
}

/// A page that is not in a file of its own.
pub struct Page {
    /// The input that it comes from, and where in it the record starts.
    pub input: Arc<Path>,
    pub offset: Option<u64>,
    pub uri: String,
    pub bytes: Bytes,
    pub codings: Vec<String>,
    pub charset: Option<String>,
    /// Whether nothing says that it is a page.
    pub unsure: bool,
    /// Whether it is known to be cut, so that its codings need not end well.
    pub truncated: bool,
}

impl Item {
    /// The size of an item that holds a file: files that are open are dear too.
    const OPEN: usize = 128 << 10;

    /// Returns the bytes of memory that it takes.
    pub fn size(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::capacity);
        let parts = match self {
            Item::File(file) => file.path.capacity() + text(&file.uri),
            Item::Problem(problem) => problem.size(),
            Item::Page(page) => {
                let codings = page.codings.iter().map(|coding| size_of::<String>() + coding.capacity()).sum::<usize>();
                let bytes = match &page.bytes {
                    Bytes::Memory(bytes) => bytes.capacity(),
                    Bytes::File(..) => Self::OPEN,
                };
                size_of::<Page>() + page.uri.capacity() + text(&page.charset) + codings + bytes
            }
        };
        size_of::<Item>() + parts
    }
}

/// Walks the inputs.
pub struct Inputs<'f> {
    pub args: Arc<Links>,
    pub progress: Arc<Progress>,
    pub replaced: Arc<Replaced>,
    pub feed: &'f mut JobQueue<Item>,
}

impl Inputs<'_> {
    pub fn run(&mut self) -> Result<(), Stopped> {
        let args = Arc::clone(&self.args);
        for file in &args.files {
            if file.as_os_str() == "-" {
                let uri = args.base.clone().unwrap_or_default();
                self.stream(file, uri, Box::new(io::stdin()))?;
            } else {
                self.given(file)?;
            }
        }
        let Some(list) = &args.files_from else { return Ok(()) };
        let mut lines = match list.to_str() {
            Some("-") => List::new(Box::new(io::stdin().lock())),
            _ => match File::open(list) {
                Ok(file) => List::new(Box::new(io::BufReader::new(file))),
                Err(error) => return self.problem(list, error.to_string()),
            },
        };
        loop {
            match lines.next() {
                Ok(None) => return Ok(()),
                Ok(Some(Ok(path))) => self.given(&path_of(path))?,
                Ok(Some(Err(why))) => self.problem(list, why)?,
                Err(error) => return self.problem(list, error.to_string()),
            }
        }
    }

    fn given(&mut self, path: &Path) -> Result<(), Stopped> {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => return self.problem(path, error.to_string()),
        };
        if metadata.is_dir() {
            return self.folder(path);
        }
        let name = kind(path);
        if name == Name::Archive || metadata.is_file() && name != Name::Page && starts_archive_file(path) {
            return self.archive_file(path);
        }
        if !metadata.is_file() {
            return match File::open(path).and_then(|file| Ok((file, self.uri_of(path)?))) {
                Ok((file, uri)) => self.stream(path, uri, Box::new(file)),
                Err(error) => self.problem(path, error.to_string()),
            };
        }
        self.push(Item::File(PageFile { path: path.to_owned(), uri: self.args.base.clone(), unsure: false }))
    }

    fn uri_of(&self, path: &Path) -> io::Result<String> {
        self.args.base.clone().map_or_else(|| file_uri(path), Ok)
    }

    fn folder(&mut self, root: &Path) -> Result<(), Stopped> {
        for found in Walk::new(root) {
            let path = match found {
                Ok(path) => path,
                Err(Unread { path, why }) => {
                    self.problem(&path, why)?;
                    continue;
                }
            };
            let unsure = match kind(&path) {
                Name::Page => false,
                Name::Nothing => true,
                Name::Archive => {
                    self.archive_file(&path)?;
                    continue;
                }
                Name::Other => continue,
            };
            let uri = self.args.base.as_ref().map(|base| {
                let slash = if base.ends_with('/') { "" } else { "/" };
                format!("{base}{slash}{}", escaped(path.strip_prefix(root).unwrap_or(&path)))
            });
            self.push(Item::File(PageFile { path, uri, unsure }))?;
        }
        Ok(())
    }

    /// Reads a page, or an archive if it starts like one.
    fn stream(&mut self, name: &Path, uri: String, stream: Box<dyn Read + Send>) -> Result<(), Stopped> {
        let mut input = Rewind::new(Input::Stream(stream));
        let archive = match input.peek(record::START.len()) {
            Ok(start) => starts_archive(start),
            Err(error) => return self.problem(name, error.to_string()),
        };
        if archive {
            return self.archive(name, input);
        }
        match spool(input, Vec::new(), 1 << 20, self.args.max_page.0, &self.feed.disk()) {
            Err(error) => self.problem(name, error.to_string()),
            Ok(None) => self.problem(name, self.args.max_page.exceeded()),
            Ok(Some(bytes)) => self.push(Item::Page(Box::new(Page {
                input: name.into(),
                offset: None,
                uri,
                bytes,
                codings: Vec::new(),
                charset: None,
                unsure: false,
                truncated: false,
            }))),
        }
    }

    fn archive_file(&mut self, path: &Path) -> Result<(), Stopped> {
        let file = File::open(path).and_then(|file| {
            self.replaced.check(path, &file.metadata()?)?;
            Ok(file)
        });
        match file {
            Err(error) => self.problem(path, error.to_string()),
            Ok(file) => self.archive(path, Rewind::new(Input::File(file))),
        }
    }

    fn archive(&mut self, path: &Path, input: Rewind) -> Result<(), Stopped> {
        let disk = &self.feed.disk();
        let queue = &mut *self.feed;
        let push = &mut |item: Item| {
            let size = item.size();
            queue.push(item, size)
        };
        Archives { args: &self.args, progress: &self.progress, disk, push }.read(path, input)
    }

    fn push(&mut self, item: Item) -> Result<(), Stopped> {
        let size = item.size();
        self.feed.push(item, size)
    }

    /// Reports an input that cannot be read.
    fn problem(&mut self, path: &Path, why: String) -> Result<(), Stopped> {
        self.progress.inputs.add(1);
        self.push(Item::Problem(Problem { input: file_name(path), offset: None, why }))
    }
}

/// Returns how many bytes the inputs have, if none of them is a stream or a list.
pub fn total_bytes(args: &Links) -> Option<u64> {
    if args.files_from.is_some() || args.files.iter().any(|file| file.as_os_str() == "-") {
        return None;
    }
    let len = |path: &PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let bytes = |given: &PathBuf| match given.is_dir() {
        true => Walk::new(given).flatten().map(|path| len(&path)).sum(),
        false => len(given),
    };
    Some(args.files.iter().map(bytes).sum())
}

/// Reports whether a file of this name may be a page or an archive.
pub fn may_be_read(path: &Path) -> bool {
    kind(path) != Name::Other
}

/// Reports whether what starts with these bytes is read as an archive.
fn starts_archive(start: &[u8]) -> bool {
    is_gzip(start) || start.starts_with(record::START)
}

fn starts_archive_file(path: &Path) -> bool {
    let mut start = [0; record::START.len()];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok() && starts_archive(&start))
}

/// What a file's name says of it.
#[derive(PartialEq)]
enum Name {
    Page,
    Archive,
    Other,
    Nothing,
}

fn kind(path: &Path) -> Name {
    let name = path.file_name().unwrap_or_default().to_ascii_lowercase();
    let name = name.as_encoded_bytes();
    if name.ends_with(b".warc") || name.ends_with(b".warc.gz") {
        return Name::Archive;
    }
    match path.extension().map(OsStr::to_ascii_lowercase).as_deref().map(OsStr::as_encoded_bytes) {
        Some(b"html" | b"htm" | b"xhtml") => Name::Page,
        Some(_) => Name::Other,
        None => Name::Nothing,
    }
}
