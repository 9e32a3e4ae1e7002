//! Encodings: which characters of a URI are plain and which are escaped.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::fmt;

use crate::error::Error;
use crate::percent::{ByteSet, completes_escape, escape, illegal_escape_error, octet};
use crate::scan::all;
use crate::uri::{UriRef, scheme_end};

/// An encoding: which characters are plain and which are escaped.
///
/// A character that is in neither group, such as a reserved character, stays as it is, plain or escaped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Encoding {
    /// The treatment of each octet. It is a table for speed, since every byte of every URI is looked up.
    table: [Treatment; 256],
    /// The escapes of dots stay where decoding them would make their segment `.` or `..`.
    dots_are_reserved: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Treatment {
    /// The plain octet and its escape both stay as they are.
    Leave,
    /// The plain octet stays, and its escape is decoded.
    Decode,
    /// The plain octet is escaped, and its escape stays. `%` is here, too: all octets at which a text may change are.
    Escape,
}

impl Encoding {
    /// RFC 1630: safe and extra characters are plain; national characters, punctuation, controls, space and 8-bit codes are
    /// escaped. `*` and `!` stay as they are, since they are reserved; so do `+`, which separates words, and `@`, which separates
    /// user and host. A whole segment `.` or `..` is reserved too. The brackets of an IPv6 address, which are newer than RFC 1630,
    /// are national characters here, so they are escaped.
    pub const RFC1630: Encoding = Encoding::new(
        ByteSet::RFC1630.union(ByteSet::new(b"*!+@")),
        ByteSet::RFC1630.without(ByteSet::new(b"=;/#?:")),
        true,
    );

    /// RFC 1738 §2.2: letters, digits and `$-_.+!*'(),` are plain, unsafe characters are escaped.
    pub const RFC1738: Encoding =
        Encoding::new(ByteSet::RFC1738, ByteSet::RFC1738_UNSAFE.without(ByteSet::new(b"#")), true);

    /// RFC 3986 §2.3, §6.2.2.2: letters, digits and `-._~` are plain, characters that no URI can contain are escaped.
    pub const RFC3986: Encoding = Encoding::new(ByteSet::RFC3986, ByteSet::QUERY.without(ByteSet::new(b"#[]")), false);

    const fn new(not_decoded: ByteSet, escaped: ByteSet, dots_are_reserved: bool) -> Encoding {
        let mut table = [Treatment::Leave; 256];
        let mut byte = 0;
        while byte < 256 {
            if byte >= 128 || escaped.contains(byte as u8) {
                table[byte] = Treatment::Escape;
            } else if !not_decoded.contains(byte as u8) {
                table[byte] = Treatment::Decode;
            }
            byte += 1;
        }
        table[b'%' as usize] = Treatment::Escape;
        Encoding { table, dots_are_reserved }
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |treatment| (0..=255).filter(move |&byte| self.table[usize::from(byte)] == treatment).map(char::from);
        let (plain, escaped) = (of(Treatment::Decode).collect::<String>(), of(Treatment::Escape).collect::<String>());
        f.debug_struct("Encoding").field("plain", &plain).field("escaped", &escaped).finish()
    }
}

/// Rewrites a URI or reference in an encoding: decodes the escapes of characters that are plain, and escapes those that are not
/// allowed as they are.
///
/// Hex digits become upper-case. Reserved characters are neither encoded nor decoded. A reference whose first segment would look
/// like a scheme afterwards gets `./` before it. A second call changes nothing. Borrowed if nothing changes. Cost: one pass.
///
/// # Errors
/// An illegal escape, as in [`percent::decode_bytes`](crate::percent::decode_bytes).
pub fn recode<'a>(uri: &'a (impl AsRef<str> + ?Sized), encoding: &Encoding) -> Result<Cow<'a, str>, Error> {
    let uri = uri.as_ref();
    if stays_in_every_encoding(uri.as_bytes()) {
        return Ok(Cow::Borrowed(uri));
    }
    let path = match encoding.dots_are_reserved {
        true => UriRef::new(uri).path_range(),
        false => 0..0,
    };
    let keeps_dot = |at| path.contains(&at) && is_in_escaped_dots(&uri.as_bytes()[path.clone()], at - path.start);
    let text = change_escapes(
        uri,
        0,
        |byte| encoding.table[usize::from(byte)] == Treatment::Escape,
        |octet, at| encoding.table[usize::from(octet)] == Treatment::Decode && !(octet == b'.' && keeps_dot(at)),
        true,
    )?;
    Ok(keep_reference(uri, text))
}

