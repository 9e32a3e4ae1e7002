//! The replacement of a file by a new one, at once.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::Builder;

use super::HeldFolder;
#[cfg(unix)]
use super::attributes;

/// The start of the names of new files: no walk takes one as a page.
const PREFIX: &str = ".relref-";
const SUFFIX: &str = ".tmp";
/// The end of the name of an old file that is kept until others are replaced, too.
const OLD_SUFFIX: &str = ".old";
const RANDOM_LEN: usize = 8;

/// A new file, which gets its name when it is complete. Dropped before, it leaves nothing.
///
/// ```
/// use std::io::Write;
/// use relref_links::files::NewFile;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("a.html");
/// let new = NewFile::beside(&path, None)?;
/// new.as_file().write_all(b"<a href=b>")?;
/// assert!(!path.exists());
/// new.finish()?;
/// assert_eq!(std::fs::read(path)?, b"<a href=b>");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct NewFile {
    file: File,
    /// The name that it has until it is complete.
    new_path: PathBuf,
    /// It has its name, or keeps the new one.
    is_kept: bool,
    /// Where `file` is.
    folder: HeldFolder,
    /// Where its name will be: `None` for `folder`.
    other_folder: Option<Box<HeldFolder>>,
    name: OsString,
}

impl NewFile {
    /// Makes the file in the folder of `path`. Without permissions, it has those of any new file.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn beside(path: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        Self::in_folder(HeldFolder::open(folder_of(path))?, path.file_name().unwrap_or_default(), permissions)
    }

    /// Makes the file in another folder, from which it may be impossible to give it its name.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn within(folder: &Path, path: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        let name = path.file_name().unwrap_or_default();
        let mut new = Self::in_folder(HeldFolder::open(folder)?, name, permissions)?;
        new.other_folder = Some(Box::new(HeldFolder::open(folder_of(path))?));
        Ok(new)
    }

    /// Makes the file in a folder that is held.
    pub(super) fn in_folder(folder: HeldFolder, name: &OsStr, permissions: Option<Permissions>) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM_LEN);
        let create = |path: &Path| folder.create_new(path.file_name().unwrap_or_default());
        let (file, new_path) = builder.make_in(folder.path(), create)?.into_parts();
        // It would be removed by its path, at which there may be another folder by then.
        let new_path = new_path.keep()?;
        let new = NewFile { file, new_path, is_kept: false, folder, other_folder: None, name: name.to_owned() };
        permissions.map_or(Ok(()), |permissions| new.file.set_permissions(permissions))?;
        Ok(new)
    }

    /// Gives it the permissions of the old file, its extended attributes, which access control lists are, too, and its owner and group, as
    /// far as this process may. Call it before writing.
    ///
    /// # Errors
    /// Those of the system.
    pub fn keep_permissions(&self, old_file: &File) -> io::Result<()> {
        let old = old_file.metadata()?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
            let file = self.as_file();
            file.set_permissions(Permissions::from_mode(old.mode() & 0o777))?;
            let owned = fchown(file, None, Some(old.gid())).and_then(|()| fchown(file, Some(old.uid()), None));
            // The rights to run as its owner or group: of another file, those would be of this process.
            owned.map_or(Ok(()), |()| file.set_permissions(old.permissions()))?;
            attributes::copy(old_file, file)
        }
        #[cfg(not(unix))]
        self.as_file().set_permissions(old.permissions())
    }

    /// Returns the file, to write it.
    #[must_use]
    pub fn as_file(&self) -> &File {
        &self.file
    }

    /// Returns the name that the file has until it is complete.
    #[must_use]
    pub fn new_path(&self) -> &Path {
        &self.new_path
    }

    fn new_name(&self) -> &OsStr {
        self.new_path.file_name().unwrap_or_default()
    }

    /// Replaces the old file. The bytes are on the disk before the name is: also after a failure of power, the name has the old or the
    /// new file. That takes some milliseconds.
    ///
    /// # Errors
    /// Those of the system. [`Unfinished`] has the file.
    pub fn finish(self) -> Result<(), Unfinished> {
        if let Err(error) = self.as_file().sync_all() {
            return Err(Unfinished { error, file: self });
        }
        let folder = self.other_folder.as_deref().unwrap_or(&self.folder).try_clone();
        self.finish_without_sync()?;
        // Not all systems can write names at once.
        let _ = folder.and_then(|folder| folder.sync());
        Ok(())
    }

    /// Does what [`finish`](Self::finish) does, unless something has the name already.
    ///
    /// # Errors
    /// [`AlreadyExists`](io::ErrorKind::AlreadyExists), and those of [`finish`](Self::finish).
    pub fn finish_as_new(mut self) -> Result<(), Unfinished> {
        let to = self.other_folder.as_deref().unwrap_or(&self.folder);
        // A second name would leave the first one, if the process ends between the two steps.
        let named = || self.folder.rename_as_new(self.new_name(), to, &self.name);
        if let Err(error) = self.as_file().sync_all().and_then(|()| named()) {
            return Err(Unfinished { error, file: self });
        }
        let _ = to.sync();
        self.is_kept = true;
        Ok(())
    }

    /// Gives the file its name, and leaves it to the system when that is on the disk: enough for a copy, which can be made again.
    ///
    /// # Errors
    /// Those of the system. [`Unfinished`] has the file.
    pub fn finish_without_sync(mut self) -> Result<(), Unfinished> {
        let to = self.other_folder.as_deref().unwrap_or(&self.folder);
        if let Err(error) = self.folder.rename(self.new_name(), to, &self.name) {
            return Err(Unfinished { error, file: self });
        }
        self.is_kept = true;
        Ok(())
    }

    /// Keeps the file under its [new name](Self::new_path), which it returns.
    #[must_use]
    pub fn keep(mut self) -> PathBuf {
        self.is_kept = true;
        self.new_path.clone()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = self.folder.remove_file(self.new_name());
        }
    }
}

