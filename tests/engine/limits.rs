//! Input that is empty, odd or very long: a result or a clear error, and no panic.

use relref::{Base, Error, ErrorKind, Rules, Segments, Uri, UriRef};

use super::oracle;

#[test]
fn odd_texts_are_split() {
    for (text, scheme, authority, path) in [
        ("", None, None, ""),
        (":", None, None, ":"),
        ("::", None, None, "::"),
        ("a:", Some("a"), None, ""),
        ("//", None, Some(""), ""),
        ("///", None, Some(""), "/"),
        ("a://", Some("a"), Some(""), ""),
        ("a:///", Some("a"), Some(""), "/"),
        ("..", None, None, ".."),
        ("é:x", None, None, "é:x"),
        ("\0:\u{7f}", None, None, "\0:\u{7f}"),
        ("a+-.9:b", Some("a+-.9"), None, "b"),
        ("a_b:c", None, None, "a_b:c"),
        (" a:b", None, None, " a:b"),
    ] {
        let uri = UriRef::new(text);
        assert_eq!((uri.scheme(), uri.authority(), uri.path()), (scheme, authority, path), "{text:?}");
        assert_eq!(uri.to_string(), text);
    }
    let uri = UriRef::new("?#");
    assert_eq!((uri.path(), uri.query(), uri.fragment()), ("", Some(""), Some("")));
    let uri = UriRef::new("#?");
    assert_eq!((uri.query(), uri.fragment()), (None, Some("?")));
}

#[test]
fn odd_bases_are_errors_with_a_place() {
    let error = |text| Base::new(text, Rules::RFC1630).map(|_| ()).unwrap_err();
    for (text, position, said) in [
        ("", 0, "expected a letter to start a scheme, found the end at byte 0"),
        (":", 0, "expected a letter to start a scheme, found `:` at byte 0"),
        ("//h/p", 0, "expected a letter to start a scheme, found `/` at byte 0"),
        ("..", 0, "expected a letter to start a scheme, found `.` at byte 0"),
        ("\0", 0, "expected a letter to start a scheme, found `\\0` at byte 0"),
        ("http", 4, "expected `:` to end the scheme, found the end at byte 4"),
        ("aé:b", 1, "expected `:` to end the scheme, found `é` at byte 1"),
        ("a/b:c", 1, "expected `:` to end the scheme, found `/` at byte 1"),
    ] {
        let error: Error = error(text);
        assert_eq!((error.kind(), error.position()), (ErrorKind::NoScheme, position), "{text:?}");
        assert_eq!(error.to_string(), format!("not an absolute URI: {said}"));
    }
    for (name, position) in
        [("", 0), ("x", 0), ("rfc822", 3), ("rfc39", 5), ("rfc3986+lenien", 14), ("rfc3986+lax", 9), ("url77", 4)]
    {
        let error = name.parse::<Rules>().unwrap_err();
        assert_eq!((error.kind(), error.position()), (ErrorKind::UnknownName, position), "{name}");
    }
}

/// A long base, a long reference, and what the reference resolves to.
struct Shape {
    base: String,
    reference: String,
    result: String,
    /// A rule set by which the result is another one, and that result.
    except: Option<(Rules, String)>,
}

