//! The lines of `links`: one for each link, in the format of `--format`.

use std::io::{self, Write};

use relref_links::html::Link;

use super::pool::WriteLine;
use crate::args::{Column, Format};
use crate::quoting::{json, percent};

/// What is known about a page before its links are read.
pub struct PageColumns<'p> {
    /// The name of the file or archive.
    pub file: &'p str,
    pub uri: &'p str,
    /// That of the record in the archive.
    pub offset: Option<u64>,
    pub status: Option<u16>,
    pub date: Option<&'p str>,
    /// Empty if it is not known.
    pub media_type: &'p str,
}

impl<'p> PageColumns<'p> {
    /// Names a page in an archive by its URI, and any other by its file. `None` also for columns that depend on the link.
    fn value(&self, column: Column) -> Option<Value<'p>> {
        let is_in_archive = self.offset.is_some();
        let text = match column {
            Column::Page => Some(if is_in_archive { self.uri } else { self.file }),
            Column::Archive => Some(self.file).filter(|_| is_in_archive),
            Column::PageUri => Some(self.uri),
            Column::Date => self.date,
            Column::Type => Some(self.media_type),
            Column::Offset => return self.offset.map(Value::Number),
            Column::Status => return self.status.map(|status| Value::Number(status.into())),
            _ => None,
        };
        text.filter(|text| !text.is_empty()).map(Value::Text)
    }
}

enum Value<'v> {
    Text(&'v str),
    Number(u64),
}

impl Value<'_> {
    fn write_to(&self, format: Format, out: &mut impl Write) -> io::Result<()> {
        match self {
            Value::Text(text) if format == Format::Jsonl => json(out, text),
            Value::Text(text) => percent(out, text),
            Value::Number(number) => out.write_all(itoa::Buffer::new().format(*number).as_bytes()),
        }
    }
}

/// The format of the lines of a page.
pub struct LineFormat {
    format: Format,
    /// The start of each line: `{` in JSON, and the columns of the page that come first.
    start: Vec<u8>,
    /// The other columns.
    parts: Vec<Part>,
    /// In bytes, of all that does not depend on the link, and of numbers.
    max_len: usize,
}

/// A column, or several of the page, which are the same in each of its lines.
struct Part {
    /// A separator, and in JSON the name. Of columns of the page, also their values.
    start: Vec<u8>,
    /// `None` for the page.
    of_link: Option<Column>,
}

impl LineFormat {
    /// With `hides_page_uri`, a page in an archive, which its URI names, has no column for that URI.
    pub fn new(
        format: Format,
        columns: &[Column],
        page: &PageColumns<'_>,
        hides_page_uri: bool,
    ) -> io::Result<LineFormat> {
        let is_json = format == Format::Jsonl;
        let mut lines = LineFormat { format, start: Vec::new(), parts: Vec::new(), max_len: "{}\n".len() };
        if is_json {
            lines.start.push(b'{');
        }
        for (number, &column) in columns.iter().enumerate() {
            let is_hidden = column == Column::PageUri && hides_page_uri && page.offset.is_some();
            let value = page.value(column).filter(|_| !is_hidden);
            let is_of_link = is_of_link(column);
            if is_json && value.is_none() && !is_of_link {
                continue;
            }
            // In JSON, the first field that a line has depends on the link.
            let mut start = if is_json {
                Vec::from(b",")
            } else if number > 0 {
                Vec::from(b"\t")
            } else {
                Vec::new()
            };
            if is_json {
                write!(start, "\"{}\":", column.name())?;
            }
            value.map_or(Ok(()), |value| value.write_to(format, &mut start))?;
            lines.max_len += start.len() + MAX_NUMBER_LEN;
            match lines.parts.last_mut() {
                None if !is_of_link => lines.start.extend(start),
                Some(last) if !is_of_link && last.of_link.is_none() => last.start.extend(start),
                _ => lines.parts.push(Part { start, of_link: is_of_link.then_some(column) }),
            }
        }
        if lines.start.starts_with(b"{,") {
            lines.start.remove(1);
        }
        Ok(lines)
    }
}

/// In bytes; a text has two quotes in JSON.
const MAX_NUMBER_LEN: usize = 20;

fn is_of_link(column: Column) -> bool {
    use Column::{Archive, Date, Offset, Page, PageUri, Status, Type};
    !matches!(column, Page | Archive | PageUri | Offset | Status | Date | Type)
}

