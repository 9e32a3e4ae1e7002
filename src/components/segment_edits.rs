//! Edits of the path by its segments, which are encoded.

use alloc::borrow::Cow;
use alloc::string::String;

use super::path_segments::{file_name, last_segment, stem_and_extension};
use super::splice::{Component, Edit};
use crate::error::{Error, ErrorKind};
use crate::percent::{ByteSet, encode_with};
use crate::uri::{Uri, UriRef, UriText};

/// Segments that are encoded and joined by slashes; `None` if there are none.
pub(super) type Joined = Option<String>;

/// Dot segments are refused: no escape keeps `.` and `..` from being removed (RFC 3986 §6.2.2.2, §6.2.2.3).
pub(super) fn join(joined: &mut Joined, segment: &str) -> Result<(), Error> {
    check_no_dots(segment)?;
    let text = match joined {
        Some(text) => {
            text.push('/');
            text
        }
        None => joined.insert(String::new()),
    };
    text.extend(encode_with(segment, ByteSet::SEGMENT));
    Ok(())
}

fn check_no_dots(segment: &str) -> Result<(), Error> {
    if matches!(segment, "." | "..") {
        return Err(Error::new(ErrorKind::NotComponent, "a segment other than `.` and `..`", segment, 0));
    }
    Ok(())
}

impl<T: UriText> UriRef<T> {
    /// The octets to escape in a segment. In the first one of a path, a colon could end a scheme.
    fn escaped_in_segment(&self, is_first: bool) -> ByteSet {
        let ends_scheme = is_first && !self.is_absolute() && !self.has_authority();
        if ends_scheme { ByteSet::SEGMENT.add(b':') } else { ByteSet::SEGMENT }
    }

    fn path_splice<'e>(&self, start: usize, pieces: [&'e str; 2]) -> Edit<'e> {
        Edit { range: self.path_start + start..self.path_end, pieces, component: Component::Path }
    }
}

impl UriRef<String> {
    fn push_each(&mut self, segments: impl IntoIterator<Item = impl AsRef<str>>) -> Result<(), Error> {
        let mut joined = None;
        segments.into_iter().try_for_each(|segment| join(&mut joined, segment.as_ref()))?;
        self.push_joined(&joined)
    }

    pub(super) fn push_joined(&mut self, segments: &Joined) -> Result<(), Error> {
        let Some(segments) = segments else { return Ok(()) };
        let refused = |expected, at| Err(Error::new(ErrorKind::NotComponent, expected, segments, at));
        let path = self.path();
        if !self.has_authority() && segments.starts_with('/') && path == "/" {
            return refused("one slash to start a path without an authority", 0);
        }
        if !path.is_empty() || self.has_authority() {
            let kept = path.strip_suffix('/').unwrap_or(path).len();
            let edit = self.path_splice(kept, ["/", segments]);
            self.apply(edit);
            return Ok(());
        }
        if segments.is_empty() || segments.starts_with('/') {
            return refused("a segment that is not empty, to start a path", 0);
        }
        let first_len = segments.find('/').unwrap_or(segments.len());
        let (first, others) = segments.split_at(first_len);
        let first = if self.is_absolute() { Cow::from(first) } else { Cow::from(first.replace(':', "%3A")) };
        let edit = self.path_splice(0, [&first, others]);
        self.apply(edit);
        Ok(())
    }

    fn pop_last_segment(&mut self) -> bool {
        let path = self.path();
        if matches!(path, "" | "/") {
            return false;
        }
        let start = match path.rfind('/') {
            // The path stays rooted.
            Some(0) => 1,
            slash => slash.unwrap_or(0),
        };
        let edit = self.path_splice(start, ["", ""]);
        self.apply(edit);
        true
    }

    fn replace_file_name(&mut self, name: &str) -> Result<(), Error> {
        let path = self.path();
        let last = last_segment(path);
        if file_name(path).is_none() && !(last.is_empty() && (name.is_empty() || !path.is_empty())) {
            return self.push_each([name]);
        }
        let start = path.len() - last.len();
        check_no_dots(name)?;
        let text: String = encode_with(name, self.escaped_in_segment(start == 0)).collect();
        let edit = self.path_splice(start, ["", &text]);
        self.apply(edit);
        Ok(())
    }

