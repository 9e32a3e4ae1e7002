//! The lines of `links`: one for each link, in the format of `--format`.

use std::io::{self, Write};

use relref_links::html::Link;

use super::job_output::WriteLine;
use crate::args::{Column, Format};
use crate::quoting::{json, percent};

/// A page as its lines name it.
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

impl PageColumns<'_> {
    /// Names a page in an archive by its URI, and any other by its file. Returns false if the column depends on the link. `link` is any
    /// link of the page.
    fn write(&self, column: Column, link: &Link<'_>, format: Format, out: &mut Vec<u8>) -> io::Result<bool> {
        let is_in_archive = self.offset.is_some();
        let text = match column {
            Column::Page if is_in_archive => self.uri,
            Column::Page => self.file,
            Column::Archive if is_in_archive => self.file,
            Column::Archive => "",
            Column::PageUri => self.uri,
            Column::Date => self.date.unwrap_or_default(),
            Column::MediaType => self.media_type,
            Column::Charset => link.page_charset.map_or("", |charset| charset.name()),
            Column::Title => link.page_title,
            Column::Offset | Column::Status => {
                let number = if column == Column::Offset { self.offset } else { self.status.map(u64::from) };
                return number.map_or(Ok(()), |number| write!(out, "{number}")).map(|()| true);
            }
            _ => return Ok(false),
        };
        if format != Format::Jsonl {
            percent(out, text)?;
        } else if !text.is_empty() {
            json(out, text)?;
        }
        Ok(true)
    }
}

/// The format of the lines of a page.
pub struct LineFormat {
    format: Format,
    /// The start of each line: `{` in JSON, and the columns of the page that come first.
    start: Vec<u8>,
    /// The other columns.
    parts: Vec<Part>,
    /// An upper limit for the length of a line, in bytes, without the texts of its link.
    max_len: usize,
}

/// A column, or several of the page, which are the same in each of its lines.
struct Part {
    /// A separator unless the column is the first, and in JSON the name. Of columns of the page, also their values.
    start: Vec<u8>,
    /// `None` for the page.
    of_link: Option<Column>,
}

impl LineFormat {
    /// The greatest length of a number, in bytes.
    const MAX_NUMBER_LEN: usize = 20;

    /// `link` is any link of the page. With `hides_page_uri`, a page in an archive, which its URI names, has no column for that URI.
    pub fn new(
        format: Format,
        columns: &[Column],
        page: &PageColumns<'_>,
        link: &Link<'_>,
        hides_page_uri: bool,
    ) -> io::Result<LineFormat> {
        let is_json = format == Format::Jsonl;
        let mut lines = LineFormat { format, start: Vec::new(), parts: Vec::new(), max_len: 0 };
        for (number, &column) in columns.iter().enumerate() {
            if column == Column::PageUri && hides_page_uri && page.offset.is_some() {
                continue;
            }
            let mut start = match (format, number) {
                (Format::Jsonl, _) => format!(",\"{}\":", column.name()).into_bytes(),
                (_, 0) => Vec::new(),
                _ => Vec::from(b"\t"),
            };
            let len = start.len();
            let is_of_page = page.write(column, link, format, &mut start)?;
            if is_json && is_of_page && start.len() == len {
                continue;
            }
            lines.max_len += start.len() + Self::MAX_NUMBER_LEN;
            match lines.parts.last_mut() {
                None if is_of_page => lines.start.append(&mut start),
                Some(last) if is_of_page && last.of_link.is_none() => last.start.append(&mut start),
                _ => lines.parts.push(Part { start, of_link: (!is_of_page).then_some(column) }),
            }
        }
        if is_json {
            // Instead of the first comma. Without columns of the page at the start, it is in the first field that the line has.
            lines.start.splice(..lines.start.len().min(1), *b"{");
        }
        Ok(lines)
    }
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
        let Link { element, attribute, inner, rel, hreflang, media, anchor, reference, text, .. } = *link;
        let texts =
            [element, attribute, inner, rel, hreflang, media, anchor, reference, text, uri, key.unwrap_or(""), why];
        // Each byte of a value becomes at most six. The names of kinds are short.
        let values = texts.map(str::len).into_iter().sum::<usize>();
        Line { format, link, uri, key, why, max_len: format.max_len + 6 * values + 64 }
    }

    /// In bytes, with the line feed. Takes as long as writing the line.
    pub fn exact_len(&self) -> io::Result<u64> {
        let mut counter = ByteCounter(0);
        self.write_to(&mut counter)?;
        Ok(counter.0)
    }

    /// Empty also for a number.
    #[inline(always)]
    fn text(&self, column: Column) -> &'l str {
        match column {
            Column::Element => self.link.element,
            Column::Attribute => self.link.attribute,
            Column::Inner => self.link.inner,
            Column::Reference => self.link.reference,
            Column::Uri => self.uri,
            Column::Kind => self.link.kind.name(),
            Column::Rel => self.link.rel,
            Column::Hreflang => self.link.hreflang,
            Column::Media => self.link.media,
            Column::Anchor => self.link.anchor,
            Column::Text => self.link.text,
            Column::Key => self.key.unwrap_or_default(),
            Column::Why => self.why,
            _ => "",
        }
    }

    fn number(&self, column: Column) -> Option<u64> {
        let place = self.link.place.as_ref()?;
        match column {
            Column::Start => Some(place.start),
            Column::End => Some(place.end),
            Column::LineNumber => Some(place.line),
            Column::CharacterNumber => Some(place.column),
            _ => None,
        }
    }

    fn write_columns(&self, out: &mut impl Write) -> io::Result<()> {
        for Part { start, of_link } in &self.format.parts {
            let Some(column) = *of_link else {
                out.write_all(start)?;
                continue;
            };
            if !start.is_empty() {
                out.write_all(b"\t")?;
            }
            if column.is_place() {
                self.number(column).map_or(Ok(()), |number| write_number(out, number))?;
            } else {
                percent(out, self.text(column))?;
            }
        }
        Ok(())
    }

    fn write_fields(&self, out: &mut impl Write) -> io::Result<()> {
        let mut is_first = self.format.start.len() == 1;
        for Part { start, of_link } in &self.format.parts {
            // Without the comma of the first field.
            let start = &start[usize::from(is_first)..];
            match *of_link {
                None => out.write_all(start)?,
                Some(column) if column.is_place() => {
                    let Some(number) = self.number(column) else { continue };
                    out.write_all(start)?;
                    write_number(out, number)?;
                }
                Some(column) => {
                    let text = self.text(column);
                    let is_missing = match column {
                        Column::Inner | Column::Hreflang | Column::Media | Column::Anchor => text.is_empty(),
                        Column::Key => self.key.is_none(),
                        _ => false,
                    };
                    if is_missing {
                        continue;
                    }
                    out.write_all(start)?;
                    json(out, text)?;
                }
            }
            is_first = false;
        }
        Ok(())
    }
}

