//! Bounds on what reading an archive takes: decoded bodies, temporary files and memory.

use super::made::{file, gzip, http, links, record, response, response_fields};
use crate::command::process::relref;

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

/// Pages that are too large for memory wait until there is room for their temporary files. Only a page that does not fit alone is
/// reported.
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
            let why = "it does not fit: a temporary file has at most 2097152 bytes (--max-temp)";
            assert!(problems.iter().all(|problem| problem.ends_with(why)), "{shape}: {problems:?}");
        }
    }
}

/// An archive of 64 MB with a page of 24 MB in it, gzipped and twice gzipped.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded() {
    let page = "<p>some text <a href='x'>x</a>".repeat(800_000);
    let other = response("b", "", "<p>some text <a href='x'>x</a>".repeat(1000).as_bytes());
    let large = response("a", "", page.as_bytes());
    let twice = response("c", "Content-Encoding: gzip\r\n", &gzip(page.as_bytes()));
    let image =
        record("response", &response_fields("http://h/"), &http("Content-Type: image/png\r\n", &vec![7; 20 << 20]));
    let bytes = [gzip(&large), gzip(&other).repeat(400), gzip(&image), gzip(&twice)].concat();
    let file = file("memory.warc.gz", &bytes);
    let args = ["--base", "h:/", "--format", "text"];
    let (from_file, written) = crate::links::memory::peak(&[&args[..], &[file.to_str().unwrap()]].concat(), |_| ());
    assert_eq!(written, (2 * 800_000 + 400 * 1000) * "http://h/a/x\n".len() as u64);
    let (from_pipe, again) =
        crate::links::memory::peak(&[&args[..], &["-"]].concat(), move |stdin| stdin.write_all(&bytes).unwrap());
    assert_eq!(again, written);
    assert!(from_file < 64 << 10 && from_pipe < 64 << 10, "{from_file} KiB, {from_pipe} KiB");
}

/// WAT records of 8 MB take little more memory than their length, even if their JSON repeats something very often.
#[cfg(target_os = "linux")]
#[test]
fn memory_for_wat_is_bounded() {
    for (before, unit, after, links) in [
        (r#""HTML-Metadata":{"Links":["#, "{},", "{}]}", 0),
        (r#""HTML-Metadata":{"Links":["#, r#"{"url":"x"},"#, "{}]}", (8 << 20) / 12),
        (r#""HTML-Metadata":{"Head":{"Base":"/","Metas":["#, r#"{"content":"\u0001"},"#, "{}]}}", 0),
        (r#""Headers":{"Link":["#, "0,", "0]}", 0),
        (r#""Headers":{"#, r#""Link":"<x>","#, r#""a":"b"}"#, (8 << 20) / 13),
        (r#""HTML-Metadata":["#, "[],", "0]", 0),
    ] {
        let count = ((8 << 20) - 200) / unit.len();
        let json = format!(
            r#"{{"Envelope":{{"Payload-Metadata":{{"HTTP-Response-Metadata":{{{before}{}{after}}}}}}}}}"#,
            unit.repeat(count)
        );
        let fields = "Content-Type: application/json\r\nWARC-Target-URI: http://h/\r\n";
        let bytes = gzip(&record("metadata", fields, json.as_bytes())).repeat(2);
        let file = file("memory.wat.gz", &bytes);
        let (peak, written) = crate::links::memory::peak(&["--format", "text", file.to_str().unwrap()], |_| ());
        assert!(written >= 2 * (links.min(count as u64)) * "http://h/x\n".len() as u64, "{unit}: {written}");
        assert!(peak < 64 << 10, "{unit}: {peak} KiB");
    }
}

/// Damage that comes every few bytes takes bounded memory and messages, whatever the number of threads.
#[cfg(target_os = "linux")]
#[test]
fn memory_of_damage_is_bounded() {
    let frame = zstd::encode_all(&*response("a", "", b"<a href=x>"), 1).unwrap();
    let frames = [&frame[..], &b"\x28\xb5\x2f\xfd".repeat(1 << 18)].concat();
    let members = [gzip(&response("a", "", b"<a href=x>")), b"\x1f\x8b\x08\0".repeat(1 << 18)].concat();
    let heads = b"WARC/1.0\r\n".repeat(100_000);
    for (name, bytes, links) in [("many.warc.zst", frames, 1), ("many.warc.gz", members, 1), ("many.warc", heads, 0)] {
        let file = file(name, &bytes);
        for threads in ["1", "2", "16"] {
            for input in [file.to_str().unwrap(), file.parent().unwrap().to_str().unwrap()] {
                let args = ["--format=text", "--threads", threads, input];
                let watched = crate::links::memory::watch(&args, |_| ());
                assert!(watched.peak < 64 << 10, "{name}, {threads} threads: {} KiB", watched.peak);
                assert!(watched.problems.len() < 20_000, "{name}: {} bytes", watched.problems.len());
                assert_eq!((watched.written, watched.code), (links * 13, Some(1)), "{name}: {}", watched.problems);
            }
        }
    }
}
