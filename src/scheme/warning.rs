//! `Warning`: an odd or dangerous thing in a URI, as data.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::percent;
use crate::uri::UriRef;

/// An odd or dangerous thing in a URI, and its range of bytes: always inside the text, and empty if something is missing there.
///
/// ```
/// use relref::scheme::{WarningKind, view};
///
/// let warning = view("telnet://:secret@host.dom/").warnings().remove(0);
/// assert_eq!((warning.kind, &warning.range), (WarningKind::Password, &(10..16)));
/// assert_eq!(warning.to_string(), "password in a URI at bytes 10..16");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Warning {
    /// The kind of the thing.
    pub kind: WarningKind,
    /// The bytes of the thing in the URI.
    pub range: Range<usize>,
}

/// The thing that a [`Warning`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WarningKind {
    /// A `%` without two hex digits after it (RFC 1630, example 3).
    IllegalEscape,
    /// CR, LF, TAB or NUL, escaped or not: dangerous within a line of a protocol (RFC 1738 §6). The value is the octet. There is no
    /// warning about the separators `%09` of gopher and `%00` of prospero.
    Control(u8),
    /// A user name where the scheme has one, which is discouraged unless it must be quoted to the server (URL7, *Internet protocol
    /// parts*).
    User,
    /// A password (RFC 1738 §6).
    Password,
    /// A `:` or `@` in a user name or password that should be escaped (RFC 1738 §3.1).
    RawDelimiter,
    /// A port other than the scheme's default (RFC 1738 §6).
    Port {
        /// True if it is below 1024: a privileged port, where other protocols have their servers.
        privileged: bool,
    },
    /// An authority with a `\`, where browsers end the host (URL Standard §4.4): they may read another one.
    OtherHost,
    /// A host that no URI can have: browsers do not accept it (URL Standard §3.5), or it is too long for a name in DNS (RFC 1035
    /// §2.3.4).
    ImpossibleHost,
    /// An IP address as host, which is less advisable than a name (URL7, *Internet protocol parts*).
    AddressHost,
    /// A colon without a port after it (RFC 1738 §3.1).
    EmptyPort,
    /// A port that is not a number up to 65535.
    UnreadablePort,
    /// The number of an article in `nntp`, or a version in `prospero`, that is not a number.
    UnreadableNumber,
    /// An unknown type code of `ftp`.
    UnknownType,
    /// A part that this scheme does not have: a user in `http`, a host in `news`, a path in `telnet`.
    NoPlace,
    /// A part that the scheme needs is missing: a host, a database, the `@` of an address.
    Missing,
    /// An identifier still in its angle brackets (RFC 1630, *Message-Id*; RFC 1738 §3.6).
    AngleBrackets,
    /// Several addresses in a `mailto` URI (RFC 6068 §2); by the documents of 1994, all of it is one address.
    AddressList,
    /// A URI that has a meaning only locally: an article's number on a news server, a file of this machine, a part of the
    /// same message (RFC 1630, *NNTP*, *File*, *Content-Id*).
    LocalOnly,
    /// A message of mail, by its identifier: only those who received it have it (RFC 1630, *Message-Id*).
    ReceivedMail,
    /// A file of another machine: a client should refuse it, or use another method of access (RFC 1630, *File*).
    ForeignHost,
    /// Data in Base64 that is not Base64 (RFC 2397).
    NotBase64,
    /// Slashes of a gopher selector, which do not always mean hierarchy (RFC 1630, *Gopher*).
    GopherSlash,
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            WarningKind::IllegalEscape => "`%` without two hex digits after it",
            WarningKind::Control(octet) => return write!(f, "control octet {octet:#04x}"),
            WarningKind::User => "user name, discouraged unless the server needs it",
            WarningKind::Password => "password in a URI",
            WarningKind::RawDelimiter => "plain `:` or `@` in a user name or password",
            WarningKind::Port { privileged: true } => "reserved port of another protocol",
            WarningKind::Port { privileged: false } => "port other than the scheme's default",
            WarningKind::OtherHost => "`\\`, where browsers end the host",
            WarningKind::ImpossibleHost => "impossible host",
            WarningKind::AddressHost => "IP address instead of a host name",
            WarningKind::EmptyPort => "colon without a port",
            WarningKind::UnreadablePort => "port that is not a number up to 65535",
            WarningKind::UnreadableNumber => "not a number",
            WarningKind::UnknownType => "unknown type code",
            WarningKind::NoPlace => "part that this scheme does not have",
            WarningKind::Missing => "missing part that this scheme needs",
            WarningKind::AngleBrackets => "identifier in angle brackets",
            WarningKind::AddressList => "list of addresses, which older software reads as one",
            WarningKind::LocalOnly => "meaningful only locally",
            WarningKind::ReceivedMail => "meaningful only to those who received the mail",
            WarningKind::ForeignHost => "file of another machine",
            WarningKind::NotBase64 => "data that is not Base64",
            WarningKind::GopherSlash => "slashes that do not always mean hierarchy",
        };
        f.write_str(text)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.range.len() {
            0 => write!(f, "{} at byte {}", self.kind, self.range.start),
            _ => write!(f, "{} at bytes {}..{}", self.kind, self.range.start, self.range.end),
        }
    }
}