fn write_number(out: &mut impl Write, number: u64) -> io::Result<()> {
    out.write_all(itoa::Buffer::new().format(number).as_bytes())
}

impl WriteLine for Line<'_> {
    fn max_len(&self) -> usize {
        self.max_len
    }

    /// Quotes unsafe characters in values.
    fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.format.start)?;
        if self.format.format == Format::Jsonl {
            self.write_fields(out)?;
            out.write_all(b"}\n")
        } else {
            self.write_columns(out)?;
            out.write_all(b"\n")
        }
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
    use clap::ValueEnum;
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
                Column::value_variants(),
                &FILE,
                None,
                "{\"page\":\"f%0A\",\"page_uri\":\"p\\n\",\"element\":\"a\",\"attribute\":\"href\",\"kind\":\"hyperlink\",\
                 \"rel\":\"next\\u2028\",\"reference\":\"x\\\"\\ty\",\"uri\":\"http://h/n\",\"text\":\"t\\t\"}\n",
            ),
            (
                Format::Jsonl,
                Column::value_variants(),
                &RECORD,
                Some("k"),
                "{\"page\":\"p\\n\",\"archive\":\"f%0A\",\"offset\":7,\"status\":404,\"date\":\"2024\",\
                 \"media_type\":\"text/html\",\"element\":\"a\",\"attribute\":\"href\",\"kind\":\"hyperlink\",\
                 \"rel\":\"next\\u2028\",\"reference\":\"x\\\"\\ty\",\"uri\":\"http://h/n\",\
                 \"text\":\"t\\t\",\"key\":\"k\"}\n",
            ),
        ] {
            let format = &LineFormat::new(format, columns, page, &link(), true).unwrap();
            assert_eq!(written(&Line::new(format, &link(), "http://h/n", key, "")), expected);
        }
    }

    /// Columns of the page and of the link, with and without values, in every order of three.
    #[test]
    fn columns_come_in_any_order() {
        let mut link = link();
        (link.hreflang, link.page_title) = ("de", "T\tt");
        for &first in Column::value_variants() {
            for &second in Column::value_variants() {
                for third in [Column::Status, Column::Archive, Column::Uri, Column::Media] {
                    for page in [&FILE, &RECORD] {
                        let columns = [first, second, third];
                        let one = |format, columns: &[Column]| {
                            let format = LineFormat::new(format, columns, page, &link, false).unwrap();
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
                for columns in [Column::value_variants(), &[Column::Uri, Column::Why]] {
                    let format = &LineFormat::new(format, columns, page, &link, false).unwrap();
                    written(&Line::new(format, &link, &text, Some(&text), &text));
                }
            }
        }
    }
}