pub struct Line<'l> {
    format: &'l LineFormat,
    link: &'l Link<'l>,
    uri: &'l str,
    key: Option<&'l str>,
    why: &'l str,
    /// An upper limit, in bytes.
    max_len: usize,
}

impl<'l> Line<'l> {
    /// `uri` may be in a normal form. `why` is the reason why a link is rejected.
    pub fn new(format: &'l LineFormat, link: &'l Link<'l>, uri: &'l str, key: Option<&'l str>, why: &'l str) -> Self {
        let Link { element, attribute, rel, hreflang, media, page_title, reference, text, .. } = *link;
        let texts =
            [element, attribute, rel, hreflang, media, page_title, reference, text, uri, key.unwrap_or(""), why];
        // Each byte of a value becomes at most six. The names of kinds and character encodings are short.
        let values = texts.map(str::len).into_iter().sum::<usize>();
        Line { format, link, uri, key, why, max_len: format.start.len() + format.max_len + 6 * values + 256 }
    }

    /// In bytes, with the line feed. Takes as long as writing the line.
    pub fn exact_len(&self) -> io::Result<u64> {
        let mut counter = ByteCounter(0);
        self.write_to(&mut counter)?;
        Ok(counter.0)
    }

    #[inline(always)]
    fn value(&self, column: Column) -> Option<Value<'l>> {
        let Link { place, .. } = self.link;
        let known = |text: &'l str| Some(text).filter(|text| !text.is_empty());
        let text = match column {
            Column::Element => Some(self.link.element),
            Column::Attribute => Some(self.link.attribute),
            Column::Kind => Some(self.link.kind.name()),
            Column::Rel => Some(self.link.rel),
            Column::Reference => Some(self.link.reference),
            Column::Uri => Some(self.uri),
            Column::Text => Some(self.link.text),
            Column::Key => self.key,
            Column::Why => Some(self.why),
            Column::Charset => self.link.page_charset.map(|charset| charset.name()),
            Column::Title => known(self.link.page_title),
            Column::Hreflang => known(self.link.hreflang),
            Column::Media => known(self.link.media),
            Column::Start => return Some(Value::Number(place.as_ref()?.start)),
            Column::End => return Some(Value::Number(place.as_ref()?.end)),
            Column::LineNumber => return Some(Value::Number(place.as_ref()?.line)),
            Column::ColumnNumber => return Some(Value::Number(place.as_ref()?.column)),
            // They are of the page.
            Column::Page
            | Column::Archive
            | Column::PageUri
            | Column::Offset
            | Column::Status
            | Column::Date
            | Column::Type => None,
        };
        text.map(Value::Text)
    }
}

