//! `urljoin`, equal to the standard library's.
//!
//! A pair takes the shortcut if it is in the set below. For every other pair the standard library is called.
//!
//! **Base**: `http://` or `https://`, HOST, then a path that is empty or starts with `/`, `?` and `#` with something after them.
//! HOST is US-ASCII letters, digits, `.`, `-` and `_`, or an IPv6 address in brackets, then nothing or `:` and digits. The path has
//! no `;`. No byte of base or reference is below 0x20.
//!
//! | reference | more conditions | result |
//! |---|---|---|
//! | other scheme than the base | no `//` follows it, or no HOST that is not one | the reference |
//! | the base's scheme, `//`, HOST | no `;` in the path | the reference |
//! | `//`, HOST | no `;` in the path | scheme of the base, `:`, the reference |
//! | `/` and a path | no `;`; not both `//` and `/.` in it | by relref |
//! | relative path without `:` in its first segment | no `;`; no `//` in it and in the base's path | by relref |
//! | `?…`, `#…` | something follows `?` and `#` | by relref |
//! | `#` | Python up to 3.13: later ones keep the `#` | the base up to its `#` |
//!
//! Why both agree there, by the code of `urllib.parse` of Python 3.10 to 3.14:
//! - `urlsplit` strips and removes only bytes up to 0x20; the reference does not start with a space, so nothing is removed.
//! - Its checks of the authority (brackets and what is in them, NFKC) find nothing wrong in a HOST. `urlunsplit` loses only
//!   delimiters with nothing after them, and `urlparse` only a `;` with nothing after it: there are none. So the parts are written
//!   back as they were. (`urljoin` of Python 3.14 keeps these, too.)
//! - A reference with another scheme is returned, and one with an authority is written back, its dot segments kept.
//! - Without a path, the base's path stays as it is, as in RFC 3986 §5.2.2. The empty fragment of `#` is lost.
//! - For other references, the segments of the merged path are taken one by one, as in RFC 3986 §5.2.4, with three differences.
//!   Empty segments of a merged path are removed: it has none. A `..` can remove the empty segment before the root, which
//!   `urlunsplit` then writes again; that is lost only if the next segment is empty, too, which needs `//` and a dot segment in
//!   one path. A last `.` or `..` leaves an empty segment, as there.
//!
//! Later versions of Python have not been read and tested, so there the standard library is always called.

use std::net::Ipv6Addr;
use std::sync::OnceLock;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyString};
use relref::Rules;

use crate::text::with_buffer;

/// The last version of Python for which the shortcut is proved.
const LAST_PYTHON: (u8, u8) = (3, 14);

/// True from Python 3.14 on: a reference with an empty fragment keeps it.
static KEEPS_EMPTY_FRAGMENT: OnceLock<bool> = OnceLock::new();

/// Return the absolute form of a URL, exactly as urllib.parse.urljoin does: same arguments, results and exceptions.
///
/// Nearly all pairs of real pages take a shortcut; the standard library is called for the others, and always in a Python later
/// than 3.14.
///
/// >>> urljoin("http://example.com/a/b", "../c")
/// 'http://example.com/c'
#[pyfunction]
#[pyo3(signature = (base, url, allow_fragments = Fragments(None)), text_signature = "(base, url, allow_fragments=True)")]
pub fn urljoin<'py>(
    py: Python<'py>,
    base: &Bound<'py, PyAny>,
    url: &Bound<'py, PyAny>,
    allow_fragments: Fragments<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    static URLJOIN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    if allow_fragments.are_allowed()?
        && is_proved(py)
        && let Some(done) = _urljoin_shortcut(base, url)
    {
        return Ok(done);
    }
    let urljoin = URLJOIN.import(py, "relref._standard", "urljoin")?;
    match allow_fragments.0 {
        None => urljoin.call1((base, url)),
        Some(allow_fragments) => urljoin.call1((base, url, allow_fragments)),
    }
}

pub fn is_proved(py: Python<'_>) -> bool {
    static IS_PROVED: PyOnceLock<bool> = PyOnceLock::new();
    *IS_PROVED.get_or_init(py, || version(py) <= LAST_PYTHON)
}

fn version(py: Python<'_>) -> (u8, u8) {
    let version = py.version_info();
    (version.major, version.minor)
}

/// Must be called before there are shortcuts.
pub fn init(py: Python<'_>) {
    let _ = KEEPS_EMPTY_FRAGMENT.set(version(py) >= (3, 14));
}

/// `None` if the argument is not given.
pub struct Fragments<'py>(Option<Bound<'py, PyAny>>);

impl Fragments<'_> {
    /// `True` or not given.
    fn are_allowed(&self) -> PyResult<bool> {
        match &self.0 {
            None => Ok(true),
            Some(argument) => Ok(argument.is_exact_instance_of::<PyBool>() && argument.is_truthy()?),
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for Fragments<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Fragments(Some(object.to_owned())))
    }
}

/// Return the result of the shortcut, or None.
#[pyfunction]
pub fn _urljoin_shortcut<'py>(base: &Bound<'py, PyAny>, url: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    // A subclass may split in another way. A string with lone surrogates is no text.
    let base = base.cast_exact::<PyString>().ok()?.to_str().ok()?;
    let reference = url.cast_exact::<PyString>().ok()?.to_str().ok()?;
    let base = UrljoinBase::new(base)?;
    match base.shortcut(reference)? {
        Shortcut::Whole => Some(url.clone()),
        shortcut => with_buffer(|out| {
            base.write(shortcut, reference, out)?;
            Some(PyString::new(url.py(), out).into_any())
        }),
    }
}

