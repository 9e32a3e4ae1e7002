//! The steps of a move: done in their order, put back after an error, and completed after a run that was killed.
//!
//! A journal in the root says which steps there are, from before the first until after the last.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

use relref::percent::{decode_leaving_illegal, encode};
use relref_links::files::{NewFile, is_new_file};

use super::pairs::{Pair, is_of_git};

/// The name of the journal.
pub const JOURNAL: &str = ".relref-move";

/// The first line of a journal, which tells the version of its format.
const HEAD: &str = "relref move 1";

/// All paths are relative to the root.
#[derive(Debug, Default, PartialEq)]
pub struct MoveSteps {
    /// Folders that new names need, the outer ones first.
    pub folders: Vec<PathBuf>,
    /// Old and new names.
    pub renames: Vec<[PathBuf; 2]>,
    /// New contents, as they are named after the renames, and the pages that get them.
    pub contents: Vec<[PathBuf; 2]>,
}

impl MoveSteps {
    /// The steps that give files their names, below a root.
    pub fn of(pairs: &[Pair], root: &Path) -> Self {
        let mut folders = Vec::new();
        for pair in pairs {
            let missing = pair.new.ancestors().skip(1).take_while(|folder| !root.join(folder).exists());
            let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
            missing.retain(|folder| !folders.contains(folder));
            folders.extend(missing.into_iter().rev());
        }
        let renames = pairs.iter().map(|pair| [pair.old.clone(), pair.new.clone()]).collect();
        MoveSteps { folders, renames, contents: Vec::new() }
    }

    /// Does all steps. After an error, everything is as before.
    pub fn run(&self, root: &Path) -> io::Result<()> {
        self.write_journal(root)?;
        let mut done = Vec::new();
        let failed = self.operations().find_map(|operation| match operation.run(root) {
            Ok(()) => {
                done.push(operation);
                None
            }
            Err(error) => Some(error),
        });
        if failed.is_some() {
            // If something cannot be put back, the journal stays, by which the move can be completed.
            done.into_iter().rev().try_for_each(|operation| operation.put_back(root))?;
            self.remove_traces(root)?;
        } else {
            self.end(root)?;
        }
        failed.map_or(Ok(()), Err)
    }

    fn operations(&self) -> impl Iterator<Item = Operation<'_>> {
        let folders = self.folders.iter().map(|folder| Operation::Folder(folder));
        let renames = self.renames.iter().map(|[old, new]| Operation::Rename(old, new));
        let contents =
            self.contents.iter().flat_map(|[new, page]| [Operation::Keep(new, page), Operation::Replace(new, page)]);
        folders.chain(renames).chain(contents)
    }

    /// Reports whether a run of this program can have written these steps: a journal may come with files from a stranger. Each name is
    /// reached through no symbolic link, and contents are new files.
    fn check(&self, root: &Path) -> io::Result<()> {
        let pairs = self.renames.iter().chain(&self.contents).flatten();
        let is_below = |path: &PathBuf| {
            let mut folders = path.ancestors().skip(1);
            folders.all(|folder| !root.join(folder).symlink_metadata().is_ok_and(|found| found.is_symlink()))
        };
        let is_new = |[content, _]: &[PathBuf; 2]| {
            let found = root.join(content).symlink_metadata();
            is_new_file(content.file_name().unwrap_or_default()) && found.map_or(true, |found| found.is_file())
        };
        let is_link = |folder: &PathBuf| root.join(folder).is_symlink();
        let is_ours = pairs.chain(&self.folders).all(|path| is_below(path) && !is_of_git(path))
            && self.contents.iter().all(is_new)
            && !self.folders.iter().any(is_link);
        let why = "it leads out of the root, or to what no move has written: it is left alone";
        if is_ours { Ok(()) } else { Err(Error::new(ErrorKind::InvalidData, why)) }
    }

    /// Completes what a run that was killed has left.
    pub fn complete(&self, root: &Path) -> io::Result<()> {
        self.check(root)?;
        let is_there = |path: &Path| root.join(path).symlink_metadata().is_ok();
        for folder in &self.folders {
            fs::create_dir_all(root.join(folder)).map_err(|error| about(folder, error))?;
        }
        // A name may have been that of an earlier step, so that only the last ones are still to do.
        let next = self.renames.iter().rposition(|[old, new]| is_there(new) && !is_there(old)).map_or(0, |at| at + 1);
        for [old, new] in &self.renames[next..] {
            if is_there(old) {
                Operation::Rename(old, new).run(root)?;
            }
        }
        for [content, page] in &self.contents {
            if is_there(content) {
                fs::rename(root.join(content), root.join(page)).map_err(|error| about(page, error))?;
            }
        }
        self.end(root)
    }

    /// The journal goes last: without it, a run that completes would take the references that are new for old ones.
    fn end(&self, root: &Path) -> io::Result<()> {
        self.remove_contents(root);
        fs::remove_file(root.join(JOURNAL))
    }

    /// When all is put back, the journal goes first: without it, what else is left means nothing.
    fn remove_traces(&self, root: &Path) -> io::Result<()> {
        fs::remove_file(root.join(JOURNAL))?;
        self.remove_contents(root);
        Ok(())
    }

    /// Removes new contents that no page got, and old ones.
    pub fn remove_contents(&self, root: &Path) {
        let old_names = NewNames::new(self.renames.iter().map(|[old, new]| (&**new, &**old)));
        for [content, _] in &self.contents {
            for left in [content, &old_content(content)] {
                let _ = fs::remove_file(root.join(left));
                // Before the renames, it is beside the old place of its page.
                let _ = fs::remove_file(root.join(old_names.of(left)));
            }
        }
    }

    fn write_journal(&self, root: &Path) -> io::Result<()> {
        let journal = NewFile::beside(&root.join(JOURNAL), None)?;
        let mut text = format!("{HEAD}\n");
        for folder in &self.folders {
            text += &format!("folder\t{}\n", encoded(folder));
        }
        for (kind, pairs) in [("rename", &self.renames), ("content", &self.contents)] {
            for [from, to] in pairs {
                text += &format!("{kind}\t{}\t{}\n", encoded(from), encoded(to));
            }
        }
        journal.as_file().write_all(text.as_bytes())?;
        Ok(journal.finish()?)
    }

    /// Reads the journal that a run has left; `None` if there is none.
    pub fn left(root: &Path) -> io::Result<Option<Self>> {
        let path = root.join(JOURNAL);
        let text = match path.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            found if found.as_ref().is_ok_and(fs::Metadata::is_file) => fs::read_to_string(path)?,
            _ => return Err(Error::new(ErrorKind::InvalidData, "it is no journal of relref")),
        };
        let invalid = || Error::new(ErrorKind::InvalidData, "it is no journal of this version of relref");
        let mut lines = text.lines();
        lines.next().filter(|line| *line == HEAD).ok_or_else(invalid)?;
        let mut steps = MoveSteps::default();
        for line in lines {
            let fields: Vec<&str> = line.split('\t').collect();
            match fields[..] {
                ["folder", folder] => steps.folders.push(decoded(folder).ok_or_else(invalid)?),
                [kind @ ("rename" | "content"), from, to] => {
                    let pair = [decoded(from).ok_or_else(invalid)?, decoded(to).ok_or_else(invalid)?];
                    if kind == "rename" { &mut steps.renames } else { &mut steps.contents }.push(pair);
                }
                _ => return Err(invalid()),
            }
        }
        Ok(Some(steps))
    }
}

