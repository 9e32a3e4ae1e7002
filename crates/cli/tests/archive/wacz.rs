//! Archives in WACZ files, whole and damaged.

use std::fs;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::mem::replace;
use std::ops::ControlFlow;

use relref_links::archive::{Wacz, each_archive, is_wacz};

use super::made::{ZipEntry, file, gzip, response, three_records, zip, zip_entry};
use crate::command::process::{folder, relref};

const URIS: [&str; 4] = ["http://h/a/1", "http://h/b/2", "http://h/c/3", "http://h/d/4"];

/// Returns the entries of a WACZ with two archives, and other entries before, between and after them.
fn entries() -> Vec<ZipEntry> {
    let [one, two, three] = three_records();
    let four = response("d", "", b"<a href=4>");
    vec![
        zip_entry("datapackage.json", b"{}"),
        zip_entry("archive/", b""),
        zip_entry("archive/one.warc.gz", &[gzip(&one), gzip(&two)].concat()),
        zip_entry("indexes/index.cdx", &b"x".repeat(999)),
        zip_entry("archive/two.warc", &[three, four].concat()),
        zip_entry("pages/archive/x.warc", b"no archive"),
    ]
}

/// A function that changes the way in which an entry is written.
type EntryEdit = fn(&mut ZipEntry);

/// Adds to an entry the extra fields that Info-ZIP writes: the times, and the numbers of user and group.
fn add_extra(entry: &mut ZipEntry) {
    entry.extra = [&b"UT\x09\0\x03"[..], &[1; 8], b"ux\x0b\0\x01\x04", &[0; 9]].concat();
}

/// Returns the URIs that are printed, the problems without the name of the file, and the exit code.
fn links(name: &str, bytes: &[u8], args: &[&str]) -> (Vec<String>, Vec<String>, i32) {
    let file = file(name, bytes);
    let format = if args.is_empty() { &["--format", "text"][..] } else { &[] };
    let output = relref(&[&["links", "-q", file.to_str().unwrap()], format, args].concat(), b"");
    let problem = format!("relref: {}:", file.display());
    let stderr = String::from_utf8(output.stderr).unwrap();
    let problems = stderr.lines().map(|line| line.strip_prefix(&problem).expect(line).trim().to_owned()).collect();
    let uris = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    (uris, problems, output.status.code().unwrap())
}

/// Returns the URIs of [`URIS`] with these numbers. The first has the number 1.
fn uris(numbers: &[usize]) -> Vec<String> {
    numbers.iter().map(|number| URIS[number - 1].to_owned()).collect()
}

#[test]
fn archives_are_read_however_they_are_written() {
    let changes: [(&str, EntryEdit); 9] = [
        ("plain.wacz", |_| ()),
        ("deflated.wacz", |entry| entry.is_deflated = true),
        ("long.wacz", |entry| entry.is_long = true),
        ("stream.wacz", |entry| entry.has_descriptor = true),
        ("deflated-stream.wacz", |entry| (entry.has_descriptor, entry.is_deflated) = (true, true)),
        ("extra.wacz", add_extra),
        ("long-extra.wacz", |entry| (entry.is_long, entry.extra) = (true, vec![0; 9000])),
        ("path.wacz", |entry| entry.name = entry.name.replace("archive/t", "archive/../../\u{1b}[31m/t")),
        ("windows.wacz", |entry| entry.name = entry.name.replace("archive/t", "archive\\t")),
    ];
    for (name, change) in changes {
        let mut entries = entries();
        entries.iter_mut().for_each(change);
        let (bytes, directory) = zip(&entries);
        assert_eq!(links(name, &bytes, &[]), (uris(&[1, 2, 3, 4]), vec![], 0), "{name}");
        // Other bytes before, as in a program that unpacks itself.
        if name == "plain.wacz" {
            let junk = [b"#!/bin/sh\n", &bytes[..]].concat();
            assert_eq!(links(name, &junk, &[]), (uris(&[1, 2, 3, 4]), vec![], 0), "{name}");
        }
        // A stream, a name that does not tell, and a folder.
        let output = relref(&["links", "-q", "--format", "text", "-"], &bytes);
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), URIS, "{name}");
        assert_eq!(links("unknown", &bytes, &[]), (uris(&[1, 2, 3, 4]), vec![], 0), "{name}");
        let file = file(name, &bytes);
        let output = relref(&["links", "-q", "--format", "text", file.parent().unwrap().to_str().unwrap()], b"");
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), URIS, "{name}");
        // Without its directory, the headers tell.
        let (found, problems, code) = links(name, &bytes[..directory], &[]);
        assert_eq!((found, code), (uris(&[1, 2, 3, 4]), 1), "{name}: {problems:?}");
        assert_eq!(problems, ["it has no ZIP directory at its end"], "{name}");
    }
}

