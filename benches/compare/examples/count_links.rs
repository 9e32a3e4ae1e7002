//! Counts the `href` and `src` attributes of all pages in a folder by another library, as a program beside which `relref links` is timed:
//! `cargo run --release --manifest-path benches/compare/Cargo.toml --example count_links lol_html FOLDER`, or `html5gum`, or `tl`.

use std::cell::Cell;
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use html5gum::{Token, Tokenizer};
use lol_html::{HtmlRewriter, Settings, element};

fn main() -> Result<(), Box<dyn Error>> {
    let usage = "usage: count_links lol_html|html5gum|tl FOLDER";
    let count = match env::args().nth(1).as_deref() {
        Some("lol_html") => by_lol_html,
        Some("html5gum") => by_html5gum,
        Some("tl") => by_tl,
        _ => return Err(usage.into()),
    };
    let mut folders = vec![PathBuf::from(env::args().nth(2).ok_or(usage)?)];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    let mut sum = 0;
    for page in pages {
        sum += count(&fs::read(page)?)?;
    }
    println!("{sum} attributes");
    Ok(())
}

fn by_lol_html(page: &[u8]) -> Result<usize, Box<dyn Error>> {
    let count = Cell::new(0);
    let counts = |name: &'static str| {
        element!(format!("*[{name}]"), |element| {
            count.set(count.get() + usize::from(element.get_attribute(name).is_some()));
            Ok(())
        })
    };
    let element_content_handlers = vec![counts("href"), counts("src")];
    let mut reader = HtmlRewriter::new(Settings { element_content_handlers, ..Settings::new() }, |_: &[u8]| ());
    reader.write(page)?;
    reader.end()?;
    Ok(count.get())
}

fn by_html5gum(page: &[u8]) -> Result<usize, Box<dyn Error>> {
    let mut count = 0;
    for token in Tokenizer::new(page) {
        let Ok(Token::StartTag(tag)) = token else { continue };
        count += [&b"href"[..], b"src"].iter().filter(|name| tag.attributes.contains_key(**name)).count();
    }
    Ok(count)
}

fn by_tl(page: &[u8]) -> Result<usize, Box<dyn Error>> {
    let page = String::from_utf8_lossy(page);
    let tree = tl::parse(&page, tl::ParserOptions::default())?;
    let tags = tree.nodes().iter().filter_map(|node| node.as_tag());
    Ok(tags.map(|tag| ["href", "src"].iter().filter(|name| tag.attributes().contains(**name)).count()).sum())
}
