//! A naive reader of the grammars as the documents print them, with which validity is compared.
//!
//! The notation is close to the print: `"x"` is a literal, `{xyz}` one of the characters, `[ ]` is optional, `*[ ]` any number
//! of times, `|` separates alternatives, and `%xA0-D7FF` is one character of a range. A line is a production.

use std::collections::HashMap;
use std::sync::LazyLock;

use relref::UriRef;
use relref::validate::Grammar::{self, *};

enum Node {
    Literal(String),
    OneOf(String),
    Range(u32, u32),
    Name(String),
    Any(Vec<Vec<Node>>),
    Repeat(Vec<Vec<Node>>),
}

/// A grammar: its productions by name.
pub struct Bnf(HashMap<String, Vec<Vec<Node>>>);

impl Bnf {
    /// Reads the productions of several texts. A production replaces an earlier one of the same name.
    pub fn new(texts: &[&str]) -> Bnf {
        let lines = texts.iter().flat_map(|text| text.lines()).filter(|line| !line.trim().is_empty());
        let productions = lines.map(|line| {
            let (name, body) = line.split_once(" = ").unwrap_or_else(|| panic!("{line}"));
            (name.trim().to_string(), alternatives(&mut body.trim(), line))
        });
        Bnf(productions.collect())
    }

    /// Reports whether a text of up to 63 bytes is derivable from a production.
    pub fn derives(&self, start: &str, text: &str) -> bool {
        assert!(text.len() < 64);
        self.name(start, text, 1) >> text.len() & 1 != 0
    }

    /// Returns the byte indexes at which a production can end if it starts at one of `from`. Both are sets of indexes: bit
    /// `n` is index `n`.
    fn name(&self, name: &str, text: &str, from: u64) -> u64 {
        if from == 0 {
            return 0;
        }
        self.any(self.0.get(name).unwrap_or_else(|| panic!("no production `{name}`")), text, from)
    }

    fn any(&self, alternatives: &[Vec<Node>], text: &str, from: u64) -> u64 {
        let each = alternatives.iter().map(|nodes| nodes.iter().fold(from, |from, node| self.node(node, text, from)));
        each.fold(0, |all, to| all | to)
    }

    fn node(&self, node: &Node, text: &str, from: u64) -> u64 {
        let places = |len: usize, fits: &dyn Fn(&str) -> bool| {
            let starts = (0..=text.len()).filter(|&at| from >> at & 1 != 0 && text.get(at..at + len).is_some_and(fits));
            starts.fold(0, |to, at| to | 1 << (at + len))
        };
        match node {
            Node::Literal(literal) => places(literal.len(), &|here| here == literal),
            Node::OneOf(characters) => places(1, &|here| characters.contains(here)),
            Node::Range(first, last) => {
                let starts =
                    text.char_indices().filter(|&(at, c)| from >> at & 1 != 0 && (*first..=*last).contains(&c.into()));
                starts.fold(0, |to, (at, c)| to | 1 << (at + c.len_utf8()))
            }
            Node::Name(name) => self.name(name, text, from),
            Node::Any(alternatives) => from | self.any(alternatives, text, from),
            Node::Repeat(alternatives) => {
                let mut all = from;
                loop {
                    let more = all | self.any(alternatives, text, all);
                    if more == all {
                        return all;
                    }
                    all = more;
                }
            }
        }
    }
}

/// Reads alternatives up to a closing bracket or the end.
fn alternatives(rest: &mut &str, line: &str) -> Vec<Vec<Node>> {
    let mut all = vec![Vec::new()];
    loop {
        *rest = rest.trim_start();
        let until = |start: usize, end: &str| start + rest[start..].find(end).unwrap_or_else(|| panic!("{line}"));
        let (node, len) = match rest.as_bytes() {
            [] => return all,
            [b']', ..] => {
                *rest = &rest[1..];
                return all;
            }
            [b'|', ..] => {
                *rest = &rest[1..];
                all.push(Vec::new());
                continue;
            }
            [b'[', ..] => {
                *rest = &rest[1..];
                (Node::Any(alternatives(rest, line)), 0)
            }
            [b'*', b'[', ..] => {
                *rest = &rest[2..];
                (Node::Repeat(alternatives(rest, line)), 0)
            }
            [b'"', ..] => (Node::Literal(rest[1..until(1, "\"")].to_string()), until(1, "\"") + 1),
            [b'{', ..] => (Node::OneOf(rest[1..until(1, "}")].to_string()), until(1, "}") + 1),
            _ => {
                let len = rest.find([' ', ']', '|']).unwrap_or(rest.len());
                let name = &rest[..len];
                let code = |digits| u32::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("{line}"));
                let node = match name.strip_prefix("%x").and_then(|range| range.split_once('-')) {
                    Some((first, last)) => Node::Range(code(first), code(last)),
                    None => Node::Name(name.to_string()),
                };
                (node, len)
            }
        };
        *rest = &rest[len..];
        all.last_mut().expect("there is a first").push(node);
    }
}

