//! Edits of the path of a `Url` by its segments.

use alloc::string::String;

use super::{Url, state_override};
use crate::error::Error;
use crate::uri::UriRef;

/// Edits of the path by its segments, which are encoded as those of a [`Uri`](crate::Uri) are: also `/`, `?`, `#` and `%`. The other
/// segments keep their bytes.
///
/// Segments `.` and `..` are errors, since no escape keeps them. After an error, nothing has changed. Cost: linear time, and a new text.
///
/// ```
/// use relref::whatwg::Url;
///
/// let mut url = Url::parse("http://h/docs/?q")?;
/// url.push_segment("50% a/b")?;
/// assert_eq!(url, "http://h/docs/50%25%20a%2Fb?q");
/// url.set_file_name("guide.md")?;
/// assert!(url.pop_segment() && url == "http://h/docs?q");
/// assert!(url.push_segment("..").is_err());
/// # Ok::<(), relref::Error>(())
/// ```
impl Url<String> {
    /// Appends a segment to the path. If the last segment is empty, it goes first, so that slashes do not double.
    ///
    /// # Errors
    /// The segment is `.` or `..`, or the path is [opaque](Url::has_opaque_path).
    #[doc(alias = "path_segments_mut")]
    pub fn push_segment(&mut self, segment: impl AsRef<str>) -> Result<(), Error> {
        self.extend_segments([segment])
    }

    /// Appends segments to the path, as [`push_segment`](Self::push_segment) does: an empty last segment of the path goes, those of
    /// `segments` stay.
    ///
    /// # Errors
    /// One of the segments is `.` or `..`; the path is [opaque](Url::has_opaque_path); or it is `/` without a host, and the first of
    /// several segments is empty.
    #[doc(alias = "path_segments_mut")]
    pub fn extend_segments(&mut self, segments: impl IntoIterator<Item = impl AsRef<str>>) -> Result<(), Error> {
        self.edit_path(|uri| uri.extend_segments(segments))
    }

    /// Removes the last segment and the slash before it. Returns false if there is nothing to remove: the path is empty, `/` or
    /// [opaque](Url::has_opaque_path).
    #[doc(alias = "path_segments_mut")]
    pub fn pop_segment(&mut self) -> bool {
        let mut uri = self.uri.clone();
        let has_popped = !self.has_opaque_path() && uri.pop_segment();
        if has_popped {
            // The shorter path may no longer need its guard.
            *self = Url::parse(&uri).expect("only the path is shorter");
        }
        has_popped
    }

    /// Replaces the last segment of the path.
    ///
    /// # Errors
    /// The name is `.` or `..`, or the path is [opaque](Url::has_opaque_path).
    pub fn set_file_name(&mut self, name: impl AsRef<str>) -> Result<(), Error> {
        self.edit_path(|uri| uri.set_file_name(name))
    }

    fn edit_path(&mut self, edit: impl FnOnce(&mut UriRef) -> Result<(), Error>) -> Result<(), Error> {
        let mut uri = self.uri.clone();
        edit(&mut uri)?;
        if self.has_opaque_path() || Url::parse(&uri)? != uri.as_str() {
            return Err(state_override::cannot_be_set().into());
        }
        self.uri = uri;
        Ok(())
    }
}