/// `.` if `file` is only a name.
fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A new file that could not get its name.
#[derive(Debug)]
pub struct Unfinished {
    /// Why.
    pub error: io::Error,
    /// The file, which is complete.
    pub file: NewFile,
}

impl From<Unfinished> for io::Error {
    fn from(unfinished: Unfinished) -> Self {
        unfinished.error
    }
}

/// Reports whether a file with this name is a new one that has not got its name yet.
#[must_use]
pub fn is_new_file(name: &OsStr) -> bool {
    let name = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
    let name = name.and_then(|name| name.strip_suffix(SUFFIX).or(name.strip_suffix(OLD_SUFFIX)));
    let is_random = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.is_some_and(|random| random.len() == RANDOM_LEN && random.bytes().all(is_random))
}

/// Removes the new files of processes that were killed, and returns their number. A process that still runs keeps its old file.
///
/// # Errors
/// Those of the system.
pub fn remove_new_files(folder: &HeldFolder) -> io::Result<u64> {
    let mut count = 0;
    for name in folder.names()? {
        if is_new_file(&name) && folder.is_folder(&name) == Some(false) {
            folder.remove_file(&name)?;
            count += 1;
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names.into_iter().map(|name| name.into_string().unwrap()).collect()
    }

    #[test]
    fn a_name_that_is_taken_stays() {
        let folder = tempfile::tempdir().unwrap();
        let held = HeldFolder::open(folder.path()).unwrap();
        for (text, is_first) in [("a", true), ("b", false)] {
            let new = held.new_file("x".as_ref(), None).unwrap();
            new.as_file().write_all(text.as_bytes()).unwrap();
            let done = new.finish_as_new().map_err(|unfinished| unfinished.error.kind());
            assert_eq!(done, if is_first { Ok(()) } else { Err(io::ErrorKind::AlreadyExists) });
            assert_eq!(
                (names(folder.path()), fs::read(folder.path().join("x")).unwrap()),
                (vec!["x".into()], b"a".into())
            );
        }
    }

    /// It is removed from the folder that is held, not from one that has its path by then.
    #[cfg(unix)]
    #[test]
    fn a_file_that_is_dropped_goes_from_its_own_folder() {
        let root = tempfile::tempdir().unwrap();
        let [a, b] = ["a", "b"].map(|name| root.path().join(name));
        fs::create_dir(&a).unwrap();
        let new = HeldFolder::open(&a).unwrap().new_file("x".as_ref(), None).unwrap();
        let name = new.new_path().file_name().unwrap().to_owned();
        fs::rename(&a, &b).unwrap();
        fs::create_dir(&a).unwrap();
        fs::write(a.join(&name), "theirs").unwrap();
        drop(new);
        assert_eq!((names(&a), names(&b)), (vec![name.into_string().unwrap()], vec![]));
    }
}
