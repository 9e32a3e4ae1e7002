//! The traits of `UriRef`, `Uri` and `whatwg::Url` that look at their text. Equality, order and hash are the same as for the text.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use super::{Uri, UriRef, UriText};

/// Implements the traits of a text: conversion to it, printing, equality, order and hash. Also equality with texts of other types.
macro_rules! text_traits {
    ($type:ident: $($text:ty),*) => {
        impl<T: UriText> AsRef<str> for $type<T> {
            fn as_ref(&self) -> &str {
                self.as_borrowed().as_str()
            }
        }

        impl<T: UriText> core::borrow::Borrow<str> for $type<T> {
            fn borrow(&self) -> &str {
                self.as_borrowed().as_str()
            }
        }

        impl<T: UriText> core::fmt::Display for $type<T> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.as_borrowed().as_str())
            }
        }

        impl<T: UriText, U: UriText> PartialEq<$type<U>> for $type<T> {
            fn eq(&self, other: &$type<U>) -> bool {
                self.as_borrowed().as_str() == other.as_borrowed().as_str()
            }
        }

        impl<T: UriText> Eq for $type<T> {}

        impl<T: UriText, U: UriText> PartialOrd<$type<U>> for $type<T> {
            fn partial_cmp(&self, other: &$type<U>) -> Option<core::cmp::Ordering> {
                self.as_borrowed().as_str().partial_cmp(other.as_borrowed().as_str())
            }
        }

        impl<T: UriText> Ord for $type<T> {
            fn cmp(&self, other: &Self) -> core::cmp::Ordering {
                self.as_borrowed().as_str().cmp(other.as_borrowed().as_str())
            }
        }

        impl<T: UriText> core::hash::Hash for $type<T> {
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                self.as_borrowed().as_str().hash(state);
            }
        }

        $(
            impl<T: UriText> PartialEq<$text> for $type<T> {
                fn eq(&self, text: &$text) -> bool {
                    let text: &str = text.as_ref();
                    self.as_borrowed().as_str() == text
                }
            }

            impl<T: UriText> PartialEq<$type<T>> for $text {
                fn eq(&self, uri: &$type<T>) -> bool {
                    uri == self
                }
            }
        )*
    };
}

pub(crate) use text_traits;

text_traits!(UriRef: str, &str, String, Box<str>, Rc<str>, Arc<str>, Cow<'_, str>);
text_traits!(Uri: str, &str, String, Box<str>, Rc<str>, Arc<str>, Cow<'_, str>);

macro_rules! debug_by_components {
    ($($type:ident),*) => {$(
        impl<T: UriText> fmt::Debug for $type<T> {
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
    )*};
}

debug_by_components!(UriRef, Uri);

impl<T: UriText, U: UriText> PartialEq<UriRef<U>> for Uri<T> {
    fn eq(&self, reference: &UriRef<U>) -> bool {
        **self == *reference
    }
}

impl<T: UriText, U: UriText> PartialEq<Uri<U>> for UriRef<T> {
    fn eq(&self, uri: &Uri<U>) -> bool {
        *self == **uri
    }
}

impl<T: UriText + Default> Default for UriRef<T> {
    fn default() -> Self {
        UriRef::new(T::default())
    }
}
