//! The limits for the URIs and the buffers of a page, and the resolution of references within them.

use relref::UriRef;

use super::charset::query_charset::with_encoded_query;
use super::link::Rejected;
use super::page_base::{ByRules, PageBase};

/// A larger buffer shrinks to this many bytes for the next page, so that the memory for one giant page is given back.
pub(super) const MAX_KEPT_LEN: usize = 1 << 16;

/// The limits for the lengths of the URIs of a page.
pub(super) struct Limits {
    /// The length, in bytes, of the longest URI. By the URL Standard, also that of a reference that needs encoding, and of the base
    /// that it is relative to.
    pub(super) max_uri: usize,
    /// The length, in bytes, that all later URIs may have together: those of links, and of inner bases such as `codebase`. 0 after
    /// a URI exceeded it.
    pub(super) remaining: u64,
}

impl Limits {
    /// The most bytes that a rule set adds to base and reference: the slash of a missing path, and the guard `/.`, rounded up.
    const EXTRA_LEN: usize = 4;

    /// Appends the URI that a reference resolves to, if it is within the limits. By the URL Standard, a URI that was built before
    /// it was rejected counts, too. On an error, nothing is appended.
    pub(super) fn resolve_into(
        &mut self,
        base: PageBase<'_>,
        reference: &str,
        uri: &mut String,
    ) -> Result<(), Rejected> {
        let start = uri.len();
        match base.0 {
            ByRules::Rules { base, query_charset } => {
                let reference = with_encoded_query(reference, base.scheme(), query_charset);
                let most = base.as_str().len() + reference.len() + Self::EXTRA_LEN;
                // Nearly always there is room for the longest possible result.
                if most > self.max_uri || most as u64 > self.remaining {
                    self.check(base.resolve(&reference).len())?;
                }
                base.resolve_into(&reference, uri);
            }
            ByRules::Whatwg(base) => {
                if self.remaining == 0 {
                    return Err(Rejected::TotalTooLong);
                }
                let most = base.as_str().len() + reference.len();
                if most > self.max_uri || most as u64 > self.remaining {
                    match base.result_len(reference) {
                        Some(len) => self.check(len)?,
                        None => {
                            let is_relative = UriRef::new(reference).scheme().is_none();
                            let base_len = if is_relative { base.as_str().len() } else { 0 };
                            if reference.len().max(base_len) > self.max_uri {
                                return Err(Rejected::TooLong);
                            }
                        }
                    }
                }
                base.resolve_into(reference, uri).map_err(Rejected::Invalid)?;
                let len = uri.len() - start;
                if let Err(rejected) = self.check(len) {
                    uri.truncate(start);
                    // It was built, which took time: many short references to a long base could take too much.
                    self.remaining = self.remaining.saturating_sub(len as u64);
                    return Err(rejected);
                }
            }
        }
        self.remaining = self.remaining.saturating_sub((uri.len() - start) as u64);
        Ok(())
    }

    /// Does not count the length. If it exceeds `remaining`, no later URI is allowed, either.
    fn check(&mut self, len: usize) -> Result<(), Rejected> {
        if len > self.max_uri {
            return Err(Rejected::TooLong);
        }
        if len as u64 > self.remaining {
            self.remaining = 0;
            return Err(Rejected::TotalTooLong);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use relref::{Base, Rules, whatwg};

    use super::*;

    /// Resolves references one after the other. Returns their URIs or limits, and the length that is left.
    fn resolved(
        base: PageBase<'_>,
        max_uri: usize,
        rest: u64,
        references: &[&str],
    ) -> (Vec<Result<String, Rejected>>, u64) {
        let mut limits = Limits { max_uri, remaining: rest };
        let each = |reference: &&str| {
            let mut uri = String::from(">");
            let done = limits.resolve_into(base, reference, &mut uri);
            assert!(done.is_ok() || uri == ">");
            done.map(|()| uri.split_off(1))
        };
        (references.iter().map(each).collect(), limits.remaining)
    }

    #[test]
    fn the_length_of_the_result_counts() {
        let (long, short) = (Err(Rejected::TooLong), Ok(String::from("http://h/x")));
        let by_rules = Base::new("http://h", Rules::RFC3986).unwrap();
        let whatwg = whatwg::Base::new("http://h").unwrap();
        for base in [PageBase::from(&by_rules), PageBase::from(&whatwg)] {
            let found = resolved(base, 10, 100, &["x", "xy", "./././../x"]);
            assert_eq!(found, (vec![short.clone(), long.clone(), short.clone()], 80));
            assert_eq!(resolved(base, 9, 100, &["x"]), (vec![long.clone()], 100));
            assert_eq!(resolved(base, usize::MAX, u64::MAX, &["x"]), (vec![short.clone()], u64::MAX - 10));
        }
        // A reference to encode is built to know its length, and counts; not if it is itself too long.
        let base = PageBase::from(&whatwg);
        assert_eq!(resolved(base, 10, 100, &["é"]), (vec![long.clone()], 85));
        assert_eq!(resolved(base, 10, 100, &["./././.\\x"]), (vec![short], 90));
        assert_eq!(resolved(base, 10, 100, &["./././.\\./x"]), (vec![long.clone()], 100));
        // Nor if it is relative to a base that is too long.
        let base = whatwg::Base::new("http://host/path").unwrap();
        let found = resolved(PageBase::from(&base), 15, 100, &["/é", "/x", "x:é"]);
        assert_eq!(found, (vec![long, Ok(String::from("http://host/x")), Ok(String::from("x:%C3%A9"))], 79));
    }

    #[test]
    fn after_one_too_many_there_is_none() {
        let (many, short) = (Err(Rejected::TotalTooLong), Ok(String::from("http://h/x")));
        let by_rules = Base::new("http://h", Rules::RFC3986).unwrap();
        let whatwg = whatwg::Base::new("http://h").unwrap();
        for base in [PageBase::from(&by_rules), PageBase::from(&whatwg)] {
            assert_eq!(resolved(base, 99, 10, &["x"]), (vec![short.clone()], 0));
            let found = resolved(base, 99, 20, &["x", "xy", "x"]);
            assert_eq!(found, (vec![short.clone(), many.clone(), many.clone()], 0));
        }
    }

    #[test]
    fn invalid_references_take_nothing() {
        let base = whatwg::Base::new("http://h").unwrap();
        let (found, rest) = resolved(PageBase::from(&base), 20, 20, &["//a b", "x"]);
        assert!(matches!(found[0], Err(Rejected::Invalid(error)) if error.position() == 3), "{found:?}");
        assert_eq!((&found[1], rest), (&Ok(String::from("http://h/x")), 10));
    }

    /// Rules under which a result gets a slash or `/.` that neither the base nor the reference has.
    #[test]
    fn no_result_is_longer_than_expected() {
        for (base, reference) in
            [("http://h", "x"), ("http://h", "?x"), ("f:/a", ".//g"), ("f:", ".//g"), ("f:", "..//g")]
        {
            for &rules in Rules::ALL {
                let len = Base::new(base, rules).unwrap().resolve(reference).len();
                assert!(len <= base.len() + reference.len() + Limits::EXTRA_LEN, "{base} {reference}");
            }
        }
    }
}
