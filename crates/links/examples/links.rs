//! Prints the links of a page: kind, element, attribute, reference and absolute URI.
//!
//! `cargo run -p relref-links --example links -- PAGE.html http://where.it/came/from`

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::Cursor;

use relref::whatwg::Base;
use relref_links::html::{Link, Pages};

const PAGE: &str = "<base href='/docs/'><link rel=stylesheet href=docs.css><a href='intro.html'>in</a> \
    <a href='../up#top' rel=nofollow>up</a> <img srcset='//cdn.example/x.png, x@2.png 2x'> \
    <p style='background: url(paper.png)'><a href='mailto:me@example.com'>me</a>";

fn main() -> Result<(), Box<dyn Error>> {
    let print = |link: Link<'_>| {
        let note = if !link.is_fetchable() {
            "-"
        } else if link.nofollow() {
            "?"
        } else {
            " "
        };
        let Link { element, attribute, kind, reference, uri, .. } = link;
        println!("{note} {kind:<9} {element:<8} {attribute:<10} {reference:<24} {uri}");
        Ok(())
    };
    let mut pages = Pages::new();
    let mut args = env::args().skip(1);
    match (args.next(), args.next()) {
        (Some(file), Some(uri)) => pages.links_from_file(File::open(file)?, None, &Base::new(&uri)?, print)?,
        _ => pages.links_from(Cursor::new(PAGE), None, &Base::new("http://example.com/index.html")?, print)?,
    }
    Ok(())
}
