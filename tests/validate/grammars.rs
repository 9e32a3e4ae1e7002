//! Validity: the productions of each grammar, the decided defects of the print, and agreement with a naive reader of it.

use std::sync::LazyLock;

use quickcheck::quickcheck;
use relref::validate::{Grammar, validate};
use relref::{ErrorKind, UriRef};

use super::bnf::{self, Bnf};
use crate::inputs::near_valid::{Near, SEEDS};

use Grammar::*;

#[track_caller]
fn valid(grammar: Grammar, texts: &[&str]) {
    for text in texts {
        if let Err(error) = validate(text, grammar) {
            panic!("{text} by {grammar:?}: {error}");
        }
    }
}

/// Texts that are not valid, each with what is said of it.
#[track_caller]
fn refused(grammar: Grammar, texts: &[(&str, &str)]) {
    for (text, said) in texts {
        let error = validate(text, grammar).expect_err(text);
        let kind = if error.kind() == ErrorKind::IllegalEscape { "illegal escape" } else { "not valid" };
        assert_eq!(error.to_string(), format!("{kind}: expected {said}"), "{text} by {grammar:?}");
    }
}

const ABSOLUTE: [Grammar; 5] = [Rfc1630Generic, Rfc1630Url, Rfc1738Generic, Rfc1738Url, Rfc3986Uri];

#[test]
fn a_uri_has_a_scheme_and_a_colon() {
    for grammar in ABSOLUTE {
        valid(grammar, &["x:", "x-1.+:a/b", "X:a"]);
        refused(
            grammar,
            &[
                ("", "a letter to start a `scheme`, found the end at byte 0"),
                (":a", "a letter to start a `scheme`, found `:` at byte 0"),
                ("//h/a", "a letter to start a `scheme`, found `/` at byte 0"),
                ("1x:a", "a letter to start a `scheme`, found `1` at byte 0"),
                ("%", "a letter to start a `scheme`, found `%` at byte 0"),
                ("é:a", "a letter to start a `scheme`, found `é` at byte 0"),
                ("http", "`:` to end the `scheme`, found the end at byte 4"),
                ("a/b:c", "`:` to end the `scheme`, found `/` at byte 1"),
                // D4: `ialpha` has these.
                ("x%41:a", "`:` to end the `scheme`, found `%` at byte 1"),
                ("x@y:a", "`:` to end the `scheme`, found `@` at byte 1"),
                ("x_y:a", "`:` to end the `scheme`, found `_` at byte 1"),
            ],
        );
    }
}

#[test]
fn schemes_are_read_in_either_case() {
    for grammar in [Rfc1630Url, Rfc1738Url] {
        valid(grammar, &["HTTP://h/", "Http://h/", "MailTo:a@b", "NEWS:*"]);
        refused(grammar, &[("HTTP:a", "`//`, found `a` at byte 5")]);
    }
}

#[test]
fn rfc1630_generic_path_search_and_fragment() {
    valid(
        Rfc1630Generic,
        &[
            "x:a/b?c+d#e",
            "x:?a",
            "x:#a",
            "x:a+b/c++",
            "x:$-_@.&!*\"'(),",
            "x:%00%fF?%2B#%23",
            "urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3",
            "news:a@b",
            "x:a?$-_@.&!*\"'(),#$-_@.&!*\"'(),",
        ],
    );
    refused(
        Rfc1630Generic,
        &[
            ("x:a?b?c", "a character of `search`, found `?` at byte 5"),
            ("x:a?b/c", "a character of `search`, found `/` at byte 5"),
            ("x:a#b#c", "a character of `fragmentid`, found `#` at byte 5"),
            ("x:a#b/c", "a character of `fragmentid`, found `/` at byte 5"),
            // `safe` has no `+` here.
            ("x:a#b+c", "a character of `fragmentid`, found `+` at byte 5"),
            ("x:a?", "`xalphas` of `search`, found the end at byte 4"),
            ("x:a?+b", "`xalphas` of `search`, found `+` at byte 4"),
            ("x:a?b++c", "`xalphas` of `search`, found `+` at byte 6"),
            ("x:a?b+#c", "`xalphas` of `search`, found `#` at byte 6"),
        ],
    );
}

