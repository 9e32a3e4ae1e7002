//! Random texts that are valid by some grammar, or nearly valid.

use quickcheck::{Arbitrary, Gen};

/// Texts that are valid by at least one grammar, to start from.
pub const SEEDS: &[&str] = &[
    "http://h:80/a/b;c?d=e#f",
    "http://u:p@h.i-j:8/~a?b/?c#d/?e",
    "http://1.2.3.4/a:b@c&d",
    "http://h?a+b",
    "http://[::1]:8080/",
    "http://[1:2:3:4:5:6:7:8]/x",
    "http://[::ffff:192.0.2.128]",
    "http://[1:2:3:4:5:6:1.2.3.4]",
    "http://[fe80::1%25eth0]/",
    "x://[v1F.a:b!$]:/?#",
    "x://u@[V1.a]",
    "ftp://a:b@h/c/d;type=a",
    "ftp://foo_1:ba.r@h-1.i:21//e%2Ff;type=AN",
    "ftp://h/x;type=L8",
    "ftp://@h",
    "ftp://;?:&=@h/",
    "file:///a/b?c",
    "file://localhost/a",
    "gopher://h/1sel/ector",
    "gopher://h:70/7s%09find%09+v%20l",
    "gopher://h/",
    "mailto:a.b@c.d",
    "mailto:a%25b@c.d.e",
    "news:comp.infosystems.www",
    "news:*",
    "news:a1$b@c-d.e",
    "nntp://h:119/a.b/12",
    "nntp:a.b/12",
    "telnet://u:p@h:23/",
    "telnet://h",
    "wais://h/db?w+x",
    "wais://h:210/db/text/1=a/b;22=%20;",
    "wais://h/db/t/p",
    "prospero://h:1525//o/n;a=b;c=d",
    "prospero://h/o%001ab2",
    "mid:a@b",
    "cid:a@b",
    "magic://a/b/c//d/e/f",
    "urn:/iana/dns/ch/cern/cn/techdoc/94/1642-3",
    "x-y.z+1:a;b=c:d",
    "a:",
    "//h:1/a",
    "/a//b",
    "../a:b",
    "a%20b/c?d#e",
    "?q",
    "#f",
    "",
    "http://h/a b?c d",
    "ftp://a b:c@d@h/e;f",
    "gopher://h/1a/b?c+d",
    "wais://h/db/t/a;b/c",
    "mailto::a@b",
    "mid:a b@c",
    "//h?a/b;c;d/e?f",
    "a;b=c?d",
    "x://a@b@c/d;e",
    "http://я:п@пример.example:80/日本/é?ä\u{e000}#ü",
    "//é/a",
    "é?\u{f0000}",
    "x:\u{a0}\u{d7ff}\u{f900}\u{fdcf}\u{fdf0}\u{ffef}\u{10000}\u{1fffd}\u{e1000}\u{efffd}",
];

/// Texts that are inserted into valid ones.
const PARTS: &[&str] = &[
    "::",
    ":",
    "1:",
    "ffff:",
    "12345",
    "1.2.3.4",
    "255.256.0.01",
    "0.0.0.0",
    "[",
    "]",
    "[v1.",
    "//",
    "/",
    "@",
    "%41",
    "%00",
    "%09",
    "%4",
    "%z",
    "..",
    ".",
    "-",
    "?",
    "#",
    "+",
    "=",
    ";",
    ";type=",
    ";type=d",
    ";type=L",
    "1=",
    "&",
    "~",
    "\"",
    "é",
    "日本",
    "\u{9f}",
    "\u{e000}",
    "\u{fdd0}",
    "\u{fff0}",
    "\u{1fffe}",
    "\u{e0fff}",
    "\u{10fffd}",
    " ",
    "\0",
    "|",
    "<",
    "*",
    "!",
    "$",
    "a-",
    "3com",
    "80",
    "a.b.",
    "http:",
    "http://",
    "HTTP://",
    "FTP://",
    "news:",
    "mid:",
    "nntp:",
    "wais://h/",
    "gopher://",
    "prospero://",
    "1x:",
    "x%41:",
];

