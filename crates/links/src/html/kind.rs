//! The kinds of links, and the schemes of those that can be fetched.

use relref::parse_and_print_by_name;
use relref::private::FETCHED_SCHEMES;

/// The purpose of a link.
///
/// ```
/// use relref_links::html::Kind;
///
/// assert_eq!(Kind::Hyperlink.to_string(), "hyperlink");
/// assert_eq!("resource".parse(), Ok(Kind::Resource));
/// assert!("image".parse::<Kind>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A page that a reader may visit: `a href`, `link rel=next`.
    Hyperlink,
    /// A file that is needed to show or run the page: `img src`, `iframe src`, `link rel=stylesheet`.
    Resource,
    /// The receiver of a form: `form action`.
    Form,
    /// The page that a quotation is from, or the explanation of an edit: `cite`.
    Citation,
    /// A page that replaces this one by itself, after some seconds: `meta http-equiv=refresh`.
    Refresh,
    /// A name, or another URI that is neither visited nor shown: `link rel=canonical`, `profile`, `codebase`.
    Metadata,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] =
        [Kind::Hyperlink, Kind::Resource, Kind::Form, Kind::Citation, Kind::Refresh, Kind::Metadata];

    /// Returns the name, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Hyperlink => "hyperlink",
            Kind::Resource => "resource",
            Kind::Form => "form",
            Kind::Citation => "citation",
            Kind::Refresh => "refresh",
            Kind::Metadata => "metadata",
        }
    }
}

parse_and_print_by_name!(Kind, "a kind of link");

pub(super) fn is_fetched(scheme: &str) -> bool {
    FETCHED_SCHEMES.into_iter().any(|fetched| scheme.eq_ignore_ascii_case(fetched))
}
