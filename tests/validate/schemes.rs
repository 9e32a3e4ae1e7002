//! The productions of each scheme, by RFC 1630 and RFC 1738.

use relref::validate::Grammar::*;

use super::verdicts::{refused, valid};

#[test]
fn http() {
    valid(Rfc1630Url, &["http://h", "http://h/", "http://h/a/b?c", "http://h?c", "http://h:80?c+d"]);
    valid(Rfc1738Url, &["http://h", "http://h/", "http://h/a/b?c", "http://h/?", "http://h/;:@&=//?;:@&="]);
    refused(
        Rfc1738Url,
        &[
            ("http://h?c", "`/` and an `hpath`, found `?` at byte 8"),
            ("http://h/?a/b", "a character of `search`, found `/` at byte 11"),
            ("http://h/?a?b", "a character of `search`, found `?` at byte 11"),
            ("http:/h", "`//`, found `/` at byte 5"),
            ("http:", "`//`, found the end at byte 5"),
        ],
    );
}

#[test]
fn ftp_and_file_by_rfc1738() {
    valid(
        Rfc1738Url,
        &["ftp://h/a?:@&=/b;type=a", "ftp://h/;type=D", "ftp://h/%2Fetc/motd", "ftp://h//etc", "ftp://h/"],
    );
    valid(Rfc1738Url, &["file:///a", "file://localhost/a/b", "file:///", "file://1.2.3.4/?:@&="]);
    refused(
        Rfc1738Url,
        &[
            ("ftp://h/a;b", "a character of `fpath`, or `;type=`, found `;` at byte 9"),
            ("ftp://h;type=a", "a character of `hostport`, found `;` at byte 7"),
            ("ftp://h/a;type=x", "an `ftptype`, found `x` at byte 15"),
            ("ftp://h/a;type=", "an `ftptype`, found the end at byte 15"),
            ("ftp://h/a;type=ai", "the end after `ftptype`, found `i` at byte 16"),
            ("ftp://h?a", "`/` and an `fpath`, found `?` at byte 7"),
            ("file://h", "a character of `host`, or `/` and an `fpath`, found the end at byte 8"),
            ("file://h:80/", "a character of `host`, or `/` and an `fpath`, found `:` at byte 8"),
            ("file:/a", "`//`, found `/` at byte 5"),
            ("file:///a;b", "a character of `fpath`, found `;` at byte 9"),
        ],
    );
}

#[test]
fn gopher() {
    let both = ["gopher://h", "gopher://h/", "gopher://h:70/1", "gopher://h/11/a/b", "gopher://h/7s%09find%09+v%20l"];
    valid(Rfc1630Url, &both);
    valid(Rfc1738Url, &both);
    valid(Rfc1630Url, &["gopher://h/%31sel", "gopher://h/+//a"]);
    valid(Rfc1738Url, &["gopher://h//a?b=c;d:e@f&g", "gopher://h/%09"]);
    refused(
        Rfc1630Url,
        &[
            ("gopher://h//a", "a `gtype`, found `/` at byte 11"),
            ("gopher://h/7a?b", "a character of `path`, found `?` at byte 13"),
            ("gopher://h?b", "`/` and a `gtype`, found `?` at byte 10"),
        ],
    );
    refused(Rfc1738Url, &[("gopher://h/1a\tb", "a character of `gtype` and `selector`, found `\\t` at byte 13")]);
}

