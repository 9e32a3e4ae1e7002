//! Validity by RFC 3986 and RFC 3987 agrees with `fluent-uri` and `iri-string`, on near-valid texts and on real ones, and so does
//! the URI of an IRI.
//!
//! No difference is intended: all refuse zone identifiers (RFC 6874), too. Public suffixes agree with `psl`, except where the test says.

use std::collections::HashSet;

use fluent_uri::{Iri, IriRef, Uri, UriRef};
use iri_string::types::{IriReferenceStr, IriStr, UriReferenceStr, UriStr};
use quickcheck::quickcheck;
use relref::crawl::public_suffix;
use relref::percent::iri_to_uri;
use relref::validate::Grammar;

#[path = "../inputs/near_valid.rs"]
mod near_valid;

use near_valid::{Near, SEEDS};

const VECTORS: [&str; 5] = [
    include_str!("../vectors/more.tsv"),
    include_str!("../vectors/rfc1630.tsv"),
    include_str!("../vectors/rfc1808.tsv"),
    include_str!("../vectors/rfc2396.tsv"),
    include_str!("../vectors/rfc3986.tsv"),
];

/// The public suffixes.
const SUFFIXES: &str = include_str!("../../src/crawl/public_suffixes.txt");

/// Links of the documentation that Rust, Node.js and Debian install, each of another shape, and some that pages often have.
const REAL: &str = include_str!("real.txt");

/// Returns, for fluent-uri, iri-string and relref, true if the library finds a text valid: as a `URI`, a `URI-reference`, an `IRI`
/// and an `IRI-reference`.
fn verdicts(text: &str) -> [[bool; 4]; 3] {
    use Grammar::{Rfc3986Reference, Rfc3986Uri, Rfc3987Iri, Rfc3987Reference};
    [
        [Uri::parse(text).is_ok(), UriRef::parse(text).is_ok(), Iri::parse(text).is_ok(), IriRef::parse(text).is_ok()],
        [
            UriStr::new(text).is_ok(),
            UriReferenceStr::new(text).is_ok(),
            IriStr::new(text).is_ok(),
            IriReferenceStr::new(text).is_ok(),
        ],
        [Rfc3986Uri, Rfc3986Reference, Rfc3987Iri, Rfc3987Reference].map(|grammar| grammar.is_valid(text)),
    ]
}

fn agree(text: &str) -> bool {
    let [fluent, iri, ours] = verdicts(text);
    fluent == ours && iri == ours && mapped_alike(text)
}

/// Reports whether relref and iri-string map an IRI to the same URI. True for any other text.
fn mapped_alike(text: &str) -> bool {
    IriReferenceStr::new(text).map_or(true, |iri| iri.encode_to_uri().to_string() == iri_to_uri(text))
}

#[test]
fn seeds_and_real_texts_agree() {
    let cells = VECTORS.iter().flat_map(|table| table.lines().skip(1)).flat_map(|line| line.split('\t'));
    let mut valid = 0;
    let mut count = 0;
    for text in cells.chain(REAL.lines()).chain(SEEDS.iter().copied()) {
        assert!(agree(text), "{text}: {:?}", verdicts(text));
        valid += usize::from(verdicts(text)[2][1]);
        count += 1;
    }
    assert!(valid > 300 && count - valid > 20, "{valid} of {count} are valid");
}

#[test]
fn zone_identifiers_are_valid_nowhere() {
    for text in ["http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/", "//[::1%25]"] {
        assert_eq!(verdicts(text), [[false; 4]; 3], "{text}");
    }
}

/// The libraries agree on every character beyond US-ASCII, in each component.
#[test]
fn characters_agree() {
    for c in '\u{80}'..=char::MAX {
        for before in ["x://", "x:", "x:?", "x:#", "//u", "//h:", "//[v1."] {
            let text = format!("{before}{c}");
            assert!(agree(&text), "{text:?}: {:?}", verdicts(&text));
        }
    }
}

