//! The parser and the serializer of IPv4 addresses (URL Standard §3.5, §3.6).

use alloc::string::String;
use core::fmt::Write;
use core::net::Ipv4Addr;

use super::error::{ErrorKind, Failure};

/// The *ends in a number checker*: the last label is a number, or has only digits, such as `08`. A final dot is ignored.
pub(super) fn ends_in_a_number(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    // Only the last label is read: every host of a special scheme comes here, and nearly all end in a letter.
    let last = &host[host.bytes().rposition(|byte| byte == b'.').map_or(0, |dot| dot + 1)..];
    match last.as_bytes() {
        [b'0'..=b'9', ..] => last.bytes().all(|byte| byte.is_ascii_digit()) || ipv4_number(last.as_bytes()).is_some(),
        _ => false,
    }
}

/// The *IPv4 parser*. `report` gets the errors that do not end the parsing, with their byte offsets in the host.
pub(super) fn parse_ipv4(host: &str, mut report: impl FnMut(ErrorKind, usize)) -> Result<Ipv4Addr, Failure> {
    let parts = match host.strip_suffix('.') {
        Some(parts) => {
            report(ErrorKind::Ipv4EmptyPart, host.len());
            parts
        }
        None => host,
    };
    let count = parts.bytes().filter(|&byte| byte == b'.').count() + 1;
    if count < 4 {
        report(ErrorKind::Ipv4TooFewParts, 0);
    } else if count > 4 {
        return Err((ErrorKind::Ipv4TooManyParts, 0));
    }
    let mut address = 0;
    let mut at = 0;
    // Failure for a number that is too large waits until all parts are read: a part that is no number is the Standard's error
    // before that.
    let mut too_large = None;
    for (index, part) in parts.split('.').enumerate() {
        let Some((value, is_decimal)) = ipv4_number(part.as_bytes()) else {
            return Err((ErrorKind::Ipv4NonNumericPart, at));
        };
        if !is_decimal {
            report(ErrorKind::Ipv4NonDecimalPart, at);
        }
        let is_last = index == count - 1;
        // The last number also fills the bytes of the missing parts.
        let bits = if is_last { 8 * (4 - index as u32) } else { 8 };
        if value >> bits != 0 {
            too_large = too_large.or(Some(at));
        } else if value > 255 && too_large.is_none() {
            report(ErrorKind::Ipv4OutOfRangePart, at);
        }
        address |= if is_last { value } else { value << (8 * (3 - index)) };
        at += part.len() + 1;
    }
    match too_large {
        Some(at) => Err((ErrorKind::Ipv4OutOfRangePart, at)),
        None => Ok(Ipv4Addr::from(address as u32)),
    }
}

/// The *IPv4 number parser*. The flag is true for a decimal number. One that is too large for any address becomes 2³².
pub(crate) fn ipv4_number(text: &[u8]) -> Option<(u64, bool)> {
    let (digits, radix) = match text {
        [] => return None,
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        [b'0', digits @ ..] if !digits.is_empty() => (digits, 8),
        digits => (digits, 10),
    };
    let mut number = 0;
    for &digit in digits {
        let digit = char::from(digit).to_digit(radix)?;
        // The number may have any length. Above 32 bits it is too large in any place, and stays at that: nothing overflows, and no
        // digit is missed that is none.
        number = (number * u64::from(radix) + u64::from(digit)).min(1 << 32);
    }
    Some((number, radix == 10))
}

pub(super) fn push_ipv4(address: Ipv4Addr, out: &mut String) {
    write!(out, "{address}").expect("a string takes all");
}
