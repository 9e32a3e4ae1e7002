//! `Normalizer::surt`: sort keys, in which the labels of the host are written from right to left.

use alloc::string::String;

use crate::scheme::Authority;
use crate::uri::UriRef;

/// `uri` is already in its normal form.
pub(super) fn push_surt(uri: &str, out: &mut String) {
    let split = UriRef::new(uri);
    let end = if split.authority().is_some() { split.query_end } else { uri.len() };
    let authority = Authority::new(split.authority().unwrap_or_default(), None);
    if split.scheme().is_none() || authority.host.is_empty() {
        out.push_str(&uri[..end]);
        return;
    }
    if authority.host.starts_with('[') {
        out.push_str(authority.host);
    } else {
        let host = authority.host.strip_suffix('.').unwrap_or(authority.host);
        for (number, label) in host.rsplit('.').enumerate() {
            out.push_str(if number == 0 { "" } else { "," });
            out.push_str(label);
        }
    }
    if let Some(port) = authority.port_text {
        out.push(':');
        out.push_str(port);
    }
    out.push(')');
    if split.path().is_empty() {
        out.push('/');
    }
    out.push_str(&uri[split.path_start..end]);
}
