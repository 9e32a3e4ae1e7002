//! An output for lines: a file or a stream.
//! A file is replaced as a whole at the end, so a command that fails leaves the older file unchanged.

use std::env::temp_dir;
use std::fs::{self, File};
use std::io::{self, Seek, Write, stderr, stdout};
use std::path::{Path, PathBuf};

use relref_links::files::{NewFile, Unfinished};

use crate::args::is_stdout;
use crate::links::temp_file::temp_error;
use crate::output::file_error;
use crate::quoting::file_name;
use crate::symlinks::{open_file_number, symlink_target};

/// Its errors name the file.
pub struct OutputFile {
    /// The writer of a stream, device, pipe or open file, or of the temporary file.
    out: Box<dyn Write + Send>,
    /// The path as it was given. `None` for standard output.
    name: Option<PathBuf>,
    /// The new file, and the path of the one that it replaces. `None` if `out` writes to the output itself.
    replacing: Option<(NewFile, PathBuf)>,
}

impl OutputFile {
    /// Opens standard output if the path is `-`. Follows symbolic links.
    pub fn new(output: &Path) -> io::Result<Self> {
        if is_stdout(output) {
            return Ok(OutputFile { out: Box::new(stdout()), name: None, replacing: None });
        }
        Self::open(output).map_err(|error| file_error(output, error))
    }

    /// Errors do not name the file.
    fn open(output: &Path) -> io::Result<Self> {
        let name = || Some(output.to_owned());
        let in_place = |out: Box<dyn Write + Send>| Ok(OutputFile { out, name: name(), replacing: None });
        let Some(path) = symlink_target(output)? else {
            // The open file may have bytes of others, and others may write to it later.
            if open_file_number(output) == Some(2) {
                return in_place(Box::new(stderr()));
            }
            return in_place(Box::new(File::options().append(true).open(output)?));
        };
        let existing = match fs::metadata(&path) {
            Ok(metadata) if !metadata.is_file() => return in_place(Box::new(File::create(path)?)),
            Ok(metadata) => {
                // An error comes now, not at the end.
                File::options().write(true).open(&path)?;
                Some(metadata.permissions())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let name = path.file_name().unwrap_or_default().as_encoded_bytes();
                if !path.as_os_str().as_encoded_bytes().ends_with(name) {
                    return Err(io::Error::other("it names a folder"));
                }
                None
            }
            Err(error) => return Err(error),
        };
        let file = NewFile::beside(&path, existing.clone()).or_else(|error| match existing {
            // If its folder cannot be written, the file is written in place at the end.
            Some(_) => NewFile::within(&temp_dir(), &path, existing).map_err(temp_error),
            None => Err(error),
        })?;
        Ok(OutputFile { out: Box::new(file.as_file().try_clone()?), name: name(), replacing: Some((file, path)) })
    }

    pub fn temp_path(&self) -> Option<PathBuf> {
        self.replacing.as_ref().map(|(file, _)| file.new_path().to_owned())
    }

    /// Only now replaces the older file.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        let replaced = self.replacing.map_or(Ok(()), |(file, path)| replace(file, &path));
        replaced.map_err(|error| with_name(&self.name, error))
    }
}

impl Write for OutputFile {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.out.write(text).map_err(|error| with_name(&self.name, error))
    }

    // An error that arises only here must have the name, too.
    fn write_all(&mut self, text: &[u8]) -> io::Result<()> {
        self.out.write_all(text).map_err(|error| with_name(&self.name, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(|error| with_name(&self.name, error))
    }
}

/// Writes a file that is replaced as a whole.
pub fn write_file(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut file = OutputFile::new(path)?;
    file.write_all(text)?;
    file.finish()
}

/// If even writing in place fails, keeps the new file, and the error names it.
fn replace(file: NewFile, path: &Path) -> io::Result<()> {
    let Err(Unfinished { file, .. }) = file.finish() else { return Ok(()) };
    // A file that is mounted, or is in a folder that cannot be written, can only be written in place.
    overwrite(file.as_file(), path).map_err(|why| {
        let kept = file.keep();
        io::Error::new(why.kind(), format!("{why}; the links are in {}", file_name(&kept)))
    })
}

fn with_name(path: &Option<PathBuf>, error: io::Error) -> io::Error {
    match path {
        Some(path) => file_error(path, error),
        None => error,
    }
}

fn overwrite(mut from: &File, to: &Path) -> io::Result<()> {
    let mut to = File::options().write(true).truncate(true).open(to)?;
    from.rewind()?;
    io::copy(&mut from, &mut to).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes `new` to the output, and calls `finish` if `ends` is true. Returns the number of files in `folder` before and after
    /// the end, and the text in the file `output`.
    fn write(folder: &Path, output: &Path, ends: bool) -> (usize, usize, String) {
        let mut file = OutputFile::new(output).unwrap();
        file.write_all(b"new").unwrap();
        let names = || fs::read_dir(folder).unwrap().count();
        let before = names();
        if ends {
            file.finish().unwrap();
        } else {
            drop(file);
        }
        (before, names(), fs::read_to_string(output).unwrap_or_default())
    }

    #[test]
    fn a_file_is_replaced_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out.tsv");
        assert_eq!(write(folder.path(), &output, false), (1, 0, String::new()));
        assert_eq!(write(folder.path(), &output, true), (1, 1, String::from("new")));
        fs::write(&output, "older and longer").unwrap();
        assert_eq!(write(folder.path(), &output, false), (2, 1, String::from("older and longer")));
        assert_eq!(write(folder.path(), &output, true), (2, 1, String::from("new")));
    }

    #[test]
    fn folders_are_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        assert!(OutputFile::new(&folder.path().join("missing/out")).is_err());
        let why = OutputFile::new(&folder.path().join("new/")).err().unwrap().to_string();
        assert!(why.ends_with("/new/: it names a folder"), "{why}");
        assert!(OutputFile::new(folder.path()).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn symlinks_are_followed() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [output, other, link] = ["out", "other", "link"].map(|name| folder.path().join(name));
        symlink("other", &link).unwrap();
        symlink("link", &output).unwrap();
        // The file is made where the links lead, and keeps its permissions when it is replaced.
        assert_eq!(write(folder.path(), &output, true), (3, 3, String::from("new")));
        fs::set_permissions(&other, fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(write(folder.path(), &output, true).2, "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&other).unwrap().permissions().mode() & 0o777, 0o600);
        fs::remove_file(&other).unwrap();
        symlink("out", &other).unwrap();
        let why = OutputFile::new(&output).err().unwrap().to_string();
        assert!(why.ends_with("/out: too many symbolic links"), "{why}");
    }
}
