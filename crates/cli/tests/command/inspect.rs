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
    expect(&["inspect", "--json"], b"a\n\xff\nb\n", &format!("{}\n{}", object("a"), object("b")), bad, 1);
}

/// No character of a URI controls the terminal.
#[test]
fn json_is_safe_for_terminals() {
    let output = relref(&["inspect", "--json", "a:\u{9b}2J\u{202e}"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(r"a:\u009b2J\u202e"), "{text}");
}
