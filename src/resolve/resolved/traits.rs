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
use crate::uri::{Uri, UriText};

pub(super) trait Pieces<'a> {
    /// In the order of the text. A piece may be empty.
    fn each_piece(&self, each: impl FnMut(&'a str));

    fn text(&self) -> String {
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

impl From<Resolved<'_>> for Uri<String> {
    fn from(resolved: Resolved<'_>) -> Uri<String> {
        resolved.to_uri()
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
                    return f.pad(&self.text());
                }
                self.write(f)
            }
        }

        impl From<$type> for String {
            fn from(value: $type) -> String {
                value.into_string()
            }
        }

        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                self.len() == other.len() && self.is(&other.text())
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
                self.text().cmp(&other.text())
            }
        }

        /// Feeds the text to the hasher, as `str` does. Allocates it.
        impl Hash for $type {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.text().hash(state);
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
}
