//! The productions for specific schemes of URL7, draft-www-uri-00 and RFC 1630.

use memchr::{memchr2, memrchr};

use super::Bnf;
use crate::validate::cursor::{Checked, Cursor};
use crate::validate::shared::*;

/// Checks all of the text after the scheme and its colon.
pub(super) type Production = fn(&Bnf, Cursor) -> Checked;

/// URL7 does not list the last two.
pub(super) const SCHEMES: &[(&str, Production)] = &[
    ("http", http),
    ("ftp", ftp),
    ("news", news),
    ("nntp", nntp),
    ("prospero", prospero),
    ("telnet", telnet),
    ("gopher", gopher),
    ("wais", wais),
    ("mailto", mailto),
    ("mid", addr_spec),
    ("cid", addr_spec),
];

fn expect_ip_login(bnf: &Bnf, cursor: &mut Cursor) -> Checked {
    expect_two_slashes(cursor)?;
    if !bnf.has_alphanum2 {
        return expect_login_of_xalphas(bnf, cursor);
    }
    expect_login(cursor, |cursor| {
        let alphanum2 = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.+".contains(&byte);
        cursor.expect_some_while(alphanum2, "`alphanum2` of `user` or `password`")
    })
}

/// User and password are `xalphas`, which permit `:` and `@`: so all up to the last `@` is of the user.
fn expect_login_of_xalphas(bnf: &Bnf, cursor: &mut Cursor) -> Checked {
    let bytes = cursor.rest().as_bytes();
    let end = memchr2(b'/', b'?', bytes).unwrap_or(bytes.len());
    if let Some(len) = memrchr(b'@', &bytes[..end]) {
        let mut user = cursor.limited_to(len);
        user.expect_some(bnf.xalpha, "`xalphas` of `user` or `password`")?;
        user.expect_end("a character of `user` or `password`")?;
        cursor.take_bytes(len + 1);
    }
    expect_hostport(cursor)
}

/// Read literally: `=` is not in `xalpha`, so `?a=b` is not a search.
fn search(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    cursor.expect_some(bnf.xalpha, "`xalphas` of `search`")?;
    cursor.expect_end("a character of `search`")
}

fn http(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    expect_ip_hostport(&mut cursor)?;
    let mut expected = "`/` and a `path`, or `?` and a `search`";
    if cursor.take("/") {
        cursor.take_many(bnf.path())?;
        expected = "a character of `path`";
    }
    if cursor.take("?") { search(bnf, cursor) } else { cursor.expect_end(expected) }
}

/// Requires `;type=` before an `ftptype`, as *Data type* says. As printed in RFC 1630, `ftptype` would be part of the path.
fn ftp(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    expect_ip_login(bnf, &mut cursor)?;
    cursor.expect("/", "`/` and a `path`")?;
    cursor.take_many(bnf.path())?;
    if !bnf.has_ftptype {
        return cursor.expect_end("a character of `path`");
    }
    if !cursor.take(";type=") {
        return cursor.expect_end("a character of `path`, or `;type=`");
    }
    expect_ftptype(&mut cursor)?;
    cursor.expect_end("the end after `ftptype`")
}

/// The printed BNF has a `formcode` after every `A` and `E`; by *Data type* it is optional, as in RFC 959. Both are accepted.
fn expect_ftptype(cursor: &mut Cursor) -> Checked {
    if cursor.take("I") {
        return Ok(());
    }
    if cursor.take("L") {
        return expect_digits(cursor, "`digits` of `ftptype`");
    }
    if !cursor.take("A") && !cursor.take("E") {
        return Err(cursor.error("an `ftptype`"));
    }
    if cursor.peek().is_some_and(|code| b"NTC".contains(&code)) {
        cursor.take_bytes(1);
    }
    Ok(())
}

fn news(bnf: &Bnf, cursor: Cursor) -> Checked {
    // A text with `@` is an article (*News*), although `xalpha` also permits `@` in a group.
    group_or_article(cursor, |cursor| expect_group(bnf, cursor), |cursor| expect_xalphas_and_at(bnf, cursor))
}

/// Since `ialpha` permits dots, a group is one `ialpha`. An `@` ends it: in `news`, a text with `@` is an article.
fn expect_group(bnf: &Bnf, cursor: &mut Cursor) -> Checked {
    check_group_letter(cursor)?;
    cursor.take_many(bnf.xalpha.remove(b'@'))
}

