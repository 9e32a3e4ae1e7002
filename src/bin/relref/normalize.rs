//! `relref normalize`: the normal form of URIs.

use std::io;

use relref::crawl::{Normalizer, cdx_key_into};

use crate::args::{Key, Normalize, Preset};
use crate::lines::{blocks, lines};
use crate::output::{Output, quoted};

pub fn run(args: &Normalize, out: &mut Output) -> io::Result<()> {
    let normalizer = normalizer(args);
    let one = |uri: &[u8], out: &mut Output| one(uri, &normalizer, args, &mut out.text);
    for uri in &args.uris {
        if let Err(why) = one(uri.as_bytes(), out) {
            out.problem(quoted(uri), why);
        }
        out.end_line()?;
    }
    if !args.uris.is_empty() {
        return Ok(());
    }
    let mut number = 0;
    blocks(out, |block, out| {
        for line in lines(block) {
            number += 1;
            if let Err(why) = one(line, out) {
                let text = String::from_utf8_lossy(line);
                out.problem(format_args!("line {number}: {}", quoted(&text)), why);
            }
            out.end_line()?;
        }
        out.flush()
    })
}

fn normalizer(args: &Normalize) -> Normalizer {
    let mut normalizer = match args.preset {
        Preset::Safe => Normalizer::safe(),
        Preset::Crawl => Normalizer::crawl(),
    };
    if !args.keep_only.is_empty() {
        normalizer = normalizer.keep_only(&args.keep_only);
    }
    normalizer = args.with.iter().fold(normalizer, |normalizer, change| normalizer.with(*change));
    args.without.iter().fold(normalizer, |normalizer, change| normalizer.without(*change))
}

/// Appends the lines for a URI; nothing if it has no normal form.
fn one(uri: &[u8], normalizer: &Normalizer, args: &Normalize, text: &mut String) -> Result<(), String> {
    let uri = std::str::from_utf8(uri).map_err(|error| error.to_string())?;
    if args.explain {
        let effects = normalizer.explain(uri).map_err(|error| error.to_string())?;
        text.extend(effects.iter().map(|effect| format!("  {effect}\n")));
    }
    let done = match args.key {
        Some(Key::Surt) => normalizer.surt_into(uri, text),
        Some(Key::Cdx) => cdx_key_into(uri, text),
        None => normalizer.normalize_into(uri, text),
    };
    done.map_err(|error| error.to_string())
}
