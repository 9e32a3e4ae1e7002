//! RFC 1738 §5: `genericurl`, and `url` with a production for each listed scheme.

use memchr::memchr;

use super::cursor::{Checked, Cursor, Production};
use super::host::{digits, host, hostport, login};
use crate::percent::ByteSet;
use crate::uri::UriRef;

const UCHAR: ByteSet = ByteSet::RFC1738;
const XCHAR: ByteSet = ByteSet::RFC1738_UNSAFE;
/// `search` too.
const HSEGMENT: ByteSet = UCHAR.without(ByteSet::new(b";:@&="));
const HPATH: ByteSet = HSEGMENT.remove(b'/');
/// Of segments between slashes: `fsegment` and `psegment`.
const FPATH: ByteSet = UCHAR.without(ByteSet::new(b"?:@&=/"));
/// `fieldname` and `fieldvalue`.
const FIELD: ByteSet = UCHAR.without(ByteSet::new(b"?:@&"));
const USER: ByteSet = UCHAR.without(ByteSet::new(b";?&="));
const ARTICLE: ByteSet = UCHAR.without(ByteSet::new(b";/?:&="));

const SCHEMES: [(&str, Production); 10] = [
    ("ftp", ftp),
    ("http", http),
    ("gopher", gopher),
    ("mailto", mailto),
    ("news", news),
    ("nntp", nntp),
    ("telnet", telnet),
    ("wais", wais),
    ("file", file),
    ("prospero", prospero),
];

/// The print lets any of these be an `otherurl` too (`http:x`); then no scheme's production would refuse anything, so
/// `otherurl` is for other schemes.
pub(super) fn url(uri: &UriRef) -> Checked {
    let scheme = uri.scheme().unwrap_or_default();
    let listed = SCHEMES.iter().find(|(name, _)| scheme.eq_ignore_ascii_case(name));
    listed.map_or(genericurl as Production, |&(_, production)| production)(Cursor::behind_scheme(uri))
}

/// Behind the scheme; every `ip-schemepart` is also `*xchar`.
pub(super) fn genericurl(cursor: Cursor) -> Checked {
    cursor.all(XCHAR, "a character of `schemepart`")
}

fn two_slashes(cursor: &mut Cursor) -> Checked {
    cursor.need("//", "`//`")
}

/// User and password may be empty.
fn any_login(cursor: &mut Cursor) -> Checked {
    two_slashes(cursor)?;
    login(cursor, |cursor| cursor.run(USER))
}

fn any_hostport(cursor: &mut Cursor) -> Checked {
    two_slashes(cursor)?;
    hostport(cursor)
}

fn search(cursor: Cursor) -> Checked {
    cursor.all(HSEGMENT, "a character of `search`")
}

fn ftp(mut cursor: Cursor) -> Checked {
    any_login(&mut cursor)?;
    if !cursor.eat("/") {
        return cursor.end("`/` and an `fpath`");
    }
    cursor.run(FPATH)?;
    if !cursor.eat(";type=") {
        return cursor.end("a character of `fpath`, or `;type=`");
    }
    if !cursor.peek().is_some_and(|code| b"AIDaid".contains(&code)) {
        return Err(cursor.error("an `ftptype`"));
    }
    cursor.skip(1);
    cursor.end("the end behind `ftptype`")
}

fn file(mut cursor: Cursor) -> Checked {
    two_slashes(&mut cursor)?;
    if !cursor.eat("/") {
        host(&mut cursor)?;
        cursor.need("/", "a character of `host`, or `/` and an `fpath`")?;
    }
    cursor.all(FPATH, "a character of `fpath`")
}

fn http(mut cursor: Cursor) -> Checked {
    any_hostport(&mut cursor)?;
    if !cursor.eat("/") {
        return cursor.end("`/` and an `hpath`");
    }
    cursor.run(HPATH)?;
    if cursor.eat("?") { search(cursor) } else { cursor.end("a character of `hpath`") }
}

/// The selector is `*xchar`, which takes any `%09`, search and Gopher+ string behind it as well.
fn gopher(mut cursor: Cursor) -> Checked {
    any_hostport(&mut cursor)?;
    if !cursor.eat("/") {
        return cursor.end("`/` and a `gtype`");
    }
    cursor.all(XCHAR, "a character of `gtype` and `selector`")
}

fn mailto(mut cursor: Cursor) -> Checked {
    cursor.some(XCHAR, "an `encoded822addr`")?;
    cursor.end("a character of `encoded822addr`")
}

/// `@` tells an article from a group (§3.6).
fn news(mut cursor: Cursor) -> Checked {
    if memchr(b'@', cursor.rest().as_bytes()).is_some() {
        cursor.some(ARTICLE, "an `article`")?;
        cursor.need("@", "a character of `article`, or `@`")?;
        host(&mut cursor)?;
        return cursor.end("a character of `host`");
    }
    if !cursor.eat("*") {
        group(&mut cursor)?;
        return cursor.end("a character of `group`");
    }
    cursor.end("the end behind `*`")
}

fn group(cursor: &mut Cursor) -> Checked {
    if !cursor.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
        return Err(cursor.error("a letter to start a `group`"));
    }
    cursor.take(|byte| byte.is_ascii_alphanumeric() || b"-.+_".contains(&byte));
    Ok(())
}

fn nntp(mut cursor: Cursor) -> Checked {
    any_hostport(&mut cursor)?;
    cursor.need("/", "`/` and a `group`")?;
    group(&mut cursor)?;
    if !cursor.eat("/") {
        return cursor.end("a character of `group`");
    }
    digits(&mut cursor, "`digits` of an article")?;
    cursor.end("a digit of an article")
}

fn telnet(mut cursor: Cursor) -> Checked {
    any_login(&mut cursor)?;
    cursor.eat("/");
    cursor.end("the end of the `telneturl`")
}

fn wais(mut cursor: Cursor) -> Checked {
    any_hostport(&mut cursor)?;
    cursor.need("/", "`/` and a `database`")?;
    cursor.run(UCHAR)?;
    if cursor.eat("?") {
        return search(cursor);
    }
    if !cursor.eat("/") {
        return cursor.end("a character of `database`");
    }
    cursor.run(UCHAR)?;
    cursor.need("/", "a character of `wtype`, or `/` and a `wpath`")?;
    cursor.all(UCHAR, "a character of `wpath`")
}

fn prospero(mut cursor: Cursor) -> Checked {
    any_hostport(&mut cursor)?;
    cursor.need("/", "`/` and a `ppath`")?;
    cursor.run(FPATH)?;
    let mut expected = "a character of `ppath`";
    while cursor.eat(";") {
        cursor.run(FIELD)?;
        cursor.need("=", "a character of `fieldname`, or `=`")?;
        cursor.run(FIELD)?;
        expected = "a character of `fieldvalue`";
    }
    cursor.end(expected)
}
