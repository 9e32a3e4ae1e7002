//! RFC 1630: `fragmentaddress` of the generic BNF, and `url` of the BNF for specific schemes.

use memchr::memrchr;

use super::cursor::{Checked, Cursor, Production};
use super::host::{digits, host, hostname, hostport, login};
use crate::percent::ByteSet;
use crate::uri::UriRef;

/// `xalpha` of the generic BNF, whose `safe` has no `+`.
const WORD: ByteSet = ByteSet::RFC1630_WORD;
/// `xpalpha`, and `xalpha` of the specific BNF, whose `safe` has `+`: there `+` both separates the words of a search and
/// stands in them, and we take it as both.
const XALPHA: ByteSet = ByteSet::RFC1630;
/// The print has `void | xpalphas [ / path ]`: no slash at the start, void segments only at the end, and in the generic BNF
/// `xpalphas` of two characters at most. Then the document's own `magic://a/b/c//d/e/f` would not be derivable; we take
/// any number of segments of any length, in both BNFs.
const PATH: ByteSet = XALPHA.remove(b'/');
/// The generic path also has the reserved characters that the specific BNF puts behind the scheme: before a port or a
/// password, in `;type=`, in a WAIS path.
const GENERIC_PATH: ByteSet = PATH.without(ByteSet::new(b":;="));

