//! The lines of `links`: one for each link, in the format of `--format`.

use std::io::{self, Write};

use relref::html::Link;

use crate::args::Format;
use crate::links::job::Page;
use crate::links::pool::Line;
use crate::quoting::{file_name, json, percent};

/// The format of a page's lines, and the text with which each of them starts.
pub struct LineFormat {
    pub(super) format: Format,
    /// The text before the columns of the link: that of the page.
    pub(super) start: Vec<u8>,
}

impl LineFormat {
    /// Returns the format of the lines of a page. They start with the name of its file or, if it is in an archive, with its URI.
    /// JSON has both, and the place in the archive.
    pub fn new(format: Format, page: &Page) -> io::Result<Self> {
        let mut start = Vec::new();
        let (file, uri) = (&*file_name(&page.input), &*page.uri);
        let name = if page.is_in_archive() { uri } else { file };
        match format {
            Format::Text => {}
            Format::Tsv => {
                percent(&mut start, name)?;
                start.push(b'\t');
            }
            Format::Jsonl => {
                start.extend_from_slice(b"{\"page\":");
                json(&mut start, name)?;
                start.extend_from_slice(if page.is_in_archive() { b",\"archive\":" } else { b",\"page_uri\":" });
                json(&mut start, if page.is_in_archive() { file } else { uri })?;
                if let Some(offset) = page.offset {
                    write!(start, ",\"offset\":{offset}")?;
                }
            }
        }
        Ok(LineFormat { format, start })
    }

    /// Returns a number of bytes that a line with these texts never exceeds.
    pub(super) fn most_bytes<const N: usize>(&self, texts: [&str; N]) -> usize {
        // Each byte becomes at most six. Attribute, kind and the names of JSON fields are short.
        self.start.len() + 6 * texts.iter().map(|text| text.len()).sum::<usize>() + 128
    }
}

/// The line of a link.
pub struct LinkLine<'l> {
    pub format: &'l LineFormat,
    pub link: &'l Link<'l>,
    /// The link's URI, normalized with `--normalize`.
    pub uri: &'l str,
    /// The text of the link, with `--text`.
    pub text: Option<&'l str>,
    /// The sort key of the URI, with `--key`.
    pub key: Option<&'l str>,
}

/// Returns the exact length of a line in bytes.
pub fn exact_len(line: &impl Line) -> io::Result<u64> {
    let mut len = Length(0);
    line.write_to(&mut len)?;
    Ok(len.0)
}

impl Line for LinkLine<'_> {
    fn most_bytes(&self) -> usize {
        let LinkLine { format, link, uri, text, key } = *self;
        let [text, key] = [text, key].map(Option::unwrap_or_default);
        format.most_bytes([link.element, link.rel, link.reference, uri, text, key])
    }

    fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        let &LinkLine { format, link, uri, text, key } = self;
        let last = [("text", text), ("key", key)].into_iter().filter_map(|(name, value)| Some((name, value?)));
        out.write_all(&format.start)?;
        match format.format {
            Format::Jsonl => {
                let fields = [
                    ("element", link.element),
                    ("attribute", link.attribute),
                    ("kind", link.kind.name()),
                    ("rel", link.rel),
                    ("reference", link.reference),
                    ("uri", uri),
                ];
                json_fields(out, fields.into_iter().chain(last))?;
            }
            Format::Tsv => {
                let first = [link.element, link.attribute, link.reference, uri];
                tabbed(out, first.into_iter().chain(last.map(|(_, value)| value)))?;
            }
            Format::Text => tabbed(out, [uri].into_iter().chain(last.map(|(_, value)| value)))?,
        }
        out.write_all(b"\n")
    }
}

/// Writes fields of a JSON object, each after a comma, and then `}`. The object must already have a field.
pub(super) fn json_fields<'c>(
    out: &mut impl Write,
    fields: impl Iterator<Item = (&'static str, &'c str)>,
) -> io::Result<()> {
    for (name, value) in fields {
        out.write_all(b",\"")?;
        out.write_all(name.as_bytes())?;
        out.write_all(b"\":")?;
        json(out, value)?;
    }
    out.write_all(b"}")
}