/// Returns bases and references of about this length in bytes, of the shapes that could cost the most.
fn shapes(len: usize) -> Vec<Shape> {
    let fill = |unit: &str| unit.repeat(len / unit.len());
    let host = |path: &str| format!("http://h/{path}");
    let mut levels = String::new();
    for level in 1.. {
        if levels.len() > len {
            break;
        }
        levels.push('a');
        levels.extend(std::iter::repeat_n('/', level));
    }
    let falling: String = levels.chars().rev().collect();
    let long = fill(&("a".repeat(1500) + "/"));
    let long_and_dots = fill(&("a".repeat(1500) + "/./"));
    let name = "a".repeat(1500) + "/";
    let two_fewer = name.repeat((long_and_dots.len() / 1503).saturating_sub(2));
    let nested = fill("a://h");
    let shape = |base: String, reference: String, result: String| Shape { base, reference, result, except: None };
    let but = |shape: Shape, rules: Rules, result: String| Shape { except: Some((rules, result)), ..shape };
    vec![
        shape(host(&fill("a/")), fill("../"), host(&"a/".repeat(len / 2 - len / 3))),
        but(shape(host(""), fill("../"), host(&fill("../"))), Rules::RFC3986, host("")),
        shape(host(&fill("./")), fill("./"), host("")),
        shape(host(&fill("a/../")), fill("b/../"), host("")),
        shape(host(&fill("a/")), fill("b/"), host(&(fill("a/") + &fill("b/")))),
        but(
            shape(host(&fill("/")), fill("/"), format!("http:{}", fill("/"))),
            Rules::RFC1808,
            format!("http://h{}", &fill("/")[2..]),
        ),
        shape(format!("f:{levels}"), levels.clone(), format!("f:{levels}{levels}")),
        shape(format!("f:/./{falling}z"), format!("f:/{falling}y"), format!("f:/{falling}y")),
        but(shape(host(&nested), "/g".into(), host("g")), Rules::RFC1630, host(&format!("{nested}/g"))),
        shape(host(&fill("a")), fill("b"), host(&fill("b"))),
        shape(fill("a") + ":b", fill("a") + ":b", fill("a") + ":b"),
        shape(host(&fill("?")), fill("?"), host(&fill("?"))),
        shape(host(&fill("#")), fill("#"), host(&fill("#"))),
        shape(host(&fill(";")), fill(";"), host(&fill(";"))),
        shape(host(&fill("é/")), fill("é"), host(&(fill("é/") + &fill("é")))),
        but(
            shape(host(&long), fill("../"), host(&"../".repeat(len / 3 - long.len() / 1501))),
            Rules::RFC3986,
            host(""),
        ),
        shape(host(&long_and_dots), "../../g".into(), host(&(two_fewer + "g"))),
    ]
}

#[test]
fn long_texts_resolve() {
    for len in [4 << 10, 256 << 10] {
        for Shape { base, reference, result, except } in shapes(len) {
            for &rules in Rules::ALL {
                let result = except.as_ref().filter(|except| except.0 == rules).map_or(&result, |except| &except.1);
                let case = format!("{rules}: {base:.20}… + {reference:.20}…");
                if len <= 4 << 10 {
                    assert!(oracle::resolve(&base, &reference, rules) == *result, "oracle: {case}");
                }
                let base = Base::new(&base, rules).unwrap();
                assert!(base.resolve(&reference) == **result, "{case}");
                assert!(base.explain(&reference).uri == **result, "{case}");
                let shortest = base.relativize(result);
                assert!(base.resolve(&shortest) == **result && shortest.len() <= reference.len(), "{case}");
            }
        }
    }
}

#[test]
fn bases_give_their_text_back() {
    let text = "http://h/a/./b?q#f";
    let base = Base::new(text, Rules::RFC3986).unwrap();
    assert_eq!(base.to_string(), text);
    assert_eq!(format!("{base:?}"), format!("Base({text:?}, rfc3986)"));
    let owned = Base::new(text, Rules::RFC3986).unwrap();
    assert_eq!((owned.as_str(), owned.to_string(), owned.rules()), (text, text.to_string(), Rules::RFC3986));
    assert_eq!(owned.into_string(), text);
}

