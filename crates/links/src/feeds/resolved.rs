//! The links of feeds and `robots.txt` with their URIs, as iterators.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io::{self, Cursor, ErrorKind, Read};
use std::iter::FusedIterator;
use std::ops::ControlFlow;

use super::robots_txt::{LineReader, sitemap_link};
use super::xml::FeedReader;
use crate::html::{Link, LinkBuf, LinkReceiver, OwnedBase, PageUri, Pages};

/// Returns an iterator of the links of a sitemap or feed. `uri` is the URI of the feed, as [`html::links`](crate::html::links) takes it;
/// the references of correct sitemaps and feeds do not need it, so any will do for these.
///
/// `feed` is text or bytes, which are read while the links are iterated, in bounded memory: few links are in memory at once, those of a single tag up to 16 MiB.
/// The links are those of [`each_feed_link`](super::each_feed_link), which has no such limit, and also takes a known character
/// encoding.
///
/// # Errors
/// `uri` is a text and no absolute URL, or the start of the feed cannot be read. The iterator returns the errors of
/// [`each_feed_link`](super::each_feed_link), one at most, as its last item; and [`InvalidData`](ErrorKind::InvalidData) if links of a
/// tag were left out and there is no other error.
///
/// ```
/// use relref_links::feeds;
///
/// let sitemap = "<urlset><url><loc>http://h/a?b&amp;c</loc></url><url><loc>/d</loc></url></urlset>";
/// let mut uris = Vec::new();
/// for link in feeds::links(sitemap, "http://h/sitemap.xml")? {
///     uris.push(link?.uri);
/// }
/// assert_eq!(uris, ["http://h/a?b&c", "http://h/d"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[doc(alias = "sitemap_links")]
#[doc(alias = "sitemap_urls")]
#[doc(alias = "rss_links")]
#[doc(alias = "atom_links")]
pub fn links<B: AsRef<[u8]>>(feed: B, uri: impl PageUri) -> io::Result<FeedLinks<Cursor<B>>> {
    links_from(Cursor::new(feed), uri)
}

/// Like [`links`], for a feed that is read while its links are iterated.
///
/// # Errors
/// As those of [`links`], and those of `feed`.
///
/// ```no_run
/// use std::fs::File;
/// use relref_links::feeds;
///
/// for link in feeds::links_from(File::open("sitemap.xml")?, "http://h/sitemap.xml")? {
///     println!("{}", link?.uri);
/// }
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn links_from<R: Read>(feed: R, uri: impl PageUri) -> io::Result<FeedLinks<R>> {
    let base = absolute(uri)?;
    Ok(ResolvedLinks::new(FeedReader::new(feed, None)?, base))
}

/// Returns an iterator of the links in the `Sitemap` lines of a `robots.txt`. `uri` is its URI, as [`html::links`](crate::html::links)
/// takes it.
///
/// `robots` is text or bytes, which are read while the links are iterated.
///
/// # Errors
/// `uri` is a text and no absolute URL. The iterator returns the errors of [`each_robots_txt_link`](super::each_robots_txt_link), one
/// at most, as its last item.
///
/// ```
/// use relref_links::feeds::robots_txt_links;
///
/// let robots = "User-agent: *\nSitemap: /map.xml\n";
/// let sitemaps = robots_txt_links(robots, "http://h/robots.txt")?.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(sitemaps[0].uri, "http://h/map.xml");
/// # Ok::<(), std::io::Error>(())
/// ```
#[doc(alias = "robots_sitemaps")]
pub fn robots_txt_links<B: AsRef<[u8]>>(robots: B, uri: impl PageUri) -> io::Result<RobotsTxtLinks<Cursor<B>>> {
    let base = absolute(uri)?;
    Ok(ResolvedLinks::new(LineReader::new(Cursor::new(robots), sitemap_link), base))
}

pub(super) fn absolute(uri: impl PageUri) -> io::Result<OwnedBase> {
    uri.to_base().map_err(|why| io::Error::new(ErrorKind::InvalidInput, why))
}

/// The links of a sitemap or feed, which [`links`] returns.
pub type FeedLinks<R> = ResolvedLinks<FeedReader<R>>;

/// The links of a `robots.txt`, which [`robots_txt_links`] returns.
pub type RobotsTxtLinks<R> = ResolvedLinks<LineReader<R>>;

