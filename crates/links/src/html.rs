//! The links of HTML pages.
//!
//! [`links`] returns the links of one page. [`Pages`] reports those of page after page, with options and limits, from memory, from a
//! stream or file, or in chunks as they come ([`Pages::start`]). [`Options::places`] tells where each reference stands.
//!
//! ```
//! use relref_links::html;
//!
//! for link in html::links("<a href=intro>start</a>", "http://example.com/docs/")? {
//!     assert_eq!((link.uri.as_str(), link.text.as_str()), ("http://example.com/docs/intro", "start"));
//! }
//! # Ok::<(), relref::whatwg::Error>(())
//! ```
//!
//! ```
//! use relref_links::html::{Kind, Pages, charset};
//! use relref::whatwg::Base;
//!
//! let page = b"<a href=intro>start</a> <img src=a.png> <a href='mailto:me@example.com' rel=nofollow>me</a>";
//! let mut to_visit = Vec::new();
//! let base = Base::new("http://example.com/docs/")?;
//! Pages::new().links(page, Some(charset("utf-8")?), &base, |link| {
//!     if link.kind == Kind::Hyperlink && link.is_fetchable() && !link.nofollow() {
//!         to_visit.push(link.uri.to_string());
//!     }
//! });
//! assert_eq!(to_visit, ["http://example.com/docs/intro"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rules
//! The type of the base chooses the rules by which references are resolved:
//!
//! - [`whatwg::Base`]: the rules of the URL Standard, which browsers and the HTML Standard use. Choose it for
//!   pages of today, which were tested in browsers. A reference that is not a valid URL is no link; [`Options::rejected`] reports
//!   it.
//! - [`Base`](relref::Base): the rules of a rule set, such as [`Rules::RFC3986`](relref::Rules::RFC3986). Every reference resolves,
//!   and nothing in it is percent-encoded.
//!
//! [`field_links`] returns the links in fields of HTTP heads. [`each_field_link`] only finds them, and [`Pages::found_links`] resolves and
//! filters them like those of pages. [`field_nofollow`] reads the rules of `X-Robots-Tag`, and [`Options::robots`] those of pages.
//!
//! # Attributes that hold links
//! Most of these attributes hold links on any element, because old or incorrect pages use them on elements for which no document
//! defines them. An attribute with an option is only reported if that option is on.
//!
//! | attribute | of | value | kind | option | from |
//! |---|---|---|---|---|---|
//! | `href` | any | reference | see below |  | HTML §4.6.1, §4.2.4; SVG 2 §16.1.6; MathML 3 §2.1.6 |
//! | `xlink:href` | any | reference | see below |  | XLink 1.1; SVG 1.1 §17.1 |
//! | `src` | any | reference | resource |  | HTML §4.8.3 and others |
//! | `srcset` | any | image candidates | resource |  | HTML §4.8.4.3.10 |
//! | `imagesrcset` | any | image candidates | resource |  | HTML §4.2.4 |
//! | `poster` | any | reference | resource |  | HTML §4.8.8 |
//! | `data` | `object` | reference; relative to `codebase` | resource |  | HTML §4.8.7 |
//! | `archive` | any | references separated by white space, on `applet` by commas; relative to `codebase` | resource |  | HTML 4.01 §13.3, §13.4 |
//! | `classid` | any | reference; relative to `codebase` | resource |  | HTML 4.01 §13.3 |
//! | `codebase` | any | reference | metadata |  | HTML 4.01 §13.3, §13.4 |
//! | `value` | `param` with `valuetype=ref` | reference | resource |  | HTML 4.01 §13.3.2 |
//! | `style` | any | CSS | resource |  | CSS Syntax 3, CSS Values 4, CSS Cascade 4, CSS Images 4 |
//! | `clip-path` | any | CSS, in SVG | resource |  | SVG 2 §6.6 |
//! | `cursor` | any | CSS, in SVG | resource |  | SVG 2 §6.6 |
//! | `fill` | any | CSS, in SVG | resource |  | SVG 2 §6.6 |
//! | `filter` | any | CSS, in SVG | resource |  | SVG 2 §6.6 |
//! | `marker-start` | any | CSS, in SVG | resource |  | SVG 2 §6.6 |
//! | `marker-mid` | any | CSS, in SVG | resource |  | SVG 2 §6.6 |
//! | `marker-end` | any | CSS, in SVG | resource |  | SVG 2 §6.6 |
//! | `mask` | any | CSS, in SVG | resource |  | SVG 2 §6.6 |
//! | `stroke` | any | CSS, in SVG | resource |  | SVG 2 §6.6 |
//! | `srcdoc` | `iframe` | HTML | see below |  | HTML §4.8.5 |
//! | `background` | any | reference | resource |  | HTML 4.01 §7.5.1 |
//! | `manifest` | any | reference | resource |  | earlier drafts of HTML |
//! | `icon` | any | reference | resource |  | earlier drafts of HTML |
//! | `lowsrc` | any | reference | resource |  | browsers of the 1990s |
//! | `dynsrc` | any | reference | resource |  | browsers of the 1990s |
//! | `action` | any | reference | form |  | HTML §4.10.18.6 |
//! | `formaction` | any | reference | form |  | HTML §4.10.18.6 |
//! | `cite` | any | reference | citation |  | HTML §4.4.4, §4.5.7, §4.7.3 |
//! | `content` | `meta` with `http-equiv=refresh` | seconds and reference | refresh |  | HTML §4.2.5.3 |
//! | `longdesc` | any | reference | hyperlink |  | HTML 4.01 §13.2 |
//! | `usemap` | any | reference | metadata |  | HTML 4.01 §13.6.1 |
//! | `ping` | any | references separated by white space | metadata |  | HTML §4.6.6 |
//! | `profile` | any | references separated by white space | metadata |  | HTML 4.01 §7.4.4.3 |
//! | `data-src` | any | reference | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-srcset` | any | image candidates | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-original` | any | reference | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-lazy-src` | any | reference | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-bg` | any | reference, or CSS with a `url()` | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-url` | any | reference | hyperlink | [`lazy`](Options::lazy) | scripts that load pages late |
//! | `data-href` | any | reference | hyperlink | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-lazy` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-lazy-srcset` | any | image candidates | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-full-src` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-original-set` | any | image candidates | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-bgset` | any | image candidates | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-background` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-background-image` | any | reference, or CSS with a `url()` | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-echo` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-hi-res-src` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-image` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-img` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-poster` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-full` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-large-file` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-medium-file` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-orig-file` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-zoom-image` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-actualsrc` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-fallback-src` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-large_image` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-src-retina` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-lazyload` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-thumb` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-flickity-lazyload` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-cfsrc` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-img-src` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-image-src` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-bg-image` | any | reference, or CSS with a `url()` | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-hires` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-ezsrc` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-ezsrcset` | any | image candidates | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-defer-src` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-original-src` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-pin-media` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-ks-lazyload` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-delayed-url` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `data-litespeed-src` | any | reference with a dot or slash | resource | [`lazy`](Options::lazy) | scripts that load images late |
//! | `itemtype` | any | references separated by white space | metadata | [`items`](Options::items) | HTML §5.2.2 |
//! | `itemid` | any | reference | metadata | [`items`](Options::items) | HTML §5.2.2 |
//!
//! - The text of a `style` element is CSS, too, if its `type` is missing, empty or `text/css`. The attribute of its links is `text`.
//!   The links of CSS are `url()`, `src()`, `@import`, which attributes cannot have, and the strings of `image-set()`; what
//!   `@namespace` names is none. By [`whatwg`](whatwg::Base), their queries are percent-encoded in UTF-8 whatever the page is in (CSS
//!   Values 4 §4.5.4).
//! - The value of `srcdoc` is a page, whose links are reported as those of the `iframe`: their [`inner`](Link::inner) is the element
//!   and attribute in that page, such as `a href`. Its base is that of the page around it, unless it has a `base` element, and its
//!   character encoding is UTF-8 (HTML §4.8.5, §7.4.5). A `srcdoc` in it is not read. These links have no place.
//! - With [`lazy`](Options::lazy), the `content` of a `meta` is a link if its `property` or `name` is a URL of the Open Graph protocol
//!   (`og:`) or of a card of X (`twitter:`), which is then the `rel` of the link: `url` is metadata, `see_also` a hyperlink, and
//!   `image`, `audio`, `video` (also with `:url` or `:secure_url`), `player`, `image:src` and `player:stream` are resources.
//!   So it is with an `itemprop` of schema.org: `image`, `thumbnailUrl`, `contentUrl`, `embedUrl` and `logo` are resources, `url` and
//!   `sameAs` hyperlinks. With the feature `json-ld`, so are these properties in the JSON-LD of a `script`, and `@id`, which is metadata.
//!   Their attribute is `text`, and they have no place. Nor have absolute URLs in quotes in a `javascript:` URL, which are links, too.
//! - `href` and `xlink:href` are hyperlinks, except in SVG, where only those of `a` are hyperlinks and others are resources.
//! - `href` of `link` depends on `rel`. It is a resource if one of the tokens is `stylesheet`, `icon`, `manifest`, `preload`,
//!   `modulepreload`, `prefetch`, `prerender`, `import` or another for something that is fetched with the page. It is metadata
//!   if all tokens are `canonical`, `dns-prefetch`, `preconnect`, `pingback`, `profile`, `schema.…` or others that only name
//!   something, or if there is none. Else it is a hyperlink.
//! - `href` of `base` is not a link.
//! - In CSS, and in `href` and `xlink:href` of SVG except of `a`, a reference that is only a fragment names an element of the page itself,
//!   whatever the base is. In a style sheet that is a file, it is not a link, as the page is not known.
//! - `@import` is a link before all other rules.
//! - `xlink:href` is no link on an element with `href` (SVG 2 §16.1.6).
//! - `codebase` is the base of other attributes on `object` and `applet` only.
//! - The empty reference means the base, and in a form the page itself. It is a link if its kind is form, citation or refresh,
//!   and if it is a hyperlink in `href` or `xlink:href`, except of `link`. Otherwise, for example in `src`, it is not a link, as
//!   in HTML.
//!
//! # How a page is read
//! - The tokens are those of HTML §13.2.5. Of tree construction, only those parts count that change tokens: raw text, SVG and
//!   MathML. Comments, scripts, `textarea`, `title` and other raw text hold no links; `noscript` and `template` do. Of an
//!   attribute given twice, the first counts. Ignored are a `form` in a form, and a `head` element after text or any start
//!   tag but `html`. `image` is `img`.
//! - The base, to which references are relative, is the `href` of the first `base` element that has one, resolved against the
//!   page's own URI. It also counts for links before that element. Without one, or if it is empty, no valid URL, or a `data:` or
//!   `javascript:` URI, the base is the page's own URI (HTML §4.2.3). A `base` in SVG, MathML or a `template` does not count.
//! - The character encoding, an [`encoding_rs::Encoding`], is that of a byte order mark, else the one that the caller knows, else
//!   the one that the first `meta` with a known label declares, wherever it is in the page (HTML §13.2.3.5), else the one that an
//!   XML declaration or what looks like a `meta` in the first 1024 bytes declares, else UTF-8 (HTML §13.2.3.2). If the first MiB of a
//!   page without any of these is not UTF-8, its encoding is guessed from this MiB, as Firefox does.
//! - `javascript:`, `data:`, `mailto:` and the like are links, but not [fetchable](Link::is_fetchable).
//!
//! # How XML is read
//! With [`Options::xml`], a page of XHTML or an SVG image is read by XML 1.0 and Namespaces in XML 1.0 (HTML §14.2):
//! - Elements without content end with their tag, and no text is raw: `<title/>` and `<script src="x"/>` hide no links. CDATA sections
//!   are text; the text of a `style` is CSS without its comments.
//! - Names have case, and namespaces whatever their prefixes: `ns0:href` is `xlink:href` if `ns0` is declared so. The names that are
//!   reported have no prefix. Elements of other namespaces than those of HTML, SVG and MathML have no links but `xlink:href`. Names
//!   without a declaration are those of the root: SVG in `svg`, otherwise HTML.
//! - `<?xml-stylesheet href="x"?>` before the root element is a resource of the element `xml-stylesheet`; a `base` does not count for it.
//! - The named character references are those of HTML, which has all those of XHTML. Entities that the document type of
//!   XML declares itself are replaced in attributes, styles and texts, of at most 4 KiB each and 8 MiB in all; a link with one has no place.
//!   Their markup is text, and defaults of attributes (`<!ATTLIST a href CDATA "x">`) do not count, as without an option of lxml: hardly any
//!   page has either, and a link of one would have no place. `xml:base` does not count, as in HTML and SVG 2.
//! - The character encoding is that of a byte order mark, else the one that the caller knows, else UTF-16 if the first bytes show it,
//!   else that of the XML declaration, else UTF-8. No `meta` counts.
//! - From the first error of well-formedness on, the page is read as HTML, so that no link is lost; after a `&` that starts no
//!   reference, and an attribute that is given twice, it is read on as XML. An error after all links says so once.
//!
//! Any bytes are a page. Nothing is recursive. Time is linear in the length of the page and of the URIs reported. These may be
//! much longer than the page, as each repeats parts of the base: a long `base` and many short links give URIs whose length
//! grows with the product of the two. [`Options::max_uri`] and [`Options::max_total`] limit it.

