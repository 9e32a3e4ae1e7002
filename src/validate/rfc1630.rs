//! The grammars of RFC 1630: `fragmentaddress` of the generic BNF, and `url` of the BNF for specific schemes.

use memchr::memrchr;

use super::cursor::{Checked, Cursor, Production};
use super::shared::*;
use crate::percent::ByteSet;
use crate::uri::UriRef;

/// The characters of `xalpha` of the generic BNF, without escapes. Its `safe` has no `+`.
const GENERIC_XALPHA: ByteSet = ByteSet::RFC1630_WORD.complement();
/// The characters of `xpalpha`, and of `xalpha` of the specific BNF, without escapes. Their `safe` has `+`. In a search of the
/// specific BNF, `+` separates words and can also be a character of a word; both are accepted.
const XALPHA: ByteSet = ByteSet::RFC1630.complement();
/// The characters of a `path`, without escapes: the characters of a segment, and the slash.
///
/// The printed BNF has `void | xpalphas [ / path ]`: no slash at the start, void segments only at the end, and in the generic BNF
/// `xpalphas` of at most two characters. Then the document's own example `magic://a/b/c//d/e/f` would not be derivable. So here any
/// number of segments of any length is accepted, in both BNFs.
const PATH_CHARS: ByteSet = XALPHA.add(b'/');
/// The characters of the generic `path`, without escapes: also `:`, `;` and `=`, since the specific BNF has them after the scheme:
/// before a port or a password, in `;type=`, and in a WAIS path.
const GENERIC_PATH_CHARS: ByteSet = PATH_CHARS.union(ByteSet::new(b":;="));

/// The schemes that the specific BNF lists, with the function that checks the production of each.
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

/// Checks that a text with a scheme is a `fragmentaddress`: `uri [ # fragmentid ]`. A void fragment is valid, as *Fragment-id* says
/// ("with or without the hash sign"), although the printed BNF has `xalphas`.
pub(super) fn fragmentaddress(uri: &UriRef<&str>) -> Checked {
    self::uri(uri)?;
    let mut fragment = Cursor::new(uri.as_str(), uri.query_end, uri.as_str().len());
    fragment.take("#");
    fragment.expect_only(GENERIC_XALPHA, "a character of `fragmentid`")
}

/// Checks that the text between the scheme and the fragment is a `uri` of the generic BNF without its scheme: `path [ ? search ]`.
fn uri(uri: &UriRef<&str>) -> Checked {
    Cursor::new(uri.as_str(), uri.scheme_end, uri.path_end).expect_only(GENERIC_PATH_CHARS, "a character of `path`")?;
    let mut search = Cursor::new(uri.as_str(), uri.path_end, uri.query_end);
    if search.take("?") {
        search.expect_some(GENERIC_XALPHA, "`xalphas` of `search`")?;
        while search.take("+") {
            search.expect_some(GENERIC_XALPHA, "`xalphas` of `search`")?;
        }
    }
    search.expect_end("a character of `search`")
}

/// Checks that a text with a scheme is a `url`. If the BNF does not list the scheme, the text must be a generic `uri`. Not listed
/// are also `file`, `rlogin`, `tn3270` and `urn`, which are only in the prose, and `afs`, whose production is not an alternative of
/// `url`.
pub(super) fn url(uri: &UriRef<&str>) -> Checked {
    let scheme = uri.scheme().unwrap_or_default();
    match SCHEMES.iter().find(|(name, _)| scheme.eq_ignore_ascii_case(name)) {
        Some((_, production)) => production(Cursor::after_scheme(uri)),
        None => {
            self::uri(uri)?;
            Cursor::new(uri.as_str(), uri.query_end, uri.as_str().len()).expect_end("the end of the `uri`")
        }
    }
}

/// Takes `//` and a `login`, whose user and password are one or more `alphanum2`. Fails if they do not come next.
fn expect_ip_login(cursor: &mut Cursor) -> Checked {
    expect_two_slashes(cursor)?;
    expect_login(cursor, |cursor| {
        let alphanum2 = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.+".contains(&byte);
        cursor.expect_some_while(alphanum2, "`alphanum2` of `user` or `password`")
    })
}

/// Checks that the rest is a `path` as [`PATH_CHARS`] has it: any number of segments, also empty ones, and slashes anywhere. It may
/// be empty.
fn path(cursor: Cursor) -> Checked {
    cursor.expect_only(PATH_CHARS, "a character of `path`")
}

/// Checks that the rest is a `search` of the specific BNF, read literally: `=` and `;` are reserved and not in `xalpha`, so `?a=b`
/// is not a search.
fn search(mut cursor: Cursor) -> Checked {
    cursor.expect_some(XALPHA, "`xalphas` of `search`")?;
    cursor.expect_end("a character of `search`")
}

/// Checks that the rest is an `httpaddress` without its scheme.
fn http(mut cursor: Cursor) -> Checked {
    expect_ip_hostport(&mut cursor)?;
    let mut expected = "`/` and a `path`, or `?` and a `search`";
    if cursor.take("/") {
        cursor.take_many(PATH_CHARS)?;
        expected = "a character of `path`";
    }
    if cursor.take("?") { search(cursor) } else { cursor.expect_end(expected) }
}

