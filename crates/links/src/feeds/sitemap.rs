//! The entries of sitemaps and their indexes: URLs, and when they were changed.

use std::io::{self, Chain, Cursor, Read};
use std::iter::FusedIterator;
use std::mem::take;

use super::feed_state::PartKind;
use super::resolved::absolute;
use super::robots_txt::{LineReader, is_url_list, listed_link};
use super::xml::FeedReader;
use crate::html::{FoundLink, OwnedBase, PageUri};

/// An entry of a sitemap, or of an index of sitemaps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct SitemapEntry {
    /// The absolute URI of its `loc`.
    #[doc(alias("loc", "url"))]
    pub uri: String,
    /// Its `lastmod` as written, which should be a date or time of the form `2026-11-27T21:30:00Z`; empty without one.
    pub lastmod: String,
    /// True for an entry of an index: the URI is that of another sitemap.
    pub is_sitemap: bool,
}

/// Returns an iterator of the entries of a sitemap or of an index of sitemaps. `uri` is its URI, as [`html::links`](crate::html::links)
/// takes it. An entry without a `loc`, or with one that has no URI, is left out; so are the images and videos of an entry, which
/// [`feeds::links`](super::links) also finds. In a text sitemap, each line that is a URL is an entry. RSS and Atom, which search engines take
/// for sitemaps, have no entries here: `feeds::links` has theirs.
///
/// `sitemap` is text or bytes, which are read while the entries are iterated; one entry is in memory at once.
///
/// Source: the protocol of sitemaps.org 0.9.
///
/// # Errors
/// `uri` is a text and no absolute URL, or the start of the sitemap cannot be read. The iterator returns the errors of
/// [`each_feed_link`](super::each_feed_link), one at most, as its last item.
///
/// ```
/// use relref_links::feeds::sitemap_entries;
///
/// let index = "<sitemapindex><sitemap><loc>http://h/a.xml</loc><lastmod>2026-11-27</lastmod></sitemap></sitemapindex>";
/// for entry in sitemap_entries(index, "http://h/sitemap.xml")? {
///     let entry = entry?;
///     assert_eq!((&*entry.uri, &*entry.lastmod, entry.is_sitemap), ("http://h/a.xml", "2026-11-27", true));
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
#[doc(alias = "sitemap_index")]
pub fn sitemap_entries<B: AsRef<[u8]>>(sitemap: B, uri: impl PageUri) -> io::Result<SitemapEntries<Cursor<B>>> {
    sitemap_entries_from(Cursor::new(sitemap), uri)
}

/// Like [`sitemap_entries`], for a sitemap that is read while its entries are iterated.
///
/// # Errors
/// As those of [`sitemap_entries`], and those of `sitemap`.
pub fn sitemap_entries_from<R: Read>(mut sitemap: R, uri: impl PageUri) -> io::Result<SitemapEntries<R>> {
    let base = absolute(uri)?;
    let mut start = Vec::new();
    sitemap.by_ref().take(TEXT_START_LEN).read_to_end(&mut start)?;
    let is_text = is_url_list(&start);
    let whole = Cursor::new(start).chain(sitemap);
    let reader = if is_text {
        SitemapReader::Text(LineReader::new(whole, listed_link))
    } else {
        let mut reader = FeedReader::new(whole, None)?;
        reader.keep_entries();
        SitemapReader::Xml(Box::new(reader))
    };
    Ok(SitemapEntries { reader: Some(reader), base, entry: SitemapEntry::default() })
}

/// The length in bytes of the start by which a text sitemap is recognized.
const TEXT_START_LEN: u64 = 1 << 10;

enum SitemapReader<R> {
    Xml(Box<FeedReader<R>>),
    Text(LineReader<R>),
}

/// The entries of a sitemap, which [`sitemap_entries`] returns.
pub struct SitemapEntries<R> {
    /// `None` at the end.
    reader: Option<SitemapReader<Chain<Cursor<Vec<u8>>, R>>>,
    base: OwnedBase,
    /// The current entry, as far as it is read.
    entry: SitemapEntry,
}

debug_fields!([R] SitemapEntries<R>: entry);

impl<R: Read> Iterator for SitemapEntries<R> {
    type Item = io::Result<SitemapEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let SitemapEntries { reader, base, entry } = self;
            let (read, ended) = match reader.as_mut()? {
                SitemapReader::Xml(reader) => read_xml(reader, base, entry),
                SitemapReader::Text(reader) => {
                    let read = reader.read_line(&mut |link| {
                        set_uri(entry, base, link);
                        true
                    });
                    // The end, and its error, come again after the entry of the last line.
                    let read = if entry.uri.is_empty() { read } else { Ok(true) };
                    (read, Some(take(entry)))
                }
            };
            let is_over = !matches!(read, Ok(true));
            if is_over {
                self.reader = None;
            }
            match (read, ended.filter(|entry| !entry.uri.is_empty())) {
                (Err(error), _) => return Some(Err(error)),
                (Ok(_), Some(entry)) => return Some(Ok(entry)),
                (Ok(false), None) => return None,
                (Ok(true), None) => {}
            }
        }
    }
}

