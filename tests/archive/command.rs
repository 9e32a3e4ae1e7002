//! `relref links` on web archives, whole and damaged.

use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

use crate::command::cli::{folder, relref};

/// Writes an archive and gives the URIs it prints, the problems and the exit code.
fn links(name: &str, bytes: &[u8], args: &[&str]) -> (Vec<String>, Vec<String>, i32) {
    let file = file(name, bytes);
    let output = relref(&[&["links", "-q", "--format", "text", file.to_str().unwrap()], args].concat(), b"");
    let problem = format!("relref: {}: ", file.display());
    let stderr = String::from_utf8(output.stderr).unwrap();
    let problems = stderr.lines().map(|line| line.strip_prefix(&problem).expect(line).to_owned()).collect();
    let uris = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    (uris, problems, output.status.code().unwrap())
}

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let file = folder(&format!("warc-{name}")).join(name);
    fs::write(&file, bytes).unwrap();
    file
}

fn record(kind: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    let len = block.len();
    let head = format!("WARC/1.1\r\nWARC-Type: {kind}\r\n{fields}Content-Length: {len}\r\n\r\n");
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn http(fields: &str, body: &[u8]) -> Vec<u8> {
    [b"HTTP/1.1 200 OK\r\n", fields.as_bytes(), b"\r\n", body].concat()
}

/// The fields of a response's record.
fn of_response(uri: &str) -> String {
    format!("Content-Type: application/http; msgtype=response\r\nWARC-Target-URI: {uri}\r\n")
}

/// A response of HTML at `http://h/NAME/`.
fn response(name: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let block = http(&format!("Content-Type: text/html\r\n{fields}"), body);
    record("response", &of_response(&format!("http://h/{name}/")), &block)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Three records, and many kinds of text, compressible and not, in the middle one.
fn three() -> [Vec<u8>; 3] {
    let noise: String = (0..400_u32).map(|n| format!("<p>{}", n.wrapping_mul(2_654_435_761))).collect();
    let middle = format!("<a href=2>{noise}");
    [("a", "<a href=1>"), ("b", &middle), ("c", "<a href=3>")].map(|(name, body)| response(name, "", body.as_bytes()))
}

#[test]
fn plain_and_gzipped() {
    let records = three();
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

/// An archive is read as one whatever its name: given by name or by a list, and in a folder unless the name says that it is
/// something else.
#[test]
fn names_do_not_hide_archives() {
    let records = three();
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
        // Not an archive, and nothing says that it is a page.
        fs::write(root.join("backup"), gzip(b"<html><a href=no>")).unwrap();
        fs::write(root.join("y.html"), "<a href=y>").unwrap();
        let output = relref(&["links", "--base", "x:/", "--format", "text", root.to_str().unwrap()], b"");
        let lines = [&expected[..], &expected, &["x:/y"]].concat();
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), lines, "{name}");
        let totals = String::from_utf8(output.stderr).unwrap();
        assert!(totals.starts_with("relref: 3 inputs, "), "{totals}");
    }
}