/// In a folder, a WACZ is recognized whatever its name. Other ZIP files there are skipped without a message.
#[test]
fn a_wacz_in_a_folder_is_told_from_other_zip_files() {
    let other = |names: &[&str]| zip(&names.iter().map(|name| zip_entry(name, b"<a href=no>")).collect::<Vec<_>>()).0;
    let (wacz, directory) = zip(&entries());
    let mut damaged = wacz.clone();
    let last = directory + wacz[directory..].windows(5).position(|part| part == b"pages").unwrap() - 46;
    damaged[last] = b'X';
    for (name, bytes, count, problem) in [
        ("none", &wacz, 4, ""),
        ("a.wacz.open", &wacz, 4, ""),
        ("a.html", &wacz, 4, ""),
        ("damaged", &damaged, 4, "its ZIP directory at byte "),
        ("program", &other(&["META-INF/MANIFEST.MF", "archive/A.class", "archive/warc", "x/archive/a.warc"]), 0, ""),
        ("document", &other(&["[Content_Types].xml", "word/document.xml"]), 0, ""),
        ("data", &other(&["datapackage.json", "data/a.warc"]), 0, ""),
        ("cut", &wacz[..directory].to_vec(), 0, ""),
        ("start", &b"PK\x03\x04".to_vec(), 0, ""),
    ] {
        let root = folder(&format!("wacz-in-folder-{name}"));
        fs::write(root.join(name), bytes).unwrap();
        let output = relref(&["links", "--base", "x:/", "--format", "text", root.to_str().unwrap()], b"");
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), URIS[..count], "{name}");
        let messages = String::from_utf8(output.stderr).unwrap();
        assert_eq!(messages.contains("; 1 file skipped"), count == 0, "{name}: {messages}");
        let has_problem = output.status.code() == Some(1) && messages.contains(problem);
        let is_quiet = output.status.code() == Some(0) && messages.lines().count() == 1;
        assert!(if problem.is_empty() { is_quiet } else { has_problem }, "{name}: {messages}");
    }
}

/// Problems name the archive in the file, and the offset in it.
#[test]
fn problems_name_the_archive_and_the_offset() {
    let mut entries = entries();
    let start = gzip(&three_records()[0]).len();
    entries[2].content[start] ^= 1;
    let (found, problems, code) = links("damaged.wacz", &zip(&entries).0, &["--format", "jsonl"]);
    let problem = format!("archive/one.warc.gz: record at byte {start}: its gzip member is damaged");
    assert!(problems.len() == 1 && problems[0].starts_with(&problem) && code == 1, "{problems:?}");
    assert!(found.last().unwrap().contains("damaged.wacz:archive/two.warc\""), "{found:?}");
    // The checksum of the ZIP file alone is wrong.
    for is_deflated in [false, true] {
        let mut entries = self::entries();
        entries[4].is_deflated = is_deflated;
        let mut bytes = zip(&entries).0;
        let checksum =
            |bytes: &[u8], name: &[u8]| bytes.windows(name.len()).rposition(|part| part == name).unwrap() - 30;
        let at = checksum(&bytes, b"archive/two.warc");
        bytes[at] ^= 1;
        let (found, problems, code) = links("checksum.wacz", &bytes, &[]);
        assert_eq!((found, code), (uris(&[1, 2, 3, 4]), 1));
        assert!(problems.len() == 1 && problems[0].starts_with("archive/two.warc: record at byte "), "{problems:?}");
        assert!(problems[0].ends_with("the checksum of its entry in the ZIP file is wrong"), "{problems:?}");
    }
}

