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
    let stdout = "http://h/b\n\n\n\n\nhttp://h/b\tc\nhttp://h/a\n\nf:../y\n";
    let stderr = "\
relref: line 2: /x: not an absolute URI: expected a letter to start a scheme, found `/` at byte 0
relref: line 3: no tab between a base and a reference
relref: line 4: no tab between a base and a reference
relref: line 5: invalid utf-8 sequence of 1 bytes from index 11
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
    let step = |action: &str, text: &str| {
        let source = "RFC 1630, Partial (relative) form";
        format!(r#"{{"action":"{action}","text":"{text}","run":null,"source":"{source}"}}"#)
    };
    let steps = [step("directory", "http://h/a/"), step("dot-removed", ".")].join(",");
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
    let lines = json(&["resolve", "--json", "--pairs"], b"a:b\tc\nx\ty\n");
    assert_eq!(lines[0]["uri"], "a:c");
    assert!(lines[1]["error"].as_str().unwrap().starts_with("x: not an absolute URI"));
    let lines = json(&["relativize", "--json", "http://h/a/b", "http://h/a/c"], b"");
    assert_eq!(lines[0]["reference"], "c");
    let lines = json(&["compare", "--json", base, "/g"], b"");
    assert_eq!(lines[0]["results"]["rfc1630"], "magic://a/b/c//d/g");
    assert_eq!(lines[0]["results"]["draft-www-uri-00"], "magic://a/g");
}

#[test]
fn compares() {
    let output = relref(&["compare", "magic://a/b/c//d/e/f", "g", "/g", "//g", "../g", "g:h"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[0], ["reference", "url7", "draft-www-uri-00", "rfc1630", "rfc1808", "rfc2396", "rfc3986"]);
    let a = "magic://a/g";
    assert_eq!(rows[2], ["/g", a, a, "magic://a/b/c//d/g*", a, a, a]);
    assert_eq!(rows[5], ["g:h"; 7]);
}
