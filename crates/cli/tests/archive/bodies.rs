//! The codings of bodies, and damaged bodies and heads.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};

use super::made::{gzip, http, links, record, response, response_fields};

/// `<a href=x><a href=y>` as `brotli` compresses it.
const BROTLI: &[u8] = b"\x1b\x13\x00\xf8\x25\x7d\xf0\xf2\x52\x12\x4b\x84\x29\x05\x0a\xda\xa6\x85\x01";

#[test]
fn bodies_are_decoded() {
    let body = b"<a href=x><a href=y>";
    let chunked = b"5;ext=1\r\n<a hr\r\n00F\r\nef=x><a href=y>\r\n0\r\nTrailer: x\r\n\r\n";
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    zlib.write_all(body).unwrap();
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::fast());
    deflate.write_all(body).unwrap();
    let zipped = gzip(body);
    let [zstd, one, other] = [&body[..], &body[..5], &body[5..]].map(|part| zstd::encode_all(part, 1).unwrap());
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
        ("Content-Encoding: br\r\n", BROTLI),
        ("Content-Encoding: br\r\nTransfer-Encoding: gzip\r\n", &gzip(BROTLI)),
        ("Content-Encoding: zstd\r\n", &zstd),
        ("Content-Encoding: zstd\r\n", &[one, other].concat()),
        ("Content-Encoding: zstd\r\n", body),
        // Names that are none.
        ("Content-Encoding: utf-8\r\n", body),
    ] {
        let (uris, problems, code) = links("body.warc", &response("a", fields, body), &[]);
        assert_eq!(uris, ["http://h/a/x", "http://h/a/y"], "{fields}");
        assert_eq!((problems.len(), code), (0, 0), "{problems:?}");
    }
}

/// Damage in a body or at its end loses none of the bytes that can still be decoded.
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
        ("Content-Encoding: compress\r\n", b"\x1f\x9d\x90x", "", "its content coding `compress` is unknown"),
        ("Content-Encoding: gzip, gzip, gzip, gzip, gzip\r\n", b"x", "", "its body has more than 4 codings"),
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
    // One that the writer cut short on purpose ends where it ends.
    let block = http("Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n", b"99\r\n<a href=x><a hre");
    let cut = record("response", &format!("WARC-Truncated: length\r\n{}", response_fields("http://h/")), &block);
    let (uris, problems, code) = links("bodies.warc", &cut, &[]);
    assert_eq!((uris, problems.len(), code), (vec![String::from("http://h/x")], 0, 0));
}

/// A gzipped body that is cut short or overwritten is read up to the byte where the damage is noticed.
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

/// Fields of HTTP heads that a server or an archiver damaged lose no page.
#[test]
fn damaged_http_heads_are_read_and_told() {
    for fields in [
        "X: a\0b\r\nContent-Type: text/html\r\n",
        "\0Content-Type: text/html\r\n",
        "Content-Type: text/html\0\r\n",
        "X: a\rb\r\nContent-Type: text/html\r\n",
        "X: a\rContent-Type: text/html\rY: b\r\n",
        "X: a\r\r\r\nContent-Type: text/html\r\r\n",
        "\r\0\rContent-Type: text/html\r\n",
    ] {
        let page = record("response", &response_fields("http://h/a/"), &http(fields, b"<a href=x>"));
        let good = response("b", "", b"<a href=y>");
        let (uris, problems, code) = links("fields.warc", &[&good[..], &page, &good].concat(), &[]);
        assert_eq!(uris, ["http://h/b/y", "http://h/a/x", "http://h/b/y"], "{fields:?} {problems:?}");
        let problem = "its HTTP head has a NUL or a lone carriage return";
        assert_eq!((problems, code), (vec![format!("record at byte {}: {problem}", good.len())], 1));
    }
}
