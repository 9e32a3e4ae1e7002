//! Links: those that are found and not resolved yet, those that are reported, and those that own their texts.

use std::error::Error;
use std::fmt;

use encoding_rs::Encoding;
use relref::{UriRef, whatwg};

use super::kind::{Kind, is_fetched};
use super::places::Place;
use super::raw_text::place_in;
use super::values::field_error::FieldError;

/// A link that was found and is not resolved yet, for example in an HTTP field, a feed or a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FoundLink<'f> {
    /// The name of the element; `http` for a field of an HTTP head.
    pub element: &'f str,
    /// The name of the attribute or of the field: of a feed as written, otherwise in lower case. `text` for the text of an element.
    pub attribute: &'f str,
    /// The purpose of the link.
    pub kind: Kind,
    /// The relation types of the link, separated by spaces; empty if it has none.
    pub rel: &'f str,
    /// The language of what the link leads to (`hreflang`); empty if it is not given.
    pub hreflang: &'f str,
    /// The media query for which the link is meant (`media`); empty if it is not given.
    pub media: &'f str,
    /// The resource that has the link instead of the page, as a reference to it (`anchor`, RFC 8288 §3.2); empty if it is not given.
    pub anchor: &'f str,
    /// The reference, as written.
    pub reference: &'f str,
}

impl<'f> FoundLink<'f> {
    /// Returns a link without relation types, language, media query and anchor. These fields can be set.
    #[must_use]
    pub fn new(element: &'f str, attribute: &'f str, kind: Kind, reference: &'f str) -> Self {
        FoundLink { element, attribute, kind, rel: "", hreflang: "", media: "", anchor: "", reference }
    }
}

/// The facts about a page that all its links have.
#[derive(Clone, Copy, Default)]
pub(crate) struct PageFacts<'p> {
    pub(crate) title: &'p str,
    pub(crate) charset: Option<&'static Encoding>,
    pub(crate) nofollow: bool,
}