/// A pipe that has a name is read once.
#[cfg(unix)]
#[test]
fn pipes_with_names() {
    let root = folder("warc-pipes");
    for (name, bytes) in
        [("page", &b"<a href='http://h/a/1'>"[..]), ("archive", &gzip(&three()[0])), ("a.warc", &three()[0])]
    {
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
    let records = three();
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
fn bodies_are_decoded() {
    let body = b"<a href=x><a href=y>";
    let chunked = b"5;ext=1\r\n<a hr\r\n00F\r\nef=x><a href=y>\r\n0\r\nTrailer: x\r\n\r\n";
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    zlib.write_all(body).unwrap();
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::fast());
    deflate.write_all(body).unwrap();
    let zipped = gzip(body);
    let both = [format!("{:x}\r\n", zipped.len()).as_bytes(), &zipped, b"\r\n0\r\n\r\n"].concat();
    for (fields, body) in [
        ("", &body[..]),
        ("Transfer-Encoding: chunked\r\n", chunked),
        ("content-encoding:gzip\r\n", &zipped),
        ("Content-Encoding: x-gzip\r\n", &zipped),
        ("Content-Encoding: deflate\r\n", &zlib.finish().unwrap()),
        ("Content-Encoding: deflate\r\n", &deflate.finish().unwrap()),
        ("Content-Encoding: identity\r\n", body),
        ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", &both),
        ("Transfer-Encoding: gzip, chunked\r\n", &both),
        ("Content-Encoding: gzip, gzip\r\n", &gzip(&zipped)),
        // Codings that the archiver took off.
        ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", body),
        ("Content-Encoding: deflate\r\n", body),
        ("Content-Encoding: deflate\r\n", b"But a text <a href=x><a href=y>"),
        ("Content-Encoding: deflate\r\n", b"x^2 is a text <a href=x><a href=y>"),
        ("Content-Encoding: deflate\r\n", b"Text: <a href=x><a href=y>"),
        ("Content-Encoding: br\r\n", body),
        // Names that are none.
        ("Content-Encoding: utf-8\r\n", body),
    ] {
        let (uris, problems, code) = links("body.warc", &response("a", fields, body), &[]);
        assert_eq!(uris, ["http://h/a/x", "http://h/a/y"], "{fields}");
        assert_eq!((problems.len(), code), (0, 0), "{problems:?}");
    }
}

/// Damage at the end of a body, or in it, costs nothing that could be decoded.
#[test]
fn damaged_bodies_are_read_and_told() {
    let zipped = gzip(b"<a href=x>");
    let mut broken = zipped.clone();
    let crc = broken.len() - 6;
    broken[crc] ^= 1;
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    zlib.write_all(b"<a href=x>").unwrap();
    let mut zlib = zlib.finish().unwrap();
    *zlib.last_mut().unwrap() ^= 1;
    let chunk = |body: &[u8], end: &str| [format!("{:x}\r\n", body.len()).as_bytes(), body, end.as_bytes()].concat();
    let good = response("b", "", b"<a href=y>");
    let chunked = "Transfer-Encoding: chunked\r\n";
    let gzipped = "Content-Encoding: gzip\r\n";
    let both = "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n";
    for (fields, body, links_of_it, why) in [
        (gzipped, &broken[..], "x", "incorrect data check"),
        (gzipped, &zipped[..zipped.len() - 8], "x", "unexpected end"),
        (gzipped, &[&zipped[..], b"\r\n"].concat(), "x", "other bytes follow it"),
        (gzipped, &[&zipped[..], b"\x1f\x8b\x08\x00"].concat(), "x", "unexpected end"),
        (gzipped, &zipped[..12], "", "unexpected end"),
        (gzipped, b"\x1f\x8c\x08\x00<a href=x>", "x", "it does not start as gzip"),
        ("Content-Encoding: deflate\r\n", &zlib, "x", "incorrect data check"),
        ("Content-Encoding: deflate\r\n", b"\xff\x00<a href=x>", "", "invalid block type"),
        (chunked, b"9\r\n<a href", "", "within a chunk"),
        (chunked, b"14\r\n<a href=x><a href", "x", "within a chunk"),
        (chunked, b"9\r\n<a href=x>\r\n0\r\n\r\n", "x", "not as long as it says"),
        (chunked, b"a\r\n<a href=x>\r\nzz\r\n<a href=z>\r\n0\r\n\r\n", "x z", "a chunk has no size"),
        (chunked, b"a\r\n<a href=x>\r\n\r\n<a href=z>\r\n0\r\n\r\n", "x z", "a chunk has no size"),
        (chunked, b"a\r\n<a href=x>\r\n;ext\r\n<a href=z>\r\n0\r\n\r\n", "x z", "a chunk has no size"),
        (chunked, b";ext\r\n<a href=x>\r\n0\r\n\r\n", "x", "a chunk has no size"),
        (chunked, b"a\r\n<a href=x>\r\n11111111111111111\r\n<a href=z>", "x z", "a chunk has no size"),
        (chunked, b"a\r\n<a href=x>\r\n0", "x", "before the last chunk"),
        (chunked, b"a\r\n<a href=x>\r\n", "x", "before the last chunk"),
        (chunked, b"a\r\n<a href=x>", "x", "before the last chunk"),
        (both, &chunk(&zipped, ""), "x", "before the last chunk"),
        (both, &chunk(&zipped[..zipped.len() - 8], ""), "x", "before the last chunk"),
        (both, &chunk(&broken, "\r\n0\r\n\r\n"), "x", "incorrect data check"),
        ("Content-Encoding: compress\r\n", b"x", "", "its content coding `compress` is not known"),
        ("Content-Encoding: gzip, gzip, gzip, gzip, gzip\r\n", b"x", "", "its body has 5 codings"),
    ] {
        let bad = response("a", fields, body);
        let (uris, problems, code) = links("bodies.warc", &[&good[..], &bad, &good].concat(), &[]);
        let of_it = links_of_it.split_whitespace().map(|link| format!("http://h/a/{link}"));
        let expected: Vec<String> =
            ["http://h/b/y".to_owned()].into_iter().chain(of_it).chain(["http://h/b/y".to_owned()]).collect();
        assert_eq!(uris, expected, "{why}: {problems:?}");
        assert_eq!((problems.len(), code), (1, 1), "{problems:?}");
        assert!(problems[0].starts_with(&format!("record at byte {}: its ", good.len())), "{problems:?}");
        assert!(problems[0].contains(why), "{problems:?}");
    }
    // One that the writer cut on purpose ends where it ends.
    let block = http("Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n", b"99\r\n<a href=x><a hre");
    let cut = record("response", &format!("WARC-Truncated: length\r\n{}", of_response("http://h/")), &block);
    let (uris, problems, code) = links("bodies.warc", &cut, &[]);
    assert_eq!((uris, problems.len(), code), (vec![String::from("http://h/x")], 0, 0));
}

/// A gzipped body that is cut or overwritten is read up to the byte where that shows.
#[test]
fn damaged_bodies_are_read_as_far_as_can_be() {
    let page: String = (0..20_000_u32).map(|n| format!("<a href={}>", n.wrapping_mul(2_654_435_761))).collect();
    let zipped = gzip(page.as_bytes());
    let half = zipped.len() / 2;
    for body in [&zipped[..half], &[&zipped[..half], &[0xff; 64], &zipped[half..]].concat()] {
        let mut decoded = Vec::new();
        let mut decoder = flate2::read::GzDecoder::new(body);
        let mut byte = [0];
        while let Ok(1) = decoder.read(&mut byte) {
            decoded.push(byte[0]);
        }
        let same = decoded.iter().zip(page.as_bytes()).take_while(|(one, other)| one == other).count();
        let expected = page[..same].matches('>').count();
        assert!(expected > 8_000, "{expected}");
        let (uris, problems, code) = links("long.warc", &response("a", "Content-Encoding: gzip\r\n", body), &[]);
        assert!(uris.len() >= expected, "{} of {expected}", uris.len());
        assert_eq!((problems.len(), code), (1, 1), "{problems:?}");
    }
}

/// Fields that a server or an archiver garbled cost no page.
#[test]
fn damaged_http_heads_are_read_and_told() {
    for fields in [
        "X: a\0b\r\nContent-Type: text/html\r\n",
        "\0Content-Type: text/html\r\n",
        "Content-Type: text/html\0\r\n",
        "X: a\rb\r\nContent-Type: text/html\r\n",
        "X: a\rContent-Type: text/html\rY: b\r\n",
        "X: a\r\r\nContent-Type: text/html\r\r\n",
        "\r\0\rContent-Type: text/html\r\n",
    ] {
        let page = record("response", &of_response("http://h/a/"), &http(fields, b"<a href=x>"));
        let good = response("b", "", b"<a href=y>");
        let (uris, problems, code) = links("fields.warc", &[&good[..], &page, &good].concat(), &[]);
        assert_eq!(uris, ["http://h/b/y", "http://h/a/x", "http://h/b/y"], "{fields:?} {problems:?}");
        let problem = "its HTTP head has a NUL or a lone carriage return";
        assert_eq!((problems, code), (vec![format!("record at byte {}: {problem}", good.len())], 1));
    }
}

#[test]
fn pages_are_responses_of_html() {
    let page = |fields: &str, body: &[u8]| record("response", &of_response("<http://h/>"), &http(fields, body));
    let html = http("Content-Type: text/html\r\n", b"<a href=no>");
    let records = [
        record("warcinfo", "Content-Type: application/warc-fields\r\n", b"software: x\r\n"),
        record("request", "Content-Type: application/http;msgtype=request\r\n", b"GET / HTTP/1.1\r\n\r\n"),
        record("revisit", &of_response("http://h/"), &html),
        record("metadata", "", &html),
        record("response", "Content-Type: text/dns\r\nWARC-Target-URI: dns:h\r\n", b"h. 1 IN A 1.2.3.4"),
        page("Content-Type: image/png\r\n", b"<a href=no>"),
        page("Content-Type: text/plain\r\n", b"<a href=no>"),
        page("", b"\x89PNG<a href=no>"),
        page("content-type: TEXT/HTML; charset=\"windows-1251\"\r\n", b"<a href=\xe6>"),
        page("Content-Type: application/xhtml+xml\r\n", b"<a href='2'/>"),
        page("", b"\n<!doctype html><a href=3>"),
        page("X: y\r\n folded\r\nBad Name: z\r\nContent-Type: text/html\r\n", b"<a href=4>"),
        b"WARC/0.18\nwarc-type:response\nWARC-Target-URI:\thttp://h/\ncontent-length:53\n\n\
            HTTP/2 404\nContent-Type: text/html\nA: b\n\n<a href='5'>\r\n\r\n"
            .to_vec(),
    ];
    let (uris, problems, code) = links("kinds.warc", &records.concat(), &[]);
    assert_eq!(uris, ["http://h/ж", "http://h/2", "http://h/3", "http://h/4", "http://h/5"]);
    assert_eq!((problems.len(), code), (0, 0), "{problems:?}");
}

/// An archive cut anywhere: the links before the cut are printed, and the cut is reported unless it is between two records.
#[test]
fn cut_archives() {
    let records = three();
    let whole = [records[0].len(), records[0].len() + records[1].len()];
    let expected = ["http://h/a/1", "http://h/b/2", "http://h/c/3"];
    let text = String::from_utf8(records.concat()).unwrap();
    let links_end = [1, 2, 3].map(|link| text.find(&format!("<a href={link}>")).unwrap() + 10);
    for cut in (whole[0] - 10..whole[0] + 200).chain(whole[1] - 10..whole[1] + records[2].len() - 4) {
        let bytes = &records.concat()[..cut];
        let (uris, problems, code) = links("cut.warc", bytes, &[]);
        let complete = whole.iter().filter(|whole| cut + 4 >= **whole).count();
        assert_eq!(uris, expected[..links_end.iter().filter(|end| cut >= **end).count()], "{cut}");
        let output = relref(&["links", "-q", "--base", "x:", "--format", "text", "-"], bytes);
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), uris, "{cut}");
        let breaks = whole.iter().any(|whole| (whole - 4..=*whole).contains(&cut));
        assert_eq!((problems.len(), code), if breaks { (0, 0) } else { (1, 1) }, "{cut}: {problems:?}");
        let offset = if complete == 0 { 0 } else { whole[complete - 1] };
        assert!(
            problems.iter().all(|problem| problem.starts_with(&format!("record at byte {offset}: "))),
            "{problems:?}"
        );
    }
    let members: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    let whole = [members[0].len(), members[0].len() + members[1].len()];
    for cut in (whole[0]..whole[0] + 60).chain(whole[1] - 60..whole[1] + 60) {
        let bytes = &members.concat()[..cut];
        let (uris, problems, code) = links("cut.warc.gz", bytes, &[]);
        let complete = whole.iter().filter(|whole| cut >= **whole).count();
        // Only the end of the member is missing, with its checksum, or a little more.
        let read = complete + usize::from(whole.iter().any(|whole| (whole - 8..*whole).contains(&cut)));
        assert!((read..=complete + 1).contains(&uris.len()) && uris == expected[..uris.len()], "{cut}: {uris:?}");
        let fails = usize::from(!whole.contains(&cut));
        assert_eq!((problems.len(), code), (fails, fails as i32), "{cut}: {problems:?}");
        let offset = whole[complete - 1];
        assert!(
            problems.iter().all(|problem| problem.starts_with(&format!("record at byte {offset}: "))),
            "{problems:?}"
        );
    }
}

