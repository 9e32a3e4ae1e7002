//! The parts of browsers' URLs: the parsed host, query pairs, the origin.

use alloc::borrow::Cow;

use super::{Host, Origin, QueryPairs};
use crate::uri::{Lend, UriRef};
use crate::whatwg::Url;

impl<'i, 'o, T: Lend<'i, 'o>> Url<T> {
    /// Returns the host as a domain or an address. Without a special scheme, only a host in brackets is an address (§3.5).
    ///
    /// ```
    /// use relref::Host;
    /// use relref::whatwg::Url;
    ///
    /// let url = Url::parse("http://127.1/")?;
    /// assert_eq!((url.host(), url.parsed_host()), (Some("127.0.0.1"), Some(Host::Ipv4([127, 0, 0, 1].into()))));
    /// assert_eq!(Url::parse("foo://127.1/")?.parsed_host(), Some(Host::Name("127.1")));
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    pub fn parsed_host(&'i self) -> Option<Host<'o>> {
        let host = self.host()?;
        Some(if self.is_special() || host.starts_with('[') { Host::new(host) } else { Host::Name(host) })
    }

    /// Returns the names and values of the query, decoded as those of a form (§5.1): what scripts call `searchParams`.
    pub fn query_pairs(&'i self) -> QueryPairs<'o> {
        QueryPairs::new(self.query().unwrap_or_default())
    }

    /// Returns the value of the first query pair of this name, decoded; `None` if there is none.
    #[doc(alias("query_pair", "query_param"))]
    pub fn query_value(&'i self, name: impl AsRef<str>) -> Option<Cow<'o, str>> {
        self.query_pairs().value_of(name.as_ref())
    }

    /// Returns the origin (§4.7). It is opaque for `file` and all schemes that are not special; but that of a `blob` URL is the
    /// origin of the URL in its path, if that has the scheme `http` or `https`. For a host in it that is not US-ASCII, this needs feature
    /// `idna`.
    ///
    /// ```
    /// use relref::whatwg::Url;
    ///
    /// assert_eq!(Url::parse("HTTPS://h:443/a")?.origin().to_string(), "https://h");
    /// assert_eq!(Url::parse("blob:http://h:81/0b0e")?.origin().to_string(), "http://h:81");
    /// assert!(!Url::parse("file:///a")?.origin().is_tuple());
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    pub fn origin(&'i self) -> Origin {
        let of_own = |url: Url<&str>| Origin::of(url.scheme(), UriRef::from(url).authority().unwrap_or_default());
        if self.scheme() != "blob" {
            return of_own(self.as_borrowed());
        }
        match Url::parse(self.path()) {
            Ok(inner) if matches!(inner.scheme(), "http" | "https") => of_own(inner.as_borrowed()),
            _ => Origin::opaque(),
        }
    }

    /// Reports whether two URLs have the same [origin](Url::origin). False if one of them has an opaque one, and if `other` is a text
    /// that is no URL.
    ///
    /// ```
    /// use relref::whatwg::Url;
    ///
    /// let url = Url::parse("https://h/a")?;
    /// assert!(url.same_origin("HTTPS://h:443/b") && !url.same_origin(&url.join("//i")?) && !url.same_origin("/a"));
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    pub fn same_origin(&'i self, other: impl AsRef<str>) -> bool {
        Url::parse(other).is_ok_and(|other| self.origin() == other.origin())
    }
}
