//! Archives that are cut short or overwritten.

use super::made::{file, gzip, links, links_of_each, record, response, response_fields, three_records};
use crate::command::process::relref;

/// Of an archive that is cut anywhere, the links before the cut are printed. The cut is reported unless it is between two records.
#[test]
fn cut_archives() {
    let records = three_records();
    let whole = [records[0].len(), records[0].len() + records[1].len()];
    let expected = ["http://h/a/1", "http://h/b/2", "http://h/c/3"];
    let text = String::from_utf8(records.concat()).unwrap();
    let links_end = [1, 2, 3].map(|link| text.find(&format!("<a href={link}>")).unwrap() + 10);
    let cuts = (whole[0] - 10..whole[0] + 200).chain(whole[1] - 10..whole[1] + records[2].len() - 4);
    let archives: Vec<Vec<u8>> = cuts.map(|cut| records.concat()[..cut].to_vec()).collect();
    for (bytes, (uris, problems)) in archives.iter().zip(links_of_each("warc", &archives)) {
        let cut = bytes.len();
        let complete = whole.iter().filter(|whole| cut + 4 >= **whole).count();
        assert_eq!(uris, expected[..links_end.iter().filter(|end| cut >= **end).count()], "{cut}");
        let breaks = whole.iter().any(|whole| (whole - 4..=*whole).contains(&cut));
        assert_eq!(problems.len(), usize::from(!breaks), "{cut}: {problems:?}");
        // Each run reads one stream.
        if cut % 16 == 0 || breaks {
            let output = relref(&["links", "-q", "--base", "x:", "--format", "text", "-"], bytes);
            assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), uris, "{cut}");
            assert_eq!(output.status.code(), Some(i32::from(!breaks)), "{cut}");
        }
        let offset = if complete == 0 { 0 } else { whole[complete - 1] };
        assert!(
            problems.iter().all(|problem| problem.starts_with(&format!("record at byte {offset}: "))),
            "{problems:?}"
        );
    }
    let members: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    let whole = [members[0].len(), members[0].len() + members[1].len()];
    let cuts = (whole[0]..whole[0] + 60).chain(whole[1] - 60..whole[1] + 60);
    let archives: Vec<Vec<u8>> = cuts.map(|cut| members.concat()[..cut].to_vec()).collect();
    for (bytes, (uris, problems)) in archives.iter().zip(links_of_each("warc.gz", &archives)) {
        let cut = bytes.len();
        let complete = whole.iter().filter(|whole| cut >= **whole).count();
        // Only the end of the member is missing, with its checksum, or a little more.
        let read = complete + usize::from(whole.iter().any(|whole| (whole - 8..*whole).contains(&cut)));
        assert!((read..=complete + 1).contains(&uris.len()) && uris == expected[..uris.len()], "{cut}: {uris:?}");
        assert_eq!(problems.len(), usize::from(!whole.contains(&cut)), "{cut}: {problems:?}");
        let offset = whole[complete - 1];
        assert!(
            problems.iter().all(|problem| problem.starts_with(&format!("record at byte {offset}: "))),
            "{problems:?}"
        );
    }
}

/// The page of a record that is cut is read up to the cut, or to the next record that its block contains.
#[test]
fn cut_pages_are_read() {
    let first = response("a", "", b"<a href=1>");
    let wrong =
        String::from_utf8(three_records()[1].clone()).unwrap().replacen("Content-Length: ", "Content-Length: 99", 1);
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
            // A pipe cannot go back over that many bytes.
            let inputs = if name == "wrong" && count > 2000 { &["page.warc"][..] } else { &["page.warc", "-"] };
            for input in inputs {
                let file = file(input, bytes);
                let input = if *input == "-" { "-" } else { file.to_str().unwrap() };
                let output = relref(&["links", "-q", "--base=x:", "--format=text", input], bytes);
                let [text, problems] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
                let found: Vec<&str> = text.lines().collect();
                assert_eq!(found[0], "http://h/a/1");
                let links = (0..count).map(|n| format!("http://h/z/{}", n.wrapping_mul(2_654_435_761)));
                let is_wrong = name == "wrong";
                assert_eq!(found.contains(&"http://h/b/2"), is_wrong);
                let found = &found[1 + usize::from(is_wrong)..];
                assert!(links.zip(found).all(|(link, found)| link == **found), "{name} {count} {fields}");
                assert!(found.len() as u32 + 1 >= least, "{name} {count} {fields}: {} {problems}", found.len());
                let offset = first.len() + if name == "wrong" { wrong.len() } else { 0 };
                let offset = if name == "gzipped" { gzip(&first).len() } else { offset };
                let of_last = format!(": record at byte {offset}: it");
                assert_eq!(problems.lines().count(), if name == "wrong" { 2 } else { 1 }, "{problems}");
                assert!(problems.lines().last().unwrap().contains(&of_last), "{problems}");
            }
        }
    }
}

