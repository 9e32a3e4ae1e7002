//! The files to which paths lead through symbolic links. Some paths name an open file of this process, such as `/dev/stdout`.

use std::path::{Component, Path, PathBuf, absolute};
use std::{fs, io, process};

/// Follows all symbolic links, also to a file that does not exist. `None` for an open file, such as `/dev/stdout`.
pub fn symlink_target(path: &Path) -> io::Result<Option<PathBuf>> {
    follow(path).map(|path| if names_open_file(&path) { None } else { Some(path) })
}

/// Returns the path, without symbolic links, of a file that may not exist, by the nearest folder on the way to it that does. `None`
/// if `..` follows that folder.
pub fn real_path(path: &Path) -> Option<PathBuf> {
    let path = absolute(path).ok()?;
    let (existing, real) = path.ancestors().find_map(|folder| Some((folder, folder.canonicalize().ok()?)))?;
    let rest = path.strip_prefix(existing).ok()?;
    let is_plain = rest.components().all(|part| matches!(part, Component::Normal(_)));
    is_plain.then(|| if rest.as_os_str().is_empty() { real } else { real.join(rest) })
}

/// Returns the number of an open file of this process, also through symbolic links: 1 for `/dev/stdout` and `/proc/self/fd/1`.
pub fn open_file_number(path: &Path) -> Option<u32> {
    let path = absolute(follow(path).ok()?).ok()?;
    let own = format!("/proc/{}/fd", process::id());
    let folders = ["/dev/fd", "/proc/self/fd", "/proc/thread-self/fd", &own];
    let streams = [("/dev/stdin", 0), ("/dev/stdout", 1), ("/dev/stderr", 2)];
    let number = || folders.iter().find_map(|folder| path.strip_prefix(folder).ok()?.to_str()?.parse().ok());
    streams.iter().find(|(name, _)| path == Path::new(name)).map(|(_, number)| *number).or_else(number)
}

/// Stops at a path that names an open file: where that leads would be another file.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    // Linux follows at most 40.
    for _ in 0..40 {
        if names_open_file(&path) {
            return Ok(path);
        }
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Reports whether a path names an open file, or anything else in `/proc`.
fn names_open_file(path: &Path) -> bool {
    let places = ["/proc", "/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr"];
    absolute(path).is_ok_and(|path| places.iter().any(|place| path.starts_with(place)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn open_files_have_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("вывод");
        std::os::unix::fs::symlink("/proc/self/fd/1", &link).unwrap();
        let own = format!("/proc/{}/fd/1", process::id());
        for (path, number) in [
            ("/dev/stdout", Some(1)),
            ("/dev/./stdout", Some(1)),
            ("/dev/stderr", Some(2)),
            ("/dev/fd/1", Some(1)),
            ("/dev/fd/17", Some(17)),
            ("/proc/self/fd/1", Some(1)),
            ("/proc/thread-self/fd/1", Some(1)),
            (&own, Some(1)),
            (link.to_str().unwrap(), Some(1)),
            ("/proc/1/fd/1", None),
            ("/proc/self/fd/x", None),
            ("/dev/null", None),
            ("stdout", None),
            ("-", None),
        ] {
            assert_eq!(open_file_number(Path::new(path)), number, "{path}");
        }
    }
}
