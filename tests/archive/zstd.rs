//! Archives of Zstandard frames, whole and damaged.

use std::io::Cursor;

use relref::archive::Records;

use super::made::{file, links, three};
use crate::command::process::relref;

const URIS: [&str; 3] = ["http://h/a/1", "http://h/b/2", "http://h/c/3"];

fn compress(bytes: &[u8], dictionary: &[u8]) -> Vec<u8> {
    zstd::bulk::Compressor::with_dictionary(3, dictionary).unwrap().compress(bytes).unwrap()
}

/// Returns a skippable frame with a dictionary.
fn dictionary_frame(content: &[u8]) -> Vec<u8> {
    [b"\x5d\x2a\x4d\x18", &(content.len() as u32).to_le_bytes()[..], content].concat()
}

#[test]
fn frames_are_read_with_and_without_a_dictionary() {
    let records = three();
    // Any bytes that records have in common.
    let dictionary = &records[0];
    let frames = |dictionary: &[u8]| records.iter().flat_map(|record| compress(record, dictionary)).collect::<Vec<_>>();
    let skippable = b"\x50\x2a\x4d\x18\x03\0\0\0abc";
    for (name, bytes) in [
        ("plain.warc.zst", frames(b"")),
        ("one.warc.zst", compress(&records.concat(), b"")),
        ("skip.warc.zst", [&frames(b"")[..], skippable, &frames(b"")[..0]].concat()),
        ("dictionary.warc.zst", [dictionary_frame(dictionary), frames(dictionary)].concat()),
        ("compressed.warc.zst", [dictionary_frame(&compress(dictionary, b"")), frames(dictionary)].concat()),
    ] {
        let (uris, problems, code) = links(name, &bytes, &[]);
        assert_eq!((uris, problems, code), (URIS.map(String::from).to_vec(), vec![], 0), "{name}");
        let output = relref(&["links", "-q", "--base", "x:", "--format", "text", "-"], &bytes);
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), URIS, "{name}");
        // A folder, and a name that does not tell.
        let folder = file(name, &bytes);
        std::fs::rename(&folder, folder.with_file_name("unknown")).unwrap();
        let folder = folder.parent().unwrap().to_str().unwrap();
        let output = relref(&["links", "-q", "--base", "x:", "--format", "text", folder], b"");
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), URIS, "{name}");
    }
    // A record at the offset of an index, with the dictionary at the start of the file.
    let start = dictionary_frame(dictionary);
    let mut input = Cursor::new([start.clone(), frames(dictionary)].concat());
    let offset = (start.len() + compress(&records[0], dictionary).len()) as u64;
    input.set_position(offset);
    let record = Records::seekable(input).unwrap().next_record().unwrap().unwrap();
    assert_eq!((record.offset, &*record.target_uri), (offset, "http://h/b/"));
}

#[test]
fn damaged_frames_cost_only_their_records() {
    let [one, two, three] = three().map(|record| compress(&record, b""));
    let expected = [URIS[0], URIS[2]].map(String::from).to_vec();
    let mut huge = zstd::encode_all(&*vec![b'x'; 1 << 20], 3).unwrap();
    huge[5] = 21 << 3;
    let mut wrong = two.clone();
    *wrong.last_mut().unwrap() ^= 0x55;
    let wants_dictionary = [&b"\x28\xb5\x2f\xfd\x03\x58\x07\0\0\0"[..], &two[6..]].concat();
    for (name, bad, why) in [
        ("window.warc.zst", &huge[..], "its window of 2147483648 bytes is larger than 8 MiB"),
        ("cut.warc.zst", &two[..two.len() / 2], ""),
        ("wrong.warc.zst", &wrong, ""),
        ("missing.warc.zst", &wants_dictionary, "it needs a dictionary, and the archive has none"),
    ] {
        let (uris, problems, code) = links(name, &[&one, bad, &three].concat(), &[]);
        let found: Vec<_> = uris.into_iter().filter(|uri| uri != URIS[1]).collect();
        assert_eq!((found, code), (expected.clone(), 1), "{name}: {problems:?}");
        let start = format!("record at byte {}: its Zstandard frame is damaged: {why}", one.len());
        assert!(problems.len() == 1 && problems[0].starts_with(&start), "{name}: {problems:?}");
    }
    // Dictionaries that cannot be read.
    for (bytes, why) in [
        (dictionary_frame(b"\x28\xb5\x2f\xfd\xff"), "its dictionary at byte 0 is damaged"),
        (b"\x5d\x2a\x4d\x18\xff\xff\xff\xff".to_vec(), "its dictionary at byte 0 has more than 4 MiB"),
        (b"\x5d\x2a\x4d\x18\x09\0\0\0x".to_vec(), "it ends in its dictionary at byte 0"),
        (
            dictionary_frame(&zstd::encode_all(&*vec![b'x'; 9 << 20], 3).unwrap()),
            "its dictionary at byte 0 has more than 4 MiB",
        ),
    ] {
        let (uris, problems, code) = links("bad-dictionary.warc.zst", &bytes, &[]);
        assert!(
            uris.is_empty() && code == 1 && problems.len() == 1 && problems[0].starts_with(why),
            "{why} {uris:?} {code} {problems:?}"
        );
    }
}

/// Cut anywhere, an archive shows the records before the cut, and damage unless the cut is between frames.
#[test]
fn archives_are_read_up_to_a_cut() {
    let records = three();
    let dictionary = records[0].clone();
    let start = dictionary_frame(&dictionary);
    let frames = records.map(|record| compress(&record, &dictionary));
    let all = [start.clone(), frames.concat()].concat();
    let ends: Vec<usize> = (0..=3).map(|count| start.len() + frames[..count].concat().len()).collect();
    for cut in 4..all.len() {
        let Ok(mut archive) = Records::new(&all[..cut]) else {
            assert!(cut < start.len());
            continue;
        };
        let (mut whole, mut damaged) = (0, 0);
        while let Some(record) = archive.next_record() {
            match record {
                Ok(_) => match archive.finish() {
                    Ok(()) => whole += 1,
                    Err(_) => damaged += 1,
                },
                Err(_) => damaged += 1,
            }
        }
        let expected = ends[1..].iter().filter(|end| **end <= cut).count();
        assert_eq!((whole, damaged), (expected, usize::from(!ends.contains(&cut))), "{cut}");
    }
}

/// The library calls a dictionary that it cannot read a lack of memory.
#[test]
fn a_damaged_dictionary_is_named() {
    // The magic number of a dictionary, and no tables after it.
    let dictionary = b"\x37\xa4\x30\xec\x01\0\0\0 no tables follow here";
    let archive = [dictionary_frame(dictionary), compress(&three()[0], b"")].concat();
    let (uris, problems, code) = links("damaged-dictionary.warc.zst", &archive, &[]);
    assert!(uris.is_empty() && code == 1);
    assert!(problems[0].ends_with("the dictionary of the archive is damaged"), "{problems:?}");
}
