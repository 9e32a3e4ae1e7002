//! Conversions with the types of other crates: `http::Uri` (feature `http`) and `url::Url` (feature `url`).

#[cfg(feature = "http")]
mod http {
    use alloc::string::{String, ToString};

    use ::http::uri::InvalidUri;

    use crate::error::{Error, ErrorKind};
    use crate::uri::{Uri, UriRef, UriText};

    /// The target of a request is a reference to the server that gets it, or `*`. One that is only a host and a port, as of `CONNECT`,
    /// becomes `//host:port`, and a path that starts with two slashes gets the guard `/.`: no path becomes a host.
    impl From<&http::Uri> for UriRef<String> {
        fn from(uri: &http::Uri) -> Self {
            let mut text = uri.to_string();
            if uri.scheme().is_none() {
                match uri.authority() {
                    Some(_) => text.insert_str(0, "//"),
                    None if text.starts_with("//") => text.insert_str(0, "/."),
                    None => {}
                }
            }
            UriRef::new(text)
        }
    }

    impl From<http::Uri> for UriRef<String> {
        fn from(uri: http::Uri) -> Self {
            UriRef::from(&uri)
        }
    }

    /// Fails if the URI has no scheme, as most targets of requests.
    impl TryFrom<&http::Uri> for Uri<String> {
        type Error = Error;

        fn try_from(uri: &http::Uri) -> Result<Self, Error> {
            Ok(UriRef::from(uri).into_uri()?)
        }
    }

    /// Fails if the URI has no scheme, as most targets of requests.
    impl TryFrom<http::Uri> for Uri<String> {
        type Error = Error;

        fn try_from(uri: http::Uri) -> Result<Self, Error> {
            Uri::try_from(&uri)
        }
    }

    fn to_http(uri: UriRef<&str>) -> Result<http::Uri, InvalidUri> {
        let text = uri.as_str();
        // `http` reads other texts too, but as other components: `mailto:x` as a host.
        let is_read_so =
            uri.has_authority() == uri.is_absolute() && (uri.has_authority() || text.starts_with('/') || text == "*");
        // The error of another text says "invalid format".
        if is_read_so { text } else { "http://" }.parse()
    }

    impl From<InvalidUri> for Error {
        fn from(_: InvalidUri) -> Error {
            Error::not_whole(
                ErrorKind::NotComponent,
                "a URI with a host, or a path from `/` on, that the crate `http` accepts",
            )
        }
    }

    macro_rules! to_http {
        ($($from:ty),*) => {$(
            /// Fails for what `http` refuses, or reads as other components, such as `mailto:x` and `//host/a`. A fragment is left out. The
            /// error is that of `http`, so that `http::Request::builder().uri(&uri)` takes it.
            impl<T: UriText> TryFrom<$from> for http::Uri {
                type Error = InvalidUri;

                fn try_from(uri: $from) -> Result<Self, InvalidUri> {
                    let uri: &UriRef<T> = &uri;
                    to_http(uri.as_borrowed())
                }
            }
        )*};
    }

    to_http!(&UriRef<T>, UriRef<T>, &Uri<T>, Uri<T>);
}

#[cfg(feature = "url")]
mod url {
    use alloc::string::String;

    use url::{ParseError, Url};

    use crate::uri::{Uri, UriRef, UriText};
    use crate::whatwg;

    macro_rules! of_url {
        ($($from:ty),*) => {$(
            /// A serialized URL has a scheme.
            impl From<$from> for Uri<String> {
                fn from(url: $from) -> Self {
                    Uri::of_absolute(UriRef::from(url))
                }
            }

            impl From<$from> for UriRef<String> {
                fn from(url: $from) -> Self {
                    UriRef::new(String::from(url.as_str()))
                }
            }

            /// Parses the URL again, by the URL Standard of today.
            impl TryFrom<$from> for whatwg::Url {
                type Error = whatwg::Error;

                fn try_from(url: $from) -> Result<Self, whatwg::Error> {
                    whatwg::Url::parse(url.as_str())
                }
            }
        )*};
    }

    of_url!(Url, &Url);

    macro_rules! to_url {
        ($($from:ty),*) => {$(
            /// Parses the text by the crate `url`, and fails where that fails.
            impl<T: UriText> TryFrom<$from> for Url {
                type Error = ParseError;

                fn try_from(uri: $from) -> Result<Self, ParseError> {
                    Url::parse(uri.as_ref())
                }
            }
        )*};
    }

    to_url!(&Uri<T>, Uri<T>, &whatwg::Url<T>, whatwg::Url<T>);
}
