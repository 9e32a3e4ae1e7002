//! The links of pages, feeds and sitemaps in files, and of all pages in archives (WARC, WAT), with one reader.
//!
//! `cargo run -p relref-links --features page --example pages -- index.html sitemap.xml.gz crawl.warc.gz`

use std::{env, io};

use relref_links::page::{Captures, Page};

fn print(mut page: Page) {
    for link in page.links() {
        match link {
            Ok(link) => println!("{} {} {}", page.uri, link.kind, link.uri),
            Err(problem) => eprintln!("{}: {problem}", page.uri),
        }
    }
}

fn main() -> io::Result<()> {
    for path in env::args().skip(1) {
        if !path.contains(".warc") {
            print(Page::open(&path, format!("http://example.com/{path}"))?);
            continue;
        }
        for page in Captures::open(&path)? {
            match page {
                Ok(page) => print(page),
                Err(problem) => eprintln!("{path}: {problem}"),
            }
        }
    }
    Ok(())
}
