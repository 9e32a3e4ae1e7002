//! Encodings, the rungs of equivalence, and their laws.

use std::borrow::Cow;

use quickcheck::{TestResult, quickcheck};
use relref::canon::{Comparison, Encoding, Rung, compare, expand, normalize_at, recode, safer};
use relref::crawl::{Change, Normalizer};
use relref::percent::{ByteSet, decode_bytes};
use relref::{ErrorKind, Rules, Source, UriRef, resolve};

use crate::crawl::oracle;
use crate::crawl::web_uris::WebUri;
use crate::inputs::references::{Pair, Text};

const ENCODINGS: [&Encoding; 3] = [&Encoding::RFC1630, &Encoding::RFC1738, &Encoding::RFC3986];

#[test]
fn unreserved_escapes_are_decoded() {
    for encoding in ENCODINGS {
        assert_eq!(recode("http://h/marie%2Dclaude%41%7a", encoding).unwrap(), "http://h/marie-claudeAz");
        assert_eq!(recode("http://h/%c3%a9", encoding).unwrap(), "http://h/%C3%A9");
    }
}

#[test]
fn illegal_characters_are_encoded() {
    for encoding in ENCODINGS {
        let text = recode("http://h/a b<c>{}|\\^`é\u{0}\u{7f}", encoding).unwrap();
        assert_eq!(text, "http://h/a%20b%3Cc%3E%7B%7D%7C%5C%5E%60%C3%A9%00%7F");
    }
    assert_eq!(recode("a:~\"[]", &Encoding::RFC1630).unwrap(), "a:%7E\"%5B%5D");
    assert_eq!(recode("a:~\"[]", &Encoding::RFC1738).unwrap(), "a:%7E%22%5B%5D");
    assert_eq!(recode("a:~\"[]", &Encoding::RFC3986).unwrap(), "a:~%22[]");
}

#[test]
fn reserved_characters_are_never_moved() {
    let reserved = "http://u%40:p%3A@h/a%2Fb/c%3fd;e%3B=%3D?x%26y&z%23#%25";
    for encoding in [&Encoding::RFC1738, &Encoding::RFC3986] {
        assert_eq!(recode(reserved, encoding).unwrap(), reserved.replace("%3f", "%3F"));
    }
    // `&` is safe in RFC 1630, and separates nothing there.
    assert_eq!(recode(reserved, &Encoding::RFC1630).unwrap(), reserved.replace("%3f", "%3F").replace("%26", "&"));
    // `*` and `!` are reserved in RFC 1630 only, `+` separates its words.
    assert_eq!(recode("a:%2A%21%2B", &Encoding::RFC1630).unwrap(), "a:%2A%21%2B");
    assert_eq!(recode("a:%2A%21%2B", &Encoding::RFC1738).unwrap(), "a:*!+");
    assert_eq!(recode("a:%2A%21%2B", &Encoding::RFC3986).unwrap(), "a:%2A%21%2B");
}

/// `.` and `..` as whole segments are reserved by RFC 1630; to RFC 3986 `%2E` is a dot.
#[test]
fn hidden_dot_segments() {
    for (text, plain) in [
        ("a:/%2E/b", "a:/./b"),
        ("a:/%2e%2e/b", "a:/../b"),
        ("a:/.%2E", "a:/.."),
        ("a:/%2E.?q", "a:/..?q"),
        ("a:%2E", "a:."),
        ("%2E%2e", ".."),
    ] {
        assert_eq!(recode(text, &Encoding::RFC3986).unwrap(), plain);
        for encoding in [&Encoding::RFC1630, &Encoding::RFC1738] {
            assert_eq!(recode(text, encoding).unwrap(), text.replace("%2e", "%2E"));
        }
    }
    // Not dot segments: in a query, or after a colon.
    assert_eq!(recode("a:/x:%2E%2E/y?a=/%2E%2E/", &Encoding::RFC1630).unwrap(), "a:/x:../y?a=/../");
    for encoding in ENCODINGS {
        assert_eq!(recode("a:/%2Ea/b%2E/..%2E/%2E%2E%2E/.", encoding).unwrap(), "a:/.a/b./.../.../.");
    }
}

