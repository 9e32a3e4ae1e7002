//! The views of `news` and `nntp` URIs: groups and articles.

use super::authority::Authority;
use super::details::Details;
use super::part::Parts;
use super::url_path::{non_empty, path_and_query, split_at_delimiter, url_path};
use super::warning::{WarningKind, Warnings};
use crate::uri::UriRef;

/// A URI of `news`: all groups, a group, or an article, available from the local server (RFC 1630, *News*; RFC 1738 §3.6).
///
/// A host is not allowed. If there is one, the target is the text after the slash that follows it. `?` is an ordinary character.
///
/// ```
/// use relref::scheme::{NewsTarget, View, view};
///
/// let target = |text| match view(text) {
///     View::News(news) => news.target,
///     _ => None,
/// };
/// assert_eq!(target("news:*"), Some(NewsTarget::All));
/// assert_eq!(target("news:comp.infosystems.www"), Some(NewsTarget::Group("comp.infosystems.www")));
/// assert_eq!(target("news:1234@host.dom"), Some(NewsTarget::Article("1234@host.dom")));
/// assert_eq!(target("news:"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct News<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The target: the thing that the URI names. `None` if the name is empty.
    pub target: Option<NewsTarget<'a>>,
}

/// The thing that a URI of `news` names. Texts keep their escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NewsTarget<'a> {
    /// `*`: all groups.
    All,
    /// A group.
    Group(&'a str),
    /// An article, by its Message-Id without angle brackets. An `@`, escaped or not, distinguishes it from a group.
    Article(&'a str),
}

impl<'a> News<'a> {
    pub(super) fn new(uri: UriRef<&'a str>) -> Self {
        let path = path_and_query(&uri);
        let name = if uri.authority().is_some() { url_path(path).unwrap_or_default() } else { path };
        let target = match name {
            "" => None,
            "*" | "%2A" | "%2a" => Some(NewsTarget::All),
            _ if name.contains('@') || name.contains("%40") => Some(NewsTarget::Article(name)),
            _ => Some(NewsTarget::Group(name)),
        };
        News { uri, target }
    }
}

impl<'a> Details<'a> for News<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        match self.target {
            Some(NewsTarget::All) => parts.add("groups", "all"),
            Some(NewsTarget::Group(group)) => parts.add("group", group),
            Some(NewsTarget::Article(article)) => parts.add("article", article),
            None => {}
        }
    }

    fn add_warnings(&self, warnings: &mut Warnings<'a>) {
        warnings.add_part(WarningKind::NoPlace, self.uri.authority());
        match self.target {
            None => warnings.add(WarningKind::Missing, self.uri.query_end..self.uri.query_end),
            Some(NewsTarget::Article(id)) => warnings.add_if_bracketed(id),
            Some(_) => {}
        }
    }
}

/// A URI of `nntp`: an article by its number in a group on one server. It has no meaning elsewhere; prefer `news`.
///
/// RFC 1738 §3.7 writes the server (`nntp://host/group/number`). So does RFC 1630, *NNTP*, but not its BNF (`nntp:group/number`):
/// such a URI has no `authority` here.
///
/// ```
/// use relref::scheme::{View, view};
///
/// let View::Nntp(nntp) = view("nntp://host.dom/comp.infosystems.www/42") else { unreachable!() };
/// assert_eq!(nntp.authority.unwrap().port_or_known_default(), Some(119));
/// assert_eq!((nntp.group, nntp.article_number()), (Some("comp.infosystems.www"), Some(42)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Nntp<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The server.
    pub authority: Option<Authority<'a>>,
    /// The group; `None` if its name is empty.
    pub group: Option<&'a str>,
    /// The text after the slash that follows the group; `None` if there is no such slash.
    pub article: Option<&'a str>,
}

impl<'a> Nntp<'a> {
    pub(super) fn new(uri: UriRef<&'a str>, authority: Option<Authority<'a>>) -> Self {
        let path = url_path(path_and_query(&uri)).unwrap_or_default();
        let (group, article) = split_at_delimiter(path, "/");
        Nntp { uri, authority, group: non_empty(group), article }
    }

    /// Returns the number of the article; `None` if it is missing or not a number of 64 bits.
    #[must_use]
    pub fn article_number(&self) -> Option<u64> {
        let article = self.article?;
        if article.bytes().all(|byte| byte.is_ascii_digit()) { article.parse().ok() } else { None }
    }
}

impl<'a> Details<'a> for Nntp<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        parts.add_some("group", self.group);
        match self.article_number() {
            Some(number) => parts.add_number("article", number),
            None => parts.add_some("article", self.article),
        }
    }

    fn add_warnings(&self, warnings: &mut Warnings<'a>) {
        warnings.add(WarningKind::LocalOnly, 0..self.uri.query_end);
        if self.group.is_none() {
            warnings.add(WarningKind::Missing, self.uri.path_start..self.uri.path_start);
        } else if self.article_number().is_none() {
            warnings.add_part(WarningKind::UnreadableNumber, self.article);
        }
    }
}
