//! The traits of `UriRef` and `Uri`. Equality, order and hash are those of the text.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::convert::Infallible;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use super::{ParseError, Text, Uri, UriRef};

macro_rules! text_traits {
    ($type:ident) => {
        impl<T: Text> AsRef<str> for $type<T> {
            fn as_ref(&self) -> &str {
                self.as_borrowed().as_str()
            }
        }

        impl<T: Text> Borrow<str> for $type<T> {
            fn borrow(&self) -> &str {
                self.as_borrowed().as_str()
            }
        }

        impl<T: Text> fmt::Display for $type<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_borrowed().as_str())
            }
        }

        impl<T: Text> fmt::Debug for $type<T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let uri = self.as_borrowed();
                f.debug_struct(stringify!($type))
                    .field("scheme", &uri.scheme())
                    .field("authority", &uri.authority())
                    .field("path", &uri.path())
                    .field("query", &uri.query())
                    .field("fragment", &uri.fragment())
                    .finish()
            }
        }

        impl<T: Text, U: Text> PartialEq<$type<U>> for $type<T> {
            fn eq(&self, other: &$type<U>) -> bool {
                self.as_borrowed().as_str() == other.as_borrowed().as_str()
            }
        }

        impl<T: Text> Eq for $type<T> {}

        impl<T: Text, U: Text> PartialOrd<$type<U>> for $type<T> {
            fn partial_cmp(&self, other: &$type<U>) -> Option<Ordering> {
                self.as_borrowed().as_str().partial_cmp(other.as_borrowed().as_str())
            }
        }

        impl<T: Text> Ord for $type<T> {
            fn cmp(&self, other: &Self) -> Ordering {
                self.as_borrowed().as_str().cmp(other.as_borrowed().as_str())
            }
        }

        impl<T: Text> Hash for $type<T> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.as_borrowed().as_str().hash(state);
            }
        }

        text_traits!(eq $type: str, &str, String, Box<str>, Cow<'_, str>);
    };
    (eq $type:ident: $($text:ty),*) => {$(
        impl<T: Text> PartialEq<$text> for $type<T> {
            fn eq(&self, text: &$text) -> bool {
                let text: &str = text.as_ref();
                self.as_borrowed().as_str() == text
            }
        }

        impl<T: Text> PartialEq<$type<T>> for $text {
            fn eq(&self, uri: &$type<T>) -> bool {
                uri == self
            }
        }
    )*};
}

text_traits!(UriRef);
text_traits!(Uri);

/// The empty reference.
impl<T: Text + Default> Default for UriRef<T> {
    fn default() -> Self {
        UriRef::new(T::default())
    }
}

impl<T: Text> From<T> for UriRef<T> {
    fn from(text: T) -> Self {
        UriRef::new(text)
    }
}

impl<T> From<Uri<T>> for UriRef<T> {
    fn from(uri: Uri<T>) -> Self {
        uri.into_uri_ref()
    }
}

/// Fails if it has no scheme.
impl<T: Text> TryFrom<UriRef<T>> for Uri<T> {
    type Error = T::Refused;

    fn try_from(reference: UriRef<T>) -> Result<Self, Self::Error> {
        Uri::from_uri_ref(reference)
    }
}

impl FromStr for UriRef<String> {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(UriRef::new(text.to_owned()))
    }
}

impl FromStr for Uri<String> {
    type Err = ParseError<String>;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Uri::parse(text.to_owned())
    }
}

macro_rules! try_from {
    ($($text:ty),*) => {$(
        /// Fails if it has no scheme.
        impl<'a> TryFrom<$text> for Uri<$text> {
            type Error = <$text as Text>::Refused;

            fn try_from(text: $text) -> Result<Self, Self::Error> {
                Uri::parse(text)
            }
        }
    )*};
}

try_from!(&'a str, String, Box<str>, Rc<str>, Arc<str>, Cow<'a, str>);

/// The text of a URI, without another copy.
macro_rules! into_string {
    ($($type:ident),*) => {$(
        impl From<$type<String>> for String {
            fn from(uri: $type<String>) -> String {
                uri.into_inner()
            }
        }
    )*};
}

into_string!(UriRef, Uri);
