//! Long inputs, the errors of odd ones, and short references.

use relref::whatwg::{Base, ErrorKind, Inspection, State, inspect};

use super::hrefs::parse;

#[test]
fn long_inputs_are_parsed() {
    let million = 1_000_000;
    let repeat = |start: &str, unit: &str, end: &str| [start, &unit.repeat(million), end].concat();
    let base = Base::new("http://h/a/b/c?q").unwrap();
    assert_eq!(base.resolve(&"%2e/".repeat(million)).as_deref(), Ok("http://h/a/b/"));
    assert_eq!(base.resolve(&"%2E%2e/".repeat(million)).as_deref(), Ok("http://h/"));
    assert_eq!(base.resolve(&"..\\".repeat(million)).as_deref(), Ok("http://h/"));
    assert_eq!(base.resolve(&"a/../".repeat(million)).as_deref(), Ok("http://h/a/b/"));
    assert_eq!(base.resolve(&"\t".repeat(million)).as_deref(), Ok("http://h/a/b/c?q"));
    assert_eq!(base.resolve(&repeat("x", " \n", "")).as_deref(), Ok("http://h/a/b/x"));
    assert_eq!(base.resolve(&repeat("", "\\", "x/y")).as_deref(), Ok("http://x/y"));
    let users = parse(&repeat("http://", "@", "h")).unwrap();
    assert_eq!(users, ["http://", &"%40".repeat(million - 1), "@h/"].concat());
    for (host, kind) in [
        (repeat("[", "1:", "]"), ErrorKind::Ipv6TooManyPieces),
        (repeat("[", "::", "]"), ErrorKind::Ipv6MultipleCompression),
        (repeat("[", "a", "]"), ErrorKind::Ipv6InvalidCodePoint),
        (repeat("[::1.2.3.", "4", "]"), ErrorKind::Ipv4InIpv6OutOfRangePart),
        (repeat("", "[", ""), ErrorKind::Ipv6Unclosed),
        (repeat("1", ".1", ""), ErrorKind::Ipv4TooManyParts),
        (repeat("1", "0", ""), ErrorKind::Ipv4OutOfRangePart),
        (repeat("0x1", "0", ""), ErrorKind::Ipv4OutOfRangePart),
        (repeat("01", "0", ""), ErrorKind::Ipv4OutOfRangePart),
        (repeat("0", "8", ""), ErrorKind::Ipv4NonNumericPart),
        (repeat("h:1", "0", ""), ErrorKind::PortOutOfRange),
        (repeat("", "h", "<"), ErrorKind::DomainInvalidCodePoint),
    ] {
        let url = ["http://", &host, "/"].concat();
        assert_eq!(parse(&url).unwrap_err().kind(), kind, "{}", &url[..20]);
    }
    for (host, expected) in [
        (repeat("", "0", ""), "0.0.0.0".into()),
        (repeat("0x", "0", "7f"), "0.0.0.127".into()),
        (repeat("h:", "0", "81"), "h:81".into()),
        (repeat("", "hH%41.b", ""), "hha.b".repeat(million)),
    ] {
        assert_eq!(parse(&["ftp://", &host].concat()), Ok(["ftp://", &*expected, "/"].concat()));
    }
    assert_eq!(base.resolve(&repeat("x", "\0", "y")), Ok(["http://h/a/b/x", &"%00".repeat(million), "y"].concat()));
    assert_eq!(parse(&repeat("http://h", "\0", "/")).unwrap_err().kind(), ErrorKind::DomainInvalidCodePoint);
    assert_eq!(parse(&repeat("http://", "hhhhh", "")), Ok(repeat("http://", "hhhhh", "/")));
    assert_eq!(parse(&repeat("http://xn--", "a", "")), Ok(repeat("http://xn--", "a", "/")));
    assert_eq!(parse(&repeat("x://", "é", "")), Ok(repeat("x://", "%C3%A9", "")));
    let path = repeat("file:///C|/", "../", "x");
    assert_eq!(parse(&path).as_deref(), Ok("file:///C:/x"));
    assert_eq!(parse(&repeat("x:a", " ", "#")), Ok(["x:a", &" ".repeat(million - 1), "%20#"].concat()));
}

