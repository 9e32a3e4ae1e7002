//! What is a page, and of which kind: by its type, its name or its first bytes.

use std::path::Path;

use memchr::memmem;
use relref::UriRef;

use crate::archive::sniff::{is_html, is_svg};
use crate::archive::{is_html_type, is_unknown_type};
use crate::feeds::{has_root, is_feed, is_feed_after_html, is_robots_txt, is_url_list};
#[cfg(feature = "markdown")]
use crate::markdown::is_mdx;
use crate::utf16;

/// The kind of a page, by the links that it may have.
///
/// | head | | kind |
/// |---|---|---|
/// | `metadata` record of JSON | | `Wat` |
/// | `metadata` record of fields (`application/warc-fields`) | | `Outlinks` |
/// | `text/html` | | `Html` |
/// | `application/xhtml+xml` | | `Xml` |
/// | `text/css` | | `Css` |
/// | `text/markdown`, with the feature `markdown` | | `Markdown`; `Mdx` at a path that ends with `.mdx` |
/// | `revisit` record | | `None` |
/// | one of other XML | | `UnknownXml` |
/// | no media type; one of compressed, of unknown or of any files | | `Unknown` |
/// | `text/plain` | at the path `/robots.txt` | `Robots` |
/// | `text/plain` | at a path with `sitemap` that ends with `.txt` | `Unknown` |
/// | any other | | `None` |
///
/// The first bytes, without codings, then change `Html`, `Xml`, `Unknown` and `UnknownXml`, which is as `Unknown` at a path that ends with
/// `.xml`, `.rss`, `.atom` or `.rdf`:
///
/// | first bytes | `Html`, `Xml` | `Unknown` |
/// |---|---|---|
/// | any, at a path that ends as the name of a Markdown file does | as below | `Markdown`, `Mdx` |
/// | of a sitemap, RSS or Atom ([`is_feed`]) | `Feed` | `Feed` |
/// | of other HTML and then of a sitemap, RSS or Atom, at such a path | as before | `Feed` |
/// | comments of HTML that no tag follows, at a path that ends with `.css` | as before | `Css` |
/// | of SVG ([`is_svg`]) | as before | `Xml` |
/// | of HTML ([`is_html`]) | as before | `Xml` in the namespace of XHTML, after `<?xml` or at such a path; otherwise `Html` |
/// | `@charset`, `@import`, or others, at a path that ends with `.css` | as before | `Css` |
/// | others, at the path `/robots.txt` ([`is_robots_txt`]) | `Robots`, if they have a field of it, and no `<` before | `Robots` |
/// | an absolute URL in every line | as before | `UrlList` |
/// | others | as before | `None`; in a page that is not in an archive, `Html` ([`Page::decode`](super::Page::decode)) |
///
/// Of what is told by its first bytes, the [name](PageKind::named) tells whether servers send it as HTML or as XML.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PageKind {
    /// An HTML page.
    Html,
    /// A page of XHTML or an SVG image, which is read as XML ([`Options::xml`](crate::html::Options::xml)).
    Xml,
    /// A style sheet.
    Css,
    /// Markdown, which is read with the feature `markdown`.
    Markdown,
    /// MDX, which is Markdown with JavaScript and JSX, and read with the feature `markdown`.
    Mdx,
    /// A sitemap, RSS or Atom.
    Feed,
    /// A `robots.txt`.
    Robots,
    /// A text sitemap: a URL a line.
    UrlList,
    /// The JSON of a WAT file.
    Wat,
    /// The outlinks that a crawler found in a page ([`each_outlink`](crate::archive::each_outlink)).
    Outlinks,
    /// Not known yet: only the first bytes without codings can show it.
    Unknown,
    /// Not known yet, but XML by its media type.
    UnknownXml,
    /// A body without links. The HTTP fields may have some.
    None,
}