/// Writes columns with tabs between them, and with their unsafe characters percent-encoded.
pub(super) fn tabbed<'c>(out: &mut impl Write, columns: impl Iterator<Item = &'c str>) -> io::Result<()> {
    for (at, column) in columns.enumerate() {
        if at > 0 {
            out.write_all(b"\t")?;
        }
        percent(out, column)?;
    }
    Ok(())
}

/// A writer that keeps nothing, and only counts the bytes that are written to it.
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use relref::archive::sniff::Content;
    use relref::html::Kind;

    use super::*;
    use crate::links::page_bytes::PageBytes;

    /// Returns an empty page of a file.
    fn page(file: &str, uri: &str) -> Page {
        Page::of_input(Path::new(file), uri.to_owned(), PageBytes::Memory(Vec::new()), None, Content::Html)
    }

    #[test]
    fn lines_have_the_columns_of_their_format() {
        let link = Link {
            element: "a",
            attribute: "href",
            kind: Kind::Hyperlink,
            rel: "next\u{2028}",
            page_nofollow: false,
            reference: "x\"\ty",
            uri: "http://h/x\"\ty",
            text: "",
            rejected: None,
        };
        for (format, offset, text, key, expected) in [
            (Format::Text, None, None, None, "http://h/n\n"),
            (Format::Text, Some(7), None, Some("k\n"), "http://h/n\tk%0A\n"),
            (Format::Text, Some(7), Some("t\t"), Some("k"), "http://h/n\tt%09\tk\n"),
            (Format::Tsv, Some(7), None, None, "p%0A\ta\thref\tx\"%09y\thttp://h/n\n"),
            (Format::Tsv, None, None, Some(""), "f%0A\ta\thref\tx\"%09y\thttp://h/n\t\n"),
            (Format::Tsv, None, Some(""), Some("k"), "f%0A\ta\thref\tx\"%09y\thttp://h/n\t\tk\n"),
            (
                Format::Jsonl,
                None,
                None,
                None,
                "{\"page\":\"f%0A\",\"page_uri\":\"p\\n\",\"element\":\"a\",\"attribute\":\"href\",\"kind\":\"hyperlink\",\
                 \"rel\":\"next\\u2028\",\"reference\":\"x\\\"\\ty\",\"uri\":\"http://h/n\"}\n",
            ),
            (
                Format::Jsonl,
                Some(7),
                Some("t\u{1}"),
                Some("k"),
                "{\"page\":\"p\\n\",\"archive\":\"f%0A\",\"offset\":7,\"element\":\"a\",\"attribute\":\"href\",\
                 \"kind\":\"hyperlink\",\"rel\":\"next\\u2028\",\"reference\":\"x\\\"\\ty\",\"uri\":\"http://h/n\",\
                 \"text\":\"t\\u0001\",\"key\":\"k\"}\n",
            ),
        ] {
            let format = &LineFormat::new(format, &Page { offset, ..page("f\n", "p\n") }).unwrap();
            let line = LinkLine { format, link: &link, uri: "http://h/n", text, key };
            let mut out = Vec::new();
            line.write_to(&mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
            assert_eq!(exact_len(&line).unwrap(), expected.len() as u64);
            assert!(expected.len() <= line.most_bytes());
        }
    }

    /// Texts that get longest: in JSON, and in columns.
    #[test]
    fn no_line_is_longer_than_its_most_bytes() {
        for text in ["\u{1}".repeat(100), "\u{9b}".repeat(100), "\u{2028}".repeat(100), String::from("\"\\")] {
            let [element, rel, reference] = [&*text; 3];
            let (attribute, kind, page_nofollow, rejected) = ("imagesrcset", Kind::Hyperlink, false, None);
            let link = Link { element, attribute, kind, rel, page_nofollow, reference, uri: &text, text: "", rejected };
            for format in [Format::Text, Format::Tsv, Format::Jsonl] {
                let format = &LineFormat::new(format, &page(&text, &text)).unwrap();
                let line = LinkLine { format, link: &link, uri: &text, text: Some(&text), key: Some(&text) };
                assert!(exact_len(&line).unwrap() <= line.most_bytes() as u64, "{text:?}");
            }
        }
    }
}