/// The A-label of a long label would take quadratic time to find, and quadratic time to read: labels are limited to 1000
/// characters, and to 2000 if they are A-labels beside others that are not US-ASCII.
#[cfg(feature = "idna")]
#[test]
fn labels_beyond_ascii_are_limited() {
    let host = |len| format!("http://{}/", "é".repeat(len));
    assert!(parse(&host(1000)).is_ok());
    for url in [host(1001), host(1_000_000), format!("http://é.xn--{}/", "a".repeat(1_000_000))] {
        assert_eq!(parse(&url).unwrap_err().kind(), ErrorKind::DomainToAscii);
    }
    assert!(parse(&format!("http://{}/", "é.".repeat(1_000_000))).is_ok());
}

/// An input with a tab after each character has an error at each tab. Their positions are found in one pass.
#[test]
fn many_errors_of_a_long_input() {
    let input = "<\t".repeat(200_000);
    let base = Base::new("http://h/").unwrap();
    let inspection = inspect(&input, Some(&base));
    assert_eq!(inspection.errors.len(), Inspection::LIMIT);
    assert_eq!(inspection.errors.len() + inspection.left_out.errors, 200_000 + 2);
    // The last tab is at the end, and so removed with the spaces there.
    assert_eq!(inspection.errors.last().unwrap().position(), 2 * 200_000 - 1);
}

#[test]
fn failures_say_what_and_where() {
    for (input, name, position) in [
        ("a", "missing-scheme-non-relative-URL", 0),
        (" \t/a", "missing-scheme-non-relative-URL", 2),
        ("http://", "host-missing", 7),
        ("http://u@/", "host-missing", 9),
        ("http://:80", "host-missing", 7),
        ("http://h:8a", "port-invalid", 10),
        ("ht\ntp://h:\t99999/", "port-out-of-range", 11),
        ("http://a<b", "domain-invalid-code-point", 8),
        ("http://a%41%3Cb", "domain-invalid-code-point", 11),
        ("http://a.%FF", "domain-to-ASCII", 7),
        ("x://a<b", "host-invalid-code-point", 5),
        ("http://1.2.3.4.5", "IPv4-too-many-parts", 7),
        ("http://a.b.1", "IPv4-non-numeric-part", 7),
        ("http://1.256.1.1", "IPv4-out-of-range-part", 9),
        ("http://[::1", "IPv6-unclosed", 11),
        ("ht\ntp://[::1\t", "IPv6-unclosed", 12),
        ("http://[:1]", "IPv6-invalid-compression", 8),
        ("http://[1:2:3:4:5:6:7:8:9]", "IPv6-too-many-pieces", 24),
        ("http://[1::2::3]", "IPv6-multiple-compression", 13),
        ("http://[1:2:x]", "IPv6-invalid-code-point", 12),
        ("http://[1:2]", "IPv6-too-few-pieces", 11),
        ("http://[1:2:3:4:5:6:7:1.2.3.4]", "IPv4-in-IPv6-too-many-pieces", 22),
        ("http://[::1.2.3.x]", "IPv4-in-IPv6-invalid-code-point", 16),
        ("http://[::1.2.3.256]", "IPv4-in-IPv6-out-of-range-part", 18),
        ("http://[::1.2.3]", "IPv4-in-IPv6-too-few-parts", 15),
    ] {
        let error = parse(input).unwrap_err();
        assert_eq!((error.kind().name(), error.position()), (name, position), "{input:?}");
        assert_eq!(error.to_string(), format!("{name} at byte {position}: {}", error.kind().description()));
    }
    let opaque = Base::new("mailto:a@b").unwrap();
    assert_eq!(opaque.resolve("c").unwrap_err().kind(), ErrorKind::MissingSchemeNonRelativeUrl);
    #[cfg(not(feature = "idna"))]
    assert_eq!(parse("http://é/").unwrap_err().kind(), ErrorKind::FeatureIdnaMissing);
}

