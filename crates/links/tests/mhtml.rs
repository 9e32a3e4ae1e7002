//! The parts of MHTML files and mails.

use std::io::{self, Read};

use quickcheck::quickcheck;
use relref_links::page::{Captures, Page, Store};

use crate::page::gzip;

/// A text of others, in three scripts.
const TEXT: &str = "Привет, 日本語 = ";

/// Returns the URIs of the pages and of their links, and the problems with their offsets.
fn read(message: &[u8]) -> (Vec<String>, Vec<String>) {
    read_from(Captures::mhtml(message))
}

fn read_from(captures: Captures<impl Read>) -> (Vec<String>, Vec<String>) {
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    for page in captures {
        match page {
            Ok(mut page) => {
                for link in page.links() {
                    match link {
                        Ok(link) => found.push(format!("{} {}", page.uri, link.uri)),
                        Err(error) => problems.push(error.to_string()),
                    }
                }
            }
            Err(problem) => problems.push(problem.to_string()),
        }
    }
    (found, problems)
}

fn base64(bytes: &[u8]) -> String {
    let text = data_encoding::BASE64.encode(bytes);
    text.as_bytes().chunks(76).map(|line| String::from_utf8(line.to_vec()).unwrap() + "\r\n").collect()
}

fn quoted(bytes: &[u8]) -> String {
    let mut lines = vec![String::new()];
    for byte in bytes {
        let one =
            if byte.is_ascii_graphic() && *byte != b'=' { char::from(*byte).into() } else { format!("={byte:02X}") };
        if lines.last().unwrap().len() + one.len() > 75 {
            lines.last_mut().unwrap().push('=');
            lines.push(String::new());
        }
        lines.last_mut().unwrap().push_str(&one);
    }
    lines.join("\r\n") + "\r\n"
}

/// Returns a part of a multipart: its delimiter, its header, and its body.
fn part(boundary: &str, header: &str, body: &[u8]) -> Vec<u8> {
    [format!("--{boundary}\r\n{header}\r\n\r\n").as_bytes(), body, b"\r\n"].concat()
}

fn head(boundary: &str) -> String {
    format!(
        "From: <Saved>\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\tboundary=\"{boundary}\"\r\n\r\nNo reader shows this.\r\n"
    )
}

/// Returns a message with three pages, each in another encoding, and an image. Also returns where each part starts.
fn message() -> (Vec<u8>, Vec<usize>) {
    let html = |name: &str| format!("<p>{TEXT}<a href={name}>x</a>");
    let windows = encoding_rs::WINDOWS_1251.encode("<a href='п?п'>Привет").0;
    let location = |name: &str, rest: &str| {
        format!(
            "Content-Type: text/html; charset=\"utf-8\"\r\nContent-Location: http://h/{name}/\r\nContent-Transfer-Encoding: {rest}"
        )
    };
    let parts = [
        part("=_b", &location("a", "base64"), base64(html("1").as_bytes()).as_bytes()),
        part(
            "=_b",
            "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\nContent-ID: <i>",
            base64(&[7; 900]).as_bytes(),
        ),
        part("=_b", &location("b", "Quoted-Printable"), quoted(html("2").as_bytes()).as_bytes()),
        part("=_b", &location("c", "8bit").replace("utf-8", "windows-1251"), &windows),
    ];
    let mut message = head("=_b").into_bytes();
    let mut starts = Vec::new();
    for part in parts {
        starts.push(message.len());
        message.extend(part);
    }
    starts.push(message.len());
    message.extend_from_slice(b"--=_b--\r\nNo reader shows this, either.\r\n");
    (message, starts)
}

const LINKS: [&str; 3] = ["http://h/a/ http://h/a/1", "http://h/b/ http://h/b/2", "http://h/c/ http://h/c/%D0%BF?%EF"];

