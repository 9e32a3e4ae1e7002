//! The setters of `Url` for single components.

use alloc::string::String;

use super::{Url, state_override};
use crate::uri::{OptionalText, UriRef};
use crate::whatwg::Error;
use crate::whatwg::url_record::UrlRecord;

/// Each setter parses its value as that component, and percent-encodes what must be. Tabs and line breaks in it are left out,
/// as everywhere in a URL. Where the class URL of scripts ignores a value or the end of it, there is an error. [`Url::set`] does
/// exactly what scripts do.
///
/// After any setter, the text parses to the same URL; after an error, the URL is unchanged. Cost: linear time, and a new text.
/// Source: URL Standard §6.1, and §4.4 with a *state override*.
impl Url<String> {
    /// Sets the scheme, given without its colon. A port that is the default of the new scheme is dropped.
    ///
    /// # Errors
    /// It is no scheme. Only one of both schemes is special. Or the new one is `file`, and the URL has credentials, a port, the host
    /// `localhost` or a path that would start with a drive letter; or the old one is `file`, and there is no host.
    ///
    /// ```
    /// use relref::whatwg::{ErrorKind, Url};
    ///
    /// let mut url = Url::parse("http://h:443/")?;
    /// url.set_scheme("https")?;
    /// assert_eq!(url, "https://h/");
    /// assert_eq!(url.set_scheme("mailto").unwrap_err().kind(), ErrorKind::CannotBeSet);
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    #[doc(alias = "set_protocol")]
    pub fn set_scheme(&mut self, scheme: impl AsRef<str>) -> Result<(), Error> {
        self.edit(|url| state_override::with_scheme(url, scheme.as_ref())?.whole())
    }

    /// Sets the user name, which is percent-encoded; removes it if it is empty or `None`. The password stays.
    ///
    /// # Errors
    /// There is no host, an empty one, or the scheme is `file`.
    pub fn set_username(&mut self, username: impl OptionalText) -> Result<(), Error> {
        self.edit(|url| state_override::with_username(url, username.as_text().unwrap_or_default()))
    }

    /// Sets the password, which is percent-encoded; removes it if it is empty or `None`.
    ///
    /// # Errors
    /// There is no host, an empty one, or the scheme is `file`.
    pub fn set_password(&mut self, password: impl OptionalText) -> Result<(), Error> {
        self.edit(|url| state_override::with_password(url, password.as_text().unwrap_or_default()))
    }

    /// Sets the host. User name, password and port stay. An IPv6 address has brackets. With `None`, removes it together with `//`.
    ///
    /// # Errors
    /// The path is opaque and a host is given, the host is invalid, or more than a host, such as a port. It is empty, and there are credentials or a
    /// port, or the scheme is special and not `file`. `None` also for every special scheme, and for an empty path.
    ///
    /// ```
    /// use relref::whatwg::Url;
    ///
    /// let mut url = Url::parse("http://h:8080/a")?;
    /// url.set_host("EXAMPLE.com")?;
    /// assert_eq!(url, "http://example.com:8080/a");
    /// assert!(url.set_host("h:80").is_err() && url.set_host("h/b").is_err());
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    #[doc(alias = "set_hostname")]
    pub fn set_host(&mut self, host: impl OptionalText) -> Result<(), Error> {
        self.edit(|url| match host.as_text() {
            Some(host) => state_override::with_host(url, host, false)?.whole(),
            None => state_override::without_host(url),
        })
    }

    /// Sets the port; removes it if it is `None`, or the default of the scheme.
    ///
    /// # Errors
    /// There is no host, an empty one, or the scheme is `file`.
    pub fn set_port(&mut self, port: impl Into<Option<u16>>) -> Result<(), Error> {
        self.edit(|url| state_override::with_port_number(url, port.into()))
    }

    /// Sets the path: dot segments are removed, `?` and `#` are percent-encoded, and a slash is put before it if it has none.
    ///
    /// # Errors
    /// The path of this URL is [opaque](Url::has_opaque_path).
    ///
    /// ```
    /// use relref::whatwg::Url;
    ///
    /// let mut url = Url::parse("http://h/a?q")?;
    /// url.set_path("b/../c d?")?;
    /// assert_eq!(url, "http://h/c%20d%3F?q");
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    #[doc(alias = "set_pathname")]
    pub fn set_path(&mut self, path: impl AsRef<str>) -> Result<(), Error> {
        self.edit(|url| state_override::with_path(url, path.as_ref()))
    }

    /// Sets the query, given without its `?`; removes it if it is `None`.
    #[doc(alias = "set_search")]
    pub fn set_query(&mut self, query: impl OptionalText) {
        let href = state_override::with_query(&self.record(), query.as_text());
        self.replace(href);
    }

    /// Sets the fragment, given without its `#`; removes it if it is `None`.
    #[doc(alias = "set_hash")]
    pub fn set_fragment(&mut self, fragment: impl OptionalText) {
        let href = state_override::with_fragment(&self.record(), fragment.as_text());
        self.replace(href);
    }

    fn edit(&mut self, edited: impl FnOnce(&UrlRecord<'_>) -> Result<String, Error>) -> Result<(), Error> {
        let href = edited(&self.record())?;
        self.replace(href);
        Ok(())
    }

    /// The caller must leave a text that parses to itself.
    pub(crate) fn reference_mut(&mut self) -> &mut UriRef<String> {
        &mut self.uri
    }
}