mod anchor;
mod charset;
#[cfg(feature = "markdown")]
mod heading_texts;
mod kind;
mod limits;
mod link;
mod link_finder;
mod link_receiver;
mod link_resolver;
mod occurrence;
mod offsets;
mod options;
mod page_base;
mod page_sink;
mod page_uri;
mod pages;
mod places;
mod preview;
mod raw_text;
mod read;
mod rendered;
pub(crate) mod style_sheet;
mod tokens;
mod values;

use relref::whatwg;

pub use self::charset::detected::declared_charset;
#[cfg(feature = "markdown")]
pub(crate) use self::charset::detected::guessed;
#[cfg(feature = "feeds")]
pub(crate) use self::charset::detected::xml_charset;
pub use self::charset::labels::charset;
pub use self::charset::query_charset::query_charset;
#[cfg(feature = "markdown")]
pub(crate) use self::heading_texts::heading_texts;
pub use self::kind::Kind;
#[cfg(feature = "check")]
pub(crate) use self::kind::is_fetched;
pub(crate) use self::link::PageFacts;
pub use self::link::{AnyLink, FoundLink, Link, LinkBuf, Rejected};
pub use self::link_receiver::{FoundAttribute, LinkReceiver};
pub(crate) use self::occurrence::{Occurrence, Reading, Syntax, TextKind};
#[cfg(feature = "feeds")]
pub(crate) use self::offsets::page_offset;
pub use self::options::Options;
pub(crate) use self::page_base::OwnedBase;
pub use self::page_base::PageBase;
pub(crate) use self::page_sink::{Locate, PageSink};
pub use self::page_uri::PageUri;
#[cfg(feature = "page")]
pub(crate) use self::pages::FindLinks;
pub use self::pages::Pages;
pub use self::places::Place;
pub(crate) use self::places::Positions;
#[cfg(feature = "check")]
pub(crate) use self::raw_text::place_in;
pub use self::read::ChunkedPage;
#[cfg(any(feature = "feeds", feature = "markdown"))]
pub(crate) use self::read::Transcoder;
pub(crate) use self::rendered::{Delimiters, DestinationForm};
#[cfg(feature = "markdown")]
pub(crate) use self::rendered::{Rendered, SourceMap};
pub(crate) use self::style_sheet::SheetReader;
#[cfg(feature = "page")]
pub(crate) use self::style_sheet::{css_charset, each_css_place};
pub(crate) use self::tokens::character_references::decode_reference;
pub use self::values::field_error::FieldError;
pub(crate) use self::values::fields::each_placed_link;
pub use self::values::fields::{each_field_link, field_links, is_link_field};
pub use self::values::nofollow::field_nofollow;
#[cfg(feature = "wat")]
pub(crate) use self::values::nofollow::has_nofollow;
#[cfg(feature = "feeds")]
pub(crate) use self::values::{
    clean::prefix, references::MAX_HREFLANG_LEN, rel::link_kind, srcset::candidates as srcset_candidates,
};