#[test]
fn a_reference_stays_one() {
    assert_eq!(recode("%61:b", &Encoding::RFC3986).unwrap(), "./a:b");
    assert_eq!(recode("%61/b:c", &Encoding::RFC3986).unwrap(), "a/b:c");
}

#[test]
fn illegal_escapes_are_errors() {
    for text in ["a:%", "a:%z", "a:%4", "http://h/%%41"] {
        assert_eq!(recode(text, &Encoding::RFC1630).unwrap_err().kind(), ErrorKind::IllegalEscape);
        assert_eq!(safer(text, ByteSet::RFC1630).unwrap_err(), recode(text, &Encoding::RFC1630).unwrap_err());
        assert_eq!(expand(text, ByteSet::RFC1630).unwrap_err().kind(), ErrorKind::IllegalEscape);
        assert!(normalize_at(text, Rung::Encoding).is_err() && normalize_at(text, Rung::Text).is_ok());
        // It is equal to nothing, not even to itself.
        assert_eq!(compare(text, text, Rules::RFC1630).unwrap_err(), recode(text, &Encoding::RFC1630).unwrap_err());
        assert!(compare(text, "a:b", Rules::RFC3986).is_err() && compare("a:b", text, Rules::RFC3986).is_err());
    }
}

#[test]
fn rfc1630_examples() {
    let uri = "http://info.cern.ch/albert/bertram/marie-claude";
    let encoded = "http://info.cern.ch/albert/bertram/marie%2Dclaude";
    let slash = "http://info.cern.ch/albert/bertram%2Fmarie-claude";
    for encoding in ENCODINGS {
        assert_eq!(recode(uri, encoding).unwrap(), recode(encoded, encoding).unwrap());
        assert_ne!(recode(uri, encoding).unwrap(), recode(slash, encoding).unwrap());
        // The encoding does not change case.
        assert_ne!(
            recode(uri, encoding).unwrap(),
            recode("HTTP://info.cern.ch/albert/bertram/marie-claude", encoding).unwrap()
        );
    }
    assert_eq!(rung(uri, encoded, Rules::RFC3986), Some(Rung::Encoding));
    assert!(matches!(compare(uri, slash, Rules::RFC3986), Ok(Comparison::Different { component: "path", .. })));
}

#[test]
fn each_rung() {
    let uri = "HTTP://U%2dser@EX%41mple.COM.:80/a/../%7eb/.#";
    let forms = [
        uri,
        "HTTP://U-ser@EXAmple.COM.:80/a/../~b/.#",
        "http://U-ser@example.com.:80/a/../~b/.#",
        "http://U-ser@example.com.:80/~b/#",
        "http://U-ser@example.com./~b/#",
        "http://U-ser@example.com./~b/",
    ];
    assert_eq!(forms.len(), Rung::ALL.len());
    for (at, form) in Rung::ALL.iter().copied().zip(forms) {
        assert_eq!(normalize_at(uri, at).unwrap(), form);
        assert_eq!(rung(uri, form, Rules::RFC1630), Some(at));
        assert_eq!(rung(uri, form, Rules::RFC3986), Some(at).filter(|at| *at < Rung::Fragment));
    }
}

/// Returns the rung at which two URIs are equal; `None` if they differ.
fn rung(left: &str, right: &str, rules: Rules) -> Option<Rung> {
    match compare(left, right, rules).unwrap() {
        Comparison::Equal { rung, sources, .. } => {
            assert!(!sources.is_empty(), "{left}, {right}");
            Some(rung)
        }
        Comparison::Different { .. } => None,
    }
}

