//! Archives of Zstandard frames, whole and damaged.

use std::io::Cursor;

use relref_links::archive::Records;

use super::made::{file, gzip, links, response, three_records};
use crate::command::process::relref;

const URIS: [&str; 3] = ["http://h/a/1", "http://h/b/2", "http://h/c/3"];

/// Returns a Zstandard frame with these bytes, compressed with a dictionary, which may be empty.
fn compress(bytes: &[u8], dictionary: &[u8]) -> Vec<u8> {
    zstd::bulk::Compressor::with_dictionary(3, dictionary).unwrap().compress(bytes).unwrap()
}

/// Returns a skippable frame with a dictionary.
fn dictionary_frame(content: &[u8]) -> Vec<u8> {
    [b"\x5d\x2a\x4d\x18", &(content.len() as u32).to_le_bytes()[..], content].concat()
}

#[test]
fn frames_are_read_with_and_without_a_dictionary() {
    let records = three_records();
    // Any bytes that records have in common.
    let dictionary = &records[0];
    // A window of 128 MiB, as `zstd --ultra -22` writes it for a dictionary from a pipe.
    let mut wide = zstd::encode_all(&**dictionary, 3).unwrap();
    wide[5] = 17 << 3;
    let frames = |dictionary: &[u8]| records.iter().flat_map(|record| compress(record, dictionary)).collect::<Vec<_>>();
    let skippable = b"\x50\x2a\x4d\x18\x03\0\0\0abc";
    for (name, bytes) in [
        ("plain.warc.zst", frames(b"")),
        ("one.warc.zst", compress(&records.concat(), b"")),
        ("skip.warc.zst", [&frames(b"")[..], skippable, &frames(b"")[..0]].concat()),
        ("dictionary.warc.zst", [dictionary_frame(dictionary), frames(dictionary)].concat()),
        ("compressed.warc.zst", [dictionary_frame(&compress(dictionary, b"")), frames(dictionary)].concat()),
        ("wide.warc.zst", [dictionary_frame(&wide), frames(dictionary)].concat()),
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
    let [one, two, three] = three_records().map(|record| compress(&record, b""));
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

/// Of an archive that is cut anywhere, the records before the cut are read. Damage is reported unless the cut is between frames.
#[test]
fn archives_are_read_up_to_a_cut() {
    let records = three_records();
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

/// A dictionary that cannot be read is reported as such, although the library calls this a lack of memory.
#[test]
fn a_damaged_dictionary_is_named() {
    // The magic number of a dictionary, and no tables after it.
    let dictionary = b"\x37\xa4\x30\xec\x01\0\0\0 no tables follow here";
    let archive = [dictionary_frame(dictionary), compress(&three_records()[0], b"")].concat();
    let (uris, problems, code) = links("damaged-dictionary.warc.zst", &archive, &[]);
    assert!(uris.is_empty() && code == 1);
    assert!(problems[0].ends_with("the dictionary of the archive is damaged"), "{problems:?}");
}

/// A damaged start of an archive, or other bytes before it, lose only the records there.
#[test]
fn the_first_frame_is_found_after_other_bytes() {
    let records = three_records();
    let dictionary = &records[0];
    let frames = |dictionary: &[u8]| records.iter().flat_map(|record| compress(record, dictionary)).collect::<Vec<_>>();
    let damaged = |at: usize| {
        let mut frames = frames(b"");
        frames[at] ^= 0x55;
        frames
    };
    // A plain record whose start is damaged, and whose body is compressed.
    let fields = "Content-Encoding: zstd\r\n";
    let mut coded = response("z", fields, &compress(b"<a href=z>", b""));
    coded[0] = b'V';
    for (name, bytes, uris) in [
        ("magic.warc.zst", damaged(0), &URIS[1..]),
        ("descriptor.warc.zst", damaged(4), &URIS[1..]),
        ("junk.warc.zst", [b"junk (\xb5\x2f and ]*M", &frames(b"")[..]].concat(), &URIS),
        ("magic-in-junk.warc.zst", [b"junk ]*M\x18\xf6\r\n\r", &frames(b"")[..]].concat(), &URIS),
        ("long-junk.warc.zst", [&[b'('; 50_000], &frames(b"")[..]].concat(), &URIS),
        (
            "junk-dictionary.warc.zst",
            [b"junk", &dictionary_frame(&compress(dictionary, b""))[..], &frames(dictionary)].concat(),
            &URIS,
        ),
        // Short frames, which have their text as it is.
        (
            "short.warc.zst",
            {
                let short = |uri: &str| {
                    let record = format!(
                        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {uri}\r\nContent-Length: 44\r\n\r\nHTTP/1.1 301\r\nLocation: http://0123456789/\r\n\r\n\r\n\r\n"
                    );
                    compress(record.as_bytes(), b"")
                };
                let mut first = short("http://h/1");
                first[0] ^= 0x55;
                [first, frames(b"")].concat()
            },
            &URIS,
        ),
        ("junk.warc", [&coded[..], &records.concat()].concat(), &URIS),
    ] {
        let (found, problems, code) = links(name, &bytes, &[]);
        assert_eq!(
            (&found[..], code),
            (&uris.iter().map(|uri| (*uri).to_owned()).collect::<Vec<_>>()[..], 1),
            "{name}"
        );
        assert!(problems.len() == 1 && problems[0].starts_with("record at byte 0: "), "{name}: {problems:?}");
    }
}

/// Frames without a record, however many, cost no later ones.
#[test]
fn the_first_frame_with_a_record_is_found_after_others() {
    let records = three_records().map(|record| compress(&record, b"")).concat();
    for (name, other, count) in [
        ("one byte", &b"x"[..], 4000),
        ("a line", b"There is no record in this frame.", 999),
        ("short ones", b"", 5000),
        ("long ones", &[b'y'; 100 << 10], 60),
    ] {
        let others = compress(other, b"").repeat(count);
        // What comes after the first 64 KiB does not decide the compression.
        assert!(others.len() < 60 << 10, "{name}: {}", others.len());
        for junk in [&b"("[..], b"junk \xb5\x2f", &others[1..20]] {
            let (found, problems, code) = links("others.warc.zst", &[junk, &others, &records].concat(), &[]);
            assert_eq!((found, code), (URIS.map(String::from).to_vec(), 1), "{name}: {problems:?}");
            assert!(problems[0].starts_with("record at byte 0: "), "{name}: {problems:?}");
        }
    }
}

/// Any of the sixteen kinds of skippable frames may be anywhere.
#[test]
fn skippable_frames_are_skipped() {
    let frames = three_records().map(|record| compress(&record, b""));
    for magic in 0x50..=0x5f_u8 {
        let skippable = [&[magic, 0x2a, 0x4d, 0x18, 3, 0, 0, 0], &b"abc"[..]].concat();
        // At the start, one of them holds a dictionary.
        let start = if magic == 0x5d { vec![] } else { skippable.clone() };
        let bytes = [&start, &frames[0], &skippable, &frames[1], &frames[2], &skippable].map(|part| &part[..]).concat();
        let (found, problems, code) = links("skippable.warc.zst", &bytes, &[]);
        assert_eq!((found, problems, code), (URIS.map(String::from).to_vec(), vec![], 0), "{magic:x}");
    }
}

/// The decompressed content tells an archive from a page, whatever the name of the file, and also on standard input.
#[test]
fn compressed_files_are_told_by_what_is_in_them() {
    let noise: String = (0..400_u32).map(|n| format!("<p>{}", n.wrapping_mul(2_654_435_761))).collect();
    let page = format!("<!doctype html><a href=x:page>{noise}");
    // Its first block has more than 64 KiB when it is compressed, as pages with images in them have.
    let mut state = 1_u32;
    let letters = (0..300_000).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b'@' + (state >> 27) as u8)
    });
    let dense = format!("<!doctype html><a href=x:page>{}", letters.collect::<String>());
    let image = [&b"\x89PNG\0"[..], noise.as_bytes()].concat();
    let archive = three_records().concat();
    let sitemap = b"<urlset><url><loc>x:map</loc></url></urlset>";
    let run = |args: &[&str], input: &[u8]| {
        let output = relref(&[&["links", "-q", "--base", "x:", "--format", "text"], args].concat(), input);
        let uris: Vec<String> = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
        (uris, String::from_utf8(output.stderr).unwrap(), output.status.code())
    };
    for (name, compress) in
        [("gzip", (|bytes| gzip(bytes)) as fn(&[u8]) -> Vec<u8>), ("zstd", |bytes| compress(bytes, b""))]
    {
        for (kind, content, uris) in [
            ("page", page.as_bytes(), &["x:page"][..]),
            ("dense", dense.as_bytes(), &["x:page"]),
            ("archive", &archive, &URIS),
            ("sitemap", sitemap, &["x:map"]),
            ("image", &image, &[]),
        ] {
            let file = file(&format!("{name}-{kind}"), &compress(content));
            let uris: Vec<String> = uris.iter().map(|uri| (*uri).to_owned()).collect();
            let expected = (uris, String::new(), Some(0));
            assert_eq!(run(&[file.parent().unwrap().to_str().unwrap()], b""), expected, "folder: {name} {kind}");
            if kind != "image" {
                assert_eq!(run(&[file.to_str().unwrap()], b""), expected, "file: {name} {kind}");
                assert_eq!(run(&["-"], &compress(content)), expected, "stream: {name} {kind}");
            }
        }
    }
}
