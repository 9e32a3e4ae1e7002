//! The links of XML: sitemaps, RSS and Atom.

use std::borrow::Cow;
use std::io::{self, BufRead, ErrorKind};

use encoding_rs::Encoding;
use memchr::memmem;
use quick_xml::Reader;
use quick_xml::escape::{resolve_predefined_entity, unescape_with};
use quick_xml::events::{BytesStart, Event};

use super::limited::Limited;
use super::table::{attribute_kind, text_kind};
use crate::html::{FoundLink, Kind, xml_encoding};

/// The most bytes of a tag or text.
const MOST: usize = 1 << 20;
/// The most elements with `xml:base` around a link that count.
const BASES: usize = 16;
/// The most bytes of the values of `xml:base` around a link that count. They are compared with those of the next link.
const BASES_LEN: usize = 64 << 10;
/// The names of the elements around sitemaps and feeds, without prefixes.
const ROOTS: [&str; 5] = ["urlset", "sitemapindex", "rss", "feed", "RDF"];

/// A link of a feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeedLink<'f> {
    /// The link, relative to `base`.
    pub link: FoundLink<'f>,
    /// The values of `xml:base` around the link, the outermost first; relative to the URI of the feed, each to the one before.
    pub bases: &'f [String],
}

/// Reports whether these bytes start a sitemap or a feed: XML with the element `urlset`, `sitemapindex`, `rss`, `feed` or `RDF`
/// around it, or named by its `DOCTYPE`. Give it a KiB, if there is one, or what contains the comments before.
pub fn is_feed(start: &[u8]) -> bool {
    let text: Cow<'_, [u8]> = match start {
        [0xff, 0xfe, rest @ ..] => rest.iter().copied().step_by(2).collect(),
        [0xfe, 0xff, rest @ ..] => rest.iter().copied().skip(1).step_by(2).collect(),
        [b'<', 0, ..] => start.iter().copied().step_by(2).collect(),
        [0, b'<', ..] => start.iter().copied().skip(1).step_by(2).collect(),
        _ => Cow::Borrowed(start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start)),
    };
    let mut rest = text.trim_ascii_start();
    loop {
        let end = match rest {
            [b'<', b'?', ..] => "?>",
            [b'<', b'!', b'-', ..] => "-->",
            // A DOCTYPE names the root.
            [b'<', b'!', kind @ ..] => {
                let is_doctype = kind.get(..7).is_some_and(|kind| kind.eq_ignore_ascii_case(b"DOCTYPE"));
                return is_doctype && starts_with_root(kind[7..].trim_ascii_start());
            }
            [b'<', name @ ..] => return starts_with_root(name),
            _ => return false,
        };
        let Some(at) = memmem::find(rest, end.as_bytes()) else { return false };
        rest = rest[at + end.len()..].trim_ascii_start();
    }
}

