//! Bases of pages: by a rule set, or by the URL Standard.

use alloc::string::String;
use core::fmt;

use encoding_rs::{Encoding, UTF_8};

use crate::resolve::{Base, BorrowedBase};
use crate::uri::Text;
use crate::whatwg;

/// The base of a page: its URI, and the rules by which its references are resolved. It is made from a reference to a
/// [`Base`] or to a [`whatwg::Base`].
///
/// ```
/// use relref::html::links;
/// use relref::{Base, Rules, whatwg};
///
/// let (page, uri) = (b"<a href='a b\\c'>", "http://example.com/docs/");
/// assert_eq!(links(page, &whatwg::Base::new(uri)?)[0].uri, "http://example.com/docs/a%20b/c");
/// assert_eq!(links(page, &Base::new(uri, Rules::RFC3986)?)[0].uri, "http://example.com/docs/a b\\c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct PageBase<'b>(pub(super) AnyBase<'b>);

/// A base by a rule set, or by the URL Standard.
#[derive(Clone, Copy)]
pub(super) enum AnyBase<'b> {
    Rules {
        base: BorrowedBase<'b>,
        /// The character encoding in which queries are percent-encoded; `None` if they stay as they are.
        query_encoding: Option<&'static Encoding>,
    },
    Whatwg(&'b whatwg::Base<'b>),
}

impl<'b> PageBase<'b> {
    /// Returns the scheme, without its colon.
    pub(super) fn scheme(self) -> &'b str {
        match self.0 {
            AnyBase::Rules { base, .. } => base.scheme(),
            AnyBase::Whatwg(base) => base.scheme(),
        }
    }

    /// Returns the same base for a page in a character encoding other than UTF-8 and UTF-16; `None` for these two. By the URL
    /// Standard, queries are always percent-encoded in it. By a rule set, only if `legacy_queries` is true: see
    /// [`legacy_queries`](super::Pages::legacy_queries). `copy` holds the changed base if one must be made.
    pub(super) fn in_encoding<'c>(
        self,
        encoding: Option<&'static Encoding>,
        legacy_queries: bool,
        copy: &'c mut Option<whatwg::Base<'b>>,
    ) -> PageBase<'c>
    where
        'b: 'c,
    {
        PageBase(match self.0 {
            AnyBase::Rules { base, .. } => AnyBase::Rules { base, query_encoding: encoding.filter(|_| legacy_queries) },
            AnyBase::Whatwg(base) if base.has_encoding(encoding) => self.0,
            AnyBase::Whatwg(base) => {
                let encoding = encoding.unwrap_or(UTF_8);
                AnyBase::Whatwg(copy.insert(base.clone().query_encoding(encoding)))
            }
        })
    }
}

impl<'b, T: Text> From<&'b Base<T>> for PageBase<'b> {
    fn from(base: &'b Base<T>) -> Self {
        PageBase(AnyBase::Rules { base: base.borrowed(), query_encoding: None })
    }
}

impl<'b> From<&'b whatwg::Base<'_>> for PageBase<'b> {
    fn from(base: &'b whatwg::Base<'_>) -> Self {
        PageBase(AnyBase::Whatwg(base))
    }
}

impl fmt::Debug for PageBase<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            AnyBase::Rules { base, .. } => write!(f, "PageBase({:?}, {})", base.as_str(), base.rules),
            AnyBase::Whatwg(base) => write!(f, "PageBase({:?}, whatwg)", base.as_str()),
        }
    }
}

/// A base that is made while a page is read, by the rules of the page's base.
pub(super) enum NewBase {
    Rules(Base<String>, Option<&'static Encoding>),
    Whatwg(whatwg::Base<'static>),
}

impl NewBase {
    /// Makes a base of a URI, with the rules and the character encoding of the base by which the URI was resolved.
    pub(super) fn new(uri: String, resolved_by: PageBase<'_>) -> Self {
        match resolved_by.0 {
            AnyBase::Rules { base, query_encoding } => {
                let base = Base::new(uri, base.rules).expect("a resolved reference is absolute");
                NewBase::Rules(base, query_encoding)
            }
            AnyBase::Whatwg(base) => NewBase::Whatwg(base.with_href(uri)),
        }
    }

    pub(super) fn as_page_base(&self) -> PageBase<'_> {
        PageBase(match self {
            NewBase::Rules(base, query_encoding) => {
                AnyBase::Rules { base: base.borrowed(), query_encoding: *query_encoding }
            }
            NewBase::Whatwg(base) => AnyBase::Whatwg(base),
        })
    }
}
