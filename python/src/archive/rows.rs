//! The columns of links and problems.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use relref_links::html::Link;

use super::problems::Damage;

/// A column by its name.
#[derive(Clone, Copy, PartialEq)]
enum Name {
    Page,
    Archive,
    Offset,
    Element,
    Attribute,
    Kind,
    Rel,
    Reference,
    Uri,
    Text,
    Nofollow,
    Key,
    Problem,
    Status,
    Date,
    MediaType,
    Charset,
    Title,
    Hreflang,
    Media,
}

/// All columns, in their default order.
const NAMES: [(Name, &str); 20] = [
    (Name::Page, "page"),
    (Name::Archive, "archive"),
    (Name::Offset, "offset"),
    (Name::Element, "element"),
    (Name::Attribute, "attribute"),
    (Name::Kind, "kind"),
    (Name::Rel, "rel"),
    (Name::Reference, "reference"),
    (Name::Uri, "uri"),
    (Name::Text, "text"),
    (Name::Nofollow, "nofollow"),
    (Name::Key, "key"),
    (Name::Problem, "problem"),
    (Name::Status, "status"),
    (Name::Date, "date"),
    (Name::MediaType, "media_type"),
    (Name::Charset, "charset"),
    (Name::Title, "title"),
    (Name::Hreflang, "hreflang"),
    (Name::Media, "media"),
];
/// The columns from here on are there by their names, or with `facts`.
const FIRST_FACT: usize = 13;

/// The values of a page that all its rows have.
pub struct PageValues<'p> {
    /// The URI of the page.
    pub uri: &'p str,
    /// The name of its archive in a WACZ file; `None` if the archive is a file itself.
    pub archive: Option<&'p str>,
    /// The offset of its record in the archive.
    pub offset: u64,
    pub status: Option<u16>,
    /// Its `WARC-Date`.
    pub date: Option<&'p str>,
    /// Empty if it is not known.
    pub media_type: &'p str,
}

/// The columns under construction.
pub struct Columns {
    schema: SchemaRef,
    columns: Vec<(Name, ColumnBuilder)>,
    rows: usize,
}

/// A column under construction, by its type.
enum ColumnBuilder {
    Text(StringBuilder),
    Number(Int64Builder),
    Flag(BooleanBuilder),
}

/// The optional columns: true for each one that is wanted.
pub struct Optional {
    pub text: bool,
    pub nofollow: bool,
    pub key: bool,
    pub problem: bool,
    /// Those about the page and the element that are not there by default; all have these names.
    pub facts: bool,
}

impl Columns {
    /// Returns the columns with these names, without rows. `None` gives all columns but the optional ones that are not wanted.
    /// Fails with `ValueError` if no wanted column has one of the names.
    pub fn new(names: Option<Vec<String>>, optional: &Optional) -> PyResult<Self> {
        let is_there = |name: Name| match name {
            Name::Text => optional.text,
            Name::Nofollow => optional.nofollow,
            Name::Key => optional.key,
            Name::Problem => optional.problem,
            _ => true,
        };
        let chosen: Vec<(Name, &str)> = match names {
            None => {
                let most = if optional.facts { NAMES.len() } else { FIRST_FACT };
                NAMES.into_iter().take(most).filter(|(name, _)| is_there(*name)).collect()
            }
            Some(names) => {
                let find = |wanted: &String| {
                    let found = NAMES.into_iter().find(|(name, text)| text == wanted && is_there(*name));
                    found.ok_or_else(|| {
                        let all: Vec<_> =
                            NAMES.iter().filter(|(name, _)| is_there(*name)).map(|(_, text)| *text).collect();
                        PyValueError::new_err(format!("no column has the name {wanted:?}: expected {}", all.join(", ")))
                    })
                };
                names.iter().map(find).collect::<PyResult<_>>()?
            }
        };
        let field = |(name, text): &(Name, &str)| {
            let data_type = match name {
                Name::Offset | Name::Status => DataType::Int64,
                Name::Nofollow => DataType::Boolean,
                _ => DataType::Utf8,
            };
            Field::new(*text, data_type, true)
        };
        let schema = Arc::new(Schema::new(chosen.iter().map(field).collect::<Vec<_>>()));
        let builder = |(name, _): &(Name, &str)| match name {
            Name::Offset | Name::Status => (*name, ColumnBuilder::Number(Int64Builder::new())),
            Name::Nofollow => (*name, ColumnBuilder::Flag(BooleanBuilder::new())),
            _ => (*name, ColumnBuilder::Text(StringBuilder::new())),
        };
        Ok(Columns { schema, columns: chosen.iter().map(builder).collect(), rows: 0 })
    }

    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// Reports whether the titles of pages are needed.
    pub fn has_title(&self) -> bool {
        self.columns.iter().any(|(name, _)| *name == Name::Title)
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Adds a link, whose URI and key are `None` if it is not a valid URL, and returns the bytes of its row.
    pub fn add_link(&mut self, page: &PageValues<'_>, link: &Link<'_>, uri: Option<&str>, key: Option<&str>) -> u64 {
        let known = |text| Some(text).filter(|text: &&str| !text.is_empty());
        let mut len = 0;
        for (name, builder) in &mut self.columns {
            let text = match name {
                Name::Page => Some(page.uri),
                Name::Archive => page.archive,
                Name::Text => Some(link.text),
                Name::Element => Some(link.element),
                Name::Attribute => Some(link.attribute),
                Name::Kind => Some(link.kind.name()),
                Name::Rel => Some(link.rel),
                Name::Reference => Some(link.reference),
                Name::Uri => uri,
                Name::Key => key,
                Name::Date => page.date,
                Name::MediaType => known(page.media_type),
                Name::Charset => link.page_charset.map(|charset| charset.name()),
                Name::Title => known(link.page_title),
                Name::Hreflang => known(link.hreflang),
                Name::Media => known(link.media),
                Name::Offset | Name::Status | Name::Nofollow | Name::Problem => None,
            };
            let number = if *name == Name::Status { page.status.map(u64::from) } else { Some(page.offset) };
            len += text.map_or(8, str::len) as u64;
            builder.push(text, number, Some(link.nofollow()));
        }
        self.rows += 1;
        len
    }

    /// Adds a problem.
    pub fn add_problem(&mut self, damage: &Damage) {
        for (name, builder) in &mut self.columns {
            let text = match name {
                Name::Archive => damage.archive.as_deref(),
                Name::Problem => Some(&*damage.reason),
                _ => None,
            };
            builder.push(text, damage.offset.filter(|_| *name == Name::Offset), None);
        }
        self.rows += 1;
    }

    /// Returns the rows as a batch, and starts the next one.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let arrays = self.columns.iter_mut().map(|(_, builder)| builder.finish()).collect();
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(self.rows));
        self.rows = 0;
        RecordBatch::try_new_with_options(self.schema(), arrays, &options)
    }
}

impl ColumnBuilder {
    /// Adds the value that has the type of the column.
    fn push(&mut self, text: Option<&str>, number: Option<u64>, flag: Option<bool>) {
        match self {
            ColumnBuilder::Text(builder) => builder.append_option(text),
            ColumnBuilder::Number(builder) => {
                builder.append_option(number.and_then(|number| i64::try_from(number).ok()))
            }
            ColumnBuilder::Flag(builder) => builder.append_option(flag),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            ColumnBuilder::Text(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Number(builder) => Arc::new(builder.finish()),
            ColumnBuilder::Flag(builder) => Arc::new(builder.finish()),
        }
    }
}
