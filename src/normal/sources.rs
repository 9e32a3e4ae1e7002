//! The sources of the changes.

use crate::source::Source;

pub(super) const DECODING: Source = Source::document(
    "RFC 3986",
    "§6.2.2.2",
    "be normalized by decoding any percent-encoded octet that corresponds to an unreserved character",
);

pub(super) const ESCAPING: Source = Source::document(
    "RFC 3986",
    "§2.1",
    "to represent a data octet in a component when that octet's corresponding character is outside the allowed set",
);

pub(super) const UTF8: Source = Source::document(
    "RFC 3986",
    "§2.5",
    "the data should first be encoded as octets according to the UTF-8 character encoding",
);

pub(super) const UPPER_CASE: Source =
    Source::document("RFC 3986", "§6.2.2.1", "should be normalized to use uppercase letters for the digits A-F");

pub(super) const NO_SCHEME: Source = Source::document(
    "RFC 3986",
    "§4.2",
    "it would be mistaken for a scheme name. Such a segment must be preceded by a dot-segment",
);

pub(super) const ENCODING: &[Source] = &[DECODING, ESCAPING, UTF8, UPPER_CASE, NO_SCHEME];

pub(super) const IRI: &[Source] = &[Source::document(
    "RFC 3987",
    "§3.1",
    "For each character in 'ucschar' or 'iprivate' … Convert the character to a sequence of one or more octets using UTF-8",
)];

#[cfg(feature = "idna")]
pub(super) const IDNA: &[Source] = &[
    Source::document("RFC 3986", "§3.2.2", "the name must be transformed to the IDNA encoding"),
    Source::decision("by UTS 46, as browsers do (URL Standard §3.3), since there is more than one IDNA"),
];

pub(super) const CASE: &[Source] = &[Source::document(
    "RFC 3986",
    "§6.2.2.1",
    "the scheme and host are case-insensitive and therefore should be normalized to lowercase",
)];

pub(super) const LOCALHOST: &[Source] =
    &[Source::document("RFC 1738", "§3.10", "can be the string \"localhost\" or the empty string")];

pub(super) const IP_ADDRESS: &[Source] =
    &[Source::decision("browsers write addresses so (URL Standard §3.5); to RFC 3986 §3.2.2, `0x7f.1` is a name")];

pub(super) const PORT: &[Source] = &[Source::document(
    "RFC 3986",
    "§6.2.3",
    "for which the port is empty or the default for the scheme, is equivalent to one where the port and its \":\" \
     delimiter are elided",
)];

pub(super) const DOTS: &[Source] = &[Source::document(
    "RFC 3986",
    "§6.2.2.3",
    "normalizers should remove dot-segments by applying the remove_dot_segments algorithm to the path",
)];

pub(super) const EMPTY_PATH: &[Source] = &[Source::document(
    "RFC 3986",
    "§6.2.3",
    "a URI that uses the generic syntax for authority with an empty path should be normalized to a path of \"/\"",
)];

pub(super) const GOPHER_TYPE: &[Source] = &[Source::document(
    "RFC 1738",
    "§3.4.1",
    "may also be empty, in which case the delimiting \"/\" is also optional and the … defaults to \"1\"",
)];

pub(super) const EMPTY_USERINFO: &[Source] =
    &[Source::decision("browsers do so (URL Standard §4.5); to RFC 3986 §6.2.3, the delimiters are significant")];

pub(super) const FINAL_DOT: &[Source] = &[Source::decision(
    "the dot only tells a complete name from a local one (RFC 3986 §3.2.2), and links have complete names",
)];

pub(super) const DROP_FRAGMENT: &[Source] = &[Source::document(
    "RFC 3986",
    "§6.1",
    "When URIs are compared to select (or avoid) a network action, … fragment components (if any) should be excluded \
     from the comparison",
)];

pub(super) const EMPTY_FRAGMENT: &[Source] = &[Source::document(
    "RFC 1630",
    "Fragment-id",
    "A void fragment-id with or without the hash sign means that the URL refers to the whole object",
)];

pub(super) const DROP_TRACKING: &[Source] =
    &[Source::decision("such a parameter says how a person came to a page, and nothing about the page")];

pub(super) const SORT_QUERY: &[Source] =
    &[Source::decision("programs look parameters up by name, and skip empty ones, as in forms (URL Standard §5.1)")];

pub(super) const DROP_EMPTY_QUERY: &[Source] =
    &[Source::decision("most sites have the same page for both; to RFC 3986 §6.2.3, the URIs differ")];

pub(super) const UPGRADE: &[Source] =
    &[Source::document("RFC 6797", "§8.3", "The UA MUST replace the URI scheme with \"https\"")];

pub(super) const DROP_USERINFO: &[Source] = &[Source::decision("most pages are the same for every user")];

pub(super) const DROP_WWW: &[Source] = &[Source::decision("most sites have the same pages on both hosts")];

pub(super) const LOWER_PATH: &[Source] = &[Source::decision("some servers ignore the case of paths")];

pub(super) const DROP_SESSION: &[Source] = &[Source::decision("a session id names a visit, not a page")];

pub(super) const COLLAPSE_SLASHES: &[Source] = &[Source::decision("many servers read a slash run as one slash")];

pub(super) const DROP_INDEX: &[Source] = &[Source::decision("servers send such a file for its directory")];

pub(super) const DROP_TRAILING_SLASH: &[Source] =
    &[Source::decision("many sites redirect from one to the other (RFC 3986 §6.2.4)")];

pub(super) const KEEP_ONLY: &[Source] = &[Source::decision("the caller knows which parameters name the page")];
