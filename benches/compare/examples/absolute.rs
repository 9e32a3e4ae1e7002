//! Makes the links of a page absolute by lol_html and the crate url, as its users do it: for attributes that are one reference each.
//!
//! `cargo run --manifest-path benches/compare/Cargo.toml --example absolute URI <page.html`. `tests/peers/traps.py` runs it.

use std::error::Error;
use std::io::{self, Read, Write};

use lol_html::{HtmlRewriter, Settings, element};
use url::Url;

const ATTRIBUTES: [&str; 10] =
    ["href", "src", "action", "formaction", "cite", "poster", "data", "background", "longdesc", "ping"];

fn main() -> Result<(), Box<dyn Error>> {
    let base = Url::parse(&std::env::args().nth(1).ok_or("usage: absolute URI")?)?;
    let mut page = Vec::new();
    io::stdin().read_to_end(&mut page)?;
    let handlers = ATTRIBUTES.map(|name| {
        let base = base.clone();
        element!(format!("*[{name}]"), move |element| {
            let reference = element.get_attribute(name).unwrap_or_default();
            if let Ok(url) = base.join(&reference) {
                element.set_attribute(name, url.as_str())?;
            }
            Ok(())
        })
    });
    let mut out = io::stdout().lock();
    let settings = Settings { element_content_handlers: handlers.into(), ..Settings::new() };
    let mut rewriter = HtmlRewriter::new(settings, |chunk: &[u8]| {
        let _ = out.write_all(chunk);
    });
    rewriter.write(&page)?;
    rewriter.end()?;
    Ok(())
}
