//! Patterns and paths of `robots.txt`, in the form in which their octets are compared, and the matching of both.

use alloc::borrow::Cow;
use alloc::string::String;

use memchr::{memchr, memmem};

use crate::percent::{escape, octet};
use crate::uri::UriRef;

/// Characters that are the same as their escapes: the unreserved ones, and the reserved ones that delimit nothing.
fn is_free(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!'(),+;:@[]".contains(&byte)
}

/// Characters that differ from their escapes.
fn is_delimiter(byte: u8) -> bool {
    matches!(byte, b'/' | b'?' | b'&' | b'=')
}

/// Appends a pattern. In the result, `*` is any text, and a final `$` is the end.
pub(super) fn push_pattern(pattern: &[u8], out: &mut String) {
    let start = out.len();
    push(pattern, true, out);
    let query = start + memchr(b'?', &out.as_bytes()[start..]).unwrap_or(out.len() - start);
    if let Some(decoded) = decode_slashes(&out[query..]) {
        out.truncate(query);
        out.push_str(&decoded);
    }
}

/// Returns the path and query of a URI. A path that does not start with a slash gets one.
pub(super) fn comparable_path(uri: &str) -> Cow<'_, str> {
    let end = memchr(b'#', uri.as_bytes()).unwrap_or(uri.len());
    let split = UriRef::new(uri);
    let len = split.path().len() + split.query().map_or(0, |query| query.len() + 1);
    let path = &uri[end - len..end];
    // Most paths are already in the form that is compared, and are borrowed.
    if path.starts_with('/') && path.bytes().all(|byte| is_free(byte) || is_delimiter(byte)) {
        return Cow::Borrowed(path);
    }
    let mut out = String::with_capacity(path.len() + 16);
    out.push_str(if path.starts_with('/') { "" } else { "/" });
    push(path.as_bytes(), false, &mut out);
    Cow::Owned(out)
}

/// Decodes `%2F` in the query of a path, where it is the same as `/` (the second row of the table in RFC 9309 §2.2.2).
pub(super) fn with_query_slashes<'p>(path: &'p str) -> Cow<'p, str> {
    let query = memchr(b'?', path.as_bytes()).unwrap_or(path.len());
    decode_slashes(&path[query..])
        .map_or(Cow::Borrowed(path), |decoded| Cow::Owned([&path[..query], &*decoded].concat()))
}

fn decode_slashes(query: &str) -> Option<String> {
    query.contains("%2F").then(|| query.replace("%2F", "/"))
}

/// Appends octets in the form in which they are compared, which is US-ASCII.
fn push(mut bytes: &[u8], is_pattern: bool, out: &mut String) {
    while let Some((&first, rest)) = bytes.split_first() {
        let (octet, is_escape) = octet(bytes).map_or((first, false), |octet| (octet, true));
        bytes = if is_escape { &bytes[3..] } else { rest };
        let is_plain = match octet {
            _ if is_free(octet) => true,
            b'*' => is_pattern && !is_escape,
            b'$' => is_pattern && !is_escape && rest.is_empty(),
            b'%' => !is_escape,
            _ => is_delimiter(octet) && !is_escape,
        };
        if is_plain { out.push(octet.into()) } else { out.push_str(escape(octet)) }
    }
}

// The parts between the `*` are searched from left to right, each after the one before it. No other place need be tried: the leftmost
// one leaves the most for the next parts. So there is no backtracking, and one pass over the path is enough.
pub(super) fn matches(pattern: &str, has_star: bool, path: &str) -> bool {
    let (pattern, is_whole) = pattern.strip_suffix('$').map_or((pattern, false), |pattern| (pattern, true));
    if !has_star {
        return path.starts_with(pattern) && (!is_whole || path.len() == pattern.len());
    }
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| path.strip_prefix(first)) else { return false };
    let last = parts.next_back().unwrap_or_default();
    for part in parts {
        let Some(at) = memmem::find(rest.as_bytes(), part.as_bytes()) else { return false };
        rest = &rest[at + part.len()..];
    }
    if is_whole { rest.ends_with(last) } else { memmem::find(rest.as_bytes(), last.as_bytes()).is_some() }
}

/// The bytes of a text, which is US-ASCII, and the pairs of those that follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Letters {
    /// Bit *n* is for the byte *n*.
    bytes: u128,
    /// Bit *n* is for all pairs whose hash is *n*.
    pairs: u64,
}

impl Letters {
    pub(super) fn of(text: &str) -> Self {
        let text = text.as_bytes();
        let hash = |pair: &[u8]| (u32::from(pair[0]) * 251 + u32::from(pair[1])).wrapping_mul(0x9E37_79B9) >> 26;
        Letters {
            bytes: text.iter().fold(0, |bytes, byte| bytes | 1 << (byte & 0x7F)),
            pairs: text.windows(2).fold(0, |pairs, pair| pairs | 1 << hash(pair)),
        }
    }

    /// Returns the letters of each path that a pattern matches.
    pub(super) fn of_pattern(pattern: &str) -> Self {
        let parts = pattern.strip_suffix('$').unwrap_or(pattern).split('*');
        parts.fold(Letters::default(), |letters, part| letters.union(Letters::of(part)))
    }

    pub(super) fn union(self, other: Self) -> Self {
        Letters { bytes: self.bytes | other.bytes, pairs: self.pairs | other.pairs }
    }

    pub(super) fn have(self, needed: Self) -> bool {
        needed.pairs & !self.pairs == 0 && needed.bytes & !self.bytes == 0
    }
}
