//! Pages of any kind, from memory and from archives.

use std::io::{self, Write};

use flate2::write::GzEncoder;
use relref_links::archive::Records;
use relref_links::page::{Captures, LinkReader, Page, PageBytes, PageKind, Store};

/// Returns the links of a page as `element reference uri`, with `nofollow` if the page says so, and then the problem.
fn links(reader: &mut LinkReader, page: &mut Page) -> Vec<String> {
    let mut found = Vec::new();
    let done = reader.links(page, |link| {
        let nofollow = if link.page_nofollow { " nofollow" } else { "" };
        found.push(format!("{} {} {}{nofollow}", link.element, link.reference, link.uri));
        Ok(())
    });
    found.extend(done.err().map(|error| error.to_string()));
    found
}

fn page(uri: &str, bytes: impl Into<Vec<u8>>) -> Page {
    Page::new(uri, PageBytes::Memory(bytes.into()))
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn record(kind: &str, uri: &str, head: &str, body: &[u8]) -> Vec<u8> {
    let content = [head.as_bytes(), b"\r\n\r\n", body].concat();
    let content = if head.is_empty() { body } else { &content };
    let head = format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nContent-Type: application/{}\r\nContent-Length: {}\r\n\r\n",
        if kind == "metadata" { "json" } else { "http" },
        content.len()
    );
    [head.as_bytes(), content, b"\r\n\r\n"].concat()
}

/// Reads all pages of an archive. Returns their links, and the problems.
fn all(archive: &[u8], store: &mut Store<'_>) -> (Vec<String>, Captures<io::Cursor<Vec<u8>>>) {
    let mut captures = Captures::from(Records::seekable(io::Cursor::new(archive.to_vec())).unwrap());
    let (mut reader, mut found) = (LinkReader::default(), Vec::new());
    (reader.pages.options.robots, reader.pages.options.rejected) = (true, true);
    while let Some(page) = captures.next_stored(store) {
        match page {
            Ok(mut page) => found.extend(links(&mut reader, &mut page)),
            Err(problem) => found.push(problem.error.to_string()),
        }
    }
    (found, captures)
}

#[test]
fn the_head_and_the_first_bytes_decide_the_kind() {
    use PageKind::{Feed, Html, None, Outlinks, Robots, Wat, Xml};
    let (html, feed, text) = ("<p>", "<rss>", "text");
    for (record, media_type, uri, expected) in [
        ("response", "text/html", "h:/", [Html, Feed, Html]),
        ("resource", "application/xhtml+xml", "h:/robots.txt", [Xml, Feed, Xml]),
        ("response", "text/html", "h:/a.xhtml", [Html, Feed, Html]),
        ("response", "", "h:/a.xhtml?b", [Xml, Feed, None]),
        ("response", "", "h:/", [Html, Feed, None]),
        ("response", "", "h:/robots.txt", [Html, Feed, Robots]),
        ("response", "application/rss+xml", "h:/", [Html, Feed, None]),
        ("response", "unknown/unknown", "h:/", [Html, Feed, None]),
        ("response", "application/unknown", "h:/robots.txt", [Html, Feed, Robots]),
        ("response", "application/vnd.wap.xhtml+xml", "h:/", [Xml, Feed, Xml]),
        ("response", "application/gzip", "h:/", [Html, Feed, None]),
        ("response", "text/html", "h:/robots.txt", [Html, Feed, Html]),
        ("response", "text/plain", "h:/robots.txt", [Robots; 3]),
        ("response", "text/plain", "h:/x", [None; 3]),
        ("response", "image/png", "h:/", [None; 3]),
        ("revisit", "text/html", "h:/", [None; 3]),
        ("metadata", "application/json", "h:/", [Wat; 3]),
        ("metadata", "application/warc-fields", "h:/", [Outlinks; 3]),
    ] {
        let kind = PageKind::of_head(record, media_type, uri);
        let found = [html, feed, text].map(|start| kind.of_start(start.as_bytes(), uri));
        assert_eq!(found, expected, "{record} {media_type} {uri}");
        assert!(!found.iter().any(|kind| kind.is_unknown()));
    }
    for kind in [Html, Xml] {
        assert_eq!(kind.of_start(b"# all\nSITEMAP : /m.xml", "h:/robots.txt"), Robots);
        assert_eq!(kind.of_start(b"<p>Sitemap: x", "h:/robots.txt"), kind);
    }
}

