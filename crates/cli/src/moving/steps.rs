//! The steps of a move: done in their order, put back after an error, and completed after a run that was killed.
//!
//! A journal in the root says which steps there are, from before the first until after the last.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, Error, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use relref::percent::{decode_leaving_illegal, encode};
use relref_links::files::{HeldFolder, is_new_file};

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

    /// Writes the journal. After an error, new contents are removed.
    pub fn begin(&self, root: &HeldFolder) -> io::Result<()> {
        self.write_journal(root).inspect_err(|_| self.remove_contents(root))
    }

    /// Does all steps after [`begin`](Self::begin). After an error, everything is as before, and new contents are removed. If something
    /// cannot be put back, the journal and the contents stay, by which the move can be completed.
    pub fn run(&self, root: &HeldFolder) -> io::Result<()> {
        let mut done = Vec::new();
        let failed = self.operations().find_map(|operation| match operation.run(root) {
            Ok(()) => {
                done.push(operation);
                None
            }
            Err(error) => Some(error),
        });
        let Some(error) = failed else { return self.end(root) };
        self.put_back(done, root)?;
        Err(error)
    }

    /// Undoes operations, the last one first, and leaves no trace of them. After an error, the journal and all contents stay.
    fn put_back(&self, done: Vec<Operation<'_>>, root: &HeldFolder) -> io::Result<()> {
        done.into_iter().rev().try_for_each(|operation| operation.put_back(root))?;
        self.remove_traces(root)
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
    fn check(&self, root: &HeldFolder) -> io::Result<()> {
        let pairs = self.renames.iter().chain(&self.contents).flatten();
        let is_below = |path: &PathBuf| path.ancestors().skip(1).all(|folder| !is_link(root, folder));
        let is_new = |[content, _]: &[PathBuf; 2]| {
            let found = root.around(content).and_then(|(folder, name)| folder.open_file(name));
            let is_missing = found.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound);
            is_new_file(content.file_name().unwrap_or_default()) && (found.is_ok() || is_missing)
        };
        let is_ours = pairs.chain(&self.folders).all(|path| is_below(path) && !is_of_git(path))
            && self.contents.iter().all(is_new)
            && !self.folders.iter().any(|folder| is_link(root, folder));
        let why = "it leads out of the root, or to what no move has written: it is left alone";
        if is_ours { Ok(()) } else { Err(Error::new(ErrorKind::InvalidData, why)) }
    }

    /// Completes what a run that was killed has left.
    pub fn complete(&self, root: &HeldFolder) -> io::Result<()> {
        self.check(root)?;
        let is_there = |path: &Path| is_there(root, path);
        for folder in &self.folders {
            root.make_below(folder).map_err(|error| about(folder, error))?;
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
                rename(root, content, page).map_err(|error| about(page, error))?;
            }
        }
        self.end(root)
    }

    /// The journal goes last: without it, a run that completes would take the references that are new for old ones.
    fn end(&self, root: &HeldFolder) -> io::Result<()> {
        self.remove_contents(root);
        root.remove_file(JOURNAL.as_ref())
    }

    /// When all is put back, the journal goes first: without it, what else is left means nothing.
    fn remove_traces(&self, root: &HeldFolder) -> io::Result<()> {
        root.remove_file(JOURNAL.as_ref())?;
        self.remove_contents(root);
        Ok(())
    }

    /// Removes new contents that no page got, and old ones.
    pub fn remove_contents(&self, root: &HeldFolder) {
        let remove = |path: &Path| root.around(path).and_then(|(folder, name)| folder.remove_file(name));
        let old_names = NewNames::new(self.renames.iter().map(|[old, new]| (&**new, &**old)));
        for [content, _] in &self.contents {
            for left in [content, &old_content(content)] {
                let _ = remove(left);
                // Before the renames, it is beside the old place of its page.
                let _ = remove(&old_names.of(left));
            }
        }
    }

    fn write_journal(&self, root: &HeldFolder) -> io::Result<()> {
        let journal = root.new_file(JOURNAL.as_ref(), None)?;
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
        // Not every file system has the lock that keeps another move out, whose journal must stay.
        match journal.finish_as_new().map_err(Error::from) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                Err(Error::new(error.kind(), format!("another move has begun: its {JOURNAL} is there")))
            }
            done => done,
        }
    }

    /// Reads the journal that a run has left; `None` if there is none.
    pub fn left(root: &HeldFolder) -> io::Result<Option<Self>> {
        let text = match root.open_file(JOURNAL.as_ref()) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Ok(mut file) => {
                let mut text = String::new();
                file.read_to_string(&mut text)?;
                text
            }
            _ => return Err(Error::new(ErrorKind::InvalidData, "this is not a journal of relref")),
        };
        let invalid = || Error::new(ErrorKind::InvalidData, "this is not a journal of this version of relref");
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
    fn run(self, root: &HeldFolder) -> io::Result<()> {
        match self {
            Operation::Folder(path) => match root.around(path).and_then(|(folder, name)| folder.make_folder(name)) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
                done => done.map_err(|error| about(path, error)),
            },
            Operation::Rename(old, new) => {
                // The system would replace a file, or an empty folder, that came there in the meantime.
                let real = |path: &Path| root.path().join(path).canonicalize().ok();
                if is_there(root, new) && real(new) != real(old) {
                    return Err(about(new, ErrorKind::AlreadyExists.into()));
                }
                rename(root, old, new).map_err(|error| about(new, error))
            }
            Operation::Keep(content, page) => keep(root, content, page).map_err(|error| about(page, error)),
            Operation::Replace(content, page) => rename(root, content, page).map_err(|error| about(page, error)),
        }
    }

    fn put_back(self, root: &HeldFolder) -> io::Result<()> {
        match self {
            // One that another process uses stays.
            Operation::Folder(path) => {
                root.around(path).and_then(|(folder, name)| folder.remove_folder(name)).or(Ok(()))
            }
            Operation::Rename(old, new) => rename(root, new, old),
            Operation::Keep(..) => Ok(()),
            Operation::Replace(content, page) => {
                // The new content keeps a name, so that a run that is killed here can be completed.
                rename(root, page, content)?;
                rename(root, &old_content(content), page)
            }
        }
    }
}

