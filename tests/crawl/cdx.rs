//! The keys of CDX files.

use std::fs;
use std::path::Path;

use quickcheck::quickcheck;
use relref::ErrorKind;
use relref::crawl::{cdx_key, cdx_key_into};

use super::web_uris::WebUri;
use crate::inputs::references::Text;

/// Every row of the table of keys holds. Where the row expects `!`, there is an error.
#[test]
fn every_row() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/cdx.tsv");
    let text = fs::read_to_string(file).unwrap();
    let mut failures = Vec::new();
    for line in text.lines().skip(1) {
        let (uri, expected) = line.split_once('\t').unwrap();
        let host = uri.split("://").last().and_then(|rest| rest.split('/').next()).unwrap_or_default();
        let is_ascii = host.is_ascii() && !host.contains('%');
        if cfg!(not(feature = "idna")) && !is_ascii {
            continue;
        }
        let mut key = String::from("<");
        match cdx_key_into(uri, &mut key) {
            Ok(()) if key.strip_prefix('<') == Some(expected) => {}
            Err(_) if expected == "!" && key == "<" => {}
            done => failures.push(format!("{uri} is {key} ({done:?}), not {expected}")),
        }
    }
    assert!(text.lines().count() > 450);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn white_space_is_removed() {
    assert_eq!(cdx_key(" \x0b\nhttp://h.com/a\tb\r\n/c \t").unwrap(), "com,h)/ab/c");
}

#[test]
fn errors_have_a_place() {
    for (uri, place, message) in [
        ("http://h:x/", 9, "expected a port, a number up to 65535, found `x` at byte 9"),
        (" http://u@h\t:8\nx/", 13, "expected a port, a number up to 65535, found `8` at byte 13"),
        ("http://h:70000", 9, "expected a port, a number up to 65535, found `7` at byte 9"),
        (" \n ", 3, "expected a URI, found the end at byte 3"),
    ] {
        let error = cdx_key(uri).unwrap_err();
        assert_eq!((error.kind(), error.position()), (ErrorKind::NotValid, place), "{uri:?}");
        assert_eq!(error.to_string(), format!("not valid as a URI with a CDX key: {message}"));
    }
}

/// Long texts of the shapes that could cost more than linear time have keys that are as much longer as those of short ones are, or the
/// same error.
#[test]
fn long_texts_have_keys() {
    let shapes = [
        ("http://h/", "%25", ""),
        ("http://h/", "%2", ""),
        ("http://h/", "../", ""),
        ("http://h/", "a/../", ""),
        ("http://h/", "/", ""),
        ("http://h/", "/(a(", "/x.aspx"),
        ("http://h/", "/(S(abcdefghijklmnopqrstuvwx", ""),
        ("http://h/", "/(abcdefghijklmnopqrstuvwx)", ""),
        ("http://h/(", "S(abcdefghijklmnopqrstuvwx)", "/a.aspx"),
        ("http://h/", "/.aspx", ""),
        ("http://h/?", "sid=", ""),
        ("http://h/?", "cfid=", ""),
        ("http://h/?", "cfid=1&cftoken=", ""),
        ("http://h/?", "&cftoken=1", ""),
        ("http://h/?", "b&a&", ""),
        ("http://", "www.", ""),
        ("http://", "..", ""),
        ("http://", "1", ""),
        ("http://", "1.", ""),
        ("http://", "ü", ""),
        ("http://", "ü.", ""),
        ("http://", "[:", ""),
        ("http://", "@", ""),
        ("http://h:", "0", ""),
        ("", "\t", ""),
        ("", "a\t", ""),
    ];
    for (head, unit, end) in shapes {
        let key = |count: usize| {
            cdx_key([head, &unit.repeat(count), end].concat()).map(|key| key.len()).map_err(|error| error.kind())
        };
        // Of some texts, each second unit makes the key longer.
        let more = (1 << 20) / unit.len() / 100;
        let expected = match (key(1000), key(1100)) {
            (Ok(len), Ok(longer)) => Ok(len + more * (longer - len)),
            (error, _) => error,
        };
        assert_eq!(key(1000 + more * 100), expected, "{head}{unit}…{end}");
    }
}

quickcheck! {
    /// Any text has a key of printable US-ASCII, or gives an error at a position in the text.
    fn total(text: Text, link: WebUri) -> bool {
        [text.0, link.0].into_iter().all(|uri| {
            let mut out = String::from("é");
            match cdx_key_into(&uri, &mut out) {
                Ok(()) => out["é".len()..].bytes().all(|byte| matches!(byte, 0x21..0x7f)) || uri.starts_with("filedesc"),
                Err(error) => out == "é" && error.position() <= uri.len() && uri.is_char_boundary(error.position()),
            }
        })
    }

    /// The fragment does not change the key.
    fn fragments_are_dropped(link: WebUri) -> bool {
        let uri = link.0.split('#').next().unwrap().trim_end();
        let with = format!("{uri}#top");
        uri.is_empty() || cdx_key(uri).ok() == cdx_key(&with).ok()
    }
}
