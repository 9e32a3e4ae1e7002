//! The traits of `Resolved`. Equality, order and hash are the same as for the text.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;

use super::Resolved;
use crate::compare_by::compare_by;
use crate::uri::{Uri, UriRef, UriText};

compare_by! {
    /// Compares the texts, which both results keep.
    Resolved<'_>, as_str
}

impl fmt::Display for Resolved<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_some() || f.precision().is_some() {
            return f.pad(self.as_str());
        }
        let mut result = Ok(());
        self.each_piece(|piece| result = result.and_then(|()| f.write_str(piece)));
        result
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

/// A comparison with a text joins nothing.
macro_rules! equals {
    ($($text:ty $(, $held:ident)?;)*) => {$(
        impl$(<$held: UriText>)? PartialEq<$text> for Resolved<'_> {
            fn eq(&self, text: &$text) -> bool {
                let mut rest = Some(text.as_ref());
                self.each_piece(|piece| rest = rest.and_then(|rest: &str| rest.strip_prefix(piece)));
                rest == Some("")
            }
        }

        impl$(<$held: UriText>)? PartialEq<Resolved<'_>> for $text {
            fn eq(&self, resolved: &Resolved<'_>) -> bool {
                resolved == self
            }
        }
    )*};
}

equals! { str; &str; String; Box<str>; Rc<str>; Arc<str>; Cow<'_, str>; Uri<T>, T; UriRef<T>, T; }

macro_rules! into_text {
    ($($text:ty),*) => {$(
        impl From<Resolved<'_>> for $text {
            fn from(resolved: Resolved<'_>) -> Self {
                resolved.into_string().into()
            }
        }
    )*};
}

into_text!(String, Box<str>, Rc<str>, Arc<str>, Cow<'_, str>);