/// If any byte of a gzip member is changed, only the record in it loses links, and only those after the damage.
#[test]
fn damaged_members() {
    let members: Vec<Vec<u8>> = three_records().iter().map(|record| gzip(record)).collect();
    let (start, len) = (members[0].len(), members[1].len());
    let mut archives = Vec::new();
    // The flags, the time and the name of the system may change and leave the record whole.
    for at in (0..4).chain(10..60).chain((60..len - 60).step_by(len / 60)).chain(len - 60..len) {
        let mut bytes = members.concat();
        bytes[start + at] ^= 0xa5;
        archives.push((bytes, at >= len - 8, format!("change at {at}")));
    }
    // So do bytes that are missing, and others that are too many.
    for cut in [1, 5, 20, len / 2, len - 10, len - 1] {
        let bytes = [&members[0][..], &members[1][..cut], &members[2]].concat();
        archives.push((bytes, cut >= len - 8, format!("cut at {cut}")));
    }
    let bytes: Vec<Vec<u8>> = archives.iter().map(|(bytes, ..)| bytes.clone()).collect();
    let found = links_of_each("flip.warc.gz", &bytes);
    for (number, ((bytes, is_whole, what), (uris, problems))) in archives.into_iter().zip(found).enumerate() {
        assert!(problems[0].starts_with(&format!("record at byte {start}: ")), "{what}: {problems:?}");
        let read = &uris[1..uris.len() - 1];
        assert_eq!((&*uris[0], &*uris[uris.len() - 1]), ("http://h/a/1", "http://h/c/3"), "{what}: {problems:?}");
        // The page itself may be damaged where the checksum is.
        assert!(read.len() < 2 && (!is_whole || read == ["http://h/b/2"]), "{what}: {uris:?}");
        // Each run reads one stream.
        if number % 8 == 0 {
            let output = relref(&["links", "-q", "--base", "x:", "--format", "text", "-"], &bytes);
            assert_eq!(String::from_utf8_lossy(&output.stdout).lines().collect::<Vec<_>>(), uris, "{what}");
            assert_eq!(output.status.code(), Some(1), "{what}");
        }
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
    let [one, two, three] = three_records();
    let text = String::from_utf8(two).unwrap();
    let len = one.len();
    for (from, to, why) in [
        ("WARC/1.1", "WARX/1.1", "no record starts here"),
        ("WARC/1.1", "\0\0", "no record starts here"),
        ("Content-Length: ", "Content-Length: x", "no valid length"),
        ("Content-Length: ", "Content-Length: 999999999999999999999", "no valid length"),
        ("Content-Length: ", "Content-Size: ", "no valid length"),
        ("Content-Length: ", "Content-Length: 9", "it ends early"),
        ("Content-Length: 5", "Content-Length: ", "its length is wrong"),
        ("HTTP/1.1", "HTTQ/1.1", "not an HTTP response"),
    ] {
        let bad = text.replacen(from, to, 1);
        assert_ne!(bad, text);
        let mut bad = bad.into_bytes();
        if why.contains("HTTP") {
            // The length is right, only the response is not.
            bad = record(
                "response",
                &response_fields("http://h/b/"),
                &bad[bad.windows(4).position(|four| four == b"HTTP" || four == b"HTTQ").unwrap()..],
            );
        }
        let (uris, problems, code) = links("heads.warc", &[&one[..], &bad, &three].concat(), &[]);
        // With a wrong length, the start of the page is read.
        let is_read = matches!(why, "its length is wrong" | "it ends early");
        let page = if is_read { &["http://h/b/2"][..] } else { &[] };
        assert_eq!(uris, [&["http://h/a/1"][..], page, &["http://h/c/3"]].concat(), "{to}: {problems:?}");
        assert_eq!((problems.len(), code), (1, 1), "{to}: {problems:?}");
        assert!(problems[0].starts_with(&format!("record at byte {len}: ")), "{problems:?}");
        assert!(problems[0].contains(why), "{to}: {problems:?}");
        // In a gzip member too.
        let members: Vec<u8> = [&one[..], &bad, &three].into_iter().flat_map(gzip).collect();
        let (uris, problems, code) = links("heads.warc.gz", &members, &[]);
        // There the page ends with its member, and none of the next record is in it.
        let page = if why == "it ends early" { &["http://h/b/2"][..] } else { page };
        assert_eq!(uris, [&["http://h/a/1"][..], page, &["http://h/c/3"]].concat(), "{to}: {problems:?}");
        // Records in one member.
        let member = gzip(&[&one[..], &bad, &three].concat());
        let (uris, ..) = links("heads.warc.gz", &member, &[]);
        // The page ends before the next record.
        let is_other = |uri: &String| uri.starts_with("http://h/b/") && uri != "http://h/b/2";
        assert!(uris[0] == "http://h/a/1" && !uris.iter().any(is_other), "{to}: {uris:?}");
        assert_eq!((problems.len(), code), (1, 1), "{to}: {problems:?}");
    }
}

/// Damage between two records loses neither of them, and is reported once.
/// Other bytes before an archive are passed, and a stream shows what a file shows.
#[test]
fn other_bytes_before_an_archive() {
    let records = three_records();
    let expected = ["http://h/a/1", "http://h/b/2", "http://h/c/3"];
    let noise: Vec<u8> = (0..3000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let zstd = |record: &Vec<u8>| zstd::bulk::compress(record, 3).unwrap();
    for (name, bytes) in [
        ("a.warc", records.concat()),
        ("a.warc.gz", records.iter().flat_map(|record| gzip(record)).collect()),
        ("a.warc.zst", records.iter().flat_map(zstd).collect()),
    ] {
        for before in [&b"junk"[..], &b"x".repeat(1400), &noise, &noise.repeat(20), &b"text ".repeat(12_000)] {
            // A long text before an uncompressed archive may be a page about archives.
            if before.starts_with(b"text") && name == "a.warc" {
                continue;
            }
            let bytes = [before, &bytes].concat();
            let (uris, problems, code) = links(name, &bytes, &[]);
            assert_eq!((&uris[..], problems.len(), code), (&expected.map(String::from)[..], 1, 1), "{problems:?}");
            let output = relref(&["links", "-q", "--format", "text", "-"], &bytes);
            let what = format!("{} bytes before {name}", before.len());
            assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), expected, "{what}");
            let problem = String::from_utf8(output.stderr).unwrap();
            assert_eq!(problem, format!("relref: -: {}\n", problems[0]), "{what}");
        }
    }
    // A start with more bytes, because its first block is that long.
    let mut state = 1_u32;
    let random = (0..300_000).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 25) as u8
    });
    let output = relref(&["links", "-q", "--base", "http://h/", "-"], &zstd(&random.collect()));
    assert_eq!(output.stderr, b"relref: -: binary data, not a page\n", "{}", String::from_utf8_lossy(&output.stderr));
    // A page is one, whatever is in it.
    let page = [b"<p><a href=x>", &*gzip(&records[0])].concat();
    let output = relref(&["links", "-q", "--base", "http://h/", "--format", "text", "-"], &page);
    assert_eq!(output.stdout, b"http://h/x\n");
}

