//! `relref unwrap`: prints the URIs in running text.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use encoding_rs::{Encoding, UTF_8};
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

/// Replaces each byte that is not UTF-8 by U+001A, which a URI never contains, so an index in the text is one in the file.
fn text_of_same_len(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '\u{1a}'));
    }
    text
}
