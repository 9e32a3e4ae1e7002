//! Hosts, ports, users and passwords.

use relref::validate::Grammar::*;

use super::verdicts::{refused, valid};

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
    // RFC 3986 allows an empty port.
    valid(Rfc3986Uri, &["http://h:/", "http://[::1]:", "http://:80", "http://:"]);
    refused(Rfc3986Uri, &[("http://h:8a/", "a digit of `port`, found `a` at byte 10")]);
}

#[test]
fn logins() {
    let both = ["ftp://u@h/", "ftp://u:p@h/", "ftp://u:p@h:21/a", "ftp://u-_.+1:2p@h/", "telnet://u:p@h:23"];
    valid(Rfc1630Url, &both);
    valid(Rfc1738Url, &both);
    // RFC 1738 allows empty parts and escapes, RFC 1630 neither.
    let later =
        ["ftp://@h/", "ftp://foo:@h/", "ftp://:@h/", "ftp://%40%3A%2F:a%20@h/", "ftp://;?&=$!:;?&=@h/", "ftp://h"];
    valid(Rfc1738Url, &later);
    refused(
        Rfc1630Url,
        &[
            ("ftp://@h/", "`alphanum2` of `user` or `password`, found `@` at byte 6"),
            ("ftp://foo:@h/", "`alphanum2` of `user` or `password`, found `@` at byte 10"),
            ("ftp://a%40@h/", "a character of `user`, or `:` or `@` after it, found `%` at byte 7"),
            ("ftp://a$@h/", "a character of `user`, or `:` or `@` after it, found `$` at byte 7"),
            ("ftp://h", "`/` and a `path`, found the end at byte 7"),
        ],
    );
    refused(
        Rfc1738Url,
        &[
            ("ftp://:@:@@/", "a `host`, found `:` at byte 8"),
            ("ftp://a:b:c@h/", "a character of `password`, or `@` after it, found `:` at byte 9"),
            ("ftp://a@b@c/", "a character of `hostport`, found `@` at byte 9"),
            ("ftp://a/b@h/;", "a character of `fpath`, or `;type=`, found `;` at byte 12"),
            ("ftp://a#@h/", "a character of `user`, or `:` or `@` after it, found `#` at byte 7"),
            ("ftp://a%4@h/", "two hex digits after `%`, found `@` at byte 9"),
        ],
    );
    refused(Rfc1630Url, &[("ftp://:@:@@/", "`alphanum2` of `user` or `password`, found `:` at byte 6")]);
    // `http` and other schemes have no user.
    for grammar in [Rfc1630Url, Rfc1738Url] {
        refused(grammar, &[("http://u@h/", "a character of `hostport`, found `@` at byte 8")]);
        refused(grammar, &[("gopher://u@h/", "a character of `hostport`, found `@` at byte 10")]);
    }
}
