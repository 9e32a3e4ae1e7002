//! Hosts of web links, in a form in which they can be compared.

use alloc::borrow::Cow;
use alloc::string::String;

use super::parse;
use super::simple::simple_host_len;

/// Returns the host of an `http` URL as browsers write it. The empty host stays empty.
///
/// `None` if browsers do not accept the host, or if it is a name that DNS cannot have: a label must have 1 to 63 bytes, and the
/// whole name at most 253 (RFC 1035 §2.3.4).
pub(crate) fn web_host(host: &str) -> Option<Cow<'_, str>> {
    let is_simple = host.is_empty() || simple_host_len(host.as_bytes()) == Some(host.len());
    let host = if is_simple { Cow::Borrowed(host) } else { Cow::Owned(serialize("http://", host)?) };
    has_permitted_lengths(&host).then_some(host)
}

/// Returns the host of a `file` URL as browsers write it. It is empty if it is the local machine: for `localhost` in every spelling,
/// and for the empty host. `None` as for [`web_host`], and for a drive letter, which is no host.
pub(crate) fn file_host(host: &str) -> Option<Cow<'_, str>> {
    let is_simple = host.is_empty() || simple_host_len(host.as_bytes()) == Some(host.len()) && host != "localhost";
    let host = if is_simple { Cow::Borrowed(host) } else { Cow::Owned(serialize("file://", host)?) };
    has_permitted_lengths(&host).then_some(host)
}

/// Returns the host of a URL as the URL Standard serializes it; `None` if the Standard does not accept the host. `start` is a scheme
/// with `://`.
fn serialize(start: &str, host: &str) -> Option<String> {
    let is_bracketed = host.starts_with('[') && host.ends_with(']');
    if host.contains(['/', '\\', '?', '#', '@', '|', '\t', '\n', '\r']) || (host.contains(':') && !is_bracketed) {
        return None;
    }
    let href = parse(&[start, host, "/"].concat()).ok()?;
    Some(String::from(href.strip_prefix(start)?.strip_suffix('/')?))
}

/// Reports whether DNS permits the lengths of a serialized host: 1 to 63 bytes for each label, and at most 253 bytes for the whole
/// host, not counting a dot at its end. Also true for the empty host and for an IPv6 address.
fn has_permitted_lengths(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host);
    let is_label = |label: &str| (1..=63).contains(&label.len());
    host.is_empty() || host.starts_with('[') || (name.len() <= 253 && name.split('.').all(is_label))
}
