//! Every link of a page (feature `html`).
//!
//! [`Pages`] hands over the links of one page after the other, from memory or from a stream; [`links`] collects those of one.
//!
//! ```
//! use relref::Rules;
//! use relref::html::{Kind, Pages};
//!
//! let page = b"<a href=intro>start</a> <img src=a.png> <a href='mailto:me@example.com' rel=nofollow>me</a>";
//! let mut to_visit = Vec::new();
//! Pages::new(Rules::RFC3986).links(page, Some("utf-8"), "http://example.com/docs/", |link| {
//!     if link.kind == Kind::Hyperlink && link.is_followable() && !link.nofollow() {
//!         to_visit.push(link.uri.to_string());
//!     }
//! })?;
//! assert_eq!(to_visit, ["http://example.com/docs/intro"]);
//! # Ok::<(), relref::Error>(())
//! ```
//!
//! # Where links stand
//! On any element, unless one is named; pages that are old or wrong have them on others than the documents say.
//!
//! | attribute | kind | from |
//! |---|---|---|
//! | `href` | hyperlink; of `link` by its `rel`; in SVG, but for `a`, resource | HTML §4.6.1, §4.2.4; SVG 2 §16.1.6; MathML 3 §2.1.6 |
//! | `xlink:href` | the same | XLink 1.1; SVG 1.1 §17.1 |
//! | `src` | resource (frames, too) | HTML §4.8.3 and elsewhere |
//! | `srcset`, `imagesrcset` | resource, one for each candidate | HTML §4.8.4.3.10 |
//! | `poster` | resource | HTML §4.8.8 |
//! | `data` of `object` | resource | HTML §4.8.7 |
//! | `archive`, `classid` | resource | HTML 4.01 §13.3, §13.4 |
//! | `codebase` | metadata; what `archive`, `classid` and `data` of `object` and `applet` are relative to | HTML 4.01 §13.3, §13.4 |
//! | `value` of `param` with `valuetype=ref` | resource | HTML 4.01 §13.3.2 |
//! | `style`, the text of `style` elements | resource: `url()`, `src()`, `@import`, `image-set()` | CSS Syntax 3, CSS Values 4, CSS Cascade 4, CSS Images 4 |
//! | `background`, `manifest`, `icon` | resource | HTML 4.01 §7.5.1; earlier drafts of HTML |
//! | `lowsrc`, `dynsrc` | resource | browsers of the 1990s |
//! | `action`, `formaction` | form | HTML §4.10.18.6 |
//! | `cite` | citation | HTML §4.4.4, §4.5.7, §4.7.3 |
//! | `content` of `meta http-equiv=refresh` | refresh | HTML §4.2.5.3 |
//! | `longdesc` | hyperlink | HTML 4.01 §13.2 |
//! | `usemap` | metadata | HTML 4.01 §13.6.1 |
//! | `ping` | metadata, one for each word | HTML §4.6.6 |
//! | `profile` | metadata, one for each word | HTML 4.01 §7.4.4.3 |
//! | `data-src`, `data-srcset`, `data-original` | resource, if [asked for](Pages::lazy) | scripts that load images late |
//! | `data-href` | hyperlink, if [asked for](Pages::lazy) | the same |
//! | `itemtype`, `itemid` | metadata, if [asked for](Pages::items) | HTML §5.2.2 |
//!
//! A `link` is a resource if one of its types is `stylesheet`, `icon`, `manifest`, `preload`, `modulepreload`, `prefetch`,
//! `prerender`, `import` or another that is fetched with the page; metadata if all are `canonical`, `dns-prefetch`,
//! `preconnect`, `pingback`, `profile`, `schema.…` or another that only names something, or if it has none; else a hyperlink.
//!
//! An empty reference means the page itself: it is a link where that makes sense, in `href` (not of `link`), `action`,
//! `formaction`, `cite` and a refresh. An empty `src` and the like are no links, as in HTML.
//!
//! # How a page is read
//! - By the tokens of HTML §13.2.5, with what of tree construction changes them: raw text, SVG and MathML, but no more. What
//!   stands in comments, scripts, `textarea`, `title` and other raw text is no link of the page; what stands in `noscript` and
//!   `template` is. Of an attribute given twice, the first counts. The document in `srcdoc` is not looked into.
//! - The base is the first `base` with an `href` that is not empty, wherever it stands, itself resolved against the page's
//!   URI; links in front of it count against it, too. If it comes out as `data:` or `javascript:`, the page's URI is the base
//!   (HTML §4.2.3). It is no link itself. In SVG and in a `template` it is none.
//! - The encoding is that of a byte order mark, else the one the caller knows, else what a `meta` or an XML declaration in the
//!   first 1024 bytes says, else UTF-8 (HTML §13.2.3.2).
//! - `javascript:`, `data:`, `mailto:` and the like are links as any, but [nobody follows them](Link::is_followable).
//!
//! Any bytes are a page. There is no recursion, and whatever the page holds, time is linear in it and in the URIs handed over.
//! These may be much longer than the page: each repeats what it has of the base, so that one long `base` and many short links
//! make a product of the two: [`Pages::max_uri`] and [`Pages::max_uris`] bound that.

mod attribute;
mod charset;
mod css;
mod element;
mod finder;
mod foreign;
mod link;
mod pages;
mod query;
mod refresh;
mod rel;
mod scanner;
mod source;
mod srcset;
mod tag;

use alloc::vec::Vec;

pub use link::{Kind, Link, LinkBuf, Rejected};
pub use pages::Pages;

use crate::error::Error;
use crate::rules::Rules;

/// Every link of an HTML document, in order, resolved: [`Pages::links`] for one page, with links that are owned.
///
/// All are in memory at once, each with its whole URI and the `rel` of its element: a hostile page can make that far more than
/// its own length. [`Pages`] keeps one at a time.
///
/// # Errors
/// The document's URI is not absolute, as in [`Base::new`](crate::Base::new).
///
/// ```
/// use relref::{Rules, html};
///
/// let page = br#"<base href="/docs/"><a href=" intro?a=1&amp;b=2 ">start</a><img src=logo.png>"#;
/// let links = html::links(page, "http://example.com/x/index.html", Rules::RFC3986)?;
/// assert_eq!(links[0].element, "a");
/// assert_eq!(links[0].reference, "intro?a=1&b=2");
/// assert_eq!(links[0].uri, "http://example.com/docs/intro?a=1&b=2");
/// assert_eq!(links[1].uri, "http://example.com/docs/logo.png");
/// # Ok::<(), relref::Error>(())
/// ```
pub fn links(page: &[u8], uri: &str, rules: Rules) -> Result<Vec<LinkBuf>, Error> {
    let mut links = Vec::new();
    Pages::new(rules).links(page, None, uri, |link| links.push(link.into()))?;
    Ok(links)
}
