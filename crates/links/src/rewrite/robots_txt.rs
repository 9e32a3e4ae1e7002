//! Other references in the `Sitemap` lines of a `robots.txt`.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};
use std::str;

use super::choose::Choose;
use super::rewriter::Rewriter;
use crate::feeds::sitemap_link;
use crate::html::{LinkReceiver, Occurrence, PageBase, PageFacts, TextKind};

impl<C: Choose> Rewriter<'_, C> {
    /// Writes a `robots.txt` with other references, which stay absolute (sitemaps.org, "Submitting your Sitemap").
    pub(super) fn robots_to(&mut self, robots: &[u8], base: PageBase<'_>, out: impl Write) -> io::Result<()> {
        let (pages, mut session) = self.session(Cow::Borrowed(robots), out);
        session.needs_absolute = true;
        let session = RefCell::new(session);
        let find = |links: &mut LinkReceiver<'_>| {
            each_line(robots, |number, start, line| {
                let Some(link) = str::from_utf8(line).ok().and_then(sitemap_link) else { return };
                let before = link.reference.as_ptr() as usize - line.as_ptr() as usize;
                let at = start + before;
                let pieces = [(at..at + link.reference.len(), TextKind::RawText)];
                let before = str::from_utf8(&line[..before]).unwrap_or_default();
                links.add_located(link, Some(Occurrence::in_line(robots, &pieces, number, before)));
            });
        };
        // The only error is that of the output, which is told below.
        let _ = pages.find_links(PageFacts::default(), base, find, &mut &session);
        session.into_inner().write_to(u64::MAX)
    }
}

/// Passes the number, the offset and the text of each line to `each`, without a byte order mark.
fn each_line<'r>(text: &'r [u8], mut each: impl FnMut(u64, usize, &'r [u8])) {
    let (mut start, mut number) = (if text.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 }, 1);
    while start < text.len() {
        let len = memchr::memchr2(b'\n', b'\r', &text[start..]).unwrap_or(text.len() - start);
        each(number, start, &text[start..start + len]);
        start += len + if text[start + len..].starts_with(b"\r\n") { 2 } else { 1 };
        number += 1;
    }
}
