//! The rewriter, as it is called.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom, Write};

use encoding_rs::Encoding;
#[cfg(feature = "markdown")]
use relref::UriRef;

use super::choose::Choose;
use super::session::{EachEdit, Edit, NewTexts, Session, is_xml};
use super::splicer::Splicer;
use super::totals::Totals;
use crate::html::{ChunkedPage, Link, LinkReceiver, Options, PageBase, PageFacts, Pages, SheetReader};
#[cfg(feature = "markdown")]
use crate::markdown::{is_mdx, rendered};
use crate::utf8_reader::read_some;

/// A rewriter of pages and style sheets: each reference is replaced by the one that `C` chooses, and no other byte changes.
///
/// Use one for many pages: it keeps its buffers, and counts what it did.
pub struct Rewriter<'e, C> {
    /// The chooser of the references.
    pub choose: C,
    /// The numbers of references in all pages so far.
    pub totals: Totals,
    pub(super) pages: Pages,
    pub(super) each_edit: Option<EachEdit<'e>>,
}

impl<F: FnMut(&Link<'_>) -> Option<String>> Rewriter<'_, F> {
    /// Returns a rewriter of all links that [`Pages`] finds without options: `choose` returns the new reference of a link, or `None` if
    /// it stays. [`Rewriter::from`] takes a [`Mapping`](super::Mapping) or another chooser.
    ///
    /// ```
    /// use relref::whatwg::Base;
    /// use relref_links::rewrite::Rewriter;
    ///
    /// let mut rewriter = Rewriter::new(|link| link.uri.strip_prefix("http:").map(|rest| format!("https:{rest}")));
    /// let page = rewriter.html("<a href=b>", None, &Base::new("http://h/a/")?).into_owned();
    /// assert_eq!(page, b"<a href=https://h/a/b>");
    /// # Ok::<(), relref::whatwg::Error>(())
    /// ```
    // Only where the bound is that of a function does the compiler find out the types of a closure.
    #[must_use]
    pub fn new(choose: F) -> Self {
        Self::from(choose)
    }
}

/// A rewriter of all links that [`Pages`] finds without options.
impl<C: Choose> From<C> for Rewriter<'_, C> {
    fn from(choose: C) -> Self {
        Rewriter { choose, totals: Totals::default(), pages: Pages::new(), each_edit: None }.options(Options::default())
    }
}

