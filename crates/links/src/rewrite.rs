//! Puts other references into pages, style sheets and feeds, and changes no other byte.
//!
//! [`html`] rewrites one page with a function that returns the new reference of a link, `markdown` one in Markdown, [`css`] one style
//! sheet, and [`field`] the value of one field of an HTTP head. A [`Rewriter`] does so for page after page,
//! in memory, from streams, or in chunks as they come, and with memory that does not grow with the page. A [`Mapping`] chooses the
//! references by the URIs that they mean: absolute ones, relative ones, or those of a site that moved.
//!
//! ```
//! use relref_links::rewrite;
//!
//! let page = r#"<a href=intro>start</a> <img srcset="a.png, /b.png 2x"> <p style="background: url('c.png')">"#;
//! let page = rewrite::html(page, "http://example.com/docs/", |link| Some(link.uri.replace("http:", "https:")))?;
//! assert_eq!(
//!     String::from_utf8(page)?,
//!     r#"<a href=https://example.com/docs/intro>start</a> <img srcset="https://example.com/docs/a.png, https://example.com/b.png 2x"> "#.to_owned()
//!         + r#"<p style="background: url('https://example.com/docs/c.png')">"#
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Laws for every page
//! - The links are those of [`html`](crate::html), and their places those of [`Place`](crate::html::Place). Every byte outside of
//!   these places stays, except that a value without quotes gets quotes if its reference is all of it and needs them.
//! - The rewritten page has the same links in the same order, with the new references. With a [`Mapping`], each resolves to the URI
//!   that it is mapped to, and a page that is rewritten again stays as it is.
//! - Each new reference is read in its place before it is written. One that would be read as something else is not written; a
//!   [`Mapping`] then takes a longer one. For example, an empty reference is none in `src`, `url=k` in a refresh would lose its
//!   start, and a reference that starts with `//` would name a host.
//!
//! # How references are written
//! - Quotes stay as they are. The quote, and `&` where it would start a character reference, are written as character references.
//!   In pages that are XML, too, and where the old reference had `&amp;`, so is each `&`.
//! - Character references stay in those ends of a reference that the new one has, too.
//! - In CSS, what would end the string or `url()` is escaped, and so are `<` and `>`.
//! - Bytes are those of the page's character encoding, also of UTF-16 and ISO-2022-JP. What it does not have is written as `&#N;`,
//!   or as an escape of CSS.
//! - In `robots.txt`, the references of `Sitemap` lines are written as they are.
//! - In feeds and sitemaps, a reference is written as its text is: escaped, or in a CDATA section. So are those of the HTML in it.
//!
//! # References that stay
//! [`LeftReason`] lists why a reference is left as it is, and [`Totals`] counts.

#[cfg(feature = "check")]
mod changed_sheets;
mod choose;
#[cfg(feature = "feeds")]
mod feed;
mod field_value;
#[cfg(feature = "page")]
mod file;
mod mapping;
pub(crate) mod renaming;
pub(crate) mod restyled;
mod rewriter;
#[cfg(feature = "page")]
mod robots_txt;
mod session;
mod splicer;
mod totals;
mod value;
mod written;

use relref::whatwg;

#[cfg(feature = "check")]
pub use self::changed_sheets::ChangedSheets;
pub use self::choose::Choose;
#[cfg(feature = "check")]
pub(crate) use self::choose::{Asked, Sealed};
pub use self::field_value::field;
#[cfg(feature = "page")]
pub use self::file::Content;
#[cfg(feature = "check")]
pub(crate) use self::mapping::has_template;
pub use self::mapping::{MapError, Mapping, Mode};
pub use self::renaming::{Renames, Renaming};
pub use self::rewriter::{Rewriter, RewrittenPage};
pub use self::session::Edit;
pub use self::totals::{LeftReason, Totals};
use crate::html::{Link, PageUri};

/// Returns a page with the references that `new` returns for its links, in the order of the page. A link for which it returns
/// `None` stays as it is, and so does one in whose place the new reference cannot be written.
///
/// `page` and `uri` are as [`html::links`](crate::html::links) takes them. A new reference is text: `&` and quotes in it are
/// written as its place needs them.
///
/// # Errors
/// `uri` is a text and no absolute URL.
///
/// ```
/// use relref_links::rewrite;
///
/// let page = "<meta charset=koi8-r><a href='old'>, <style>@import 'old'</style>";
/// let page = rewrite::html(page, "http://example.com/", |link| (link.reference == "old").then(|| "?a='&copy&b=é".into()))?;
/// assert_eq!(page, b"<meta charset=koi8-r><a href='?a=&#39;&amp;copy&b=&#233;'>, <style>@import '?a=\\'&copy&b=\\0000e9'</style>");
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
#[doc(alias = "rewrite_links")]
pub fn html(
    page: impl AsRef<[u8]>,
    uri: impl PageUri,
    new: impl FnMut(&Link<'_>) -> Option<String>,
) -> Result<Vec<u8>, whatwg::Error> {
    let base = uri.to_base()?;
    Ok(Rewriter::new(new).html(page.as_ref(), None, base.as_page_base()).into_owned())
}

/// Does for a page in Markdown what [`html`] does for one in HTML (feature `markdown`). `page` is text, or bytes in UTF-8 or with a byte
/// order mark; its links are those of [`markdown::links`](crate::markdown::links).
///
/// # Errors
/// `uri` is a text and no absolute URL.
///
/// ```
/// use relref_links::rewrite;
///
/// let page = "[a](b.md#c) ![](<my d.png>)\n";
/// let page = rewrite::markdown(page, "http://h/docs/README.md", |link| {
///     link.reference.split_once(".md").map(|(name, rest)| format!("{name}.html{rest}"))
/// })?;
/// assert_eq!(String::from_utf8_lossy(&page), "[a](b.html#c) ![](<my d.png>)\n");
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
#[cfg(feature = "markdown")]
pub fn markdown(
    page: impl AsRef<[u8]>,
    uri: impl PageUri,
    new: impl FnMut(&Link<'_>) -> Option<String>,
) -> Result<Vec<u8>, whatwg::Error> {
    let base = uri.to_base()?;
    Ok(Rewriter::new(new).markdown(page.as_ref(), None, base.as_page_base()).into_owned())
}

/// Does for a style sheet what [`html`] does for a page. `uri` is that of the sheet. A string or `url()` of more than 8 MiB stays.
///
/// # Errors
/// `uri` is a text and no absolute URL.
///
/// ```
/// use relref_links::rewrite;
///
/// let sheet = "@import 'a.css'; p { background: url(b.png) }";
/// let sheet = rewrite::css(sheet, "http://h/x/", |link| Some(link.uri.replace("http:", "https:")))?;
/// assert_eq!(String::from_utf8_lossy(&sheet), "@import 'https://h/x/a.css'; p { background: url(https://h/x/b.png) }");
/// # Ok::<(), relref::whatwg::Error>(())
/// ```
pub fn css(
    sheet: impl AsRef<[u8]>,
    uri: impl PageUri,
    new: impl FnMut(&Link<'_>) -> Option<String>,
) -> Result<Vec<u8>, whatwg::Error> {
    let base = uri.to_base()?;
    let mut out = Vec::with_capacity(sheet.as_ref().len());
    // Memory can always be read and written, so the only error is about what stays.
    let _ = Rewriter::new(new).css_from(sheet.as_ref(), None, base.as_page_base(), &mut out);
    Ok(out)
}
