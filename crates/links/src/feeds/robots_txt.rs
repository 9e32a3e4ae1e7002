//! The `Sitemap` lines of `robots.txt` (sitemaps.org, "Submitting your Sitemap").

use std::io::{self, BufRead, ErrorKind};

use memchr::memchr2;
use relref::UriRef;

use crate::html::{FoundLink, Kind};

/// In bytes, without the line's end.
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
/// use relref_links::feeds::robots_txt_links;
///
/// let mut found = Vec::new();
/// robots_txt_links(&b"User-agent: *\nSITEMAP : /map.xml # all\n"[..], |link| {
///     found.push(link.reference.to_string());
///     true
/// })?;
/// assert_eq!(found, ["/map.xml"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn robots_txt_links(mut robots: impl BufRead, mut each: impl FnMut(FoundLink<'_>) -> bool) -> io::Result<()> {
    let mut line = Vec::new();
    let mut was_long = false;
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
        was_long |= is_long;
        if !is_long && !report_link(&line, &mut each) {
            return Ok(());
        }
        if is_last {
            let why = "a line has more than 64 KiB";
            return if was_long { Err(io::Error::new(ErrorKind::InvalidData, why)) } else { Ok(()) };
        }
        line.clear();
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
    each(FoundLink { element: "sitemap", attribute: "text", kind: Kind::Hyperlink, rel: "", reference })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_told() {
        let text = format!("Sitemap: /a\rsitemap:/b\nSitemap: /{}\nSitemap: /c", "x".repeat(100_000));
        let mut found = String::new();
        let done = robots_txt_links(text.as_bytes(), |link| {
            found += link.reference;
            true
        });
        assert_eq!((&*found, done.is_err()), ("/a/b/c", true));
        // Also where lines end with a carriage return alone.
        let text = format!("Sitemap: /a\r{}Sitemap: /b", "Disallow: /x\r".repeat(10_000));
        found.clear();
        let done = robots_txt_links(text.as_bytes(), |link| {
            found += link.reference;
            true
        });
        assert_eq!((&*found, done.is_err()), ("/a/b", false));
        let spaces = "\u{a0}Sitemap: /no\n\tSitemap\t: \t/\u{a0}a\u{3000} # x\nSitemap:\u{c}/b";
        found.clear();
        robots_txt_links(spaces.as_bytes(), |link| {
            found += link.reference;
            true
        })
        .unwrap();
        assert_eq!(found, "/\u{a0}a\u{3000}\u{c}/b");
        assert!(is_robots_txt("http://h/robots.txt?x") && !is_robots_txt("http://h/a/robots.txt"));
    }
}