#[test]
fn d1_paths_start_with_slashes_and_have_void_segments() {
    let texts = ["magic://a/b/c//d/e/f", "magic:///a", "magic:/", "magic:a//b", "magic:////"];
    valid(Rfc1630Generic, &texts);
    valid(Rfc1630Url, &texts);
    valid(Rfc1630Url, &["http://h//a///b//", "ftp://h//etc/motd", "prospero://h//pros/name"]);
}

#[test]
fn d1_a_host_may_have_a_port_in_the_generic_path() {
    let texts = ["x://h:80/a", "x://u:p@h/a;type=I", "wais://h/db/t/1=a;2=b;"];
    valid(Rfc1630Generic, &texts);
    valid(Rfc1630Generic, &["https://web.archive.org/web/2020/http://example.com/a"]);
}

#[test]
fn d2_any_number_of_xpalphas() {
    valid(Rfc1630Generic, &["x:a", "x:ab", "x:abc", "x:abcdefgh/ijklmno"]);
}

#[test]
fn d3_plus_separates_and_is_a_character() {
    valid(Rfc1630Url, &["http://h/a+b?c+d", "http://h/?a++b", "http://h/?+", "news:comp.lang.c++", "x:a?b+c"]);
    refused(Rfc1630Url, &[("http://h/?", "`xalphas` of `search`, found the end at byte 10")]);
}

#[test]
fn d5_type_stands_before_ftptype() {
    let texts =
        ["ftp://h/a;type=AN", "ftp://h/a;type=ET", "ftp://h/;type=I", "ftp://h/a/b;type=L36", "ftp://h/a;type=A"];
    valid(Rfc1630Url, &texts);
    refused(
        Rfc1630Url,
        &[
            ("ftp://h/a;type=", "an `ftptype`, found the end at byte 15"),
            ("ftp://h/a;type=X", "an `ftptype`, found `X` at byte 15"),
            ("ftp://h/a;type=a", "an `ftptype`, found `a` at byte 15"),
            ("ftp://h/a;type=L", "`digits` of `ftptype`, found the end at byte 16"),
            ("ftp://h/a;type=AX", "the end behind `ftptype`, found `X` at byte 16"),
            ("ftp://h/a;type=II", "the end behind `ftptype`, found `I` at byte 16"),
            ("ftp://h/a;AN", "a character of `path`, or `;type=`, found `;` at byte 9"),
        ],
    );
}

#[test]
fn d6_nntp_with_and_without_a_host() {
    valid(Rfc1630Url, &["nntp:comp.x/12", "nntp://h/comp.x/12", "nntp://h:119/comp.x/12"]);
    refused(
        Rfc1630Url,
        &[
            ("nntp:comp.x", "a character of `group`, or `/` and `digits`, found the end at byte 11"),
            ("nntp:comp.x/", "`digits` of an article, found the end at byte 12"),
            ("nntp:comp.x/1a", "a digit of an article, found `a` at byte 13"),
            ("nntp:/1", "a letter to start a `group`, found `/` at byte 5"),
            ("nntp://h/12", "a letter to start a `group`, found `1` at byte 9"),
            ("nntp://h", "`/` and a `group`, found the end at byte 8"),
        ],
    );
    valid(Rfc1738Url, &["nntp://h/comp.x", "nntp://h:119/comp.x/12"]);
    refused(Rfc1738Url, &[("nntp:comp.x/12", "`//`, found `c` at byte 5")]);
}

