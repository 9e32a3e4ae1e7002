//! The host parser (URL Standard §3.5): domains, and hosts of schemes that are not special.

use alloc::borrow::Cow;
use alloc::string::String;
use core::ops::Range;

use memchr::memchr_iter;

use super::encode_set::EncodeSet;
use super::error::{Error, ErrorKind};
use super::ipv4::{ends_in_a_number, parse_ipv4, push_ipv4};
use super::ipv6::{parse_ipv6, push_ipv6};
use super::parser::Parser;
use super::step::Action;

use crate::percent::{ByteSet, decode_leaving_illegal, octet};

/// The *forbidden host code points* (§3.2).
const FORBIDDEN_IN_HOST: ByteSet = ByteSet::new(b"\0\t\n\r #/:<>?@[\\]^|");

/// The *forbidden domain code points* (§3.2), and all beyond US-ASCII, which a domain no longer has when it is tested.
static FORBIDDEN_IN_DOMAIN: [bool; 256] = FORBIDDEN_IN_HOST.union(ByteSet::WHATWG_C0_CONTROL).add(b'%').table();

/// Returns false, and appends nothing, if the host of a special scheme is no address. Escapes are not decoded.
pub(crate) fn ip_address(host: &str, out: &mut String) -> bool {
    if let Some(inside) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        parse_ipv6(inside.as_bytes(), |_, _| {}).map(|address| push_ipv6(address, out)).is_ok()
    } else if ends_in_a_number(host) {
        parse_ipv4(host, |_, _| {}).map(|address| push_ipv4(address, out)).is_ok()
    } else {
        false
    }
}

impl Parser<'_> {
    /// `range` is not empty if the scheme is special. After an error, the caller must remove the unfinished URL from `out`.
    pub(super) fn parse_host(&mut self, range: Range<usize>) -> Result<(), Error> {
        let host = &self.input[range.clone()];
        if host.starts_with('[') {
            if !host.ends_with(']') {
                return self.fail(ErrorKind::Ipv6Unclosed, range.end);
            }
            let start = range.start + 1;
            let inside = &host.as_bytes()[1..host.len() - 1];
            let address = parse_ipv6(inside, |kind, at| self.report_error(kind, start + at))
                .map_err(|(kind, at)| Error::new(kind, start + at))?;
            let start = self.out.len();
            push_ipv6(address, self.out);
            if self.inspection.is_some() {
                self.report_host(Action::Ipv6, range, host, start);
            }
            return Ok(());
        }
        if self.scheme.is_special() { self.push_domain(range) } else { self.push_opaque_host(range) }
    }

    fn push_opaque_host(&mut self, range: Range<usize>) -> Result<(), Error> {
        let host = &self.input[range.clone()];
        if let Some(at) = host.bytes().position(|byte| FORBIDDEN_IN_HOST.contains(byte)) {
            return self.fail(ErrorKind::HostInvalidCodePoint, range.start + at);
        }
        self.report_invalid_units(range);
        self.encode(host, EncodeSet::C0Control);
        Ok(())
    }

    /// Runs steps 4 to 9 of the *host parser*. `range` is not empty.
    fn push_domain(&mut self, range: Range<usize>) -> Result<(), Error> {
        let host = &self.input[range.clone()];
        // Borrowed, unless the host has an escape: most hosts go from the input to the output in one copy, and are then put in
        // lower case there.
        let domain = decode_leaving_illegal(host).to_bytes();
        if self.inspection.is_some() {
            let is_escape = |&at: &usize| octet(&host.as_bytes()[at..]).is_some();
            if let Some(at) = memchr_iter(b'%', host.as_bytes()).find(is_escape) {
                self.report_error(ErrorKind::DomainPercentEncoded, range.start + at);
                let decoded = String::from_utf8_lossy(&domain);
                self.report_step(Action::HostDecoded, range.clone(), host, &decoded);
            }
        }

        // The *domain parser* (§3.3).
        let start = self.out.len();
        let is_ascii = domain.is_ascii();
        if is_ascii {
            self.out.extend(core::str::from_utf8(&domain));
            self.out[start..].make_ascii_lowercase();
        } else {
            match to_ascii(&domain) {
                Ok(labels) if !labels.is_empty() => self.out.push_str(&labels),
                Ok(_) => return self.fail(ErrorKind::DomainToAscii, range.start),
                Err(kind) => return self.fail(kind, range.start),
            }
        }
        // The host is written first and tested where it stands, so that it needs no buffer; after an error, the caller drops the
        // whole URL.
        if let Some(at) = self.out[start..].bytes().position(|byte| FORBIDDEN_IN_DOMAIN[usize::from(byte)]) {
            let at = if is_ascii { position_of_octet(at, host) } else { 0 };
            return self.fail(ErrorKind::DomainInvalidCodePoint, range.start + at);
        }
        if self.inspection.is_some() {
            let action = if is_ascii { Action::HostLowercased } else { Action::HostToAscii };
            self.report_host(action, range.clone(), &String::from_utf8_lossy(&domain), start);
        }
        // In the Standard, the failures above are this same error, which it reports once.
        if self.inspection.is_some() && !is_strict(&domain) {
            self.report_error(ErrorKind::DomainToAscii, range.start);
        }

        if ends_in_a_number(&self.out[start..]) {
            if !is_ascii {
                self.report_error(ErrorKind::Ipv4NonAsciiInput, range.start);
            }
            let position = |at| range.start + if is_ascii { position_of_octet(at, host) } else { 0 };
            let error = |(kind, at)| Error::new(kind, position(at));
            let mut inspection = self.inspection.as_mut();
            let report = |kind, at| inspection.iter_mut().for_each(|found| found.add_error(error((kind, at))));
            let address = parse_ipv4(&self.out[start..], report).map_err(error)?;
            let host = self.inspection.is_some().then(|| String::from(&self.out[start..]));
            self.out.truncate(start);
            push_ipv4(address, self.out);
            if let Some(host) = host {
                self.report_host(Action::Ipv4, range, &host, start);
            }
        }
        Ok(())
    }

    /// Adds a step about a host if it, from the byte `start` of `out` on, is not written as `text`.
    #[cold]
    fn report_host(&mut self, action: Action, range: Range<usize>, text: &str, start: usize) {
        let written = String::from(&self.out[start..]);
        if written != text {
            self.report_step(action, range, text, &written);
        }
    }
}

