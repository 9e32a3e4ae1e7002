//! `resolve`, `relativize` and `compare`.

use std::io::Write;
use std::process::{Command, Stdio};

use super::process::{expect, relref};

#[test]
fn resolves_arguments_or_lines() {
    let base = "magic://a/b/c//d/e/f";
    expect(&["resolve", base, "../g", "/g"], b"", "magic://a/b/c//d/g\nmagic://a/b/c//d/g\n", "", 0);
    expect(&["resolve", "--rules", "rfc3986", base, "/g"], b"", "magic://a/g\n", "", 0);
    let lines = "g\n\n/g\r\nlast";
    let results = "magic://a/b/c//d/e/g\nmagic://a/b/c//d/e/f\nmagic://a/b/c//d/g\nmagic://a/b/c//d/e/last\n";
    expect(&["resolve", base], lines.as_bytes(), results, "", 0);
    expect(&["resolve", base], b"", "", "", 0);
}

#[test]
fn resolves_pairs_line_for_line() {
    let input = b"http://h/a\tb\n/x\tb\n\nno tab\nhttp://h/a\t\xff\nhttp://h/a\tb\tc\nhttp://h/a\t\n\tx\nf:x\t../y";
    let stdout = "http://h/b\n\n\n\n\nhttp://h/b%09c\nhttp://h/a\n\nf:../y\n";
    let stderr = "\
relref: line 2: /x: not an absolute URI: expected a letter to start a scheme, found `/` at byte 0
relref: line 3: no tab between a base and a reference
relref: line 4: no tab between a base and a reference
relref: line 5: not UTF-8 at byte 11
relref: line 8: \"\": not an absolute URI: expected a letter to start a scheme, found the end at byte 0
";
    expect(&["resolve", "--pairs"], input, stdout, stderr, 1);
    expect(&["resolve", "--pairs"], b"", "", "", 0);
}

