//! `validate`.

use super::process::{expect, relref};

#[test]
fn validates() {
    let valid = "valid as `URI` of RFC 3986\n";
    expect(&["validate", "http://h/?q"], b"", valid, "", 0);
    let invalid = "not valid as `URI` of RFC 3986: expected a character of `path`, found ` ` at byte 10\n";
    expect(&["validate", "http://h/?q", "http://h/a b"], b"", &format!("{valid}{invalid}"), "", 1);
    expect(&["validate"], b"http://h/?q\nhttp://h/a b\r\n", &format!("{valid}{invalid}"), "", 1);
    let reference = "valid as `URI-reference` of RFC 3986\n";
    expect(&["validate", "--grammar", "rfc3986-reference", "../a"], b"", reference, "", 0);
    let message = "relref: line 1: \u{fffd}: not UTF-8 at byte 0\n";
    expect(&["validate"], b"\xfe\nhttp://h/", &format!("\n{valid}"), message, 1);
}

#[test]
fn each_grammar_gives_a_line() {
    let stdout = "valid as `url` of RFC 1630\nnot valid as `url` of RFC 1738: expected `/` and an `hpath`, found `?` at byte 11\n";
    expect(&["validate", "--grammar", "rfc1630-url,rfc1738-url", "http://host?find"], b"", stdout, "", 1);
    let json = "{\"uri\":\"a:\\u009b\",\"grammar\":\"rfc3986-uri\",\"valid\":false,\"error\":\"not valid as `URI` of RFC 3986: \
                expected a character of `path`, found `\\\\u{9b}` at byte 2\",\"position\":2}\n\
                {\"uri\":\"a:b\",\"grammar\":\"rfc3986-uri\",\"valid\":true}\n";
    expect(&["validate", "--json", "a:\u{9b}", "a:b"], b"", json, "", 1);
}

#[test]
fn hints_at_a_missing_scheme() {
    let why = "not valid as `URI` of RFC 3986: expected `:` to end the scheme, found `/` at byte 11";
    let stdout = format!("{why}; did you mean https://example.com/x?\n");
    expect(&["validate", "example.com/x"], b"", &stdout, "", 1);
    // The hint would not be valid either.
    expect(&["validate", "example.com/x y"], b"", &format!("{why}\n"), "", 1);
    let stdout =
        "not valid as `URI-reference` of RFC 3986: expected the rest of an `IPv6address`, found `g` at byte 5\n";
    expect(&["validate", "--grammar=rfc3986-reference", "//[::g]/"], b"", stdout, "", 1);
}

#[test]
fn an_unknown_grammar_is_wrong_usage() {
    let output = relref(&["validate", "--grammar", "rfc3986", "a:b"], b"");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("rfc3986-uri, rfc3986-reference, rfc3987-iri"), "{message}");
}

#[test]
fn help_names_each_grammar() {
    let help = String::from_utf8(relref(&["validate", "--help"], b"").stdout).unwrap();
    for grammar in relref::validate::Grammar::ALL {
        assert!(help.contains(&format!("- {grammar}: ")), "{grammar}");
    }
}

#[test]
fn documents_differ() {
    let grammars = "url7-url,draft-www-uri-00-url,rfc1808-absolute,rfc2396-uri,rfc3987-iri";
    let stdout = "valid as `url` of URL7\nvalid as `url` of draft-www-uri-00\n\
                  not valid as `absoluteURL` of RFC 1808: expected a character of `absoluteURL`, found ` ` at byte 10\n\
                  not valid as `absoluteURI` of RFC 2396: expected a character of `path_segments`, found ` ` at byte 10\n\
                  not valid as `IRI` of RFC 3987: expected a character of `ipath`, found ` ` at byte 10\n";
    expect(&["validate", "--grammar", grammars, "http://h/a b"], b"", stdout, "", 1);
    let stdout =
        "valid as `URL` of RFC 1808\nvalid as `URI-reference` of RFC 2396\nvalid as `IRI-reference` of RFC 3987\n";
    expect(&["validate", "--grammar", "rfc1808-url,rfc2396-reference,rfc3987-reference", "?y"], b"", stdout, "", 0);
}
