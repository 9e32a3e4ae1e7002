//! Style sheets, SVG images, and HTML in attributes and feeds, in folders, archives and streams.

use std::fs;

use super::run::{links, path};
use crate::archive::made::{self, record, response_fields};
use crate::command::process::folder;

const SHEET: &[u8] = b"@charset \"windows-1251\";\r\n@import 'a.css';\r\nb { c: url(../\xE4.png) }\r\n";
const SVG: &[u8] =
    b"<?xml version='1.0'?>\n<!DOCTYPE svg [<!ENTITY r '<rss>'>]>\n<svg><g fill='url(#p)'/><image href='i.png'/></svg>";
const ATOM: &str = "<feed><entry xml:base='e/'><content type='xhtml'><x:div xmlns:x='http://www.w3.org/1999/xhtml'>\
    <x:a href='n?a&amp;b'>&lt;a href=no></x:a><br/></x:div></content><summary type='html'>&lt;img src=s></summary>\
    <content type='text'>&lt;a href=no></content></entry></feed>";
const RSS: &str = "<rss><channel><item><description><![CDATA[<a href=d>]]></description><content:encoded>&lt;img src=e srcset=f></content:encoded>\
    <title>&lt;a href=no></title></item></channel></rss>";

#[test]
fn files_of_a_site_have_their_links() {
    let root = folder("style-sheets");
    let page = "<iframe srcdoc='&lt;a href=/s>'></iframe>";
    for (name, bytes) in [
        ("css/m.css", SHEET),
        ("css/m.css?v=1", SHEET),
        ("a.svg", SVG),
        ("b.xml", ATOM.as_bytes()),
        ("c.rss", RSS.as_bytes()),
        ("p.html", page.as_bytes()),
    ] {
        fs::create_dir_all(root.join("css")).unwrap();
        fs::write(root.join(name), bytes).unwrap();
    }
    let (text, problems, code) = links(&["--base", "http://h/", path(&root)], b"");
    let lines: Vec<&str> = text.lines().map(|line| line.split_once("/style-sheets/").unwrap().1).collect();
    let expected = [
        "a.svg\tg\tfill\t#p\thttp://h/a.svg#p",
        "a.svg\timage\thref\ti.png\thttp://h/i.png",
        "b.xml\tcontent\ttext\tn?a&b\thttp://h/e/n?a&b",
        "b.xml\tsummary\ttext\ts\thttp://h/e/s",
        "c.rss\tdescription\ttext\td\thttp://h/d",
        "c.rss\tcontent:encoded\ttext\te\thttp://h/e",
        "c.rss\tcontent:encoded\ttext\tf\thttp://h/f",
        "css/m.css\tcss\timport\ta.css\thttp://h/css/a.css",
        "css/m.css\tcss\turl\t../д.png\thttp://h/%D0%B4.png",
        "css/m.css?v=1\tcss\timport\ta.css\thttp://h/css/a.css",
        "css/m.css?v=1\tcss\turl\t../д.png\thttp://h/%D0%B4.png",
        "p.html\tiframe\tsrcdoc\t/s\thttp://h/s",
    ];
    assert_eq!((lines, code), (expected.to_vec(), 0));
    assert!(!problems.contains("skipped"), "{problems}");
    // With places, in the bytes of the sheet; and the names inside of the HTML.
    let (text, _, _) =
        links(&["--json", "--base", "http://h/", path(&root.join("css/m.css")), path(&root.join("p.html"))], b"");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains(r#""charset":"windows-1251","element":"css","attribute":"import","kind":"resource","rel":"","reference":"a.css","#), "{text}");
    assert!(lines[1].ends_with(r#""start":55,"end":63,"line":3,"column":12}"#), "{text}");
    assert!(lines[2].contains(r#""attribute":"srcdoc","inner":"a href","kind":"hyperlink""#), "{text}");
    let place =
        lines[1].split_once("\"start\":").map(|(_, rest)| rest.split(',').next().unwrap().parse::<usize>().unwrap());
    assert!(SHEET[place.unwrap()..].starts_with(b"../\xE4.png)"));
}

#[test]
fn streams_and_records_of_style_sheets_have_their_links() {
    let line = "-\tcss\timport\ta.css\thttp://h/a.css\n";
    assert_eq!(links(&["--base", "http://h/", "-"], b"@import 'a.css';").0, line);
    assert_eq!(links(&["--base", "http://h/x.css", "-"], b"b{c:src('a.css')}").0, line.replace("import", "url"));
    let response = |uri: &str, media_type: &str, body: &[u8]| {
        record("response", &response_fields(uri), &made::http(&format!("Content-Type: {media_type}\r\n"), body))
    };
    let archive = [
        response("http://h/s/", "text/css; charset=windows-1252", SHEET),
        response("http://h/s/i", "image/svg+xml", SVG),
        response("http://h/s/t", "text/plain", SHEET),
    ];
    let (found, problems, code) = made::links("style-sheets.warc", &archive.concat(), &[]);
    let expected = ["http://h/s/a.css", "http://h/%C3%A4.png", "http://h/s/i#p", "http://h/s/i.png"];
    assert_eq!((found, code), (expected.map(String::from).to_vec(), 0), "{problems:?}");
}

/// 50 megabytes, from a file and from a pipe; and a token of 32.
#[cfg(target_os = "linux")]
#[test]
fn memory_of_style_sheets_is_bounded() {
    use super::memory::peak;

    let file = folder("long-style-sheet").join("a.css");
    let rules = "a > b, c { color: red; background: url(d.png) }\n".repeat(1 << 20);
    fs::write(&file, &rules).unwrap();
    let args = ["--base=http://h/", "--threads=2", "--format=text"];
    let (most, written) = peak(&[&args[..], &[path(&file)]].concat(), |_| ());
    assert!(most < 24 << 10 && written == 15 << 20, "{most} KiB, {written}");
    let (most, written) = peak(&["--base=http://h/a.css", "--threads=2", "--format=text", "-"], move |stdin| {
        stdin.write_all(rules.as_bytes()).unwrap();
    });
    assert!(most < 24 << 10 && written == 15 << 20, "{most} KiB, {written}");
    fs::write(&file, format!("a{{b:'{}'}} c{{d:url(e)}}", "x".repeat(32 << 20))).unwrap();
    let (text, problems, code) = links(&[&args[..], &[path(&file)]].concat(), b"");
    assert_eq!((text.as_str(), code), ("http://h/e\n", 1));
    assert!(problems.contains("links in a string or URL of more than 8 MiB"), "{problems}");
}
