//! Every link of a page (feature `html`).

mod charset;
mod css;
mod finder;
mod foreign;
mod link;
mod names;
mod pages;
mod query;
mod refresh;
mod scanner;
mod source;
mod srcset;

use alloc::vec::Vec;

pub use link::{Kind, Link, LinkBuf};
pub use pages::Pages;

use crate::error::Error;
use crate::rules::Rules;

/// Every link of an HTML document, in order, resolved: [`Pages::links`] for one page, with links that are owned.
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
