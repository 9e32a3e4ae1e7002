//! The builder of URIs and references from their components.

use alloc::string::{String, ToString};
use core::marker::PhantomData;

use super::checks::check_port;
use super::pairs::push_pair;
use super::segment_edits::{Joined, join};
use crate::error::{Error, ErrorKind};
use crate::scheme::Authority;
use crate::uri::{Uri, UriRef, UriText};

/// A builder of a URI or a reference, in any order of its components. It makes only texts that are valid by RFC 3986 and split into what
/// was given. [`Uri::builder`] and [`UriRef::builder`] start one without components, [`Uri::to_builder`] one with those of a URI.
///
/// Segments and query pairs are encoded. Other components are not: [`percent::encode`](crate::percent::encode) encodes them.
/// To change a component of a URI that is there, use its own `set_…` and `with_…`, such as [`Uri::set_host`].
///
/// ```
/// use relref::{Uri, UriRef};
///
/// let uri: Uri = Uri::builder()
///     .scheme("https")
///     .host("example.com")
///     .port(8443)
///     .segments(["docs", "a/b"])
///     .query_pair("q", "C++ & more")
///     .build()?;
/// assert_eq!(uri, "https://example.com:8443/docs/a%2Fb?q=C%2B%2B+%26+more");
///
/// let reference: UriRef = UriRef::builder().path("../a").fragment("top").build()?;
/// assert_eq!(reference, "../a#top");
///
/// let error = Uri::builder().scheme("http").host("example.com").path("a").build().unwrap_err();
/// assert_eq!(error.to_string(), "not a component: expected `/` to start a path after an authority, found `a` at byte 0");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Builder<U = Uri> {
    scheme: Option<String>,
    userinfo: Option<String>,
    /// `None` if there is no authority.
    host: Option<String>,
    port: Option<String>,
    path: String,
    /// They follow the path.
    segments: Joined,
    query: Option<String>,
    fragment: Option<String>,
    /// The first segment that was refused.
    refused: Option<Error>,
    /// The type that it builds.
    built: PhantomData<U>,
}

impl<U> Builder<U> {
    const EMPTY: Self = Builder {
        scheme: None,
        userinfo: None,
        host: None,
        port: None,
        path: String::new(),
        segments: None,
        query: None,
        fragment: None,
        refused: None,
        built: PhantomData,
    };

    fn of(uri: UriRef<&str>) -> Self {
        let builder = Builder {
            scheme: uri.scheme().map(String::from),
            path: String::from(uri.path()),
            query: uri.query().map(String::from),
            fragment: uri.fragment().map(String::from),
            ..Builder::EMPTY
        };
        match uri.authority() {
            Some(authority) => builder.authority(authority),
            None => builder,
        }
    }

    /// Sets the scheme, without its colon.
    #[must_use]
    pub fn scheme(self, scheme: impl Into<String>) -> Self {
        Builder { scheme: Some(scheme.into()), ..self }
    }

    /// Sets the authority, without its two slashes: userinfo, host and port.
    #[must_use]
    pub fn authority(self, authority: impl AsRef<str>) -> Self {
        let Authority { userinfo, host, port_text, .. } = Authority::new(authority.as_ref(), None);
        let port = port_text.map(String::from);
        Builder { userinfo: userinfo.map(String::from), host: Some(String::from(host)), port, ..self }
    }

    /// Sets the text before the `@` of the authority, `user:password`.
    #[must_use]
    pub fn userinfo(self, userinfo: impl Into<String>) -> Self {
        Builder { userinfo: Some(userinfo.into()), ..self }
    }

    /// Sets the host of the authority. An IPv6 address has its brackets.
    #[must_use]
    pub fn host(self, host: impl Into<String>) -> Self {
        Builder { host: Some(host.into()), ..self }
    }

    /// Sets the port of the authority.
    #[must_use]
    pub fn port(self, port: u16) -> Self {
        Builder { port: Some(port.to_string()), ..self }
    }

    /// Sets the path, in place of all segments.
    #[must_use]
    pub fn path(self, path: impl Into<String>) -> Self {
        Builder { path: path.into(), segments: None, refused: None, ..self }
    }

