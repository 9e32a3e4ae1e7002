//! The three ways from a reference to its URL (simple, encoded, by the Standard's states), and the function that chooses one.
//!
//! The Standard has one way, its states, which read every character. The others give the same URL, as tests compare at every byte.
//! Each stands here for what it saves: in instructions for a reference (`benches/count.rs`, whose references are those of pages),
//!
//! | way | for | its cost | by the states |
//! |---|---|---|---|
//! | [`Way::Copies`] | a [simple](super::simple) reference: nearly every link of a page | 330 | 1380 |
//! | [`Way::Encodes`] | one with characters that are percent-encoded, as in other scripts, or with dot segments inside | 970 | 1760 |
//! | [`Way::States`] | every other: odd hosts, backslashes, tabs, errors, `file` URLs that are not simple | | |
//!
//! Both spare the splitting of the reference: a scheme or a host is read only if there is one, and then not as a text to be
//! decoded, but as bytes that stay what they are. A base keeps where its last segments end, so that `../` is a choice of a number.

use super::encoded_parts::EncodedParts;
use super::input::trim;
use super::prepared_base::PreparedBase;
use super::scheme::Scheme;
use super::simple::{
    fragment_needs_no_encoding, has_hidden, has_hidden_or_dots, is_simple, is_simple_without_colon, needs_no_encoding,
    simple_host_and_port_len, simple_host_len,
};
use crate::scan::count_parents;
use crate::uri::scheme_end;

pub(super) enum Way<'a> {
    /// The URL is these two texts, the first one mostly of the base. A search of vectors over the reference proves it.
    Copies(&'a str, &'a str),
    /// The URL starts with texts that are copied; the rest is percent-encoded, and its dot segments are removed.
    Encodes(EncodedParts<'a>),
    States,
}

impl<'a> Way<'a> {
    /// Chooses the way for a reference or, without a base, for a URL.
    // In the order of frequency. What most links need is inlined into the one caller, all else is called: a function that saves the
    // registers of the rare ways costs every link a tenth.
    #[inline(always)]
    pub(super) fn choose(base: Option<PreparedBase<'a>>, reference: &'a str) -> Self {
        if let Some(host_end) = http_host_end(reference) {
            return match &reference.as_bytes()[host_end..] {
                [] => Way::Copies(reference, "/"),
                rest @ [b'/', ..] if is_simple(rest) => Way::Copies("", reference),
                _ => Way::after_host("", trim(reference), host_end),
            };
        }
        if let Some(base) = base {
            if let Some((first, last)) = relative_copies(base, reference) {
                return Way::Copies(first, last);
            }
        }
        Way::rare(base, trim(reference))
    }

    /// `reference` is trimmed, as are the others.
    #[inline(never)]
    fn rare(base: Option<PreparedBase<'a>>, reference: &'a str) -> Self {
        let scheme_end = scheme_end(reference.as_bytes());
        match base {
            _ if scheme_end > 0 && is_opaque_copy(reference, scheme_end) => Way::Copies("", reference),
            Some(base) if scheme_end == 0 => Way::relative(base, reference),
            _ => Way::States,
        }
    }

    /// `reference` must have no scheme.
    #[inline(always)]
    fn relative(base: PreparedBase<'a>, reference: &'a str) -> Self {
        let (offsets, bytes) = (&base.parts.offsets, reference.as_bytes());
        let (end, start) = match bytes {
            [b'#', ..] => (offsets.query_end, 0),
            // A drive letter of a reference would count, too.
            _ if !base.parts.has_plain_path || base.parts.scheme == Scheme::File => return Way::States,
            [b'/', b'/', rest @ ..] => {
                return match simple_host_len(rest).map(|len| rest.split_at(len)) {
                    Some((host, [] | [b'/' | b'?' | b'#', ..])) => {
                        Way::after_host(&base.text[..offsets.scheme_end], reference, "//".len() + host.len())
                    }
                    _ => Way::States,
                };
            }
            [b'/', ..] => (offsets.path_start + 1, 1),
            _ => kept_and_rest(base, bytes),
        };
        let rest = &reference[start..];
        // One search for all that is rare. Which of it there is, matters only if there is any.
        let is_odd = has_hidden_or_dots(bytes);
        if is_odd && has_hidden(bytes) {
            return Way::States;
        }
        let may_have_dots = is_odd || matches!(bytes.get(start), Some(b'.' | b'%'));
        Way::Encodes(EncodedParts {
            kept: &base.text[..end],
            host: "",
            rest,
            root: offsets.path_start + 1,
            may_have_dots,
        })
    }

