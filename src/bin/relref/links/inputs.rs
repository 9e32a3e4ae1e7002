//! What is given: files, folders, standard input and archives, made into items of work in their order.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::{DirEntry, WalkDir};

use super::members::is_gzip;
use super::pool::{Feed, Gone, Problem};
use super::progress::Progress;
use super::spool::{Bytes, spool};
use super::tape::{Input, Tape};
use crate::args::Links;
use crate::file_uri::escaped;
use crate::output::quoted;

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
    pub input: Arc<str>,
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
        let done = match list.to_str() {
            Some("-") => self.listed(&mut io::stdin().lock()),
            _ => match File::open(list) {
                Ok(file) => self.listed(&mut io::BufReader::new(file)),
                Err(error) => Ok(Err(error)),
            },
        };
        match done? {
            Ok(()) => Ok(()),
            Err(error) => self.problem(list, error.to_string()),
        }
    }

    /// A list of paths, one a line; with NUL between them if there is a NUL in its first block.
    fn listed(&mut self, list: &mut dyn BufRead) -> Result<io::Result<()>, Gone> {
        let end = match list.fill_buf() {
            Ok(block) if block.contains(&0) => 0,
            Ok(_) => b'\n',
            Err(error) => return Ok(Err(error)),
        };
        let mut line = Vec::new();
        loop {
            line.clear();
            match list.read_until(end, &mut line) {
                Ok(0) => return Ok(Ok(())),
                Err(error) => return Ok(Err(error)),
                Ok(_) => {}
            }
            let path = line.strip_suffix(&[end]).unwrap_or(&line);
            let path = if end == 0 { path } else { path.strip_suffix(b"\r").unwrap_or(path) };
            if !path.is_empty() {
                self.given(&path_of(path))?;
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
        for entry in WalkDir::new(root).follow_links(true).sort_by_file_name() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    let path = error.path().unwrap_or(root).to_owned();
                    let why = match (error.loop_ancestor(), error.io_error()) {
                        (Some(ancestor), _) => format!("a link back to {}", quoted(&ancestor.to_string_lossy())),
                        (None, Some(error)) => error.to_string(),
                        (None, None) => error.to_string(),
                    };
                    self.problem(&path, why)?;
                    continue;
                }
            };
            if !entry.file_type().is_file() {
                continue;
            }
            let path = entry.path();
            let unsure = match kind(path) {
                Name::Page => false,
                Name::Nothing => true,
                Name::Archive => {
                    self.archive_file(path)?;
                    continue;
                }
                Name::Other => continue,
            };
            let uri = self.args.base.as_ref().map(|base| {
                let slash = if base.ends_with('/') { "" } else { "/" };
                format!("{base}{slash}{}", escaped(path.strip_prefix(root).unwrap_or(path)))
            });
            self.feed.push(Item::File(PageFile { path: entry.into_path(), uri, unsure }))?;
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
                input: "-".into(),
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

/// How many bytes the inputs have, if none of them is a stream or a list.
pub fn total_bytes(args: &Links) -> Option<u64> {
    if args.files_from.is_some() || args.files.iter().any(|file| file.as_os_str() == "-") {
        return None;
    }
    let walk = |file| WalkDir::new(file).follow_links(true).into_iter().flatten();
    let wanted =
        |entry: &DirEntry| entry.file_type().is_file() && (entry.depth() == 0 || kind(entry.path()) != Name::Other);
    let len = |entry: DirEntry| entry.metadata().map_or(0, |metadata| metadata.len());
    Some(args.files.iter().flat_map(walk).filter(wanted).map(len).sum())
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

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}
