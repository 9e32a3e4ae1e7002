//! `normalize` and `equal`.

use std::process::Command;

use super::process::{expect, finish, relref};

#[test]
fn normalizes_line_for_line() {
    expect(&["normalize", "HTTP://H:80/%7ea", "a b"], b"", "http://h/~a\na%20b\n", "", 0);
    expect(&["normalize", "-"], b"HTTP://H\n", "http://h/\n", "", 0);
    let note = "relref: Cargo.toml is also a file: to read the lines in it, add `<` before its name\n";
    expect(&["normalize", "Cargo.toml"], b"", "Cargo.toml\n", note, 0);
    let note = "\
relref: h.com/x has no scheme, and is read as a relative reference: did you mean https://h.com/x?
relref: h.com:80 is read with the scheme h.com: did you mean https://h.com:80?
";
    expect(&["normalize", "h.com/x", "h.com:80", "../x"], b"", "h.com/x\nh.com:80\n../x\n", note, 0);
    expect(&["normalize"], b"h.com/x\n", "h.com/x\n", "", 0);
    let note = "relref: h.com has no scheme, and is read as a relative reference: did you mean https://h.com?\n";
    expect(&["equal", "h.com", "http://h.com"], b"", "different scheme: none and http\n", note, 1);
    let stderr = "\
relref: line 2: a:%z: illegal escape: expected two hex digits after `%`, found `z` at byte 3
relref: line 4: \u{fffd}: not UTF-8 at byte 0
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
    form(&["--drop-param", "*_source", "--drop-param=B"], "http://www.h.org/?a#f");
    form(&["--drop-param=*_source,b"], "http://www.h.org/?a#f");
    form(&["--preset=none", "--drop-param=utm_*"], "http://www.h.org/?b&a#f");
    form(&["--preset=crawl", "--drop-param=a", "--key=host"], "www.h.org");
    form(&["--key", "domain"], "h.org");
    form(&["--rules=whatwg", "--with=drop-www", "--key=host"], "h.org");
    let lines = b"http://B\xc3\x9cCHER.example/?\nhttp://h/%\n\nmailto:a?\n";
    let stdout = "  encoding: http://B\u{dc}CHER.example/? becomes http://B%C3%9CCHER.example/? (RFC 3986 §2.1: \"to represent a data \
octet in a component when that octet's corresponding character is outside the allowed set\"; RFC 3986 §2.5: \"the data should first \
be encoded as octets according to the UTF-8 character encoding\")
  idna: http://B%C3%9CCHER.example/? becomes http://xn--bcher-kva.example/? (RFC 3986 §3.2.2: \"the name must be transformed to the \
IDNA encoding\"; decision: by UTS 46, as browsers do (URL Standard §3.3), since there is more than one IDNA)
  drop-empty-query: http://xn--bcher-kva.example/? becomes http://xn--bcher-kva.example/ (decision: most sites have the same page \
for both; to RFC 3986 §6.2.3, the URIs differ)
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
fn explanations_cite_what_was_done() {
    let explained = "  encoding: http://h/a b becomes http://h/a%20b (RFC 3986 §2.1: \"to represent a data octet in a component \
                     when that octet's corresponding character is outside the allowed set\")\nhttp://h/a%20b\n";
    expect(&["normalize", "--explain", "http://h/a b"], b"", explained, "", 0);
    // Reserved characters stay, wherever they are.
    let uri = "http://h/[a]?:@!$&'()*+,;=[]#a#[]";
    expect(&["normalize", "--explain", uri], b"", &format!("{uri}\n"), "", 0);
    let help = String::from_utf8(relref(&["normalize", "--help"], b"").stdout).unwrap();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("[ and ] outside an IPv6 address, and a second #"), "{help}");
}