    /// Appends a segment to the path, which is encoded. If the path ends in a slash, none is added.
    #[must_use]
    pub fn segment(self, segment: impl AsRef<str>) -> Self {
        self.segments([segment])
    }

    /// Appends segments to the path, which are encoded. If the path ends in a slash, none is added before the first.
    #[must_use]
    pub fn segments(mut self, segments: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        for segment in segments {
            let refused = join(&mut self.segments, segment.as_ref()).err();
            self.refused = self.refused.or(refused);
        }
        self
    }

    /// Sets the query, without its `?`, in place of all pairs.
    #[must_use]
    pub fn query(self, query: impl Into<String>) -> Self {
        Builder { query: Some(query.into()), ..self }
    }

    /// Appends a name and a value to the query, encoded as [`Uri::append_query_pair`] does.
    #[must_use]
    pub fn query_pair(self, name: impl AsRef<str>, value: impl AsRef<str>) -> Self {
        self.query_pairs([(name, value)])
    }

    /// Appends names and values to the query, encoded as [`Uri::append_query_pair`] does.
    #[must_use]
    pub fn query_pairs(mut self, pairs: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<str>)>) -> Self {
        for (name, value) in pairs {
            push_pair(self.query.get_or_insert_default(), name.as_ref(), value.as_ref());
        }
        self
    }

    /// Sets the fragment, without its `#`.
    #[must_use]
    pub fn fragment(self, fragment: impl Into<String>) -> Self {
        Builder { fragment: Some(fragment.into()), ..self }
    }

    fn build_reference(self) -> Result<UriRef, Error> {
        if let Some(refused) = self.refused {
            return Err(refused);
        }
        let mut uri = UriRef::<String>::default();
        uri.set_scheme(self.scheme.as_deref())?;
        uri.set_host(self.host.as_deref())?;
        uri.set_userinfo(self.userinfo.as_deref())?;
        self.port.as_deref().map_or(Ok(()), check_port)?;
        uri.edit(|uri| uri.port_edit(self.port.as_deref()))?;
        uri.set_path(&self.path)?;
        uri.push_joined(&self.segments)?;
        uri.set_query(self.query.as_deref())?;
        uri.set_fragment(self.fragment.as_deref())?;
        Ok(uri)
    }
}

impl Builder<UriRef> {
    /// Returns the reference, which is relative without a scheme.
    ///
    /// # Errors
    /// - A component is not valid by RFC 3986; the position is in that component.
    /// - Userinfo or a port is given, and no host.
    /// - The path would be read as another component, as in [`Uri::set_path`].
    /// - A segment is `.` or `..`, or the first segment of a path without an authority is empty.
    pub fn build(self) -> Result<UriRef, Error> {
        self.build_reference()
    }
}

impl Builder<Uri> {
    /// Returns the URI.
    ///
    /// # Errors
    /// Those of the builder of a [reference](Builder::<UriRef>::build), and a missing scheme, of the kind
    /// [`NoScheme`](crate::ErrorKind::NoScheme).
    pub fn build(self) -> Result<Uri, Error> {
        if self.scheme.is_none() {
            return Err(Error::new(ErrorKind::NoScheme, "a scheme", "", 0));
        }
        Ok(Uri::of_absolute(self.build_reference()?))
    }
}

impl UriRef {
    /// Starts a [`Builder`] of a reference, without components.
    #[must_use]
    pub fn builder() -> Builder<UriRef> {
        Builder::EMPTY
    }
}

impl Uri {
    /// Starts a [`Builder`] of a URI, without components.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::EMPTY
    }
}

impl<T: UriText> UriRef<T> {
    /// Starts a [`Builder`] of a reference, with the components of this one.
    pub fn to_builder(&self) -> Builder<UriRef> {
        Builder::of(self.as_borrowed())
    }
}

impl<T: UriText> Uri<T> {
    /// Starts a [`Builder`] of a URI, with the components of this one.
    ///
    /// ```
    /// use relref::Uri;
    ///
    /// let uri = Uri::parse("http://h/a?b")?;
    /// assert_eq!(uri.to_builder().scheme("https").segment("c").build()?, "https://h/a/c?b");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn to_builder(&self) -> Builder {
        Builder::of((**self).as_borrowed())
    }
}