    /// `host_end` is the end of a host and port in `reference`, which stay as they are. A path, a query, a fragment or nothing
    /// follows.
    #[inline(never)]
    fn after_host(kept: &'a str, reference: &'a str, host_end: usize) -> Self {
        let (host, rest) = reference.split_at(host_end);
        let may_have_dots = has_hidden_or_dots(rest.as_bytes());
        if may_have_dots && has_hidden(rest.as_bytes()) {
            return Way::States;
        }
        let root = kept.len() + host_end + "/".len();
        Way::Encodes(EncodedParts { kept, host, rest: rest.strip_prefix('/').unwrap_or(rest), root, may_have_dots })
    }
}

/// Returns the copies of a relative reference. `None` if they are uncertain, and always for a reference that has a scheme.
#[inline(always)]
pub(super) fn relative_copies<'a>(base: PreparedBase<'a>, reference: &'a str) -> Option<(&'a str, &'a str)> {
    let bytes = reference.as_bytes();
    let offsets = &base.parts.offsets;
    let (end, start) = match bytes {
        // A fragment needs no base with a hierarchy, and its dots are no segments.
        [b'#', ..] if fragment_needs_no_encoding(bytes) => (offsets.query_end, 0),
        [b'#', ..] => return None,
        _ if !base.parts.has_plain_path => return None,
        [b'/', b'/', ..] => {
            let path_start = path_start_after_host(bytes, "//".len())?;
            let is_taken = base.parts.scheme != Scheme::File && is_simple(&bytes[path_start..]);
            (is_taken.then_some(offsets.scheme_end)?, 0)
        }
        _ => {
            let (end, start) = kept_and_rest(base, bytes);
            // A colon may end a scheme. To search for one that does would need the place of the first slash; a reference with a
            // colon elsewhere is rare, and takes the other way.
            (is_simple_without_colon(&bytes[start..]).then_some(end)?, start)
        }
    };
    Some((base.text.get(..end)?, &reference[start..]))
}

/// Returns the length of the kept part of the base, and the byte after the `../` and `./` at the start of a relative path. The
/// reference must have no scheme and no authority, and start with no `#`.
#[inline(always)]
fn kept_and_rest(base: PreparedBase<'_>, reference: &[u8]) -> (usize, usize) {
    let offsets = &base.parts.offsets;
    match reference {
        [] => (offsets.query_end, 0),
        [b'?', ..] => (offsets.path_end, 0),
        [b'/', ..] => (offsets.path_start, 0),
        [b'.', ..] => {
            // The `../` at the start are counted, not resolved: the base has no dots, so that each of them removes one segment of
            // it.
            let parents = count_parents(reference);
            let start = 3 * parents;
            let dot = if reference[start..].starts_with(b"./") { "./".len() } else { 0 };
            (base.directory_end(parents), start + dot)
        }
        _ => (base.directory_end(0), 0),
    }
}

/// Reports whether a URL stays as it is: one with another scheme, in lower case, and an opaque path. Of it, only controls and
/// characters beyond US-ASCII are percent-encoded, and a space before `?` and `#`. To leave all to the states in which any byte is
/// encoded somewhere keeps this a single search of vectors, which counts most for long `data` URLs.
fn is_opaque_copy(url: &str, scheme_end: usize) -> bool {
    let (scheme, rest) = url.as_bytes().split_at(scheme_end);
    !scheme.iter().any(u8::is_ascii_uppercase)
        && rest.first() != Some(&b'/')
        && !Scheme::of(&url[..scheme_end - 1]).is_special()
        && needs_no_encoding(rest)
}

/// Returns the end of the host and port of an `http` or `https` URL, if both stay as they are.
#[inline(always)]
fn http_host_end(url: &str) -> Option<usize> {
    let (host, port) = http_host_start(url.as_bytes())?;
    Some(host + simple_host_and_port_len(&url.as_bytes()[host..], port)?)
}

/// `None` unless the text is a serialized `http` or `https` URL without a port, [simple](super::simple) from its host on.
#[inline(always)]
pub(super) fn serialized_path_start(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let path_start = path_start_after_host(bytes, http_host_start(bytes)?.0)?;
    is_simple(&bytes[path_start..]).then_some(path_start)
}

/// Returns the byte at which the host of an `http` or `https` URL starts, and the port that its scheme has by default.
#[inline(always)]
fn http_host_start(url: &[u8]) -> Option<(usize, u32)> {
    match url {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => Some((8, 443)),
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => Some((7, 80)),
        _ => None,
    }
}

/// Returns the byte of the slash right after a simple host without a port.
#[inline(never)]
fn path_start_after_host(text: &[u8], host_start: usize) -> Option<usize> {
    let path_start = host_start + simple_host_len(&text[host_start..])?;
    (text.get(path_start) == Some(&b'/')).then_some(path_start)
}
