//! The canonical form of a URI, and how far two URIs are the same.
//!
//! RFC 1630 (*Reduced or increased safe character sets*) compares URIs only at the same encoding level: escapes of
//! characters that need none are decoded, characters that need one are encoded, and **reserved characters are never moved
//! either way**, since `%2F` is no slash. Later documents add what else two URIs may differ in and mean the same. Each is a
//! [`Rung`] of one ladder:
//!
//! | rung | what counts as the same | source |
//! |---|---|---|
//! | [`Text`](Rung::Text) | nothing but the same text | |
//! | [`Encoding`](Rung::Encoding) | `%2D` and `-`, `%c3` and `%C3` | RFC 1630; RFC 3986 §6.2.2 |
//! | [`Case`](Rung::Case) | and `HTTP://H/` and `http://h/` | RFC 1738 §2.1; RFC 3986 §6.2.2.1 |
//! | [`Dots`](Rung::Dots) | and `/a/../b` and `/b` | RFC 3986 §6.2.2.3 |
//! | [`Scheme`](Rung::Scheme) | and `http://h:80` and `http://h/`, `file://localhost/` and `file:///` | RFC 1738 §3; RFC 3986 §6.2.3 |
//!
//! ```
//! use relref::canon::{Comparison, Level, Rung, compare, normalize, same_level};
//!
//! let uri = "HTTP://Example.com:80/a/./marie%2dclaude%2f";
//! assert_eq!(same_level(uri, &Level::RFC3986)?, "HTTP://Example.com:80/a/./marie-claude%2F");
//! assert_eq!(normalize(uri, Rung::Scheme)?, "http://example.com/a/marie-claude%2F");
//! assert_eq!(compare("http://h/%7Ea", "http://H/~a")?, Comparison::Equal(Rung::Case));
//! # Ok::<(), relref::Error>(())
//! ```

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::fmt;
use core::ops::Range;

use memchr::{memchr, memchr2};

use crate::error::Error;
use crate::percent::{ByteSet, escape, illegal_escape, octet};
use crate::rules::Rules;
use crate::scheme::{self, Login};
use crate::segments::{Segments, last_dots};
use crate::uri::{UriRef, scheme_end};

/// An encoding level: which characters stand for themselves and which as escapes.
///
/// All others, reserved characters among them, stay as they are.
#[derive(Clone, Copy)]
pub struct Level {
    /// What to do with each octet; a table, since every byte of every URI is looked up.
    table: [Care; 256],
    /// Whether a segment that would become `.` or `..` keeps its escapes.
    dots_are_reserved: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Care {
    Leave,
    /// Its escapes are decoded.
    Plain,
    /// It is encoded; `%` itself is looked at.
    Escaped,
}

impl Level {
    /// RFC 1630: its safe and extra characters are plain but for `*` and `!`, which are reserved, and `+` and `@`, which
    /// separate words and the user from the host; national characters, punctuation, controls, space and 8-bit codes are escaped. The segments `.` and `..` are
    /// reserved as wholes. (The brackets of an IPv6 address, which came later, are national characters here.)
    pub const RFC1630: Level = Level::new(
        ByteSet::RFC1630.union(ByteSet::new(b"*!+@")),
        ByteSet::RFC1630.without(ByteSet::new(b"=;/#?:")),
        true,
    );

    /// RFC 1738 §2.2: letters, digits and `$-_.+!*'(),` are plain, unsafe characters escaped.
    pub const RFC1738: Level = Level::new(ByteSet::RFC1738, ByteSet::RFC1738_UNSAFE.without(ByteSet::new(b"#")), true);

    /// RFC 3986 §2.3, §6.2.2.2: letters, digits and `-._~` are plain, what no URI may hold escaped.
    pub const RFC3986: Level = Level::new(ByteSet::RFC3986, ByteSet::QUERY.without(ByteSet::new(b"#[]")), false);

