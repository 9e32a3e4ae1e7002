//! Bases: an absolute URI, prepared once for many references.

use alloc::string::String;
use core::fmt;

use super::fast;
use super::prepared::{BorrowedBase, Prepared};
use super::resolved::Resolved;
use crate::compare_by::compare_by;
use crate::error::{Error, ErrorKind};
use crate::rules::Rules;
use crate::uri::{Uri, UriRef};

/// An absolute URI against which references are resolved, under one rule set.
///
/// It has a text of its own, so a struct can keep it. The offsets at which it is cut for frequent references are found once, in one
/// pass. A base with dot segments also keeps a copy of its directory without them. For a single reference,
/// [`resolve()`](crate::resolve()) prepares and copies nothing.
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
/// struct Page { base: Base }
///
/// let page = Page { base: Base::new("http://a/b", Rules::RFC3986)? };
/// assert_eq!(page.base.resolve("c").into_string(), "http://a/c");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone)]
pub struct Base {
    text: String,
    prepared: Prepared,
}

impl Base {
    /// Prepares a URI as a base: a text, a [`Uri`], a [`UriRef`] or a result.
    ///
    /// # Errors
    /// The text has no scheme, as in [`Uri::parse`]. Nothing else is required of it.
    pub fn new(uri: impl AsRef<str>, rules: Rules) -> Result<Self, Error> {
        let uri = uri.as_ref();
        let split = UriRef::split(uri);
        if split.scheme_end == 0 {
            return Err(Error::no_scheme(ErrorKind::NoScheme, uri));
        }
        Ok(Base { text: String::from(uri), prepared: Prepared::new(split, rules) })
    }

    /// Does what [`new`](Base::new) does.
    ///
    /// # Errors
    /// The same as [`new`](Base::new).
    pub fn parse(uri: impl AsRef<str>, rules: Rules) -> Result<Self, Error> {
        Base::new(uri, rules)
    }

    /// Resolves a reference. Any text resolves as a reference.
    ///
    /// The result borrows from the base and the reference. Cost: for frequent references one pass over the reference; where dot
    /// segments must be removed from what is joined, or slash runs be counted, also one over the base. Nothing is allocated, unless
    /// the path has more than sixteen segments while its dot segments are removed or, by level, the base has slash runs of more than
    /// two levels.
    ///
    /// ```
    /// use relref::{Base, Rules};
    ///
    /// let base = Base::new("https://web.archive.org/web/2020/http://example.com/a/b", Rules::RFC1630)?;
    /// assert_eq!(base.resolve("/g"), "https://web.archive.org/web/2020/http://example.com/g");
    /// # Ok::<(), relref::Error>(())
    /// ```
    #[doc(alias = "join")]
    #[inline]
    pub fn resolve<'b>(&'b self, reference: &'b (impl AsRef<str> + ?Sized)) -> Resolved<'b> {
        fast::resolve(self.borrowed(), reference.as_ref())
    }

    /// Appends the text of what [`resolve`](Base::resolve) returns. Allocates where that does, and if `out` must grow.
    #[inline]
    pub fn resolve_into(&self, reference: &(impl AsRef<str> + ?Sized), out: &mut String) {
        fast::resolve_into(self.borrowed(), reference.as_ref(), out);
    }

    /// Prepares a URI as a base. It is not split again, and a text that it owns is not copied.
    pub fn from_uri(uri: impl Into<Uri>, rules: Rules) -> Self {
        let uri = uri.into();
        let prepared = Prepared::new(uri.as_borrowed().into_uri_ref(), rules);
        Base { text: uri.into_inner(), prepared }
    }

    #[inline(always)]
    pub(crate) fn borrowed(&self) -> BorrowedBase<'_> {
        BorrowedBase { text: &self.text, prepared: &self.prepared }
    }

    fn text_and_rules(&self) -> (&str, Rules) {
        (&self.text, self.rules())
    }

    /// Returns the rule set.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.prepared.rules
    }

    /// Returns the URI, as given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the scheme, without its colon, as written.
    #[must_use]
    pub fn scheme(&self) -> &str {
        self.borrowed().scheme()
    }

    /// Returns the URI, split.
    #[must_use]
    pub fn uri(&self) -> Uri<&str> {
        Uri::of_absolute(self.prepared.offsets.with_text(&self.text))
    }

    /// Returns the URI. It is neither copied nor split again.
    #[must_use]
    pub fn into_uri(self) -> Uri {
        Uri::of_absolute(self.prepared.offsets.with_text(self.text))
    }

    /// Returns the text.
    #[must_use]
    pub fn into_string(self) -> String {
        self.text
    }
}

impl AsRef<str> for Base {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Base({:?}, {})", &self.text, self.rules())
    }
}

compare_by! {
    /// Compares the texts first, then the rules. There is no `Borrow<str>`, since the hash depends on both.
    Base, text_and_rules
}