#[test]
fn other_errors_are_data() {
    let file = Base::new("file:///a/b").unwrap();
    let http = Base::new("http://h/a/b").unwrap();
    for (input, base, expected) in [
        ("http://h/a?b#c", None, vec![]),
        (" http://h/\n%", None, vec![("invalid-URL-unit", 0), ("invalid-URL-unit", 10), ("invalid-URL-unit", 11)]),
        (
            "a^é\u{FDD0}%41%4",
            Some(&http),
            vec![("invalid-URL-unit", 1), ("invalid-URL-unit", 4), ("invalid-URL-unit", 10)],
        ),
        ("x:\u{FFFD}\u{FFFF}\u{1FFFE}", None, vec![("invalid-URL-unit", 5), ("invalid-URL-unit", 8)]),
        ("http:h", None, vec![("special-scheme-missing-following-solidus", 5)]),
        ("http:h", Some(&http), vec![("special-scheme-missing-following-solidus", 5)]),
        ("http:///h", None, vec![("special-scheme-missing-following-solidus", 7)]),
        ("\\a\\b", Some(&http), vec![("invalid-reverse-solidus", 0), ("invalid-reverse-solidus", 2)]),
        ("//u:p@h", Some(&http), vec![("invalid-credentials", 5)]),
        ("C|/x", Some(&file), vec![("file-invalid-Windows-drive-letter", 0), ("invalid-URL-unit", 1)]),
        ("//C:/x", Some(&file), vec![("file-invalid-Windows-drive-letter-host", 2)]),
        (
            "http://0x7f.1./",
            None,
            vec![("IPv4-too-few-parts", 7), ("IPv4-non-decimal-part", 7), ("IPv4-empty-part", 14)],
        ),
        ("http://255.255.255.255/", None, vec![]),
        ("http://1.256/", None, vec![("IPv4-too-few-parts", 7), ("IPv4-out-of-range-part", 9)]),
        ("http://256.1.1.1/", None, vec![]),
        ("http://256.0x1.1.256/", None, vec![("IPv4-non-decimal-part", 11)]),
        ("http://256.1.256x.1/", None, vec![]),
        ("http://[::01]/", None, vec![("IPv6-piece-leading-zero", 10)]),
        ("x:a b", None, vec![("invalid-URL-unit", 3)]),
    ] {
        let errors = inspect(input, base).errors;
        let mut found: Vec<_> = errors.iter().map(|error| (error.kind().name(), error.position())).collect();
        // Strict UTS 46 depends on feature `idna`.
        found.retain(|(name, _)| *name != "domain-to-ASCII");
        assert_eq!(found, expected, "{input:?}");
    }
    #[cfg(feature = "idna")]
    for (input, expected) in [
        ("http://_a.b/", vec!["domain-to-ASCII"]),
        ("http://exam%70le.org", vec!["domain-percent-encoded"]),
        ("http://①.②.③.④", vec!["IPv4-non-ASCII-input"]),
        ("http://a.%FF", vec!["domain-percent-encoded"]),
        ("http://\u{ad}/", vec![]),
        ("http://a<b/", vec![]),
    ] {
        let errors = inspect(input, None).errors;
        assert_eq!(errors.iter().map(|error| error.kind().name()).collect::<Vec<_>>(), expected, "{input:?}");
    }
    for kind in ErrorKind::ALL {
        assert!(!kind.name().is_empty() && !kind.description().is_empty());
        assert_eq!(kind.to_string(), kind.name());
    }
}

#[test]
fn the_first_escape_of_a_domain_has_a_position() {
    let errors = inspect("http://a.exam%70%6ce.org/%41", None).errors;
    let escape = errors.iter().find(|error| error.kind() == ErrorKind::DomainPercentEncoded).unwrap();
    assert_eq!(escape.position(), 13);
}

#[test]
fn a_lone_slash_and_a_drive_letter_are_left_out_of_references() {
    for (base, target, reference) in [
        ("http://example.com/a/b", "http://example.org/", "//example.org"),
        ("http://example.com/a/b", "http://example.org/?q", "//example.org?q"),
        ("file:///C:/a/b", "file:///C:/x", "/x"),
        ("file:///C:/a/b/c", "file:///C:/", "/"),
        ("file:///C:/a/b/c/d/e", "file:///D:/x", "/D:/x"),
        ("file:///a./", "file:///a./C|", "./C|"),
        ("file:///a./", "file:///a./b/C|", "b/C|"),
    ] {
        assert_eq!(Base::new(base).unwrap().relativize(target), reference, "{target} in {base}");
    }
}

#[test]
fn states_are_the_standards() {
    use State::*;
    let base = Base::new("file:///a").unwrap();
    assert_eq!(inspect("//h:/x?y#z", None).states, [SchemeStart, NoScheme]);
    let states = inspect("x://h:1/x?y#z", Some(&base)).states;
    assert_eq!(states, [SchemeStart, Scheme, PathOrAuthority, Authority, Host, Port, PathStart, Path, Query, Fragment]);
    assert_eq!(inspect("\\b", Some(&base)).states, [SchemeStart, NoScheme, File, FileSlash, Path]);
    assert_eq!(Path.name(), "path state");
}