#[test]
fn parts_are_pages() {
    let (message, starts) = message();
    assert_eq!(read(&message), (LINKS.map(String::from).to_vec(), vec![]));
    let offsets: Vec<_> = Captures::mhtml(&*message).map(|page| page.unwrap().offset.unwrap() as usize).collect();
    let header = |part: usize| starts[part] + "--=_b\r\n".len();
    assert_eq!(offsets, [header(0), header(2), header(3)]);
    // It is recognized, in a stream and in a file, and line feeds alone end lines, too.
    let unix: Vec<u8> = message.iter().copied().filter(|byte| *byte != b'\r').collect();
    for message in [&message, &unix] {
        assert_eq!(read_from(Captures::new(&**message).unwrap()).0, LINKS);
        assert_eq!(read_from(Captures::seekable(io::Cursor::new(message), "").unwrap()).0, LINKS);
    }
    let mut captures = Captures::mhtml(&*message);
    assert_eq!(captures.by_ref().count(), 3);
    assert_eq!((captures.skipped().other_media_types, captures.bytes_read()), (1, message.len() as u64));
    assert!(captures.memory() > 0);
}

#[test]
fn locations_are_relative_to_those_around_them() {
    let html = "Content-Type: text/html\r\n";
    let inner = [
        "Content-Type: multipart/alternative; boundary=b2\r\nContent-Location: sub/\r\n".to_owned(),
        String::from_utf8(part("b2", &format!("\r\n{html}Content-Location: c\r\n"), b"no header").to_vec()).unwrap(),
        String::from_utf8(part("b2", &format!("{html}Content-Location: c"), b"<a href=1>")).unwrap(),
        String::from_utf8(part("b2", html.trim_end(), b"<a href=2>")).unwrap(),
        "--b2--\r\n".to_owned(),
    ]
    .join("\r\n");
    let parts = [
        part("b", &format!("{html}Content-Location: a/b"), b"<a href=3><img src=cid:i@x>"),
        part("b", &format!("{html}Content-Location:\r\n http://other.example/\r\n a%20b\r\n /c"), b"<a href=4>"),
        part("b", &format!("{html}Content-Base: /base/\r\nContent-Location: d"), b"<a href=5>"),
        [b"--b\r\n", inner.as_bytes()].concat(),
        part("b", &format!("{html}Content-Location: \"http://quoted/a\""), b"<a href=7>"),
        part("b", html.trim_end(), b"<a href=6>"),
        b"--b--".to_vec(),
    ]
    .concat();
    let head =
        "MIME-Version: 1.0\r\nContent-Location: http://h/x/\r\nContent-Type: multipart/related; boundary=b\r\n\r\n";
    let expected = [
        "http://h/x/a/b http://h/x/a/3",
        "http://h/x/a/b cid:i@x",
        "http://other.example/a%20b/c http://other.example/a%20b/4",
        "http://h/base/d http://h/base/5",
        "http://h/x/sub/c http://h/x/sub/1",
        "http://h/x/sub/ http://h/x/sub/2",
        "http://quoted/a http://quoted/7",
        "http://h/x/ http://h/x/6",
    ];
    assert_eq!(read(&[head.as_bytes(), &parts].concat()), (expected.map(String::from).to_vec(), vec![]));
    // A mail has no location.
    let mail = "MIME-Version: 1.0\nContent-Type: text/html\n\n<a href=x><a href=http://h/>";
    assert_eq!(read(mail.as_bytes()).0, ["thismessage:/ thismessage:/x", "thismessage:/ http://h/"]);
    // A digest, and a message in a message.
    let digest = "MIME-Version: 1.0\nContent-Type: multipart/digest; boundary=d\n\n--d\n\nContent-Type: text/html\nContent-Location: a:/\n\n<a href=1>\n--d\nContent-Type: message/rfc822\n\nContent-Type: text/html\nContent-Location: a:/\n\n<a href=2>\n--d--\n";
    assert_eq!(read(digest.as_bytes()), (vec!["a:/ a:/1".into(), "a:/ a:/2".into()], vec![]));
    // A message in it that has no type is text.
    let text =
        "MIME-Version: 1.0\nContent-Type: multipart/digest; boundary=d\n\n--d\n\nFrom: x\n\ntext\n--d\n\ntext\n--d--\n";
    assert_eq!(read(text.as_bytes()), (vec![], vec![]));
}

