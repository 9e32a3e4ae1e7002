//! The URIs that are found in text: the documents' examples, and texts that are no wrapped URIs.

use std::borrow::Cow;

use relref::UriRef;
use relref::text::{Wrapped, find_wrapped, strip_prefix, wrap};

use super::checks::wrapped;

fn uris(text: &str) -> Vec<Cow<'_, str>> {
    find_wrapped(text).map(|found| found.uri).collect()
}

fn only(text: &str) -> Wrapped<'_> {
    let mut all = find_wrapped(text);
    let found = all.next().unwrap_or_else(|| panic!("nothing found in {text:?}"));
    assert_eq!(all.next(), None, "{text:?}");
    found
}

#[test]
fn url7_examples() {
    let text = "Yes, Jim, I found it under <ftp://info.cern.ch/pub> but\n\
        you can probably pick it up from <ftp://ds.internic.net/rfc>.\n";
    assert_eq!(uris(text), ["ftp://info.cern.ch/pub", "ftp://ds.internic.net/rfc"]);
    assert!(find_wrapped(text).all(|found| !found.prefixed && found.without_hyphens.is_none()));
}

#[test]
fn rfc1738_examples() {
    let text = "
      Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;
      type=d> but you can probably pick it up from <URL:ftp://ds.in
      ternic.net/rfc>.  Note the warning in <URL:http://ds.internic.
      net/instructions/overview.html#WARNING>.
";
    let expected = [
        "ftp://info.cern.ch/pub/www/doc;type=d",
        "ftp://ds.internic.net/rfc",
        "http://ds.internic.net/instructions/overview.html#WARNING",
    ];
    assert_eq!(uris(text), expected);
    assert!(find_wrapped(text).all(|found| found.prefixed && found.without_hyphens.is_none()));
}

#[test]
fn rfc1738_other_wrappers() {
    // The body of RFC 1738 wraps its own URLs, across an indented line too.
    let text = "is \"*\" (as in <URL:news:*>), an empty <URL:ftp://@host.com/> and <URL:ftp://foo:@host.com/>\n\
        <URL:ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol\n       /Gopher+/Gopher+.txt>";
    let expected = [
        "news:*",
        "ftp://@host.com/",
        "ftp://foo:@host.com/",
        "ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol/Gopher+/Gopher+.txt",
    ];
    assert_eq!(uris(text), expected);
}

#[test]
fn the_fragment_stays_inside() {
    let found = only("see <http://h/a?q#b>, and");
    assert_eq!(found.uri, "http://h/a?q#b");
    assert_eq!(UriRef::new(&found.uri).fragment(), Some("b"));
    assert_eq!(only("<URL:http://h/a\n#b>").uri, "http://h/a#b");
    assert_eq!(wrap("http://h/a#b", usize::MAX), "<URL:http://h/a#b>");
}

#[test]
fn the_range_is_the_whole_wrapper() {
    let text = "é <URL:a:b\n>, <c:d>.";
    let ranges: Vec<_> = find_wrapped(text).map(|found| &text[found.range]).collect();
    assert_eq!(ranges, ["<URL:a:b\n>", "<c:d>"]);
}

#[test]
fn white_space_is_ignored() {
    for text in ["<http: //h/a b>", "<\thttp://h\r\n/a\n\n  b >", "<http://h/\x0Ca\rb\n>"] {
        assert_eq!(only(text).uri, "http://h/ab", "{text:?}");
    }
    // Only white space of US-ASCII is ignored; other white space belongs to the URI.
    assert_eq!(only("<a:\u{a0}é\u{2028}>").uri, "a:\u{a0}é\u{2028}");
}

#[test]
fn scheme_and_prefix_are_in_one_piece() {
    for text in ["<ht\ntp://h/>", "<http :x>", "<U RL:http://h/>", "<URL :http://h/>", "<URL:ht\ntp://h/>"] {
        assert_eq!(find_wrapped(text).next(), None, "{text:?}");
    }
}

#[test]
fn nothing_is_copied_when_nothing_is_removed_inside() {
    for text in ["<a:b>", "<URL:a:b>", "<url: a:b>", "<\n a:b \n>"] {
        assert!(matches!(only(text).uri, Cow::Borrowed("a:b")), "{text:?}");
    }
    assert!(matches!(only("<a: b>").uri, Cow::Owned(_)));
}

#[test]
fn a_break_after_a_hyphen_gives_both_candidates() {
    for (text, uri, without) in [
        ("<URL:http://h/a-\nb>", "http://h/a-b", Some("http://h/ab")),
        ("<http://h/a-\r\n   b>", "http://h/a-b", Some("http://h/ab")),
        // The print of RFC 1630's draft breaks a URI there; URL7 shows that the hyphen belongs to it.
        (
            "<wais://quake.think.com/wais-discussion-\n          archives?lynch>",
            "wais://quake.think.com/wais-discussion-archives?lynch",
            Some("wais://quake.think.com/wais-discussionarchives?lynch"),
        ),
        // White space around the break is ignored, also that before it.
        ("<http://h/a- \t\nb>", "http://h/a-b", Some("http://h/ab")),
        ("<http://h/a-\rb>", "http://h/a-b", Some("http://h/ab")),
        ("<http://h/a-\x0Cb>", "http://h/a-b", Some("http://h/ab")),
        ("<http://h/a-\n>", "http://h/a-", Some("http://h/a")),
        // All hyphens at the end of a line are removed, and no others.
        ("<http://h/a-b--\nc-d-\ne-f>", "http://h/a-b--c-d-e-f", Some("http://h/a-b-c-de-f")),
        ("<http://h/a-\nb\n-c>", "http://h/a-b-c", Some("http://h/ab-c")),
        ("<http://h/\n-\na>", "http://h/-a", Some("http://h/a")),
        // No line break follows directly.
        ("<http://h/a- b>", "http://h/a-b", None),
        ("<http://h/a\n-b>", "http://h/a-b", None),
        ("<http://h/a-b\nc>", "http://h/a-bc", None),
    ] {
        let found = only(text);
        assert_eq!((&*found.uri, found.without_hyphens.as_deref()), (uri, without), "{text:?}");
    }
}