#[test]
fn an_empty_fragment_is_none_by_the_old_documents() {
    for (left, right) in [
        ("http://h/a#", "http://h/a"),
        ("HTTP://h:80/книга#", "http://h/%d0%BA%D0%BD%D0%B8%D0%B3%D0%B0"),
        ("mailto:a@b#", "mailto:a@b"),
        ("a?#", "a?"),
    ] {
        for &rules in Rules::ALL {
            let cited = match rules {
                Rules::RFC1630 => Some("RFC 1630"),
                Rules::DRAFT_WWW_URI_00 => Some("draft-www-uri-00"),
                Rules::URL7 => Some("URL7"),
                _ => None,
            };
            for (left, right) in [(left, right), (right, left)] {
                match (compare(left, right, rules).unwrap(), cited) {
                    (Comparison::Equal { rung: Rung::Fragment, sources, .. }, Some(cited)) => {
                        assert!(
                            matches!(sources[..], [Source::Document { document, .. }] if document == cited),
                            "{sources:?}"
                        );
                    }
                    (Comparison::Different { component: "fragment", .. }, None) => {}
                    other => panic!("{rules}: {left}, {right}: {other:?}"),
                }
            }
        }
    }
    assert_eq!(rung("http://h/#", "http://h/##", Rules::RFC1630), None);
    assert_eq!(rung("http://h/#", "http://h/#", Rules::RFC1630), Some(Rung::Text));
}

#[test]
fn a_missing_gopher_type_is_a_directory() {
    let all = ["gopher://h", "gopher://h/", "gopher://h/1", "GOPHER://H:70/%31"];
    for &rules in Rules::ALL {
        for left in all {
            for right in all {
                let rung = rung(left, right, rules);
                assert!(rung.is_some_and(|rung| rung <= Rung::Scheme), "{rules}: {left}, {right}: {rung:?}");
            }
            assert_eq!(rung(left, "gopher://h/0", rules), None);
        }
    }
    let cited = |left, right| match compare(left, right, Rules::URL7).unwrap() {
        Comparison::Equal { sources, .. } => sources.iter().map(Source::to_string).collect::<Vec<_>>().join("; "),
        other => panic!("{other:?}"),
    };
    assert!(cited("gopher://h/", "gopher://h/1").starts_with("RFC 1738 §3.4.1: "));
    assert!(cited("file:///", "file://localhost/").starts_with("RFC 1738 §3.10: "));
    assert!(cited("a:%7e", "a:~").starts_with("RFC 3986 §6.2.2.2: "));
    assert!(cited("a:%c3", "a:%C3").starts_with("RFC 3986 §6.2.2.1: "));
    assert!(cited("a: ", "a:%20").starts_with("RFC 3986 §2.1: "));
}

#[test]
fn what_schemes_leave_out() {
    for (uri, form) in [
        ("http://h", "http://h/"),
        ("http://h?q", "http://h/?q"),
        ("http://h:", "http://h/"),
        ("http://h:080/", "http://h/"),
        ("http://h:+80/", "http://h:+80/"),
        ("http://h:8080", "http://h:8080/"),
        ("https://h:443/", "https://h/"),
        ("https://h:80/", "https://h:80/"),
        ("ftp://h:21/a", "ftp://h/a"),
        ("gopher://h:70", "gopher://h/"),
        ("gopher://h/1", "gopher://h/"),
        ("gopher://h/%31#x", "gopher://h/#x"),
        ("gopher://h/1/", "gopher://h/1/"),
        ("http://[::1]:80/", "http://[::1]/"),
        ("http://[::1]", "http://[::1]/"),
        ("x-new://h", "x-new://h"),
        ("x-new://h:/", "x-new://h/"),
        ("file://localhost/a", "file:///a"),
        ("FILE://LocalHost/a", "file:///a"),
        ("file://other/a", "file://other/a"),
        ("mailto:A@B", "mailto:A@b"),
        ("http://%C3%89H%2F/", "http://%C3%89h%2F/"),
        ("a/../b", "a/../b"),
        // Where slashes mean nothing, dots do not either.
        ("gopher://h/0/../etc", "gopher://h/0/../etc"),
        ("mailto:a/../b@c", "mailto:a/../b@c"),
        ("urn:a:b/../c", "urn:a:b/../c"),
        ("x-new:/a/../c", "x-new:/c"),
        // It is unclear which colon starts the port.
        ("http://a:80:80/", "http://a:80:80/"),
        ("http://a::/", "http://a::/"),
        ("http://[::1]:80:80/", "http://[::1]:80:80/"),
        ("http://h:%38%30/", "http://h/"),
        ("file://%6cocalhost/x", "file:///x"),
        ("file://localhost:/x", "file://localhost:/x"),
        ("file://me@localhost/x", "file://me@localhost/x"),
        ("f:/a/..//b", "f:/.//b"),
    ] {
        assert_eq!(normalize_at(uri, Rung::Scheme).unwrap(), form, "{uri}");
    }
}