#[cfg(feature = "markdown")]
#[test]
fn markdown_is_told_by_its_type_or_name() {
    use PageKind::{Html, Markdown, Mdx, Unknown};
    for (media_type, uri, start, expected) in [
        ("text/markdown", "h:/a", "<html>", Markdown),
        ("text/markdown", "h:/a.MDX?b", "a", Mdx),
        ("", "h:/a.md", "<!doctype html>", Markdown),
        ("", "h:/a.mdx#b", "<html>", Mdx),
        ("text/html", "h:/a.md", "<html>", Html),
        ("", "h:/a", "<html>", Html),
    ] {
        let kind = PageKind::of_head("response", media_type, uri);
        assert_eq!(kind.of_start(start.as_bytes(), uri), expected, "{media_type} {uri} {start}");
    }
    let of_file = |path: &str| PageKind::of_file(b"<html>", "h:/a", path.as_ref());
    assert_eq!(["a.mkd", "b/a.mdx", "a.html"].map(of_file), [Markdown, Mdx, Html]);
    let opened = |name: &str| Page::open(format!("{}/{name}", env!("CARGO_MANIFEST_DIR")), "h:/a").unwrap().kind;
    assert_eq!(["../../README.md", "Cargo.toml"].map(opened), [Markdown, Unknown]);
}

#[test]
fn xhtml_without_a_declaration_is_told_by_its_type_or_name() {
    use PageKind::{Html, None, Unknown, Xml};
    const XHTML: &str = "<html xmlns='http://www.w3.org/1999/xhtml'>";
    let prefixed = "<x:html xmlns:x='http://www.w3.org/1999/xhtml'>";
    let with_doctype = format!("<!-- a -->\n<!DOCTYPE html PUBLIC 'a' 'b'>{XHTML}");
    for (media_type, uri, start, expected) in [
        ("text/xml", "h:/", XHTML, Xml),
        ("application/xml", "h:/a.html", &with_doctype, Xml),
        ("application/x+xml", "h:/", prefixed, Xml),
        ("text/xml", "h:/", "<html>", Html),
        ("text/xml", "h:/", "<x><html xmlns='http://www.w3.org/1999/xhtml'>", None),
        ("text/xml", "h:/", "<svg>", Xml),
        ("", "h:/a.XML", XHTML, Xml),
        ("", "h:/a.xml.gz", &with_doctype, Xml),
        ("", "h:/a.xhtml.gz", "<html>", Xml),
        ("", "h:/a.xht.zst", "<p>", Xml),
        ("", "h:/a.xml", "<html>", Html),
        ("", "h:/", XHTML, Html),
        ("text/html", "h:/a.xml", XHTML, Html),
    ] {
        let kind = PageKind::of_head("response", media_type, uri);
        assert_eq!(kind.of_start(start.as_bytes(), uri), expected, "{media_type} {uri} {start}");
    }
    let of_file = |path: &str| PageKind::of_file(XHTML.as_bytes(), "h:/a/", path.as_ref());
    assert_eq!(["a/x.xml", "a/x.xhtml.gz", "a/x"].map(of_file), [Xml, Xml, Html]);
    assert!(PageKind::of_head("response", "text/xml", "h:/").is_unknown() && !Unknown.of_start(b"", "").is_unknown());
}