#[test]
fn boundaries_and_types_are_read_as_they_are_written() {
    for (parameter, delimiter) in [
        ("boundary=\"'(a+b)?:/'\"", "'(a+b)?:/'"),
        ("boundary='b'", "b"),
        ("boundary='b'", "'b'"),
        ("boundary=\"a\\b\" (c); x=y", "ab"),
        ("boundary=\"b\"c", "b"),
    ] {
        let header =
            "Content-Type: text/html (x); charset=windows-1251 (Cyrillic)\r\nContent-Location: http://h/\r\n\r\n";
        let start = format!(
            "MIME-Version: 1.0\r\nContent-Type: multipart/related; {parameter}\r\n\r\n--{delimiter}\r\n{header}"
        );
        let message = [start.as_bytes(), b"<a href=\xFF>", format!("\r\n--{delimiter}--\r\n").as_bytes()].concat();
        assert_eq!(read(&message), (vec!["http://h/ http://h/%D1%8F".to_owned()], vec![]), "{parameter}");
    }
}

/// Each damage costs its part only, and is told.
#[test]
fn damage_costs_one_part() {
    let (message, starts) = message();
    let all = |but: &[usize]| (0..3).filter(|at| !but.contains(at)).map(|at| LINKS[at].to_owned()).collect::<Vec<_>>();
    let changed = |at: usize, from: &str, to: &str| {
        let text = &message[starts[at]..];
        let place = starts[at] + text.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        [&message[..place], to.as_bytes(), &message[place + from.len()..]].concat()
    };
    let problem = |number: usize, why: &str| format!("record at byte {}: {why}", starts[number] + 7);
    for (message, found, problems) in [
        // Characters that are none of base64.
        (changed(0, "PHA", "!P\t*HA"), all(&[]), vec![]),
        (
            changed(0, "base64", "uuencode"),
            all(&[0]),
            vec![problem(0, "its transfer encoding \"uuencode\" is unknown")],
        ),
        (changed(2, "Quoted-Printable", "x y"), all(&[1]), vec![problem(2, "its transfer encoding \"x\" is unknown")]),
        (changed(1, "image/png\r\n", "image"), all(&[]), vec![]),
        (changed(0, "base64\r\n\r\n", "base64\r\n"), all(&[]), vec![]),
        (message[..starts[4]].to_vec(), all(&[]), vec!["record at byte 0: its end boundary is missing".to_owned()]),
        (
            message[..starts[3] + 9].to_vec(),
            all(&[2]),
            vec!["record at byte 0: its end boundary is missing".to_owned()],
        ),
    ] {
        let text = String::from_utf8_lossy(&message).into_owned();
        assert_eq!(read(&message), (found, problems), "{text}");
    }
    // The boundary in the header, the header itself, and the first lines.
    let head_end = starts[0];
    let with_head = |head: &str| [head.as_bytes(), &message[head_end..]].concat();
    for (head, problem) in [
        (head("=_c"), format!("record at byte {}: its boundary is not the one in its header", head("=_c").len())),
        (
            head("").replace(";\r\n\tboundary=\"\"", ""),
            format!("record at byte {}: its boundary", head("").len() - ";\r\n\tboundary=\"\"".len()),
        ),
        (format!("\0\r\n{}", head("=_b")), "record at byte 0: the first lines are not a header".into()),
    ] {
        let (found, problems) = read(&with_head(&head));
        assert_eq!((found, problems.len()), (all(&[]), 1), "{problems:?}");
        assert!(problems[0].starts_with(&problem), "{problems:?} {problem}");
    }
    assert_eq!(read(&with_head(&format!("From a@b Mon Jan  1\r\n\r\n{}", head("=_b")))), (all(&[]), vec![]));
    assert_eq!(read(b"").1, ["record at byte 0: no message header was found"]);
    assert_eq!(read(b"no field\n\n").1, ["record at byte 0: no message header was found"]);
    // However its parts are read.
    let long = format!("{}\n", "\0".repeat(70_000));
    let by_bytes = read_from(Captures::mhtml(Slow(long.as_bytes())));
    assert_eq!((by_bytes, read(long.as_bytes()).1.len()), (read(long.as_bytes()), 1));
    let long = head("=_b").replace("Subject: x", &format!("Subject: x\r\n {}", "x".repeat(70_000)));
    let (found, problems) = read(&with_head(&long));
    assert_eq!(
        (found, problems),
        (all(&[]), vec!["record at byte 0: its header has more than 64 KiB: some lines are not read".to_owned()])
    );
}

