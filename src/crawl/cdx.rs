//! The keys of CDX indexes, as the Python package `surt` makes them and pywb looks them up.

mod host;
mod path;
mod query;
mod unescape;

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::Write;

use memchr::memchr;

use crate::error::{Error, ErrorKind};
use crate::percent::escape;
use crate::uri::scheme_end;

/// Appends the key of a page in CDX files, the indexes of captured pages: exactly the key of the Python package `surt`, which pywb
/// uses.
///
/// The key is made from the URI as it is written: no normalizer changes it first. It loses more than that of
/// [`Normalizer::surt_into`](super::Normalizer::surt_into): escapes are decoded until none is left, paths and queries are in lower
/// case, and different pages can have the same key.
///
/// A host beyond US-ASCII needs the feature `idna`; without it, its octets are escaped. With it, the host is written by UTS 46,
/// which also knows characters that are too new for `surt`.
///
/// Cost: one pass, and sorting the parameters of the query.
///
/// # Errors
/// A port that is not a number up to 65535, or a text of only white space: `surt` fails too. On an error, `out` stays as it was.
///
/// ```
/// use relref::crawl::cdx_key;
///
/// assert_eq!(cdx_key("https://www2.Example.com/A/../B/?y&x=%2541#top")?, "com,example)/b?x=a&y");
/// assert!(cdx_key("http://example.com:x/").is_err());
/// # Ok::<(), relref::Error>(())
/// ```
pub fn cdx_key_into(uri: impl AsRef<str>, out: &mut String) -> Result<(), Error> {
    let uri = uri.as_ref();
    // The first record of an ARC file has one of these names instead of a URI.
    if uri.is_empty() || uri.starts_with("filedesc") {
        out.push_str(if uri.is_empty() { "-" } else { uri });
        return Ok(());
    }
    let text = cleaned(uri);
    let split = SplitUri::new(&text).map_err(|(expected, at)| {
        let at = original_position(uri, at);
        Error::new(ErrorKind::NotValid, expected, uri, at).with_grammar("a URI with a CDX key")
    })?;
    out.reserve(uri.len() + 8);
    split.push_key(out);
    Ok(())
}

/// Returns the key of [`cdx_key_into`], by which CDX files index a page, with the same errors.
#[doc(alias = "surt")]
pub fn cdx_key(uri: impl AsRef<str>) -> Result<String, Error> {
    let mut out = String::new();
    cdx_key_into(uri, &mut out)?;
    Ok(out)
}

/// Removes white space of US-ASCII at the ends, and line breaks and tabs anywhere.
fn cleaned(uri: &str) -> Cow<'_, str> {
    let trimmed = uri.trim_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
    if memchr::memchr3(b'\t', b'\n', b'\r', trimmed.as_bytes()).is_some() {
        Cow::Owned(trimmed.replace(['\t', '\n', '\r'], ""))
    } else {
        Cow::Borrowed(trimmed)
    }
}

/// Converts a byte offset in the [`cleaned`] text to one in `uri`; for 0 in an empty text, returns the length of `uri`.
fn original_position(uri: &str, at: usize) -> usize {
    let start = uri.len() - uri.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']).len();
    let kept = uri[start..].bytes().enumerate().filter(|(_, byte)| !matches!(byte, b'\t' | b'\n' | b'\r'));
    kept.map(|(index, _)| start + index).nth(at).unwrap_or(uri.len())
}

/// Split in the way of the Python package `surt`.
struct SplitUri<'a> {
    scheme: &'a str,
    host: &'a str,
    /// 0 if there is none.
    port: u16,
    path: &'a str,
    query: Option<&'a str>,
}

