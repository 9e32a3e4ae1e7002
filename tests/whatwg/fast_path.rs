//! The fast path, byte by byte: with every character at every place, it gives what the complete path gives.

use relref::whatwg::Base;

use super::hrefs::{complete, parse};

/// Returns every character of US-ASCII, and three others.
fn characters() -> impl Iterator<Item = char> {
    (0..0x80).map(char::from).chain(['\u{80}', 'é', '\u{10FFFF}'])
}

/// Starts of references that the fast path treats differently.
const STARTS: [&str; 22] = [
    "",
    "a",
    "aB",
    "/",
    "/a",
    "./",
    "../",
    "../a",
    "../../",
    "../../../../../../",
    "?",
    "?a",
    "#",
    "#a",
    "//h/",
    "//h.x/a",
    "http://h.x/",
    "https://h/a",
    "http://h/a/?",
    "https://www.h.de/#",
    "ftp://h/",
    "x:a",
];

fn check(base: &Base, reference: &str) {
    let expected = complete(reference, Some(base));
    assert_eq!(base.resolve(reference), expected, "{base:?} + {reference:?}");
}

#[test]
fn every_character_at_every_place() {
    let bases = ["https://h/a/b?q#f", "file:///a/b", "file:///C:/a", "x:a"].map(|base| Base::new(base).unwrap());
    // Windows of 8, 16 and 32 bytes are compared at once.
    for len in [0, 1, 7, 8, 9, 16, 17, 31, 33, 66] {
        for start in STARTS {
            for at in 0..=len {
                let (before, after) = ("c".repeat(at), "d".repeat(len - at));
                for c in characters() {
                    let reference = [start, &before, c.encode_utf8(&mut [0; 4]), &after].concat();
                    let bases = if len < 9 { &bases[..] } else { &bases[..1] };
                    bases.iter().for_each(|base| check(base, &reference));
                }
            }
        }
    }
}

#[test]
fn every_pair_of_characters() {
    let base = Base::new("https://h/a/b").unwrap();
    for start in STARTS {
        for (first, second) in characters().flat_map(|first| characters().map(move |second| (first, second))) {
            check(&base, &format!("{start}{first}{second}"));
            check(&base, &format!("{start}cccccccccc{first}{second}ddddddddd"));
        }
    }
}

#[test]
fn every_character_of_a_host() {
    let base = Base::new("https://h/").unwrap();
    let labels =
        ["", "a", "a.", "a.b", "a.1", "1", "0x", "a.0x", "1.2.3.", "a-b_c.d", "www.example.", "a.a0x1", "[::", "x@"];
    for (start, end) in labels.iter().flat_map(|start| labels.map(|end| (start, end))) {
        for c in characters() {
            let host = format!("{start}{c}{end}");
            for url in
                [format!("http://{host}/a"), format!("https://{host}/"), format!("//{host}/a?b#c"), format!("//{host}")]
            {
                check(&base, &url);
                assert_eq!(parse(&url), complete(&url, None));
                let made = Base::new(&url).map(|base| String::from(base.as_str()));
                assert_eq!(made, complete(&url, None), "{url}");
            }
        }
    }
}

/// The components of a base are found at the same indices as in the serialized URL.
#[test]
fn bases_are_cut_like_their_serializations() {
    for text in [
        "http://h/",
        "https://h/a/b/c",
        "http://h.x/a?b",
        "https://h/a#b",
        "http://h/a/?/b/c?d#/e?f#g",
        "https://h/?#",
        "http://h/a/b/c/d/e/f/g",
        "https://h//a//b",
        "http://h/a?b/c/../d",
        "https://h/...",
        "https://h/a.b/c",
    ] {
        let spaced = format!(" {text}");
        let (borrowed, owned) = (Base::new(text).unwrap(), Base::new(&spaced).unwrap());
        assert_eq!(borrowed.as_str(), owned.as_str());
        for reference in [
            "",
            "#x",
            "?x",
            "x",
            "/x",
            "//x",
            "//x/y",
            "./x",
            "../x",
            "../../x",
            "../../../../../x",
            ".",
            "..",
            "a/../x",
        ] {
            assert_eq!(borrowed.resolve(reference), owned.resolve(reference), "{text} + {reference}");
            check(&borrowed, reference);
        }
    }
}
