//! The options of a reader of pages.

use super::kind::Kind;

/// The options of a reader of pages. By default all are off, and there are no limits.
///
/// ```
/// use relref_links::html::{Kind, Options, Pages};
///
/// let pages = Pages::with(Options { kinds: vec![Kind::Hyperlink], max_text: 1000, ..Default::default() });
/// assert!(!pages.options.lazy);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// True if the page is XML: XHTML or an SVG image. It is then read by the rules of XML up to its first error of well-formedness, and
    /// from there on as HTML; after all links there is an error of kind [`InvalidData`](std::io::ErrorKind::InvalidData) that says so.
    /// The reader of pages of any kind finds out which are XML. False by default.
    pub xml: bool,
    /// True to also report what only scripts and other readers than browsers read: attributes from which scripts load later (`data-src`,
    /// `data-srcset`, `data-original`, `data-lazy-src`, `data-bg`, `data-url`, `data-href` and others), and the URLs that describe a page in
    /// `meta` elements (`og:` and `twitter:`) and in JSON-LD (feature `json-ld`). The table of [`html`](super) has the kinds. False by default.
    pub lazy: bool,
    /// True to also report `itemtype` and `itemid`, which name items of a vocabulary. False by default.
    pub items: bool,
    /// True to find out, before the links of a page are reported, whether a `<meta name=robots>` asks robots to follow none of
    /// them: see [`Link::page_nofollow`](super::Link::page_nofollow). HTTP heads may ask the same: see [`field_nofollow`](super::field_nofollow). False by default.
    pub robots: bool,
    /// True to find out, before the links of a page are reported, what its [title](super::Link::page_title) is. In a page that comes in
    /// chunks, a title after those bytes for which it [waits](super::ChunkedPage) is not found. False by default.
    pub title: bool,
    /// True to let a page that comes in chunks, or is read from a stream, wait for a `base` element wherever it is, and so for a character
    /// encoding, a [title](Self::title) and a [rule for robots](Self::robots): see [`ChunkedPage`](super::ChunkedPage). Pages in memory and
    /// in files have these wherever they are. False by default, so that links come while the page does.
    pub late_base: bool,
    /// True to percent-encode queries by a rule set, too, as browsers do in pages that are neither UTF-8 nor UTF-16, and as the
    /// servers of such pages expect. Each character that is not US-ASCII is written as its bytes in the page's character encoding;
    /// those bytes that are not US-ASCII, and few others, become escapes. Only the schemes `http`, `https`, `ftp` and `file` count.
    /// [`uri`](super::Link::uri) changes, [`reference`](super::Link::reference) does not. False by default, as rule sets encode nothing. By the
    /// URL Standard, queries are always encoded in this way (§4.4, query state).
    pub legacy_queries: bool,
    /// True to report the [place](super::Link::place) of each reference in its page. False by default, as lines and columns cost
    /// another pass over the page.
    pub places: bool,
    /// The kinds of the links that are reported; all kinds if empty. The URIs of other links are not built, and do not count
    /// for the limits.
    pub kinds: Vec<Kind>,
    /// True to report only [fetchable](super::Link::is_fetchable) links. Other links are treated like those of kinds that are not in
    /// `kinds`. False by default.
    pub fetchable: bool,
    /// True to also report references that give no URI, as links that are [rejected](super::Link::rejected): those that are no valid URL,
    /// and those beyond `max_uri` and `max_total`. Their [`uri`](super::Link::uri) is empty. False by default: what does not resolve is no
    /// link.
    ///
    /// ```
    /// use relref::whatwg::Base;
    /// use relref_links::html::{Options, Pages};
    ///
    /// let (page, base) = ("<a href='http://[x/'> <a href=a>", Base::new("http://h/")?);
    /// let mut found = Vec::new();
    /// Pages::new().links(page, None, &base, |link| found.push(link.uri.to_owned()));
    /// assert_eq!(found, ["http://h/a"]);
    /// let mut pages = Pages::with(Options { rejected: true, ..Options::default() });
    /// pages.links(page, None, &base, |link| found.extend(link.rejected.map(|why| format!("{}: {why}", link.reference))));
    /// assert!(found[1].starts_with("http://[x/: not a valid URL"));
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    pub rejected: bool,
    /// The length in bytes of the longest URI that is built. A link with a longer URI is [rejected](Self::rejected),
    /// and so is a link relative to a longer `codebase`. By the URL Standard, a link is also rejected if its reference needs
    /// encoding and this reference, or the base that it is relative to, is itself longer. No limit by default.
    pub max_uri: usize,
    /// The length in bytes that the URIs of a page may have together. The first link beyond it and all links after that one are
    /// [rejected](Self::rejected). With a limit proportional to the page's length, time is linear in that length.
    /// By the URL Standard, some URIs that are longer than `max_uri` count, too. No limit by default.
    pub max_total: u64,
    /// The length in bytes of the longest tag, text of a `style` element or text of JSON-LD that waits until it is complete, in a page
    /// that is read in chunks. A longer one ends the reading with an error of kind [`FileTooLarge`](std::io::ErrorKind::FileTooLarge),
    /// after the links before it, unless all of it is in one chunk. It does not count while the page itself
    /// [waits](super::ChunkedPage). No limit by default: those longer than [`MAX_TAG_LEN`](super::Pages::MAX_TAG_LEN) are left out, and
    /// after all links there is an error of kind [`InvalidData`](std::io::ErrorKind::InvalidData).
    pub max_tag: usize,
    /// The length in bytes of the longest [text](super::Link::text) of a link. A longer text is shortened, in whole characters. With 0,
    /// the default, links have no text, and texts cost nothing.
    ///
    /// With texts, an `a` and the links in it are reported when its text is complete, still in the order of the page: at its
    /// end, or before, when the text is as long as it may be, or 256 links or 64 KiB of links wait for it.
    pub max_text: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            xml: false,
            lazy: false,
            items: false,
            robots: false,
            title: false,
            late_base: false,
            legacy_queries: false,
            places: false,
            kinds: Vec::new(),
            fetchable: false,
            rejected: false,
            max_uri: usize::MAX,
            max_total: u64::MAX,
            max_tag: usize::MAX,
            max_text: 0,
        }
    }
}
