//! RFC 1808 and RFC 2396: absolute and relative URLs and URIs.

use relref::validate::Grammar::*;

use super::verdicts::{refused, valid};

/// The references of the examples of RFC 1808 §5 and RFC 2396, appendix C, which both resolve.
const RELATIVE: &[&str] = &[
    "g",
    "./g",
    "g/",
    "/g",
    "//g",
    "?y",
    "g?y",
    "g?y/./x",
    ";x",
    "g;x",
    ".",
    "./",
    "..",
    "../",
    "../g",
    "../..",
    "../../",
    "../../g",
    "../../../g",
    "../../../../g",
    "/./g",
    "/../g",
    "g.",
    ".g",
    "g..",
    "..g",
    "./../g",
    "./g/.",
    "g/./h",
    "g/../h",
];

#[test]
fn references_that_the_documents_resolve() {
    for grammar in [Rfc1808Relative, Rfc2396Relative, Rfc1808Url, Rfc2396Reference] {
        valid(grammar, RELATIVE);
    }
    for grammar in [Rfc1808Url, Rfc2396Reference] {
        valid(grammar, &["http://a/b/c/d;p?q", "g:h", "#s", "g#s", "g?y#s", "g;x?y#s", "g#s/../x", "http:g", ""]);
    }
    valid(Rfc1808Url, &["http://a/b/c/d;p?q#f", "http:", "g;x=1/../y"]);
    // RFC 2396, appendix E, and §1.3.
    valid(
        Rfc2396Uri,
        &[
            "http://www.w3.org/Addressing/",
            "ftp://ds.internic.net/rfc/",
            "ftp://ftp.is.co.za/rfc/rfc1808.txt",
            "gopher://spinaltap.micro.umn.edu/00/Weather/California/Los%20Angeles",
            "mailto:mduerst@ifi.unizh.ch",
            "news:comp.infosystems.www.servers.unix",
            "telnet://melvyl.ucop.edu/",
        ],
    );
}

#[test]
fn rfc1808_kinds() {
    valid(Rfc1808Absolute, &["x:", "x:;/?:@&=", "http://h//a", "mailto:a@b"]);
    valid(
        Rfc1808Generic,
        &["http://h/a;b;c/d?e/?:@&=", "x:", "http:///a", "file:///a", "x:;?", "http://h?q/a", "x://;?:@&="],
    );
    valid(Rfc1808Relative, &["", "//", "//h?q", "///g", "a//b", "1a:b", "a/b:c", "/a//b"]);
    refused(Rfc1808Absolute, &[("x:a#b", "a character of `absoluteURL`, found `#` at byte 3")]);
    refused(
        Rfc1808Generic,
        &[
            ("http://h//a", "a character of `fsegment`, found `/` at byte 9"),
            ("x:?a^", "a character of `query`, found `^` at byte 4"),
            ("/a", "a letter to start a scheme, found `/` at byte 0"),
        ],
    );
    refused(
        Rfc1808Relative,
        &[
            ("http:g", "a relative reference, without a scheme, found `:` at byte 4"),
            ("//h//a", "a character of `fsegment`, found `/` at byte 4"),
            ("////g", "a character of `fsegment`, found `/` at byte 3"),
            ("//h~", "a character of `net_loc`, found `~` at byte 3"),
            ("a~", "a character of `path`, found `~` at byte 1"),
            ("a;b~", "a character of `params`, found `~` at byte 3"),
            ("a?b<", "a character of `query`, found `<` at byte 3"),
            ("a#b", "a character of `path`, found `#` at byte 1"),
            ("日", "a character of `fsegment`, found `日` at byte 0"),
        ],
    );
    refused(Rfc1808Url, &[("a#b#c", "a character of `fragment`, found `#` at byte 3")]);
}

#[test]
fn rfc2396_kinds() {
    valid(
        Rfc2396Uri,
        &["x:a", "x:?a/b?c", "x:/", "x://", "x:///a//b;c;d?e/?", "x://a@b@c:d;e", "x:a;/?:@&=+$,-_.!~*'()%20"],
    );
    valid(Rfc2396Reference, &["", "#", "x:a#/?", "//", "///a", "/a:b", "./a:b", "a;b@c", "?", "?a?b"]);
    refused(
        Rfc2396Uri,
        &[
            ("x:", "a `hier_part` or `opaque_part`, found the end at byte 2"),
            ("x:#a", "a `hier_part` or `opaque_part`, found `#` at byte 2"),
            ("x:a#b", "a character of `opaque_part`, found `#` at byte 3"),
            ("http://[::1]/", "a character of `authority`, found `[` at byte 7"),
            ("http://é/", "a character of `authority`, found `é` at byte 7"),
            ("http://h/a|b", "a character of `path_segments`, found `|` at byte 10"),
            ("http://h?a b", "a character of `query`, found ` ` at byte 10"),
        ],
    );
    refused(
        Rfc2396Reference,
        &[
            ("1a:b", "a character of `rel_segment`, found `:` at byte 2"),
            (":a", "a character of `rel_segment`, found `:` at byte 0"),
            ("a#b#c", "a character of `fragment`, found `#` at byte 3"),
        ],
    );
    refused(
        Rfc2396Relative,
        &[
            ("", "a `relativeURI`, found the end at byte 0"),
            ("#a", "a character of `rel_segment`, found `#` at byte 0"),
            ("x:a", "a relative reference, without a scheme, found `:` at byte 1"),
        ],
    );
    // RFC 3986 permits only one `@` before a host, and any empty path.
    assert!(Rfc3986Uri.validate("x://a@b@c").is_err() && Rfc3986Uri.is_valid("x:"));
}
