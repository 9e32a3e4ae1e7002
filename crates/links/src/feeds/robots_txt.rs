//! The `Sitemap` lines of `robots.txt` (sitemaps.org, "Submitting your Sitemap"), and the lines of text sitemaps ("Text file").

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use memchr::memchr2;
use relref::UriRef;

use crate::html::{FoundLink, Kind};
use crate::utf8_reader::Unmarked;
use crate::utf16;

/// The length in bytes of the longest line that is read, without its end.
const MAX_LINE_LEN: usize = 64 << 10;

/// Reports whether a URI is that of a `robots.txt` (RFC 9309 §2.3).
#[must_use]
pub fn is_robots_txt(uri: &str) -> bool {
    UriRef::new(uri).path() == "/robots.txt"
}

/// Reports the links in the `Sitemap` lines of a `robots.txt` to `each`, until it returns false. The element is `sitemap`.
///
/// # Errors
/// Errors of the stream, and [`InvalidData`](io::ErrorKind::InvalidData), after all links, if a line has more than 64 KiB.
///
/// ```
/// use relref_links::feeds::each_robots_txt_link;
///
/// let mut found = Vec::new();
/// each_robots_txt_link(&b"User-agent: *\nSITEMAP : /map.xml # all\n"[..], |link| {
///     found.push(link.reference.to_string());
///     true
/// })?;
/// assert_eq!(found, ["/map.xml"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn each_robots_txt_link(robots: impl Read, mut each: impl FnMut(FoundLink<'_>) -> bool) -> io::Result<()> {
    let mut robots = LineReader::new(robots, sitemap_link);
    while robots.read_line(&mut each)? {}
    Ok(())
}

/// Does the same for a text sitemap, which has a URL a line; other lines are left out. The element is `url`.
#[cfg(feature = "page")]
pub(crate) fn each_listed_link(list: impl Read, mut each: impl FnMut(FoundLink<'_>) -> bool) -> io::Result<()> {
    let mut list = LineReader::new(list, listed_link);
    while list.read_line(&mut each)? {}
    Ok(())
}

/// Reports whether a text is a text sitemap or another list of URLs, by its first bytes: the first line is a URL of `http` or `https`, and
/// most others start as one does. Empty lines and those that start with `#` do not count.
pub(crate) fn is_url_list(start: &[u8]) -> bool {
    let text = utf16::ascii_start(start);
    let lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with(b"#"));
    let starts =
        |line: &[u8], start: &[u8]| line.get(..start.len()).is_some_and(|part| part.eq_ignore_ascii_case(start));
    let starts_as_url = |line: &[u8]| starts(line, b"http://") || starts(line, b"https://");
    let is_url = |line: &[u8]| {
        let is_none_of_urls = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0..=0x1F | b'<' | b'>' | b'"');
        starts_as_url(line) && !line.iter().any(is_none_of_urls)
    };
    lines.next().is_some_and(is_url) && {
        // The last line may be cut. A bad line must not make a page of a million good ones.
        let rest: Vec<&[u8]> = lines.collect();
        let is_cut = !text.ends_with(b"\n");
        let whole = &rest[..rest.len().saturating_sub(usize::from(is_cut))];
        let bad = whole.iter().filter(|line| !starts_as_url(line)).count();
        bad == 0 || 2 * bad < whole.len() + 1
    }
}

pub struct LineReader<R> {
    robots: BufReader<Unmarked<R>>,
    line: Vec<u8>,
    was_long: bool,
    link_in: LinkIn,
}

/// Finds the link in a line.
type LinkIn = fn(&str) -> Option<FoundLink<'_>>;

impl<R: Read> LineReader<R> {
    pub(super) fn new(robots: R, link_in: LinkIn) -> Self {
        LineReader { robots: BufReader::new(Unmarked::new(robots)), line: Vec::new(), was_long: false, link_in }
    }

