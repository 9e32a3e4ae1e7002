//! `relref links` on files, folders and standard input.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::command::cli::{expect, folder, relref};

/// What it prints with `--quiet`, in text and in problems, and its exit code.
fn links(args: &[&str], input: &[u8]) -> (String, String, i32) {
    let output = relref(&[&["links", "--quiet"], args].concat(), input);
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (stdout, stderr, output.status.code().unwrap())
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn links_of_files_have_file_uris() {
    let folder = folder("links");
    let page = folder.join("a b#c.html");
    fs::write(&page, "<a href='?page=2'><img src=../x.png>").unwrap();
    let (text, problems, code) = links(&[path(&page)], b"");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0][..4], [path(&page), "a", "href", "?page=2"]);
    assert!(lines[0][4].starts_with("file:///") && lines[0][4].ends_with("/links/a%20b%23c.html?page=2"), "{text}");
    assert!(lines[1][4].ends_with("/x.png") && !lines[1][4].contains(".."), "{text}");
    assert_eq!((problems.as_str(), code), ("", 0));
    expect(&["links", "-q", "--base", "http://h/", "-"], b"<a href=x>", "-\ta\thref\tx\thttp://h/x\n", "", 0);
}

#[test]
fn folders_are_copies_of_sites() {
    let root = folder("site");
    let write = |name: &str, text: &str| {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), text).unwrap();
    };
    write("b/index.html", "<a href=x>");
    write("a/été 1.HTM", "<a href=x>");
    write("a/c.xhtml", "<a href=../../x/>");
    write("a/no-name", "  <!DOCTYPE html><a href=x>");
    write("a/xml", "<?xml version='1.0'?><html><a href='x'/></html>");
    write("a/rss", "<?xml version='1.0'?><rss><link href='x'/></rss>");
    write("a/text", "a <a href=x>");
    write("a/page.txt", "<html><a href=x>");
    write("z.html", "<base href=//other/><a href=x>");
    let root = path(&root);
    for base in ["http://h/s", "http://h/s/"] {
        let (text, problems, code) = links(&["--base", base, "--format", "text", root], b"");
        let expected = "\
http://h/x/
http://h/s/a/x
http://h/s/a/x
http://h/s/a/x
http://h/s/b/x
http://other/x
";
        assert_eq!((text.as_str(), problems.as_str(), code), (expected, "", 0));
    }
    // The folder's page and its own URI.
    let (text, ..) = links(&["--base", "http://h/s", root, "--format", "jsonl"], b"");
    let objects: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects[3]["page"], format!("{root}/a/été 1.HTM"));
    let (text, ..) = links(&["--format", "text", &format!("{root}/../site/a")], b"");
    assert!(text.lines().all(|line| line.ends_with("/site/a/x") || line.ends_with("/x/")), "{text}");
    // References without a path show the URI of the page itself.
    fs::write(format!("{root}/b/index.html"), "<a href='#x'>").unwrap();
    fs::write(format!("{root}/a/été 1.HTM"), "<a href='#x'>").unwrap();
    let (text, ..) = links(&["--base", "http://h/s", "--format", "text", root], b"");
    assert!(text.contains("http://h/s/b/index.html#x\n"), "{text}");
    assert!(text.contains("http://h/s/a/%C3%A9t%C3%A9%201.HTM#x\n"), "{text}");
}

/// A page of so many links, with text between them.
fn page(name: usize, count: usize) -> String {
    (0..count).map(|link| format!("<p>text <a href='{name}/{link}?q'>more</a>")).collect()
}

/// 400 pages from nothing to 6 MiB.
fn pages(name: &str) -> std::path::PathBuf {
    let root = folder(name);
    for number in 0..400 {
        let count = if number == 7 { 160_000 } else { number * number % 700 };
        fs::write(root.join(format!("{number:03}.html")), page(number, count)).unwrap();
    }
    root
}

#[test]
fn order_is_that_of_the_inputs() {
    let root = pages("order");
    let expected: String = (0..400)
        .flat_map(|number| {
            let count = if number == 7 { 160_000 } else { number * number % 700 };
            (0..count).map(move |link| format!("a:/{number}/{link}?q\n"))
        })
        .collect();
    for threads in ["1", "2", "13"] {
        let (text, problems, code) =
            links(&["--base", "a:/", "--format", "text", "--threads", threads, path(&root)], b"");
        assert!(text == expected && problems.is_empty() && code == 0, "{threads}: {problems}");
    }
}

#[test]
fn unique_prints_the_first_place() {
    let root = folder("unique");
    fs::write(root.join("a.html"), "<a href=x><a href=y><a href='./x'>").unwrap();
    fs::write(root.join("b.html"), "<a href=z><img src=x>").unwrap();
    let [one, other] = ["a.html", "b.html"].map(|name| root.join(name));
    let (text, ..) = links(&["--base", "h:/", "--unique", path(&one), path(&other), path(&one)], b"");
    let [one, other] = [path(&one), path(&other)];
    let expected = format!("{one}\ta\thref\tx\th:/x\n{one}\ta\thref\ty\th:/y\n{other}\ta\thref\tz\th:/z\n");
    assert_eq!(text, expected);
    // More than a worker sends at a time.
    let many = page(1, 30_000).repeat(2);
    let output = relref(&["links", "--base", "h:/", "--unique", "--format", "text", "-"], many.as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text == (0..30_000).map(|link| format!("h:/1/{link}?q\n")).collect::<String>());
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("relref: 1 input, 1 page, 30000 links, "));
}

