//! A naive reader of the grammars as the documents print them, with which validity is compared.
//!
//! The notation is close to the print: `"x"` is a literal, `{xyz}` one of the characters, `[ ]` is optional, `*[ ]` any number
//! of times, `|` separates alternatives. A line is a production.

use std::collections::HashMap;

enum Node {
    Literal(String),
    OneOf(String),
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
                (Node::Name(rest[..len].to_string()), len)
            }
        };
        *rest = &rest[len..];
        all.last_mut().expect("there is a first").push(node);
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

/// The productions of RFC 1738 that replace those with defects in print.
pub const RFC1738_DECIDED: &str = r##"
scheme = alpha *[ schemecharacter ]
"##;
