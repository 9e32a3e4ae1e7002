//! Query pairs: the names and values of a query that a form sent.

use alloc::borrow::Cow;

use crate::percent::{decode_leaving_illegal, lossy};

/// The names and values of a query, decoded: an iterator, also made by [`UriRef::query_pairs`](crate::UriRef::query_pairs).
///
/// Pairs have `&` between them, and a name ends at its first `=`. `+` is a space, escapes are decoded as UTF-8, and octets that
/// are not UTF-8 become U+FFFD; a `%` without two hex digits stays. Empty pairs are left out. Borrowed if nothing changes.
/// Source: URL Standard §5.1.
///
/// ```
/// use relref::UriRef;
///
/// let uri = UriRef::new("http://h/?name=J%C3%BCrgen+K&x&y=a=b");
/// let pairs: Vec<_> = uri.query_pairs().collect();
/// assert_eq!(pairs, [("name".into(), "Jürgen K".into()), ("x".into(), "".into()), ("y".into(), "a=b".into())]);
/// ```
#[derive(Clone, Debug)]
pub struct QueryPairs<'a> {
    rest: &'a str,
}

impl<'a> QueryPairs<'a> {
    /// Reads a query without its `?`, or the body of a form.
    ///
    /// ```
    /// use relref::QueryPairs;
    ///
    /// assert_eq!(QueryPairs::new("a=1+2&b=%C3%A9").last(), Some(("b".into(), "é".into())));
    /// ```
    #[doc(alias("form_urlencoded", "decode_form"))]
    #[must_use]
    pub fn new(query: &'a str) -> Self {
        QueryPairs { rest: query }
    }

    pub(super) fn value_of(mut self, name: &str) -> Option<Cow<'a, str>> {
        self.find(|(its_name, _)| its_name == name).map(|(_, value)| value)
    }

    /// The next pair, not decoded.
    pub(super) fn next_written(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_start_matches('&');
        if self.rest.is_empty() {
            return None;
        }
        let (pair, rest) = self.rest.split_once('&').unwrap_or((self.rest, ""));
        self.rest = rest;
        Some(pair)
    }
}

impl<'a> Iterator for QueryPairs<'a> {
    type Item = (Cow<'a, str>, Cow<'a, str>);

    fn next(&mut self) -> Option<Self::Item> {
        self.next_written().map(decode_pair)
    }
}

impl core::iter::FusedIterator for QueryPairs<'_> {}

pub(super) fn decode_pair(pair: &str) -> (Cow<'_, str>, Cow<'_, str>) {
    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
    (decoded(name), decoded(value))
}

fn decoded(text: &str) -> Cow<'_, str> {
    // Most names and values have neither `+` nor an escape, and are borrowed.
    let spaced = if text.contains('+') { Cow::Owned(text.replace('+', " ")) } else { Cow::Borrowed(text) };
    match decode_leaving_illegal(&spaced).to_bytes() {
        Cow::Borrowed(_) => spaced,
        octets => Cow::Owned(lossy(octets).into_owned()),
    }
}
