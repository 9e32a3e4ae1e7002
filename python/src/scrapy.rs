//! The parts of `relref.scrapy` that run for each link: they find it, resolve it, and make it safe as w3lib does.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::link_attributes::find;
use crate::text::with_buffer;
use crate::urljoin::{UrljoinBase, after_ipv6, is_proved};

/// A finder of the links of pages, with the settings of a link extractor.
#[pyclass(frozen, module = "relref._relref")]
pub struct _LinkFinder {
    elements: Vec<String>,
    attributes: Vec<String>,
    /// True if w3lib keeps the brackets of IPv6 addresses. Old versions lose them.
    keeps_ipv6: bool,
}

#[pymethods]
impl _LinkFinder {
    #[new]
    fn new(elements: Vec<String>, attributes: Vec<String>, keeps_ipv6: bool) -> Self {
        _LinkFinder { elements, attributes, keeps_ipv6 }
    }

    fn __getnewargs__(&self) -> (&[String], &[String], bool) {
        (&self.elements, &self.attributes, self.keeps_ipv6)
    }

    /// Return the links of a page as a list of (url, value, text, rel, is_denied), or None if that needs a tree.
    ///
    /// strips says whether white space around values is removed. url is None if Scrapy's own functions must make it from value.
    /// is_denied is True if its path ends with one of the extensions, which are in lower case.
    fn find<'py>(
        &self,
        py: Python<'py>,
        page: &Bound<'py, PyString>,
        base: &str,
        strips: bool,
        extensions: Vec<String>,
    ) -> PyResult<Option<Bound<'py, PyList>>> {
        let Ok(page) = page.to_str() else { return Ok(None) };
        let Some(found) = py.detach(|| find(page, &self.elements, &self.attributes)) else { return Ok(None) };
        let base = if is_proved(py) { UrljoinBase::new(base) } else { None };
        let mut links = Vec::with_capacity(found.attributes.len());
        for attribute in &found.attributes {
            let strip = ['\t', '\n', '\u{C}', '\r', ' '];
            let value = if strips { attribute.value.trim_matches(strip) } else { &attribute.value };
            let text = PyString::new(py, &found.text(attribute));
            let rel = attribute.rel.as_deref();
            let link = with_buffer(|out| {
                if base.as_ref().is_some_and(|base| join(base, value, out)) && is_safe(out, self.keeps_ipv6) {
                    let denied = is_denied(out, &extensions);
                    (Some(&**out), None::<&str>, text, rel, denied).into_pyobject(py)
                } else {
                    (None::<&str>, Some(value), text, rel, false).into_pyobject(py)
                }
            })?;
            links.push(link);
        }
        PyList::new(py, links).map(Some)
    }
}

/// `url` is as in [`is_safe`].
fn is_denied(url: &str, extensions: &[String]) -> bool {
    let path = &url[..url.find(['?', '#']).unwrap_or(url.len())];
    let path = path.as_bytes();
    extensions.iter().any(|extension| {
        let extension = extension.as_bytes();
        path.len() >= extension.len() && path[path.len() - extension.len()..].eq_ignore_ascii_case(extension)
    })
}

/// False if there is no shortcut.
fn join(base: &UrljoinBase<'_>, reference: &str, out: &mut String) -> bool {
    match base.shortcut(reference) {
        Some(shortcut) => base.write(shortcut, reference, out).is_some(),
        None => false,
    }
}

