//! The file that `--output` replaces, and the check that it is not an input.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::args::Links;

/// The file that `--output` replaces, if it exists. It must not be an input.
pub struct ReplacedFile {
    identity: Option<Identity>,
    /// True if it was found among the inputs.
    is_input: AtomicBool,
}

impl ReplacedFile {
    /// Finds the file.
    ///
    /// # Errors
    /// It is an input of the command line.
    pub fn new(args: &Links) -> io::Result<Self> {
        let find =
            |path: &Path| fs::metadata(path).ok().filter(Metadata::is_file).and_then(|found| identity(path, &found));
        let identity = args.output.as_deref().and_then(find);
        let is_same = |input: &PathBuf| match input.as_os_str() == "-" {
            true => stdin_identity() == identity,
            false => find(input) == identity,
        };
        if identity.is_some() && args.files.iter().chain(&args.files_from).any(is_same) {
            return Err(is_input_error());
        }
        Ok(ReplacedFile { identity, is_input: AtomicBool::new(false) })
    }

    /// Checks an input that was opened.
    ///
    /// # Errors
    /// The input is the file. From now on, [`check_all`](Self::check_all) fails too.
    pub fn check(&self, path: &Path, input: &Metadata) -> io::Result<()> {
        if self.identity.is_none() || identity(path, input) != self.identity {
            return Ok(());
        }
        self.is_input.store(true, Ordering::Relaxed);
        Err(io::Error::other("it is also the output (--output)"))
    }

    /// Checks all inputs opened so far.
    ///
    /// # Errors
    /// One of them is the file.
    pub fn check_all(&self) -> io::Result<()> {
        if self.is_input.load(Ordering::Relaxed) { Err(is_input_error()) } else { Ok(()) }
    }
}

fn is_input_error() -> io::Error {
    io::Error::other("it is also an input")
}

/// The identity of a file, the same under all its names.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

#[cfg(unix)]
fn identity(_: &Path, file: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path, _: &Metadata) -> Option<Identity> {
    fs::canonicalize(path).ok()
}

/// Returns the identity of the file that is standard input.
#[cfg(unix)]
fn stdin_identity() -> Option<Identity> {
    use std::os::fd::AsFd;
    let file = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    identity(Path::new("-"), &file.metadata().ok()?)
}

#[cfg(not(unix))]
fn stdin_identity() -> Option<Identity> {
    None
}
