//! `inspect`.

use super::process::{expect, relref};

#[test]
fn inspects() {
    let output = relref(&["inspect", "http://h:22/%0A#x", "a/b?c"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = "\
uri        http://h:22/%0A#x
scheme     http
authority  h:22
path       /%0A
fragment   x
host       h
port       22
request    /%0A
beware     reserved port of another protocol at bytes 9..11
beware     control octet 0x0a at bytes 12..15

uri    a/b?c
path   a/b
query  c
";
    assert_eq!(text, expected);
    for (uri, field, value) in [
        ("ftp://u:@h/a//%2Fb/c;type=EN", "cwd", serde_json::json!(["a", "", "/b"])),
        ("ftp://u:@h/a//%2Fb/c;type=EN", "type", "EBCDIC, non-print".into()),
        ("ftp://h/%zz/c", "cwd", serde_json::json!(["%zz"])),
        ("ftp://u@h/", "password", "to be asked for".into()),
        ("gopher://h", "type", "1".into()),
        ("gopher://h/7s%09foo", "search", "foo".into()),
        ("gopher://h/7s?foo", "search after ?", "foo".into()),
        ("gopher://h/7s%09two%20%D1%81%D0%BB%D0%BE%D0%B2%D0%B0+c", "search", "two слова+c".into()),
        ("gopher://h/7s?two+%D1%81%D0%BB%D0%BE%D0%B2%D0%B0%2B", "search after ?", "two слова+".into()),
        ("gopher://h/7s?%zz+", "search after ?", "%zz+".into()),
        ("gopher://h/0s%09%09+text/plain%20En_US", "gopher+", "+text/plain En_US".into()),
        ("gopher://h/0s%09%zz%09%zz", "gopher+", "%zz".into()),
        ("mailto:a%25b@c", "address", "a%b@c".into()),
        ("news:*", "groups", "all".into()),
        ("news:a.b", "group", "a.b".into()),
        ("news:a@b", "article", "a@b".into()),
        ("nntp://h/g/1", "article", 1.into()),
        ("wais://h/db/t/1=a;2=b;", "wpath field", serde_json::json!(["1 = a", "2 = b"])),
        ("file://localhost/a%20b", "segment", serde_json::json!(["a b"])),
        ("file:///a", "host", "this machine".into()),
        ("afs://cell/a/b", "segment", serde_json::json!(["a", "b"])),
        ("prospero://h//p;a=b", "field", serde_json::json!(["a = b"])),
        ("urn:/a/b", "segment", serde_json::json!(["a", "b"])),
        ("urn:ISBN:1/2?+r?=q#f", "nid", "ISBN".into()),
        ("urn:ISBN:1/2?+r?=q#f", "nss", "1/2".into()),
        ("urn:ISBN:1/2?+r?=q#f", "r-component", "r".into()),
        ("urn:ISBN:1/2?+r?=q#f", "q-component", "q".into()),
        ("urn:ISBN:1/2?+r?=q#f", "f-component", "f".into()),
        ("data:,a%20b", "media type", "text/plain".into()),
        ("data:,a%20b", "charset", "US-ASCII".into()),
        ("data:,a%20b", "length", 3.into()),
        ("data:a/b;c=d;charset=e;base64,aGk=", "parameter", serde_json::json!(["c=d"])),
        ("data:a/b;c=d;charset=e;base64,aGk=", "base64", true.into()),
        ("data:a/b;base64,aGk", "length", 2.into()),
        ("data:a/b;base64,a-_k", "length", serde_json::Value::Null),
        ("sip:a%20b:c@h:1;x;y?z=1&w", "decoded user", "a b".into()),
        ("sip:a%20b:c@h:1;x;y?z=1&w", "host", "h".into()),
        ("sip:a%20b:c@h:1;x;y?z=1&w", "port", 1.into()),
        ("sip:a%20b:c@h:1;x;y?z=1&w", "parameter", serde_json::json!(["x", "y"])),
        ("sip:a%20b:c@h:1;x;y?z=1&w", "header", serde_json::json!(["z=1", "w"])),
        ("x-y:z", "experimental", true.into()),
        ("telnet://u:p@h", "password", "p".into()),
        ("https://h", "port", 443.into()),
        ("https://h", "default", true.into()),
        ("https://h:443", "default", serde_json::Value::Null),
        ("https://h:8a", "port", "8a".into()),
        ("telnet://%75:p%40@h", "user", "%75".into()),
        ("telnet://%75:p%40@h", "decoded user", "u".into()),
        ("telnet://%75:p%40@h", "decoded password", "p@".into()),
        ("telnet://u:p@h", "decoded user", serde_json::Value::Null),
    ] {
        let output = relref(&["inspect", "--json", uri], b"");
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(object["parts"][field], value, "{uri}: {object}");
        assert_eq!(object["uri"], uri);
    }
}

#[test]
fn warnings_say_what_documents_advise_against() {
    for (uri, warning) in [
        ("mid:a@b", "meaningful only to those who received the mail at bytes 4..7"),
        ("http://1.2.3.4/", "IP address instead of a host name at bytes 7..14"),
        ("ftp://me@h/", "user name, discouraged unless the server needs it at bytes 6..8"),
        ("data:;base64,a-", "data that is not Base64 at bytes 13..15"),
    ] {
        let output = relref(&["inspect", uri], b"");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            text.lines()
                .any(|line| line.starts_with("beware  ") && line.trim_start_matches("beware").trim_start() == warning),
            "{text}"
        );
    }
}

/// The warnings of a URI that are not about its scheme.
fn warnings(uri: &str) -> Vec<(String, [usize; 2])> {
    let output = relref(&["inspect", "--json", "--", uri], b"");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let warnings = object["warnings"].as_array().unwrap().iter().map(|warning| {
        let range = &warning["range"];
        let range = [&range[0], &range[1]].map(|at| at.as_u64().unwrap() as usize);
        (warning["what"].as_str().unwrap().to_owned(), range)
    });
    let is_wanted = |what: &str| {
        what.contains("browsers find") || what.contains("browsers refuse") || what.contains("did you mean")
    };
    warnings.filter(|(what, _)| is_wanted(what)).collect()
}

#[test]
fn warns_where_browsers_find_another_host() {
    for (uri, host, range) in [
        ("http://example.com\\@evil.com/", "example.com", [7, 28]),
        ("http:h", "h", [5, 5]),
        ("HTTPS:///h/", "h", [8, 8]),
        ("http://2130706433/", "127.0.0.1", [7, 17]),
        ("http://127.0.0.010/", "127.0.0.8", [7, 18]),
        ("http://\u{ff45}xample.com/", "example.com", [7, 20]),
        ("http://a\tb.com/", "ab.com", [7, 14]),
        ("file:\\\\h\\a", "h", [5, 5]),
    ] {
        assert_eq!(warnings(uri), [(format!("browsers find another host: {host}"), range)], "{uri}");
    }
    for same in [
        "http://Example.com./",
        "http://ex%41mple.com/",
        "http://B\u{fc}cher.example/",
        "http://b%C3%BCcher.example/",
        "http://fa\u{df}.example/",
        "http://xn--fa-hia.example/",
        "http://[::0:1]/",
        "http://u:p@h:80/",
        "file://localhost/a",
        "file:///a",
        "x://2130706433/",
        "mailto:a@b",
        "//h/",
        "a\\b",
    ] {
        assert_eq!(warnings(same), [], "{same}");
    }
    let pieces = "the pieces of an IPv6 address have one to four hex digits";
    let refused = format!("browsers refuse it (IPv6-invalid-code-point: {pieces})");
    assert_eq!(warnings("http://[::g]/"), [(refused, [10, 10])]);
}

#[test]
fn hints_at_a_missing_scheme() {
    let none = "no scheme, so this is a relative reference (did you mean";
    assert_eq!(warnings("example.com/x"), [(format!("{none} https://example.com/x?)"), [0, 0])]);
    assert_eq!(warnings("//127.0.0.1/x"), [(format!("{none} https://127.0.0.1/x?)"), [0, 0])]);
    let port = "a host that is read as a scheme (did you mean https://localhost:80/?)";
    assert_eq!(warnings("localhost:80/"), [(port.to_owned(), [0, 9])]);
    for other in ["a/example.com", "mailto:a@example.com", "tel:123", "?example.com", "/example.com"] {
        assert_eq!(warnings(other), [], "{other}");
    }
}

#[test]
fn inspects_by_the_url_standard() {
    let stdout = "\
input      http:example.com\\@evil.com
error      special-scheme-missing-following-solidus at byte 5: two slashes follow this scheme, and more only `file:`
error      invalid-reverse-solidus at byte 16: a backslash counts as a slash
uri        http://example.com/@evil.com
scheme     http
authority  example.com
path       /@evil.com
host       example.com
port       80
default    yes
request    /@evil.com
";
    expect(&["inspect", "--rules", "whatwg", "http:example.com\\@evil.com"], b"", stdout, "", 0);
    let why =
        "missing-scheme-non-relative-URL at byte 0: not an absolute URL: it has no scheme; did you mean https://h.com?";
    expect(&["inspect", "--rules=whatwg", "h.com"], b"", "\n", &format!("relref: h.com: {why}\n"), 1);
    let error = format!("{{\"uri\":\"h.com\",\"error\":\"{why}\"}}\n");
    expect(&["inspect", "--rules=whatwg", "--json", "h.com"], b"", &error, &format!("relref: h.com: {why}\n"), 1);
    let output = relref(&["inspect", "--rules=whatwg", "--json", &format!("a:{}", " x".repeat(1002))], b"");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["errors"][0]["position"], 2);
    assert_eq!((object["errors"].as_array().unwrap().len(), &object["left_out"]["errors"]), (1000, &2.into()));
}

