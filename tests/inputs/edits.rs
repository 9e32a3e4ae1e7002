//! Random URIs to edit and texts to write, and what the laws of edits compare them with: the parts of a URI as texts.

use quickcheck::{Arbitrary, Gen, TestResult};
use relref::UriRef;
use relref::scheme::Authority;
use relref::validate::Grammar;

use super::references::Text;

/// The parts of a URI, as texts.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Parts {
    pub scheme: Option<String>,
    pub userinfo: Option<String>,
    pub host: Option<String>,
    pub port: Option<String>,
    pub path: String,
    pub query: Option<String>,
    pub fragment: Option<String>,
}

impl Parts {
    pub fn of(text: &str) -> Parts {
        let uri = UriRef::new(text);
        let authority = uri.authority().map(|authority| Authority::new(authority, None));
        let owned = |part: Option<&str>| part.map(String::from);
        Parts {
            scheme: owned(uri.scheme()),
            userinfo: owned(authority.and_then(|authority| authority.userinfo)),
            host: owned(authority.map(|authority| authority.host)),
            port: owned(authority.and_then(|authority| authority.port_text)),
            path: String::from(uri.path()),
            query: owned(uri.query()),
            fragment: owned(uri.fragment()),
        }
    }

    /// Returns the text that has these parts; `None` if none has.
    pub fn text(&self) -> Option<String> {
        let after = |part: &Option<String>, end| part.as_ref().map_or(String::new(), |part| format!("{part}{end}"));
        let before =
            |start, part: &Option<String>| part.as_ref().map_or(String::new(), |part| format!("{start}{part}"));
        let slashes = if self.host.is_some() { "//" } else { "" };
        let text = [
            after(&self.scheme, ":"),
            String::from(slashes),
            after(&self.userinfo, "@"),
            after(&self.host, ""),
            before(":", &self.port),
            self.path.clone(),
            before("?", &self.query),
            before("#", &self.fragment),
        ]
        .concat();
        (Parts::of(&text) == *self).then_some(text)
    }
}

pub fn is_valid(text: &str) -> bool {
    Grammar::Rfc3986Reference.is_valid(text)
}

/// Reports whether the components that a URI gives are those into which its text splits.
pub fn splits_so(uri: &UriRef<String>) -> bool {
    let again = UriRef::new(uri.as_str());
    (uri.scheme(), uri.authority(), uri.path(), uri.query(), uri.fragment())
        == (again.scheme(), again.authority(), again.path(), again.query(), again.fragment())
}

/// A text for a component: most are valid in some.
#[derive(Clone, Debug)]
pub struct Part(pub String);

impl Arbitrary for Part {
    fn arbitrary(g: &mut Gen) -> Self {
        let texts = [
            "",
            "a",
            "b",
            "a",
            "http",
            "x-1.+",
            "h",
            "u:p",
            "[::1]",
            "[v1.a]",
            "/",
            "/a",
            "/a/b",
            "a/b",
            "a.b",
            "a.tar.gz",
            ".",
            "..",
            "...",
            "..a",
            ".a",
            "a.",
            "80",
            "a=1",
            "a=1&b=2&a",
            "b c",
            "é",
            "%41",
            "%2e",
            "a+b",
            "&",
            "=",
            "~*-_",
            "\u{0}",
            "//",
            "//a",
            "a:b",
            "1:b",
            "/a:b",
            "?",
            "#",
            "%",
            "%4",
            "[",
            "]",
            "[::1",
            "@",
            ":",
            "a@b",
            "h:80",
            "u@h:1",
            "u@h:",
            "[::1]:2",
            "|",
            "a/",
            "//h",
        ];
        if u8::arbitrary(g) % 16 == 0 {
            Part(String::arbitrary(g))
        } else {
            Part(String::from(*g.choose(&texts).unwrap()))
        }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(self.0.shrink().map(Part))
    }
}

/// A text to edit; more often than in the laws of resolution, a valid one with all components.
#[derive(Clone, Debug)]
pub struct Start(pub String);

impl Arbitrary for Start {
    fn arbitrary(g: &mut Gen) -> Self {
        let valid = [
            "http://u:p@h:80/a/b.c?a=1&b=%20&a=2#f",
            "https://example.com",
            "//h",
            "//h/",
            "//@h:?&&",
            "a/b",
            "a",
            "",
            "?a",
            "#f",
            "/",
            "/a",
            "s:",
            "s:a:b",
            "s:/a:b",
            "s:a/",
            "//h//a//",
            "../a",
            "..",
            "./a:b",
            "/..",
            "urn:a:b?=#",
            "//[::1]:1/a",
            "////a",
        ];
        let Text(any) = Text::arbitrary(g);
        if bool::arbitrary(g) { Start(String::from(*g.choose(&valid).unwrap())) } else { Start(any) }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        Box::new(Text(self.0.clone()).shrink().map(|Text(text)| Start(text)))
    }
}

/// Fails with the edit, the text before it and the text after it.
pub fn failed(edit: impl std::fmt::Debug, before: &str, after: &str, why: &str) -> TestResult {
    TestResult::error(format!("{edit:?} of {before:?} gives {after:?}: {why}"))
}