#[test]
fn what_differs_is_named() {
    let of = |left, right| match compare(left, right, Rules::RFC3986).unwrap() {
        Comparison::Different { component, left, right, .. } => {
            (component, left.unwrap_or("-".into()), right.unwrap_or("-".into()))
        }
        equal => panic!("{equal:?}"),
    };
    let said = |component, left: &str, right: &str| (component, left.to_string(), right.to_string());
    assert_eq!(of("http://h/a", "ftp://h/a"), said("scheme", "http", "ftp"));
    assert_eq!(of("http://h/a", "http://i/a"), said("authority", "h", "i"));
    assert_eq!(of("http://h/a", "http://h/A"), said("path", "/a", "/A"));
    assert_eq!(of("http://h?", "http://h"), said("query", "", "-"));
    assert_eq!(of("http://h/#", "http://h/#x"), said("fragment", "", "x"));
}

#[test]
fn safer_and_expand() {
    let set = ByteSet::new(b"~_ ");
    assert_eq!(safer("a_b://h/a~b%7Ec é", set).unwrap(), "a%5Fb://h/a%7Eb%7Ec%20%C3%A9");
    assert_eq!(expand("a:/a%7Eb%7ec%20%C3%A9%2F", set).unwrap(), "a:/a~b~c %C3%A9%2F");
    assert!(matches!(safer("a:b/c%41", set).unwrap(), Cow::Borrowed(_)));
    assert!(matches!(expand("a:b/c%41", set).unwrap(), Cow::Borrowed(_)));
    // The segments `.` and `..` are reserved; a reference stays a reference.
    assert_eq!(expand("a:/%2E%2E/b", ByteSet::new(b".")).unwrap(), "a:/%2E%2E/b");
    assert_eq!(safer("a:/../b", ByteSet::new(b".")).unwrap(), "a:/../b");
    assert_eq!(expand("%61:b", ByteSet::new(b"a")).unwrap(), "./a:b");
    // The scheme and reserved characters do not change.
    let all = ByteSet::EMPTY.union(ByteSet::RFC3986).add(b'a').add(b'-');
    assert_eq!(safer("a-b:/a?b#c[d]%41", all).unwrap(), "a-b:/%61?b#c[d]%41");
    assert_eq!(expand("a:%2F%3F%23%25%61", all).unwrap(), "a:%2F%3F%23%25a");
}

#[test]
fn long_input() {
    let uri = format!("http://h/{}", "%25%41/../é".repeat(1 << 17));
    assert_eq!(normalize_at(&uri, Rung::Scheme).unwrap(), "http://h/%C3%A9");
    let plain = format!("http://h/{}", "a/".repeat(1 << 19));
    assert!(matches!(normalize_at(&plain, Rung::Scheme).unwrap(), Cow::Borrowed(_)));
}

/// Reports whether browsers may look for a host where RFC 3986 finds none, so that a part of the URI may stay as it is.
fn may_keep_host(uri: &str) -> bool {
    let split = UriRef::new(uri);
    let scheme = split.scheme().unwrap_or_default().to_ascii_lowercase();
    let is_special = ["http", "https", "ws", "wss", "ftp", "file"].contains(&&*scheme);
    uri.contains('\\') || is_special && split.authority().unwrap_or_default().is_empty()
}

fn reserved(text: &str) -> Vec<char> {
    text.chars().filter(|c| ":/?#[]@!$&'()*+,;=".contains(*c)).collect()
}