/// The libraries agree on every text of up to five of the characters that matter for the structure of a URI.
#[test]
fn short_texts_agree() {
    let alphabet = ["/", ":", "?", "#", "[", "]", "@", "%", "a", "1", "v", ".", "é"];
    let mut texts = vec![String::new()];
    let mut start = 0;
    for _ in 0..5 {
        let end = texts.len();
        for at in start..end {
            assert!(agree(&texts[at]), "{}: {:?}", texts[at], verdicts(&texts[at]));
            for letter in alphabet {
                let longer = texts[at].clone() + letter;
                texts.push(longer);
            }
        }
        start = end;
    }
    for text in &texts[start..] {
        for prefix in ["", "x://", "//["] {
            let text = format!("{prefix}{text}");
            assert!(agree(&text), "{text}: {:?}", verdicts(&text));
        }
    }
}

/// The libraries agree on every IPv6 address of up to nine groups, with gaps and an IPv4 end.
#[test]
fn addresses_agree() {
    for shape in 0..5_u32.pow(9) {
        let mut address = String::new();
        let mut rest = shape;
        // Digits of the number in base five: nothing, a group, a gap, a single colon, an IPv4 address.
        while rest > 0 {
            address += ["", "1", "::", ":", "1.2.3.4"][rest as usize % 5];
            rest /= 5;
        }
        if !address.contains("11") {
            let text = format!("x://[{address}]");
            assert!(agree(&text), "{text}: {:?}", verdicts(&text));
        }
    }
    for groups in 0..10 {
        for gap in 0..10 {
            for end in ["", "1.2.3.4", "0.0.0.00", "1.2.3.256", "1.2.3", "12345", "fF0a"] {
                let mut parts: Vec<&str> = vec!["a1"; groups];
                if gap <= groups {
                    parts.insert(gap, "");
                }
                parts.push(end);
                let address = parts.join(":").replace(":::", "::");
                for text in [format!("x://[{address}]"), format!("//u@[:{address}]:1"), format!("//[{address}:]")] {
                    assert!(agree(&text), "{text}: {:?}", verdicts(&text));
                }
            }
        }
    }
}

quickcheck! {
    fn near_valid_texts_agree(near: Near, other: Near) -> bool {
        agree(&near.0) && agree(&other.0) && agree(&(near.0 + &other.0))
    }
}

#[test]
fn public_suffixes_agree_with_psl() {
    let stars: HashSet<&str> = SUFFIXES.lines().filter_map(|line| line.strip_suffix('*')).collect();
    let (mut hosts, mut differences) = (0, 0);
    for line in SUFFIXES.lines() {
        let name = line.trim_end_matches(['=', '*', '!']);
        for labels in ["", "a.", "a.b.", "a.b.c.", "-."] {
            for host in [format!("{labels}{name}"), format!("{labels}{name}."), format!("{labels}x{name}")] {
                let suffix = psl::suffix(host.as_bytes()).filter(|suffix| suffix.is_known());
                let expected = suffix.map(|suffix| std::str::from_utf8(suffix.as_bytes()).unwrap().to_owned());
                let found = public_suffix(&host).map(String::from);
                // Where longer names are listed, psl forgets that a `*` is about the name that is looked up.
                let is_below_star = |found: &String| {
                    let parent = found.trim_end_matches('.').split_once('.').map_or("", |(_, parent)| parent);
                    stars.contains(parent) && Some(found.len()) > expected.as_ref().map(String::len)
                };
                assert!(
                    found == expected || found.as_ref().is_some_and(is_below_star),
                    "{host}: {found:?}, {expected:?}"
                );
                (hosts, differences) = (hosts + 1, differences + usize::from(found != expected));
            }
        }
    }
    assert!(hosts > 100_000 && differences < 1000, "{hosts} hosts, {differences} differences");
}
