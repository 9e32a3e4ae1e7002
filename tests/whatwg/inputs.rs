//! Random bases and references that have what the URL Standard is about: special schemes, backslashes, drive letters, hosts in
//! every spelling, characters that are encoded in one component only.

use quickcheck::{Arbitrary, Gen};

/// A random base and a random reference. Each may be invalid.
#[derive(Clone, Debug)]
pub struct Pair {
    pub base: String,
    pub reference: String,
}

/// Returns a random number below `n`.
fn random_below(g: &mut Gen, n: usize) -> usize {
    usize::arbitrary(g) % n
}

/// Returns a random one of these texts.
fn pick<'a>(g: &mut Gen, from: &[&'a str]) -> &'a str {
    from[random_below(g, from.len())]
}

const SCHEMES: &[&str] = &[
    "http:",
    "http:",
    "http:",
    "https:",
    "https:",
    "file:",
    "file:",
    "ws:",
    "wss:",
    "ftp:",
    "foo:",
    "foo:",
    "mailto:",
    "javascript:",
    "data:",
    "HTTP:",
    "File:",
    "h-1.+x:",
    "blob:",
    "1:",
    "a%62:",
    "about:",
    "Foo:",
    "ht\ntp:",
];

const HOSTS: &[&str] = &[
    "h",
    "h",
    "a.b",
    "a.b",
    "example.com",
    "EX-ample.com",
    "a_b.c",
    "xn--a",
    "XN--A",
    "1.2.3.4",
    "1.2.3.4.",
    "0x7f.1",
    "010.1",
    "1.2.3.4.5",
    "256.1",
    "0x",
    "0xg",
    "a.0x",
    "a.09",
    "09",
    "a.1",
    "a.1a",
    "1a",
    "4294967296",
    "1e9",
    "[::1]",
    "[1::2:3]",
    "[::1.2.3.4]",
    "[::ffff:1.2.3.256]",
    "[1:2:3:4:5:6:7:8]",
    "[1:2:3:4:5:6:7::]",
    "[0:0:1:0:0:0:1:0]",
    "[::01]",
    "[:1]",
    "[1:2]",
    "[::1",
    "[::g]",
    "[v1.a]",
    "a%41b",
    "%30x7f.1",
    "a%2fb",
    "a%",
    "a%2",
    "%C3%A9",
    "é",
    "É.x",
    "bücher.de",
    "ß",
    "①.②.③.④",
    "\u{AD}",
    "a\u{AD}b",
    "a\u{200D}b",
    "xn--é",
    "日本。jp",
    "a b",
    "a<b",
    "a^b",
    "a|b",
    "a\u{7f}b",
    "a\u{1}b",
    "",
    "",
    "..",
    ".",
    "a.",
    "a..b",
    "localhost",
    "LocalHost",
    "C:",
    "c|",
    "%FF",
    "%EF%BB%BF",
    "a\u{FFFD}",
    "a\tb",
    "-",
    "_",
    "*",
    "a!$&'()*+,;=b",
    "~",
    "xn--",
    "faß.1",
    "٣.1",
    "1.2.3.４",
];

const AFTER_HOSTS: &[&str] = &[
    "",
    "",
    "",
    "",
    "",
    ":80",
    ":443",
    ":8080",
    ":",
    ":0",
    ":00080",
    ":65535",
    ":65536",
    ":99999999999",
    ":8a",
    ":-1",
    ": 80",
    ":8\t0",
    ":21",
    ":080",
];

const USERS: &[&str] = &[
    "",
    "",
    "",
    "",
    "",
    "",
    "",
    "u@",
    "u:p@",
    ":p@",
    "u:@",
    ":@",
    "@",
    "u@v@",
    "u:p:q@",
    "é;=|@",
    "%@",
    "u%41:\"'^`{}@",
    "a@b:c@d@",
    "[]@",
];

const SEGMENTS: &[&str] = &[
    "a",
    "a",
    "b",
    "c.html",
    ".",
    ".",
    "..",
    "..",
    "..",
    "%2e",
    "%2E%2e",
    ".%2e",
    "%2e.",
    "%2e%2e%2e",
    "...",
    ".a",
    "a.",
    "",
    "",
    "a b",
    "é",
    "%",
    "%4",
    "%zz",
    "%41",
    "%2f",
    "%5c",
    "\"",
    "<",
    ">",
    "^",
    "`",
    "{",
    "}",
    "|",
    "'",
    "C:",
    "C|",
    "c:",
    "C:x",
    "C|a",
    "/C|",
    ":",
    "a:b",
    "@",
    ";",
    "=",
    "!$&'()*+,",
    "~",
    "[",
    "]",
    "\u{0}",
    "\u{1F}",
    "\u{7F}",
    "\u{80}",
    "\t",
    "\n",
    " ",
    "  ",
    "#",
    "?",
    "\\",
    "\\\\",
    "http:",
    "日本",
    "\u{10FFFF}",
    "\u{FDD0}",
    "\u{D7FF}\u{E000}",
    "Москва и область",
    "%D0%BCи%2e",
    "Заглавная страница энциклопедии, которую может редактировать каждый",
];

