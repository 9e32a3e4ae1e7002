//! Which links are printed, and how they are resolved and normalized.

use super::run::links;
use crate::command::process::relref;

#[test]
fn chooses_links() {
    let html = b"<a href=mailto:me><a href=x><img src=y><form action=ftp://z/><q cite=w><img src=data:,>\
        <img data-src=late><p itemtype=http://t/>";
    let uris = |args: &[&str]| {
        let (text, problems, code) = links(&[args, &["--base", "http://h/", "--format", "text", "-"]].concat(), html);
        assert_eq!((problems.as_str(), code), ("", 0));
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(uris(&[]), ["mailto:me", "http://h/x", "http://h/y", "ftp://z/", "http://h/w", "data:,"]);
    assert_eq!(uris(&["--follow"]), ["http://h/x", "http://h/y", "ftp://z/", "http://h/w"]);
    assert_eq!(uris(&["--kind", "hyperlink"]), ["mailto:me", "http://h/x"]);
    assert_eq!(uris(&["--kind", "form,citation"]), ["ftp://z/", "http://h/w"]);
    assert_eq!(uris(&["--kind", "resource", "--kind", "form", "--follow"]), ["http://h/y", "ftp://z/"]);
    assert!(uris(&["--lazy"]).contains(&String::from("http://h/late")));
    assert!(uris(&["--items"]).contains(&String::from("http://t/")));
}

#[test]
fn normalizes() {
    let html =
        b"<a href='%7ea/../b?utm_source=x&z&y#top'><a href='%zz'><a href=http://H.com/?><a href='http://h.com/#x'>";
    let run = |args: &[&str]| {
        let output = relref(&[&["links", "--base", "http://Example.com:80/d/", "-"], args].concat(), html);
        let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (stdout.lines().map(str::to_owned).collect::<Vec<_>>(), stderr, output.status.code())
    };
    let (lines, stderr, code) = run(&["--format", "text", "--normalize", "safe"]);
    let bad = "http://Example.com:80/d/%zz";
    let top = "http://example.com/d/b?utm_source=x&z&y#top";
    assert_eq!(lines, [top, bad, "http://h.com/?", "http://h.com/#x"]);
    assert!(stderr.ends_with(" s; 1 URI not normalized\n") && code == Some(0), "{stderr}");
    // The preset `crawl` keeps a stray `%`, and makes all other changes.
    let (lines, stderr, _) = run(&["--format", "text", "--normalize", "crawl", "--unique"]);
    assert!(!stderr.contains("not normalized"), "{stderr}");
    assert_eq!(lines, ["http://example.com/d/b?y&z", "http://example.com/d/%zz", "http://h.com/"]);
    let (lines, ..) = run(&["--normalize", "crawl", "--key", "surt"]);
    let first = "-\ta\thref\t%7ea/../b?utm_source=x&z&y#top\thttp://example.com/d/b?y&z\tcom,example)/d/b?y&z";
    assert_eq!(lines[0], first);
    assert_eq!(lines[1], "-\ta\thref\t%zz\thttp://example.com/d/%zz\tcom,example)/d/%zz");
    // Without `--normalize`, the key is that of the URI normalized as `safe`.
    let (lines, ..) = run(&["--format", "text", "--key", "surt"]);
    assert_eq!(lines[2], "http://H.com/?\tcom,h)/?");
    let (lines, ..) = run(&["--format", "jsonl", "--key", "surt"]);
    let object: serde_json::Value = serde_json::from_str(&lines[2]).unwrap();
    assert_eq!((&object["uri"], &object["key"]), (&"http://H.com/?".into(), &"com,h)/?".into()));
    // A query keeps the character encoding of its page, a path does not.
    let html = b"<meta charset=windows-1251><a href='\xe6?\xe6'>";
    let (text, ..) = links(&["--base", "http://h/", "--format", "text", "--normalize", "safe", "-"], html);
    assert_eq!(text, "http://h/%D0%B6?%E6\n");
}

#[test]
fn rules_and_charsets() {
    let (text, ..) =
        links(&["--rules", "rfc1630", "--base", "http://h/x//y/z", "--format", "text", "-"], b"<a href=/g>");
    assert_eq!(text, "http://h/x//y/g\n");
    let (text, ..) = links(&["--charset", "windows-1251", "--base", "h:/", "--format", "text", "-"], b"<a href=\xe6>");
    assert_eq!(text, "h:/ж\n");
    for (mark, order) in [(&b"\xff\xfe"[..], 0), (b"\xfe\xff", 1), (b"", 0)] {
        let units: Vec<u8> = "<a href=é>"
            .encode_utf16()
            .flat_map(|unit| if order == 0 { unit.to_le_bytes() } else { unit.to_be_bytes() })
            .collect();
        let charset = if mark.is_empty() { &["--charset", "utf-16le"][..] } else { &[] };
        let (text, problems, code) =
            links(&[charset, &["--base", "h:/", "--format", "text", "-"]].concat(), &[mark, &units].concat());
        assert_eq!((text.as_str(), problems.as_str(), code), ("h:/é\n", "", 0));
    }
}

/// A link that is not printed takes no bytes from the limits of the others.
#[test]
fn links_not_chosen_take_nothing() {
    let base = format!("<base href='http://h/{}/'>", "y".repeat(60_000));
    let page = format!("{base}{}<form action=f>", "<a href=xxxx>".repeat(400));
    let run = |args: &[&str]| {
        let (text, problems, code) = links(&[&["--base=h:/", "--format=text", "-"], args].concat(), page.as_bytes());
        (text.lines().count(), problems, code)
    };
    assert_eq!(run(&["--kind=form"]), (1, String::new(), 0));
    let page = page.replace("<base href='http:", "<base href='mail:").replace("action=f", "action=http://h/f");
    let run = |args: &[&str]| {
        let (text, problems, code) = links(&[&["--base=h:/", "--format=text", "-"], args].concat(), page.as_bytes());
        (text.lines().count(), problems, code)
    };
    assert_eq!(run(&["--follow"]), (1, String::new(), 0));
}
