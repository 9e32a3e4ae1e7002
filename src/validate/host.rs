//! `login`, `hostport` and `host`, which the specific grammars of RFC 1630 and RFC 1738 share.
//!
//! `host` is RFC 1738's: labels start and end with a letter or digit, the last starts with a letter, or there are four
//! groups of digits.

use memchr::memchr2;

use super::cursor::{Checked, Cursor};

/// `[ user [ : password ] @ ] hostport`; `user` takes the characters of either, of which `@`, `:` and `/` are none.
pub(super) fn login(cursor: &mut Cursor, user: fn(&mut Cursor) -> Checked) -> Checked {
    let mark = memchr2(b'@', b'/', cursor.rest().as_bytes());
    if mark.is_some_and(|at| cursor.rest().as_bytes()[at] == b'@') {
        user(cursor)?;
        let mut expected = "a character of `user`, or `:` or `@` behind it";
        if cursor.eat(":") {
            user(cursor)?;
            expected = "a character of `password`, or `@` behind it";
        }
        cursor.need("@", expected)?;
    }
    hostport(cursor)
}

/// `host [ : port ]`; a path, a search or the end must follow.
pub(super) fn hostport(cursor: &mut Cursor) -> Checked {
    host(cursor)?;
    if cursor.eat(":") {
        digits(cursor, "a digit of `port`")?;
    }
    match cursor.peek() {
        None | Some(b'/' | b'?') => Ok(()),
        _ => Err(cursor.error("a character of `hostport`")),
    }
}

/// `hostname | hostnumber`.
pub(super) fn host(cursor: &mut Cursor) -> Checked {
    labels(cursor, true)
}

/// `*[ domainlabel . ] toplabel`.
pub(super) fn hostname(cursor: &mut Cursor) -> Checked {
    labels(cursor, false)
}

fn labels(cursor: &mut Cursor, number_too: bool) -> Checked {
    let mut digits_only = true;
    for count in 1_usize.. {
        let label = *cursor;
        if !label.peek().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            return Err(label.error("a `host`"));
        }
        let len = cursor.take(|byte| byte == b'-' || byte.is_ascii_alphanumeric());
        let bytes = &label.rest().as_bytes()[..len];
        if bytes.ends_with(b"-") {
            return Err(cursor.error("a letter or digit to end a label of `host`"));
        }
        digits_only &= bytes.iter().all(u8::is_ascii_digit);
        if cursor.eat(".") {
            continue;
        }
        if bytes[0].is_ascii_digit() && !(number_too && digits_only && count == 4) {
            return Err(label.error("a letter to start the last label of `host`"));
        }
        break;
    }
    Ok(())
}

/// `digits`: one or more.
pub(super) fn digits(cursor: &mut Cursor, expected: &'static str) -> Checked {
    cursor.take_some(|byte| byte.is_ascii_digit(), expected)
}
