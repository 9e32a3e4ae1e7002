//! Absolute URIs: references that have a scheme.

use alloc::string::String;
use core::ops::Deref;

use super::{Lend, UriRef, UriText, no_scheme};
use crate::error::Error;

/// An absolute URI: one with a scheme, so that it can be a base. It may have a fragment (RFC 3986 §3).
///
/// It owns its text, unless it is made with [`Uri::new`] of another [`UriText`]. It dereferences to a [`UriRef`] of the same text, for
/// the components. Nothing but the scheme is checked, and nothing is changed; [`parse_valid`](Uri::parse_valid) checks the rest against a document's grammar.
///
/// ```
/// use relref::Uri;
/// use std::sync::Arc;
///
/// let uri = Uri::parse("http://example.com/a?q")?;
/// assert_eq!((uri.scheme(), uri.path(), uri.query()), ("http", "/a", Some("q")));
///
/// let borrowed: Uri<&str> = Uri::new("http://example.com/a?q")?;
/// let shared: Uri<Arc<str>> = Uri::new(Arc::from("news:comp.infosystems.www"))?;
/// assert_eq!(shared.clone(), "news:comp.infosystems.www");
///
/// // The error gives an owned text back.
/// let error = Uri::new(String::from("/a/b")).unwrap_err();
/// assert_eq!(error.into_text(), "/a/b");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Uri<T = String>(UriRef<T>);

impl Uri<String> {
    /// Parses a text, which must have a scheme, and copies it. [`Uri::new`] keeps the text that it is given.
    ///
    /// # Errors
    /// The text has no scheme: `""`, `"/a/b"`, `"//host"`, `"a/b:c"`, `"1a:b"`, `":b"`. Nothing else is required of it:
    /// [`parse_valid`](Uri::parse_valid) refuses what is not valid.
    pub fn parse(text: impl AsRef<str>) -> Result<Self, Error> {
        Ok(Uri::new(text.as_ref())?.to_owned())
    }
}

impl<T: UriText + Into<String>> Uri<T> {
    /// Returns the text. Copies only a borrowed one.
    ///
    /// ```
    /// use relref::Uri;
    ///
    /// assert_eq!(Uri::parse("http://h/")?.into_string(), Uri::new("http://h/")?.into_string());
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn into_string(self) -> String {
        self.0.into_string()
    }
}

impl<T: UriText> Uri<T> {
    /// Splits a text, which must have a scheme, and holds it: `Uri::new("http://h/")?` is a `Uri<&str>`.
    ///
    /// # Errors
    /// The text has no scheme, as in [`parse`](Uri::parse). The error of an owned text gives it back.
    #[inline]
    pub fn new(text: T) -> Result<Self, T::Refused> {
        UriRef::new(text).into_uri()
    }

    /// Returns the same URI with a borrowed text. Nothing is split again.
    #[inline]
    pub fn as_borrowed(&self) -> Uri<&str> {
        Uri(self.0.as_borrowed())
    }

    /// Returns the same URI with a text of its own. Nothing is split again.
    pub fn to_owned(&self) -> Uri<String> {
        Uri(self.0.to_owned())
    }

    /// Returns the text.
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<T> Uri<T> {
    /// The reference must have a scheme.
    pub(crate) fn of_absolute(uri: UriRef<T>) -> Self {
        Uri(uri)
    }

    /// The caller must leave it a scheme.
    pub(crate) fn reference_mut(&mut self) -> &mut UriRef<T> {
        &mut self.0
    }

    /// Returns the URI as a reference. [`UriRef::into_uri`] is the way back.
    pub fn into_uri_ref(self) -> UriRef<T> {
        self.0
    }
}

impl<T: UriText> UriRef<T> {
    /// Returns the reference as a URI, which must have a scheme. Nothing is split again.
    ///
    /// # Errors
    /// There is no scheme, as in [`Uri::parse`]. The error of an owned text gives it back.
    ///
    /// ```
    /// use relref::{Uri, UriRef};
    ///
    /// let uri: Uri<&str> = UriRef::new("http://h/a").into_uri()?;
    /// assert_eq!(uri.scheme(), "http");
    /// assert!(UriRef::new("../a").into_uri().is_err());
    /// # Ok::<(), relref::Error>(())
    /// ```
    #[doc(alias("to_uri", "from_uri_ref"))]
    #[inline]
    pub fn into_uri(self) -> Result<Uri<T>, T::Refused> {
        if self.is_absolute() { Ok(Uri::of_absolute(self)) } else { Err(no_scheme(self.into_inner())) }
    }
}

impl<'i, 'o, T: Lend<'i, 'o>> Uri<T> {
    /// Returns the whole text. As [`UriRef::as_str`], but it can be named: `uris.iter().map(Uri::as_str)`.
    #[inline]
    pub fn as_str(&'i self) -> &'o str {
        self.0.as_str()
    }

    /// Returns the scheme, without its colon, as written.
    #[inline]
    pub fn scheme(&'i self) -> &'o str {
        &self.0.as_str()[..self.0.scheme_end - 1]
    }
}

impl<T> Deref for Uri<T> {
    type Target = UriRef<T>;

    fn deref(&self) -> &UriRef<T> {
        &self.0
    }
}
