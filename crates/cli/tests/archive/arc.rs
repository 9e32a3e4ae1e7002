//! ARC files: whole ones, and what damage costs.

use std::fs;

use super::made::{file, gzip, http, links, links_of_each, record};
use crate::command::process::{folder, relref};

const VERSION_1: &str = "1 0 Internet Archive\nURL IP-address Archive-date Content-type Archive-length\n";
const VERSION_2: &str = "2 0 Alexa Internet\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n";

/// Returns an ARC record of a version, with the line feed after it.
fn arc_record(version: u8, uri: &str, media_type: &str, content: &[u8]) -> Vec<u8> {
    let more = if version == 2 { " 200 fac069150613fe55599cc7fa88aa089d - 209 a.arc" } else { "" };
    let head = format!("{uri} 207.241.229.39 20080430204825 {media_type}{more} {}\n", content.len());
    [head.as_bytes(), content, b"\n"].concat()
}

fn start(version: u8) -> Vec<u8> {
    arc_record(version, "filedesc://a.arc", "text/plain", if version == 2 { VERSION_2 } else { VERSION_1 }.as_bytes())
}

fn response(version: u8, name: &str, body: &[u8]) -> Vec<u8> {
    arc_record(version, &format!("http://h/{name}/"), "text/html", &http("Content-Type: text/html\r\n", body))
}

/// Returns the version block and three responses, each with one link. The middle one has many lines, and text that compresses in
/// part.
fn records(version: u8) -> [Vec<u8>; 4] {
    let noise: String = (0..400_u32).map(|n| format!("<p>{}\n", n.wrapping_mul(2_654_435_761))).collect();
    let middle = format!("<a href=2>{noise}");
    let [a, b, c] = [("a", "<a href=1>"), ("b", &middle), ("c", "<a href=3>\n")]
        .map(|(name, body)| response(version, name, body.as_bytes()));
    [start(version), a, b, c]
}

const ALL: [&str; 3] = ["http://h/a/1", "http://h/b/2", "http://h/c/3"];

fn stream(bytes: &[u8]) -> Vec<String> {
    let output = relref(&["links", "-q", "--base", "x:", "--format", "text", "-"], bytes);
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn both_versions_are_read_by_name_and_by_first_bytes() {
    for version in [1, 2] {
        let records = records(version);
        let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
        for (name, bytes) in [
            ("a.arc", records.concat()),
            ("a.arc.gz", members.clone()),
            ("b.arc.gz", gzip(&records.concat())),
            ("c.arc.zst", zstd::bulk::compress(&records.concat(), 3).unwrap()),
            ("unnamed", members),
            ("page.html", records.concat()),
        ] {
            let (uris, problems, code) = links(name, &bytes, &[]);
            assert_eq!((&uris[..], &problems[..], code), (&ALL.map(String::from)[..], &[][..], 0), "{name}");
            assert_eq!(stream(&bytes), ALL, "{name}");
        }
        // Without its version block, an archive is one by its name.
        let (uris, problems, _) = links("rest.arc", &records[1..].concat(), &[]);
        assert_eq!((&uris[..], problems.len()), (&ALL.map(String::from)[..], 0));
        let root = folder(&format!("arc-names-{version}"));
        fs::write(root.join("rest.arc"), records[1..].concat()).unwrap();
        fs::write(root.join("rest.ARC.gz"), gzip(&records[2])).unwrap();
        fs::write(root.join("whole"), records.concat()).unwrap();
        // Text about ARC, and a list of URIs.
        fs::write(root.join("about"), [b"About ARC:\n", &records[1][..]].concat()).unwrap();
        fs::write(root.join("list.gz"), gzip(b"http://h/list\n")).unwrap();
        let output = relref(&["links", "--format", "text", root.to_str().unwrap()], b"");
        let expected = [&["http://h/list"], &ALL[1..2], &ALL, &ALL].concat();
        assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), expected);
        let totals = String::from_utf8(output.stderr).unwrap();
        assert!(totals.contains("; records skipped: 1 of another kind; 1 file skipped"), "{totals}");
    }
}

