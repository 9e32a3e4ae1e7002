//! Edits of components: `set_…` in place, and `with_…` of any text. Only valid components are written (RFC 3986, appendix A).

use alloc::format;
use alloc::string::{String, ToString};
use core::convert::identity;

use super::splice::port_text;
use crate::error::Error;
use crate::percent::{ByteSet, encode_with};
use crate::uri::{OptionalText, Uri, UriRef, UriText};

/// A colon in a password ends no user name, but RFC 1738 §3.1 requires its escape.
const LOGIN: ByteSet = ByteSet::USERINFO.add(b':');

impl UriRef<String> {
    /// Replaces the scheme; with `None`, removes it.
    ///
    /// # Errors
    /// The scheme is not a letter followed by letters, digits, `+`, `-` or `.`; or without it, a colon in the first segment of the path
    /// would end a scheme. Then nothing changes.
    #[doc(alias = "set_protocol")]
    pub fn set_scheme(&mut self, scheme: impl OptionalText) -> Result<(), Error> {
        self.edit(|uri| uri.scheme_edit(scheme.as_text()))
    }

    pub(super) fn reference_mut(&mut self) -> &mut Self {
        self
    }
}

impl Uri<String> {
    /// Replaces the scheme. A URI always has one: [`into_uri_ref`](Uri::into_uri_ref) makes a reference, whose scheme can be removed.
    ///
    /// # Errors
    /// The scheme is not a letter followed by letters, digits, `+`, `-` or `.`. Then nothing changes.
    pub fn set_scheme(&mut self, scheme: impl AsRef<str>) -> Result<(), Error> {
        self.reference_mut().edit(|uri| uri.scheme_edit(Some(scheme.as_ref())))
    }
}