/// More URIs than are decided at a time, in no order; and lines longer than a block, which are cut wherever a batch ends.
#[test]
fn unique_is_exact() {
    let mut random = 1_u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let references = (0..700_000).map(|number| match number % 5_000 {
        0 => format!("{}/{}", next(40), "long".repeat(40_000)),
        1 => format!("{}/{}", next(40), "l".repeat(119_000)),
        _ => next(400_000).to_string(),
    });
    let references: Vec<String> = references.collect();
    let page: String = references.iter().map(|reference| format!("<a href={reference}>")).collect();
    let mut seen = std::collections::HashSet::new();
    let expected: Vec<&String> = references.iter().filter(|reference| seen.insert(*reference)).collect();
    let args = ["links", "--base", "h:/", "--unique", "--format", "text", "--max-uri", "1M", "-"];
    let output = relref(&args, page.as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    let found: Vec<&str> = text.lines().map(|line| &line["h:/".len()..]).collect();
    assert!(found == expected, "{} lines of {}", found.len(), expected.len());
    let totals = String::from_utf8(output.stderr).unwrap();
    assert!(totals.starts_with(&format!("relref: 1 input, 1 page, {} links, ", expected.len())), "{totals}");
}

#[test]
fn formats() {
    let html = b"<a rel='next nofollow' href='q\"\x01\xc3\xa9&#9;'>";
    let args = ["--base", "http://h/"];
    let (text, ..) = links(&[&args[..], &["--format", "jsonl", "-"]].concat(), html);
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    let expected = serde_json::json!({
        "page": "-", "element": "a", "attribute": "href", "kind": "hyperlink", "rel": "next nofollow",
        "reference": "q\"\u{1}é", "uri": "http://h/q\"\u{1}é",
    });
    assert_eq!(object, expected);
    let (text, ..) = links(&[&args[..], &["--format", "tsv", "-"]].concat(), html);
    assert_eq!(text, "-\ta\thref\tq\"%01é\thttp://h/q\"%01é\n");
    let (text, ..) = links(&[&args[..], &["--format", "text", "-"]].concat(), html);
    assert_eq!(text, "http://h/q\"%01é\n");
}

/// Characters that end a line, clear a screen or turn the text around, in each field.
#[test]
fn no_character_reaches_a_terminal() {
    let all: String = ('\u{1}'..='\u{20}').chain('\u{7f}'..='\u{a0}').chain('\u{200b}'..='\u{206f}').collect();
    let is_safe = |c: char| {
        !c.is_control()
            && !"\u{61c}\u{200e}\u{200f}\u{2028}\u{2029}".contains(c)
            && !('\u{202a}'..='\u{202e}').contains(&c)
            && !('\u{2066}'..='\u{2069}').contains(&c)
    };
    let all = format!("x{all}\u{61c}x");
    let html = format!("<a\u{7f}\u{9b} rel='{all}' href='?{all}'>");
    let base = format!("h:/{all}/");
    for format in ["text", "tsv", "jsonl"] {
        let (text, problems, code) = links(&["--base", &base, "--format", format, "-"], html.as_bytes());
        assert_eq!((problems.as_str(), code), ("", 0));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1);
        assert!(lines[0].chars().all(|c| is_safe(c) || c == '\t' && format == "tsv"), "{text:?}");
    }
    let (text, ..) = links(&["--base", &base, "--format", "jsonl", "-"], html.as_bytes());
    assert!(text.contains("\\u007f\\u0080\\u0081") && text.contains("\\u202e\u{202f}"), "{text}");
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    let reference = format!("?{}", all.replace(['\t', '\n', '\r'], ""));
    assert_eq!(object["element"], "a\u{7f}\u{9b}");
    assert_eq!((&object["rel"], &object["reference"]), (&all.replace('\r', "\n").into(), &reference.clone().into()));
    assert_eq!(object["uri"], format!("{base}{reference}"));
    let (text, ..) =
        links(&["--base", "h:/", "--format", "text", "-"], "<a href='\u{9b}\u{202e}\u{200b}%'>".as_bytes());
    assert_eq!(text, "h:/%C2%9B%E2%80%AE\u{200b}%\n");
}

#[cfg(unix)]
#[test]
fn no_name_breaks_a_line() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let root = folder("names");
    let name = "a\tb\nc\\\u{9b}\u{202e}é";
    fs::write(root.join(OsStr::from_bytes(&[name.as_bytes(), b"\xff.html"].concat())), "<a href=x>").unwrap();
    let escaped = format!("{}/a%09b%0Ac\\%C2%9B%E2%80%AEé%FF.html", path(&root));
    let (text, ..) = links(&["--base", "h:/\t\n", path(&root)], b"");
    let uri = "h:/%09%0A/x";
    assert_eq!(text, format!("{escaped}\ta\thref\tx\t{uri}\n"));
    let (text, ..) = links(&["--base", "h:/\t\n", "--format", "jsonl", path(&root)], b"");
    let object: serde_json::Value = serde_json::from_str(text.trim_end()).unwrap();
    assert_eq!(object["page"], escaped);
    assert_eq!(object["uri"], "h:/\t\n/x");
}

/// Different files have different names, in each format; of archives, too.
#[cfg(unix)]
#[test]
fn names_stay_distinct() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let root = folder("distinct");
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>";
    let head = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/%0A";
    let warc = format!("{head}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n", http.len());
    let names: [&[u8]; 6] = [b"a\nb", b"a%0Ab", b"a%0ab", b"a\xffb", b"a\xfeb", "a\u{fffd}b".as_bytes()];
    for name in names {
        fs::write(root.join(OsStr::from_bytes(&[name, b".html"].concat())), "<a href=x>").unwrap();
        fs::write(root.join(OsStr::from_bytes(&[name, b".warc"].concat())), &warc).unwrap();
    }
    let (text, problems, code) = links(&["--format", "jsonl", path(&root)], b"");
    assert_eq!((problems.as_str(), code), ("", 0));
    let objects: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 12);
    let mut found = [Vec::new(), Vec::new()];
    for object in &objects {
        match &object["archive"] {
            serde_json::Value::Null => found[0].push(object["page"].as_str().unwrap()),
            archive => {
                // The page of a record is a URI.
                assert_eq!(object["page"], "http://h/%0A");
                found[1].push(archive.as_str().unwrap());
            }
        }
    }
    for (found, ending) in found.iter_mut().zip(["html", "warc"]) {
        found.sort_unstable();
        let names = ["%0A", "%250A", "%250a", "%FE", "%FF", "\u{fffd}"];
        assert_eq!(*found, names.map(|name| format!("{}/a{name}b.{ending}", path(&root))));
    }
    let (text, ..) = links(&[path(&root)], b"");
    let mut pages: Vec<&str> = text.lines().map(|line| line.split('\t').next().unwrap()).collect();
    pages.sort_unstable();
    pages.dedup();
    // The six archives have one page.
    assert_eq!(pages.len(), 7);
}

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
    let (lines, ..) = run(&["--format", "text", "--normalize", "crawl", "--unique"]);
    assert_eq!(lines, ["http://example.com/d/b?y&z", bad, "http://h.com/"]);
    let (lines, ..) = run(&["--normalize", "crawl", "--key", "surt"]);
    let first = "-\ta\thref\t%7ea/../b?utm_source=x&z&y#top\thttp://example.com/d/b?y&z\tcom,example)/d/b?y&z";
    assert_eq!(lines[0], first);
    assert_eq!(lines[1], format!("-\ta\thref\t%zz\t{bad}\t{bad}"));
    // Without a form for the URI the key is of the safe one.
    let (lines, ..) = run(&["--format", "text", "--key", "surt"]);
    assert_eq!(lines[2], "http://H.com/?\tcom,h)/?");
    let (lines, ..) = run(&["--format", "jsonl", "--key", "surt"]);
    let object: serde_json::Value = serde_json::from_str(&lines[2]).unwrap();
    assert_eq!((&object["uri"], &object["key"]), (&"http://H.com/?".into(), &"com,h)/?".into()));
    // A query keeps the encoding of its page, the path does not.
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

