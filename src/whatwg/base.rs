//! Bases: a URL parsed once, against which many references are resolved.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use super::error::Error;
use super::parse::{append_by_states, parse, resolve_prepared_into};
use super::prepared_base::{BaseParts, PreparedBase};
use super::query_charset::QueryCharset;
use super::relativize::relativize;
use super::url::Url;
use super::ways::{relative_copies, serialized_path_start};
use crate::compare_by::compare_by;
use crate::reference_form::ReferenceForm;
use crate::uri::{UriRef, UriText};

/// A URL against which references are resolved as browsers do. It owns its text, so that a struct can keep it.
///
/// For a single reference, [`Url::join`] does not copy the base, and neither does [`whatwg::resolve`](super::resolve()) if that is an
/// `http` or `https` URL as most are: without a port, and written as it is serialized.
///
/// ```
/// use relref::whatwg::Base;
///
/// let base = Base::new("HTTP://Example.com:80/docs/")?;
/// assert_eq!(base.as_str(), "http://example.com/docs/");
/// assert_eq!(base.resolve("a b\\c")?, "http://example.com/docs/a%20b/c");
/// assert_eq!(base.url().host(), Some("example.com"));
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
#[derive(Clone)]
pub struct Base {
    text: String,
    parts: BaseParts,
}

impl Base {
    /// Parses a URL without another base (URL Standard §4.4), and prepares it as a base. The text is copied.
    ///
    /// # Errors
    /// The same as [`Url::parse`].
    pub fn new(url: impl AsRef<str>) -> Result<Self, Error> {
        let url = url.as_ref();
        match serialized_path_start(url) {
            Some(path_start) => Ok(Base { parts: BaseParts::of_simple(url, path_start), text: String::from(url) }),
            None => parse(url).map(Base::of_serialized),
        }
    }

    /// Does what [`new`](Base::new) does.
    ///
    /// # Errors
    /// The same as [`Url::parse`].
    pub fn parse(url: impl AsRef<str>) -> Result<Self, Error> {
        Base::new(url)
    }

    fn of_serialized(href: String) -> Self {
        Base { parts: BaseParts::of_serialized(UriRef::split(&href)), text: href }
    }

