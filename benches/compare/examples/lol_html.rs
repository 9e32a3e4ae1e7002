//! Counts the `href` and `src` attributes of all pages in a folder by lol_html, as a program beside which `relref links` is timed:
//! `cargo run --release --manifest-path benches/compare/Cargo.toml --example lol_html FOLDER`.

use std::cell::Cell;
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

use lol_html::{HtmlRewriter, Settings, element};

fn main() -> Result<(), Box<dyn Error>> {
    let mut folders = vec![PathBuf::from(env::args().nth(1).ok_or("usage: lol_html FOLDER")?)];
    let (mut pages, count) = (Vec::new(), Cell::new(0_u64));
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
    let counts = |name: &'static str| {
        element!(format!("*[{name}]"), |element| {
            count.set(count.get() + u64::from(element.get_attribute(name).is_some()));
            Ok(())
        })
    };
    for page in pages {
        let element_content_handlers = vec![counts("href"), counts("src")];
        let settings = Settings { element_content_handlers, ..Settings::new() };
        let mut reader = HtmlRewriter::new(settings, |_: &[u8]| ());
        reader.write(&fs::read(page)?)?;
        reader.end()?;
    }
    println!("{} attributes", count.get());
    Ok(())
}
