//! Addresses without brackets, which GitHub makes links: the extended autolinks of GFM (§6.9), as cmark-gfm finds them.

use std::ops::Range;

use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

/// An address in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) range: Range<usize>,
    /// The part of the reference before the text.
    pub(super) prefix: &'static str,
    /// It is of mail, and may have escapes.
    pub(super) is_mail: bool,
}

/// A finder of the addresses in one block of a page, in order.
#[derive(Default)]
pub(super) struct Addresses {
    /// Where the text of a line starts: before it are the marks of its block.
    pub(super) line_start: usize,
    /// No domain that starts before this is one: to look at each again would take quadratic time.
    no_domain_before: usize,
}

/// A finder of the places of a page at which an address may be: hardly any part of a text has one.
#[derive(Default)]
pub(super) struct Signs {
    next: Option<usize>,
}

impl Signs {
    /// Returns the offset of the first `://`, `www.` or `@` at or after `from`, of the `.` for `www.`; the length of the text without one.
    /// `from` is not before that of the last call.
    pub(super) fn next(&mut self, text: &str, from: usize) -> usize {
        if let Some(next) = self.next.filter(|next| *next >= from) {
            return next;
        }
        let bytes = text.as_bytes();
        let is_sign = |at: &usize| match bytes[*at] {
            b':' => bytes[*at..].starts_with(b"://"),
            b'.' => bytes[..*at].ends_with(b"www"),
            _ => true,
        };
        let mut marks = memchr::memchr3_iter(b':', b'@', b'.', &bytes[from.min(bytes.len())..]).map(|at| from + at);
        let next = marks.find(is_sign).unwrap_or(bytes.len());
        self.next = Some(next);
        next
    }
}

/// The schemes whose addresses need no brackets.
const SCHEMES: [&str; 3] = ["http", "https", "ftp"];