#[test]
fn feeds_after_html_are_told_by_their_type_or_name() {
    use PageKind::{Feed, Html, None};
    for (media_type, uri, junk, expected) in [
        ("application/rss+xml", "h:/", "<!DOCTYPE html>\n", Feed),
        ("text/xml", "h:/", "<script>a='<x>'; b<c</script><div class=d>e</div>", Feed),
        ("", "h:/f.xml", "<DIV>x</DIV>\n", Feed),
        ("", "h:/f.rss.gz", "<script>x</script>", Feed),
        ("", "h:/f", "<div>x</div>", Html),
        ("", "h:/f", "<!DOCTYPE html>\n", Html),
        ("text/html", "h:/f.xml", "<div>x</div>", Html),
        ("text/xml", "h:/", "<x>", None),
        ("text/xml", "h:/", "<html><body>", Html),
    ] {
        let (page, kind) = (format!("{junk}<rss><channel>"), PageKind::of_head("response", media_type, uri));
        assert_eq!(kind.of_start(page.as_bytes(), uri), expected, "{media_type} {uri} {junk}");
    }
}

#[test]
fn a_style_sheet_may_start_with_a_comment_of_html() {
    use PageKind::{Css, Html};
    for (uri, start, expected) in [
        ("h:/a.css", "<!-- a { b: url(c) } -->", Css),
        ("h:/a.CSS%3Fv=1", "\u{feff}\n<!-- a{} -->\r\n<!-- -->b{}", Css),
        ("h:/a.css", "<!-- @import 'x'", Css),
        ("h:/a.css", "<!-- a page --> <!-- of old --> <HTML>", Html),
        ("h:/a.css", "<!doctype html>", Html),
        ("h:/a", "<!-- a { b: url(c) } -->", Html),
    ] {
        assert_eq!(PageKind::Unknown.of_start(start.as_bytes(), uri), expected, "{uri} {start}");
        let utf_16: Vec<u8> = start.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(PageKind::Unknown.of_start(&utf_16, uri), expected, "{uri} {start}");
    }
}

#[test]
fn one_reader_reads_all_kinds() {
    let mut reader = LinkReader::default();
    for (uri, bytes, expected) in [
        ("http://h/a/", "<a href=b>", "a b http://h/a/b"),
        ("http://h/a/", "no markup", ""),
        ("http://h/", "<urlset><url><loc>/c</loc></url></urlset>", "loc /c http://h/c"),
        ("http://h/robots.txt", "Sitemap: /m.xml", "sitemap /m.xml http://h/m.xml"),
    ] {
        assert_eq!(links(&mut reader, &mut page(uri, bytes)).concat(), expected, "{uri} {bytes}");
    }
    let found = links(&mut reader, &mut page("b", "<a href=c>"));
    assert!(found[0].starts_with("its URI \"b\": "), "{found:?}");
    let mut coded = page("http://h/", gzip(b"<a href=x><a href=y>"));
    coded.codings.push("gzip".into());
    assert_eq!(links(&mut reader, &mut coded), ["a x http://h/x", "a y http://h/y"]);
    assert!(coded.codings.is_empty() && coded.kind == PageKind::Html);
}

#[test]
fn feeds_have_the_links_of_their_texts() {
    const XHTML: &str = "<div xmlns='http://www.w3.org/1999/xhtml'";
    for (feed, expected) in [
        (
            "<feed><title type='html'>&lt;a href='t'></title><subtitle type='html'>&lt;a href='s'></subtitle><rights type='text/html'>\
             &lt;a href='r'></rights><title>&lt;a href='no'></title></feed>",
            "title t http://h/t, subtitle s http://h/s, rights r http://h/r",
        ),
        (
            &format!(
                "<feed><entry xml:base='a/'><title type='xhtml'>{XHTML}><a href='t'/></div></title></entry></feed>"
            ),
            "title t http://h/a/t",
        ),
        (
            &format!(
                "<feed><entry><content type='xhtml' xml:base='a/'>{XHTML} xml:base='b/'><a href='c'/><p xml:base='/d/'><a href='e'/>\
                 <q cite='f' xml:base='g/'/><a href='h'/></p><a href='i'/></div></content><link href='j'/></entry></feed>"
            ),
            "content c http://h/a/b/c, content e http://h/d/e, content f http://h/d/g/f, content h http://h/d/h, content i http://h/a/b/i, link j http://h/j",
        ),
        // An end tag is missing.
        (
            &format!(
                "<feed><entry><content type='xhtml'>{XHTML} xml:base='b/'><a href='c'/></content></entry><entry><link href='d'/></entry></feed>"
            ),
            "content c http://h/b/c, link d http://h/d",
        ),
        (
            "<!DOCTYPE feed [<!ENTITY e 'x/'>]><feed><content type='xhtml'><a href='&e;y'/></content></feed>",
            "content x/y http://h/x/y",
        ),
        ("<rss><guid isPermaLink='false'>http://k/</guid><guid>http://k/a</guid></rss>", "guid http://k/a http://k/a"),
    ] {
        let found = links(&mut LinkReader::default(), &mut page("http://h/", feed));
        assert_eq!(found.join(", "), expected, "{feed}");
    }
}

