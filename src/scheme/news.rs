//! `news` and `nntp`.

use super::authority::Authority;
use super::parts::{rest, url_path};
use crate::uri::UriRef;

/// A URI of `news`: all groups, a group, or an article, to be had from the local server.
///
/// A host has no place in it; if there is one, the target is what follows the slash behind it. `?` is an ordinary
/// character.
///
/// Source: RFC 1630, *News*; RFC 1738 §3.6.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{NewsTarget, View, view};
///
/// let target = |text| match view(UriRef::new(text)) {
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
    /// The whole.
    pub uri: UriRef<'a>,
    /// What it names; `None` if nothing is written.
    pub target: Option<NewsTarget<'a>>,
}

/// What a URI of `news` names. Texts are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NewsTarget<'a> {
    /// `*`: all groups there are.
    All,
    /// A group.
    Group(&'a str),
    /// An article, by its Message-Id without angle brackets. An `@` tells it from a group, also an encoded one: no group
    /// has an escape.
    Article(&'a str),
}

impl<'a> News<'a> {
    pub(super) fn new(uri: UriRef<'a>) -> Self {
        let rest = rest(&uri);
        let name = if uri.authority().is_some() { url_path(rest).unwrap_or_default() } else { rest };
        let target = match name {
            "" => None,
            "*" | "%2A" | "%2a" => Some(NewsTarget::All),
            _ if name.contains('@') || name.contains("%40") => Some(NewsTarget::Article(name)),
            _ => Some(NewsTarget::Group(name)),
        };
        News { uri, target }
    }
}

/// A URI of `nntp`: an article by its number in a group on one server. It means nothing elsewhere; prefer `news`.
///
/// RFC 1738 names the server (`nntp://host/group/number`). The BNF of RFC 1630 forgets it (`nntp:group/number`), its prose
/// does not: such a URI has no `authority` here.
///
/// Source: RFC 1630, *NNTP* and BNF; RFC 1738 §3.7.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{View, view};
///
/// let View::Nntp(nntp) = view(UriRef::new("nntp://host.dom/comp.infosystems.www/42")) else { unreachable!() };
/// assert_eq!(nntp.authority.unwrap().effective_port(), Some(119));
/// assert_eq!((nntp.group, nntp.article_number()), (Some("comp.infosystems.www"), Some(42)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Nntp<'a> {
    /// The whole.
    pub uri: UriRef<'a>,
    /// The server. Its default port is 119.
    pub authority: Option<Authority<'a>>,
    /// The group.
    pub group: Option<&'a str>,
    /// What follows the slash behind the group.
    pub article: Option<&'a str>,
}

impl<'a> Nntp<'a> {
    pub(super) fn new(uri: UriRef<'a>) -> Self {
        let path = url_path(rest(&uri)).unwrap_or_default();
        let (group, article) = match path.split_once('/') {
            Some((group, article)) => (group, Some(article)),
            None => (path, None),
        };
        Nntp { uri, authority: Authority::of(&uri), group: (!group.is_empty()).then_some(group), article }
    }

    /// The number of the article; `None` if it is not given or no number of 64 bits.
    pub fn article_number(&self) -> Option<u64> {
        let article = self.article?;
        if article.bytes().all(|byte| byte.is_ascii_digit()) { article.parse().ok() } else { None }
    }
}