/// Reports whether a text starts with the name of the element around a sitemap or feed.
fn starts_with_root(text: &[u8]) -> bool {
    let end = text.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/' | b'['));
    let name = std::str::from_utf8(&text[..end.unwrap_or(text.len())]).unwrap_or_default();
    ROOTS.contains(&local(name))
}

/// Reports the links of a sitemap or feed to `each`, until it returns false. Without a byte order mark, `charset` is its character
/// encoding if the caller knows it; else its XML declaration decides.
///
/// Returns false, and reports nothing, if the XML is no sitemap or feed.
///
/// # Errors
/// Those of the stream, [`InvalidData`](ErrorKind::InvalidData) where the XML is damaged or a tag or text has more than 1 MiB, and
/// [`UnexpectedEof`](ErrorKind::UnexpectedEof) if the XML ends before its elements do. All links before that are reported.
pub fn feed_links(
    mut feed: impl BufRead,
    charset: Option<&'static Encoding>,
    mut each: impl FnMut(FeedLink<'_>) -> bool,
) -> io::Result<bool> {
    let encoding = xml_encoding(feed.fill_buf()?, charset);
    let mut reader = Reader::from_reader(Limited::new(feed, encoding));
    let config = reader.config_mut();
    (config.check_end_names, config.allow_unmatched_ends, config.allow_dangling_amp) = (false, true, true);
    let mut state = State::default();
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        buffer.shrink_to(64 << 10);
        reader.get_mut().left = MOST;
        let at = reader.buffer_position();
        let event = match reader.read_event_into(&mut buffer) {
            Ok(event) => event,
            Err(quick_xml::Error::Io(error)) if error.kind() != ErrorKind::InvalidData => {
                return Err(io::Error::new(error.kind(), error.to_string()));
            }
            Err(error) => {
                let is_syntax = matches!(error, quick_xml::Error::Syntax(_));
                let why = match error {
                    quick_xml::Error::Io(error) => error.to_string(),
                    error => error.to_string(),
                };
                let is_cut = is_syntax && reader.get_ref().is_read();
                let kind = if is_cut { ErrorKind::UnexpectedEof } else { ErrorKind::InvalidData };
                return Err(io::Error::new(kind, format!("byte {at} of its XML: {why}")));
            }
        };
        match event {
            Event::Start(tag) | Event::Empty(tag)
                if state.root.is_none() && !ROOTS.contains(&local(&name_of(&tag))) =>
            {
                return Ok(false);
            }
            Event::Start(tag) => {
                // Its own `xml:base` counts for its attributes, too.
                state.open(&tag);
                if !state.start(&tag, &mut each) {
                    return Ok(true);
                }
            }
            Event::Empty(tag) => {
                state.open(&tag);
                let wants_more = state.start(&tag, &mut each);
                state.close();
                if !wants_more {
                    return Ok(true);
                }
            }
            Event::End(tag) => {
                if !state.end(&mut each) {
                    return Ok(true);
                }
                state.is_root_closed = state.root.as_ref().is_some_and(|root| root.as_bytes() == tag.name().as_ref());
            }
            Event::Text(text) => state.add(&String::from_utf8_lossy(&text)),
            Event::CData(text) => state.add(&String::from_utf8_lossy(&text)),
            Event::GeneralRef(name) => {
                let reference = format!("&{};", String::from_utf8_lossy(&name));
                state.add(&unescaped(&reference));
            }
            // Elements that are never closed are no cut, if the root is closed after them.
            Event::Eof if state.depth > 0 && !state.is_root_closed => {
                return Err(io::Error::new(ErrorKind::UnexpectedEof, "its XML ends within its elements"));
            }
            Event::Eof => return Ok(state.root.is_some()),
            _ => {}
        }
    }
}

/// The place in a feed.
#[derive(Default)]
struct State {
    /// The number of elements around the place.
    depth: u64,
    /// The name of the element around all others; `None` until it is opened.
    root: Option<String>,
    /// True if the last tag was the end tag of the root.
    is_root_closed: bool,
    /// The values of `xml:base` around it, and the depths of their elements.
    bases: Vec<String>,
    base_depths: Vec<u64>,
    /// The name of the element whose text holds a link, and the kind of the link.
    holder: Option<(String, Kind)>,
    text: String,
}

impl State {
    /// Opens an element.
    fn open(&mut self, tag: &BytesStart<'_>) {
        self.depth += 1;
        self.is_root_closed = false;
        let bases_len: usize = self.bases.iter().map(String::len).sum();
        let counts = |base: &String| self.bases.len() < BASES && bases_len + base.len() <= BASES_LEN;
        if let Some(base) = attribute(tag, "xml:base").filter(counts) {
            self.bases.push(base);
            self.base_depths.push(self.depth);
        }
        let name = name_of(tag);
        if self.root.is_none() {
            self.root = Some(name.clone());
        }
        self.holder = text_kind(&name, local(&name)).map(|kind| (name, kind));
        self.text.clear();
    }

    /// Reports the links in the attributes of a tag. Returns false if no more are needed.
    fn start(&mut self, tag: &BytesStart<'_>, each: &mut impl FnMut(FeedLink<'_>) -> bool) -> bool {
        let element = name_of(tag);
        let rel = attribute(tag, "rel").unwrap_or_default();
        tag.attributes().with_checks(false).flatten().all(|found| {
            let name = String::from_utf8_lossy(found.key.as_ref());
            let Some(kind) = attribute_kind(local(&element), local(&name), &rel) else { return true };
            let reference = unescaped(&String::from_utf8_lossy(&found.value)).into_owned();
            let link =
                FoundLink { element: &element, attribute: &name, kind, rel: &rel, reference: reference.trim_ascii() };
            each(FeedLink { link, bases: &self.bases })
        })
    }

    /// Adds text.
    fn add(&mut self, text: &str) {
        // Many short pieces could make a long text.
        if self.holder.is_some() && self.text.len() + text.len() <= MOST {
            self.text.push_str(text);
        }
    }

    /// Ends an element. Reports the link in its text. Returns false if no more are needed.
    fn end(&mut self, each: &mut impl FnMut(FeedLink<'_>) -> bool) -> bool {
        let reference = self.text.trim_ascii();
        let wants_more = match self.holder.take() {
            Some((element, kind)) if !reference.is_empty() && (element != "guid" || reference.contains("://")) => {
                let link = FoundLink { element: &element, attribute: "text", kind, rel: "", reference };
                each(FeedLink { link, bases: &self.bases })
            }
            _ => true,
        };
        self.close();
        wants_more
    }

    /// Closes an element.
    fn close(&mut self) {
        self.holder = None;
        if self.base_depths.last() == Some(&self.depth) {
            self.base_depths.pop();
            self.bases.pop();
        }
        self.depth = self.depth.saturating_sub(1);
    }
}

fn name_of(tag: &BytesStart<'_>) -> String {
    String::from_utf8_lossy(tag.name().as_ref()).into_owned()
}

/// Returns a name without its prefix.
fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Returns the value of an attribute.
fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().with_checks(false).flatten().find(|found| found.key.as_ref() == name.as_bytes())?;
    Some(unescaped(&String::from_utf8_lossy(&found.value)).into_owned())
}

