//! The names of the files of a site, and the file that a path leads to.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::Unread;
use super::alike::{Alike, AlikePaths, lower, normal_form};
use super::contents::Contents;
use super::paths::{Paths, path_of};
use crate::files::{EntryKind, Unreadable, Walk};
use crate::page::{FileKind, MARKDOWN_ENDINGS, PageBytes, PageKind};
use crate::rewrite::Renames;
use crate::rewrite::renaming::path_bytes;

/// A folder comes before what is in it.
pub(super) struct Files {
    pub(super) root: PathBuf,
    pub(super) contents: Contents,
    paths: Paths,
    // This is read for each link: small enough to stay in the cache of the processor, as the paths are not.
    entries: Vec<(FileEntry, Ending)>,
    /// The paths to which symbolic links lead, by their numbers: those of folders of the site, also of folders outside that the walk found at
    /// another path.
    folder_symlinks: HashMap<u32, Box<[u8]>>,
    /// The new names of the files, if those here are the old ones.
    renames: Option<Renames>,
    // These are made when first needed: in a site that works, few or none are looked up.
    /// The paths of all files and folders, in lower case.
    by_lower_path: OnceLock<AlikePaths>,
    /// The paths that are not US-ASCII, in the normalization form C.
    by_normal_form: OnceLock<AlikePaths>,
    /// The last names of all files and folders, in lower case.
    by_lower_name: OnceLock<AlikePaths>,
}

/// The kind of thing at a path.
#[derive(Clone, Copy, Debug)]
enum FileEntry {
    File(FileKind),
    Folder,
    FolderSymlink,
}

/// The end of a path, as far as fragments depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Markdown,
    /// A page of rustdoc with source code.
    RustSource,
    Svg,
    Other,
}

impl Ending {
    fn of(path: &[u8]) -> Self {
        let name = last_name(path);
        let ending = memchr::memrchr(b'.', name).map_or(&[][..], |dot| &name[dot + 1..]);
        match ending {
            b"html" if name.ends_with(b".rs.html") => Ending::RustSource,
            b"html" => Ending::Other,
            b"svg" => Ending::Svg,
            _ if MARKDOWN_ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known.as_bytes())) => Ending::Markdown,
            _ => Ending::Other,
        }
    }
}

/// Where a path leads. The numbers are those of files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Found {
    File(u32),
    /// The index file of a folder.
    Index {
        file: u32,
        is_without_slash: bool,
    },
    FolderWithoutIndex {
        folder: u32,
    },
    Nothing,
}

/// A longer path is not looked for: no system has one.
const MAX_PATH_LEN: usize = 64 << 10;

/// The most symbolic links, one leading to the next, that are followed: as many as systems follow.
const MAX_SYMLINKS: usize = 40;