/// The places that files have when those, or folders above them, have other names.
#[derive(Debug, Default)]
pub struct NewNames(HashMap<PathBuf, PathBuf>);

impl NewNames {
    pub fn new<'p>(names: impl Iterator<Item = (&'p Path, &'p Path)>) -> Self {
        NewNames(names.map(|(from, to)| (from.to_owned(), to.to_owned())).collect())
    }

    pub fn of(&self, path: &Path) -> PathBuf {
        let found = path.ancestors().find_map(|folder| Some((self.0.get(folder)?, path.strip_prefix(folder).ok()?)));
        match found {
            Some((new, rest)) if rest.as_os_str().is_empty() => new.clone(),
            Some((new, rest)) => new.join(rest),
            None => path.to_owned(),
        }
    }
}

/// A step that the file system does at once.
#[derive(Clone, Copy)]
enum Operation<'s> {
    Folder(&'s Path),
    Rename(&'s Path, &'s Path),
    /// Gives the old content of a page a second name, by the name of the new content.
    Keep(&'s Path, &'s Path),
    Replace(&'s Path, &'s Path),
}

impl Operation<'_> {
    fn run(self, root: &Path) -> io::Result<()> {
        match self {
            Operation::Folder(folder) => match fs::create_dir(root.join(folder)) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
                done => done.map_err(|error| about(folder, error)),
            },
            Operation::Rename(old, new) => {
                let to = root.join(new);
                // The system would replace a file, or an empty folder, that came there in the meantime.
                if to.symlink_metadata().is_ok() && to.canonicalize().ok() != root.join(old).canonicalize().ok() {
                    return Err(about(new, ErrorKind::AlreadyExists.into()));
                }
                fs::rename(root.join(old), to).map_err(|error| about(new, error))
            }
            Operation::Keep(content, page) => {
                let (page, kept) = (root.join(page), root.join(old_content(content)));
                // Not all file systems give a file two names.
                let kept = fs::hard_link(&page, &kept).or_else(|_| {
                    fs::copy(&page, &kept)?;
                    File::open(&kept)?.sync_all()
                });
                kept.map_err(|error| about(&page, error))
            }
            Operation::Replace(content, page) => {
                fs::rename(root.join(content), root.join(page)).map_err(|error| about(page, error))
            }
        }
    }

    fn put_back(self, root: &Path) -> io::Result<()> {
        match self {
            // One that another process uses stays.
            Operation::Folder(folder) => fs::remove_dir(root.join(folder)).or(Ok(())),
            Operation::Rename(old, new) => fs::rename(root.join(new), root.join(old)),
            Operation::Keep(..) => Ok(()),
            Operation::Replace(content, page) => {
                // The new content keeps a name, so that a run that is killed here can be completed.
                fs::rename(root.join(page), root.join(content))?;
                fs::rename(root.join(old_content(content)), root.join(page))
            }
        }
    }
}

