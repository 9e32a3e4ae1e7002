//! The columns of the lines of `relref links`.

use clap::ValueEnum;

/// In the order of JSON objects, by the names that `--columns` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Column {
    Page,
    Archive,
    PageUri,
    Offset,
    Status,
    Date,
    Type,
    Charset,
    Title,
    Element,
    Attribute,
    Inner,
    Kind,
    Rel,
    Hreflang,
    Media,
    Reference,
    Uri,
    Text,
    Key,
    Start,
    End,
    #[value(name = "line")]
    LineNumber,
    #[value(name = "column")]
    CharacterNumber,
    /// Only of rejected links.
    #[value(skip)]
    Why,
}

impl Column {
    /// Reports whether the column is a part of the place of a link.
    pub fn is_place(self) -> bool {
        matches!(self, Column::Start | Column::End | Column::LineNumber | Column::CharacterNumber)
    }

    pub fn name(self) -> String {
        self.to_possible_value().map_or("why".into(), |value| value.get_name().into())
    }
}
