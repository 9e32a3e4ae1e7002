//! Bases: an absolute URI, prepared once for many references.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::sync::Arc;
use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

use super::prepared::{BorrowedBase, Prepared};
use super::resolved::Resolved;
use crate::rules::Rules;
use crate::uri::{Lend, Uri, UriRef, UriText, each_text_conversion, not_absolute};

/// An absolute URI against which references are resolved, under one rule set.
///
/// It holds any [`UriText`]: `Base<&str>` borrows, `Base<String>` owns and can be kept in a struct, `Base<Arc<str>>` shares its
/// text with its clones.
///
/// The offsets at which the base is cut for frequent references are found once, in one pass. Nothing is copied or allocated, with
/// two exceptions. A base with dot segments keeps a copy of its directory without them. A base longer than 1 KiB keeps the places
/// of its long segments and, by level, of its slash runs.
///
/// ```
/// use relref::{Base, Rules};
///
/// let base = Base::new("magic://a/b/c//d/e/f", Rules::RFC1630)?;
/// assert_eq!(base.resolve("../g"), "magic://a/b/c//d/g");
///
/// let mut out = String::new();
/// base.resolve_into("/g", &mut out);
/// assert_eq!(out, "magic://a/b/c//d/g");
///
/// struct Page { base: Base<String> }
///
/// let page = Page { base: Base::new(String::from("http://a/b"), Rules::RFC3986)? };
/// assert_eq!(page.base.resolve("c").into_string(), "http://a/c");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone)]
pub struct Base<T = String> {
    text: T,
    prepared: Prepared,
}

impl<T: UriText> Base<T> {
    /// Prepares a text as a base.
    ///
    /// # Errors
    /// The text has no scheme, as in [`Uri::parse`]. Nothing else is required of it.
    pub fn new(uri: T, rules: Rules) -> Result<Self, T::Refused> {
        let split = UriRef::split(uri.text());
        if split.scheme_end == 0 {
            return Err(not_absolute(uri));
        }
        let prepared = Prepared::new(split, rules);
        Ok(Base { text: uri, prepared })
    }

    /// Resolves a reference. Any text resolves as a reference.
    ///
    /// The result borrows from the base and the reference. Cost: one pass over the reference, and one over the base only if dot
    /// segments of the reference remove segments of the base. By level, a reference that starts with slashes may take one more pass
    /// over at most 1 KiB of the base. Nothing is allocated, unless more than sixteen segments of the reference come before its dot
    /// segments or, by level, the base has slash runs of more than two levels.
    ///
    /// ```
    /// use relref::{Base, Rules};
    ///
    /// let base = Base::new("https://web.archive.org/web/2020/http://example.com/a/b", Rules::RFC1630)?;
    /// assert_eq!(base.resolve("/g"), "https://web.archive.org/web/2020/http://example.com/g");
    /// # Ok::<(), relref::Error>(())
    /// ```
    pub fn resolve<'b>(&'b self, reference: &'b (impl AsRef<str> + ?Sized)) -> Resolved<'b> {
        self.borrowed().resolve(reference.as_ref())
    }

    /// Appends the text of what [`resolve`](Base::resolve) returns. Allocates where that does, and if `out` must grow.
    pub fn resolve_into(&self, reference: &(impl AsRef<str> + ?Sized), out: &mut String) {
        self.borrowed().resolve_into(reference.as_ref(), out);
    }

    /// Prepares a URI as a base. It is not split again.
    pub fn from_uri(uri: Uri<T>, rules: Rules) -> Self {
        let prepared = Prepared::new(uri.as_borrowed().into_uri_ref(), rules);
        Base { text: uri.into_inner(), prepared }
    }

    /// Returns a form that can be copied, on which references are resolved.
    #[doc(hidden)]
    #[inline(always)]
    pub fn borrowed(&self) -> BorrowedBase<'_> {
        BorrowedBase { text: self.text.text(), prepared: &self.prepared }
    }

    fn text_and_rules(&self) -> (&str, Rules) {
        (self.text.text(), self.rules())
    }

    /// Returns the rule set.
    pub fn rules(&self) -> Rules {
        self.prepared.rules
    }

    /// Returns the same base with a borrowed text. Nothing is split or prepared again, but the prepared parts are copied.
    pub fn as_borrowed(&self) -> Base<&str> {
        Base { text: self.text.text(), prepared: self.prepared.clone() }
    }

    /// Returns the same base with a text of its own. Nothing is split or prepared again.
    pub fn to_owned(&self) -> Base<String> {
        Base { text: String::from(self.text.text()), prepared: self.prepared.clone() }
    }

    /// Returns the URI.
    pub fn into_uri(self) -> Uri<T> {
        Uri::new(self.prepared.offsets.with_text(self.text))
    }

    /// Returns the text that the base holds.
    pub fn into_inner(self) -> T {
        self.text
    }
}

impl<'i, 'o, T: Lend<'i, 'o>> Base<T> {
    /// Returns the URI, as given.
    pub fn as_str(&'i self) -> &'o str {
        self.text.lend()
    }

    /// Returns the URI, split.
    pub fn uri(&'i self) -> Uri<&'o str> {
        Uri::new(self.prepared.offsets.with_text(self.text.lend()))
    }
}

impl<T: UriText> AsRef<str> for Base<T> {
    fn as_ref(&self) -> &str {
        self.text.text()
    }
}

impl<T: UriText> fmt::Display for Base<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text.text())
    }
}

impl<T: UriText> fmt::Debug for Base<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Base({:?}, {})", self.text.text(), self.rules())
    }
}

/// Compares the texts and the rules. There is no `Borrow<str>`, since the hash also depends on the rules.
impl<T: UriText, U: UriText> PartialEq<Base<U>> for Base<T> {
    fn eq(&self, other: &Base<U>) -> bool {
        self.text_and_rules() == other.text_and_rules()
    }
}

impl<T: UriText> Eq for Base<T> {}

impl<T: UriText, U: UriText> PartialOrd<Base<U>> for Base<T> {
    fn partial_cmp(&self, other: &Base<U>) -> Option<Ordering> {
        Some(self.text_and_rules().cmp(&other.text_and_rules()))
    }
}

/// Compares the texts first, then the rules.
impl<T: UriText> Ord for Base<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text_and_rules().cmp(&other.text_and_rules())
    }
}

impl<T: UriText> Hash for Base<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text_and_rules().hash(state);
    }
}

macro_rules! convert_text {
    ($($from:ty => $($to:ty),*;)*) => {$($(
        /// Converts the text. Nothing is split or prepared again.
        impl<'a> From<Base<$from>> for Base<$to> {
            fn from(base: Base<$from>) -> Self {
                Base { text: base.text.into(), prepared: base.prepared }
            }
        }
    )*)*};
}

each_text_conversion!(convert_text);
