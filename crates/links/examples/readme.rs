//! The program of README.

use std::fs::File;

use relref::{crawl::RobotsTxt, whatwg};
use relref_links::html::{self, Pages};
use relref_links::page::{Captures, Page};
use relref_links::{feeds, rewrite};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Text, or bytes in any encoding.
    for link in html::links("<a href=b>in</a>", "http://example.com/a/")? {
        println!("{} {} {} {}", link.element, link.attribute, link.reference, link.uri);
    }
    let base = whatwg::Base::new("http://example.com/a/")?;
    let mut pages = Pages::new();
    let mut page = pages.start(&base); // a page that comes in chunks
    page.push("<a hr", |link| println!("{}", link.uri));
    page.push("ef=b>", |link| println!("{}", link.uri));
    page.finish(|link| println!("{}", link.uri))?;
    let absolute: Vec<u8> = rewrite::html("<a href=b>", "http://example.com/a/", |link| Some(link.uri.to_owned()))?;
    println!("{}", String::from_utf8(absolute)?);

    for link in Page::open("page.html", "http://example.com/")?.links() {
        println!("{}", link?.uri); // of a file of any kind; of bytes, `Page::new(uri, bytes)`
    }
    for page in Captures::open("crawl.warc.gz")? {
        match page {
            // page.uri and page.media_type are Strings, page.date and page.status Options.
            Ok(mut page) => {
                for link in page.links() {
                    println!("{} {}", page.uri, link?.uri);
                }
            }
            Err(damage) => eprintln!("{damage}"), // the pages after it follow
        }
    }
    for link in feeds::feed_links(File::open("sitemap.xml")?, "http://example.com/sitemap.xml")? {
        println!("{}", link?.uri);
    }
    let robots = RobotsTxt::parse("User-agent: *\nDisallow: /private/");
    println!("{}", robots.can_fetch("ExampleBot", "http://example.com/private/"));
    Ok(())
}
