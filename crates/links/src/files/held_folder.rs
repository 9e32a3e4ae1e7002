//! A folder that is held open, so that nothing leads out of it.

use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::NewFile;

/// A folder that is held open: what is opened, made, renamed and removed in it is in it, even if another folder, or a symbolic link, gets its name
/// in the meantime. So a program that may do more than the owner of a tree can change it while the owner does.
///
/// Elsewhere than on Unix, a folder is only a path.
///
/// ```
/// use std::path::Path;
/// use relref_links::files::HeldFolder;
///
/// let folder = tempfile::tempdir()?;
/// std::fs::create_dir(folder.path().join("a"))?;
/// std::fs::write(folder.path().join("a/b.html"), "<p>")?;
/// let root = HeldFolder::open(folder.path())?;
/// assert!(root.below(Path::new("a"))?.open_file("b.html".as_ref()).is_ok());
/// # #[cfg(unix)] {
/// std::os::unix::fs::symlink("/etc", folder.path().join("c"))?;
/// assert!(root.below(Path::new("c")).is_err());
/// # }
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct HeldFolder {
    path: PathBuf,
    #[cfg(unix)]
    fd: rustix::fd::OwnedFd,
}

/// A lock of a folder, from [`HeldFolder::lock`]. It ends when it is dropped, and with the process, however that ends.
#[derive(Debug)]
#[must_use = "the lock ends when it is dropped"]
pub struct FolderLock {
    /// The folder, and those around it.
    #[cfg(unix)]
    _folders: Vec<rustix::fd::OwnedFd>,
}

impl HeldFolder {
    /// Returns the path by which the folder was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the folder to which a path leads, through symbolic links.
    ///
    /// # Errors
    /// It is no folder that this process may enter; elsewhere than on Linux, it must have the right to read it, too.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        self::system::open(path)
    }

    /// Opens a folder below this one, whose path from here has only names: not through a symbolic link.
    ///
    /// # Errors
    /// No such folder can be opened there.
    pub fn below(&self, path: &Path) -> io::Result<Self> {
        path.components().try_fold(self.try_clone()?, |folder, part| match part {
            Component::Normal(name) => folder.folder(name),
            Component::CurDir => Ok(folder),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        })
    }

    /// Does what [`below`](Self::below) does, and makes each folder on the way that does not exist.
    ///
    /// # Errors
    /// As [`below`](Self::below), and those of making folders.
    pub fn make_below(&self, path: &Path) -> io::Result<Self> {
        path.components().try_fold(self.try_clone()?, |folder, part| match part {
            Component::Normal(name) => match folder.folder(name) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    match folder.make_folder(name) {
                        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                        _ => {}
                    }
                    folder.folder(name)
                }
                found => found,
            },
            Component::CurDir => Ok(folder),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        })
    }

    /// Returns the folder around the file at a path from here, and the name of the file.
    ///
    /// # Errors
    /// As [`below`](Self::below). [`InvalidInput`](io::ErrorKind::InvalidInput) if the path has no name at its end.
    pub fn around<'p>(&self, path: &'p Path) -> io::Result<(Self, &'p OsStr)> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        Ok((self.below(path.parent().unwrap_or(Path::new("")))?, name))
    }

    /// Locks the folder and all below it, for a program that changes files there and removes those that killed runs have left.
    ///
    /// Programs that do not ask for a lock are not kept out. Neither is any where the system has no locks of folders, as Windows and some
    /// file systems of networks, or where this process may not read the folder.
    ///
    /// # Errors
    /// [`ResourceBusy`](io::ErrorKind::ResourceBusy), with a message for people, if another has a lock of the folder, of one around it of
    /// the same owner, or of one below it.
    ///
    /// ```
    /// use relref_links::files::HeldFolder;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let held = HeldFolder::open(folder.path())?;
    /// let lock = held.lock()?;
    /// # #[cfg(unix)] // Elsewhere, nothing is locked.
    /// assert!(held.lock().is_err() && held.lock_with_others().is_err());
    /// drop(lock);
    /// assert!(held.lock().is_ok());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn lock(&self) -> io::Result<FolderLock> {
        self.locked(true)
    }

    /// Locks the folder against programs that [lock](Self::lock) it for themselves, and not against others that call this: for one that
    /// replaces single files.
    ///
    /// # Errors
    /// As [`lock`](Self::lock).
    pub fn lock_with_others(&self) -> io::Result<FolderLock> {
        self.locked(false)
    }

    /// Makes a file that gets this name when it is complete.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn new_file(&self, name: &OsStr, permissions: Option<Permissions>) -> io::Result<NewFile> {
        NewFile::in_folder(self.try_clone()?, name, permissions)
    }
}

