//! `--seen` and `--unique`: URIs and keys of this run, and of earlier ones.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::run::{links, path};
use crate::command::process::{folder, relref};

/// Runs `relref links` on a page. Returns the lines that are printed, with spaces between them, and the end of the totals.
fn run(args: &[&str], page: &str) -> (String, String) {
    let output = relref(&[&["links", "--base=http://h/", "--format=text"], args, &["-"]].concat(), page.as_bytes());
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let end = stderr.split_once(" s; ").map_or("", |(_, end)| end.trim_end());
    (stdout.replace('\n', " "), end.to_owned())
}

/// Writes a list with this text, and returns the option `--seen` for it.
fn list(root: &Path, name: &str, text: &str) -> String {
    let file = root.join(name);
    fs::write(&file, text).unwrap();
    format!("--seen={}", path(&file))
}

#[test]
fn links_of_lists_are_not_printed() {
    let root = folder("seen");
    let one = list(&root, "one", "http://h/a\nhttp://h/b\r\nnothing\n\nhttp://h/c\tx\n");
    let other = list(&root, "other", "http://h/d");
    let empty = list(&root, "empty", "");
    let page = "<a href=x><a href=a><a href=b><a href=x><a href=c><a href=a><a href=d><a href=B>";
    let expect = |args: &[&str], lines: &str, totals: &str| {
        assert_eq!(run(args, page), (String::from(lines), String::from(totals)), "{args:?}");
    };
    expect(&[&one], "http://h/x http://h/x http://h/d http://h/B ", "4 links seen before (--seen)");
    expect(&[&one, &empty, &other], "http://h/x http://h/x http://h/B ", "5 links seen before (--seen)");
    // Each is counted once.
    expect(&[&one, &other, "--unique"], "http://h/x http://h/B ", "4 links seen before (--seen)");
    let all = "http://h/x http://h/a http://h/b http://h/x http://h/c http://h/a http://h/d http://h/B ";
    expect(&[&empty], all, "");
    // After the page, the list is read from where its first line ends.
    let page = root.join("page.html");
    fs::write(&page, page_of(&["a", "e"])).unwrap();
    let args = ["--base=http://h/", "--format=text", "--seen=-", path(&page)];
    assert_eq!(links(&args, b"http://h/a\n"), (String::from("http://h/e\n"), String::new(), 0));
}

/// A list is not at fault if what waits cannot be written to a temporary file.
#[cfg(unix)]
#[test]
fn a_temporary_file_that_fails_is_named_without_a_list() {
    let root = folder("seen-temporary");
    let lines: String = (0..20).map(|line| format!("http://h/{line}\n")).collect();
    let (list, page, missing) = (list(&root, "list", &lines), root.join("page.html"), root.join("missing"));
    fs::write(&page, "<a href=x>").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    command.args(["links", "--max-memory=1", &list, path(&page)]).env("TMPDIR", &missing);
    let output = command.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let start = format!("relref: output: temporary file in {}: ", missing.display());
    assert!(stderr.starts_with(&start) && output.status.code() == Some(1), "{stderr}");
}

/// Returns a page with links that have these references.
fn page_of(references: &[&str]) -> String {
    references.iter().map(|reference| format!("<a href='{reference}'>")).collect()
}

/// With `--key`, a link was seen before if a list has its URI or its key. The key of one link never counts as the URI of another.
#[test]
fn keys_are_seen_too() {
    let root = folder("seen-keys");
    let keys = list(&root, "keys", "h)/a\n");
    let uris = list(&root, "uris", "http://h/a\n");
    let page = page_of(&["a", "http://H:80/%61#x", "b", "h)/a"]);
    let [a, upper, b, rest] = ["http://h/a h)/a", "http://h/%61#x h)/a", "http://h/b h)/b", "http://h/h)/a h)/h)/a"];
    let run = |args: &[&str]| {
        let (lines, totals) = run(&[&["--key=surt"], args].concat(), &page);
        (lines.replace('\t', " "), totals)
    };
    let line = |lines: &[&str]| lines.iter().map(|line| format!("{line} ")).collect::<String>();
    assert_eq!(run(&[&keys]), (line(&[b, rest]), String::from("2 links seen before (--seen)")));
    assert_eq!(run(&[&uris]), (line(&[upper, b, rest]), String::from("1 link seen before (--seen)")));
    assert_eq!(run(&["--unique"]), (line(&[a, upper, b, rest]), String::new()));
    assert_eq!(run(&["--unique=key"]), (line(&[a, b, rest]), String::new()));
    assert_eq!(run(&["--unique=key", &keys]), (line(&[b, rest]), String::from("1 link seen before (--seen)")));
    assert_eq!(run(&["--unique=key", &uris]), (line(&[b, rest]), String::from("1 link seen before (--seen)")));
    // The key of one link is the URI of another, which is printed.
    let page = "<a href=MAILTO:a><a href=mailto:a>";
    let args = ["--base=h:/", "--rules=rfc3986", "--format=text", "--key=surt", "--unique", &keys, "-"];
    assert_eq!(links(&args, page.as_bytes()).0, "MAILTO:a\tmailto:a\nmailto:a\tmailto:a\n");
}