/// Returns a normalizer with the changes of a rung.
fn normalizer_of(rung: Rung) -> Normalizer {
    let changes = [
        (Change::Encoding, Rung::Encoding),
        (Change::Case, Rung::Case),
        (Change::Dots, Rung::Dots),
        (Change::SchemeCase, Rung::Scheme),
        (Change::Localhost, Rung::Scheme),
        (Change::EmptyPort, Rung::Scheme),
        (Change::DefaultPort, Rung::Scheme),
        (Change::EmptyPath, Rung::Scheme),
        (Change::GopherType, Rung::Scheme),
        (Change::UrnComponents, Rung::Scheme),
        (Change::EmptyFragment, Rung::Fragment),
    ];
    let missing = changes.into_iter().filter(|(_, first)| *first > rung);
    missing.fold(Normalizer::safe().with(Change::EmptyFragment), |normalizer, (change, _)| normalizer.without(change))
}

/// The position of a character does not matter, also in texts longer than the sixteen bytes that are tested at a time.
#[test]
fn every_position_is_tested() {
    for len in [1, 15, 16, 17, 31, 32, 33, 50] {
        for at in 0..len {
            let with = |text: &str| format!("a:{}{text}{}", "b".repeat(at), "b".repeat(len - at - 1));
            for encoding in ENCODINGS {
                assert_eq!(recode(&with(" "), encoding).unwrap(), with("%20"));
                assert_eq!(recode(&with("%63"), encoding).unwrap(), with("c"));
                assert!(recode(&with("%z"), encoding).is_err());
            }
            assert_eq!(safer(&with("_"), ByteSet::new(b"_")).unwrap(), with("%5F"));
            assert_eq!(expand(&with("%5F"), ByteSet::new(b"_")).unwrap(), with("_"));
        }
    }
}

