//! `inspect`.

use super::process::relref;

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
        ("mailto:a%25b@c", "address", "a%b@c".into()),
        ("news:*", "groups", "all".into()),
        ("news:a.b", "group", "a.b".into()),
        ("news:a@b", "article", "a@b".into()),
        ("nntp://h/g/1", "article", "1".into()),
        ("wais://h/db/t/1=a;2=b;", "wpath field", serde_json::json!(["1 = a", "2 = b"])),
        ("file://localhost/a%20b", "segment", serde_json::json!(["a b"])),
        ("file:///a", "host", "this machine".into()),
        ("afs://cell/a/b", "segment", serde_json::json!(["a", "b"])),
        ("prospero://h//p;a=b", "field", serde_json::json!(["a = b"])),
        ("urn:/a/b", "segment", serde_json::json!(["a", "b"])),
        ("x-y:z", "experimental", "yes".into()),
        ("telnet://u:p@h", "password", "p".into()),
        ("https://h", "port", "443 (default)".into()),
    ] {
        let output = relref(&["inspect", "--json", uri], b"");
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(object["fields"][field], value, "{uri}: {object}");
        assert_eq!(object["uri"], uri);
    }
}
