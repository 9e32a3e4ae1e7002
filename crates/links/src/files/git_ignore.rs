//! What git ignores.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::Gitignore;
use walkdir::DirEntry;

/// The rules of a repository, found while its folders are walked from above.
pub(super) struct GitIgnore {
    /// The rules of each folder that has some, and whether it is the root of a repository.
    folders: HashMap<PathBuf, (Gitignore, bool)>,
    /// The folder of the walk, as its canonical path.
    folder: PathBuf,
    /// The folder outside of which no rules count.
    top: PathBuf,
    /// The rules of the user, for all repositories.
    global: Gitignore,
    /// How many more bytes of rules are read. A rule takes some hundred bytes for each of its own.
    left: u64,
}

/// The most bytes of all rules of a repository. Those that go beyond it do not count.
const MAX_LEN: u64 = 256 << 10;

impl GitIgnore {
    /// `None` outside of any repository: git ignores nothing there. If the folder is ignored itself, only rules in it count.
    pub(super) fn of(folder: &Path) -> Option<Self> {
        let folder = folder.canonicalize().ok()?;
        let repository = folder.ancestors().find(|folder| folder.join(".git").exists())?.to_owned();
        let mut rules = GitIgnore {
            folders: HashMap::new(),
            folder: folder.clone(),
            top: repository,
            global: Gitignore::global().0,
            left: MAX_LEN,
        };
        let below = folder.ancestors().take_while(|folder| folder.join(".git").symlink_metadata().is_err());
        if below.into_iter().any(|folder| rules.has(folder, true)) {
            rules.top = folder;
        }
        Some(rules)
    }

    /// Reports whether git ignores what a walk has found below a folder, whose canonical path is `real`: empty for the folder of the walk.
    pub(super) fn has_found(&mut self, folder: &Path, real: &Path, found: &DirEntry) -> bool {
        let below = found.path().strip_prefix(folder).unwrap_or(found.path());
        let real = if real.as_os_str().is_empty() { &self.folder } else { real };
        self.has(&real.join(below), found.file_type().is_dir())
    }

    /// Reports whether git ignores a file, or a folder with all in it. The path is canonical, and none of the folders above is ignored.
    pub(super) fn has(&mut self, path: &Path, is_folder: bool) -> bool {
        if path.file_name().is_some_and(|name| name == ".git") {
            return true;
        }
        for folder in path.ancestors().skip(1).take_while(|folder| folder.starts_with(&self.top)) {
            let left = &mut self.left;
            let (rules, is_root) = self.folders.entry(folder.to_owned()).or_insert_with(|| rules_of(folder, left));
            match rules.matched(path, is_folder) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None if *is_root => break,
                Match::None => {}
            }
        }
        self.global.matched(path, is_folder).is_ignore()
    }
}

fn rules_of(folder: &Path, left: &mut u64) -> (Gitignore, bool) {
    let is_root = folder.join(".git").exists();
    let mut builder = ignore::gitignore::GitignoreBuilder::new(folder);
    // The last rule that matches counts.
    let files = [is_root.then_some(".git/info/exclude"), Some(".gitignore")];
    for file in files.into_iter().flatten().map(|name| folder.join(name)) {
        // Like git, it follows no symbolic link to rules: one could lead to a device without an end.
        let found = file.symlink_metadata().ok().filter(|found| found.is_file());
        if let Some(rest) = found.and_then(|found| left.checked_sub(found.len())) {
            *left = rest;
            builder.add(file);
        }
    }
    (builder.build().unwrap_or_else(|_| Gitignore::empty()), is_root)
}