/// Checks that the rest is an `ftpaddress` without its scheme. In the printed BNF, `ftptype` follows the path directly, so it would
/// be part of the path. Here `;type=` must be before it, as *Data type* says.
fn ftp(mut cursor: Cursor) -> Checked {
    expect_ip_login(&mut cursor)?;
    cursor.expect("/", "`/` and a `path`")?;
    cursor.take_many(PATH_CHARS)?;
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

/// Checks that the rest is a `groupart`. A text with `@` is an article (*News*), although `xalpha` also permits `@` in a group.
fn news(cursor: Cursor) -> Checked {
    group_or_article(cursor, expect_group, expect_xalphas_and_at)
}

/// Takes a `group`: `ialpha [ . group ]`. Fails if none comes next, or at a `%` that starts no escape. Since `ialpha` permits
/// dots, this is the same as one `ialpha`. An `@` ends the group, in `news` as in `nntp`, because a text with `@` is an article in
/// `news`.
fn expect_group(cursor: &mut Cursor) -> Checked {
    check_group_letter(cursor)?;
    cursor.take_many(XALPHA.remove(b'@'))
}

/// Checks that the rest is an `nntpaddress` without its scheme. The printed BNF has `nntp:group/digits`; the prose also names the
/// server, as RFC 1738 does. Both are accepted.
fn nntp(mut cursor: Cursor) -> Checked {
    if cursor.take("//") {
        expect_hostport(&mut cursor)?;
        cursor.expect("/", "`/` and a `group`")?;
    }
    expect_group(&mut cursor)?;
    cursor.expect("/", "a character of `group`, or `/` and `digits`")?;
    expect_digits(&mut cursor, "`digits` of an article")?;
    cursor.expect_end("a digit of an article")
}

/// Checks that the rest is a `prosperoaddress` without its scheme. A `%00` ends the `hsoname`, and a version must follow it. The
/// BNF, read literally, also permits both as a part of the path.
fn prospero(mut cursor: Cursor) -> Checked {
    expect_ip_hostport(&mut cursor)?;
    cursor.expect("/", "`/` and an `hsoname`")?;
    let Some(len) = cursor.rest().find("%00") else {
        return cursor.expect_only(PATH_CHARS, "a character of `hsoname`");
    };
    cursor.limited_to(len).expect_only(PATH_CHARS, "a character of `hsoname`")?;
    cursor.take_bytes(len + 3);
    expect_digits(&mut cursor, "a `version` after `%00`")?;
    cursor.take_while(|byte| byte.is_ascii_alphanumeric());
    cursor.expect_end("a character of `attributes`")
}

/// Checks that the rest is a `telnetaddress` without its scheme.
fn telnet(mut cursor: Cursor) -> Checked {
    expect_ip_login(&mut cursor)?;
    cursor.expect_end("the end of the `telnetaddress`")
}

/// Checks that the rest is a `gopheraddress` without its scheme. The printed BNF has a `gtype` after the slash; by *Gopher*, it may
/// be missing if the command is void.
fn gopher(mut cursor: Cursor) -> Checked {
    expect_ip_hostport(&mut cursor)?;
    if !cursor.take("/") {
        return cursor.expect_end("`/` and a `gtype`");
    }
    if cursor.rest().is_empty() {
        return Ok(());
    }
    cursor.expect_one(XALPHA, "a `gtype`")?;
    path(cursor)
}

/// Checks that the rest is a `waisaddress` without its scheme: `waisindex | waisdoc`. The last line of `waisdoc`, with the `wpath`,
/// is missing in the printed BNF; here a `wpath` is required.
fn wais(mut cursor: Cursor) -> Checked {
    expect_ip_hostport(&mut cursor)?;
    cursor.expect("/", "`/` and a `database`")?;
    cursor.expect_some(XALPHA, "a `database`")?;
    if cursor.take("?") {
        return search(cursor);
    }
    if !cursor.take("/") {
        return cursor.expect_end("a character of `database`");
    }
    cursor.expect_some(XALPHA, "a `wtype`")?;
    cursor.expect("/", "a character of `wtype`, or `/` and a `wpath`")?;
    loop {
        expect_digits(&mut cursor, "`digits` of a `wpath`")?;
        cursor.expect("=", "a digit of a `wpath`, or `=`")?;
        cursor.take_many(PATH_CHARS)?;
        cursor.expect(";", "a character of `path`, or `;` to end it in `wpath`")?;
        if cursor.rest().is_empty() {
            return Ok(());
        }
    }
}

/// Checks that the rest is a `mailtoaddress` without its scheme: `xalphas @ hostname`.
fn mailto(mut cursor: Cursor) -> Checked {
    expect_xalphas_and_at(&mut cursor)?;
    expect_hostname(&mut cursor)?;
    cursor.expect_end("a character of `hostname`")
}

/// Checks that the rest is an `addr-spec`, in `mid`, or a `content-identifier`, in `cid`. Both are from RFC 822 and not in the BNF.
/// Here they are `xalphas @ xalphas`.
fn addr_spec(mut cursor: Cursor) -> Checked {
    expect_xalphas_and_at(&mut cursor)?;
    cursor.expect_some(XALPHA, "a domain after `@`")?;
    cursor.expect_end("a character of `addr-spec`")
}

/// Takes `xalphas @`, up to the last `@`, since `xalpha` permits `@`, too. Also checks that the text after that `@` has only
/// characters of `xalpha`, and does not take it. Fails if it has others, or if there is no `@`, or nothing before it.
fn expect_xalphas_and_at(cursor: &mut Cursor) -> Checked {
    let mut whole = *cursor;
    whole.take_many(XALPHA)?;
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