#[test]
fn lines_have_the_page_and_the_place_of_the_record() {
    let [start, _, two, _] = records(1);
    let members = [gzip(&start), gzip(&two)];
    let file = file("where.arc.gz", &members.concat());
    let output = relref(&["links", "-q", "--format", "jsonl", file.to_str().unwrap()], b"");
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&object["page"], &object["offset"]), (&"http://h/b/".into(), &members[0].len().into()));
}

#[test]
fn pages_are_those_of_their_authors() {
    let korean =
        http("Content-Type: text/html; charset=euc-kr\r\n", b"<a href=\"/\xc7\xd1\xb1\xb9\">\xc7\xd1\xb1\xb9</a>");
    let russian =
        http("Content-Type: text/html\r\nLocation: /я\r\n", b"<meta charset=koi8-r><a href=\"\xd0\xd2\xc9?\xd0\">");
    let japanese = http(
        "Content-Encoding: gzip\r\nContent-Type: text/html\r\n",
        &gzip(b"<meta charset=shift_jis><a href=\"\x93\xfa\x96{\">"),
    );
    let archive = [
        start(1),
        arc_record(1, "dns:한국.example", "text/dns", b"20080430204825\n. 1 IN A 1.2.3.4\n"),
        arc_record(1, "http://192.0.2.7/", "text/html", &korean),
        arc_record(1, "http://h.ru/a b  /", "text/html; charset=koi8-r", &russian),
        arc_record(1, "http://[2001:db8::7]/", "text/html", &japanese),
        arc_record(1, "http://h/image", "image/gif", &http("Content-Type: image/gif\r\n", b"GIF89a\n\n\n")),
        arc_record(1, "ftp://h/pub/", "text/html", b"<a href=../\xe9>"),
    ];
    let (uris, problems, code) = links("others.arc", &archive.concat(), &[]);
    let expected = [
        "http://192.0.2.7/%ED%95%9C%EA%B5%AD",
        "http://h.ru/%D1%8F",
        "http://h.ru/a%20b%20%20/%D0%BF%D1%80%D0%B8?%D0",
        "http://[2001:db8::7]/%E6%97%A5%E6%9C%AC",
        "ftp://h/%C3%A9",
    ];
    assert_eq!((&uris[..], problems.len(), code), (&expected.map(String::from)[..], 0, 0), "{problems:?}");
}

/// Of an archive that is cut anywhere, the links before the cut are printed, and the cut is reported unless it is between records.
#[test]
fn cut_archives() {
    let records = records(1);
    let ends: Vec<usize> = (1..=4).map(|count| records[..count].concat().len()).collect();
    let all = records.concat();
    let text = String::from_utf8(all.clone()).unwrap();
    let links_end = [1, 2, 3].map(|link| text.find(&format!("<a href={link}>")).unwrap() + 10);
    let cuts = (ends[0] - 5..ends[1] + 200).chain(ends[2] - 10..ends[3] - 1);
    let archives: Vec<Vec<u8>> = cuts.map(|cut| all[..cut].to_vec()).collect();
    for (bytes, (uris, problems)) in archives.iter().zip(links_of_each("arc", &archives)) {
        let cut = bytes.len();
        assert_eq!(uris, ALL[..links_end.iter().filter(|end| cut >= **end).count()], "{cut}");
        let is_between = ends.iter().any(|end| (end - 1..=*end).contains(&cut));
        // Each run reads one stream.
        if cut % 16 == 0 || is_between {
            assert_eq!(stream(bytes), uris, "{cut}");
        }
        assert_eq!(problems.len(), usize::from(!is_between), "{cut}: {problems:?}");
        let offset = ends.iter().rfind(|end| cut + 1 >= **end).unwrap_or(&0);
        assert!(
            problems.iter().all(|problem| problem.starts_with(&format!("record at byte {offset}: "))),
            "{cut}: {problems:?}"
        );
    }
}

