//! Files of any kind with other references.

#[cfg(feature = "check")]
use std::ffi::OsStr;
#[cfg(feature = "check")]
use std::io::BufWriter;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem;
use std::path::Path;

use encoding_rs::Encoding;

use super::choose::Choose;
use super::rewriter::Rewriter;
use crate::archive::sniff::{compression, is_mhtml, is_svg, read_start};
#[cfg(feature = "check")]
use crate::files::HeldFolder;
use crate::html::PageBase;
#[cfg(feature = "check")]
use crate::markdown::Renderer;
#[cfg(feature = "markdown")]
use crate::markdown::{MAX_LEN, check_memory};
use crate::page::{FileKind, PageKind, other_kind};

/// The length in bytes of the longest page that is held in memory.
const IN_MEMORY: u64 = 8 << 20;

/// The content of a file of a site, as [`Rewriter::file`] reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Content {
    /// An HTML page.
    Html,
    /// A page of XHTML or an SVG image.
    Xml,
    /// A style sheet.
    Css,
    /// Markdown.
    #[cfg(feature = "markdown")]
    Markdown,
    /// MDX.
    #[cfg(feature = "markdown")]
    Mdx,
    /// A sitemap or feed.
    Feed,
    /// A `robots.txt`, whose `Sitemap` lines are rewritten.
    Robots,
    /// Compressed bytes, which are not rewritten.
    Compressed,
    /// Anything else, which is not rewritten.
    Other,
}

impl Content {
    /// Returns what a file holds, by its first bytes and its name. If `is_page` is true, it is a page unless they show that it is
    /// something else. The file is then at its start.
    ///
    /// # Errors
    /// Those of the file.
    pub fn of_file(mut file: impl Read + Seek, path: &Path, uri: &str, is_page: bool) -> io::Result<Self> {
        file.rewind()?;
        let mut start = Vec::new();
        read_start(&mut file, &mut start)?;
        file.rewind()?;
        let named = FileKind::of(path);
        let is_other = other_kind(&start).is_some() || is_mhtml(&start) || named == FileKind::Archive;
        Ok(match PageKind::of_file(&start, uri, path) {
            _ if compression(&start).is_some() => Content::Compressed,
            _ if is_other => Content::Other,
            #[cfg(feature = "markdown")]
            PageKind::Markdown => Content::Markdown,
            #[cfg(feature = "markdown")]
            PageKind::Mdx => Content::Mdx,
            PageKind::Feed => Content::Feed,
            PageKind::Robots => Content::Robots,
            PageKind::Html if named != FileKind::Other => Content::Html,
            PageKind::Xml if named != FileKind::Other || is_svg(&start) => Content::Xml,
            PageKind::Css if named != FileKind::Other => Content::Css,
            PageKind::None if named == FileKind::Css => Content::Css,
            PageKind::None if named == FileKind::Page || is_page => Content::Html,
            _ => Content::Other,
        })
    }

    /// Markdown is MDX if its renderer, where it has one, reads it so.
    #[cfg(feature = "check")]
    pub(crate) fn rendered_by(self, renderer: Option<Renderer>) -> Self {
        match self {
            Content::Markdown if renderer.is_some_and(Renderer::is_mdx) => Content::Mdx,
            content => content,
        }
    }

    /// Reports whether such a file is rewritten.
    #[must_use]
    pub fn is_rewritten(self) -> bool {
        !matches!(self, Content::Compressed | Content::Other)
    }
}

