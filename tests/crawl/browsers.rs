//! Normal forms and scopes as browsers read them: no other host is found in a normal form, and hosts are the same only if browsers
//! find the same.

use quickcheck::{Arbitrary, Gen, TestResult};
use relref::canon::{Encoding, recode};
use relref::crawl::{Change, Normalizer, Scope};
use relref::scheme::Authority;
use relref::{UriRef, whatwg};

use super::laws::all;
use super::web_uris::WebUri;
use crate::inputs::runner::tries;
use crate::whatwg::inputs;

/// A random text with things that documents and browsers read in different ways.
#[derive(Clone, Debug)]
struct Odd(String);

/// Returns a random one of these texts.
fn pick<'a>(g: &mut Gen, from: &[&'a str]) -> &'a str {
    g.choose(from).unwrap()
}

impl Arbitrary for Odd {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut text = match u8::arbitrary(g) % 4 {
            0 => WebUri::arbitrary(g).0,
            1 => inputs::base(g),
            2 => inputs::Pair::arbitrary(g).reference,
            _ => {
                let parts = [
                    "/",
                    "/",
                    "/",
                    "//",
                    "\\",
                    ".",
                    "..",
                    "%2e",
                    "@",
                    ":",
                    ":80",
                    ":@",
                    "h",
                    "evil.com",
                    "%5C",
                    "%40",
                    "\t",
                    "?",
                    "localhost",
                    "é",
                    ".",
                    "C:",
                    "C|",
                    "|",
                    "%43",
                    "\u{ad}",
                    "127.1",
                    "[::1]",
                    "%2F",
                    " ",
                    "。",
                    "(S(lit3py55t21z5v55vlm25s55))",
                ];
                let mut text = String::from(pick(g, &["http:", "https:", "ws:", "ftp:", "file:", "x-y:", "HTTP:"]));
                text.push_str(pick(g, &["", "//", "//", "//"]));
                (0..usize::arbitrary(g) % 10).for_each(|_| text.push_str(pick(g, &parts)));
                text
            }
        };
        for _ in 0..u8::arbitrary(g) % 4 {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let odd = ["\\", "\t", "/", "//", "@", ":", "/.", "/..", "%2e", ".", "\u{ad}", "|", ":80", "%5C", "%"];
            text.insert_str(*g.choose(&places).unwrap(), pick(g, &odd));
        }
        Odd(text)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let text = self.0.clone();
        let less = text.char_indices().map(|(at, c)| format!("{}{}", &text[..at], &text[at + c.len_utf8()..]));
        Box::new(less.map(Odd).collect::<Vec<_>>().into_iter())
    }
}

/// Reports whether the scheme of a text is one that browsers treat specially.
fn is_special(text: &str) -> bool {
    whatwg::Url::parse(text).map(String::from).is_ok_and(|href| {
        let scheme = href.split(':').next().unwrap();
        ["http", "https", "ws", "wss", "ftp", "file"].contains(&scheme)
    })
}

/// Returns the host that browsers read in a text; `None` if there is none, or the text is no URL. In a scheme that is not special,
/// in which browsers do not normalize it, the host is normalized.
fn browser_host(text: &str) -> Option<String> {
    let href = whatwg::Url::parse(text).ok()?;
    let split = UriRef::new(href.as_str());
    let host = Authority::new(split.authority()?, None).host;
    let host = if is_special(text) { host.into() } else { recode(host, &Encoding::RFC3986).ok()?.to_ascii_lowercase() };
    Some(host).filter(|host| !host.is_empty())
}

/// Returns the host that RFC 3986 finds in a text, as browsers write it.
fn rfc3986_host(text: &str) -> Option<String> {
    let split = UriRef::new(text);
    let host = Authority::new(split.authority()?, None).host;
    browser_host(&format!("{}://{}/", split.scheme()?, recode(host, &Encoding::RFC3986).ok()?))
}

/// Reports whether browsers change a text before they parse it, or read a character as a slash.
fn is_rewritten_by_browsers(text: &str) -> bool {
    text.contains(['\\', '\t', '\n', '\r']) || text.trim_matches(|c: char| c <= ' ') != text
}

