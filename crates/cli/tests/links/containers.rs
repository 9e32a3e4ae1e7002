//! MHTML and EPUB files, and kinds of files that are refused by name.

use std::fs;
use std::path::PathBuf;

use super::run::{links, path};
use crate::archive::made::{gzip, zip, zip_entry};
use crate::command::process::{folder, relref};

const MAIL: &str = "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\n\
    Content-Type: text/html; charset=windows-1251\r\nContent-Location: http://h/a\r\n\
    Content-Transfer-Encoding: quoted-printable\r\n\r\n<a href=3D'?=EF'>=EF</a>=\r\n\r\n--b\r\n\
    Content-Type: text/html\r\nContent-Location: b/\r\n\r\n<a href=x>\r\n--b--\r\n";

fn epub() -> Vec<u8> {
    let container = "<container><rootfiles><rootfile full-path='O/p.opf'/></rootfiles></container>";
    let package = "<package><manifest><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>\
        <item id='b' href='b.xhtml' media-type='application/xhtml+xml'/></manifest>\
        <spine><itemref idref='b'/></spine></package>";
    let mut entries = vec![
        zip_entry("mimetype", b"application/epub+zip"),
        zip_entry("META-INF/container.xml", container.as_bytes()),
        zip_entry("O/p.opf", package.as_bytes()),
        zip_entry("O/a.xhtml", "<a href='../../../я'/>".as_bytes()),
        zip_entry("O/b.xhtml", b"<a href='a.xhtml#x'/>"),
        zip_entry("no.xhtml", b"<a href='no'>"),
    ];
    entries[4].is_deflated = true;
    zip(&entries).0
}

/// Writes a file in a folder of its own, and returns its path.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let file = folder(&format!("containers-{name}")).join(name);
    fs::write(&file, bytes).unwrap();
    file
}

#[test]
fn parts_of_mails_are_pages() {
    let expected = "http://h/a http://h/a?%EF\nthismessage:/b/ thismessage:/b/x\n";
    let columns = |text: &str| -> String {
        let columns = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        columns.map(|columns| format!("{} {}\n", columns[0], columns[4])).collect()
    };
    // By content, or by name and content, as a file, in a folder and as a stream; --base is that of other files.
    for name in ["saved.mht", "saved.MHTML", "mail.eml", "page.html", "page", "From"] {
        let file = file(name, MAIL.as_bytes());
        for args in [&[path(&file)][..], &["--base=x:/", path(&file)], &[path(file.parent().unwrap())]] {
            let (text, problems, code) = links(args, b"");
            assert_eq!((&*columns(&text), &*problems, code), (expected, "", 0), "{args:?}");
        }
    }
    let zstd = zstd::encode_all(MAIL.as_bytes(), 3).unwrap();
    for (name, bytes) in
        [("saved.mht.gz", gzip(MAIL.as_bytes())), ("saved.mhtml.zst", zstd), ("page", gzip(MAIL.as_bytes()))]
    {
        let file = file(name, &bytes);
        for args in [&[path(&file)][..], &["--base=x:/", path(&file)], &[path(file.parent().unwrap())]] {
            let (text, problems, code) = links(args, b"");
            assert_eq!((&*columns(&text), &*problems, code), (expected, "", 0), "{args:?}");
        }
        let (text, problems, code) = links(&["-"], &bytes);
        assert_eq!((&*columns(&text), &*problems, code), (expected, "", 0));
    }
    let (text, problems, code) = links(&["-"], MAIL.as_bytes());
    assert_eq!((&*columns(&text), &*problems, code), (expected, "", 0));
    // Damage of the compression ends the parts, after those before it.
    let long = MAIL.replace("--b--", &format!("--b\r\nContent-Type: text/html\r\n\r\n{}", "<a href=y>".repeat(99_999)));
    let compressed = gzip(long.as_bytes());
    let (text, problems, code) = links(&["-"], &compressed[..compressed.len() / 2]);
    assert!(columns(&text).starts_with(expected) && problems.contains("unexpected end"), "{problems}");
    assert_eq!(code, 1);
    // Lines name the page by its URI, and the file as the archive.
    let file = file("saved.mht", MAIL.as_bytes());
    let (text, ..) = links(&["--format=jsonl", path(&file)], b"");
    let offset = MAIL.find("Content-Type: text/html").unwrap();
    let start = format!("{{\"page\":\"http://h/a\",\"archive\":\"{}\",\"offset\":{offset},", path(&file));
    assert!(text.starts_with(&start), "{text}");
    // A mail without MIME has no pages, and is no HTML by its name.
    let (text, problems, code) = links(&[path(&self::file("plain.eml", b"From: x\n\n<a href=x>"))], b"");
    assert_eq!((&*text, &*problems, code), ("", "", 0));
    let html = self::file("html.mht", b"<a href=x>");
    assert!(links(&["--base=http://h/", path(&html)], b"").0.ends_with("http://h/x\n"));
    let none = self::file("none.mht", b"\0\0\n");
    let (_, problems, code) = links(&[path(&none)], b"");
    assert_eq!(
        (problems, code),
        (format!("relref: {}: record at byte 0: no message header was found\n", path(&none)), 1)
    );
}

