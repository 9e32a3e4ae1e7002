//! `file` and `afs`: files in a tree of directories.

use super::authority::Authority;
use super::parts::{rest, url_path};
use crate::error::Error;
use crate::percent::{Decode, decode, decode_leaving_illegal};
use crate::uri::UriRef;

/// A URI of `file`: a file of one machine. `?` is an ordinary character.
///
/// Source: RFC 1630, *File*; RFC 1738 §3.10.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{View, view};
///
/// let View::File(file) = view(UriRef::new("file://vms.host.edu/disk$user/my/notes/note12345.txt")) else { unreachable!() };
/// assert!(!file.is_local());
/// let names: Result<Vec<String>, _> = file.segments().map(|name| name.map(|name| name.to_string())).collect();
/// assert_eq!(names?, ["disk$user", "my", "notes", "note12345.txt"]);
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct File<'a> {
    /// The whole.
    pub uri: UriRef<'a>,
    /// The host; the documents want one to be there, if only a void one.
    pub host: Option<&'a str>,
    /// The path, with its slash.
    pub path: &'a str,
}

impl<'a> File<'a> {
    pub(super) fn new(uri: UriRef<'a>) -> Self {
        File { uri, host: uri.authority(), path: rest(&uri) }
    }

    /// Whether the file is of the machine that reads the URI: the host is `localhost`, in any case and encoding, or void, or
    /// missing.
    pub fn is_local(&self) -> bool {
        self.host.is_none_or(|host| {
            host.is_empty() || decode_leaving_illegal(host).map(|byte| byte.to_ascii_lowercase()).eq(*b"localhost")
        })
    }

    /// The directories and the name, decoded after the path was split; to be put together as local file names are.
    ///
    /// A segment may hold what separates names here: a slash, or a NUL.
    ///
    /// # Errors
    /// Each as [`decode`](crate::percent::decode); the position is that in the segment.
    pub fn segments(&self) -> impl Iterator<Item = Result<Decode<'a>, Error>> + use<'a> {
        segments(self.path)
    }
}

/// A URI of `afs`: a file of the Andrew File System. The documents keep it as a historical note.
///
/// Source: RFC 1630, BNF for specific URL schemes; RFC 1738 §4.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{View, view};
///
/// let View::Afs(afs) = view(UriRef::new("afs://cern.ch/user/t/timbl")) else { unreachable!() };
/// assert_eq!((afs.cell.unwrap().host, afs.segments().count()), ("cern.ch", 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Afs<'a> {
    /// The whole.
    pub uri: UriRef<'a>,
    /// The cell, which is a host name. The grammar has no port; one that is written is read as such.
    pub cell: Option<Authority<'a>>,
    /// The path, with its slash.
    pub path: &'a str,
}

impl<'a> Afs<'a> {
    pub(super) fn new(uri: UriRef<'a>) -> Self {
        Afs { uri, cell: Authority::of(&uri), path: rest(&uri) }
    }

    /// The directories and the name, decoded after the path was split.
    ///
    /// # Errors
    /// Each as [`decode`](crate::percent::decode); the position is that in the segment.
    pub fn segments(&self) -> impl Iterator<Item = Result<Decode<'a>, Error>> + use<'a> {
        segments(self.path)
    }
}

/// The segments of a path behind its first slash.
pub(super) fn segments<'a>(path: &'a str) -> impl Iterator<Item = Result<Decode<'a>, Error>> + use<'a> {
    url_path(path).into_iter().flat_map(|path| path.split('/')).map(decode)
}
