//! Archives without damage: which records are pages, and what their lines say.

use std::fs;

use super::made::{file, gzip, http, links, record, response, response_fields, three_records};
use crate::command::process::{folder, relref};

#[test]
fn plain_and_gzipped() {
    let records = three_records();
    let expected = ["http://h/a/1", "http://h/b/2", "http://h/c/3"];
    let plain = records.concat();
    for (name, bytes) in [
        ("a.warc", plain.clone()),
        ("a.warc.gz", records.iter().flat_map(|record| gzip(record)).collect()),
        // The bytes tell what is gzipped, not the name; records may share a member.
        ("b.warc", gzip(&plain)),
        ("b.warc.gz", plain.clone()),
    ] {
        let (uris, problems, code) = links(name, &bytes, &[]);
        assert_eq!(uris, expected, "{name}");
        assert_eq!((problems.len(), code), (0, 0), "{problems:?}");
        let output = relref(&["links", "-q", "--base", "x:", "--format", "text", "-"], &bytes);
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), expected);
    }
}

/// An archive is read as an archive, whatever its name: if it is given by name or in a list, and in a folder unless its name says
/// that it is something else.
#[test]
fn names_do_not_hide_archives() {
    let records = three_records();
    let expected = ["http://h/a/1", "http://h/b/2", "http://h/c/3"];
    let large = response("d", "", "<p>text</p>".repeat(50_000).as_bytes());
    for (name, bytes) in [
        ("plain", records.concat()),
        ("gzipped", records.iter().flat_map(|record| gzip(record)).collect()),
        ("large", [&records.concat()[..], &large].concat()),
        (
            "long",
            [&records[..], &[response("d", "", b"").repeat(3000)]].concat().iter().flat_map(|r| gzip(r)).collect(),
        ),
    ] {
        let root = folder(&format!("warc-names-{name}"));
        let file = root.join("crawl.warc.open");
        for file in [&file, &root.join("x.dat"), &root.join("x.html"), &root.join("crawl")] {
            fs::write(file, &bytes).unwrap();
            let file = file.to_str().unwrap();
            for (args, input) in [(["--files-from", "-"], format!("{file}\n")), (["--", file], String::new())] {
                let output = relref(
                    &[&["links", "-q", "--base", "x:", "--format", "text"][..], &args].concat(),
                    input.as_bytes(),
                );
                assert_eq!(
                    String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(),
                    expected,
                    "{name} {file}"
                );
                assert_eq!((&*output.stderr, output.status.code()), (&b""[..], Some(0)), "{name} {file}");
            }
        }
        // A gzipped page, and a gzipped file that is none.
        fs::write(root.join("backup"), gzip(b"<html><a href=zipped>")).unwrap();
        fs::write(root.join("backup.tar.gz"), gzip(b"no <a href=no>")).unwrap();
        fs::write(root.join("y.html"), "<a href=y>").unwrap();
        let output = relref(&["links", "--base", "x:/", "--format", "text", root.to_str().unwrap()], b"");
        let lines = [&["x:/zipped"], &expected.repeat(4)[..], &["x:/y"]].concat();
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), lines, "{name}");
        let totals = String::from_utf8(output.stderr).unwrap();
        assert!(totals.starts_with("relref: 6 inputs, ") && totals.contains("; 1 file skipped"), "{totals}");
    }
}

/// A pipe that has a name is read once.
#[cfg(unix)]
#[test]
fn pipes_with_names() {
    let root = folder("warc-pipes");
    for (name, bytes) in [
        ("page", &b"<a href='http://h/a/1'>"[..]),
        ("archive", &gzip(&three_records()[0])),
        ("a.warc", &three_records()[0]),
    ] {
        let pipe = root.join(name);
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let (to, bytes) = (pipe.clone(), bytes.to_vec());
        let writer = std::thread::spawn(move || fs::write(to, bytes).unwrap());
        let output = relref(&["links", "-q", "--format", "text", pipe.to_str().unwrap()], b"");
        writer.join().unwrap();
        assert_eq!((&*output.stdout, &*output.stderr), (&b"http://h/a/1\n"[..], &b""[..]), "{name}");
    }
}

