//! The replacement of a file by a new one, at once.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::file_uri::folder_of;

/// A new file, which gets its name when it is complete.
pub struct NewFile {
    file: NamedTempFile,
    path: PathBuf,
}

impl NewFile {
    /// `permissions` are those of the old file, or of the one that is copied.
    pub fn new(path: &Path, metadata: &Metadata) -> io::Result<Self> {
        // A walk does not take a file of this name as a page.
        let file = Builder::new().prefix(".relref-").suffix(".tmp").tempfile_in(folder_of(path))?;
        file.as_file().set_permissions(metadata.permissions())?;
        Ok(NewFile { file, path: path.to_owned() })
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