/// Replaces the references to characters and to the five entities of XML. Others stay as they are.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        // The longest reference to a character has 10 bytes.
        let end = rest.bytes().take(12).position(|byte| byte == b';').map_or(1, |end| end + 1);
        match unescape_with(&rest[..end], resolve_predefined_entity) {
            Ok(plain) if end > 1 => out.push_str(&plain),
            _ => out.push_str(&rest[..end]),
        }
        rest = &rest[end..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(xml: &[u8]) -> (String, Result<bool, String>) {
        let mut found = Vec::new();
        let done = feed_links(xml, None, |FeedLink { link, bases }| {
            let bases: String = bases.iter().map(|base| format!("({base})")).collect();
            found.push(format!("{} {} {bases}{}", link.element, link.kind, link.reference));
            true
        });
        (found.join(", "), done.map_err(|error| error.to_string()))
    }

    const CUT: &str = "its XML ends within its elements";

    #[test]
    fn end_tags_are_not_trusted() {
        let extra = "<urlset><url><loc>a</loc></url></url><url><loc>b</loc></url></urlset>";
        assert_eq!(links(extra.as_bytes()), ("loc hyperlink a, loc hyperlink b".to_owned(), Ok(true)));
        let missing = "<rss><description>a<br>b</description><link>c</link></rss>\n";
        assert_eq!(links(missing.as_bytes()), ("link hyperlink c".to_owned(), Ok(true)));
        for cut in ["<urlset><url><loc>a</loc></url><url><loc>b", "<urlset><url><loc>a</loc></url>"] {
            assert_eq!(links(cut.as_bytes()), ("loc hyperlink a".to_owned(), Err(CUT.to_owned())), "{cut}");
        }
        for cut in ["<rss><link>a</link>", "<rss><li", "<rss><!-- ", "<rss><link>"] {
            let error = feed_links(cut.as_bytes(), None, |_| true).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{cut}: {error}");
        }
    }

    #[test]
    fn comments_and_doctypes_before_the_root_are_skipped() {
        for (start, expected) in [
            ("<!-- gen --><urlset>", true),
            ("<?xml version='1.0'?>\n<!-- <html> -->\n<!-- --><feed>", true),
            ("<!DOCTYPE urlset><urlset>", true),
            ("<!DOCTYPE rdf:RDF[", true),
            ("<!doctype html><rss>", false),
            ("<!DOCTYPE svg PUBLIC '' [<!ENTITY r '<rss>'>]><svg>", false),
            ("<!-- gen --><p>", false),
            ("<!DOCTYPE", false),
            ("<!", false),
        ] {
            assert_eq!(is_feed(start.as_bytes()), expected, "{start}");
        }
    }

    #[test]
    fn sitemaps_and_feeds_have_links() {
        for (xml, expected) in [
            ("<urlset><url><loc> h:/a?b&amp;c&#x41; </loc></url></urlset>", "loc hyperlink h:/a?b&cA"),
            (
                "<s:urlset><image:loc>x</image:loc><xhtml:link rel='alternate' href='y'/></s:urlset>",
                "image:loc resource x, xhtml:link hyperlink y",
            ),
            (
                "<?xml version='1.0'?><!-- x --><sitemapindex><sitemap><loc><![CDATA[a&b]]></loc></sitemap></sitemapindex>",
                "loc hyperlink a&b",
            ),
            (
                "<rss><channel><link>a</link><item><guid>1</guid><guid>h://x</guid><enclosure url=b /></item></channel></rss>",
                "link hyperlink a, guid hyperlink h://x",
            ),
            (
                "<rss><enclosure url='b'/><media:content url=\"c\"></media:content><atom:link href='d' rel='hub'/></rss>",
                "enclosure resource b, media:content resource c, atom:link hyperlink d",
            ),
            (
                "<feed xml:base='x/'><link href='a'/><entry xml:base='y/'><link href='b' rel='icon'/></entry><link href='c'/></feed>",
                "link hyperlink (x/)a, link resource (x/)(y/)b, link hyperlink (x/)c",
            ),
            (
                "<feed xml:base='x/'><content xml:base='y/' src='a'></content><content xml:base='z/' src='b'/></feed>",
                "content resource (x/)(y/)a, content resource (x/)(z/)b",
            ),
            ("<urlset><loc>\n\u{3000}a\u{a0} </loc></urlset>", "loc hyperlink \u{3000}a\u{a0}"),
            ("<rdf:RDF><rdf:li rdf:resource='a'/></rdf:RDF>", "rdf:li hyperlink a"),
        ] {
            assert!(is_feed(xml.as_bytes()), "{xml}");
            assert_eq!(links(xml.as_bytes()), (expected.to_owned(), Ok(true)), "{xml}");
            let utf_16: Vec<u8> = [0xfeff].into_iter().chain(xml.encode_utf16()).flat_map(u16::to_le_bytes).collect();
            assert!(is_feed(&utf_16), "{xml}");
            assert_eq!(links(&utf_16), (expected.to_owned(), Ok(true)), "{xml}");
        }
        for other in ["<html><a href=x>", "<svg><link href=x/></svg>", "", "text", "<?xml?>", "<!-- x"] {
            assert!(!is_feed(other.as_bytes()), "{other}");
            assert!(!matches!(links(other.as_bytes()), (_, Ok(true))), "{other}");
        }
        let latin = b"<?xml version='1.0' encoding='iso-8859-1'?><rss><link>\xe9</link></rss>";
        assert_eq!(links(latin).0, "link hyperlink \u{e9}");
    }

    #[test]
    fn hostile_xml_is_harmless() {
        // Entities that grow, or are outside, are not replaced.
        let laughs = "<!DOCTYPE rss [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'><!ENTITY c SYSTEM 'file:///etc/passwd'>]>\
            <rss><link>x&b;&c;</link><enclosure url='&b;'/></rss>";
        assert!(is_feed(laughs.as_bytes()));
        assert_eq!(links(laughs.as_bytes()), ("link hyperlink x&b;&c;, enclosure resource &b;".to_owned(), Ok(true)));
        let long = format!("<rss><link>a</link><link>{}</link>", "x".repeat(2 << 20));
        let why = "byte 25 of its XML: a tag or text has more than 1 MiB";
        assert_eq!(links(long.as_bytes()), ("link hyperlink a".to_owned(), Err(why.to_owned())));
        let deep = "<rss xml:base='x'>".repeat(100_000);
        assert_eq!(links(deep.as_bytes()).1, Err(CUT.to_owned()));
        // Cut anywhere, links before the cut are found.
        let whole = "<rss><link>a</link><enclosure url='b'/><!-- x --><![CDATA[y]]><?z?></rss>";
        for cut in 0..whole.len() {
            let (found, _) = links(&whole.as_bytes()[..cut]);
            assert!("link hyperlink a, enclosure resource b".starts_with(&found), "{cut}");
            assert_eq!(found.is_empty(), cut < 19, "{cut} {found}");
        }
    }
}
