//! Nested URIs: where a URI is split, and what references resolve to.

use std::fs;

use quickcheck::{Arbitrary, Gen};
use relref::{AnyBase, Base, BaseError, RuleSet, Rules, split_nested, whatwg};

use crate::inputs::references::{AnyRules, Pair, Text};
use crate::inputs::runner::tries;

/// Resolves a reference by the rule set with this name.
fn resolve(name: &str, base: &str, reference: &str) -> Option<String> {
    AnyBase::nested(base, name.parse::<RuleSet>().unwrap()).unwrap().resolve(reference).ok()
}

#[test]
fn every_row() {
    let table = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/nested.tsv")).unwrap();
    let all = RuleSet::ALL.iter().map(|rules| rules.name()).collect::<Vec<_>>().join(" ");
    let mut rows = 0;
    for line in table.lines().skip(1) {
        let [names, prefix, innermost, reference, expected] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let base = [prefix, innermost].concat();
        assert_eq!(split_nested(&base), (prefix, innermost));
        for name in if names == "all" { &all } else { names }.split(' ') {
            assert_eq!(resolve(name, &base, reference).as_deref(), Some(expected), "{name}: {line}");
            rows += 1;
        }
    }
    assert!(rows > 100, "only {rows} rows were found");
}

/// Reports whether a URI may start at a byte of a text: at its start, or after a slash, the `=` of a query or a scheme and its colon
/// that may start where they do. A transcription of the docs.
fn may_start(text: &str, at: usize) -> bool {
    let before = &text[..at];
    match before.as_bytes().last() {
        None | Some(b'/') => true,
        Some(b'=') => before.contains('?'),
        Some(b':') => (0..at - 1)
            .any(|start| text.is_char_boundary(start) && is_scheme(&text[start..at - 1]) && may_start(text, start)),
        Some(_) => false,
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

/// Returns the byte at which the innermost URI starts: a transcription of the docs.
fn innermost(text: &str) -> usize {
    let without_fragment = text.split('#').next().unwrap();
    let starts_uri = |at: usize| {
        let Some((scheme, after)) = text[at..].split_once(':') else { return false };
        let is_drive = scheme.len() == 1 && !after.starts_with("//");
        let is_before_fragment = at + scheme.len() + 1 < without_fragment.len();
        is_scheme(scheme) && after.starts_with('/') && is_before_fragment && !is_drive && may_start(text, at)
    };
    (0..without_fragment.len()).rev().find(|&at| text.is_char_boundary(at) && starts_uri(at)).unwrap_or(0)
}

/// A text of the parts that matter where URIs are nested.
#[derive(Clone, Debug)]
struct Parts(String);

impl Arbitrary for Parts {
    fn arbitrary(g: &mut Gen) -> Self {
        const PARTS: &[&str] =
            &["http", "view-source", "c", "1", ":", ":/", "://", "/", "?", "=", "#", "a.b", "é", "%3A", "&"];
        Parts((0..usize::arbitrary(g) % 14).map(|_| *g.choose(PARTS).unwrap()).collect())
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Parts))
    }
}

#[test]
fn split_as_documented() {
    fn law(Parts(text): Parts) -> bool {
        let at = innermost(&text);
        split_nested(&text) == text.split_at(at)
    }
    tries(20_000).quickcheck(law as fn(_) -> _);
}

#[test]
fn results_keep_the_prefix() {
    fn law(Pair { base, reference }: Pair, AnyRules(rules): AnyRules, Text(outer): Text) -> bool {
        let base = ["http://o/", &outer, "/", &base].concat();
        let (prefix, inner) = split_nested(&base);
        let nested = AnyBase::nested(&base, rules).unwrap();
        let (alone, result) = (Base::new(inner, rules).unwrap(), nested.resolve(&reference).unwrap());
        let target = nested.relativize(&result).unwrap();
        [nested.prefix(), nested.innermost()] == [prefix, inner]
            && nested.as_str() == base
            && result == [prefix, &alone.resolve(&reference).to_string()].concat()
            && target == alone.relativize(&result[prefix.len()..])
    }
    tries(2_000).quickcheck(law as fn(_, _, _) -> _);
}