/// Puts `./` before a recoded reference that would otherwise be a URI: `%61:b` becomes `./a:b`.
fn keep_reference<'a>(text: &str, recoded: Cow<'a, str>) -> Cow<'a, str> {
    match recoded {
        Cow::Owned(recoded) if scheme_end(text.as_bytes()) == 0 && scheme_end(recoded.as_bytes()) > 0 => {
            Cow::Owned(format!("./{recoded}"))
        }
        recoded => recoded,
    }
}

/// True only if no encoding changes a text. False may mean unknown, as for a text of less than sixteen bytes.
pub(crate) fn stays_in_every_encoding(bytes: &[u8]) -> bool {
    // This spares nearly every URI all that follows, as it is already in every encoding. It is a conservative test: "false" costs
    // time, a wrong "true" would leave a URI as it is. The ranges are as few as cover the characters of usual URIs, since each is
    // compared for every byte, in vectors; they are the octets that no encoding treats as `Escape`, and they have no `%`.
    let stays = |byte: u8| {
        let between = |low: u8, high: u8| byte.wrapping_sub(low) <= high - low;
        // Not here: characters that some encoding escapes, such as `"`, `<` and `~`; `%`, which needs a closer look; and, to
        // save two comparisons, `!` and `$`.
        between(b'a', b'z')
            | between(b'&', b';')
            | between(b'?', b'Z')
            | (byte == b'=')
            | (byte == b'_')
            | (byte == b'#')
    };
    // A text shorter than a vector is left to the loop over its bytes.
    bytes.len() >= 16 && all(bytes, stays)
}

/// Encodes the characters of a set, and all beyond US-ASCII. Existing escapes and the scheme stay as they are (RFC 1630, *Reduced
/// or increased safe character sets*). The result is safer because fewer of its characters could be damaged on the way. The preset
/// `safe` of [`crawl`](crate::crawl) is something else.
///
/// Even if they are in the set, `%`, the reserved characters of RFC 3986 and RFC 1630, and the dot are never encoded: the segments
/// `.` and `..` are reserved. [`expand`] with the same set decodes the characters of US-ASCII again.
///
/// # Errors
/// An illegal escape.
///
/// ```
/// use relref::canon::{expand, safer};
/// use relref::percent::ByteSet;
///
/// let set = ByteSet::new(b"~_/");
/// assert_eq!(safer("http://h/~a_b%7E", set)?, "http://h/%7Ea%5Fb%7E");
/// assert_eq!(expand("http://h/%7Ea%5Fb%2F", set)?, "http://h/~a_b%2F");
/// # Ok::<(), relref::Error>(())
/// ```
pub fn safer(uri: &(impl AsRef<str> + ?Sized), set: ByteSet) -> Result<Cow<'_, str>, Error> {
    let uri = uri.as_ref();
    let set = set.without(RESERVED);
    let scheme_end = scheme_end(uri.as_bytes());
    change_escapes(uri, scheme_end, |byte| byte == b'%' || byte >= 128 || set.contains(byte), |_, _| false, false)
}

/// Decodes the escapes of the characters of a set. It never decodes `%`, a dot, a reserved character or an octet beyond
/// US-ASCII. A reference whose first segment would look like a scheme afterwards gets `./` before it.
///
/// # Errors
/// An illegal escape.
pub fn expand(uri: &(impl AsRef<str> + ?Sized), set: ByteSet) -> Result<Cow<'_, str>, Error> {
    let uri = uri.as_ref();
    let set = set.without(RESERVED);
    let text = change_escapes(uri, 0, |byte| byte == b'%', |octet, _| octet < 128 && set.contains(octet), false)?;
    Ok(keep_reference(uri, text))
}

/// The delimiters of RFC 3986, which include `= ; / # ? : * !` of RFC 1630, and `%` and the dot.
const RESERVED: ByteSet = ByteSet::new(b":/?#[]@!$&'()*+,;=%.");

