//! Warnings as data: what a reader of a URI should know before using it.

use core::fmt;
use core::ops::Range;

use crate::percent;
use crate::uri::UriRef;

/// One odd or dangerous thing in a URI, and the bytes of its text where it stands.
///
/// The range is a valid range of the text, and empty where something is missing.
///
/// ```
/// use relref::UriRef;
/// use relref::scheme::{WarningKind, view};
///
/// let warning = view(UriRef::new("ftp://me:secret@host.dom/")).warnings().next().unwrap();
/// assert_eq!((warning.kind, &warning.range), (WarningKind::Password, &(9..15)));
/// assert_eq!(warning.to_string(), "password in a URI at bytes 9..15");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Warning {
    /// What it is.
    pub kind: WarningKind,
    /// Where it stands.
    pub range: Range<usize>,
}

/// What a [`Warning`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WarningKind {
    /// A `%` without two hex digits behind it (RFC 1630, example 3).
    IllegalEscape,
    /// An escape of CR, LF, TAB or NUL, or one of these as it is: not to be let into a line of a protocol (RFC 1738 §6).
    /// The separators `%09` of gopher and `%00` of prospero are not meant.
    Control(u8),
    /// A password (RFC 1738 §6).
    Password,
    /// A `:` or `@` in a user name or password that should be an escape (RFC 1738 §3.1).
    RawDelimiter,
    /// A port that is not the scheme's (RFC 1738 §6).
    Port {
        /// It is below 1024, where other protocols have their servers.
        reserved: bool,
    },
    /// A colon with no port behind it (RFC 1738 §3.1).
    EmptyPort,
    /// A port that is not a number up to 65535.
    UnreadablePort,
    /// A number of an article or a version that cannot be read.
    UnreadableNumber,
    /// An unknown type code of `ftp`.
    UnknownType,
    /// A part for which the scheme has no place: a user in `http`, a host in `news`, a path in `telnet`.
    NoPlace,
    /// A part that the scheme needs is missing: a host, a database, the `@` of an address.
    Missing,
    /// An identifier still in its angle brackets (RFC 1630, *Message-Id*; RFC 1738 §3.6).
    AngleBrackets,
    /// It means something only here: an article's number on a local news server, a file of this machine, a part of the
    /// same message (RFC 1630, *NNTP*, *File*, *Content-Id*).
    LocalOnly,
    /// A file of another machine: refuse it, or find another way to it (RFC 1630, *File*).
    ForeignHost,
    /// Slashes of a gopher selector, which may not mean hierarchy (RFC 1630, *Gopher*).
    GopherSlash,
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self {
            WarningKind::IllegalEscape => "`%` without two hex digits behind it",
            WarningKind::Control(octet) => return write!(f, "control octet {octet:#04x}"),
            WarningKind::Password => "password in a URI",
            WarningKind::RawDelimiter => "unencoded `:` or `@` in a user name or password",
            WarningKind::Port { reserved: true } => "reserved port of another protocol",
            WarningKind::Port { reserved: false } => "port other than the scheme's",
            WarningKind::EmptyPort => "colon without a port",
            WarningKind::UnreadablePort => "port that is not a number up to 65535",
            WarningKind::UnreadableNumber => "number that cannot be read",
            WarningKind::UnknownType => "unknown type code",
            WarningKind::NoPlace => "part for which the scheme has no place",
            WarningKind::Missing => "missing part that the scheme needs",
            WarningKind::AngleBrackets => "identifier in angle brackets",
            WarningKind::LocalOnly => "meaningful only here",
            WarningKind::ForeignHost => "file of another machine",
            WarningKind::GopherSlash => "slashes that may not mean hierarchy",
        };
        f.write_str(words)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at bytes {}..{}", self.kind, self.range.start, self.range.end)
    }
}

/// The illegal escapes of a text, and its control octets, but for those in the fragment, which is never sent.
pub(super) fn octets<'a>(uri: UriRef<'a>) -> impl Iterator<Item = Warning> + use<'a> {
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