#[test]
fn maps_an_iri_to_a_uri() {
    let iri = "HTTP://résumé.example/%7e日本?é#é";
    let uri = "HTTP://r%C3%A9sum%C3%A9.example/%7e%E6%97%A5%E6%9C%AC?%C3%A9#%C3%A9";
    expect(&["normalize", "--preset", "none", "--with", "iri", iri], b"", &format!("{uri}\n"), "", 0);
    let explained = format!(
        "  iri: {iri} becomes {uri} (RFC 3987 §3.1: \"For each character in 'ucschar' or 'iprivate' … Convert the character to a sequence of one or more octets using UTF-8\")\n{uri}\n"
    );
    expect(
        &["normalize", "--preset", "none", "--with", "iri", "--explain", iri, "a:%C3%a9"],
        b"",
        &format!("{explained}a:%C3%a9\n"),
        "",
        0,
    );
    expect(&["normalize", "--preset", "none", "HTTP://H:80/../%7e é"], b"", "HTTP://H:80/../%7e é\n", "", 0);
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
        ("a:b", "a:b", "same text (RFC 3986 §6.2.1: \"If two URIs, ", 0),
        ("a:%62", "a:b", "same encoding (RFC 3986 §6.2.2.2: \"be normalized by decoding ", 0),
        ("a:ж", "a:%D0%B6", "same encoding (RFC 3986 §2.1: \"to represent ", 0),
        ("A:b", "a:b", "same case (RFC 3986 §6.2.2.1: \"the scheme and host ", 0),
        ("a:/c/../b", "a:/b", "same dots (RFC 3986 §6.2.2.3: \"normalizers should ", 0),
        ("http://h", "http://h:80", "same scheme (RFC 3986 §6.2.3: \"", 0),
        ("gopher://h/", "gopher://h/1", "same scheme (RFC 1738 §3.4.1: \"may also be empty, ", 0),
        ("a:b", "a:c", "different path: b and c\n", 1),
        ("a:b", "a:b?", "different query: none and \"\"\n", 1),
        ("http://h/a#", "http://h/a", "different fragment: \"\" and none\n", 1),
    ] {
        let output = relref(&["equal", left, right], b"");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with(said) && text.lines().count() == 1, "{text}");
        assert_eq!(output.status.code(), Some(code), "{text}");
    }
    let words = "\"A void fragment-id with or without the hash sign means that the URL refers to the whole object\"";
    for (rules, source) in [
        ("rfc1630", "RFC 1630, Fragment-id"),
        ("draft-www-uri-00", "draft-www-uri-00 §4.5"),
        ("url7", "URL7, appendix 1.1"),
    ] {
        let same = format!("same fragment ({source}: {words})\n");
        expect(&["equal", "--rules", rules, "http://h/a#", "http://h/a"], b"", &same, "", 0);
    }
    let why = "illegal escape: expected two hex digits after `%`, found `z` at byte 10";
    expect(&["equal", "http://h/%zz", "http://h/%zz"], b"", "", &format!("relref: http://h/%zz: {why}\n"), 1);
    let why = "illegal escape: expected two hex digits after `%`, found the end at byte 3";
    expect(&["equal", "a:b", "a:%"], b"", "", &format!("relref: a:%: {why}\n"), 1);
}

#[test]
fn compares_as_browsers_do() {
    let equal = |args: &[&str], stdout: &str, code| {
        expect(&[&["equal"], args].concat(), b"", &format!("{stdout}\n"), "", code);
    };
    let same = "same URL (decision: browsers make the same URL of both (URL Standard §4.6))";
    equal(&["--rules=whatwg", "http:\\\\H\\%2e\\a", "http://h:80/a"], same, 0);
    equal(&["--rules=whatwg", "http://h/a#", "http://h/a"], "different fragment: \"\" and none", 1);
    equal(&["--rules=whatwg", "http://h/%7ea", "http://h/~a"], "different path: /%7ea and /~a", 1);
    equal(&["--rules=whatwg", "--no-fragment", "http://h/a#b", "http://h/a"], same, 0);
    equal(&["--no-fragment", "http://h/a#%", "http://h/b#c"], "different path: /a and /b", 1);
    equal(
        &["--no-fragment", "--json", "http://h/?a#b", "http://h/?c#d"],
        "{\"equal\":false,\"component\":\"query\",\"left\":\"a\",\"right\":\"c\"}",
        1,
    );
    let json = "{\"equal\":true,\"rung\":\"whatwg\",\"sources\":[{\"decision\":\"browsers make the same URL of both (URL Standard §4.6)\"}]}";
    equal(&["--rules=whatwg", "--json", "http://h", "http://h/"], json, 0);
    let why = "missing-scheme-non-relative-URL at byte 0: not an absolute URL: it has no scheme; did you mean https://h.com#x?";
    expect(&["equal", "--rules=whatwg", "http://h/", "h.com#x"], b"", "", &format!("relref: h.com#x: {why}\n"), 1);
}

#[test]
fn shows_iris() {
    let iri = |uri: &str, iri: &str| expect(&["normalize", "--iri", uri], b"", &format!("{iri}\n"), "", 0);
    iri("HTTP://XN--Bcher-kva.example:80/caf%c3%a9%2f?q=%26#%20", "http://bücher.example/café%2F?q=%26#%20");
    iri("ftp://u%C3%A9@xn--bcher-kva.example:99/", "ftp://ué@bücher.example:99/");
    // Only some schemes have A-labels, and only those that come back are decoded.
    iri("x://xn--bcher-kva.example/%C3%A9", "x://xn--bcher-kva.example/é");
    iri("http://xn--a.xn--bcher-kva.example/", "http://xn--a.xn--bcher-kva.example/");
    iri("http://xn--0.example/", "http://xn--0.example/");
    // A mark that turns the direction of text stays an escape.
    iri("http://h/%E2%80%AEa", "http://h/%E2%80%AEa");
    let json = "{\"uri\":\"http://h/%C3%A9\",\"normal\":\"http://h/%C3%A9\",\"iri\":\"http://h/é\"}\n";
    expect(&["normalize", "--iri", "--json", "http://h/%C3%A9"], b"", json, "", 0);
    assert_eq!(relref(&["normalize", "--iri", "--key=host", "http://h/"], b"").status.code(), Some(2));
}

