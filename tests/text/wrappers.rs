//! URIs in running text: the documents' examples, what is no wrapper, and the laws of wrapping and unwrapping.

use std::borrow::Cow;

use quickcheck::{Arbitrary, Gen, quickcheck};
use relref::UriRef;
use relref::percent::{ByteSet, encode};
use relref::text::{Wrapped, strip_prefix, unwrap, wrap};

use crate::inputs::references::Text;

fn uris(text: &str) -> Vec<Cow<'_, str>> {
    unwrap(text).map(|found| found.uri).collect()
}

fn only(text: &str) -> Wrapped<'_> {
    let mut all = unwrap(text);
    let found = all.next().unwrap_or_else(|| panic!("nothing found in {text:?}"));
    assert_eq!(all.next(), None, "{text:?}");
    found
}

#[test]
fn url7_examples() {
    let text = "Yes, Jim, I found it under <ftp://info.cern.ch/pub> but\n\
        you can probably pick it up from <ftp://ds.internic.net/rfc>.\n";
    assert_eq!(uris(text), ["ftp://info.cern.ch/pub", "ftp://ds.internic.net/rfc"]);
    assert!(unwrap(text).all(|found| !found.prefixed && found.without_hyphens.is_none()));
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
    assert!(unwrap(text).all(|found| found.prefixed && found.without_hyphens.is_none()));
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
    let ranges: Vec<_> = unwrap(text).map(|found| &text[found.range]).collect();
    assert_eq!(ranges, ["<URL:a:b\n>", "<c:d>"]);
}

#[test]
fn white_space_is_ignored() {
    for text in ["<http: //h/a b>", "<\thttp://h\r\n/a\n\n  b >", "<http://h/\x0Ca\rb\n>"] {
        assert_eq!(only(text).uri, "http://h/ab", "{text:?}");
    }
    // Only white space of US-ASCII; the rest is taken for what was meant.
    assert_eq!(only("<a:\u{a0}é\u{2028}>").uri, "a:\u{a0}é\u{2028}");
}