/// A record whose length is wrong claims the ones after it. They are found, although an error follows them.
#[test]
fn records_are_found_before_a_wrong_checksum() {
    let wrong = b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 100\r\n\r\nshort\r\n\r\n";
    let [_, two, three] = three_records();
    let mut bytes = zip(&[zip_entry("archive/x.warc", &[wrong, &two[..], &three].concat())]).0;
    let directory = bytes.windows(14).rposition(|part| part == b"archive/x.warc").unwrap() - 46;
    bytes[directory + 16] ^= 1;
    let (found, problems, code) = links("wrong-length.wacz", &bytes, &[]);
    assert_eq!((found, code), (uris(&[2, 3]), 1), "{problems:?}");
    let offset = wrong.len() + two.len();
    assert_eq!(
        problems,
        [
            "archive/x.warc: record at byte 0: its length is wrong: no record follows".to_owned(),
            format!("archive/x.warc: record at byte {offset}: the checksum of its entry in the ZIP file is wrong"),
        ]
    );
}

#[test]
fn damaged_files_lose_only_what_is_damaged() {
    let whole = entries();
    let (bytes, directory) = zip(&whole);
    let place = |name: &str, nth: usize| {
        bytes.windows(name.len()).enumerate().filter(|(_, part)| *part == name.as_bytes()).nth(nth).unwrap().0
    };
    let changed = |at: usize, with: &[u8]| {
        let mut bytes = bytes.clone();
        bytes[at..at + with.len()].copy_from_slice(with);
        bytes
    };
    let local = place("archive/one.warc.gz", 0);
    let central = place("archive/one.warc.gz", 1);
    let last = place("pages/archive/x.warc", 0) - 30;
    let no_directory = "it has no ZIP directory at its end";
    // Offsets of 64 bits.
    let mut long = whole.clone();
    long[4].is_long = true;
    let far_long = zip(&long).0;
    let name = b"archive/two.warc";
    let offset = far_long.windows(name.len()).rposition(|part| part == name).unwrap() + name.len() + 20;
    let [far, farthest] = [(1_u64 << 63) + 7, u64::MAX - 4].map(|number| {
        let mut bytes = far_long.clone();
        bytes[offset..offset + 8].copy_from_slice(&number.to_le_bytes());
        bytes
    });
    long[2].is_long = true;
    let (mut no_long, long_directory) = zip(&long);
    let name = b"archive/one.warc.gz";
    let extra = no_long.windows(name.len()).position(|part| part == name).unwrap() + name.len();
    no_long[extra] = 9;
    no_long.truncate(long_directory);
    let is_damaged = format!("its ZIP directory at byte {directory} is damaged: ");
    for (what, bytes, found, problem) in [
        ("magic of an entry", changed(local - 30, b"XX"), &[1, 2, 3, 4][..], "the header of its entry at byte "),
        (
            "magic and name",
            [&changed(local - 30, b"XX")[..local], b"X", &bytes[local + 1..]].concat(),
            &[3, 4],
            "its entry at byte ",
        ),
        ("directory", changed(central - 46, b"XX"), &[1, 2, 3, 4], &is_damaged),
        ("offset", changed(central - 4, &[1]), &[1, 2, 3, 4], "its entry at byte "),
        ("length", changed(central - 26, &[255, 255, 255]), &[1, 2, 3, 4], "its entry at byte "),
        (
            "method",
            changed(central - 36, &[99]),
            &[3, 4],
            "archive/one.warc.gz: its compression method in the ZIP file, 99, is unknown",
        ),
        ("encrypted", changed(central - 38, &[1]), &[3, 4], "archive/one.warc.gz: it is encrypted"),
        ("count", changed(bytes.len() - 12, &[9]), &[1, 2, 3, 4], &is_damaged),
        ("cut", bytes[..directory - 200].to_vec(), &[1, 2, 3], "it has no ZIP directory at its end"),
        (
            "long extra field",
            [&bytes[..26], &[0, 0, 255, 255], &bytes[30..90]].concat(),
            &[],
            "it has no ZIP directory at its end",
        ),
        ("length of another entry", changed(18, &[255; 3])[..directory].to_vec(), &[1, 2, 3, 4], no_directory),
        ("length of it in the file", changed(18, &[99])[..directory].to_vec(), &[1, 2, 3, 4], no_directory),
        ("length of an extra field", changed(28, &[255; 2])[..directory].to_vec(), &[1, 2, 3, 4], no_directory),
        (
            "length of the last extra field",
            changed(last + 28, &[255; 2])[..directory].to_vec(),
            &[1, 2, 3, 4],
            no_directory,
        ),
        ("offset that no file has", far.clone(), &[1, 2, 3, 4], "its entry at byte 9223372036854775815 is damaged"),
        ("offset at the end of numbers", farthest.clone(), &[1, 2, 3, 4], "its entry at byte "),
        ("lengths of 64 bits", no_long.clone(), &[1, 2, 3, 4], no_directory),
        ("nothing", b"PK\x03\x04".to_vec(), &[], "it has no ZIP directory at its end"),
        ("no zip", b"noise".to_vec(), &[], "it has no ZIP directory at its end"),
        ("empty", vec![], &[], "it has no ZIP directory at its end"),
        (
            "no archives",
            zip(&whole[..2]).0,
            &[],
            "a ZIP file that is neither a WACZ (no file in a folder `archive`) nor an EPUB: not read",
        ),
    ] {
        let (uris_found, problems, code) = links("broken.wacz", &bytes, &[]);
        assert_eq!((uris_found, code), (uris(found), 1), "{what}: {problems:?}");
        assert!(problems[0].starts_with(problem), "{what}: {problems:?}");
    }
}