impl<'a> SplitUri<'a> {
    /// `text` is [`cleaned`]. The error is a phrase for what was expected, and the byte offset in `text`.
    fn new(text: &'a str) -> Result<Self, (&'static str, usize)> {
        if text.is_empty() {
            return Err(("a URI", 0));
        }
        let scheme_end = scheme_end(text.as_bytes());
        let scheme = if scheme_end == 0 { "http" } else { &text[..scheme_end - 1] };
        // A text without a scheme starts with the authority.
        let after = &text[scheme_end..];
        let with_authority = if scheme_end == 0 { Some(after) } else { after.strip_prefix("//") };
        let (authority, after) =
            with_authority.map_or(("", after), |text| text.split_at(text.find(['/', '?', '#']).unwrap_or(text.len())));
        let authority_start = text.len() - after.len() - authority.len();
        let after = &after[..memchr(b'#', after.as_bytes()).unwrap_or(after.len())];
        let (path, query) = after.split_once('?').map_or((after, None), |(path, query)| (path, Some(query)));
        // Colons at the end do not count.
        let authority = authority.trim_end_matches(':');
        let (host, port_text) = host_and_port(authority);
        let Some(port) = port_number(port_text) else {
            return Err(("a port, a number up to 65535", authority_start + authority.len() - port_text.len()));
        };
        let mut split = SplitUri { scheme, host, port, path, query };
        if host.is_empty() && matches!(scheme, "http" | "https") {
            split.take_host_from_path();
        }
        Ok(split)
    }

    /// So `http:/h/a` and `http:h/a` are read as `http://h/a`. The host must be empty before.
    fn take_host_from_path(&mut self) {
        let path = self.path.trim_start_matches('/');
        let end = memchr(b'/', path.as_bytes()).unwrap_or(path.len());
        self.host = &path[..end];
        self.path = match &path[end..] {
            "" if self.path.is_empty() => "",
            "" => "/",
            rest => rest,
        };
    }

    /// Appends host, `:port` unless 0 or the default, `)`, path and query. Without a host, scheme and colon take its place.
    fn push_key(&self, out: &mut String) {
        let has_host = host::push_host(self.host, out);
        if has_host {
            let port = self.port;
            let is = |name: &str| self.scheme.eq_ignore_ascii_case(name);
            let is_default = port == 0 || (port == 80 && is("http")) || (port == 443 && is("https"));
            if !is_default {
                write!(out, ":{port}").expect("a string takes all");
            }
            out.push(')');
        } else {
            out.push_str(self.scheme);
            out.push(':');
        }
        let path_start = out.len();
        path::push_path(self.path, has_host, out);
        let path_end = out.len();
        if let Some(query) = self.query {
            out.push('?');
            query::push_query(query, out);
            if out.len() == path_end + 1 {
                out.truncate(path_end);
            }
        }
        if path_start == path_end && (has_host || out.len() > path_end) {
            out.insert(path_start, '/');
        }
    }
}

/// The port is empty, or the last part of `authority`. The first `[` starts an IPv6 address, wherever it is.
fn host_and_port(authority: &str) -> (&str, &str) {
    let (_, hostport) = authority.rsplit_once('@').unwrap_or(("", authority));
    match hostport.split_once('[') {
        Some((_, rest)) => {
            let (address, after) = rest.split_once(']').unwrap_or((rest, ""));
            (address, after.split_once(':').map_or("", |(_, port)| port))
        }
        None => hostport.split_once(':').unwrap_or((hostport, "")),
    }
}

/// Returns 0 if the port is empty, `None` if it is not a number up to 65535.
fn port_number(port: &str) -> Option<u16> {
    match port.trim_start_matches('0') {
        "" => Some(0),
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok(),
        _ => None,
    }
}

/// Lower case; controls, spaces, `#`, `%` and octets beyond US-ASCII are written as escapes.
fn push_escaped(octets: &[u8], out: &mut String) {
    // Lower case comes last, and over escapes, too: the keys of the package `surt` have the hex digits in lower case.
    let is_plain = |byte: u8| matches!(byte, 0x21..0x7f) && byte != b'#' && byte != b'%';
    let mut rest = octets;
    while !rest.is_empty() {
        let (plain, after) = rest.split_at(rest.iter().position(|&byte| !is_plain(byte)).unwrap_or(rest.len()));
        let start = out.len();
        out.push_str(core::str::from_utf8(plain).expect("plain octets are US-ASCII"));
        rest = after;
        if let Some((&octet, after)) = rest.split_first() {
            out.push_str(escape(octet));
            rest = after;
        }
        out[start..].make_ascii_lowercase();
    }
}