/// An IRI of `--iri` is the same URI for browsers, and normalizes to the same form.
#[test]
fn iris_come_back() {
    let hosts = [
        "xn--bcher-kva.example",
        "xn--fa-hia.example",
        "xn--80akhbyknj4f.xn--p1ai",
        "xn--ls8h.la",
        "xn--a-0hc.example",
        "xn--mgba3a.example",
    ];
    let paths = ["%C3%A9%2F%25%20", "%%34%31", "%E3%80%80%EF%BC%8F", "%F3%A0%80%81%EF%BF%BE", "%5B%5D%3F%23", "%FF%C3"];
    let uris: Vec<String> =
        hosts.iter().flat_map(|host| paths.map(|path| format!("http://{host}/{path}?{path}#{path}"))).collect();
    let lines = |args: &[&str], input: &[String]| -> Vec<String> {
        let output = relref(args, input.join("\n").as_bytes());
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    };
    let crawl = ["normalize", "--preset=crawl", "--without=drop-fragment"];
    let iris = lines(&[&crawl[..], &["--iri"]].concat(), &uris);
    assert!(iris.iter().any(|iri| iri.starts_with("http://bücher.example/é%2F%25%20?")), "{iris:?}");
    assert_eq!(lines(&crawl, &iris), lines(&crawl, &uris));
    assert_eq!(
        lines(&["normalize", "--rules=whatwg"], &iris),
        lines(&["normalize", "--rules=whatwg"], &lines(&crawl, &uris))
    );
}

#[test]
fn reads_by_the_url_standard() {
    let rules = ["normalize", "--rules", "whatwg"];
    expect(&[&rules[..], &["--preset=crawl", "http:\\\\H\\a b"]].concat(), b"", "http://h/a%20b\n", "", 0);
    let explained = "  whatwg: http:H becomes http://h/ (decision: --rules whatwg: the URL is parsed as browsers do (URL Standard \
                     §4.4))\nhttp://h/\n";
    expect(&[&rules[..], &["--explain", "http:H"]].concat(), b"", explained, "", 0);
    expect(&[&rules[..], &["--explain", "http://h/"]].concat(), b"", "http://h/\n", "", 0);
    let why = "relref: line 1: http://h:x/: port-invalid at byte 9: a port has only digits\n";
    expect(&rules, b"http://h:x/\nhttp://H", "\nhttp://h/\n", why, 1);
    expect(&[&rules[..], &["--key", "cdx", "http://H:80"]].concat(), b"", "h)/\n", "", 0);
}

#[test]
fn explanations_are_safe_to_print() {
    let explained = "  encoding: \\u{1b}[31m becomes %1B[31m (RFC 3986 §2.1: ";
    let output = relref(&["normalize", "--explain", "\u{1b}[31m"], b"");
    assert!(String::from_utf8(output.stdout).unwrap().starts_with(explained));
    let whatwg = relref(&["normalize", "--rules=whatwg", "--explain", "http:h/\u{1b}a"], b"");
    let explained = "  whatwg: http:h/\\u{1b}a becomes http://h/%1Ba (decision: ";
    assert!(String::from_utf8(whatwg.stdout).unwrap().starts_with(explained));
}

