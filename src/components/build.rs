//! The builder of references and URIs.

use alloc::string::String;

use crate::error::{Error, ErrorKind};
use crate::uri::{Uri, UriRef, scheme_end};

/// A builder of references and URIs that cannot make a text which splits into other components than were given.
///
/// Nothing is encoded: use [`percent::encode`](crate::percent::encode) for text with characters that a component must not
/// have.
///
/// ```
/// use relref::Builder;
///
/// let uri = Builder::new().scheme("http").authority("example.com").path("/a").query("q=1").build_uri()?;
/// assert_eq!(uri, "http://example.com/a?q=1");
///
/// let error = Builder::new().scheme("http").authority("example.com").path("a").build().unwrap_err();
/// assert_eq!(error.to_string(), "not a component: expected `/` to start a path after an authority, found `a` at byte 0");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Builder<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

impl<'a> Builder<'a> {
    /// Starts with the empty reference.
    pub fn new() -> Self {
        Builder::default()
    }

    /// Sets the scheme, without its colon.
    #[must_use]
    pub fn scheme(self, scheme: &'a str) -> Self {
        Builder { scheme: Some(scheme), ..self }
    }

    /// Removes the scheme.
    #[must_use]
    pub fn without_scheme(self) -> Self {
        Builder { scheme: None, ..self }
    }

    /// Sets the authority, without its two slashes.
    #[must_use]
    pub fn authority(self, authority: &'a str) -> Self {
        Builder { authority: Some(authority), ..self }
    }

    /// Removes the authority.
    #[must_use]
    pub fn without_authority(self) -> Self {
        Builder { authority: None, ..self }
    }

    /// Sets the path.
    #[must_use]
    pub fn path(self, path: &'a str) -> Self {
        Builder { path, ..self }
    }

    /// Sets the query, without its question mark.
    #[must_use]
    pub fn query(self, query: &'a str) -> Self {
        Builder { query: Some(query), ..self }
    }

    /// Removes the query.
    #[must_use]
    pub fn without_query(self) -> Self {
        Builder { query: None, ..self }
    }

    /// Sets the fragment, without its hash sign.
    #[must_use]
    pub fn fragment(self, fragment: &'a str) -> Self {
        Builder { fragment: Some(fragment), ..self }
    }

    /// Removes the fragment.
    #[must_use]
    pub fn without_fragment(self) -> Self {
        Builder { fragment: None, ..self }
    }

    /// Returns the reference.
    ///
    /// # Errors
    /// A component that would be read as another, with the byte of that component (RFC 3986 §3, §3.3, §4.2):
    /// - a scheme that is not a letter followed by letters, digits, `+`, `-` or `.`
    /// - an authority with `/`, `?` or `#`; a path with `?` or `#`; a query with `#`
    /// - after an authority, a path that neither is empty nor starts with `/`
    /// - without an authority, a path that starts with `//`
    /// - without scheme and authority, a path that starts with what would be a scheme
    pub fn build(self) -> Result<UriRef<String>, Error> {
        self.check()?;
        let mut text = String::new();
        if let Some(scheme) = self.scheme {
            text.push_str(scheme);
            text.push(':');
        }
        for (mark, component) in
            [("//", self.authority), ("", Some(self.path)), ("?", self.query), ("#", self.fragment)]
        {
            if let Some(component) = component {
                text.push_str(mark);
                text.push_str(component);
            }
        }
        Ok(UriRef::new(text))
    }

    /// Returns the URI.
    ///
    /// # Errors
    /// As [`build`](Builder::build), and if there is no scheme.
    pub fn build_uri(self) -> Result<Uri<String>, Error> {
        Ok(Uri::from_uri_ref(self.build()?)?)
    }

    fn check(&self) -> Result<(), Error> {
        let refused = |expected, text, at| Err(Error::new(ErrorKind::NotComponent, expected, text, at));
        if let Some(scheme) = self.scheme {
            if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return refused("a letter to start a scheme", scheme, 0);
            }
            let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
            if let Some(at) = scheme.find(|c| !is_part(c)) {
                return refused("a letter, a digit, `+`, `-` or `.` in a scheme", scheme, at);
            }
        }
        if let Some(authority) = self.authority {
            if let Some(at) = authority.find(['/', '?', '#']) {
                return refused("an authority without `/`, `?` and `#`", authority, at);
            }
            if !self.path.is_empty() && !self.path.starts_with('/') {
                return refused("`/` to start a path after an authority", self.path, 0);
            }
        } else if self.path.starts_with("//") {
            return refused("one slash to start a path without an authority", self.path, 1);
        } else if let (None, end @ 1..) = (self.scheme, scheme_end(self.path.as_bytes())) {
            return refused("no colon in the first segment of a path without a scheme", self.path, end - 1);
        }
        if let Some(at) = self.path.find(['?', '#']) {
            return refused("a path without `?` and `#`", self.path, at);
        }
        match self.query.and_then(|query| Some((query, query.find('#')?))) {
            Some((query, at)) => refused("a query without `#`", query, at),
            None => Ok(()),
        }
    }
}

impl<'a> From<UriRef<&'a str>> for Builder<'a> {
    fn from(uri: UriRef<&'a str>) -> Self {
        Builder {
            scheme: uri.scheme(),
            authority: uri.authority(),
            path: uri.path(),
            query: uri.query(),
            fragment: uri.fragment(),
        }
    }
}

impl<'a> From<Uri<&'a str>> for Builder<'a> {
    fn from(uri: Uri<&'a str>) -> Self {
        Builder::from(uri.into_uri_ref())
    }
}