#[test]
fn d7_equals_is_in_no_rfc1630_search() {
    refused(Rfc1630Generic, &[("x:?a=b", "a character of `search`, found `=` at byte 4")]);
    refused(Rfc1630Url, &[("http://h?a=b", "a character of `search`, found `=` at byte 10")]);
    refused(Rfc1630Url, &[("wais://h/db?a;b", "a character of `search`, found `;` at byte 13")]);
    valid(Rfc1738Url, &["http://h/?a=b;c"]);
}

#[test]
fn a_void_fragment_is_valid_and_a_url_has_none() {
    valid(Rfc1630Generic, &["x:a#", "x:#"]);
    valid(Rfc3986Uri, &["x:a#"]);
    refused(Rfc1630Url, &[("x:a#b", "the end of the `uri`, found `#` at byte 3")]);
    refused(Rfc1630Url, &[("http://h/a#b", "a character of `path`, found `#` at byte 10")]);
    refused(Rfc1738Generic, &[("x:a#b", "a character of `schemepart`, found `#` at byte 3")]);
    refused(Rfc1738Url, &[("http://h/#", "a character of `hpath`, found `#` at byte 9")]);
}

#[test]
fn national_punctuation_controls_and_wide_characters_are_never_raw() {
    for c in "{}|[]\\^<>`\0\t\r\n\u{7f}é€😀 ".chars() {
        for grammar in Grammar::ALL {
            for text in ["http://h/", "x:", "news:a", "mailto:a@b", "http://h/?a", "http://", "ftp://u"] {
                let position = text.len();
                let text = format!("{text}{c}@b");
                let error = validate(&text, grammar).expect_err(&text);
                assert_eq!(
                    (error.kind(), error.position()),
                    (ErrorKind::NotValid, position),
                    "{text:?} by {grammar:?}"
                );
            }
        }
    }
    // `~` is national until RFC 3986, `"` is RFC 1630's alone.
    for grammar in ABSOLUTE {
        assert_eq!(validate("x:~", grammar).is_ok(), grammar == Rfc3986Uri);
        assert_eq!(validate("x:\"", grammar).is_ok(), matches!(grammar, Rfc1630Generic | Rfc1630Url));
    }
    refused(Rfc3986Uri, &[("http://h/a b", "a character of `path`, found ` ` at byte 10")]);
}

#[test]
fn rfc1630_reserved_characters_are_in_no_xalpha() {
    for c in "=;/#?: ".chars() {
        for text in ["x:?a", "x:#a", "mailto:a", "news:a", "http://h?a", "mid:a@b"] {
            let grammar = if text.contains('#') { Rfc1630Generic } else { Rfc1630Url };
            assert!(validate(&format!("{text}@b"), grammar).is_ok());
            // The hash that ends a `uri` stands in no `url`.
            assert!(validate(&format!("{text}{c}@b"), grammar).is_err(), "{text}{c}");
        }
        if !"/?".contains(c) {
            assert!(validate(&format!("http://h/a{c}b"), Rfc1630Url).is_err(), "{c}");
        }
    }
}

#[test]
fn safe_and_extra_are_each_documents() {
    let in_path = |grammar| -> String {
        let punctuation = (0x21..0x7f).map(char::from).filter(|c| !c.is_ascii_alphanumeric());
        punctuation.filter(|c| validate(&format!("http://h/a{c}b"), grammar).is_ok()).collect()
    };
    assert_eq!(in_path(Rfc1630Generic), "!\"#$&'()*+,-./:;=?@_");
    assert_eq!(in_path(Rfc1630Url), "!\"$&'()*+,-./?@_");
    assert_eq!(in_path(Rfc1738Generic), "!$&'()*+,-./:;=?@_");
    assert_eq!(in_path(Rfc1738Url), "!$&'()*+,-./:;=?@_");
    assert_eq!(in_path(Rfc3986Uri), "!#$&'()*+,-./:;=?@_~");
    // Behind the first letter of a search, where RFC 1630's generic `safe` shows that it has no `+` but between words.
    assert!(validate("x:?a+", Rfc1630Generic).is_err());
    assert!(validate("http://h?a+", Rfc1630Url).is_ok());
    assert!(validate("http://h/?a+", Rfc1738Url).is_ok());
}