    /// A level at which the octets outside `reserved` are plain and those in `escaped` are escaped.
    const fn new(reserved: ByteSet, escaped: ByteSet, dots_are_reserved: bool) -> Level {
        let mut table = [Care::Leave; 256];
        let mut byte = 0;
        while byte < 256 {
            if byte >= 128 || escaped.contains(byte as u8) {
                table[byte] = Care::Escaped;
            } else if !reserved.contains(byte as u8) {
                table[byte] = Care::Plain;
            }
            byte += 1;
        }
        table[b'%' as usize] = Care::Escaped;
        Level { table, dots_are_reserved }
    }
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |care| (0..=255).filter(move |&byte| self.table[usize::from(byte)] == care).map(char::from);
        let (plain, escaped) = (of(Care::Plain).collect::<String>(), of(Care::Escaped).collect::<String>());
        f.debug_struct("Level").field("plain", &plain).field("escaped", &escaped).finish()
    }
}

/// Brings a URI or reference to an encoding level.
///
/// Hex digits become upper-case. What needs no change is borrowed. A reference whose first segment would come to look like
/// a scheme gets `./` in front. Idempotent; no reserved character comes, goes or moves.
///
/// Cost: one pass.
///
/// # Errors
/// An illegal escape, as in [`percent::decode`](crate::percent::decode): the text says nothing that could be compared.
pub fn same_level<'a>(uri: &'a str, level: &Level) -> Result<Cow<'a, str>, Error> {
    if skip_plain(uri.as_bytes()) == uri.len() {
        return Ok(Cow::Borrowed(uri));
    }
    let path = match level.dots_are_reserved {
        true => UriRef::new(uri).path_range(),
        false => 0..0,
    };
    let hidden_dots = |at| path.contains(&at) && is_hidden_dots(&uri.as_bytes()[path.clone()], at - path.start);
    let text = rewrite(
        uri,
        |byte| level.table[usize::from(byte)] == Care::Escaped,
        |octet, at| level.table[usize::from(octet)] == Care::Plain && !(octet == b'.' && hidden_dots(at)),
        true,
    )?;
    Ok(still_a_reference(uri, text))
}

/// A reference whose first segment came to look like a scheme, with `./` in front.
fn still_a_reference<'a>(uri: &str, text: Cow<'a, str>) -> Cow<'a, str> {
    match text {
        Cow::Owned(text) if scheme_end(uri.as_bytes()) == 0 && scheme_end(text.as_bytes()) > 0 => {
            Cow::Owned(format!("./{text}"))
        }
        text => text,
    }
}

/// Whether sixteen bytes are such that no level does anything about them. Without branches, so that they are looked at all
/// at once.
fn is_plain(chunk: &[u8; 16]) -> bool {
    let plain = |byte: u8| {
        let between = |low: u8, high: u8| byte.wrapping_sub(low) <= high - low;
        // What is left out: `"`, `%`, `<`, `>`, brackets, `\\`, `^` and the like, and `~`, of which levels think differently.
        between(b'a', b'z')
            | between(b'&', b';')
            | between(b'?', b'Z')
            | (byte == b'=')
            | (byte == b'_')
            | (byte == b'#')
    };
    chunk.iter().fold(true, |all, &byte| all & plain(byte))
}

/// How many bytes a text starts with, in sixteens, that no level does anything about; all, if it has no others.
fn skip_plain(bytes: &[u8]) -> usize {
    let chunks = bytes.chunks_exact(16);
    let rest = chunks.remainder().len();
    let plain = 16 * chunks.take_while(|chunk| chunk.first_chunk().is_some_and(is_plain)).count();
    // The last bytes once more, with some before them.
    if plain + rest == bytes.len() && bytes.last_chunk().is_some_and(is_plain) { bytes.len() } else { plain }
}