static URL7_BNF: LazyLock<Bnf> = LazyLock::new(|| Bnf::new(&[COMMON, URL7, EARLY_DECIDED]));
static DRAFT_GENERIC_BNF: LazyLock<Bnf> =
    LazyLock::new(|| Bnf::new(&[COMMON, RFC1630_GENERIC, DRAFT_GENERIC, EARLY_GENERIC_DECIDED]));
static DRAFT_SPECIFIC_BNF: LazyLock<Bnf> = LazyLock::new(|| Bnf::new(&[COMMON, URL7, DRAFT_SPECIFIC, EARLY_DECIDED]));
static RFC1630_GENERIC_BNF: LazyLock<Bnf> =
    LazyLock::new(|| Bnf::new(&[COMMON, RFC1630_GENERIC, RFC1630_GENERIC_DECIDED]));
static RFC1630_SPECIFIC_BNF: LazyLock<Bnf> =
    LazyLock::new(|| Bnf::new(&[COMMON, RFC1630_SPECIFIC, RFC1630_SPECIFIC_DECIDED]));
static RFC1738_BNF: LazyLock<Bnf> = LazyLock::new(|| Bnf::new(&[COMMON, RFC1738, SCHEME_DECIDED]));
static RFC1808_BNF: LazyLock<Bnf> = LazyLock::new(|| Bnf::new(&[COMMON, RFC1808, SCHEME_DECIDED]));
static RFC2396_BNF: LazyLock<Bnf> = LazyLock::new(|| Bnf::new(&[COMMON, RFC2396, RFC2396_DECIDED]));
static RFC3987_BNF: LazyLock<Bnf> = LazyLock::new(|| Bnf::new(&[COMMON, RFC3987]));

/// Reports whether a text of up to 63 bytes is valid by the printed grammar, with our readings of its defects.
pub fn is_derived(text: &str, grammar: Grammar) -> bool {
    // A scheme is read in either case.
    let end = UriRef::new(text).scheme().map_or(0, str::len);
    let text = &(text[..end].to_ascii_lowercase() + &text[end..]);
    let is_listed = |schemes: &str| schemes.split(' ').any(|scheme| scheme == &text[..end]);
    let ip = is_listed("http ftp gopher news nntp telnet wais mailto prospero");
    match grammar {
        Url7Generic => URL7_BNF.derives("fragmentaddress", text),
        Url7Url if ip => URL7_BNF.derives("listed", text),
        Url7Url => URL7_BNF.derives("generic", text),
        DraftWwwUri00Generic => DRAFT_GENERIC_BNF.derives("fragmentaddress", text),
        DraftWwwUri00Url if ip || is_listed("mid cid") => DRAFT_SPECIFIC_BNF.derives("listed", text),
        DraftWwwUri00Url => DRAFT_SPECIFIC_BNF.derives("generic", text),
        Rfc1630Generic => RFC1630_GENERIC_BNF.derives("fragmentaddress", text),
        Rfc1630Url if ip || is_listed("mid cid") => RFC1630_SPECIFIC_BNF.derives("url", text),
        Rfc1630Url => RFC1630_GENERIC_BNF.derives("uri", text),
        Rfc1738Url if ip || is_listed("file") => RFC1738_BNF.derives("listed", text),
        Rfc1738Generic | Rfc1738Url => RFC1738_BNF.derives("genericurl", text),
        Rfc1808Url => RFC1808_BNF.derives("URL", text),
        Rfc1808Absolute => RFC1808_BNF.derives("absoluteURL", text),
        Rfc1808Generic => RFC1808_BNF.derives("generic-RL", text),
        // A text with a scheme is absolute (§2.4.2).
        Rfc1808Relative => end == 0 && RFC1808_BNF.derives("relativeURL", text),
        Rfc2396Uri => RFC2396_BNF.derives("absoluteURI", text),
        Rfc2396Reference => RFC2396_BNF.derives("URI-reference", text),
        Rfc2396Relative => RFC2396_BNF.derives("relativeURI", text),
        // RFC 3987 §3.1: "Every URI is by definition an IRI." Without its other characters, it prints the grammar of RFC 3986.
        Rfc3986Uri => text.is_ascii() && RFC3987_BNF.derives("IRI", text),
        Rfc3986Reference => text.is_ascii() && RFC3987_BNF.derives("IRI-reference", text),
        Rfc3987Iri => RFC3987_BNF.derives("IRI", text),
        Rfc3987Reference => RFC3987_BNF.derives("IRI-reference", text),
        _ => unreachable!("a grammar without a transcription"),
    }
}

