//! URLs as a type: the table of setters of web-platform-tests, and the laws of setters.

use quickcheck::{Arbitrary, Gen, TestResult, quickcheck};
use relref::whatwg::{Attribute, Base, ErrorKind, QueryCharset, Url};
use relref::{Host, Uri, UriRef, percent};
use serde_json::Value;

use super::inputs::Pair;

const SETTERS: &str = include_str!("../vectors/whatwg/setters_tests.json");

/// Returns the attribute with this name.
fn attribute(name: &str) -> Attribute {
    name.parse().unwrap()
}

#[test]
fn setters() {
    let table: Value = serde_json::from_str(SETTERS).unwrap();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (name, cases) in table.as_object().unwrap().iter().filter(|(name, _)| *name != "comment") {
        for case in cases.as_array().unwrap() {
            count += 1;
            let text = |key: &str| case[key].as_str().unwrap();
            let mut url = Url::parse(text("href")).unwrap();
            let before = url.clone();
            let done = url.set(attribute(name), text("new_value"));
            let is_right = case["expected"].as_object().unwrap().iter().all(|(name, value)| {
                // `get` agrees with a URL that was parsed.
                let found = url.get(attribute(name));
                found == Url::parse(url.as_str()).unwrap().get(attribute(name)) && found == value.as_str().unwrap()
            });
            // The Standard's host needs the feature.
            let is_refused = done.is_err_and(|error| error.kind() == ErrorKind::FeatureIdnaMissing);
            if !is_right && !is_refused || done.is_err() && url != before {
                wrong.push(format!("{name}: {case}\n    {url}, {done:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(count, 278);
}

/// A call of a setter.
#[derive(Clone, Debug)]
enum Call {
    Attribute(Attribute, String),
    Scheme(String),
    Username(String),
    Password(Option<String>),
    Host(Option<String>),
    Port(Option<u16>),
    Path(String),
    Query(Option<String>),
    Fragment(Option<String>),
    AppendPair(String),
    SetPair(String),
    RemovePair(String),
    PushSegment(String),
    FileName(String),
    PopSegment,
}

impl Call {
    fn apply(&self, url: &mut Url) -> Result<(), relref::Error> {
        match self {
            Call::Attribute(attribute, value) => url.set(*attribute, value)?,
            Call::Scheme(value) => url.set_scheme(value)?,
            Call::Username(value) => url.set_username(value)?,
            Call::Password(value) => url.set_password(value.as_deref())?,
            Call::Host(value) => url.set_host(value.as_deref())?,
            Call::Port(value) => url.set_port(*value)?,
            Call::Path(value) => url.set_path(value)?,
            Call::Query(value) => url.set_query(value.as_deref()),
            Call::Fragment(value) => url.set_fragment(value.as_deref()),
            Call::AppendPair(text) => {
                let count = url.query_pairs().count();
                url.append_query_pair(text, text);
                assert_eq!(url.query_pairs().nth(count), Some((text.into(), text.into())), "{url}");
            }
            Call::SetPair(name) => {
                url.set_query_pair(name, "ü&+ x");
                assert_eq!(url.query_value(name).as_deref(), Some("ü&+ x"), "{url}");
            }
            Call::RemovePair(name) => {
                url.remove_query_pair(name);
                assert_eq!(url.query_value(name), None, "{url}");
            }
            Call::PushSegment(text) | Call::FileName(text) => {
                let is_pushed = matches!(self, Call::PushSegment(_));
                let len = |url: &Url| url.path_segments().filter(|segment| !segment.is_empty()).count();
                let before = len(url);
                if is_pushed {
                    url.push_segment(text)?
                } else {
                    url.set_file_name(text)?
                }
                let last = url.path_segments().next_back().unwrap_or_default();
                assert_eq!(percent::decode(last).unwrap(), text.as_str(), "{url}");
                assert!(!is_pushed || len(url) == before + usize::from(!text.is_empty()), "{url}");
            }
            Call::PopSegment => {
                let before = url.path().to_string();
                let has_popped = url.pop_segment();
                let is_shorter = url.path().len() < before.len() && before.starts_with(url.path());
                assert!(has_popped == is_shorter && (has_popped || before == url.path()), "{before} {url}");
            }
        }
        Ok(())
    }
}

impl Arbitrary for Call {
    fn arbitrary(g: &mut Gen) -> Self {
        // A part of a random URL, from which it is cut at random delimiters.
        let text = Pair::arbitrary(g);
        let text = if bool::arbitrary(g) { text.base } else { text.reference };
        let at: Vec<usize> =
            text.match_indices(['/', ':', '?', '#', '@']).map(|(at, _)| at).chain([0, text.len()]).collect();
        let ends = [(); 2].map(|()| at[usize::arbitrary(g) % at.len()]);
        let mut value = text[ends[0].min(ends[1])..ends[0].max(ends[1])].to_string();
        if bool::arbitrary(g) {
            value = value.trim_start_matches(['/', ':', '?', '#', '@']).to_string();
        }
        let odd = [
            "",
            "C:",
            "C|",
            "/C|/x",
            "localhost",
            "//x",
            "file",
            "http",
            "https",
            "80",
            "443",
            "8080x",
            "\t",
            "h",
            "[::1]",
            "/",
            ".",
        ];
        if u8::arbitrary(g) % 4 == 0 {
            value = odd[usize::arbitrary(g) % odd.len()].to_string();
        }
        let maybe = Some(value.clone()).filter(|_| u8::arbitrary(g) % 4 > 0);
        match u8::arbitrary(g) % 24 {
            8 => Call::AppendPair(value),
            9 => Call::SetPair(value),
            10 => Call::RemovePair(value),
            11 | 12 => Call::PushSegment(value),
            13 => Call::FileName(value),
            14 | 15 => Call::PopSegment,
            0 => Call::Scheme(value),
            1 => Call::Username(value),
            2 => Call::Password(maybe),
            3 => Call::Host(maybe),
            4 => Call::Port(*g.choose(&[None, Some(0), Some(80), Some(443), Some(65535)]).unwrap()),
            5 => Call::Path(value),
            6 => Call::Query(maybe),
            7 => Call::Fragment(maybe),
            _ => Call::Attribute(*g.choose(Attribute::ALL).unwrap(), value),
        }
    }
}

/// Returns all that can be read of a URL.
fn components(url: &Url) -> impl PartialEq + std::fmt::Debug {
    let attributes: Vec<_> = Attribute::ALL.iter().map(|&attribute| url.get(attribute).into_owned()).collect();
    let parts =
        (url.password().map(String::from), url.host().map(String::from), url.port(), url.query().map(String::from));
    (attributes, parts, url.fragment().map(String::from), url.is_special(), url.has_opaque_path())
}

quickcheck! {
    /// A setter never makes a text that parses to another URL, and changes nothing if it fails.
    fn a_url_that_was_changed_parses_to_itself(pair: Pair, calls: Vec<Call>) -> TestResult {
        let Ok(mut url) = Base::new(&pair.base).and_then(|base| base.url().join(&pair.reference)) else {
            return TestResult::discard();
        };
        for call in &calls {
            let before = url.clone();
            let done = call.apply(&mut url);
            let parsed = Url::parse(url.as_str()).unwrap();
            assert_eq!(parsed, url, "{call:?} of {before}");
            assert_eq!(components(&parsed), components(&url), "{call:?} of {before}");
            assert!(done.is_ok() || url == before && components(&url) == components(&before), "{call:?} of {before}");
            let is_other = matches!(call, Call::Attribute(Attribute::Href, _));
            assert!(is_other || before.has_opaque_path() == url.has_opaque_path(), "{call:?} of {before}");
        }
        TestResult::passed()
    }

    /// Setting the value that a getter returns changes nothing.
    fn what_is_read_can_be_written(pair: Pair) -> TestResult {
        let Ok(mut url) = Base::new(&pair.base).and_then(|base| base.url().join(&pair.reference)) else {
            return TestResult::discard();
        };
        let before = url.clone();
        url.set_scheme(before.scheme()).unwrap();
        if before.host().is_some_and(|host| !host.is_empty()) && before.scheme() != "file" {
            url.set_port(before.port()).unwrap();
        }
        if !before.has_opaque_path() {
            url.set_host(before.host()).unwrap();
            url.set_path(before.path()).unwrap();
        }
        url.set_query(before.query());
        url.set_fragment(before.fragment());
        assert_eq!(url, before);
        TestResult::passed()
    }

    fn errors_of_setters_are_in_the_value(pair: Pair, call: Call) -> bool {
        let Ok(mut url) = Url::parse(&pair.base) else { return true };
        match (&call, call.apply(&mut url)) {
            (Call::Attribute(_, value) | Call::Scheme(value) | Call::Host(Some(value)), Err(error)) => {
                value.is_char_boundary(error.position())
            }
            _ => true,
        }
    }
}

#[test]
fn getters() {
    let url = Url::parse("https://u:p@a.b:8443/c?x=1&y=%41#f").unwrap();
    assert_eq!((url.scheme(), url.username(), url.password()), ("https", "u", Some("p")));
    assert_eq!((url.host(), url.domain(), url.parsed_host()), (Some("a.b"), Some("a.b"), Some(Host::Domain("a.b"))));
    assert_eq!((url.port(), url.port_or_known_default(), url.path()), (Some(8443), Some(8443), "/c"));
    assert_eq!((url.query(), url.fragment(), url.query_pairs().count()), (Some("x=1&y=%41"), Some("f"), 2));
    let file = Url::parse("file:c|/x").unwrap();
    assert_eq!(
        (file.host(), file.domain(), file.path(), file.port_or_known_default()),
        (Some(""), None, "/c:/x", None)
    );
    let ip = Url::parse("http://[::0:1]/").unwrap();
    assert_eq!((ip.host(), ip.domain(), ip.port_or_known_default()), (Some("[::1]"), None, Some(80)));
    let opaque = Url::parse("mailto:a@b").unwrap();
    assert_eq!((opaque.host(), opaque.username(), opaque.path()), (None, "", "a@b"));
    assert!(opaque.has_opaque_path() && !opaque.is_special());
    // The guard is no part of the path.
    let guarded = Url::parse("x:/.//a").unwrap();
    assert_eq!((guarded.path(), guarded.get(Attribute::Pathname), guarded.as_str()), ("//a", "//a".into(), "x:/.//a"));
    // Components of a borrowed URL outlive it.
    let host = { url.as_borrowed().host() };
    assert_eq!(host, Some("a.b"));
}

#[test]
fn origins() {
    for (url, origin) in [
        ("http://H:80/a", "http://h"),
        ("wss://u@h:1", "wss://h:1"),
        ("ftp://h", "ftp://h"),
        ("http://[::0]/", "http://[::]"),
        ("file:///a", "null"),
        ("foo://h/", "null"),
        ("data:,x", "null"),
        ("blob:https://h:443/x?y#z", "https://h"),
        ("blob:ftp://h/", "null"),
        ("blob:blob:http://h/", "null"),
        ("blob:file:///x", "null"),
        ("blob:x", "null"),
    ] {
        let url = Url::parse(url).unwrap();
        assert_eq!(url.origin().to_string(), origin, "{url}");
        assert_eq!(url.get(Attribute::Origin), origin, "{url}");
        assert_eq!(url.origin() == url.origin(), origin != "null", "{url}");
    }
}

/// The text would be another URL, if the Standard were followed.
#[test]
fn no_scheme_is_set_that_would_be_read_in_another_way() {
    for url in ["http://localhost/", "https://h/C|/a", "ws://h/c|"] {
        let mut url = Url::parse(url).unwrap();
        assert_eq!(url.set_scheme("file").unwrap_err().kind(), ErrorKind::CannotBeSet, "{url}");
        assert_eq!(url.set(Attribute::Protocol, "file:").unwrap_err().kind(), ErrorKind::CannotBeSet, "{url}");
    }
    let mut url = Url::parse("http://h/a/C|").unwrap();
    url.set_scheme("file").unwrap();
    assert_eq!(url, "file://h/a/C|");
}

/// Scripts see no difference between a value that was read in part and one that was not; the single setters tell.
#[test]
fn values_that_are_more_than_a_component() {
    let url = Url::parse("http://h:8080/a").unwrap();
    for (value, position) in [("x:80", 1), ("x/y", 1), ("x?", 1), ("x\t\\", 2), ("[::1]:", 5), ("\r\tx\n:", 4)] {
        let mut changed = url.clone();
        let error = changed.set_host(value).unwrap_err();
        assert_eq!((error.kind(), error.position()), (ErrorKind::CannotBeSet, position), "{value}");
        assert_eq!(changed, url);
    }
    for value in ["https:", "https:x", "https://"] {
        assert_eq!(url.clone().set_scheme(value).unwrap_err().kind(), ErrorKind::CannotBeSet, "{value}");
    }
    let mut changed = url.clone();
    changed.set(Attribute::Host, "x:99999").unwrap();
    assert_eq!(changed, "http://x:8080/a");
    assert_eq!(changed.set(Attribute::Origin, "http://x").unwrap_err().kind(), ErrorKind::CannotBeSet);
}

#[test]
fn hosts_can_be_removed() {
    for (url, expected) in [
        ("foo://h/a?b", Some("foo:/a?b")),
        ("foo://h//a", Some("foo:/.//a")),
        ("foo:/a", Some("foo:/a")),
        ("mailto:a", Some("mailto:a")),
        ("foo://h", None),
        ("foo://u@h/a", None),
        ("foo://h:1/a", None),
        ("http://h/", None),
        ("file://h/", None),
    ] {
        let mut url = Url::parse(url).unwrap();
        let done = url.set_host(None);
        assert_eq!(done.is_ok().then_some(url.as_str()), expected);
    }
}

#[test]
fn conversions() {
    let url: Url = "http://h/.//a".parse().unwrap();
    assert_eq!(Url::try_from("http://h//a").unwrap(), url);
    assert_eq!(Url::try_from(String::from("http://h//a")).unwrap(), url.as_borrowed());
    assert_eq!(Uri::from(url.clone()).path(), "//a");
    assert_eq!(UriRef::from(url.as_borrowed()).authority(), Some("h"));
    let shared: Url<std::sync::Arc<str>> = url.clone().into();
    assert_eq!((shared.host(), shared.to_string()), (Some("h"), String::from(url.clone())));
    assert_eq!(format!("{url:?} {:?}", Base::from(url.clone())), "Url(\"http://h//a\") Base(\"http://h//a\")");
    assert_eq!(Base::from(shared.to_owned()).url(), url);
    let text = String::from("http://h//a");
    assert_eq!(url, *text);
    assert_eq!(&*text, url);
    assert_eq!(text, url);
    assert_eq!(url, text);
    assert!(url < Url::parse("http://h//b").unwrap());
    let latin = |base: Base| base.query_charset(Some(QueryCharset { name: "windows-1252", encode: |_, _, _, _| {} }));
    let base = Base::from(url.clone());
    assert!(latin(base.clone()) != base && latin(base.clone()) == latin(base.clone()) && latin(base.clone()) > base);
    assert_eq!("http://h//a".parse(), Ok(base));
    let set = std::collections::HashSet::from([url.clone()]);
    assert!(set.contains("http://h//a"));
}

#[cfg(feature = "serde")]
#[test]
fn serialized_as_strings() {
    let url = Url::parse("http://h/é").unwrap();
    assert_eq!(serde_json::to_string(&url).unwrap(), "\"http://h/%C3%A9\"");
    assert_eq!(serde_json::from_str::<Url>("\"HTTP://h/\\u00e9\"").unwrap(), url);
    assert!(serde_json::from_str::<Url>("\"h\"").is_err());
    let base = Base::from(url);
    assert_eq!(serde_json::from_str::<Base>(&serde_json::to_string(&base).unwrap()).unwrap(), base);
}

/// A value of a million characters, in each component.
#[test]
fn long_values() {
    let long = "a b?#é".repeat(200_000);
    for attribute in Attribute::ALL {
        let mut url = Url::parse("http://h/a").unwrap();
        _ = url.set(*attribute, &long);
        _ = url.set(*attribute, &"a.".repeat(500_000));
        _ = url.set(*attribute, &"../a/".repeat(200_000));
        _ = url.set(*attribute, &"1".repeat(1_000_000));
        assert!(Url::parse(url.as_str()).unwrap() == url);
    }
}