/// The name under which the old content of a page is kept until all is done.
fn old_content(content: &Path) -> PathBuf {
    content.with_extension("old")
}

fn about(path: &Path, error: Error) -> Error {
    crate::output::file_error(path, error)
}

fn encoded(path: &Path) -> String {
    encode(path.as_os_str().as_encoded_bytes()).to_string()
}

/// `None` if it leads out of the root.
fn decoded(text: &str) -> Option<PathBuf> {
    let bytes = decode_leaving_illegal(text).to_bytes().into_owned();
    #[cfg(unix)]
    let path: OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes);
    #[cfg(not(unix))]
    let path = OsString::from(String::from_utf8(bytes).ok()?);
    let path = PathBuf::from(path);
    path.components().all(|part| matches!(part, std::path::Component::Normal(_))).then_some(path)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The files below a folder, with their contents.
    fn tree(root: &Path) -> BTreeMap<String, String> {
        let files = relref_links::files::Walk::new(root).map(|found| found.unwrap().path).filter(|path| path.is_file());
        let name = |path: &Path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        files.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
    }

    /// A folder of two pages gets another name in a new folder, and so does a page beside it, whose name another takes.
    fn site() -> (tempfile::TempDir, MoveSteps) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir(root.join("docs")).unwrap();
        for (file, text) in [("a.md", "a"), ("b.md", "b"), ("docs/c.md", "c"), ("docs/d.md", "d")] {
            fs::write(root.join(file), text).unwrap();
        }
        let pairs = [("a.md", "новая/a.md"), ("b.md", "a.md"), ("docs", "новая/книга/docs")];
        let pairs = pairs.map(|(old, new)| Pair { old: old.into(), new: new.into(), is_done: false });
        let mut steps = MoveSteps::of(&pairs, root);
        for (staged, content, page, text) in [
            (".relref-aaaaaaaa.tmp", ".relref-aaaaaaaa.tmp", "новая/a.md", "A"),
            ("docs/.relref-bbbbbbbb.tmp", "новая/книга/docs/.relref-bbbbbbbb.tmp", "новая/книга/docs/c.md", "C"),
            (".relref-cccccccc.tmp", ".relref-cccccccc.tmp", "a.md", "B"),
        ] {
            fs::write(root.join(staged), text).unwrap();
            steps.contents.push([content.into(), page.into()]);
        }
        (folder, steps)
    }

    #[test]
    fn a_run_that_is_killed_after_any_step_is_completed() {
        let (folder, steps) = site();
        steps.run(folder.path()).unwrap();
        let expected = tree(folder.path());
        let files = ["a.md", "новая/a.md", "новая/книга/docs/c.md", "новая/книга/docs/d.md"];
        assert_eq!(expected, files.into_iter().zip(["B", "A", "C", "d"]).map(|(a, b)| (a.into(), b.into())).collect());
        for count in 0..=steps.operations().count() {
            let (folder, steps) = site();
            let root = folder.path();
            steps.write_journal(root).unwrap();
            steps.operations().take(count).for_each(|operation| operation.run(root).unwrap());
            let left = MoveSteps::left(root).unwrap().unwrap();
            assert_eq!(left, steps);
            left.complete(root).unwrap();
            assert_eq!(tree(root), expected, "after {count} steps");
            assert_eq!(MoveSteps::left(root).unwrap(), None);
        }
    }

    #[test]
    fn an_error_at_any_step_puts_all_back() {
        let count = site().1.operations().count();
        for failing in 0..count {
            let (folder, steps) = site();
            let root = folder.path();
            let before: BTreeMap<_, _> =
                tree(root).into_iter().filter(|(name, _)| !name.contains(".relref-")).collect();
            // What is in the way of a step appears only when the step before it is done.
            steps.write_journal(root).unwrap();
            let done: Vec<_> = steps.operations().take(failing).collect();
            done.iter().for_each(|operation| operation.run(root).unwrap());
            done.into_iter().rev().for_each(|operation| operation.put_back(root).unwrap());
            steps.remove_traces(root).unwrap();
            assert_eq!(tree(root), before, "at step {failing}");
            assert!(!root.join("новая").exists());
        }
        let (folder, steps) = site();
        let root = folder.path();
        fs::remove_file(root.join(".relref-cccccccc.tmp")).unwrap();
        assert!(steps.run(root).is_err());
        assert_eq!(tree(root).into_keys().collect::<Vec<_>>(), ["a.md", "b.md", "docs/c.md", "docs/d.md"]);
    }
}