/// The productions that all grammars share.
pub const COMMON: &str = r##"
alpha = {abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ}
digit = {0123456789}
digits = digit *[ digit ]
hex = digit | {abcdefABCDEF}
escape = "%" hex hex
void = ""
"##;

/// RFC 1630, BNF of Generic URI Syntax.
pub const RFC1630_GENERIC: &str = r##"
fragmentaddress = uri [ "#" fragmentid ]
uri = scheme ":" path [ "?" search ]
scheme = ialpha
path = void | xpalphas [ "/" path ]
search = xalphas [ "+" search ]
fragmentid = xalphas
xalpha = alpha | digit | safe | extra | escape
xalphas = xalpha [ xalphas ]
xpalpha = xalpha | "+"
xpalphas = xpalpha [ xpalpha ]
ialpha = alpha [ xalphas ]
safe = {$-_@.&}
extra = {!*"'(),}
"##;

/// The productions of RFC 1630's generic syntax that replace those with defects in print.
pub const RFC1630_GENERIC_DECIDED: &str = r##"
scheme = alpha *[ alpha | digit | {+-.} ]
path = *[ xpalpha | {/:;=} ]
fragmentid = void | xalphas
"##;

/// RFC 1630, BNF for specific URL schemes.
pub const RFC1630_SPECIFIC: &str = r##"
url = httpaddress | ftpaddress | newsaddress | nntpaddress | prosperoaddress | telnetaddress | gopheraddress | waisaddress | mailtoaddress | midaddress | cidaddress
httpaddress = "http:" "//" hostport [ "/" path ] [ "?" search ]
ftpaddress = "ftp:" "//" login "/" path [ ftptype ]
newsaddress = "news:" groupart
nntpaddress = "nntp:" group "/" digits
midaddress = "mid:" addr-spec
cidaddress = "cid:" content-identifier
mailtoaddress = "mailto:" xalphas "@" hostname
waisaddress = waisindex | waisdoc
waisindex = "wais:" "//" hostport "/" database [ "?" search ]
waisdoc = "wais:" "//" hostport "/" database "/" wtype "/" wpath
wpath = digits "=" path ";" [ wpath ]
groupart = "*" | group | article
group = ialpha [ "." group ]
article = xalphas "@" host
database = xalphas
wtype = xalphas
prosperoaddress = prosperolink
prosperolink = "prospero:" "//" hostport "/" hsoname [ "%00" version [ attributes ] ]
hsoname = path
version = digits
attributes = attribute [ attributes ]
attribute = alphanums
telnetaddress = "telnet:" "//" login
gopheraddress = "gopher:" "//" hostport [ "/" gtype [ gcommand ] ]
login = [ user [ ":" password ] "@" ] hostport
hostport = host [ ":" port ]
host = hostname | hostnumber
ftptype = "A" formcode | "E" formcode | "I" | "L" digits
formcode = {NTC}
hostname = ialpha [ "." hostname ]
hostnumber = digits "." digits "." digits "." digits
port = digits
gcommand = path
path = void | segment [ "/" path ]
segment = xpalphas
search = xalphas [ "+" search ]
user = alphanum2 [ user ]
password = alphanum2 [ password ]
gtype = xalpha
alphanum2 = alpha | digit | {-_.+}
xalpha = alpha | digit | safe | extra | escape
xalphas = xalpha [ xalphas ]
xpalpha = xalpha | "+"
xpalphas = xpalpha [ xpalphas ]
ialpha = alpha [ xalphas ]
safe = {$-_@.&+}
extra = {!*"'(),}
alphanum = alpha | digit
alphanums = alphanum [ alphanums ]
"##;

/// The productions of the specific URLs of RFC 1630 that replace those with defects in print.
pub const RFC1630_SPECIFIC_DECIDED: &str = r##"
path = *[ xpalpha | "/" ]
hostname = *[ domainlabel "." ] toplabel
domainlabel = alphanum | alphanum *[ alphanum | "-" ] alphanum
toplabel = alpha | alpha *[ alphanum | "-" ] alphanum
ftpaddress = "ftp:" "//" login "/" path [ ";type=" ftptype ]
ftptype = "A" [ formcode ] | "E" [ formcode ] | "I" | "L" digits
plain = alpha | digit | {$-_.&+!*"'(),} | escape
group = alpha *[ plain ]
nntpaddress = "nntp:" [ "//" hostport "/" ] group "/" digits
gopheraddress = "gopher:" "//" hostport [ "/" [ gtype [ gcommand ] ] ]
hsoname = *[ alpha | digit | safe | extra | "/" | "%" {123456789abcdefABCDEF} hex | "%0" {123456789abcdefABCDEF} ]
addr-spec = xalphas "@" plain *[ plain ]
content-identifier = addr-spec
"##;

/// RFC 1738 §5. The schemes that it lists are a production of their own here.
pub const RFC1738: &str = r##"
genericurl = scheme ":" schemepart
listed = httpurl | ftpurl | newsurl | nntpurl | telneturl | gopherurl | waisurl | mailtourl | fileurl | prosperourl
scheme = schemecharacter *[ schemecharacter ]
schemecharacter = alpha | digit | {+-.}
schemepart = *[ xchar ] | ip-schemepart
ip-schemepart = "//" login [ "/" urlpath ]
login = [ user [ ":" password ] "@" ] hostport
hostport = host [ ":" port ]
host = hostname | hostnumber
hostname = *[ domainlabel "." ] toplabel
domainlabel = alphadigit | alphadigit *[ alphadigit | "-" ] alphadigit
toplabel = alpha | alpha *[ alphadigit | "-" ] alphadigit
alphadigit = alpha | digit
hostnumber = digits "." digits "." digits "." digits
port = digits
user = *[ uchar | ";" | "?" | "&" | "=" ]
password = *[ uchar | ";" | "?" | "&" | "=" ]
urlpath = *[ xchar ]
ftpurl = "ftp://" login [ "/" fpath [ ";type=" ftptype ] ]
fpath = fsegment *[ "/" fsegment ]
fsegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
ftptype = "A" | "I" | "D" | "a" | "i" | "d"
fileurl = "file://" [ host | "localhost" ] "/" fpath
httpurl = "http://" hostport [ "/" hpath [ "?" search ] ]
hpath = hsegment *[ "/" hsegment ]
hsegment = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
search = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
gopherurl = "gopher://" hostport [ "/" [ gtype [ selector [ "%09" search [ "%09" gopher+_string ] ] ] ] ]
gtype = xchar
selector = *[ xchar ]
gopher+_string = *[ xchar ]
mailtourl = "mailto:" encoded822addr
encoded822addr = xchar *[ xchar ]
newsurl = "news:" grouppart
grouppart = "*" | group | article
group = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
article = articlecharacter *[ articlecharacter ] "@" host
articlecharacter = uchar | ";" | "/" | "?" | ":" | "&" | "="
nntpurl = "nntp://" hostport "/" group [ "/" digits ]
telneturl = "telnet://" login [ "/" ]
waisurl = waisdatabase | waisindex | waisdoc
waisdatabase = "wais://" hostport "/" database
waisindex = "wais://" hostport "/" database "?" search
waisdoc = "wais://" hostport "/" database "/" wtype "/" wpath
database = *[ uchar ]
wtype = *[ uchar ]
wpath = *[ uchar ]
prosperourl = "prospero://" hostport "/" ppath *[ fieldspec ]
ppath = psegment *[ "/" psegment ]
psegment = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
fieldspec = ";" fieldname "=" fieldvalue
fieldname = *[ uchar | "?" | ":" | "@" | "&" ]
fieldvalue = *[ uchar | "?" | ":" | "@" | "&" ]
safe = {$-_.+}
extra = {!*'(),}
reserved = {;/?:@&=}
unreserved = alpha | digit | safe | extra
uchar = unreserved | escape
xchar = unreserved | reserved | escape
"##;

/// URL7, BNF syntax. The schemes that it lists are a production of their own here.
pub const URL7: &str = r##"
fragmentaddress = uri [ "#" fragmentid ]
uri = url | generic
url = generic | listed
listed = httpaddress | ftpaddress | newsaddress | nntpaddress | prosperoaddress | telnetaddress | gopheraddress | waisaddress | mailtoaddress
generic = scheme ":" path [ "?" search ]
scheme = ialpha
httpaddress = "http:" "//" hostport [ "/" path ] [ "?" search ]
ftpaddress = "ftp:" "//" login "/" path
newsaddress = "news:" groupart
nntpaddress = "nntp:" group "/" digits
mailtoaddress = "mailto:" ":" xalphas "@" hostname
waisaddress = waisindex | waisdoc
waisindex = "wais:" "//" hostport "/" database [ "?" search ]
waisdoc = "wais:" "//" hostport "/" database "/" wtype "/" path
groupart = "*" | group | article
group = ialpha [ "." group ]
article = xalphas "@" host
database = xalphas
wtype = xalphas
prosperoaddress = prosperolink
prosperolink = "prospero:" "//" hostport "/" hsoname [ "%00" version [ attributes ] ]
hsoname = path
version = digits
attributes = attribute [ attributes ]
attribute = alphanums
telnetaddress = "telnet:" "//" login
gopheraddress = "gopher:" "//" hostport [ "/" gtype [ selector ] ] [ "?" search ]
login = [ user [ ":" password ] "@" ] hostport
hostport = host [ ":" port ]
host = hostname | hostnumber
hostname = ialpha [ "." hostname ]
hostnumber = digits "." digits "." digits "." digits
port = digits
selector = path
path = void | xpalphas [ "/" path ]
search = xalphas [ "+" search ]
user = xalphas
password = xalphas
fragmentid = xalphas
gtype = xalpha
xalpha = alpha | digit | safe | extra | escape
xalphas = xalpha [ xalphas ]
xpalpha = xalpha | "+"
xpalphas = xpalpha [ xpalpha ]
ialpha = alpha [ xalphas ]
alpha = {abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789}
safe = {$-_@.&+}
extra = {!*"'():;, }
alphanum = alpha | digit
alphanums = alphanum [ alphanums ]
"##;

/// draft-www-uri-00 §6: the production that differs from the generic BNF of RFC 1630.
pub const DRAFT_GENERIC: &str = r##"
extra = {!*"'():;, }
"##;

/// draft-www-uri-00 §6.1: the productions that differ from URL7.
pub const DRAFT_SPECIFIC: &str = r##"
listed = httpaddress | ftpaddress | newsaddress | nntpaddress | prosperoaddress | telnetaddress | gopheraddress | waisaddress | mailtoaddress | midaddress | cidaddress
midaddress = "mid:" addr-spec
cidaddress = "cid:" content-identifier
path = void | segment [ "/" path ]
segment = xpalphas
alpha = {abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ}
"##;

/// The productions of the generic BNF of the draft that replace those with defects in print.
pub const EARLY_GENERIC_DECIDED: &str = r##"
scheme = alpha *[ alpha | digit | {+-.} ]
path = *[ xpalpha | "/" ]
fragmentid = void | xalphas
"##;

/// The productions of URL7 and of the specific URLs of the draft that replace those with defects in print.
pub const EARLY_DECIDED: &str = r##"
alpha = {abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ}
scheme = alpha *[ alpha | digit | {+-.} ]
path = *[ xpalpha | "/" ]
fragmentid = void | xalphas
hostname = *[ domainlabel "." ] toplabel
domainlabel = alphanum | alphanum *[ alphanum | "-" ] alphanum
toplabel = alpha | alpha *[ alphanum | "-" ] alphanum
plain = alpha | digit | {$-_.&+!*"'():;, } | escape
group = alpha *[ plain ]
mailtoaddress = "mailto:" xalphas "@" hostname
nntpaddress = "nntp:" [ "//" hostport "/" ] group "/" digits
gopheraddress = "gopher:" "//" hostport [ "/" [ gtype [ selector ] ] ] [ "?" search ]
hsoname = *[ alpha | digit | safe | extra | "/" | "%" {123456789abcdefABCDEF} hex | "%0" {123456789abcdefABCDEF} ]
addr-spec = xalphas "@" plain *[ plain ]
content-identifier = addr-spec
"##;

/// RFC 1808 §2.2.
pub const RFC1808: &str = r##"
URL = absoluteURL [ "#" fragment ] | relativeURL [ "#" fragment ]
absoluteURL = generic-RL | scheme ":" *[ uchar | reserved ]
generic-RL = scheme ":" relativeURL
relativeURL = net_path | abs_path | rel_path
net_path = "//" net_loc [ abs_path ]
abs_path = "/" rel_path
rel_path = [ path ] [ ";" params ] [ "?" query ]
path = fsegment *[ "/" segment ]
fsegment = pchar *[ pchar ]
segment = *[ pchar ]
params = param *[ ";" param ]
param = *[ pchar | "/" ]
scheme = schemecharacter *[ schemecharacter ]
schemecharacter = alpha | digit | "+" | "-" | "."
net_loc = *[ pchar | ";" | "?" ]
query = *[ uchar | reserved ]
fragment = *[ uchar | reserved ]
pchar = uchar | ":" | "@" | "&" | "="
uchar = unreserved | escape
unreserved = alpha | digit | safe | extra
safe = "$" | "-" | "_" | "." | "+"
extra = "!" | "*" | "'" | "(" | ")" | ","
reserved = ";" | "/" | "?" | ":" | "@" | "&" | "="
"##;

/// The production of RFC 1738 and of RFC 1808 that replaces the one with a defect in print.
pub const SCHEME_DECIDED: &str = r##"
scheme = alpha *[ schemecharacter ]
"##;

/// RFC 2396, appendix A.
pub const RFC2396: &str = r##"
URI-reference = [ absoluteURI | relativeURI ] [ "#" fragment ]
absoluteURI = scheme ":" hier_part | scheme ":" opaque_part
relativeURI = net_path [ "?" query ] | abs_path [ "?" query ] | rel_path [ "?" query ]
hier_part = net_path [ "?" query ] | abs_path [ "?" query ]
opaque_part = uric_no_slash *[ uric ]
uric_no_slash = unreserved | escaped | {;?:@&=+$,}
net_path = "//" authority [ abs_path ]
abs_path = "/" path_segments
rel_path = rel_segment [ abs_path ]
rel_segment = rel_character *[ rel_character ]
rel_character = unreserved | escaped | {;@&=+$,}
scheme = alpha *[ alpha | digit | {+-.} ]
authority = server | reg_name
reg_name = reg_character *[ reg_character ]
reg_character = unreserved | escaped | {$,;:@&=+}
server = [ [ userinfo "@" ] hostport ]
userinfo = *[ unreserved | escaped | {;:&=+$,} ]
hostport = host [ ":" port ]
host = hostname | IPv4address
hostname = *[ domainlabel "." ] toplabel [ "." ]
domainlabel = alphanum | alphanum *[ alphanum | "-" ] alphanum
toplabel = alpha | alpha *[ alphanum | "-" ] alphanum
IPv4address = digits "." digits "." digits "." digits
port = *[ digit ]
path_segments = segment *[ "/" segment ]
segment = *[ pchar ] *[ ";" param ]
param = *[ pchar ]
pchar = unreserved | escaped | {:@&=+$,}
query = *[ uric ]
fragment = *[ uric ]
uric = reserved | unreserved | escaped
reserved = {;/?:@&=+$,}
unreserved = alphanum | mark
mark = {-_.!~*'()}
escaped = "%" hex hex
alphanum = alpha | digit
"##;

/// The production of RFC 2396 that replaces the one with a defect in print.
pub const RFC2396_DECIDED: &str = r##"
relativeURI = net_path [ "?" query ] | abs_path [ "?" query ] | rel_path [ "?" query ] | "?" query
"##;

/// RFC 3987 §2.2.
pub const RFC3987: &str = r##"
IRI = scheme ":" ihier-part [ "?" iquery ] [ "#" ifragment ]
ihier-part = "//" iauthority ipath-abempty | ipath-absolute | ipath-rootless | ipath-empty
IRI-reference = IRI | irelative-ref
irelative-ref = irelative-part [ "?" iquery ] [ "#" ifragment ]
irelative-part = "//" iauthority ipath-abempty | ipath-absolute | ipath-noscheme | ipath-empty
iauthority = [ iuserinfo "@" ] ihost [ ":" port ]
iuserinfo = *[ iunreserved | pct-encoded | sub-delims | ":" ]
ihost = IP-literal | IPv4address | ireg-name
ireg-name = *[ iunreserved | pct-encoded | sub-delims ]
ipath-abempty = *[ "/" isegment ]
ipath-absolute = "/" [ isegment-nz *[ "/" isegment ] ]
ipath-noscheme = isegment-nz-nc *[ "/" isegment ]
ipath-rootless = isegment-nz *[ "/" isegment ]
ipath-empty = void
isegment = *[ ipchar ]
isegment-nz = ipchar *[ ipchar ]
isegment-nz-nc = nc *[ nc ]
nc = iunreserved | pct-encoded | sub-delims | "@"
ipchar = iunreserved | pct-encoded | sub-delims | ":" | "@"
iquery = *[ ipchar | iprivate | "/" | "?" ]
ifragment = *[ ipchar | "/" | "?" ]
iunreserved = alpha | digit | "-" | "." | "_" | "~" | ucschar
ucschar = %xA0-D7FF | %xF900-FDCF | %xFDF0-FFEF | %x10000-1FFFD | %x20000-2FFFD | %x30000-3FFFD | %x40000-4FFFD | %x50000-5FFFD | %x60000-6FFFD | %x70000-7FFFD | %x80000-8FFFD | %x90000-9FFFD | %xA0000-AFFFD | %xB0000-BFFFD | %xC0000-CFFFD | %xD0000-DFFFD | %xE1000-EFFFD
iprivate = %xE000-F8FF | %xF0000-FFFFD | %x100000-10FFFD
scheme = alpha *[ alpha | digit | "+" | "-" | "." ]
port = *[ digit ]
IP-literal = "[" IPv6address "]" | "[" IPvFuture "]"
IPvFuture = {vV} hex *[ hex ] "." future *[ future ]
future = unreserved | sub-delims | ":"
IPv6address = g g g g g g ls32 | "::" g g g g g ls32 | [ h16 ] "::" g g g g ls32 | [ [ g ] h16 ] "::" g g g ls32 | [ [ g ] [ g ] h16 ] "::" g g ls32 | [ [ g ] [ g ] [ g ] h16 ] "::" g ls32 | [ [ g ] [ g ] [ g ] [ g ] h16 ] "::" ls32 | [ [ g ] [ g ] [ g ] [ g ] [ g ] h16 ] "::" h16 | [ [ g ] [ g ] [ g ] [ g ] [ g ] [ g ] h16 ] "::"
g = h16 ":"
h16 = hex [ hex ] [ hex ] [ hex ]
ls32 = h16 ":" h16 | IPv4address
IPv4address = dec-octet "." dec-octet "." dec-octet "." dec-octet
dec-octet = digit | {123456789} digit | "1" digit digit | "2" {01234} digit | "25" {012345}
pct-encoded = "%" hex hex
unreserved = alpha | digit | "-" | "." | "_" | "~"
sub-delims = "!" | "$" | "&" | "'" | "(" | ")" | "*" | "+" | "," | ";" | "="
"##;
