//! The program of README.

use relref_links::{check::Site, html, page::Captures, rewrite};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for link in html::links("<a href=b>in</a>", "http://example.com/a/")? {
        println!("{} {} {}", link.element, link.reference, link.uri); // text, or bytes in any encoding
    }
    let absolute: Vec<u8> = rewrite::html("<a href=b>", "http://example.com/a/", |link| Some(link.uri.to_owned()))?;
    assert_eq!(absolute, b"<a href=http://example.com/a/b>");
    for page in Captures::open("crawl.warc.gz")? {
        for link in page?.links() {
            println!("{}", link?.uri);
        }
    }
    for problem in Site::open("docs", Default::default())?.problems() {
        println!("{}", problem?); // docs/a.md:3:9: missing: b.md (docs/b.md)
    }
    Ok(())
}