/// Lengths of 64 bits are read from an extra field that seems to be longer than all extra fields.
#[test]
fn lengths_are_read_whatever_length_their_field_has() {
    let mut entry = zip_entry("archive/one.warc", &three_records().concat());
    entry.is_long = true;
    let (mut bytes, directory) = zip(&[entry]);
    bytes[30 + "archive/one.warc".len() + 2] = 28;
    let (found, problems, code) = links("long-field.wacz", &bytes[..directory], &[]);
    assert_eq!((found, code), (uris(&[1, 2, 3]), 1), "{problems:?}");
    assert_eq!(problems, ["it has no ZIP directory at its end"]);
}

/// If a file is cut anywhere, nothing panics, and the pages before the cut are read.
#[test]
fn files_are_read_up_to_a_cut() {
    let changes: [EntryEdit; 5] = [
        |_| (),
        |entry| entry.is_deflated = true,
        |entry| entry.has_descriptor = true,
        add_extra,
        |entry| (entry.is_long, entry.has_descriptor, entry.extra) = (true, true, vec![0; 99]),
    ];
    for change in changes {
        let mut entries = entries();
        entries.iter_mut().for_each(change);
        let (bytes, _) = zip(&entries);
        let mut last = 0;
        for cut in 0..bytes.len() {
            let mut wacz = Wacz::new(Cursor::new(&bytes[..cut])).unwrap();
            let (mut pages, mut damage) = (0, 0);
            while let Some(archive) = wacz.next_archive() {
                let Ok(mut archive) = archive else {
                    damage += 1;
                    continue;
                };
                let Ok(mut records) = archive.records() else {
                    damage += 1;
                    continue;
                };
                while let Some(record) = records.next_record() {
                    match record {
                        Ok(_) if records.finish().is_ok() => pages += 1,
                        _ => damage += 1,
                    }
                }
            }
            assert!(pages >= last && damage > 0, "{cut}: {pages} after {last}");
            last = pages;
        }
        assert_eq!(last, 4);
    }
}