impl Files {
    /// Walks the folder. What cannot be read is in the second result.
    pub(super) fn walk(root: &Path, git_ignore: bool) -> io::Result<(Files, Vec<Unread>)> {
        if !fs::metadata(root)?.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is neither a folder nor an EPUB"));
        }
        let mut unread = Vec::new();
        let mut files = Files::new(root.to_owned(), Contents::Folder);
        let walk = Walk::new(root);
        for found in if git_ignore { walk.without_ignored() } else { walk } {
            let found = match found {
                Ok(found) => found,
                Err(Unreadable { path, error }) => {
                    unread.push(Unread { path, why: error.to_string() });
                    continue;
                }
            };
            let path = below(root, &found.path);
            let (entry, target) = match found.kind {
                EntryKind::File => (FileEntry::File(FileKind::of(&found.path)), None),
                EntryKind::Folder => (FileEntry::Folder, None),
                EntryKind::OtherFolder(place) => (FileEntry::FolderSymlink, Some(place)),
                // A broken symbolic link is a missing file; a pipe or a device is no part of a site.
                EntryKind::Symlink | EntryKind::Special => continue,
            };
            let number = files.add(&path, entry)?;
            files.folder_symlinks.extend(target.map(|target| (number, (&*below(root, &target)).into())));
        }
        Ok((files, unread))
    }

    /// Lists contents that are in no folder. `root` is what stands before their paths.
    pub(super) fn of_contents(root: PathBuf, contents: Contents) -> io::Result<Files> {
        let entry = |path: &[u8], is_folder| match (is_folder, contents.kind_of(path)) {
            (true, _) => FileEntry::Folder,
            (_, Some(PageKind::Html | PageKind::Xml)) => FileEntry::File(FileKind::Page),
            (_, Some(PageKind::Css)) => FileEntry::File(FileKind::Css),
            _ => FileEntry::File(FileKind::of(&path_of(path))),
        };
        let paths: Vec<_> =
            contents.paths().into_iter().map(|(path, is_folder)| (entry(&path, is_folder), path)).collect();
        let mut files = Files::new(root, contents);
        paths.into_iter().try_for_each(|(entry, path)| files.add(&path, entry).map(drop))?;
        Ok(files)
    }

    /// Returns an empty root.
    fn new(root: PathBuf, contents: Contents) -> Files {
        let mut paths = Paths::default();
        paths.insert(b"");
        Files {
            root,
            contents,
            paths,
            entries: vec![(FileEntry::Folder, Ending::Other)],
            folder_symlinks: HashMap::new(),
            renames: None,
            by_lower_path: OnceLock::new(),
            by_normal_form: OnceLock::new(),
            by_lower_name: OnceLock::new(),
        }
    }

    /// Adds what is at a path, unless something is there already, and returns its number.
    fn add(&mut self, path: &[u8], entry: FileEntry) -> io::Result<u32> {
        if u32::try_from(self.entries.len()).is_err() {
            return Err(io::Error::other("it has more than 4 billion files"));
        }
        let number = self.paths.insert(path);
        if number as usize == self.entries.len() {
            self.entries.push((entry, Ending::of(path)));
        }
        Ok(number)
    }

    /// Returns the numbers of the files that may be pages, by their names.
    pub(super) fn pages(&self) -> Vec<u32> {
        let is_page = |file: &u32| matches!(self.kind(*file), FileKind::Page | FileKind::Css | FileKind::Unknown);
        (0..self.len() as u32).filter(is_page).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &[u8]> + Clone {
        self.paths.iter().map(|(_, path)| path)
    }

    pub(super) fn index_of_root(&self, index: &[String]) -> Option<u32> {
        match self.find(b"", true, None, index) {
            Found::Index { file, .. } => Some(file),
            _ => None,
        }
    }

    /// HTML, or a file whose name does not say that it is something else.
    pub(super) fn may_be_html(&self, file: u32) -> bool {
        matches!(self.kind(file), FileKind::Page | FileKind::Unknown)
    }

    pub(super) fn is_markdown(&self, file: u32) -> bool {
        self.ending(file) == Ending::Markdown
    }

    pub(super) fn ending(&self, file: u32) -> Ending {
        self.entries.get(file as usize).map_or(Ending::Other, |(_, ending)| *ending)
    }

    /// Returns the numbers of the first of these names that a folder has, in any case.
    pub(super) fn first_in(&self, folder: &[u8], names: &[&str]) -> Option<u32> {
        let slash = if folder.is_empty() { "" } else { "/" };
        names.iter().find_map(|name| {
            let path = [folder, slash.as_bytes(), name.as_bytes()].concat();
            let other = || self.get(self.in_other_case(&path)?.0);
            match self.get(&path).or_else(other) {
                Some((file, FileEntry::File(_))) => Some(file),
                _ => None,
            }
        })
    }

    /// Returns the numbers of the file with this path, which may be relative to the current folder, or of the pages in the folder there.
    pub(super) fn pages_at(&self, path: &Path) -> io::Result<Option<Vec<u32>>> {
        let pages = |below: &Path| match self.get(&path_bytes(below))? {
            (number, FileEntry::File(_)) => Some(vec![number]),
            (folder, _) => {
                let mut folder = self.path(folder).to_vec();
                folder.extend((!folder.is_empty()).then_some(b'/'));
                Some(self.pages().into_iter().filter(|page| self.path(*page).starts_with(&folder)).collect())
            }
        };
        if let Some(found) = path.strip_prefix(&self.root).ok().and_then(pages) {
            return Ok(Some(found));
        }
        let root = fs::canonicalize(&self.root)?;
        Ok(fs::canonicalize(path)?.strip_prefix(root).ok().and_then(pages))
    }

    pub(super) fn file_at(&self, path: &[u8]) -> Option<u32> {
        self.get(path).filter(|(_, entry)| matches!(entry, FileEntry::File(_))).map(|(number, _)| number)
    }

    pub(super) fn kind(&self, file: u32) -> FileKind {
        match self.entries.get(file as usize) {
            Some((FileEntry::File(kind), _)) => *kind,
            _ => FileKind::Other,
        }
    }

    /// Relative to the root.
    pub(super) fn path(&self, file: u32) -> &[u8] {
        self.paths.get(file)
    }

    /// Names the files as before they were renamed. `None` if two would have one name.
    pub(super) fn before(mut self, renames: Renames) -> Option<Files> {
        let mut old = Paths::default();
        self.paths().for_each(|path| {
            old.insert(&renames.old_path(path));
        });
        self.entries.iter_mut().zip(old.iter()).for_each(|((_, ending), (_, path))| *ending = Ending::of(path));
        (self.paths, self.renames) = (old, Some(renames));
        (self.paths.len() == self.entries.len()).then_some(self)
    }

    /// The path of a file before it was renamed, by where it is now.
    pub(super) fn old_path<'p>(&self, path: &'p [u8]) -> Cow<'p, [u8]> {
        self.renames.as_ref().map_or(Cow::Borrowed(path), |renames| renames.old_path(path))
    }

    /// Where the file is now.
    pub(super) fn full_path(&self, path: &[u8]) -> PathBuf {
        let path = match &self.renames {
            Some(renames) => renames.new_path(path),
            None => Cow::Borrowed(path),
        };
        self.contents.shown(&self.root, &path)
    }

    /// Opens a file. Few bytes are in memory, in `buffer`.
    pub(super) fn open(&self, file: u32, buffer: Vec<u8>) -> io::Result<PageBytes> {
        let path = self.path(file);
        self.contents.open(path, &self.full_path(path), buffer)
    }

    pub(super) fn byte_len(&self, file: u32) -> u64 {
        let path = self.path(file);
        self.contents.len_of(path, &self.full_path(path))
    }

    /// Returns the file at a path without a slash at its end, or the index of the folder there. A folder needs a slash.
    pub(super) fn find(&self, path: &[u8], has_slash: bool, query: Option<&[u8]>, index: &[String]) -> Found {
        if path.len() > MAX_PATH_LEN {
            return Found::Nothing;
        }
        let number = |path: &[u8]| self.get(path).map(|(number, _)| number);
        let with_query = |path: &[u8]| number(&[path, b"?", query?].concat());
        if !has_slash {
            if let Some(file) = with_query(path) {
                return Found::File(file);
            }
        }
        match self.get(path) {
            Some((file, FileEntry::File(_))) if !has_slash => Found::File(file),
            Some((number, FileEntry::Folder)) => {
                let folder = self.path(number);
                let slash = if folder.is_empty() { "" } else { "/" };
                let found = index.iter().find_map(|name| {
                    let path = [folder, slash.as_bytes(), name.as_bytes()].concat();
                    with_query(&path).or_else(|| match self.get(&path) {
                        Some((file, FileEntry::File(_))) => Some(file),
                        _ => None,
                    })
                });
                let is_without_slash = !has_slash;
                found.map_or(Found::FolderWithoutIndex { folder: number }, |file| Found::Index {
                    file,
                    is_without_slash,
                })
            }
            _ => Found::Nothing,
        }
    }

    /// Follows symbolic links to folders.
    fn get(&self, path: &[u8]) -> Option<(u32, FileEntry)> {
        let get = |path: &[u8]| self.paths.number(path).map(|number| (number, self.entries[number as usize].0));
        let mut path = Cow::Borrowed(path);
        for _ in 0..MAX_SYMLINKS {
            let (symlink, rest) = match get(&path) {
                Some((symlink, FileEntry::FolderSymlink)) => (symlink, &[][..]),
                None if !self.folder_symlinks.is_empty() => {
                    // Up to the first folder that does not exist: to look up each part of a long path would take quadratic time.
                    let ends = memchr::memchr_iter(b'/', &path);
                    let mut folders = ends.map_while(|end| Some((get(&path[..end])?, end)));
                    folders.find_map(|((folder, entry), end)| match entry {
                        FileEntry::FolderSymlink => Some((folder, &path[end..])),
                        _ => None,
                    })?
                }
                found => return found,
            };
            let target = self.folder_symlinks.get(&symlink)?;
            let rest = if target.is_empty() { rest.strip_prefix(b"/").unwrap_or(rest) } else { rest };
            path = Cow::Owned([target, rest].concat());
        }
        None
    }

    /// Returns the path of a file or folder that differs in case only, in the whole path, and whether there is no other.
    pub(super) fn in_other_case(&self, path: &[u8]) -> Option<(&[u8], bool)> {
        self.other(self.by_lower_path().get(path)?, path)
    }

    /// Reports whether no other file or folder has this path but for case or its Unicode normalization form.
    pub(super) fn is_only_alike(&self, path: &[u8]) -> bool {
        let all = [self.by_lower_path(), self.by_normal_form()];
        all.iter().all(|alike| alike.get(path).is_none_or(|alike| alike.is_only))
    }

    /// Finds a path that is not US-ASCII by its normalization form. Also tells whether it is the only one.
    pub(super) fn in_other_form(&self, path: &[u8]) -> Option<(&[u8], bool)> {
        if path.is_ascii() {
            return None;
        }
        self.other(self.by_normal_form().get(path)?, path)
    }

    fn other(&self, Alike { last, is_only }: Alike, path: &[u8]) -> Option<(&[u8], bool)> {
        Some((self.path(last), is_only)).filter(|(found, _)| *found != path)
    }

    fn by_lower_path(&self) -> &AlikePaths {
        self.by_lower_path.get_or_init(|| AlikePaths::new(self.paths.iter(), lower))
    }

    fn by_normal_form(&self) -> &AlikePaths {
        let others = self.paths.iter().filter(|(_, path)| !path.is_ascii());
        self.by_normal_form.get_or_init(|| AlikePaths::new(others, normal_form))
    }

    /// Returns the path of the only file or folder whose last name is that of `path`, in any case.
    pub(super) fn only_of_same_name(&self, path: &[u8]) -> Option<&[u8]> {
        let names = self.paths.iter().map(|(number, path)| (number, last_name(path)));
        let by_name = self.by_lower_name.get_or_init(|| AlikePaths::new(names, lower));
        by_name.get(last_name(path)).filter(|alike| alike.is_only).map(|alike| self.path(alike.last))
    }

    /// Returns the paths of the first files and folders in the folder of `path`.
    pub(super) fn beside(&self, path: &[u8]) -> impl Iterator<Item = &[u8]> {
        let folder = &path[..path.len() - last_name(path).len()];
        let start =
            self.get(folder.strip_suffix(b"/").unwrap_or(folder)).map_or(usize::MAX, |(number, _)| number as usize);
        let below = (start.saturating_add(1)..self.entries.len()).map(|number| self.path(number as u32));
        let below = below.take(MAX_BESIDE).take_while(move |found| found.starts_with(folder));
        below.filter(move |found| !found[folder.len()..].contains(&b'/'))
    }

    pub(super) fn has(&self, path: &[u8]) -> bool {
        self.get(path).is_some()
    }
}

/// Returns the part of a path of a walk below its root.
fn below<'p>(root: &Path, path: &'p Path) -> Cow<'p, [u8]> {
    // The walk joins names to the path of the root: where a slash separates them, the rest is the path.
    match path.as_os_str().as_encoded_bytes().strip_prefix(root.as_os_str().as_encoded_bytes()) {
        Some(rest) if cfg!(unix) => rest.strip_prefix(b"/").unwrap_or(rest).into(),
        _ => path_bytes(path.strip_prefix(root).unwrap_or(path)).into(),
    }
}

/// The number of files that are looked at for one that is meant.
const MAX_BESIDE: usize = 2000;

pub(super) fn last_name(path: &[u8]) -> &[u8] {
    &path[memchr::memrchr(b'/', path).map_or(0, |slash| slash + 1)..]
}
