//! The output lines of `links`: their order, their columns, and `--unique`, which prints each once.

use std::fs;

use super::run::{links, page, pages, path};
use crate::command::process::{folder, relref};

#[test]
fn order_is_that_of_the_inputs() {
    let root = pages("order");
    let expected: String = (0..400)
        .flat_map(|number| {
            let count = if number == 7 { 160_000 } else { number * number % 700 };
            (0..count).map(move |link| format!("a:/{number}/{link}?q\n"))
        })
        .collect();
    for threads in ["1", "2", "13"] {
        let (text, problems, code) =
            links(&["--base", "a:/", "--format", "text", "--threads", threads, path(&root)], b"");
        assert!(text == expected && problems.is_empty() && code == 0, "{threads}: {problems}");
    }
}

#[test]
fn unique_prints_the_first_place() {
    let root = folder("unique");
    fs::write(root.join("a.html"), "<a href=x><a href=y><a href='./x'>").unwrap();
    fs::write(root.join("b.html"), "<a href=z><img src=x>").unwrap();
    let [one, other] = ["a.html", "b.html"].map(|name| root.join(name));
    let (text, ..) = links(&["--base", "h:/", "--unique", path(&one), path(&other), path(&one)], b"");
    let [one, other] = [path(&one), path(&other)];
    let expected = format!("{one}\ta\thref\tx\th:/x\n{one}\ta\thref\ty\th:/y\n{other}\ta\thref\tz\th:/z\n");
    assert_eq!(text, expected);
    // More than a block.
    let many = page(1, 30_000).repeat(2);
    let output = relref(&["links", "--base", "h:/", "--unique", "--format", "text", "-"], many.as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text == (0..30_000).map(|link| format!("h:/1/{link}?q\n")).collect::<String>());
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("relref: 1 input, 1 page, 30000 links, "));
}

/// `--unique` is exact with more URIs than fit in the table of fingerprints, in random order, and with lines that are longer than a
/// block.
#[test]
fn unique_is_exact() {
    let mut random = 1_u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    let references = (0..700_000).map(|number| match number % 5_000 {
        0 => format!("{}/{}", next(40), "long".repeat(40_000)),
        1 => format!("{}/{}", next(40), "l".repeat(119_000)),
        _ => next(400_000).to_string(),
    });
    let references: Vec<String> = references.collect();
    let page: String = references.iter().map(|reference| format!("<a href={reference}>")).collect();
    let mut seen = std::collections::HashSet::new();
    let expected: Vec<&String> = references.iter().filter(|reference| seen.insert(*reference)).collect();
    let args = ["links", "--base", "h:/", "--unique", "--format", "text", "--max-uri", "1M", "-"];
    let output = relref(&args, page.as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    let found: Vec<&str> = text.lines().map(|line| &line["h:/".len()..]).collect();
    assert!(found == expected, "{} lines of {}", found.len(), expected.len());
    let totals = String::from_utf8(output.stderr).unwrap();
    assert!(totals.starts_with(&format!("relref: 1 input, 1 page, {} links, ", expected.len())), "{totals}");
}

#[test]
fn formats() {
    let html = b"<a rel='next nofollow' href='q\"\x01\xc3\xa9&#9;'>";
    let args = ["--base", "http://h/"];
    let (text, ..) = links(&[&args[..], &["--format", "jsonl", "-"]].concat(), html);
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    let expected = serde_json::json!({
        "page": "-", "page_uri": "http://h/", "charset": "UTF-8", "element": "a", "attribute": "href", "kind": "hyperlink",
        "rel": "next nofollow",
        "reference": "q\"\u{1}é", "uri": "http://h/q%22%01%C3%A9", "start": 29, "end": 34, "line": 1, "column": 30,
    });
    assert_eq!(object, expected);
    let (text, ..) = links(&[&args[..], &["--format", "tsv", "-"]].concat(), html);
    assert_eq!(text, "-\ta\thref\tq\"%01é\thttp://h/q%22%01%C3%A9\n");
    let (text, ..) = links(&[&args[..], &["--format", "text", "-"]].concat(), html);
    assert_eq!(text, "http://h/q%22%01%C3%A9\n");
}

/// A place is one in a file: not in what was compressed, or is in an archive.
#[test]
fn places_are_those_in_files() {
    let root = folder("places");
    let page = "\u{feff}<p>é\r\n <img srcset='a 1x, &#32;b 2x'><style>url( c )</style>".as_bytes();
    let compressed = {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut encoder, page).unwrap();
        encoder.finish().unwrap()
    };
    for (name, bytes, has_places) in [("a.html", page, true), ("b.html.gz", &compressed, false)] {
        std::fs::write(root.join(name), bytes).unwrap();
        let (text, ..) = links(&["--base", "http://h/", "--format", "jsonl", path(&root.join(name))], b"");
        let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let places: Vec<_> =
            lines.map(|line| ["start", "end", "line", "column"].map(|key| line[key].as_u64())).collect();
        let expected = [[24, 25, 2, 15], [35, 36, 2, 26], [53, 54, 2, 44]].map(|place| place.map(Some));
        assert_eq!(places, if has_places { expected } else { [[None; 4]; 3] }, "{name}");
    }
}