#[test]
fn bad_input_is_told_and_the_rest_done() {
    let root = folder("bad");
    let good = root.join("page.html");
    fs::write(&good, "<a href=g>").unwrap();
    fs::write(root.join("empty.html"), "").unwrap();
    fs::write(root.join("image.png"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR<a href=no>").unwrap();
    fs::write(root.join("open.html"), "<a href='g").unwrap();
    fs::write(root.join("long.html"), format!("<a href='{}'", "x".repeat(1 << 20)) + "><a href=g>").unwrap();
    let [good, empty, image, open, long] = ["page.html", "empty.html", "image.png", "open.html", "long.html"]
        .map(|name| path(&root.join(name)).to_owned());
    let missing = format!("{}/missing\n.html", path(&root));
    let (text, problems, code) =
        links(&["--max-uri=2M", "--base=a:/b", "--format=text", &missing, &empty, &image, &open, &long, &good], b"");
    assert_eq!(text.lines().map(|line| line.len()).collect::<Vec<_>>(), [3 + (1 << 20), 4, 4]);
    let problems: Vec<&str> = problems.lines().collect();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].starts_with(&format!("relref: {}/missing%0A.html: ", path(&root))), "{problems:?}");
    assert_eq!(problems[1], format!("relref: {image}: binary data, not a page"));
    assert_eq!(code, 1);
    let (text, problems, code) = links(&["--base", "b", &good, &good], b"");
    let why = "b: not an absolute URI: expected `:` to end the scheme, found the end at byte 1";
    assert_eq!(problems, format!("relref: {good}: {why}\n").repeat(2));
    assert_eq!((text.as_str(), code), ("", 1));
    let output = relref(&["links", "--base", "a:/", &missing, &good, &missing, &image], b"");
    let stderr = String::from_utf8(output.stderr).unwrap();
    let totals = stderr.lines().last().unwrap();
    assert!(totals.starts_with("relref: 4 inputs, 1 page, 1 link, 10 B in "), "{totals}");
    assert!(totals.ends_with("; 3 inputs failed"), "{totals}");
}

#[cfg(unix)]
#[test]
fn loops_and_dead_links_are_told() {
    use std::os::unix::fs::symlink;
    let root = folder("loops");
    fs::create_dir_all(root.join("a/b")).unwrap();
    fs::write(root.join("a/b/x.html"), "<a href=g>").unwrap();
    fs::write(root.join("z.html"), "<a href=g>").unwrap();
    symlink("..", root.join("a/b/up")).unwrap();
    symlink("nowhere", root.join("dead.html")).unwrap();
    symlink("z.html", root.join("y.html")).unwrap();
    let (text, problems, code) = links(&["--base", "h:/", "--format", "text", path(&root)], b"");
    assert_eq!((text.as_str(), code), ("h:/a/b/g\nh:/g\nh:/g\n", 1));
    let root = path(&root);
    let problems: Vec<&str> = problems.lines().collect();
    assert_eq!(problems[0], format!("relref: {root}/a/b/up: a link back to {root}/a"));
    assert!(problems[1].starts_with(&format!("relref: {root}/dead.html: ")), "{problems:?}");
    assert_eq!(problems.len(), 2);
}

/// Makes folders, files with one link (`NAME` or `NAME=REFERENCE`) and symbolic links (`NAME -> TARGET`).
#[cfg(unix)]
fn plant(root: &Path, names: &[&str]) {
    for name in names {
        let (name, target) = name.split_once(" -> ").unwrap_or((name, ""));
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        match target {
            "" => fs::write(path, "<a href=g>").unwrap(),
            target => std::os::unix::fs::symlink(target, path).unwrap(),
        }
    }
}

#[cfg(unix)]
#[test]
fn each_folder_is_read_once() {
    let root = folder("linked");
    let run = |names: &[&str]| {
        let _ = fs::remove_dir_all(&root);
        plant(&root, names);
        let site = root.join("site");
        links(&["--base", "h:/", "--format", "text", path(&site)], b"")
    };
    let good = |text: &str| (text.to_owned(), String::new(), 0);
    // A folder of the site is read at its own place, whatever links to it and wherever.
    let names =
        ["site/z/p.html", "site/a -> z", "site/b/c -> ../z", "site/zz -> b", "site/z/deep/q.html", "site/d -> z/deep"];
    assert_eq!(run(&names), good("h:/z/deep/g\nh:/z/g\n"));
    // Another folder is read once, at the first link.
    let names = ["other/p.html", "other/x/q.html", "site/b -> ../other", "site/a/c -> ../../other", "site/d -> b/x"];
    assert_eq!(run(&names), good("h:/a/c/g\nh:/a/c/x/g\n"));
    // Its parts may come first.
    let names = ["other/p.html", "other/x/q.html", "site/a -> ../other/x", "site/b -> ../other"];
    assert_eq!(run(&names), good("h:/a/g\nh:/b/g\n"));
    // The folder around the site; not the site in it.
    let names = ["p.html", "q/x -> ../site/y", "site/a -> ..", "site/y/r.html", "site/y/s -> ../../q"];
    assert_eq!(run(&names), good("h:/a/g\nh:/y/g\n"));
    // A link back through another folder.
    let names = ["other/p.html", "other/x/up -> ../../other", "other/x/site -> ../../site", "site/a -> ../other"];
    let at = path(&root);
    let problems = format!(
        "relref: {at}/site/a/x/site: a link back to {at}/site\nrelref: {at}/site/a/x/up: a link back to {at}/site/a\n"
    );
    let (text, told, code) = run(&names);
    assert_eq!((text.as_str(), told, code), ("h:/a/g\n", problems, 1));
    // Two links a level: without a bound there are 2^12 ways to the last.
    let levels: Vec<String> = (0..12)
        .flat_map(|level| {
            let next = level + 1;
            ["a", "b"].map(|name| format!("other/{level:02}/{name} -> ../{next:02}"))
        })
        .chain([String::from("other/12/p.html"), String::from("site/a -> ../other/00")])
        .collect();
    let levels: Vec<&str> = levels.iter().map(String::as_str).collect();
    assert_eq!(run(&levels), good(&format!("h:/{}g\n", "a/".repeat(13))));
    // Given twice is two inputs.
    let site = root.join("site");
    let (text, ..) = links(&["--base", "h:/", "--format", "text", path(&site), path(&site)], b"");
    assert_eq!(text.lines().count(), 2);
}

/// Names that do not fit in memory at once come in their order, folders at their place.
#[cfg(unix)]
#[test]
fn long_folders_are_in_order() {
    let root = folder("long");
    let mut names: Vec<String> = (0..12_000).map(|number| format!("{:0250}", number * 7919 % 12_000)).collect();
    for name in &mut names {
        if name.ends_with('0') {
            fs::create_dir(root.join(&name)).unwrap();
            name.push_str("/x.html");
        }
        fs::write(root.join(&name), "<!DOCTYPE html><a href=g>").unwrap();
    }
    names.sort_unstable();
    let (text, problems, code) = links(&["--base", "h:/", path(&root)], b"");
    let found: Vec<&str> = text.lines().map(|line| &line[path(&root).len() + 1..line.find('\t').unwrap()]).collect();
    assert!(found == names && problems.is_empty() && code == 0, "{} of {}: {problems}", found.len(), names.len());
}

