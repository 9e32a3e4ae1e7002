//! Markdown (feature `markdown`): its links, and the ids that renderers give to its headings.
//!
//! The Markdown is CommonMark with the tables, strikethrough, task lists and footnotes of GitHub, which the crate `pulldown-cmark` reads,
//! and GitHub's links of bare addresses. Links are found as in the HTML that it is rendered to: `[a](b)` is an `href` of `a`, `![a](b)` a
//! `src` of `img`; raw HTML is read as [`html`](crate::html) reads pages. Nothing in code, comments and front matter is a link.
//!
//! The indented text of admonitions, details and tabs (`!!! note`, `??? note`, `=== "Tab"`) is no code, as Python-Markdown has it: they are
//! known by their marks, in any page. In pages whose name ends with `.mdx`, and in files of a folder where a check, `--fix`, `move` or `rewrite`
//! finds that Docusaurus renders them, imports, exports and expressions, also comments, are no text, and JSX and what is indented is Markdown.
//!
//! A definition is one link, in its place, whether it is used or not: that of an `img` if only images use it. One that repeats a label is
//! none.
//!
//! ```
//! use relref_links::markdown;
//!
//! let text = "See [the guide](docs/guide.md#start), or ask at <http://h/x>.\n\n![Logo][logo]\n\n[logo]: <my logo.png>\n";
//! let links = markdown::links(text, "http://example.com/README.md")?;
//! let references: Vec<&str> = links.iter().map(|link| &*link.reference).collect();
//! assert_eq!(references, ["docs/guide.md#start", "http://h/x", "my logo.png"]);
//! assert_eq!((&*links[2].element, &*links[2].uri), ("img", "http://example.com/my%20logo.png"));
//! # Ok::<(), relref::whatwg::Error>(())
//! ```

mod address;
mod attributes;
mod blocks;
mod containers;
mod destination;
mod dialect;
mod front_matter;
mod headings;
mod mdx;
#[cfg(feature = "page")]
mod memory;
mod render;
mod unique_ids;

use std::borrow::Cow;
use std::collections::VecDeque;

use encoding_rs::{Encoding, UTF_8};
use relref::{UriRef, whatwg};

pub(crate) use self::destination::{is_replaceable, written, written_around};
#[cfg(feature = "page")]
pub(crate) use self::memory::check_memory;
use self::render::Texts;
use crate::html::{
    LISTED_TEXT_LEN, Link, LinkBuf, Options, PageUri, Pages, Rendered, SourceMap, Transcoder, guessed, heading_texts,
};
pub use crate::renderer::Renderer;

/// The most bytes of a page that is read: the parser needs all of it in memory.
#[cfg(feature = "page")]
pub(crate) const MAX_LEN: u64 = 16 << 20;

/// Renders a page, as far as it has links and, for `renderer`, ids. It is also MDX if its renderer reads all pages as that. `charset` is
/// that of a page without a byte order mark; if it is not known, it is UTF-8, or guessed for a page that is not UTF-8.
pub(crate) fn rendered(
    page: &[u8],
    is_mdx: bool,
    charset: Option<&'static Encoding>,
    texts: bool,
    renderer: Option<Renderer>,
) -> Rendered {
    // Markdown declares no encoding.
    let label = || charset.or_else(|| guessed(page, |_| false)).unwrap_or(UTF_8);
    let (charset, bom_len) = Encoding::for_bom(page).unwrap_or_else(|| (label(), 0));
    let mut points = VecDeque::from([(0, bom_len as u64)]);
    let mut has_places = true;
    let text = match std::str::from_utf8(&page[bom_len..]) {
        Ok(text) if charset == UTF_8 => Cow::Borrowed(text),
        _ => {
            let mut text = Vec::new();
            has_places = can_have_places(page, charset);
            let points = Some(&mut points).filter(|_| has_places);
            Transcoder::new(charset).decode(&page[bom_len..], true, &mut text, points);
            Cow::Owned(String::from_utf8(text).unwrap_or_default())
        }
    };
    let start = front_matter::front_matter_len(&text, renderer.is_none_or(Renderer::has_toml));
    let texts = match texts {
        true => Texts::All,
        false if renderer.is_some_and(Renderer::reads_html) => Texts::OfHeadings,
        false => Texts::None,
    };
    let (mut html, mut parts) = (Vec::with_capacity(text.len() / 2), SourceMap::default());
    let opened = containers::opened(&text[start..], is_mdx || renderer.is_some_and(Renderer::is_mdx));
    match &opened {
        Some(opened) => {
            render::render(&opened.text, 0, texts, &mut html, &mut parts);
            parts.translate(&opened.points.iter().map(|(at, page)| (*at, start + page)).collect::<Vec<_>>());
        }
        None => render::render(&text, start, texts, &mut html, &mut parts),
    }
    if has_places {
        parts.finish(&text, points);
    } else {
        parts = SourceMap::default();
    }
    let opened = opened.as_ref().map_or(&text[start..], |opened| &opened.text);
    let of_attributes = renderer.filter(|renderer| renderer.rule().own_id.is_of_any_text());
    let of_attributes = of_attributes.into_iter().flat_map(|_| attributes::ids(opened)).map(Some);
    let ids = renderer.map(|renderer| ids_in(opened, &html, renderer)).unwrap_or_default();
    let ids = ids.into_iter().chain(of_attributes);
    Rendered { html, parts, charset, ids: ids.flatten().collect() }
}

