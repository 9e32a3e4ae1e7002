//! Reports links: leaves out those that are not wanted, resolves the others within the limits, and passes them to the caller.

use alloc::string::String;
use std::io;

use encoding_rs::Encoding;

use super::clean::clean;
use super::link::{Kind, Link, Rejected, is_fetched};
use super::query_encoding::encode_query;
use super::tag::MAX_RETAINED;
use crate::resolve::Base;
use crate::uri::UriRef;

/// The element and attribute in which a reference is written, and the kind of its link.
#[derive(Clone, Copy)]
pub(super) struct LinkSource<'t> {
    pub(super) element: &'t str,
    pub(super) attribute: &'static str,
    pub(super) kind: Kind,
    pub(super) rel: &'t str,
    /// True if the empty reference is a link, to the page itself.
    pub(super) may_be_empty: bool,
}

/// The reporter of a page's links: the filters, the limits, and the receiver.
pub(super) struct Reporter<'s> {
    pub(super) buffers: &'s mut Buffers,
    /// The character encoding of queries; `None` for UTF-8.
    pub(super) query_encoding: Option<&'static Encoding>,
    /// Receives the links.
    pub(super) each: &'s mut dyn FnMut(Link<'_>) -> io::Result<()>,
    /// The error of `each`, after which no link is reported.
    pub(super) failure: Option<io::Error>,
    /// The kinds of the links that are reported; all kinds if empty.
    pub(super) kinds: &'s [Kind],
    /// True if only links that can be followed are reported.
    pub(super) followable: bool,
    pub(super) limits: Limits,
}

/// The buffers in which links are made.
#[derive(Default)]
pub(super) struct Buffers {
    reference: String,
    uri: String,
}

/// The limits for the URIs of a page, in bytes.
pub(super) struct Limits {
    /// The length of the longest URI that is built.
    pub(super) max_uri: usize,
    /// The length that the URIs not yet built may have together; 0 once one was rejected for it.
    pub(super) rest: u64,
}

impl Reporter<'_> {
    /// Reports whether links of a kind are wanted.
    pub(super) fn wants(&self, kind: Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// Reports a link if it is wanted. Its URI is not built if the link is already rejected, or exceeds a limit.
    pub(super) fn report(
        &mut self,
        source: LinkSource<'_>,
        reference: &str,
        base: &Base<&str>,
        rejected: Option<Rejected>,
    ) {
        if !self.wants(source.kind) {
            return;
        }
        let Buffers { reference: buffer, uri } = &mut *self.buffers;
        let reference = clean(reference, buffer);
        if self.failure.is_some() || (reference.is_empty() && !source.may_be_empty) {
            return;
        }
        let encoded = encode_query(reference, base.uri().scheme(), self.query_encoding);
        let scheme = || UriRef::new(&encoded).scheme().unwrap_or(base.uri().scheme());
        if self.followable && !is_fetched(scheme()) {
            return;
        }
        uri.clear();
        let rejected = rejected.or_else(|| self.limits.resolve_into(base, &encoded, uri).err());
        if rejected.is_some() {
            uri.push_str(scheme());
            uri.push(':');
        }
        let LinkSource { element, attribute, kind, rel, .. } = source;
        self.failure = (self.each)(Link { element, attribute, kind, rel, reference, uri, rejected }).err();
    }

    /// Resolves the value of a `codebase`; `None` if it is empty.
    ///
    /// # Errors
    /// The URI exceeds a limit.
    pub(super) fn codebase(&mut self, value: &str, base: &Base<&str>) -> Result<Option<String>, Rejected> {
        let mut buffer = String::new();
        let reference = clean(value, &mut buffer);
        if reference.is_empty() {
            return Ok(None);
        }
        let encoded = encode_query(reference, base.uri().scheme(), self.query_encoding);
        let mut uri = String::new();
        self.limits.resolve_into(base, &encoded, &mut uri)?;
        Ok(Some(uri))
    }
}

impl Limits {
    /// The greatest length of a result, in bytes, beyond those of its base and its reference: the slash of a missing path,
    /// and `/.`, rounded up.
    const EXTRA: usize = 4;

    /// Appends the resolved URI.
    ///
    /// # Errors
    /// The limit that the URI exceeds. Nothing is appended.
    #[inline]
    fn resolve_into(&mut self, base: &Base<&str>, reference: &str, uri: &mut String) -> Result<(), Rejected> {
        let most = base.as_str().len() + reference.len() + Self::EXTRA;
        // Nearly always there is room for the longest possible result.
        if most > self.max_uri || most as u64 > self.rest {
            self.check(base.resolve(reference).len())?;
        }
        let start = uri.len();
        base.resolve_into(reference, uri);
        self.rest = self.rest.saturating_sub((uri.len() - start) as u64);
        Ok(())
    }

    fn check(&mut self, len: usize) -> Result<(), Rejected> {
        if len > self.max_uri {
            return Err(Rejected::TooLong);
        }
        if len as u64 > self.rest {
            self.rest = 0;
            return Err(Rejected::TooMany);
        }
        Ok(())
    }
}

impl Buffers {
    pub(super) fn clear(&mut self) {
        for buffer in [&mut self.reference, &mut self.uri] {
            buffer.clear();
            buffer.shrink_to(MAX_RETAINED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    /// Resolves references one after the other. Returns their URIs or limits, and the length that is left.
    fn resolved(max_uri: usize, rest: u64, references: &[&str]) -> (Vec<Result<String, Rejected>>, u64) {
        let base = Base::new("http://h", Rules::RFC3986).unwrap();
        let mut limits = Limits { max_uri, rest };
        let each = |reference: &&str| {
            let mut uri = String::from(">");
            let done = limits.resolve_into(&base, reference, &mut uri);
            assert!(done.is_ok() || uri == ">");
            done.map(|()| uri.split_off(1))
        };
        (references.iter().map(each).collect(), limits.rest)
    }

    #[test]
    fn the_length_of_the_result_counts() {
        let (long, short) = (Err(Rejected::TooLong), Ok(String::from("http://h/x")));
        assert_eq!(resolved(10, 100, &["x", "xy", "./../x"]), (vec![short.clone(), long.clone(), short.clone()], 80));
        assert_eq!(resolved(9, 100, &["x"]), (vec![long], 100));
        assert_eq!(resolved(usize::MAX, u64::MAX, &["x"]), (vec![short], u64::MAX - 10));
    }

    #[test]
    fn after_one_too_many_there_is_none() {
        let (many, short) = (Err(Rejected::TooMany), Ok(String::from("http://h/x")));
        assert_eq!(resolved(99, 10, &["x"]), (vec![short.clone()], 0));
        assert_eq!(resolved(99, 20, &["x", "xy", "x"]), (vec![short, many.clone(), many], 0));
    }

    /// Rules under which a result gets a slash or `/.` that neither the base nor the reference has.
    #[test]
    fn no_result_is_longer_than_expected() {
        for (base, reference) in
            [("http://h", "x"), ("http://h", "?x"), ("f:/a", ".//g"), ("f:", ".//g"), ("f:", "..//g")]
        {
            for rules in Rules::ALL {
                let len = Base::new(base, rules).unwrap().resolve(reference).len();
                assert!(len <= base.len() + reference.len() + Limits::EXTRA, "{base} {reference}");
            }
        }
    }
}
