//! URIs, references and addresses in brackets, by RFC 3986.

use relref::ErrorKind;
use relref::validate::Grammar::*;

use super::verdicts::{refused, valid};

#[test]
fn rfc3986_uris() {
    valid(
        Rfc3986Uri,
        &[
            // §1.1.2 and appendix C.
            "ftp://ftp.is.co.za/rfc/rfc1808.txt",
            "http://www.ietf.org/rfc/rfc2396.txt",
            "ldap://[2001:db8::7]/c=GB?objectClass?one",
            "mailto:John.Doe@example.com",
            "news:comp.infosystems.www.servers.unix",
            "tel:+1-816-555-1212",
            "telnet://192.0.2.16:80/",
            "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
            "x:?#",
            "x://",
            "x:///a//b",
            "x:/:@!$&'()*+,;=~",
            "x:?/?:@",
            "x:#/?:@",
            "x://u:p:;@h_!$&'()*+,;=~%41:",
            "x://999.999.999.999",
        ],
    );
    refused(
        Rfc3986Uri,
        &[
            ("x://a@b@c", "a character of `reg-name`, found `@` at byte 7"),
            ("x://u[@h", "a character of `userinfo`, found `[` at byte 5"),
            ("x://h]", "a character of `reg-name`, found `]` at byte 5"),
            ("x:a[b", "a character of `path`, found `[` at byte 3"),
            ("x:?a[", "a character of `query`, found `[` at byte 4"),
            ("x:#a#b", "a character of `fragment`, found `#` at byte 4"),
            ("a b", "`:` to end the scheme, found ` ` at byte 1"),
            ("../a", "a letter to start a scheme, found `.` at byte 0"),
        ],
    );
}

#[test]
fn rfc3986_references() {
    let texts =
        ["", "a", "/", "//", "///", "a/b:c", "./a:b", "?:", "#:", "//h:1/a:b", "/a:b", "..", ";x=1/../y", "x:y"];
    valid(Rfc3986Reference, &texts);
    refused(
        Rfc3986Reference,
        &[
            ("1a:b", "a character of `segment-nz-nc`, found `:` at byte 2"),
            (":b", "a character of `segment-nz-nc`, found `:` at byte 0"),
            ("a_b:c", "a character of `segment-nz-nc`, found `:` at byte 3"),
            ("a%41:c", "a character of `segment-nz-nc`, found `:` at byte 4"),
            ("a b:c", "a character of `path`, found ` ` at byte 1"),
            ("[", "a character of `path`, found `[` at byte 0"),
            ("//h:a", "a digit of `port`, found `a` at byte 4"),
        ],
    );
}

#[test]
fn rfc3986_ip_literals() {
    for address in [
        "::",
        "::1",
        "1::",
        "1:2:3:4:5:6:7:8",
        "1::8",
        "1:2:3:4:5:6:7::",
        "::2:3:4:5:6:7:8",
        "1:2:3::5:6:7:8",
        "::1.2.3.4",
        "1:2:3:4:5:6:1.2.3.4",
        "1:2:3:4::6:1.2.3.4",
        "1:2:3:4:5::1.2.3.4",
        "FFFF:abcd:0:00:000:0000:1:a",
        "v1.a",
        "V1f.:",
        "vF.!$&'()*+,;=-._~",
    ] {
        valid(Rfc3986Uri, &[&format!("x://[{address}]"), &format!("x://u@[{address}]:80/a")]);
        valid(Rfc3986Reference, &[&format!("//[{address}]:?")]);
    }
    for address in [
        "",
        ":",
        "1",
        ":::",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "1::2::3",
        "1:2:3:4::5:6:7:8",
        "12345::",
        "g::",
        ":1::",
        "::1:",
        "1.2.3.4",
        "::1.2.3",
        "::01.2.3.4",
        "::1.2.3.256",
        "1.2.3.4::",
        "::1.2.3.4:5",
        "1:2:3:4:5:6:7:1.2.3.4",
        "::%31",
        "fe80::1%25eth0",
        "fe80::1%eth0",
        "::1/64",
        "::1 ",
        "h",
        "[::1]",
    ] {
        let text = format!("x://[{address}]");
        assert_eq!(Rfc3986Uri.validate(&text).expect_err(&text).kind(), ErrorKind::NotValid);
    }
    refused(
        Rfc3986Uri,
        &[
            ("http://[fe80::1%25eth0]/", "the rest of an `IPv6address`, found `%` at byte 15"),
            ("http://[::g]/", "the rest of an `IPv6address`, found `g` at byte 10"),
            ("http://[1::2::3]/", "the rest of an `IPv6address`, found `:` at byte 13"),
            ("http://[1:2]/", "the rest of an `IPv6address`, found `]` at byte 11"),
            ("http://[1:2:3:4:5:6:7:8:9]/", "the rest of an `IPv6address`, found `:` at byte 23"),
            ("http://[1:2:3:4:5:6:7:8::]/", "the rest of an `IPv6address`, found `:` at byte 23"),
            ("http://[1:2:3:4:5:6:7::8]/", "the rest of an `IPv6address`, found `8` at byte 23"),
            ("http://[::12345]/", "the rest of an `IPv6address`, found `5` at byte 14"),
            ("http://[::1.2.3.256]/", "the rest of an `IPv6address`, found `1` at byte 10"),
            ("http://[1:]/", "the rest of an `IPv6address`, found `]` at byte 10"),
            ("http://[x]/", "an `IPv6address` or `IPvFuture`, found `x` at byte 8"),
            ("http://[]/", "an `IPv6address` or `IPvFuture`, found `]` at byte 8"),
            ("http://[", "`]` to end the `IP-literal`, found the end at byte 8"),
            ("http://[::1/a]", "`]` to end the `IP-literal`, found `/` at byte 11"),
            ("http://[::1]a", "`:` and a `port`, found `a` at byte 12"),
            ("http://a[::1]", "a character of `reg-name`, found `[` at byte 8"),
            ("http://[v.a]", "a hex digit of `IPvFuture`, found `.` at byte 9"),
            ("http://[v1]", "`.` of `IPvFuture`, found `]` at byte 10"),
            ("http://[v1.]", "a character of `IPvFuture`, found `]` at byte 11"),
            ("http://[v1.a%41]", "a character of `IPvFuture`, found `%` at byte 12"),
        ],
    );
}
