//! The segments of a path, one by one, and the parts of the last one: a file name.

use core::iter::FusedIterator;

use memchr::{memchr, memrchr};

use crate::uri::{Lend, UriRef};
use crate::whatwg::Url;

/// The segments of a path, as written: an iterator from both ends, made by [`UriRef::path_segments`].
///
/// ```
/// use relref::UriRef;
///
/// let segments = |text: &'static str| UriRef::new(text).path_segments().collect::<Vec<_>>();
/// assert_eq!(segments("http://h/docs/a%20b.html?q"), ["docs", "a%20b.html"]);
/// assert_eq!((segments("/a//b/"), segments("../b")), (vec!["a", "", "b", ""], vec!["..", "b"]));
/// assert_eq!((segments("http://h/"), segments("http://h").len()), (vec![""], 0));
/// assert_eq!(UriRef::new("/a/b/c").path_segments().rev().nth(1), Some("b"));
/// ```
#[derive(Clone, Debug)]
pub struct PathSegments<'a> {
    /// `None` after the last segment.
    rest: Option<&'a str>,
}

impl<'a> PathSegments<'a> {
    pub(super) fn new(path: &'a str) -> Self {
        PathSegments { rest: Some(path.strip_prefix('/').unwrap_or(path)).filter(|_| !path.is_empty()) }
    }
}

impl<'a> Iterator for PathSegments<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest?;
        let slash = memchr(b'/', rest.as_bytes());
        self.rest = slash.map(|at| &rest[at + 1..]);
        Some(&rest[..slash.unwrap_or(rest.len())])
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rest.map_or((0, Some(0)), |rest| (1, Some(rest.len() + 1)))
    }
}

impl<'a> DoubleEndedIterator for PathSegments<'a> {
    fn next_back(&mut self) -> Option<&'a str> {
        let rest = self.rest?;
        let slash = memrchr(b'/', rest.as_bytes());
        self.rest = slash.map(|at| &rest[..at]);
        Some(&rest[slash.map_or(0, |at| at + 1)..])
    }
}

impl FusedIterator for PathSegments<'_> {}

/// Defines the methods that read the segments of a path.
macro_rules! path_readers {
    ($type:ident) => {
        impl<'i, 'o, T: Lend<'i, 'o>> $type<T> {
            /// Returns the segments of the path, as written: the texts between its slashes. The slash that a path starts with is before
            /// the first one, and a slash at the end is before an empty one. An empty path has none. Those of a `whatwg::Url` are
            /// percent-encoded.
            ///
            /// [`Segments`](crate::Segments) is a list of them, from which dot segments can be removed.
            #[doc(alias = "segments")]
            pub fn path_segments(&'i self) -> PathSegments<'o> {
                PathSegments::new(self.path())
            }

            /// Returns the path up to its last slash, which it has at its end; empty without a slash.
            ///
            /// ```
            /// use relref::UriRef;
            ///
            /// assert_eq!(UriRef::new("http://h/a/b.html?q").directory(), "/a/");
            /// assert_eq!((UriRef::new("http://h/a/").directory(), UriRef::new("b").directory()), ("/a/", ""));
            /// ```
            #[doc(alias("parent", "dirname"))]
            pub fn directory(&'i self) -> &'o str {
                directory(self.path())
            }

            /// Returns the last segment of the path, as written (of a `whatwg::Url`, percent-encoded); `None` if it is empty, `.` or `..`, so that the path is of a directory.
            pub fn file_name(&'i self) -> Option<&'o str> {
                file_name(self.path())
            }

            /// Returns the [file name](Self::file_name) without its [extension](Self::extension).
            pub fn file_stem(&'i self) -> Option<&'o str> {
                self.file_name().map(|name| stem_and_extension(name).0)
            }

            /// Returns the text after the last dot of the [file name](Self::file_name), as written. `None` without a dot, and if the only
            /// one is its first byte, as in `.htaccess`.
            ///
            /// ```
            /// use relref::{UriRef, whatwg::Url};
            ///
            /// let uri = UriRef::new("http://h/a/b.tar.gz?q");
            /// assert_eq!((uri.file_name(), uri.file_stem(), uri.extension()), (Some("b.tar.gz"), Some("b.tar"), Some("gz")));
            /// assert_eq!((UriRef::new("/a/").file_name(), UriRef::new("/.htaccess").extension()), (None, None));
            ///
            /// let url = Url::parse("http://h/a b/c.tar.gz?q")?;
            /// assert_eq!((url.directory(), url.file_name()), ("/a%20b/", Some("c.tar.gz")));
            /// assert_eq!((url.file_stem(), url.extension()), (Some("c.tar"), Some("gz")));
            /// assert_eq!(Url::parse("http://h")?.file_name(), None);
            /// # Ok::<(), relref::whatwg::Error>(())
            /// ```
            pub fn extension(&'i self) -> Option<&'o str> {
                self.file_name().and_then(|name| stem_and_extension(name).1)
            }
        }
    };
}

path_readers!(UriRef);
path_readers!(Url);

fn directory(path: &str) -> &str {
    &path[..path.len() - last_segment(path).len()]
}

pub(super) fn last_segment(path: &str) -> &str {
    &path[memrchr(b'/', path.as_bytes()).map_or(0, |at| at + 1)..]
}

pub(super) fn file_name(path: &str) -> Option<&str> {
    Some(last_segment(path)).filter(|name| !matches!(*name, "" | "." | ".."))
}

pub(super) fn stem_and_extension(name: &str) -> (&str, Option<&str>) {
    match memrchr(b'.', name.as_bytes()) {
        None | Some(0) => (name, None),
        Some(at) => (&name[..at], Some(&name[at + 1..])),
    }
}
