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
                let mut content = String::new();
                records.read_to_string(&mut content).unwrap();
                (record.offset, content)
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

const WRONG: &str = "Wrong its length is wrong: no record follows";

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
