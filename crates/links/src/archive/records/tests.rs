//! Tests of the records of an archive.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

fn record(content: &str, length: usize) -> String {
    format!("WARC/1.1\r\nWARC-Type: x\r\nContent-Length: {length}\r\n\r\n{content}\r\n\r\n")
}

fn gzip(bytes: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// Returns the offset of each record with its content, and the offset of each damage with its [`ContentRead`] and its reason, in
/// the order in which they are read.
fn all<R: Read>(mut records: Records<R>) -> Vec<(u64, String)> {
    let mut all = Vec::new();
    while let Some(record) = records.next_record() {
        all.push(match record {
            Ok(record) => {
                let mut content = Vec::new();
                records.read_to_end(&mut content).unwrap();
                (record.offset, String::from_utf8_lossy(&content).into_owned())
            }
            Err(damage) => (damage.offset, format!("{:?} {}", damage.content, damage.reason)),
        });
    }
    assert!(records.next_record().is_none() && records.finish().is_ok());
    all
}

/// Checks that `expected` is what [`all`] returns for these bytes, as a stream and as an input that can seek.
fn check(bytes: &[u8], expected: &[(usize, &str)]) {
    let expected: Vec<_> = expected.iter().map(|(offset, text)| (*offset as u64, (*text).to_owned())).collect();
    assert_eq!(all(Records::new(bytes).unwrap()), expected);
    assert_eq!(all(Records::seekable(Cursor::new(bytes)).unwrap()), expected);
}

const WRONG: &str = "Partial its length is wrong: no record follows";

#[test]
fn records_in_a_wrong_one_are_found() {
    let (one, two) = (record("one", 3), record("two", 3));
    let wrong = record("wrong", 9);
    let len = wrong.len();
    check([&one[..], &two].concat().as_bytes(), &[(0, "one"), (one.len(), "two")]);
    // The content seems to hold the first part of the next record.
    let start = "wrong\r\n\r\n";
    let [long, short] = [record("wrong", 12), record("wrong", 2)];
    check([&wrong[..], &one].concat().as_bytes(), &[(0, start), (len, "one")]);
    check(
        [&long[..], &one, &two].concat().as_bytes(),
        &[(0, "wrong\r\n\r\nWAR"), (0, WRONG), (long.len(), "one"), (long.len() + one.len(), "two")],
    );
    check([&short[..], &one].concat().as_bytes(), &[(0, "wr"), (0, WRONG), (short.len(), "one")]);
}

#[test]
fn a_length_beyond_the_archive_costs_no_record() {
    let (one, two, three) = (record("one", 100_000), record("two", 200_000), record("three", 5));
    let [second, third] = [one.len(), one.len() + two.len()];
    let missing = |length: usize, start: usize| {
        let head = one.find("\r\n\r\n").unwrap() + 4;
        let rest = one.len() + two.len() + three.len() - start - head;
        format!("Partial it ends early: {} bytes of its content are missing", length - rest)
    };
    let found = all(Records::seekable(Cursor::new([&*one, &*two, &*three].concat())).unwrap());
    let expected = [
        (0, "one\r\n\r\n"),
        (0, &missing(100_000, 0)),
        (second, "two\r\n\r\n"),
        (second, &missing(200_000, second)),
        (third, "three"),
    ];
    assert_eq!(found, expected.map(|(offset, text)| (offset as u64, text.to_owned())));
}

/// Writers of blocks, such as bgzip, end a member after so many bytes.
#[test]
fn a_record_may_end_in_a_later_member() {
    let text = [record("one", 3), record("two", 3), record("three", 5)].concat();
    for format in [
        &text,
        &[arc_record("http://h/1", "one", 3), arc_record("http://h/2", "two", 3), arc_record("http://h/3", "three", 5)]
            .concat(),
    ] {
        for len in 1..format.len() {
            let members = format
                .as_bytes()
                .chunks(len)
                .map(|part| gzip(std::str::from_utf8(part).unwrap()))
                .collect::<Vec<_>>()
                .concat();
            let contents = |found: Vec<(u64, String)>| found.into_iter().map(|(_, text)| text).collect::<Vec<_>>();
            assert_eq!(contents(all(Records::new(&*members).unwrap())), ["one", "two", "three"], "{len}");
            let padded = [&members[..], &[0; 200_000]].concat();
            assert_eq!(
                contents(all(Records::seekable(Cursor::new(padded)).unwrap())),
                ["one", "two", "three"],
                "{len}"
            );
        }
    }
    // A member that is cut short costs only its record.
    let [one, two] = [record("one", 9), record("two", 3)].map(|record| gzip(record.trim_end()));
    let missing = "Partial it ends early: 6 bytes of its content are missing";
    check(&[&one[..], &two].concat(), &[(0, "one"), (0, missing), (one.len(), "two")]);
}

#[test]
fn a_cut_end_is_read_and_reported() {
    let (one, two) = (record("one", 3), record("two", 30));
    let cut = [&one[..], two.trim_end()].concat();
    check(
        cut.as_bytes(),
        &[(0, "one"), (one.len(), "two"), (one.len(), "Partial it ends early: 27 bytes of its content are missing")],
    );
    check(
        &[gzip(&one), gzip(two.trim_end()), gzip(&one)].concat(),
        &[
            (0, "one"),
            (gzip(&one).len(), "two"),
            (gzip(&one).len(), "Partial it ends early: 27 bytes of its content are missing"),
            (gzip(&one).len() + gzip(two.trim_end()).len(), "one"),
        ],
    );
}

#[test]
fn a_damaged_member_costs_only_its_record() {
    let members = ["one", "two", "three"].map(|content| gzip(&record(content, content.len())));
    let mut bytes = members.concat();
    let [start, next] = [members[0].len(), members[0].len() + members[1].len()];
    // Its checksum.
    bytes[next - 8] ^= 1;
    let whole = "Whole its gzip member is damaged: incorrect data check";
    check(&bytes, &[(0, "one"), (start, "two"), (start, whole), (next, "three")]);
    // Its block, which repeats what is before the start of the text.
    let mut damaged = bytes.clone();
    damaged[start + 10..start + 12].copy_from_slice(&[3, 2]);
    check(&damaged, &[(0, "one"), (start, "Partial its gzip member is damaged: damaged data"), (next, "three")]);
    // Its header.
    bytes[start] = 0;
    check(
        &bytes,
        &[(0, "one"), (start, "Partial its gzip member is damaged: incorrect header check"), (next, "three")],
    );
}

#[test]
fn a_record_is_read_at_its_offset() {
    let one = gzip(&record("one", 3));
    let mut file = Cursor::new([&one[..], &gzip(&record("two", 3))].concat());
    file.set_position(one.len() as u64);
    assert_eq!(all(Records::seekable(file.clone()).unwrap()), [(one.len() as u64, "two".to_owned())]);
    let mut records = Records::seekable(file).unwrap();
    while records.next_record().is_some() {}
    assert_eq!(records.bytes_read(), gzip(&record("two", 3)).len() as u64);
}

#[test]
fn lengths_lead_to_the_next_record() {
    let (one, other) = (record("one", 3), record("the other", 9));
    let arc = arc_record("http://h/", "arc", 3);
    for parts in [
        vec![one.clone().into_bytes(), other.clone().into_bytes()],
        vec![gzip(&one), gzip(&other), gzip(&one)],
        vec![gzip(&arc), gzip(&arc)],
        vec![arc.clone().into_bytes(), arc.clone().into_bytes()],
        #[cfg(feature = "zstd")]
        vec![zstd::encode_all(one.as_bytes(), 0).unwrap(), zstd::encode_all(other.as_bytes(), 0).unwrap()],
    ] {
        for read_len in [0, 2, 100] {
            let archive = parts.concat();
            let mut records = Records::seekable(Cursor::new(&archive)).unwrap();
            let mut end = 0;
            for part in &parts {
                let record = records.next_record().unwrap().unwrap();
                let mut start = vec![0; read_len];
                let _ = records.read(&mut start).unwrap();
                let len = records.record_len().unwrap();
                assert_eq!((record.offset, len), (end, part.len() as u64));
                assert_eq!(records.record_len().unwrap(), len);
                end += len;
            }
            assert!(records.next_record().is_none());
        }
    }
    let mut damaged = Records::new(&one.as_bytes()[..one.len() - 5]).unwrap();
    assert!(damaged.next_record().unwrap().is_ok() && damaged.record_len().is_err());
}

#[test]
fn content_that_is_not_read_is_skipped() {
    let bytes = [record("one", 3), record("two", 3), "noise".into()].concat();
    let mut records = Records::new(bytes.as_bytes()).unwrap();
    assert!(records.next_record().unwrap().is_ok() && records.next_record().unwrap().is_ok());
    assert_eq!(records.remaining(), 3);
    assert!(records.finish().is_ok() && records.read(&mut [0]).unwrap() == 0);
    assert!(matches!(records.next_record(), Some(Err(Damage { reason: Reason::NoRecord, .. }))));
    assert!(records.next_record().is_none());
    assert_eq!(records.bytes_read(), bytes.len() as u64);
}

/// An ARC record of version 1.
fn arc_record(uri: &str, content: &str, length: usize) -> String {
    format!("{uri} 10.0.0.1 20080430204825 text/html {length}\n{content}\n")
}

const ARC_WRONG: &str = "Partial its length is wrong: no record follows";
const NO_RECORD: &str = "Wrong no record starts here";

#[test]
fn arc_records_are_read() {
    let version = "1 0 Internet Archive\nURL IP-address Archive-date Content-type Archive-length\n";
    let start = arc_record("filedesc://a.arc", version, version.len());
    let (one, two) = (arc_record("http://h/ one", "one", 3), arc_record("dns:h", "", 0));
    let all = [&start[..], &one, &two];
    check(all.concat().as_bytes(), &[(0, version), (start.len(), "one"), (start.len() + one.len(), "")]);
    // Without line feeds between records, and with more.
    let bytes = [start.trim_end_matches('\n'), "\n", one.trim_end(), "\n\r\n\n", two.trim_end()].concat();
    check((bytes + "\n").as_bytes(), &[(0, version), (start.len() - 1, "one"), (start.len() + one.len() + 2, "")]);
    let members = all.map(gzip);
    let starts = [0, members[0].len(), members[0].len() + members[1].len()];
    check(&members.concat(), &[(0, version), (starts[1], "one"), (starts[2], "")]);
    check(&gzip(&all.concat()), &[(0, version), (0, "one"), (0, "")]);
    let mut records = Records::new(one.as_bytes()).unwrap();
    let record = records.next_record().unwrap().unwrap();
    assert_eq!((&*record.kind, &*record.target_uri, &*record.content_type), ("response", "http://h/ one", "text/html"));
    let fields = ["warc-date", "WARC-IP-Address", "Content-Length"].map(|name| record.field(name));
    assert_eq!(fields, [Some("2008-04-30T20:48:25Z"), Some("10.0.0.1"), None]);
}

#[test]
fn damage_of_an_arc_record_costs_only_it() {
    let (one, two, three) = (
        arc_record("http://h/1", "one\n1\n", 6),
        arc_record("http://h/2", "two", 3),
        arc_record("http://h/3", "three", 5),
    );
    let (len, both) = (one.len(), one.len() + two.len());
    let with = |two: &str| [&one[..], two, &three].concat();
    // Its length is too small or too great.
    for (length, content) in [(2, "tw"), (5, "two\nh"), (9, "two\nhttp:")] {
        let bad = arc_record("http://h/2", "two", length);
        let next = len + bad.len();
        check(with(&bad).as_bytes(), &[(0, "one\n1\n"), (len, content), (len, ARC_WRONG), (next, "three")]);
    }
    // It is so great that the record after it is in it, and ends with a line break.
    let bad = arc_record("http://h/2", "two", 3 + 1 + three.len() - 7);
    let next = len + bad.len();
    check(
        with(&bad).as_bytes(),
        &[
            (0, "one\n1\n"),
            (len, &("two\n".to_owned() + three.lines().next().unwrap())),
            (len, ARC_WRONG),
            (next, "three"),
        ],
    );
    // Its head.
    for (bad, why) in [
        (two.replace("http:", "http/"), NO_RECORD),
        (two.replace(" text/html 3", ""), NO_RECORD),
        (two.replace("10.0.0.1 20080430204825 ", ""), NO_RECORD),
        (two.replace("http:", "\0\0"), NO_RECORD),
        (two.replace(" 3\n", " -3\n"), "Wrong its header has no valid length"),
        (two.replace(" 3\n", " 3x\n"), "Wrong its header has no valid length"),
        ("\0".repeat(300_000), NO_RECORD),
        ("noise\n".into(), NO_RECORD),
        ("noise ".into(), NO_RECORD),
    ] {
        let next = len + bad.len();
        check(with(&bad).as_bytes(), &[(0, "one\n1\n"), (len, why), (next, "three")]);
    }
    // A line break is missing, so that the next head is a part of it.
    let cut = &two[..two.len() - 3];
    check(with(cut).as_bytes(), &[(0, "one\n1\n"), (len, "tht"), (len, ARC_WRONG), (len + cut.len(), "three")]);
    // The end is missing.
    for cut in 1..three.len() - 1 {
        let bytes = with(&two);
        let bytes = &bytes[..both + cut];
        let content = three[..cut].split_once('\n').map(|(_, content)| content);
        let missing = content.map_or(0, |content| 5 - content.len());
        let why = match content {
            Some(_) => format!("Partial it ends early: {missing} bytes of its content are missing"),
            None if arc::Line::parse(&three.as_bytes()[..cut]).is_none() => NO_RECORD.into(),
            None => "Wrong its header has no end".into(),
        };
        let read = content.map(|content| (both, content));
        let damage = (missing > 0 || content.is_none()).then_some((both, &*why));
        let all: Vec<_> = [(0, "one\n1\n"), (len, "two")].into_iter().chain(read).chain(damage).collect();
        check(bytes.as_bytes(), &all);
    }
}

#[test]
fn a_damaged_member_of_an_arc_file_costs_only_its_record() {
    let members = [("http://h/1", "one"), ("urn:2", "two"), ("x-news:3", "three")];
    let members = members.map(|(uri, content)| gzip(&arc_record(uri, content, content.len())));
    let [start, next] = [members[0].len(), members[0].len() + members[1].len()];
    for at in 0..members[1].len() {
        let mut bytes = members.concat();
        bytes[start + at] ^= 0xa5;
        for found in [all(Records::new(&*bytes).unwrap()), all(Records::seekable(Cursor::new(&bytes)).unwrap())] {
            assert_eq!(
                (&found[0], &found[found.len() - 1]),
                (&(0, "one".into()), &(next as u64, "three".into())),
                "{at}"
            );
            assert!(found[1..found.len() - 1].iter().all(|(offset, _)| *offset == start as u64), "{at} {found:?}");
        }
    }
    // The first one, whose start shows that there are members, and that these hold records of ARC.
    let bytes = [&[0; 20], &members[0][20..], &members[0], &members[2]].concat();
    let found = all(Records::new(&*bytes).unwrap());
    let offsets: Vec<u64> = found.iter().map(|(offset, _)| *offset).collect();
    assert_eq!((offsets, &*found[1].1, &*found[2].1), (vec![0, start as u64, 2 * start as u64], "one", "three"));
}

#[test]
fn the_first_record_decides_the_format() {
    let (arc, warc) = (arc_record("http://h/", "arc", 3), record("warc", 4));
    let start = format!("noise\n{arc}");
    check(start.as_bytes(), &[(0, NO_RECORD), (6, "arc")]);
    check(format!("\0noise{arc}").as_bytes(), &[(0, NO_RECORD), (6, "arc")]);
    // Records of the other format are content, or damage.
    check(
        format!("noise{warc}{arc}{warc}").as_bytes(),
        &[(0, NO_RECORD), (5, "warc"), (5 + warc.len(), NO_RECORD), (5 + warc.len() + arc.len(), "warc")],
    );
    check(
        format!("{arc}{warc}{arc}").as_bytes(),
        &[(0, "arc"), (arc.len(), NO_RECORD), (arc.len() + warc.len(), "arc")],
    );
}

quickcheck::quickcheck! {
    /// Whatever the bytes between two records of ARC, and whatever byte is changed in them, the first record is read, and so is the
    /// last, unless they hold a head whose content it is.
    fn arc_records_around_damage_are_read(noise: Vec<u8>, at: usize, change: u8) -> bool {
        let (one, two, three) = (arc_record("http://h/1", "one", 3), arc_record("http://h/2", "two", 3), arc_record("http://h/3", "three", 5));
        let mut middle = [&noise, two.as_bytes()].concat();
        let at = at % middle.len();
        middle[at] ^= change;
        // A changed length or a removed line break could make the record end elsewhere: it must then not be the last byte.
        let bytes = [one.as_bytes(), &middle, b"\n", three.as_bytes()].concat();
        let offset = (bytes.len() - three.len()) as u64;
        [all(Records::new(&*bytes).unwrap()), all(Records::seekable(Cursor::new(&bytes)).unwrap())].iter().all(|found| {
            found[0] == (0, "one".to_owned()) && found.contains(&(offset, "three".to_owned()))
        })
    }
}