impl Addresses {
    /// Returns the first address that starts in `run` of a text. One with a scheme or `www.` ends at white space, `<` or `end`, which
    /// may be after the run; one of mail is within the run. With `in_bracket`, only those of mail are sought.
    pub(super) fn next(&mut self, text: &str, run: Range<usize>, end: usize, in_bracket: bool) -> Option<Address> {
        let bytes = text.as_bytes();
        for at in memchr::memchr3_iter(b':', b'@', b'.', &bytes[run.clone()]) {
            let at = run.start + at;
            let found = match bytes[at] {
                b'@' => mail(&bytes[..run.end], run.start, at),
                _ if in_bracket => None,
                b':' => self.with_scheme(text, &run, at, end),
                _ => self.www(text, &run, at, end),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// `at` is that of the dot.
    fn www(&mut self, text: &str, run: &Range<usize>, at: usize, end: usize) -> Option<Address> {
        let bytes = &text.as_bytes()[..end];
        let start = at.checked_sub(3).filter(|start| *start >= run.start && bytes[*start..at] == *b"www")?;
        let may_start = match start.checked_sub(1).map(|before| bytes[before]) {
            None => true,
            _ if start == self.line_start => true,
            Some(before) => before.is_ascii_whitespace() || b"*_~(".contains(&before),
        };
        if !may_start || self.domain(text, start, run.end, end, false).is_none() {
            return None;
        }
        address(bytes, start, start, "http://")
    }

    /// `at` is that of the colon.
    fn with_scheme(&mut self, text: &str, run: &Range<usize>, at: usize, end: usize) -> Option<Address> {
        let bytes = &text.as_bytes()[..end];
        if !text[at..end].strip_prefix("://")?.starts_with(is_host_char) {
            return None;
        }
        const LONGEST: usize = 5;
        let first = at.saturating_sub(LONGEST + 1).max(run.start);
        let len = bytes[first..at].iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let scheme = &text[at - len..at];
        if !SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme)) {
            return None;
        }
        let domain = at + "://".len();
        self.domain(text, domain, run.end, end, true)?;
        address(bytes, at - len, domain, "")
    }

    /// Returns the end of a domain. Its last two parts have no `_`; unless it is `short`, it has a dot. Underscores at its end and that
    /// of the run are those of emphasis.
    fn domain(&mut self, text: &str, start: usize, run_end: usize, end: usize, short: bool) -> Option<usize> {
        if start < self.no_domain_before {
            return None;
        }
        let (mut dots, mut underscores, mut underscores_before) = (0, 0, 0);
        let mut at = end;
        // As in cmark-gfm, any first character will do.
        for (offset, c) in text[start..end].char_indices().skip(1) {
            match c {
                '_' if start + offset == run_end
                    && !text[run_end..end].trim_start_matches('_').starts_with(is_host_char) =>
                {
                    at = run_end;
                    break;
                }
                '_' => underscores += 1,
                '.' => {
                    (underscores_before, underscores) = (underscores, 0);
                    dots += 1;
                }
                '-' => {}
                c if !is_host_char(c) => {
                    at = start + offset;
                    break;
                }
                _ => {}
            }
        }
        // cmark-gfm accepts underscores in long domains, for its own speed.
        if underscores + underscores_before > 0 && dots <= 10 {
            self.no_domain_before = at;
            return None;
        }
        (short || dots > 0).then_some(at)
    }
}

/// Reports whether a domain may have a character, as cmark-gfm sees it.
fn is_host_char(c: char) -> bool {
    let is_punctuation =
        |c| GeneralCategoryGroup::Punctuation.contains(CodePointMapData::<GeneralCategory>::new().get(c));
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { !c.is_whitespace() && !c.is_control() && !is_punctuation(c) }
}

/// Returns the address that starts at `start`, and whose end is sought after `from`.
fn address(bytes: &[u8], start: usize, from: usize, prefix: &'static str) -> Option<Address> {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'<' || *byte == 0x0B;
    let end = bytes[from..].iter().position(is_end).map_or(bytes.len(), |len| from + len);
    // Without it, a tag would follow.
    let end = if bytes[end..].starts_with(b"<") && bytes[..end].ends_with(b"\\") { end - 1 } else { end };
    let end = start + without_delimiters(&bytes[start..end]);
    (end > start).then_some(Address { range: start..end, prefix, is_mail: false })
}

/// Returns the length of an address without the punctuation at its end, which belongs to the text around it.
fn without_delimiters(address: &[u8]) -> usize {
    let count = |wanted: u8| address.iter().filter(|byte| **byte == wanted).count();
    let (opening, mut closing) = (count(b'('), count(b')'));
    let mut len = address.len();
    while let Some(last) = address[..len].last() {
        match last {
            b')' if closing > opening => {
                closing -= 1;
                len -= 1;
            }
            b'?' | b'!' | b'.' | b',' | b':' | b'*' | b'_' | b'~' | b'\'' | b'"' => len -= 1,
            b';' => {
                let letters = address[..len - 1].iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
                let is_reference = letters > 0 && address[..len - 1 - letters].last() == Some(&b'&');
                len -= 1 + if is_reference { letters + 1 } else { 0 };
            }
            _ => break,
        }
    }
    len
}

/// Returns the address of mail around the `@` at `at`. It starts at or after `first`.
fn mail(bytes: &[u8], first: usize, at: usize) -> Option<Address> {
    let is_local = |index: &usize| match bytes[*index] {
        // An escape is one of the characters.
        b'\\' => b".+-_".contains(&bytes[index + 1]),
        byte => byte.is_ascii_alphanumeric() || b".+-_".contains(&byte),
    };
    let local = (first..at).rev().take_while(is_local).count();
    let mut start = at - local;
    if local == 0 {
        return None;
    }
    let (mut prefix, mut is_xmpp) = ("mailto:", false);
    for scheme in ["mailto:", "xmpp:"] {
        let before = &bytes[first..start];
        let is_own = before
            .strip_suffix(scheme.as_bytes())
            .is_some_and(|before| !before.last().is_some_and(u8::is_ascii_alphanumeric));
        if is_own {
            start -= scheme.len();
            (prefix, is_xmpp) = ("", scheme == "xmpp:");
        }
    }
    let (mut dots, mut len) = (0, 1);
    for (index, byte) in bytes[at..].iter().enumerate().skip(1) {
        match byte {
            b'@' => return None,
            b'.' if bytes.get(at + index + 1).is_some_and(u8::is_ascii_alphanumeric) => dots += 1,
            b'/' if is_xmpp => {}
            b'-' | b'_' => {}
            byte if byte.is_ascii_alphanumeric() => {}
            _ => break,
        }
        len = index + 1;
    }
    let last = bytes[at + len - 1];
    if len < 2 || dots == 0 || !(last.is_ascii_alphabetic() || last == b'.') {
        return None;
    }
    Some(Address { range: start..at + len, prefix, is_mail: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(text: &str) -> Vec<String> {
        let (mut finder, mut found, mut start) = (Addresses::default(), Vec::new(), 0);
        while let Some(Address { range, prefix, .. }) = finder.next(text, start..text.len(), text.len(), false) {
            found.push(format!("{prefix}{}", &text[range.clone()]));
            start = range.end;
        }
        found
    }

    /// GFM §6.9, examples 622 to 635, and what cmark-gfm makes of others.
    #[test]
    fn addresses_are_those_of_cmark_gfm() {
        for (text, expected) in [
            ("www.commonmark.org", &["http://www.commonmark.org"][..]),
            ("Visit www.commonmark.org/help for more", &["http://www.commonmark.org/help"]),
            ("www.commonmark.org/a.b.", &["http://www.commonmark.org/a.b"]),
            ("www.google.com/search?q=Markup+(business)", &["http://www.google.com/search?q=Markup+(business)"]),
            ("(www.google.com/search?q=Markup+(business))", &["http://www.google.com/search?q=Markup+(business)"]),
            ("www.google.com/search?q=(business))+ok", &["http://www.google.com/search?q=(business))+ok"]),
            ("www.google.com/search?q=commonmark&hl=en", &["http://www.google.com/search?q=commonmark&hl=en"]),
            ("www.google.com/search?q=commonmark&hl;", &["http://www.google.com/search?q=commonmark"]),
            ("www.commonmark.org/he<lp", &["http://www.commonmark.org/he"]),
            (
                "http://commonmark.org (Visit https://encrypted.google.com/search?q=Markup+(business))",
                &["http://commonmark.org", "https://encrypted.google.com/search?q=Markup+(business)"],
            ),
            ("foo@bar.baz", &["mailto:foo@bar.baz"]),
            ("hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.", &["mailto:hello+xyz@mail.example"]),
            ("a.b-c_d@a.b a.b-c_d@a.b. a.b-c_d@a.b- a.b-c_d@a.b_", &["mailto:a.b-c_d@a.b", "mailto:a.b-c_d@a.b"]),
            ("mailto:foo@bar.baz xmpp:foo@bar.baz/txt", &["mailto:foo@bar.baz", "xmpp:foo@bar.baz/txt"]),
            (
                "http://a_b.c http://a.b_c.d http://a_b.c.d http://localhost:8/x",
                &["http://a_b.c.d", "http://localhost:8/x"],
            ),
            ("xhttp://a.b HTTP://A.b http:// http://- www. www.x", &["HTTP://A.b", "http://www", "http://www.x"]),
            ("awww.a.b _www.a.b ~www.a.b", &["http://www.a.b", "http://www.a.b"]),
            (
                "http://日本.jp/x http://ü.de http://é http://。x http://-a",
                &["http://日本.jp/x", "http://ü.de", "http://é"],
            ),
        ] {
            assert_eq!(addresses(text), expected, "{text}");
        }
    }
}