#[test]
fn damaged_heads_and_lengths() {
    for version in [1, 2] {
        let [start, one, two, three] = records(version);
        let text = String::from_utf8(two).unwrap();
        let (line, rest) = text.split_once('\n').unwrap();
        let (fields, length) = line.rsplit_once(' ').unwrap();
        let length: isize = length.parse().unwrap();
        let with_length = |length: &dyn std::fmt::Display| format!("{fields} {length}\n{rest}");
        let offset = start.len() + one.len();
        let (end, wrong, no_length) = ("it ends early", "its length is wrong", "no valid length");
        for (bad, why, page) in [
            (text.replacen("http:", "http", 1), "no record starts here", false),
            (text.replacen("http://h/b/ ", "", 1), "no record starts here", false),
            (text.replacen("http", "\0\0\0\0", 1), "no record starts here", false),
            (text.replacen('\n', "", 1), "", false),
            (format!("{fields}\n{rest}"), if version == 1 { no_length } else { "" }, false),
            (with_length(&-5), no_length, false),
            (with_length(&"x"), no_length, false),
            (with_length(&"999999999999999999999"), no_length, false),
            (with_length(&(length + 100_000)), end, false),
            (with_length(&(length + 7)), wrong, false),
            (with_length(&(length + 30)), wrong, false),
            (with_length(&(length + three.len() as isize - 20)), wrong, false),
            (with_length(&(length - 1)), "", true),
            (with_length(&(length - 30)), wrong, false),
            (with_length(&0), wrong, false),
            // A record that is cut, and one that lost its start.
            (text[..text.len() / 2].to_owned(), "", false),
            (text[101..].to_owned(), "no record starts here", false),
            (text[..text.len() - 1].to_owned(), "", true),
            (format!("{text}noise"), "no record starts here", true),
            (format!("{text}noise\nnoise\n"), "no record starts here", true),
            (format!("{text}{}", "\0".repeat(512)), "no record starts here", true),
            (format!("{text}{}", "http://noise ".repeat(30_000)), "no record starts here", true),
        ] {
            let bytes = [&start, &one, bad.as_bytes(), &three].concat();
            let (uris, problems, code) = links("damaged.arc", &bytes, &[]);
            let expected: Vec<_> = ALL.into_iter().filter(|uri| page || !uri.contains('b')).collect();
            let what = || format!("{version} {why} {problems:?} {}", &bad[..bad.len().min(200)]);
            assert_eq!(
                uris.iter().filter(|uri| !uri.contains('b')).collect::<Vec<_>>(),
                [ALL[0], ALL[2]],
                "{}",
                what()
            );
            // With a wrong length, the start of the page is read.
            assert!(["", wrong, end].contains(&why) || uris == expected, "{uris:?} {}", what());
            let is_damaged = !why.is_empty() || problems.len() == 1;
            assert_eq!((problems.len(), code), (is_damaged.into(), is_damaged.into()), "{}", what());
            let offset = if page { offset + text.len() } else { offset };
            let starts =
                |problem: &String| problem.starts_with(&format!("record at byte {offset}: ")) && problem.contains(why);
            assert!(why.is_empty() || problems.iter().all(starts), "{offset} {}", what());
            assert_eq!(stream(&bytes), uris, "{}", what());
            // In members.
            let members: Vec<u8> = [&start, &one, bad.as_bytes(), &three].into_iter().flat_map(gzip).collect();
            let (uris, ..) = links("damaged.arc.gz", &members, &[]);
            assert_eq!(
                uris.iter().filter(|uri| !uri.contains('b')).collect::<Vec<_>>(),
                [ALL[0], ALL[2]],
                "{}",
                what()
            );
            assert_eq!(stream(&members), uris, "{}", what());
        }
    }
}

