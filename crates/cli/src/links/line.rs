//! The lines of `links`: one for each link, in the format of `--format`.

use std::io::{self, Write};

use relref_links::html::{Link, Place};

use super::pool::WriteLine;
use crate::args::Format;
use crate::quoting::{json, percent};

pub struct LineFormat {
    pub format: Format,
    /// Each line starts with this text. Empty in the format `text`.
    pub page_columns: Vec<u8>,
}

/// The name of the file or archive of a page, the URI of the page, and the offset of its record in the archive.
pub type PageColumns<'p> = (&'p str, &'p str, Option<u64>);

impl LineFormat {
    /// Names a page in an archive by its URI, and any other by its file. JSON has both, and the offset.
    pub fn new(format: Format, (file, uri, offset): PageColumns<'_>) -> io::Result<Self> {
        let mut page_columns = Vec::new();
        let name = if offset.is_some() { uri } else { file };
        match format {
            Format::Text => {}
            Format::Tsv => {
                percent(&mut page_columns, name)?;
                page_columns.push(b'\t');
            }
            Format::Jsonl => {
                page_columns.extend_from_slice(b"{\"page\":");
                json(&mut page_columns, name)?;
                page_columns.extend_from_slice(if offset.is_some() { b",\"archive\":" } else { b",\"page_uri\":" });
                json(&mut page_columns, if offset.is_some() { file } else { uri })?;
                if let Some(offset) = offset {
                    write!(page_columns, ",\"offset\":{offset}")?;
                }
            }
        }
        Ok(LineFormat { format, page_columns })
    }
}

/// The name in JSON, and the value if the line has the column.
pub type Column<'l> = (&'static str, Option<&'l str>);

/// Columns that the format does not have are `None`. With `--normalize`, `uri` is in its normal form.
pub fn link_columns<'l>(
    format: Format,
    link: &Link<'l>,
    uri: &'l str,
    text: Option<&'l str>,
    key: Option<&'l str>,
) -> [Column<'l>; 9] {
    let (is_json, is_text) = (format == Format::Jsonl, format == Format::Text);
    [
        ("element", (!is_text).then_some(link.element)),
        ("attribute", (!is_text).then_some(link.attribute)),
        ("inner", (is_json && !link.inner.is_empty()).then_some(link.inner)),
        ("kind", is_json.then_some(link.kind.name())),
        ("rel", is_json.then_some(link.rel)),
        ("reference", (!is_text).then_some(link.reference)),
        ("uri", Some(uri)),
        ("text", text),
        ("key", key),
    ]
}

/// That the compiler knows the number `N` of columns saves time for each line.
pub struct Line<'l, const N: usize> {
    format: &'l LineFormat,
    columns: &'l [Column<'l>; N],
    place: Option<Place>,
    /// An upper limit, in bytes.
    max_len: usize,
}

impl<'l, const N: usize> Line<'l, N> {
    pub fn new(format: &'l LineFormat, columns: &'l [Column<'l>; N]) -> Self {
        // Each byte of a value becomes at most six. The names of JSON fields are short.
        let values = columns.iter().filter_map(|(_, value)| *value).map(str::len).sum::<usize>();
        Line { format, columns, place: None, max_len: format.page_columns.len() + 6 * values + 256 }
    }

    /// Only JSON has it.
    pub fn with_place(self, place: Option<Place>) -> Self {
        Line { place, ..self }
    }

    /// In bytes, with the line feed. Takes as long as writing the line.
    pub fn exact_len(&self) -> io::Result<u64> {
        let mut counter = ByteCounter(0);
        self.write_to(&mut counter)?;
        Ok(counter.0)
    }
}

impl<const N: usize> WriteLine for Line<'_, N> {
    fn max_len(&self) -> usize {
        self.max_len
    }

    /// Quotes unsafe characters in values.
    fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.format.page_columns)?;
        let values = self.columns.iter().filter_map(|(name, value)| Some((name, (*value)?)));
        for (number, (name, value)) in values.enumerate() {
            if self.format.format == Format::Jsonl {
                // The start has the first fields of the object.
                out.write_all(b",\"")?;
                out.write_all(name.as_bytes())?;
                out.write_all(b"\":")?;
                json(out, value)?;
            } else {
                if number > 0 {
                    out.write_all(b"\t")?;
                }
                percent(out, value)?;
            }
        }
        if let Some(Place { start, end, line, column, .. }) = self.place {
            write!(out, ",\"start\":{start},\"end\":{end},\"line\":{line},\"column\":{column}")?;
        }
        out.write_all(if self.format.format == Format::Jsonl { b"}\n" } else { b"\n" })
    }
}

struct ByteCounter(u64);

impl Write for ByteCounter {
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
    use relref_links::html::Kind;

    use super::*;

    #[test]
    fn lines_have_the_columns_of_their_format() {
        let mut link = Link::new(Kind::Hyperlink, "http://h/x\"\ty");
        (link.element, link.attribute, link.rel, link.reference) = ("a", "href", "next\u{2028}", "x\"\ty");
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
            let format = &LineFormat::new(format, ("f%0A", "p\n", offset)).unwrap();
            let columns = link_columns(format.format, &link, "http://h/n", text, key);
            let line = Line::new(format, &columns);
            let mut out = Vec::new();
            line.write_to(&mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
            assert_eq!(line.exact_len().unwrap(), expected.len() as u64);
            assert!(expected.len() <= line.max_len);
        }
    }

    /// Texts that get longest: in JSON, and in columns.
    #[test]
    fn no_line_is_longer_than_its_most_bytes() {
        for text in ["\u{1}".repeat(100), "\u{9b}".repeat(100), "\u{2028}".repeat(100), String::from("\"\\")] {
            let mut link = Link::new(Kind::Hyperlink, &text);
            link.attribute = "imagesrcset";
            (link.element, link.rel, link.reference) = (&text, &text, &text);
            for format in [Format::Text, Format::Tsv, Format::Jsonl] {
                let format = &LineFormat::new(format, (&text, &text, None)).unwrap();
                let columns = &link_columns(format.format, &link, &text, Some(&text), Some(&text));
                let line = Line::new(format, columns);
                assert!(line.exact_len().unwrap() <= line.max_len as u64, "{text:?}");
            }
        }
    }
}