#[test]
fn scheme_and_prefix_are_in_one_piece() {
    for text in ["<ht\ntp://h/>", "<http :x>", "<U RL:http://h/>", "<URL :http://h/>", "<URL:ht\ntp://h/>"] {
        assert_eq!(unwrap(text).next(), None, "{text:?}");
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
fn a_break_behind_a_hyphen_gives_both_candidates() {
    for (text, uri, without) in [
        ("<URL:http://h/a-\nb>", "http://h/a-b", Some("http://h/ab")),
        ("<http://h/a-\r\n   b>", "http://h/a-b", Some("http://h/ab")),
        // The draft of RFC 1630 is broken so in print; URL7 shows that the hyphen belongs.
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
        // All such hyphens go, one for each line, and no others.
        ("<http://h/a-b--\nc-d-\ne-f>", "http://h/a-b--c-d-e-f", Some("http://h/a-b-c-de-f")),
        ("<http://h/a-\nb\n-c>", "http://h/a-b-c", Some("http://h/ab-c")),
        ("<http://h/\n-\na>", "http://h/-a", Some("http://h/a")),
        // No line break right behind.
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
    // One prefix: what follows is the URI.
    assert_eq!(only("<URL:URL:a:b>").uri, "URL:a:b");
}

#[test]
fn the_prefix_on_its_own() {
    for (text, behind) in [
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
        assert_eq!(strip_prefix(text), behind, "{text:?}");
    }
}

#[test]
fn no_partial_form_behind_the_prefix() {
    for text in ["<URL:foo/bar>", "<URL:/foo>", "<URL:>", "<url: >", "<URL:#a:b>", "<URL:1:2>"] {
        assert_eq!(unwrap(text).next(), None, "{text:?}");
    }
}

#[test]
fn markup_is_no_wrapper() {
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
        assert_eq!(unwrap(text).next(), None, "{text:?}");
    }
}

#[test]
fn other_angle_brackets_are_no_wrapper() {
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
        assert_eq!(unwrap(text).next(), None, "{text:?}");
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
fn wrapping_breaks_lines() {
    let uri = "ftp://ds.internic.net/rfc";
    assert_eq!(wrap(uri, usize::MAX), "<URL:ftp://ds.internic.net/rfc>");
    assert_eq!(wrap(uri, 31), "<URL:ftp://ds.internic.net/rfc>");
    // `>` never stands at the start of a line.
    assert_eq!(wrap(uri, 30), "<URL:ftp://ds.internic.net/rf\nc>");
    assert_eq!(wrap(uri, 15), "<URL:ftp://ds.i\nnternic.net/rfc\n>".replace("rfc\n>", "rf\nc>"));
    assert_eq!(wrap(uri, 10), "<URL:ftp:/\n/ds.intern\nic.net/rfc\n>".replace("rfc\n>", "rf\nc>"));
    // The prefix and the scheme stay in one piece.
    for width in [0, 1] {
        assert_eq!(wrap("http:abc", width), "<URL:http:\na\nb\nc>");
    }
}

#[test]
fn wrapping_never_breaks_behind_a_hyphen() {
    assert_eq!(wrap("a:bcd-efg", 11), "<URL:a:bcd\n-efg>");
    assert_eq!(wrap("a:bcd-efg", 10), "<URL:a:bcd\n-efg>");
    assert_eq!(wrap("a:bcd-efg", 12), "<URL:a:bcd-e\nfg>");
    // A line is longer if it must be.
    assert_eq!(wrap("a:----b---", 2), "<URL:a:\n----b\n--->");
    assert_eq!(wrap("a:-", 2), "<URL:a:\n->");
    assert_eq!(wrap("-", 0), "<URL:\n->");
}

#[test]
fn wrapping_encodes_what_white_space_would_lose() {
    assert_eq!(wrap("a:b  c\t\r\nd\0\u{7f}<e>\"f\"", usize::MAX), "<URL:a:b%20%20c%09%0D%0Ad%00%7F%3Ce%3E%22f%22>");
    assert_eq!(wrap("a:%20%zz{}|\\^~[]`#'", usize::MAX), "<URL:a:%20%zz{}|\\^~[]`#'>");
    assert_eq!(wrap("a:é", usize::MAX), "<URL:a:%C3%A9>");
    assert_eq!(wrap("", 0), "<URL:>");
    assert_eq!(wrap("a/b", usize::MAX), "<URL:a/b>");
}

#[test]
fn long_texts_are_read_in_linear_time() {
    const LEN: usize = 1 << 20;
    for unit in [
        "<", "<a:", "<a:b", "<a:\"", "< ", "<URL:", "< \n-", "<a:-\n", ">", "\"", "<!", "<\"", "<p>", "<a:\0>", "é",
        "<é:",
    ] {
        let text = unit.repeat(LEN / unit.len());
        assert_eq!(unwrap(&text).next(), None, "{unit:?}");
        let text = text.clone() + "<a:b>" + &text;
        assert_eq!(uris(&text), ["a:b"], "{unit:?}");
    }
    for (unit, cleaned) in [(" ", ""), ("-\n", "-"), ("\n", ""), ("x", "x"), ("?#", "?#"), ("é", "é")] {
        let count = LEN / unit.len();
        assert_eq!(unwrap(&format!("<a:{}", unit.repeat(count))).next(), None);
        let text = format!("<a:{}>", unit.repeat(count));
        assert_eq!(only(&text).uri.len(), 2 + cleaned.len() * count);
    }
    assert_eq!(unwrap(&"<a:b>".repeat(LEN / 5)).count(), LEN / 5);
    for unit in ["-", "x", "x-", "x---------------", " ", "é"] {
        let uri = format!("a:{}", unit.repeat(LEN / unit.len()));
        for width in [0, 72, LEN / 8, LEN / 2] {
            assert_eq!(only(&wrap(&uri, width)).uri, wrapped(&uri));
        }
    }
}

/// What comes back of a URI that was wrapped.
fn wrapped(uri: &str) -> Cow<'_, str> {
    encode(uri, ByteSet::RFC1738_UNSAFE.without(ByteSet::new(b"#%{}|\\^~[]`"))).into()
}

/// Text of what matters to wrappers.
#[derive(Clone, Debug)]
struct Soup(String);

impl Arbitrary for Soup {
    fn arbitrary(g: &mut Gen) -> Self {
        const OPEN: [&str; 8] = ["<", "<a:", "<http://h/", "<URL:", "<url: x-1.+:", "<\n URL:\r\na:", "< a:", "<a"];
        const INSIDE: [&str; 20] = [
            "a", "b-", "--", " ", "\n", "-\n", "- \r\n\t", "-\x0C", "-\r", "é", "#", "?", "1", "@", "%2D", ":", "URL:",
            "/", ".", "x",
        ];
        const RARE: [&str; 6] = ["\"", "\0", "\u{b}", "\u{a0}", "\u{7f}", "<!"];
        let mut out = String::new();
        for _ in 0..usize::arbitrary(g) % 32 {
            let from: &[&str] = match u8::arbitrary(g) % 16 {
                0..4 => &OPEN,
                4..7 => &[">"],
                7 => &RARE,
                _ => &INSIDE,
            };
            out.push_str(g.choose(from).unwrap());
        }
        Soup(out)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Soup))
    }
}