#[test]
fn browsers_results_keep_the_prefix() {
    fn law(Pair { base, reference }: Pair, Text(outer): Text) -> bool {
        let base = ["http://o/", &outer, "/", &base].concat();
        let (prefix, inner) = split_nested(&base);
        let (Ok(nested), Ok(alone)) = (AnyBase::nested(&base, RuleSet::Whatwg), whatwg::Base::new(inner)) else {
            return whatwg::Base::new(inner).is_err();
        };
        let mut out = String::from("x");
        match (nested.resolve_into(&reference, &mut out), alone.resolve(&reference)) {
            (Ok(()), Ok(href)) => {
                out == ["x", prefix, &href].concat() && nested.relativize(&out[1..]).unwrap() == alone.relativize(&href)
            }
            (done, alone) => done == alone.map(|_| ()) && out == "x",
        }
    }
    tries(2_000).quickcheck(law as fn(_, _) -> _);
}

#[test]
fn bases_of_either_kind_resolve_as_their_own_types_do() {
    fn law(Pair { base, reference }: Pair, AnyRules(rules): AnyRules) -> bool {
        let by_rules = AnyBase::new(&base, rules);
        let by_browsers = AnyBase::new(&base, RuleSet::Whatwg);
        let rules_agree = match (Base::new(&*base, rules), by_rules) {
            (Ok(one), Ok(any)) => {
                let result = one.resolve(&reference).to_string();
                assert_eq!((any.to_string(), &any.clone()), (base.clone(), &any));
                any.rules() == RuleSet::from(rules)
                    && any.relativize(&result) == Some(one.relativize(&result))
                    && any.resolve(&reference) == Ok(result)
            }
            (one, any) => one.err().map(BaseError::Rules) == any.err(),
        };
        let browsers_agree = match (whatwg::Base::new(&base), by_browsers) {
            (Ok(one), Ok(any)) => any.resolve(&reference) == one.resolve(&reference) && any.as_str() == base,
            (one, any) => one.err().map(BaseError::Whatwg) == any.err(),
        };
        rules_agree && browsers_agree
    }
    tries(2_000).quickcheck(law as fn(_, _) -> _);
}

#[test]
fn names_of_rule_sets() {
    for &rules in RuleSet::ALL {
        assert_eq!(rules.name().parse(), Ok(rules));
        assert_eq!(rules.to_string(), rules.name());
    }
    let lenient = RuleSet::Rules(Rules { lenient: true, ..Rules::RFC3986 });
    assert_eq!("rfc3986+lenient".parse(), Ok(lenient));
    assert_eq!(lenient.to_string(), "rfc3986+lenient");
    let error = "whatwg+lenient".parse::<RuleSet>().unwrap_err();
    assert_eq!(error.position(), 6);
    assert!(error.to_string().ends_with("rfc3986 or whatwg"), "{error}");
    let error = "whatwk".parse::<RuleSet>().unwrap_err();
    assert_eq!(error.position(), 5);
    assert_eq!(
        error.to_string(),
        "not a rule set: expected url7, draft-www-uri-00, rfc1630, rfc1808, rfc2396, rfc3986 or whatwg, optionally with \
         +lenient; did you mean whatwg?"
    );
}

#[test]
fn no_reference_leaves_the_prefix() {
    let page = AnyBase::nested("https://a/http://h/x", Rules::RFC3986).unwrap();
    for target in ["https://a/", "https://b/http://h/x", "https://a/x", "https://a/http", ""] {
        assert_eq!(page.relativize(target), None, "{target}");
    }
    let page = AnyBase::nested("https://a/http://h/x", RuleSet::Whatwg).unwrap();
    for target in ["https://a/", "https://b/http://h/x", "https://a/http://H/x", ""] {
        assert_eq!(page.relativize(target), None, "{target}");
    }
    assert_eq!(page.relativize("https://a/http://h/y").as_deref(), Some("y"));
}
