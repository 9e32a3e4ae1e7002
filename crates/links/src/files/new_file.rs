//! The replacement of a file by a new one, at once.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

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
    file: NamedTempFile,
    path: PathBuf,
}

impl NewFile {
    /// Makes the file in the folder of `path`. Without permissions, it has those of any new file.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn beside(path: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        Self::within(folder_of(path), path, permissions)
    }

    /// Makes the file in another folder, from which it may be impossible to give it its name.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn within(folder: &Path, path: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM_LEN);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The usual permissions of a new file, from which the system takes the umask.
            builder.permissions(Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder)?;
        permissions.map_or(Ok(()), |permissions| file.as_file().set_permissions(permissions))?;
        Ok(NewFile { file, path: path.to_owned() })
    }

    /// Gives it the permissions, the owner and the group of the old file, as far as this process may. Call it before writing.
    ///
    /// # Errors
    /// Those of the system.
    pub fn keep_permissions(&self, old: &Metadata) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
            let file = self.as_file();
            file.set_permissions(Permissions::from_mode(old.mode() & 0o777))?;
            let owned = fchown(file, None, Some(old.gid())).and_then(|()| fchown(file, Some(old.uid()), None));
            // The rights to run as its owner or group: of another file, those would be of this process.
            owned.map_or(Ok(()), |()| file.set_permissions(old.permissions()))
        }
        #[cfg(not(unix))]
        self.as_file().set_permissions(old.permissions())
    }

    /// Returns the file, to write it.
    #[must_use]
    pub fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// Returns the name that the file has until it is complete.
    #[must_use]
    pub fn new_path(&self) -> &Path {
        self.file.path()
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
        // Not all systems can open folders; the name is then written in time.
        let folder = File::open(folder_of(&self.path));
        self.finish_without_sync()?;
        let _ = folder.map(|folder| folder.sync_all());
        Ok(())
    }

    /// Gives the file its name, and leaves it to the system when that is on the disk: enough for a copy, which can be made again.
    ///
    /// # Errors
    /// Those of the system. [`Unfinished`] has the file.
    pub fn finish_without_sync(self) -> Result<(), Unfinished> {
        let NewFile { file, path } = self;
        match file.persist(&path) {
            Ok(_) => Ok(()),
            Err(error) => Err(Unfinished { error: error.error, file: NewFile { file: error.file, path } }),
        }
    }

    /// Keeps the file under its [new name](Self::new_path), which it returns.
    ///
    /// # Errors
    /// Those of the system.
    pub fn keep(self) -> io::Result<PathBuf> {
        Ok(self.file.keep()?.1)
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
pub fn remove_new_files(folder: &Path) -> io::Result<u64> {
    let mut count = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if is_new_file(&entry.file_name()) && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
            count += 1;
        }
    }
    Ok(count)
}
