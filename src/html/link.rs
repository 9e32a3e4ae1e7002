//! What a link is: where it stands, what it is for, what it says and what it means.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::error::{Error, ErrorKind};
use crate::uri::UriRef;

/// What a link is for.
///
/// ```
/// use relref::html::Kind;
///
/// assert_eq!(Kind::Hyperlink.to_string(), "hyperlink");
/// assert_eq!("resource".parse(), Ok(Kind::Resource));
/// assert!("image".parse::<Kind>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Leads elsewhere when somebody follows it: `a href`, `link rel=next`.
    Hyperlink,
    /// Is fetched to show the page or to run it: `img src`, `link rel=stylesheet`, frames too.
    Resource,
    /// Where a form is sent.
    Form,
    /// Where a quotation or the reason of an edit comes from: `cite`.
    Citation,
    /// Where a page sends its reader by itself: `meta http-equiv=refresh`.
    Refresh,
    /// Names something and is neither visited nor shown: `link rel=canonical`, `profile`, `codebase`.
    Metadata,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] =
        [Kind::Hyperlink, Kind::Resource, Kind::Form, Kind::Citation, Kind::Refresh, Kind::Metadata];

    /// The name, in lower case.
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

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kind {
    type Err = Error;

    /// Reads a name, as [`Kind::name`] gives it.
    fn from_str(name: &str) -> Result<Self, Error> {
        let expected = "hyperlink, resource, form, citation, refresh or metadata";
        let fits = |kind: Kind| name.bytes().zip(kind.name().bytes()).take_while(|(a, b)| a == b).count();
        let position = Kind::ALL.into_iter().map(fits).max().unwrap_or(0);
        let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| Error::new(ErrorKind::UnknownKind, expected, name, position))
    }
}

/// A link of a page, as long as the page is looked at. [`LinkBuf`] is its owned form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Link<'p> {
    /// The element that holds it, in lower case; of a longer name the first 64 bytes, or less by a part of a character.
    pub element: &'p str,
    /// The attribute that holds it, in lower case; `text` for the text of a `style` element.
    pub attribute: &'p str,
    /// What it is for.
    pub kind: Kind,
    /// The `rel` attribute of its element, as written; empty without one. Of more than 1 KiB, the whole tokens in the first 1 KiB.
    /// `kind` depends on all of them.
    pub rel: &'p str,
    /// The reference as written: entities and CSS escapes decoded, control characters and white space around it and line
    /// breaks and tabs in it removed (URL Standard §4.4); bytes that are no characters replaced.
    pub reference: &'p str,
    /// The absolute URI it means; only its scheme and the colon if the link is rejected.
    pub uri: &'p str,
    /// The limit for which the URI was not built; `None` unless [`Pages`](super::Pages) has limits.
    pub rejected: Option<Rejected>,
}

/// A limit of [`Pages`](super::Pages) that a link exceeds, so that its URI is not built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rejected {
    /// The URI is longer than [`max_uri`](super::Pages::max_uri).
    TooLong,
    /// The URIs of the page have more bytes in all than [`max_uris`](super::Pages::max_uris).
    TooMany,
}

impl Link<'_> {
    /// Whether the author asks not to be held responsible for it: `nofollow` among the tokens of `rel` (HTML §4.6.7).
    pub fn nofollow(&self) -> bool {
        nofollow(self.rel)
    }

    /// Whether there is something behind it to be fetched: its scheme is `http`, `https`, `ftp` or `file`.
    ///
    /// `javascript:`, `data:`, `mailto:`, `tel:`, `about:`, `blob:` and others are links, but nobody can follow them.
    pub fn is_followable(&self) -> bool {
        is_followable(self.uri)
    }
}

/// A link of a page that owns its texts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LinkBuf {
    /// As [`Link::element`].
    pub element: String,
    /// As [`Link::attribute`].
    pub attribute: String,
    /// As [`Link::kind`].
    pub kind: Kind,
    /// As [`Link::rel`].
    pub rel: String,
    /// As [`Link::reference`].
    pub reference: String,
    /// As [`Link::uri`].
    pub uri: String,
    /// As [`Link::rejected`].
    pub rejected: Option<Rejected>,
}

impl LinkBuf {
    /// The link, borrowed.
    pub fn as_link(&self) -> Link<'_> {
        let LinkBuf { element, attribute, kind, rel, reference, uri, rejected } = self;
        Link { element, attribute, kind: *kind, rel, reference, uri, rejected: *rejected }
    }
}

impl From<Link<'_>> for LinkBuf {
    fn from(link: Link<'_>) -> Self {
        let Link { element, attribute, kind, rel, reference, uri, rejected } = link;
        let [element, attribute, rel] = [element, attribute, rel].map(String::from);
        LinkBuf { element, attribute, kind, rel, reference: reference.into(), uri: uri.into(), rejected }
    }
}

fn nofollow(rel: &str) -> bool {
    rel.split_ascii_whitespace().any(|token| token.eq_ignore_ascii_case("nofollow"))
}

fn is_followable(uri: &str) -> bool {
    is_followed(UriRef::new(uri).scheme().unwrap_or_default())
}

/// Reports whether links of a scheme can be followed.
pub(super) fn is_followed(scheme: &str) -> bool {
    ["http", "https", "ftp", "file"].into_iter().any(|followed| scheme.eq_ignore_ascii_case(followed))
}