/// Reports whether the path of a file or of a URI is that of MDX.
pub(crate) fn is_mdx(path: impl AsRef<[u8]>) -> bool {
    path.as_ref().last_chunk::<4>().is_some_and(|ending| ending.eq_ignore_ascii_case(b".mdx"))
}

/// Reports whether the points at which a page is decoded take little memory. More would be in a page that is not in the charset it is
/// said to be in: that of a page that is was counted before.
fn can_have_places(page: &[u8], charset: &'static Encoding) -> bool {
    const MOST: usize = 2 << 20;
    let is_coded = |byte: &&u8| !charset.is_ascii_compatible() || !byte.is_ascii();
    page.iter().filter(is_coded).count() <= if charset.is_ascii_compatible() { MOST } else { 2 * MOST }
}

fn ids_in(markdown: &str, html: &[u8], renderer: Renderer) -> Vec<Option<String>> {
    match renderer.reads_html() {
        true => unique_ids::ids_of_texts(heading_texts(html), renderer),
        false => unique_ids::ids_of_markdown(markdown, renderer),
    }
}

/// Returns every link of a page in Markdown, in the order of the page. `page` is text, or bytes in UTF-8 or with a byte order mark.
/// `uri` and the links are as those of [`html::links`](crate::html::links).
///
/// All links are in memory at once, and so is the parsed page, which for a hostile one takes sixty times its length. With the feature
/// `page`, `page::Page` refuses such a page, and reads files, too.
///
/// # Errors
/// `uri` is a text and no absolute URL.
///
/// ```
/// use relref_links::markdown;
///
/// let links = markdown::links("See [the *guide*](guide.md#start).\n", "http://example.com/docs/")?;
/// assert_eq!((&*links[0].element, &*links[0].reference, &*links[0].text), ("a", "guide.md#start", "the guide"));
/// assert_eq!(links[0].uri, "http://example.com/docs/guide.md#start");
/// assert_eq!(links[0].place.map(|place| (place.line, place.column)), Some((1, 19)));
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
pub fn links(page: impl AsRef<[u8]>, uri: impl PageUri) -> Result<Vec<LinkBuf>, whatwg::Error> {
    let base = uri.to_base()?;
    let mut links = Vec::new();
    let rendered = rendered(page.as_ref(), is_mdx(UriRef::new(base.as_page_base().as_str()).path()), None, true, None);
    let mut pages = Pages::with(Options { max_text: LISTED_TEXT_LEN, places: true, ..Options::default() });
    let mut each = |link: &Link<'_>| {
        links.push(LinkBuf::from(*link));
        Ok(())
    };
    // No stream, no error.
    let _ = pages.rendered_links_after(None, rendered, base.as_page_base(), &mut each);
    Ok(links)
}

/// Returns the ids that a renderer gives to the headings of a page, in their order; `None` for a heading without one.
///
/// ```
/// use relref_links::markdown::{Renderer, heading_ids};
///
/// let page = "# What's new?\n\n## R & D\n\n## R & D\n";
/// assert_eq!(heading_ids(page, Renderer::GitHub), ["whats-new", "r--d", "r--d-1"].map(|id| Some(id.to_owned())));
/// assert_eq!(heading_ids(page, Renderer::VitePress), ["what-s-new", "r-d", "r-d-1"].map(|id| Some(id.to_owned())));
/// ```
#[must_use]
pub fn heading_ids(page: &str, renderer: Renderer) -> Vec<Option<String>> {
    let page = page.strip_prefix('\u{FEFF}').unwrap_or(page);
    let start = front_matter::front_matter_len(page, renderer.has_toml());
    let opened = containers::opened(&page[start..], renderer.is_mdx());
    let text = opened.as_ref().map_or(&page[start..], |opened| &opened.text);
    let mut html = Vec::new();
    if renderer.reads_html() {
        render::render(text, 0, Texts::OfHeadings, &mut html, &mut SourceMap::default());
    }
    ids_in(text, &html, renderer)
}
