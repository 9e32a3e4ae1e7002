//! Markdown: the places of links decode to their references, another reference is read where it is written, and headings have ids by
//! every renderer.
//!
//! Input: options, page.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use relref::whatwg::Base;
use relref_fuzz::options;
use relref_links::html::LinkBuf;
use relref_links::markdown::{Renderer, heading_ids};
use relref_links::page::{LinkReader, Page};
use relref_links::rewrite::Rewriter;

const URIS: [&str; 2] = ["http://h/d/a.md", "http://h/d/a.mdx"];

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((bits, page)) = options(input) else { return Corpus::Reject };
    let uri = URIS[bits as usize >> 8 & 1];
    let links = links(page, uri);
    for link in &links {
        let Some(place) = link.place else { continue };
        let written = &page[place.start as usize..place.end as usize];
        // Without an escape, it stands for itself. In other encodings than UTF-8, ASCII bytes may be something else.
        let is_escaped = written.iter().any(|byte| b"\\&\0\r\n\t".contains(byte));
        if let (Ok(_), Ok(written), false) = (std::str::from_utf8(page), std::str::from_utf8(written), is_escaped) {
            assert!(link.reference.ends_with(written.trim_matches(|c| c <= ' ')));
        }
    }
    // In MDX, a bare address may have the `{` or the quote that another one closes, or the `](` that makes a destination of what follows:
    // once its URI is written, what was code is text, or the other way. References that only get longer are a law of the tests. So may a
    // bare address have the first backtick of two; and a `|` that had an escape, which has none outside of tables, may begin one.
    let has_other_use = links.iter().any(|link| link.reference.contains(['`', '|']));
    if std::str::from_utf8(page).is_ok() && uri == URIS[0] && !has_other_use {
        let mut rewriter = Rewriter::new(|link| Some(format!("{}#n", link.uri)));
        let new = self::links(&rewriter.markdown(page, None, &Base::new(uri).unwrap()), uri);
        assert_eq!(new.len(), links.len());
    }
    if let Ok(text) = std::str::from_utf8(page) {
        let renderer = Renderer::ALL[bits as usize % Renderer::ALL.len()];
        let ids = heading_ids(text, renderer);
        assert!(ids.len() <= text.len());
    }
    Corpus::Keep
});

fn links(page: &[u8], uri: &str) -> Vec<LinkBuf> {
    let mut reader = LinkReader::default();
    reader.pages.options.places = true;
    let mut links = Vec::new();
    let mut page = Page::new(uri, page.to_vec());
    // A page that is no Markdown has none.
    let _ = reader.links(&mut page, |link| {
        links.push(LinkBuf::from(link));
        Ok(())
    });
    links
}