/// A flat folder of so many files that their paths are more than the bound, and a line without an end in a list.
#[cfg(target_os = "linux")]
#[test]
fn memory_of_inputs_is_bounded() {
    let root = folder("flat");
    for number in 0..100_000 {
        fs::File::create(root.join(format!("{number:0240}.html"))).unwrap();
    }
    let (most, _) = peak(&["--threads", "32", "--base", "h:/", path(&root)], |_| ());
    fs::remove_dir_all(&root).unwrap();
    assert!(most < 32 << 10, "folder: {most} KiB");
    let Watched { peak: most, problems, code, .. } = watch(&["--files-from", "-"], |stdin| {
        stdin.write_all(b"\r\n").unwrap();
        for _ in 0..64 {
            stdin.write_all(&[b'x'; 1 << 20]).unwrap();
        }
        stdin.write_all(b"\nno-such-file\n").unwrap();
    });
    let line = format!("relref: -: line 2 has more than 32768 bytes: {}…", "x".repeat(60));
    let problems: Vec<&str> = problems.lines().collect();
    assert!(problems[0] == line && problems[1].starts_with("relref: no-such-file: "), "{problems:?}");
    assert_eq!((problems.len(), code), (2, Some(1)));
    assert!(most < 16 << 10, "list: {most} KiB");
}

#[cfg(unix)]
#[test]
fn unreadable_files_are_told() {
    use std::os::unix::fs::PermissionsExt;
    let root = folder("unreadable");
    let [locked, good] = ["a.html", "b.html"].map(|name| root.join(name));
    fs::write(&locked, "<a href=no>").unwrap();
    fs::write(&good, "<a href=g>").unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&locked).is_ok() {
        // Whoever runs the test may read everything; a folder in a file's place fails for them too.
        fs::remove_file(&locked).unwrap();
        std::os::unix::fs::symlink("/proc/self/mem", &locked).unwrap();
    }
    let (text, problems, code) = links(&["--base", "h:/", "--format", "text", path(&root)], b"");
    assert_eq!((text.as_str(), code), ("h:/g\n", 1));
    assert!(problems.starts_with(&format!("relref: {}: ", path(&locked))), "{problems}");
}

#[test]
fn larger_pages_are_skipped() {
    let root = folder("large");
    let [large, small] = ["a.html", "b.html"].map(|name| root.join(name));
    fs::write(&large, page(1, 1000)).unwrap();
    fs::write(&small, "<a href=g>").unwrap();
    let args = ["--base", "h:/", "--format", "text"];
    let (text, problems, code) = links(&[&args[..], &["--max-page", "1k", path(&root)]].concat(), b"");
    assert_eq!(text, "h:/g\n");
    assert_eq!(problems, format!("relref: {}: the page has more than 1024 bytes (--max-page)\n", path(&large)));
    assert_eq!(code, 1);
    let (text, problems, code) = links(&[&args[..], &["--max-page", "9", "-"]].concat(), b"<a href=g>");
    assert_eq!((text.as_str(), code), ("", 1));
    assert_eq!(problems, "relref: -: the page has more than 9 bytes (--max-page)\n");
    let (text, ..) = links(&[&args[..], &["--max-page", "10", "-"]].concat(), b"<a href=g>");
    assert_eq!(text, "h:/g\n");
}

#[test]
fn long_uris_are_counted() {
    let page = format!("<a href={0}><a href={0}y><a href=data:,{0}{0}><img src={0}yy>", "x".repeat(1000 - 3));
    let run = |args: &[&str]| {
        let output = relref(&[&["links"], args, &["--base", "h:/", "--format", "text", "-"]].concat(), page.as_bytes());
        let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (stdout.lines().map(str::len).collect::<Vec<_>>(), stderr, output.status.code())
    };
    let (lens, stderr, code) = run(&["--max-uri", "1000"]);
    assert_eq!((lens, code), (vec![1000], Some(0)));
    assert!(stderr.ends_with(" s; 3 URIs too long (--max-uri)\n"), "{stderr}");
    // Only those that would have been printed count.
    let (lens, stderr, _) = run(&["--max-uri", "1000", "--follow"]);
    assert!(lens.is_empty() && !stderr.contains("too long"), "{stderr}");
    let (_, stderr, _) = run(&["--max-uri", "1000", "--kind", "resource"]);
    assert!(stderr.ends_with(" s; 1 URI too long (--max-uri)\n"), "{stderr}");
    let (lens, ..) = run(&[]);
    assert_eq!(lens, [1000, 1001, 6 + 2 * 997, 1002]);
    // The default, and a page at such a URI.
    let page = format!("<a href=a:{0}><a href=a:{0}y>", "x".repeat((64 << 10) - 2));
    let (text, ..) = links(&["--base", "h:/", "--format", "text", "-"], page.as_bytes());
    assert_eq!(text.len(), (64 << 10) + 1);
    let base = format!("h:/{}", "x".repeat(98));
    let (text, problems, code) = links(&["--base", &base, "--max-uri", "100", "-"], b"<a href=x>");
    assert_eq!((text.as_str(), code), ("", 1));
    assert_eq!(problems, "relref: -: its URI has more than 100 bytes (--max-uri)\n");
}