/// The page of a record that is cut is read up to the cut, unless its length was wrong and it holds the next record.
#[test]
fn cut_pages_are_read() {
    let first = response("a", "", b"<a href=1>");
    let wrong = String::from_utf8(three()[1].clone()).unwrap().replacen("Content-Length: ", "Content-Length: 99", 1);
    for (count, fields) in [(2000_u32, ""), (50_000, ""), (50_000, "Content-Encoding: gzip\r\n")] {
        let page: String = (0..count).map(|n| format!("<a href={}>", n.wrapping_mul(2_654_435_761))).collect();
        let body = if fields.is_empty() { page.as_bytes() } else { &gzip(page.as_bytes()) };
        let last = response("z", fields, body);
        for (name, bytes, least) in [
            ("plain", [&first[..], &last[..last.len() - 200]].concat(), 1 + count - count / 40),
            ("gzipped", [gzip(&first), gzip(&last)].concat(), 1 + count - count / 10),
            ("wrong", [&first[..], wrong.as_bytes(), &last[..last.len() - 200]].concat(), 1 + count - count / 40),
        ] {
            let bytes = &bytes[..bytes.len() - if name == "gzipped" { 200 } else { 0 }];
            // From a pipe there is no way back over so many bytes.
            let inputs = if name == "wrong" && count > 2000 { &["page.warc"][..] } else { &["page.warc", "-"] };
            for input in inputs {
                let file = file(input, bytes);
                let input = if *input == "-" { "-" } else { file.to_str().unwrap() };
                let output = relref(&["links", "-q", "--base=x:", "--format=text", input], bytes);
                let [text, problems] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
                let found: Vec<&str> = text.lines().collect();
                assert_eq!(found[0], "http://h/a/1");
                let links = (0..count).map(|n| format!("http://h/z/{}", n.wrapping_mul(2_654_435_761)));
                assert!(links.zip(&found[1..]).all(|(link, found)| link == **found), "{name} {count} {fields}");
                assert!(found.len() as u32 >= least, "{name} {count} {fields}: {} {problems}", found.len());
                let offset = first.len() + if name == "wrong" { wrong.len() } else { 0 };
                let offset = if name == "gzipped" { gzip(&first).len() } else { offset };
                let of_last = format!(": record at byte {offset}: it");
                assert_eq!(problems.lines().count(), if name == "wrong" { 2 } else { 1 }, "{problems}");
                assert!(problems.lines().last().unwrap().contains(&of_last), "{problems}");
            }
        }
    }
}

