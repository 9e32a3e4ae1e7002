//! The view of `data` URIs: a media type, and the data itself.

use super::details::Details;
use super::part::{Parts, decoded};
use super::warning::{WarningKind, Warnings};
use crate::percent::decode_leaving_illegal;
use crate::uri::UriRef;

/// A URI of `data`: a resource that is in the URI itself (RFC 2397). `?` is an ordinary character.
///
/// ```
/// use relref::scheme::{View, view};
///
/// let View::Data(data) = view("data:text/html;charset=utf-8;base64,PGI-") else { unreachable!() };
/// assert_eq!((data.media_type(), data.charset(), data.is_base64()), ("text/html", Some("utf-8"), true));
/// assert_eq!(data.decoded_len(), None);
///
/// let View::Data(data) = view("data:,a%20b") else { unreachable!() };
/// assert_eq!((data.media_type(), data.charset(), data.decoded_len()), ("text/plain", Some("US-ASCII"), Some(3)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Data<'a> {
    /// The URI.
    pub uri: UriRef<&'a str>,
    /// The text before the comma: the media type with its parameters, and `;base64`.
    pub head: &'a str,
    /// The text after the comma, with its escapes; `None` without a comma, which the scheme needs.
    pub data: Option<&'a str>,
}

impl<'a> Data<'a> {
    pub(super) fn new(uri: UriRef<&'a str>) -> Self {
        let text = &uri.as_str()[uri.scheme_end..uri.query_end];
        let (head, data) = match text.split_once(',') {
            Some((head, data)) => (head, Some(data)),
            None => (text, None),
        };
        Data { uri, head, data }
    }

    /// Returns the type and subtype, as written; `text/plain` if they are left out.
    #[must_use]
    pub fn media_type(&self) -> &'a str {
        Some(self.fields().0).filter(|media_type| !media_type.is_empty()).unwrap_or("text/plain")
    }

    /// Returns the parameter `charset`, as written; `US-ASCII` if the media type is left out with all its parameters.
    #[must_use]
    pub fn charset(&self) -> Option<&'a str> {
        let charset = self.parameters().find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("charset").then_some(value)
        });
        charset.or(Some("US-ASCII").filter(|_| self.fields().0.is_empty() && self.parameters().next().is_none()))
    }

    /// Returns the parameters of the media type, as written, without `base64`.
    pub fn parameters(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let (media_type, is_base64) = self.fields();
        let parameters = &self.head[media_type.len()..];
        let end = if is_base64 { parameters.rfind(';').unwrap_or_default() } else { parameters.len() };
        parameters[..end].split(';').skip(1)
    }

    /// Reports whether the data is in Base64.
    #[must_use]
    pub fn is_base64(&self) -> bool {
        self.fields().1
    }

    /// Returns the number of octets that the data decodes to, without white space in Base64, as browsers decode it (Infra, *forgiving-base64
    /// decode*). `None` without a comma, and if the data is not Base64, though it should be. Cost: one pass.
    #[must_use]
    pub fn decoded_len(&self) -> Option<usize> {
        let octets = decode_leaving_illegal(self.data?);
        if !self.is_base64() {
            return Some(octets.count());
        }
        let (mut digits, mut padding) = (0_usize, 0);
        for octet in octets {
            match octet {
                b' ' | b'\t' | b'\n' | b'\x0C' | b'\r' => {}
                b'=' => padding += 1,
                b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'+' | b'/' if padding == 0 => digits += 1,
                _ => return None,
            }
        }
        let is_whole = digits % 4 != 1 && (padding == 0 || padding <= 2 && (digits + padding) % 4 == 0);
        is_whole.then_some(digits / 4 * 3 + (digits % 4).saturating_sub(1))
    }

    /// The type, and whether `base64` comes last.
    fn fields(&self) -> (&'a str, bool) {
        let media_type = self.head.split(';').next().unwrap_or_default();
        let last = self.head[media_type.len()..].rsplit_once(';').map(|(_, last)| last.trim_start_matches(' '));
        (media_type, last.is_some_and(|last| last.eq_ignore_ascii_case("base64")))
    }
}

impl<'a> Details<'a> for Data<'a> {
    fn add_parts(&self, parts: &mut Parts) {
        parts.add_decoded("media type", self.media_type());
        parts.add_some("charset", self.charset().map(decoded));
        let is_other = |text: &&str| !text.split('=').next().unwrap_or_default().trim().eq_ignore_ascii_case("charset");
        parts.add_decoded_list("parameter", self.parameters().filter(is_other));
        if self.is_base64() {
            parts.add_flag("base64");
        }
        if let Some(len) = self.decoded_len() {
            parts.add_number("length", len as u64);
        }
    }

    fn add_warnings(&self, warnings: &mut Warnings<'a>) {
        match self.data {
            None => warnings.add(WarningKind::Missing, self.uri.query_end..self.uri.query_end),
            data => warnings.add_part(WarningKind::NotBase64, data.filter(|_| self.decoded_len().is_none())),
        }
    }
}