/// True only if w3lib's `safe_url_string` returns a URL as it is, and `urljoin` too whatever page it is in.
///
/// The URL is `http://` or `https://`, a host of plain labels, perhaps a port without leading zeros, and a path with characters
/// that every URL may have; query and fragment are not empty. So there is nothing to decode, to encode, to strip or to lose. An
/// IPv4 address has plain labels; both functions leave it as it is, and an IPv6 address in lower case if `may_be_ipv6`.
fn is_safe(url: &str, may_be_ipv6: bool) -> bool {
    let Some(rest) = url.strip_prefix("http").map(|rest| rest.strip_prefix('s').unwrap_or(rest)) else { return false };
    let Some(rest) = rest.strip_prefix("://") else { return false };
    let Some((authority, rest)) = rest.find('/').map(|at| rest.split_at(at)) else { return false };
    let port = match after_ipv6(authority) {
        Some(port) if may_be_ipv6 && !authority.contains(|c: char| c.is_ascii_uppercase()) => port,
        Some(_) => return false,
        None => {
            let (host, port) = authority.split_at(authority.find(':').unwrap_or(authority.len()));
            if !is_plain_host(host) {
                return false;
            }
            port
        }
    };
    let is_port = |digits: &str| {
        matches!(digits.len(), 1..=4) && !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    (port.is_empty() || port.strip_prefix(':').is_some_and(is_port)) && is_plain_rest(rest)
}

fn is_plain_host(host: &str) -> bool {
    let is_label = |label: &str| {
        matches!(label.len(), 1..=63)
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.get(2..4) != Some("--")
    };
    host.len() <= 250 && host.split('.').all(is_label)
}

fn is_plain_rest(rest: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~!$&()*+,:@=%?#".contains(&byte);
    let end = rest.find('#').unwrap_or(rest.len());
    let (before, fragment) = rest.split_at(end);
    let query = before.find('?').map(|at| &before[at + 1..]);
    rest.bytes().all(is_plain)
        && fragment != "#"
        && !fragment.get(1..).unwrap_or_default().contains('#')
        && query.is_none_or(|query| !query.is_empty())
}

/// Return the result of w3lib's canonicalize_url for a URL, or None if only w3lib can make it.
///
/// The URL is as in `is_safe`, but its host may have capitals. Of what versions of w3lib differ in, it has nothing: dot segments, `;`
/// in the query, and escapes of reserved characters in the path.
#[pyfunction]
pub fn _canonical_shortcut<'py>(url: &Bound<'py, PyAny>, keep_fragments: bool) -> Option<Bound<'py, PyAny>> {
    let given = url.cast_exact::<PyString>().ok()?.to_str().ok()?;
    let text = with_lower_host(given);
    if !is_safe(&text.replace(';', ""), false) {
        return None;
    }
    let (before, fragment) = text.split_at(text.find('#').unwrap_or(text.len()));
    let (path, query) = before.split_once('?').map_or((before, None), |(path, query)| (path, Some(query)));
    let last = &path[path.rfind('/')?..];
    if query.is_some_and(|query| query.contains(';')) || last.find(';').is_some_and(|at| at + 1 == last.len()) {
        return None;
    }
    if fragment.contains(';') || last.contains(';') && last.contains('%') {
        return None;
    }
    let mut pairs = Vec::new();
    for pair in query.into_iter().flat_map(|query| query.split('&')).filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        pairs.push((decoded(name)?, decoded(value)?));
    }
    pairs.sort_unstable();
    with_buffer(|out| {
        write_path(path, out)?;
        if out.contains("/.") {
            return None;
        }
        for (number, (name, value)) in pairs.iter().enumerate() {
            out.push(if number == 0 { '?' } else { '&' });
            write_quoted(name, out);
            out.push('=');
            write_quoted(value, out);
        }
        if keep_fragments {
            out.push_str(fragment);
        }
        Some(if out == given { url.clone() } else { PyString::new(url.py(), out).into_any() })
    })
}

fn with_lower_host(url: &str) -> Cow<'_, str> {
    let host = url.find("://").map(|at| at + 3).map(|start| {
        let len = url[start..].find(['/', '?', '#']).unwrap_or(url.len() - start);
        start..start + len
    });
    match host {
        Some(host) if url[host.clone()].bytes().any(|byte| byte.is_ascii_uppercase()) => {
            Cow::Owned([&url[..host.start], &url[host.clone()].to_ascii_lowercase(), &url[host.end..]].concat())
        }
        _ => Cow::Borrowed(url),
    }
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// Takes the octet of an escape from the start of a text that begins after its `%`.
fn escaped(rest: &str) -> Option<u8> {
    let digits = rest.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    u8::from_str_radix(digits, 16).ok()
}

/// Decodes a name or value of a query. `None` for a `%` that starts no escape.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    let plain =
        |part: &str, out: &mut Vec<u8>| out.extend(part.bytes().map(|byte| if byte == b'+' { b' ' } else { byte }));
    plain(parts.next()?, &mut out);
    for part in parts {
        out.push(escaped(part)?);
        plain(&part[2..], &mut out);
    }
    Some(out)
}

fn write_quoted(bytes: &[u8], out: &mut String) {
    for byte in bytes {
        match byte {
            b' ' => out.push('+'),
            _ if is_unreserved(*byte) => out.push(char::from(*byte)),
            _ => write_escape(*byte, out),
        }
    }
}

fn write_escape(byte: u8, out: &mut String) {
    out.push('%');
    out.extend([byte >> 4, byte & 15].map(|digit| char::from(b"0123456789ABCDEF"[usize::from(digit)])));
}

/// Writes what is before the query. `None` for escapes that versions of w3lib treat differently.
fn write_path(path: &str, out: &mut String) -> Option<()> {
    let mut parts = path.split('%');
    out.push_str(parts.next()?);
    for part in parts {
        match escaped(part)? {
            byte if is_unreserved(byte) => out.push(char::from(byte)),
            byte @ (0x80.. | b' ' | b'/' | b'?') => write_escape(byte, out),
            _ => return None,
        }
        out.push_str(&part[2..]);
    }
    Some(())
}
