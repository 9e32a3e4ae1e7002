//! What is given: files, folders, standard input and archives, made into items of work in their order.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::list::List;
use super::members::is_gzip;
use super::names::path_of;
use super::pool::{Feed, Gone, Problem};
use super::progress::Progress;
use super::spool::{Bytes, spool};
use super::tape::{Input, Tape};
use super::walk::{Untold, Walk};
use crate::args::Links;
use crate::file_uri::escaped;

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
    /// The memory that it holds, or more if it holds a file.
    pub fn memory(&self) -> usize {
        match self {
            Item::Page(page) => match &page.bytes {
                Bytes::Memory(bytes) => bytes.len(),
                // A job of its own: files that are open are dear too.
                Bytes::File(_) => usize::MAX,
            },
            _ => 0,
        }
    }
}

/// Walks the inputs.
pub struct Inputs<'f> {
    pub args: Arc<Links>,
    pub progress: Arc<Progress>,
    pub feed: &'f mut Feed,
}

impl Inputs<'_> {
    pub fn run(&mut self) -> Result<(), Gone> {
        let args = Arc::clone(&self.args);
        for file in &args.files {
            if file.as_os_str() == "-" { self.stdin()? } else { self.given(file)? }
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

    fn given(&mut self, path: &Path) -> Result<(), Gone> {
        match fs::metadata(path) {
            Err(error) => self.problem(path, error.to_string()),
            Ok(metadata) if metadata.is_dir() => self.folder(path),
            Ok(_) if kind(path) == Name::Archive => self.archive_file(path),
            Ok(_) => self.feed.push(Item::File(PageFile {
                path: path.to_owned(),
                uri: self.args.base.clone(),
                unsure: false,
            })),
        }
    }

    fn folder(&mut self, root: &Path) -> Result<(), Gone> {
        for found in Walk::new(root) {
            let path = match found {
                Ok(path) => path,
                Err(Untold { path, why }) => {
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
            self.feed.push(Item::File(PageFile { path, uri, unsure }))?;
        }
        Ok(())
    }

    /// A page, or an archive if it starts like one.
    fn stdin(&mut self) -> Result<(), Gone> {
        let mut tape = Tape::new(Input::Stream(Box::new(io::stdin())));
        let name = Path::new("-");
        let archive = match tape.peek(5) {
            Ok(start) => is_gzip(start) || start == b"WARC/",
            Err(error) => return self.problem(name, error.to_string()),
        };
        if archive {
            return self.archive(name, tape);
        }
        match spool(tape, Vec::new(), 1 << 20, self.args.max_page.0) {
            Err(error) => self.problem(name, error.to_string()),
            Ok(None) => self.problem(name, self.args.max_page.exceeded()),
            Ok(Some(bytes)) => self.feed.push(Item::Page(Box::new(Page {
                input: name.into(),
                offset: None,
                uri: self.args.base.clone().unwrap_or_default(),
                bytes,
                codings: Vec::new(),
                charset: None,
                unsure: false,
                truncated: false,
            }))),
        }
    }

    fn archive_file(&mut self, path: &Path) -> Result<(), Gone> {
        match File::open(path) {
            Err(error) => self.problem(path, error.to_string()),
            Ok(file) => self.archive(path, Tape::new(Input::File(file))),
        }
    }

    /// An input that cannot be read.
    pub fn problem(&mut self, path: &Path, why: String) -> Result<(), Gone> {
        self.progress.inputs.add(1);
        self.feed.push(Item::Problem(Problem { input: path.to_string_lossy().into_owned(), offset: None, why }))
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