#[cfg(unix)]
mod system {
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};

    use rustix::fd::{AsFd, OwnedFd};
    use rustix::fs::{self, AtFlags, CWD, FileType, FlockOperation, Mode, OFlags};
    use rustix::io::Errno;

    use super::{File, FolderLock, HeldFolder, OsStr, Path, PathBuf, io};

    const READABLE: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);

    /// To open what is in a folder, a process needs no right to read its names.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    const FOLDER: OFlags = READABLE.union(OFlags::PATH);
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    const FOLDER: OFlags = READABLE;

    /// The most folders around one that are locked with it.
    const MAX_AROUND: usize = 64;

    /// Opens a folder to read its names.
    fn readable(folder: impl AsFd, name: &str) -> Result<OwnedFd, Errno> {
        fs::openat(folder, name, READABLE, Mode::empty())
    }

    /// Opens the folder around one of the same owner; `None` if there is none that can be read.
    fn around(folder: &OwnedFd) -> Option<OwnedFd> {
        let outer = readable(folder, "..").ok()?;
        let (inner, found) = (fs::fstat(folder).ok()?, fs::fstat(&outer).ok()?);
        let is_same = (inner.st_dev, inner.st_ino) == (found.st_dev, found.st_ino);
        (!is_same && inner.st_uid == found.st_uid).then_some(outer)
    }

    pub(super) fn open(path: &Path) -> io::Result<HeldFolder> {
        Ok(HeldFolder { path: path.to_owned(), fd: fs::openat(CWD, path, FOLDER, Mode::empty())? })
    }

    impl HeldFolder {
        /// Returns the same folder.
        ///
        /// # Errors
        /// The process has too many open files.
        pub fn try_clone(&self) -> io::Result<Self> {
            Ok(HeldFolder { path: self.path.clone(), fd: self.fd.try_clone()? })
        }

        pub(super) fn folder(&self, name: &OsStr) -> io::Result<Self> {
            let fd = fs::openat(&self.fd, name, FOLDER | OFlags::NOFOLLOW, Mode::empty()).map_err(swapped)?;
            Ok(HeldFolder { path: self.path.join(name), fd })
        }

        /// Makes a folder with this name.
        ///
        /// # Errors
        /// Those of the system.
        pub fn make_folder(&self, name: &OsStr) -> io::Result<()> {
            Ok(fs::mkdirat(&self.fd, name, Mode::from_raw_mode(0o777))?)
        }

        /// Opens a file to read it.
        ///
        /// # Errors
        /// Those of the system, also if it is a symbolic link; [`InvalidInput`](io::ErrorKind::InvalidInput) if it is no regular file.
        pub fn open_file(&self, name: &OsStr) -> io::Result<File> {
            // To open a named pipe could wait forever.
            let flags = OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
            let file = File::from(fs::openat(&self.fd, name, flags, Mode::empty()).map_err(swapped)?);
            let is_file = file.metadata()?.is_file();
            if is_file { Ok(file) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")) }
        }

        /// Makes a file that does not exist, to write it.
        ///
        /// # Errors
        /// Those of the system.
        pub fn create_new(&self, name: &OsStr) -> io::Result<File> {
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
            Ok(fs::openat(&self.fd, name, flags, Mode::from_raw_mode(0o666))?.into())
        }

        /// Gives a file or folder another name, in the same or in another folder. A file of that name is replaced.
        ///
        /// # Errors
        /// Those of the system.
        pub fn rename(&self, name: &OsStr, to: &HeldFolder, new_name: &OsStr) -> io::Result<()> {
            Ok(fs::renameat(&self.fd, name, &to.fd, new_name)?)
        }

        /// Does what [`rename`](Self::rename) does, unless something has the new name. On Linux and Apple's systems, no other process
        /// comes in between.
        ///
        /// # Errors
        /// [`AlreadyExists`](io::ErrorKind::AlreadyExists), and those of the system.
        pub fn rename_as_new(&self, name: &OsStr, to: &HeldFolder, new_name: &OsStr) -> io::Result<()> {
            #[cfg(any(target_os = "linux", target_vendor = "apple"))]
            match fs::renameat_with(&self.fd, name, &to.fd, new_name, fs::RenameFlags::NOREPLACE) {
                // Not every file system can do so.
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                done => return Ok(done?),
            }
            if to.is_folder(new_name).is_some() {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            self.rename(name, to, new_name)
        }

        /// Gives a file a second name, in the same or in another folder.
        ///
        /// # Errors
        /// Those of the system.
        pub fn hard_link(&self, name: &OsStr, to: &HeldFolder, new_name: &OsStr) -> io::Result<()> {
            Ok(fs::linkat(&self.fd, name, &to.fd, new_name, AtFlags::empty())?)
        }

        /// Removes a file, or a symbolic link.
        ///
        /// # Errors
        /// Those of the system.
        pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
            Ok(fs::unlinkat(&self.fd, name, AtFlags::empty())?)
        }

        /// Removes an empty folder.
        ///
        /// # Errors
        /// Those of the system.
        pub fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
            Ok(fs::unlinkat(&self.fd, name, AtFlags::REMOVEDIR)?)
        }

        /// Returns what a symbolic link leads to.
        ///
        /// # Errors
        /// Those of the system, also if it is none.
        pub fn read_link(&self, name: &OsStr) -> io::Result<PathBuf> {
            let target = fs::readlinkat(&self.fd, name, Vec::new())?;
            Ok(OsString::from_vec(target.into_bytes()).into())
        }

        /// Makes a symbolic link. Windows must know whether it is one to a folder.
        ///
        /// # Errors
        /// Those of the system.
        pub fn symlink(&self, target: &Path, name: &OsStr, _is_folder: bool) -> io::Result<()> {
            Ok(fs::symlinkat(target, &self.fd, name)?)
        }

        /// Reports whether something has this name: `Some(true)` for a folder, `Some(false)` for anything else, also a symbolic link.
        #[must_use]
        pub fn is_folder(&self, name: &OsStr) -> Option<bool> {
            let found = fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
            Some(FileType::from_raw_mode(found.st_mode) == FileType::Directory)
        }

        pub(super) fn locked(&self, is_alone: bool) -> io::Result<FolderLock> {
            let mut folders = Vec::new();
            // For a right to read that is missing, a program with fewer rights would be kept from what it did before.
            let mut next = readable(&self.fd, ".").ok();
            while let Some(folder) = next.filter(|_| folders.len() <= MAX_AROUND) {
                let operation = match is_alone && folders.is_empty() {
                    true => FlockOperation::NonBlockingLockExclusive,
                    false => FlockOperation::NonBlockingLockShared,
                };
                if fs::flock(&folder, operation) == Err(Errno::WOULDBLOCK) {
                    let path = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
                    let place = path.ancestors().nth(folders.len()).unwrap_or(&path);
                    let why = format!(
                        "another program, perhaps relref, has locked {} or a folder below it: run this again when it has ended",
                        place.display()
                    );
                    return Err(io::Error::new(io::ErrorKind::ResourceBusy, why));
                }
                next = around(&folder);
                folders.push(folder);
            }
            Ok(FolderLock { _folders: folders })
        }

        /// Returns the names of what is in the folder.
        ///
        /// # Errors
        /// Those of the system, also if this process may not read the folder.
        pub fn names(&self) -> io::Result<Vec<OsString>> {
            let mut names = Vec::new();
            for entry in fs::Dir::new(readable(&self.fd, ".")?)? {
                let entry = entry?;
                names.push(OsStr::from_bytes(entry.file_name().to_bytes()).to_owned());
            }
            names.retain(|name| name != "." && name != "..");
            Ok(names)
        }

        /// Writes the names in the folder to the disk.
        ///
        /// # Errors
        /// Those of the system.
        pub fn sync(&self) -> io::Result<()> {
            Ok(fs::fsync(readable(&self.fd, ".")?)?)
        }
    }

    /// The systems' own message, of too many levels of symbolic links, would not say which one.
    fn swapped(error: Errno) -> io::Error {
        match error {
            Errno::LOOP | Errno::MLINK => io::Error::other("it has become a symbolic link: not followed"),
            error => error.into(),
        }
    }
}