    /// Returns false at the end, and if `each` needs no more links.
    pub(super) fn read_line(&mut self, each: &mut impl FnMut(FoundLink<'_>) -> bool) -> io::Result<bool> {
        let LineReader { robots, line, was_long, link_in } = self;
        line.clear();
        loop {
            let chunk = match robots.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                chunk => chunk?,
            };
            let is_last = chunk.is_empty();
            // Lines may also end with a carriage return alone.
            let end = memchr2(b'\n', b'\r', chunk);
            let text = &chunk[..end.unwrap_or(chunk.len())];
            // One byte more than the limit shows that the line is too long.
            line.extend_from_slice(&text[..text.len().min(MAX_LINE_LEN + 1 - line.len())]);
            let read = text.len() + usize::from(end.is_some());
            robots.consume(read);
            if end.is_none() && !is_last {
                continue;
            }
            let is_long = line.len() > MAX_LINE_LEN;
            *was_long |= is_long;
            if !is_long && !link_in(&String::from_utf8_lossy(line)).is_none_or(&mut *each) {
                return Ok(false);
            }
            if is_last && *was_long {
                return Err(io::Error::new(ErrorKind::InvalidData, "a line has more than 64 KiB"));
            }
            return Ok(!is_last);
        }
    }
}

pub(crate) fn sitemap_link(line: &str) -> Option<FoundLink<'_>> {
    let (name, value) = line.split_once(':')?;
    // RFC 9309 §2.2: white space is a space or a tab.
    const SPACE: [char; 2] = [' ', '\t'];
    let reference = value.split('#').next().unwrap_or_default().trim_matches(SPACE);
    let is_sitemap = name.trim_matches(SPACE).eq_ignore_ascii_case("sitemap") && !reference.is_empty();
    is_sitemap.then(|| FoundLink::new("sitemap", "text", Kind::Hyperlink, reference))
}

pub(super) fn listed_link(line: &str) -> Option<FoundLink<'_>> {
    let reference = line.trim_ascii();
    UriRef::new(reference).scheme().map(|_| FoundLink::new("url", "text", Kind::Hyperlink, reference))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_a_url_in_every_line() {
        for (text, expected) in [
            ("http://h/a\r\n\r\nHTTPS://h/b?c#d\n", true),
            ("\u{feff}http://h/\u{e9}", true),
            ("http://h/a\nht", true),
            ("http://h/a\nb\nc", false),
            ("http://h/a\nhttp://h/a b\n\nhttp://h/<c>\nftp://h/d\nhttp://h/e\n", true),
            ("# All\n\nhttp://h/a\n", true),
            ("# http://h/\n", false),
            ("# Notes\n\nhttps://h/\nIs a page that I like.\n", false),
            ("http://h/\nis a page.\nIt is good.\n", false),
            ("http://h/a b\n", false),
            ("<a href=http://h/>\n", false),
            ("see http://h/\n", false),
            ("http://h/<b>\n", false),
            ("\n", false),
        ] {
            assert_eq!(is_url_list(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn long_lines_are_told() {
        let text = format!("Sitemap: /a\rsitemap:/b\nSitemap: /{}\nSitemap: /c", "x".repeat(100_000));
        let mut found = String::new();
        let done = each_robots_txt_link(text.as_bytes(), |link| {
            found += link.reference;
            true
        });
        assert_eq!((&*found, done.is_err()), ("/a/b/c", true));
        // Also where lines end with a carriage return alone.
        let text = format!("Sitemap: /a\r{}Sitemap: /b", "Disallow: /x\r".repeat(10_000));
        found.clear();
        let done = each_robots_txt_link(text.as_bytes(), |link| {
            found += link.reference;
            true
        });
        assert_eq!((&*found, done.is_err()), ("/a/b", false));
        let spaces = "\u{a0}Sitemap: /no\n\tSitemap\t: \t/\u{a0}a\u{3000} # x\nSitemap:\u{c}/b";
        found.clear();
        each_robots_txt_link(spaces.as_bytes(), |link| {
            found += link.reference;
            true
        })
        .unwrap();
        assert_eq!(found, "/\u{a0}a\u{3000}\u{c}/b");
        assert!(is_robots_txt("http://h/robots.txt?x") && !is_robots_txt("http://h/a/robots.txt"));
    }
}
