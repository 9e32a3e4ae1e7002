//! Conversions between paths and bytes. On systems other than Unix, the bytes are UTF-8.

use std::ffi::OsString;
use std::path::PathBuf;

/// Elsewhere than on Unix, a name that is not Unicode is the error.
#[cfg(unix)]
pub fn bytes_of(name: OsString) -> Result<Vec<u8>, OsString> {
    use std::os::unix::ffi::OsStringExt;
    Ok(name.into_vec())
}

#[cfg(unix)]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
pub fn bytes_of(name: OsString) -> Result<Vec<u8>, OsString> {
    name.into_string().map(String::into_bytes)
}

#[cfg(not(unix))]
pub fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}
