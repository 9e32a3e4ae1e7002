//! File paths: the file that a `file:` URI names, and the URI of a file (RFC 1738 §3.10, RFC 8089).

use std::path::{Path, PathBuf};
use std::string::String;
use std::vec::Vec;

use crate::error::{Error, ErrorKind};
use crate::percent::{ByteSet, decode, encode_with};
use crate::uri::{Lend, Uri, UriRef};

impl Uri<String> {
    /// Returns the `file:` URI of an absolute path. Octets that a path of a URI must not have are percent-encoded.
    ///
    /// # Errors
    /// The path is not absolute, or has a NUL.
    ///
    /// ```
    /// # #[cfg(unix)] {
    /// use relref::Uri;
    /// use std::path::Path;
    ///
    /// let uri = Uri::from_file_path("/tmp/a b#c")?;
    /// assert_eq!(uri, "file:///tmp/a%20b%23c");
    /// assert_eq!(uri.file_path().as_deref(), Some(Path::new("/tmp/a b#c")));
    /// # }
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn from_file_path(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        if let Some(at) = path.as_os_str().as_encoded_bytes().iter().position(|&byte| byte == 0) {
            let before = String::from_utf8_lossy(&path.as_os_str().as_encoded_bytes()[..at]).into_owned();
            return Err(Error::new(ErrorKind::NotComponent, "a path without NUL", &before, before.len()));
        }
        if !path.is_absolute() {
            return Err(Error::new(ErrorKind::NotAbsolute, "an absolute path", &path.to_string_lossy(), 0));
        }
        let path = encode_with(path.as_os_str().as_encoded_bytes(), ByteSet::PATH).to_string();
        let text = if cfg!(windows) { ["file:///", &path.replace("%5C", "/")] } else { ["file://", &path] };
        Ok(Uri::parse(text.concat())?)
    }
}

impl<'i, 'o, T: Lend<'i, 'o>> UriRef<T> {
    /// Returns the path of the file on this host that a `file:` URI names. Query and fragment are ignored.
    ///
    /// `None` for another scheme, for a host other than `localhost` or the empty one, a path that does not start with `/`, an
    /// illegal escape, an escaped slash, or octets that a path of this system cannot have.
    pub fn file_path(&'i self) -> Option<PathBuf> {
        let is_file = self.scheme()?.eq_ignore_ascii_case("file");
        let host = self.authority().unwrap_or_default();
        let path = self.path();
        let is_local = host.is_empty() || host.eq_ignore_ascii_case("localhost");
        if !is_file || !is_local || !path.starts_with('/') || path.to_ascii_lowercase().contains("%2f") {
            return None;
        }
        let octets: Vec<u8> = decode(path).ok()?.collect();
        if octets.contains(&0) { None } else { to_path(octets) }
    }
}

#[cfg(unix)]
fn to_path(octets: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(PathBuf::from(std::ffi::OsString::from_vec(octets)))
}

/// On Windows, slashes become backslashes, and the first one, before the drive letter, is removed.
#[cfg(not(unix))]
fn to_path(octets: Vec<u8>) -> Option<PathBuf> {
    let text = String::from_utf8(octets).ok()?;
    let path = PathBuf::from(if cfg!(windows) { text.get(1..)?.replace('/', "\\") } else { text });
    path.is_absolute().then_some(path)
}
