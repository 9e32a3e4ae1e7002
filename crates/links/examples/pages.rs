//! The links of pages, feeds and sitemaps in files, and of all pages in archives (WARC, WAT), with one reader.
//!
//! `cargo run -p relref-links --features page --example pages -- index.html sitemap.xml.gz crawl.warc.gz`

use std::{env, io};

use relref_links::html::Link;
use relref_links::page::{Captures, LinkReader, Page};

fn print(link: Link<'_>) -> io::Result<()> {
    println!("{} {}", link.kind, link.uri);
    Ok(())
}

fn main() -> io::Result<()> {
    let mut reader = LinkReader::default();
    for path in env::args().skip(1) {
        if !path.contains(".warc") {
            reader.links(&mut Page::open(&path, format!("http://example.com/{path}"))?, print)?;
            continue;
        }
        let mut captures = Captures::open(&path)?;
        while let Some(page) = captures.next_page() {
            let page = page.map_err(io::Error::other);
            if let Err(problem) = page.and_then(|mut page| reader.links(&mut page, print)) {
                eprintln!("{path}: {problem}");
            }
        }
    }
    Ok(())
}