macro_rules! edits {
    ($type:ident, $wrap:expr) => {
        /// Edits in place. What is written is valid by RFC 3986, and splits into what was given; the components that are not named stay
        /// as they are, also if they are not valid.
        ///
        /// An error is of the kind [`NotValid`](crate::ErrorKind::NotValid) or [`IllegalEscape`](crate::ErrorKind::IllegalEscape) if the
        /// component is not valid by itself; its position is in the text that was given. User name and password are encoded.
        /// [`percent::encode`](crate::percent::encode) makes a component valid. An error is of the kind
        /// [`NotComponent`](crate::ErrorKind::NotComponent) if the component would be read as another, or change another; its position is
        /// in the component that the message names. After an error, nothing has changed.
        ///
        /// Cost: one pass over what is written, and one move of what comes after it. Nothing is split again.
        impl $type<String> {
            /// Replaces the authority; with `None`, removes it.
            ///
            /// # Errors
            /// The authority is not valid; or the path does not fit: after an authority it is empty or starts with a slash, without
            /// one it does not start with two.
            pub fn set_authority(&mut self, authority: impl OptionalText) -> Result<(), Error> {
                self.reference_mut().edit(|uri| uri.authority_edit(authority.as_text()))
            }

            /// Replaces the userinfo, `user:password`; with `None`, removes it and its `@`.
            ///
            /// # Errors
            /// Userinfo is given and is not valid, or there is no authority.
            pub fn set_userinfo(&mut self, userinfo: impl OptionalText) -> Result<(), Error> {
                self.reference_mut().edit(|uri| uri.userinfo_edit(userinfo.as_text()))
            }

            /// Replaces the user name, which is encoded; with `None`, removes the userinfo, so also the password.
            ///
            /// # Errors
            /// A user name is given, and there is no authority.
            ///
            /// ```
            /// use relref::Uri;
            ///
            /// let mut uri = Uri::parse("ftp://h/a")?;
            /// uri.set_username("me@example.com")?;
            /// uri.set_password("a:b")?;
            /// assert_eq!(uri, "ftp://me%40example.com:a%3Ab@h/a");
            /// uri.set_username(None)?;
            /// assert_eq!(uri, "ftp://h/a");
            /// # Ok::<(), relref::Error>(())
            /// ```
            pub fn set_username(&mut self, username: impl OptionalText) -> Result<(), Error> {
                let username = username.as_text().map(|name| encode_with(name, LOGIN).to_string());
                self.reference_mut().edit(|uri| uri.username_edit(username.as_deref()))
            }

            /// Replaces the password, which is encoded; with `None`, removes it and its colon. Without a user name, that is then empty.
            ///
            /// # Errors
            /// A password is given, and there is no authority.
            pub fn set_password(&mut self, password: impl OptionalText) -> Result<(), Error> {
                let password = password.as_text().map(|password| format!(":{}", encode_with(password, LOGIN)));
                self.reference_mut().edit(|uri| uri.password_edit(password.as_deref()))
            }

            /// Replaces the host; an IPv6 address has its brackets. Userinfo and port stay. Without an authority, adds one. With `None`,
            /// removes the authority, if the host is all of it.
            ///
            /// # Errors
            /// The host is not valid; it is removed and userinfo or a port would be left; or the path does not fit, as in
            /// [`set_authority`](Self::set_authority).
            ///
            /// ```
            /// use relref::Uri;
            ///
            /// let mut uri: Uri = "http://user@h:80/a".parse()?;
            /// uri.set_host("[::1]")?;
            /// uri.set_port(None)?;
            /// assert_eq!(uri, "http://user@[::1]/a");
            ///
            /// let error = uri.set_host("a b").unwrap_err();
            /// let message = "not valid as `host` of RFC 3986: expected a character of `reg-name`, found ` ` at byte 1";
            /// assert_eq!((error.to_string().as_str(), uri.as_str()), (message, "http://user@[::1]/a"));
            /// # Ok::<(), relref::Error>(())
            /// ```
            #[doc(alias = "set_ip_host")]
            pub fn set_host(&mut self, host: impl OptionalText) -> Result<(), Error> {
                self.reference_mut().edit(|uri| uri.host_edit(host.as_text()))
            }

            /// Replaces the port; with `None`, removes it and its colon.
            ///
            /// # Errors
            /// A port is given and there is no authority; or the host would then be read as another host and port, as that of
            /// `//h:1:2` without its port.
            pub fn set_port(&mut self, port: impl Into<Option<u16>>) -> Result<(), Error> {
                let port = port_text(port.into());
                self.reference_mut().edit(|uri| uri.port_edit(port.as_deref()))
            }

            /// Replaces the path.
            ///
            /// # Errors
            /// The path is not valid; after an authority, it neither is empty nor starts with a slash; without one, it starts with two
            /// slashes; without scheme and authority, its first segment has a colon (RFC 3986 §3.3, §4.2).
            #[doc(alias = "set_pathname")]
            pub fn set_path(&mut self, path: impl AsRef<str>) -> Result<(), Error> {
                self.reference_mut().edit(|uri| uri.path_edit(path.as_ref()))
            }

            /// Replaces the query, without its `?`; with `None`, removes it.
            ///
            /// [`set_query_pairs`](Self::set_query_pairs) writes names and values, which it encodes.
            ///
            /// # Errors
            /// The query is not valid.
            #[doc(alias = "set_search")]
            pub fn set_query(&mut self, query: impl OptionalText) -> Result<(), Error> {
                self.reference_mut().edit(|uri| uri.query_edit(query.as_text()))
            }

            /// Replaces the fragment, without its `#`; with `None`, removes it. [`encode`](crate::percent::encode) makes one of any text.
            ///
            /// # Errors
            /// The fragment is not valid.
            #[doc(alias = "set_hash")]
            pub fn set_fragment(&mut self, fragment: impl OptionalText) -> Result<(), Error> {
                self.reference_mut().edit(|uri| uri.fragment_edit(fragment.as_text()))
            }
        }

        /// Copies with an edit. Errors are those of the edits in place. Cost: one copy of the text. Nothing is split again.
        impl<T: UriText> $type<T> {
            /// Returns the same with another scheme.
            ///
            /// # Errors
            /// The scheme is not a letter followed by letters, digits, `+`, `-` or `.`.
            pub fn with_scheme(&self, scheme: impl AsRef<str>) -> Result<$type<String>, Error> {
                Ok($wrap(self.edited(self.scheme_edit(Some(scheme.as_ref()))?)))
            }

            /// Returns the same with another authority; with `None`, without an authority.
            ///
            /// # Errors
            /// As in [`set_authority`](Self::set_authority).
            pub fn with_authority(&self, authority: impl OptionalText) -> Result<$type<String>, Error> {
                Ok($wrap(self.edited(self.authority_edit(authority.as_text())?)))
            }

            /// Returns the same with another userinfo; with `None`, without userinfo.
            ///
            /// # Errors
            /// As in [`set_userinfo`](Self::set_userinfo).
            pub fn with_userinfo(&self, userinfo: impl OptionalText) -> Result<$type<String>, Error> {
                Ok($wrap(self.edited(self.userinfo_edit(userinfo.as_text())?)))
            }

            /// Returns the same with another host; with `None`, without a host. Userinfo and port stay.
            ///
            /// # Errors
            /// As in [`set_host`](Self::set_host).
            pub fn with_host(&self, host: impl OptionalText) -> Result<$type<String>, Error> {
                Ok($wrap(self.edited(self.host_edit(host.as_text())?)))
            }

            /// Returns the same with another port; with `None`, without a port.
            ///
            /// # Errors
            /// As in [`set_port`](Self::set_port).
            pub fn with_port(&self, port: impl Into<Option<u16>>) -> Result<$type<String>, Error> {
                let port = port_text(port.into());
                Ok($wrap(self.edited(self.port_edit(port.as_deref())?)))
            }

            /// Returns the same with another path.
            ///
            /// # Errors
            /// As in [`set_path`](Self::set_path).
            pub fn with_path(&self, path: impl AsRef<str>) -> Result<$type<String>, Error> {
                Ok($wrap(self.edited(self.path_edit(path.as_ref())?)))
            }

            /// Returns the same with another query; with `None`, without a query.
            ///
            /// # Errors
            /// The query is not valid.
            pub fn with_query(&self, query: impl OptionalText) -> Result<$type<String>, Error> {
                Ok($wrap(self.edited(self.query_edit(query.as_text())?)))
            }

            /// Returns the same with another fragment; with `None`, without a fragment.
            ///
            /// # Errors
            /// The fragment is not valid.
            pub fn with_fragment(&self, fragment: impl OptionalText) -> Result<$type<String>, Error> {
                Ok($wrap(self.edited(self.fragment_edit(fragment.as_text())?)))
            }

            /// Returns the same without a query.
            #[doc(alias = "strip_query")]
            #[must_use]
            pub fn without_query(&self) -> $type<String> {
                $wrap(self.edited(self.checked_query_edit(None)))
            }

            /// Returns the same without a fragment.
            #[doc(alias = "strip_fragment")]
            #[must_use]
            pub fn without_fragment(&self) -> $type<String> {
                $wrap(self.edited(self.checked_fragment_edit(None)))
            }
        }
    };
}

edits!(UriRef, identity);
edits!(Uri, Uri::of_absolute);
