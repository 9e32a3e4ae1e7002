//! Allocations of resolving by browsers' rules.

use std::hint::black_box;

use allocation_counter::measure;
use relref::whatwg::{Base, resolve_into};

/// Calls `work` and returns the number of its allocations.
fn allocations(work: impl FnOnce()) -> u64 {
    measure(work).count_total
}

/// Returns two numbers of allocations for resolving a reference into a buffer that is large enough: by `resolve_into`, which may
/// take the fast path, and by the complete path alone.
fn allocations_of_both(base: &Base, reference: &str) -> [u64; 2] {
    let mut out = String::with_capacity(1024);
    let fast = allocations(|| _ = black_box(base.resolve_into(black_box(reference), &mut out)));
    out.clear();
    [fast, allocations(|| _ = black_box(base.resolve_by_states(black_box(reference), &mut out)))]
}

#[test]
fn a_serialized_base_is_copied_only_to_be_kept() {
    for url in ["http://h/", "https://example.com/docs/guide/index.html?q=1#top", "https://en.wikipedia.org/wiki/URL"] {
        assert_eq!(allocations(|| drop(black_box(Base::new(black_box(url)).unwrap()))), 1, "{url}");
        let mut out = String::with_capacity(1024);
        assert_eq!(allocations(|| resolve_into(black_box(url), black_box("a"), &mut out).unwrap()), 0, "{url}");
    }
}

#[test]
fn neither_path_allocates() {
    let bases = ["https://h/a/b/c?q#f", "file:///a/b", "file:///C:/a", "x:a"].map(|base| Base::new(base).unwrap());
    for base in &bases {
        for reference in [
            "",
            "#f",
            "?q",
            "a",
            "./a",
            "../../a",
            "a/./b/../c",
            "/a",
            "//h/a",
            "//h",
            "http://h/a",
            "https://h.example/a?b#c",
            "mailto:a@b",
            // These take the complete path.
            "a b",
            "é",
            "a\\b",
            "#a b",
            "?'",
            "%2e%2e/a",
            "HTTP://H/",
            "http:a",
            "http://u:p@h:80/",
            "http://0x7f.1/",
            "http://[::1]/",
            " a ",
            "file:C|/a",
            "//C:/a",
            "x://h/../a",
            "\\\\h\\a",
            "http://a b/",
            "http://h:99999/",
            "/../../..",
        ] {
            assert_eq!(allocations_of_both(base, reference), [0, 0], "{base:?} + {reference}");
        }
    }
}

/// Only for such references does the complete path make a text in between.
#[test]
fn what_the_complete_path_copies() {
    let base = Base::new("https://h/a/b/c").unwrap();
    for (reference, most) in [
        // The reference without tabs and line breaks.
        ("a\tb\nc\td\re", 1),
        // The host percent-decoded.
        ("//a%41b%42/", 1),
    ] {
        let [fast, whole] = allocations_of_both(&base, reference);
        assert!(fast == whole && (1..=most).contains(&whole), "{reference:?}: {whole}");
    }
}
