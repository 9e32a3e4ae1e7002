//! The destination of links. A file is replaced as a whole at the end, so that a run that fails leaves the older one as it was.

use std::fs::{self, File, Metadata};
use std::io::{self, Seek, Stdout, Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use tempfile::{Builder, NamedTempFile, PersistError};

use super::body_store::temporary;
use crate::args::Links;
use crate::escape::file_name;

/// The destination of links.
pub enum Target {
    Stdout(Stdout),
    /// A device, a pipe, an open file or the like.
    Direct(File),
    /// A file, and its final path.
    Whole(NamedTempFile, PathBuf),
}

impl Target {
    /// Opens what `--output` names, after its links; standard output without it.
    pub fn new(output: Option<&Path>) -> io::Result<Self> {
        let Some(output) = output else { return Ok(Target::Stdout(stdout())) };
        // The bytes written there before are not ours.
        let Some(path) = followed(output)? else {
            return Ok(Target::Direct(File::options().append(true).open(output)?));
        };
        let existing = match fs::metadata(&path) {
            Ok(metadata) if !metadata.is_file() => return Ok(Target::Direct(File::create(path)?)),
            Ok(metadata) => {
                // Says now what may not be written.
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
        // No page has a name like this.
        let mut builder = Builder::new();
        builder.prefix(".relref-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As for any new file: the system takes the umask from it.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = builder.tempfile_in(folder).or_else(|error| match existing {
            // Its folder may not be written; then it is written to at the end.
            Some(_) => builder.tempfile().map_err(temporary),
            None => Err(error),
        })?;
        if let Some(permissions) = existing {
            file.as_file().set_permissions(permissions)?;
        }
        Ok(Target::Whole(file, path))
    }

    /// Ends the output; until then a file is not in its place.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Target::Whole(file, path) => {
                let Err(PersistError { mut file, .. }) = file.persist(&path) else { return Ok(()) };
                // A file that is mounted, or one in a folder that may not be written, can only be written to.
                copy(file.as_file_mut(), &path).or_else(|why| {
                    let (_, kept) = file.keep()?;
                    Err(io::Error::new(why.kind(), format!("{why}; the links are in {}", file_name(&kept))))
                })
            }
            _ => Ok(()),
        }
    }
}

impl Write for Target {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        match self {
            Target::Stdout(out) => out.write(text),
            Target::Direct(file) => file.write(text),
            Target::Whole(file, _) => file.write(text),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Stdout(out) => out.flush(),
            Target::Direct(file) => file.flush(),
            Target::Whole(file, _) => file.flush(),
        }
    }
}

/// Replaces what is in a file by what is in another one.
fn copy(from: &mut File, to: &Path) -> io::Result<()> {
    let mut to = File::options().write(true).truncate(true).open(to)?;
    from.rewind()?;
    io::copy(from, &mut to).map(|_| ())
}

/// Returns the path to which symbolic links lead, if need be of a file that is not there yet; `None` if the system names an open
/// file so.
fn followed(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut path = path.to_owned();
    // As many as Linux follows.
    for _ in 0..40 {
        if ["/proc", "/dev/fd", "/dev/stdout", "/dev/stderr"].iter().any(|open| path.starts_with(open)) {
            return Ok(None);
        }
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(Some(path)),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The file that `--output` replaces, which no input may be.
#[derive(Default)]
pub struct Replaced {
    file: Option<Identity>,
    /// True once it was met as an input.
    met: AtomicBool,
}

impl Replaced {
    /// Finds the file, if there is one.
    ///
    /// # Errors
    /// It is among the inputs that are given.
    pub fn new(args: &Links) -> io::Result<Self> {
        let of =
            |path: &Path| fs::metadata(path).ok().filter(Metadata::is_file).and_then(|found| identity(path, &found));
        let file = args.output.as_deref().and_then(of);
        let is_given = |given: &PathBuf| match given.as_os_str() == "-" {
            true => of_stdin() == file,
            false => of(given) == file,
        };
        if file.is_some() && args.files.iter().chain(&args.files_from).any(is_given) {
            return Err(also_an_input());
        }
        Ok(Replaced { file, met: AtomicBool::new(false) })
    }

    /// Checks an input that was opened; fails, now and in [`end`](Replaced::end), if it is the file.
    pub fn check(&self, path: &Path, input: &Metadata) -> io::Result<()> {
        if self.file.is_none() || identity(path, input) != self.file {
            return Ok(());
        }
        self.met.store(true, Ordering::Relaxed);
        Err(io::Error::other("it is also the output (--output)"))
    }

    /// Fails if the file was met as an input.
    pub fn end(&self) -> io::Result<()> {
        if self.met.load(Ordering::Relaxed) { Err(also_an_input()) } else { Ok(()) }
    }
}

fn also_an_input() -> io::Error {
    io::Error::other("it is also an input")
}

/// Tells a file from all others, whatever its name.
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

/// Returns the identity of the file that standard input is read from.
#[cfg(unix)]
fn of_stdin() -> Option<Identity> {
    use std::os::fd::AsFd;
    let file = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    identity(Path::new("-"), &file.metadata().ok()?)
}

#[cfg(not(unix))]
fn of_stdin() -> Option<Identity> {
    None
}