const SCHEMES: [(&str, Production); 11] = [
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

/// A void fragment is valid, though the print has `xalphas`: "with or without the hash sign".
pub(super) fn fragmentaddress(uri: &UriRef) -> Checked {
    self::uri(uri)?;
    let mut fragment = Cursor::new(uri.as_str(), uri.query_end, uri.as_str().len());
    fragment.eat("#");
    fragment.all(WORD, "a character of `fragmentid`")
}

/// `uri`: what stands before the fragment.
fn uri(uri: &UriRef) -> Checked {
    Cursor::new(uri.as_str(), uri.scheme_end, uri.path_end).all(GENERIC_PATH, "a character of `path`")?;
    let mut search = Cursor::new(uri.as_str(), uri.path_end, uri.query_end);
    if search.eat("?") {
        search.some(WORD, "`xalphas` of `search`")?;
        while search.eat("+") {
            search.some(WORD, "`xalphas` of `search`")?;
        }
    }
    search.end("a character of `search`")
}

/// A scheme that the BNF does not list is a generic `uri`: also `file`, `rlogin`, `tn3270` and `urn`, which
/// are only in the prose, and `afs`, whose production is no `url`.
pub(super) fn url(uri: &UriRef) -> Checked {
    let scheme = uri.scheme().unwrap_or_default();
    match SCHEMES.iter().find(|(name, _)| scheme.eq_ignore_ascii_case(name)) {
        Some((_, production)) => production(Cursor::behind_scheme(uri)),
        None => {
            self::uri(uri)?;
            Cursor::new(uri.as_str(), uri.query_end, uri.as_str().len()).end("the end of the `uri`")
        }
    }
}

/// `//` and what stands before the first slash of the path.
fn any_hostport(cursor: &mut Cursor) -> Checked {
    cursor.need("//", "`//`")?;
    hostport(cursor)
}

/// User and password are `alphanum2`, of which there must be one.
fn any_login(cursor: &mut Cursor) -> Checked {
    cursor.need("//", "`//`")?;
    login(cursor, |cursor| {
        let alphanum2 = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.+".contains(&byte);
        cursor.take_some(alphanum2, "`alphanum2` of `user` or `password`")
    })
}

fn path(cursor: Cursor) -> Checked {
    cursor.all(PATH, "a character of `path`")
}

/// `=` and `;` are reserved and in no `xalpha`, so `?a=b` is no search; the print is kept to.
fn search(mut cursor: Cursor) -> Checked {
    cursor.some(XALPHA, "`xalphas` of `search`")?;
    cursor.end("a character of `search`")
}

fn http(mut cursor: Cursor) -> Checked {
    any_hostport(&mut cursor)?;
    let mut expected = "`/` and a `path`, or `?` and a `search`";
    if cursor.eat("/") {
        cursor.run(PATH)?;
        expected = "a character of `path`";
    }
    if cursor.eat("?") { search(cursor) } else { cursor.end(expected) }
}

/// `ftptype` stands right behind the path in print, where the path would take it; *Data type* has `;type=` before it.
fn ftp(mut cursor: Cursor) -> Checked {
    any_login(&mut cursor)?;
    cursor.need("/", "`/` and a `path`")?;
    cursor.run(PATH)?;
    if !cursor.eat(";type=") {
        return cursor.end("a character of `path`, or `;type=`");
    }
    ftptype(&mut cursor)?;
    cursor.end("the end behind `ftptype`")
}

/// The print has a `formcode` behind every `A` and `E`; *Data type* says `A` and "the format defined in RFC 959", where it
/// may be left out. Both are accepted.
fn ftptype(cursor: &mut Cursor) -> Checked {
    if cursor.eat("I") {
        return Ok(());
    }
    if cursor.eat("L") {
        return digits(cursor, "`digits` of `ftptype`");
    }
    if !cursor.eat("A") && !cursor.eat("E") {
        return Err(cursor.error("an `ftptype`"));
    }
    if cursor.peek().is_some_and(|code| b"NTC".contains(&code)) {
        cursor.skip(1);
    }
    Ok(())
}

/// `groupart`; `@` tells an article from a group (*News*), though `xalpha` has it.
fn news(mut cursor: Cursor) -> Checked {
    if cursor.rest().contains('@') {
        before_at(&mut cursor)?;
        host(&mut cursor)?;
        return cursor.end("a character of `host`");
    }
    if !cursor.eat("*") {
        group(&mut cursor)?;
        return cursor.end("a character of `group`");
    }
    cursor.end("the end behind `*`")
}

/// `ialpha [ . group ]`, which is an `ialpha`, for that has dots.
fn group(cursor: &mut Cursor) -> Checked {
    if !cursor.peek().is_some_and(|byte| byte.is_ascii_alphabetic()) {
        return Err(cursor.error("a letter to start a `group`"));
    }
    cursor.run(XALPHA.add(b'@'))
}

/// The print has `nntp:group/digits`; the prose names the server too, as RFC 1738 writes it. Both are accepted.
fn nntp(mut cursor: Cursor) -> Checked {
    if cursor.eat("//") {
        hostport(&mut cursor)?;
        cursor.need("/", "`/` and a `group`")?;
    }
    group(&mut cursor)?;
    cursor.need("/", "a character of `group`, or `/` and `digits`")?;
    digits(&mut cursor, "`digits` of an article")?;
    cursor.end("a digit of an article")
}

/// A `%00` ends the `hsoname`, and a version must follow it: to the letter, the path would take both as well.
fn prospero(mut cursor: Cursor) -> Checked {
    any_hostport(&mut cursor)?;
    cursor.need("/", "`/` and an `hsoname`")?;
    let Some(len) = cursor.rest().find("%00") else {
        return cursor.all(PATH, "a character of `hsoname`");
    };
    cursor.first(len).all(PATH, "a character of `hsoname`")?;
    cursor.skip(len + 3);
    digits(&mut cursor, "a `version` behind `%00`")?;
    cursor.take(|byte| byte.is_ascii_alphanumeric());
    cursor.end("a character of `attributes`")
}

fn telnet(mut cursor: Cursor) -> Checked {
    any_login(&mut cursor)?;
    cursor.end("the end of the `telnetaddress`")
}

/// The print has a `gtype` behind any slash; *Gopher* lets it be omitted where the command is void.
fn gopher(mut cursor: Cursor) -> Checked {
    any_hostport(&mut cursor)?;
    if !cursor.eat("/") {
        return cursor.end("`/` and a `gtype`");
    }
    if cursor.rest().is_empty() {
        return Ok(());
    }
    cursor.one(XALPHA, "a `gtype`")?;
    path(cursor)
}

/// `waisindex | waisdoc`, which lost its last line in print: a `wpath`.
fn wais(mut cursor: Cursor) -> Checked {
    any_hostport(&mut cursor)?;
    cursor.need("/", "`/` and a `database`")?;
    cursor.some(XALPHA, "a `database`")?;
    if cursor.eat("?") {
        return search(cursor);
    }
    if !cursor.eat("/") {
        return cursor.end("a character of `database`");
    }
    cursor.some(XALPHA, "a `wtype`")?;
    cursor.need("/", "a character of `wtype`, or `/` and a `wpath`")?;
    loop {
        digits(&mut cursor, "`digits` of a `wpath`")?;
        cursor.need("=", "a digit of a `wpath`, or `=`")?;
        cursor.run(PATH)?;
        cursor.need(";", "a character of `path`, or `;` to end it in `wpath`")?;
        if cursor.rest().is_empty() {
            return Ok(());
        }
    }
}

fn mailto(mut cursor: Cursor) -> Checked {
    before_at(&mut cursor)?;
    hostname(&mut cursor)?;
    cursor.end("a character of `hostname`")
}

/// `addr-spec` and `content-identifier` are RFC 822's, and not in the BNF: something, `@` and something.
fn addr_spec(mut cursor: Cursor) -> Checked {
    before_at(&mut cursor)?;
    cursor.some(XALPHA, "a domain behind `@`")?;
    cursor.end("a character of `addr-spec`")
}

/// `xalphas @`, up to the last `@`, for `xalpha` has it too.
fn before_at(cursor: &mut Cursor) -> Checked {
    let mut whole = *cursor;
    whole.run(XALPHA)?;
    whole.end("an `xalpha`")?;
    match memrchr(b'@', cursor.rest().as_bytes()) {
        None => Err(whole.error("`@`")),
        Some(0) => Err(cursor.error("`xalphas` before `@`")),
        Some(len) => {
            cursor.skip(len + 1);
            Ok(())
        }
    }
}