/// A file that is cut in an archive with ZIP entries of its own says that it is cut, and not that entries overlap.
#[test]
fn a_cut_in_a_zip_file_within_the_file_is_a_cut() {
    let inner = zip(&entries()).0;
    let (bytes, directory) = zip(&[zip_entry("archive/inner.wacz", &inner)]);
    let (found, problems, code) = links("cut-inner.wacz", &bytes[..directory - 300], &[]);
    assert_eq!((&found[..3], code), (&uris(&[1, 2, 3])[..], 1), "{problems:?}");
    let no_directory = "it has no ZIP directory at its end";
    assert_eq!(problems[..2], [no_directory, "its entry at byte 0 ends early: 300 bytes are missing"], "{problems:?}");
    assert!(problems.iter().all(|problem| !problem.contains("overlaps")), "{problems:?}");
}

/// An entry that is listed again is read only once. An entry that inflates to more bytes than it says is damaged.
#[test]
fn bombs_are_bounded() {
    let archive = gzip(&response("a", "", b"<a href=1>"));
    let (mut bytes, directory) = zip(&[zip_entry("archive/a.warc.gz", &archive)]);
    let central = bytes[directory..bytes.len() - 22].to_vec();
    let end = bytes.split_off(bytes.len() - 22);
    bytes.extend(central.repeat(999));
    let mut end = end;
    end[8..12].copy_from_slice(&[0xe8, 3, 0xe8, 3]);
    end[12..16].copy_from_slice(&(central.len() as u32 * 1000).to_le_bytes());
    bytes.extend(end);
    let (found, problems, code) = links("overlap.wacz", &bytes, &[]);
    assert_eq!((found, code, problems.len()), (uris(&[1]), 1, 101), "{:?}", problems.first());
    assert_eq!(problems[0], "its entry at byte 0 is listed twice");
    assert_eq!(problems[100], "and 899 more problems");
    let page = response("a", "", &[&b"<a href=1>"[..], &vec![b' '; 3 << 20]].concat());
    let entry = ZipEntry { is_deflated: true, ..zip_entry("archive/a.warc", &page) };
    let (mut bytes, directory) = zip(&[entry]);
    bytes[directory + 24..directory + 28].copy_from_slice(&1000_u32.to_le_bytes());
    let (_, problems, code) = links("bomb.wacz", &bytes, &[]);
    assert!(code == 1 && problems[0].contains("its entry in the ZIP file is longer than it says"), "{problems:?}");
}

/// Only archives count for the greatest number of archives in a file. A file with more archives is reported once.
#[test]
fn the_number_of_archives_is_bounded() {
    let archive = gzip(&response("a", "", b"<a href=1>"));
    let pages = (0..9000).map(|number| zip_entry(&format!("pages/{}{number:05}", "p".repeat(60)), b""));
    let (bytes, directory) = zip(&pages.chain([zip_entry("archive/a.warc.gz", &archive)]).collect::<Vec<_>>());
    let cut = &bytes[..directory];
    assert_eq!(links("pages.wacz", &bytes, &[]), (uris(&[1]), vec![], 0));
    assert_eq!(
        links("pages.wacz", cut, &[]),
        (uris(&[1]), vec![String::from("it has no ZIP directory at its end")], 1)
    );
    let rest = "it has more than 8192 files to read, or their names have more than 512 KiB: the rest is not read";
    for (count, name_len, most) in [(9000, 20, 8192), (4000, 512, 1024)] {
        let archives =
            (0..count).map(|number| zip_entry(&format!("archive/{number:0width$}", width = name_len - 8), b""));
        let (bytes, directory) = zip(&archives.collect::<Vec<_>>());
        for (bytes, problems) in [(&bytes[..], 1), (&bytes[..directory], 2)] {
            let mut wacz = Wacz::new(Cursor::new(bytes)).unwrap();
            let (mut archives, mut found) = (0, vec![]);
            while let Some(archive) = wacz.next_archive() {
                match archive {
                    Ok(_) => archives += 1,
                    Err(error) => found.push(error.to_string()),
                }
            }
            assert_eq!((archives, found.len()), (most, problems), "{found:?}");
            assert!(found.iter().any(|problem| problem.contains(rest)), "{found:?}");
        }
    }
}

