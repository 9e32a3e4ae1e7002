//! The parts of the components: host and port, segments, query pairs, file paths; and new URIs with other components.

mod build;
#[cfg(feature = "std")]
mod file_path;
mod host;
mod origin;
mod query_pairs;
mod web_url;

pub use build::Builder;
pub use host::Host;
pub use origin::Origin;
pub use query_pairs::QueryPairs;

use alloc::string::String;

use crate::error::Error;
use crate::resolve::{Resolved, Segments};
use crate::scheme::{Authority, default_port};
use crate::uri::{Lend, Uri, UriRef, UriText};

impl<'i, 'o, T: Lend<'i, 'o>> UriRef<T> {
    /// Returns the text before the `@` of the authority; `None` without an `@`.
    pub fn userinfo(&'i self) -> Option<&'o str> {
        self.split_authority()?.userinfo
    }

    /// Returns the user name, with its escapes: the userinfo before its first `:`. `None` without userinfo.
    pub fn user(&'i self) -> Option<&'o str> {
        self.split_authority()?.user()
    }

    /// Returns the password, with its escapes: the userinfo after its first `:`. `None` without that `:`.
    pub fn password(&'i self) -> Option<&'o str> {
        self.split_authority()?.password()
    }

    /// Returns the host of the authority; `None` without an authority. [`Host`] says how browsers may read it in another way.
    ///
    /// ```
    /// use relref::{Host, UriRef};
    ///
    /// assert_eq!(UriRef::new("http://user@example.com:80/").host(), Some(Host::Domain("example.com")));
    /// assert_eq!(UriRef::new("http://[::1]/").host(), Some(Host::Ipv6([0, 0, 0, 0, 0, 0, 0, 1].into())));
    /// assert_eq!(UriRef::new("news:comp.lang.rust").host(), None);
    /// ```
    pub fn host(&'i self) -> Option<Host<'o>> {
        self.host_str().map(Host::new)
    }

    /// Returns the host of the authority as it is written, with the brackets of an IPv6 address.
    pub fn host_str(&'i self) -> Option<&'o str> {
        Some(self.split_authority()?.host)
    }

    /// Returns the port that is written. `None` if there is none, or it is not a number up to 65535.
    pub fn port(&'i self) -> Option<u16> {
        self.split_authority()?.port()
    }

    /// Returns the port that is written, or the default of the scheme. `None` if there is neither, or the written one is not a
    /// number up to 65535.
    pub fn port_or_default(&'i self) -> Option<u16> {
        self.split_authority()?.port_or_default()
    }

    fn split_authority(&'i self) -> Option<Authority<'o>> {
        Some(Authority::new(self.authority()?, self.scheme().and_then(default_port)))
    }

    /// Returns the segments of the path.
    pub fn segments(&'i self) -> Segments<'o> {
        Segments::new(self.path())
    }

    /// Returns the names and values of a query in the form that HTML forms send, decoded: `a=1&b=2`. Without a query there
    /// are none.
    pub fn query_pairs(&'i self) -> QueryPairs<'o> {
        QueryPairs::new(self.query().unwrap_or_default())
    }

    /// Returns the text before the fragment. Nothing is copied.
    pub fn without_fragment(&'i self) -> UriRef<&'o str> {
        let UriRef { scheme_end, path_start, path_end, query_end, .. } = *self;
        UriRef::from_parts(&self.as_str()[..query_end], [scheme_end, path_start, path_end, query_end])
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
    /// assert!(UriRef::new("mailto:a@example.com").origin().is_opaque());
    /// ```
    pub fn origin(&'i self) -> Origin {
        Origin::of(self.scheme().unwrap_or_default(), self.authority().unwrap_or_default())
    }

    /// Reports whether two URIs have the same [origin](Self::origin). False if one of them is opaque.
    pub fn same_origin<U: UriText>(&'i self, other: &UriRef<U>) -> bool {
        self.origin() == other.as_borrowed().origin()
    }
}

macro_rules! with_component {
    ($type:ident, $build:ident) => {
        impl<T: UriText> $type<T> {
            /// Returns the same with another scheme.
            ///
            /// # Errors
            /// The scheme is not a letter followed by letters, digits, `+`, `-` or `.`.
            pub fn with_scheme(&self, scheme: &str) -> Result<$type<String>, Error> {
                Builder::from(self.as_borrowed()).scheme(scheme).$build()
            }

            /// Returns the same with another authority. [`Builder::without_authority`] removes it.
            ///
            /// # Errors
            /// The authority has `/`, `?` or `#`, or the path does not start with a slash, as in [`Builder::build`].
            pub fn with_authority(&self, authority: &str) -> Result<$type<String>, Error> {
                Builder::from(self.as_borrowed()).authority(authority).$build()
            }

            /// Returns the same with another userinfo; with `None`, without userinfo.
            ///
            /// # Errors
            /// Userinfo is given and there is no authority, or the userinfo has `/`, `?` or `#`.
            pub fn with_userinfo<'u>(&'u self, userinfo: impl Into<Option<&'u str>>) -> Result<$type<String>, Error> {
                let builder = Builder::from(self.as_borrowed());
                userinfo.into().map_or(builder.without_userinfo(), |userinfo| builder.userinfo(userinfo)).$build()
            }

            /// Returns the same with another host. Userinfo and port stay.
            ///
            /// # Errors
            /// The host would be read as another component, or the path does not start with a slash, as in [`Builder::build`].
            pub fn with_host(&self, host: &str) -> Result<$type<String>, Error> {
                Builder::from(self.as_borrowed()).host(host).$build()
            }

            /// Returns the same with another port; with `None`, without a port.
            ///
            /// # Errors
            /// A port is given and there is no authority, or the host would then be read as host and port.
            pub fn with_port(&self, port: impl Into<Option<u16>>) -> Result<$type<String>, Error> {
                let builder = Builder::from(self.as_borrowed());
                port.into().map_or(builder.without_port(), |port| builder.port(port)).$build()
            }

            /// Returns the same with another path.
            ///
            /// # Errors
            /// The path would be read as another component, as in [`Builder::build`].
            pub fn with_path(&self, path: &str) -> Result<$type<String>, Error> {
                Builder::from(self.as_borrowed()).path(path).$build()
            }

            /// Returns the same without a query.
            pub fn without_query(&self) -> $type<String> {
                let built = Builder::from(self.as_borrowed()).without_query().$build();
                built.expect("a fragment is all that follows")
            }

            /// Returns the same with another query.
            ///
            /// # Errors
            /// The query has a `#`, which would end it.
            pub fn with_query(&self, query: &str) -> Result<$type<String>, Error> {
                Builder::from(self.as_borrowed()).query(query).$build()
            }

            /// Returns the same with another fragment.
            pub fn with_fragment(&self, fragment: &str) -> $type<String> {
                let built = Builder::from(self.as_borrowed()).fragment(fragment).$build();
                built.expect("a fragment is all that follows")
            }
        }
    };
}

with_component!(UriRef, build);
with_component!(Uri, build_uri);

impl<'i, 'o, T: Lend<'i, 'o>> Uri<T> {
    /// Returns the text before the fragment. Nothing is copied.
    pub fn without_fragment(&'i self) -> Uri<&'o str> {
        Uri::new((**self).without_fragment())
    }
}

impl<'a> Resolved<'a> {
    /// Returns the host, as [`UriRef::host`] does.
    #[must_use]
    pub fn host(&self) -> Option<Host<'a>> {
        self.split_authority().map(|authority| Host::new(authority.host))
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

    /// Returns the port that is written, or the default of the scheme if none is, as [`UriRef::port_or_default`] does.
    #[must_use]
    pub fn port_or_default(&self) -> Option<u16> {
        self.split_authority()?.port_or_default()
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
}