/// The links that a run prints are those that the next one has seen, whatever characters are in them.
#[test]
fn the_output_of_a_run_is_a_list() {
    let root = folder("seen-output");
    let page = "<a href='a\u{1}\u{202e}b'><a href='c d'><a href=\u{e9}><a href=http://h/e?\u{2028}>";
    for rules in ["rfc3986", "whatwg"] {
        let args = ["--base=http://h/", "--format=text", "--rules", rules, "-"];
        let (first, ..) = links(&args, page.as_bytes());
        assert_eq!(first.lines().count(), 4);
        let seen = list(&root, rules, &first);
        let (again, ..) = links(&[&args[..], &[&seen]].concat(), page.as_bytes());
        assert_eq!(again, "", "{rules}");
    }
}

/// With `--seen-normalize`, the lines need not be written as the links are printed.
#[test]
fn lists_are_normalized_as_links_are() {
    let root = folder("seen-normalize");
    let lines = [
        "HTTP://Example.com:80/a/../b?utm_source=x&z&a#top",
        "https://президент.рф?sid=1",
        "http://h/日本?q=\u{e9}",
        "http://h/%zz",
        "mailto:a@b",
        "no uri",
        "",
        "http://h/c\tmore",
    ];
    let seen = list(&root, "list", &lines.join("\r\n"));
    let page = "<a href=http://example.com/b?a&z><a href=https://xn--d1abbgf6aiiy.xn--p1ai/#x><a href=/日本?q=é><a href=%zz>\
                <a href=mailto:a@b><a href='no%20uri'><a href=c#><a href=new>";
    let expect = |args: &[&str], lines: &str| {
        let (text, totals) = run(&[&[&*seen], args].concat(), page);
        assert_eq!(text, lines, "{args:?}: {totals}");
    };
    let [president, japan] = ["https://xn--d1abbgf6aiiy.xn--p1ai/", "http://h/%E6%97%A5%E6%9C%AC?q=%C3%A9"];
    let [zz, rest] = ["http://h/%zz", "http://h/no%20uri"];
    let crawl = "--normalize=crawl";
    expect(&[crawl], &format!("http://example.com/b?a&z {president} {japan} {rest} http://h/new "));
    expect(&[crawl, "--seen-normalize"], &format!("{president} {rest} http://h/new "));
    expect(&[crawl, "--seen-normalize", "--drop-param=s*d"], &format!("{rest} http://h/new "));
    // Without other changes, a line is read as browsers read a reference.
    expect(&["--seen-normalize"], &format!("http://example.com/b?a&z {president}#x {rest} http://h/c# http://h/new "));
    // A URI without a normal form is compared as it is.
    expect(&["--normalize=safe", "--seen-normalize", "--include=zz"], "");
    expect(&["--normalize=safe", "--include=zz"], "");
    // Keys count only if they are what is unique.
    let (key, in_order) = (
        "--key=host",
        "http://example.com/b?a&z\texample.com https://xn--d1abbgf6aiiy.xn--p1ai/#x\txn--d1abbgf6aiiy.xn--p1ai ",
    );
    let (text, _) = run(&[&seen, key, "--seen-normalize"], page);
    assert!(text.starts_with(in_order) && text.ends_with("http://h/new\th "), "{text}");
    assert_eq!(run(&[&seen, key, "--seen-normalize", "--unique=key"], page).0, "");
    let (text, _) = run(&[&seen, key, "--unique=key"], page);
    assert_eq!(text.split(' ').count(), 4, "{text}");
    assert!(!zz.is_empty());

    // A line that is longer than a URI may be is compared as it is.
    let long = format!("http://h/{}", "x".repeat(100));
    let seen = list(&root, "long", &format!("{long}\nhttp://h/a#b\n"));
    let page = format!("<a href={long}><a href=a>");
    let limit = ["--normalize=crawl", "--seen-normalize"];
    assert_eq!(run(&[&limit[..], &[&seen]].concat(), &page).0, "");
    assert_eq!(run(&[&limit[..], &[&seen, "--max-uri=50"]].concat(), &page).0, "");
    // With --nested, the URIs are those within.
    let seen = list(&root, "nested", "https://web.archive.org/web/2020/http://Example.com:80/a#x\n");
    let base = "--base=https://web.archive.org/web/2020/http://example.com/";
    let args = ["--nested", "--normalize=crawl", "--format=text", base, &seen, "-"];
    let (text, ..) = links(&[&args[..], &["--seen-normalize"]].concat(), b"<a href=a#y><a href=b>");
    assert_eq!(text, "https://web.archive.org/web/2020/http://example.com/b\n");
    assert_eq!(links(&["--seen-normalize", "--base=http://h/", "-"], b"").2, 2);
    let (_, problems, code) = links(&["--seen=/no/such/list", "--base=http://h/", "-"], b"");
    assert!(problems.starts_with("relref: /no/such/list: ") && code == 1, "{problems}");
}

