//! The attributes of the class URL, by which scripts read and change a URL (URL Standard §6.1).

use alloc::borrow::Cow;
use alloc::string::{String, ToString};

use super::{Url, state_override};
use crate::by_name::parse_and_print_by_name;
use crate::uri::{Lend, UriRef};
use crate::whatwg::{Error, parse};

/// Defines [`Attribute`] by one table.
macro_rules! attributes {
    ($($(#[$doc:meta])* $attribute:ident $name:literal)*) => {
        /// An attribute of the class URL (URL Standard §6.1), for [`Url::get`] and [`Url::set`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Attribute {
            $($(#[$doc])* $attribute,)*
        }

        impl Attribute {
            /// All attributes.
            pub const ALL: &[Attribute] = &[$(Attribute::$attribute),*];

            /// Returns the name that scripts use, such as `pathname`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Attribute::$attribute => $name,)*
                }
            }
        }
    };
}

attributes! {
    /// The serialized URL.
    Href "href"
    /// The serialized origin, `null` if it is opaque. Read-only.
    Origin "origin"
    /// The scheme with its colon.
    Protocol "protocol"
    /// The user name; empty without one.
    Username "username"
    /// The password; empty without one.
    Password "password"
    /// Host and port; empty without a host. Without a port in the value, setting keeps the port.
    Host "host"
    /// The host alone; empty without one.
    Hostname "hostname"
    /// The port; empty without one, or if it is the default of the scheme.
    Port "port"
    /// The path.
    Pathname "pathname"
    /// The query with its `?`; empty without one, and for an empty query.
    Search "search"
    /// The fragment with its `#`; empty without one, and for an empty fragment.
    Hash "hash"
}

parse_and_print_by_name!(Attribute, "an attribute");

impl<'i, 'o, T: Lend<'i, 'o>> Url<T> {
    /// Returns the value of an attribute, as scripts read it. Only an origin is a new text.
    ///
    /// ```
    /// use relref::whatwg::{Attribute, Url};
    ///
    /// let url = Url::parse("http://h:8080/a?#f")?;
    /// assert_eq!(url.get(Attribute::Host), "h:8080");
    /// assert_eq!((url.get(Attribute::Search), url.query()), ("".into(), Some("")));
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    pub fn get(&'i self, attribute: Attribute) -> Cow<'o, str> {
        let record = self.record();
        let text = record.text;
        // A delimiter alone counts as nothing.
        let delimited = |text: &'o str| if text.len() > 1 { text } else { "" };
        Cow::Borrowed(match attribute {
            Attribute::Href => text,
            Attribute::Origin => return Cow::Owned(self.origin().to_string()),
            Attribute::Protocol => &text[..record.scheme_end],
            Attribute::Username => self.username(),
            Attribute::Password => self.password().unwrap_or_default(),
            Attribute::Host => &text[record.host_range().start..record.authority_end],
            Attribute::Hostname => &text[record.host_range()],
            Attribute::Port => record.port(),
            Attribute::Pathname => record.path(),
            Attribute::Search => delimited(&text[record.path_end..record.query_end]),
            Attribute::Hash => delimited(&text[record.query_end..]),
        })
    }
}

impl Url<String> {
    /// Sets an attribute, as scripts do: the value is parsed as the component, and characters are percent-encoded where needed. Of a
    /// host, a port or a scheme, what follows it in the value is ignored.
    ///
    /// Cost: linear time in the lengths of URL and value. Source: URL Standard §6.1, and §4.4 with a *state override*. One value
    /// that the Standard takes is refused: `file` as the scheme, if the URL would then parse to another one (host `localhost`, or a
    /// path such as `/C|/`).
    ///
    /// # Errors
    /// In all cases in which scripts see that the attribute keeps its value: the value is invalid, or the URL cannot have the
    /// component, as the host of an opaque path. For [`Attribute::Href`], the same as [`Url::parse`]. The URL is then unchanged.
    ///
    /// ```
    /// use relref::whatwg::{Attribute, Url};
    ///
    /// let mut url = Url::parse("http://h/a?q")?;
    /// url.set(Attribute::Host, "example.com:8080/ignored")?;
    /// url.set(Attribute::Search, "?x=ü")?;
    /// assert_eq!(url, "http://example.com:8080/a?x=%C3%BC");
    /// assert!(url.set(Attribute::Protocol, "mailto").is_err());
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    pub fn set(&mut self, attribute: Attribute, value: &str) -> Result<(), Error> {
        let url = &self.record();
        let after = |delimiter| Some(value.strip_prefix(delimiter).unwrap_or(value)).filter(|_| !value.is_empty());
        let href = match attribute {
            Attribute::Href => Url::parse(value)?.into_string(),
            Attribute::Origin => return Err(state_override::cannot_be_set()),
            Attribute::Protocol => state_override::with_scheme(url, value)?.url,
            Attribute::Username => state_override::with_username(url, value)?,
            Attribute::Password => state_override::with_password(url, value)?,
            Attribute::Host => state_override::with_host(url, value, true)?.url,
            Attribute::Hostname => state_override::with_host(url, value, false)?.url,
            Attribute::Port if value.is_empty() => state_override::with_port_number(url, None)?,
            Attribute::Port => state_override::with_port(url, value)?.url,
            Attribute::Pathname => state_override::with_path(url, value)?,
            Attribute::Search => state_override::with_query(url, after('?')),
            Attribute::Hash => state_override::with_fragment(url, after('#')),
        };
        self.replace(href);
        Ok(())
    }

    /// `href` must be serialized.
    pub(super) fn replace(&mut self, href: String) {
        debug_assert_eq!(parse(&href).as_ref(), Ok(&href));
        self.uri = UriRef::new(href);
    }
}
