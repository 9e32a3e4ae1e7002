//! The kinds of pages, by the links that they may have, and how a kind is recognized.

use std::path::Path;

use memchr::memmem;
use relref::UriRef;

use crate::archive::is_html_type;
use crate::archive::sniff::{is_html, is_svg};
use crate::feeds::{is_feed, is_robots_txt, is_url_list};
use crate::utf16;

/// The kind of a page, by the links that it may have.
///
/// | head | | kind |
/// |---|---|---|
/// | `metadata` record of JSON | | `Wat` |
/// | `metadata` record of fields (`application/warc-fields`) | | `Outlinks` |
/// | `text/html`, `application/xhtml+xml` | | `Html` |
/// | `text/css` | | `Css` |
/// | `text/markdown`, with the feature `markdown` | | `Markdown` |
/// | `revisit` record | | `None` |
/// | no media type; one of XML, of compressed or of any files | | `Unknown` |
/// | `text/plain` | at the path `/robots.txt` | `Robots` |
/// | `text/plain` | at a path with `sitemap` that ends with `.txt` | `Unknown` |
/// | any other | | `None` |
///
/// The first bytes, without codings, then change `Html` and `Unknown`:
///
/// | first bytes | `Html` | `Unknown` |
/// |---|---|---|
/// | any but a `<!doctype` or `<html`, at a path that ends as the name of a Markdown file does | `Html` | `Markdown` |
/// | of a sitemap, RSS or Atom ([`is_feed`]) | `Feed` | `Feed` |
/// | comments of HTML that no tag follows, at a path that ends with `.css` | `Html` | `Css` |
/// | of HTML ([`is_html`]) or SVG ([`is_svg`]) | `Html` | `Html` |
/// | `@charset`, `@import`, or others, at a path that ends with `.css` | `Html` | `Css` |
/// | others, at the path `/robots.txt` ([`is_robots_txt`]) | `Html` | `Robots` |
/// | an absolute URL in every line | `Html` | `UrlList` |
/// | others | `Html` | `None`; in a page that is not in an archive, `Html` ([`Page::decode`](super::Page::decode)) |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PageKind {
    /// An HTML page, or an SVG image: its links are found in the same way.
    Html,
    /// A style sheet.
    Css,
    /// Markdown, which is read with the feature `markdown`.
    Markdown,
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
            (_, media_type) if is_html_type(media_type) => PageKind::Html,
            (_, "text/css") => PageKind::Css,
            (_, "text/markdown" | "text/x-markdown") if cfg!(feature = "markdown") => PageKind::Markdown,
            (_, "text/plain") if is_robots_txt(uri) => PageKind::Robots,
            (_, "text/plain") if is_text_sitemap(uri) => PageKind::Unknown,
            // Servers also send compressed sitemaps with them.
            (_, "application/gzip" | "application/x-gzip" | "application/zstd") => PageKind::Unknown,
            (_, "" | "application/octet-stream" | "binary/octet-stream") => PageKind::Unknown,
            (_, media_type) if media_type.ends_with("xml") => PageKind::Unknown,
            _ => PageKind::None,
        }
    }

    /// Returns the kind of a file with these first bytes, as [`of_start`](Self::of_start) does. Its name also shows that it is Markdown,
    /// where its URI may be that of its folder.
    #[must_use]
    pub fn of_file(start: &[u8], uri: &str, path: &Path) -> PageKind {
        match is_named_markdown(&path.to_string_lossy()) && !is_document(start) {
            true => PageKind::Markdown,
            false => PageKind::Unknown.of_start(start, uri),
        }
    }

    /// Returns this kind, or the one that the first bytes of the page show: see the table. They are those without codings, as many
    /// as [`read_start`](crate::archive::sniff::read_start) reads. Never returns `Unknown`.
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
        match self {
            PageKind::Unknown if is_named_markdown(UriRef::new(uri).path()) && !is_document(start) => {
                PageKind::Markdown
            }
            // First, as a comment before the root element looks like HTML.
            PageKind::Html | PageKind::Unknown if is_feed(start) => PageKind::Feed,
            PageKind::Unknown if is_css_in_comment(start, uri) => PageKind::Css,
            PageKind::Unknown if is_html(start) || is_svg(start) => PageKind::Html,
            PageKind::Unknown if is_css(start, uri) => PageKind::Css,
            PageKind::Unknown if is_robots_txt(uri) => PageKind::Robots,
            PageKind::Unknown if is_url_list(start) => PageKind::UrlList,
            PageKind::Unknown => PageKind::None,
            known => known,
        }
    }
}

/// The endings of the names of Markdown files, without the dot, in lower case.
pub(crate) const MARKDOWN_ENDINGS: [&str; 5] = ["md", "markdown", "mdown", "mkd", "mkdn"];

/// Reports whether the last name of a path ends as that of a Markdown file.
fn is_named_markdown(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    cfg!(feature = "markdown") && MARKDOWN_ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// Reports whether a text is a whole page of HTML, as a site shows a Markdown file.
fn is_document(start: &[u8]) -> bool {
    let text = utf16::ascii_start(start);
    let text = text.trim_ascii_start();
    ["<!doctype html", "<html"]
        .iter()
        .any(|sign| text.get(..sign.len()).is_some_and(|start| start.eq_ignore_ascii_case(sign.as_bytes())))
}

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
    // A copy of a site may have queries in the names of its files.
    let name = UriRef::new(uri).path().split("%3F").next().unwrap_or_default();
    name.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("css"))
}