/// `--seen` and `--unique` are exact with links in random order, with what fits in memory and with more.
#[test]
fn lists_are_exact() {
    let root = folder("seen-exact");
    let mut random = 7_u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let references: Vec<u64> = (0..600_000).map(|_| next(400_000)).collect();
    let is_seen = |reference: u64| reference % 3 == 1;
    let page: String = references.iter().map(|reference| format!("<a href={reference}>")).collect();
    let text: String =
        (0..2_000_000).filter(|number| is_seen(*number)).map(|number| format!("http://h/{number}\n")).collect();
    let seen = list(&root, "list", &text);
    let printed: Vec<u64> = references.iter().copied().filter(|reference| !is_seen(*reference)).collect();
    let all: String = printed.iter().map(|reference| format!("http://h/{reference} ")).collect();
    let mut once = std::collections::HashSet::new();
    let unique: String =
        printed.iter().filter(|one| once.insert(**one)).map(|one| format!("http://h/{one} ")).collect();
    let count = references.iter().filter(|one| is_seen(**one) && once.insert(**one)).count();
    for memory in ["--max-memory=256M", "--max-memory=4M", "--max-memory=1K"] {
        let (lines, totals) = run(&[&seen, memory], &page);
        assert!(lines == all, "{memory}");
        assert_eq!(totals, format!("{} links seen before (--seen)", references.len() - printed.len()));
        let (lines, totals) = run(&[&seen, memory, "--unique"], &page);
        assert!(lines == unique, "{memory}");
        assert_eq!(totals, format!("{count} links seen before (--seen)"));
    }
}

#[test]
fn wrong_lists() {
    let root = folder("seen-wrong");
    let seen = list(&root, "list", "http://h/a\n");
    let file = &seen["--seen=".len()..];
    let (text, problems, code) = links(&["--base=h:/", "--seen=/no/such/list", "-"], b"<a href=x>");
    assert!(problems.starts_with("relref: /no/such/list: No such file") && text.is_empty() && code == 1, "{problems}");
    let (text, problems, code) = links(&["--base=h:/", &seen, "--output", file, "-"], b"<a href=x>");
    assert_eq!((text.as_str(), code), ("", 1));
    assert_eq!(problems, format!("relref: output: {file}: it is also an input\n"));
    assert_eq!(fs::read_to_string(file).unwrap(), "http://h/a\n");
    for compressed in [&b"\x1f\x8b\x08\0"[..], b"\x28\xb5\x2f\xfd\0"] {
        fs::write(file, compressed).unwrap();
        let (text, problems, code) = links(&["--base=h:/", &seen, "-"], b"<a href=x>");
        let expected = format!("relref: {file}: it is compressed: a list is uncompressed text\n");
        assert_eq!((text.as_str(), problems, code), ("", expected, 1));
    }
    fs::write(file, "\u{feff}h:/x\n").unwrap();
    assert_eq!(links(&["--base=h:/", &seen, "-"], b"<a href=x>"), (String::new(), String::new(), 0));
    for (args, why) in [
        (&["--unique=key"][..], "--unique=key needs --key"),
        (&["--seen=-"], "standard input can be read only once"),
        (&["--unique=x"], "possible values: uri, key"),
    ] {
        let (text, problems, code) = links(&[args, &["--base=h:/", "-"]].concat(), b"<a href=x>");
        assert!(problems.contains(why) && text.is_empty() && code == 2, "{problems}");
    }
}