#[test]
fn mailto_mid_and_cid() {
    valid(Rfc1630Url, &["mailto:a@b", "mailto:a%25b@c@d.e", "mid:a@b", "cid:a.b@c%5B", "mid:a@1"]);
    refused(
        Rfc1630Url,
        &[
            ("mailto:", "`@`, found the end at byte 7"),
            ("mailto:a", "`@`, found the end at byte 8"),
            ("mailto:@b", "`xalphas` before `@`, found `@` at byte 7"),
            ("mailto:a@", "a `host`, found the end at byte 9"),
            ("mailto:a@1.2.3.4", "a letter to start the last label of `host`, found `4` at byte 15"),
            ("mailto:a@b_", "a character of `hostname`, found `_` at byte 10"),
            ("mailto::a@b", "an `xalpha`, found `:` at byte 7"),
            ("mid:a", "`@`, found the end at byte 5"),
            ("mid:@b", "`xalphas` before `@`, found `@` at byte 4"),
            ("cid:a@", "a domain after `@`, found the end at byte 6"),
        ],
    );
    valid(Rfc1738Url, &["mailto:a", "mailto:a@b", "mailto:a;/?:@&=", "mid:"]);
    refused(
        Rfc1738Url,
        &[
            ("mailto:", "an `encoded822addr`, found the end at byte 7"),
            ("mailto:<a@b>", "an `encoded822addr`, found `<` at byte 7"),
            ("mailto:a b", "a character of `encoded822addr`, found ` ` at byte 8"),
        ],
    );
}

#[test]
fn news() {
    for grammar in [Rfc1630Url, Rfc1738Url] {
        valid(
            grammar,
            &["news:*", "news:alt.test", "news:comp.lang.c++", "news:a1$%41@h.i", "news:*@h", "news:a@1.2.3.4"],
        );
        refused(
            grammar,
            &[
                ("news:", "a letter to start a `group`, found the end at byte 5"),
                ("news:1a", "a letter to start a `group`, found `1` at byte 5"),
                ("news:**", "the end after `*`, found `*` at byte 6"),
                ("news:a/b", "a character of `group`, found `/` at byte 6"),
                ("news:a@", "a `host`, found the end at byte 7"),
                ("news:a@h_", "a character of `host`, found `_` at byte 8"),
            ],
        );
    }
    valid(Rfc1630Url, &["news:a!b", "news:a@b@c"]);
    valid(Rfc1738Url, &["news:a;/?:&=@h"]);
    refused(
        Rfc1630Url,
        &[("news:@h", "`xalphas` before `@`, found `@` at byte 5"), ("news:a/b@h", "an `xalpha`, found `/` at byte 6")],
    );
    refused(
        Rfc1738Url,
        &[
            ("news:@h", "an `article`, found `@` at byte 5"),
            ("news:a@b@c", "a character of `host`, found `@` at byte 8"),
            ("news:a!b", "a character of `group`, found `!` at byte 6"),
            ("news://h/a", "a letter to start a `group`, found `/` at byte 5"),
        ],
    );
}

#[test]
fn nntp_by_rfc1738() {
    refused(
        Rfc1738Url,
        &[
            ("nntp://h", "`/` and a `group`, found the end at byte 8"),
            ("nntp://h/*", "a letter to start a `group`, found `*` at byte 9"),
            ("nntp://h/a/", "`digits` of an article, found the end at byte 11"),
            ("nntp://h/a/1b", "a digit of an article, found `b` at byte 12"),
            ("nntp://h/a?", "a character of `group`, found `?` at byte 10"),
        ],
    );
}

#[test]
fn telnet() {
    for grammar in [Rfc1630Url, Rfc1738Url] {
        valid(grammar, &["telnet://h", "telnet://u:p@h:23", "telnet://u@h"]);
        // Named, but without a production.
        valid(grammar, &["rlogin://u@h/x", "tn3270:h"]);
    }
    valid(Rfc1738Url, &["telnet://h/", "telnet://u:p@h:23/"]);
    refused(Rfc1738Url, &[("telnet://h/a", "the end of the `telneturl`, found `a` at byte 11")]);
    refused(Rfc1630Url, &[("telnet://h/", "the end of the `telnetaddress`, found `/` at byte 10")]);
}