#[test]
fn more_segments_than_fit_inline() {
    let path = "/s".repeat(100);
    let mut segments = Segments::new(&path);
    assert_eq!(segments.len(), 101);
    assert_eq!(segments.to_string(), path);
    segments.push("..");
    segments.push("t");
    segments.remove_dots(Rules::RFC3986);
    assert_eq!(segments.to_string(), "/s".repeat(99) + "/t");
    let segments = Segments::new("a/b");
    assert_eq!((format!("{segments:5}"), format!("{segments:.2}")), ("a/b  ".into(), "a/".into()));
    let base = format!("http://h{path}");
    let base = Base::new(&base, Rules::RFC3986).unwrap();
    let reference = "t/".repeat(50) + "../u";
    assert_eq!(base.resolve(&reference).to_string(), format!("http://h{}/{}u", "/s".repeat(99), "t/".repeat(49)));
}

#[cfg(feature = "serde")]
#[test]
fn as_strings() {
    let rules = Rules::RFC3986.lenient();
    assert_eq!(serde_json::to_string(&rules).unwrap(), "\"rfc3986+lenient\"");
    assert_eq!(serde_json::from_str::<Rules>("\"rfc3986+lenient\"").unwrap(), rules);
    assert!(serde_json::from_str::<Rules>("\"rfc822\"").is_err());
    assert!(serde_json::to_string(&Rules { params: true, ..Rules::RFC3986 }).is_err());
    assert_eq!(serde_json::from_str::<UriRef<&str>>("\"a:b?c\"").unwrap(), UriRef::new("a:b?c"));
    let base = Base::new("http://h/a", Rules::RFC3986).unwrap();
    assert_eq!(serde_json::to_string(&base.resolve("b")).unwrap(), "\"http://h/b\"");
}

/// A colon in a later segment does not end a scheme, wherever the result is split.
#[test]
fn components_of_results_without_an_authority() {
    for rules in Rules::ALL.iter().flat_map(|rules| [*rules, rules.lenient()]) {
        for base in ["x:y", "x:", "x:a:b", "x:/y", "x:y//z", "x://h", "x:///", "x:y?q#f"] {
            let base = Base::new(base, rules).unwrap();
            for reference in
                ["./a:b", "./http://h", "./a:/b?c#d", "../a:b", "?a:b", "#a:b", "", "/a:b", "//a:1/b", "x:a:b"]
            {
                let uri = base.resolve(reference).to_uri();
                let again = UriRef::new(uri.as_str());
                let parts = |uri: &UriRef<&str>| format!("{uri:?}");
                assert_eq!(parts(&uri.as_borrowed()), parts(&again), "{rules}: {base} + {reference}");
            }
        }
    }
}

/// Offsets are as wide as pointers, so a text may be longer than 4 GiB.
#[cfg(target_pointer_width = "64")]
#[test]
#[ignore = "needs 6 GB of memory and a minute"]
fn a_text_of_5_gb_is_like_any_other() {
    let mut text = String::with_capacity(5_100_000_000);
    text.push_str("http://h/");
    let part = "a/".repeat(1 << 19);
    while text.len() < 5_000_000_000 {
        text.push_str(&part);
    }
    let directory = text.len();
    text.push_str("b?q#f");
    let uri = Uri::parse(text).unwrap();
    assert_eq!((uri.path().len(), uri.query(), uri.fragment()), (directory - 8 + 1, Some("q"), Some("f")));
    let base = Base::from_uri(uri, Rules::RFC3986);
    for (reference, len) in [("g", directory + 1), ("../g?x", directory + 1), ("#x", directory + 5), ("/g", 10)] {
        let result = base.resolve(reference);
        assert_eq!((result.len(), result.authority()), (len, Some("h")), "{reference}");
    }
}

/// By mixed rules, a base that is used once and a prepared base give the same result for the empty reference.
#[test]
fn the_empty_reference_by_mixed_rules() {
    for &document in Rules::ALL {
        let rules = Rules { empty_is_whole: true, ..document };
        assert_eq!(relref::resolve("http://h/a?b#c", "", rules).unwrap(), "http://h/a?b#c");
        let rules = Rules { empty_is_whole: false, ..document };
        assert_eq!(relref::resolve("http://h/a?b#c", "", rules).unwrap(), "http://h/a?b");
    }
}