/// Returns the byte offset in `host` of octet number `n`, from 0, of the decoded host.
fn position_of_octet(n: usize, host: &str) -> usize {
    let mut at = 0;
    for _ in 0..n {
        at += if octet(&host.as_bytes()[at..]).is_some() { 3 } else { 1 };
    }
    at
}

#[cfg(feature = "idna")]
fn to_ascii(domain: &[u8]) -> Result<Cow<'_, str>, ErrorKind> {
    // The *domain parser ToASCII* (§3.3), in its form that is not strict.
    idna::domain_to_ascii_cow(domain, idna::AsciiDenyList::EMPTY).map_err(|_| ErrorKind::DomainToAscii)
}

/// Always fails: without feature `idna`, no A-label can be made.
#[cfg(not(feature = "idna"))]
fn to_ascii(domain: &[u8]) -> Result<Cow<'_, str>, ErrorKind> {
    match core::str::from_utf8(domain) {
        Ok(_) => Err(ErrorKind::FeatureIdnaMissing),
        Err(_) => Err(ErrorKind::DomainToAscii),
    }
}

/// Runs the strict form of the *domain parser ToASCII* (§3.3). Without feature `idna`, always true.
fn is_strict(domain: &[u8]) -> bool {
    #[cfg(feature = "idna")]
    {
        use idna::uts46::{DnsLength, Hyphens, Uts46};
        let list = idna::AsciiDenyList::STD3;
        Uts46::new().to_ascii(domain, list, Hyphens::Check, DnsLength::Verify).is_ok()
    }
    #[cfg(not(feature = "idna"))]
    {
        let _ = domain;
        true
    }
}
