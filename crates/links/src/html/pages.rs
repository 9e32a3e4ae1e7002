//! The reader of pages, as it is called.

use std::io::{self, Read, Seek};
use std::ops::ControlFlow;

use encoding_rs::{Encoding, UTF_8};
use relref::whatwg;

use super::link::{Link, LinkBuf, PageFacts};
use super::link_receiver::LinkReceiver;
use super::link_resolver::LinkResolver;
use super::options::Options;
use super::page_base::PageBase;
use super::page_sink::{PageSink, until_break_off};
use super::page_uri::PageUri;
use super::places::Positions;
use super::preview::{self, Preview};
use super::read::{Buffers, ChunkedPage, MAX_TAG_LEN};
use super::rendered::Rendered;

/// A reader of pages, which reports their links. Use one for many pages: it keeps its buffers from page to page,
/// except that for the text of a page in memory that is decoded as a whole.
///
/// ```
/// use relref_links::html::{Kind, Pages};
/// use relref::whatwg::Base;
///
/// let page = b"<a href=intro rel=next>go on</a><img src=a.png srcset='a.png, b.png 2x'>";
/// let base = Base::new("http://example.com/docs/")?;
/// let mut found = Vec::new();
/// Pages::new().links(page, None, &base, |link| {
///     found.push((link.kind, link.attribute.to_string(), link.uri.to_string()));
/// });
/// assert_eq!(found[0], (Kind::Hyperlink, "href".into(), "http://example.com/docs/intro".into()));
/// assert_eq!(found[1], (Kind::Resource, "src".into(), "http://example.com/docs/a.png".into()));
/// assert_eq!(found[3], (Kind::Resource, "srcset".into(), "http://example.com/docs/b.png".into()));
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
#[derive(Default)]
pub struct Pages {
    /// The options. They may change from page to page.
    pub options: Options,
    /// True if it is known, before the page is read, that robots should follow none of its links.
    pub(crate) head_nofollow: bool,
    pub(super) buffers: Buffers,
}

impl Pages {
    /// The length in bytes of the longest tag, text of a `style` element and text of JSON-LD that is read in chunks.
    pub const MAX_TAG_LEN: usize = MAX_TAG_LEN;

    /// Returns a reader of pages with all options off and no limits: links have no places and no texts, which those of
    /// [`html::links`](super::links) have. [`with`](Self::with) takes options.
    #[must_use]
    pub fn new() -> Self {
        Pages::default()
    }

    /// Returns a reader of pages with these options.
    #[must_use]
    pub fn with(options: Options) -> Self {
        Pages { options, ..Pages::default() }
    }

