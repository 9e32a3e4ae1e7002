//! Allocations of splitting, of making a base, of resolving and of relativizing.

use std::borrow::Cow;
use std::hint::black_box;

use allocation_counter::measure;
use relref::{Base, Rules, UriRef};

/// Calls `work` and returns the number of its allocations.
fn allocations(work: impl FnOnce()) -> u64 {
    measure(work).count_total
}

/// Returns a base whose path has this number of segments, with a query.
fn base(segments: usize) -> String {
    let path: String = (1..=segments).map(|number| format!("/segment{number}")).collect();
    format!("http://example.com{path}?query")
}

/// Returns bases of different lengths and shapes.
fn bases() -> Vec<String> {
    let nested = "https://web.archive.org/web/2020/http://example.com/a/b/c.html";
    let others = [
        nested,
        "magic://a/b/c//d/e/f",
        "file:///etc/motd",
        "mailto:a@b",
        "http://h/a/./b/../c/d;p?q#s",
        "x:///a////b///c//d/e",
    ];
    (0..=15).map(base).chain(others.map(String::from)).collect()
}

const REFERENCES: [&str; 24] = [
    "",
    "#s",
    "?y",
    ";x",
    "g",
    "g/h/i?y#s",
    "./g",
    "../g",
    "../../../../g",
    "..",
    ".",
    "/",
    "/g",
    "/g/./h/../i",
    "//g/h",
    "///g",
    "////g/../h",
    "g/../../h/./i",
    ".//g",
    "http:g",
    "other:a/../b",
    "https://example.org/a/b/../c?y#s",
    "a/b/c/d/e/f/g/h/i/j/k/l/m/n/o",
    "a/b/c/d/e/f/g/../../../k/l/m",
];

#[test]
fn splitting_allocates_nothing() {
    for text in bases().iter().map(String::as_str).chain(REFERENCES) {
        let count = allocations(|| {
            let uri = black_box(UriRef::new(black_box(text)));
            black_box((uri.scheme(), uri.authority(), uri.path(), uri.query(), uri.fragment()));
        });
        assert_eq!(count, 0, "{text}");
    }
}

#[test]
fn resolving_into_a_warm_buffer_allocates_nothing() {
    let mut out = String::with_capacity(1024);
    for text in bases() {
        for rules in Rules::ALL.iter().copied().flat_map(|rules| [rules, rules.lenient()]) {
            let mut base = None;
            let count = allocations(|| base = Some(Base::new(&text, rules).unwrap()));
            // The text is copied, and a directory with dots is written without them, once.
            assert_eq!(count > 1, text.contains("/./"), "{text}, {rules}");
            let base = base.unwrap();
            for reference in REFERENCES {
                out.clear();
                let count = allocations(|| base.resolve_into(black_box(reference), &mut out));
                assert_eq!(count, 0, "{text} + {reference}, {rules}");
                assert_eq!(out, base.resolve(reference).to_string());
            }
        }
    }
}

#[test]
fn relativize_borrows_unless_the_reference_starts_with_dots() {
    let base = Base::new("http://example.com/a/b/c?q", Rules::RFC3986).unwrap();
    for (target, reference) in [
        ("http://example.com/a/b/c?q", ""),
        ("http://example.com/a/b/c?q#s", "#s"),
        ("http://example.com/a/b/c?y", "?y"),
        ("http://example.com/a/b/d/e", "d/e"),
        ("http://example.com/x/y", "/x/y"),
        ("https://example.com/a", "https://example.com/a"),
    ] {
        let mut made = Cow::Borrowed("");
        assert_eq!(allocations(|| made = base.relativize(black_box(target))), 0, "{target}");
        assert!(matches!(made, Cow::Borrowed(_)), "{target}");
        assert_eq!(made, reference);
    }
    // A shorter reference with dots was tried and does not lead to the other host; the one returned is borrowed nevertheless.
    assert!(matches!(base.relativize("http://example.org/a"), Cow::Borrowed("//example.org/a")));
    // The dots are not in the target, so the reference needs a string.
    for (target, reference) in [("http://example.com/a/d", "../d"), ("http://example.com/a/b/", ".")] {
        let mut made = Cow::Borrowed("");
        assert!(allocations(|| made = base.relativize(black_box(target))) > 0, "{target}");
        assert_eq!(made, reference);
    }
}

/// Allocations are counted: paths longer than the space set aside allocate, and so does a new string.
#[test]
fn long_paths_and_new_strings_allocate() {
    let mut out = String::with_capacity(4096);
    let reference = "x/".repeat(20) + "../y";
    for &rules in Rules::ALL {
        let text = base(20);
        let long = allocations(|| Base::new(&text, rules).unwrap().resolve_into(&reference, &mut out));
        assert!(long > 0, "{rules}");
        let text = base(3);
        let base = Base::new(&text, rules).unwrap();
        assert!(allocations(|| drop(black_box(String::from(base.resolve("../g"))))) > 0, "{rules}");
        assert!(allocations(|| base.resolve_into("../g", black_box(&mut String::new()))) > 0, "{rules}");
    }
}
