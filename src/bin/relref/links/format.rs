//! A line of output for a link.

use std::io::{self, Write};

use relref::html::Link;

use super::pool::Line;
use crate::args::Format;
use crate::escape::{json, percent};

/// Writes what the lines of a page start with. The names of files are escaped.
pub fn page_start(out: &mut impl Write, format: Format, page: &str, archive: Option<(&str, u64)>) -> io::Result<()> {
    match format {
        Format::Text => Ok(()),
        Format::Tsv => {
            percent(out, page)?;
            out.write_all(b"\t")
        }
        Format::Jsonl => {
            out.write_all(b"{\"page\":")?;
            json(out, page)?;
            if let Some((name, offset)) = archive {
                out.write_all(b",\"archive\":")?;
                json(out, name)?;
                write!(out, ",\"offset\":{offset}")?;
            }
            Ok(())
        }
    }
}

/// The line of a link.
pub struct LinkLine<'l> {
    pub format: Format,
    /// The start of each line of the page, from [`page_start`].
    pub start: &'l [u8],
    pub link: &'l Link<'l>,
    /// The link's URI, normalized with `--normalize`.
    pub uri: &'l str,
    /// The sort key of the URI, with `--key`.
    pub key: Option<&'l str>,
}

impl LinkLine<'_> {
    /// Returns its exact length in bytes.
    pub fn len(&self) -> io::Result<u64> {
        let mut len = Length(0);
        self.write_to(&mut len)?;
        Ok(len.0)
    }
}

impl Line for LinkLine<'_> {
    fn most_bytes(&self) -> usize {
        let LinkLine { start, link, uri, key, .. } = self;
        let texts = [link.element, link.rel, link.reference, uri, key.unwrap_or_default()];
        // Each byte may be escaped as six. The attribute, the kind and the names of JSON fields are short.
        start.len() + 6 * texts.iter().map(|text| text.len()).sum::<usize>() + 128
    }

    fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        let &LinkLine { format, start, link, uri, key } = self;
        out.write_all(start)?;
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
                    out.write_all(b",\"")?;
                    out.write_all(name.as_bytes())?;
                    out.write_all(b"\":")?;
                    json(out, value)?;
                }
                out.write_all(b"}")?;
            }
            Format::Tsv => columns(out, [link.element, link.attribute, link.reference, uri].into_iter().chain(key))?,
            Format::Text => columns(out, [uri].into_iter().chain(key))?,
        }
        out.write_all(b"\n")
    }
}

/// The number of bytes written to it. It keeps none of them.
struct Length(u64);

impl Write for Length {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        self.0 += part.len() as u64;
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn columns<'c>(out: &mut impl Write, columns: impl Iterator<Item = &'c str>) -> io::Result<()> {
    for (at, column) in columns.enumerate() {
        if at > 0 {
            out.write_all(b"\t")?;
        }
        percent(out, column)?;
    }
    Ok(())
}
