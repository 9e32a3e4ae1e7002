//! The files that `--output` and `--rejected` replace, and the check that none of them is an input.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::args::Links;
use crate::file_uri::folder_of;
use crate::output::file_error;
use crate::symlinks::symlink_target;

/// The files of `--output` and `--rejected` that exist before the run.
pub struct ReplacedFiles(Vec<ReplacedFile>);

struct ReplacedFile {
    path: PathBuf,
    /// `--output` or `--rejected`.
    option: &'static str,
    identity: Identity,
    /// An opened input was found to be this file.
    is_input: AtomicBool,
}

impl ReplacedFiles {
    /// An output must not also be standard output, an input that the command line names, or the other output.
    pub fn new(args: &Links) -> io::Result<Self> {
        let named = [("--output", args.output_file()), ("--rejected", args.rejected_file())];
        let files = named.into_iter().filter_map(|(option, path)| {
            let (path, identity) = (path?.to_owned(), identity_of_path(path?)?);
            Some(ReplacedFile { path, option, identity, is_input: AtomicBool::new(false) })
        });
        let files: Vec<_> = files.collect();
        if let (Some(output), Some(rejected)) = (args.output_file(), args.rejected_file()) {
            let is_one_file = match &files[..] {
                [one, other] => one.identity == other.identity,
                _ => real_path_of_new_file(output).is_some_and(|file| real_path_of_new_file(rejected) == Some(file)),
            };
            if is_one_file {
                return Err(refused(rejected, "it is also the file of --output"));
            }
        }
        // What is printed would be lost with the file.
        let printed = if args.writes_stdout() { identity_of_stream(io::stdout()) } else { None };
        for file in &files {
            if printed.as_ref() == Some(&file.identity) {
                return Err(refused(&file.path, "it is also standard output"));
            }
            let is_same = |input: &PathBuf| match input.as_os_str() == "-" {
                true => identity_of_stream(io::stdin()).as_ref() == Some(&file.identity),
                false => identity_of_path(input).as_ref() == Some(&file.identity),
            };
            if args.files.iter().chain(&args.files_from).chain(&args.seen).chain(&args.robots).any(is_same) {
                return Err(refused(&file.path, IS_INPUT));
            }
        }
        Ok(ReplacedFiles(files))
    }

    /// Fails if an opened input is one of these files, and makes [`check_all`](Self::check_all) fail. An input of unknown identity,
    /// which is possible only on other systems than Unix, passes.
    pub fn check(&self, path: &Path, input: &Metadata) -> io::Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        let Some(input) = identity_of_file(path, input) else { return Ok(()) };
        match self.0.iter().find(|file| file.identity == input) {
            None => Ok(()),
            Some(file) => {
                file.is_input.store(true, Ordering::Relaxed);
                Err(io::Error::other(format!("it is also the output ({})", file.option)))
            }
        }
    }

    /// Fails once [`check`](Self::check) has failed.
    pub fn check_all(&self) -> io::Result<()> {
        match self.0.iter().find(|file| file.is_input.load(Ordering::Relaxed)) {
            None => Ok(()),
            Some(file) => Err(refused(&file.path, IS_INPUT)),
        }
    }
}

const IS_INPUT: &str = "it is also an input";

fn refused(output: &Path, why: &str) -> io::Error {
    file_error(output, io::Error::other(why))
}

fn identity_of_path(path: &Path) -> Option<Identity> {
    // A folder or a pipe is never replaced.
    fs::metadata(path).ok().filter(Metadata::is_file).and_then(|found| identity_of_file(path, &found))
}

/// Returns the path, the same by all names, that a new file will have; `None` if it exists, or cannot be made there.
fn real_path_of_new_file(path: &Path) -> Option<PathBuf> {
    let path = symlink_target(path).ok().flatten().filter(|path| !path.exists())?;
    Some(fs::canonicalize(folder_of(&path)).ok()?.join(path.file_name()?))
}

/// The numbers of device and inode, which are the same for all names of a file. Elsewhere, its real path.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = PathBuf;

/// Never `None` on Unix; elsewhere, `None` if the file has no real path.
#[cfg(unix)]
fn identity_of_file(_: &Path, file: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity_of_file(path: &Path, _: &Metadata) -> Option<Identity> {
    fs::canonicalize(path).ok()
}

/// `None` for a stream that is no regular file.
#[cfg(unix)]
fn identity_of_stream(stream: impl std::os::fd::AsFd) -> Option<Identity> {
    let file = fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
    identity_of_file(Path::new("-"), &file.metadata().ok().filter(Metadata::is_file)?)
}

#[cfg(not(unix))]
fn identity_of_stream<T>(_: T) -> Option<Identity> {
    None
}
