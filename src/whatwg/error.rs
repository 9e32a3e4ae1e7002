//! The validation errors of the URL Standard, by their names (§1.1).

use core::fmt;

/// A validation error, and the byte of the input where it was found.
///
/// Some errors end the parsing: there is no URL, and the functions of [`whatwg`](super) return the error. Others only say that
/// the input is not written as the Standard wants it. Only [`inspect`](fn@super::inspect) reports these.
///
/// ```
/// use relref::whatwg::{ErrorKind, Url};
///
/// let error = Url::parse("http://a<b/").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::DomainInvalidCodePoint);
/// assert_eq!(error.position(), 8);
/// assert_eq!(error.to_string(), "domain-invalid-code-point at byte 8: a domain cannot have this character");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Error {
    pub(super) kind: ErrorKind,
    pub(super) position: usize,
}

impl Error {
    pub(super) fn new(kind: ErrorKind, position: usize) -> Self {
        Error { kind, position }
    }

    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the byte of the input where the error was found. If the input ended too early, that is its end, before any spaces
    /// and controls there.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.kind.name(), self.position, self.kind.description())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl core::error::Error for Error {}

/// The kind becomes [`NotUrl`](crate::ErrorKind::NotUrl), and the message says so; the position stays.
impl From<Error> for crate::error::Error {
    fn from(error: Error) -> Self {
        crate::error::Error::not_url(error.kind.name(), error.kind.description(), error.position)
    }
}

/// The byte offset is in the argument of `parse_ipv4` or `parse_ipv6`.
pub(super) type Failure = (ErrorKind, usize);

/// Defines [`ErrorKind`] by one table: doc comment, variant, the Standard's name and a description of each kind.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal $description:literal)*) => {
        /// The kind of a validation error. The documentation of a kind says "The parsing fails" if the error ends the parsing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[non_exhaustive]
        pub enum ErrorKind {
            $(
                $(#[$doc])*
                #[cfg_attr(feature = "serde", serde(rename = $name))]
                $kind,
            )*
        }

        impl ErrorKind {
            /// All kinds.
            pub const ALL: &[ErrorKind] = &[$(ErrorKind::$kind),*];

            /// Returns the name that the URL Standard gives it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(ErrorKind::$kind => $name,)*
                }
            }

            /// Returns the rule that the input breaks, in one clause.
            pub const fn description(self) -> &'static str {
                match self {
                    $(ErrorKind::$kind => $description,)*
                }
            }
        }
    };
}

