//! The links of XML: sitemaps, RSS and Atom.

use std::io::{self, Cursor, ErrorKind, Read};

use encoding_rs::{Encoding, UTF_8};
use quick_xml::Reader;
use quick_xml::events::Event;

use super::attributes::to_text;
use super::feed_state::{FeedLink, FeedPart, FeedState, PartKind};
use super::limited::Limited;
use super::recognize::{is_root_element, needs_absolute};
use super::source::{Form, Source};
use crate::html::xml_charset;

/// The length of the longest event that is read, in bytes of UTF-8. A longer one, such as a tag or a text, is skipped.
const MAX_EVENT_LEN: usize = 1 << 20;
const TOO_LONG: &str = "a tag or text has more than 1 MiB";
/// The old XML reader keeps the name of each element without an end tag, so its memory would grow with the feed: a new one replaces
/// it after so many elements, closed and empty ones included.
const ELEMENTS_PER_READER: u32 = 1 << 16;
/// The number of first bytes that are enough to detect the character encoding.
pub(crate) const START_LEN: u64 = 100;

/// Reports the links of a sitemap or feed to `each`, until it returns false. Its character encoding is the first known of: a byte
/// order mark, `charset`, the form of its first bytes, its XML declaration.
///
/// # Errors
/// Errors of the stream. [`UnexpectedEof`](ErrorKind::UnexpectedEof), after all links before, if the XML ends before its elements
/// do. [`InvalidData`](ErrorKind::InvalidData), after all other links, if some links were lost to damage or because a tag or text
/// has more than 1 MiB, also if the XML then ends too early; and, without any links, if the XML is neither a sitemap nor a feed.
pub fn each_feed_link(
    feed: impl Read,
    charset: Option<&'static Encoding>,
    mut each: impl FnMut(FeedLink<'_>) -> bool,
) -> io::Result<()> {
    each_feed_part(feed, charset, |part| match part.kind {
        PartKind::Link(link) => each(link),
        _ => true,
    })
}

/// Like [`each_feed_link`], with the HTML of the feed.
pub(crate) fn each_feed_part(
    feed: impl Read,
    charset: Option<&'static Encoding>,
    mut each: impl FnMut(FeedPart<'_>) -> bool,
) -> io::Result<()> {
    let mut feed = FeedReader::new(feed, charset)?;
    while feed.read_event(&mut each)? {}
    Ok(())
}

/// `start` must have at least the first 100 bytes, or all.
#[cfg(feature = "page")]
pub(crate) fn feed_charset(start: &[u8], charset: Option<&'static Encoding>) -> &'static Encoding {
    xml_charset(&start[..start.len().min(START_LEN as usize)], charset).0
}

pub struct FeedReader<R> {
    /// `None` after an error.
    reader: Option<XmlReader<R>>,
    state: FeedState,
    problems: XmlProblems,
    has_root: bool,
    /// The bytes before the root.
    junk: Junk,
    /// The root [needs](needs_absolute) absolute URIs.
    pub(crate) is_absolute: bool,
    /// The number of elements that this `reader` has read.
    elements: u32,
    buffer: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Junk {
    None,
    Text,
    Elements,
}

type XmlReader<R> = Reader<Limited<io::Chain<Cursor<Vec<u8>>, R>>>;

impl<R: Read> FeedReader<R> {
    /// Reads the start of the feed.
    pub(crate) fn new(mut feed: R, charset: Option<&'static Encoding>) -> io::Result<Self> {
        let mut start = Vec::new();
        feed.by_ref().take(START_LEN).read_to_end(&mut start)?;
        if start.starts_with(b"\x1F\x8B") {
            let why = "it is compressed with gzip, which this does not read: decompress it, or use `page::Page`";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        let (charset, bom_len) = xml_charset(&start, charset);
        start.drain(..bom_len);
        Ok(FeedReader {
            reader: Some(xml_reader(Limited::new(Cursor::new(start).chain(feed), charset, bom_len))),
            state: FeedState::default(),
            problems: XmlProblems { first: None, more: 0, is_utf_8: charset == UTF_8 },
            has_root: false,
            is_absolute: false,
            junk: Junk::None,
            elements: 0,
            buffer: Vec::new(),
        })
    }

    /// Parts then have places.
    pub(crate) fn keep_places(&mut self) {
        self.state.source = Some(Source::default());
    }

    /// Entries of sitemaps then are parts, too.
    pub(super) fn keep_entries(&mut self) {
        self.state.has_entries = true;
    }

    /// The length of the feed, in bytes of UTF-8, after which places may still be found. The places of a text are forgotten after
    /// `most` bytes.
    pub(crate) fn read_len(&mut self, most: u64) -> u64 {
        let at = self.reader.as_ref().map_or(u64::MAX, |reader| reader.get_ref().position);
        match self.state.kept_from() {
            Some(start) if at - start <= most => start,
            _ => {
                self.state.forget_places();
                at
            }
        }
    }

    /// Returns false at the end, and if `each` needs no more links.
    #[inline(always)]
    pub(crate) fn read_event(&mut self, each: &mut impl FnMut(FeedPart<'_>) -> bool) -> io::Result<bool> {
        let FeedReader { reader: xml, state, problems, has_root, is_absolute, junk, elements, buffer } = self;
        let Some(reader) = xml else { return Ok(false) };
        buffer.clear();
        buffer.shrink_to(64 << 10);
        let at = reader.get_ref().position;
        reader.get_mut().left = MAX_EVENT_LEN;
        let event = match reader.read_event_into(buffer) {
            Ok(event) => event,
            Err(error) => {
                let Some(mut input) = xml.take().map(Reader::into_inner) else { return Ok(false) };
                match why_lost(error, &mut input, buffer, state)? {
                    Some(why) if input.is_done => {
                        let message = problems.message(at, &why);
                        return Err(problems.end_error(&message));
                    }
                    Some(why) => problems.add(at, &why),
                    None => {}
                }
                // After most errors, the XML reader reads no more.
                *xml = Some(xml_reader(input));
                return Ok(true);
            }
        };
        let is_self_closing = matches!(event, Event::Empty(_));
        let end = reader.get_ref().position;
        // Of what has this length, and these bytes after it.
        let place = |len: usize, after: u64| end - after - len as u64..end - after;
        let (mut is_kept, mut wants_more) = (true, true);
        match event {
            Event::Start(tag) | Event::Empty(tag) if !*has_root && !is_root_element(&to_text(tag.name().as_ref())) => {
                *junk = Junk::Elements;
            }
            Event::Text(text) if !*has_root && *junk == Junk::None && !text.trim_ascii().is_empty() => {
                *junk = Junk::Text
            }
            Event::Start(tag) | Event::Empty(tag) => {
                if !*has_root && *junk != Junk::None {
                    problems.add(0, "other text is before it");
                }
                if !*has_root {
                    *is_absolute = needs_absolute(&to_text(tag.name().as_ref()));
                }
                (*has_root, *elements) = (true, *elements + 1);
                let start = place(tag.len(), if is_self_closing { 2 } else { 1 }).start;
                (wants_more, is_kept) = state.open(&tag, start, is_self_closing, each);
            }
            Event::End(tag) => (wants_more, is_kept) = state.close(&to_text(tag.name().as_ref()), each),
            Event::DocType(doctype) if !*has_root => state.entities.declare(&doctype),
            Event::PI(pi) if !*has_root => wants_more = state.report_instruction(&pi, place(pi.len(), 2).start, each),
            Event::Text(text) => is_kept = state.add_text(&to_text(&text), place(text.len(), 0), Form::Text),
            Event::CData(text) => is_kept = state.add_text(&to_text(&text), place(text.len(), 3), Form::Cdata),
            Event::GeneralRef(name) => {
                let reference = format!("&{};", to_text(&name));
                is_kept = state.add_reference(&reference, place(reference.len(), 0));
            }
            Event::Eof if !*has_root && *junk == Junk::Elements => {
                let why = "the root element of its XML is not that of a sitemap or feed";
                return Err(io::Error::new(ErrorKind::InvalidData, why));
            }
            Event::Eof if *has_root && state.is_outside_elements() => return problems.end().map(|()| false),
            Event::Eof => return Err(problems.end_error("its XML ends within its elements")),
            _ => {}
        }
        if !wants_more {
            return Ok(false);
        }
        if !is_kept {
            problems.add(at, TOO_LONG);
        }
        if *elements == ELEMENTS_PER_READER {
            *xml = xml.take().map(|reader| xml_reader(reader.into_inner()));
            *elements = 0;
        }
        Ok(true)
    }
}

/// Accepts end tags that match no start tag, and a `&` that starts no reference.
fn xml_reader<R: Read>(input: Limited<R>) -> Reader<Limited<R>> {
    let mut reader = Reader::from_reader(input);
    let config = reader.config_mut();
    (config.check_end_names, config.allow_unmatched_ends, config.allow_dangling_amp) = (false, true, true);
    reader
}

/// Returns the reason why links may be lost; `None` if none is. Skips the rest of an event that is too long.
fn why_lost<R: Read>(
    error: quick_xml::Error,
    input: &mut Limited<R>,
    read: &[u8],
    state: &mut FeedState,
) -> io::Result<Option<String>> {
    if input.is_event_too_long() {
        input.skip_event(read)?;
        let is_lost = match read {
            [b'<', b'?', ..] | [b'<', b'!', b'-', ..] => false,
            [b'<', b'!', b'[', ..] => state.lose_text(),
            [b'<', ..] => true,
            _ => state.lose_text(),
        };
        return Ok(is_lost.then(|| TOO_LONG.to_owned()));
    }
    match error {
        quick_xml::Error::Io(error) => Err(io::Error::new(error.kind(), error.to_string())),
        error => Ok(Some(error.to_string())),
    }
}

/// The problems of a feed: the first one is kept, and the others are counted.
struct XmlProblems {
    first: Option<String>,
    more: u64,
    /// If false, positions count the bytes of the UTF-8 form, and the message says so.
    is_utf_8: bool,
}

impl XmlProblems {
    /// The position `at` counts bytes of UTF-8.
    fn message(&self, at: u64, why: &str) -> String {
        let form = if self.is_utf_8 { "" } else { " as UTF-8" };
        format!("byte {at} of its XML{form}: {why}")
    }

    fn add(&mut self, at: u64, why: &str) {
        match self.first {
            Some(_) => self.more += 1,
            None => self.first = Some(self.message(at, why)),
        }
    }

    fn end_error(&mut self, why: &str) -> io::Error {
        if self.first.is_none() {
            return io::Error::new(ErrorKind::UnexpectedEof, why);
        }
        self.more += 1;
        self.end().unwrap_err()
    }

    fn end(&mut self) -> io::Result<()> {
        let Some(first) = self.first.take() else { return Ok(()) };
        let why = if self.more > 0 { format!("{first}, and {} more", self.more) } else { first };
        Err(io::Error::new(ErrorKind::InvalidData, why))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feeds::is_feed;

    fn links(xml: &[u8]) -> (String, Result<(), String>) {
        let mut found = Vec::new();
        let done = each_feed_link(xml, None, |FeedLink { link, bases }| {
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
        assert_eq!(links(extra.as_bytes()), ("loc hyperlink a, loc hyperlink b".to_owned(), Ok(())));
        let missing = "<rss><description>a<br>b</description><link>c</link></rss>\n";
        assert_eq!(links(missing.as_bytes()), ("link hyperlink c".to_owned(), Ok(())));
        for cut in ["<urlset><url><loc>a</loc></url><url><loc>b", "<urlset><url><loc>a</loc></url>"] {
            assert_eq!(links(cut.as_bytes()), ("loc hyperlink a".to_owned(), Err(CUT.to_owned())), "{cut}");
        }
        for cut in ["<rss><link>a</link>", "<rss><li", "<rss><!-- ", "<rss><link>"] {
            let error = each_feed_link(cut.as_bytes(), None, |_| true).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "{cut}: {error}");
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
                "link hyperlink a, guid hyperlink h://x, enclosure resource b",
            ),
            ("<rss><link>a<b/>c</link></rss>", "link hyperlink ac"),
            (
                "<rss><item><guid>123 at http://h/</guid><guid isPermaLink=' FALSE '>h://y</guid><slash:comments>5</slash:comments>\
                 <podcast:license url='/l'>cc-by</podcast:license><creativeCommons:license>http://l/</creativeCommons:license></item></rss>",
                "podcast:license hyperlink /l, creativeCommons:license hyperlink http://l/",
            ),
            (
                "<rss><psc:chapter href='a' image='b'/><podcast:person img='c' href='d'>x</podcast:person><podcast:source uri='e'/></rss>",
                "psc:chapter hyperlink a, psc:chapter resource b, podcast:person resource c, podcast:person hyperlink d, podcast:source resource e",
            ),
            ("<ncx><navMap><navPoint><content src='a#b'/></navPoint></navMap></ncx>", "content resource a#b"),
            ("<rss><link>a<b>x<c>y</c></b>&amp;<!-- z -->c</link>d</rss>", "link hyperlink a&c"),
            (
                "<rss><url>\n<loc>a<lastmod>1</lastmod>\n</url><loc>b<loc>c</rss>",
                "loc hyperlink a, loc hyperlink b, loc hyperlink c",
            ),
            (
                "<feed><link rel=alternate href=b><entry xml:base='x/'><link rel=icon href=c><link href=d></entry><link href=e/></feed>",
                "link hyperlink b, link resource (x/)c, link hyperlink (x/)d, link hyperlink e",
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
            // The end tag of the inner element is missing.
            ("<rss><link>a<b xml:base='q/'>x</link></rss>", "link hyperlink a"),
            ("<rss><link>a<b xml:base='q/'>x<link>b</link></b></rss>", "link hyperlink a, link hyperlink (q/)b"),
            ("<urlset><loc>\n\u{3000}a\u{a0} </loc></urlset>", "loc hyperlink \u{3000}a\u{a0}"),
            (
                "<!DOCTYPE feed [<!ENTITY a 'x/\"'><!ENTITY b '/&a;?c&#38;amp;d'>]><feed xml:base='&a;'><link href='&b;&c;'/><icon>y&a;</icon></feed>",
                "link hyperlink (x/\")/x/\"?c&d&c;, icon resource (x/\")yx/\"",
            ),
            (
                "<rss><podcast:images srcset='a 1x, b,c 2x'/><podcast:socialInteract uri='d' accountUrl='e'/><wfw:comment>f</wfw:comment>\
                 <comment>no</comment><trackback:ping rdf:resource='g'>h</trackback:ping><media:backLink>i</media:backLink>\
                 <media:embed url='j'/><itunes:image>k</itunes:image><image>no</image></rss>",
                "podcast:images resource a, podcast:images resource b,c, podcast:socialInteract hyperlink d, \
                 podcast:socialInteract hyperlink e, wfw:comment hyperlink f, trackback:ping hyperlink g, trackback:ping hyperlink h, \
                 media:backLink hyperlink i, media:embed resource j, itunes:image resource k",
            ),
            (
                "<urlset><rs:ln rel='up' href='a'/><url><video:uploader info='b'>c</video:uploader><video:gallery_loc>d</video:gallery_loc></url></urlset>",
                "rs:ln hyperlink a, video:uploader hyperlink b, video:gallery_loc hyperlink d",
            ),
            ("<rdf:RDF><rdf:li rdf:resource='a'/></rdf:RDF>", "rdf:li hyperlink a"),
            (
                "<?xml-stylesheet type='text/xsl' href='a.xsl?b&amp;c'?><urlset><?xml-stylesheet href='d'?><loc>e</loc></urlset>",
                "xml-stylesheet resource a.xsl?b&c, loc hyperlink e",
            ),
        ] {
            assert!(is_feed(xml.as_bytes()), "{xml}");
            assert_eq!(links(xml.as_bytes()), (expected.to_owned(), Ok(())), "{xml}");
            for bom in [Some(0xfeff), None] {
                for order in [u16::to_le_bytes, u16::to_be_bytes] {
                    let utf_16: Vec<u8> = bom.into_iter().chain(xml.encode_utf16()).flat_map(order).collect();
                    assert!(is_feed(&utf_16), "{xml}");
                    assert_eq!(links(&utf_16), (expected.to_owned(), Ok(())), "{xml}");
                }
            }
        }
        let package = b"<package><guide><reference type='toc' href='a#b'/></guide></package>";
        assert!(!is_feed(package));
        assert_eq!(links(package), ("reference hyperlink a#b".to_owned(), Ok(())));
        for (other, kind) in [
            ("<html><a href=x>", ErrorKind::InvalidData),
            ("<svg><link href=x/></svg>", ErrorKind::InvalidData),
            ("", ErrorKind::UnexpectedEof),
            ("text", ErrorKind::UnexpectedEof),
            ("<?xml?>", ErrorKind::UnexpectedEof),
            ("<!-- x", ErrorKind::UnexpectedEof),
        ] {
            assert!(!is_feed(other.as_bytes()), "{other}");
            let error = each_feed_link(other.as_bytes(), None, |_| panic!("{other}")).unwrap_err();
            assert_eq!(error.kind(), kind, "{other}: {error}");
        }
        let latin = b"<?xml version='1.0' encoding='iso-8859-1'?><rss><link>\xe9</link></rss>";
        assert_eq!(links(latin).0, "link hyperlink \u{e9}");
    }

    #[test]
    fn text_before_the_xml_is_a_problem() {
        for junk in [
            "Warning: x in y\n",
            "<br />\n<b>Notice</b>: Undefined in <b>f.php</b><br />\n",
            "x <!-- y -->",
            "\u{feff}x",
        ] {
            for start in ["<?xml version='1.0'?>\n", "", "<!-- z -->"] {
                let feed = format!("{junk}{start}<rss><link>a</link></rss>");
                assert!(is_feed(&feed), "{feed}");
                let why = "byte 0 of its XML: other text is before it";
                assert_eq!(links(feed.as_bytes()), ("link hyperlink a".to_owned(), Err(why.to_owned())), "{feed}");
            }
        }
        assert!(is_feed(" \r\n\t<?xml version='1.0'?><rss>"));
        for page in ["<html><?xml version='1.0'?><rss>", "x <p>y <div><rss>", "x<?xml version='1.0'?><svg>", "x <rs>"] {
            assert!(!is_feed(page), "{page}");
        }
    }

    /// Positions in a feed in UTF-16 count its bytes as UTF-8, and the message says so, wherever the damage is.
    #[test]
    fn positions_count_bytes_of_utf_8() {
        for xml in ["<rss><!x><link>a</link></rss>", "<rss><!--"] {
            let (_, done) = links(xml.as_bytes());
            let utf_16: Vec<u8> = xml.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let expected = done.unwrap_err().replace("byte 5 of its XML:", "byte 5 of its XML as UTF-8:");
            assert!(expected.contains("UTF-8"), "{expected}");
            assert_eq!(links(&utf_16).1, Err(expected));
        }
    }

    #[test]
    fn what_is_too_long_loses_only_itself() {
        let long = "x'>".repeat(MAX_EVENT_LEN / 2);
        let text = "<a x='y'>".repeat(MAX_EVENT_LEN / 8);
        for (middle, is_lost) in [
            (format!("<link>{}</link>", long.replace('\'', "")), true),
            (format!("<link>x<![CDATA[{text}]]></link>"), true),
            (format!("<link>{}</link>", "<![CDATA[x]]>".repeat(MAX_EVENT_LEN + 1)), true),
            (format!("<enclosure url=\"{long}\"/>"), true),
            (format!("<enclosure url=\"{long}\"></enclosure>"), true),
            (format!("<description>{}</description>", "x&amp;".repeat(MAX_EVENT_LEN)), true),
            (format!("<description><![CDATA[{text}]]></description>"), true),
            (format!("<content type='xhtml'>{}</content>", "<b>&amp;</b>".repeat(MAX_EVENT_LEN / 8)), true),
            (format!("<other>{}</other>", "x&amp;".repeat(MAX_EVENT_LEN)), false),
            (format!("<other><![CDATA[{text}]]></other>"), false),
            (format!("<!-- {text} -->"), false),
            (format!("<?x {text} ?>"), false),
            (text.replace('a', "b"), false),
        ] {
            let feed = format!("<rss><link>a</link>{middle}<link>b</link></rss>");
            let (found, done) = links(feed.as_bytes());
            assert_eq!(found, "link hyperlink a, link hyperlink b", "{}", &middle[..20]);
            match done {
                Err(why) => assert!(
                    is_lost && why.starts_with("byte ") && why.ends_with(": a tag or text has more than 1 MiB"),
                    "{why}"
                ),
                Ok(()) => assert!(!is_lost, "{}", &middle[..20]),
            }
        }
        let two = format!("<rss><link>{long}</link><enclosure url=\"{long}\"/><!x><link>b</link>");
        let why = "byte 11 of its XML: a tag or text has more than 1 MiB, and 3 more";
        assert_eq!(links(two.as_bytes()), ("link hyperlink b".to_owned(), Err(why.to_owned())));
    }

    #[test]
    fn compressed_feeds_say_so() {
        let (found, done) = links(b"\x1F\x8B\x08<rss><link>a</link></rss>");
        assert!(found.is_empty() && done.unwrap_err().starts_with("it is compressed with gzip"));
    }

    #[test]
    fn hostile_xml_is_harmless() {
        // Entities that are outside are not replaced.
        let laughs = "<!DOCTYPE rss [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'><!ENTITY c SYSTEM 'file:///etc/passwd'>]>\
            <rss><link>x&b;&c;</link><enclosure url='&b;'/></rss>";
        assert!(is_feed(laughs.as_bytes()));
        assert_eq!(links(laughs.as_bytes()), ("link hyperlink xhaha&c;, enclosure resource haha".to_owned(), Ok(())));
        // Beside other entities, those that follow each other are harmless.
        let laughs = format!("<rss><link>{}</link><link>b</link></rss>", "&lol;".repeat(1 << 20));
        assert_eq!(links(laughs.as_bytes()).0, "link hyperlink b");
        let deep = "<rss xml:base='x'>".repeat(100_000);
        assert_eq!(links(deep.as_bytes()).1, Err(CUT.to_owned()));
        let deep = format!("<rss><link>a</link>{}", "<a>".repeat(1 << 20));
        assert_eq!(links(deep.as_bytes()), ("link hyperlink a".to_owned(), Err(CUT.to_owned())));
        // Cut anywhere, links before the cut are found.
        let whole = "<rss><link>a</link><enclosure url='b'/><!-- x --><![CDATA[y]]><?z?></rss>";
        for cut in 0..whole.len() {
            let (found, _) = links(&whole.as_bytes()[..cut]);
            assert!("link hyperlink a, enclosure resource b".starts_with(&found), "{cut}");
            assert_eq!(found.is_empty(), cut < 19, "{cut} {found}");
        }
    }
}
