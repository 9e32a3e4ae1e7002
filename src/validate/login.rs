//! `login`, `hostport` and `host`, which the specific grammars of RFC 1630 and RFC 1738 share.
//!
//! `host` is RFC 1738's: a name whose labels start and end with a letter or digit, the last one starting with a letter, or
//! a number of four groups of digits.

use memchr::memchr2;

use super::cursor::{Checked, Cursor};

/// `[ user [ : password ] @ ] hostport`. `user` takes the characters of either, which exclude `@`, `:` and `/`.
pub(super) fn login(cursor: &mut Cursor, user: fn(&mut Cursor) -> Checked) -> Checked {
    let mark = memchr2(b'@', b'/', cursor.rest().as_bytes());
    if mark.is_some_and(|at| cursor.rest().as_bytes()[at] == b'@') {
        user(cursor)?;
        let mut expected = "a character of `user`, or `:` or `@` after it";
        if cursor.eat(":") {
            user(cursor)?;
            expected = "a character of `password`, or `@` after it";
        }
        cursor.expect("@", expected)?;
    }
    hostport(cursor)
}

/// `//` and `hostport`, as in `ip-schemepart` of RFC 1738.
pub(super) fn ip_hostport(cursor: &mut Cursor) -> Checked {
    two_slashes(cursor)?;
    hostport(cursor)
}

pub(super) fn two_slashes(cursor: &mut Cursor) -> Checked {
    cursor.expect("//", "`//`")
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
    let mut number = *cursor;
    let is_number = hostnumber(&mut number).is_ok();
    if is_number && !number.peek().is_some_and(|byte| byte == b'.' || is_in_label(byte)) {
        *cursor = number;
        return Ok(());
    }
    hostname(cursor)
}

/// `digits . digits . digits . digits`.
fn hostnumber(cursor: &mut Cursor) -> Checked {
    digits(cursor, "a digit of `hostnumber`")?;
    for _ in 0..3 {
        cursor.expect(".", "`.` of `hostnumber`")?;
        digits(cursor, "a digit of `hostnumber`")?;
    }
    Ok(())
}

/// `*[ domainlabel . ] toplabel`.
pub(super) fn hostname(cursor: &mut Cursor) -> Checked {
    loop {
        let label = *cursor;
        if !label.peek().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            return Err(label.error("a `host`"));
        }
        let len = cursor.take_while(is_in_label);
        let bytes = &label.rest().as_bytes()[..len];
        if bytes.ends_with(b"-") {
            return Err(cursor.error("a letter or digit to end a label of `host`"));
        }
        if cursor.eat(".") {
            continue;
        }
        if bytes[0].is_ascii_digit() {
            return Err(label.error("a letter to start the last label of `host`"));
        }
        return Ok(());
    }
}

fn is_in_label(byte: u8) -> bool {
    byte == b'-' || byte.is_ascii_alphanumeric()
}

/// `digits`: one or more.
pub(super) fn digits(cursor: &mut Cursor, expected: &'static str) -> Checked {
    cursor.take_some_while(|byte| byte.is_ascii_digit(), expected)
}