/// The paths are below the root, through no symbolic link.
fn rename(root: &HeldFolder, old: &Path, new: &Path) -> io::Result<()> {
    let ((folder, name), (new_folder, new_name)) = (root.around(old)?, root.around(new)?);
    folder.rename(name, &new_folder, new_name)
}

fn is_there(root: &HeldFolder, path: &Path) -> bool {
    root.around(path).is_ok_and(|(folder, name)| folder.is_folder(name).is_some())
}

fn is_link(root: &HeldFolder, path: &Path) -> bool {
    root.around(path).is_ok_and(|(folder, name)| folder.read_link(name).is_ok())
}

/// Gives the old content of a page its second name, which is beside the new one.
fn keep(root: &HeldFolder, content: &Path, page: &Path) -> io::Result<()> {
    let kept = old_content(content);
    let ((folder, name), (to, kept)) = (root.around(page)?, root.around(&kept)?);
    match folder.hard_link(name, &to, kept) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => keep_copy([&folder, &to], [name, kept]),
        done => done,
    }
}

/// Not all file systems give a file two names. If the copy is put back, it is the page, so it has all that the page has.
fn keep_copy([folder, to]: [&HeldFolder; 2], [name, kept]: [&OsStr; 2]) -> io::Result<()> {
    let (mut old, copy) = (folder.open_file(name)?, to.new_file(kept, None)?);
    copy.keep_permissions(&old)?;
    io::copy(&mut old, &mut copy.as_file())?;
    Ok(copy.finish()?)
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
    use std::fs;

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
        let held = &HeldFolder::open(folder.path()).unwrap();
        steps.begin(held).and_then(|()| steps.run(held)).unwrap();
        let expected = tree(folder.path());
        let files = ["a.md", "новая/a.md", "новая/книга/docs/c.md", "новая/книга/docs/d.md"];
        assert_eq!(expected, files.into_iter().zip(["B", "A", "C", "d"]).map(|(a, b)| (a.into(), b.into())).collect());
        for count in 0..=steps.operations().count() {
            let (folder, steps) = site();
            let (held, root) = (&HeldFolder::open(folder.path()).unwrap(), folder.path());
            steps.write_journal(held).unwrap();
            steps.operations().take(count).for_each(|operation| operation.run(held).unwrap());
            let left = MoveSteps::left(held).unwrap().unwrap();
            assert_eq!(left, steps);
            left.complete(held).unwrap();
            assert_eq!(tree(root), expected, "after {count} steps");
            assert_eq!(MoveSteps::left(held).unwrap(), None);
        }
    }

    /// A folder that becomes a symbolic link out of the root stops the move, which is then put back as far as that goes.
    #[cfg(unix)]
    #[test]
    fn no_step_leads_through_a_new_symbolic_link() {
        let (folder, steps) = site();
        let (held, root, outside) =
            (HeldFolder::open(folder.path()).unwrap(), folder.path(), tempfile::tempdir().unwrap());
        fs::create_dir_all(outside.path().join("docs")).unwrap();
        fs::write(outside.path().join("docs/c.md"), "theirs").unwrap();
        for count in 0..steps.operations().count() {
            // The link comes after a number of steps, for each folder of the tree.
            for name in ["docs", "новая", "новая/книга"] {
                let (folder, steps) = site();
                let (held, root) = (HeldFolder::open(folder.path()).unwrap(), folder.path());
                steps.operations().take(count).for_each(|operation| operation.run(&held).unwrap());
                if fs::rename(root.join(name), root.join("kept")).is_ok() {
                    std::os::unix::fs::symlink(outside.path(), root.join(name)).unwrap();
                }
                let _ = steps.operations().skip(count).try_for_each(|operation| operation.run(&held));
                steps.remove_contents(&held);
            }
        }
        assert_eq!(tree(outside.path()), BTreeMap::from([("docs/c.md".to_owned(), "theirs".to_owned())]));
        // Without a link, all is done.
        steps.begin(&held).and_then(|()| steps.run(&held)).unwrap();
        assert!(root.join("новая/книга/docs/c.md").exists());
    }

    #[test]
    fn an_error_at_any_step_puts_all_back() {
        let count = site().1.operations().count();
        for failing in 0..count {
            let (folder, steps) = site();
            let (held, root) = (&HeldFolder::open(folder.path()).unwrap(), folder.path());
            let before: BTreeMap<_, _> =
                tree(root).into_iter().filter(|(name, _)| !name.contains(".relref-")).collect();
            // What is in the way of a step appears only when the step before it is done.
            steps.write_journal(held).unwrap();
            let done: Vec<_> = steps.operations().take(failing).collect();
            done.iter().for_each(|operation| operation.run(held).unwrap());
            steps.put_back(done, held).unwrap();
            assert_eq!(tree(root), before, "at step {failing}");
            assert!(!root.join("новая").exists());
        }
        let (folder, steps) = site();
        let (held, root) = (&HeldFolder::open(folder.path()).unwrap(), folder.path());
        fs::remove_file(root.join(".relref-cccccccc.tmp")).unwrap();
        steps.begin(held).unwrap();
        assert!(steps.run(held).is_err());
        assert_eq!(tree(root).into_keys().collect::<Vec<_>>(), ["a.md", "b.md", "docs/c.md", "docs/d.md"]);
    }

    #[test]
    fn what_cannot_be_put_back_can_be_completed() {
        for in_the_way in ["b.md", "docs"] {
            let (folder, steps) = site();
            let (held, root) = (&HeldFolder::open(folder.path()).unwrap(), folder.path());
            steps.write_journal(held).unwrap();
            let done: Vec<_> = steps.operations().collect();
            done.iter().for_each(|operation| operation.run(held).unwrap());
            fs::create_dir_all(root.join(in_the_way).join("theirs")).unwrap();
            assert!(steps.put_back(done, held).is_err());
            fs::remove_dir_all(root.join(in_the_way)).unwrap();
            let left = MoveSteps::left(held).unwrap().unwrap();
            left.complete(held).unwrap();
            let expected = ["a.md", "новая/a.md", "новая/книга/docs/c.md", "новая/книга/docs/d.md"];
            assert_eq!(tree(root).into_keys().collect::<Vec<_>>(), expected, "{in_the_way}");
            let texts = expected.map(|name| fs::read_to_string(root.join(name)).unwrap());
            assert_eq!(texts, ["B", "A", "C", "d"], "{in_the_way}");
        }
    }

    #[test]
    fn the_journal_of_another_move_stays() {
        let (folder, steps) = site();
        let (held, root) = (&HeldFolder::open(folder.path()).unwrap(), folder.path());
        fs::write(root.join(JOURNAL), "theirs").unwrap();
        assert_eq!(steps.begin(held).unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(root.join(JOURNAL)).unwrap(), "theirs");
        assert_eq!(fs::read_to_string(root.join("b.md")).unwrap(), "b");
    }

    /// A stand-in for a file system without second names.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_kept_copy_has_the_attributes_of_its_page() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let (page, held) = (folder.path().join("a.md"), &HeldFolder::open(folder.path()).unwrap());
        fs::write(&page, "text").unwrap();
        fs::set_permissions(&page, fs::Permissions::from_mode(0o641)).unwrap();
        let has_attributes =
            rustix::fs::setxattr(&page, "user.relref", b"value", rustix::fs::XattrFlags::empty()).is_ok();
        keep_copy([held, held], ["a.md".as_ref(), ".relref-aaaaaaaa.old".as_ref()]).unwrap();
        let kept = folder.path().join(".relref-aaaaaaaa.old");
        assert_eq!(fs::read_to_string(&kept).unwrap(), "text");
        assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o7777, 0o641);
        let mut value = [0; 8];
        assert!(!has_attributes || rustix::fs::getxattr(&kept, "user.relref", &mut value[..]) == Ok(5));
    }
}