    fn replace_extension(&mut self, extension: &str) -> Result<(), Error> {
        let path = self.path();
        let Some(name) = file_name(path) else {
            return Err(Error::new(ErrorKind::NotComponent, "a file name before an extension", path, path.len()));
        };
        let (stem, _) = stem_and_extension(name);
        let start = path.len() - name.len();
        if extension.is_empty() && matches!(stem, "." | "..") {
            return Err(Error::new(ErrorKind::NotComponent, "a file name other than `.` and `..`", path, start));
        }
        let text: String = encode_with(extension, self.escaped_in_segment(start == 0)).collect();
        let dot = if extension.is_empty() { "" } else { "." };
        let edit = self.path_splice(start + stem.len(), [dot, &text]);
        self.apply(edit);
        Ok(())
    }
}

macro_rules! segment_edits {
    ($type:ident) => {
        /// Edits of the path by its segments. What a segment cannot contain is encoded: also `/`, `?`, `#` and `%`, and a colon in the
        /// first segment where it would end a scheme. The other segments keep their bytes.
        ///
        /// Segments `.` and `..` are errors: they would be removed when the URI is resolved, and RFC 3986 has no way to escape them. After
        /// an error, nothing has changed. Cost: one pass over what is written, and one move of what comes after the path.
        ///
        /// ```
        /// use relref::Uri;
        ///
        /// let mut uri: Uri = "http://h/docs/?q".parse()?;
        /// uri.push_segment("50% a/b")?;
        /// assert_eq!(uri, "http://h/docs/50%25%20a%2Fb?q");
        /// uri.set_file_name("guide.md")?;
        /// uri.set_extension("html")?;
        /// assert_eq!(uri, "http://h/docs/guide.html?q");
        /// assert!(uri.pop_segment() && uri == "http://h/docs?q");
        /// assert!(uri.push_segment("..").is_err());
        /// # Ok::<(), relref::Error>(())
        /// ```
        impl $type<String> {
            /// Appends a segment to the path. If the last segment is empty, it goes first, so that slashes do not double. After an
            /// authority, the path starts with a slash.
            ///
            /// # Errors
            /// The segment is `.` or `..`; or it is empty, to start the path of a URI without an authority.
            #[doc(alias("path_segments_mut", "push"))]
            pub fn push_segment(&mut self, segment: impl AsRef<str>) -> Result<(), Error> {
                self.reference_mut().push_each([segment])
            }

            /// Appends segments to the path, as [`push_segment`](Self::push_segment) does: an empty last segment of the path goes, those of
            /// `segments` stay. Without segments, changes nothing.
            ///
            /// # Errors
            /// One of the segments is `.` or `..`; or the first one is empty, to start the path of a URI without an authority.
            #[doc(alias("path_segments_mut", "extend"))]
            pub fn extend_segments(
                &mut self,
                segments: impl IntoIterator<Item = impl AsRef<str>>,
            ) -> Result<(), Error> {
                self.reference_mut().push_each(segments)
            }

            /// Removes the last segment and the slash before it. A path that starts with a slash still does. Returns false if there is
            /// nothing to remove: the path is empty or `/`.
            #[doc(alias("path_segments_mut", "pop"))]
            pub fn pop_segment(&mut self) -> bool {
                self.reference_mut().pop_last_segment()
            }

            /// Replaces the last segment of the path. After a last segment `.` or `..`, appends one.
            ///
            /// # Errors
            /// The name is `.` or `..`.
            pub fn set_file_name(&mut self, name: impl AsRef<str>) -> Result<(), Error> {
                self.reference_mut().replace_file_name(name.as_ref())
            }

            /// Replaces the [extension](UriRef::extension) of the file name, or adds one; with an empty one, removes it and its dot.
            ///
            /// # Errors
            /// There is no [file name](UriRef::file_name), or without its extension it would be `.` or `..`.
            pub fn set_extension(&mut self, extension: impl AsRef<str>) -> Result<(), Error> {
                self.reference_mut().replace_extension(extension.as_ref())
            }
        }

        impl<T: UriText> $type<T> {
            /// Returns a copy with a segment appended to the path.
            ///
            /// # Errors
            /// As in [`push_segment`](Self::push_segment).
            #[doc(alias("path_segments_mut", "push"))]
            pub fn with_segment(&self, segment: impl AsRef<str>) -> Result<$type<String>, Error> {
                self.with_segments([segment])
            }

            /// Returns a copy with segments appended to the path.
            ///
            /// # Errors
            /// As in [`extend_segments`](Self::extend_segments).
            #[doc(alias("path_segments_mut", "extend"))]
            pub fn with_segments(
                &self,
                segments: impl IntoIterator<Item = impl AsRef<str>>,
            ) -> Result<$type<String>, Error> {
                let mut uri = self.to_owned();
                uri.extend_segments(segments)?;
                Ok(uri)
            }
        }
    };
}

segment_edits!(UriRef);
segment_edits!(Uri);
