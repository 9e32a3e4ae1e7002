//! The columns of the lines of `relref links`, by their names.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    LineNumber,
    CharacterNumber,
    /// Only of rejected links.
    Why,
}

impl Column {
    /// Those that `--columns` takes, in the order of JSON objects.
    pub const ALL: [Column; 24] = {
        use Column::*;
        [
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
            LineNumber,
            CharacterNumber,
        ]
    };

    /// Reports whether the column is a part of the place of a link.
    pub fn is_place(self) -> bool {
        matches!(self, Column::Start | Column::End | Column::LineNumber | Column::CharacterNumber)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Column::Page => "page",
            Column::Archive => "archive",
            Column::PageUri => "page_uri",
            Column::Offset => "offset",
            Column::Status => "status",
            Column::Date => "date",
            Column::Type => "type",
            Column::Charset => "charset",
            Column::Title => "title",
            Column::Element => "element",
            Column::Attribute => "attribute",
            Column::Inner => "inner",
            Column::Kind => "kind",
            Column::Rel => "rel",
            Column::Hreflang => "hreflang",
            Column::Media => "media",
            Column::Reference => "reference",
            Column::Uri => "uri",
            Column::Text => "text",
            Column::Key => "key",
            Column::Start => "start",
            Column::End => "end",
            Column::LineNumber => "line",
            Column::CharacterNumber => "column",
            Column::Why => "why",
        }
    }
}
