//! Hosts of web links, in a form in which they can be compared.

use alloc::borrow::Cow;
use alloc::string::String;

use super::parse::parse;
use super::simple::simple_host_len;

/// Returns the host of an `http` URL as browsers write it; `None` if they do not accept it.
pub(crate) fn web_host(host: &str) -> Option<Cow<'_, str>> {
    // Only a host that browsers may write in another way is parsed, as a whole URL: so there is no second way into the host
    // parser.
    let is_simple = host.is_empty() || simple_host_len(host.as_bytes()) == Some(host.len());
    Some(if is_simple { Cow::Borrowed(host) } else { Cow::Owned(serialize("http://", host)?) })
}

/// Like [`web_host`], of a `file` URL, where `localhost` is the empty host and a drive letter is none.
pub(crate) fn file_host(host: &str) -> Option<Cow<'_, str>> {
    let is_simple = host.is_empty() || simple_host_len(host.as_bytes()) == Some(host.len()) && host != "localhost";
    Some(if is_simple { Cow::Borrowed(host) } else { Cow::Owned(serialize("file://", host)?) })
}

/// `start` is a scheme with `://`.
fn serialize(start: &str, host: &str) -> Option<String> {
    let is_bracketed = host.starts_with('[') && host.ends_with(']');
    if host.contains(['/', '\\', '?', '#', '@', '|', '\t', '\n', '\r']) || (host.contains(':') && !is_bracketed) {
        return None;
    }
    let href = parse(&[start, host, "/"].concat()).ok()?;
    Some(String::from(href.strip_prefix(start)?.strip_suffix('/')?))
}

/// Reports whether DNS can have a host that browsers accept: its labels have 1 to 63 bytes, and all of it at most 253 without a final
/// dot (RFC 1035 §2.3.4). True for the empty host and IPv6, too.
pub(crate) fn fits_dns(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host);
    let is_label = |label: &str| (1..=63).contains(&label.len());
    host.is_empty() || host.starts_with('[') || (name.len() <= 253 && name.split('.').all(is_label))
}
