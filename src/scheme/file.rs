//! The views of `file` and `afs` URIs: files in a tree of directories.

use super::authority::Authority;
use super::details::Details;
use super::part::Parts;
use super::url_path::{path_and_query, raw_segments, segments};
use super::warning::{WarningKind, Warnings};
use crate::error::Error;
use crate::percent::{Decode, decode_leaving_illegal};
use crate::uri::UriRef;

/// A URI of `file`: a file of one machine (RFC 1630, *File*; RFC 1738 §3.10). `?` is an ordinary character.
///
/// ```
/// use relref::scheme::{View, view};
///
/// let View::File(file) = view("file://vms.host.edu/disk$user/my/notes/note12345.txt") else { unreachable!() };
/// assert!(!file.is_local());
/// let names: Result<Vec<String>, _> = file.decoded_segments().map(|name| name.map(|name| name.to_string())).collect();
/// assert_eq!(names?, ["disk$user", "my", "notes", "note12345.txt"]);
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct File<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The host, which may be empty; `None` if there is no `//`, as in `file:/etc/x` (RFC 8089 §2). The documents of 1994 require `//`
    /// even before an empty host.
    pub host: Option<&'a str>,
    /// The path, with its first slash.
    pub path: &'a str,
}

impl<'a> File<'a> {
    pub(super) fn new(uri: UriRef<&'a str>) -> Self {
        File { uri, host: uri.authority(), path: path_and_query(&uri) }
    }

    /// Reports whether the file is on the machine that reads the URI: the host is missing, empty or `localhost`, in any
    /// case and escaped or not.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.host.is_none_or(|host| {
            host.is_empty() || decode_leaving_illegal(host).map(|byte| byte.to_ascii_lowercase()).eq(*b"localhost")
        })
    }

    /// Splits the path, without its first slash, at each slash, and decodes the names. To open the file, a client joins them as its
    /// machine does. A name may then contain a character that separates or ends names there, such as a slash or a NUL.
    ///
    /// # Errors
    /// Each item can have the error of [`decode_bytes`](crate::percent::decode_bytes). The position is a byte of the segment.
    pub fn decoded_segments(&self) -> impl Iterator<Item = Result<Decode<'a>, Error>> + use<'a> {
        segments(self.path)
    }
}

impl<'a> Details<'a> for File<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        parts.add("host", self.host.filter(|_| !self.is_local()).unwrap_or("this machine"));
        parts.add_decoded_list("segment", raw_segments(self.path));
    }

    fn add_warnings(&self, warnings: &mut Warnings<'a>) {
        // A local path needs no authority (RFC 8089 §2).
        if self.host.is_none() && !self.path.starts_with('/') {
            warnings.add(WarningKind::Missing, self.uri.path_start..self.uri.path_start);
        }
        if self.is_local() {
            warnings.add(WarningKind::LocalOnly, 0..self.uri.query_end);
        } else {
            warnings.add_part(WarningKind::ForeignHost, self.host);
        }
    }
}

/// A URI of `afs`: a file of the Andrew File System (RFC 1630, BNF for specific URL schemes; RFC 1738 §4). A historical note.
///
/// ```
/// use relref::scheme::{View, view};
///
/// let View::Afs(afs) = view("afs://cern.ch/user/t/timbl") else { unreachable!() };
/// assert_eq!((afs.cell.unwrap().host, afs.decoded_segments().count()), ("cern.ch", 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Afs<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The cell, which is a host name. A port after it is split off, although the grammar has none.
    pub cell: Option<Authority<'a>>,
    /// The path, with its first slash.
    pub path: &'a str,
}

impl<'a> Afs<'a> {
    pub(super) fn new(uri: UriRef<&'a str>, authority: Option<Authority<'a>>) -> Self {
        Afs { uri, cell: authority, path: path_and_query(&uri) }
    }

    /// Splits and decodes the path as [`File::decoded_segments`] does, with the same errors.
    pub fn decoded_segments(&self) -> impl Iterator<Item = Result<Decode<'a>, Error>> + use<'a> {
        segments(self.path)
    }
}

impl<'a> Details<'a> for Afs<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        parts.add_decoded_list("segment", raw_segments(self.path));
    }
}
