//! `relref unwrap`: prints the URIs in running text, and those in links of redirectors.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use encoding_rs::{Encoding, UTF_8};
use relref::crawl::{REDIRECTORS, redirect_target};
use relref::text::find_wrapped;
use serde_json::json;

use crate::args::Unwrap;
use crate::lines::open;
use crate::output::{Output, shown};
use crate::quoting::{file_name, percent};

pub fn run(args: &Unwrap, out: &mut Output) -> io::Result<()> {
    let stdin = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &stdin[..] } else { &args.files };
    for file in files {
        if let Some(link) = link(file) {
            unwrap_link(link, args.json, out)?;
            continue;
        }
        let mut bytes = Vec::new();
        if let Err(error) = open(file).and_then(|mut file| file.read_to_end(&mut bytes)) {
            out.problem(shown(&file_name(file)), error);
            continue;
        }
        let utf_16 = Encoding::for_bom(&bytes).filter(|(charset, _)| *charset != UTF_8);
        let text = match utf_16 {
            Some((charset, mark)) => charset.decode_without_bom_handling(&bytes[mark..]).0.into_owned(),
            None => text_of_same_len(&bytes),
        };
        // An index in the text, and the byte of the file that it stands for.
        let (mut index, mut offset) = (0, utf_16.map_or(0, |(_, mark)| mark));
        for wrapped in find_wrapped(&text) {
            let between = &text[index..wrapped.range.start];
            offset += if utf_16.is_some() { 2 * between.encode_utf16().count() } else { between.len() };
            index = wrapped.range.start;
            for uri in [&*wrapped.uri].into_iter().chain(wrapped.without_hyphens.as_deref()) {
                if args.json {
                    out.json(&json!({ "file": file_name(file), "offset": offset, "uri": uri }))?;
                } else {
                    if files.len() > 1 {
                        write!(out, "{}\t", file_name(file))?;
                    }
                    write!(out, "{offset}\t")?;
                    percent(out, uri)?;
                }
                out.end_line()?;
            }
        }
    }
    Ok(())
}

/// Returns an argument that is the link of a page, and no file.
fn link(file: &Path) -> Option<&str> {
    let link = file.to_str().filter(|_| !file.exists())?;
    let scheme = link.split_once("://")?.0;
    (scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http")).then_some(link)
}

/// Prints the URL in the link of a redirector.
fn unwrap_link(link: &str, is_json: bool, out: &mut Output) -> io::Result<()> {
    let Some(uri) = redirect_target(link, REDIRECTORS) else {
        out.problem(shown(link), "not a link of a known redirector, or without a URL in it; nothing is fetched");
        return Ok(());
    };
    if is_json {
        out.json(&json!({ "link": link, "uri": uri }))?;
    } else {
        percent(out, &uri)?;
    }
    out.end_line()
}

/// Replaces each byte that is not UTF-8 by U+001A, which a URI never contains, so an index in the text is one in the file.
fn text_of_same_len(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '\u{1a}'));
    }
    text
}