/// Returns every link of a page, in the order of the page.
///
/// `page` is text or bytes. `uri` is the page's own URI: a text, to resolve as browsers do, or a base with rules of its own, such
/// as `&`[`Base`](relref::Base). A reference that is not a valid URL is no link: see [`Options::rejected`]. The
/// [text](LinkBuf::text) of a link, and the `alt` of an image, have at most their first 1024 bytes, and [places](LinkBuf::place) are known; other options are those of [`Options::default`].
///
/// All links are in memory at once, which for a hostile page takes much more than the page itself. [`Pages`] has one link in memory
/// at a time, and keeps its buffers.
///
/// # Errors
/// `uri` is a text and no absolute URL.
///
/// ```
/// use relref_links::html;
///
/// let page = "<base href='/docs/'>\n<a href=' intro?a=1&amp;b=2 '>start</a><img src=logo.png alt=Logo>";
/// let links = html::links(page, "http://example.com/x/index.html")?;
/// assert_eq!((links[0].element.as_str(), links[0].text.as_str()), ("a", "start"));
/// assert_eq!(links[0].reference, "intro?a=1&b=2");
/// assert_eq!(links[0].place.map(|place| (place.line, place.column)), Some((2, 11)));
/// assert_eq!(links[0].uri, "http://example.com/docs/intro?a=1&b=2");
/// assert_eq!((links[1].uri.as_str(), links[1].text.as_str()), ("http://example.com/docs/logo.png", "Logo"));
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
#[doc(alias = "extract_links")]
#[doc(alias = "find_links")]
pub fn links(page: impl AsRef<[u8]>, uri: impl PageUri) -> Result<Vec<LinkBuf>, whatwg::Error> {
    let base = uri.to_base()?;
    let mut links = Vec::new();
    let each = |link: Link<'_>| links.push(LinkBuf::from(link));
    Pages::with(Options { max_text: LISTED_TEXT_LEN, places: true, ..Options::default() }).links(
        page,
        None,
        base.as_page_base(),
        each,
    );
    Ok(links)
}

/// Returns the title of a page: the text of its first `title` that is HTML and in no `template` (HTML §4.2.2), with runs of white space as
/// one space, and at most its first 1 KiB. `None` without one, or if it is empty. The page is read in the character encoding
/// that it declares, or that is guessed. Where HTTP tells another, and beside the links, [`Options::title`] gives it.
///
/// ```
/// use relref_links::html;
///
/// assert_eq!(html::title("<title>Cats\n&amp; dogs</title><p>no link").as_deref(), Some("Cats & dogs"));
/// assert_eq!(html::title("<svg><title>A drawing</title></svg>"), None);
/// ```
#[must_use]
pub fn title(page: impl AsRef<[u8]>) -> Option<String> {
    let sought = preview::CHARSET | preview::TITLE;
    let title = read::Buffers::default().preview_bytes(page.as_ref(), None, sought).0.title();
    (!title.is_empty()).then_some(title)
}

/// [`Options::max_text`] of the functions that return links without options.
pub(crate) const LISTED_TEXT_LEN: usize = 1 << 10;