/// Pages of 200 KB whose lines repeat something long for each of fifty thousand links.
#[test]
fn no_product_of_lengths() {
    let many = "x ".repeat(50_000);
    let long = "y".repeat(50_000);
    let pages = [
        ("name", format!("<{long} srcset='{}'>", "x 1x,".repeat(25_000)), 25_000, 0),
        ("rel", format!("<a rel='{}' ping='{many}'>", "y ".repeat(50_000)), 50_000, 0),
        ("base", format!("<base href='http://h/{long}/'><a ping='{many}'>"), 50_000, 1),
        ("long base", format!("<base href='http://h/{long}{long}/'><a ping='{many}'>"), 50_000, 0),
        ("codebase", format!("<base href='http://h/{long}/'>{}", "<object codebase=c data=/>".repeat(4000)), 8000, 1),
    ];
    for (name, page, count, bad) in &pages {
        for format in ["tsv", "jsonl"] {
            let output = relref(&["links", "--base", "h:/", "--format", format, "-"], page.as_bytes());
            let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
            let most = (1 << 20) + 256 * page.len();
            assert!(stdout.len() <= most, "{name}, {format}: {}", stdout.len());
            // `rel` has 1 KiB for each.
            let bad = if (*name, format) == ("rel", "jsonl") { &1 } else { bad };
            assert_eq!(output.status.code(), Some(*bad), "{name}, {format}: {stderr}");
            let why = format!("relref: -: its links take more than {most} bytes (1 MiB and 256 times the page): ");
            assert_eq!(stderr.starts_with(&why), *bad == 1, "{name}, {format}: {stderr}");
            let printed = stdout.lines().count();
            let number = |what: &str| {
                let before = stderr.lines().last().unwrap().split_once(what).map_or("0", |(before, _)| before);
                before.rsplit(' ').next().unwrap().parse::<usize>().unwrap()
            };
            assert_eq!(printed + number(" URIs too long") + number(" links left out"), *count, "{name}: {stderr}");
        }
    }
    // The URI of a record is the page of each line.
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a ping='{many}'>");
    let head = format!("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/{long}");
    let archive = format!("{head}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n", http.len());
    let (text, problems, code) = links(&["--base", "h:/", "-"], archive.as_bytes());
    assert!(text.len() <= (1 << 20) + 256 * 100_010 && !text.is_empty(), "{}", text.len());
    assert!(problems.starts_with("relref: -: record at byte 0: its links take more than ") && code == 1, "{problems}");
}

/// The length of lines counts, not a bound on it.
#[test]
fn lines_may_have_all_the_bytes() {
    // 4096 lines of 769 bytes are 1 MiB and 256 times 8208.
    let base = format!("h:/{}/", "y".repeat(767 - 4));
    let run = |page: &str| {
        assert_eq!(page.len(), 8208);
        links(&["--base", &base, "--format", "text", "-"], page.as_bytes())
    };
    let (text, problems, code) = run(&format!("<a ping='{}'>     ", "x ".repeat(4096)));
    assert_eq!((text.len(), problems.as_str(), code), (4096 * 769, "", 0));
    let (text, problems, code) = run(&format!("<a ping='{}'>    ", "x ".repeat(4095) + "xx "));
    assert_eq!((text.len(), code), (4095 * 769, 1));
    assert!(problems.ends_with(": 1 left out\n"), "{problems}");
}

/// A link that is not to be printed takes nothing from the others.
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

/// Two inputs are two, whatever their names look like.
#[cfg(target_os = "linux")]
#[test]
fn failed_inputs_are_counted_by_name() {
    use std::os::unix::ffi::OsStrExt;
    let root = folder("failed-names");
    for name in [b"d\xfe.warc", b"d\xff.warc"] {
        fs::write(root.join(std::ffi::OsStr::from_bytes(name)), "WARC/1.1\r\nWARC-Type: response\r\n").unwrap();
    }
    let output = relref(&["links", path(&root)], b"");
    let stderr = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = stderr.lines().collect();
    for (line, name) in lines.iter().zip(["d%FE.warc", "d%FF.warc"]) {
        assert!(line.starts_with(&format!("relref: {}/{name}: record at byte 0: ", path(&root))), "{stderr}");
    }
    assert!(lines[2].starts_with("relref: 2 inputs, ") && lines[2].ends_with("; 2 inputs failed"), "{stderr}");
}

#[test]
fn lists_of_files() {
    let root = folder("lists");
    fs::create_dir(root.join("d")).unwrap();
    let [one, other] = ["a b.html", "d/x\ny.html"].map(|name| root.join(name));
    fs::write(&one, "<a href=1>").unwrap();
    fs::write(&other, "<a href=2>").unwrap();
    let list = format!("{}\r\n\n{}\nno-such-file", path(&one), path(&root.join("d")));
    let args = ["--base", "h:/", "--format", "text"];
    let (text, problems, code) = links(&[&args[..], &["--files-from", "-", path(&one)]].concat(), list.as_bytes());
    assert_eq!((text.as_str(), code), ("h:/1\nh:/1\nh:/2\n", 1));
    assert!(problems.starts_with("relref: no-such-file: "), "{problems}");
    let list = root.join("list");
    fs::write(&list, format!("{}\0{}\0", path(&one), path(&other))).unwrap();
    let (text, problems, code) = links(&[&args[..], &["--files-from", path(&list)]].concat(), b"");
    assert_eq!((text.as_str(), problems.as_str(), code), ("h:/1\nh:/2\n", "", 0));
    // In a list `-` is a file of that name.
    let (_, problems, code) = links(&["--files-from", "-"], b"-\n");
    assert!(problems.starts_with("relref: -: ") && code == 1, "{problems}");
    let (_, problems, code) = links(&["--files-from", "no-such-list"], b"");
    assert!(problems.starts_with("relref: no-such-list: ") && code == 1);
}

/// Where the system starts no more threads, those that there are do the work.
#[cfg(target_os = "linux")]
#[test]
fn too_few_threads() {
    let root = folder("few-threads");
    for number in 0..99 {
        fs::write(root.join(format!("{number}.html")), page(number, 100)).unwrap();
    }
    let run = |stack: &str, limit: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v $0; exec \"$@\"", limit, env!("CARGO_BIN_EXE_relref"), "links", "-q"]);
        let args = ["--base=a:/", "--format=text", "--threads=4", path(&root)];
        let output = command.args(args).env("RUST_MIN_STACK", stack).output().unwrap();
        let [text, problems] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (text, problems, output.status.code())
    };
    let (expected, ..) = links(&["--base=a:/", "--format=text", path(&root)], b"");
    // Of 256 MiB each there is no space for five.
    assert_eq!(run(&(256 << 20).to_string(), "800000"), (expected, String::new(), Some(0)));
    let (text, problems, code) = run(&(1_u64 << 60).to_string(), "unlimited");
    assert!(problems.starts_with("relref: threads: Resource temporarily unavailable"), "{problems}");
    assert_eq!((text.as_str(), problems.lines().count(), code), ("", 1, Some(1)));
}

fn spawn(args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    command.arg("links").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let root = pages("closed");
    let mut child = spawn(&["--base", "h:/", path(&root)]);
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let root = pages("full");
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    let output = command.args(["links", "--base", "h:/", path(&root)]).stdout(full()).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.starts_with("relref: output: No space left"), "{stderr}");
    assert_eq!(output.status.code(), Some(1));
    // Also if all of it is less than a block.
    for file in ["000.html", "001.html"] {
        let file = root.join(file);
        let (text, problems, code) = links(&["--base", "h:/", "--output", "/dev/full", path(&file)], b"");
        let fails = file.ends_with("001.html");
        assert_eq!((text.as_str(), code), ("", i32::from(fails)));
        assert_eq!(problems.starts_with("relref: output: /dev/full: No space left"), fails, "{problems}");
    }
    let (_, problems, code) = links(&["--output", "/no/such/folder", "x"], b"");
    assert!(problems.starts_with("relref: output: /no/such/folder: ") && code == 1, "{problems}");
}

