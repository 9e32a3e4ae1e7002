//! The authority: user, host and port.

use alloc::string::String;

use memchr::memrchr;

use super::change::Change;
use super::{Kind, Normalizer};
use crate::canon::lower_case;
use crate::scheme::{Authority, default_port};

impl Normalizer {
    /// Does what is to be done to the authority at the end of a text, and says whether it has a host then.
    pub(super) fn authority(&self, start: usize, scheme: &str, kind: Kind, out: &mut String) -> bool {
        if kind.is_web() && self.has(Change::DropUserinfo) {
            if let Some(at) = memrchr(b'@', &out.as_bytes()[start..]) {
                out.drain(start..=start + at);
            }
        }
        let authority = Authority::new(&out[start..], None);
        let mut port = out.len() - authority.port.map_or(0, |port| port.len() + 1);
        let host = port - authority.host.len();
        #[cfg(feature = "idna")]
        if kind.is_web() && self.has(Change::Idna) {
            port = super::idna::to_ascii(host, port, out);
        }
        if self.has(Change::Case) {
            lower_case(&mut out[host..port]);
        }
        if kind.is_web() && self.has(Change::DropWww) {
            let www = www(&out[host..port]);
            out.drain(host..host + www);
            port -= www;
        }
        if scheme.eq_ignore_ascii_case("file") {
            if self.has(Change::Localhost) && out[start..].eq_ignore_ascii_case("localhost") {
                out.truncate(start);
                return false;
            }
        } else if port < out.len() {
            let was_80 = |authority: &Authority<'_>| authority.port_number() == Some(80);
            let mut authority = Authority::new(&out[start..], default_port(scheme));
            let upgraded = self.has(Change::Upgrade) && scheme.eq_ignore_ascii_case("http");
            if upgraded && !was_80(&authority) {
                authority.default_port = Some(443);
            }
            if (self.has(Change::DefaultPort) || (upgraded && was_80(&authority))) && authority.has_needless_port() {
                out.truncate(port);
            }
        }
        port > host
    }
}

/// The length of what is `www.` at the start of a host and may go: two labels must be left.
fn www(host: &str) -> usize {
    let mut rest = host;
    while let Some((first, more)) = rest.split_once('.') {
        let labels = more.strip_suffix('.').unwrap_or(more);
        if !first.eq_ignore_ascii_case("www") || !labels.contains('.') {
            break;
        }
        rest = more;
    }
    host.len() - rest.len()
}
