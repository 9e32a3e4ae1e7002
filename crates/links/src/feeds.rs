//! The links of sitemaps, feeds and `robots.txt` (feature `feeds`).
//!
//! [`links`] reads sitemaps and their indexes (sitemaps.org 0.9, with the extensions of Google), RSS 0.9 to 2.0, and Atom (RFC
//! 4287). [`sitemap_entries`] tells of each URL of a sitemap when it was changed, and whether it is a sitemap itself. [`robots_txt_links`] reads the `Sitemap` lines of `robots.txt`. All take text, and are iterators. [`links_from`] and
//! [`sitemap_entries_from`] read streams, in constant memory.
//!
//! [`each_feed_link`] and [`each_robots_txt_link`] find references without allocating for each:
//! [`Pages::found_links`](crate::html::Pages::found_links) resolves and filters these.
//!
//! ```
//! use relref_links::feeds::each_feed_link;
//!
//! let sitemap = b"<urlset><url><loc>http://h/a?b&amp;c</loc></url><url><loc>http://h/d</loc></url></urlset>";
//! let mut found = Vec::new();
//! each_feed_link(&sitemap[..], None, |link| {
//!     found.push(format!("{} {}", link.link.element, link.link.reference));
//!     true
//! })?;
//! assert_eq!(found, ["loc http://h/a?b&c", "loc http://h/d"]);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Links
//! | element | of | in | kind |
//! |---|---|---|---|
//! | `loc` | sitemaps, indexes | text | hyperlink; resource in `image:` and `video:` |
//! | `content_loc`, `player_loc`, `thumbnail_loc` | video sitemaps | text | resource |
//! | `gallery_loc`; `uploader` | video sitemaps | text; `info` | hyperlink |
//! | `link` | RSS | text | hyperlink |
//! | `guid` | RSS, if it is a URL, but not with `isPermaLink=false` | text | hyperlink |
//! | `comments`, `commentRss`, `origLink`, `new-feed-url`, `uri` | RSS, Atom | text | hyperlink |
//! | `wfw:comment`, `trackback:ping`, `backLink` | RSS | text; of `ping` also `resource` | hyperlink |
//! | `license` | RSS, if it is a URL | text, `url`, `href`, `resource` | hyperlink |
//! | `docs` | RSS | text | metadata |
//! | `url`, `icon`, `logo`, `origEnclosureLink` | RSS, Atom | text | resource |
//! | `link`, `ln` | Atom, sitemaps, ResourceSync | `href` | as that of a `link` element; hyperlink without `rel` |
//! | `enclosure`, `content`, `thumbnail`, `player`, `embed` | RSS, Atom | `url`, `src` | resource |
//! | `itunes:image` | iTunes | `href`, text | resource |
//! | `source`, `li` | RSS | `url`, `resource` | hyperlink |
//! | `transcript`, `chapters`, `trailer`, `source` | podcasts | `url`, `uri` | resource |
//! | `chapter`, `person` | podcasts | `href`; `image`, `img` | hyperlink; resource |
//! | `images` | podcasts | `srcset` | resource |
//! | `funding`, `socialInteract`, `remoteItem`, `contentLink` | podcasts | `url`, `uri`, `accountUrl`, `feedUrl`, `href` | hyperlink |
//! | `subTitle`; `peerLink` | Media RSS | `href` | resource; hyperlink |
//! | `icon`, `logo`, `cover` | webfeeds.org | `href`, `image` | resource |
//! | `in-reply-to` | RFC 4685 | `href`, `source` | hyperlink |
//! | `generator` | Atom | `uri` | metadata |
//! | `<?xml-stylesheet?>` before the root | all | `href` | resource |
//! | `description`, `encoded` | RSS | HTML in the text, or with `type=xhtml` its elements | as in HTML |
//! | `content` | NCX of EPUB | `src` | resource |
//! | `reference` | guides in the package documents of EPUB | `href` | hyperlink |
//! | `content`, `summary`, `title`, `subtitle`, `rights` | Atom, with the `type` `html` or `xhtml` | the same | as in HTML |
//!
//! The prefix of an element's name does not matter. The links of HTML are read by [`links`] and
//! `Page::links`, not by [`each_feed_link`]. They have the element of the feed, the attribute `text`, and [`inner`](crate::html::Link::inner), the
//! element and attribute in the HTML. An empty `href` of a `link` is the base. They are relative to the `xml:base` of the feed and of the
//! XHTML in it, not to a `base` of the HTML.
//!
//! # Limits
//! Entities that the feed declares itself are replaced, of at most 4 KiB each and 8 MiB in all, and nothing outside is read. Damage, and a tag or text of more than 1
//! MiB, lose only the links there, and are an error after all other links. So is text before the XML, such as a warning of PHP.

mod attributes;
mod feed_state;
mod limited;
mod open_elements;
mod recognize;
mod resolved;
mod robots_txt;
mod sitemap;
mod source;
mod table;
mod xml;

pub use feed_state::FeedLink;
pub(crate) use feed_state::FeedPart;
pub use recognize::is_feed;
#[cfg(feature = "page")]
pub(crate) use recognize::{has_root, is_feed_after_html};
pub use resolved::{FeedLinks, ResolvedLinks, RobotsTxtLinks, links, links_from, robots_txt_links};
#[cfg(feature = "page")]
pub(crate) use robots_txt::{each_listed_link, is_url_list, sitemap_link};
pub use robots_txt::{each_robots_txt_link, is_robots_txt};
pub use sitemap::{SitemapEntries, SitemapEntry, sitemap_entries, sitemap_entries_from};
pub(crate) use source::Form;
pub use xml::each_feed_link;
pub(crate) use xml::{FeedReader, START_LEN};
#[cfg(feature = "page")]
pub(crate) use xml::{each_feed_part, feed_charset};