#[cfg(not(unix))]
mod system {
    use std::ffi::OsString;
    use std::fs;

    use super::{File, FolderLock, HeldFolder, OsStr, Path, PathBuf, io};

    pub(super) fn open(path: &Path) -> io::Result<HeldFolder> {
        let is_folder = fs::metadata(path)?.is_dir();
        if is_folder { Ok(HeldFolder { path: path.to_owned() }) } else { Err(io::ErrorKind::NotADirectory.into()) }
    }

    #[allow(missing_docs, clippy::missing_errors_doc, reason = "as on Unix")]
    impl HeldFolder {
        pub fn try_clone(&self) -> io::Result<Self> {
            Ok(HeldFolder { path: self.path.clone() })
        }

        pub(super) fn folder(&self, name: &OsStr) -> io::Result<Self> {
            let path = self.path.join(name);
            if fs::symlink_metadata(&path)?.is_symlink() {
                return Err(io::Error::other("it is a symbolic link: not followed"));
            }
            open(&path)
        }

        pub fn make_folder(&self, name: &OsStr) -> io::Result<()> {
            fs::create_dir(self.path.join(name))
        }

        pub fn open_file(&self, name: &OsStr) -> io::Result<File> {
            File::open(self.path.join(name))
        }

        pub fn create_new(&self, name: &OsStr) -> io::Result<File> {
            File::options().read(true).write(true).create_new(true).open(self.path.join(name))
        }