#[test]
fn output_goes_to_a_file() {
    let root = folder("output");
    let file = root.join("links.tsv");
    let output = relref(&["links", "--base", "h:/", "--output", path(&file), "-"], b"<a href=x>");
    assert!(output.stdout.is_empty() && output.status.success());
    assert!(output.stderr.starts_with(b"relref: 1 input, 1 page, 1 link, 10 B in "));
    assert_eq!(fs::read_to_string(file).unwrap(), "-\ta\thref\tx\th:/x\n");
}

/// Measurements of a command.
#[cfg(target_os = "linux")]
pub struct Watched {
    /// The most memory, in KiB.
    pub peak: usize,
    /// The number of calls that read.
    reads: usize,
    /// The number of bytes on standard output.
    pub written: u64,
    problems: String,
    pub code: Option<i32>,
}

/// Runs a command with this input.
#[cfg(target_os = "linux")]
fn watch(args: &[&str], input: impl FnOnce(&mut dyn Write) + Send + 'static) -> Watched {
    watch_child(spawn(&[&["--quiet"], args].concat()), input)
}

/// Gives this input to a command whose streams are pipes.
#[cfg(target_os = "linux")]
pub fn watch_child(mut child: Child, input: impl FnOnce(&mut dyn Write) + Send + 'static) -> Watched {
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input(&mut stdin));
    let mut stdout = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()).unwrap());
    let process = child.id();
    let number = |file: &str, name: &str| -> Option<usize> {
        let text = fs::read_to_string(format!("/proc/{process}/{file}")).ok()?;
        text.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok())
    };
    let (mut peak, mut reads) = (0, 0);
    while child.try_wait().unwrap().is_none() {
        peak = number("status", "VmHWM:").unwrap_or(peak);
        reads = number("io", "syscr:").unwrap_or(reads);
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    writer.join().unwrap();
    let output = child.wait_with_output().unwrap();
    let problems = String::from_utf8(output.stderr).unwrap();
    Watched { peak, reads, written: reader.join().unwrap(), problems, code: output.status.code() }
}

/// A folder's names, sorted.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

#[cfg(unix)]
#[test]
fn output_is_no_input() {
    use std::os::unix::fs::symlink;
    let root = folder("output-input");
    let [page, other, hard, soft, list] =
        ["page.html", "other.html", "hard.html", "soft.html", "list"].map(|name| root.join(name));
    let html = "<a href=x>";
    fs::write(&page, html).unwrap();
    fs::write(&other, html).unwrap();
    fs::hard_link(&page, &hard).unwrap();
    symlink("page.html", &soft).unwrap();
    fs::write(&list, format!("{}\n", path(&other))).unwrap();
    let archive = root.join("a.warc");
    let warc = "WARC/1.1\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    fs::write(&archive, warc).unwrap();
    let before = names(&root);
    let climbing = format!("{}/../output-input/page.html", path(&root));
    let [page, other, hard, soft, list, archive] =
        [&page, &other, &hard, &soft, &list, &archive].map(|file| path(file));
    for (output, input) in [
        (page, &[page][..]),
        (page, &[other, &climbing]),
        (page, &[hard]),
        (page, &[soft]),
        (soft, &[page]),
        (list, &["--files-from", list]),
        (archive, &[other, archive]),
    ] {
        let (text, problems, code) = links(&[&["--base", "h:/", "--output", output], input].concat(), b"");
        assert_eq!((text.as_str(), code), ("", 1), "{output}, {input:?}");
        assert_eq!(problems, format!("relref: output: {output}: it is also an input\n"));
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
    command.args(["links", "--base", "h:/", "--output", page, "-"]).stdin(fs::File::open(page).unwrap());
    assert_eq!(command.output().unwrap().status.code(), Some(1));
    // Met in a folder or in a list.
    for (output, input) in [(page, path(&root)), (archive, path(&root)), (other, &*format!("--files-from={list}"))] {
        let (_, problems, code) = links(&["--base", "h:/", "--output", output, input], b"");
        assert_eq!(code, 1);
        assert!(problems.contains(": it is also the output (--output)\n"), "{problems}");
        assert!(problems.ends_with(&format!("relref: output: {output}: it is also an input\n")), "{problems}");
    }
    for (file, text) in [(page, html), (hard, html), (other, html), (archive, warc)] {
        assert_eq!(fs::read_to_string(file).unwrap(), text);
    }
    assert_eq!(names(&root), before);
}

/// A new file has the permissions that any has, an older one keeps its own, and what is no file is written to.
#[cfg(unix)]
#[test]
fn output_is_put_in_its_place() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let root = folder("output-place");
    let page = root.join("page.html");
    fs::write(&page, "<a href=x>").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let run = |output: &Path| {
        let (text, problems, code) =
            links(&["--base=h:/", "--format=text", "--output", path(output), path(&root)], b"");
        assert_eq!((text.as_str(), problems.as_str(), code), ("", "", 0));
    };
    let [new, old] = ["new", "old.tsv"].map(|name| root.join(name));
    run(&new);
    assert_eq!((fs::read_to_string(&new).unwrap().as_str(), mode(&new)), ("h:/x\n", mode(&page)));
    // Its name could be that of a page, but now it holds links.
    run(&new);
    fs::remove_file(&new).unwrap();
    fs::write(&old, "older, and longer than the links").unwrap();
    fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).unwrap();
    let [link, dangling] = ["link", "dangling"].map(|name| folder("output-place-links").join(name));
    symlink("../output-place/old.tsv", &link).unwrap();
    symlink("../output-place/links.tsv", &dangling).unwrap();
    run(&link);
    assert_eq!((fs::read_to_string(&old).unwrap().as_str(), mode(&old)), ("h:/x\n", 0o640));
    run(&dangling);
    assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(root.join("links.tsv")).unwrap(), "h:/x\n");
    assert_eq!(names(&root), ["links.tsv", "old.tsv", "page.html"]);

    let pipe = root.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    run(&pipe);
    assert_eq!(reader.join().unwrap(), "h:/x\n");
    let (text, ..) = links(&["--base=h:/", "--format=text", "--output=/dev/stdout", path(&page)], b"");
    assert_eq!(text, "h:/x\n");
}