#[test]
fn pairs_of_any_size_keep_their_lines() {
    // Lines across block ends, one much longer than a block, bases that change and stay.
    let mut input = String::new();
    let mut expected = String::new();
    for number in 0..20_000 {
        let directory = number / 7;
        let name = if number == 9_999 { "long/".repeat(100_000) } else { format!("n{number}") };
        input += &format!("http://h/d{directory}/x\t{name}\n");
        expected += &format!("http://h/d{directory}/{name}\n");
    }
    let output = relref(&["resolve", "--pairs"], input.as_bytes());
    assert!(output.status.success());
    assert!(output.stdout == expected.as_bytes());
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    command.args(["resolve", "a:b"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    while stdin.write_all(&b"c\n".repeat(10_000)).is_ok() {}
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn explains_and_speaks_json() {
    // The fields and their order.
    let base = "http://h/a/b";
    let line = r#"{"base":"http://h/a/b","rules":"rfc1630","reference":"./c?d","uri":"http://h/a/c?d","scheme":"http","authority":"h","path":"/a/c","query":"d","fragment":null"#;
    expect(&["resolve", "--json", base, "./c?d"], b"", &format!("{line}}}\n"), "", 0);
    let step = |action: &str, text: &str, words: &str| {
        let source = format!(r#"{{"document":"RFC 1630","section":"Partial (relative) form","words":"{words}"}}"#);
        format!(r#"{{"action":"{action}","text":"{text}","run":null,"source":{source}}}"#)
    };
    let removed = r#"all occurrences of \"xxx/../\" or \"/.\" are recursively removed"#;
    let place =
        "The last part of the path of the context URI … is removed, and the given partial URI appended in its place";
    let directory = step("directory", "http://h/a/", place);
    let steps = [directory, step("dot-removed", ".", removed)].join(",");
    expect(&["resolve", "--json", "--explain", base, "./c?d"], b"", &format!("{line},\"steps\":[{steps}]}}\n"), "", 0);
    let relative = r#"{"base":"http://h/a/b","rules":"rfc1630","uri":"http://h/a/c","reference":"c"}"#;
    expect(&["relativize", "--json", base, "http://h/a/c"], b"", &format!("{relative}\n"), "", 0);

    let base = "magic://a/b/c//d/e/f";
    let output = relref(&["resolve", "--explain", base, "/g"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("  keep `magic://a/b/c//d`: the run of 1 slash at bytes 16..17 "), "{text}");
    assert!(text.ends_with("\nmagic://a/b/c//d/g\n"));

    let json = |args: &[&str], input: &[u8]| -> Vec<serde_json::Value> {
        let output = relref(args, input);
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let lines = json(&["resolve", "--json", "--explain", base, "/g?q"], b"");
    assert_eq!(lines[0]["uri"], "magic://a/b/c//d/g?q");
    assert_eq!(lines[0]["path"], "/b/c//d/g");
    assert_eq!(lines[0]["fragment"], serde_json::Value::Null);
    assert_eq!(lines[0]["steps"][0]["run"], serde_json::json!([16, 17]));
    let lines = json(&["resolve", "--json", "--explain", "http://h/a", "."], b"");
    let reason = lines[0]["steps"][1]["source"]["decision"].as_str().unwrap();
    assert!(reason.starts_with("a final `.` names the directory"), "{reason}");
    let lines = json(&["resolve", "--json", "--pairs"], b"a:b\tc\nx\ty\n");
    assert_eq!(lines[0]["uri"], "a:c");
    assert!(lines[1]["error"].as_str().unwrap().starts_with("x: not an absolute URI"));
    let lines = json(&["relativize", "--json", "http://h/a/b", "http://h/a/c"], b"");
    assert_eq!(lines[0]["reference"], "c");
    let lines = json(&["compare", "--json", base, "/g"], b"");
    assert_eq!(lines[0]["results"]["rfc1630"], "magic://a/b/c//d/g");
    assert_eq!(lines[0]["results"]["draft-www-uri-00"], "magic://a/g");
}

/// No step or result has a character that controls the terminal.
#[test]
fn steps_are_safe_to_print() {
    let output = relref(&["resolve", "--explain", "http://\u{1b}h/a", "\u{9b}b/../c"], b"");
    let stdout = String::from_utf8(output.stdout).unwrap();
    let (steps, result) = stdout.trim_end().rsplit_once('\n').unwrap();
    assert!(steps.contains("\\u{9b}b/..`") && !steps.contains(['\u{1b}', '\u{9b}']), "{steps}");
    assert_eq!(result, "http://%1Bh/c");
    // As JSON, it is the text as it is.
    let output = relref(&["resolve", "--json", "http://\u{1b}h/a", "\u{9b}"], b"");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["uri"], "http://\u{1b}h/\u{9b}");
}

/// By the URL Standard, `--explain` prints what was done, with the section and the words, and the errors where they occur.
#[test]
fn explains_what_browsers_do() {
    let explain = ["resolve", "--rules", "whatwg", "--explain"];
    let stdout = r#"  keep `http://h/a/` of the base: the text after the last slash of its path is removed (relative state; URL Standard §4.4: "url's path to a clone of base's path … Shorten url's path")
  remove `a/..` (path state; URL Standard §4.2: "Remove path's last item, if any")
  invalid-reverse-solidus at byte 2: a backslash counts as a slash (URL Standard §1.1)
  percent-encode `é\u{9b}` at bytes 3..7 as `%C3%A9%C2%9B`: path percent-encode set (path state; URL Standard §4.4: "UTF-8 percent-encode c using the path percent-encode set")
  invalid-URL-unit at byte 5: a valid URL has this only percent-encoded (URL Standard §1.1)
  percent-encode `'` at bytes 8..9 as `%27`: special-query percent-encode set (query state; URL Standard §4.4: "Percent-encode after encoding, with encoding, buffer, and queryPercentEncodeSet")
http://h/%C3%A9%C2%9B?%27
"#;
    expect(&[&explain[..], &["http://h/a/b", "..\\é\u{9b}?'"]].concat(), b"", stdout, "", 0);

    // The base is changed, too.
    let stdout = r#"  base: write the host `EXAMPLE.com` as `example.com` (host state; URL Standard §3.3: "Unicode ToASCII")
  base: drop `:80`: it is the default port of the scheme (port state; URL Standard §4.4: "Set url's port to null, if port is url's scheme's default port")
  base: remove `x/..` (path state; URL Standard §4.2: "Remove path's last item, if any")
  base: percent-encode ` ` at bytes 28..29 as `%20`: path percent-encode set (path state; URL Standard §4.4: "UTF-8 percent-encode c using the path percent-encode set")
  base: invalid-URL-unit at byte 28: a valid URL has this only percent-encoded (URL Standard §1.1)
  base: this is `http://example.com/y%20z`
  keep `http://example.com/y%20z` of the base: the reference is empty (relative state; URL Standard §4.4: "url's path to a clone of base's path, and url's query to base's query")
http://example.com/y%20z
"#;
    expect(&[&explain[..], &["http://EXAMPLE.com:80/x/../y z", ""]].concat(), b"", stdout, "", 0);

    // A host beyond US-ASCII, and one that is a number.
    let stdout = r#"  use nothing of the base: the reference has the scheme `https` (scheme state; URL Standard §4.4: "Set url's scheme to buffer")
  write the host `ПРИМЕР.испытание` in US-ASCII as `xn--e1afmkfd.xn--80akhbyknj4f` (host state; URL Standard §3.3: "Unicode ToASCII")
  write `/`, with which the path does not start (path start state; URL Standard §4.5: "append U+002F (/) followed by segment to output")
https://xn--e1afmkfd.xn--80akhbyknj4f/
"#;
    expect(&[&explain[..], &["http://127.0.0.1/", "https://ПРИМЕР.испытание"]].concat(), b"", stdout, "", 0);
    let stdout = r#"  keep `http:` of the base: the reference starts with two slashes (relative slash state; URL Standard §4.4: "Set url's scheme to base's scheme")
  read the host `0x7f.1` as the IPv4 address `127.0.0.1` (host state; URL Standard §3.5: "return the result of IPv4 parsing asciiDomain")
  IPv4-too-few-parts at byte 2: an IPv4 address has four parts (URL Standard §1.1)
  IPv4-non-decimal-part at byte 2: the parts of an IPv4 address are decimal numbers (URL Standard §1.1)
http://127.0.0.1/
"#;
    expect(&[&explain[..], &["http://h/", "//0x7f.1/"]].concat(), b"", stdout, "", 0);

    let source = |section: &str, words: &str| {
        format!(r#"{{"document":"URL Standard","section":"{section}","words":"{words}"}}"#)
    };
    let step = |action: &str, state: &str, text: &str, written: &str, range: &str, source: String| {
        format!(
            r#"{{"action":"{action}","state":"{state}","text":"{text}","written":"{written}","range":{range},"source":{source}}}"#
        )
    };
    let path = source("§4.4", "url's path to a clone of base's path … Shorten url's path");
    let backslash = source("§4.4", r"c is U+005C (\\), invalid-reverse-solidus validation error");
    let encoded = source("§4.4", "UTF-8 percent-encode c using the path percent-encode set");
    let host = source("§3.3", "Unicode ToASCII");
    let base_steps = step("host-lowercased", "host state", "H", "h", "[7,8]", host);
    let steps = [
        step("directory", "relative state", "", "http://h/a/", "[0,0]", path),
        step("backslash", "path state", r"\\", "/", "[1,2]", backslash),
        step("encoded", "path state", " ", "%20", "[2,3]", encoded),
    ];
    let line = r#"{"base":"http://H/a/","rules":"whatwg","reference":"b\\ c","uri":"http://h/a/b/%20c","scheme":"http","authority":"h","path":"/a/b/%20c","query":null,"fragment":null,"base_steps":["#;
    let rest = r#"],"encoded":[{"range":[2,3],"set":"path percent-encode set"}],"errors":[{"name":"invalid-reverse-solidus","position":1},{"name":"invalid-URL-unit","position":2}]}"#;
    let line = format!("{line}{base_steps}],\"steps\":[{}{rest}\n", steps.join(","));
    expect(&[&explain[..], &["--json", "http://H/a/", "b\\ c"]].concat(), b"", &line, "", 0);
}

/// By the URL Standard, some references have no URI.
#[test]
fn resolves_as_browsers_do() {
    let whatwg = ["resolve", "--rules", "whatwg"];
    let missing = "missing-scheme-non-relative-URL at byte 0: not an absolute URL: it has no scheme";
    let invalid = "domain-invalid-code-point at byte 3: a domain cannot have this character";
    let port = "port-out-of-range at byte 9: no port is greater than 65535";
    let run = |args: &[&str], input: &[u8], stdout: &str, stderr: &str, code: i32| {
        expect(&[&whatwg, args].concat(), input, stdout, stderr, code);
    };
    let base = "HTTP://Example.com:80/a/b";
    run(&[base, "..\\c d", "//é?ж"], b"", "http://example.com/c%20d\nhttp://xn--9ca/?%D0%B6\n", "", 0);
    let problem = format!("relref: //a b: {invalid}\n");
    run(&[base, "c", "//a b", "d"], b"", "http://example.com/a/c\n\nhttp://example.com/a/d\n", &problem, 1);
    let problem = format!("relref: line 2: http://h:99999: {port}\n");
    run(
        &[base],
        b"c\nhttp://h:99999\n\r\n",
        &format!("http://example.com/a/c\n\n{}\n", "http://example.com/a/b"),
        &problem,
        1,
    );
    run(&["/a", "b"], b"", "", &format!("relref: /a: {missing}\n"), 1);
    run(&["mailto:a", "b"], b"", "\n", &format!("relref: b: {missing}\n"), 1);
    // The base is kept from line to line, as it was given.
    let input = b"HTTP://H\ta\nHTTP://H\t//a b\nhttp://a b/\tc\n/x\tc\nHTTP://H\tb\nno tab\n";
    let problems = format!(
        "relref: line 2: //a b: {invalid}\n\
         relref: line 3: http://a b/: domain-invalid-code-point at byte 8: a domain cannot have this character\n\
         relref: line 4: /x: {missing}\n\
         relref: line 6: no tab between a base and a reference\n"
    );
    run(&["--pairs"], input, "http://h/a\n\n\n\nhttp://h/b\n\n", &problems, 1);
    let fields = r#"{"base":"HTTP://H","rules":"whatwg","reference":"é?a b","uri":"http://h/%C3%A9?a%20b","scheme":"http","authority":"h","path":"/%C3%A9","query":"a%20b","fragment":null}"#;
    let problem = format!("relref: line 2: //a b: {invalid}\n");
    let error = format!("{{\"error\":\"//a b: {invalid}\"}}\n");
    run(
        &["--json", "--pairs"],
        "HTTP://H\té?a b\nHTTP://H\t//a b\n".as_bytes(),
        &format!("{fields}\n{error}"),
        &problem,
        1,
    );
}

#[test]
fn relativizes_as_browsers_do() {
    let args = ["relativize", "--rules", "whatwg", "http://h/a/b", "HTTP://H:80/a/c d", "http://x", "x", "http://a b"];
    let problems = "\
relref: x: missing-scheme-non-relative-URL at byte 0: not an absolute URL: it has no scheme
relref: http://a b: domain-invalid-code-point at byte 8: a domain cannot have this character
";
    expect(&args, b"", "c%20d\n//x\n\n\n", problems, 1);
    let line = r#"{"base":"http://h/a/b","rules":"whatwg","uri":"HTTP://H/a/c d","reference":"c%20d"}"#;
    expect(
        &["relativize", "--json", "--rules", "whatwg", "http://h/a/b", "HTTP://H/a/c d"],
        b"",
        &format!("{line}\n"),
        "",
        0,
    );
}

#[test]
fn compares() {
    let output = relref(&["compare", "magic://a/b/c//d/e/f", "g", "/g", "//g", "../g", "g:h"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 6);
    assert_eq!(
        rows[0],
        ["reference", "url7", "draft-www-uri-00", "rfc1630", "rfc1808", "rfc2396", "rfc3986", "whatwg"]
    );
    let a = "magic://a/g";
    assert_eq!(rows[2], ["/g", a, a, "magic://a/b/c//d/g*", a, a, a, a]);
    assert_eq!(rows[5], ["g:h"; 8]);
}

#[test]
fn compares_chosen_rule_sets() {
    let compare = |args: &[&str], stdout: &str, stderr: &str, code: i32| {
        expect(&[&["compare"], args].concat(), b"", stdout, stderr, code);
    };
    let table = "\
reference  whatwg                    rfc1630
//a b      (domain-invalid-code-point)  http://a b*
";
    let table = table.replace("whatwg                    ", "whatwg                       ");
    compare(&["--rules", "whatwg,rfc1630", "http://h/x", "//a b"], &table, "", 0);
    let table = "reference  rfc3986+lenient  rfc3986\nhttp:g     http://h/g*      http:g\n";
    compare(&["--rules", "rfc3986+lenient", "--rules", "rfc3986", "http://h/x", "http:g"], table, "", 0);
    // A base that only some rule sets refuse, and one that all do.
    let why = "domain-invalid-code-point at byte 8: a domain cannot have this character";
    let problem = format!("relref: http://a b: by whatwg: {why}\n");
    compare(
        &["--rules", "rfc3986,whatwg", "http://a b", "c"],
        "reference  rfc3986\nc          http://a b/c\n",
        &problem,
        1,
    );
    compare(&["--rules", "whatwg", "http://a b", "c"], "", &format!("relref: http://a b: {why}\n"), 1);
    let line = r#"{"base":"http://h/x","reference":"//h:x","results":{"rfc3986":"http://h:x","whatwg":null},"errors":{"whatwg":"port-invalid at byte 4: a port has only digits"}}"#;
    compare(&["--json", "--rules", "rfc3986,whatwg", "http://h/x", "//h:x"], &format!("{line}\n"), "", 0);
    let line = r#"{"base":"http://h/x","reference":"g","results":{"whatwg":"http://h/g"}}"#;
    compare(&["--json", "--rules", "whatwg", "http://h/x", "g"], &format!("{line}\n"), "", 0);
}

#[test]
fn browsers_rules_have_other_names() {
    for name in ["browser", "browsers"] {
        let rules = format!("--rules={name}");
        let object = "{\"base\":\"http://h/\",\"rules\":\"whatwg\",\"uri\":\"http://h/a\",\"reference\":\"a\"}\n";
        expect(&["relativize", "--json", &rules, "http://h/", "http://h/a"], b"", object, "", 0);
        expect(&["compare", &rules, "http://h/", "a\\b"], b"", "reference  whatwg\na\\b        http://h/a/b\n", "", 0);
        expect(&["normalize", &rules, "http://h\\a"], b"", "http://h/a\n", "", 0);
        expect(
            &["links", "-q", &rules, "--format=text", "--base=http://h/", "-"],
            b"<a href='\\b'>",
            "http://h/b\n",
            "",
            0,
        );
        let same = "same URL (decision: browsers make the same URL of both (URL Standard \u{a7}4.6))\n";
        expect(&["equal", &rules, "http://h\\a", "http://h/a"], b"", same, "", 0);
        let wrong = super::process::relref(&["resolve", &format!("{rules}+lenient"), "http://h/", "a"], b"");
        let told = String::from_utf8(wrong.stderr).unwrap();
        assert!(wrong.status.code() == Some(2) && !told.contains("did you mean"), "{told}");
    }
    let wrong = super::process::relref(&["equal", "--rules", "whatgw", "a:b", "a:b"], b"");
    let told = String::from_utf8(wrong.stderr).unwrap();
    assert!(wrong.status.code() == Some(2) && told.contains("did you mean whatwg?"), "{told}");
}
