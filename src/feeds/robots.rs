//! The `Sitemap` lines of `robots.txt` (sitemaps.org, "Submitting your Sitemap").

use std::io::{self, BufRead, Read};

use crate::html::{FoundLink, Kind};
use crate::uri::UriRef;

/// The length in bytes of the longest line that is read.
const LINE: u64 = 64 << 10;

/// Reports whether a URI is that of a `robots.txt` (RFC 9309 §2.3).
pub fn is_robots(uri: &str) -> bool {
    UriRef::new(uri).path() == "/robots.txt"
}

/// Reports the links in the `Sitemap` lines of a `robots.txt` to `each`, until it returns false. The element is `sitemap`.
///
/// # Errors
/// Those of the stream, and [`InvalidData`](io::ErrorKind::InvalidData), after all links, if a line has more than 64 KiB.
///
/// ```
/// use relref::feeds::robots_links;
///
/// let mut found = Vec::new();
/// robots_links(&b"User-agent: *\nSITEMAP : /map.xml # all\n"[..], |link| {
///     found.push(link.reference.to_string());
///     true
/// })?;
/// assert_eq!(found, ["/map.xml"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn robots_links(mut robots: impl BufRead, mut each: impl FnMut(FoundLink<'_>) -> bool) -> io::Result<()> {
    let mut line = Vec::new();
    let mut is_cut = false;
    let mut was_cut = false;
    loop {
        line.clear();
        let starts_line = !was_cut;
        if robots.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
            let why = "a line has more than 64 KiB";
            return if is_cut { Err(io::Error::new(io::ErrorKind::InvalidData, why)) } else { Ok(()) };
        }
        was_cut = line.len() as u64 == LINE && !line.ends_with(b"\n");
        is_cut |= was_cut;
        // Lines may also end with a carriage return.
        for line in line.split(|byte| *byte == b'\r').filter(|_| starts_line && !was_cut) {
            let line = String::from_utf8_lossy(line);
            let Some((name, value)) = line.trim_start_matches('\u{feff}').split_once(':') else { continue };
            let reference = value.split('#').next().unwrap_or_default().trim();
            if !name.trim().eq_ignore_ascii_case("sitemap") || reference.is_empty() {
                continue;
            }
            let link = FoundLink { element: "sitemap", attribute: "text", kind: Kind::Hyperlink, rel: "", reference };
            if !each(link) {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_told() {
        let text = format!("Sitemap: /a\rsitemap:/b\nSitemap: /{}\nSitemap: /c", "x".repeat(100_000));
        let mut found = String::new();
        let done = robots_links(text.as_bytes(), |link| {
            found += link.reference;
            true
        });
        assert_eq!((&*found, done.is_err()), ("/a/b/c", true));
        assert!(is_robots("http://h/robots.txt?x") && !is_robots("http://h/a/robots.txt"));
    }
}