impl PageKind {
    /// Recognizes the kind of a capture by the type of its record (`WARC-Type`), its media type and its URI.
    #[must_use]
    pub fn of_head(record_type: &str, media_type: &str, uri: &str) -> PageKind {
        match (record_type, media_type) {
            ("metadata", "application/warc-fields") => PageKind::Outlinks,
            ("metadata", _) => PageKind::Wat,
            ("revisit", _) => PageKind::None,
            (_, "application/xhtml+xml" | "application/vnd.wap.xhtml+xml") => PageKind::Xml,
            (_, media_type) if is_html_type(media_type) => PageKind::Html,
            (_, "text/css") => PageKind::Css,
            (_, "text/markdown" | "text/x-markdown") if cfg!(feature = "markdown") => {
                PageKind::of_markdown_name(UriRef::new(uri).path()).unwrap_or(PageKind::Markdown)
            }
            (_, "text/plain") if is_robots_txt(uri) => PageKind::Robots,
            (_, "text/plain") if is_text_sitemap(uri) => PageKind::Unknown,
            // Servers also send compressed sitemaps with them.
            (_, "application/gzip" | "application/x-gzip" | "application/zstd") => PageKind::Unknown,
            (_, "" | "application/octet-stream" | "binary/octet-stream") => PageKind::Unknown,
            (_, media_type) if is_unknown_type(media_type) => PageKind::Unknown,
            (_, media_type) if media_type.ends_with("xml") => PageKind::UnknownXml,
            _ => PageKind::None,
        }
    }

    /// Reports whether only the first bytes show the kind: `Unknown` and `UnknownXml`.
    #[must_use]
    pub fn is_unknown(self) -> bool {
        matches!(self, PageKind::Unknown | PageKind::UnknownXml)
    }

    /// Returns the kind of a file with these first bytes, as [`of_start`](Self::of_start) does. Its name also shows that it is Markdown,
    /// XHTML, HTML or a style sheet in a comment, where its URI may be that of its folder.
    #[must_use]
    pub fn of_file(start: &[u8], uri: &str, path: &Path) -> PageKind {
        let path = path.to_string_lossy();
        match PageKind::of_markdown_name(&path) {
            Some(kind) => kind,
            None if is_css_in_comment(start, &path) => PageKind::Css,
            None => PageKind::Unknown.or_xml(&path).of_start(start, uri).named(&path),
        }
    }

    /// Returns the kind of Markdown that the last name of a path has by its ending.
    #[cfg(feature = "markdown")]
    pub(super) fn of_markdown_name(path: &str) -> Option<PageKind> {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        let is_markdown = MARKDOWN_ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
        is_markdown.then(|| if is_mdx(path) { PageKind::Mdx } else { PageKind::Markdown })
    }

    #[cfg(not(feature = "markdown"))]
    pub(super) fn of_markdown_name(_: &str) -> Option<PageKind> {
        None
    }

    /// Returns `UnknownXml` instead of `Unknown` if the name is that of XML.
    fn or_xml(self, uri: &str) -> PageKind {
        match self {
            PageKind::Unknown if matches!(&*ending_of(uri), "xml" | "rss" | "atom" | "rdf") => PageKind::UnknownXml,
            kind => kind,
        }
    }

    /// Returns this kind, or the one that the first bytes of the page show: see the table. They are those without codings, as many
    /// as [`read_start`](crate::archive::sniff::read_start) reads. Never returns `Unknown` or `UnknownXml`.
    ///
    /// ```
    /// use relref_links::page::PageKind;
    ///
    /// assert_eq!(PageKind::Unknown.of_start(b"<rss><channel>", "http://h/news"), PageKind::Feed);
    /// // Servers send feeds as HTML (MIME Sniffing §8).
    /// assert_eq!(PageKind::Html.of_start(b"<rss><channel>", "http://h/news"), PageKind::Feed);
    /// assert_eq!(PageKind::Unknown.of_start(b"GIF89a", "http://h/i"), PageKind::None);
    /// ```
    #[must_use]
    pub fn of_start(self, start: &[u8], uri: &str) -> PageKind {
        let kind = match self.or_xml(uri) {
            PageKind::Unknown => PageKind::of_markdown_name(UriRef::new(uri).path()).unwrap_or(PageKind::Unknown),
            kind => kind,
        };
        match kind {
            // First, as a comment before the root element looks like HTML.
            PageKind::Html | PageKind::Xml | PageKind::Unknown | PageKind::UnknownXml if is_feed(start) => {
                PageKind::Feed
            }
            PageKind::UnknownXml if is_svg(start) || is_xhtml(start) => PageKind::Xml,
            PageKind::UnknownXml if is_feed_after_html(start) => PageKind::Feed,
            PageKind::Unknown if is_css_in_comment(start, uri) => PageKind::Css,
            PageKind::Unknown if is_svg(start) => PageKind::Xml.named(uri),
            PageKind::Unknown if has_xml_declaration(start) && is_xhtml(start) => PageKind::Xml.named(uri),
            // Servers send it as HTML, and pages that say that it is missing in its place.
            PageKind::Html | PageKind::Xml if is_robots_txt(uri) && has_robots_field(start) => PageKind::Robots,
            known if !known.is_unknown() => known,
            _ if is_html(start) => PageKind::Html.named(uri),
            _ if is_css(start, uri) => PageKind::Css,
            _ if is_robots_txt(uri) => PageKind::Robots,
            _ if is_url_list(start) => PageKind::UrlList,
            _ => PageKind::None,
        }
    }

