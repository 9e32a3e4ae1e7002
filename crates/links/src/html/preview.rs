//! The preview of a page: the facts that its tags state about all of it, which must be known before links are reported.
//! These are the first `base`, the character encoding, that robots follow no link, and the title.

use std::io::{self, Read};
use std::sync::LazyLock;

use encoding_rs::{Encoding, UTF_8};
use memchr::memmem;

use super::anchor::{FoldedText, fold_white_space};
use super::charset::detected::guessed;
use super::charset::meta::{Meta, SearchResult, Starts, search};
use super::options::Options;
use super::tokens::attribute::{Attribute, AttributeSet};
use super::tokens::character_references::TextKind;
use super::tokens::context::Context;
use super::tokens::element::Element;
use super::tokens::scanner::{After, Scanner};
use super::tokens::tag::Tag;
use super::tokens::token_sink::{Needed, TokenSink};
use super::values::clean::{charset_of_text, decode};
use crate::utf8_reader::read_some;

/// The facts about a page that are found, and those that are still sought. If several tags state the same fact, the first counts.
pub(super) struct Preview {
    /// Final unless `other_charset` is set.
    pub(super) charset: &'static Encoding,
    /// The length, in bytes, of the byte order mark; 0 without one.
    pub(super) bom_len: usize,
    /// Not yet found, and needed by the caller. None once `other_charset` is set.
    sought: Facts,
    /// The `href` of the first `base` that counts and has one, as written; it may be empty.
    pub(super) base: Option<Vec<u8>>,
    /// Declared by the first `meta` that declares any, if the page must be read again with it.
    pub(super) other_charset: Option<&'static Encoding>,
    /// A fact was found.
    pub(super) has_changed: bool,
    pub(super) nofollow: bool,
    /// The title as written, but with white space folded.
    title: FoldedText,
    /// The text of the title goes on.
    pub(super) is_in_title: bool,
    head: Head,
}

/// Where the scan is, if it stops at the end of the head.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    NotSought,
    /// In the head, or before it, within so many elements that may have any content.
    Inside(usize),
    /// The last tag is the end of the head.
    Left,
}

/// A sum of some of [`BASE`], [`CHARSET`], [`ROBOTS`] and [`TITLE`].
pub(super) type Facts = u8;
pub(super) const BASE: Facts = 1;
pub(super) const CHARSET: Facts = 2;
/// Robots shall follow no link of the page. A `meta` that permits it states no fact.
pub(super) const ROBOTS: Facts = 4;
pub(super) const TITLE: Facts = 8;
const IN_META: Facts = CHARSET | ROBOTS;

/// Returns the facts that the links of a page need.
pub(super) fn sought(options: &Options) -> Facts {
    let robots = if options.robots { ROBOTS } else { 0 };
    BASE | CHARSET | robots | if options.title { TITLE } else { 0 }
}

/// The length, in bytes, to which a longer title is shortened.
const MAX_TITLE_LEN: usize = 1 << 10;
/// The greatest length, in bytes, of what is kept of a title as written, whose character references are longer than what they
/// stand for.
const MAX_RAW_TITLE_LEN: usize = 8 * MAX_TITLE_LEN;
/// Tags that may be in two chunks are found if the second starts with the last bytes of the first, as many as this.
const CUT_LEN: usize = "<title".len() - 1;

impl Preview {
    pub(super) fn new(charset: &'static Encoding, bom_len: usize, sought: Facts) -> Self {
        Preview {
            charset,
            bom_len,
            sought,
            base: None,
            other_charset: None,
            has_changed: false,
            nofollow: false,
            title: FoldedText::default(),
            is_in_title: false,
            head: Head::NotSought,
        }
    }

    pub(super) fn seeks_any(&self) -> bool {
        self.sought != 0
    }

    /// The facts that were not found are not in the page.
    pub(super) fn end(&mut self) {
        self.sought = 0;
    }

    /// Lets the next scan stop after the tag that ends the head: `</head>`, or the first start tag that no head has (HTML §13.2.6.4.4).
    pub(super) fn stop_after_head(&mut self) {
        self.head = Head::Inside(0);
    }

    /// Reports, once, whether the last scan stopped for that.
    pub(super) fn has_left_head(&mut self) -> bool {
        let has_left = self.head == Head::Left;
        if has_left {
            self.head = Head::NotSought;
        }
        has_left
    }

    /// The links before a title do not wait for it any longer.
    pub(super) fn end_title(&mut self) {
        self.sought &= !TITLE;
    }

    /// Empty without one.
    pub(super) fn title(&self) -> String {
        let mut buffer = Vec::new();
        let title = decode(&self.title.bytes, TextKind::EscapableText, charset_of_text(self.charset), &mut buffer);
        fold_white_space(title.as_bytes(), MAX_TITLE_LEN)
    }

    /// Searches a part of a page for tags that may state facts. Returns true if it has one, and the length after which to search
    /// again with what follows.
    pub(super) fn search(&self, text: &[u8], is_last: bool) -> (bool, usize) {
        let (found, end) = find_facts(text, self.sought, None);
        let has_cut_meta = is_last && end < text.len();
        (found != 0 || has_cut_meta, end.min(text.len() - text.len().min(CUT_LEN)))
    }