impl<'p> PageFacts<'p> {
    /// Returns a link of the page without a URI.
    #[inline]
    pub(super) fn link(self, found: &FoundLink<'p>) -> Link<'p> {
        let FoundLink { element, attribute, kind, rel, hreflang, media, anchor, reference } = *found;
        AnyLink {
            element,
            attribute,
            inner: "",
            kind,
            rel,
            hreflang,
            media,
            anchor,
            page_title: self.title,
            page_charset: self.charset,
            page_nofollow: self.nofollow,
            reference,
            uri: "",
            text: "",
            place: None,
            rejected: None,
        }
    }
}

/// A link of a page, an HTTP field or a feed, borrowed while that is read. [`LinkBuf`] is its owned form.
pub type Link<'p> = AnyLink<&'p str>;

/// A link that owns its texts. Its fields are those of the [`Link`] of which it is made.
#[doc(alias = "OwnedLink")]
pub type LinkBuf = AnyLink<String>;

/// A link: `T` is `&str` while its page is read ([`Link`]), or `String` ([`LinkBuf`]). [`Display`](fmt::Display) writes the URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct AnyLink<T> {
    /// The name of the element: of a page in lower case, and at most its first 64 bytes, in whole characters; of a feed as written.
    /// `http` for a field of an HTTP head, `css` in a style sheet that is a file.
    pub element: T,
    /// The name of the attribute or HTTP field: of a feed as written, otherwise in lower case. `text` for the text of an element;
    /// `import` or `url` in a style sheet that is a file.
    pub attribute: T,
    /// The element and the attribute of the link in the HTML that `attribute` holds, such as `a href`, for the links of `srcdoc` and
    /// of HTML in feeds. Empty otherwise.
    pub inner: T,
    /// The purpose of the link.
    pub kind: Kind,
    /// The `rel` attribute of the element, as written; empty without one. If it has more than 1 KiB, only the whole tokens in its
    /// first 1 KiB. `kind` depends on all tokens.
    pub rel: T,
    /// The `hreflang` attribute of the element or the parameter of the field `Link`, as written; empty without one. Of a longer one,
    /// the first 64 bytes, in whole characters.
    #[cfg_attr(feature = "serde", serde(default))]
    pub hreflang: T,
    /// The `media` attribute of the element or the parameter of the field `Link`, as written; empty without one. Of a longer one, the
    /// first 1 KiB, in whole characters. A link in the text of a `style` has that of the `style`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub media: T,
    /// The parameter `anchor` of the field `Link`, as written: the resource that has the link instead of the page (RFC 8288 §3.2). Empty
    /// without one. Of a longer one, the first 1 KiB, in whole characters.
    #[cfg_attr(feature = "serde", serde(default))]
    pub anchor: T,
    /// The text of the first `title` of the page that is HTML and in no `template`, as [`text`](Link::text) is written: at most its
    /// first 1 KiB. Empty without one, and unless [`Options::title`](super::Options::title) is on.
    #[cfg_attr(feature = "serde", serde(default))]
    pub page_title: T,
    /// The character encoding by which the page or feed is read. `None` if there is none, as for a WAT record or an HTTP field alone.
    #[cfg_attr(feature = "serde", serde(default))]
    pub page_charset: Option<&'static Encoding>,
    /// True if a `<meta name=robots>` of the page has `nofollow` or `none` in its `content`, which is about all links of the
    /// page. Always false unless [`Options::robots`](super::Options::robots) is on.
    pub page_nofollow: bool,
    /// The reference as written, with character references and CSS escapes decoded. Removed are the control characters and
    /// spaces around it, and the line breaks and tabs in it (URL Standard §4.4). U+FFFD replaces bytes that are no characters.
    pub reference: T,
    /// The absolute URI. Empty for a rejected link.
    #[doc(alias = "url")]
    pub uri: T,
    /// The text of the link, without white space around it and with one space for white space in it. Empty unless
    /// [`Options::max_text`](super::Options::max_text) is greater than 0.
    ///
    /// The text of an `a` ends at its end, at the next `a`, or at the end of the table cell that it is in. The `alt` of an `img`
    /// and a space at block elements and line breaks belong to it; scripts, styles and other raw text do not. The text of any other
    /// element is its `alt`.
    pub text: T,
    /// The place of the reference in the page. `None` unless [`Options::places`](super::Options::places) is on, and for a link
    /// that is not in a page, or whose reference has a comment or the end of a CDATA section inside, as in the `style` of SVG.
    pub place: Option<Place>,
    /// The reason why the link has no URI: a limit of [`Pages`](super::Pages), or, by the URL Standard, that it is not a valid URL. `None`
    /// unless [`Options::rejected`](super::Options::rejected) is on: other links are not reported then.
    pub rejected: Option<Rejected>,
}

/// The reason why a link has no URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Rejected {
    /// The URI is longer than [`max_uri`](super::Options::max_uri), or another text is with which that option rejects a link.
    TooLong,
    /// This URI and those before it are together longer than [`max_total`](super::Options::max_total).
    TotalTooLong,
    /// The reference, or the `codebase` that it is relative to, is not a valid URL. Only by the URL Standard: every reference
    /// resolves by a rule set.
    Invalid(whatwg::Error),
    /// A part of the HTTP field cannot be read. The reference is the value of the field.
    Field(FieldError),
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejected::TooLong => f.write_str("the URI is too long"),
            Rejected::TotalTooLong => f.write_str("the URIs of the page are together too long"),
            Rejected::Invalid(error) => write!(f, "not a valid URL: {error}"),
            Rejected::Field(error) => error.fmt(f),
        }
    }
}

impl Error for Rejected {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Rejected::Invalid(error) => Some(error),
            Rejected::Field(error) => Some(error),
            Rejected::TooLong | Rejected::TotalTooLong => None,
        }
    }
}

impl<'p> Link<'p> {
    /// Returns a link of which only the purpose and the URI are known. The other fields can be set.
    #[must_use]
    pub fn new(kind: Kind, uri: &'p str) -> Self {
        Link { uri, ..PageFacts::default().link(&FoundLink::new("", "", kind, "")) }
    }
}

