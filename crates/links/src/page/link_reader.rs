//! The reader of the links of pages of any kind.

use std::io::{self, ErrorKind};
use std::mem;

use encoding_rs::{Encoding, UTF_8};
use relref::crawl::Scope;
use relref::{AnyBase, RuleSet};

use super::bytes::{PageBytes, Store};
use super::{Page, PageKind};
use crate::archive::{each_outlink, wat_links, wat_nofollow};
use crate::feeds::{each_feed_part, each_listed_link, each_robots_txt_link, feed_charset};
use crate::html::{
    FindLinks, Link, LinkReceiver, Locate, Options, PageBase, PageFacts, PageSink, Pages, Positions, css_charset,
    each_css_place, each_field_link,
};
#[cfg(feature = "markdown")]
use crate::markdown;

/// A reader of the links of pages of any kind, with options. Use one for many pages: it keeps its buffers. A clone has buffers of its
/// own, for another thread. For all links of few pages, [`Page::links`] is enough.
///
/// ```
/// use relref_links::page::{LinkReader, Page};
///
/// let sitemap = "<urlset><url><loc>/a</loc></url></urlset>";
/// let mut page = Page::new("http://example.com/sitemap.xml", sitemap);
/// LinkReader::default().links(&mut page, |link| Ok(assert_eq!(link.uri, "http://example.com/a")))?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct LinkReader {
    /// The options, and the reader of HTML. With [`robots`](Options::robots), rules in HTTP fields and WAT records count, too.
    pub pages: Pages,
    /// The rules by which [`links`](Self::links) resolves; browsers' rules by default.
    pub rules: RuleSet,
    /// The character encoding of all pages without a byte order mark, instead of that in their heads.
    pub charset: Option<&'static Encoding>,
}

impl Default for LinkReader {
    fn default() -> Self {
        LinkReader { pages: Pages::new(), rules: RuleSet::Whatwg, charset: None }
    }
}