/// A gzip member with any of its bytes changed costs no other record than its own, and no link before the damage.
#[test]
fn damaged_members() {
    let members: Vec<Vec<u8>> = three().iter().map(|record| gzip(record)).collect();
    let (start, len) = (members[0].len(), members[1].len());
    let check = |bytes: &[u8], is_whole: bool, what: String| {
        let (uris, problems, code) = links("flip.warc.gz", bytes, &[]);
        assert!(code == 1 && problems[0].starts_with(&format!("record at byte {start}: ")), "{what}: {problems:?}");
        let read = &uris[1..uris.len() - 1];
        assert_eq!((&*uris[0], &*uris[uris.len() - 1]), ("http://h/a/1", "http://h/c/3"), "{what}: {problems:?}");
        // The page itself may be damaged where the checksum is.
        assert!(read.len() < 2 && (!is_whole || read == ["http://h/b/2"]), "{what}: {uris:?}");
        let output = relref(&["links", "-q", "--base", "x:", "--format", "text", "-"], bytes);
        assert_eq!(String::from_utf8_lossy(&output.stdout).lines().collect::<Vec<_>>(), uris, "{what}");
    };
    // The flags, the time and the name of the system may change and leave the record whole.
    for at in (0..4).chain(10..60).chain((60..len - 60).step_by(len / 60)).chain(len - 60..len) {
        let mut bytes = members.concat();
        bytes[start + at] ^= 0xa5;
        check(&bytes, at >= len - 8, format!("change at {at}"));
    }
    // So do bytes that are missing, and others that are too many.
    for cut in [1, 5, 20, len / 2, len - 10, len - 1] {
        let bytes = [&members[0][..], &members[1][..cut], &members[2]].concat();
        check(&bytes, cut >= len - 8, format!("cut at {cut}"));
    }
    // The first member tells that they are gzipped, if it can.
    for damage in [&b"\0"[..], &[0; 512], &[0; 50_000], b"\x1f\x8b\x08\xff"] {
        let bytes = [damage, &members[0][damage.len().min(100)..], &members[1], &members[2]].concat();
        let (uris, problems, code) = links("start.warc.gz", &bytes, &[]);
        assert_eq!((uris.len(), code), (2, 1), "{problems:?}");
        assert!(problems[0].starts_with("record at byte 0: "), "{problems:?}");
    }
    let bytes = [&members[0][..], b"\x1f\x8b\x08\x00junk", &members[1], &[0; 300_000], &members[2]].concat();
    let (uris, problems, code) = links("junk.warc.gz", &bytes, &[]);
    assert_eq!((uris.len(), problems.len(), code), (3, 2, 1), "{problems:?}");
}