quickcheck! {
    /// Normalizing twice gives the same as once, and a canonical text is borrowed.
    fn canonical_form_is_idempotent(text: Text) -> bool {
        let again = |once: &str, twice: Cow<'_, str>| twice == once && matches!(twice, Cow::Borrowed(_));
        ENCODINGS.into_iter().all(|encoding| match recode(&text.0, encoding) {
            Ok(once) => again(&once, recode(&once, encoding).unwrap()),
            Err(_) => true,
        }) && Rung::ALL.iter().copied().all(|rung| match normalize_at(&text.0, rung) {
            Ok(once) => again(&once, normalize_at(&once, rung).unwrap()),
            Err(_) => true,
        })
    }

    /// Reserved characters keep their order, raw and escaped.
    fn encodings_keep_reserved_characters(text: Text) -> TestResult {
        let Ok(form) = recode(&text.0, &Encoding::RFC3986) else { return TestResult::discard() };
        let added = |rest: &&str| UriRef::new(rest).scheme().is_some() && !text.0.contains("/");
        let form = form.strip_prefix("./").filter(added).unwrap_or(&form);
        let escaped = |text: &str| text.to_uppercase().matches("%2F").count();
        TestResult::from_bool(reserved(&text.0) == reserved(form) && escaped(&text.0) == escaped(form))
    }

    /// Without escaped dots and colons, the order of normalizing and resolving does not matter.
    fn normalizing_commutes_with_resolving(pair: Pair) -> TestResult {
        let Pair { base, reference } = pair;
        let hidden = |text: &str| ["%2e", "%2E", "%3a", "%3A"].iter().any(|escape| text.contains(escape));
        if hidden(&base) || hidden(&reference) {
            return TestResult::discard();
        }
        let (Ok(b), Ok(r)) = (normalize_at(&base, Rung::Encoding), normalize_at(&reference, Rung::Encoding)) else {
            return TestResult::discard();
        };
        for &rules in Rules::ALL {
            let left = resolve(&base, &reference, rules).unwrap();
            let right = resolve(&b, &r, rules).unwrap();
            if may_keep_host(&left) {
                continue;
            }
            if normalize_at(&left, Rung::Encoding).unwrap() != right {
                return TestResult::error(format!("{rules}: {left}, {right}"));
            }
        }
        TestResult::passed()
    }

    /// The normal form at each rung is what its changes, one after another, make of the text.
    fn rungs_are_sets_of_changes(text: Text, link: WebUri) -> bool {
        Rung::ALL[1..].iter().all(|rung| {
            let normalizer = normalizer_of(*rung);
            let naive = |uri| decode_bytes(uri).ok().map(|_| oracle::normalize(&normalizer, uri));
            [&text.0, &link.0].into_iter().all(|uri| normalize_at(uri, *rung).ok().map(String::from) == naive(uri))
        })
    }

    /// A text equals itself. The order of two texts does not matter. Texts that are equal at a rung are equal at the next.
    fn equivalence_is_one(pair: Pair) -> bool {
        let Pair { base: a, reference } = pair;
        let b = resolve(&a, &reference, Rules::RFC3986).unwrap();
        let flip = |mut comparison| {
            if let Comparison::Different { left, right, .. } = &mut comparison {
                std::mem::swap(left, right);
            }
            comparison
        };
        let same_at = |rung| match (normalize_at(&a, rung), normalize_at(&b, rung)) {
            (Ok(a), Ok(b)) => a == b,
            _ => false,
        };
        let is_bad = |uri: &str| decode_bytes(uri).is_err();
        let same_as_itself = matches!(compare(&a, &a, Rules::RFC1630), Ok(Comparison::Equal { rung: Rung::Text, .. }));
        let first = Rung::ALL.iter().copied().find(|rung| same_at(*rung));
        let agrees = is_bad(&a) || is_bad(&b) || rung(&a, &b, Rules::RFC1630) == first;
        same_as_itself != is_bad(&a)
            && agrees
            && Rules::ALL.iter().copied().all(|rules| compare(&a, &b, rules).map(flip).ok() == compare(&b, &a, rules).ok())
            && Rung::ALL.windows(2).all(|rungs| !same_at(rungs[0]) || same_at(rungs[1]) || normalize_at(&a, rungs[1]).is_err())
    }

    /// The form at a rung is the same if the text is first normalized at a lower rung.
    fn rungs_compose(pair: Pair) -> bool {
        Rung::ALL.windows(2).all(|rungs| match normalize_at(&pair.base, rungs[0]) {
            Ok(low) => normalize_at(&low, rungs[1]) == normalize_at(&pair.base, rungs[1]),
            Err(_) => true,
        })
    }

    /// The normal form of a hierarchical URI resolves to itself, and no component appears or disappears.
    fn normal_forms_are_uris(pair: Pair) -> bool {
        let Ok(form) = normalize_at(&pair.base, Rung::Scheme) else { return true };
        let (before, after) = (UriRef::new(&pair.base), UriRef::new(&form));
        let flat = after.scheme().is_some_and(|scheme| ["gopher", "mailto"].contains(&scheme));
        // Browsers find a host in these paths, so they keep their dot segments.
        let host_in_path = after.authority().is_none_or(|authority| authority.is_empty() || authority.contains('\\'))
            && after.scheme().is_some_and(|scheme| ["http", "https", "ws", "wss", "ftp"].contains(&scheme));
        let hierarchical = after.path().starts_with('/') && !flat && !host_in_path && !form.contains('\\');
        (!hierarchical || resolve(&form, &form, Rules::RFC3986).unwrap() == form)
            && (before.authority().is_some() == after.authority().is_some() || after.scheme() == Some("file"))
            && (before.query().is_some() == after.query().is_some() || after.scheme() == Some("urn"))
            && (before.fragment().is_some() == after.fragment().is_some() || after.scheme() == Some("urn"))
    }

    /// `expand` undoes what `safer` did, if the text had no escape of a character of the set before.
    fn expand_undoes_safer(text: Text, bytes: Vec<u8>) -> TestResult {
        let set = ByteSet::new(&bytes).union(ByteSet::new(b"ab ~"));
        let Ok(safe) = safer(&text.0, set) else { return TestResult::discard() };
        if !text.0.is_ascii() || expand(&text.0, set).unwrap() != text.0 {
            return TestResult::discard();
        }
        TestResult::from_bool(expand(&safe, set).unwrap() == text.0)
    }
}