impl<T: AsRef<str>> AnyLink<T> {
    /// Returns the link, borrowed.
    #[must_use]
    pub fn as_link(&self) -> Link<'_> {
        self.with_texts(AsRef::as_ref)
    }

    fn with_texts<'l, U>(&'l self, text: impl Fn(&'l T) -> U) -> AnyLink<U> {
        AnyLink {
            element: text(&self.element),
            attribute: text(&self.attribute),
            inner: text(&self.inner),
            kind: self.kind,
            rel: text(&self.rel),
            hreflang: text(&self.hreflang),
            media: text(&self.media),
            anchor: text(&self.anchor),
            page_title: text(&self.page_title),
            page_charset: self.page_charset,
            page_nofollow: self.page_nofollow,
            reference: text(&self.reference),
            uri: text(&self.uri),
            text: text(&self.text),
            place: self.place,
            rejected: self.rejected,
        }
    }

    /// Reports whether the author does not endorse the link: `nofollow` is a token of `rel` (HTML §4.6.7), or
    /// [`page_nofollow`](Link::page_nofollow) is true.
    #[must_use]
    pub fn nofollow(&self) -> bool {
        self.page_nofollow || self.has_rel("nofollow")
    }

    /// Reports whether this is one of the relation types in [`rel`](Link::rel), in any case (HTML §4.6.7).
    ///
    /// ```
    /// let links = relref_links::html::field_links("Link", "</2>; rel=\"next nofollow\"", "http://example.com/1")?;
    /// let next = links.into_iter().find(|link| link.has_rel("next"));
    /// assert_eq!(next.unwrap().uri, "http://example.com/2");
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    #[must_use]
    pub fn has_rel(&self, relation: &str) -> bool {
        self.rel.as_ref().split_ascii_whitespace().any(|token| token.eq_ignore_ascii_case(relation))
    }

    /// Returns the place in the page of what stands at a byte of [`reference`](Link::reference), for example of the error for which it
    /// is [rejected](Link::rejected): it ends where the reference ends. Escapes and character references are longer in the page.
    ///
    /// `page` are the bytes of the page. `None` if the [`place`](Link::place) of the link is not known, and if the reference is shorter
    /// or the page has something else there.
    ///
    /// ```
    /// use relref_links::html::{LinkBuf, Options, Pages, Rejected};
    ///
    /// let page = "<p>\n<a href='&#x68;ttp://[x/'>";
    /// let base = relref::whatwg::Base::new("http://example.com/")?;
    /// let mut links = Vec::new();
    /// let options = Options { rejected: true, places: true, ..Options::default() };
    /// Pages::with(options).links(page, None, &base, |link| links.push(LinkBuf::from(link)));
    /// assert_eq!(links[0].reference, "http://[x/");
    /// let Some(Rejected::Invalid(error)) = links[0].rejected else { panic!() };
    /// assert_eq!(error.position(), 9); // before it, `[` has no `]`
    /// let place = links[0].place_at(page.as_bytes(), error.position()).unwrap();
    /// assert_eq!((&page[place.start as usize..place.end as usize], place.line, place.column), ("/", 2, 24));
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    #[doc(alias = "raw_position")]
    #[must_use]
    pub fn place_at(&self, page: &[u8], offset: usize) -> Option<Place> {
        let place = self.place?;
        let raw = page.get(usize::try_from(place.start).ok()?..usize::try_from(place.end).ok()?)?;
        place_in(place, raw, self.page_charset, self.reference.as_ref(), offset)
    }

    /// Reports whether a crawler can fetch what the link leads to: its scheme is `http`, `https`, `ftp` or `file`. A
    /// [rejected](Link::rejected) link leads nowhere. Rules for robots do not count.
    #[must_use]
    pub fn is_fetchable(&self) -> bool {
        self.rejected.is_none() && is_fetched(UriRef::new(self.uri.as_ref()).scheme().unwrap_or_default())
    }
}

impl<T: AsRef<str>> fmt::Display for AnyLink<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.uri.as_ref())
    }
}

impl From<Link<'_>> for LinkBuf {
    fn from(link: Link<'_>) -> Self {
        link.with_texts(|text| String::from(*text))
    }
}
