//! The percent-encode sets of the URL Standard, by name.

use core::ops::Range;

use crate::percent::ByteSet;

/// A percent-encode set (URL Standard §1.3): the characters that must be percent-encoded in a part of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodeSet {
    /// *C0 control percent-encode set*, of opaque hosts and opaque paths.
    C0Control,
    /// *fragment percent-encode set*
    Fragment,
    /// *query percent-encode set*
    Query,
    /// *special-query percent-encode set*, of queries of special schemes.
    SpecialQuery,
    /// *path percent-encode set*
    Path,
    /// *userinfo percent-encode set*
    Userinfo,
}

impl EncodeSet {
    /// Returns the name that the URL Standard gives it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name_and_bytes().0
    }

    /// Returns the bytes of UTF-8 that must be percent-encoded.
    #[must_use]
    pub const fn bytes(self) -> &'static ByteSet {
        self.name_and_bytes().1
    }

    const fn name_and_bytes(self) -> (&'static str, &'static ByteSet) {
        match self {
            EncodeSet::C0Control => ("C0 control percent-encode set", &ByteSet::WHATWG_C0_CONTROL),
            EncodeSet::Fragment => ("fragment percent-encode set", &ByteSet::WHATWG_FRAGMENT),
            EncodeSet::Query => ("query percent-encode set", &ByteSet::WHATWG_QUERY),
            EncodeSet::SpecialQuery => ("special-query percent-encode set", &ByteSet::WHATWG_SPECIAL_QUERY),
            EncodeSet::Path => ("path percent-encode set", &ByteSet::WHATWG_PATH),
            EncodeSet::Userinfo => ("userinfo percent-encode set", &ByteSet::WHATWG_USERINFO),
        }
    }
}

/// Adjacent characters of the input that were percent-encoded by the same set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Encoded {
    /// The bytes of the input that the characters take, with any removed tabs and line breaks between them.
    pub range: Range<usize>,
    /// The set that has the characters. A space at the end of an opaque path is percent-encoded although it is not in the set of
    /// opaque paths; then this is [`EncodeSet::C0Control`].
    pub set: EncodeSet,
}