/// Only what the system names so is a device or an open file; a file in a folder below /dev is as any other.
#[cfg(target_os = "linux")]
#[test]
fn output_below_dev() {
    let root = folder("output-dev");
    let log = root.join("log");
    let page = root.join("page.html");
    fs::write(&page, "<a href=x>").unwrap();
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        fs::write(&log, "older\n").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_relref"));
        command.args(["links", "--base=h:/", "--format=text", "--output", name, path(&page)]);
        let stdout = fs::File::options().append(true).open(&log).unwrap();
        assert_eq!(command.stdout(stdout).output().unwrap().status.code(), Some(0));
        assert_eq!(fs::read_to_string(&log).unwrap(), "older\nh:/x\n", "{name}");
    }
    let Ok(memory) = tempfile::tempdir_in("/dev/shm") else { return };
    let page = memory.path().join("page.html");
    fs::write(&page, "<a href=x>").unwrap();
    let (_, problems, code) = links(&["--base=h:/", "--output", path(&page), path(memory.path())], b"");
    assert!(problems.ends_with(": it is also an input\n") && code == 1, "{problems}");
    assert_eq!(fs::read_to_string(&page).unwrap(), "<a href=x>");
    assert_eq!(names(memory.path()), ["page.html"]);
}

/// A name that no file can have is refused before pages are read; one that is taken meanwhile, after.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_put_in_its_place() {
    let root = folder("output-stuck");
    for name in ["new/", "new/."] {
        let name = format!("{}/{name}", path(&root));
        let (_, problems, code) = links(&["--output", &name, "/no/such/page"], b"");
        assert_eq!((problems, code), (format!("relref: output: {name}: it names a folder\n"), 1));
    }
    let taken = root.join("taken");
    let mut child = spawn(&["-q", "--base=h:/", "--format=text", "--output", path(&taken), "-"]);
    while names(&root).is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    fs::create_dir(&taken).unwrap();
    child.stdin.take().unwrap().write_all(b"<a href=x>").unwrap();
    let done = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(done.stderr).unwrap();
    let (why, kept) = stderr.trim_end().split_once("; the links are in ").unwrap();
    assert!(why.starts_with(&format!("relref: output: {}: ", path(&taken))), "{stderr}");
    assert_eq!((fs::read_to_string(kept).unwrap().as_str(), done.status.code()), ("h:/x\n", Some(1)));

    // A file that is mounted, in a folder that may not be written.
    let [inside, file] = ["inside", "file"].map(|name| root.join(name));
    fs::create_dir(&inside).unwrap();
    fs::write(inside.join("file"), "").unwrap();
    fs::write(&file, "older, and longer than the links").unwrap();
    let script =
        "mount --bind inside inside && mount -o remount,bind,ro inside && mount --bind file inside/file || exit 9
        printf '<a href=x>' | \"$0\" links -q --base=h:/ --format=text --output inside/file -";
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_relref")]).current_dir(&root);
    // Not everywhere may one mount.
    let Some(done) = command
        .output()
        .ok()
        .filter(|done| matches!(done.status.code(), Some(0 | 1)) && !done.stderr.starts_with(b"unshare"))
    else {
        return;
    };
    assert_eq!((String::from_utf8(done.stderr).unwrap().as_str(), done.status.code()), ("", Some(0)));
    assert_eq!(fs::read_to_string(&file).unwrap(), "h:/x\n");
}

/// A disk that is full while links are written.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_fails_keeps_the_older_output() {
    let root = pages("output-fails");
    let output = folder("output-fails-here").join("links.tsv");
    let run = || {
        let mut command = Command::new("sh");
        let script = "trap '' XFSZ; ulimit -f 100; exec \"$@\"";
        command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_relref"), "links", "-q", "--base", "h:/", "--output"]);
        let done = command.args([&output, &root]).output().unwrap();
        let stderr = String::from_utf8(done.stderr).unwrap();
        assert!(stderr.starts_with(&format!("relref: output: {}: File too large", path(&output))), "{stderr}");
        assert_eq!(done.status.code(), Some(1));
    };
    run();
    assert_eq!(names(output.parent().unwrap()), [""; 0]);
    fs::write(&output, "older").unwrap();
    run();
    assert_eq!(names(output.parent().unwrap()), ["links.tsv"]);
    assert_eq!(fs::read_to_string(&output).unwrap(), "older");
}

/// The most memory a command takes, in KiB, that is given this input; its output is only counted.
#[cfg(target_os = "linux")]
pub fn peak(args: &[&str], input: impl FnOnce(&mut dyn Write) + Send + 'static) -> (usize, u64) {
    let Watched { peak, written, problems, code, .. } = watch(args, input);
    assert_eq!((problems.as_str(), code), ("", Some(0)));
    (peak, written)
}

/// A page of 120 MB with a million and a half of unique links, each there twice, far apart; from a file and from a pipe.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded() {
    let root = folder("memory");
    let file = root.join("page.html");
    let mut page = std::io::BufWriter::new(fs::File::create(&file).unwrap());
    for link in (0..1_500_000).chain(0..1_500_000) {
        writeln!(page, "<p>some text <a href='{link}'>x</a>").unwrap();
    }
    drop(page);
    let args = ["--base", "h:/", "--unique", "--format", "text"];
    let (from_file, written) = peak(&[&args[..], &[path(&file)]].concat(), |_| ());
    assert_eq!(written, (0..1_500_000).map(|link| format!("h:/{link}\n").len() as u64).sum::<u64>());
    let again = watch(&[&args[..], &["-"]].concat(), move |stdin| {
        std::io::copy(&mut fs::File::open(file).unwrap(), stdin).unwrap();
    });
    assert_eq!((again.written, again.problems.as_str()), (written, ""));
    let from_pipe = again.peak;
    // Far fewer than lines.
    assert!(again.reads < 100_000, "{} reads", again.reads);
    assert!(from_file < 64 << 10 && from_pipe < 64 << 10, "{from_file} KiB, {from_pipe} KiB");
}

/// Pages with a giant attribute: their lines are whole, in order, and once with `--unique`; and no worker waits for ever for
/// room that the job to be printed never gives back.
#[cfg(target_os = "linux")]
#[test]
fn giant_lines() {
    let root = folder("giants");
    let names: Vec<String> = [7 << 20, 2_000_000, 70_000, 1 << 16, 6_000_000, 7 << 20]
        .iter()
        .enumerate()
        .map(|(number, len)| {
            let name = format!("{}/{number}.html", path(&root));
            let reference = "a\u{1}%7e".repeat(len / 5);
            fs::write(
                &name,
                format!("<a href='data:,{reference}'>x</a><a href=y{number}><img src='data:,{reference}'>"),
            )
            .unwrap();
            name
        })
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for threads in ["1", "2", "16"] {
        let args = ["--base", "h:/", "--threads", threads, "--max-uri", "16M"];
        let (text, ..) = links(&[&args[..], &["--format", "text", "--unique"], &names, &names].concat(), b"");
        let lens: Vec<usize> = text.lines().map(str::len).collect();
        // The last has the same as the first.
        assert_eq!(lens.len(), 11);
        assert!(lens.chunks(2).take(5).all(|lines| lines[0] > 60_000 && lines[1] == "h:/y0".len()), "{lens:?}");
        // Five bytes become seven.
        assert_eq!(lens[0], "data:,".len() + (7 << 20) / 5 * 7);
    }
    let args = ["--base=h:/", "--threads=16", "--max-uri=16M", "--format=jsonl", "--key=surt", "--normalize=crawl"];
    let (most, written) = peak(&[&args[..], &names].concat(), |_| ());
    // The four giants, twice on a page: of a reference five bytes become ten, of its normal form and its key they stay five.
    assert!(written > 22_000_000 * 2 * (2 + 1 + 1), "{written}");
    // One giant at a time: its tag, its URI, the normal form and the key, which grow by doubling.
    assert!(most < 80 << 10, "{most} KiB");
}