/// A reader that finds links piece by piece.
pub trait FindSome {
    /// Returns false at the end, and if `links` needs no more.
    fn find_some(&mut self, links: &mut LinkReceiver<'_>) -> io::Result<bool>;
}

impl<R: Read> FindSome for FeedReader<R> {
    fn find_some(&mut self, links: &mut LinkReceiver<'_>) -> io::Result<bool> {
        self.read_event(&mut |part| part.add_to(links))
    }
}

impl<R: Read> FindSome for LineReader<R> {
    fn find_some(&mut self, links: &mut LinkReceiver<'_>) -> io::Result<bool> {
        self.read_line(&mut |link| links.add(link))
    }
}

/// The links of what is read while they are iterated.
pub struct ResolvedLinks<F> {
    /// `None` at the end.
    reader: Option<F>,
    pages: Pages,
    base: OwnedBase,
    found: VecDeque<LinkBuf>,
    /// Links after [`MAX_LEN`](Self::MAX_LEN).
    left_out: u64,
    /// Comes after `found`.
    error: Option<io::Error>,
}

debug_fields!([F] ResolvedLinks<F>: left_out);

impl<F: FindSome> ResolvedLinks<F> {
    /// The size in bytes of the links, with their texts, that are enough for now: links are found until they have as many.
    const ENOUGH_LEN: usize = 16 << 10;
    /// One tag can have very many links: those after as many bytes more are left out.
    const MAX_LEN: usize = 16 << 20;

    fn new(reader: F, base: OwnedBase) -> Self {
        let (reader, found) = (Some(reader), VecDeque::new());
        ResolvedLinks { reader, pages: Pages::new(), base, found, left_out: 0, error: None }
    }

    fn find_more(&mut self) {
        let ResolvedLinks { reader, pages, base, found, left_out, error } = self;
        let (len, enough) = (Cell::new(0), Cell::new(Self::ENOUGH_LEN));
        let find = |links: &mut LinkReceiver<'_>| {
            while let Some(some) = reader.as_mut().filter(|_| len.get() < enough.get()) {
                match some.find_some(links) {
                    // Each call of `found_links` resolves the inner bases again: as many bytes of links must pay for that.
                    Ok(true) => enough.set(enough.get().max(links.inner_bases_len())),
                    end => (*reader, *error) = (None, end.err()),
                }
            }
        };
        let _: ControlFlow<()> = pages.found_links(base.as_page_base(), find, |link| {
            let Link { element, attribute, rel, reference, uri, .. } = link;
            let texts = [element, attribute, rel, reference, uri];
            len.set(len.get() + size_of::<LinkBuf>() + texts.into_iter().map(str::len).sum::<usize>());
            if len.get() > enough.get() + Self::MAX_LEN {
                *left_out += 1;
            } else {
                found.push_back(link.into());
            }
            ControlFlow::Continue(())
        });
        if reader.is_none() && *left_out > 0 && error.is_none() {
            let why = format!("{left_out} links are left out: those of their tag have more than 16 MiB");
            *error = Some(io::Error::new(ErrorKind::InvalidData, why));
        }
    }
}

impl<F: FindSome> Iterator for ResolvedLinks<F> {
    type Item = io::Result<LinkBuf>;

    fn next(&mut self) -> Option<io::Result<LinkBuf>> {
        while self.found.is_empty() && self.reader.is_some() {
            self.find_more();
        }
        self.found.pop_front().map(Ok).or_else(|| self.error.take().map(Err))
    }
}

impl<F: FindSome> FusedIterator for ResolvedLinks<F> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_come_before_the_error() {
        let mut found: Vec<_> = links("<rss><link>a</link><link>b", "http://h/").unwrap().collect();
        let error = found.pop().unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
        assert_eq!(found.len(), 1);
        assert_eq!(links("<p>", "http://h/").unwrap().map(Result::unwrap_err).count(), 1);
        assert_eq!(links("<rss/>", "h").unwrap_err().kind(), ErrorKind::InvalidInput);
        let line = format!("Sitemap: /{}\nSitemap: b", "a".repeat(100_000));
        let found: Vec<_> = robots_txt_links(line, "http://h/").unwrap().collect();
        assert_eq!((found.len(), found[0].as_ref().unwrap().uri.as_str(), found[1].is_err()), (2, "http://h/b", true));
    }

    #[test]
    fn inner_bases_count_in_all_links() {
        let entry =
            "<entry xml:base='x/'><link href=a><entry xml:base='y/'><link href=b /></entry></entry><link href=c />";
        let feed = format!("<feed>{}</feed>", entry.repeat(1000));
        let uris: Vec<String> = links(feed, "http://h/").unwrap().map(|link| link.unwrap().uri).collect();
        assert_eq!(uris.len(), 3000);
        for three in uris.chunks(3) {
            assert_eq!(three, ["http://h/x/a", "http://h/x/y/b", "http://h/c"]);
        }
    }

    /// XML allows one attribute of a name; of more, the first counts.
    #[test]
    fn a_tag_has_one_link_of_a_name() {
        let tag = format!("<link rel='{}'{} x:href=b />", "x ".repeat(50_000), " href=a".repeat(10_000));
        let feed = format!("<feed><!x>{tag}<content src=c url=d /><link href=last /></feed>");
        let mut found: Vec<_> = links(feed, "http://h/").unwrap().collect();
        assert!(found.pop().unwrap().unwrap_err().to_string().contains("byte 6"));
        let uris: Vec<String> = found.into_iter().map(|link| link.unwrap().uri).collect();
        assert_eq!(uris, ["http://h/a", "http://h/c", "http://h/d", "http://h/last"]);
    }
}
