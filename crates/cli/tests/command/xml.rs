//! XHTML and SVG, which all commands read as XML.

use std::fs;
use std::path::PathBuf;

use crate::archive::made::{http, record, response_fields};

use super::process::{folder, relref};

const PAGE: &str = "<?xml version='1.0'?><?xml-stylesheet href='/s.css'?><?xml-stylesheet href='#b'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title/>\
    <script src='/s.js'/></head><body id='b'><a href='/b.xhtml#b'/><textarea/><a href='/i.svg'/></body></html>";
const IMAGE: &str = "<n:svg xmlns:n='http://www.w3.org/2000/svg' xmlns:l='http://www.w3.org/1999/xlink'><n:title/>\
    <n:a l:href='/b.xhtml#no'/></n:svg>";

fn site(name: &str) -> (PathBuf, String) {
    let root = folder(name);
    let site = root.join("site");
    fs::create_dir(&site).unwrap();
    for (file, text) in [("a.xhtml", PAGE), ("b.xhtml", PAGE), ("i.svg", IMAGE), ("s.js", "1"), ("s.css", "b{c:d}")] {
        fs::write(site.join(file), text).unwrap();
    }
    let path = site.to_str().unwrap().to_owned();
    (root, path)
}

fn run(args: &[&str], input: &[u8]) -> (String, String, Option<i32>) {
    let output = relref(args, input);
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (stdout, stderr, output.status.code())
}

#[test]
fn the_name_or_the_start_says_what_is_xml() {
    let root = folder("xml-names");
    let plain = "<html><title/><a href='x'/></html>";
    let declared = "<?xml version='1.0'?><html xmlns=\"http://www.w3.org/1999/xhtml\"><title/><a href='x'/></html>";
    for (name, text, is_xml) in [
        ("a.xhtml", plain, true),
        ("a.XHT", plain, true),
        ("a.html", plain, false),
        ("a.html", declared, false),
        ("a.php", declared, false),
        ("a.xml", declared, true),
        ("a", declared, true),
        ("a", plain, false),
        ("a.svg", "<svg><title/><a href='x'/></svg>", true),
        ("a.html", "<svg><title/><a href='x'/></svg><title/><a href='no'/>", true),
    ] {
        let file = root.join(name);
        fs::write(&file, text).unwrap();
        let args = ["links", "-q", "--base", "http://h/", "--format", "text", file.to_str().unwrap()];
        let expected = if is_xml { "http://h/x\n" } else { "" };
        assert_eq!(run(&args, b""), (expected.into(), String::new(), Some(0)), "{name}: {text}");
    }
    let args = ["links", "-q", "--base", "http://h/", "--format", "text", "-"];
    assert_eq!(run(&args, declared.as_bytes()), ("http://h/x\n".into(), String::new(), Some(0)));
}

#[test]
fn check_finds_the_links_and_the_ids() {
    let (_, site) = site("xml-check");
    let (found, problems, code) = run(&["check", "-q", "--format", "github", &site], b"");
    assert_eq!((found.lines().count(), code), (1, Some(1)), "{found}{problems}");
    assert!(found.contains("i.svg") && found.contains("the id no"), "{found}");
}

#[test]
fn rewrite_replaces_the_links_after_empty_elements() {
    let (root, site) = site("xml-rewrite");
    let out = root.join("out");
    let to =
        ["rewrite", "--quiet", "--to", "absolute", "--base", "http://h/", "--output", out.to_str().unwrap(), &site];
    assert_eq!(run(&to, b""), (String::new(), String::new(), Some(0)));
    for (file, text) in [("a.xhtml", PAGE), ("i.svg", IMAGE)] {
        let expected = text.replace("='/", "='http://h/");
        assert_eq!(fs::read_to_string(out.join(file)).unwrap(), expected);
    }
}

#[test]
fn what_is_not_well_formed_is_told_once() {
    let root = folder("xml-errors");
    let file = root.join("a.xhtml");
    fs::write(&file, "<html><title/><p><br></p><a href=x></html>").unwrap();
    let path = file.to_str().unwrap();
    for args in [
        &["links", "-q", "--base", "http://h/", "--format", "text", path][..],
        &["rewrite", "--quiet", "--to", "root", "--base", "http://h/", "--in-place", path],
        &["check", "-q", root.to_str().unwrap()],
    ] {
        let (found, problems, code) = run(args, b"");
        assert_eq!(code, Some(1), "{args:?}: {found}{problems}");
        let all = format!("{found}{problems}");
        assert_eq!(
            all.matches("not well-formed XML, an end tag that is not that of the open element").count(),
            1,
            "{all}"
        );
    }
    assert_eq!(fs::read_to_string(file).unwrap(), "<html><title/><p><br></p><a href=/x></html>");
}

#[test]
fn copies_of_archives_keep_xhtml() {
    let root = folder("xml-mirror");
    let response = |uri: &str, kind: &str, body: &str| {
        let block = http(&format!("Content-Type: {kind}\r\n"), body.as_bytes());
        record("response", &response_fields(uri), &block)
    };
    let (archive, out) = (root.join("a.warc"), root.join("out"));
    let records = [
        response("http://h/", "application/xhtml+xml", PAGE),
        response("http://h/b.xhtml", "application/xhtml+xml; charset=utf-8", PAGE),
        response("http://h/c", "application/xhtml+xml", PAGE),
        response("http://h/i.svg", "image/svg+xml", IMAGE),
    ];
    fs::write(&archive, records.concat()).unwrap();
    let args = ["rewrite", "--quiet", "--mirror", "--output", out.to_str().unwrap(), archive.to_str().unwrap()];
    let (_, problems, code) = run(&args, b"");
    assert_eq!((&*problems, code), ("", Some(0)));
    let expected = PAGE.replace("'/b.xhtml#b'", "'b.xhtml#b'").replace("'/i.svg'", "'i.svg'");
    let expected = expected.replace("'/s.", "'http://h/s.");
    assert!(out.join("h/b.xhtml").exists());
    for name in ["index.xhtml", "c.xhtml"] {
        assert_eq!(fs::read_to_string(out.join("h").join(name)).unwrap(), expected, "{name}");
    }
    assert!(fs::read_to_string(out.join("h/i.svg")).unwrap().contains("l:href='b.xhtml#no'"));
}