#[test]
fn each_archive_of_a_file_comes_with_its_name() {
    let bytes = zip(&entries()).0;
    let cut = &bytes[..bytes.len() - 40];
    let one = &three_records()[0];
    let of_zip =
        [("archive/one.warc.gz", 2), ("archive/two.warc", 2)].map(|(name, count)| (name.to_owned(), Some(count)));
    for (name, content, expected) in [
        ("each.wacz", &bytes[..], &of_zip[..]),
        ("each-cut.wacz", cut, &[&[(String::new(), None)][..], &of_zip].concat()),
        ("each.warc", one, &[(String::new(), Some(1))]),
        ("each.zip", &zip(&[zip_entry("a.txt", b"")]).0, &[(String::new(), None)]),
    ] {
        let path = file(name, content);
        let mut found = Vec::new();
        let end = each_archive(&path, |name, records| {
            found.push((name.unwrap_or_default().to_owned(), records.ok().map(|records| records.into_iter().count())));
            ControlFlow::<()>::Continue(())
        });
        assert_eq!((end.unwrap(), &found[..]), (ControlFlow::Continue(()), expected), "{name}");
        let mut calls = 0;
        let end = each_archive(&path, |_, _| {
            calls += 1;
            ControlFlow::Break(calls)
        });
        assert_eq!((end.unwrap(), calls), (ControlFlow::Break(1), 1), "{name}");
    }
    assert_eq!(
        each_archive("no such file", |_, _| ControlFlow::Break(())).unwrap_err().kind(),
        io::ErrorKind::NotFound
    );
}

/// Records that another reader of the file reads are the same. They stay usable after the reader that found them is gone.
#[test]
fn records_outlive_what_found_them() {
    for is_deflated in [false, true] {
        let mut entries = entries();
        entries.iter_mut().for_each(|entry| entry.is_deflated = is_deflated);
        let bytes = zip(&entries).0;
        let mut found = Vec::new();
        let mut wacz = Wacz::new(Cursor::new(&bytes[..])).unwrap();
        while let Some(archive) = wacz.next_archive() {
            found.push(archive.unwrap().records_from(Cursor::new(&bytes[..])).unwrap());
        }
        drop(wacz);
        let mut pages = Vec::new();
        for mut records in found {
            while let Some(page) = records.next_capture() {
                pages.push(page.unwrap().record.target_uri);
            }
        }
        assert_eq!(pages, ["http://h/a/", "http://h/b/", "http://h/c/", "http://h/d/"]);
    }
}

/// A WACZ in a stream may take half of the disk budget.
#[test]
fn a_stream_is_written_to_a_bounded_file() {
    let page = response("a", "", &[&b"<a href=1>"[..], &vec![b' '; 3 << 20]].concat());
    let (bytes, _) = zip(&[zip_entry("archive/a.warc", &page)]);
    for (budget, code) in [("7M", 0), ("5M", 1)] {
        let output = relref(&["links", "-q", "--format", "text", "--max-temp", budget, "-"], &bytes);
        let problems = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{problems}");
        assert_eq!(
            problems.contains("a ZIP file in a stream needs a temporary file: it does not fit"),
            code == 1,
            "{problems}"
        );
    }
}

/// A file that fails at its first read.
struct FailsOnce(Cursor<Vec<u8>>, bool);

impl Read for FailsOnce {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if replace(&mut self.1, true) { self.0.read(into) } else { Err(io::Error::other("broken")) }
    }
}

