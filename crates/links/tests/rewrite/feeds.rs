//! Sitemaps and feeds that are rewritten.

use std::fmt::Write as _;
use std::io::ErrorKind;

use quickcheck::{Arbitrary, Gen, quickcheck};
use relref::whatwg::Base;
use relref_links::rewrite::{LeftReason, Mapping, Mode, Rewriter};

use super::feed_laws::check;
use super::laws::{CASES, URIS};

const PARTS: &[&str] = &[
    "<link>",
    "</link>",
    "<guid>",
    "<guid isPermaLink='false'>",
    "</guid>",
    "<description>",
    "</description>",
    "<item>",
    "</item>",
    "<content type='html'>",
    "<content type='xhtml'>",
    "</content>",
    "<entry xml:base='/e/'>",
    "<entry xml:base=\"http://h/a/\">",
    "</entry>",
    "<link href='x y'/>",
    "<link href=''/>",
    "<link href=\"&quot;z&quot;\" rel=next />",
    "<enclosure url=u>",
    "<a href='p&amp;q'>",
    "<p xml:base='/p/'>",
    "</p>",
    "</a>",
    "<![CDATA[",
    "]]>",
    "&lt;a href=",
    "&lt;img srcset='a 2x, b'&gt;",
    "&gt;",
    "<img src=/i.png>",
    "<base href='/b/'>",
    "&amp;",
    "&#65;",
    "&#x2003;",
    " ",
    "\n",
    "http://h/a/c",
    "/x",
    "?q&amp;r",
    "d",
    "日本",
    "é",
    "<!-- c -->",
    "<?p?>",
    "\"",
    "'",
    "]",
    "&",
    "%zz",
    "&copy;",
    "<style>a{b:url(",
    ")}</style>",
    "//o/x",
    "mailto:x",
    "{{x}}",
    "#f",
    "../..",
    "\r\n",
    "\u{FEFF}",
];

/// Parts of feeds, in some encoding.
#[derive(Clone, Debug)]
struct AnyFeed(Vec<u8>);