pub struct UrljoinBase<'a> {
    text: &'a str,
    /// The length of the scheme, in bytes.
    scheme_len: usize,
    path: &'a str,
}

pub enum Shortcut {
    /// The reference.
    Whole,
    /// The scheme of the base, and the reference.
    Authority,
    /// The base without its fragment.
    WithoutFragment,
    /// The result of relref.
    Relative,
}

impl<'a> UrljoinBase<'a> {
    /// `None` if there is no shortcut for the base.
    pub fn new(text: &'a str) -> Option<Self> {
        let scheme_len = if text.starts_with("https://") {
            5
        } else if text.starts_with("http://") {
            4
        } else {
            return None;
        };
        if text.bytes().any(|byte| byte < 0x20) {
            return None;
        }
        let path = after_host(&text[scheme_len + 3..])?;
        Some(UrljoinBase { text, scheme_len, path: kept_path(path)? })
    }

    fn without_fragment(&self) -> &'a str {
        &self.text[..self.text.find('#').unwrap_or(self.text.len())]
    }

    fn scheme(&self) -> &'a str {
        &self.text[..self.scheme_len]
    }

    /// `None` if relref refuses the base.
    pub fn write(&self, shortcut: Shortcut, reference: &str, out: &mut String) -> Option<()> {
        match shortcut {
            Shortcut::Whole => out.push_str(reference),
            Shortcut::WithoutFragment => out.push_str(self.without_fragment()),
            Shortcut::Authority => {
                out.push_str(self.scheme());
                out.push(':');
                out.push_str(reference);
            }
            Shortcut::Relative => relref::Base::new(self.text, Rules::RFC3986).ok()?.resolve_into(reference, out),
        }
        Some(())
    }

    pub fn shortcut(&self, reference: &str) -> Option<Shortcut> {
        let bytes = reference.as_bytes();
        if *bytes.first()? == b' ' || bytes.iter().any(|byte| *byte < 0x20) {
            return None;
        }
        if reference == "#" {
            let is_lost = !KEEPS_EMPTY_FRAGMENT.get().is_none_or(|keeps| *keeps);
            return is_lost.then_some(Shortcut::WithoutFragment);
        }
        let first = bytes.iter().position(|byte| matches!(byte, b':' | b'/' | b'?' | b'#'));
        if let Some(end) = first.filter(|end| bytes[*end] == b':') {
            return self.with_scheme(&reference[..end], &reference[end + 1..]);
        }
        if let Some(rest) = reference.strip_prefix("//") {
            kept_path(after_host(rest)?)?;
            return Some(Shortcut::Authority);
        }
        let path = kept_path(reference)?;
        let is_same = match path.as_bytes().first() {
            None => true,
            Some(b'/') => !(path.contains("//") && path.contains("/.")),
            Some(_) => !path.contains("//") && !self.path.contains("//"),
        };
        is_same.then_some(Shortcut::Relative)
    }

    fn with_scheme(&self, scheme: &str, rest: &str) -> Option<Shortcut> {
        let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
        if !is_scheme {
            return None;
        }
        let authority = rest.strip_prefix("//");
        if scheme.eq_ignore_ascii_case(self.scheme()) {
            kept_path(after_host(authority?)?)?;
            return (scheme == self.scheme()).then_some(Shortcut::Whole);
        }
        if let Some(authority) = authority.filter(|authority| !authority.starts_with('/')) {
            after_host(authority)?;
        }
        Some(Shortcut::Whole)
    }
}

/// Returns the text after the HOST (see above).
fn after_host(text: &str) -> Option<&str> {
    let end = text.bytes().position(|byte| matches!(byte, b'/' | b'?' | b'#')).unwrap_or(text.len());
    let (host, rest) = text.split_at(end);
    let port = if host.starts_with('[') {
        after_ipv6(host)?
    } else {
        let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        (!name.is_empty() && name.bytes().all(is_plain)).then_some(port)?
    };
    let is_port = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (port.is_empty() || port.strip_prefix(':').is_some_and(is_port)).then_some(rest)
}

/// An address that ends with an IPv4 address or has a zone does not count, as versions of Python differ in them.
pub fn after_ipv6(host: &str) -> Option<&str> {
    let (address, rest) = host.strip_prefix('[')?.split_once(']')?;
    let is_plain = |byte: u8| byte.is_ascii_hexdigit() || byte == b':';
    (address.bytes().all(is_plain) && address.parse::<Ipv6Addr>().is_ok()).then_some(rest)
}

/// `None` if the standard library would not write path, query and fragment back as they are.
fn kept_path(text: &str) -> Option<&str> {
    let end = text.bytes().position(|byte| matches!(byte, b'?' | b'#')).unwrap_or(text.len());
    let (path, rest) = text.split_at(end);
    let fragment = rest.bytes().position(|byte| byte == b'#');
    let query = &rest[..fragment.unwrap_or(rest.len())];
    let is_kept = !path.contains(';') && query != "?" && fragment.is_none_or(|at| at + 1 < rest.len());
    is_kept.then_some(path)
}