impl Seek for FailsOnce {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// An error of the input is no damage, even if it is not one of the operating system.
#[test]
fn a_file_that_cannot_be_read_fails() {
    let file = || FailsOnce(Cursor::new(zip(&entries()).0), false);
    assert_eq!(Wacz::new(file()).unwrap_err().to_string(), "broken");
    assert_eq!(is_wacz(file()).unwrap_err().to_string(), "broken");
}

/// An offset that no file can have is damage, although seeking there fails.
#[test]
#[cfg(unix)]
fn an_impossible_offset_is_damage() {
    let (mut bytes, directory) = zip(&entries());
    let end = directory + bytes[directory..].windows(4).position(|part| part == b"PK\x05\x06").unwrap();
    bytes.splice(end..end, [&b"PK\x06\x07\0\0\0\0"[..], &[0xFF; 8], &[1, 0, 0, 0]].concat());
    let (found, problems, code) = links("offset.wacz", &bytes, &[]);
    assert_eq!((found, code), (uris(&[1, 2, 3, 4]), 1), "{problems:?}");
    assert!(problems.len() == 1 && problems[0].starts_with("it has no ZIP directory at its end: "), "{problems:?}");
}

/// A damaged WACZ is an input beside its archives. It fails once, whatever the number of its problems.
#[test]
fn a_damaged_wacz_fails_once() {
    let (bytes, directory) = zip(&entries()[..5]);
    for (cut, problems, failed) in [(directory, 1, "1 input failed"), (directory - 10, 3, "2 inputs failed")] {
        let file = file("fails-once.wacz", &bytes[..cut]);
        let output = relref(&["links", file.to_str().unwrap()], b"");
        let stderr = String::from_utf8(output.stderr).unwrap();
        let lines: Vec<&str> = stderr.lines().collect();
        assert_eq!(lines.len(), problems + 1, "{stderr}");
        assert!(lines[problems].starts_with("relref: 3 inputs, ") && lines[problems].ends_with(failed), "{stderr}");
    }
}

/// A WACZ counts by its archives, and as one input if it has none.
#[test]
fn a_wacz_without_archives_is_a_failed_input() {
    for (entries, inputs) in [(&entries()[..2], "1 input"), (&entries()[..], "2 inputs")] {
        let file = file("counted.wacz", &zip(entries).0);
        for args in [&[file.to_str().unwrap()][..], &["-"]] {
            let output = relref(&[&["links"], args].concat(), &fs::read(&file).unwrap());
            let stderr = String::from_utf8(output.stderr).unwrap();
            let totals = stderr.lines().last().unwrap();
            assert!(totals.starts_with(&format!("relref: {inputs}, ")), "{totals}");
            assert_eq!(totals.ends_with("; 1 input failed"), inputs == "1 input", "{totals}");
        }
    }
}

/// Names that are not UTF-8, and names that look like them, are told apart.
#[test]
fn names_that_are_not_utf8_differ() {
    let archive = |name: &str| response(name, "", b"<a href=x>");
    let names = [("A", &b"\xff"[..], "%FF"), ("B", b"\xfe", "%FE"), ("C", b"%FF", "%25FF"), ("D", "д".as_bytes(), "д")];
    let entries = names.map(|(letter, ..)| zip_entry(&format!("archive/{letter}.warc"), &archive(letter)));
    let (mut bytes, directory) = zip(&entries);
    for (letter, name, _) in names {
        // The longer names take the place of letters of the ending, so that nothing moves.
        let ending = &b".warc"[name.len() - 1..];
        let [from, to] = [[b"archive/", letter.as_bytes(), b".warc"].concat(), [b"archive/", name, ending].concat()];
        while let Some(at) = bytes.windows(from.len()).position(|window| window == from) {
            bytes[at..at + to.len()].copy_from_slice(&to);
        }
    }
    let expected = names.map(|(_, name, text)| format!("archive/{text}{}", &".warc"[name.len() - 1..]));
    // Also without the directory of the ZIP file, and with a damaged header.
    for cut in [bytes.len(), directory] {
        let mut wacz = Wacz::new(Cursor::new(&bytes[..cut])).unwrap();
        let mut found = Vec::new();
        while let Some(archive) = wacz.next_archive() {
            found.extend(archive.map(|archive| archive.name).ok());
        }
        assert_eq!(found, expected);
    }
    let file = file("names.wacz", &bytes);
    let output = relref(&["links", "-q", "--json", file.to_str().unwrap()], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    let found: Vec<&str> = text.lines().map(|line| line.split('"').nth(7).unwrap()).collect();
    assert_eq!(found, expected.map(|name| format!("{}:{name}", file.display())));
}
