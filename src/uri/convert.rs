//! Conversions between `UriRef`, `Uri` and the texts that they hold.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use core::convert::Infallible;
use core::str::FromStr;

use super::{Uri, UriRef, UriText};
use crate::error::Error;

impl<T: UriText> From<T> for UriRef<T> {
    fn from(text: T) -> Self {
        UriRef::new(text)
    }
}

impl<T> From<Uri<T>> for UriRef<T> {
    fn from(uri: Uri<T>) -> Self {
        uri.into_uri_ref()
    }
}

impl<T: UriText> TryFrom<UriRef<T>> for Uri<T> {
    type Error = Error;

    fn try_from(reference: UriRef<T>) -> Result<Self, Error> {
        reference.into_uri().map_err(Into::into)
    }
}

macro_rules! try_from_reference {
    ($($text:ty),*) => {$(
        /// Copies the text. Fails if it has no scheme. This is the only `TryFrom` of the text, so that `Uri::try_from(text)` needs no
        /// type; [`Uri::new`] borrows.
        impl TryFrom<&$text> for Uri {
            type Error = Error;

            fn try_from(text: &$text) -> Result<Self, Error> {
                Uri::parse(text)
            }
        }
    )*};
}

try_from_reference!(str, String);

macro_rules! try_from_text {
    ($($text:ty $(, $lifetime:lifetime)?;)*) => {$(
        /// Fails if the text has no scheme.
        impl$(<$lifetime>)? TryFrom<$text> for Uri<$text> {
            type Error = Error;

            fn try_from(text: $text) -> Result<Self, Error> {
                Uri::new(text).map_err(Into::into)
            }
        }
    )*};
}

try_from_text! {
    String;
    Box<str>;
    Rc<str>;
    Arc<str>;
    Cow<'a, str>, 'a;
}

/// Copies the text. Nothing is split again.
impl<T: UriText> From<&UriRef<T>> for UriRef {
    fn from(reference: &UriRef<T>) -> Self {
        reference.to_owned()
    }
}

/// Copies the text. Nothing is split again.
impl<T: UriText> From<&Uri<T>> for Uri {
    fn from(uri: &Uri<T>) -> Self {
        uri.to_owned()
    }
}

macro_rules! of_text {
    ($($text:ty $(, $lifetime:lifetime)?;)*) => {$(
        impl$(<$lifetime>)? From<UriRef<$text>> for $text {
            fn from(uri: UriRef<$text>) -> $text {
                uri.into_inner()
            }
        }

        impl$(<$lifetime>)? From<Uri<$text>> for $text {
            fn from(uri: Uri<$text>) -> $text {
                uri.into_inner()
            }
        }
    )*};
}

of_text! {
    &'a str, 'a;
    String;
    Box<str>;
    Rc<str>;
    Arc<str>;
    Cow<'a, str>, 'a;
}

/// Copies the text.
impl FromStr for UriRef {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        UriRef::parse(text)
    }
}

/// Parses a text, as [`Uri::parse`] does. For one type only, so that `Uri::from_str(text)` needs no other.
impl FromStr for Uri {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Uri::parse(text)
    }
}

/// Each entry is a type of text, then the types that it can be converted to.
macro_rules! each_text_conversion {
    ($each:ident) => {
        $each! {
            &'a str => String, Box<str>, Rc<str>, Arc<str>, Cow<'a, str>;
            String => Box<str>, Rc<str>, Arc<str>, Cow<'a, str>;
            Box<str> => String, Rc<str>, Arc<str>;
            Cow<'a, str> => String, Box<str>, Rc<str>, Arc<str>;
        }
    };
}

pub(crate) use each_text_conversion;

macro_rules! convert_text {
    ($($from:ty => $($to:ty),*;)*) => {$($(
        /// Converts the text. Nothing is split again.
        impl<'a> From<UriRef<$from>> for UriRef<$to> {
            fn from(uri: UriRef<$from>) -> Self {
                let offsets = uri.with_text(());
                offsets.with_text(uri.into_inner().into())
            }
        }

        /// Converts the text. Nothing is split again.
        impl<'a> From<Uri<$from>> for Uri<$to> {
            fn from(uri: Uri<$from>) -> Self {
                Uri::of_absolute(uri.into_uri_ref().into())
            }
        }
    )*)*};
}

each_text_conversion!(convert_text);

macro_rules! into_other_text {
    ($($to:ty),*) => {$(
        /// Takes the text; a counted one is copied.
        impl From<UriRef> for $to {
            fn from(uri: UriRef) -> $to {
                uri.into_string().into()
            }
        }

        /// Takes the text; a counted one is copied.
        impl From<Uri> for $to {
            fn from(uri: Uri) -> $to {
                uri.into_string().into()
            }
        }
    )*};
}

into_other_text!(Box<str>, Rc<str>, Arc<str>);

/// The standard library converts no shared text into one that is owned.
macro_rules! own_shared_text {
    ($($shared:ty),*) => {$(
        /// Copies the text. Nothing is split again.
        impl From<UriRef<$shared>> for UriRef {
            fn from(uri: UriRef<$shared>) -> Self {
                uri.to_owned()
            }
        }

        /// Copies the text. Nothing is split again.
        impl From<Uri<$shared>> for Uri {
            fn from(uri: Uri<$shared>) -> Self {
                uri.to_owned()
            }
        }
    )*};
}

own_shared_text!(Rc<str>, Arc<str>);