#[test]
fn parts_may_be_nested_16_deep() {
    for (depth, problem) in [(16, None), (17, Some("its parts are nested more than 16 deep: not read"))] {
        let open: String =
            (0..depth).map(|at| format!("Content-Type: multipart/mixed; boundary=b{at}\n\n--b{at}\n")).collect();
        let close: String = (0..depth).rev().map(|at| format!("\n--b{at}--")).collect();
        let after = "\n--b0\nContent-Type: text/html\n\n<a href=after:x>";
        let close = close.replace("\n--b0--", &format!("{after}\n--b0--"));
        let message = format!("{open}Content-Type: text/html\n\n<a href=in:x>{close}");
        let (found, problems) = read(message.as_bytes());
        let expected = ["thismessage:/ in:x", "thismessage:/ after:x"];
        assert_eq!(found, expected[usize::from(problem.is_some())..], "{depth}");
        assert_eq!(problems.len(), usize::from(problem.is_some()), "{problems:?}");
        assert!(problems.iter().all(|told| told.ends_with(problem.unwrap())), "{problems:?}");
    }
}

/// A long part is in a file, with the same links.
#[test]
fn long_parts_are_stored() {
    let body = "<a href=x> 日本語 ".repeat(9000);
    for (encoding, body) in [
        ("8bit", body.clone()),
        ("base64", base64(body.as_bytes())),
        ("quoted-printable", quoted(body.as_bytes())),
        ("quoted-printable", quoted(body.as_bytes()).replace("=\r\n", "")),
        ("base64", base64(body.as_bytes()).replace("\r\n", "")),
    ] {
        let message = [
            head("b").into_bytes(),
            part("b", &format!("Content-Type: text/html\r\nContent-Transfer-Encoding: {encoding}"), body.as_bytes()),
            b"--b--".to_vec(),
        ]
        .concat();
        let mut captures = Captures::new(&*message).unwrap();
        let mut store = Store { in_memory: 1000, ..Store::default() };
        let mut page = captures.next_stored(&mut store).unwrap().unwrap();
        assert_eq!(
            page.links().filter(|link| link.as_ref().unwrap().uri == "thismessage:/x").count(),
            9000,
            "{encoding}"
        );
        assert!(captures.next_stored(&mut store).is_none());
        // One that is too long is a problem.
        let mut captures = Captures::new(&*message).unwrap();
        let mut store = Store { max_page: 1000, ..Store::default() };
        assert!(captures.next_stored(&mut store).unwrap().unwrap_err().to_string().contains("more than 1000 bytes"));
        assert!(captures.next_stored(&mut store).is_none());
    }
}

/// Lines of all lengths, as bytes that come one by one are buffered by 128.
#[test]
fn lines_are_not_cut() {
    for len in 100..400 {
        let field = format!("X: {}", "x".repeat(len - 3));
        let message = format!(
            "{field}\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n{}",
            base64(b"<a href=a:x>")
        );
        assert_eq!(
            read_from(Captures::mhtml(Slow(message.as_bytes()))),
            (vec!["thismessage:/ a:x".into()], vec![]),
            "{len}"
        );
    }
}

/// Files that only `Captures` reads, and those of other kinds, are not read as HTML.
#[test]
fn other_kinds_are_not_read() {
    let (message, _) = message();
    for (bytes, kind) in [
        (&message[..], "an MHTML file"),
        (b"%PDF-1.7\n<a href=x>", "a PDF file"),
        (b"{\"log\":{\"version\":\"1.2\",\"x\":\"<a href=x>\"}}", "a HAR file (HTTP archive)"),
        (b"<opml><outline xmlUrl=x/></opml>", "an OPML file"),
    ] {
        let links: Vec<_> =
            Page::new("http://h/", bytes).links().map(|link| link.map_err(|error| error.to_string())).collect();
        assert_eq!(links, [Err(format!("{kind}: not read"))]);
        if bytes != message {
            assert_eq!(Captures::new(bytes).unwrap_err().to_string(), format!("{kind}: not read"));
        }
    }
    assert_eq!(Page::new("http://h/", "text {\"log\": <a href=x>").links().count(), 1);
}