/// Encodes more characters: those of a set, and all beyond US-ASCII, but no `%`, none that RFC 3986 or RFC 1630 reserves,
/// and no dot, since `.` and `..` are reserved as wholes. Escapes that are there stay as they are (RFC 1630, *Reduced or increased safe character sets*).
///
/// [`expand`] with the same set undoes it for characters of US-ASCII.
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
pub fn safer(uri: &str, set: ByteSet) -> Result<Cow<'_, str>, Error> {
    let set = set.without(RESERVED);
    let scheme_end = UriRef::new(uri).scheme_end;
    let (scheme, rest) = uri.split_at(scheme_end);
    let rest = rewrite(rest, |byte| byte == b'%' || byte >= 128 || set.contains(byte), |_, _| false, false)?;
    Ok(match rest {
        Cow::Borrowed(_) => Cow::Borrowed(uri),
        Cow::Owned(rest) => Cow::Owned(format!("{scheme}{rest}")),
    })
}

/// Decodes the escapes of the characters of a set, but none of `%`, of a dot, of a reserved character or beyond US-ASCII.
/// A reference whose first segment would come to look like a scheme gets `./` in front.
///
/// # Errors
/// An illegal escape.
pub fn expand(uri: &str, set: ByteSet) -> Result<Cow<'_, str>, Error> {
    let set = set.without(RESERVED);
    let text = rewrite(uri, |byte| byte == b'%', |octet, _| octet < 128 && set.contains(octet), false)?;
    Ok(still_a_reference(uri, text))
}

/// Never moved: RFC 3986's delimiters, to which RFC 1630's `= ; / # ? : * !` belong, `%` and the dot.
const RESERVED: ByteSet = ByteSet::new(b":/?#[]@!$&'()*+,;=%.");

/// Rewrites a text; `look` tells the bytes to do something about. Of those, `%` starts an escape, which is decoded if
/// `plain` says so of its octet and place, and every other byte is encoded.
fn rewrite(
    text: &str,
    look: impl Fn(u8) -> bool,
    plain: impl Fn(u8, usize) -> bool,
    upper: bool,
) -> Result<Cow<'_, str>, Error> {
    let mut out = String::new();
    let copied = rewrite_part(text, 0..text.len(), &mut out, look, plain, upper)?;
    if copied == 0 {
        return Ok(Cow::Borrowed(text));
    }
    out.push_str(&text[copied..]);
    Ok(Cow::Owned(out))
}

