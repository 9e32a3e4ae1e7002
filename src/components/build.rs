//! The builder of references and URIs.

use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::error::{Error, ErrorKind};
use crate::scheme::Authority;
use crate::uri::{Uri, UriRef, scheme_end};

/// A builder of references and URIs that cannot make a text which splits into other components than were given.
///
/// Nothing is encoded: use [`percent::encode`](crate::percent::encode) for characters that a component must not have.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Builder<'a> {
    scheme: Option<&'a str>,
    userinfo: Option<&'a str>,
    /// `None` if there is no authority.
    host: Option<&'a str>,
    port: Option<Port<'a>>,
    path: &'a str,
    query: Option<&'a str>,
    fragment: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Port<'a> {
    Number(u16),
    Text(&'a str),
}

impl fmt::Display for Port<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Port::Number(number) => number.fmt(f),
            Port::Text(text) => text.fmt(f),
        }
    }
}

impl<'a> Builder<'a> {
    /// Starts with the empty reference.
    #[must_use]
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

    /// Sets the authority, without its two slashes: userinfo, host and port.
    #[must_use]
    pub fn authority(self, authority: &'a str) -> Self {
        let Authority { userinfo, host, port_text, .. } = Authority::new(authority, None);
        Builder { userinfo, host: Some(host), port: port_text.map(Port::Text), ..self }
    }

    /// Removes the authority.
    #[must_use]
    pub fn without_authority(self) -> Self {
        Builder { userinfo: None, host: None, port: None, ..self }
    }

    /// Sets the text before the `@` of the authority.
    #[must_use]
    pub fn userinfo(self, userinfo: &'a str) -> Self {
        Builder { userinfo: Some(userinfo), ..self }
    }

    /// Removes the userinfo and its `@`.
    #[must_use]
    pub fn without_userinfo(self) -> Self {
        Builder { userinfo: None, ..self }
    }

    /// Sets the host of the authority. An IPv6 address has its brackets.
    #[must_use]
    pub fn host(self, host: &'a str) -> Self {
        Builder { host: Some(host), ..self }
    }

    /// Sets the port of the authority.
    #[must_use]
    pub fn port(self, port: u16) -> Self {
        Builder { port: Some(Port::Number(port)), ..self }
    }

    /// Removes the port and its colon.
    #[must_use]
    pub fn without_port(self) -> Self {
        Builder { port: None, ..self }
    }

    /// Sets the path.
    #[must_use]
    pub fn path(self, path: &'a str) -> Self {
        Builder { path, ..self }
    }

    /// Sets the query, without its `?`.
    #[must_use]
    pub fn query(self, query: &'a str) -> Self {
        Builder { query: Some(query), ..self }
    }

    /// Removes the query.
    #[must_use]
    pub fn without_query(self) -> Self {
        Builder { query: None, ..self }
    }

    /// Sets the fragment, without its `#`.
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
    /// - userinfo, host or port with `/`, `?` or `#`; a path with `?` or `#`; a query with `#`
    /// - a host with `@`, or with a `:` that would start a port
    /// - userinfo or a port without a host
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
        if let Some(host) = self.host {
            text.push_str("//");
            text.push_str(&self.written_authority(host));
        }
        text.push_str(self.path);
        for (delimiter, component) in [("?", self.query), ("#", self.fragment)] {
            component.into_iter().for_each(|component| text.extend([delimiter, component]));
        }
        Ok(UriRef::new(text))
    }

    /// Returns the URI.
    ///
    /// # Errors
    /// The errors of [`build`](Builder::build), and a missing scheme.
    pub fn build_uri(self) -> Result<Uri<String>, Error> {
        Ok(Uri::from_uri_ref(self.build()?)?)
    }

    fn written_authority(&self, host: &str) -> String {
        let userinfo = self.userinfo.map_or(["", ""], |userinfo| [userinfo, "@"]).concat();
        match self.port {
            Some(port) => format!("{userinfo}{host}:{port}"),
            None => userinfo + host,
        }
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
        let port = match self.port {
            Some(Port::Text(port)) => port,
            _ => "",
        };
        for (component, expected) in [
            (self.userinfo.unwrap_or_default(), "userinfo without `/`, `?` and `#`"),
            (self.host.unwrap_or_default(), "a host without `/`, `?` and `#`"),
            (port, "a port without `/`, `?` and `#`"),
        ] {
            if let Some(at) = component.find(['/', '?', '#']) {
                return refused(expected, component, at);
            }
        }
        if let Some(host) = self.host {
            let authority = self.written_authority(host);
            let read = Authority::new(&authority, None);
            if (read.userinfo, read.host) != (self.userinfo, host) {
                let at = host.find(['@', ':', '[']).unwrap_or(host.len());
                return refused("a host without `@`, with brackets around an address", host, at);
            }
            if !self.path.is_empty() && !self.path.starts_with('/') {
                return refused("`/` to start a path after an authority", self.path, 0);
            }
        } else if self.userinfo.is_some() {
            return refused("a host after userinfo", "", 0);
        } else if self.port.is_some() {
            return refused("a host before a port", "", 0);
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
        let builder = Builder {
            scheme: uri.scheme(),
            path: uri.path(),
            query: uri.query(),
            fragment: uri.fragment(),
            ..Builder::new()
        };
        uri.authority().map_or(builder, |authority| builder.authority(authority))
    }
}

impl<'a> From<Uri<&'a str>> for Builder<'a> {
    fn from(uri: Uri<&'a str>) -> Self {
        Builder::from(uri.into_uri_ref())
    }
}