impl<'e, C: Choose> Rewriter<'e, C> {
    /// Sets the options by which links are found. Of them, those for kinds, schemes, texts and titles do not count. References whose
    /// URIs exceed the limits are left.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.pages.options =
            Options { kinds: Vec::new(), fetchable: false, max_text: 0, title: false, places: false, ..options };
        self
    }

    /// Sets the length in bytes that the URIs of the next pages, and the bases that they are found from, may have together for each
    /// page: see [`Options::max_total`].
    pub fn set_max_total(&mut self, max_total: u64) {
        self.pages.options.max_total = max_total;
    }

    /// Passes each edit to `each`, in the order of the page.
    #[must_use]
    pub fn each_edit(mut self, each: impl FnMut(Edit<'_>) + Send + 'e) -> Self {
        self.each_edit = Some(Box::new(each));
        self
    }

    /// Returns the reader of pages, and the receiver of the links of a page, which starts with `page`.
    pub(super) fn session<'s, W: Write>(
        &'s mut self,
        page: Cow<'s, [u8]>,
        out: W,
    ) -> (&'s mut Pages, PageSession<'s, 'e, C, W>) {
        let texts = Splicer::new(page, out, self.each_edit.as_mut());
        let remaining = self.pages.options.max_total;
        let mut session = Session::new(&mut self.choose, &mut self.totals, texts, remaining);
        session.is_xml = self.pages.options.xml;
        (&mut self.pages, session)
    }

    /// Returns a page with other references. `charset` and `base` are as [`Pages::links`] takes them. The character encoding of a page that
    /// declares none is guessed from all its bytes: where references have most of those that are not US-ASCII, another may be guessed of
    /// the new page.
    pub fn html<'p, 'b>(
        &mut self,
        page: &'p (impl AsRef<[u8]> + ?Sized),
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
    ) -> Cow<'p, [u8]> {
        let page = page.as_ref();
        let mut out = Vec::with_capacity(page.len() + page.len() / 4);
        // A vector takes all.
        match self.html_to(page, charset, base.into(), &mut out) {
            Ok((true, _)) => Cow::Owned(out),
            _ => Cow::Borrowed(page),
        }
    }

    /// Writes a page with other references. Returns `false`, and writes nothing, if it stays as it is; and the first error of a page
    /// that is XML.
    ///
    /// # Errors
    /// Those of `out`.
    pub(super) fn html_to(
        &mut self,
        page: &[u8],
        charset: Option<&'static Encoding>,
        base: PageBase<'_>,
        out: &mut dyn Write,
    ) -> io::Result<(bool, io::Result<()>)> {
        let (pages, mut session) = self.session(Cow::Borrowed(page), out);
        session.is_xml |= is_xml(page);
        let read = pages.links_after(None, page, charset, base, &mut session);
        Ok((session.finish()?, read))
    }

    /// Returns a Markdown page with other references. `charset` and `base` are as [`Pages::links`] takes them; without a byte order mark
    /// and a charset, the page is UTF-8. It is MDX if the name in its base ends with `.mdx`.
    ///
    /// ```
    /// use relref::whatwg::Base;
    /// use relref_links::rewrite::{Mapping, Mode, Rewriter};
    ///
    /// let page = "[a](b.md \"c\") ![](<my d.png>)\n\n[e]: ../f.md\n";
    /// let base = Base::new("http://h/docs/README.md")?;
    /// let new = Rewriter::from(Mapping::new(Mode::Absolute)).markdown(page, None, &base).into_owned();
    /// let expected = "[a](http://h/docs/b.md \"c\") ![](<http://h/docs/my%20d.png>)\n\n[e]: http://h/f.md\n";
    /// assert_eq!(String::from_utf8(new)?, expected);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "markdown")]
    pub fn markdown<'p, 'b>(
        &mut self,
        page: &'p (impl AsRef<[u8]> + ?Sized),
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
    ) -> Cow<'p, [u8]> {
        let (page, base) = (page.as_ref(), base.into());
        let mut out = Vec::with_capacity(page.len() + page.len() / 4);
        match self.markdown_to(page, is_mdx(UriRef::new(base.as_str()).path()), charset, base, &mut out) {
            Ok(true) => Cow::Owned(out),
            _ => Cow::Borrowed(page),
        }
    }

    /// Writes a page as [`html_to`](Self::html_to) does.
    #[cfg(feature = "markdown")]
    pub(super) fn markdown_to(
        &mut self,
        page: &[u8],
        is_mdx: bool,
        charset: Option<&'static Encoding>,
        base: PageBase<'_>,
        out: &mut dyn Write,
    ) -> io::Result<bool> {
        let (pages, mut session) = self.session(Cow::Borrowed(page), out);
        let rendered = rendered(page, is_mdx, charset, false, None);
        let _ = pages.rendered_links_after(None, rendered, base, &mut session);
        session.finish()
    }

    /// Writes a page that is read to its end, with other references, to `out`. Memory does not grow with the page: see
    /// [`ChunkedPage`].
    ///
    /// # Errors
    /// Those of `page` and `out`. [`InvalidData`](io::ErrorKind::InvalidData), after all is written, as [`ChunkedPage::finish`]:
    /// references that were not found are as before, and a late `base` or character encoding was ignored.
    pub fn html_from<'b>(
        &mut self,
        mut page: impl Read,
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
        out: impl Write,
    ) -> io::Result<()> {
        let base: PageBase<'b> = base.into();
        self.start(base, out).charset(charset).push_all(&mut page)
    }

    /// Like [`html_from`](Rewriter::html_from) for a file, from its position on: a `base` and a character encoding count wherever
    /// they are declared.
    ///
    /// # Errors
    /// Those of [`html_from`](Rewriter::html_from), except for what is declared late.
    pub fn html_from_file<'b>(
        &mut self,
        mut page: impl Read + Seek,
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
        out: impl Write,
    ) -> io::Result<()> {
        let base: PageBase<'b> = base.into();
        let start = page.stream_position()?;
        let (pages, mut session) = self.session(Cow::default(), out);
        let (reader, bom_len) = pages.start_file(&mut page, charset, base, session.texts.positions())?;
        let mut mark = Vec::new();
        page.seek(SeekFrom::Start(start))?;
        (&mut page).take(bom_len as u64).read_to_end(&mut mark)?;
        session.texts.push(&mark);
        RewrittenPage { page: reader, session }.push_all(&mut page)
    }

    /// Starts a page that comes in chunks, and is written to `out`.
    pub fn start<'r, W: Write>(&'r mut self, base: impl Into<PageBase<'r>>, out: W) -> RewrittenPage<'r, 'e, C, W> {
        let (pages, session) = self.session(Cow::default(), out);
        RewrittenPage { page: pages.start(base), session }
    }

    /// Writes a style sheet that is read to its end, with other references, to `out`. Memory does not grow with it. `charset` is as
    /// [`css::each_link`](crate::css::each_link) takes it, and `base` is the sheet's own URI.
    ///
    /// # Errors
    /// Those of `sheet` and `out`. [`InvalidData`](io::ErrorKind::InvalidData), after all is written, if a string or URL of more
    /// than 8 MiB was left.
    pub fn css_from<'b>(
        &mut self,
        sheet: impl Read,
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
        out: impl Write,
    ) -> io::Result<()> {
        let (pages, session) = self.session(Cow::default(), out);
        let mut reader = SheetReader::new(sheet, charset, session.texts.positions())?;
        let facts = PageFacts { charset: Some(reader.charset), ..PageFacts::default() };
        let session = RefCell::new(session);
        let mut done = Ok(());
        let find = |links: &mut LinkReceiver<'_>| {
            done = loop {
                session.borrow_mut().texts.push(&reader.chunk);
                reader.scan(&mut |link, located| links.add_located(link, located));
                let written = session.borrow_mut().write_to(reader.read_len());
                match written.and_then(|()| reader.read_chunk()) {
                    Ok(true) => {}
                    Ok(false) => break reader.finish(),
                    Err(error) => break Err(error),
                }
            };
        };
        // The only error is that of the output.
        let _ = pages.find_links(facts, base.into(), find, &mut &session);
        done
    }
}

