//! `Url`: a serialized URL with its components, as browsers see it.

mod attribute;
mod resolve;
mod segment_edits;
mod setters;
mod state_override;
mod traits;

pub use attribute::Attribute;

use alloc::string::String;

use super::ipv4::ends_in_a_number;
use super::scheme::Scheme;
use super::url_record::UrlRecord;
use crate::uri::{Lend, UriRef, UriText};

/// A URL as browsers see it: parsed and serialized by the URL Standard (§4.4, §4.5).
///
/// It is always absolute, serialized and in US-ASCII, and its text parses to itself. Equality, order and hash are those of the text. It
/// holds any [`UriText`]: `Url` owns a `String`, and [`as_borrowed`](Url::as_borrowed) gives a `Url<&str>`.
///
/// Components are read by methods, changed by the setters of `Url<String>`, and by their names in scripts with [`get`](Url::get) and
/// [`set`](Url::set). The parts of an authority are found at each call, in one pass over the authority.
///
/// ```
/// use relref::whatwg::Url;
///
/// let mut url = Url::parse("HTTPS://me@Example.com:443/a/./b c?q#f")?;
/// assert_eq!(url, "https://me@example.com/a/b%20c?q#f");
/// assert_eq!((url.scheme(), url.username(), url.host(), url.port()), ("https", "me", Some("example.com"), None));
/// assert_eq!((url.path(), url.query(), url.fragment()), ("/a/b%20c", Some("q"), Some("f")));
///
/// url.set_username("")?;
/// url.set_port(8080)?;
/// url.set_path("/x y")?;
/// url.set_fragment(None);
/// assert_eq!(url, "https://example.com:8080/x%20y?q");
/// assert_eq!(url.join("../z")?, "https://example.com:8080/z");
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Url<T = String> {
    uri: UriRef<T>,
}

impl Url<String> {
    /// Returns the text.
    #[must_use]
    pub fn into_string(self) -> String {
        self.uri.into_inner()
    }
}

impl<T> Url<T> {
    pub(super) fn of_serialized(uri: UriRef<T>) -> Self {
        Url { uri }
    }
}

impl<T: UriText> Url<T> {
    /// Returns the same without a query.
    #[must_use]
    pub fn without_query(&self) -> Url {
        Url { uri: self.uri.without_query() }
    }

    /// Returns the same without a fragment.
    #[must_use]
    pub fn without_fragment(&self) -> Url {
        Url { uri: self.uri.without_fragment() }
    }

    /// Returns the same URL with a borrowed text. Nothing is parsed again.
    pub fn as_borrowed(&self) -> Url<&str> {
        Url { uri: self.uri.as_borrowed() }
    }

    /// Returns the same URL with a text of its own. Nothing is parsed again.
    pub fn to_owned(&self) -> Url<String> {
        Url { uri: self.uri.to_owned() }
    }

    /// Returns the URL as RFC 3986 splits it: a guard is part of the path.
    pub(super) fn as_uri_ref(&self) -> UriRef<&str> {
        self.uri.as_borrowed()
    }
}

impl<'i, 'o, T: Lend<'i, 'o>> Url<T> {
    /// Returns the text: the Standard's *href*.
    #[doc(alias = "href")]
    pub fn as_str(&'i self) -> &'o str {
        self.uri.as_str()
    }

    /// Returns the scheme, in lower case, without its colon.
    pub fn scheme(&'i self) -> &'o str {
        &self.as_str()[..self.uri.scheme_end - 1]
    }

    /// Returns what is between `//` and the path: credentials, host and port. `None` without `//`.
    ///
    /// ```
    /// use relref::whatwg::Url;
    ///
    /// let url = Url::parse("http://Me:pw@h:80/a")?;
    /// assert_eq!((url.authority(), url.userinfo()), (Some("Me:pw@h"), Some("Me:pw")));
    /// assert_eq!(Url::parse("file:/a")?.authority(), Some(""));
    /// assert_eq!(Url::parse("mailto:a@b")?.authority(), None);
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    pub fn authority(&'i self) -> Option<&'o str> {
        let record = self.record();
        record.has_host().then(|| &record.text[record.authority_start()..record.authority_end])
    }

    /// Returns user name and password, percent-encoded, with `:` between them; `None` without either.
    pub fn userinfo(&'i self) -> Option<&'o str> {
        let record = self.record();
        record.text[record.authority_start()..record.host_range().start].strip_suffix('@')
    }

    /// Returns the user name, percent-encoded; empty if there is none.
    pub fn username(&'i self) -> &'o str {
        self.record().credentials().0
    }

    /// Returns the password, percent-encoded. The Standard does not tell an empty one from none.
    pub fn password(&'i self) -> Option<&'o str> {
        Some(self.record().credentials().1).filter(|password| !password.is_empty())
    }

    /// Returns the host as text: a domain in lower case and as A-labels, an IPv4 address as four numbers, an IPv6 address in
    /// brackets. Empty in `file:///a`; `None` without `//`, as in `mailto:`.
    pub fn host(&'i self) -> Option<&'o str> {
        let record = self.record();
        record.has_host().then(|| &record.text[record.host_range()])
    }

    #[doc(hidden)]
    pub fn host_str(&'i self) -> Option<&'o str> {
        self.host()
    }

    /// Returns the host if it is a *domain* (§3.1): the scheme is special, and the host neither empty nor an address.
    pub fn domain(&'i self) -> Option<&'o str> {
        let is_address = |host: &str| host.starts_with('[') || ends_in_a_number(host);
        self.host().filter(|host| self.is_special() && !host.is_empty() && !is_address(host))
    }

    /// Returns the port that is written. The default port of a scheme never is.
    pub fn port(&'i self) -> Option<u16> {
        self.record().port().parse().ok()
    }

    /// Returns the port that is written, or the default of a special scheme.
    pub fn port_or_known_default(&'i self) -> Option<u16> {
        self.port().or_else(|| Scheme::of(self.scheme()).default_port())
    }

    /// Returns the path. Segments start with a slash, unless the path is [opaque](Url::has_opaque_path).
    pub fn path(&'i self) -> &'o str {
        self.record().path()
    }

    /// Returns the query, without its `?`.
    pub fn query(&'i self) -> Option<&'o str> {
        self.uri.query()
    }

    /// Returns the fragment, without its `#`.
    pub fn fragment(&'i self) -> Option<&'o str> {
        self.uri.fragment()
    }

    /// Reports whether the scheme is *special* (§4.2): `http`, `https`, `ws`, `wss`, `ftp` or `file`.
    pub fn is_special(&'i self) -> bool {
        Scheme::of(self.scheme()).is_special()
    }

    /// Reports whether the path is *opaque* (§4.1): no slash follows the scheme, as in `mailto:` and `data:`. Then only fragments
    /// can be resolved against the URL, and host and path cannot be set.
    #[doc(alias = "cannot_be_a_base")]
    pub fn has_opaque_path(&'i self) -> bool {
        self.record().has_opaque_path()
    }

    fn record(&'i self) -> UrlRecord<'o> {
        UrlRecord::from_uri(&self.uri.with_text(self.as_str()))
    }
}
