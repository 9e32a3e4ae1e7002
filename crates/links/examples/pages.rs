//! The links of pages, feeds and sitemaps in files, and of all pages in archives (WARC, WAT), with one reader.
//!
//! `cargo run -p relref-links --features page --example pages -- index.html sitemap.xml.gz crawl.warc.gz`

use std::{env, io};

use relref_links::page::{Captures, LinkReader, Page};

fn main() -> io::Result<()> {
    let mut reader = LinkReader::default();
    for path in env::args().skip(1) {
        if !path.contains(".warc") {
            let mut page = Page::open(&path, format!("http://example.com/{path}"))?;
            reader.links(&mut page, |link| Ok(println!("{} {}", link.kind, link.uri)))?;
            continue;
        }
        let mut captures = Captures::open(&path)?;
        while let Some(page) = captures.next_page() {
            let read = page.map_err(io::Error::other);
            match read.and_then(|mut page| reader.links(&mut page, |link| Ok(println!("{} {}", link.kind, link.uri)))) {
                Ok(()) => {}
                Err(problem) => eprintln!("{path}: {problem}"),
            }
        }
    }
    Ok(())
}
