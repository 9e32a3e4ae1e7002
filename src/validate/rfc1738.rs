//! The grammars of RFC 1738 §5: `genericurl`, and `url` with a production for each listed scheme.

use super::cursor::{Checked, Cursor};
use super::shared::*;
use crate::percent::ByteSet;
use crate::uri::UriRef;

/// Checks all of the text after the scheme and its colon.
type Production = fn(Cursor) -> Checked;

/// The characters of `uchar`, without escapes, as in the sets below, which all have these characters.
pub(super) const UCHAR: ByteSet = ByteSet::RFC1738.complement();
pub(super) const XCHAR: ByteSet = ByteSet::RFC1738_UNSAFE.complement();
/// The characters of `hsegment` and `search`.
const HSEGMENT_CHARS: ByteSet = UCHAR.union(ByteSet::new(b";:@&="));
const HPATH_CHARS: ByteSet = HSEGMENT_CHARS.add(b'/');
/// The characters of `fpath` and `ppath`: those of a segment, and the slash.
const FPATH_CHARS: ByteSet = UCHAR.union(ByteSet::new(b"?:@&=/"));
/// The characters of `fieldname` and `fieldvalue`.
const FIELD_CHARS: ByteSet = UCHAR.union(ByteSet::new(b"?:@&"));
const USER_CHARS: ByteSet = UCHAR.union(ByteSet::new(b";?&="));
/// The characters of `article` before its `@`.
const ARTICLE_CHARS: ByteSet = UCHAR.union(ByteSet::new(b";/?:&="));

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

/// The printed grammar also permits `otherurl` for a listed scheme (`http:x`). Then the production of that scheme would exclude
/// nothing, so here `otherurl` is only for schemes that are not listed.
pub(super) fn url(uri: &UriRef<&str>) -> Checked {
    let scheme = uri.scheme().unwrap_or_default();
    let listed = SCHEMES.iter().find(|(name, _)| scheme.eq_ignore_ascii_case(name));
    listed.map_or(genericurl as Production, |&(_, production)| production)(Cursor::after_scheme(uri))
}

/// Checks `*xchar`, which also permits every `ip-schemepart`.
pub(super) fn genericurl(cursor: Cursor) -> Checked {
    cursor.expect_only(XCHAR, "a character of `schemepart`")
}

/// User and password may be empty.
fn expect_ip_login(cursor: &mut Cursor) -> Checked {
    expect_two_slashes(cursor)?;
    expect_login(cursor, |cursor| cursor.take_many(USER_CHARS))
}

fn search(cursor: Cursor) -> Checked {
    cursor.expect_only(HSEGMENT_CHARS, "a character of `search`")
}

fn ftp(mut cursor: Cursor) -> Checked {
    expect_ip_login(&mut cursor)?;
    if !cursor.take("/") {
        return cursor.expect_end("`/` and an `fpath`");
    }
    cursor.take_many(FPATH_CHARS)?;
    if !cursor.take(";type=") {
        return cursor.expect_end("a character of `fpath`, or `;type=`");
    }
    if !cursor.peek().is_some_and(|code| b"AIDaid".contains(&code)) {
        return Err(cursor.error("an `ftptype`"));
    }
    cursor.take_bytes(1);
    cursor.expect_end("the end after `ftptype`")
}

fn file(mut cursor: Cursor) -> Checked {
    expect_two_slashes(&mut cursor)?;
    if !cursor.take("/") {
        expect_host(&mut cursor)?;
        cursor.expect("/", "a character of `host`, or `/` and an `fpath`")?;
    }
    cursor.expect_only(FPATH_CHARS, "a character of `fpath`")
}

fn http(mut cursor: Cursor) -> Checked {
    expect_ip_hostport(&mut cursor)?;
    if !cursor.take("/") {
        return cursor.expect_end("`/` and an `hpath`");
    }
    cursor.take_many(HPATH_CHARS)?;
    if cursor.take("?") { search(cursor) } else { cursor.expect_end("a character of `hpath`") }
}

/// The selector is `*xchar`, so that it includes what may come after it: `%09`, a search and a Gopher+ string.
fn gopher(mut cursor: Cursor) -> Checked {
    expect_ip_hostport(&mut cursor)?;
    if !cursor.take("/") {
        return cursor.expect_end("`/` and a `gtype`");
    }
    cursor.expect_only(XCHAR, "a character of `gtype` and `selector`")
}

fn mailto(mut cursor: Cursor) -> Checked {
    cursor.expect_some(XCHAR, "an `encoded822addr`")?;
    cursor.expect_end("a character of `encoded822addr`")
}

/// A text with `@` is an article (§3.6).
fn news(cursor: Cursor) -> Checked {
    group_or_article(cursor, expect_group, |cursor| {
        cursor.expect_some(ARTICLE_CHARS, "an `article`")?;
        cursor.expect("@", "a character of `article`, or `@`")
    })
}

fn expect_group(cursor: &mut Cursor) -> Checked {
    check_group_letter(cursor)?;
    cursor.take_while(|byte| byte.is_ascii_alphanumeric() || b"-.+_".contains(&byte));
    Ok(())
}

fn nntp(mut cursor: Cursor) -> Checked {
    expect_ip_hostport(&mut cursor)?;
    cursor.expect("/", "`/` and a `group`")?;
    expect_group(&mut cursor)?;
    if !cursor.take("/") {
        return cursor.expect_end("a character of `group`");
    }
    expect_digits(&mut cursor, "`digits` of an article")?;
    cursor.expect_end("a digit of an article")
}

fn telnet(mut cursor: Cursor) -> Checked {
    expect_ip_login(&mut cursor)?;
    cursor.take("/");
    cursor.expect_end("the end of the `telneturl`")
}

fn wais(mut cursor: Cursor) -> Checked {
    expect_ip_hostport(&mut cursor)?;
    cursor.expect("/", "`/` and a `database`")?;
    cursor.take_many(UCHAR)?;
    if cursor.take("?") {
        return search(cursor);
    }
    if !cursor.take("/") {
        return cursor.expect_end("a character of `database`");
    }
    cursor.take_many(UCHAR)?;
    cursor.expect("/", "a character of `wtype`, or `/` and a `wpath`")?;
    cursor.expect_only(UCHAR, "a character of `wpath`")
}

fn prospero(mut cursor: Cursor) -> Checked {
    expect_ip_hostport(&mut cursor)?;
    cursor.expect("/", "`/` and a `ppath`")?;
    cursor.take_many(FPATH_CHARS)?;
    let mut expected = "a character of `ppath`";
    while cursor.take(";") {
        cursor.take_many(FIELD_CHARS)?;
        cursor.expect("=", "a character of `fieldname`, or `=`")?;
        cursor.take_many(FIELD_CHARS)?;
        expected = "a character of `fieldvalue`";
    }
    cursor.expect_end(expected)
}