impl WriteLine for Line<'_> {
    fn max_len(&self) -> usize {
        self.max_len
    }

    /// Quotes unsafe characters in values.
    fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        let LineFormat { format, start, parts, .. } = self.format;
        let is_json = *format == Format::Jsonl;
        out.write_all(start)?;
        let mut has_fields = start.len() > 1;
        for Part { start, of_link } in parts {
            let value = of_link.and_then(|column| self.value(column));
            if is_json && of_link.is_some() && value.is_none() {
                continue;
            }
            // Without the comma before the first field.
            out.write_all(&start[usize::from(is_json && !has_fields)..])?;
            has_fields = true;
            value.map_or(Ok(()), |value| value.write_to(*format, out))?;
        }
        out.write_all(if is_json { b"}\n" } else { b"\n" })
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

    const FILE: PageColumns<'_> =
        PageColumns { file: "f%0A", uri: "p\n", offset: None, status: None, date: None, media_type: "" };
    const RECORD: PageColumns<'_> =
        PageColumns { offset: Some(7), status: Some(404), date: Some("2024"), media_type: "text/html", ..FILE };

    /// Returns the line, whose length must be right.
    fn written(line: &Line<'_>) -> String {
        let mut out = Vec::new();
        line.write_to(&mut out).unwrap();
        assert_eq!(line.exact_len().unwrap(), out.len() as u64);
        assert!(out.len() <= line.max_len);
        String::from_utf8(out).unwrap()
    }

    fn link() -> Link<'static> {
        let mut link = Link::new(Kind::Hyperlink, "http://h/x\"\ty");
        (link.element, link.attribute, link.rel, link.reference) = ("a", "href", "next\u{2028}", "x\"\ty");
        link.text = "t\t";
        link
    }

    #[test]
    fn lines_have_the_columns_of_their_format() {
        use Column::{Attribute, Element, Key, Page, Reference, Text, Uri};
        for (format, columns, page, key, expected) in [
            (Format::Text, &[Uri][..], &FILE, None, "http://h/n\n"),
            (Format::Text, &[Uri, Key], &RECORD, Some("k\n"), "http://h/n\tk%0A\n"),
            (Format::Text, &[Uri, Text, Key], &RECORD, Some("k"), "http://h/n\tt%09\tk\n"),
            (
                Format::Tsv,
                &[Page, Element, Attribute, Reference, Uri],
                &RECORD,
                None,
                "p%0A\ta\thref\tx\"%09y\thttp://h/n\n",
            ),
            (Format::Tsv, &[Page, Uri, Key], &FILE, Some(""), "f%0A\thttp://h/n\t\n"),
            (
                Format::Jsonl,
                &Column::ALL,
                &FILE,
                None,
                "{\"page\":\"f%0A\",\"page_uri\":\"p\\n\",\"element\":\"a\",\"attribute\":\"href\",\"kind\":\"hyperlink\",\
                 \"rel\":\"next\\u2028\",\"reference\":\"x\\\"\\ty\",\"uri\":\"http://h/n\",\"text\":\"t\\t\"}\n",
            ),
            (
                Format::Jsonl,
                &Column::ALL,
                &RECORD,
                Some("k"),
                "{\"page\":\"p\\n\",\"archive\":\"f%0A\",\"offset\":7,\"status\":404,\"date\":\"2024\",\
                 \"type\":\"text/html\",\"element\":\"a\",\"attribute\":\"href\",\"kind\":\"hyperlink\",\
                 \"rel\":\"next\\u2028\",\"reference\":\"x\\\"\\ty\",\"uri\":\"http://h/n\",\
                 \"text\":\"t\\t\",\"key\":\"k\"}\n",
            ),
        ] {
            let format = &LineFormat::new(format, columns, page, true).unwrap();
            assert_eq!(written(&Line::new(format, &link(), "http://h/n", key, "")), expected);
        }
    }

    /// Columns of the page and of the link, with and without values, in every order of three.
    #[test]
    fn columns_come_in_any_order() {
        let mut link = link();
        (link.hreflang, link.page_title) = ("de", "T\tt");
        for first in Column::ALL {
            for second in Column::ALL {
                for third in [Column::Status, Column::Archive, Column::Uri, Column::Media] {
                    for page in [&FILE, &RECORD] {
                        let columns = [first, second, third];
                        let one = |format, columns: &[Column]| {
                            let format = LineFormat::new(format, columns, page, false).unwrap();
                            written(&Line::new(&format, &link, "http://h/n", Some("k"), ""))
                        };
                        let alone =
                            |format| columns.map(|column| one(format, &[column]).trim_end_matches('\n').to_owned());
                        assert_eq!(one(Format::Tsv, &columns), alone(Format::Tsv).join("\t") + "\n");
                        let fields = alone(Format::Jsonl).map(|object| object[1..object.len() - 1].to_owned());
                        let fields: Vec<String> = fields.into_iter().filter(|field| !field.is_empty()).collect();
                        assert_eq!(one(Format::Jsonl, &columns), format!("{{{}}}\n", fields.join(",")));
                    }
                }
            }
        }
    }

    /// Texts that get longest: in JSON, and in columns.
    #[test]
    fn no_line_is_longer_than_its_most_bytes() {
        for text in ["\u{1}".repeat(100), "\u{9b}".repeat(100), "\u{2028}".repeat(100), String::from("\"\\")] {
            let mut link = Link::new(Kind::Hyperlink, &text);
            link.attribute = "imagesrcset";
            (link.element, link.rel, link.reference, link.text) = (&text, &text, &text, &text);
            (link.hreflang, link.media, link.page_title) = (&text, &text, &text);
            link.page_charset = Some(encoding_rs::X_USER_DEFINED);
            let offset = Some(u64::MAX);
            let page =
                &PageColumns { file: &text, uri: &text, offset, status: None, date: Some(&text), media_type: &text };
            for format in [Format::Text, Format::Tsv, Format::Jsonl] {
                for columns in [&Column::ALL[..], &[Column::Uri, Column::Why]] {
                    let format = &LineFormat::new(format, columns, page, false).unwrap();
                    written(&Line::new(format, &link, &text, Some(&text), &text));
                }
            }
        }
    }
}