    fn seeks(&self, fact: Facts) -> bool {
        self.sought & fact != 0
    }

    /// Inside of a `template`, only the character encoding counts.
    fn keep_meta(&mut self, meta: &Meta<'_>, context: &Context) {
        if let Some(charset) = meta.declared().filter(|_| self.seeks(CHARSET)) {
            self.sought &= !CHARSET;
            self.has_changed |= charset != self.charset;
            if charset.is_ascii_compatible() && self.charset.is_ascii_compatible() {
                // The same bytes are markup.
                self.charset = charset;
            } else if charset != self.charset {
                self.other_charset = Some(charset);
                // All else is sought again when the page is read again.
                self.sought = 0;
            }
        }
        if self.seeks(ROBOTS) && context.templates == 0 && meta.is_nofollow() {
            self.sought &= !ROBOTS;
            (self.nofollow, self.has_changed) = (true, true);
        }
    }
}

impl TokenSink for Preview {
    /// Returns the attributes whose values matter, and those by which HTML is recognized in SVG and MathML.
    fn needed_attributes(&self) -> AttributeSet {
        use Attribute::{Charset, Color, Content, Encoding, Face, Href, HttpEquiv, Name, Size};
        const { AttributeSet::of(&[Charset, Color, Content, Encoding, Face, Href, HttpEquiv, Name, Size]) }
    }

    fn needed(&self) -> Needed {
        match self.head {
            _ if self.sought == 0 => Needed::Nothing,
            Head::NotSought => Needed::Tags,
            Head::Inside(_) => Needed::TagsAndText,
            Head::Left => Needed::Nothing,
        }
    }

    fn start_tag(&mut self, name: &[u8]) {
        let Head::Inside(depth) = self.head else { return };
        self.head = match name {
            b"body" => Head::Left,
            // A `noscript` of a page for scripts may have images.
            b"noscript" | b"template" => Head::Inside(depth + 1),
            _ if depth > 0 || is_of_head(name) => return,
            _ => Head::Left,
        };
    }

    fn end_tag(&mut self, name: &[u8]) {
        let Head::Inside(depth) = self.head else { return };
        self.head = match name {
            b"head" => Head::Left,
            b"noscript" | b"template" => Head::Inside(depth.saturating_sub(1)),
            _ => return,
        };
    }

    fn tag(&mut self, tag: &Tag<'_>, context: &Context) {
        match tag.element {
            Element::Base if self.seeks(BASE) && context.is_in_document() => {
                if let Some(href) = tag.raw_value(Attribute::Href) {
                    self.base = Some(href.to_owned());
                    self.sought &= !BASE;
                    self.has_changed = true;
                }
            }
            Element::Meta => {
                let [charset, content, http_equiv, name] =
                    [Attribute::Charset, Attribute::Content, Attribute::HttpEquiv, Attribute::Name]
                        .map(|attribute| tag.value(attribute));
                let (charset, content) = (charset.as_deref(), content.as_deref());
                let (http_equiv, name) = (http_equiv.as_deref(), name.as_deref());
                self.keep_meta(&Meta { charset, content, http_equiv, name }, context);
            }
            _ => {}
        }
    }

    fn title(&mut self, text: &[u8], is_end: bool, context: &Context) {
        if self.seeks(TITLE) && context.templates == 0 {
            self.title.push(text, MAX_RAW_TITLE_LEN);
            self.is_in_title = !is_end;
            if is_end {
                self.sought &= !TITLE;
            }
        }
    }
}

/// Reports whether a start tag may stand in a head, or before it. `name` is in lower case.
#[rustfmt::skip]
fn is_of_head(name: &[u8]) -> bool {
    matches!(
        name,
        b"base" | b"basefont" | b"bgsound" | b"head" | b"html" | b"link" | b"meta" | b"noframes" | b"script" | b"style" | b"title"
            | b"?xml-stylesheet"
    )
}

/// Reports whether a `meta` of a page that is read as HTML declares its character encoding.
pub(super) fn declares_charset(page: &[u8]) -> bool {
    let mut preview = Preview::new(UTF_8, 0, CHARSET);
    Scanner::default().scan(page, After::Nothing, &mut preview);
    !preview.seeks_any()
}

/// The character encoding of a page whose start says nothing about it.
pub(super) fn guessed_charset(start: &[u8]) -> &'static Encoding {
    guessed(start, declares_charset).unwrap_or(UTF_8)
}

/// A fact that is not in the result is stated by no tag. One that is in it may be in a comment. A `meta` with `charset` states none.
pub(super) fn may_be_in(page: &[u8], sought: Facts, charset: &'static Encoding) -> Facts {
    // To search the bytes is faster than to read the page as HTML.
    let (found, end) = find_facts(page, sought, Some(charset));
    if end < page.len() { found | sought & IN_META } else { found }
}

