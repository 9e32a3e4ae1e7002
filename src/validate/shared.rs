//! The productions that the specific grammars share, from URL7 to RFC 1738: logins, hosts, news.
//!
//! `host` is that of RFC 1738: a name, or four groups of digits with dots between them. The labels of a name start and end with a
//! letter or digit; the last one starts with a letter.

use memchr::{memchr, memchr2};

use super::cursor::{Checked, Cursor};

/// `expect_user` takes a user or password, without `@`, `:` and `/`. If that must not be empty, it fails where it takes nothing.
pub(super) fn expect_login(cursor: &mut Cursor, expect_user: fn(&mut Cursor) -> Checked) -> Checked {
    let delimiter = memchr2(b'@', b'/', cursor.rest().as_bytes());
    if delimiter.is_some_and(|at| cursor.rest().as_bytes()[at] == b'@') {
        expect_user(cursor)?;
        let mut expected = "a character of `user`, or `:` or `@` after it";
        if cursor.take(":") {
            expect_user(cursor)?;
            expected = "a character of `password`, or `@` after it";
        }
        cursor.expect("@", expected)?;
    }
    expect_hostport(cursor)
}

pub(super) fn expect_ip_hostport(cursor: &mut Cursor) -> Checked {
    expect_two_slashes(cursor)?;
    expect_hostport(cursor)
}

pub(super) fn expect_two_slashes(cursor: &mut Cursor) -> Checked {
    cursor.expect("//", "`//`")
}

/// Fails if anything but `/`, `?` or the end comes after it.
pub(super) fn expect_hostport(cursor: &mut Cursor) -> Checked {
    expect_host(cursor)?;
    if cursor.take(":") {
        expect_digits(cursor, "a digit of `port`")?;
    }
    match cursor.peek() {
        None | Some(b'/' | b'?') => Ok(()),
        _ => Err(cursor.error("a character of `hostport`")),
    }
}

/// Takes a `hostnumber` if neither `.`, `-`, a letter nor a digit comes right after it, else a `hostname`.
pub(super) fn expect_host(cursor: &mut Cursor) -> Checked {
    let mut number = *cursor;
    let is_number = expect_hostnumber(&mut number).is_ok();
    if is_number && !number.peek().is_some_and(|byte| byte == b'.' || is_in_label(byte)) {
        *cursor = number;
        return Ok(());
    }
    expect_hostname(cursor)
}

fn expect_hostnumber(cursor: &mut Cursor) -> Checked {
    expect_digits(cursor, "a digit of `hostnumber`")?;
    for _ in 0..3 {
        cursor.expect(".", "`.` of `hostnumber`")?;
        expect_digits(cursor, "a digit of `hostnumber`")?;
    }
    Ok(())
}

pub(super) fn expect_hostname(cursor: &mut Cursor) -> Checked {
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
        if cursor.take(".") {
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

/// A text with `@` is an article, which must end with a host; `expect_before_host` takes it up to and with that `@`.
pub(super) fn group_or_article(
    mut cursor: Cursor,
    expect_group: impl FnOnce(&mut Cursor) -> Checked,
    expect_before_host: impl FnOnce(&mut Cursor) -> Checked,
) -> Checked {
    if memchr(b'@', cursor.rest().as_bytes()).is_some() {
        expect_before_host(&mut cursor)?;
        expect_host(&mut cursor)?;
        return cursor.expect_end("a character of `host`");
    }
    if !cursor.take("*") {
        expect_group(&mut cursor)?;
        return cursor.expect_end("a character of `group`");
    }
    cursor.expect_end("the end after `*`")
}

/// Does not take the letter.
pub(super) fn check_group_letter(cursor: &Cursor) -> Checked {
    match cursor.peek() {
        Some(byte) if byte.is_ascii_alphabetic() => Ok(()),
        _ => Err(cursor.error("a letter to start a `group`")),
    }
}

pub(super) fn expect_digits(cursor: &mut Cursor, expected: &'static str) -> Checked {
    cursor.expect_some_while(|byte| byte.is_ascii_digit(), expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text that is left after `production`, or the byte of its error.
    fn rest(production: fn(&mut Cursor) -> Checked, text: &str) -> Result<&str, usize> {
        let mut cursor = Cursor::new(text, 0, text.len());
        production(&mut cursor).map(|()| cursor.rest()).map_err(|error| error.position())
    }

    #[test]
    fn a_host_is_a_name_or_four_numbers() {
        for (text, expected) in [
            ("a.b-c.d1/x", Ok("/x")),
            ("1.2.3.4:5", Ok(":5")),
            ("3com.com", Ok("")),
            // The last label of a name starts with a letter.
            ("1.2.3", Err(4)),
            ("1.2.3.4.5", Err(8)),
            ("1.2.3.4x", Err(6)),
            ("1.2.3.4.x", Ok("")),
            ("1.2.3.4.", Err(8)),
            ("1.2.3.4-", Err(8)),
            ("a.b-.c", Err(4)),
            ("-a", Err(0)),
            ("", Err(0)),
        ] {
            assert_eq!(rest(expect_host, text), expected, "{text}");
        }
        assert_eq!(rest(expect_hostname, "1.2.3.4"), Err(6));
    }

    #[test]
    fn a_hostport_ends_before_a_path_or_a_search() {
        for (text, expected) in [("h:80/", Ok("/")), ("h?a", Ok("?a")), ("h", Ok("")), ("h:", Err(2)), ("h#", Err(1))] {
            assert_eq!(rest(expect_hostport, text), expected, "{text}");
        }
        assert_eq!(rest(expect_ip_hostport, "/h"), Err(0));
    }

    #[test]
    fn an_at_sign_after_a_slash_is_not_of_the_login() {
        let user = |cursor: &mut Cursor| cursor.expect_some_while(|byte| byte.is_ascii_alphabetic(), "a letter");
        let login = |text| {
            let mut cursor = Cursor::new(text, 0, text.len());
            expect_login(&mut cursor, user).map(|()| cursor.rest()).map_err(|error| error.position())
        };
        assert_eq!(login("u:p@h/a"), Ok("/a"));
        assert_eq!(login("h/a@b"), Ok("/a@b"));
        assert_eq!((login("u:@h"), login("u1@h"), login("u:p:q@h")), (Err(2), Err(1), Err(3)));
    }
}