#[test]
fn wais() {
    let both = ["wais://h/db", "wais://h:210/db?w", "wais://h/db?w+x"];
    valid(Rfc1630Url, &both);
    valid(Rfc1738Url, &both);
    valid(Rfc1630Url, &["wais://h/db/text/1=a;", "wais://h/db/text/1=a/b+c;22=;3=%3B;"]);
    valid(Rfc1738Url, &["wais://h/db/text/wpath", "wais://h/", "wais://h/?a=b", "wais://h///"]);
    refused(
        Rfc1630Url,
        &[
            ("wais://h", "`/` and a `database`, found the end at byte 8"),
            ("wais://h/", "a `database`, found the end at byte 9"),
            ("wais://h/db/t", "a character of `wtype`, or `/` and a `wpath`, found the end at byte 13"),
            ("wais://h/db//1=a;", "a `wtype`, found `/` at byte 12"),
            ("wais://h/db/t/", "`digits` of a `wpath`, found the end at byte 14"),
            ("wais://h/db/t/a=b;", "`digits` of a `wpath`, found `a` at byte 14"),
            ("wais://h/db/t/1;", "a digit of a `wpath`, or `=`, found `;` at byte 15"),
            ("wais://h/db/t/1=a", "a character of `path`, or `;` to end it in `wpath`, found the end at byte 17"),
            ("wais://h/db/t/1=a=b;", "a character of `path`, or `;` to end it in `wpath`, found `=` at byte 17"),
            ("wais://h/db/t/1=a;b", "`digits` of a `wpath`, found `b` at byte 18"),
            ("wais://h/db/t/p", "`digits` of a `wpath`, found `p` at byte 14"),
        ],
    );
    refused(
        Rfc1738Url,
        &[
            ("wais://h", "`/` and a `database`, found the end at byte 8"),
            ("wais://h/db/t", "a character of `wtype`, or `/` and a `wpath`, found the end at byte 13"),
            ("wais://h/db/t/a/b", "a character of `wpath`, found `/` at byte 15"),
            ("wais://h/db/t/1=a;", "a character of `wpath`, found `=` at byte 15"),
            ("wais://h/d:b", "a character of `database`, found `:` at byte 10"),
        ],
    );
}

#[test]
fn prospero() {
    valid(Rfc1630Url, &["prospero://h:1525/a/b", "prospero://h/", "prospero://h//a%001", "prospero://h/a%0012ab3"]);
    refused(
        Rfc1630Url,
        &[
            ("prospero://h", "`/` and an `hsoname`, found the end at byte 12"),
            ("prospero://h/a;b", "a character of `hsoname`, found `;` at byte 14"),
            ("prospero://h/a%00", "a `version` after `%00`, found the end at byte 17"),
            ("prospero://h/a%00b", "a `version` after `%00`, found `b` at byte 17"),
            ("prospero://h/a%001/b", "a character of `attributes`, found `/` at byte 18"),
            ("prospero://h/a%%00", "two hex digits after `%`, found `%` at byte 15"),
            ("prospero://h/a%4%00", "two hex digits after `%`, found `%` at byte 16"),
        ],
    );
    valid(
        Rfc1738Url,
        &["prospero://h//pros/name", "prospero://h/a;b=c;d=e", "prospero://h/?:@&=/;=;?:@&=?:@&", "prospero://h/"],
    );
    refused(
        Rfc1738Url,
        &[
            ("prospero://h", "`/` and a `ppath`, found the end at byte 12"),
            ("prospero://u@h/", "a character of `hostport`, found `@` at byte 12"),
            ("prospero://h/a;b", "a character of `fieldname`, or `=`, found the end at byte 16"),
            ("prospero://h/a;b/c=d", "a character of `fieldname`, or `=`, found `/` at byte 16"),
            ("prospero://h/a;b=c=d", "a character of `fieldvalue`, found `=` at byte 18"),
            ("prospero://h/a#", "a character of `ppath`, found `#` at byte 14"),
        ],
    );
}

#[test]
fn the_examples_of_rfc1738() {
    valid(
        Rfc1738Url,
        &[
            "ftp://@host.com/",
            "ftp://foo:@host.com/",
            "ftp://myname@host.dom/%2Fetc/motd",
            "ftp://myname@host.dom//etc/motd",
            "news:*",
            "file://vms.host.edu/disk$user/my/notes/note12345.txt",
            "prospero://host.dom//pros/name",
            "ftp://info.cern.ch/pub/www/doc;type=d",
        ],
    );
}