/// The receiver of the links of a page that is written to `W`.
pub(super) type PageSession<'s, 'e, C, W> = Session<'s, C, Splicer<'s, 'e, W>>;

/// The length in bytes of the chunks in which a page is read.
const CHUNK_LEN: usize = 1 << 16;

debug_fields!([C: std::fmt::Debug] Rewriter<'_, C>: choose totals pages);

/// A page that comes in chunks and is rewritten, from [`Rewriter::start`].
pub struct RewrittenPage<'r, 'e, C, W> {
    page: ChunkedPage<'r>,
    session: PageSession<'r, 'e, C, W>,
}

impl<C: Choose, W: Write> RewrittenPage<'_, '_, C, W> {
    /// Sets the page's character encoding, as [`ChunkedPage::charset`].
    #[must_use]
    pub fn charset(mut self, charset: Option<&'static Encoding>) -> Self {
        self.page = self.page.charset(charset);
        self
    }

    /// Returns the writer. An asynchronous caller takes what a `Vec` has after each chunk:
    ///
    /// ```
    /// use relref::whatwg::Base;
    /// use relref_links::rewrite::{Mapping, Mode, Rewriter};
    ///
    /// let (base, mut sent) = (Base::new("http://h/a/")?, Vec::new());
    /// let mut rewriter = Rewriter::from(Mapping::new(Mode::Absolute));
    /// let mut page = rewriter.start(&base, Vec::new());
    /// for chunk in ["<body><a hre", "f=b>x</a>", &" ".repeat(2000)] {
    ///     page.push(chunk)?;
    ///     sent.append(page.get_mut()); // for example `stream.write_all(page.get_mut()).await`
    /// }
    /// assert!(sent.starts_with(b"<body><a href=http://h/a/b>x</a>"));
    /// page.finish()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.session.texts.out
    }

    /// Takes the next bytes of the page, of any number, and writes what is settled: see [`ChunkedPage`].
    ///
    /// # Errors
    /// Those of the writer.
    pub fn push(&mut self, chunk: impl AsRef<[u8]>) -> io::Result<()> {
        let chunk = chunk.as_ref();
        let session = &mut self.session;
        session.texts.push(chunk);
        if let Some(start) = session.texts.start() {
            session.is_xml |= is_xml(start);
        }
        self.page.push_to(chunk, session);
        session.write_to(self.page.read_len())
    }

    fn push_all(mut self, page: &mut impl Read) -> io::Result<()> {
        let mut chunk = vec![0; CHUNK_LEN];
        loop {
            match read_some(page, &mut chunk)? {
                0 => return self.finish(),
                len => self.push(&chunk[..len])?,
            }
        }
    }

    /// Ends the page, and writes the rest of it.
    ///
    /// # Errors
    /// Those of the writer, and those of [`ChunkedPage::finish`], after all is written.
    pub fn finish(mut self) -> io::Result<()> {
        let session = &mut self.session;
        let done = self.page.finish_to(session);
        session.write_to(u64::MAX)?;
        done
    }
}

debug_fields!([C, W] RewrittenPage<'_, '_, C, W>: page);