/// Appends a part of a text, rewritten, up to the last change, and says where that ends.
#[inline]
fn rewrite_part(
    text: &str,
    part: Range<usize>,
    out: &mut String,
    look: impl Fn(u8) -> bool,
    plain: impl Fn(u8, usize) -> bool,
    upper: bool,
) -> Result<usize, Error> {
    let bytes = &text.as_bytes()[..part.end];
    let (mut copied, mut at) = (part.start, part.start);
    while let Some(next) = bytes[at..].iter().position(|&byte| look(byte)) {
        at += next;
        // What the bytes up to `end` become: a character, or the escape of each octet.
        let octet = octet(&bytes[at..]);
        let (decoded, end) = match octet {
            Some(octet) if plain(octet, at) => (Some(char::from(octet)), at + 3),
            Some(_) if !upper || !bytes[at + 1..at + 3].iter().any(u8::is_ascii_lowercase) => {
                at += 3;
                continue;
            }
            Some(_) => (None, at + 3),
            None if bytes[at] == b'%' => return Err(illegal_escape(text, at)),
            None => (None, character_end(text, at)),
        };
        if out.is_empty() {
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

/// Where the character that starts at a byte ends.
fn character_end(text: &str, at: usize) -> usize {
    (at + 1..text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(text.len())
}

/// Whether the escape of a dot stands in a segment of a path that would become `.` or `..` if it were decoded.
fn is_hidden_dots(bytes: &[u8], at: usize) -> bool {
    let dot = |from: usize| match bytes.get(from) {
        Some(b'.') => 1,
        _ if octet(&bytes[from.min(bytes.len())..]) == Some(b'.') => 3,
        _ => 0,
    };
    let ends = |at: usize| matches!(bytes.get(at), None | Some(b'/'));
    let starts = |at: usize| at == 0 || bytes[at - 1] == b'/';
    // The dot before this one, if there is one.
    let first = match at {
        _ if starts(at) => at,
        _ if starts(at - 1) && dot(at - 1) == 1 => at - 1,
        3.. if starts(at - 3) && dot(at - 3) == 3 => at - 3,
        _ => return false,
    };
    let second = first + dot(first);
    ends(second) || (dot(second) > 0 && ends(second + dot(second)))
}

/// How much two URIs may differ in and still be called the same; each rung allows what the one before it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rung {
    /// Nothing.
    Text,
    /// The encoding of characters that are not reserved, by [`Level::RFC3986`].
    Encoding,
    /// The case of scheme and host.
    Case,
    /// Dot segments of rooted paths, where the scheme's slashes mean hierarchy. Slashes are counted as RFC 3986 does: `..`
    /// takes the host of a URI inside another, too.
    Dots,
    /// What the scheme leaves out: its default port, an empty port, the path `/` behind a host, `localhost` in `file:`. The
    /// schemes are those of [`scheme::registry`].
    Scheme,
}

impl Rung {
    /// All rungs, from the lowest.
    pub const ALL: [Rung; 5] = [Rung::Text, Rung::Encoding, Rung::Case, Rung::Dots, Rung::Scheme];

    /// What the rung is about, in a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            Rung::Text => "text",
            Rung::Encoding => "encoding",
            Rung::Case => "case",
            Rung::Dots => "dots",
            Rung::Scheme => "scheme",
        }
    }
}

/// Brings a URI to its normal form at a rung: two URIs are the same there if their forms are the same text.
///
/// What needs no change is borrowed. Idempotent, and a higher rung's form of a lower rung's form is that of the URI. A
/// reference without a scheme keeps its dots.
///
/// At [`Rung::Encoding`], the form of what a reference resolves to is what the forms resolve to, unless there are escapes of
/// dots or colons: `http://h/a/%2E%2E/b` has a segment `..` afterwards, while resolving takes `%2E%2E` for a name.
///
/// Cost: one pass, and another over what a rung changes.
///
/// # Errors
/// An illegal escape, but not at [`Rung::Text`].
pub fn normalize(uri: &str, rung: Rung) -> Result<Cow<'_, str>, Error> {
    if rung == Rung::Text {
        return Ok(Cow::Borrowed(uri));
    }
    let text = same_level(uri, &Level::RFC3986)?;
    if rung == Rung::Encoding {
        return Ok(text);
    }
    Ok(match change(&text, rung) {
        Some(changed) => Cow::Owned(changed),
        None => text,
    })
}

/// What the rungs above [`Rung::Encoding`] change of a URI at that level, if anything.
fn change(uri: &str, rung: Rung) -> Option<String> {
    let split = UriRef::new(uri);
    let (path, scheme) = (split.path(), split.scheme().unwrap_or_default());
    let authority = split.authority();
    let colon = authority.is_some_and(|authority| memchr2(b':', b'@', authority.as_bytes()).is_some());
    let is_file = scheme.len() == 4 && scheme.eq_ignore_ascii_case("file");
    let upper = uri.as_bytes()[..split.path_start].iter().any(u8::is_ascii_uppercase);
    let dots = rung >= Rung::Dots && path.starts_with('/') && last_dots(path).is_some() && has_hierarchy(scheme);
    let defaults = rung >= Rung::Scheme && authority.is_some() && (colon || path.is_empty() || is_file);
    if !(upper || dots || defaults) {
        return None;
    }

    let mut out = String::with_capacity(uri.len() + 2);
    out.push_str(&uri[..split.scheme_end]);
    out.make_ascii_lowercase();
    let default = if defaults { scheme::default_port(scheme) } else { None };
    let mut host_is_there = false;
    if let Some(authority) = authority {
        let login = Login::new(authority, default);
        let host_end = split.path_start - login.port.map_or(0, |port| port.len() + 1);
        let host_start = host_end - login.host.len();
        out.push_str(&uri[split.scheme_end..host_start]);
        host_is_there = !login.host.is_empty();
        if !(defaults && is_file && authority.eq_ignore_ascii_case("localhost")) {
            let at = out.len();
            out.push_str(login.host);
            lower_case(&mut out[at..]);
        }
        // With another colon in front, which of them starts the port is anybody's guess.
        let is_clear = login.host.starts_with('[') || !login.host.contains(':');
        let is_default = |port: &str| port.is_empty() || (default.is_some() && login.port_number() == default);
        if !(defaults && !is_file && is_clear && login.port.is_some_and(is_default)) {
            out.push_str(&uri[host_end..split.path_start]);
        }
    }
    if path.is_empty() && host_is_there && default.is_some() {
        out.push('/');
    } else if dots {
        push_without_dots(path, authority.is_some(), &mut out);
    } else {
        out.push_str(path);
    }
    out.push_str(&uri[split.path_end..]);
    (out != uri).then_some(out)
}

