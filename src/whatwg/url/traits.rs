//! The conversions of `Url`, and its traits that look at the text.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use super::Url;
use crate::uri::{Uri, UriRef, UriText, each_text_conversion};
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

impl<T: UriText> AsRef<str> for Url<T> {
    fn as_ref(&self) -> &str {
        self.uri.as_ref()
    }
}

impl<T: UriText> Borrow<str> for Url<T> {
    fn borrow(&self) -> &str {
        self.as_ref()
    }
}

impl<T: UriText> fmt::Display for Url<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_ref())
    }
}

impl<T: UriText> fmt::Debug for Url<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Url({:?})", self.as_ref())
    }
}

impl<T: UriText, U: UriText> PartialEq<Url<U>> for Url<T> {
    fn eq(&self, other: &Url<U>) -> bool {
        self.as_ref() == other.as_ref()
    }
}

impl<T: UriText> Eq for Url<T> {}

impl<T: UriText, U: UriText> PartialOrd<Url<U>> for Url<T> {
    fn partial_cmp(&self, other: &Url<U>) -> Option<Ordering> {
        Some(self.as_ref().cmp(other.as_ref()))
    }
}

impl<T: UriText> Ord for Url<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_ref().cmp(other.as_ref())
    }
}

impl<T: UriText> Hash for Url<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_ref().hash(state);
    }
}

macro_rules! equal_text {
    ($($text:ty),*) => {$(
        impl<T: UriText> PartialEq<$text> for Url<T> {
            fn eq(&self, text: &$text) -> bool {
                let text: &str = text.as_ref();
                self.as_ref() == text
            }
        }

        impl<T: UriText> PartialEq<Url<T>> for $text {
            fn eq(&self, url: &Url<T>) -> bool {
                url == self
            }
        }
    )*};
}

equal_text!(str, &str, String);
