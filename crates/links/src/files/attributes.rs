//! The extended attributes of files, which access control lists are, too.

use std::fs::File;
use std::io;

/// Gives a new file the extended attributes of an old one, and only these: the folder may give new files a list of its own. A file system
/// without them is no error. Neither are labels of security that this process may not give: the system has given others.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos"))]
pub(super) fn copy(old: &File, new: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fgetxattr, fremovexattr, fsetxattr};
    use rustix::io::Errno;

    let failed = |name: &[u8], error: Errno| {
        let why = format!("its attribute {} cannot be kept: {error}", String::from_utf8_lossy(name));
        Err(io::Error::new(io::Error::from(error).kind(), why))
    };
    let names = list(old)?;
    for extra in list(new)?.iter().filter(|name| !names.contains(name) && !is_of_system(name)) {
        match fremovexattr(new, &**extra) {
            Ok(()) | Err(Errno::NOTSUP) => {}
            Err(error) => return failed(extra, error),
        }
    }
    for name in names.iter().filter(|name| !is_of_content(name)) {
        let copied = value(|buffer| fgetxattr(old, &**name, buffer))
            .and_then(|value| fsetxattr(new, &**name, &value, XattrFlags::empty()));
        match copied {
            Ok(()) | Err(Errno::NOTSUP) => {}
            Err(Errno::PERM | Errno::ACCESS) if is_of_system(name) => {}
            Err(error) => return failed(name, error),
        }
    }
    Ok(())
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "macos")))]
pub(super) fn copy(_: &File, _: &File) -> io::Result<()> {
    Ok(())
}

/// The most bytes that Linux has for a value, and for all names. Those of macOS may be longer.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos"))]
const USUAL_LEN: usize = 64 << 10;

/// The most bytes of a value that are copied.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos"))]
const MAX_LEN: usize = 16 << 20;

/// Returns what `get` writes to a buffer.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos"))]
fn value(get: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> rustix::io::Result<Vec<u8>> {
    let mut value = vec![0; USUAL_LEN];
    let mut found = get(&mut value);
    if found == Err(rustix::io::Errno::RANGE) {
        value.resize(MAX_LEN, 0);
        found = get(&mut value);
    }
    value.truncate(found?);
    Ok(value)
}

#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos"))]
fn list(file: &File) -> io::Result<Vec<Vec<u8>>> {
    let names = match value(|buffer| rustix::fs::flistxattr(file, buffer)) {
        Err(rustix::io::Errno::NOTSUP) => Vec::new(),
        found => found?,
    };
    let names = names.split(|byte| *byte == 0);
    Ok(names.filter(|name| !name.is_empty()).map(<[u8]>::to_vec).collect())
}

#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos"))]
fn is_of_system(name: &[u8]) -> bool {
    name.starts_with(b"security.") || name.starts_with(b"trusted.")
}

/// Signatures of the old content.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos"))]
fn is_of_content(name: &[u8]) -> bool {
    matches!(name, b"security.ima" | b"security.evm")
}
