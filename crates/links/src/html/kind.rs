//! The kinds of links, and the schemes of those that can be fetched.

use relref::parse_and_print_by_name;
use relref::private::FETCHED_SCHEMES;

named_enum! {
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
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
    #[non_exhaustive]
    pub enum Kind {
        /// A page that a reader may visit: `a href`, `link rel=next`.
        Hyperlink "hyperlink",
        /// A file that is needed to show or run the page: `img src`, `iframe src`, `link rel=stylesheet`.
        Resource "resource",
        /// The receiver of a form: `form action`.
        Form "form",
        /// The page that a quotation is from, or the explanation of an edit: `cite`.
        Citation "citation",
        /// A page that replaces this one by itself, after some seconds: `meta http-equiv=refresh`.
        Refresh "refresh",
        /// A name, or another URI that is neither visited nor shown: `link rel=canonical`, `profile`, `codebase`.
        Metadata "metadata",
    }
}

parse_and_print_by_name!(Kind, "a kind of link");

pub(crate) fn is_fetched(scheme: &str) -> bool {
    FETCHED_SCHEMES.into_iter().any(|fetched| scheme.eq_ignore_ascii_case(fetched))
}