/// Characters that end a line, clear a screen or reverse the direction of the text are escaped in each column.
#[test]
fn unsafe_characters_are_escaped() {
    let all: String = ('\u{1}'..='\u{20}').chain('\u{7f}'..='\u{a0}').chain('\u{200b}'..='\u{206f}').collect();
    let is_safe = |c: char| {
        !c.is_control()
            && !"\u{61c}\u{200e}\u{200f}\u{2028}\u{2029}".contains(c)
            && !('\u{202a}'..='\u{202e}').contains(&c)
            && !('\u{2066}'..='\u{2069}').contains(&c)
    };
    let all = format!("x{all}\u{61c}x");
    let html = format!("<a\u{7f}\u{9b} rel='{all}' href='?{all}'>");
    let base = format!("h:/{all}/");
    for format in ["text", "tsv", "jsonl"] {
        let args = ["--rules", "rfc3986", "--base", &base, "--format", format, "-"];
        let (text, problems, code) = links(&args, html.as_bytes());
        assert_eq!((problems.as_str(), code), ("", 0));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1);
        assert!(lines[0].chars().all(|c| is_safe(c) || c == '\t' && format == "tsv"), "{text:?}");
    }
    let args = ["--rules", "rfc3986", "--base", &base, "--format", "jsonl", "-"];
    let (text, ..) = links(&args, html.as_bytes());
    assert!(text.contains("\\u007f\\u0080\\u0081") && text.contains("\\u202e\u{202f}"), "{text}");
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    let reference = format!("?{}", all.replace(['\t', '\n', '\r'], ""));
    assert_eq!(object["element"], "a\u{7f}\u{9b}");
    assert_eq!((&object["rel"], &object["reference"]), (&all.replace('\r', "\n").into(), &reference.clone().into()));
    assert_eq!(object["uri"], format!("{base}{reference}"));
    let (text, ..) =
        links(&["--base", "h:/", "--format", "text", "-"], "<a href='\u{9b}\u{202e}\u{200b}%'>".as_bytes());
    assert_eq!(text, "h:/%C2%9B%E2%80%AE%E2%80%8B%\n");
}

#[cfg(unix)]
#[test]
fn names_with_line_breaks_are_escaped() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let root = folder("names");
    let name = "a\tb\nc\\\u{9b}\u{202e}é";
    fs::write(root.join(OsStr::from_bytes(&[name.as_bytes(), b"\xff.html"].concat())), "<a href=x>").unwrap();
    let escaped = format!("{}/a%09b%0Ac\\%C2%9B%E2%80%AEé%FF.html", path(&root));
    let args = ["--rules", "rfc3986", "--base", "h:/\t\n"];
    let (text, ..) = links(&[&args[..], &[path(&root)]].concat(), b"");
    let uri = "h:/%09%0A/x";
    assert_eq!(text, format!("{escaped}\ta\thref\tx\t{uri}\n"));
    let (text, ..) = links(&[&args[..], &["--format", "jsonl", path(&root)]].concat(), b"");
    let object: serde_json::Value = serde_json::from_str(text.trim_end()).unwrap();
    assert_eq!(object["page"], escaped);
    assert_eq!(object["uri"], "h:/\t\n/x");
}

/// Different files have different names in each format. So have different archives.
#[cfg(unix)]
#[test]
fn names_stay_distinct() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let root = folder("distinct");
    let http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>";
    let head = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://h/%0A";
    let warc = format!("{head}\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n", http.len());
    let names: [&[u8]; 6] = [b"a\nb", b"a%0Ab", b"a%0ab", b"a\xffb", b"a\xfeb", "a\u{fffd}b".as_bytes()];
    for name in names {
        fs::write(root.join(OsStr::from_bytes(&[name, b".html"].concat())), "<a href=x>").unwrap();
        fs::write(root.join(OsStr::from_bytes(&[name, b".warc"].concat())), &warc).unwrap();
    }
    let (text, problems, code) = links(&["--format", "jsonl", path(&root)], b"");
    assert_eq!((problems.as_str(), code), ("", 0));
    let objects: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 12);
    let mut found = [Vec::new(), Vec::new()];
    for object in &objects {
        match &object["archive"] {
            serde_json::Value::Null => found[0].push(object["page"].as_str().unwrap()),
            archive => {
                // The page of a record has the name of its URI.
                assert_eq!(object["page"], "http://h/%0A");
                found[1].push(archive.as_str().unwrap());
            }
        }
    }
    for (found, ending) in found.iter_mut().zip(["html", "warc"]) {
        found.sort_unstable();
        let names = ["%0A", "%250A", "%250a", "%FE", "%FF", "\u{fffd}"];
        assert_eq!(*found, names.map(|name| format!("{}/a{name}b.{ending}", path(&root))));
    }
    let (text, ..) = links(&[path(&root)], b"");
    let mut pages: Vec<&str> = text.lines().map(|line| line.split('\t').next().unwrap()).collect();
    pages.sort_unstable();
    pages.dedup();
    // The six archives have the same page.
    assert_eq!(pages.len(), 7);
}