impl<C: Choose> Rewriter<'_, C> {
    /// Writes a file from its position on, with other references if it is [rewritten](Content::is_rewritten), to `out`. The URIs and
    /// bases together may have 1 MiB and 256 times the length of the file.
    ///
    /// # Errors
    /// Those of `file` and `out`. [`InvalidData`](io::ErrorKind::InvalidData), after all is written, if a part could not be read: its
    /// references are as before.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use relref::whatwg::Base;
    /// use relref_links::rewrite::{Content, Mapping, Mode, Rewriter};
    ///
    /// let mut file = Cursor::new("body { background: url(a.png) }");
    /// let content = Content::of_file(&mut file, "main.css".as_ref(), "http://h/main.css", false)?;
    /// let mut new = Vec::new();
    /// Rewriter::from(Mapping::new(Mode::Absolute)).file(content, &mut file, None, &Base::new("http://h/main.css")?, &mut new)?;
    /// assert_eq!(new, b"body { background: url(http://h/a.png) }");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn file<'b>(
        &mut self,
        content: Content,
        mut file: impl Read + Seek,
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
        mut out: impl Write,
    ) -> io::Result<()> {
        let base: PageBase<'b> = base.into();
        let start = file.stream_position()?;
        let len = file.seek(SeekFrom::End(0))?.saturating_sub(start);
        file.seek(SeekFrom::Start(start))?;
        self.set_max_total(len.saturating_mul(256).saturating_add(1 << 20));
        match content {
            Content::Css => self.css_from(file, charset, base, out),
            Content::Feed => self.feed_from(file, charset, base, out),
            #[cfg(feature = "markdown")]
            Content::Markdown | Content::Mdx if len <= MAX_LEN => {
                let mut page = Vec::new();
                file.read_to_end(&mut page)?;
                if let Err(error) = check_memory(&page) {
                    out.write_all(&page)?;
                    return Err(io::Error::new(io::ErrorKind::InvalidData, error.to_string()));
                }
                if self.markdown_to(&page, content == Content::Mdx, charset, base, &mut out)? {
                    Ok(())
                } else {
                    out.write_all(&page)
                }
            }
            #[cfg(feature = "markdown")]
            Content::Markdown | Content::Mdx => {
                io::copy(&mut file, &mut out)?;
                Err(io::Error::new(io::ErrorKind::InvalidData, "it is Markdown of more than 16 MiB"))
            }
            Content::Html | Content::Xml => {
                let xml = mem::replace(&mut self.pages.options.xml, content == Content::Xml);
                let done = if len <= IN_MEMORY {
                    self.page_in_memory(file, charset, base, out)
                } else {
                    self.html_from_file(file, charset, base, out)
                };
                self.pages.options.xml = xml;
                done
            }
            Content::Robots if len <= IN_MEMORY => {
                let mut robots = Vec::new();
                file.read_to_end(&mut robots)?;
                self.robots_to(&robots, base, out)
            }
            Content::Compressed | Content::Other | Content::Robots => io::copy(&mut file, &mut out).map(|_| ()),
        }
    }

    /// Replaces a file at once by one with other references. Returns `false`, and leaves the file, if it stays as it is. `path` is no
    /// symbolic link.
    ///
    /// # Errors
    /// Those of [`file`](Rewriter::file) and of [`NewFile::finish`](crate::files::NewFile::finish).
    #[cfg(feature = "check")]
    pub fn replace<'b>(
        &mut self,
        path: &Path,
        content: Content,
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
    ) -> io::Result<bool> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = HeldFolder::open(path.parent().unwrap_or(Path::new("")))?;
        self.replace_in(&folder, name, content, charset, base)
    }

    /// Does what [`replace`](Self::replace) does, in a folder that is held.
    ///
    /// # Errors
    /// As [`replace`](Self::replace); also if the name is that of a symbolic link, on Unix.
    #[cfg(feature = "check")]
    pub fn replace_in<'b>(
        &mut self,
        folder: &HeldFolder,
        name: &OsStr,
        content: Content,
        charset: Option<&'static Encoding>,
        base: impl Into<PageBase<'b>>,
    ) -> io::Result<bool> {
        let edits_before = self.totals.edits();
        let mut file = folder.open_file(name)?;
        let new = folder.new_file(name, None)?;
        new.keep_permissions(&file)?;
        let mut out = BufWriter::with_capacity(1 << 16, new.as_file());
        let done = self.file(content, &mut file, charset, base, &mut out);
        out.flush()?;
        drop(out);
        // Windows replaces no open file.
        drop(file);
        if done.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::InvalidData) {
            return done.map(|()| false);
        }
        let is_changed = self.totals.edits() > edits_before;
        if is_changed {
            new.finish()?;
        }
        done.map(|()| is_changed)
    }

    fn page_in_memory(
        &mut self,
        mut file: impl Read,
        charset: Option<&'static Encoding>,
        base: PageBase<'_>,
        mut out: impl Write,
    ) -> io::Result<()> {
        let mut page = Vec::new();
        file.read_to_end(&mut page)?;
        let (is_changed, read) = self.html_to(&page, charset, base, &mut out)?;
        if !is_changed {
            out.write_all(&page)?;
        }
        read
    }
}
