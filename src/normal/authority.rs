//! Changes of the authority: userinfo, host and port.

use alloc::string::String;

use memchr::memchr;

use super::change::Change;
use super::uri_writer::{Family, UriWriter};
use crate::percent::octet;
use crate::scheme::{Authority, default_port};
use crate::whatwg::ip_address;

impl UriWriter<'_> {
    /// Changes the authority that `out` ends with; it starts at the byte `start`, after `//`. Returns true if a host is left.
    pub(super) fn change_authority(&self, start: usize, out: &mut String) -> bool {
        let is_web = self.family.is_web();
        let is_file = self.scheme.eq_ignore_ascii_case("file");
        if is_file && self.has(Change::Localhost) && out[start..].eq_ignore_ascii_case("localhost") {
            out.truncate(start);
            return false;
        }
        // The offsets are taken before any change, and `end` moves with the changes of the host: what is after it, the port, is
        // not split again until all of them are made.
        let authority = Authority::new(&out[start..], None);
        let drops_userinfo = is_web && self.has(Change::DropUserinfo)
            || self.family == Family::Http
                && self.has(Change::EmptyUserinfo)
                && matches!(authority.userinfo, Some("" | ":"));
        let mut end = out.len() - authority.port_text.map_or(0, |port| port.len() + 1);
        let host = end - authority.host.len();
        #[cfg(feature = "idna")]
        if is_web && self.has(Change::Idna) {
            if let Some(labels) = super::idna::a_labels(&out[host..end]) {
                out.replace_range(host..end, &labels);
                end = host + labels.len();
            }
        }
        if self.has(Change::Case) {
            lower_case(&mut out[host..end]);
        }
        if is_web && self.has(Change::DropWww) {
            let www = www_len(&out[host..end]);
            // A `[` that comes to the start could make an IP literal of what follows, and another host.
            if !out[host + www..].starts_with('[') {
                out.drain(host..host + www);
                end -= www;
            }
        }
        if is_web && self.has(Change::IpAddress) {
            let mut address = String::new();
            if ip_address(&out[host..end], &mut address) {
                out.replace_range(host..end, &address);
                end = host + address.len();
            }
        }
        if is_web && self.has(Change::FinalDot) && has_final_dot(&out[host..end]) {
            end -= 1;
            out.remove(end);
        }
        // The host that remains decides whether a colon starts the port.
        if end < out.len() && !is_file && self.drops_port(Authority::new(&out[host..], None)) {
            out.truncate(end);
        }
        // Without a host and what is around it, browsers would find a host in the path.
        let has_host = end > host;
        if drops_userinfo && has_host {
            out.drain(start..host);
        }
        has_host
    }

    fn drops_port(&self, authority: Authority<'_>) -> bool {
        let is_upgraded = self.has(Change::Upgrade) && self.scheme.eq_ignore_ascii_case("http");
        let is_80 = authority.port() == Some(80);
        let may_drop = match authority.port_text {
            Some("") => self.has(Change::EmptyPort),
            _ => self.has(Change::DefaultPort) || (is_upgraded && is_80),
        };
        // A port that stays when `http` becomes `https` is compared with the default port of `https`.
        let default = || if is_upgraded && !is_80 { Some(443) } else { default_port(self.scheme) };
        may_drop && !authority.host.is_empty() && Authority { default_port: default(), ..authority }.has_needless_port()
    }
}

/// Puts US-ASCII letters in lower case, except the hex digits of escapes.
pub(super) fn lower_case(text: &mut str) {
    let mut from = 0;
    while let Some(percent) = memchr(b'%', &text.as_bytes()[from..]) {
        let at = from + percent;
        text[from..at].make_ascii_lowercase();
        from = at + if octet(&text.as_bytes()[at..]).is_some() { 3 } else { 1 };
    }
    text[from..].make_ascii_lowercase();
}

fn has_final_dot(host: &str) -> bool {
    // Browsers read more characters as dots, also as escapes: without the last dot, the label before it would be empty.
    host.strip_suffix('.').is_some_and(|name| {
        let is_escape = name.len() > 2 && name.as_bytes()[name.len() - 3] == b'%';
        name.ends_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_') && !is_escape && !name.starts_with('[')
    })
}

/// Returns the length in bytes of the labels `www`, with or without digits, that `drop-www` removes with their dots: all of them, as
/// long as two labels are left.
fn www_len(host: &str) -> usize {
    let labels = host.strip_suffix('.').unwrap_or(host);
    // The host may be an IPv4 address.
    if labels.rsplit('.').next().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_digit())) {
        return 0;
    }
    let mut rest = host;
    while let Some((first, more)) = rest.split_once('.') {
        let labels = more.strip_suffix('.').unwrap_or(more);
        if !is_www(first) || !labels.contains('.') {
            break;
        }
        rest = more;
    }
    host.len() - rest.len()
}

/// `www\d*`, as the canonicalizers of web archives have it (surt, pywb).
fn is_www(label: &str) -> bool {
    let (www, digits) = label.as_bytes().split_at(label.len().min(3));
    www.eq_ignore_ascii_case(b"www") && digits.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::{lower_case, www_len};

    #[test]
    fn two_labels_are_left_after_www() {
        for (host, len) in [
            ("www.a.b", 4),
            ("WWW.www.a.b", 8),
            ("www.a", 0),
            ("www.a.", 0),
            ("www.www.a", 4),
            ("www2.WWW07.a.b", 11),
            ("www2x.a.b", 0),
            ("ww.a.b", 0),
            ("www2.com", 0),
            ("www.127.1", 0),
            ("www.a.0x7f.", 0),
            ("www.1.com", 4),
            ("", 0),
        ] {
            assert_eq!(www_len(host), len, "{host}");
        }
    }

    #[test]
    fn escapes_keep_their_digits() {
        for (host, lower) in [("A%C3%89B%2F", "a%C3%89b%2F"), ("A%C3%", "a%C3%"), ("%B", "%b"), ("%%AB%Ag", "%%AB%ag")]
        {
            let mut host = String::from(host);
            lower_case(&mut host);
            assert_eq!(host, lower);
        }
    }
}
