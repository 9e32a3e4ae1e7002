//! The states of the authority (URL Standard §4.4): authority, host, port.

use alloc::string::String;
use core::fmt::Write;
use core::ops::Range;

use memchr::{memchr, memchr_iter, memrchr};

use super::encode_set::EncodeSet;
use super::error::ErrorKind;
use super::parser::{NextState, Parser};
use super::state::State;
use super::step::Action;

impl Parser<'_> {
    /// Leaves the pointer at the host.
    pub(super) fn authority_state(&mut self) -> NextState {
        self.out.push_str("//");
        self.has_host = true;
        let start = self.pointer;
        let authority = &self.rest()[..self.authority_len()];
        // The Standard goes back at each `@`, and encodes those before the last one. To search for the last first reads each byte
        // twice, not once for each `@`.
        let Some(userinfo) = memrchr(b'@', authority) else { return Ok(Some(State::Host)) };
        if self.inspection.is_some() {
            memchr_iter(b'@', authority).for_each(|at| self.report_error(ErrorKind::InvalidCredentials, start + at));
        }
        self.pointer += userinfo + 1;
        if authority.len() == userinfo + 1 {
            return self.fail(ErrorKind::HostMissing, self.pointer);
        }
        let username = memchr(b':', &authority[..userinfo]).unwrap_or(userinfo);
        self.encode(&self.input[start..start + username], EncodeSet::Userinfo);
        if username + 1 < userinfo {
            self.out.push(':');
            self.encode(&self.input[start + username + 1..start + userinfo], EncodeSet::Userinfo);
        }
        let end = start + userinfo;
        if username > 0 || username + 1 < userinfo {
            self.out.push('@');
            if username + 1 == userinfo {
                self.report_step(Action::PasswordDropped, end - 1..end, ":", "");
            }
        } else {
            self.report_step(Action::CredentialsDropped, start..end + 1, &self.input[start..end + 1], "");
        }
        Ok(Some(State::Host))
    }

    /// Leaves the pointer after the host, or after the `:` of a port.
    pub(super) fn host_state(&mut self) -> NextState {
        let rest = self.rest();
        let mut inside_brackets = false;
        let mut len = 0;
        while let Some(&c) = rest.get(len) {
            match c {
                b':' if !inside_brackets => break,
                b'[' => inside_brackets = true,
                b']' => inside_brackets = false,
                _ if self.ends_authority(c) => break,
                _ => {}
            }
            len += 1;
        }
        let has_port = rest.get(len) == Some(&b':');
        if len == 0 && (has_port || self.scheme.is_special()) {
            return self.fail(ErrorKind::HostMissing, self.pointer);
        }
        self.parse_host(self.pointer..self.pointer + len)?;
        self.pointer += len + usize::from(has_port);
        Ok(Some(if has_port { State::Port } else { State::PathStart }))
    }

    pub(super) fn port_state(&mut self) -> NextState {
        let start = self.pointer;
        let mut port = None;
        while let Some(digit @ b'0'..=b'9') = self.c() {
            // It stays too large once it is: a port may have any number of digits.
            port = Some((port.unwrap_or(0) * 10 + u32::from(digit - b'0')).min(1 << 16));
            self.pointer += 1;
        }
        if self.c().is_some_and(|c| !self.ends_authority(c)) {
            return self.fail(ErrorKind::PortInvalid, self.pointer);
        }
        let written = self.out.len();
        match port {
            Some(port) if port > u32::from(u16::MAX) => return self.fail(ErrorKind::PortOutOfRange, start),
            Some(port) if Some(port) != self.scheme.default_port().map(u32::from) => {
                write!(self.out, ":{port}").expect("a string takes all");
            }
            _ => {}
        }
        if self.inspection.is_some() {
            self.report_port(start - 1..self.pointer, String::from(&self.out[written..]));
        }
        Ok(Some(State::PathStart))
    }

    /// Reports a port that is not written as given. `range` is in `input`, with the colon.
    #[cold]
    fn report_port(&mut self, range: Range<usize>, written: String) {
        let text = &self.input[range.clone()];
        let action = match &*written {
            "" if text == ":" => Action::PortMissing,
            "" => Action::PortDropped,
            _ if text != written => Action::PortRewritten,
            _ => return,
        };
        self.report_step(action, range, text, &written);
    }

    fn authority_len(&self) -> usize {
        let rest = self.rest();
        rest.iter().position(|&c| self.ends_authority(c)).unwrap_or(rest.len())
    }

    #[inline(always)]
    fn ends_authority(&self, c: u8) -> bool {
        matches!(c, b'/' | b'?' | b'#') || c == b'\\' && self.scheme.is_special()
    }
}
