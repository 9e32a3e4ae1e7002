//! `UrlRecord`: a serialized URL, split into its components. Also, which texts are Windows drive letters.

use super::scheme::Scheme;
use crate::uri::UriRef;

/// A serialized URL (§4.5) and the byte offsets of its components.
#[derive(Clone, Copy)]
pub(super) struct UrlRecord<'a> {
    pub(super) text: &'a str,
    pub(super) scheme: Scheme,
    /// The byte offset in `text` right after the colon of the scheme.
    pub(super) scheme_end: usize,
    /// The byte offset in `text` right after host and port; the same as `scheme_end` if there is no host.
    pub(super) authority_end: usize,
    /// The byte offset in `text` at which the path starts. A guard `/.` before the path is not part of it.
    pub(super) path_start: usize,
    pub(super) path_end: usize,
    pub(super) query_end: usize,
}

impl<'a> UrlRecord<'a> {
    /// Splits a serialized URL into its components.
    pub(super) fn new(href: &'a str) -> Self {
        UrlRecord::from_uri(&UriRef::split(href))
    }

    /// Makes a record of a serialized URL that is already split by RFC 3986. There, the path still includes the guard.
    #[inline(always)]
    pub(super) fn from_uri(uri: &UriRef<&'a str>) -> Self {
        let text = uri.as_str();
        let (scheme_end, authority_end) = (uri.scheme_end, uri.path_start);
        let has_guard = authority_end == scheme_end && text.as_bytes()[scheme_end..].starts_with(b"/.//");
        UrlRecord {
            text,
            scheme: Scheme::of(&text[..scheme_end.saturating_sub(1)]),
            scheme_end,
            authority_end,
            path_start: authority_end + if has_guard { "/.".len() } else { 0 },
            path_end: uri.path_end,
            query_end: uri.query_end,
        }
    }

    /// Reports whether there is a host, even an empty one: in the Standard's words, whether the host is not null.
    pub(super) fn has_host(&self) -> bool {
        self.authority_end > self.scheme_end
    }

    /// Reports whether the path is opaque: one text instead of a list of segments.
    pub(super) fn has_opaque_path(&self) -> bool {
        !self.has_host() && self.text.as_bytes().get(self.scheme_end) != Some(&b'/')
    }

    pub(super) fn path(&self) -> &'a str {
        &self.text[self.path_start..self.path_end]
    }

    /// Returns the slash and the first segment of the path, such as `/C:`, if the segment is a normalized Windows drive letter: a
    /// letter and a colon. `None` if it is not. The scheme is not tested.
    pub(super) fn drive_letter(&self) -> Option<&'a str> {
        match self.path().as_bytes() {
            [b'/', letter, b':'] | [b'/', letter, b':', b'/', ..] if letter.is_ascii_alphabetic() => {
                Some(&self.path()[..3])
            }
            _ => None,
        }
    }
}

/// Reports whether a text is a *Windows drive letter* (§4.2): exactly one letter and then `:` or `|`.
pub(super) fn is_drive_letter(text: &[u8]) -> bool {
    matches!(text, [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Reports whether a text *starts with a Windows drive letter* (§4.2), after which the text ends or `/`, `\`, `?` or `#` follows.
pub(super) fn starts_with_drive_letter(text: &[u8]) -> bool {
    let end = text.len().min(2);
    is_drive_letter(&text[..end]) && matches!(text.get(2), None | Some(b'/' | b'\\' | b'?' | b'#'))
}