/// Like [`may_be_in`]. A `meta` that does not fit in `buffer` counts as one that may state each sought fact of a `meta`.
pub(super) fn may_be_in_stream(
    mut page: impl Read,
    sought: Facts,
    charset: &'static Encoding,
    buffer: &mut [u8],
) -> io::Result<Facts> {
    let mut found = 0;
    let mut kept = 0;
    while found != sought {
        let read = read_some(&mut page, &mut buffer[kept..])?;
        let len = kept + read;
        let (now, end) = find_facts(&buffer[..len], sought & !found, Some(charset));
        found |= now;
        let is_too_long = end == 0 && len == buffer.len();
        if end < len && (read == 0 || is_too_long) {
            found |= sought & IN_META;
        }
        if read == 0 {
            break;
        }
        let end = if is_too_long { len } else { end }.min(len - len.min(CUT_LEN));
        buffer.copy_within(end..len, 0);
        kept = len - end;
    }
    Ok(found)
}

/// A `meta` counts if it declares another character encoding than `charset`, or any at all for `None`.
/// Also returns the index before which no other `meta` states a fact: the start of a `meta` without an end, or the length.
fn find_facts(bytes: &[u8], sought: Facts, charset: Option<&'static Encoding>) -> (Facts, usize) {
    let mut found = if sought & BASE != 0 && has_tag(bytes, &BASE_STARTS, b"ase") { BASE } else { 0 };
    if sought & TITLE != 0 && has_tag(bytes, &TITLE_STARTS, b"itle") {
        found |= TITLE;
    }
    let mut end = bytes.len();
    for fact in [CHARSET, ROBOTS].into_iter().filter(|fact| sought & fact != 0) {
        match search(bytes, |meta| match fact {
            CHARSET => meta.declared().is_some_and(|other| Some(other) != charset),
            _ => meta.is_nofollow(),
        }) {
            SearchResult::Found => found |= fact,
            SearchResult::NoneBefore(index) => end = end.min(index),
        }
    }
    (found, end)
}

static BASE_STARTS: Starts = LazyLock::new(|| [b"<b", b"<B"].map(memmem::Finder::new));
static TITLE_STARTS: Starts = LazyLock::new(|| [b"<t", b"<T"].map(memmem::Finder::new));

/// Searches for the start of a tag, and the rest of its name in any case. Longer names, such as `<basefont`, count, too.
fn has_tag(bytes: &[u8], starts: &Starts, rest: &[u8]) -> bool {
    let is_tag = |at: usize| bytes.get(at + 2..at + 2 + rest.len()).is_some_and(|name| name.eq_ignore_ascii_case(rest));
    starts.iter().any(|start| start.find_iter(bytes).any(is_tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches a page for all facts, in memory and through buffers of many lengths. Returns the facts that it may state.
    fn found(page: &str) -> String {
        let all = BASE | CHARSET | ROBOTS | TITLE;
        let names = |found: Facts| {
            let names = [(BASE, "base"), (CHARSET, "charset"), (ROBOTS, "robots"), (TITLE, "title")];
            names.into_iter().filter(|(fact, _)| found & fact != 0).map(|(_, name)| name).collect::<Vec<_>>().join(" ")
        };
        let expected = names(may_be_in(page.as_bytes(), all, UTF_8));
        for len in 128..page.len().max(128) + 5 {
            let streamed = may_be_in_stream(page.as_bytes(), all, UTF_8, &mut vec![0; len]).unwrap();
            assert_eq!(names(streamed), expected, "{page} {len}");
        }
        for at in 1..page.len() {
            let chunks = page.as_bytes()[..at].chain(&page.as_bytes()[at..]);
            assert_eq!(names(may_be_in_stream(chunks, all, UTF_8, &mut [0; 512]).unwrap()), expected, "{page} {at}");
        }
        expected
    }

    #[test]
    fn tags_are_found_in_any_case_and_any_chunks() {
        for (page, expected) in [
            ("<p><base>", "base"),
            ("x<BaSe", "base"),
            ("<b><Base", "base"),
            ("<basefont>", "base"),
            ("<bas", ""),
            ("< base", ""),
            ("base", ""),
            ("", ""),
            ("<meta charset=koi8-r>", "charset"),
            ("<META/charset='koi8-r'/><base>", "base charset"),
            ("<meta charset=utf-8><metas charset=koi8-r><meta name=robots content=index>", ""),
            ("<meta charset=utf-8><mEtA name=Robots content='index, NOFOLLOW'>", "robots"),
            ("<meta name=robots content=none><base><meta charset=koi8-r>", "base charset robots"),
            ("<meta name=x content=nofollow><meta name=robots content='no follow'>", ""),
            // It may be any value.
            ("<meta content='x&amp;'>", "charset robots"),
            // It may be a script, with another one in it.
            ("<meta content='<meta charset=koi8-r>'>", "charset robots"),
            ("<meta x='", "charset robots"),
            ("<m", ""),
        ] {
            let expected = if page == "<m" { "charset robots" } else { expected };
            assert_eq!(found(page), expected, "{page}");
            let long = format!("{}{page}", "text and <main>, <M ".repeat(20));
            assert_eq!(found(&long), expected, "{page}");
        }
    }
}
