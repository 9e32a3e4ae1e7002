//! The mapping of an IRI to a URI (RFC 3987 §3.1).

use alloc::borrow::Cow;

use super::byte_set::ByteSet;
use super::encode::encode_with;

/// The characters of US-ASCII that the mapping encodes: the printable ones that no URI can contain, except `#`, `%`, `[` and `]`,
/// which "MUST NOT be converted" (RFC 3987 §3.1).
pub(crate) const IRI: ByteSet = ByteSet::new(b"<>\" {}|\\^`");

/// Maps an IRI, an IRI reference or a component of one to a URI (RFC 3987 §3.1): each character beyond US-ASCII becomes the
/// escapes of its UTF-8 octets, with upper-case digits.
///
/// The rest stays: existing escapes in either case, a `%` that starts none, `#`, `[`, `]` and delimiters. Of the choices that §3.1
/// leaves, these are made:
/// - The "printable characters in US-ASCII that are not allowed in URIs" (space and ``< > " { } | \ ^ ` ``) become escapes, too.
///   "If these characters are found but are not converted, then the conversion SHOULD fail"; this one never fails.
/// - A host becomes escapes as all other parts do, whatever the scheme. A-labels, which DNS needs, are the change `idna` of
///   [`crawl`](crate::crawl).
/// - Text is in Unicode already, so it is not normalized (step 1c).
/// - Characters that no IRI can contain, such as U+FFFE, become escapes as others do. Controls of US-ASCII stay.
///
/// The URI of a valid [IRI](crate::validate::Grammar::Rfc3987Iri) is valid. A URI stays as it is, so a second call changes nothing.
/// The result is borrowed if nothing changes.
///
/// Cost: one pass, and a second one if something changes.
///
/// ```
/// use std::borrow::Cow;
///
/// use relref::percent::iri_to_uri;
///
/// assert_eq!(iri_to_uri("http://www.example.org/red%09rosé#red"), "http://www.example.org/red%09ros%C3%A9#red");
/// assert_eq!(iri_to_uri("https://пример.example/日本 語"), "https://%D0%BF%D1%80%D0%B8%D0%BC%D0%B5%D1%80.example/%E6%97%A5%E6%9C%AC%20%E8%AA%9E");
/// assert!(matches!(iri_to_uri("http://h/%C3%a9?[#%"), Cow::Borrowed(_)));
/// ```
#[must_use]
pub fn iri_to_uri(iri: &(impl AsRef<str> + ?Sized)) -> Cow<'_, str> {
    encode_with(iri.as_ref(), IRI).into()
}
