//! `normalize` and `equal`.

use super::process::{expect, relref};

#[test]
fn normalizes_line_for_line() {
    expect(&["normalize", "HTTP://H:80/%7ea", "a b"], b"", "http://h/~a\na%20b\n", "", 0);
    let stderr = "\
relref: line 2: a:%z: illegal escape: expected two hex digits after `%`, found `z` at byte 3
relref: line 4: \u{fffd}: invalid utf-8 sequence of 1 bytes from index 0
";
    expect(&["normalize"], b"HTTP://H\na:%z\n\n\xff\nx:y", "http://h/\n\n\n\nx:y\n", stderr, 1);
}

#[test]
fn normalizes_by_the_steps_asked_for() {
    let uri = "http://www.h.org/?b&utm_source=x&a#f";
    let form = |args: &[&str], form: &str| {
        expect(&[&["normalize"], args, &[uri]].concat(), b"", &format!("{form}\n"), "", 0);
    };
    form(&["--preset", "safe"], uri);
    form(&["--preset", "crawl"], "http://www.h.org/?a&b");
    form(&["--preset", "crawl", "--without", "sort-query"], "http://www.h.org/?b&a");
    form(&["--with", "sort-query,drop-www", "--with=upgrade"], "https://h.org/?a&b&utm_source=x#f");
    form(&["--preset", "crawl", "--with", "upgrade", "--without", "upgrade"], "http://www.h.org/?a&b");
    form(&["--keep-only", "a,utm_source"], "http://www.h.org/?utm_source=x&a#f");
    form(&["--keep-only", "a", "--preset=crawl", "--key", "surt"], "org,h,www)/?a");
    let lines = b"http://B\xc3\x9cCHER.example/?\nhttp://h/%\n\nmailto:a?\n";
    let stdout = "  encoding: http://B\u{dc}CHER.example/? becomes http://B%C3%9CCHER.example/?
  idna: http://B%C3%9CCHER.example/? becomes http://xn--bcher-kva.example/?
  drop-empty-query: http://xn--bcher-kva.example/? becomes http://xn--bcher-kva.example/
http://xn--bcher-kva.example/
http://h/%

mailto:a?
";
    expect(&["normalize", "--preset", "crawl", "--explain"], lines, stdout, "", 0);
    // The preset `crawl` keeps a stray `%`, and makes all other changes.
    expect(&["normalize", "--preset=crawl", "http://h/100%#top"], b"", "http://h/100%\n", "", 0);
    for args in [["--preset", "all"], ["--with", "sort"], ["--without", "dots,"], ["--key", "hash"]] {
        let output = relref(&[&["normalize"], &args[..], &[uri]].concat(), b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn help_names_the_changes() {
    let help = String::from_utf8(relref(&["normalize", "--help"], b"").stdout).unwrap();
    for change in relref::crawl::Change::ALL {
        assert!(help.contains(&format!("- {change}: ")), "{change}");
    }
}

#[test]
fn tells_equals_apart() {
    for (left, right, said, code) in [
        ("a:b", "a:b", "same text", 0),
        ("a:%62", "a:b", "same encoding", 0),
        ("A:b", "a:b", "same case", 0),
        ("a:/c/../b", "a:/b", "same dots", 0),
        ("http://h", "http://h:80/", "same scheme", 0),
        ("a:b", "a:c", "different path: b and c", 1),
        ("a:b", "a:b?", "different query: none and \"\"", 1),
    ] {
        expect(&["equal", left, right], b"", &format!("{said}\n"), "", code);
    }
    let why = "illegal escape: expected two hex digits after `%`, found the end at byte 3";
    expect(&["equal", "a:b", "a:%"], b"", "", &format!("relref: a:%: {why}\n"), 1);
}
