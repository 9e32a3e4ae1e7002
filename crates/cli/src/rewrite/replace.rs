//! The replacement of a file by a new one, at once.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::file_uri::folder_of;

/// The start of the names of new files: no walk takes one as a page, and only the Python package also names files so.
const PREFIX: &str = ".relref-";
const SUFFIX: &str = ".tmp";
const RANDOM_LEN: usize = 8;

/// A new file, which gets its name when it is complete.
pub struct NewFile {
    file: NamedTempFile,
    path: PathBuf,
}

impl NewFile {
    /// `permissions` are those of the old file, or of the one that is copied.
    pub fn new(path: &Path, metadata: &Metadata) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RANDOM_LEN);
        let file = builder.tempfile_in(folder_of(path))?;
        file.as_file().set_permissions(metadata.permissions())?;
        Ok(NewFile { file, path: path.to_owned() })
    }

    /// Gives it the owner and the group of the old file, as far as this process may.
    pub fn keep_owner(&self, old: &Metadata) {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            let changed = fchown(self.as_file(), None, Some(old.gid()));
            let _ = changed.and_then(|()| fchown(self.as_file(), Some(old.uid()), None));
            // A new owner ends the rights to run as the old one.
            let _ = self.as_file().set_permissions(old.permissions());
        }
        #[cfg(not(unix))]
        let _ = old;
    }

    pub fn as_file(&self) -> &File {
        self.file.as_file()
    }

    /// With `replaces`, the bytes are on the disk before the name is: also after a failure of power, the name has the old or the new
    /// file. That takes some milliseconds.
    pub fn finish(self, replaces: bool) -> io::Result<()> {
        let NewFile { mut file, path } = self;
        file.flush()?;
        if !replaces {
            return file.persist(&path).map(|_| ()).map_err(|error| error.error);
        }
        file.as_file().sync_all()?;
        file.persist(&path).map_err(|error| error.error)?;
        // Not all systems can open folders; the name is then written in time.
        if let Ok(folder) = File::open(folder_of(&path)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

/// Reports whether a file with this name is a new one that has not got its name yet.
pub fn is_new_file(name: &OsStr) -> bool {
    let name = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    let is_random = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.is_some_and(|random| random.len() == RANDOM_LEN && random.bytes().all(is_random))
}

/// Removes the new files of processes that were killed, and returns their number. A process that still runs keeps its old file.
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

/// Makes the same symbolic link.
pub fn copy_symlink(from: &Path, to: &Path) -> io::Result<()> {
    let target = fs::read_link(from)?;
    if fs::symlink_metadata(to).is_ok_and(|metadata| !metadata.is_dir()) {
        fs::remove_file(to)?;
    }
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, to);
    #[cfg(windows)]
    return if from.is_dir() {
        std::os::windows::fs::symlink_dir(target, to)
    } else {
        std::os::windows::fs::symlink_file(target, to)
    };
    #[cfg(not(any(unix, windows)))]
    Err(io::Error::new(io::ErrorKind::Unsupported, format!("a symbolic link to {}", target.display())))
}
