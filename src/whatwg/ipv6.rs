//! The parser and the serializer of IPv6 addresses (URL Standard §3.5, §3.6).

use alloc::string::String;
use core::fmt::Write;
use core::net::Ipv6Addr;

use super::error::{ErrorKind, Failure};

/// The *IPv6 parser*, without the brackets. `report` gets the errors that do not end the parsing, with byte offsets.
pub(super) fn parse_ipv6(text: &[u8], mut report: impl FnMut(ErrorKind, usize)) -> Result<Ipv6Addr, Failure> {
    // The Standard's steps to the letter, and not `Ipv6Addr::from_str`: that has one error without a place, and an inspection
    // names what is wrong and where.
    let mut pieces = [0; 8];
    let mut index = 0;
    let mut compress = None;
    let mut at = 0;
    let c = |at: usize| text.get(at).copied();
    if c(at) == Some(b':') {
        if c(at + 1) != Some(b':') {
            return Err((ErrorKind::Ipv6InvalidCompression, at));
        }
        at += 2;
        index += 1;
        compress = Some(index);
    }
    while let Some(first) = c(at) {
        if index == 8 {
            return Err((ErrorKind::Ipv6TooManyPieces, at));
        }
        if first == b':' {
            if compress.is_some() {
                return Err((ErrorKind::Ipv6MultipleCompression, at));
            }
            at += 1;
            index += 1;
            compress = Some(index);
            continue;
        }
        let start = at;
        let mut value = 0;
        while at - start < 4 {
            let Some(digit) = c(at).and_then(|c| char::from(c).to_digit(16)) else { break };
            value = value << 4 | digit as u16;
            at += 1;
        }
        match c(at) {
            Some(b'.') if at == start => return Err((ErrorKind::Ipv4InIpv6InvalidCodePoint, at)),
            Some(b'.') if index > 6 => return Err((ErrorKind::Ipv4InIpv6TooManyPieces, start)),
            Some(b'.') => {
                let [a, b, c, d] = parse_ipv4_at(text, start)?;
                pieces[index] = u16::from_be_bytes([a, b]);
                pieces[index + 1] = u16::from_be_bytes([c, d]);
                index += 2;
                break;
            }
            Some(b':') => {
                at += 1;
                if at == text.len() {
                    return Err((ErrorKind::Ipv6InvalidCodePoint, at));
                }
            }
            Some(_) => return Err((ErrorKind::Ipv6InvalidCodePoint, at)),
            None => {}
        }
        if text[start] == b'0' && text.get(start + 1).is_some_and(u8::is_ascii_hexdigit) {
            report(ErrorKind::Ipv6PieceLeadingZero, start);
        }
        pieces[index] = value;
        index += 1;
    }
    match compress {
        // The pieces after the compression move to the end.
        Some(compress) => pieces[compress..].rotate_right(8 - index),
        None if index < 8 => return Err((ErrorKind::Ipv6TooFewPieces, text.len())),
        None => {}
    }
    Ok(pieces.into())
}

fn parse_ipv4_at(text: &[u8], mut at: usize) -> Result<[u8; 4], Failure> {
    let mut numbers = [0; 4];
    let mut seen = 0;
    while let Some(&c) = text.get(at) {
        if seen > 0 {
            if c != b'.' || seen == 4 {
                return Err((ErrorKind::Ipv4InIpv6InvalidCodePoint, at));
            }
            at += 1;
        }
        let mut number = None;
        while let Some(digit @ b'0'..=b'9') = text.get(at) {
            let digit = u16::from(digit - b'0');
            number = match number {
                None => Some(digit),
                Some(0) => return Err((ErrorKind::Ipv4InIpv6InvalidCodePoint, at)),
                Some(number) => Some(number * 10 + digit),
            };
            if number > Some(255) {
                return Err((ErrorKind::Ipv4InIpv6OutOfRangePart, at));
            }
            at += 1;
        }
        let Some(number) = number else { return Err((ErrorKind::Ipv4InIpv6InvalidCodePoint, at)) };
        numbers[seen] = number as u8;
        seen += 1;
    }
    if seen == 4 { Ok(numbers) } else { Err((ErrorKind::Ipv4InIpv6TooFewParts, at)) }
}

/// The *IPv6 serializer*, with the brackets.
pub(super) fn push_ipv6(address: Ipv6Addr, out: &mut String) {
    let written = match address.segments() {
        // `Display` writes an IPv4 address at the end.
        [0, 0, 0, 0, 0, 0xffff, high, low] => write!(out, "[::ffff:{high:x}:{low:x}]"),
        _ => write!(out, "[{address}]"),
    };
    written.expect("a string takes all");
}
