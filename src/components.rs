//! The parts of the components: host and port, segments, query pairs, origins, file paths; edits of them, and the builder.

mod build;
mod checks;
mod edit;
#[cfg(feature = "std")]
mod file_path;
mod host;
mod origin;
mod pairs;
mod path_segments;
mod query_pairs;
mod segment_edits;
mod splice;
mod web_url;

pub use build::Builder;
pub use host::Host;
pub use origin::{OpaqueOrigin, Origin};
pub use path_segments::PathSegments;
pub use query_pairs::QueryPairs;

use alloc::borrow::Cow;

use crate::resolve::Resolved;
use crate::scheme::{Authority, default_port};
use crate::uri::{Lend, UriRef};

impl<'i, 'o, T: Lend<'i, 'o>> UriRef<T> {
    /// Returns the text before the `@` of the authority; `None` without an `@`.
    pub fn userinfo(&'i self) -> Option<&'o str> {
        self.split_authority()?.userinfo
    }

    /// Returns the user name, with its escapes: the userinfo before its first `:`. `None` without userinfo.
    #[doc(alias = "user")]
    pub fn username(&'i self) -> Option<&'o str> {
        self.split_authority()?.username()
    }

    /// Returns the password, with its escapes: the userinfo after its first `:`. `None` without that `:`.
    pub fn password(&'i self) -> Option<&'o str> {
        self.split_authority()?.password()
    }

    /// Returns the host of the authority as it is written, with the brackets of an IPv6 address; `None` without an authority.
    ///
    /// ```
    /// use relref::{Host, UriRef};
    ///
    /// let uri = UriRef::new("http://user@[::1]:80/");
    /// assert_eq!((uri.host(), uri.port(), uri.username()), (Some("[::1]"), Some(80), Some("user")));
    /// assert_eq!(uri.parsed_host(), Some(Host::Ipv6([0, 0, 0, 0, 0, 0, 0, 1].into())));
    /// assert_eq!(UriRef::new("http://example.com/").parsed_host(), Some(Host::Domain("example.com")));
    /// assert_eq!(UriRef::new("news:comp.lang.rust").host(), None);
    /// ```
    #[doc(alias("host_str", "hostname", "domain"))]
    pub fn host(&'i self) -> Option<&'o str> {
        Some(self.split_authority()?.host)
    }

    /// Returns the host of the authority as a domain, an address or another name; `None` without an authority. [`Host`] says how
    /// browsers may read it in another way.
    #[doc(alias("host_parsed", "domain"))]
    pub fn parsed_host(&'i self) -> Option<Host<'o>> {
        self.host().map(Host::new)
    }

    /// The name of [`host`](Self::host) in the crate `url`.
    #[doc(hidden)]
    pub fn host_str(&'i self) -> Option<&'o str> {
        self.host()
    }

    /// Returns the port that is written. `None` if there is none, or it is not a number up to 65535.
    pub fn port(&'i self) -> Option<u16> {
        self.split_authority()?.port()
    }

    /// Returns the port that is written, or the default of the scheme. `None` if there is neither, or the written one is not a
    /// number up to 65535.
    pub fn port_or_known_default(&'i self) -> Option<u16> {
        self.split_authority()?.port_or_known_default()
    }

    fn split_authority(&'i self) -> Option<Authority<'o>> {
        Some(Authority::new(self.authority()?, self.scheme().and_then(default_port)))
    }

    /// Returns the names and values of a query in the form that HTML forms send, decoded: `a=1&b=2`. Without a query there
    /// are none.
    #[doc(alias("form_urlencoded", "search_params"))]
    pub fn query_pairs(&'i self) -> QueryPairs<'o> {
        QueryPairs::new(self.query().unwrap_or_default())
    }

    /// Returns the value of the first query pair of this name, decoded as [`query_pairs`](Self::query_pairs) does. `None` if there is none.
    ///
    /// ```
    /// use relref::UriRef;
    ///
    /// let uri = UriRef::new("http://h/search?q=R%26D+now&page&q=2");
    /// assert_eq!(uri.query_value("q").as_deref(), Some("R&D now"));
    /// assert_eq!((uri.query_value("page").as_deref(), uri.query_value("lang")), (Some(""), None));
    /// ```
    #[doc(alias("query_pair", "query_param", "get_query_pair"))]
    pub fn query_value(&'i self, name: impl AsRef<str>) -> Option<Cow<'o, str>> {
        self.query_pairs().value_of(name.as_ref())
    }

    /// Returns the origin: scheme, host and port, in lower case and with the default port (RFC 6454 §4). It is opaque if the
    /// scheme is not `http`, `https`, `ws`, `wss` or `ftp`; if the host is empty, or contains `:`, `[` or `]` and is not an IPv6
    /// address; if the port is not a number up to 65535; and if the authority has a backslash, space or control character, which
    /// browsers read in another way. Addresses are compared as they are written: `127.1` and `127.0.0.1` differ;
    /// [`whatwg`](crate::whatwg) knows that they are the same.
    ///
    /// ```
    /// use relref::UriRef;
    ///
    /// assert_eq!(UriRef::new("HTTP://Example.com:80/a").origin().to_string(), "http://example.com");
    /// assert!(!UriRef::new("mailto:a@example.com").origin().is_tuple());
    /// ```
    pub fn origin(&'i self) -> Origin {
        Origin::of(self.scheme().unwrap_or_default(), self.authority().unwrap_or_default())
    }

    /// Reports whether two URIs have the same [origin](Self::origin). False if one of them has an opaque one.
    pub fn same_origin(&'i self, other: impl AsRef<str>) -> bool {
        self.origin() == UriRef::new(other.as_ref()).origin()
    }
}

impl<'a> Resolved<'a> {
    /// Returns the host as it is written, as [`UriRef::host`] does.
    #[must_use]
    pub fn host(&self) -> Option<&'a str> {
        Some(self.split_authority()?.host)
    }

    /// Returns the host as a domain, an address or another name, as [`UriRef::parsed_host`] does.
    #[must_use]
    pub fn parsed_host(&self) -> Option<Host<'a>> {
        self.host().map(Host::new)
    }

    /// Returns the text before the `@` of the authority, as [`UriRef::userinfo`] does.
    #[must_use]
    pub fn userinfo(&self) -> Option<&'a str> {
        self.split_authority()?.userinfo
    }

    /// Returns the port that is written, as [`UriRef::port`] does.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.split_authority()?.port()
    }

    /// Returns the port that is written, or the default of the scheme if none is, as [`UriRef::port_or_known_default`] does.
    #[must_use]
    pub fn port_or_known_default(&self) -> Option<u16> {
        self.split_authority()?.port_or_known_default()
    }

    /// Returns the origin, as [`UriRef::origin`] does.
    #[must_use]
    pub fn origin(&self) -> Origin {
        Origin::of(self.scheme(), self.authority().unwrap_or_default())
    }

    fn split_authority(&self) -> Option<Authority<'a>> {
        Some(Authority::new(self.authority()?, default_port(self.scheme())))
    }

    /// Returns the names and values of the query, as [`UriRef::query_pairs`] does.
    #[must_use]
    pub fn query_pairs(&self) -> QueryPairs<'a> {
        QueryPairs::new(self.query().unwrap_or_default())
    }

    /// Returns the value of the first query pair of this name, as [`UriRef::query_value`] does.
    #[must_use]
    pub fn query_value(&self, name: impl AsRef<str>) -> Option<Cow<'a, str>> {
        self.query_pairs().value_of(name.as_ref())
    }
}