    #[inline(always)]
    pub(super) fn prepared(&self) -> PreparedBase<'_> {
        self.parts.with_text(&self.text)
    }

    /// Resolves a reference (URL Standard §4.4, with a base) and returns the serialized URL.
    ///
    /// # Errors
    /// The Standard's parser returns failure: the reference has an impossible host or port, or no scheme although the base
    /// has no hierarchy.
    pub fn resolve(&self, reference: &(impl AsRef<str> + ?Sized)) -> Result<String, Error> {
        let mut out = String::new();
        self.resolve_into(reference, &mut out)?;
        Ok(out)
    }

    /// Resolves a reference as [`resolve`](Base::resolve) does, and appends the result; allocates if `out` must grow.
    ///
    /// # Errors
    /// The same as [`resolve`](Base::resolve). Then `out` is as before.
    #[inline]
    pub fn resolve_into(&self, reference: &(impl AsRef<str> + ?Sized), out: &mut String) -> Result<(), Error> {
        resolve_prepared_into(self.prepared(), reference.as_ref(), out)
    }

    /// Returns the shortest reference that resolves to a serialized URL; the URL itself if no reference is shorter.
    ///
    /// The reference is valid by the Standard, never one that parsers only accept, such as `https:h`. A text that is no serialized
    /// URL stays.
    ///
    /// ```
    /// use relref::whatwg::Base;
    ///
    /// let base = Base::new("http://example.com/a/b")?;
    /// assert_eq!(base.relativize("http://example.com/a/c?q"), "c?q");
    /// assert_eq!(base.relativize("http://example.org/"), "//example.org");
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    #[must_use]
    pub fn relativize<'t>(&self, target: &'t (impl AsRef<str> + ?Sized)) -> Cow<'t, str> {
        relativize(self.prepared(), target.as_ref())
    }

    /// Returns the shortest reference of a form that resolves to a serialized URL, or the URL itself if none does; as
    /// [`relref::Base::relativize_as`](crate::Base::relativize_as).
    #[must_use]
    pub fn relativize_as<'t>(&self, target: &'t (impl AsRef<str> + ?Sized), form: ReferenceForm) -> Cow<'t, str> {
        let target = target.as_ref();
        let leads_to_target = |reference: &str| self.resolve(reference).is_ok_and(|href| href == target);
        form.choose(&self.text, target, self.relativize(target), leads_to_target)
    }

    /// Sets the character encoding of the page. Queries of `http`, `https`, `ftp` and `file` URLs are written in it (URL
    /// Standard §4.4, *query state*); with `None`, and without this call, in UTF-8.
    #[must_use]
    pub fn query_charset(mut self, charset: Option<QueryCharset>) -> Self {
        self.parts.query_charset = charset;
        self
    }

    /// Returns the name of the character encoding of queries. `None` means UTF-8.
    pub(crate) fn charset_name(&self) -> Option<&'static str> {
        self.parts.query_charset.map(|charset| charset.name)
    }

    /// Reports whether `charset` is what was set with [`query_charset`](Base::query_charset). `None` means UTF-8.
    #[doc(hidden)]
    #[must_use]
    pub fn has_charset(&self, charset: Option<QueryCharset>) -> bool {
        self.charset_name() == charset.map(|other| other.name)
    }

    /// Makes a base of another URL, with the character encoding of this base for queries. `href` must be a serialized URL.
    #[doc(hidden)]
    #[must_use]
    pub fn with_href(&self, href: String) -> Base {
        Base::of_serialized(href).query_charset(self.parts.query_charset)
    }

    /// Returns the URL. Nothing is split again.
    #[must_use]
    pub fn url(&self) -> Url<&str> {
        Url::of_serialized(self.prepared().uri_ref())
    }

    /// Returns the scheme, without its colon.
    #[must_use]
    pub fn scheme(&self) -> &str {
        &self.text[..self.parts.offsets.scheme_end - 1]
    }

    /// Returns the serialized URL.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the serialized URL.
    #[must_use]
    pub fn into_string(self) -> String {
        self.text
    }

    /// Returns the length in bytes of the URL to which a reference resolves, without building that URL. `None` for a reference with
    /// a scheme, and for the few relative references whose length is known only when the URL is built.
    #[doc(hidden)]
    #[must_use]
    pub fn result_len(&self, reference: &str) -> Option<usize> {
        relative_copies(self.prepared(), reference).map(|(of_base, of_reference)| of_base.len() + of_reference.len())
    }

    /// Does what [`resolve_into`](Base::resolve_into) does, by all of the Standard's states. Public for benches and tests.
    #[doc(hidden)]
    pub fn resolve_by_states(&self, reference: &str, out: &mut String) -> Result<(), Error> {
        append_by_states(Some(self.prepared()), reference, out)
    }

    fn text_and_charset(&self) -> (&str, Option<&'static str>) {
        (&self.text, self.charset_name())
    }
}

/// Nothing is parsed again.
impl<T: UriText + Into<String>> From<Url<T>> for Base {
    fn from(url: Url<T>) -> Self {
        let parts = BaseParts::of_serialized(url.as_uri_ref());
        Base { parts, text: UriRef::from(url).into_inner().into() }
    }
}

/// Parses a URL, as [`Base::new`] does.
impl FromStr for Base {
    type Err = Error;

    fn from_str(url: &str) -> Result<Self, Error> {
        Base::new(url)
    }
}

impl AsRef<str> for Base {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Base({:?})", self.as_str())
    }
}

compare_by! {
    /// Compares the texts first, then the names of the character encodings. There is no `Borrow<str>`, since the hash depends on both.
    Base, text_and_charset
}