    /// Returns `Xml` instead of `Html`, or the other way, as servers send files of this name: `.xhtml`, `.xht` and `.svg` are XML, and
    /// `.html`, `.htm` and the names of scripts are HTML. A query in the name does not count.
    ///
    /// ```
    /// use relref_links::page::PageKind;
    ///
    /// assert_eq!(PageKind::Html.named("http://h/a.xhtml?b"), PageKind::Xml);
    /// // An image in a page of HTML may come first.
    /// assert_eq!(PageKind::Unknown.of_start(b"<svg><a href=x>", "a.html"), PageKind::Html);
    /// assert_eq!(PageKind::Css.named("a.xhtml"), PageKind::Css);
    /// ```
    #[must_use]
    pub fn named(self, uri: &str) -> PageKind {
        let ending = ending_of(uri);
        match (self, &*ending) {
            (PageKind::Html | PageKind::None, "xhtml" | "xht") | (PageKind::Html, "svg") => PageKind::Xml,
            (PageKind::Xml, "html" | "htm" | "shtml" | "php" | "asp" | "aspx" | "jsp" | "cgi") => PageKind::Html,
            (kind, _) => kind,
        }
    }
}

/// In lower case; empty without one.
fn ending_of(uri: &str) -> String {
    // A copy of a site may have queries in the names of its files.
    let name = UriRef::new(uri).path().split("%3F").next().unwrap_or_default();
    let name = name.rsplit('/').next().unwrap_or_default();
    // The file may be compressed.
    let name = [".gz", ".zst"].into_iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name);
    name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).unwrap_or_default()
}

/// Reports whether a text is XHTML, if it is XML.
fn is_xhtml(start: &[u8]) -> bool {
    memmem::find(&utf16::ascii_start(start), b"http://www.w3.org/1999/xhtml").is_some()
        && has_root(start, |name| name.rsplit(':').next().is_some_and(|local| local.eq_ignore_ascii_case("html")))
}

/// Reports whether the first bytes have a line of a `robots.txt` (RFC 9309 §2.2), and no markup before it.
fn has_robots_field(start: &[u8]) -> bool {
    let text = utf16::ascii_start(start);
    let is_field = |line: &str| {
        let name = line.split_once(':').map_or("", |(name, _)| name.trim());
        ["user-agent", "allow", "disallow", "sitemap"].iter().any(|known| name.eq_ignore_ascii_case(known))
    };
    !text.trim_ascii_start().starts_with(b"<") && String::from_utf8_lossy(&text).lines().any(is_field)
}

/// Reports whether a text says that it is XML (MIME Sniffing §7.1).
fn has_xml_declaration(start: &[u8]) -> bool {
    utf16::ascii_start(start).trim_ascii_start().starts_with(b"<?xml")
}

/// The endings of the names of Markdown files, without the dot, in lower case.
#[cfg(feature = "markdown")]
pub(crate) const MARKDOWN_ENDINGS: [&str; 6] = ["md", "markdown", "mdown", "mkd", "mkdn", "mdx"];

/// Reports whether a file is a style sheet, by a rule that must be the first of one, or by its name.
fn is_css(start: &[u8], uri: &str) -> bool {
    let text = utf16::ascii_start(start);
    let text = text.trim_ascii_start();
    text.starts_with(b"@charset \"") || text.starts_with(b"@import ") || is_named_css(uri)
}

/// CSS ignores `<!--` and `-->`, in which old style sheets stand. Pages have tags after a comment.
fn is_css_in_comment(start: &[u8], uri: &str) -> bool {
    let text = utf16::ascii_start(start);
    let mut rest = text.trim_ascii_start();
    if !rest.starts_with(b"<!--") || !is_named_css(uri) {
        return false;
    }
    while let Some(comment) = rest.strip_prefix(b"<!--") {
        rest = memmem::find(comment, b"-->").map_or(&[][..], |end| comment[end + 3..].trim_ascii_start());
    }
    !rest.starts_with(b"<")
}

fn is_text_sitemap(uri: &str) -> bool {
    let path = UriRef::new(uri).path().to_ascii_lowercase();
    path.ends_with(".txt") && path.contains("sitemap")
}

fn is_named_css(uri: &str) -> bool {
    ending_of(uri) == "css"
}
