//! File paths: the file that a `file:` URI names, and the URI of a file (RFC 1738 §3.10, RFC 8089).

use std::path::{Path, PathBuf};
use std::string::String;
use std::vec::Vec;

use crate::error::{Error, ErrorKind};
use crate::percent::{ByteSet, decode_leaving_illegal, encode_with, illegal_escape_error, octet};
use crate::uri::{Uri, UriRef, UriText};
use crate::whatwg::Url;

impl Uri<String> {
    /// Returns the `file:` URI of an absolute path. Octets that a path of a URI must not have are percent-encoded.
    ///
    /// # Errors
    /// The path is not absolute, or has a NUL ([`NotFilePath`](ErrorKind::NotFilePath)).
    ///
    /// ```
    /// # #[cfg(unix)] {
    /// use relref::Uri;
    /// use std::path::Path;
    ///
    /// let uri = Uri::from_file_path("/tmp/a b#c")?;
    /// assert_eq!(uri, "file:///tmp/a%20b%23c");
    /// assert_eq!(uri.to_file_path()?, Path::new("/tmp/a b#c"));
    /// # }
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn from_file_path(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        if let Some(at) = path.as_os_str().as_encoded_bytes().iter().position(|&byte| byte == 0) {
            let before = String::from_utf8_lossy(&path.as_os_str().as_encoded_bytes()[..at]).into_owned();
            return Err(Error::new(ErrorKind::NotFilePath, "a path without NUL", &before, before.len()));
        }
        if !path.is_absolute() {
            return Err(Error::new(ErrorKind::NotFilePath, "an absolute path", &path.to_string_lossy(), 0));
        }
        let path = encode_with(path.as_os_str().as_encoded_bytes(), ByteSet::PATH).to_string();
        let text = if cfg!(windows) { ["file:///", &path.replace("%5C", "/")] } else { ["file://", &path] };
        Ok(Uri::new(text.concat())?)
    }

    /// Returns the `file:` URI of a directory by its absolute path. It ends in a slash, so that references resolve within the directory.
    ///
    /// # Errors
    /// As in [`from_file_path`](Uri::from_file_path).
    ///
    /// ```
    /// # #[cfg(unix)] {
    /// use relref::{Rules, Uri};
    ///
    /// let uri = Uri::from_directory_path("/srv/site")?;
    /// assert_eq!(uri, "file:///srv/site/");
    /// assert_eq!(uri.resolve("a.html", Rules::RFC3986), "file:///srv/site/a.html");
    /// # }
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn from_directory_path(path: impl AsRef<Path>) -> Result<Self, Error> {
        let mut text = Uri::from_file_path(path)?.into_inner();
        if !text.ends_with('/') {
            text.push('/');
        }
        Ok(Uri::new(text)?)
    }
}

impl<T: UriText> UriRef<T> {
    /// Returns the path of the file on this host that a `file:` URI names. Query and fragment are ignored.
    ///
    /// Dot segments stay, also decoded ones, unless they lead above the root.
    ///
    /// # Errors
    /// Of the kind [`NotFilePath`](ErrorKind::NotFilePath), with the byte of the URI: another scheme or none; a host other than
    /// `localhost` or the empty one; a path that does not start with `/`; an escaped slash, a NUL, or another octet that a path of
    /// this system cannot have; a `..` above the root. Of the kind [`IllegalEscape`](ErrorKind::IllegalEscape): a `%` without two hex
    /// digits.
    ///
    /// ```
    /// use relref::{ErrorKind, Uri};
    ///
    /// let error = Uri::parse("file://example.com/a")?.to_file_path().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NotFilePath);
    /// assert_eq!(
    ///     error.to_string(),
    ///     "not the path of a file: expected no host, or `localhost`, found `e` at byte 7"
    /// );
    /// # Ok::<(), relref::Error>(())
    /// ```
    #[doc(alias("file_path", "path_buf"))]
    pub fn to_file_path(&self) -> Result<PathBuf, Error> {
        let uri = self.as_borrowed();
        let text = uri.as_str();
        let refused = |expected, at| Err(Error::new(ErrorKind::NotFilePath, expected, text, at));
        if !uri.scheme().is_some_and(|scheme| scheme.eq_ignore_ascii_case("file")) {
            return refused("the scheme `file`", 0);
        }
        let host = uri.authority().unwrap_or_default();
        if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
            return refused("no host, or `localhost`", self.path_start - host.len());
        }
        let path = uri.path();
        if !path.starts_with('/') {
            return refused("`/` to start the path of a file", self.path_start);
        }
        let mut depth = 0_usize;
        let mut at = self.path_start + 1;
        for segment in path[1..].split('/') {
            check_octets(text, at, segment)?;
            match &*decode_leaving_illegal(segment).collect::<Vec<u8>>() {
                b"" | b"." => {}
                b".." if depth == 0 => return refused("no `..` above the root", at),
                b".." => depth -= 1,
                _ => depth += 1,
            }
            at += segment.len() + 1;
        }
        match to_path(decode_leaving_illegal(path).collect()) {
            Some(path) => Ok(path),
            None => refused("a path of this system", self.path_start),
        }
    }
}

impl Url {
    /// Returns the `file:` URL of an absolute path, as [`Uri::from_file_path`] does. Dot segments are removed.
    ///
    /// # Errors
    /// As in [`Uri::from_file_path`].
    ///
    /// ```
    /// # #[cfg(unix)] {
    /// use relref::whatwg::Url;
    /// use std::path::Path;
    ///
    /// let url = Url::from_file_path("/tmp/a b")?;
    /// assert_eq!(url, "file:///tmp/a%20b");
    /// assert_eq!(url.to_file_path()?, Path::new("/tmp/a b"));
    /// # }
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn from_file_path(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Url::parse(Uri::from_file_path(path)?)?)
    }

    /// Returns the `file:` URL of a directory by its absolute path, as [`Uri::from_directory_path`] does.
    ///
    /// # Errors
    /// As in [`Uri::from_file_path`].
    pub fn from_directory_path(path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Url::parse(Uri::from_directory_path(path)?)?)
    }
}

impl<T: UriText> Url<T> {
    /// Returns the path of the file on this host that a `file:` URL names, as [`UriRef::to_file_path`] does.
    ///
    /// # Errors
    /// As in [`UriRef::to_file_path`].
    pub fn to_file_path(&self) -> Result<PathBuf, Error> {
        UriRef::from(self.as_borrowed()).to_file_path()
    }
}

/// The segment is at byte `start` of the text.
fn check_octets(text: &str, start: usize, segment: &str) -> Result<(), Error> {
    let refused = |expected, at| Err(Error::new(ErrorKind::NotFilePath, expected, text, at));
    for (at, byte) in (start..).zip(segment.bytes()) {
        let read = match byte {
            b'%' => octet(&segment.as_bytes()[at - start..]).ok_or_else(|| illegal_escape_error(text, at))?,
            byte => byte,
        };
        match read {
            0 => return refused("no NUL", at),
            b'/' => return refused("no escaped slash", at),
            b'\\' if cfg!(windows) => return refused("no backslash", at),
            _ => {}
        }
    }
    Ok(())
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