#[test]
fn damaged_members() {
    let members = records(2).map(|record| gzip(&record));
    let starts = [members[0].len(), members[0].len() + members[1].len()];
    let (start, len) = (starts[1], members[2].len());
    let places = || (0..4).chain(10..60).chain((60..len - 60).step_by(len / 40)).chain(len - 60..len);
    let flipped = |at: usize| {
        let mut bytes = members.concat();
        bytes[start + at] ^= 0xa5;
        bytes
    };
    let found = links_of_each("flip.arc.gz", &places().map(flipped).collect::<Vec<_>>());
    for (number, (at, (uris, problems))) in places().zip(found).enumerate() {
        assert!(problems[0].starts_with(&format!("record at byte {start}: ")), "{at}: {problems:?}");
        assert_eq!((&*uris[0], &*uris[uris.len() - 1]), (ALL[0], ALL[2]), "{at}: {problems:?}");
        assert!(uris.len() < 4 && (at < len - 8 || uris == ALL), "{at}: {uris:?}");
        // Each run reads one stream.
        if number % 8 == 0 {
            assert_eq!(stream(&flipped(at)), uris, "{at}");
        }
    }
    // The start of the archive.
    for damage in [&b"\0"[..], &[0; 40], &[0; 50_000], b"\x1f\x8b\x08\xff", b"noise"] {
        for (name, rest) in
            [("start.arc.gz", &members.concat()[40.min(starts[0])..]), ("start.arc", &records(1)[1..].concat())]
        {
            let (uris, problems, code) = links(name, &[damage, rest].concat(), &[]);
            assert_eq!(
                (&uris[..], problems.len(), code),
                (&ALL.map(String::from)[..], 1, 1),
                "{name} {damage:?}: {problems:?}"
            );
            assert!(problems[0].starts_with("record at byte 0: "), "{problems:?}");
            if damage.len() < 1000 || name == "start.arc.gz" {
                assert_eq!(stream(&[damage, rest].concat()), ALL, "{name} {damage:?}");
            }
        }
    }
}

/// The links of a page that was not stored are not known. Those that the crawler found are known, if it wrote them.
#[test]
fn revisits_of_other_uris_are_counted() {
    let uri = "WARC-Target-URI: http://h/a\r\nContent-Type: application/http; msgtype=response\r\n";
    let other = "WARC-Refers-To-Target-URI: http://h/b\r\nWARC-Record-ID: <urn:1>\r\n";
    let head = http("Content-Type: text/html\r\nLink: </l>; rel=next\r\n", b"");
    let outlinks =
        "WARC-Target-URI: http://h/a\r\nContent-Type: application/warc-fields\r\nWARC-Concurrent-To: <urn:1>\r\n";
    let archive = [
        record("revisit", &format!("{uri}{other}"), &head),
        record("metadata", outlinks, b"hopsFromSeed: L\r\noutlink: http://h/c L a/@href\r\n"),
        record("revisit", &format!("{uri}{other}"), b""),
        record("revisit", &format!("{uri}{}", other.replace("h/b", "h/a")), b""),
    ];
    let output = relref(&["links", file("revisits.warc", &archive.concat()).to_str().unwrap()], b"");
    let lines = String::from_utf8(output.stdout).unwrap();
    assert_eq!(lines, "http://h/a\thttp\tlink\t/l\thttp://h/l\nhttp://h/a\ta\thref\thttp://h/c\thttp://h/c\n");
    let totals = String::from_utf8(output.stderr).unwrap();
    assert!(totals.contains("1 input, 1 page, 2 links, "), "{totals}");
    assert!(totals.ends_with("; records skipped: 1 revisit without a head, 2 revisits of other URIs\n"), "{totals}");
}

quickcheck::quickcheck! {
    /// Whatever bytes are in the middle of an archive, or are missing there, the links before and after them are printed.
    fn any_bytes_are_read(bytes: Vec<u8>, at: usize, cut: u8, gzipped: bool) -> bool {
        let [start, one, two, three] = records(1).map(|record| if gzipped { gzip(&record) } else { record });
        let at = at % two.len();
        let mut middle = two;
        let end = middle.len().min(at + cut as usize);
        // By its length, a record that lost as much as the last one has, but for line ends, is that one's end, and no page if its head is lost.
        if (end - at).saturating_sub(bytes.len()).abs_diff(three.len()) <= 1 {
            return true;
        }
        middle.splice(at..end, bytes);
        let uris = stream(&[start, one, middle, three].concat());
        // A changed length may be right up to the end of the archive: then the last record is in the page before it.
        uris.first().is_some_and(|uri| *uri == ALL[0]) && uris.last().is_some_and(|uri| uri.ends_with("/3"))
    }
}
