//! The hyperlinks of a page, resolved.
//!
//! `cargo run --features html --example links -- PAGE.html http://where.it/came/from`

use std::env;
use std::error::Error;
use std::fs;

use relref::{Rules, html};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let (page, uri) = match (args.next(), args.next()) {
        (Some(file), Some(uri)) => (fs::read(file)?, uri),
        _ => (
            b"<base href='/docs/'><a href='intro.html'>in</a> <a href='../up#top'>up</a> <img src='//cdn.example/x.png'>".to_vec(),
            "http://example.com/index.html".to_string(),
        ),
    };
    for link in html::links(&page, &uri, Rules::RFC3986)? {
        println!("{:<8} {:<10} {:<30} {}", link.element, link.attribute, link.reference, link.uri);
    }
    Ok(())
}