/// `may_change` must be true for `%` and all bytes to escape: of those beyond US-ASCII, all or none. `decodes` gets the octet of an
/// escape, and the byte of `text` at which it starts; it must be false beyond US-ASCII. A `%` that starts no escape is an error.
fn change_escapes(
    text: &str,
    from: usize,
    may_change: impl Fn(u8) -> bool,
    decodes: impl Fn(u8, usize) -> bool,
    upper_digits: bool,
) -> Result<Cow<'_, str>, Error> {
    let mut out = String::new();
    let copied = change_escapes_into(text, from, may_change, decodes, upper_digits, false, &mut out)?;
    if copied == 0 {
        return Ok(Cow::Borrowed(text));
    }
    out.push_str(&text[copied..]);
    Ok(Cow::Owned(out))
}

/// Appends only the text up to the end of the last change, and returns the byte of `text` at which that is; 0 if nothing changes.
#[inline]
fn change_escapes_into(
    text: &str,
    from: usize,
    may_change: impl Fn(u8) -> bool,
    decodes: impl Fn(u8, usize) -> bool,
    upper_digits: bool,
    keeps_illegal: bool,
    out: &mut String,
) -> Result<usize, Error> {
    let bytes = text.as_bytes();
    // What stays is copied in one piece, at the next change: `copied` is the end of what is written. So a text without changes is
    // never copied, and the caller can lend it.
    let (mut copied, mut at) = (0, from);
    while let Some(next) = bytes[at..].iter().position(|&byte| may_change(byte)) {
        at += next;
        // The bytes up to `end` become a character, or the escape of each octet.
        let octet = octet(&bytes[at..]);
        let (decoded, end) = match octet {
            Some(octet) if decodes(octet, at) => (Some(char::from(octet)), at + 3),
            Some(_) if !upper_digits || !bytes[at + 1..at + 3].iter().any(u8::is_ascii_lowercase) => {
                at += 3;
                continue;
            }
            Some(_) => (None, at + 3),
            None if bytes[at] == b'%' && keeps_illegal => {
                at += 1;
                continue;
            }
            None if bytes[at] == b'%' => return Err(illegal_escape_error(text, at)),
            None => (None, at + bytes[at..].iter().take_while(|&&byte| byte != b'%' && may_change(byte)).count()),
        };
        if copied == 0 {
            out.reserve(text.len() + 16);
        }
        out.push_str(&text[copied..at]);
        match (decoded, octet) {
            (Some(decoded), _) => out.push(decoded),
            (None, Some(octet)) => out.push_str(escape(octet)),
            (None, None) => bytes[at..end].iter().for_each(|&byte| out.push_str(escape(byte))),
        }
        (copied, at) = (end, end);
    }
    Ok(copied)
}

/// Recodes to [`Encoding::RFC3986`]. A `%` that starts no escape stays, and no digit that could complete it is decoded after it.
pub(crate) fn push_recoded(part: &str, out: &mut String) {
    let encoding = &Encoding::RFC3986;
    let may_change = |byte| encoding.table[usize::from(byte)] == Treatment::Escape;
    let decodes = |octet, at| {
        encoding.table[usize::from(octet)] == Treatment::Decode
            && !completes_escape(&part.as_bytes()[..at], char::from(octet))
    };
    let copied = change_escapes_into(part, 0, may_change, decodes, true, true, out).expect("illegal escapes stay");
    out.push_str(&part[copied..]);
}

/// Reports whether [`Encoding::RFC3986`] escapes at least one of these plain octets.
#[cfg(feature = "idna")]
pub(crate) fn escapes_any(bytes: &[u8]) -> bool {
    bytes.iter().any(|&byte| Encoding::RFC3986.table[usize::from(byte)] == Treatment::Escape)
}

/// Reports whether the segment of the escaped dot at the byte `at` would become `.` or `..` if it were decoded.
fn is_in_escaped_dots(path: &[u8], at: usize) -> bool {
    const DOTS: [&[u8]; 4] = [b"%2e", b".%2e", b"%2e.", b"%2e%2e"];
    // At most one other dot is before this one, and no such segment has more than six bytes.
    let start = (at.saturating_sub(3)..=at).rev().find(|&start| start == 0 || path[start - 1] == b'/');
    start.is_some_and(|start| {
        let segment = path[start..].iter().take(7).take_while(|&&byte| byte != b'/');
        DOTS.iter().any(|dots| segment.clone().map(u8::to_ascii_lowercase).eq(dots.iter().copied()))
    })
}