#[test]
fn damaged_heads() {
    let [one, two, three] = three();
    let text = String::from_utf8(two).unwrap();
    let len = one.len();
    for (from, to, why) in [
        ("WARC/1.1", "WARX/1.1", "no record starts here"),
        ("WARC/1.1", "\0\0", "no record starts here"),
        ("Content-Length: ", "Content-Length: x", "no Content-Length"),
        ("Content-Length: ", "Content-Length: 999999999999999999999", "no Content-Length"),
        ("Content-Length: ", "Content-Size: ", "no Content-Length"),
        ("Content-Length: ", "Content-Length: 9", "it ends early"),
        ("Content-Length: 5", "Content-Length: ", "its Content-Length is wrong"),
        ("HTTP/1.1", "HTTQ/1.1", "no HTTP response"),
    ] {
        let bad = text.replacen(from, to, 1);
        assert_ne!(bad, text);
        let mut bad = bad.into_bytes();
        if why.contains("HTTP") {
            // The length is right, only the response is not.
            bad = record(
                "response",
                &of_response("http://h/b/"),
                &bad[bad.windows(4).position(|four| four == b"HTTP" || four == b"HTTQ").unwrap()..],
            );
        }
        let (uris, problems, code) = links("heads.warc", &[&one[..], &bad, &three].concat(), &[]);
        assert_eq!(uris, ["http://h/a/1", "http://h/c/3"], "{to}: {problems:?}");
        assert_eq!((problems.len(), code), (1, 1), "{to}: {problems:?}");
        assert!(problems[0].starts_with(&format!("record at byte {len}: ")), "{problems:?}");
        assert!(problems[0].contains(why), "{to}: {problems:?}");
        // In a gzip member too.
        let members: Vec<u8> = [&one[..], &bad, &three].into_iter().flat_map(gzip).collect();
        let (uris, problems, code) = links("heads.warc.gz", &members, &[]);
        // There the page ends with its member, and none of the next record is in it.
        let page = if why == "it ends early" { &["http://h/b/2"][..] } else { &[] };
        assert_eq!(uris, [&["http://h/a/1"][..], page, &["http://h/c/3"]].concat(), "{to}: {problems:?}");
        // Records in one member.
        let member = gzip(&[&one[..], &bad, &three].concat());
        let (uris, ..) = links("heads.warc.gz", &member, &[]);
        assert!(uris[0] == "http://h/a/1" && !uris.iter().any(|uri| uri.starts_with("http://h/b/")), "{to}: {uris:?}");
        assert_eq!((problems.len(), code), (1, 1), "{to}: {problems:?}");
    }
}

