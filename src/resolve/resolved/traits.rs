//! The traits of `Resolved` and `ResolvedPath`. Equality, order and hash are the same as for the text.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

use super::{Resolved, ResolvedPath};
use crate::uri::{Uri, UriRef, UriText};

pub(super) trait Pieces<'a> {
    /// In the order of the text. A piece may be empty.
    fn each_piece(&self, each: impl FnMut(&'a str));

    fn joined(&self) -> String {
        let mut len = 0;
        self.each_piece(|piece| len += piece.len());
        let mut text = String::with_capacity(len);
        self.each_piece(|piece| text.push_str(piece));
        text
    }

    fn write(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let mut result = Ok(());
        self.each_piece(|piece| result = result.and_then(|()| out.write_str(piece)));
        result
    }

    fn is(&self, text: &str) -> bool {
        let mut rest = Some(text);
        self.each_piece(|piece| rest = rest.and_then(|rest| rest.strip_prefix(piece)));
        rest == Some("")
    }
}

impl fmt::Debug for Resolved<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resolved")
            .field("scheme", &self.scheme())
            .field("authority", &self.authority())
            .field("path", &self.path())
            .field("query", &self.query())
            .field("fragment", &self.fragment())
            .finish()
    }
}

/// Copies the text. The URI is not split again.
impl<T: UriText + From<String>> From<Resolved<'_>> for Uri<T> {
    fn from(resolved: Resolved<'_>) -> Uri<T> {
        let uri = resolved.into_uri().into_uri_ref();
        Uri::of_absolute(uri.with_text(()).with_text(uri.into_inner().into()))
    }
}

impl<T: UriText + From<String>> From<Resolved<'_>> for UriRef<T> {
    fn from(resolved: Resolved<'_>) -> UriRef<T> {
        Uri::from(resolved).into_uri_ref()
    }
}

impl AsRef<str> for Resolved<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Debug for ResolvedPath<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl AsRef<str> for ResolvedPath<'_, '_> {
    fn as_ref(&self) -> &str {
        self
    }
}

macro_rules! text_traits {
    ($type:ty) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                if f.width().is_some() || f.precision().is_some() {
                    return f.pad(&self.joined());
                }
                self.write(f)
            }
        }

        text_traits! { into $type; String, Box<str>, Rc<str>, Arc<str>, Cow<'_, str> }

        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                self.len() == other.len() && self.is(&other.joined())
            }
        }

        impl Eq for $type {}

        impl PartialOrd for $type {
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }

        /// Compares the texts. Allocates both.
        impl Ord for $type {
            fn cmp(&self, other: &Self) -> Ordering {
                self.joined().cmp(&other.joined())
            }
        }

        /// Feeds the text to the hasher, as `str` does. Allocates it.
        impl Hash for $type {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.joined().hash(state);
            }
        }

        text_traits! { eq $type;
            str;
            &str;
            String;
            Box<str>;
            Rc<str>;
            Arc<str>;
            Cow<'_, str>;
        }
    };
    (into $type:ty; $($text:ty),*) => {$(
        impl From<$type> for $text {
            fn from(value: $type) -> Self {
                value.into_string().into()
            }
        }
    )*};
    (eq $type:ty; $($text:ty $(, $held:ident)?;)*) => {$(
        impl$(<$held: UriText>)? PartialEq<$text> for $type {
            fn eq(&self, text: &$text) -> bool {
                self.is(text.as_ref())
            }
        }

        impl$(<$held: UriText>)? PartialEq<$type> for $text {
            fn eq(&self, value: &$type) -> bool {
                value == self
            }
        }
    )*};
}

text_traits!(Resolved<'_>);
text_traits!(ResolvedPath<'_, '_>);
text_traits! { eq Resolved<'_>;
    Uri<T>, T;
    UriRef<T>, T;
}