#[test]
fn shows_an_iri() {
    let stdout = "\
uri        x://h/%C3%BC%2F
scheme     x
authority  h
path       /%C3%BC%2F
iri        x://h/ü%2F
host       h
";
    expect(&["inspect", "x://h/%C3%BC%2F"], b"", stdout, "", 0);
    let output = relref(&["inspect", "--json", "http://xn--bcher-kva.example/", "a"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    let objects: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&objects[0]["iri"], objects[1].get("iri")), (&"http://bücher.example/".into(), None));
}

#[test]
fn inspects_lines_of_standard_input() {
    expect(
        &["inspect"],
        b"a:b\n\nc",
        "uri     a:b\nscheme  a\npath    b\n\nuri   \"\"\npath  \"\"\n\nuri   c\npath  c\n",
        "",
        0,
    );
    let bad = "relref: line 2: \u{fffd}: not UTF-8 at byte 0\n";
    let object = |uri| {
        format!(
            "{{\"uri\":\"{uri}\",\"scheme\":null,\"authority\":null,\"path\":\"{uri}\",\"query\":null,\"fragment\":null,\
             \"parts\":{{}},\"warnings\":[]}}\n"
        )
    };
    let error = "{\"uri\":\"\u{fffd}\",\"error\":\"not UTF-8 at byte 0\"}\n";
    expect(&["inspect", "--json"], b"a\n\xff\nb\n", &format!("{}{error}{}", object("a"), object("b")), bad, 1);
}

/// No character of a URI controls the terminal.
#[test]
fn json_is_safe_for_terminals() {
    let output = relref(&["inspect", "--json", "a:\u{9b}2J\u{202e}"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(r"a:\u009b2J\u202e"), "{text}");
}