#[test]
fn damage_comes_after_the_links_before_it() {
    let whole = gzip("<a href=x>".repeat(3).as_bytes());
    let mut cut = page("http://h/", &whole[..whole.len() - 4]);
    cut.codings.push("gzip".into());
    let found = links(&mut LinkReader::default(), &mut cut);
    assert_eq!(found.len(), 4, "{found:?}");
    assert!(found[3].starts_with("its body is damaged: "), "{found:?}");
    // The error of the caller comes at once.
    let done = LinkReader::default().links(&mut page("http://h/", "<a href=x><a href=y>"), |link| {
        assert_eq!(link.reference, "x");
        Err(io::Error::other("stop"))
    });
    assert_eq!(done.unwrap_err().to_string(), "stop");
}

#[test]
fn pages_of_archives_have_the_links_of_their_heads() {
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html";
    let archive = [
        record("response", "http://h/1", &format!("{http}\r\nLink: <l>\r\nX-Robots-Tag: nofollow"), b"<a href=x>"),
        record("response", "http://h/2", &format!("{http}\r\nLink: <l>"), b"<meta name=robots content=none>"),
        record("response", "http://h/3", "HTTP/1.1 302 Found\r\nContent-Type: image/png\r\nLocation: /to", b"binary"),
        record("response", "http://h/4", &http.replace("text/html", "image/png"), b"binary"),
        record("response", "http://h/5", "HTTP/1.1 200 OK", b"\0\x01"),
        record("metadata", "http://h/6", "", b"{\"software\":\"x\"}"),
        record("metadata", "http://h/7", "", br#"{"Envelope":{"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":{"Links":[{"path":"A@/href","url":"w"}]}}}}}"#),
        record("warcinfo", "http://h/8", "", b""),
        record("response", "http://h/9", http, b"<a href=cut>"),
    ];
    let expected = [
        "http l http://h/l nofollow",
        "a x http://h/x nofollow",
        "http l http://h/l nofollow",
        "http /to http://h/to",
        "a w http://h/w",
        "a cut http://h/cut",
    ];
    let archive = archive.concat();
    for in_memory in [0, 1 << 20] {
        let (found, captures) = all(&archive, &mut Store { in_memory, ..Store::default() });
        assert_eq!(found, expected);
        let skipped = captures.skipped();
        let counts = (skipped.other_media_types, skipped.not_pages, skipped.other_kinds);
        assert_eq!(counts, (2, 1, 2));
    }
    // A page that is too large is a problem, and the next ones follow.
    let (found, _) = all(&archive, &mut Store { max_page: 11, ..Store::default() });
    assert_eq!(found[..2], expected[..2]);
    assert!(found.contains(&"the page has more than 11 bytes (max_page)".into()), "{found:?}");
    // The last record is cut short.
    let (found, _) = all(&archive[..archive.len() - 6], &mut Store::default());
    assert_eq!(found.last().unwrap(), "it ends early: 2 bytes of its content are missing");
}

/// An ARC record.
fn arc_record(uri: &str, media_type: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("{uri} 1.2.3.4 20080430204825 {media_type} {}\n", content.len());
    [head.as_bytes(), content, b"\n"].concat()
}

#[test]
fn arc_records_are_pages_by_their_scheme() {
    let html = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=euc-kr\r\nLocation: l\r\n\r\n<a href=\xb0\xa1>";
    let archive = [
        arc_record(
            "filedesc://a.arc",
            "text/plain",
            b"1 0 a\nURL IP-address Archive-date Content-type Archive-length\n",
        ),
        arc_record("dns:h", "text/dns", b"20080430204825\nh. 1 IN A 1.2.3.4\n"),
        arc_record("http://h/\u{44f} a", "image/gif", html),
        // HTTP 0.9 has no head; a type may have parameters after a space.
        arc_record("https://h/old", "text/html; charset=windows-1251", b"<a href=\xff>"),
        arc_record("https://h/u", "application/unknown", b"<a href=x>"),
        arc_record("http://h/i", "image/gif", b"GIF89a"),
        arc_record("http://h/n", "no-type", b"no head"),
        arc_record("ftp://h/f", "no-type", b"<p><a href=f2>"),
        arc_record("gopher://h/1", "text/html", b"<a href=//h/g>"),
        arc_record("ftp://h/z", "text/plain", b"text"),
    ];
    let archive = archive.concat();
    let (found, captures) = all(&archive, &mut Store::default());
    let expected = [
        "http l http://h/l",
        "a \u{ac00} http://h/%EA%B0%80",
        "a \u{44f} https://h/%D1%8F",
        "a x https://h/x",
        "a f2 ftp://h/f2",
        "a //h/g gopher://h/g",
    ];
    assert_eq!(found, expected);
    let skipped = captures.skipped();
    assert_eq!((skipped.other_kinds, skipped.other_protocols, skipped.other_media_types), (1, 2, 1));
    let pages = Captures::new(&*archive).unwrap();
    let facts = pages.flatten().map(|page| (page.uri, page.status, page.date));
    let date = || Some("2008-04-30T20:48:25Z".to_owned());
    assert_eq!(
        facts.take(2).collect::<Vec<_>>(),
        [("http://h/\u{44f} a".to_owned(), Some(200), date()), ("https://h/old".to_owned(), None, date()),]
    );
}

/// A record of a page with an ID, or its outlinks.
fn with_fields(mut record: Vec<u8>, fields: &str) -> Vec<u8> {
    let text = b"Content-Type: application/json\r\n";
    let at = record.windows(6).position(|six| six == b"WARC-T").unwrap();
    if let Some(json) = record.windows(text.len()).position(|part| part == text) {
        record.splice(json..json + text.len(), *b"Content-Type: application/warc-fields\r\n");
    }
    record.splice(at..at, fields.bytes());
    record
}

#[test]
fn outlinks_are_those_of_pages_that_are_not_read() {
    let html = "HTTP/1.1 200 OK\r\nContent-Type: text/html";
    let outlinks = |id, links: &str| {
        let fields = format!("via: http://v/\r\nhopsFromSeed: L\r\n{links}fetchTimeMs: 9\r\n");
        with_fields(record("metadata", "http://h/p", "", fields.as_bytes()), &format!("WARC-Concurrent-To: <{id}>\r\n"))
    };
    let page = |head, body: &[u8], id| {
        with_fields(record("response", "http://h/p", head, body), &format!("WARC-Record-ID: <{id}>\r\n"))
    };
    let link = "outlink: http://h/q L a/@href\r\noutlink: http://h/\u{ac00} X =JS_MISC\r\n";
    let pdf = "HTTP/1.1 200 OK\r\nContent-Type: application/pdf";
    let cut = page(html, b"<a href=cut>", "urn:5");
    let cut_length = String::from_utf8(cut.clone()).unwrap().replace("Content-Length: 5", "Content-Length: 4");
    let archive = [
        page(html, b"<a href=q>", "urn:1"),
        record("request", "http://h/p", "", b""),
        outlinks("urn:1", link),
        page(pdf, b"%PDF", "urn:2"),
        outlinks("urn:2", link),
        outlinks("urn:2", ""),
        with_fields(
            record("revisit", "http://h/p", html, b""),
            "WARC-Record-ID: <urn:3>\r\nWARC-Refers-To-Target-URI: http://h/o\r\n",
        ),
        outlinks("urn:3", "outlink: /r S form/@action\r\n"),
        cut_length.into_bytes(),
        outlinks("urn:5", "outlink: http://h/cut L a/@href\r\n"),
    ];
    let (found, captures) = all(&archive.concat(), &mut Store::default());
    let expected = [
        "a q http://h/q",
        "a http://h/q http://h/q",
        " http://h/\u{ac00} http://h/%EA%B0%80",
        "form /r http://h/r",
        "its length is wrong: no record follows",
        "a http://h/cut http://h/cut",
    ];
    assert_eq!(found, expected);
    let skipped = captures.skipped();
    assert_eq!((skipped.other_kinds, skipped.other_media_types, skipped.revisits_of_other_uris), (3, 1, 1));
    // Whether the outlinks of a page are those of a page of their own.
    let pages: Vec<_> =
        Captures::new(&*archive.concat()).unwrap().flatten().map(|page| (page.kind, page.is_about_page())).collect();
    assert_eq!(
        pages,
        [PageKind::Html, PageKind::Outlinks, PageKind::Outlinks, PageKind::Html, PageKind::Outlinks]
            .map(|kind| (kind, true))
    );
}

#[test]
fn the_tour_of_all_libraries_has_that_of_this_one() {
    let tour = include_str!("../tour.md").trim_start_matches("```rust,no_run\n");
    assert!(include_str!("../../../TOUR.md").contains(tour));
}

#[test]
fn the_program_of_readme_is_an_example() {
    let program = include_str!("../examples/readme.rs").strip_prefix("//! The program of README.\n\n").unwrap();
    assert!(include_str!("../../../README.md").contains(program));
}

#[test]
fn responses() {
    let links = |fields: &[(&str, &str)], body: &[u8]| {
        links(&mut LinkReader::default(), &mut Page::from_response("http://h/a", fields.iter().copied(), body.to_vec()))
    };
    let html = b"<a href=b>\xE0";
    assert_eq!(links(&[("content-type", "text/html; charset=koi8-r")], html), ["a b http://h/b"]);
    assert_eq!(links(&[("Content-Encoding", "gzip"), ("Content-Type", "text/html")], &gzip(html)), ["a b http://h/b"]);
    assert_eq!(links(&[], b"<rss><channel><link>c</link></channel></rss>"), ["link c http://h/c"]);
    let sitemap = b"<urlset><url><loc>c</loc></url></urlset>";
    assert_eq!(links(&[("Content-Type", "application/gzip")], &gzip(sitemap)), ["loc c http://h/c"]);
    assert_eq!(links(&[("Content-Type", "text/html")], &gzip(html)), ["a b http://h/b"]);
    assert!(links(&[("Content-Type", "application/octet-stream")], b"%PDF-1.7\0<a href=b>").is_empty());
    // The body of an image has no links; its head may have some.
    assert_eq!(links(&[("Content-Type", "image/gif"), ("Link", "<d>; rel=up")], b"GIF89a\0"), ["http d http://h/d"]);
    assert!(Page::from_response("http://h/a", [("X-Robots-Tag", "nofollow")], html.to_vec()).nofollow);
}

/// The first that counts, of the HTTP fields and then of the page, by the base and the character encoding of the page.
#[test]
fn a_part_of_a_page_is_none() {
    let part = |range: &str| format!("HTTP/1.1 206 Partial Content\r\nContent-Type: text/html\r\n{range}Link: <l>");
    let archive = [
        record("response", "http://h/1", &part("Content-Range: bytes 5-15/16\r\n"), b"<a href=no>"),
        record("response", "http://h/2", &part(""), b"<a href=no>"),
        record("response", "http://h/3", &part("Content-Range: bytes 0-10/11\r\n"), b"<a href=yes>"),
    ];
    let (found, captures) = all(&archive.concat(), &mut Store::default());
    assert_eq!(found, ["http l http://h/l", "http l http://h/l", "http l http://h/l", "a yes http://h/yes"]);
    assert_eq!(captures.skipped().not_pages, 2);
}

#[test]
fn a_field_that_cannot_be_read_is_a_rejected_link() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: <a>, b>; rel=next";
    let (found, _) = all(&record("response", "http://h/1", head, b"<a href=c>"), &mut Store::default());
    assert_eq!(found, ["http a http://h/a", "http <a>, b>; rel=next ", "a c http://h/c"]);
}