impl LinkReader {
    /// Reports every link of a page to `each`: first those of its HTTP fields, then those of its body, without its codings. These
    /// are removed by the default [`Store`]: for other limits, [decode](Page::decode) the page before.
    ///
    /// # Errors
    /// The error of `each`, which ends the reading. The page has no absolute URI, cannot be [decoded](Page::decode) or read, or, after
    /// all other links, it is damaged.
    pub fn links(&mut self, page: &mut Page, mut each: impl FnMut(Link<'_>) -> io::Result<()>) -> io::Result<()> {
        self.read(page, &mut |link: &Link<'_>| each(*link))
    }

    /// Passes the events of a page to `sink`, as [`links`](Self::links) does.
    pub(crate) fn read(&mut self, page: &mut Page, sink: &mut dyn PageSink) -> io::Result<()> {
        page.decode(&mut Store::default())?;
        if page.kind == PageKind::None && page.fields.is_empty() {
            return Ok(());
        }
        let uri = page.uri.clone();
        let base = AnyBase::new(&uri, self.rules);
        let base = base.map_err(|why| io::Error::new(ErrorKind::InvalidInput, format!("its URI {uri:?}: {why}")))?;
        self.read_decoded(page, (&base).into(), sink)
    }

    /// Does what [`links`](Self::links) does for a page that is [decoded](Page::decode), with a base. Reads any bytes as the page's
    /// kind says: see [`Page::is_binary`]. Links are not copied: they are passed by reference.
    ///
    /// # Errors
    /// As [`links`](Self::links).
    pub fn decoded_links<'b>(
        &mut self,
        page: &mut Page,
        base: impl Into<PageBase<'b>>,
        mut each: impl FnMut(&Link<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.read_decoded(page, base.into(), &mut each)
    }

    /// Passes the events of a page to `sink`, as [`decoded_links`](Self::decoded_links) does.
    pub(crate) fn read_decoded(
        &mut self,
        page: &mut Page,
        base: PageBase<'_>,
        sink: &mut dyn PageSink,
    ) -> io::Result<()> {
        // Browsers ignore an unknown label of an HTTP head, too.
        let charset = self.charset.or_else(|| Encoding::for_label(page.charset.as_deref()?.as_bytes()));
        let max_total = self.pages.options.max_total.min(page.max_links_len()?);
        let nofollow = self.pages.options.robots && has_nofollow(page);
        let Page { kind, ref fields, is_cut_short, ref damage, ref mut bytes, .. } = *page;
        let max_total = mem::replace(&mut self.pages.options.max_total, max_total);
        let damage = damage.clone().map(io::Error::other);
        let seeks_canonical = sink.seeks_canonical();
        let positions = if self.pages.options.places { Positions::Lines } else { sink.positions() };
        let mut find_in_fields = |links: &mut LinkReceiver<'_>| {
            for (name, value) in fields {
                let done =
                    each_field_link(name, value, |link| seeks_canonical && !link.anchor.is_empty() || links.add(link));
                if let Err(why) = done {
                    links.reject_field(name, value, why);
                }
            }
        };
        if matches!(kind, PageKind::Html | PageKind::Xml | PageKind::Markdown | PageKind::Mdx) {
            self.pages.head_nofollow = nofollow;
            let xml = mem::replace(&mut self.pages.options.xml, kind == PageKind::Xml);
            let find: Option<&mut FindLinks<'_>> = if fields.is_empty() { None } else { Some(&mut find_in_fields) };
            let done = match (kind, bytes) {
                #[cfg(feature = "markdown")]
                (PageKind::Markdown | PageKind::Mdx, bytes) => bytes.whole(markdown::MAX_LEN).and_then(|bytes| {
                    markdown::check_memory(&bytes)?;
                    let texts = self.pages.options.max_text > 0;
                    let rendered = markdown::rendered(&bytes, kind == PageKind::Mdx, charset, texts, sink.renderer());
                    self.pages.rendered_links_after(find, rendered, base, sink)
                }),
                (_, PageBytes::Memory(bytes)) => self.pages.links_after(find, bytes, charset, base, sink),
                (_, PageBytes::File(file)) => self.pages.file_links_after(find, file, charset, base, sink),
            };
            self.pages.head_nofollow = false;
            (self.pages.options.max_total, self.pages.options.xml) = (max_total, xml);
            let done = done.or_else(|error| match error.kind() {
                // Its elements do not end.
                ErrorKind::InvalidData if is_cut_short && kind == PageKind::Xml => Ok(()),
                _ => Err(error),
            });
            return done.and(damage.map_or(Ok(()), Err));
        }
        let charset_of_all = match kind {
            PageKind::Feed => Some(feed_charset(&bytes.start()?, charset)),
            PageKind::Css => Some(css_charset(&bytes.start()?, charset).0),
            PageKind::Robots | PageKind::UrlList => Some(UTF_8),
            _ => None,
        };
        let facts = PageFacts { title: "", charset: charset_of_all, nofollow };
        let mut damage_of_body = None;
        let find = |links: &mut LinkReceiver<'_>| {
            find_in_fields(links);
            damage_of_body = add_links((kind, is_cut_short), bytes, charset, positions, links).err();
        };
        let done = self.pages.find_links(facts, base, find, sink);
        self.pages.options.max_total = max_total;
        done.and(damage_of_body.or(damage).map_or(Ok(()), Err))
    }