        pub fn rename(&self, name: &OsStr, to: &HeldFolder, new_name: &OsStr) -> io::Result<()> {
            fs::rename(self.path.join(name), to.path.join(new_name))
        }

        pub fn rename_as_new(&self, name: &OsStr, to: &HeldFolder, new_name: &OsStr) -> io::Result<()> {
            match to.is_folder(new_name) {
                Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
                None => self.rename(name, to, new_name),
            }
        }

        pub fn hard_link(&self, name: &OsStr, to: &HeldFolder, new_name: &OsStr) -> io::Result<()> {
            fs::hard_link(self.path.join(name), to.path.join(new_name))
        }

        pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_file(self.path.join(name))
        }

        pub fn remove_folder(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_dir(self.path.join(name))
        }

        pub fn read_link(&self, name: &OsStr) -> io::Result<PathBuf> {
            fs::read_link(self.path.join(name))
        }

        pub fn symlink(&self, target: &Path, name: &OsStr, is_folder: bool) -> io::Result<()> {
            let link = self.path.join(name);
            #[cfg(windows)]
            return match is_folder {
                true => std::os::windows::fs::symlink_dir(target, link),
                false => std::os::windows::fs::symlink_file(target, link),
            };
            #[cfg(not(windows))]
            Err(io::Error::new(io::ErrorKind::Unsupported, format!("{}: {is_folder}", link.display())))
        }

        pub(super) fn locked(&self, _is_alone: bool) -> io::Result<FolderLock> {
            Ok(FolderLock {})
        }

        #[must_use]
        pub fn is_folder(&self, name: &OsStr) -> Option<bool> {
            Some(fs::symlink_metadata(self.path.join(name)).ok()?.is_dir())
        }

        pub fn names(&self) -> io::Result<Vec<OsString>> {
            fs::read_dir(&self.path)?.map(|entry| Ok(entry?.file_name())).collect()
        }

        pub fn sync(&self) -> io::Result<()> {
            Ok(())
        }
    }
}