#[test]
fn canonical_links() {
    use relref::{AnyBase, RuleSet};

    let uri = "http://example.com/d/p?session=1";
    let no_field = Vec::<(String, Vec<u8>)>::new();
    let field = |value: &str| vec![(String::from("Link"), Vec::from(value))];
    for (fields, html, expected) in [
        (&no_field, &b"<link rel=canonical href=/c>"[..], Some("http://example.com/c")),
        (&no_field, b"<a href=x><LINK REL='next Canonical' HREF='c?a=b#top'>", Some("http://example.com/d/c?a=b")),
        (&no_field, b"<link rel=canonical href=c><base href=//cdn.example/>", Some("http://cdn.example/c")),
        (
            &no_field,
            b"<link rel=canonical href='?q=\xE9'><meta charset=windows-1252>",
            Some("http://example.com/d/p?q=%E9"),
        ),
        (&no_field, b"<link rel=can&#111;nical href=c>", Some("http://example.com/d/c")),
        (
            &no_field,
            "<link rel=canonical href=//h.example/новости>".as_bytes(),
            Some("http://h.example/%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8"),
        ),
        // Others are not, or have no URI of a page.
        (&no_field, b"<a rel=canonical href=a><link rel=canonicals href=b><link href=c><link rel=canonical>", None),
        (&no_field, b"<script><link rel=canonical href=c></script><!-- <link rel=canonical href=c> -->", None),
        (
            &no_field,
            b"<link rel=canonical href='http://[bad/'><link rel=canonical href=mailto:a@b>\
            <link rel=canonical href=ftp://h/><link rel=canonical href=https://h/>",
            Some("https://h/"),
        ),
        (&field("<c>; rel=canonical"), b"<link rel=canonical href=no>", Some("http://example.com/d/c")),
        (&field("<n>; rel=next, <//h/c>; rel=\"x canonical\""), b"<base href=//no/>", Some("http://h/c")),
        (&field("<c>; rel=next"), b"<link rel=canonical href=e>", Some("http://example.com/d/e")),
        // That of another resource, and those that are not in the document.
        (
            &field("<c>; rel=canonical; anchor=\"/x\""),
            b"<template><link rel=canonical href=t></template><svg><link rel=canonical href=s></svg><link rel=canonical href=e>",
            Some("http://example.com/d/e"),
        ),
        (&no_field, b"", None),
    ] {
        let mut page = page(uri, html);
        page.fields.clone_from(fields);
        let mut reader = LinkReader::default();
        reader.pages.options.kinds = vec![relref_links::html::Kind::Form];
        let options = reader.pages.options.clone();
        page.decode(&mut Store::default()).unwrap();
        let base = AnyBase::new(uri, RuleSet::Whatwg).unwrap();
        let shown = String::from_utf8_lossy(html);
        assert_eq!(reader.canonical_link(&mut page, &base).as_deref(), expected, "{shown}");
        assert_eq!(reader.pages.options, options);
        // In a file, and once more.
        page.bytes = PageBytes::File(Box::new(io::Cursor::new(html.to_vec())));
        assert_eq!(reader.canonical_link(&mut page, &base).as_deref(), expected, "{shown}");
        assert_eq!(reader.canonical_link(&mut page, &base).as_deref(), expected, "{shown}");
    }
}