/// Damage between two records costs neither of them, and is told once.
#[test]
fn damage_between_records() {
    let [one, two, three] = three();
    let (len, unfinished) = (one.len(), &one[..one.len() - 4]);
    let wrong = |difference: isize| {
        let text = String::from_utf8(two.clone()).unwrap();
        let (_, rest) = text.split_once("Content-Length: ").unwrap();
        let length: isize = rest.split_once('\r').unwrap().0.parse().unwrap();
        text.replace(&format!(": {length}"), &format!(": {}", length + difference)).into_bytes()
    };
    for (before, damage, offset, why) in [
        (&one[..], &[0; 512][..], len, "no record starts here"),
        (&one, b"noise", len, "no record starts here"),
        (&one, b"noise WARC/1.1", len, "no record starts here"),
        (&one, &vec![b'W'; 300_000], len, "no record starts here"),
        (&one, &two[..two.len() / 2], len, "it ends early"),
        (&one, &two[..40], len, "its head has no end"),
        (&one, &[&two[..40], &[0; 512]].concat(), len, "its head has no end"),
        (&one, b"WARC/1.1\r\nA: b\r\n\r\n", len, "its head has no Content-Length"),
        (&one, &wrong(-1), len, "its Content-Length is wrong"),
        (&one, &wrong(-100), len, "its Content-Length is wrong"),
        (&one, &wrong(5), len, "its Content-Length is wrong"),
        (&one, &wrong(30), len, "its Content-Length is wrong"),
        (&one, &wrong(100_000), len, "it ends early"),
        (unfinished, &[0; 512], 0, "its Content-Length is wrong"),
    ] {
        let bytes = [before, damage, &three].concat();
        let (uris, problems, code) = links("between.warc", &bytes, &[]);
        assert_eq!(uris.last().map(String::as_str), Some("http://h/c/3"), "{why}: {problems:?}");
        assert_eq!(uris.len(), if offset == 0 { 1 } else { 2 }, "{why}: {uris:?}");
        assert_eq!((problems.len(), code), (1, 1), "{why}: {problems:?}");
        assert!(problems[0].starts_with(&format!("record at byte {offset}: {why}")), "{why}: {problems:?}");
        let output = relref(&["links", "-q", "--base", "x:", "--format", "text", "-"], &bytes);
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), uris, "{why}");
    }
}