#[test]
fn illegal_escapes_are_errors_at_their_byte() {
    let fxqn = "fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred";
    let news = "news:12345667123%asdghfh@info.cern.ch";
    for grammar in Grammar::ALL {
        for (text, position) in [
            (fxqn, 37),
            (news, 18),
            ("x:%", 3),
            ("x:%z", 3),
            ("x:%4", 4),
            ("x:%4é", 4),
            ("x:a%%41", 4),
            ("http://h/%4z", 11),
            ("http://h/?a%", 12),
            ("http://h/?%41%+", 14),
        ] {
            let error = validate(text, grammar).expect_err(text);
            assert_eq!((error.kind(), error.position()), (ErrorKind::IllegalEscape, position), "{text} by {grammar:?}");
        }
        valid(grammar, &["x:%00", "http://h/%2F?%25", "x:%aF%Af"]);
    }
    for grammar in [Rfc1630Generic, Rfc3986Uri, Rfc3986Reference] {
        assert_eq!(validate("x:#%f", grammar).unwrap_err().position(), 5);
    }
    assert_eq!(validate("%", Rfc3986Reference).unwrap_err().position(), 1);
    assert_eq!(validate("//%z", Rfc3986Reference).unwrap_err().position(), 3);
}

#[test]
fn hosts_are_labels_or_four_numbers() {
    let hosts = ["h", "h-1.i", "3com.com", "1.2.3.4", "1.b", "a.1.b", "999.1.1.0001", "xn--a.b", "1.2.3.4.a", "H"];
    for grammar in [Rfc1630Url, Rfc1738Url] {
        for host in hosts {
            valid(grammar, &[&format!("http://{host}/"), &format!("http://{host}"), &format!("http://{host}:80/a")]);
        }
        refused(
            grammar,
            &[
                ("http://", "a `host`, found the end at byte 7"),
                ("http:///a", "a `host`, found `/` at byte 7"),
                ("http://:80/", "a `host`, found `:` at byte 7"),
                ("http://h./", "a `host`, found `/` at byte 9"),
                ("http://h..i/", "a `host`, found `.` at byte 9"),
                ("http://-h/", "a `host`, found `-` at byte 7"),
                ("http://h-/", "a letter or digit to end a label of `host`, found `/` at byte 9"),
                ("http://h-.i/", "a letter or digit to end a label of `host`, found `.` at byte 9"),
                ("http://1.2.3/", "a letter to start the last label of `host`, found `3` at byte 11"),
                ("http://1.2.3.4.5/", "a letter to start the last label of `host`, found `5` at byte 15"),
                ("http://a.1.2.3/", "a letter to start the last label of `host`, found `3` at byte 13"),
                ("http://a.1b/", "a letter to start the last label of `host`, found `1` at byte 9"),
                ("http://h_i/", "a character of `hostport`, found `_` at byte 8"),
                ("http://h%41/", "a character of `hostport`, found `%` at byte 8"),
                ("http://[::1]/", "a `host`, found `[` at byte 7"),
            ],
        );
    }
}

#[test]
fn ports_are_digits() {
    for grammar in [Rfc1630Url, Rfc1738Url, Rfc3986Uri] {
        valid(grammar, &[&format!("http://h:{}/", "9".repeat(30)), "http://h:0", "http://h:00080/"]);
    }
    for grammar in [Rfc1630Url, Rfc1738Url] {
        refused(
            grammar,
            &[
                ("http://h:/", "a digit of `port`, found `/` at byte 9"),
                ("http://h:-1/", "a digit of `port`, found `-` at byte 9"),
                ("http://h:8a/", "a character of `hostport`, found `a` at byte 10"),
                ("http://h:8:9/", "a character of `hostport`, found `:` at byte 10"),
            ],
        );
    }
    // RFC 3986 lets it be void.
    valid(Rfc3986Uri, &["http://h:/", "http://[::1]:", "http://:80", "http://:"]);
    refused(Rfc3986Uri, &[("http://h:8a/", "a digit of `port`, found `a` at byte 10")]);
}