    /// Returns the canonical link of a page that is [decoded](Page::decode) (RFC 6596): the URI, without fragment, of the first `Link`
    /// field or `link` element that has the relation `canonical` and an `http` or `https` URI with a host. It is found and resolved as
    /// the links of the page are, but not in a `template`, SVG or MathML, nor with an `anchor`. `None` if there is none, or the page cannot
    /// be read.
    ///
    /// Cost: that of the links up to this one; of all, if there is none. The page can be read again afterwards. The option
    /// [`max_tag`](Options::max_tag) does not count.
    ///
    /// ```
    /// use relref::{AnyBase, RuleSet};
    /// use relref_links::page::{LinkReader, Page};
    ///
    /// let uri = "http://example.com/a?session=1";
    /// let mut page = Page::from_response(uri, [("Content-Type", "text/html")], "<link rel=Canonical href=/a#top><a href=b>");
    /// let canonical = LinkReader::default().canonical_link(&mut page, &AnyBase::new(uri, RuleSet::Whatwg)?);
    /// assert_eq!(canonical.as_deref(), Some("http://example.com/a"));
    /// # Ok::<(), relref::BaseError>(())
    /// ```
    pub fn canonical_link<'b>(&mut self, page: &mut Page, base: impl Into<PageBase<'b>>) -> Option<String> {
        let Options { max_uri, max_total, legacy_queries, .. } = self.pages.options;
        let for_canonical = Options { fetchable: true, max_uri, max_total, legacy_queries, ..Options::default() };
        let options = mem::replace(&mut self.pages.options, for_canonical);
        let mut sink = Canonical { scope: Scope::new().schemes(["http", "https"]), uri: None };
        // A problem of the page is found again when its links are read.
        let _ = self.read_decoded(page, base.into(), &mut sink);
        self.pages.options = options;
        sink.uri
    }
}

/// Adds the links of a page that is no HTML, Markdown or XML of pages. `is_cut_short` tells that its end is missing.
fn add_links(
    (kind, is_cut_short): (PageKind, bool),
    bytes: &mut PageBytes,
    charset: Option<&'static Encoding>,
    positions: Positions,
    links: &mut LinkReceiver<'_>,
) -> io::Result<()> {
    match (kind, bytes) {
        (PageKind::Wat, PageBytes::Memory(json)) => wat_links(json, links),
        (PageKind::Outlinks, PageBytes::Memory(fields)) => {
            each_outlink(fields, |link| links.add(link));
            Ok(())
        }
        (PageKind::Wat | PageKind::Outlinks, PageBytes::File(_)) => {
            Err(io::Error::other("its metadata is not in memory"))
        }
        (PageKind::Robots, bytes) => each_robots_txt_link(bytes.reader(), |link| links.add(link)),
        (PageKind::UrlList, bytes) => each_listed_link(bytes.reader(), |link| links.add(link)),
        (PageKind::Css, bytes) => {
            each_css_place(bytes.reader(), charset, positions, |link, located| links.add_located(link, located))
        }
        (PageKind::Feed, bytes) => match each_feed_part(bytes.reader(), charset, |part| part.add_to(links)) {
            Err(error) if is_cut_short && error.kind() == ErrorKind::UnexpectedEof => Ok(()),
            done => done,
        },
        _ => Ok(()),
    }
}

/// The canonical link of a page, once it is received.
struct Canonical {
    scope: Scope,
    uri: Option<String>,
}

impl PageSink for Canonical {
    fn seeks_canonical(&self) -> bool {
        true
    }

    fn link(&mut self, link: &Link<'_>, _: &mut Locate<'_, '_>) -> io::Result<()> {
        let may_be = link.element == "link" || link.element == "http" && link.attribute == "link";
        let is_canonical = may_be && link.inner.is_empty() && link.has_rel("canonical") && link.rejected.is_none();
        if is_canonical && self.scope.check(link.uri, "").is_ok() {
            self.uri = link.uri.split('#').next().map(str::to_owned);
            return Err(ErrorKind::Interrupted.into());
        }
        Ok(())
    }
}

/// Reports whether robots should follow none of the links of a page, as far as its head says so, or a WAT record.
fn has_nofollow(page: &Page) -> bool {
    page.nofollow || matches!(&page.bytes, PageBytes::Memory(json) if page.kind == PageKind::Wat && wat_nofollow(json))
}
