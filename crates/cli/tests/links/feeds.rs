//! Sitemaps, feeds and `robots.txt`, in folders and archives.

use std::fs;

use super::run::{links, path};
use crate::archive::made::{self, gzip, http, record, response_fields};
use crate::command::process::{folder, relref};

const MAP: &str = "<?xml version='1.0'?><urlset><url><loc>http://h/a?b&amp;c</loc></url></urlset>";
const RSS: &str = "<rss><channel><link>/r</link><item><enclosure url='m.mp3'/></item></channel></rss>";

#[test]
fn feeds_of_folders_are_read() {
    let root = folder("feeds");
    let index = "<sitemapindex><sitemap><loc>http://h/index.xml</loc></sitemap></sitemapindex>";
    for (name, bytes) in [
        ("atom.php", &b"<feed xml:base='x/'><link href='a'/></feed>"[..]),
        ("feed.rss", RSS.as_bytes()),
        ("index.xml", index.as_bytes()),
        ("map.xml.gz", &gzip(MAP.as_bytes())),
        ("page.html.gz", &gzip(b"<p><a href=z>")),
        ("utf-16.xml", &MAP.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        ("cut-short.xml.gz", &gzip(MAP.as_bytes())[..60]),
        ("other.xml", b"<svg><loc>no</loc></svg>"),
        ("robots.txt", b"User-agent: *\nSitemap: /map.xml\n"),
        ("sub/robots.txt", b"Sitemap: /no.xml\n"),
    ] {
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(root.join(name), bytes).unwrap();
    }
    let (text, problems, _) = links(&["--base", "http://h/", path(&root)], b"");
    let lines: Vec<&str> = text.lines().map(|line| line.split_once("/feeds/").unwrap().1).collect();
    for expected in [
        "feed.rss\tlink\ttext\t/r\thttp://h/r",
        "feed.rss\tenclosure\turl\tm.mp3\thttp://h/m.mp3",
        "index.xml\tloc\ttext\thttp://h/index.xml\thttp://h/index.xml",
        "map.xml.gz\tloc\ttext\thttp://h/a?b&c\thttp://h/a?b&c",
        "page.html.gz\ta\thref\tz\thttp://h/z",
        "utf-16.xml\tloc\ttext\thttp://h/a?b&c\thttp://h/a?b&c",
        "robots.txt\tsitemap\ttext\t/map.xml\thttp://h/map.xml",
    ] {
        assert!(lines.contains(&expected), "{expected}: {lines:?}");
    }
    assert!(lines.iter().all(|line| !line.contains("no")), "{lines:?}");
    assert!(problems.lines().count() <= 1 && !problems.contains("other.xml"), "{problems}");
    // By its name, and on standard input.
    let atom = root.join("atom.php");
    let line = "\tlink\thref\ta\thttp://h/x/a\n";
    assert_eq!(links(&["--base", "http://h/", path(&atom)], b"").0, format!("{}{line}", path(&atom)));
    assert_eq!(links(&["--base", "http://h/", "-"], &fs::read(&atom).unwrap()).0, format!("-{line}"));
    let robots = root.join("sub/robots.txt");
    fs::write(&robots, "Sitemap: http://h/s.xml\n").unwrap();
    let (robots, sub) = (path(&robots), path(robots.parent().unwrap()));
    for args in [&[robots][..], &["--base", "http://h/a", robots], &[sub]] {
        let found = links(&[&["--format=text"], args].concat(), b"");
        assert_eq!(found, (String::from("http://h/s.xml\n"), String::new(), 0), "{args:?}");
    }
    // A file that the user names is read, or reported.
    let [text, binary] = ["text.html.gz", "binary.gz"].map(|name| root.join(name));
    fs::write(&text, gzip(b"hello <a href=x>")).unwrap();
    fs::write(&binary, gzip(b"\x89PNG\r\n\x1a\n\0\0\0\x0d<a href=x>")).unwrap();
    let found = links(&["--format=text", "--base", "http://h/", path(&text)], b"");
    assert_eq!(found, (String::from("http://h/x\n"), String::new(), 0));
    let (text, problems, code) = links(&["--base", "http://h/", path(&binary)], b"");
    assert_eq!((&*text, code), ("", 1));
    assert!(problems.ends_with("/binary.gz: binary data, not a page\n"), "{problems}");
    let (_, problems, code) = links(&["-"], b"<a href=x>");
    assert_eq!((&*problems, code), ("relref: -: a page on standard input has no URI of its own: give --base\n", 1));
}

#[test]
fn feeds_of_archives_are_read() {
    let capture = |name: &str, fields: &str, body: &[u8]| {
        record("response", &response_fields(&format!("http://h/{name}")), &http(fields, body))
    };
    let records = [
        capture("map.xml", "Content-Type: application/xml\r\n", MAP.as_bytes()),
        capture("map.xml.gz", "Content-Type: application/x-gzip\r\n", &gzip(MAP.as_bytes())),
        capture("feed", "Content-Type: application/rss+xml; charset=utf-8\r\n", RSS.as_bytes()),
        capture("robots.txt", "Content-Type: text/plain\r\n", b"Sitemap: x.xml"),
        capture("bad.xml", "Content-Type: text/xml\r\n", b"<rss><link>b</link><link"),
        capture("a.svg", "Content-Type: image/svg+xml\r\n", b"<svg><loc>no</loc></svg>"),
    ];
    let (uris, problems, code) = made::links("feeds.warc", &records.concat(), &[]);
    let expected = ["a?b&c", "a?b&c", "r", "m.mp3", "x.xml", "b"].map(|path| format!("http://h/{path}"));
    assert_eq!((uris, code, problems.len()), (expected.to_vec(), 1, 1), "{problems:?}");
    let place = records[..4].concat().len();
    assert!(problems[0].starts_with(&format!("record at byte {place}: byte 19 of its XML: ")), "{problems:?}");
    // An archive on standard input needs no base.
    let output = relref(&["links", "-q", "--format=text", "-"], &records[0]);
    assert_eq!((&*output.stdout, output.status.code()), (&b"http://h/a?b&c\n"[..], Some(0)));
}

#[test]
fn feeds_after_comments_are_read() {
    let comment = |len: usize| format!("<!-- <html> {} -->", "x".repeat(len));
    let declaration = "<?xml version='1.0'?>";
    let map = "<urlset><url><loc>http://h/a</loc></url></urlset>";
    let root = folder("feed-comments");
    for (number, len) in [0, 1400, 1440, 5000, 60_000].into_iter().enumerate() {
        for (kind, start) in ["", declaration, "<!DOCTYPE urlset>"].into_iter().enumerate() {
            let text = format!("{start}{}{map}", comment(len));
            let path_of = root.join(format!("{number}-{kind}.xml"));
            fs::write(&path_of, &text).unwrap();
            let (lines, problems, code) = links(&["--base=http://h/", "--format=text", path(&path_of)], b"");
            assert_eq!((&*lines, &*problems, code), ("http://h/a\n", "", 0), "{len} {start}");
            fs::write(&path_of, gzip(text.as_bytes())).unwrap();
            let (lines, _, code) = links(&["--base=http://h/", "--format=text", path(&path_of)], b"");
            assert_eq!((&*lines, code), ("http://h/a\n", 0), "{len} {start}");
            let (lines, _, code) = links(&["--base=http://h/", "--format=text", "-"], text.as_bytes());
            assert_eq!((&*lines, code), ("http://h/a\n", 0), "{len} {start}");
        }
    }
    // Pages and pictures stay what they are.
    let page = format!("{}<p><a href=b>", comment(5000));
    assert_eq!(links(&["--base=http://h/", "--format=text", "-"], page.as_bytes()).0, "http://h/b\n");
    let svg = root.join("svg");
    fs::create_dir(&svg).unwrap();
    fs::write(svg.join("a.xml"), "<!DOCTYPE svg [<!ENTITY r 'x'>]><svg><loc>no</loc></svg>").unwrap();
    assert_eq!(links(&[path(&svg)], b""), (String::new(), String::new(), 0));
}

#[test]
fn wrong_roots_and_extra_end_tags_are_told() {
    let extra = b"<urlset><url><loc>http://h/a</loc></url></url><url><loc>http://h/b</loc></url></urlset>";
    let run = |bytes: &[u8]| links(&["--base=http://h/d/f.xml", "--format=text", "-"], bytes);
    assert_eq!(run(extra), ("http://h/a\nhttp://h/b\n".to_owned(), String::new(), 0));
    let (lines, problems, code) = run(b"<!DOCTYPE rss><svg><link>a</link></svg>");
    let why = "relref: -: the root element of its XML is not that of a sitemap or feed\n";
    assert_eq!((&*lines, &*problems, code), ("", why, 1));
    let own = b"<feed xml:base='/x/'><entry><content xml:base='y/' src='c'></content><content src='d'/></entry></feed>";
    assert_eq!(run(own), ("http://h/x/y/c\nhttp://h/x/d\n".to_owned(), String::new(), 0));
}

#[test]
fn a_text_that_is_too_long_loses_only_itself() {
    let feed = format!("<rss><link>a</link><link>{}</link><link>b</link></rss>", "x".repeat(2 << 20));
    let (lines, problems, code) = links(&["--base=http://h/", "--format=text", "-"], feed.as_bytes());
    let why = "relref: -: byte 25 of its XML: a tag or text has more than 1 MiB\n";
    assert_eq!((&*lines, &*problems, code), ("http://h/a\nhttp://h/b\n", why, 1));
    // An index that names itself is not followed.
    let index = b"<sitemapindex><sitemap><loc>http://h/index.xml</loc></sitemap></sitemapindex>";
    let found = links(&["--base=http://h/index.xml", "--format=text", "-"], index);
    assert_eq!(found, ("http://h/index.xml\n".to_owned(), String::new(), 0));
}

#[test]
fn feeds_are_damaged_unless_they_are_known_to_be_cut_short() {
    for feed in ["<urlset><url><loc>http://h/a</loc></url><url><loc>http://h/b", "<urlset><loc>http://h/a</loc><lo"] {
        let (lines, problems, code) = links(&["--base=http://h/", "--format=text", "-"], feed.as_bytes());
        assert_eq!((&*lines, problems.lines().count(), code), ("http://h/a\n", 1, 1), "{problems}");
        for (fields, expected) in [("", 1), ("WARC-Truncated: length\r\n", 0)] {
            let fields = format!("{}{fields}", response_fields("http://h/map.xml"));
            let record = record("response", &fields, &http("Content-Type: text/xml\r\n", feed.as_bytes()));
            let (uris, problems, code) = made::links("cut-short-feed.warc", &record, &[]);
            assert_eq!((&*uris, problems.len(), code), (&["http://h/a".to_owned()][..], expected as usize, expected));
        }
    }
}

#[test]
fn long_inner_bases_cost_linear_time() {
    let base = format!("<e xml:base='{}/'>", "b".repeat(60_000));
    let feed = format!("<feed>{}{}</feed>", base.repeat(16), "<link href='http://h/c'/>".repeat(20_000));
    let started = std::time::Instant::now();
    let (lines, problems, code) = links(&["--base=http://h/", "--format=text", "-"], feed.as_bytes());
    assert_eq!((lines.lines().count(), &*problems, code), (20_000, "", 0));
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
