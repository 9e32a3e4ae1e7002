//! The command, run as a user runs it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub fn relref(args: &[&str], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // The command may stop reading early.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Runs, and expects these texts on standard output and error, and this exit code.
#[track_caller]
pub fn expect(args: &[&str], input: &[u8], stdout: &str, stderr: &str, code: i32) {
    let output = relref(args, input);
    assert_eq!(String::from_utf8_lossy(&output.stdout), stdout, "{args:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), stderr, "{args:?}");
    assert_eq!(output.status.code(), Some(code), "{args:?}");
}

/// A new folder for one test's files.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

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
fn bad_input_is_told_and_the_rest_done() {
    let why = "not an absolute URI: expected `:` to end the scheme, found the end at byte 1";
    expect(&["resolve", "x", "y"], b"", "", &format!("relref: x: {why}\n"), 1);
    expect(&["compare", "x", "y"], b"", "", &format!("relref: x: {why}\n"), 1);
    expect(&["relativize", "a:b", "x", "a:c"], b"", "\nc\n", &format!("relref: x: {why}\n"), 1);
    let stderr = "relref: line 2: invalid utf-8 sequence of 1 bytes from index 0\n";
    expect(&["resolve", "a:b"], b"c\n\xfe\nd\n", "a:c\n\na:d\n", stderr, 1);
    expect(&["relativize", "--pairs"], b"a:b\tx\n", "\n", &format!("relref: line 1: x: {why}\n"), 1);
}

#[test]
fn wrong_usage_is_2() {
    for args in [
        &["resolve"] as &[_],
        &[],
        &["resolve", "--pairs", "a:b"],
        &["resolve", "--rules", "rfc822", "a:b"],
        &["compare", "a:b"],
        &["links", "-"],
        &["links"],
        &["links", "--base", "a:b", "-", "-"],
        &["links", "--base", "a:b", "-", "--files-from", "-"],
        &["links", "--kind", "image", "x"],
        &["links", "--format", "csv", "x"],
        &["links", "--max-page", "1T", "x"],
        &["links", "--max-page", "-1", "x"],
        &["links", "--max-uri", "all", "x"],
        &["links", "--threads", "0", "x"],
        &["fetch"],
    ] {
        let output = relref(args, b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty());
    }
    let output = relref(&["resolve", "--rules", "rfc822", "a:b"], b"");
    assert!(
        String::from_utf8_lossy(&output.stderr).starts_with("relref: invalid value 'rfc822' for '--rules <RULES>': ")
    );
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

/// The largest memory of a stream of 64 MB, with one line of 2 MB in it, stays small.
#[cfg(target_os = "linux")]
#[test]
fn pairs_take_constant_memory() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    command.args(["resolve", "--pairs"]).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let block = b"http://h/a/b\t../c\n".repeat(50_000);
    stdin.write_all(format!("http://h/\t{}\n", "x".repeat(2 << 20)).as_bytes()).unwrap();
    let peak = |child: &std::process::Child| {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap()
    };
    (0..5).for_each(|_| stdin.write_all(&block).unwrap());
    let early = peak(&child);
    (0..70).for_each(|_| stdin.write_all(&block).unwrap());
    let late = peak(&child);
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert!(late < 32 << 10 && late <= early + 1024, "{early} KiB, then {late} KiB");
}

/// Steps and results are written as they come: a reference of a megabyte has half a million steps.
#[cfg(target_os = "linux")]
#[test]
fn explaining_takes_little_memory() {
    for (unit, count) in [("./", 500_000), ("a/../", 200_000), ("a/", 500_000)] {
        for args in [&["--json"] as &[_], &["--explain"], &["--explain", "--json"]] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
            command.arg("resolve").args(args).arg("http://h/a/b");
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let input = unit.repeat(count);
            let watched = crate::links::command::watch_child(command.spawn().unwrap(), move |stdin| {
                stdin.write_all(input.as_bytes()).unwrap();
            });
            assert_eq!(watched.code, Some(0), "{unit}, {args:?}");
            assert!(watched.written > (unit.len() * count) as u64, "{unit}, {args:?}: {} bytes", watched.written);
            let is_long = unit != "a/" && args.contains(&"--explain");
            assert!(watched.written > 10_000_000 || !is_long, "{unit}, {args:?}: {} bytes", watched.written);
            assert!(watched.peak < 24 << 10, "{unit}, {args:?}: {} KiB", watched.peak);
        }
    }
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

#[test]
fn inspects() {
    let output = relref(&["inspect", "http://h:22/%0A#x", "a/b?c"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = "\
uri        http://h:22/%0A#x
scheme     http
authority  h:22
path       /%0A
fragment   x
host       h
port       22
request    /%0A
beware     reserved port of another protocol at bytes 9..11
beware     control octet 0x0a at bytes 12..15

uri    a/b?c
path   a/b
query  c
";
    assert_eq!(text, expected);
    for (uri, field, value) in [
        ("ftp://u:@h/a//%2Fb/c;type=EN", "cwd", serde_json::json!(["a", "", "/b"])),
        ("ftp://u:@h/a//%2Fb/c;type=EN", "type", "EBCDIC, non-print".into()),
        ("ftp://h/%zz/c", "cwd", serde_json::json!(["%zz"])),
        ("ftp://u@h/", "password", "to be asked for".into()),
        ("gopher://h", "type", "1".into()),
        ("gopher://h/7s%09foo", "search", "foo".into()),
        ("gopher://h/7s?foo", "search behind ?", "foo".into()),
        ("mailto:a%25b@c", "address", "a%b@c".into()),
        ("news:*", "groups", "all".into()),
        ("news:a.b", "group", "a.b".into()),
        ("news:a@b", "article", "a@b".into()),
        ("nntp://h/g/1", "article", "1".into()),
        ("wais://h/db/t/1=a;2=b;", "wpath field", serde_json::json!(["1 = a", "2 = b"])),
        ("file://localhost/a%20b", "segment", serde_json::json!(["a b"])),
        ("file:///a", "host", "this machine".into()),
        ("afs://cell/a/b", "segment", serde_json::json!(["a", "b"])),
        ("prospero://h//p;a=b", "field", serde_json::json!(["a = b"])),
        ("urn:/a/b", "segment", serde_json::json!(["a", "b"])),
        ("x-y:z", "experimental", "yes".into()),
        ("telnet://u:p@h", "password", "p".into()),
        ("https://h", "port", "443 (default)".into()),
    ] {
        let output = relref(&["inspect", "--json", uri], b"");
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(object["fields"][field], value, "{uri}: {object}");
        assert_eq!(object["uri"], uri);
    }
}

#[test]
fn unwraps() {
    let text = b"<URL:http://a/b\n c> \xff <a@b> <x:y\xfe> \xc3\xa9 <c:d-\n e>";
    expect(&["unwrap"], text, "0\thttp://a/bc\n38\tc:d-e\n38\tc:de\n", "", 0);
    let folder = folder("unwrap");
    fs::write(folder.join("a"), "<a:b>").unwrap();
    let file = folder.join("a");
    let file = file.to_str().unwrap();
    expect(&["unwrap", file, "-"], b" <c:d>", &format!("{file}\t0\ta:b\n-\t1\tc:d\n"), "", 0);
    let name = folder.join("a%0Ab\nc\u{9b}");
    fs::write(&name, "<a:b\u{9b}\u{202e}>").unwrap();
    let names = [file, name.to_str().unwrap()];
    let stdout = format!("{file}\t0\ta:b\n{}/a%250Ab%0Ac%C2%9B\t0\ta:b%C2%9B%E2%80%AE\n", folder.to_str().unwrap());
    expect(&["unwrap", names[0], names[1]], b"", &stdout, "", 0);
    let output = relref(&["unwrap", "no-such-file", file], b"");
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{file}\t0\ta:b\n"));
    assert!(output.stderr.starts_with(b"relref: no-such-file: "));
    assert_eq!(output.status.code(), Some(1));
}

/// Nothing that is given turns a message into two, or steers the terminal that shows it.
#[test]
fn messages_are_lines() {
    let bad = "\nrelref: \u{1b}[2J\u{9b}2J\u{7f}\u{202e}\u{2066}\u{61c}\u{200f}\r";
    let folder = folder("messages");
    let file = folder.join(bad);
    let file = file.to_str().unwrap();
    let page = folder.join("page.html");
    fs::write(&page, "<a href=x>").unwrap();
    let page = page.to_str().unwrap();
    let option = format!("--{bad}");
    let value = format!("--rules={bad}");
    let step = format!("--with={bad}");
    let size = format!("--max-page={bad}");
    for args in [
        &["resolve", bad, "x"] as &[_],
        &["compare", bad, "x"],
        &["relativize", "a:b", bad],
        &["equal", "a:b", &format!("a:%{bad}")],
        &["normalize", &format!("a:%{bad}")],
        &["unwrap", file],
        &["links", "-q", file],
        &["links", "-q", "--base", bad, page],
        &["links", "-q", "--files-from", file],
        &["links", "-q", "--output", &format!("{file}/x"), page],
        &[bad],
        &["resolve", &option],
        &["links", &option],
        &["unwrap", &option],
        &["compare", "a:b", "x", &option],
        &["resolve", &value],
        &["normalize", &step],
        &["links", &size],
        &["links", "--format", bad],
        &["links", "--kind", bad],
    ] {
        let output = relref(args, b"");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.starts_with("relref: ") && output.status.code() != Some(0), "{args:?}: {text:?}");
        assert_eq!(text.lines().filter(|line| line.starts_with("relref: ")).count(), 1, "{args:?}: {text:?}");
        let is_safe = |c: char| c == '\n' || !c.is_control() && !"\u{202e}\u{2066}\u{61c}\u{200f}".contains(c);
        assert!(text.chars().all(is_safe), "{args:?}: {text:?}");
    }
}

#[test]
fn normalizes_line_for_line() {
    expect(&["normalize", "HTTP://H:80/%7ea", "a b"], b"", "http://h/~a\na%20b\n", "", 0);
    let stderr = "\
relref: line 2: a:%z: illegal escape: expected two hex digits behind `%`, found `z` at byte 3
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
    let stderr = "\
relref: line 2: http://h/%: illegal escape: expected two hex digits behind `%`, found the end at byte 10
";
    let stdout = "  encoding: http://B\u{dc}CHER.example/? becomes http://B%C3%9CCHER.example/?
  idna: http://B%C3%9CCHER.example/? becomes http://xn--bcher-kva.example/?
  drop-empty-query: http://xn--bcher-kva.example/? becomes http://xn--bcher-kva.example/
http://xn--bcher-kva.example/


mailto:a?
";
    expect(&["normalize", "--preset", "crawl", "--explain"], lines, stdout, stderr, 1);
    for args in [["--preset", "all"], ["--with", "sort"], ["--without", "dots,"], ["--key", "hash"]] {
        let output = relref(&[&["normalize"], &args[..], &[uri]].concat(), b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}

/// Its help names every change.
#[test]
fn help_names_the_changes() {
    let help = String::from_utf8(relref(&["normalize", "--help"], b"").stdout).unwrap();
    for change in relref::crawl::Change::ALL {
        assert!(help.split([' ', ',', ';', '.', '\n']).any(|word| word == change.name()), "{change}");
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
    let why = "illegal escape: expected two hex digits behind `%`, found the end at byte 3";
    expect(&["equal", "a:b", "a:%"], b"", "", &format!("relref: a:%: {why}\n"), 1);
}

/// Each `$ relref …` of a help text prints what stands below it.
#[test]
fn the_examples_of_help_work() {
    let mut ran = 0;
    for command in ["resolve", "relativize", "compare", "links", "inspect", "unwrap", "normalize", "equal"] {
        let folder = folder("help");
        let mail = "I found it (<URL:ftp://info.cern.ch/pub/www/doc>) and more <http://ds.in\n  ternic.net/instructions/overview.html#WARNING>.";
        fs::write(folder.join("mail.txt"), mail).unwrap();
        fs::write(folder.join("index.html"), "<a href=intro.html>Introduction</a><img src=/logo.png>").unwrap();
        fs::create_dir_all(folder.join("site/a")).unwrap();
        fs::write(folder.join("site/a/b.html"), "<a href=c.html>next</a><img src=/logo.png>").unwrap();
        let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=y><a href=y><a href=mailto:z>";
        let head = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/x";
        let warc = format!("{head}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n", http.len());
        fs::write(folder.join("crawl.warc"), warc).unwrap();
        let help = String::from_utf8(relref(&[command, "--help"], b"").stdout).unwrap();
        let mut lines = help.lines().filter_map(|line| line.strip_prefix("  ")).peekable();
        while let Some(line) = lines.next() {
            let Some(args) = line.strip_prefix("$ relref ") else { continue };
            let mut expected = String::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with('$')) {
                expected += &format!("{line}\n");
            }
            let mut example = Command::new(env!("CARGO_BIN_EXE_relref"));
            let output = example.args(args.split(' ')).current_dir(&folder).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), expected.trim_end(), "{args}");
            ran += 1;
        }
    }
    assert_eq!(ran, 15);
}
