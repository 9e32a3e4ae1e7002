//! `UrlRecord`: a serialized URL, split into its components. Also, which texts are Windows drive letters.

use core::ops::Range;

use memchr::memrchr;

use super::scheme::Scheme;
use crate::uri::UriRef;

// The Standard's parser fills a record and serializes it. Here the serialized text is what is kept, and the record is offsets in
// it: a base is split once, a result never, and no component is a text of its own.
/// A serialized URL (§4.5) and the byte offsets of its components.
#[derive(Clone, Copy)]
pub(super) struct UrlRecord<'a> {
    pub(super) text: &'a str,
    pub(super) scheme: Scheme,
    pub(super) scheme_end: usize,
    /// Right after host and port; the same as `scheme_end` if there is no host.
    pub(super) authority_end: usize,
    /// A guard `/.` before the path is not part of it.
    pub(super) path_start: usize,
    pub(super) path_end: usize,
    pub(super) query_end: usize,
}

impl<'a> UrlRecord<'a> {
    pub(super) fn new(href: &'a str) -> Self {
        UrlRecord::from_uri(&UriRef::split(href))
    }

    /// The path of `uri` still includes the guard.
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

    /// True also for an empty host, which is not null in the Standard's words.
    pub(super) fn has_host(&self) -> bool {
        self.authority_end > self.scheme_end
    }

    pub(super) fn has_opaque_path(&self) -> bool {
        !self.has_host() && self.text.as_bytes().get(self.scheme_end) != Some(&b'/')
    }

    pub(super) fn path(&self) -> &'a str {
        &self.text[self.path_start..self.path_end]
    }

    /// Returns the byte range of the host; without a host, the empty range after the scheme.
    pub(super) fn host_range(&self) -> Range<usize> {
        let start = self.host_start();
        // A colon in brackets is part of an address.
        // From the end: a port has at most five digits, while credentials and addresses have colons of their own.
        let host_and_port = &self.text[start..self.authority_end];
        let colon = host_and_port.rfind([':', ']']).filter(|&at| host_and_port.as_bytes()[at] == b':');
        start..colon.map_or(self.authority_end, |colon| start + colon)
    }

    fn host_start(&self) -> usize {
        if !self.has_host() {
            return self.scheme_end;
        }
        let start = self.authority_start();
        memrchr(b'@', &self.text.as_bytes()[start..self.authority_end]).map_or(start, |at| start + at + 1)
    }

    pub(super) fn authority_start(&self) -> usize {
        self.scheme_end + if self.has_host() { "//".len() } else { 0 }
    }

    /// Returns user name and password. Each is empty if there is none.
    pub(super) fn credentials(&self) -> (&'a str, &'a str) {
        let credentials = &self.text[self.authority_start()..self.host_start()];
        let credentials = credentials.strip_suffix('@').unwrap_or(credentials);
        credentials.split_once(':').unwrap_or((credentials, ""))
    }

    /// Returns the digits of the port; empty if there is none.
    pub(super) fn port(&self) -> &'a str {
        self.text[self.host_range().end..self.authority_end].trim_start_matches(':')
    }

    /// Returns a normalized Windows drive letter with its slash, such as `/C:`. The scheme is not tested.
    pub(super) fn drive_letter(&self) -> Option<&'a str> {
        match self.path().as_bytes() {
            [b'/', letter, b':'] | [b'/', letter, b':', b'/', ..] if letter.is_ascii_alphabetic() => {
                Some(&self.path()[..3])
            }
            _ => None,
        }
    }
}

/// Reports whether a text is a Windows drive letter (§4.2): exactly one letter and then `:` or `|`.
pub(super) fn is_drive_letter(text: &[u8]) -> bool {
    matches!(text, [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}

/// Reports whether a text starts with a Windows drive letter (§4.2): after it, the text ends or `/`, `\`, `?` or `#` follows.
pub(super) fn starts_with_drive_letter(text: &[u8]) -> bool {
    let end = text.len().min(2);
    is_drive_letter(&text[..end]) && matches!(text.get(2), None | Some(b'/' | b'\\' | b'?' | b'#'))
}