    /// Reports every link of a page to `each`, in the order of the page.
    ///
    /// `charset` is the page's character encoding if the caller knows it, for example from an HTTP head (see
    /// [`charset()`](super::charset())). `base` is the page's own URI: a `&`[`whatwg::Base`], to resolve as
    /// browsers do, or a `&`[`Base`](relref::Base), to resolve by its rule set.
    ///
    /// Cost: a search of the bytes for `base` and `meta` elements, a pass up to those that it finds, and a pass for the links. With
    /// warm buffers nothing is allocated for a link, except for one with `hreflang`, `media`, a `codebase`, a CSS escape, a query to encode, bytes that are
    /// no characters, or characters beyond US-ASCII in a page that is not UTF-8. A page in UTF-16 or ISO-2022-JP is first decoded as
    /// a whole; any other is read as its bytes are.
    pub fn links<'b>(
        &mut self,
        page: impl AsRef<[u8]>,
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
        mut each: impl FnMut(Link<'_>),
    ) {
        let each = |link: Link<'_>| {
            each(link);
            ControlFlow::<()>::Continue(())
        };
        let _ = self.try_links(page, charset, base, each);
    }

    /// Like [`links`](Pages::links) until `each` breaks off; returns what it broke off with. The rest of the page is not read.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use relref::whatwg::Base;
    /// use relref_links::html::Pages;
    ///
    /// let page = b"<link rel=icon href=i><link rel=canonical href=/c><a href=d>";
    /// let canonical = Pages::new().try_links(page, None, &Base::new("http://h/a")?, |link| match link.rel {
    ///     "canonical" => ControlFlow::Break(String::from(link.uri)),
    ///     _ => ControlFlow::Continue(()),
    /// });
    /// assert_eq!(canonical.break_value().as_deref(), Some("http://h/c"));
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    pub fn try_links<'b, B>(
        &mut self,
        page: impl AsRef<[u8]>,
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
        each: impl FnMut(Link<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        until_break_off(each, |sink| {
            // The only error is that of `each`.
            let _ = self.links_after(None, page.as_ref(), charset, base.into(), sink);
        })
    }

    /// Reports the links that `find` finds in the head of a page, if it is given, and then those of the page. All have the same facts
    /// about the page.
    pub(crate) fn links_after(
        &mut self,
        find: Option<&mut FindLinks<'_>>,
        page: &[u8],
        charset: Option<&'static Encoding>,
        base: PageBase<'_>,
        sink: &mut dyn PageSink,
    ) -> io::Result<()> {
        self.buffers.set_xml(self.options.xml);
        let (mut preview, text) = self.buffers.preview_bytes(page, charset, preview::sought(&self.options));
        self.end_preview(&mut preview, find, base, sink)?;
        self.buffers.links_of_bytes(&self.options, page, &text, preview, base, sink)
    }

    /// Does what [`links_after`](Self::links_after) does for a file.
    pub(crate) fn file_links_after<R: Read + Seek>(
        &mut self,
        find: Option<&mut FindLinks<'_>>,
        mut page: R,
        charset: Option<&'static Encoding>,
        base: PageBase<'_>,
        sink: &mut dyn PageSink,
    ) -> io::Result<()> {
        self.buffers.set_xml(self.options.xml);
        let mut preview =
            self.buffers.preview_stream(self.options.max_tag, &mut page, charset, preview::sought(&self.options))?;
        self.end_preview(&mut preview, find, base, sink)?;
        self.chunked(base).previewed(preview, sink.positions()).add_all(&mut page, sink)
    }

    /// Does what [`links_after`](Self::links_after) does for a page in another markup, in the HTML that it is rendered to.
    #[cfg_attr(not(feature = "markdown"), allow(dead_code))]
    pub(crate) fn rendered_links_after(
        &mut self,
        find: Option<&mut FindLinks<'_>>,
        rendered: Rendered,
        base: PageBase<'_>,
        sink: &mut dyn PageSink,
    ) -> io::Result<()> {
        self.buffers.set_xml(false);
        let sought = preview::sought(&self.options);
        let mut preview = self.buffers.preview_bytes(&rendered.html, Some(UTF_8), sought).0;
        self.end_preview(&mut preview, find, base, sink)?;
        self.buffers.links_of_rendered(&self.options, rendered, preview, base, sink)
    }

    fn end_preview(
        &mut self,
        preview: &mut Preview,
        find: Option<&mut FindLinks<'_>>,
        base: PageBase<'_>,
        sink: &mut dyn PageSink,
    ) -> io::Result<()> {
        preview.nofollow |= self.head_nofollow;
        preview.end();
        let Some(find) = find else { return Ok(()) };
        let title = preview.title();
        self.find_links(
            PageFacts { title: &title, charset: Some(preview.charset), nofollow: preview.nofollow },
            base,
            find,
            sink,
        )
    }

    /// Reports the links that `find` finds, with these facts about their page.
    pub(crate) fn find_links(
        &mut self,
        page: PageFacts<'_>,
        base: PageBase<'_>,
        find: impl FnOnce(&mut LinkReceiver<'_>),
        sink: &mut dyn PageSink,
    ) -> io::Result<()> {
        self.buffers.clear();
        let links = LinkResolver::new(&self.options, &mut self.buffers.links, base, page, sink);
        let mut receiver = LinkReceiver::new(links);
        find(&mut receiver);
        let done = receiver.finish();
        self.buffers.links.clear();
        done
    }

    /// Starts a page that comes in chunks, such as the body of a response. [`ChunkedPage::push`] takes the chunks.
    ///
    /// ```
    /// use relref::whatwg::Base;
    /// use relref_links::html::Pages;
    ///
    /// let (base, mut uris) = (Base::new("http://example.com/docs/")?, Vec::new());
    /// let mut pages = Pages::new();
    /// let mut page = pages.start(&base);
    /// for chunk in ["<base href=/ab", "c/><a hr", "ef=x>x</a><img src=y>"] {
    ///     page.push(chunk, |link| uris.push(link.uri.to_string()));
    /// }
    /// page.finish(|link| uris.push(link.uri.to_string()))?;
    /// assert_eq!(uris, ["http://example.com/abc/x", "http://example.com/abc/y"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start<'p>(&'p mut self, base: impl Into<PageBase<'p>>) -> ChunkedPage<'p> {
        self.buffers.clear();
        self.buffers.set_xml(self.options.xml);
        self.chunked(base.into())
    }

    /// Goes on with the page that [`start`](Pages::start) started last, for a caller that does not keep a [`ChunkedPage`] between two chunks, as
    /// it borrows. `base` and the options must be the same. Nothing else may be read by these `Pages` meanwhile: then, and after
    /// [`ChunkedPage::finish`], this is the start of another page.
    ///
    /// ```
    /// use relref::whatwg::Base;
    /// use relref_links::html::Pages;
    ///
    /// let (base, mut pages, mut uris) = (Base::new("http://h/")?, Pages::new(), Vec::new());
    /// pages.start(&base).push("<base href=/a/><a hr", |_| {});
    /// pages.resume(&base).push("ef=x>", |link| uris.push(link.uri.to_owned()));
    /// pages.resume(&base).finish(|link| uris.push(link.uri.to_owned()))?;
    /// assert_eq!(uris, ["http://h/a/x"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume<'p>(&'p mut self, base: impl Into<PageBase<'p>>) -> ChunkedPage<'p> {
        self.chunked(base.into())
    }

    /// Starts a page that is rewritten, whose facts are found first. Its byte order mark, whose length is returned, is not pushed: the position is after it.
    pub(crate) fn start_file<'p, R: Read + Seek>(
        &'p mut self,
        page: &mut R,
        charset: Option<&'static Encoding>,
        base: PageBase<'p>,
        positions: Positions,
    ) -> io::Result<(ChunkedPage<'p>, usize)> {
        self.buffers.set_xml(self.options.xml);
        let mut preview =
            self.buffers.preview_stream(self.options.max_tag, page, charset, preview::sought(&self.options))?;
        preview.end();
        let bom_len = preview.bom_len;
        Ok((self.chunked(base).previewed(preview, positions), bom_len))
    }

    fn chunked<'p>(&'p mut self, own_base: PageBase<'p>) -> ChunkedPage<'p> {
        ChunkedPage::new(&self.options, &mut self.buffers, self.head_nofollow, own_base)
    }

    /// Reports every link of a page that is read to its end to `each`, in the order of the page, as [`ChunkedPage`] does: while the page
    /// comes, unless [`Options::late_base`] is on.
    ///
    /// # Errors
    /// Those of `page` and those of `each`, which end the reading, and those of [`ChunkedPage::finish`].
    ///
    /// ```
    /// use relref::whatwg::Base;
    /// use relref_links::html::Pages;
    ///
    /// let base = Base::new("http://h/a").unwrap();
    /// let page = &b"\xFF\xFE<\0a\0 \0h\0r\0e\0f\0=\0x\0>\0"[..];
    /// let mut uris = Vec::new();
    /// Pages::new().links_from(page, None, &base, |link| Ok(uris.push(link.uri.to_string())))?;
    /// assert_eq!(uris, ["http://h/x"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn links_from<'b>(
        &mut self,
        mut page: impl Read,
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
        mut each: impl FnMut(Link<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let base: PageBase<'b> = base.into();
        self.start(base).charset(charset).add_all(&mut page, &mut |link: &Link<'_>| each(*link))
    }

    /// Like [`links_from`](Pages::links_from) for a file, from its position on: nothing waits in memory, and a `base` and a
    /// character encoding count wherever they are declared, and so does a [title](Options::title). For that, the bytes are first searched for
    /// `base`, `meta` and `title` elements.
    ///
    /// # Errors
    /// Those of [`links_from`](Pages::links_from), except for what is declared late.
    pub fn links_from_file<'b, R: Read + Seek>(
        &mut self,
        page: R,
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
        mut each: impl FnMut(Link<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.file_links_after(None, page, charset, base.into(), &mut |link: &Link<'_>| each(*link))
    }

    /// Reports the links that `find` finds, for example in HTTP fields or a feed, to `each`. The filters and limits are those of
    /// pages. Returns what `each` breaks off with.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use relref_links::html::{Pages, each_field_link};
    /// use relref::whatwg::Base;
    ///
    /// let base = Base::new("http://example.com/a/b")?;
    /// let mut uris = Vec::new();
    /// let find = |links: &mut relref_links::html::LinkReceiver<'_>| {
    ///     let _ = each_field_link("Link", "<c?page=2>; rel=next, </style.css>; rel=stylesheet", |link| links.add(link));
    /// };
    /// let _ = Pages::new().found_links(&base, find, |link| {
    ///     uris.push(format!("{} {} {}", link.attribute, link.rel, link.uri));
    ///     ControlFlow::<()>::Continue(())
    /// });
    /// assert_eq!(uris, ["link next http://example.com/a/c?page=2", "link stylesheet http://example.com/style.css"]);
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    pub fn found_links<'b, B>(
        &mut self,
        base: impl Into<PageBase<'b>>,
        find: impl FnOnce(&mut LinkReceiver<'_>),
        each: impl FnMut(Link<'_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        until_break_off(each, |sink| {
            // The only error is that of `each`.
            let _ = self.find_links(PageFacts::default(), base.into(), find, sink);
        })
    }
}

/// Returns the links that `find` finds, relative to `uri`.
pub(super) fn listed_links(
    uri: impl PageUri,
    find: impl FnOnce(&mut LinkReceiver<'_>),
) -> Result<Vec<LinkBuf>, whatwg::Error> {
    let mut links = Vec::new();
    let mut pages = Pages::with(Options { places: true, ..Options::default() });
    let _ = pages.found_links(uri.to_base()?.as_page_base(), find, |link| {
        links.push(LinkBuf::from(link));
        ControlFlow::<()>::Continue(())
    });
    Ok(links)
}

/// Finds links outside of a page, such as those in its HTTP fields.
pub(crate) type FindLinks<'f> = dyn FnMut(&mut LinkReceiver<'_>) + 'f;

/// A clone has the options, and buffers of its own.
impl Clone for Pages {
    fn clone(&self) -> Self {
        Pages { options: self.options.clone(), head_nofollow: self.head_nofollow, buffers: Buffers::default() }
    }
}

debug_fields!([] Pages: options);