/// Checks that browsers find no other host in the normal form of a text than in the text.
fn finds_no_other_host(normalizer: &Normalizer, text: &str) -> TestResult {
    let Ok(form) = normalizer.normalize(text) else { return TestResult::discard() };
    let without_dot = |host: String| match host.strip_suffix('.') {
        Some(name) if normalizer.has(Change::FinalDot) => name.into(),
        _ => host,
    };
    let [before, after] = [text, &form].map(|text| browser_host(text).map(without_dot));
    let is_same = match (&before, &after) {
        // A host that browsers refuse may become what the documents say that it is.
        (None, Some(_)) => after == rfc3986_host(text).map(without_dot),
        (Some(_), None) => is_rewritten_by_browsers(text),
        // Schemes that are not special may have `%20` or `%09` in a host.
        (Some(_), Some(_)) if !is_special(text) && is_rewritten_by_browsers(text) => true,
        _ => before == after,
    };
    if is_same { TestResult::passed() } else { TestResult::error(format!("{text:?}, {form:?}: {before:?}, {after:?}")) }
}

#[test]
fn a_normal_form_has_no_other_host() {
    fn law(text: Odd, mask: u32) -> TestResult {
        // These changes are made to find another host; they are in no preset. `encoding` escapes tabs, which browsers leave out.
        let others = [Change::DropWww, Change::Upgrade].into_iter().fold(all(mask), Normalizer::without);
        let others = others.with(Change::Encoding);
        #[cfg(feature = "idna")]
        let others = others.with(Change::Idna);
        let normalizers = [Normalizer::safe().keep_illegal_escapes(true), Normalizer::crawl(), others];
        let mut results = normalizers.iter().map(|normalizer| finds_no_other_host(normalizer, &text.0));
        results.find(TestResult::is_failure).unwrap_or_else(TestResult::passed)
    }
    tries(20_000).quickcheck(law as fn(Odd, u32) -> TestResult);
}

#[test]
fn normal_forms_of_odd_texts_are_normal() {
    fn law(text: Odd, mask: u32) -> TestResult {
        let normalizers = [Normalizer::safe(), Normalizer::crawl(), all(mask)];
        for normalizer in normalizers {
            let Ok(form) = normalizer.normalize(&text.0) else { continue };
            let again = normalizer.normalize(&form);
            if again.as_deref() != Ok(&form) {
                return TestResult::error(format!("{normalizer:?}: {form:?}, then {again:?}"));
            }
        }
        TestResult::passed()
    }
    tries(5000).quickcheck(law as fn(Odd, u32) -> TestResult);
}

/// A link and a page whose hosts look alike.
#[derive(Clone, Debug)]
struct Alike(String, String);

impl Arbitrary for Alike {
    fn arbitrary(g: &mut Gen) -> Self {
        let hosts = ["localhost", "h", "example.com", "127.0.0.1", "[::1]", "пример.рф", "", "C"];
        let host = pick(g, &hosts);
        let [link, page] = [(); 2].map(|()| {
            let mut text = String::from(pick(g, &["http", "https", "ftp", "file", "file", "FILE"]));
            text.push_str(pick(g, &["://", "://", "://", ":///", ":/", ":\\\\", ":"]));
            let start = text.len();
            text.push_str(host);
            for _ in 0..u8::arbitrary(g) % 3 {
                let odd = [
                    "%C2%AD",
                    "\u{200b}",
                    "%E2%81%A0",
                    "\u{feff}",
                    "@",
                    "x:@",
                    ":",
                    ":80",
                    ".",
                    "%",
                    "%00",
                    "|",
                    "\\",
                    "\t",
                    "%6c",
                    "u@",
                    "/",
                    "%2F",
                    "。",
                    ".evil",
                    "H",
                ];
                let places: Vec<usize> = (start..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
                text.insert_str(*g.choose(&places).unwrap(), pick(g, &odd));
            }
            text + pick(g, &["/", "/etc/passwd", "", "?q"])
        });
        Alike(link, page)
    }
}

#[test]
fn hosts_in_scope_are_the_same_to_browsers() {
    fn law(pair: Alike) -> TestResult {
        let Alike(link, page) = pair;
        if Scope::new().same_host().check(&link, &page).is_err() {
            return TestResult::discard();
        }
        let host = |text| browser_host(text).map(|host| host.strip_suffix('.').unwrap_or(&host).to_string());
        let is_file = |text| whatwg::Url::parse(text).unwrap().scheme() == "file";
        if host(&link) == host(&page) && is_file(&link) == is_file(&page) {
            return TestResult::passed();
        }
        TestResult::error(format!("{link:?} in {page:?}: {:?}, {:?}", host(&link), host(&page)))
    }
    tries(20_000).min_tests_passed(1).max_tests(500_000).quickcheck(law as fn(Alike) -> TestResult);
}
