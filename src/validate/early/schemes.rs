//! The productions for specific schemes of URL7, draft-www-uri-00 and RFC 1630.

use memchr::{memchr2, memrchr};

use super::Bnf;
use crate::validate::cursor::{Checked, Cursor};
use crate::validate::shared::*;

/// A function that checks whether all of a text after the scheme and its colon is derivable from the production of that scheme.
pub(super) type Production = fn(&Bnf, Cursor) -> Checked;

/// The schemes that the specific BNF lists, with the function that checks the production of each. URL7 does not list the last two.
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

/// Takes `//` and a `login`. Fails if they do not come next.
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

/// Takes a `login` whose user and password are `xalphas`. These permit `:` and `@`, so all up to the last `@` is of the user. Fails
/// if no `login` comes next.
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

/// Checks that the rest is a `search` of the specific BNF, read literally: `=` is not in `xalpha`, so `?a=b` is not a search.
fn search(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    cursor.expect_some(bnf.xalpha, "`xalphas` of `search`")?;
    cursor.expect_end("a character of `search`")
}

/// Checks that the rest is an `httpaddress` without its scheme.
fn http(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    expect_ip_hostport(&mut cursor)?;
    let mut expected = "`/` and a `path`, or `?` and a `search`";
    if cursor.take("/") {
        cursor.take_many(bnf.path())?;
        expected = "a character of `path`";
    }
    if cursor.take("?") { search(bnf, cursor) } else { cursor.expect_end(expected) }
}

/// Checks that the rest is an `ftpaddress` without its scheme. In the BNF of RFC 1630, `ftptype` follows the path directly, so it
/// would be part of the path. Here `;type=` must be before it, as *Data type* says. The others have no `ftptype`.
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

/// Takes an `ftptype`. Fails if none comes next. The printed BNF has a `formcode` after every `A` and `E`. *Data type* says `A` and
/// "the format defined in RFC 959", which has an optional form code. Both are accepted.
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

/// Takes a `group`: `ialpha [ . group ]`. Fails if none comes next, or at a `%` that starts no escape. Since `ialpha` permits
/// dots, this is the same as one `ialpha`. An `@` ends the group, in `news` as in `nntp`, because a text with `@` is an article in
/// `news`.
fn expect_group(bnf: &Bnf, cursor: &mut Cursor) -> Checked {
    check_group_letter(cursor)?;
    cursor.take_many(bnf.xalpha.remove(b'@'))
}

/// Checks that the rest is an `nntpaddress` without its scheme. The printed BNF has `nntp:group/digits`; the prose also names the
/// server, as RFC 1738 does. Both are accepted.
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

/// Checks that the rest is a `prosperoaddress` without its scheme. A `%00` ends the `hsoname`, and a version must follow it. The
/// BNF, read literally, also permits both as a part of the path.
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

/// Checks that the rest is a `telnetaddress` without its scheme.
fn telnet(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    expect_ip_login(bnf, &mut cursor)?;
    cursor.expect_end("the end of the `telnetaddress`")
}

/// Checks that the rest is a `gopheraddress` without its scheme. The printed BNF has a `gtype` after the slash; by *Gopher*, it may
/// be missing if the command or selector is void.
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

/// Checks that the rest is a `waisaddress` without its scheme: `waisindex | waisdoc`. In RFC 1630, the last line of `waisdoc`, with
/// the `wpath`, is missing; here a `wpath` is required. The others have a `path`.
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

/// Checks that the rest is a `mailtoaddress` without its scheme: `xalphas @ hostname`. URL7 and the draft print a second colon before
/// it, which is not required here: their `xalphas` permit it anyway.
fn mailto(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    expect_xalphas_and_at(bnf, &mut cursor)?;
    expect_hostname(&mut cursor)?;
    cursor.expect_end("a character of `hostname`")
}

/// Checks that the rest is an `addr-spec`, in `mid`, or a `content-identifier`, in `cid`. Both are from RFC 822 and not in the BNF.
/// Here they are `xalphas @ xalphas`.
fn addr_spec(bnf: &Bnf, mut cursor: Cursor) -> Checked {
    expect_xalphas_and_at(bnf, &mut cursor)?;
    cursor.expect_some(bnf.xalpha, "a domain after `@`")?;
    cursor.expect_end("a character of `addr-spec`")
}

/// Takes `xalphas @`, up to the last `@`, since `xalpha` permits `@`, too. Also checks that the text after that `@` has only
/// characters of `xalpha`, and does not take it. Fails if it has others, or if there is no `@`, or nothing before it.
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
