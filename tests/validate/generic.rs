//! Schemes, paths, searches and fragments, and the decided defects of the print (D1 to D7).

use relref::validate::Grammar::*;

use super::verdicts::{ABSOLUTE, refused, valid};

#[test]
fn a_uri_has_a_scheme_and_a_colon() {
    for grammar in ABSOLUTE {
        valid(grammar, &["x:1", "x-1.+:a/b", "X:a"]);
        // RFC 2396 requires more than a scheme.
        assert_eq!(grammar.is_valid("x:"), grammar != Rfc2396Uri);
        refused(
            grammar,
            &[
                ("", "a letter to start a scheme, found the end at byte 0"),
                (":a", "a letter to start a scheme, found `:` at byte 0"),
                ("//h/a", "a letter to start a scheme, found `/` at byte 0"),
                ("1x:a", "a letter to start a scheme, found `1` at byte 0"),
                ("%", "a letter to start a scheme, found `%` at byte 0"),
                ("é:a", "a letter to start a scheme, found `é` at byte 0"),
                ("http", "`:` to end the scheme, found the end at byte 4"),
                ("a/b:c", "`:` to end the scheme, found `/` at byte 1"),
                // D4: `ialpha` contains these.
                ("x%41:a", "`:` to end the scheme, found `%` at byte 1"),
                ("x@y:a", "`:` to end the scheme, found `@` at byte 1"),
                ("x_y:a", "`:` to end the scheme, found `_` at byte 1"),
            ],
        );
    }
}

#[test]
fn schemes_are_read_in_either_case() {
    for grammar in [Url7Url, DraftWwwUri00Url, Rfc1630Url, Rfc1738Url] {
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
            // The generic `safe` does not contain `+`.
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
fn d5_type_comes_before_ftptype() {
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
            ("ftp://h/a;type=AX", "the end after `ftptype`, found `X` at byte 16"),
            ("ftp://h/a;type=II", "the end after `ftptype`, found `I` at byte 16"),
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
fn other_schemes_are_generic() {
    valid(Rfc1630Url, &["file:///a", "afs://cell.name/a", "x-a:b?c", "urn:a", "https://h:443/a"]);
    refused(Rfc1630Url, &[("x-a:b?", "`xalphas` of `search`, found the end at byte 6")]);
    valid(Rfc1738Url, &["afs://cell.name/a", "x-a:;/?:@&=", "https://a@b@c/", "mid:a"]);
    valid(Rfc1738Generic, &["http:x", "x:", "ftp://:@:@@/", "news://h/a?b?c"]);
    refused(Rfc1738Generic, &[("x:a~", "a character of `schemepart`, found `~` at byte 3")]);
}

#[test]
fn long_texts() {
    let long = |prefix: &str, unit: &str| String::from(prefix) + &unit.repeat((256 << 10) / unit.len());
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
        let errors = ABSOLUTE.map(|grammar| grammar.validate(&text).err());
        assert!(errors.iter().any(Option::is_some), "{prefix}{unit}…");
        assert!(errors.into_iter().flatten().all(|error| error.position() <= text.len()));
    }
}