#[test]
fn damage_between_records() {
    let [one, two, three] = three_records();
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
        (&one, &two[..40], len, "its header has no end"),
        (&one, &[&two[..40], &[0; 512]].concat(), len, "its header has no end"),
        (&one, b"WARC/1.1\r\nA: b\r\n\r\n", len, "its header has no valid length"),
        (&one, &wrong(-1), len, "its length is wrong"),
        (&one, &wrong(-100), len, "its length is wrong"),
        (&one, &wrong(5), len, "its length is wrong"),
        (&one, &wrong(30), len, "its length is wrong"),
        (&one, &wrong(100_000), len, "it ends early"),
        (unfinished, &[0; 512], 0, "its length is wrong"),
    ] {
        let bytes = [before, damage, &three].concat();
        let (uris, problems, code) = links("between.warc", &bytes, &[]);
        assert_eq!(uris.last().map(String::as_str), Some("http://h/c/3"), "{why}: {problems:?}");
        // With a wrong length, the start of the page is read.
        let most = if matches!(why, "its length is wrong" | "it ends early") { 3 } else { 2 };
        assert!(uris[0] == "http://h/a/1" && (2..=most).contains(&uris.len()), "{why}: {uris:?}");
        assert_eq!((problems.len(), code), (1, 1), "{why}: {problems:?}");
        assert!(problems[0].starts_with(&format!("record at byte {offset}: {why}")), "{why}: {problems:?}");
        let output = relref(&["links", "-q", "--base", "x:", "--format", "text", "-"], &bytes);
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), uris, "{why}");
    }
}

/// 8 MiB of bytes that look like starts of members lose no record after them.
#[test]
fn false_members() {
    let records = three_records();
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

quickcheck::quickcheck! {
    /// With any bytes in the middle of an archive, reading ends, and the links before these bytes are printed.
    fn any_bytes_are_read(bytes: Vec<u8>, at: usize, gzipped: bool) -> bool {
        let mut archive = if gzipped { three_records().iter().flat_map(|record| gzip(record)).collect() } else { three_records().concat() };
        let first = if gzipped { gzip(&three_records()[0]).len() } else { three_records()[0].len() };
        let at = first + at % (archive.len() - first);
        archive.splice(at..at, bytes);
        let output = relref(&["links", "-q", "--base", "x:", "--format", "text", "-"], &archive);
        output.status.code().is_some_and(|code| code < 2) && output.stdout.starts_with(b"http://h/a/1\n")
    }
}