#[test]
fn the_prefix_is_read_in_either_case() {
    for text in ["<URL:a:b>", "<url:a:b>", "<Url: a:b>", "<uRL:\r\n\ta:b>", "< URL:a:b>"] {
        let found = only(text);
        assert_eq!((&*found.uri, found.prefixed), ("a:b", true), "{text:?}");
    }
    let found = only("<urn:isbn:1>");
    assert_eq!((&*found.uri, found.prefixed), ("urn:isbn:1", false));
    // Only one prefix is removed.
    assert_eq!(only("<URL:URL:a:b>").uri, "URL:a:b");
}

#[test]
fn the_prefix_on_its_own() {
    for (text, after) in [
        ("URL:http://h/", Some("http://h/")),
        ("url:http://h/", Some("http://h/")),
        ("uRl: \r\n\thttp://h/ ", Some("http://h/ ")),
        ("url:url:x", Some("url:x")),
        ("URL:", Some("")),
        ("URL:foo/bar", Some("foo/bar")),
        ("http://h/", None),
        (" URL:x:y", None),
        ("URL", None),
        ("", None),
        ("urn:x", None),
        ("éé", None),
        ("urlé:", None),
    ] {
        assert_eq!(strip_prefix(text), after, "{text:?}");
    }
}

#[test]
fn no_relative_reference_after_the_prefix() {
    for text in ["<URL:foo/bar>", "<URL:/foo>", "<URL:>", "<url: >", "<URL:#a:b>", "<URL:1:2>"] {
        assert_eq!(find_wrapped(text).next(), None, "{text:?}");
    }
}

#[test]
fn markup_is_not_a_wrapper() {
    for text in [
        "<a href=\"x:y\">x:y</a>",
        "<a href=x:y>",
        "<br/>",
        "<p>",
        "<!-- x:y -->",
        "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 3.2//EN\">",
        "<?xml:x y?>",
        "<a:b \"c\">",
        "<a:b c=\"http://h/\">",
        "<URL:http://h/\"a\">",
    ] {
        assert_eq!(find_wrapped(text).next(), None, "{text:?}");
    }
}

#[test]
fn other_angle_brackets_are_not_wrappers() {
    for text in [
        "",
        "<",
        ">",
        "<>",
        "<:>",
        "<:b>",
        "<1:b>",
        "<é:b>",
        "< >",
        "<a@b>",
        "<user:pass@host",
        "<a@b:25>",
        "<x>",
        "<x/y:z>",
        "<x?y:z>",
        "a < b, c > d",
        "1<2:3>1",
        "http://h/",
        "<http://h/",
        "http://h/>",
        "<a:\0>",
        "<a:b\x0Bc>",
        "<a:\u{7f}>",
    ] {
        assert_eq!(find_wrapped(text).next(), None, "{text:?}");
    }
}

#[test]
fn an_inner_bracket_starts_anew() {
    assert_eq!(uris("<a <http://h/>"), ["http://h/"]);
    assert_eq!(uris("<a:b <http://h/> c>"), ["http://h/"]);
    assert_eq!(uris("<<URL:<c:d>>"), ["c:d"]);
    assert_eq!(uris("<a:b \"c\" <http://h/>"), ["http://h/"]);
    assert_eq!(uris("<!-- <http://h/> -->"), ["http://h/"]);
}

#[test]
fn whatever_has_a_scheme_is_found() {
    assert_eq!(
        uris("<a:> <Note: this> <T: Clone> <x-1.+:(a)'{}|\\^[]`%*>"),
        ["a:", "Note:this", "T:Clone", "x-1.+:(a)'{}|\\^[]`%*"]
    );
}

#[test]
fn long_texts_are_read() {
    const LEN: usize = 256 << 10;
    for unit in [
        "<", "<a:", "<a:b", "<a:\"", "< ", "<URL:", "< \n-", "<a:-\n", ">", "\"", "<!", "<\"", "<p>", "<a:\0>", "é",
        "<é:",
    ] {
        let text = unit.repeat(LEN / unit.len());
        assert_eq!(find_wrapped(&text).next(), None, "{unit:?}");
        let text = text.clone() + "<a:b>" + &text;
        assert_eq!(uris(&text), ["a:b"], "{unit:?}");
    }
    for (unit, cleaned) in [(" ", ""), ("-\n", "-"), ("\n", ""), ("x", "x"), ("?#", "?#"), ("é", "é")] {
        let count = LEN / unit.len();
        assert_eq!(find_wrapped(&format!("<a:{}", unit.repeat(count))).next(), None);
        let text = format!("<a:{}>", unit.repeat(count));
        assert_eq!(only(&text).uri.len(), 2 + cleaned.len() * count);
    }
    assert_eq!(find_wrapped(&"<a:b>".repeat(LEN / 5)).count(), LEN / 5);
    for unit in ["-", "x", "x-", "x---------------", " ", "é"] {
        let uri = format!("a:{}", unit.repeat(LEN / unit.len()));
        for width in [0, 72, LEN / 8, LEN / 2] {
            assert_eq!(only(&wrap(&uri, width)).uri, wrapped(&uri));
        }
    }
}