/// Eight MiB of bytes that look like starts of members cost no record after them.
#[test]
fn false_members() {
    let records = three();
    let [one, _, three] = records.each_ref().map(|record| gzip(record));
    // With the flags for text, an extra field and a name.
    for decoy in [&b"\x1f\x8b\x08\x01"[..], b"\x1f\x8b\x08\x04aaaaaa\xff\x03", b"\x1f\x8b\x08\x08"] {
        let decoys = decoy.repeat((8 << 20) / decoy.len());
        let (uris, problems, code) = links("decoys.warc.gz", &[&one[..], &decoys, &three].concat(), &[]);
        assert_eq!(uris, ["http://h/a/1", "http://h/c/3"], "{problems:?}");
        assert_eq!((problems.len(), code), (1, 1), "{problems:?}");
        assert!(problems[0].starts_with(&format!("record at byte {}: ", one.len())), "{problems:?}");
    }
    // A member with all that a header can have, after a damaged one.
    let mut full = three;
    full[3] = 2 | 4 | 8 | 16;
    full.splice(10..10, *b"\x03\0abcname\0comment\0");
    let mut crc = flate2::Crc::new();
    crc.update(&full[..10 + 5 + 5 + 8]);
    full.splice(28..28, (crc.sum() as u16).to_le_bytes());
    let (uris, problems, _) = links("decoys.warc.gz", &[&one[..], &one[..40], &full].concat(), &[]);
    assert_eq!((uris.len(), problems.len()), (2, 1), "{uris:?} {problems:?}");
}

