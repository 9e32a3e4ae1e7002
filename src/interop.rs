//! Conversions with the types of other crates: `http::Uri` (feature `http`) and `url::Url` (feature `url`).

/// Splits the text again: `http` keeps no offsets.
#[cfg(feature = "http")]
mod http {
    use alloc::string::{String, ToString};

    use http::uri::InvalidUri;

    use crate::error::Error;
    use crate::uri::{Uri, UriRef, UriText};

    /// Writes the URI as `http` does: a scheme in lower case, an empty path of `http` and `https` as `/`.
    impl From<&http::Uri> for UriRef<String> {
        fn from(uri: &http::Uri) -> Self {
            UriRef::new(uri.to_string())
        }
    }

    impl From<http::Uri> for UriRef<String> {
        fn from(uri: http::Uri) -> Self {
            UriRef::from(&uri)
        }
    }

    /// Fails if the URI has no scheme, as that of a request to a server.
    impl TryFrom<&http::Uri> for Uri<String> {
        type Error = Error;

        fn try_from(uri: &http::Uri) -> Result<Self, Error> {
            Ok(Uri::from_uri_ref(uri.into())?)
        }
    }

    /// Fails as the conversion of the reference does.
    impl TryFrom<http::Uri> for Uri<String> {
        type Error = Error;

        fn try_from(uri: http::Uri) -> Result<Self, Error> {
            Uri::try_from(&uri)
        }
    }

    macro_rules! to_http {
        ($($from:ty),*) => {$(
            /// Fails for what `http` refuses, such as a path without a slash at its start. A fragment is left out, as `http` does.
            impl<T: UriText> TryFrom<$from> for http::Uri {
                type Error = InvalidUri;

                fn try_from(uri: $from) -> Result<Self, InvalidUri> {
                    uri.as_borrowed().as_str().parse()
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

    /// A serialized URL has a scheme.
    impl From<&Url> for Uri<String> {
        fn from(url: &Url) -> Self {
            Uri::new(UriRef::new(String::from(url.as_str())))
        }
    }

    impl From<Url> for Uri<String> {
        fn from(url: Url) -> Self {
            Uri::new(UriRef::new(String::from(url)))
        }
    }

    impl From<Url> for UriRef<String> {
        fn from(url: Url) -> Self {
            UriRef::new(String::from(url))
        }
    }

    macro_rules! to_url {
        ($($from:ty),*) => {$(
            /// Parses the URI as browsers do, and fails where they fail.
            impl<T: UriText> TryFrom<$from> for Url {
                type Error = ParseError;

                fn try_from(uri: $from) -> Result<Self, ParseError> {
                    Url::parse(uri.as_borrowed().as_str())
                }
            }
        )*};
    }

    to_url!(&Uri<T>, Uri<T>);
}