/// The same by other means: from each `>` back to its `<`, character by character.
fn oracle(text: &str) -> Vec<(std::ops::Range<usize>, String, bool, Option<String>)> {
    let white = |c: char| " \t\r\n\x0C".contains(c);
    let mut found = Vec::new();
    for (end, _) in text.match_indices('>') {
        let Some(start) = text[..end].rfind(['<', '>', '"']).filter(|&at| text[at..].starts_with('<')) else {
            continue;
        };
        let inside = text[start + 1..end].trim_start_matches(white);
        let prefixed = inside.to_ascii_lowercase().starts_with("url:");
        let uri = if prefixed { inside[4..].trim_start_matches(white) } else { inside };
        let Some((scheme, _)) = uri.split_once(':') else { continue };
        let legal = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.chars().all(legal) {
            continue;
        }
        if uri.chars().any(|c| c.is_ascii_control() && !white(c)) {
            continue;
        }
        let cleaned: String = uri.chars().filter(|&c| !white(c)).collect();
        let ends_line = |at: usize| {
            let behind = &uri[at + 1..];
            let gap = &behind[..behind.find(|c| !white(c)).unwrap_or(behind.len())];
            gap.contains(['\r', '\n', '\x0C'])
        };
        let kept = uri.char_indices().filter(|&(at, c)| !white(c) && (c != '-' || !ends_line(at)));
        let without = kept.map(|(_, c)| c).collect::<String>();
        let differs = without != cleaned;
        found.push((start..end + 1, cleaned, prefixed, differs.then_some(without)));
    }
    found
}

quickcheck! {
    /// Both ways of reading agree on all fields, so ranges are what they should be.
    fn the_oracle_agrees(soup: Soup) -> bool {
        let of = |found: Wrapped<'_>| (found.range, found.uri.into_owned(), found.prefixed, found.without_hyphens);
        unwrap(&soup.0).map(of).collect::<Vec<_>>() == oracle(&soup.0)
    }

    /// Ranges are valid, ascending and disjoint, and hold the wrapper; every URI has a scheme and no white space.
    fn what_is_found_is_sound(soup: Soup) -> bool {
        let mut before = 0;
        unwrap(&soup.0).all(|found| {
            let wrapper = &soup.0[found.range.clone()];
            let ascends = before <= found.range.start;
            before = found.range.end;
            let sound = |uri: &str| UriRef::new(uri).scheme().is_some() && !uri.contains([' ', '\t', '\n', '\r', '\x0C']);
            ascends
                && wrapper.starts_with('<')
                && wrapper.ends_with('>')
                && sound(&found.uri)
                && found.without_hyphens.is_none_or(|without| sound(&without) && without.len() < found.uri.len())
        })
    }

    /// A URI is borrowed exactly if the text has it as it is.
    fn borrowed_when_nothing_was_removed(soup: Soup) -> bool {
        unwrap(&soup.0).all(|found| {
            let inside = soup.0[found.range.start + 1..found.range.end - 1].trim_ascii_end();
            matches!(found.uri, Cow::Borrowed(_)) == inside.ends_with(&*found.uri)
        })
    }

    /// Any text takes the iterator to its end, and the end is the end.
    fn any_text_is_read(text: String, soup: Soup) -> bool {
        let text = text + &soup.0;
        let mut all = unwrap(&text);
        all.by_ref().for_each(drop);
        all.next().is_none() && all.next().is_none()
    }

    /// What was wrapped is found, at any width, in any prose.
    fn unwrap_finds_what_wrap_wrote(uri: Text, hyphens: Soup, width: u8, before: String, after: String) -> bool {
        let [before, after] = [before, after].map(|prose| prose.replace(['<', '>'], "-"));
        let uri = format!("x-y:{}{}", uri.0, hyphens.0);
        [usize::from(width), usize::from(width) % 24, usize::MAX].into_iter().all(|width| {
            let wrapper = wrap(&uri, width);
            let text = format!("{before}{wrapper}{after}");
            let found = only(&text);
            found.uri == wrapped(&uri)
                && found.prefixed
                && found.without_hyphens.is_none()
                && found.range == (before.len()..before.len() + wrapper.len())
        })
    }

    /// Lines are as long as the width lets them be: broken at the last place that fits, else at the first there is.
    fn lines_are_filled(uri: Text, hyphens: Soup, width: u8) -> bool {
        let width = usize::from(width) % 32;
        let (text, head) = (format!("x:{}{}", uri.0, hyphens.0), "<URL:x:".len());
        let wrapper = wrap(&text, width);
        let whole = wrapper.replace('\n', "");
        let mut at = 0;
        wrapper.split('\n').all(|line| {
            let start = at;
            at += line.len();
            let place = |end: usize| end >= head && !whole[..end].ends_with('-') && end < whole.len() - 1;
            let longer = (at + 1..=(start + width).min(whole.len())).any(|end| place(end) || end == whole.len());
            let shorter = (start + 1..at).any(place);
            (at == whole.len() || place(at)) && !longer && (line.len() <= width || !shorter)
        }) && whole == format!("<URL:{}>", wrapped(&text))
    }
}
