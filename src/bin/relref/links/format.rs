//! A line of output for a link.

use memchr::memchr3;
use relref::html::Link;
use serde_json::to_writer;

use crate::args::Format;

/// What the lines of a page start with.
pub fn page_start(format: Format, page: &[u8], archive: Option<(&str, u64)>) -> Vec<u8> {
    let mut start = Vec::new();
    match format {
        Format::Text => {}
        Format::Tsv => {
            field(&mut start, page);
            start.push(b'\t');
        }
        Format::Jsonl => {
            start.extend(b"{\"page\":");
            json(&mut start, &String::from_utf8_lossy(page));
            if let Some((name, offset)) = archive {
                start.extend(b",\"archive\":");
                json(&mut start, name);
                start.extend(format!(",\"offset\":{offset}").bytes());
            }
        }
    }
    start
}

/// Appends a line: of a link the URI in its form, and its sort key if there is one.
pub fn line(out: &mut Vec<u8>, format: Format, start: &[u8], link: &Link<'_>, uri: &str, key: Option<&str>) {
    out.extend(start);
    match format {
        Format::Jsonl => {
            let fields = [
                ("element", link.element),
                ("attribute", link.attribute),
                ("kind", link.kind.name()),
                ("rel", link.rel),
                ("reference", link.reference),
                ("uri", uri),
            ];
            for (name, value) in fields.into_iter().chain(key.map(|key| ("key", key))) {
                out.extend(b",\"");
                out.extend(name.bytes());
                out.extend(b"\":");
                json(out, value);
            }
            out.push(b'}');
        }
        Format::Tsv => columns(out, [link.element, link.attribute, link.reference, uri].into_iter().chain(key)),
        Format::Text => columns(out, [uri].into_iter().chain(key)),
    }
    out.push(b'\n');
}

fn columns<'c>(out: &mut Vec<u8>, columns: impl Iterator<Item = &'c str>) {
    for (at, column) in columns.enumerate() {
        if at > 0 {
            out.push(b'\t');
        }
        field(out, column.as_bytes());
    }
}

fn json(out: &mut Vec<u8>, text: &str) {
    to_writer(out, text).expect("a text is JSON, and memory does not fail");
}

/// A field never has a tab or a line break: they are escaped as in a URI.
fn field(out: &mut Vec<u8>, mut text: &[u8]) {
    while let Some(at) = memchr3(b'\t', b'\n', b'\r', text) {
        out.extend(&text[..at]);
        out.extend(format!("%{:02X}", text[at]).bytes());
        text = &text[at + 1..];
    }
    out.extend(text);
}
