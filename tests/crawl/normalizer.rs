//! Normalizers: names, lists, explanations, errors and long texts.

use relref::crawl::{Change, Normalizer, TRACKING};
use relref::{Base, ErrorKind, Rules};

use super::laws::all;
use super::vectors::normalizer;

#[test]
fn changes_have_names() {
    for change in Change::ALL {
        assert_eq!(change.to_string().parse(), Ok(*change));
        assert!(change.name().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
    }
    let error = "sort".parse::<Change>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownName);
    let text = error.to_string();
    assert!(text.starts_with("not a change: expected encoding, "), "{text}");
    assert!(text.ends_with(", drop-trailing-slash or keep-only; did you mean sort-query?"), "{text}");
}

#[test]
fn illegal_escapes_are_errors_wherever_they_stand() {
    let every = all(u32::MAX);
    for (uri, position) in [
        ("http://h/%", 10),
        ("http://h/%4", 11),
        ("http://h/%zz", 10),
        ("http://h/?a%2&b", 13),
        ("http://h/?utm_source=%4g&b", 23),
        ("http://h/#%zz", 11),
        ("http://u%@h/", 9),
        ("http://%xh/", 8),
        ("http://h/a;jsessionid=%/b", 23),
        ("mailto:%", 8),
        ("%zz", 1),
    ] {
        for normalizer in [Normalizer::safe(), Normalizer::crawl(), every.clone(), normalizer("none")] {
            assert!(normalizer.clone().keep_illegal_escapes(true).normalize(uri).is_ok());
            let normalizer = normalizer.keep_illegal_escapes(false);
            let mut out = String::from("as it was");
            let error = normalizer.normalize_into(uri, &mut out).unwrap_err();
            assert_eq!((error.kind(), error.position()), (ErrorKind::IllegalEscape, position), "{uri}");
            assert_eq!(normalizer.explain(uri), Err(error));
            assert_eq!(normalizer.surt_into(uri, &mut out), Err(error));
            let base = Base::new("http://h/x", Rules::RFC3986).unwrap();
            assert!(normalizer.resolve_into(&base, uri, &mut out).is_err());
            assert_eq!(out, "as it was");
        }
    }
}

#[test]
fn tracking_names() {
    let normalizer = Normalizer::safe().with(Change::DropTracking);
    for entry in TRACKING {
        assert_eq!(*entry, entry.to_lowercase());
        let (name, longer) = match entry.strip_suffix('*') {
            Some(start) => (format!("{start}x"), true),
            None => (entry.to_string(), false),
        };
        for name in [name.clone(), name.to_uppercase(), name.replace('_', "%5F"), name.replace('s', "%73")] {
            let form = normalizer.normalize(format!("http://h/?{name}=1&id=2&{name}")).unwrap();
            assert_eq!(form, "http://h/?id=2");
        }
        // A name that only starts or ends so is another.
        assert_eq!(normalizer.normalize(format!("http://h/?x{name}=1")).unwrap(), format!("http://h/?x{name}=1"));
        let more = normalizer.normalize(format!("http://h/?{name}~y=1")).unwrap();
        assert_eq!(more == "http://h/", longer, "{entry}");
    }
    let long = "a".repeat(100);
    let own = normalizer.tracking([&*long, "b", &format!("{long}*"), ""]);
    for (query, form) in [
        (format!("{long}=1"), String::new()),
        (format!("{long}b=1&A={long}"), format!("?A={long}")),
        (format!("{}=1", "a".repeat(99)), format!("?{}=1", "a".repeat(99))),
        ("B&utm_source=x".into(), "?utm_source=x".into()),
        ("=1&b".into(), String::new()),
    ] {
        assert_eq!(own.normalize(format!("http://h/?{query}")).unwrap(), format!("http://h/{form}"));
    }
    let foreign = Normalizer::safe().tracking(["Vonü", "von %61*"]);
    assert_eq!(foreign.normalize("http://h/?von%c3%bc=1&VONü=2&Von ab=3&von=4").unwrap(), "http://h/?von=4");
    let every = Normalizer::safe().tracking(["*"]);
    assert_eq!(every.normalize("http://h/?a&b=1&%2F").unwrap(), "http://h/");
}

