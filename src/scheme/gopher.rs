//! `gopher`.

use alloc::vec::Vec;

use super::authority::Authority;
use super::parts::{rest, url_path};
use crate::error::Error;
use crate::percent::{decode, decode_query, octet};
use crate::uri::UriRef;

/// A URI of `gopher`: the type of an item, and its selector.
///
/// The documents write a search in two ways: behind `%09`, with a Gopher+ string behind another (RFC 1738 §3.4), or behind
/// `?` (URL7 and the draft of RFC 1630). Where there is a `%09` the text is read by RFC 1738, to which `?` is an ordinary
/// character, else by the older ones. Slashes may not mean hierarchy.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{View, view};
///
/// let View::Gopher(gopher) = view(UriRef::new("gopher://host.dom/7foo%09two%20words")) else { unreachable!() };
/// assert_eq!((gopher.item_type(), gopher.selector, gopher.search), ('7', "foo", Some("two%20words")));
/// assert_eq!(gopher.request()?, b"foo\ttwo words");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Gopher<'a> {
    /// The whole.
    pub uri: UriRef<'a>,
    /// The authority. Its default port is 70.
    pub authority: Option<Authority<'a>>,
    /// The type as written: one character or one escape. It is not sent.
    pub gtype: Option<&'a str>,
    /// All behind the type.
    pub command: &'a str,
    /// The selector; it may start with the type's character once more.
    pub selector: &'a str,
    /// The words to search for.
    pub search: Option<&'a str>,
    /// The Gopher+ string.
    pub plus: Option<&'a str>,
    /// How the search is written.
    pub form: Option<GopherSearch>,
}

/// How a gopher search is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GopherSearch {
    /// Behind `%09` (RFC 1738 §3.4.2).
    Tab,
    /// Behind `?` (URL7 and draft-www-uri-00, BNF).
    Query,
}

/// What a Gopher+ string asks for (RFC 1738 §3.4.4 to §3.4.9). Texts are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GopherPlus<'a> {
    /// `+`: the item, in its default view.
    Item,
    /// `+view` or `+view%20language`: the item in another view.
    View(&'a str, Option<&'a str>),
    /// `?`: the item, once the user has filled out its form.
    Form,
    /// `+%091%0D%0A…`: the item, with the form filled out; all behind `+%09`.
    Filled(&'a str),
    /// `!` and names separated by `%20`: these attributes of the item; all, if there are no names.
    Attributes(&'a str),
    /// `$` and names: the same, of all items of a directory.
    DirectoryAttributes(&'a str),
}

impl<'a> Gopher<'a> {
    pub(super) fn new(uri: UriRef<'a>) -> Self {
        let path = url_path(rest(&uri)).unwrap_or_default();
        // Neither separator is a type: it was left out.
        let type_len = match path.chars().next() {
            None | Some('?') => 0,
            Some('%') if path.starts_with("%09") => 0,
            Some('%') if octet(path.as_bytes()).is_some() => 3,
            Some(c) => c.len_utf8(),
        };
        let (gtype, command) = path.split_at(type_len);
        let (selector, search, plus, form) = if let Some((selector, search)) = command.split_once("%09") {
            match search.split_once("%09") {
                Some((search, plus)) => (selector, Some(search), Some(plus), Some(GopherSearch::Tab)),
                None => (selector, Some(search), None, Some(GopherSearch::Tab)),
            }
        } else if let Some((selector, search)) = command.split_once('?') {
            (selector, Some(search), None, Some(GopherSearch::Query))
        } else {
            (command, None, None, None)
        };
        let gtype = (!gtype.is_empty()).then_some(gtype);
        Gopher { uri, authority: Authority::of(&uri), gtype, command, selector, search, plus, form }
    }

    /// The type, decoded by ISO Latin-1 if it is an escape; `1`, a directory, if it is left out.
    pub fn item_type(&self) -> char {
        let gtype = self.gtype.unwrap_or("1");
        octet(gtype.as_bytes()).map(char::from).or(gtype.chars().next()).unwrap_or('1')
    }

    /// What is sent: the selector, the search behind a tab, the Gopher+ string behind another, decoded, without the last
    /// CR LF. In a search behind `?`, `+` is a space.
    ///
    /// It may hold what is dangerous to send: see the [warnings](super::View::warnings).
    ///
    /// # Errors
    /// As [`decode`]; the position is that in `command`.
    pub fn request(&self) -> Result<Vec<u8>, Error> {
        let whole = decode(self.command)?;
        if self.form != Some(GopherSearch::Query) {
            return Ok(whole.collect());
        }
        let mut line: Vec<u8> = decode(self.selector)?.collect();
        line.push(b'\t');
        line.extend_from_slice(&decode_query(self.search.unwrap_or_default())?);
        Ok(line)
    }

    /// What the Gopher+ string asks for; `None` if there is none, or one that RFC 1738 does not know.
    pub fn plus(&self) -> Option<GopherPlus<'a>> {
        let plus = self.plus?;
        let rest = plus.get(1..)?;
        match plus.as_bytes()[0] {
            b'+' if rest.is_empty() => Some(GopherPlus::Item),
            b'+' => Some(match (rest.strip_prefix("%09"), rest.split_once("%20")) {
                (Some(filled), _) => GopherPlus::Filled(filled),
                (None, Some((view, language))) => GopherPlus::View(view, Some(language)),
                (None, None) => GopherPlus::View(rest, None),
            }),
            b'?' if rest.is_empty() => Some(GopherPlus::Form),
            b'!' => Some(GopherPlus::Attributes(rest)),
            b'$' => Some(GopherPlus::DirectoryAttributes(rest)),
            _ => None,
        }
    }
}
