//! The `Sitemap` lines of `robots.txt` (sitemaps.org, "Submitting your Sitemap").

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use memchr::memchr2;
use relref::UriRef;

use crate::html::{FoundLink, Kind};
use crate::utf8_reader::Unmarked;

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
    let mut robots = RobotsReader::new(robots);
    while robots.read_line(&mut each)? {}
    Ok(())
}

pub struct RobotsReader<R> {
    robots: BufReader<Unmarked<R>>,
    line: Vec<u8>,
    was_long: bool,
}

impl<R: Read> RobotsReader<R> {
    pub(super) fn new(robots: R) -> Self {
        RobotsReader { robots: BufReader::new(Unmarked::new(robots)), line: Vec::new(), was_long: false }
    }

    /// Returns false at the end, and if `each` needs no more links.
    pub(super) fn read_line(&mut self, each: &mut impl FnMut(FoundLink<'_>) -> bool) -> io::Result<bool> {
        let RobotsReader { robots, line, was_long } = self;
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
            if !is_long && !report_link(line, each) {
                return Ok(false);
            }
            if is_last && *was_long {
                return Err(io::Error::new(ErrorKind::InvalidData, "a line has more than 64 KiB"));
            }
            return Ok(!is_last);
        }
    }
}

/// Returns false if `each` needs no more links.
fn report_link(line: &[u8], each: &mut impl FnMut(FoundLink<'_>) -> bool) -> bool {
    let line = String::from_utf8_lossy(line);
    let Some((name, value)) = line.trim_start_matches('\u{feff}').split_once(':') else { return true };
    // RFC 9309 §2.2: white space is a space or a tab.
    const SPACE: [char; 2] = [' ', '\t'];
    let reference = value.split('#').next().unwrap_or_default().trim_matches(SPACE);
    if !name.trim_matches(SPACE).eq_ignore_ascii_case("sitemap") || reference.is_empty() {
        return true;
    }
    each(FoundLink::new("sitemap", "text", Kind::Hyperlink, reference))
}

#[cfg(test)]
mod tests {
    use super::*;

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