#[test]
fn names_to_keep_are_recoded() {
    let normalizer = Normalizer::safe().keep_only(["%61", "é", "c d", "%", "a/b"]);
    let lax = normalizer.clone().keep_illegal_escapes(true);
    assert_eq!(lax.normalize("http://h/?a=1&%%34=2&c%20d=3&%=4").unwrap(), "http://h/?a=1&c%20d=3&%=4");
    let form = normalizer.normalize("http://h/?a=1&%c3%a9=2&c d=3&a%2Fb=4&a/b=5&x").unwrap();
    assert_eq!(form, "http://h/?a=1&%C3%A9=2&c%20d=3&a/b=5");
    // A name is not a reference, which would get `./` before it.
    let colon = normalizer.keep_only(["%61:b"]);
    assert_eq!(colon.normalize("http://h/?a:b=1&./a:b=2").unwrap(), "http://h/?a:b=1");
    // Without the change, the names in the URI are as they are written.
    let written = colon.without(Change::Encoding).keep_only(["é", "%C3%BC"]);
    assert_eq!(written.normalize("http://h/?é=1&%C3%BC=2&%C3%A9=3&ü=4").unwrap(), "http://h/?é=1&%C3%BC=2&%C3%A9=3");
}

#[test]
fn explains() {
    let normalizer = Normalizer::crawl().with(Change::Upgrade).with(Change::DropIndex);
    let uri = "HTTP://u@H:80/%7Ea/../index.html?utm_x=1#top";
    let effects = normalizer.explain(uri).unwrap();
    let changes: Vec<_> = effects.iter().map(|effect| effect.change.name()).collect();
    let expected =
        ["encoding", "case", "default-port", "dots", "drop-fragment", "drop-tracking", "upgrade", "drop-index"];
    assert_eq!(changes, expected);
    assert_eq!(effects[4].before, "http://u@h/index.html?utm_x=1#top");
    assert_eq!(effects[4].after, "http://u@h/index.html?utm_x=1");
    assert_eq!(effects[7].after, "https://u@h/");
    assert_eq!(normalizer.explain("https://h/?a").unwrap(), []);
}

#[test]
fn debug_shows_the_changes() {
    let text = format!("{:?}", normalizer("none +dots +drop-www"));
    assert_eq!(text, "Normalizer([Dots, DropWww])");
}

/// Long texts of the shapes that could cost more than linear time.
#[test]
fn long_texts_are_normalized() {
    let fill = |head: &str, unit: &str| format!("{head}{}", unit.repeat((256 << 10) / unit.len()));
    let shapes = [
        fill("http://h/?", "a&"),
        fill("http://h/?", "b=%41&a&"),
        fill("http://h/?", "&"),
        fill("http://h/?", "utm_a&"),
        fill("http://h/?", "%41"),
        fill("http://h/?a", "a=1&aa"),
        fill("http://h/", "%41"),
        fill("http://h/", "/"),
        fill("http://h/", "a//"),
        fill("http://h/", "http://"),
        fill("http://h/", "../"),
        fill("http://h/", "%2e./"),
        fill("http://h/", "a/../"),
        fill("http://h/", "a/") + &"../".repeat(1 << 16),
        fill("http://h/", ";jsessionid=1"),
        fill("http://h/", ";sid/"),
        fill("http://h/", ";a/%2e%2e/"),
        fill("http://h/", "index.html/"),
        fill("http://", "www."),
        fill("http://", "%C3%BC"),
        fill("http://", "u@"),
        fill("http://", ":"),
        fill("http://h/#", "%41"),
        fill("a", "a"),
        fill("mailto:", "a&"),
        fill("", "é"),
    ];
    for uri in shapes {
        for normalizer in [Normalizer::safe(), Normalizer::crawl(), all(u32::MAX)] {
            let form = normalizer.normalize(&uri).unwrap();
            assert!(form == normalizer.normalize(&form).unwrap(), "{}", &uri[..20]);
            normalizer.surt_into(&uri, &mut String::new()).unwrap();
        }
    }
}