#[test]
fn lines_name_the_page_and_where_it_is() {
    let records = three_records();
    let members = [gzip(&records[0]), gzip(&records[1])];
    let file = file("where.warc.gz", &members.concat());
    let name = file.to_str().unwrap();
    let output = relref(&["links", "-q", name], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, "http://h/a/\ta\thref\t1\thttp://h/a/1\nhttp://h/b/\ta\thref\t2\thttp://h/b/2\n");
    let output = relref(&["links", "-q", "--format", "jsonl", name], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    let object: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert_eq!((&object["archive"], &object["offset"]), (&name.into(), &members[0].len().into()));
    assert_eq!((&object["page"], &object["uri"]), (&"http://h/b/".into(), &"http://h/b/2".into()));
}

#[test]
fn pages_are_captures_of_html() {
    let page = |fields: &str, body: &[u8]| record("response", &response_fields("<http://h/>"), &http(fields, body));
    let html = http("Content-Type: text/html\r\n", b"<a href=no>");
    let records = [
        record("warcinfo", "Content-Type: application/warc-fields\r\n", b"software: x\r\n"),
        record("request", "Content-Type: application/http;msgtype=request\r\n", b"GET / HTTP/1.1\r\n\r\n"),
        record("revisit", &response_fields("http://h/"), &html),
        record("metadata", "", &html),
        record("response", "Content-Type: text/dns\r\nWARC-Target-URI: dns:h\r\n", b"h. 1 IN A 1.2.3.4"),
        page("Content-Type: image/png\r\n", b"<a href=no>"),
        page("Content-Type: text/plain\r\n", b"<a href=no>"),
        page("", b"\x89PNG<a href=no>"),
        page("content-type: TEXT/HTML; charset=\"windows-1251\"\r\n", b"<a href=\xe6>"),
        page("Content-Type: application/xhtml+xml\r\n", b"<a href='2'/>"),
        page("", b"\n<!doctype html><a href=3>"),
        page("X: y\r\n folded\r\nBad Name: z\r\nContent-Type: text/html\r\n", b"<a href=4>"),
        // Lists of types, and types that cannot be read, so that the first bytes decide.
        page("Content-Type: text/html, text/html; charset=windows-1251\r\n", b"<a href=\xe6>"),
        page("Content-Type: text/html charset=utf-8\r\n", b"<html><a href=7>"),
        page("Content-Type: text/html charset=utf-8\r\n", b"\x89PNG<a href=no>"),
        // Files, as warcit writes them.
        record("resource", "Content-Type: text/html; charset=utf-8\r\nWARC-Target-URI: http://h/\r\n", b"<a href=8>"),
        record("resource", "Content-Type: image/png\r\nWARC-Target-URI: http://h/\r\n", b"<a href=no>"),
        record("resource", "WARC-Target-URI: http://h/\r\n", b"<p><a href=9>"),
        record("revisit", "WARC-Target-URI: http://h/\r\n", b""),
        b"WARC/0.18\nwarc-type:response\nWARC-Target-URI:\thttp://h/\ncontent-length:53\n\n\
            HTTP/2 404\nContent-Type: text/html\nA: b\n\n<a href='5'>\r\n\r\n"
            .to_vec(),
    ];
    let (uris, problems, code) = links("kinds.warc", &records.concat(), &[]);
    let expected = ["%D0%B6", "2", "3", "4", "%D0%B6", "7", "8", "9", "5"].map(|path| format!("http://h/{path}"));
    assert_eq!(uris, expected);
    assert_eq!((problems.len(), code), (0, 0), "{problems:?}");
    // No record is skipped silently.
    let file = file("kinds.warc", &records.concat());
    let output = relref(&["links", file.to_str().unwrap()], b"");
    let totals = String::from_utf8(output.stderr).unwrap();
    let skipped = "; records skipped: 4 of other media types, 2 not pages by their first bytes, 1 not HTTP, \
        1 revisit without a head, 3 of other kinds\n";
    assert!(totals.ends_with(skipped), "{totals}");
}

/// The links of HTTP fields come before those of the page, also where there is no page.
#[test]
fn http_fields_are_links() {
    let link = "Link: <next>; rel=next, </s.css>; rel=\"stylesheet\"\r\n";
    let fields = |fields: &str, status: &str| {
        let block = format!("HTTP/1.1 {status}\r\n{fields}\r\n<a href=no>");
        record("response", &response_fields("http://h/a/b"), block.as_bytes())
    };
    let head = "HTTP/1.1 302 Found\r\nlocation: c\r\n\r\n";
    let records = [
        fields("Location: //h/x\r\nContent-Type: text/plain\r\n", "301 Moved"),
        response("p", &format!("{link}Refresh: 3;url=r\r\nContent-Location: b.en\r\n"), b"<a href=z>"),
        fields("Location: y\r\n", "302 Found"),
        record("revisit", &response_fields("http://h/a/b"), head.as_bytes()),
        fields("Link: <a>; rel=\"x\r\nContent-Type: image/png\r\n", "200 OK"),
        fields("X: y\r\nContent-Type: image/png\r\n", "200 OK"),
    ];
    let file = file("fields.warc", &records.concat());
    let output = relref(&["links", "-q", file.to_str().unwrap()], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = "\
http://h/a/b\thttp\tlocation\t//h/x\thttp://h/x
http://h/p/\thttp\tlink\tnext\thttp://h/p/next
http://h/p/\thttp\tlink\t/s.css\thttp://h/s.css
http://h/p/\thttp\trefresh\tr\thttp://h/p/r
http://h/p/\thttp\tcontent-location\tb.en\thttp://h/p/b.en
http://h/p/\ta\thref\tz\thttp://h/p/z
http://h/a/b\thttp\tlocation\ty\thttp://h/a/y
http://h/a/b\ta\thref\tno\thttp://h/a/no
http://h/a/b\thttp\tlocation\tc\thttp://h/a/c
http://h/a/b\thttp\tlink\ta\thttp://h/a/a
";
    assert_eq!(text, expected);
    // A field that cannot be read is a rejected link.
    assert_eq!((String::from_utf8(output.stderr).unwrap().as_str(), output.status.code()), ("", Some(0)));
    let output = relref(&["links", "-q", "--output", "/dev/null", "--rejected", "-", file.to_str().unwrap()], b"");
    let rejected =
        "http://h/a/b\thttp\tlink\t<a>; rel=\"x\tinvalid-field: a quoted string of its Link field has no end\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), rejected);
}

/// WAT files have the links of pages in JSON. A damaged or too long WAT record loses only its own links.
#[test]
fn wat_files_are_read() {
    let wat = |json: &str| {
        record("metadata", "Content-Type: application/json\r\nWARC-Target-URI: http://h/a/\r\n", json.as_bytes())
    };
    let links = |url: &str| {
        format!(
            r#"{{"Envelope":{{"Payload-Metadata":{{"HTTP-Response-Metadata":{{"HTML-Metadata":{{"Links":[{{"path":"A@/href","url":"{url}"}}]}}}}}}}}}}"#
        )
    };
    let records = [
        wat(&links("1")),
        wat("{\"Envelope\":"),
        wat(&links(&"x".repeat(9 << 20))),
        record("metadata", "Content-Type: application/warc-fields\r\n", b"a: b"),
        wat(&links("/2")),
        // Metadata of archivers about other things.
        record("metadata", "Content-Type: application/json\r\nWARC-Target-URI: made.warc.gz\r\n", b"{\"Envelope\":{}}"),
        wat("[1]"),
    ];
    let file = file("made.wat.gz", &records.iter().flat_map(|record| gzip(record)).collect::<Vec<_>>());
    let output = relref(&["links", "-q", file.to_str().unwrap()], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text, "http://h/a/\ta\thref\t1\thttp://h/a/1\nhttp://h/a/\ta\thref\t/2\thttp://h/2\n");
    let places = [1, 2].map(|count| records[..count].iter().flat_map(|record| gzip(record)).count());
    let problems = String::from_utf8(output.stderr).unwrap();
    let problems: Vec<&str> = problems.lines().collect();
    assert!(problems[0].contains(&format!("record at byte {}: its JSON is damaged: EOF", places[0])), "{problems:?}");
    let long = format!("record at byte {}: its metadata has more than 8 MiB", places[1]);
    assert!(problems[1].ends_with(&long) && problems.len() == 2, "{problems:?}");
}

/// A text in a page that looks like a record is not read as a record. In a page whose own record is damaged, it is read if it is
/// whole.
#[test]
fn pages_about_archives() {
    let [one, _, three] = three_records();
    let text = b"<pre>WARC/1.1\r\nWARC-Type: response\r\n\r\n</pre><a href=2>WARC/1.1\n";
    let page = response("b", "", text);
    let (uris, problems, code) = links("about.warc", &[&one[..], &page, &three].concat(), &[]);
    assert_eq!(uris, ["http://h/a/1", "http://h/b/2", "http://h/c/3"]);
    assert_eq!((problems.len(), code), (0, 0), "{problems:?}");
    // A record in the page that claims more than there is.
    let text = b"<pre>\r\nWARC/1.1\r\nWARC-Type: response\r\nContent-Length: 30\r\n\r\n</pre><a href=2>\n";
    let page = String::from_utf8(response("b", "", text)).unwrap().replacen("Content-Length: ", "Content-Length: 1", 1);
    let (uris, problems, code) = links("about.warc", &[&one[..], page.as_bytes(), &three].concat(), &[]);
    assert_eq!((uris, code), (vec![String::from("http://h/a/1"), String::from("http://h/c/3")], 1), "{problems:?}");
}

#[test]
fn other_archives_are_done() {
    let records = three_records();
    let root = folder("warcs");
    fs::write(root.join("a.warc"), b"").unwrap();
    fs::write(root.join("b.WARC.GZ"), b"not an archive").unwrap();
    fs::write(root.join("c.warc.gz"), gzip(&records[0])).unwrap();
    fs::write(root.join("d.html"), "<a href=d>").unwrap();
    let output = relref(&["links", "--base", "h:/", "--format", "text", root.to_str().unwrap()], b"");
    assert_eq!(output.stdout, b"http://h/a/1\nh:/d\n");
    let stderr = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!(lines[0], format!("relref: {}/b.WARC.GZ: record at byte 0: no record starts here", root.display()));
    assert!(lines[1].starts_with("relref: 4 inputs, 2 pages, 2 links, ") && lines[1].ends_with("; 1 input failed"));
    assert_eq!(output.status.code(), Some(1));
}

/// A short archive gives the same records from a file, which is read in large pieces, and from a pipe.
#[test]
fn a_pipe_shows_what_a_file_shows() {
    // In a record with a wrong length, another with one, and in that a good one.
    let good = response("c", "", b"<a href=z>");
    let inner = record("resource", "", &good).strip_suffix(b"\r\n\r\n").unwrap().to_vec();
    let outer = format!("WARC/1.1\r\nContent-Length: {}\r\n\r\n", inner.len() + 1);
    let wrong = [outer.as_bytes(), &inner, b"xyz"].concat();
    let long_field = |len| format!("{}X: {}\r\n", response_fields("http://h/b/"), " ".repeat(len));
    let block = http("Content-Type: text/html\r\n", b"<a href=y>");
    let long_heads = [40_000, 70_000].map(|len| gzip(&record("response", &long_field(len), &block))).concat();
    for (name, bytes, expected) in
        [("wrong.warc", wrong, vec!["http://h/c/z"]), ("heads.warc.gz", long_heads, vec!["http://h/b/y"])]
    {
        let (uris, problems, code) = links(name, &bytes, &[]);
        assert_eq!((uris, code), (expected.iter().map(|uri| uri.to_string()).collect(), 1), "{problems:?}");
        let output = relref(&["links", "-q", "--base", "x:", "--format", "text", "-"], &bytes);
        assert_eq!(String::from_utf8_lossy(&output.stdout).lines().collect::<Vec<_>>(), expected);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.lines().eq(problems.iter().map(|problem| format!("relref: -: {problem}"))), "{stderr}");
    }
}

/// Archives and images in records are recognized by their first bytes, whatever their length, and are not stored. Feeds are read
/// whatever type their record names.
#[test]
fn bodies_are_told_by_their_start() {
    let of = |name: &str, media_type: &str, fields: &str, body: &[u8]| {
        let head = format!("Content-Type: {media_type}\r\n{fields}");
        record("response", &response_fields(&format!("http://h/{name}")), &http(&head, body))
    };
    let noise: Vec<u8> = (0..1_u32 << 19).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let map = b"<urlset><url><loc>http://h/map</loc></url></urlset>";
    let rss = b"<?xml version='1.0'?><rss><channel><link>http://h/rss</link></channel></rss>";
    let archive = [three_records().concat(), noise.clone()].concat();
    let any = "application/octet-stream";
    let records = [
        of("a.warc.gz", "application/gzip", "", &gzip(&archive)),
        of("a.bin", any, "", &noise),
        of("a.zip", any, "Content-Encoding: gzip\r\n", &gzip(&noise)),
        of("map.xml.gz", any, "", &gzip(map)),
        of("map2.xml.gz", "application/x-gzip", "Content-Encoding: gzip;q=1\r\n", &gzip(&gzip(map))),
        of("map3.xml.gz", any, "Content-Encoding: \"gzip\"\r\n", &gzip(map)),
        of("feed", "text/html; charset=utf-8", "", rss),
        of("page", any, "", b"<!doctype html><a href=/page>"),
    ];
    let (uris, problems, code) = links("start.warc", &records.concat(), &["--max-page", "100K", "--max-temp", "100K"]);
    assert_eq!(uris, ["map", "map", "map", "rss", "page"].map(|name| format!("http://h/{name}")));
    assert_eq!((problems, code), (vec![], 0));
}

/// A head without its end, with too many fields, or with control characters loses no link.
#[test]
fn http_fields_are_not_lost() {
    let many: String = (0..3000).map(|n| format!("X-{n}: y\r\n")).collect();
    let of =
        |name: &str, block: String| record("response", &response_fields(&format!("http://h/{name}")), block.as_bytes());
    let records = [
        of("a", String::from("HTTP/1.1 301 Moved\r\nLocation: /1\r\n")),
        of("b", format!("HTTP/1.1 301 Moved\r\n{many}Location: /2\r\n\r\n")),
        of("c", String::from("HTTP/1.1 301 Moved\r\nLocation: /3\x1b[31m\r\n\r\n")),
    ];
    let (uris, problems, code) = links("fields.warc", &records.concat(), &[]);
    assert_eq!(uris, ["http://h/1", "http://h/2", "http://h/3%1B[31m"]);
    assert_eq!((problems, code), (vec![String::from("record at byte 0: its HTTP head has no end")], 1));
}
