//! Limits of pages, URIs and lines.

use std::fs;

use super::run::{links, page, path};
use crate::command::process::{folder, relref};

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
    // Only links that would be printed are counted.
    let (lens, stderr, _) = run(&["--max-uri", "1000", "--follow"]);
    assert!(lens.is_empty() && !stderr.contains("too long"), "{stderr}");
    let (_, stderr, _) = run(&["--max-uri", "1000", "--kind", "resource"]);
    assert!(stderr.ends_with(" s; 1 URI too long (--max-uri)\n"), "{stderr}");
    let (lens, ..) = run(&[]);
    assert_eq!(lens, [1000, 1001, 6 + 2 * 997, 1002]);
    // The default limit, and a page whose own URI is too long.
    let page = format!("<a href=a:{0}><a href=a:{0}y>", "x".repeat((64 << 10) - 2));
    let (text, ..) = links(&["--base", "h:/", "--format", "text", "-"], page.as_bytes());
    assert_eq!(text.len(), (64 << 10) + 1);
    let base = format!("h:/{}", "x".repeat(98));
    let (text, problems, code) = links(&["--base", &base, "--max-uri", "100", "-"], b"<a href=x>");
    assert_eq!((text.as_str(), code), ("", 1));
    assert_eq!(problems, "relref: -: its URI has more than 100 bytes (--max-uri)\n");
}

/// A page in a file that turns out to have a long tag is read again. No line is written twice or left out, and none is counted twice.
#[test]
fn links_before_a_long_tag_are_written_once() {
    let root = folder("long-tags");
    let file = root.join("a.html");
    let few = page(1, 3_000);
    for (long, count) in [
        ("<a href=data:,{}>x</a>", 1),
        ("<title x='{}'>y</title>", 0),
        ("<style>a { b: url(c) } {}</style>", 1),
        ("<link rel=next href='http://h/d?{}'>", 1),
        ("<base href=/b/ title='{}'><meta charset=koi8-r name='{}'>", 0),
    ] {
        let long = long.replace("{}", &"x\u{fffd}".repeat(40_000));
        fs::write(&file, [&few, &*long, &few, &long, &few, "<link rel=canonical href=/c>"].concat()).unwrap();
        for options in [&["--threads=1"][..], &["--threads=16", "--text"], &["--normalize=crawl"], &["--canonical"]] {
            let args = ["links", "--base=http://h/b/", "--max-uri=1M", "--format=jsonl"];
            let output = relref(&[&args[..], options, &[path(&file)]].concat(), b"");
            let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
            let (case, count) = (format!("{long:.30} {options:?}"), 9_001 + 2 * count);
            assert!(stderr.contains(&format!(" 1 page, {count} links,")), "{case} {stderr}");
            let uri = if options == ["--canonical"] { "http://h/c" } else { "http://h/b/" };
            assert!(stdout.lines().all(|line| line.contains(&format!("\"page_uri\":\"{uri}\""))), "{case}");
            let references: Vec<_> =
                stdout.lines().filter_map(|line| line.split("\"reference\":\"1/").nth(1)).collect();
            let is_right = |(at, rest): (usize, &&str)| rest.starts_with(&format!("{}?q\"", at % 3_000));
            assert!(references.iter().enumerate().all(is_right), "{case}");
            assert_eq!((references.len(), stdout.lines().count()), (9_000, count), "{case}");
        }
    }
}

/// For a page of 200 KB, each of fifty thousand lines would repeat a long text. The output does not get that long.
#[test]
fn output_does_not_grow_with_the_product_of_lengths() {
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
            // Each line has 1 KiB of `rel`.
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
    // The URI of a record is in each line, as its page.
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a ping='{many}'>");
    let head = format!("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/{long}");
    let archive = format!("{head}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n", http.len());
    let (text, problems, code) = links(&["--base", "h:/", "-"], archive.as_bytes());
    assert!(text.len() <= (1 << 20) + 256 * 100_010 && !text.is_empty(), "{}", text.len());
    assert!(problems.starts_with("relref: -: record at byte 0: its links take more than ") && code == 1, "{problems}");
}

/// Limits count the exact length of lines.
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

/// A page of which each link has the long query of its base. Normalizing takes much longer than printing, so that equal URIs are
/// normalized once, and others only up to a limit.
#[test]
fn normalizing_a_page_is_bounded() {
    let query = "д=日&".repeat(3000);
    let start = format!("<base href='http://h/?{query}'>");
    let number = |stderr: &str, what: &str| -> u64 {
        let before = stderr.split_once(what).map_or("0", |(before, _)| before);
        before.rsplit(' ').next().unwrap().parse().unwrap()
    };
    // All equal, all with another fragment, and with another path.
    let equal = "<a href=#x>".repeat(6000);
    let fragments: String = (0..6000).map(|number| format!("<a href=#{number}>")).collect();
    let long = "/пример".repeat(1500);
    let start_of_path = format!("<base href='http://h/{long}/'>");
    let paths: String = (0..6000).map(|number| format!("<a href={number}>")).collect();
    for (name, page) in [
        ("equal", start.clone() + &equal),
        ("fragments", start.clone() + &fragments),
        ("paths", start_of_path + &paths),
    ] {
        for args in
            [&["--normalize=crawl"][..], &["--normalize=safe"], &["--key=surt"], &["--normalize=crawl", "--key=cdx"]]
        {
            let all = [&["links", "--base=h:/", "--format=text", "--unique", "-"], args].concat();
            let output = relref(&all, page.as_bytes());
            let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
            assert!(!stdout.is_empty());
            let left_out = number(&stderr, " left out\n");
            if name == "equal" && left_out == 0 {
                continue;
            }
            let most = (1 << 20) + 256 * page.len();
            let why = format!("relref: -: its links take more than {most} bytes (1 MiB and 256 times the page): ");
            assert!(stderr.starts_with(&why), "{name} {args:?}: {stderr}");
            assert!(name == "equal" || left_out > 3000, "{name} {args:?}: {left_out} are left out");
            assert!(stderr.contains(&format!("; {left_out} links left out; 1 input failed")), "{stderr}");
            assert_eq!(output.status.code(), Some(1));
        }
    }
    // A page without long URIs has no such limit.
    let page: String = (0..50_000).map(|number| format!("<a href={number}>")).collect();
    let base = format!("http://h/{}/", "y".repeat(100));
    let (_, problems, code) = links(&["--base", &base, "--normalize=crawl", "--key=surt", "-"], page.as_bytes());
    assert_eq!((problems.as_str(), code), ("", 0));
}
