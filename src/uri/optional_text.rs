//! `OptionalText`: what setters take for a component that can be absent.

use alloc::borrow::Cow;
use alloc::string::String;

/// A text or `None`: the value of a component that can be absent. `&str`, `&String`, `String`, `Cow<str>`, references to other texts,
/// and `Option<&str>` are values.
///
/// ```
/// use relref::Uri;
///
/// let page = 2;
/// let uri = Uri::parse("http://h/a?b#c")?.with_query(format!("page={page}"))?.with_fragment(None)?;
/// assert_eq!(uri, "http://h/a?page=2");
/// # Ok::<(), relref::Error>(())
/// ```
// Not `Into<Option<&str>>`, which no `String` and no `&String` is.
pub trait OptionalText {
    /// Returns the text, if there is one.
    fn as_text(&self) -> Option<&str>;
}

impl<T: AsRef<str> + ?Sized> OptionalText for &T {
    fn as_text(&self) -> Option<&str> {
        Some((**self).as_ref())
    }
}

impl OptionalText for String {
    fn as_text(&self) -> Option<&str> {
        Some(self)
    }
}

impl OptionalText for Cow<'_, str> {
    fn as_text(&self) -> Option<&str> {
        Some(self)
    }
}

/// The only `Option`, so that `None` needs no type.
impl OptionalText for Option<&str> {
    fn as_text(&self) -> Option<&str> {
        *self
    }
}
