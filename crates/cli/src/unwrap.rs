//! `relref unwrap`: prints the URIs in running text.

use std::io::{self, Read, Write};
use std::path::PathBuf;

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
        let text = text_of_same_len(&bytes);
        for wrapped in find_wrapped(&text) {
            for uri in [&*wrapped.uri].into_iter().chain(wrapped.without_hyphens.as_deref()) {
                if args.json {
                    out.json(&json!({ "file": file_name(file), "offset": wrapped.range.start, "uri": uri }))?;
                } else {
                    if files.len() > 1 {
                        write!(out, "{}\t", file_name(file))?;
                    }
                    write!(out, "{}\t", wrapped.range.start)?;
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
