//! A page of any kind, with its bytes and what is known about it.

use std::fs::File;
use std::io;
use std::path::Path;

use super::bytes::{PageBytes, Store};
use super::kind::PageKind;
use super::link_reader::LinkReader;
use super::other_kind::{not_read, other_kind};
use crate::archive::{Body, Fields, HttpHead, UndamagedPart, sniff, wat_has_page};
use crate::html::{self, LinkBuf, Rejected, field_nofollow, is_link_field};

/// A page, with its bytes and what is known about it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Page {
    /// The URI of the page, which is the base of its links.
    pub uri: String,
    /// The byte offset in the archive at which the record of the page starts; `None` if the page is not in an archive. Its length, which an index
    /// of captures (CDX) has too, is known after it: [`Records::record_len`](crate::archive::Records::record_len).
    pub offset: Option<u64>,
    /// The status code of the response, if it has one.
    pub status: Option<u16>,
    /// `WARC-Date` of the record; the date of an ARC record in this form. `None` also if it has more than 64 bytes.
    pub date: Option<String>,
    /// The media type that the head gives, in lower case and without parameters; empty if none can be read. Of a longer one, the first
    /// 255 bytes (RFC 6838 §4.2).
    pub media_type: String,
    /// The kind. [`decode`](Self::decode) finds out a kind that is not known yet.
    pub kind: PageKind,
    /// The label of the character encoding that the HTTP head gives.
    pub charset: Option<String>,
    /// The names of the content and transfer codings that `bytes` have, the outermost one last. Empty after
    /// [`decode`](Self::decode).
    pub codings: Vec<String>,
    /// The names and values of those HTTP fields that [have links](crate::html::is_link_field).
    pub fields: Vec<(String, Vec<u8>)>,
    /// True if an HTTP field asks robots to follow none of the links of the page.
    pub nofollow: bool,
    /// True if the bytes are known to be cut short. Then a missing end of a coding or of a feed is no damage.
    pub is_cut_short: bool,
    /// The damage of the body, whose bytes end there.
    pub damage: Option<String>,
    /// The bytes of the page, with `codings`.
    pub bytes: PageBytes,
}

/// The most bytes that the links of [`Page::links`] may have together, with their texts: a small page can have very many links with
/// long texts.
const MAX_LISTED_LEN: usize = 256 << 20;

impl Page {
    /// The most bytes that the URIs of an empty page have together. A longer page may have more.
    const MAX_LINKS_LEN: u64 = 1 << 20;
    /// The number of bytes that its URIs may have in addition, for each byte of the page.
    const LINKS_LEN_PER_BYTE: u64 = 256;

    /// Returns a page that is not in an archive and has no codings, of bytes, text or a file. It is HTML, unless its first bytes or
    /// its URI show another kind.
    pub fn new(uri: impl Into<String>, bytes: impl Into<PageBytes>) -> Page {
        Page {
            uri: uri.into(),
            offset: None,
            status: None,
            date: None,
            media_type: String::new(),
            kind: PageKind::Unknown,
            charset: None,
            codings: Vec::new(),
            fields: Vec::new(),
            nofollow: false,
            is_cut_short: false,
            damage: None,
            bytes: bytes.into(),
        }
    }