const SLASHES: &[&str] = &["/", "/", "/", "/", "/", "/", "\\", "//", "///", "/\\", "/\t/", ""];

const QUERIES: &[&str] = &[
    "",
    "",
    "",
    "",
    "?",
    "?q",
    "?q",
    "?a=b&c",
    "?\"",
    "?'",
    "?<>",
    "?`{}^|\\",
    "?é",
    "?%",
    "?a b",
    "?../x",
    "?/.",
    "?\u{0}",
    "?a?b",
    "?日本",
    "? ",
    "?привет мир",
    "?é\t%2e",
    "?a/../é\\",
];

const FRAGMENTS: &[&str] = &[
    "",
    "",
    "",
    "",
    "#",
    "#f",
    "#f",
    "#`",
    "#\"",
    "#<>",
    "#'{}^|\\",
    "#é",
    "#%",
    "#a b",
    "#a#b",
    "#../x",
    "# ",
    "#\u{1}",
    "#まとめ",
    "#é/\n.",
];

/// Appends a random path.
fn path(g: &mut Gen, out: &mut String) {
    for at in 0..random_below(g, 6) {
        if at > 0 {
            out.push_str(pick(g, SLASHES));
        }
        out.push_str(pick(g, SEGMENTS));
    }
    if random_below(g, 4) == 0 {
        out.push_str(pick(g, SLASHES));
    }
}

/// Appends a random authority, with the slashes before it.
fn authority(g: &mut Gen, out: &mut String) {
    out.push_str(pick(g, &["//", "//", "//", "//", "//", "//", "///", "/", "\\\\", "/\\", "////", ""]));
    out.push_str(pick(g, USERS));
    let host = if random_below(g, 3) == 0 { pick(g, HOSTS) } else { pick(g, &HOSTS[..6]) };
    out.push_str(host);
    out.push_str(pick(g, AFTER_HOSTS));
}

/// Appends a random path, query and fragment, as they may follow an authority.
fn rest(g: &mut Gen, out: &mut String) {
    if random_below(g, 4) > 0 {
        out.push_str(pick(g, SLASHES));
        path(g, out);
    }
    out.push_str(pick(g, QUERIES));
    out.push_str(pick(g, FRAGMENTS));
}

/// Returns a random base, which may be invalid.
pub fn base(g: &mut Gen) -> String {
    let mut base = pick(g, &SCHEMES[..13]).to_string();
    match random_below(g, 12) {
        0 => path(g, &mut base),
        1 => base.push_str(pick(
            g,
            &["/a/b", "/C:/a", "///C:/a/b", "///C:", "//h/C:/a", "//h/c|/", "///", "/.//a", "a b ", "a?b#c"],
        )),
        2..4 => authority(g, &mut base),
        _ => {
            base.push_str("//");
            base.push_str(pick(g, &HOSTS[..6]));
        }
    }
    rest(g, &mut base);
    base
}

/// Returns a random reference, which may be invalid.
fn reference(g: &mut Gen) -> String {
    let mut text = String::new();
    match random_below(g, 16) {
        0 => {
            text.push_str(pick(g, SCHEMES));
            path(g, &mut text);
        }
        1..4 => {
            text.push_str(pick(g, SCHEMES));
            authority(g, &mut text);
        }
        4 => {
            text.push_str(pick(g, &["http://", "https://", "//"]));
            text.push_str(pick(g, HOSTS));
            text.push_str(pick(g, AFTER_HOSTS));
        }
        5..7 => authority(g, &mut text),
        7 => text.push_str(pick(g, SLASHES)),
        8 => {
            for _ in 0..random_below(g, 6) {
                text.push_str("../");
            }
        }
        9 => {
            let pieces = [SCHEMES, HOSTS, AFTER_HOSTS, USERS, SEGMENTS, SLASHES, QUERIES, FRAGMENTS];
            for _ in 0..random_below(g, 8) {
                let list = pieces[random_below(g, pieces.len())];
                text.push_str(pick(g, list));
            }
        }
        _ => {}
    }
    if random_below(g, 8) > 0 {
        path(g, &mut text);
    }
    text.push_str(pick(g, QUERIES));
    text.push_str(pick(g, FRAGMENTS));
    match random_below(g, 24) {
        0 => text.insert(0, ' '),
        1 => text.push(' '),
        2 => text.push('\n'),
        3 => text.insert_str(0, "\u{0}\t"),
        _ => {}
    }
    text
}

impl Arbitrary for Pair {
    fn arbitrary(g: &mut Gen) -> Self {
        Pair { base: base(g), reference: reference(g) }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let shorter = |text: &str| -> Vec<String> {
            text.char_indices().map(|(at, c)| format!("{}{}", &text[..at], &text[at + c.len_utf8()..])).collect()
        };
        let (base, reference) = (self.base.clone(), self.reference.clone());
        let bases = shorter(&base).into_iter().map(move |base| Pair { base, reference: reference.clone() });
        let references = shorter(&self.reference);
        let base = self.base.clone();
        Box::new(bases.chain(references.into_iter().map(move |reference| Pair { base: base.clone(), reference })))
    }
}
