//! The steps of a move: done in their order, put back after an error, and completed after a run that was killed.
//!
//! A journal in the root says which steps there are, from before the first until after the last.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Error, ErrorKind, Write};
use std::path::{Path, PathBuf};

use relref::percent::{decode_leaving_illegal, encode};
use relref_links::files::NewFile;

use super::pairs::Pair;

/// The name of the journal.
pub const JOURNAL: &str = ".relref-move";

/// The first line of a journal, which tells the version of its format.
const HEAD: &str = "relref move 1";

/// All paths are relative to the root.
#[derive(Debug, Default, PartialEq)]
pub struct Steps {
    /// Folders that new names need, the outer ones first.
    pub folders: Vec<PathBuf>,
    /// Old and new names.
    pub renames: Vec<[PathBuf; 2]>,
    /// New contents, as they are named after the renames, and the pages that get them.
    pub contents: Vec<[PathBuf; 2]>,
}

impl Steps {
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
        Steps { folders, renames, contents: Vec::new() }
    }

    /// Does all steps. After an error, everything is as before.
    pub fn run(&self, root: &Path) -> io::Result<()> {
        self.write_journal(root)?;
        let (mut renamed, mut replaced) = (0, 0);
        let done = self.try_all(root, &mut renamed, &mut replaced);
        if done.is_err() {
            // If something cannot be put back, the journal stays, by which the move can be completed.
            self.put_back(root, renamed, replaced)?;
        }
        self.remove_traces(root)?;
        done
    }

    fn try_all(&self, root: &Path, renamed: &mut usize, replaced: &mut usize) -> io::Result<()> {
        for folder in &self.folders {
            match fs::create_dir(root.join(folder)) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                done => done.map_err(|error| about(folder, error))?,
            }
        }
        for [old, new] in &self.renames {
            let to = root.join(new);
            // The system would replace a file, or an empty folder, that came there in the meantime.
            if to.symlink_metadata().is_ok() && to.canonicalize().ok() != root.join(old).canonicalize().ok() {
                return Err(about(new, ErrorKind::AlreadyExists.into()));
            }
            fs::rename(root.join(old), to).map_err(|error| about(new, error))?;
            *renamed += 1;
        }
        for [content, page] in &self.contents {
            keep_old(&root.join(page), &root.join(old_content(content))).map_err(|error| about(page, error))?;
            fs::rename(root.join(content), root.join(page)).map_err(|error| about(page, error))?;
            *replaced += 1;
        }
        Ok(())
    }

    fn put_back(&self, root: &Path, renamed: usize, replaced: usize) -> io::Result<()> {
        for [content, page] in self.contents[..replaced].iter().rev() {
            // The new content keeps a name, so that a run that is killed here can be completed.
            fs::rename(root.join(page), root.join(content))?;
            fs::rename(root.join(old_content(content)), root.join(page))?;
        }
        for [old, new] in self.renames[..renamed].iter().rev() {
            fs::rename(root.join(new), root.join(old))?;
        }
        for folder in self.folders.iter().rev() {
            // One that another process uses stays.
            let _ = fs::remove_dir(root.join(folder));
        }
        Ok(())
    }

    /// Completes what a run that was killed has left.
    pub fn complete(&self, root: &Path) -> io::Result<()> {
        let is_there = |path: &Path| root.join(path).symlink_metadata().is_ok();
        for folder in &self.folders {
            fs::create_dir_all(root.join(folder)).map_err(|error| about(folder, error))?;
        }
        // A name may have been that of an earlier step, so that only the last ones are still to do.
        let next = self.renames.iter().rposition(|[old, new]| is_there(new) && !is_there(old)).map_or(0, |at| at + 1);
        for [old, new] in &self.renames[next..] {
            if is_there(old) {
                fs::rename(root.join(old), root.join(new)).map_err(|error| about(new, error))?;
            }
        }
        for [content, page] in &self.contents {
            if is_there(content) {
                fs::rename(root.join(content), root.join(page)).map_err(|error| about(page, error))?;
            }
        }
        self.remove_traces(root)
    }

    /// The journal goes first: without it, what else is left means nothing.
    fn remove_traces(&self, root: &Path) -> io::Result<()> {
        fs::remove_file(root.join(JOURNAL))?;
        self.remove_contents(root);
        Ok(())
    }

    /// Removes new contents that no page got, and old ones.
    pub fn remove_contents(&self, root: &Path) {
        for [content, _] in &self.contents {
            for left in [content, &old_content(content)] {
                // Before the renames, it is beside the old place of its page.
                let before = self.renames.iter().find_map(|[old, new]| Some(old.join(left.strip_prefix(new).ok()?)));
                let _ = fs::remove_file(root.join(left));
                let _ = before.map(|left| fs::remove_file(root.join(left)));
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
        let mut steps = Steps::default();
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

/// The name under which the old content of a page is kept until all is done.
fn old_content(content: &Path) -> PathBuf {
    content.with_extension("old")
}

/// Gives a file a second name, or copies it where files cannot have two.
fn keep_old(page: &Path, kept: &Path) -> io::Result<()> {
    fs::hard_link(page, kept).or_else(|_| {
        fs::copy(page, kept)?;
        File::open(kept)?.sync_all()
    })
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
