//! The traits of `Resolved`. Equality, order and hash are those of the text.

use alloc::borrow::Cow;
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

use super::Resolved;
use crate::uri::{Text, Uri};

impl fmt::Display for Resolved<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_some() || f.precision().is_some() {
            return f.pad(&self.text());
        }
        self.write_to(f)
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

impl From<Resolved<'_>> for String {
    fn from(resolved: Resolved<'_>) -> String {
        resolved.into_string()
    }
}

impl From<Resolved<'_>> for Uri<String> {
    fn from(resolved: Resolved<'_>) -> Uri<String> {
        resolved.to_uri()
    }
}

impl PartialEq for Resolved<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.is(&other.text())
    }
}

impl Eq for Resolved<'_> {}

impl PartialOrd for Resolved<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Allocates both texts.
impl Ord for Resolved<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text().cmp(&other.text())
    }
}

/// As the text hashes.
impl Hash for Resolved<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}

impl Resolved<'_> {
    fn is(&self, text: &str) -> bool {
        let mut rest = Some(text);
        self.pieces(|piece| rest = rest.and_then(|rest| rest.strip_prefix(piece)));
        rest == Some("")
    }
}

macro_rules! equal_to {
    ($($text:ty $(, $held:ident)?;)*) => {$(
        impl$(<$held: Text>)? PartialEq<$text> for Resolved<'_> {
            fn eq(&self, text: &$text) -> bool {
                self.is(text.as_ref())
            }
        }

        impl$(<$held: Text>)? PartialEq<Resolved<'_>> for $text {
            fn eq(&self, resolved: &Resolved<'_>) -> bool {
                resolved == self
            }
        }
    )*};
}

equal_to! {
    str;
    &str;
    String;
    Cow<'_, str>;
    Uri<T>, T;
}
