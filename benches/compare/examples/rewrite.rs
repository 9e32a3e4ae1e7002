//! Makes the links of all pages in a folder absolute in memory: by relref, by lol_html with the crate url, and copies them, which is the
//! floor: `cargo run --release --manifest-path benches/compare/Cargo.toml --example rewrite FOLDER`.
//!
//! lol_html gets the attributes that are one reference each; relref rewrites `srcset`, refreshes, style sheets and others, too. Each round
//! runs all three; the processor times are those of the round that took the median.

use std::error::Error;
use std::hint::black_box;
use std::path::PathBuf;
use std::{env, fs};

use cpu_time::ProcessTime;
use lol_html::{HtmlRewriter, Settings, element};
use relref::{AnyBase, RuleSet};
use relref_links::rewrite::{Mapping, Mode, Rewriter};
use url::Url;

const BASE: &str = "http://example.com/docs/guide/page.html";
const ATTRIBUTES: [&str; 10] =
    ["href", "src", "action", "formaction", "cite", "poster", "data", "background", "longdesc", "ping"];
const ROUNDS: usize = 9;

fn main() -> Result<(), Box<dyn Error>> {
    let mut folders = vec![PathBuf::from(env::args().nth(1).ok_or("usage: rewrite FOLDER")?)];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                pages.push(fs::read(path)?);
            }
        }
    }
    let bytes: usize = pages.iter().map(Vec::len).sum();
    let url = Url::parse(BASE)?;
    let base = AnyBase::new(BASE, RuleSet::Whatwg)?;

    let (mut times, mut lens) = ([const { Vec::new() }; 3], [0; 3]);
    for _ in 0..ROUNDS {
        let mut round = |tool: usize, run: &mut dyn FnMut(&[u8]) -> usize| {
            let start = ProcessTime::now();
            lens[tool] = pages.iter().map(|page| run(page)).sum();
            times[tool].push(start.elapsed().as_secs_f64());
        };
        round(0, &mut |page| black_box(page.to_vec()).len());
        let mut rewriter = Rewriter::from(Mapping::new(Mode::Absolute));
        round(1, &mut |page| black_box(rewriter.html(page, None, &base)).len());
        round(2, &mut |page| by_lol_html(page, &url).unwrap_or_default());
    }
    let medians = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    });
    println!("{} pages, {} MB", pages.len(), bytes / 1_000_000);
    for ((name, time), len) in ["copy", "relref", "lol_html and url"].iter().zip(medians).zip(lens) {
        let (speed, ratio) = (bytes as f64 / time / 1e6, time / medians[1]);
        println!("{name}: {speed:.0} MB/s, {ratio:.2} times the time of relref, {len} bytes");
    }
    Ok(())
}

fn by_lol_html(page: &[u8], base: &Url) -> Result<usize, Box<dyn Error>> {
    let handlers = ATTRIBUTES.map(|name| {
        element!(format!("*[{name}]"), move |element| {
            if let Some(url) = element.get_attribute(name).and_then(|reference| base.join(&reference).ok()) {
                element.set_attribute(name, url.as_str())?;
            }
            Ok(())
        })
    });
    let mut output = Vec::with_capacity(page.len());
    let settings = Settings { element_content_handlers: handlers.into(), ..Settings::new() };
    let mut rewriter = HtmlRewriter::new(settings, |chunk: &[u8]| output.extend_from_slice(chunk));
    rewriter.write(page)?;
    rewriter.end()?;
    Ok(black_box(output).len())
}
