//! The view of `gopher` URIs: type, selector and search.

use alloc::vec::Vec;

use super::authority::Authority;
use super::details::Details;
use super::part::{Parts, decoded, decoded_query};
use super::url_path::{non_empty, path_and_query, split_at_delimiter, url_path};
use super::warning::{WarningKind, Warnings};
use crate::error::Error;
use crate::percent::{decode_bytes, decode_query, octet};
use crate::uri::UriRef;

/// A URI of `gopher`: the type of an item, and its selector.
///
/// The documents write a search in two ways: after `%09`, with a Gopher+ string after a second `%09` (RFC 1738 §3.4), or
/// after `?` (URL7 and the draft of RFC 1630). A URI with `%09` is read by RFC 1738, where `?` is an ordinary character. Any
/// other is read by the older documents. Slashes do not always mean hierarchy.
///
/// ```
/// use relref::scheme::{View, view};
///
/// let View::Gopher(gopher) = view("gopher://host.dom/7foo%09two%20words") else { unreachable!() };
/// assert_eq!((gopher.item_type(), gopher.selector, gopher.search), ('7', "foo", Some("two%20words")));
/// assert_eq!(gopher.request()?, b"foo\ttwo words");
/// # Ok::<(), relref::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Gopher<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The authority.
    pub authority: Option<Authority<'a>>,
    /// The type as written: one character or one escape. Clients do not send it.
    pub gtype: Option<&'a str>,
    /// The text after the type: selector, search and Gopher+ string.
    pub command: &'a str,
    /// The selector. It may repeat the type's character at its start.
    pub selector: &'a str,
    /// The words to search for, with their escapes; `None` if there is no separator.
    pub search: Option<&'a str>,
    /// The Gopher+ string: the text after the second `%09`. `None` if there is none.
    pub plus: Option<&'a str>,
    /// The separator before the search; `None` if there is no search.
    pub separator: Option<SearchSeparator>,
}

/// The text that separates a gopher search from its selector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SearchSeparator {
    /// `%09` (RFC 1738 §3.4.2).
    Tab,
    /// `?` (URL7 and draft-www-uri-00, BNF).
    QuestionMark,
}

/// The request of a Gopher+ string (RFC 1738 §3.4.4 to §3.4.9). Texts keep their escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GopherPlus<'a> {
    /// `+`: the item, in its default view.
    Item,
    /// `+view` or `+view%20language`: the item in another view. The fields are the view and the language.
    View(&'a str, Option<&'a str>),
    /// `?`: the item, after the user has filled out its form.
    Form,
    /// `+%091%0D%0A…`: the item, with the form filled out. The field is the text after `+%09`.
    Filled(&'a str),
    /// `!` and names separated by `%20`: these attributes of the item, or all if there are no names. The field is the names.
    Attributes(&'a str),
    /// `$` and names separated by `%20`: these attributes of each item of a directory, or all if there are no names. The field is
    /// the names.
    DirectoryAttributes(&'a str),
}

impl<'a> Gopher<'a> {
    pub(super) fn new(uri: UriRef<&'a str>, authority: Option<Authority<'a>>) -> Self {
        let path = url_path(path_and_query(&uri)).unwrap_or_default();
        // A separator at the start means that the type is left out.
        let type_len = match path.chars().next() {
            None | Some('?') => 0,
            Some('%') if path.starts_with("%09") => 0,
            Some('%') if octet(path.as_bytes()).is_some() => 3,
            Some(c) => c.len_utf8(),
        };
        let (gtype, command) = path.split_at(type_len);
        let (selector, search, plus, separator) = match split_at_delimiter(command, "%09") {
            (selector, Some(after)) => {
                let (search, plus) = split_at_delimiter(after, "%09");
                (selector, Some(search), plus, Some(SearchSeparator::Tab))
            }
            (command, None) => {
                let (selector, search) = split_at_delimiter(command, "?");
                (selector, search, None, search.map(|_| SearchSeparator::QuestionMark))
            }
        };
        Gopher { uri, authority, gtype: non_empty(gtype), command, selector, search, plus, separator }
    }

    /// Returns the type; `1`, a directory, if the URI has none. An escape is decoded to the character of ISO Latin-1 with that
    /// number.
    pub fn item_type(&self) -> char {
        let gtype = self.gtype.unwrap_or("1");
        octet(gtype.as_bytes()).map(char::from).or(gtype.chars().next()).unwrap_or('1')
    }

    /// Returns the bytes to send: the selector, a tab and the search, a tab and the Gopher+ string, decoded, without the
    /// final CR LF. In a search after `?`, `+` is a space.
    ///
    /// Control octets among them may be dangerous to send: see the [warnings](super::View::warnings).
    ///
    /// # Errors
    /// The same as those of [`decode_bytes`]. The position is a byte of `command`.
    pub fn request(&self) -> Result<Vec<u8>, Error> {
        let whole = decode_bytes(self.command)?;
        if self.separator != Some(SearchSeparator::QuestionMark) {
            return Ok(whole.collect());
        }
        let mut line: Vec<u8> = decode_bytes(self.selector)?.collect();
        line.push(b'\t');
        line.extend_from_slice(&decode_query(self.search.unwrap_or_default())?);
        Ok(line)
    }

    /// Returns the request of the Gopher+ string; `None` if there is none or RFC 1738 does not define it.
    #[must_use]
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

impl<'a> Details<'a> for Gopher<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        parts.add("type", self.item_type());
        parts.add_decoded("selector", self.selector);
        match self.separator {
            Some(SearchSeparator::QuestionMark) => parts.add_some("search after ?", self.search.map(decoded_query)),
            _ => parts.add_some("search", self.search.map(decoded)),
        }
        parts.add_some("gopher+", self.plus.map(decoded));
    }

    fn add_warnings(&self, warnings: &mut Warnings<'a>) {
        let slash = self.selector.find('/').map(|at| &self.selector[at..at + 1]);
        warnings.add_part(WarningKind::GopherSlash, slash);
    }

    fn parts_after_control(&self) -> [Option<&'a str>; 2] {
        if self.separator == Some(SearchSeparator::Tab) { [self.search, self.plus] } else { [None; 2] }
    }
}