/// Reads a part of a sitemap into `entry`. Also returns the entry that ends there.
fn read_xml(
    reader: &mut FeedReader<impl Read>,
    base: &OwnedBase,
    entry: &mut SitemapEntry,
) -> (io::Result<bool>, Option<SitemapEntry>) {
    let mut ended = None;
    let read = reader.read_event(&mut |part| {
        match part.kind {
            PartKind::Link(found) if found.link.element.rsplit(':').next() == Some("loc") => {
                // The end tag of the entry before is missing.
                if found.link.element == "loc" && !entry.uri.is_empty() {
                    ended = Some(take(entry));
                }
                if entry.uri.is_empty() && !is_extension(found.link.element) {
                    set_uri(entry, base, found.link);
                }
            }
            PartKind::LastModified(text) => entry.lastmod = text.to_owned(),
            PartKind::EntryEnd { is_sitemap } => ended = Some(SitemapEntry { is_sitemap, ..take(entry) }),
            _ => {}
        }
        true
    });
    (read, ended)
}

fn set_uri(entry: &mut SitemapEntry, base: &OwnedBase, link: FoundLink<'_>) {
    if base.as_page_base().resolve_into(link.reference, &mut entry.uri).is_err() {
        entry.uri.clear();
    }
}

impl<R: Read> FusedIterator for SitemapEntries<R> {}

/// Reports whether a `loc` is that of an image or video.
fn is_extension(element: &str) -> bool {
    element.starts_with("image:") || element.starts_with("video:")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(xml: &str) -> (String, Option<io::ErrorKind>) {
        let (mut found, mut error) = (Vec::new(), None);
        for entry in sitemap_entries(xml, "http://h/x/").unwrap() {
            match entry {
                Ok(SitemapEntry { uri, lastmod, is_sitemap }) => {
                    found.push(format!("{uri} {lastmod}{}", if is_sitemap { " sitemap" } else { "" }));
                }
                Err(why) => error = Some(why.kind()),
            }
        }
        (found.join(", "), error)
    }

    #[test]
    fn entries_have_their_own_facts() {
        let url = "<url><lastmod> 2026 </lastmod><loc>a</loc><image:image><image:loc>i</image:loc></image:image></url>";
        let map = format!(
            "<urlset>{url}<url><loc>http://o/?b&amp;c</loc></url><url><lastmod>1</lastmod></url>{url}</urlset>"
        );
        let expected = "http://h/x/a 2026, http://o/?b&c , http://h/x/a 2026";
        assert_eq!(entries(&map), (expected.to_owned(), None));
        let index = "<s:sitemapindex><s:sitemap><s:loc>/m.xml</s:loc><s:lastmod/></s:sitemap></s:sitemapindex>";
        assert_eq!(entries(index), ("http://h/m.xml  sitemap".to_owned(), None));
        let bad = "<urlset><url><loc>http://[</loc><lastmod>1</lastmod></url><url><loc>b</loc></url></urlset>";
        assert_eq!(entries(bad), ("http://h/x/b ".to_owned(), None));
        let unclosed = "<urlset><url><loc>a</loc><lastmod>1</lastmod><url><loc>b</loc></url></urlset>";
        assert_eq!(entries(unclosed), ("http://h/x/a 1, http://h/x/b ".to_owned(), None));
        let cut = "<urlset><url><loc>a</loc></url><url><loc>b</loc>";
        assert_eq!(entries(cut), ("http://h/x/a ".to_owned(), Some(io::ErrorKind::UnexpectedEof)));
        assert_eq!(
            entries("\u{feff}http://h/a\r\n# all\nhttps://o/?c d\nhttp://[\n\nftp://x/"),
            ("http://h/a , https://o/?c%20d , ftp://x/ ".to_owned(), None)
        );
        let long = format!("http://h/a\nhttp://h/{}\nhttp://h/b", "x".repeat(100_000));
        assert_eq!(entries(&long), ("http://h/a , http://h/b ".to_owned(), Some(io::ErrorKind::InvalidData)));
        assert_eq!(entries("<p>"), (String::new(), Some(io::ErrorKind::InvalidData)));
    }
}