/// The most memory a command takes, in KiB, whose output nobody reads until it has stopped reading its input.
#[cfg(target_os = "linux")]
fn peak_of_blocked(args: &[&str], input: impl FnOnce(&mut dyn Write) + Send + 'static) -> (usize, String) {
    use std::io::Read;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    struct Counting<W>(W, Arc<AtomicU64>);
    impl<W: Write> Write for Counting<W> {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let written = self.0.write(bytes)?;
            self.1.fetch_add(written as u64, Ordering::Relaxed);
            Ok(written)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            self.0.flush()
        }
    }

    let mut child = spawn(&[&["--quiet"], args].concat());
    let count = Arc::new(AtomicU64::new(0));
    let mut stdin = Counting(child.stdin.take().unwrap(), Arc::clone(&count));
    let writer = std::thread::spawn(move || input(&mut stdin));
    let mut stderr = child.stderr.take().unwrap();
    let problems = std::thread::spawn(move || {
        let mut text = String::new();
        stderr.read_to_string(&mut text).unwrap();
        text
    });
    let peak = |child: &Child| {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap()
    };
    // It stands still once neither input nor memory has changed for a while.
    let mut last = (0, 0);
    let mut still = 0;
    while still < 10 {
        std::thread::sleep(Duration::from_millis(100));
        let now = (count.load(Ordering::Relaxed), peak(&child));
        still = if now == last { still + 1 } else { 0 };
        last = now;
    }
    assert!(!writer.is_finished(), "it read all of its input");
    std::io::copy(&mut child.stdout.take().unwrap(), &mut std::io::sink()).unwrap();
    writer.join().unwrap();
    child.wait().unwrap();
    (last.1, problems.join().unwrap())
}

/// Everything that waits while nobody reads the output counts, with any number of threads (of 32, one for each core): URIs, charsets, codings and problems, not only pages and lines.
#[cfg(target_os = "linux")]
#[test]
fn memory_of_queues_is_bounded() {
    let long = "x".repeat(60_000);
    let codings = "gzip,x-gzip,".repeat(10_000);
    let heads = [
        format!("Content-Type: text/html; charset={long}\r\n"),
        format!("Content-Type: text/html\r\nContent-Encoding: {codings}\r\n"),
        format!("Content-Type: text/html\r\nContent-Encoding: {long}\r\n"),
        format!("Content-Type: text/html\r\nTransfer-Encoding: {codings}\r\nContent-Encoding: gzip\r\n"),
    ];
    let records = heads.map(|head| {
        let http = format!("HTTP/1.1 200 OK\r\n{head}\r\n<a href=x>");
        let head = "WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\nWARC-Target-URI: http://h/";
        format!("{head}{long}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n", http.len())
    });
    for threads in ["4", "32"] {
        let records = records.clone();
        let (most, problems) = peak_of_blocked(&["--base=h:/", "--threads", threads, "-"], move |stdin| {
            for number in 0..4000 {
                stdin.write_all(records[number % 4].as_bytes()).unwrap();
            }
        });
        assert!(most < 64 << 10, "{threads} threads: {most} KiB");
        let why = |why: &str| problems.lines().filter(|line| line.contains(why)).count();
        assert_eq!(why("its body has 20000 codings"), 1000);
        assert_eq!(why("its body has 20001 codings"), 1000);
        assert_eq!(why("its content coding `xxx"), 0, "a page that is none of its codings is read as it is");
    }
    // Problems of inputs with long names, after a page whose lines fill the pipe.
    let root = folder("queues");
    let file = root.join("page.html");
    fs::write(&file, page(1, 20_000)).unwrap();
    let first = path(&file).to_owned();
    let (most, problems) = peak_of_blocked(&["--base=h:/", "--threads=32", "--files-from=-"], move |stdin| {
        writeln!(stdin, "{first}").unwrap();
        for _ in 0..4000 {
            writeln!(stdin, "{}", &long[..30_000]).unwrap();
        }
    });
    assert_eq!(problems.lines().count(), 4000);
    assert!(most < 64 << 10, "{most} KiB");
}

/// With as many threads as are started, 32 or one for each core: pages whose text, as UTF-8, is three times as long, in one attribute, in many, in style
/// sheets and in lists of images; read in memory and as streams.
#[cfg(target_os = "linux")]
#[test]
fn memory_of_pages_is_bounded() {
    let len = 255 << 10;
    let bytes = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    let meta = "<meta charset=windows-1251>";
    let three = "\u{88}";
    let many = |part: String, len: usize| part.repeat(len / part.chars().count());
    let sheet = |url: String| bytes(&format!("{meta}<style>a{{b:url('{url}')}}</style><a href=x>"));
    let pages = [
        ("legacy", bytes(&format!("{meta}<a href='{}'><a href=x>", three.repeat(len)))),
        ("invalid", bytes(&format!("<a href='{}'><a href=x>", "\u{ff}".repeat(len)))),
        ("style", sheet(three.repeat(len))),
        ("srcset", bytes(&format!("<img srcset='{}'>", many(format!("{} 2x,", "\u{ff}".repeat(50)), len)))),
        ("stream", bytes(&format!("{meta}<a href='{}'><a href=x>", three.repeat(4 * len)))),
        ("links", bytes(&format!("{meta}{}", many(format!("<a href={0}>{0}</a>", three.repeat(40)), len)))),
        // As long as a style sheet may be; for the escape the tokenizer copies it.
        ("escape", sheet(format!("\\z{}", three.repeat((8 << 20) / 3 - 9)))),
    ];
    for (name, page) in pages {
        let root = folder(&format!("pages-{name}"));
        let count = if name == "escape" { 24 } else { 96 };
        for number in 0..count {
            fs::write(root.join(format!("{number}.html")), &page).unwrap();
        }
        // A URI longer than --max-uri is only counted.
        let least = if matches!(name, "links" | "srcset") { 500_000 } else { 50 };
        let args = ["--base=h:/", "--threads=32", "--format=jsonl", "--normalize=crawl", "--key=surt"];
        let (most, written) = peak(&[&args[..], &[path(&root)]].concat(), |_| ());
        assert!(written > count * least, "{name}: {written}");
        assert!(most < 64 << 10, "{name}: {most} KiB");
        fs::remove_dir_all(root).unwrap();
    }
}