impl Arbitrary for AnyFeed {
    fn arbitrary(g: &mut Gen) -> Self {
        let (labels, bytes): (_, &[u8]) =
            (["utf-8", "windows-1251", "shift_jis", "euc-kr", "utf-16le"], b"\xFF\xC6\x81");
        let label = *g.choose(&labels).unwrap();
        let mut text = format!(
            "<?xml version='1.0' encoding='{label}'?>{}",
            g.choose(&["<rss>", "<feed xml:base='/f/'>"]).unwrap()
        );
        let root = if text.contains("<rss") { "rss" } else { "feed" };
        for _ in 0..usize::arbitrary(g) % 30 {
            text.push_str(g.choose(PARTS).unwrap());
        }
        let _ = write!(text, "</{root}>");
        if label == "utf-16le" {
            return AnyFeed("\u{FEFF}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect());
        }
        let charset = relref_links::html::charset(label).unwrap();
        let mut feed = charset.encode(&text).0.into_owned();
        if bool::arbitrary(g) {
            let at = usize::arbitrary(g) % feed.len();
            feed.insert(at.max(60).min(feed.len()), *g.choose(bytes).unwrap());
        }
        AnyFeed(feed)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let feed = self.0.clone();
        Box::new((0..feed.len()).rev().map(move |at| AnyFeed([&feed[..at], &feed[at + 1..]].concat())))
    }
}

quickcheck! {
    fn laws_hold_for_any_feed(feed: AnyFeed, case: usize, uri: usize) -> bool {
        check(&feed.0, &Base::new(URIS[uri % URIS.len()]).unwrap(), &CASES[case % CASES.len()]);
        true
    }
}

#[test]
fn damage_is_told_after_all_is_written() {
    let base = Base::new("http://h/a/").unwrap();
    for (feed, expected, kind) in [
        (
            "<rss><link>x</link><!x><link>y</link></rss>",
            "<rss><link>http://h/a/x</link><!x><link>http://h/a/y</link></rss>",
            Some(ErrorKind::InvalidData),
        ),
        ("<rss><link>x</link><link>y", "<rss><link>http://h/a/x</link><link>y", Some(ErrorKind::InvalidData)),
        ("<html><a href=x>", "<html><a href=x>", Some(ErrorKind::InvalidData)),
        ("", "", Some(ErrorKind::InvalidData)),
        ("<rss><link>x</link></rss>\n<!-- end -->\n", "<rss><link>http://h/a/x</link></rss>\n<!-- end -->\n", None),
    ] {
        let mut out = Vec::new();
        let done = Rewriter::from(Mapping::new(Mode::Absolute)).feed_from(feed.as_bytes(), None, &base, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        assert_eq!(done.err().map(|error| error.kind()), kind, "{feed}");
    }
}

/// Longer than what is kept, and in an encoding with another length for each character.
#[test]
fn long_feeds_are_written() {
    let base = Base::new("http://h/a/").unwrap();
    let item = "<item><title>текст</title><link>x?a&amp;b</link><description>&lt;a href=\"страница\"&gt;</description></item>\n";
    let new = item
        .replace("x?", "http://h/a/x?")
        .replace("страница", "http://h/a/%D1%81%D1%82%D1%80%D0%B0%D0%BD%D0%B8%D1%86%D0%B0");
    for label in ["utf-8", "koi8-r"] {
        let encode = |item: &str| {
            let feed = format!(
                "<?xml version='1.0' encoding='{label}'?>\n<rss><channel>{}</channel></rss>",
                item.repeat(40_000)
            );
            relref_links::html::charset(label).unwrap().encode(&feed).0.into_owned()
        };
        let mut out = Vec::new();
        let mut rewriter = Rewriter::from(Mapping::new(Mode::Absolute));
        rewriter.feed_from(&encode(item)[..], None, &base, &mut out).unwrap();
        assert!(out == encode(&new), "{label}");
        assert_eq!(rewriter.totals.rewritten, 80_000);
    }
}

/// A text that goes on over more than is kept has no places, but the feed is written.
#[test]
fn an_endless_text_is_left() {
    let base = Base::new("http://h/a/").unwrap();
    let feed = format!("<rss><link>x{}</link><link>y</link></rss>", "<b>more</b>".repeat(1 << 20));
    let mut out = Vec::new();
    let mut rewriter = Rewriter::from(Mapping::new(Mode::Absolute));
    rewriter.feed_from(feed.as_bytes(), None, &base, &mut out).unwrap();
    assert!(out == feed.replace("<link>y", "<link>http://h/a/y").as_bytes());
    assert_eq!((rewriter.totals.rewritten, rewriter.totals.left(LeftReason::Unwritable)), (1, 1));
}

#[test]
fn what_xml_cannot_hold_is_left() {
    let base = Base::new("http://h/a/").unwrap();
    for (feed, new, expected) in [
        ("<rss><link>x</link></rss>", "a<b&c>'\"é", "<rss><link>a&lt;b&amp;c&gt;'\"é</link></rss>"),
        ("<rss><link><![CDATA[x]]></link></rss>", "a]]>b", "<rss><link><![CDATA[x]]></link></rss>"),
        ("<rss><link><![CDATA[x]]></link></rss>", "//[::1]/", "<rss><link><![CDATA[//[::1]/]]></link></rss>"),
        ("<rss><link><![CDATA[x]]></link></rss>", "a]", "<rss><link><![CDATA[x]]></link></rss>"),
        ("<rss><link>x</link></rss>", "a\u{1}b", "<rss><link>x</link></rss>"),
        ("<rss><link>x</link></rss>", "", "<rss><link>x</link></rss>"),
        ("<rss><enclosure url=x></rss>", "a b", "<rss><enclosure url=x></rss>"),
        ("<rss><enclosure url=x\"> <a b=\"></rss>", "y", "<rss><enclosure url=x\"> <a b=\"></rss>"),
        (
            "<rss><content type='xhtml'><a href=x></a></content></rss>",
            "y/",
            "<rss><content type='xhtml'><a href=x></a></content></rss>",
        ),
        (
            "<rss><content type='xhtml'><a title='\"' href=\"it's\"></a></content></rss>",
            "y",
            "<rss><content type='xhtml'><a title='\"' href=\"y\"></a></content></rss>",
        ),
        (
            "<rss><content type='xhtml'><a ' href=\"'\"\"></a></content></rss>",
            "y",
            "<rss><content type='xhtml'><a ' href=\"'\"\"></a></content></rss>",
        ),
        (
            "<rss><content type='xhtml'><a href=x\" \"></a></content></rss>",
            "y",
            "<rss><content type='xhtml'><a href=x\" \"></a></content></rss>",
        ),
        ("<rss><enclosure ' url=\"'\"\"/></rss>", "y", "<rss><enclosure ' url=\"'\"\"/></rss>"),
        ("<rss><enclosure url=\"it's\"/></rss>", "y", "<rss><enclosure url=\"y\"/></rss>"),
        ("<rss><enclosure url='x'/></rss>", "it's", "<rss><enclosure url='it&#39;s'/></rss>"),
        ("<rss><li \":resource=\"x\"\"></rss>", "it's", "<rss><li \":resource=\"it&#39;s\"\"></rss>"),
        (
            "<?xml version='1.0' encoding='koi8-r'?><rss><link>x</link></rss>",
            "é",
            "<?xml version='1.0' encoding='koi8-r'?><rss><link>&#233;</link></rss>",
        ),
    ] {
        let mut out = Vec::new();
        let mut rewriter = Rewriter::new(|_| Some(new.to_owned()));
        rewriter.feed_from(feed.as_bytes(), None, &base, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
        assert_eq!(rewriter.totals.rewritten + rewriter.totals.left(LeftReason::Unwritable), 1);
    }
}

/// Readers would show the item again.
#[test]
fn identifiers_stay() {
    let base = Base::new("http://h/a/").unwrap();
    let feed = "<rss><guid isPermaLink='false'>1@http://h/</guid><guid isPermaLink='true'>http://h/x</guid></rss>";
    let mut out = Vec::new();
    let mapping = Mapping::new(Mode::Absolute).map("http://h/", "http://n/").unwrap();
    let mut rewriter = Rewriter::from(mapping);
    rewriter.feed_from(feed.as_bytes(), None, &base, &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), feed.replace("http://h/x", "http://n/x"));
    assert_eq!((rewriter.totals.rewritten, rewriter.totals.left(LeftReason::Identifier)), (1, 1));
}

/// Links within it have another meaning when the feed is elsewhere.
#[test]
fn a_base_that_cannot_be_written_is_told() {
    let feed = "<rss><link xml:base='\0n/' href='x'></link></rss>";
    let mut out = Vec::new();
    let mapping = Mapping::new(Mode::AsWritten).map("http://h/a/b", "http://h/n").unwrap();
    let mut rewriter = Rewriter::from(mapping);
    rewriter.feed_from(feed.as_bytes(), None, &Base::new("http://h/a/b").unwrap(), &mut out).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), feed);
    assert_eq!(rewriter.totals.left(LeftReason::Unwritable), 1);
}
