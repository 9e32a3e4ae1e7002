//! URL7 and draft-www-uri-00, where they differ from RFC 1630.

use relref::validate::Grammar::*;

use super::verdicts::{refused, valid};

#[test]
fn examples_of_the_documents() {
    for grammar in [Url7Generic, Url7Url, DraftWwwUri00Generic, DraftWwwUri00Url] {
        valid(
            grammar,
            &[
                "http://info.cern.ch/hypertext/WWW/Addressing/Addressing.html",
                "http://info.cern.ch:8000/imaginary/test",
                "http://info.cern.ch/albert/bertram/marie%2Dclaude",
                "ftp://info.cern.ch/pub/www/doc/url7a.ps",
                "ftp://boombox.micro.umn.edu/pub/gopher/gopher protocol",
                "gopher://gopher.micro.umn.edu/00/Information About Gopher/About Gopher",
                "mailto:bert%25ibm.com@gateway.cern.ch",
                "magic://a/b/c//d/e/f",
                "urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3",
                "news:alt.hypertext",
                "news:*",
            ],
        );
    }
}

#[test]
fn extra_has_colons_semicolons_and_the_space() {
    for grammar in [Url7Url, DraftWwwUri00Url] {
        valid(grammar, &["http://h/a b;c:d?e f;g:h", "news:a b", "wais://h/d b/t;1/p:q", "x-y:a b"]);
        refused(
            grammar,
            &[
                ("http://h/a=b", "a character of `path`, found `=` at byte 10"),
                ("http://h/a?b=c", "a character of `search`, found `=` at byte 12"),
                ("http://h/a\tb", "a character of `path`, found `\\t` at byte 10"),
                ("http://h/é", "a character of `path`, found `é` at byte 9"),
                ("http://h /", "a character of `hostport`, found ` ` at byte 8"),
                ("x-y:a#b", "the end of the `uri`, found `#` at byte 5"),
            ],
        );
    }
    refused(Url7Generic, &[("x:a=b", "a character of `path`, found `=` at byte 3")]);
    valid(Rfc1630Generic, &["x:a=b"]);
}

#[test]
fn users_and_passwords_are_xalphas() {
    for grammar in [Url7Url, DraftWwwUri00Url] {
        valid(grammar, &["ftp://u:p@h/", "telnet://a b:c@d@h:23", "ftp://%41@h/a@b", "telnet://::@h"]);
        refused(
            grammar,
            &[
                ("ftp://@h/", "`xalphas` of `user` or `password`, found `@` at byte 6"),
                ("ftp://a=b@h/", "a character of `user` or `password`, found `=` at byte 7"),
                ("ftp://a@h", "`/` and a `path`, found the end at byte 9"),
                ("telnet://h/", "the end of the `telnetaddress`, found `/` at byte 10"),
            ],
        );
        // The type of a file came with RFC 1630.
        refused(grammar, &[("ftp://h/a;type=I", "a character of `path`, found `=` at byte 14")]);
    }
}

#[test]
fn gopher_may_have_a_search() {
    for grammar in [Url7Url, DraftWwwUri00Url] {
        valid(grammar, &["gopher://h", "gopher://h/", "gopher://h/7a/b?c+d", "gopher://h?a", "gopher://h/?a"]);
        refused(
            grammar,
            &[
                ("gopher://h//a", "a `gtype`, found `/` at byte 11"),
                ("gopher://h/7?", "`xalphas` of `search`, found the end at byte 13"),
                ("gopher://h/7=", "a character of `path`, found `=` at byte 12"),
            ],
        );
    }
    assert!(Rfc1630Url.validate("gopher://h/7a?b").is_err());
}

#[test]
fn other_productions() {
    for grammar in [Url7Url, DraftWwwUri00Url] {
        valid(
            grammar,
            &["nntp:a.b/12", "nntp://h:119/a.b/12", "mailto::a@b", "mailto:a@b", "wais://h/d/t/a/b", "file:///a"],
        );
        refused(
            grammar,
            &[
                ("wais://h/d/t", "a character of `wtype`, or `/` and a `path`, found the end at byte 12"),
                ("wais://h/d/t/1=a;", "a character of `path`, found `=` at byte 14"),
                ("http:x", "`//`, found `x` at byte 5"),
                ("prospero://h/a%00b", "a `version` after `%00`, found `b` at byte 17"),
            ],
        );
    }
    // Only the draft lists `mid` and `cid`.
    valid(DraftWwwUri00Url, &["mid:a b@c", "cid:a@b:c"]);
    refused(DraftWwwUri00Url, &[("mid:a", "`@`, found the end at byte 5")]);
    valid(Url7Url, &["mid:a", "cid:/"]);
}

#[test]
fn void_fragments_are_valid() {
    valid(Url7Generic, &["x:a#", "x:a#b+c d", "http://h/a?b++c#d"]);
    valid(DraftWwwUri00Generic, &["x:a#", "x:a#b c", "http://h/a?b+c#d"]);
    refused(
        DraftWwwUri00Generic,
        &[
            ("x:a#b+c", "a character of `fragmentid`, found `+` at byte 5"),
            ("x:a?b++c", "`xalphas` of `search`, found `+` at byte 6"),
        ],
    );
    refused(Url7Generic, &[("x:a#b#", "a character of `fragmentid`, found `#` at byte 5")]);
}