#[test]
fn logins() {
    let both = ["ftp://u@h/", "ftp://u:p@h/", "ftp://u:p@h:21/a", "ftp://u-_.+1:2p@h/", "telnet://u:p@h:23"];
    valid(Rfc1630Url, &both);
    valid(Rfc1738Url, &both);
    // RFC 1738: empty differs from none, and escapes; RFC 1630: neither.
    let later =
        ["ftp://@h/", "ftp://foo:@h/", "ftp://:@h/", "ftp://%40%3A%2F:a%20@h/", "ftp://;?&=$!:;?&=@h/", "ftp://h"];
    valid(Rfc1738Url, &later);
    refused(
        Rfc1630Url,
        &[
            ("ftp://@h/", "`alphanum2` of `user` or `password`, found `@` at byte 6"),
            ("ftp://foo:@h/", "`alphanum2` of `user` or `password`, found `@` at byte 10"),
            ("ftp://a%40@h/", "a character of `user`, or `:` or `@` behind it, found `%` at byte 7"),
            ("ftp://a$@h/", "a character of `user`, or `:` or `@` behind it, found `$` at byte 7"),
            ("ftp://h", "`/` and a `path`, found the end at byte 7"),
        ],
    );
    refused(
        Rfc1738Url,
        &[
            ("ftp://:@:@@/", "a `host`, found `:` at byte 8"),
            ("ftp://a:b:c@h/", "a character of `password`, or `@` behind it, found `:` at byte 9"),
            ("ftp://a@b@c/", "a character of `hostport`, found `@` at byte 9"),
            ("ftp://a/b@h/;", "a character of `fpath`, or `;type=`, found `;` at byte 12"),
            ("ftp://a#@h/", "a character of `user`, or `:` or `@` behind it, found `#` at byte 7"),
            ("ftp://a%4@h/", "two hex digits behind `%`, found `@` at byte 9"),
        ],
    );
    refused(Rfc1630Url, &[("ftp://:@:@@/", "`alphanum2` of `user` or `password`, found `:` at byte 6")]);
    // Not for http and others.
    for grammar in [Rfc1630Url, Rfc1738Url] {
        refused(grammar, &[("http://u@h/", "a character of `hostport`, found `@` at byte 8")]);
        refused(grammar, &[("gopher://u@h/", "a character of `hostport`, found `@` at byte 10")]);
    }
}

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
            ("ftp://h/a;type=ai", "the end behind `ftptype`, found `i` at byte 16"),
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
            ("cid:a@", "a domain behind `@`, found the end at byte 6"),
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
                ("news:**", "the end behind `*`, found `*` at byte 6"),
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
        // Named, without a production.
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
            ("prospero://h/a%00", "a `version` behind `%00`, found the end at byte 17"),
            ("prospero://h/a%00b", "a `version` behind `%00`, found `b` at byte 17"),
            ("prospero://h/a%001/b", "a character of `attributes`, found `/` at byte 18"),
            ("prospero://h/a%%00", "two hex digits behind `%`, found `%` at byte 15"),
            ("prospero://h/a%4%00", "two hex digits behind `%`, found `%` at byte 16"),
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
fn other_schemes_are_generic() {
    valid(Rfc1630Url, &["file:///a", "afs://cell.name/a", "x-a:b?c", "urn:a", "https://h:443/a"]);
    refused(Rfc1630Url, &[("x-a:b?", "`xalphas` of `search`, found the end at byte 6")]);
    valid(Rfc1738Url, &["afs://cell.name/a", "x-a:;/?:@&=", "https://a@b@c/", "mid:a"]);
    valid(Rfc1738Generic, &["http:x", "x:", "ftp://:@:@@/", "news://h/a?b?c"]);
    refused(Rfc1738Generic, &[("x:a~", "a character of `schemepart`, found `~` at byte 3")]);
}

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
            ("a b", "`:` to end the `scheme`, found ` ` at byte 1"),
            ("../a", "a letter to start a `scheme`, found `.` at byte 0"),
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
        assert_eq!(validate(&text, Rfc3986Uri).expect_err(&text).kind(), ErrorKind::NotValid);
    }
    refused(
        Rfc3986Uri,
        &[
            ("http://[fe80::1%25eth0]/", "an `IPv6address` or `IPvFuture`, found `f` at byte 8"),
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

#[test]
fn long_texts() {
    let long = |prefix: &str, unit: &str| String::from(prefix) + &unit.repeat((1 << 20) / unit.len());
    for grammar in ABSOLUTE {
        valid(grammar, &[&long("http://h/", "%25"), &long("http://h/", "a/"), &long("http://h:", "9")]);
    }
    valid(Rfc1630Url, &[&long("wais://h/d/t/", "1=a;"), &(long("http://", "1.") + "a")]);
    valid(Rfc1738Url, &[&long("prospero://h/", ";a=b"), &(long("http://", "a.") + "b")]);
    for (prefix, unit) in [
        ("", "a"),
        ("", "%25"),
        ("http://", "a."),
        ("http://", "1."),
        ("http://", "["),
        ("http://[", "1:"),
        ("http://[", ":"),
        ("http://[v", "1"),
        ("http://h?", "+"),
        ("ftp://", "a@"),
        ("ftp://", "a:"),
        ("ftp://h/", ";type="),
        ("news:", "@"),
        ("news:a@", "a."),
        ("mailto:", "a@"),
        ("wais://h/d/t/", "1="),
        ("prospero://h/", "%00"),
        ("x:", "?"),
        ("x:", "#"),
    ] {
        let text = long(prefix, unit);
        let errors = ABSOLUTE.map(|grammar| validate(&text, grammar).err());
        assert!(errors.iter().any(Option::is_some), "{prefix}{unit}…");
        assert!(errors.into_iter().flatten().all(|error| error.position() <= text.len()));
    }
}

static GENERIC_1630: LazyLock<Bnf> =
    LazyLock::new(|| Bnf::new(&[bnf::COMMON, bnf::RFC1630_GENERIC, bnf::RFC1630_GENERIC_DECIDED]));
static SPECIFIC_1630: LazyLock<Bnf> =
    LazyLock::new(|| Bnf::new(&[bnf::COMMON, bnf::RFC1630_SPECIFIC, bnf::RFC1630_SPECIFIC_DECIDED]));
static BOTH_1738: LazyLock<Bnf> = LazyLock::new(|| Bnf::new(&[bnf::COMMON, bnf::RFC1738, bnf::RFC1738_DECIDED]));

/// Validity by the print and our readings of it.
fn derived(text: &str, grammar: Grammar) -> bool {
    // A scheme is read in either case.
    let end = UriRef::new(text).scheme().map_or(0, str::len);
    let text = text[..end].to_ascii_lowercase() + &text[end..];
    let listed = |schemes: &str| schemes.split(' ').any(|scheme| scheme == &text[..end]);
    let ip = "http ftp gopher news nntp telnet wais mailto prospero";
    match grammar {
        Rfc1630Generic => GENERIC_1630.derives("fragmentaddress", &text),
        Rfc1630Url if listed(ip) || listed("mid cid") => SPECIFIC_1630.derives("url", &text),
        Rfc1630Url => GENERIC_1630.derives("uri", &text),
        Rfc1738Url if listed(ip) || listed("file") => BOTH_1738.derives("listed", &text),
        Rfc1738Generic | Rfc1738Url => BOTH_1738.derives("genericurl", &text),
        Rfc3986Uri | Rfc3986Reference => unreachable!(),
    }
}

fn agrees(text: &str) -> bool {
    let grammars = [Rfc1630Generic, Rfc1630Url, Rfc1738Generic, Rfc1738Url];
    text.len() >= 64 || grammars.into_iter().all(|grammar| validate(text, grammar).is_ok() == derived(text, grammar))
}

#[test]
fn seeds_agree_with_the_print() {
    for text in SEEDS {
        assert!(agrees(text), "{text}");
        assert!(Grammar::ALL.into_iter().any(|grammar| validate(text, grammar).is_ok()) || text.contains("%25eth0"));
    }
}

#[test]
fn the_print_has_the_defects() {
    // To the letter, without our readings.
    let generic = Bnf::new(&[bnf::COMMON, bnf::RFC1630_GENERIC]);
    let specific = Bnf::new(&[bnf::COMMON, bnf::RFC1630_SPECIFIC]);
    for text in ["magic://a/b", "x:abc", "x:a//b", "http://h:80/"] {
        assert!(!generic.derives("fragmentaddress", text) && validate(text, Rfc1630Generic).is_ok(), "{text}");
    }
    assert!(generic.derives("fragmentaddress", "x%41@y:ab"));
    assert!(specific.derives("nntpaddress", "nntp:a/1") && !specific.derives("nntpaddress", "nntp://h/a/1"));
    assert!(!specific.derives("ftpaddress", "ftp://h/a;type=I") && specific.derives("ftpaddress", "ftp://h/aI"));
    assert!(!specific.derives("httpaddress", "http://h?a=b"));
    assert!(
        specific.derives("httpaddress", "http://u@h%41../") && !specific.derives("httpaddress", "http://3com.com/")
    );
}

quickcheck! {
    /// The naive reader of the print and we accept the same texts.
    fn agrees_with_the_print(near: Near) -> bool {
        agrees(&near.0)
    }

    /// What is valid splits; and of the rest, the error is in the text.
    fn valid_texts_split(near: Near) -> bool {
        Grammar::ALL.into_iter().all(|grammar| match validate(&near.0, grammar) {
            Ok(()) => UriRef::new(&near.0).scheme().is_some() || grammar == Rfc3986Reference,
            Err(error) => near.0.is_char_boundary(error.position()),
        })
    }

    /// The text before an error is not at fault: cut there, it is valid or only too short. (Not with an `@`, which says how
    /// to read what stands before it.)
    fn errors_stand_at_the_first_fault(near: Near) -> bool {
        Grammar::ALL.into_iter().all(|grammar| {
            let Err(error) = validate(&near.0, grammar) else { return true };
            let cut = &near.0[..error.position()];
            near.0.contains('@') || validate(cut, grammar).err().is_none_or(|error| error.position() == cut.len())
        })
    }

    /// RFC 1630: the generic production parses the same URIs as the specific ones, void words of a search apart.
    fn rfc1630_urls_are_generic(near: Near) -> bool {
        let text = &near.0;
        let query = UriRef::new(text).query();
        let void_word = query.is_some_and(|query| query.split('+').any(str::is_empty));
        validate(text, Rfc1630Url).is_err() || void_word || validate(text, Rfc1630Generic).is_ok()
    }

    /// RFC 1738: every `url` is a `genericurl`.
    fn rfc1738_urls_are_generic(near: Near) -> bool {
        validate(&near.0, Rfc1738Url).is_err() || validate(&near.0, Rfc1738Generic).is_ok()
    }

    /// RFC 3986: a URI is a reference with a scheme.
    fn uris_are_references(near: Near) -> bool {
        let reference = validate(&near.0, Rfc3986Reference).is_ok();
        validate(&near.0, Rfc3986Uri).is_ok() == (reference && UriRef::new(&near.0).scheme().is_some())
    }
}