/// Whether slashes mean hierarchy in a scheme; in one that the documents do not define they are taken to.
fn has_hierarchy(scheme: &str) -> bool {
    !scheme.is_empty() && scheme::info(scheme).is_none_or(|scheme| scheme.hierarchical || scheme.reserved)
}

/// Appends a rooted path without its dot segments; without an authority it must not come to look like one.
fn push_without_dots(path: &str, has_authority: bool, out: &mut String) {
    let mut segments = Segments::new(path);
    segments.remove_dots(Rules::RFC3986);
    if !has_authority && matches!(segments[..], ["", "", _, ..]) {
        out.push_str("/.");
    }
    for (number, segment) in segments.iter().enumerate() {
        out.push_str(if number == 0 { "" } else { "/" });
        out.push_str(segment);
    }
}

/// Puts a host in lower case; escapes keep their digits.
fn lower_case(host: &mut str) {
    let mut from = 0;
    while let Some(percent) = memchr(b'%', &host.as_bytes()[from..]) {
        host[from..from + percent].make_ascii_lowercase();
        from += percent + 3;
    }
    host[from..].make_ascii_lowercase();
}

/// How far two URIs are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The same, from this rung on.
    Equal(Rung),
    /// Different even at the highest rung: the first component that differs there, in both.
    Different {
        /// `scheme`, `authority`, `path`, `query` or `fragment`.
        component: &'static str,
        /// The first URI's, in its normal form; `None` if it has none.
        left: Option<String>,
        /// The second URI's.
        right: Option<String>,
    },
}

/// Compares two URIs rung by rung.
///
/// # Errors
/// An illegal escape in either, unless they are the same text.
///
/// ```
/// use relref::canon::{Comparison, Rung, compare};
///
/// // RFC 1630, examples 1 and 2.
/// let uri = "http://info.cern.ch/albert/bertram/marie-claude";
/// assert_eq!(compare(uri, "http://info.cern.ch/albert/bertram/marie%2Dclaude")?, Comparison::Equal(Rung::Encoding));
/// let other = compare(uri, "http://info.cern.ch/albert/bertram%2Fmarie-claude")?;
/// assert!(matches!(other, Comparison::Different { component: "path", .. }));
/// # Ok::<(), relref::Error>(())
/// ```
pub fn compare(left: &str, right: &str) -> Result<Comparison, Error> {
    let mut forms = (Cow::Borrowed(left), Cow::Borrowed(right));
    for rung in Rung::ALL {
        forms = (normalize(left, rung)?, normalize(right, rung)?);
        if forms.0 == forms.1 {
            return Ok(Comparison::Equal(rung));
        }
    }
    let (left, right) = (UriRef::new(&forms.0), UriRef::new(&forms.1));
    let components = |uri: &UriRef<'_>| {
        [
            ("scheme", uri.scheme().map(String::from)),
            ("authority", uri.authority().map(String::from)),
            ("path", Some(String::from(uri.path()))),
            ("query", uri.query().map(String::from)),
            ("fragment", uri.fragment().map(String::from)),
        ]
    };
    let differs = components(&left).into_iter().zip(components(&right)).find(|(left, right)| left != right);
    let ((component, left), (_, right)) = differs.expect("texts that differ have a component that does");
    Ok(Comparison::Different { component, left, right })
}