/// Goes from left to right. In the fragment, which is never sent, only illegal escapes get a warning.
pub(super) fn octet_warnings<'a>(uri: UriRef<&'a str>) -> impl Iterator<Item = Warning> + use<'a> {
    let bytes = uri.as_str().as_bytes();
    (0..bytes.len()).filter_map(move |at| {
        let (kind, len) = match (bytes[at], percent::octet(&bytes[at..])) {
            (b'%', None) => (WarningKind::IllegalEscape, 1),
            (octet, None) | (_, Some(octet)) if !matches!(octet, 0 | b'\t' | b'\n' | b'\r') => return None,
            (octet, None) => (WarningKind::Control(octet), 1),
            (_, Some(octet)) => (WarningKind::Control(octet), 3),
        };
        (at < uri.query_end || kind == WarningKind::IllegalEscape).then_some(Warning { kind, range: at..at + len })
    })
}

pub(super) struct Warnings<'a> {
    /// The ranges of the warnings are bytes of it.
    text: &'a str,
    pub(super) list: Vec<Warning>,
}

impl<'a> Warnings<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Warnings { text, list: Vec::new() }
    }

    pub(super) fn add(&mut self, kind: WarningKind, range: Range<usize>) {
        self.list.push(Warning { kind, range });
    }

    pub(super) fn add_part(&mut self, kind: WarningKind, part: Option<&str>) {
        if let Some(part) = part {
            self.add(kind, self.range(part));
        }
    }

    pub(super) fn add_if_bracketed(&mut self, id: &str) {
        if id.starts_with('<') || id.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("%3C")) {
            self.add_part(WarningKind::AngleBrackets, Some(id));
        }
    }

    /// A part that does not borrow from the text has the empty range at its end: users can put any text into a field of a view.
    pub(super) fn range(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        match start.checked_add(part.len()) {
            Some(end) if end <= self.text.len() => start..end,
            _ => self.text.len()..self.text.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_its_range_and_a_foreign_text_the_end() {
        let text = "http://h/";
        let mut warnings = Warnings::new(text);
        assert_eq!(warnings.range(&text[7..8]), 7..8);
        assert_eq!(warnings.range(&text[9..]), 9..9);
        assert_eq!(warnings.range("elsewhere"), 9..9);
        warnings.add_part(WarningKind::Missing, None);
        assert!(warnings.list.is_empty());
    }

    #[test]
    fn octets_of_a_fragment_are_only_illegal_escapes() {
        let found =
            |text| octet_warnings(UriRef::new(text)).map(|warning| (warning.kind, warning.range)).collect::<Vec<_>>();
        assert_eq!(
            found("a:\0%0A%z"),
            [(WarningKind::Control(0), 2..3), (WarningKind::Control(b'\n'), 3..6), (WarningKind::IllegalEscape, 6..7)]
        );
        assert_eq!(found("a:#\0%0A%z"), [(WarningKind::IllegalEscape, 7..8)]);
    }
}
