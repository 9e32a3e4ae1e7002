//! The mappings of an IRI to a URI and back (RFC 3987 §3).

use alloc::borrow::Cow;
use alloc::string::String;

use memchr::memchr;

use super::byte_set::ByteSet;
use super::decode::octet;
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

/// Maps a URI, a reference or a component of one to an IRI, which shows people its words (RFC 3987 §3.2): escapes of unreserved
/// characters become these, and those of the UTF-8 octets of a character beyond US-ASCII that character.
///
/// Other escapes stay as they are written: those of reserved characters, of `%`, of what no URI can contain, and of octets that are not
/// UTF-8. Of the choices that §3.2 leaves, these are made:
/// - White space, private characters, and the bidirectional formatting characters of §4.1 and of later Unicode stay escapes. Other
///   look-alikes of ASCII, such as full-width letters, become characters (§6.1).
/// - A-labels stay.
/// - An escape of US-ASCII stays if the character would complete a scheme or, after an illegal `%`, an escape.
///
/// [`iri_to_uri`] maps the IRI back to an equivalent URI: it differs only in the case of escapes, and in the escapes of unreserved
/// characters. The IRI of a valid URI is valid. A second call changes nothing. The result is borrowed if nothing changes.
///
/// Cost: one pass.
///
/// ```
/// use relref::percent::{iri_to_uri, uri_to_iri};
///
/// assert_eq!(uri_to_iri("http://h/D%C3%BCrst%2F%7Ea?q=%FC%e2%80%ae"), "http://h/Dürst%2F~a?q=%FC%e2%80%ae");
/// assert_eq!(iri_to_uri(&uri_to_iri("http://h/%e6%97%a5")), "http://h/%E6%97%A5");
/// ```
#[must_use]
pub fn uri_to_iri(uri: &(impl AsRef<str> + ?Sized)) -> Cow<'_, str> {
    let uri = uri.as_ref();
    let bytes = uri.as_bytes();
    // Without escapes, the text before this colon could be a scheme.
    let colon = bytes.iter().position(|byte| b":/?#".contains(byte)).filter(|&at| bytes[at] == b':').unwrap_or(0);
    let (mut iri, mut copied, mut at) = (String::new(), 0, 0);
    while let Some(found) = memchr(b'%', &bytes[at..]) {
        at += found;
        let Some(c) = escaped_char(&bytes[at..]).filter(|&c| is_shown(c) && (at > colon || !c.is_ascii())) else {
            at += 1;
            continue;
        };
        iri.push_str(&uri[copied..at]);
        copied = at;
        at += 1;
        if !completes_escape(iri.as_bytes(), c) {
            iri.push(c);
            copied += 3 * c.len_utf8();
            at = copied;
        }
    }
    if iri.is_empty() {
        return Cow::Borrowed(uri);
    }
    iri.push_str(&uri[copied..]);
    if iri == uri { Cow::Borrowed(uri) } else { Cow::Owned(iri) }
}

/// Reports whether a decoded character would complete an escape that starts before it. For example, `%%34` must not become `%4`,
/// which a digit after it would make an escape.
pub(crate) fn completes_escape(before: &[u8], decoded: char) -> bool {
    decoded.is_ascii_hexdigit()
        && match before {
            [.., b'%'] => true,
            [.., b'%', digit] => digit.is_ascii_hexdigit(),
            _ => false,
        }
}

// A character has at most four octets. More need not be read, and a wrong one ends the search: so a long run of escapes is decoded
// in linear time, though each escape is the possible start of a character.
/// The character whose UTF-8 octets are the escapes at the start.
fn escaped_char(bytes: &[u8]) -> Option<char> {
    let mut octets = [0; 4];
    let mut len = 0;
    for octet in bytes.chunks(3).take(4).map_while(octet) {
        octets[len] = octet;
        len += 1;
    }
    octets[..len].utf8_chunks().next()?.valid().chars().next()
}

fn is_shown(c: char) -> bool {
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => !ByteSet::RFC3986.contains(byte),
        _ => is_ucschar(c) && !c.is_whitespace() && !is_bidi_control(c),
    }
}

// Shown, such a character would reorder the text around it, so that a reader could take one URI for another.
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// RFC 3987 §2.2. Of each plane above the first, the last two code points are none, nor are the tags of plane 14. Planes 15 and 16 are private.
pub(crate) fn is_ucschar(c: char) -> bool {
    match u32::from(c) {
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF => true,
        code @ 0x1_0000..=0xE_FFFD => code & 0xFFFF <= 0xFFFD && !(0xE_0000..0xE_1000).contains(&code),
        _ => false,
    }
}