kinds! {
    /// The strict form of UTS 46 does not permit the host. The parsing fails if the host is not US-ASCII, and the form of UTS 46
    /// that browsers use does not permit it either.
    DomainToAscii "domain-to-ASCII" "this is not a valid domain by UTS 46"
    /// A domain has a forbidden domain code point. The parsing fails. Since 2026 the Standard calls this error domain-to-ASCII,
    /// too; the older name is kept here, since it says more.
    DomainInvalidCodePoint "domain-invalid-code-point" "a domain cannot have this character"
    /// A domain has escapes.
    DomainPercentEncoded "domain-percent-encoded" "a domain needs no escapes"
    /// A host of a scheme that is not special has a forbidden host code point. The parsing fails.
    HostInvalidCodePoint "host-invalid-code-point" "a host cannot have this character"
    /// An IPv4 address ends with a dot.
    Ipv4EmptyPart "IPv4-empty-part" "an IPv4 address does not end with a dot"
    /// An IPv4 address has fewer than four parts.
    Ipv4TooFewParts "IPv4-too-few-parts" "an IPv4 address has four parts"
    /// An IPv4 address has more than four parts. The parsing fails.
    Ipv4TooManyParts "IPv4-too-many-parts" "an IPv4 address has no more than four parts"
    /// The last label of a host has only digits or is a hexadecimal number, as in an IPv4 address, but a label is not a number: in
    /// `a.1`, `1..2` or `08`. The parsing fails.
    Ipv4NonNumericPart "IPv4-non-numeric-part" "each part of an IPv4 address is a number"
    /// A part of an IPv4 address is hexadecimal or octal.
    Ipv4NonDecimalPart "IPv4-non-decimal-part" "the parts of an IPv4 address are decimal numbers"
    /// A part of an IPv4 address is greater than 255. The parsing fails, unless this is the last part and fits in its own byte and
    /// the bytes of the missing parts: `127.256` is `127.0.1.0`.
    Ipv4OutOfRangePart "IPv4-out-of-range-part" "no part of an IPv4 address is greater than 255"
    /// An IPv4 address has characters that are not US-ASCII, such as full-width digits.
    Ipv4NonAsciiInput "IPv4-non-ASCII-input" "an IPv4 address is written in US-ASCII"
    /// A host starts with `[`, but does not end with `]`. The parsing fails.
    Ipv6Unclosed "IPv6-unclosed" "a host that starts with `[` ends with `]`"
    /// An IPv6 address starts with a single colon. The parsing fails.
    Ipv6InvalidCompression "IPv6-invalid-compression" "an IPv6 address does not start with a single `:`"
    /// An IPv6 address has more than eight pieces; `::` is at least one of them. The parsing fails.
    Ipv6TooManyPieces "IPv6-too-many-pieces" "an IPv6 address has no more than eight pieces"
    /// An IPv6 address has `::` more than once, or `:::`. The parsing fails.
    Ipv6MultipleCompression "IPv6-multiple-compression" "an IPv6 address has `::` only once"
    /// An IPv6 address has a character that is no hex digit, `:` or dot, has a piece of more than four digits, or ends with a
    /// single colon. The parsing fails.
    Ipv6InvalidCodePoint "IPv6-invalid-code-point" "the pieces of an IPv6 address have one to four hex digits"
    /// An IPv6 address without `::` has fewer than eight pieces. The parsing fails.
    Ipv6TooFewPieces "IPv6-too-few-pieces" "an IPv6 address without `::` has eight pieces"
    /// A piece of an IPv6 address starts with a needless zero.
    Ipv6PieceLeadingZero "IPv6-piece-leading-zero" "the pieces of an IPv6 address have no leading zeros"
    /// An IPv6 address has an IPv4 address after more than six pieces. The parsing fails.
    Ipv4InIpv6TooManyPieces "IPv4-in-IPv6-too-many-pieces" "there is no room for an IPv4 address here"
    /// The IPv4 address in an IPv6 address has a character that is neither a digit nor a dot, more than four parts, an empty one,
    /// or one with a leading zero. The parsing fails.
    Ipv4InIpv6InvalidCodePoint "IPv4-in-IPv6-invalid-code-point" "an IPv4 address has only decimal numbers and `.`"
    /// The IPv4 address in an IPv6 address has a part greater than 255. The parsing fails.
    Ipv4InIpv6OutOfRangePart "IPv4-in-IPv6-out-of-range-part" "no part of an IPv4 address is greater than 255"
    /// The IPv4 address in an IPv6 address has fewer than four parts. The parsing fails.
    Ipv4InIpv6TooFewParts "IPv4-in-IPv6-too-few-parts" "an IPv4 address has four parts"
    /// The input has a character that a valid URL does not have at this place, or a `%` that starts no escape.
    InvalidUrlUnit "invalid-URL-unit" "a valid URL has this only percent-encoded"
    /// Not exactly two slashes follow a special scheme other than `file`, or fewer than two follow `file:`. Also if the input has
    /// no scheme, and more than two slashes before its host, by a base with such a scheme other than `file`.
    SpecialSchemeMissingFollowingSolidus "special-scheme-missing-following-solidus"
        "two slashes follow this scheme, and more only `file:`"
    /// The input has no scheme, and is no reference that the base can resolve: there is no base, or the path of the base is opaque
    /// and the input does not start with `#`. The parsing fails.
    MissingSchemeNonRelativeUrl "missing-scheme-non-relative-URL" "not an absolute URL: it has no scheme"
    /// A backslash is used as a slash.
    InvalidReverseSolidus "invalid-reverse-solidus" "a backslash counts as a slash"
    /// The authority has an `@`, which ends a user name and a password.
    InvalidCredentials "invalid-credentials" "a URL has no user name or password"
    /// There is no host, although there is an `@` or a `:` of a port, or the scheme is special and not `file`. The parsing fails.
    HostMissing "host-missing" "there is no host"
    /// The port is greater than 65535. The parsing fails.
    PortOutOfRange "port-out-of-range" "no port is greater than 65535"
    /// The port has a character that is not a digit. The parsing fails.
    PortInvalid "port-invalid" "a port has only digits"
    /// The base is a `file:` URL, and the input starts with a Windows drive letter such as `C|` (`C:` would be a scheme), or has
    /// one right after `file:`.
    FileInvalidWindowsDriveLetter "file-invalid-Windows-drive-letter" "a relative reference does not start with a drive letter"
    /// A `file:` URL has a Windows drive letter in place of a host.
    FileInvalidWindowsDriveLetterHost "file-invalid-Windows-drive-letter-host" "a host is not a drive letter"
    /// A setter of [`Url`](super::Url) was refused: the URL cannot have this component, or only a part of the value is one. This
    /// error is not in the Standard, which ignores such values.
    CannotBeSet "cannot-be-set" "this URL cannot have this as its component"
    /// The host of a URL with a special scheme is not US-ASCII after its escapes are decoded, and relref was built without its
    /// feature `idna`. The parsing fails. This error is not in the Standard.
    FeatureIdnaMissing "feature-idna-missing" "a host that is not US-ASCII needs relref's feature `idna`"
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
