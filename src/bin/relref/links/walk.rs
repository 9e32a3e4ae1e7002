//! The files in a folder and in the folders below it, in the order of their names; each folder is read once.

use std::fs::{self, FileType};
use std::io;
use std::path::{MAIN_SEPARATOR_STR, Path, PathBuf};

use super::body_store::temporary;
use super::inputs::may_be_read;
use super::name_stack::NameStack;
use super::names::{Kind, Names, bytes_of, path_of};
use super::trees::{Leads, Trees};

const NOT_UNICODE: &str = "its name is not Unicode";

/// A walk through a folder. There is no limit to how many names it has, nor to how deep it is.
pub struct Walk {
    root: PathBuf,
    /// The names that are still to be visited, the next on top. The end of a folder lies under what is in it.
    stack: NameStack,
    /// The path of the folder that is being read, with a separator at its end.
    path: Vec<u8>,
    trees: Trees,
    /// Problems that are still to be told.
    unread: Vec<Unread>,
    name: Vec<u8>,
    started: bool,
}

/// A path that cannot be read, and why.
pub struct Unread {
    pub path: PathBuf,
    pub why: String,
}

impl Unread {
    fn new(path: &Path, why: impl ToString) -> Self {
        Unread { path: path.to_owned(), why: why.to_string() }
    }
}

impl Walk {
    pub fn new(root: &Path) -> Self {
        Walk {
            root: root.to_owned(),
            stack: NameStack::default(),
            path: Vec::new(),
            trees: Trees::new(root),
            unread: Vec::new(),
            name: Vec::new(),
            started: false,
        }
    }

    fn start(&mut self) -> Result<(), Unread> {
        self.started = true;
        // With a separator, where one is needed.
        let prefix = self.root.join("").into_os_string();
        self.path = bytes_of(prefix).map_err(|_| Unread::new(&self.root, NOT_UNICODE))?;
        let root = self.root.clone();
        self.read(&root)
    }

    /// Visits the name that was popped. Returns the path of a file.
    fn visit(&mut self, mut kind: Kind) -> Result<Option<PathBuf>, Unread> {
        if let Kind::End | Kind::EndOfLink = kind {
            self.path.truncate(self.path.len() - self.name.len());
            if let Kind::EndOfLink = kind {
                self.trees.leave();
            }
            return Ok(None);
        }
        let path = path_of(&[&self.path[..], &self.name[..]].concat());
        if let Kind::Unknown = kind {
            let metadata = fs::symlink_metadata(&path).map_err(|error| Unread::new(&path, error))?;
            match kind_of(metadata.file_type()) {
                Some(known) => kind = known,
                None => return Ok(None),
            }
        }
        match kind {
            Kind::File => return Ok(Some(path)),
            Kind::Folder if !self.trees.is_tree(&path) => self.enter(&path, Kind::End)?,
            Kind::Link => {
                let metadata = fs::metadata(&path).map_err(|error| Unread::new(&path, error))?;
                if !metadata.is_dir() {
                    return Ok((metadata.is_file() && may_be_read(&path)).then_some(path));
                }
                match self.trees.follow(&path).map_err(|error| Unread::new(&path, error))? {
                    Leads::Back(why) => return Err(Unread::new(&path, why)),
                    Leads::Known => {}
                    Leads::Out => self.enter(&path, Kind::EndOfLink)?,
                }
            }
            _ => {}
        }
        Ok(None)
    }

    /// Goes into the folder whose name was popped.
    fn enter(&mut self, path: &Path, end: Kind) -> Result<(), Unread> {
        self.name.extend_from_slice(MAIN_SEPARATOR_STR.as_bytes());
        self.path.extend_from_slice(&self.name);
        self.stack.push(end, &self.name).map_err(|error| self.broken(error))?;
        self.read(path)
    }

    /// Puts the names in a folder on the stack.
    fn read(&mut self, folder: &Path) -> Result<(), Unread> {
        let mut names = Names::new();
        for entry in fs::read_dir(folder).map_err(|error| Unread::new(folder, error))? {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.unread.push(Unread::new(folder, error));
                    break;
                }
            };
            let Some(kind) = entry.file_type().map_or(Some(Kind::Unknown), kind_of) else { continue };
            let name = match bytes_of(entry.file_name()) {
                Ok(name) => name,
                Err(name) => {
                    self.unread.push(Unread::new(&folder.join(name), NOT_UNICODE));
                    continue;
                }
            };
            if matches!(kind, Kind::File) && !may_be_read(&path_of(&name)) {
                continue;
            }
            names.add(kind, &name).map_err(|error| self.broken(error))?;
        }
        let stack = &mut self.stack;
        names.each(|kind, name| stack.push(kind, name)).map_err(|error| self.broken(error))
    }

    /// Ends the walk: what it had to remember is lost.
    fn broken(&mut self, error: io::Error) -> Unread {
        self.stack = NameStack::default();
        Unread::new(&self.root, temporary(error))
    }
}

/// Gives paths of files whose names do not say that they are of no use.
impl Iterator for Walk {
    type Item = Result<PathBuf, Unread>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.started {
            if let Err(unread) = self.start() {
                return Some(Err(unread));
            }
        }
        loop {
            if let Some(unread) = self.unread.pop() {
                return Some(Err(unread));
            }
            let kind = match self.stack.pop(&mut self.name) {
                Ok(kind) => kind?,
                Err(error) => return Some(Err(self.broken(error))),
            };
            match self.visit(kind) {
                Ok(None) => {}
                Ok(Some(path)) => return Some(Ok(path)),
                Err(unread) => return Some(Err(unread)),
            }
        }
    }
}

/// Returns the kind of a name in a folder, or `None` if it is neither a file nor a folder nor a link.
fn kind_of(of: FileType) -> Option<Kind> {
    match () {
        () if of.is_file() => Some(Kind::File),
        () if of.is_dir() => Some(Kind::Folder),
        () if of.is_symlink() => Some(Kind::Link),
        () => None,
    }
}