/// The characters of texts that are random character by character.
const ALPHABET: &str = ":/?#[]@!$&'()*+,;=%a1Fg.-_~v `é";

/// A random text that is valid by some grammar, or nearly valid.
#[derive(Clone, Debug)]
pub struct Near(pub String);

/// Returns a random number below `n`.
fn random_below(g: &mut Gen, n: usize) -> usize {
    usize::arbitrary(g) % n
}

/// Returns a random one of these texts.
fn pick<'a>(g: &mut Gen, from: &[&'a str]) -> &'a str {
    from[random_below(g, from.len())]
}

/// Returns a random index in bytes at which a character of the text starts, or the text ends.
fn char_boundary(g: &mut Gen, text: &str) -> usize {
    let boundaries: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    boundaries[random_below(g, boundaries.len())]
}

/// Returns a random text of [`PARTS`], or a random character of [`ALPHABET`].
fn part(g: &mut Gen) -> String {
    if random_below(g, 2) == 0 {
        return pick(g, PARTS).to_string();
    }
    let letters: Vec<char> = ALPHABET.chars().collect();
    letters[random_below(g, letters.len())].to_string()
}

/// Returns a random text of [`SEEDS`] with up to three random changes.
fn mutated(g: &mut Gen) -> String {
    let mut text = pick(g, SEEDS).to_string();
    for _ in 0..random_below(g, 4) {
        let (one, other) = (char_boundary(g, &text), char_boundary(g, &text));
        let (start, end) = (one.min(other), one.max(other));
        match random_below(g, 6) {
            0 => text.replace_range(start..end, ""),
            1 => text.truncate(start),
            2 => {
                let other = pick(g, SEEDS);
                let from = char_boundary(g, other);
                text.replace_range(start.., &other[from..]);
            }
            3 => {
                let next = text[start..].chars().next().map_or(0, char::len_utf8);
                let part = part(g);
                text.replace_range(start..start + next, &part);
            }
            _ => {
                let part = part(g);
                text.insert_str(start, &part);
            }
        }
    }
    text
}

/// Returns an IPv6 address in brackets. Most have the right number of groups.
fn address(g: &mut Gen) -> String {
    let mut text = String::from(pick(g, &["x://[", "x://u@[", "//[", "http://["]));
    let gap = random_below(g, 10);
    let groups = if random_below(g, 2) == 0 { 8 } else { random_below(g, 10) };
    for at in 0..groups {
        if at == gap {
            text.push_str(pick(g, &["::", "::", "::", ":"]));
        } else if at > 0 && !text.ends_with(':') {
            text.push(':');
        }
        let rare = ["", "12345", "g", "1.2.3.4", "01.2.3.4", "1.2.3"];
        text.push_str(if random_below(g, 12) == 0 {
            pick(g, &rare)
        } else {
            pick(g, &["0", "1", "a1", "FfF", "00ff"])
        });
    }
    if random_below(g, 3) == 0 {
        text.push_str(pick(g, &[":1.2.3.4", "::1.2.3.4", ":0.10.200.255", ":1.2.3.256", ":1.2.3.04", "::", "%25a"]));
    }
    text.push_str(pick(g, &["]", "]", "]:80", "]:", "]/a", "]x", ""]));
    text
}

impl Arbitrary for Near {
    fn arbitrary(g: &mut Gen) -> Self {
        Near(match random_below(g, 8) {
            0 => (0..random_below(g, 12)).map(|_| part(g)).collect(),
            1 => address(g),
            2 => {
                let letters: Vec<char> = ALPHABET.chars().collect();
                (0..random_below(g, 16)).map(|_| letters[random_below(g, letters.len())]).collect()
            }
            _ => mutated(g),
        })
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let text = self.0.clone();
        let boundaries: Vec<(usize, char)> = text.char_indices().collect();
        let less = move |(at, c): (usize, char)| Near(format!("{}{}", &text[..at], &text[at + c.len_utf8()..]));
        Box::new(boundaries.into_iter().map(less))
    }
}