/// Gives one byte at a time.
struct Slow<'b>(&'b [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let len = into.len().min(1);
        self.0.read(&mut into[..len])
    }
}

quickcheck! {
    /// A changed byte after the header costs at most the part that it is in, and, if it is in or before a delimiter, the one beside it. Bytes that come one by
    /// one change nothing.
    fn a_changed_byte_costs_its_part(at: usize, byte: u8) -> bool {
        let (mut message, starts) = message();
        let at = starts[0] + at % (message.len() - starts[0]);
        message[at] = byte;
        let (found, problems) = read(&message);
        let part = starts.iter().rposition(|start| *start <= at).unwrap();
        let in_delimiter = at < starts[part] + 7;
        // A delimiter is a line.
        let is_line_end = starts.get(part + 1) == Some(&(at + 1));
        let page_of = [0, 1, 1, 2, 3];
        let lost = [Some(part), part.checked_sub(1).filter(|_| in_delimiter), Some(part + 1).filter(|_| is_line_end)];
        let is_there = (0..3).all(|page| {
            let hit = lost.iter().flatten().any(|part| page_of[*part] == page && *part != 1);
            hit || found.contains(&LINKS[page].to_owned())
        });
        let slow = read_from(Captures::mhtml(Slow(&message)));
        is_there && slow == (found, problems)
    }

    /// A cut message has the parts before the cut.
    fn a_cut_costs_what_is_after_it(at: usize) -> bool {
        let (message, starts) = message();
        let at = starts[0] + at % (message.len() - starts[0]);
        let (found, problems) = read(&message[..at]);
        let whole = starts.iter().filter(|start| **start <= at).count() - 1;
        let whole = [0, 1, 1, 2, 3][whole];
        found.starts_with(&LINKS[..whole].iter().map(|&link| link.to_owned()).collect::<Vec<_>>())
            && (at >= starts[4] + 5 || !problems.is_empty())
    }

    /// A compressed message has the same parts, with the same offsets. One that is cut has the first of them.
    fn compression_changes_nothing(at: usize, byte: u8) -> bool {
        let (mut message, starts) = message();
        let place = starts[0] + at % (message.len() - starts[0]);
        message[place] = byte;
        let (compressed, whole) = (gzip(&message), read(&message));
        let seekable = Captures::seekable(io::Cursor::new(&compressed), "").unwrap();
        let found = [read_from(Captures::new(Slow(&compressed)).unwrap()), read_from(seekable)];
        // Before that, the first header may be cut, which shows what it is.
        let cut = 200 + at % (compressed.len() - 200);
        let (of_cut, problems) = read_from(Captures::new(&compressed[..cut]).unwrap());
        found == [whole.clone(), whole.clone()] && whole.0.starts_with(&of_cut) && !problems.is_empty()
    }

    /// Any bytes in any encoding come back.
    fn encodings_come_back(bytes: Vec<u8>, pieces: Vec<u8>) -> bool {
        // A page is stored as it is.
        let start = [&b"<html>"[..], &bytes].concat();
        [("base64", base64(&start)), ("quoted-printable", quoted(&start).trim_end().to_owned() + "=\r\n")].into_iter().all(|(encoding, body)| {
            let noise: String = pieces.iter().map(|piece| [" ", "\t", "\r\n"][usize::from(*piece) % 3]).collect();
            let body = if encoding == "base64" { body + &noise } else { body };
            let message = format!("Content-Type: text/html\nContent-Transfer-Encoding: {encoding}\n\n{body}");
            let mut page = Captures::mhtml(message.as_bytes()).next().unwrap().unwrap();
            let mut read = Vec::new();
            page.bytes.reader().read_to_end(&mut read).unwrap();
            read == start && page.damage.is_none()
        })
    }
}