/// The printed BNF has `nntp:group/digits`; the prose also names the server, as RFC 1738 does. Both are accepted.
fn nntp(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    if cursor.take("//") {
        expect_hostport(&mut cursor)?;
        cursor.expect("/", "`/` and a `group`")?;
    }
    expect_group(bnf, &mut cursor)?;
    cursor.expect("/", "a character of `group`, or `/` and `digits`")?;
    expect_digits(&mut cursor, "`digits` of an article")?;
    cursor.expect_end("a digit of an article")
}

/// A `%00` ends the `hsoname`, and a version must follow. Read literally, the BNF also permits both as a part of the path.
fn prospero(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    expect_ip_hostport(&mut cursor)?;
    cursor.expect("/", "`/` and an `hsoname`")?;
    let Some(len) = cursor.rest().find("%00") else {
        return cursor.expect_only(bnf.path(), "a character of `hsoname`");
    };
    cursor.limited_to(len).expect_only(bnf.path(), "a character of `hsoname`")?;
    cursor.take_bytes(len + 3);
    expect_digits(&mut cursor, "a `version` after `%00`")?;
    cursor.take_while(|byte| byte.is_ascii_alphanumeric());
    cursor.expect_end("a character of `attributes`")
}

fn telnet(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    expect_ip_login(bnf, &mut cursor)?;
    cursor.expect_end("the end of the `telnetaddress`")
}

/// Accepts a missing `gtype`: by *Gopher*, it may be missing if the command or selector is void. As printed, one follows the slash.
fn gopher(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    expect_ip_hostport(&mut cursor)?;
    let mut expected = "`/` and a `gtype`";
    if cursor.take("/") {
        expected = "a `gtype`";
        if cursor.take_one(bnf.xalpha)? {
            cursor.take_many(bnf.path())?;
            expected = "a character of `path`";
        }
    }
    if bnf.has_gopher_search && cursor.take("?") { search(bnf, cursor) } else { cursor.expect_end(expected) }
}

/// In RFC 1630, the last line of `waisdoc`, with the `wpath`, is missing; here a `wpath` is required.
fn wais(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    expect_ip_hostport(&mut cursor)?;
    cursor.expect("/", "`/` and a `database`")?;
    cursor.expect_some(bnf.xalpha, "a `database`")?;
    if cursor.take("?") {
        return search(bnf, cursor);
    }
    if !cursor.take("/") {
        return cursor.expect_end("a character of `database`");
    }
    cursor.expect_some(bnf.xalpha, "a `wtype`")?;
    if !bnf.has_wpath {
        cursor.expect("/", "a character of `wtype`, or `/` and a `path`")?;
        return cursor.expect_only(bnf.path(), "a character of `path`");
    }
    cursor.expect("/", "a character of `wtype`, or `/` and a `wpath`")?;
    loop {
        expect_digits(&mut cursor, "`digits` of a `wpath`")?;
        cursor.expect("=", "a digit of a `wpath`, or `=`")?;
        cursor.take_many(bnf.path())?;
        cursor.expect(";", "a character of `path`, or `;` to end it in `wpath`")?;
        if cursor.rest().is_empty() {
            return Ok(());
        }
    }
}

/// URL7 and the draft print a second colon first, which is not required here: their `xalphas` permit it anyway.
fn mailto(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    expect_xalphas_and_at(bnf, &mut cursor)?;
    expect_hostname(&mut cursor)?;
    cursor.expect_end("a character of `hostname`")
}

/// Both are from RFC 822 and not in the BNF. Here they are `xalphas @ xalphas`.
fn addr_spec(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    expect_xalphas_and_at(bnf, &mut cursor)?;
    cursor.expect_some(bnf.xalpha, "a domain after `@`")?;
    cursor.expect_end("a character of `addr-spec`")
}

/// Takes all up to the last `@`, since `xalpha` permits `@`, too. Checks the text after that, but does not take it.
fn expect_xalphas_and_at(bnf: &Bnf, cursor: &mut Cursor) -> Checked {
    let mut whole = *cursor;
    whole.take_many(bnf.xalpha)?;
    whole.expect_end("an `xalpha`")?;
    match memrchr(b'@', cursor.rest().as_bytes()) {
        None => Err(whole.error("`@`")),
        Some(0) => Err(cursor.error("`xalphas` before `@`")),
        Some(len) => {
            cursor.take_bytes(len + 1);
            Ok(())
        }
    }
}