    /// Returns the page of an HTTP response: its URI after redirects, the fields of its head, and its body. `Content-Type` gives the kind
    /// and the character encoding; links are also in fields such as `Link`.
    ///
    /// A body that is no page is left out. Any other must have the codings that `Content-Encoding` and `Transfer-Encoding` name: leave
    /// these fields out if the HTTP client has decoded it.
    ///
    /// ```
    /// use relref_links::page::Page;
    ///
    /// let fields = [("Content-Type", "text/html; charset=windows-1251"), ("Link", "</next>; rel=next")];
    /// let mut page = Page::from_response("http://example.com/", fields, b"<a href=\xE4>\xE0</a>".to_vec());
    /// let uris: Vec<String> = page.links().map(|link| Ok(link?.uri)).collect::<std::io::Result<_>>()?;
    /// assert_eq!(uris, ["http://example.com/next", "http://example.com/%D0%B4"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn from_response(
        uri: impl Into<String>,
        fields: impl IntoIterator<Item = (impl AsRef<str>, impl AsRef<[u8]>)>,
        body: impl Into<PageBytes>,
    ) -> Page {
        let HttpHead { media_type, codings, fields, .. } = HttpHead::of_fields(fields.into_iter().collect());
        let mut page = Page::new(uri, body);
        page.kind = PageKind::of_head("response", &media_type.essence, &page.uri);
        page.codings = codings;
        if page.kind != PageKind::None && page.codings.is_empty() {
            // If the start cannot be read, its error is found again when the page is read.
            let start = page.bytes.start().unwrap_or_default();
            match sniff::compression(&start) {
                Some(coding) => page.codings.push(coding.to_owned()),
                None if page.kind.is_unknown() => page.kind = page.kind.of_start(&start, &page.uri),
                None => {}
            }
        }
        if page.kind == PageKind::None {
            // As in an archive.
            (page.bytes, page.codings) = (PageBytes::Memory(Vec::new()), Vec::new());
        }
        page.media_type = shortened(media_type.essence);
        page.charset = media_type.charset;
        (page.fields, page.nofollow) = link_fields(&fields);
        page
    }

    /// Opens a file as a page with this URI. It may be compressed by gzip or, with feature `zstd`, by Zstandard. Its name also shows that it
    /// is Markdown.
    ///
    /// # Errors
    /// The file cannot be opened or read.
    pub fn open(path: impl AsRef<Path>, uri: impl Into<String>) -> io::Result<Page> {
        let mut page = Page::new(uri, File::open(&path)?);
        page.kind = PageKind::of_markdown_name(&path.as_ref().to_string_lossy()).unwrap_or(PageKind::Unknown);
        page.codings.extend(sniff::compression(&page.bytes.start()?).map(str::to_owned));
        Ok(page)
    }

    /// Returns every link of the page, as a [`LinkReader`] finds it by browsers' rules: first those of its HTTP fields, then those of
    /// its body. The [text](LinkBuf::text) of a link, and the `alt` of an image, have at most their first 1024 bytes. [Places](LinkBuf::place) in
    /// HTML, XML, style sheets and Markdown are known.
    ///
    /// The page is read at once, and all links are in memory: at most 256 MiB of them. A [`LinkReader`] keeps none. The page can be read
    /// again afterwards. A reference that is not a valid URL is no link: see [`Options::rejected`](html::Options::rejected).
    ///
    /// # Errors
    /// The iterator returns the problem as its last item: those of [`LinkReader::links`], and
    /// [`InvalidData`](io::ErrorKind::InvalidData) after 256 MiB of links, or if their URIs have more than
    /// [`max_links_len`](Self::max_links_len) bytes together.
    ///
    /// ```
    /// use relref_links::page::Page;
    ///
    /// let mut page = Page::new("http://example.com/robots.txt", "Sitemap: /map.xml");
    /// let uris: Vec<String> = page.links().map(|link| Ok(link?.uri)).collect::<std::io::Result<_>>()?;
    /// assert_eq!(uris, ["http://example.com/map.xml"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn links(&mut self) -> impl Iterator<Item = io::Result<LinkBuf>> + use<> {
        let (mut reader, mut links) = (LinkReader::default(), Vec::new());
        let options = &mut reader.pages.options;
        (options.max_text, options.rejected, options.places) = (html::LISTED_TEXT_LEN, true, true);
        let (mut len, mut left_out) = (0, 0_u64);
        let done = reader.links(self, |link| {
            if let Some(why) = link.rejected {
                left_out += u64::from(why == Rejected::TotalTooLong);
                return Ok(());
            }
            let [rel, media, anchor] = [link.rel, link.media, link.anchor];
            let texts = [link.element, link.attribute, rel, media, anchor, link.reference, link.uri, link.text];
            len += size_of::<LinkBuf>() + texts.into_iter().map(str::len).sum::<usize>();
            if len > MAX_LISTED_LEN {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "its links have more than 256 MiB"));
            }
            links.push(LinkBuf::from(link));
            Ok(())
        });
        let too_long = || {
            let why = format!("its URIs are together too long: {left_out} links are left out");
            (left_out > 0).then(|| io::Error::new(io::ErrorKind::InvalidData, why))
        };
        links.into_iter().map(Ok).chain(done.err().or_else(too_long).map(Err))
    }

    /// Returns the most memory in bytes that [`decode`](Self::decode) needs, without what the [`Store`] keeps in memory. 0 if the
    /// page has no codings.
    ///
    /// # Errors
    /// Those of the file.
    pub fn decoder_memory(&mut self) -> io::Result<u64> {
        Ok(if self.codings.is_empty() { 0 } else { Body::memory(&self.bytes.start()?, &self.codings) })
    }

    /// Removes the codings, and finds out the kind if it is not known. If the body is damaged, the bytes before the damage stay,
    /// and [`damage`](Self::damage) is set.
    ///
    /// # Errors
    /// A coding is not known, the body is damaged at its start, the page cannot be read or stored, or it is not in an archive and of
    /// [another kind](other_kind()). The page cannot be read then.
    pub fn decode(&mut self, store: &mut Store<'_>) -> io::Result<()> {
        if !self.codings.is_empty() {
            let len = self.bytes.len()?;
            let body = Body::new(self.bytes.reader(), len, &self.codings)?;
            let mut body = UndamagedPart::new(body.truncated(self.is_cut_short));
            let bytes = store.store(&mut body)?;
            self.damage = body.into_damage();
            self.bytes = bytes;
            self.codings.clear();
            // The damage is reported, so the end that is missing is not.
            self.is_cut_short |= self.damage.is_some();
        }
        if self.kind.is_unknown() || matches!(self.kind, PageKind::Html | PageKind::Xml) {
            let start = self.bytes.start()?;
            self.kind = match self.kind.of_start(&start, &self.uri) {
                PageKind::None if self.offset.is_none() => match other_kind(&start) {
                    Some(kind) => return Err(not_read(kind)),
                    None => PageKind::Html.named(&self.uri),
                },
                kind => kind,
            };
        }
        Ok(())
    }

    /// Reports whether the page is binary data: not in an archive, without a known `charset`, and with a NUL that no character
    /// encoding explains. Markdown in UTF-8 may have some (CommonMark §2.3).
    ///
    /// # Errors
    /// Those of the file.
    pub fn is_binary(&mut self) -> io::Result<bool> {
        let may_be = self.offset.is_none() && self.charset.is_none() && self.kind != PageKind::Feed;
        let start = if may_be { self.bytes.start()? } else { Default::default() };
        let is_text = || {
            matches!(self.kind, PageKind::Markdown | PageKind::Mdx)
                && std::str::from_utf8(&start).map_or_else(|error| error.error_len().is_none(), |_| true)
        };
        Ok(may_be && sniff::is_binary(&start) && !is_text())
    }

    /// Reports whether the links are those of a page. False for WAT metadata that does not describe an HTML page, and for a body
    /// without links.
    #[must_use]
    pub fn is_about_page(&self) -> bool {
        match &self.bytes {
            PageBytes::Memory(json) if self.kind == PageKind::Wat => wat_has_page(json),
            _ => self.kind != PageKind::None,
        }
    }

    /// Returns the most bytes that the URIs of the links have together: 1 MiB, and 256 times the length of the page and of its
    /// `fields`. There is a limit because a short page with a long base could have many long URIs.
    ///
    /// # Errors
    /// Those of the file.
    pub fn max_links_len(&mut self) -> io::Result<u64> {
        let fields = self.fields.iter().map(|(_, value)| value.len() as u64).sum::<u64>();
        let len = self.bytes.len()?.saturating_add(fields);
        Ok(Self::MAX_LINKS_LEN.saturating_add(Self::LINKS_LEN_PER_BYTE.saturating_mul(len)))
    }
}

/// Media types are US-ASCII.
pub(super) fn shortened(mut media_type: String) -> String {
    media_type.truncate(255);
    media_type
}

/// Returns the fields that have links, and whether a field asks robots to follow none of the links of the page.
pub(super) fn link_fields(fields: &Fields) -> (Vec<(String, Vec<u8>)>, bool) {
    let nofollow = fields.iter().any(|(name, value)| field_nofollow(name, value));
    let fields = fields.iter().filter(|(name, _)| is_link_field(name));
    (fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(), nofollow)
}
