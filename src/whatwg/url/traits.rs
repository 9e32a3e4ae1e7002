//! The conversions of `Url`, and its traits that look at the text.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use core::str::FromStr;

use super::Url;
use crate::uri::{Uri, UriRef, UriText, each_text_conversion, text_traits};
use crate::whatwg::Error;

/// Parses a text, as [`Url::parse`] does.
impl FromStr for Url {
    type Err = Error;

    fn from_str(url: &str) -> Result<Self, Error> {
        Url::parse(url)
    }
}

macro_rules! parse_text {
    ($($text:ty),*) => {$(
        /// Parses a text, as [`Url::parse`] does.
        impl TryFrom<$text> for Url {
            type Error = Error;

            fn try_from(url: $text) -> Result<Self, Error> {
                Url::parse(url)
            }
        }
    )*};
}

parse_text!(&str, String);

impl From<Url> for String {
    fn from(url: Url) -> String {
        url.into_string()
    }
}

/// Nothing is split again. A guard `/.` is part of the path of the reference.
impl<T> From<Url<T>> for UriRef<T> {
    fn from(url: Url<T>) -> UriRef<T> {
        url.uri
    }
}

/// Nothing is split again. A guard `/.` is part of the path of the URI.
impl<T> From<Url<T>> for Uri<T> {
    fn from(url: Url<T>) -> Uri<T> {
        Uri::of_absolute(url.uri)
    }
}

macro_rules! convert_text {
    ($($from:ty => $($to:ty),*;)*) => {$($(
        /// Converts the text. Nothing is parsed again.
        impl<'a> From<Url<$from>> for Url<$to> {
            fn from(url: Url<$from>) -> Self {
                Url { uri: url.uri.into() }
            }
        }
    )*)*};
}

each_text_conversion!(convert_text);

text_traits!(Url: str, &str, String);

impl<T: UriText> fmt::Debug for Url<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Url({:?})", self.as_ref())
    }
}