#[test]
fn pages_of_books_are_those_of_the_manifest() {
    let name = |path: &str| path.replace('/', "%2F");
    for named in ["book.epub", "book.EPUB", "book.zip", "book"] {
        let file = file(named, &epub());
        let root = format!("epub://{}/", name(path(&file)));
        let expected = |root: &str| format!("{root}O/a.xhtml#x\n{root}%D1%8F\n");
        let (text, problems, code) = links(&["--format=text", path(&file)], b"");
        assert_eq!((text, &*problems, code), (expected(&root), "", 0));
        // Below --base, references lead where they say.
        let (text, ..) = links(&["--format=text", "--base=http://h/s/t", path(&file)], b"");
        assert_eq!(text, "http://h/s/t/O/a.xhtml#x\nhttp://h/%D1%8F\n");
        if named == "book.zip" {
            continue;
        }
        let folder = file.parent().unwrap();
        let (text, ..) = links(&["--format=text", path(folder)], b"");
        assert_eq!(text, expected(&root));
        let (text, ..) = links(&["--format=text", "--base=http://h/s", path(folder)], b"");
        assert_eq!(
            text,
            format!("http://h/s/{named}/O/a.xhtml#x\nhttp://h/%D1%8F\n").replace("http://h/%", "http://h/%")
        );
    }
    let (text, problems, code) = links(&["--format=text", "-"], &epub());
    assert_eq!((&*text, &*problems, code), ("epub:///O/a.xhtml#x\nepub:///%D1%8F\n", "", 0));
    let (text, ..) = links(&["--format=text", "--base=http://h/", "-"], &epub());
    assert_eq!(text, "http://h/O/a.xhtml#x\nhttp://h/%D1%8F\n");
    // A page that inflates too far, and a file without a directory.
    let large = file("large.epub", &epub());
    let (_, problems, code) = links(&["--max-page=18", path(&large)], b"");
    assert!(problems.contains("O/b.xhtml: the page has more than 18 bytes (--max-page)") && code == 1, "{problems}");
    let cut = file("cut.epub", &epub()[..600]);
    let (_, problems, code) = links(&[path(&cut)], b"");
    assert!(problems.contains("it has no ZIP directory at its end") && code == 1, "{problems}");
}

/// As files and as streams, compressed or not, whatever their names. In folders, they are skipped.
#[test]
fn other_kinds_are_refused_by_name() {
    let index = "com,h)/ 20200101000000 ";
    let other_zip = zip(&[zip_entry("a.html", b"<a href=x>")]).0;
    for (name, bytes, kind) in [
        ("a.har", &b"{\"log\":{\"version\":\"1.2\",\"x\":\"<a href=x>\"}}"[..], "a HAR file (HTTP archive)"),
        (
            "a.page",
            format!("{index}http://h/ text/html 200 <a href=x> - - 1 2 a.warc").as_bytes(),
            "a CDX file (index of web archives)",
        ),
        ("a.cdx", b" CDX N b a m s k r M S V g\n<a href=x>", "a CDX file (index of web archives)"),
        ("a.cdxj", format!("{index}{{\"url\": \"<a href=x>\"}}").as_bytes(), "a CDXJ file (index of web archives)"),
        (
            "feed",
            "{\"version\":\"https://jsonfeed.org/version/1.1\",\"title\":\"<a href=日本>\"}".as_bytes(),
            "a JSON Feed",
        ),
        ("a.opml", b"<?xml version='1.0'?><opml><a href=x></a></opml>", "an OPML file"),
        ("a.pdf", b"%PDF-1.7\n<a href=x>", "a PDF file"),
        ("a.zip", &other_zip, "a ZIP file that is neither a WACZ (no file in a folder `archive`) nor an EPUB"),
    ] {
        let file = file(name, bytes);
        for args in [&["--base=http://h/", path(&file)][..], &[path(&file)]] {
            let expected = format!("relref: {}: {kind}: not read\n", path(&file));
            assert_eq!(links(args, b""), (String::new(), expected, 1));
        }
        let expected = format!("relref: -: {kind}: not read\n");
        for args in [&["--base=http://h/", "-"][..], &["-"]] {
            assert_eq!(links(args, bytes), (String::new(), expected.clone(), 1));
        }
        if name != "a.zip" {
            assert_eq!(links(&["-"], &gzip(bytes)), (String::new(), expected, 1));
        }
        let output = relref(&["links", "--base=x:/", path(file.parent().unwrap())], b"");
        let totals = String::from_utf8(output.stderr).unwrap();
        assert!(output.stdout.is_empty() && output.status.success() && totals.contains("; 1 file skipped"), "{totals}");
    }
}