#[test]
fn prints_json() {
    let json = ["normalize", "--json"];
    let line = "{\"uri\":\"HTTP://H\",\"normal\":\"http://h/\"}\n";
    expect(&[&json[..], &["HTTP://H"]].concat(), b"", line, "", 0);
    let output = relref(&[&json[..], &["--explain", "--key=surt", "HTTP:H\u{7}"]].concat(), b"");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let words =
        "to represent a data octet in a component when that octet's corresponding character is outside the allowed set";
    let lower = "the scheme and host are case-insensitive and therefore should be normalized to lowercase";
    let changes = serde_json::json!([
        { "change": "encoding", "before": "HTTP:H\u{7}", "after": "HTTP:H%07",
          "sources": [{ "document": "RFC 3986", "section": "§2.1", "words": words }] },
        { "change": "case", "before": "HTTP:H%07", "after": "http:H%07",
          "sources": [{ "document": "RFC 3986", "section": "§6.2.2.1", "words": lower }] },
    ]);
    assert_eq!(object, serde_json::json!({ "uri": "HTTP:H\u{7}", "key": "http:H%07", "changes": changes }));
    assert!(String::from_utf8(output.stdout).unwrap().contains("HTTP:H\\u0007"));
    let output = relref(&[&json[..], &["--explain", "--with=drop-www", "http://www.h.org/"]].concat(), b"");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(object["changes"][0]["sources"][0]["decision"].is_string(), "{object}");
    let whatwg = relref(&[&json[..], &["--explain", "--rules=whatwg", "http:h"]].concat(), b"");
    let object: serde_json::Value = serde_json::from_slice(&whatwg.stdout).unwrap();
    assert_eq!(
        (&object["changes"][0]["change"], &object["changes"][0]["after"]),
        (&"whatwg".into(), &"http://h/".into())
    );
    let output = relref(&json, b"http://h/%\n\xff\nx:y\n");
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<serde_json::Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[0]["uri"], &lines[2]["normal"]), (3, &"http://h/%".into(), &"x:y".into()));
    assert!(lines[0]["error"].is_string() && lines[1]["error"].is_string() && output.status.code() == Some(1));

    let equal = |left: &str, right: &str, json: &str, code| {
        let output = relref(&["equal", "--json", left, right], b"");
        assert_eq!((String::from_utf8(output.stdout).unwrap().trim_end(), output.status.code()), (json, Some(code)));
    };
    let source = format!("{{\"document\":\"RFC 3986\",\"section\":\"§6.2.2.1\",\"words\":\"{lower}\"}}");
    equal("A:b", "a:b", &format!("{{\"equal\":true,\"rung\":\"case\",\"sources\":[{source}]}}"), 0);
    equal("a:b", "a:b?\"", "{\"equal\":false,\"component\":\"query\",\"left\":null,\"right\":\"%22\"}", 1);
    equal(
        "a:b",
        "a:%",
        "{\"uri\":\"a:%\",\"error\":\"illegal escape: expected two hex digits after `%`, found the end at byte 3\"}",
        1,
    );
}

#[test]
fn wrong_changes_are_usage_errors() {
    let error = |args: &[&str]| {
        let output = relref(&[&["normalize"], args, &["http://h/?a"]].concat(), b"");
        assert_eq!((output.status.code(), &*output.stdout), (Some(2), &b""[..]));
        String::from_utf8(output.stderr).unwrap()
    };
    let wrong = error(&["--with", "drop-wwww"]);
    assert!(
        wrong.contains("possible values: encoding, ") && wrong.contains("similar value exists: 'drop-www'"),
        "{wrong}"
    );
    let nameless = error(&["--with", "keep-only"]);
    assert!(
        nameless.starts_with("relref: keep-only needs the names of parameters: write --keep-only NAME,… instead"),
        "{nameless}"
    );
    assert!(nameless.contains("Usage: relref normalize "), "{nameless}");
    for option in ["--explain", "--with=drop-www", "--without=case", "--keep-only=a", "--drop-param=a"] {
        let unchanged = error(&["--key=cdx", option]);
        assert!(unchanged.starts_with("relref: --key cdx makes no changes: leave out --explain"), "{unchanged}");
    }
    expect(&["normalize", "--with=keep-only", "--keep-only=a", "http://h/?a&b"], b"", "http://h/?a\n", "", 0);
}

/// Once, and only on a terminal; not where the option changes nothing, or is given.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_told_how_hosts_get_a_labels() {
    let relref = env!("CARGO_BIN_EXE_relref");
    let run = |args: &str| {
        let mut script = Command::new("script");
        let output = finish(script.args(["-qec", &format!("{relref} normalize {args}"), "/dev/null"]), b"");
        String::from_utf8(output.stdout).unwrap().replace('\r', "")
    };
    let normal = "http://b%C3%BCcher.example/\n";
    expect(&["normalize", "http://bücher.example/"], b"", normal, "", 0);
    if !Command::new("script").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return;
    }
    let tip = "relref: the host has escapes, by RFC 3986; --with idna writes xn--bcher-kva.example, as browsers do\n";
    assert_eq!(run("http://bücher.example/ http://bücher.example/"), [tip, normal, normal].concat());
    for (args, result) in [
        ("--preset none http://bücher.example/", "http://bücher.example/\n"),
        ("--with idna http://bücher.example/", "http://xn--bcher-kva.example/\n"),
        ("--without idna http://bücher.example/", normal),
        ("--rules browsers http://bücher.example/", "http://xn--bcher-kva.example/\n"),
        ("http://h/ü", "http://h/%C3%BC\n"),
        ("x://bücher.example/", "x://b%C3%BCcher.example/\n"),
    ] {
        assert_eq!(run(args), result, "{args}");
    }
}
