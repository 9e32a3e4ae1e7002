//! Prints the links of a page as it comes from an asynchronous stream, such as the body of a response.
//!
//! `cargo run -p relref-links --example stream`

use std::error::Error;
use std::io;

use futures_lite::stream::{self, Stream, StreamExt};
use relref::whatwg::Base;
use relref_links::html::{Link, Options, Pages};

/// Clients of HTTP give bodies as such streams.
async fn print_links(
    mut body: impl Stream<Item = io::Result<Vec<u8>>> + Unpin,
    content_type_charset: Option<&str>,
    uri: &str,
) -> Result<(), Box<dyn Error>> {
    let base = Base::new(uri)?;
    let charset = content_type_charset.and_then(|label| relref_links::html::charset(label).ok());
    let mut pages = Pages::with(Options { places: true, ..Options::default() });
    let mut page = pages.start(&base).charset(charset);
    let print = |link: Link<'_>| {
        let (line, column) = link.place.map_or((0, 0), |place| (place.line, place.column));
        println!("{line}:{column} {}", link.uri);
    };
    while let Some(chunk) = body.try_next().await? {
        page.push(chunk, print);
    }
    Ok(page.finish(print)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let chunks = ["<title>A page</title><base href=/docs/>\n<a hre", "f=intro>in</a>\n<img src=pap", "er.png>"];
    let body = stream::iter(chunks).map(|chunk| Ok(chunk.as_bytes().to_vec()));
    futures_lite::future::block_on(print_links(body, Some("utf-8"), "http://example.com/index.html"))
}