/// A text in a page that looks like a record is not taken for one; nor where the page's record is damaged, unless it is whole.
#[test]
fn pages_about_archives() {
    let [one, _, three] = three();
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
fn bombs_are_bounded() {
    let bomb = gzip(&gzip(&vec![b'x'; 300 << 20]));
    let page = response("a", "Content-Encoding: gzip, gzip\r\n", &bomb);
    let good = response("b", "", b"<a href=y>");
    let (uris, problems, code) = links("bomb.warc", &[&page[..], &good].concat(), &["--max-page", "1M"]);
    assert_eq!((uris.len(), code), (1, 1));
    assert_eq!(problems, ["record at byte 0: the page has more than 1048576 bytes (--max-page)"]);
    // Also one of which nothing is left: 60 MB of empty members, in two more codings.
    let empty = gzip(&gzip(&gzip(b"").repeat(3 << 20)));
    assert!(empty.len() < 20_000, "{}", empty.len());
    let page = response("a", "Content-Encoding: gzip, gzip, gzip\r\n", &empty);
    let (uris, problems, code) = links("bomb.warc", &[&page[..], &good].concat(), &[]);
    assert_eq!((uris.len(), code), (1, 1));
    assert_eq!(problems, ["record at byte 0: its body is damaged: unexpected end"]);
    // Also where the record itself is one.
    let page = response("a", "", &vec![b'x'; 30 << 20]);
    let (uris, problems, code) = links("bomb.warc.gz", &[gzip(&page), gzip(&good)].concat(), &["--max-page", "1M"]);
    assert_eq!((uris.len(), code), (1, 1));
    assert_eq!(problems, ["record at byte 0: the page has more than 1048576 bytes (--max-page)"]);
}

/// Pages too large for memory wait until their temporary files fit; only one that alone does not fit is reported.
#[test]
fn temporary_files_are_bounded() {
    let large = [&b"<a href=x>"[..], &vec![b' '; 3 << 20]].concat();
    let noise: Vec<u8> = (0..3_u32 << 18).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let noise = gzip(&[&b"<a href=x><!--"[..], &noise].concat());
    assert!(noise.len() > 2 << 20, "{}", noise.len());
    let small = response("b", "", b"<a href=y>");
    let gzipped = "Content-Encoding: gzip\r\n";
    for (shape, page) in [
        ("plain", response("a", "", &large)),
        // Only the worker needs a file.
        ("gzipped", response("a", gzipped, &gzip(&large))),
        // Those of the reader and of the worker do not fit together.
        ("both", response("a", gzipped, &noise)),
        ("twice", response("a", "Content-Encoding: gzip, gzip\r\n", &gzip(&gzip(&large)))),
    ] {
        let archive = [page.repeat(6), small.clone()].concat();
        let file = file("temp", &archive);
        let [file, folder] = [&*file, file.parent().unwrap()].map(|path| path.to_str().unwrap());
        // In a folder a worker finds out that it is an archive.
        for (threads, input) in [("1", file), ("8", file), ("1", "-"), ("1", folder), ("8", folder)] {
            let args = ["--threads", threads, input];
            let args = [&["links", "-q", "--base=x:", "--format=text", "--max-temp=4M"][..], &args].concat();
            let output = relref(&args, &archive);
            let expected = "http://h/a/x\n".repeat(6) + "http://h/b/y\n";
            assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{shape} {args:?}");
            assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{shape} {args:?}");
        }
        for threads in ["1", "8"] {
            let (uris, problems, code) = links("temp.warc", &archive, &["--max-temp", "2M", "--threads", threads]);
            assert_eq!((uris, code), (vec![String::from("http://h/b/y")], 1), "{shape}");
            assert_eq!(problems.len(), 6, "{shape}");
            let why = "the page does not fit: a temporary file has at most 2097152 bytes (--max-temp)";
            assert!(problems.iter().all(|problem| problem.ends_with(why)), "{shape}: {problems:?}");
        }
    }
}

#[test]
fn other_archives_are_done() {
    let records = three();
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

/// An archive of 64 MB with a page of 24 MB in it, gzipped and twice gzipped.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded() {
    let page = "<p>some text <a href='x'>x</a>".repeat(800_000);
    let other = response("b", "", "<p>some text <a href='x'>x</a>".repeat(1000).as_bytes());
    let large = response("a", "", page.as_bytes());
    let twice = response("c", "Content-Encoding: gzip\r\n", &gzip(page.as_bytes()));
    let image = record("response", &of_response("http://h/"), &http("Content-Type: image/png\r\n", &vec![7; 20 << 20]));
    let bytes = [gzip(&large), gzip(&other).repeat(400), gzip(&image), gzip(&twice)].concat();
    let file = file("memory.warc.gz", &bytes);
    let args = ["--base", "h:/", "--format", "text"];
    let (from_file, written) = crate::links::command::peak(&[&args[..], &[file.to_str().unwrap()]].concat(), |_| ());
    assert_eq!(written, (2 * 800_000 + 400 * 1000) * "http://h/a/x\n".len() as u64);
    let (from_pipe, again) =
        crate::links::command::peak(&[&args[..], &["-"]].concat(), move |stdin| stdin.write_all(&bytes).unwrap());
    assert_eq!(again, written);
    assert!(from_file < 64 << 10 && from_pipe < 64 << 10, "{from_file} KiB, {from_pipe} KiB");
}

/// A short archive shows the same records from a file, which is read in large pieces, and from a pipe.
#[test]
fn a_pipe_shows_what_a_file_shows() {
    // In a record with a wrong length, another with one, and in that a good one.
    let good = response("c", "", b"<a href=z>");
    let inner = record("resource", "", &good).strip_suffix(b"\r\n\r\n").unwrap().to_vec();
    let outer = format!("WARC/1.1\r\nContent-Length: {}\r\n\r\n", inner.len() + 1);
    let wrong = [outer.as_bytes(), &inner, b"xyz"].concat();
    let long_field = |len| format!("{}X: {}\r\n", of_response("http://h/b/"), " ".repeat(len));
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

quickcheck::quickcheck! {
    /// Any bytes in the middle of an archive: it ends, and what stands before is printed.
    fn any_bytes_are_read(bytes: Vec<u8>, at: usize, gzipped: bool) -> bool {
        let mut archive = if gzipped { three().iter().flat_map(|record| gzip(record)).collect() } else { three().concat() };
        let first = if gzipped { gzip(&three()[0]).len() } else { three()[0].len() };
        let at = first + at % (archive.len() - first);
        archive.splice(at..at, bytes);
        let output = relref(&["links", "-q", "--base", "x:", "--format", "text", "-"], &archive);
        output.status.code().is_some_and(|code| code < 2) && output.stdout.starts_with(b"http://h/a/1\n")
    }
}