/// The links of the HTTP head come first, and have the facts that only the page states.
#[test]
fn all_links_of_a_page_have_its_facts() {
    let http = "HTTP/1.1 404 Not Found\r\nContent-Type: TEXT/html; a=b\r\nLink: <l>; hreflang=de";
    let body = b"<meta charset=windows-1251><a href=x media=m><title>\xcf\xf0</title>";
    let feed = b"<?xml version='1.0' encoding='koi8-r'?><feed><link href=a hreflang=fr /></feed>";
    let archive = [
        record("response", "http://h/1", http, body),
        record("response", "http://h/2", "HTTP/1.1 200 OK\r\nContent-Type: application/atom+xml", feed),
        record("response", "http://h/3", "HTTP/1.1 302 Found\r\nContent-Type: image/png\r\nLocation: /to", b"binary"),
    ]
    .concat();
    for in_memory in [0, 1 << 20] {
        let mut captures = Captures::from(Records::seekable(io::Cursor::new(archive.clone())).unwrap());
        let mut store = Store { in_memory, ..Store::default() };
        let (mut reader, mut found) = (LinkReader::default(), Vec::new());
        reader.pages.options.title = true;
        while let Some(page) = captures.next_stored(&mut store) {
            let mut page = page.unwrap();
            let (status, media_type) = (page.status.unwrap(), page.media_type.clone());
            let each = |link: relref_links::html::Link<'_>| {
                let charset = link.page_charset.map_or("-", |charset| charset.name());
                let of_link = [link.reference, link.hreflang, link.media].join("|");
                found.push(format!("{status} {media_type} {charset} {} {of_link}", link.page_title));
                Ok(())
            };
            reader.links(&mut page, each).unwrap();
        }
        let expected = [
            "404 text/html windows-1251 Пр l|de|",
            "404 text/html windows-1251 Пр x||m",
            "200 application/atom+xml KOI8-R  a|fr|",
            "302 image/png -  /to||",
        ];
        assert_eq!(found, expected);
    }
    let dates = |archive: &[u8]| Captures::new(archive).unwrap().map(|page| page.unwrap().date).collect::<Vec<_>>();
    let long_date = format!("WARC-Date: {}\r\nContent-Length", "2".repeat(65));
    let one = String::from_utf8(record("response", "http://h/", "HTTP/1.1 200 OK", b"<p>")).unwrap();
    assert_eq!(dates(one.replacen("Content-Length", &long_date, 1).as_bytes()), [None]);
    assert_eq!(
        dates(one.replacen("Content-Length", &long_date.replace("22", "2"), 1).as_bytes()),
        [Some("2".repeat(33))]
    );
}

#[test]
fn captures_are_selected_by_status() {
    let response = |status: &str| {
        let head = format!("HTTP/1.1 {status} Reason\r\nContent-Type: text/html\r\nLink: <l>");
        record("response", &format!("http://h/{status}"), &head, b"<a href=x>")
    };
    let file = String::from_utf8(record("resource", "http://h/f", "", b"<p>")).unwrap();
    let file = file.replace("application/http", "text/html").into_bytes();
    let archive = [response("200"), response("301"), file, response("404")].concat();
    for (statuses, expected, others) in
        [("2xx", &[Some(200), None][..], 2), ("404,301", &[Some(301), None, Some(404)], 1), ("500", &[None], 3)]
    {
        let mut captures = Captures::new(&archive[..]).unwrap().with_statuses(statuses.parse().unwrap());
        let found: Vec<_> = captures.by_ref().map(|page| page.map_or(Some(0), |page| page.status)).collect();
        assert_eq!((&found[..], captures.skipped().other_statuses), (expected, others), "{statuses}");
    }
    // The damage of one that is not read is reported, too.
    let cut = &archive[..archive.len() - 8];
    let mut captures = Captures::new(cut).unwrap().with_statuses("200".parse().unwrap());
    assert_eq!(captures.by_ref().filter(Result::is_err).count(), 1);
}
