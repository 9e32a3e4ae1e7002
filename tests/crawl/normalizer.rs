//! Normalisation for crawlers: the tables, and what holds for every URI and every set of changes.

use std::fs;
use std::path::Path;

use quickcheck::{Arbitrary, Gen, TestResult, quickcheck};
use relref::canon::{self, Rung};
use relref::crawl::{Change, Normalizer, TRACKING};
use relref::{Base, ErrorKind, Rules};

use crate::inputs::references::{Pair, Text};

/// The normalizer that a row names: a preset, then changes with `+` or `-` in front; `keep-only=a,b` has its list.
fn normalizer(names: &str) -> Normalizer {
    let mut names = names.split(' ');
    let none = || Change::ALL.iter().fold(Normalizer::safe(), |normalizer, change| normalizer.without(*change));
    let preset = match names.next() {
        Some("safe") => Normalizer::safe(),
        Some("crawl") => Normalizer::crawl(),
        Some("none") => none(),
        preset => panic!("{preset:?}"),
    };
    names.fold(preset, |normalizer, name| match name.split_at(1) {
        ("+", name) => match name.split_once('=') {
            Some(("keep-only", list)) => normalizer.keep_only(list.split(',')),
            _ => normalizer.with(name.parse().unwrap()),
        },
        ("-", name) => normalizer.without(name.parse().unwrap()),
        _ => panic!("{name}"),
    })
}

/// A place, changes, an input and what is expected.
type Row = (String, String, String, String);

/// The rows of a table that can be tried.
fn rows(name: &str) -> Vec<Row> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name);
    let text = fs::read_to_string(file).unwrap();
    let row = |(at, line): (usize, &str)| match line.split('\t').collect::<Vec<_>>()[..] {
        [changes, input, expected] => (format!("{name}:{}", at + 1), changes.into(), input.into(), expected.into()),
        _ => panic!("{name}:{}: not three fields", at + 1),
    };
    let rows = text.lines().enumerate().skip(1).map(row);
    rows.filter(|(_, changes, input, _): &Row| cfg!(feature = "idna") || !needs_idna(changes, input)).collect()
}

/// Whether a row may need A-labels.
fn needs_idna(changes: &str, input: &str) -> bool {
    changes.contains("idna") || !input.is_ascii() || input.contains("%C3%BC")
}

#[test]
fn every_row() {
    let mut failures = Vec::new();
    let tables = ["crawl.tsv", "crawl-unchanged.tsv"];
    let rows: Vec<_> = tables.into_iter().flat_map(rows).collect();
    assert!(rows.len() > 150, "only {} rows", rows.len());
    for (place, changes, input, expected) in rows {
        let normalizer = normalizer(&changes);
        match normalizer.normalize(&input) {
            Ok(form) if form == expected => {
                let again = normalizer.normalize(&form);
                if again.as_deref() != Ok(&form) {
                    failures.push(format!("{place}: {form} again is {again:?}"));
                }
            }
            form => failures.push(format!("{place}: {changes}: {input} is {form:?}, not {expected}")),
        }
    }
    assert!(failures.is_empty(), "{} rows fail:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_key() {
    for (place, changes, input, expected) in rows("surt.tsv") {
        let mut key = String::from("<");
        normalizer(&changes).surt_into(&input, &mut key).unwrap();
        assert_eq!(key, format!("<{expected}"), "{place}: {changes}: {input}");
    }
}

/// Every change is in some row, and effects something there.
#[test]
fn every_change_has_a_row() {
    let rows = rows("crawl.tsv");
    for change in Change::ALL {
        let shows = |(_, changes, input, expected): &Row| {
            let on = normalizer(changes);
            on.has(*change) && on.without(*change).normalize(input).unwrap() != *expected
        };
        assert!(rows.iter().any(shows), "{change}");
    }
}

#[test]
fn changes_have_names() {
    for change in Change::ALL {
        assert_eq!(change.to_string().parse(), Ok(*change));
        assert!(change.name().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
    }
    let error = "sort".parse::<Change>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnknownChange);
    assert_eq!(error.to_string(), "not a change: expected the name of a change, found `s` at byte 0");
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
            let form = normalizer.normalize(&format!("http://h/?{name}=1&id=2&{name}")).unwrap();
            assert_eq!(form, "http://h/?id=2");
        }
        // A name that only starts or ends so is another.
        assert_eq!(normalizer.normalize(&format!("http://h/?x{name}=1")).unwrap(), format!("http://h/?x{name}=1"));
        let more = normalizer.normalize(&format!("http://h/?{name}~y=1")).unwrap();
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
        assert_eq!(own.normalize(&format!("http://h/?{query}")).unwrap(), format!("http://h/{form}"));
    }
    let foreign = Normalizer::safe().tracking(["Vonü", "von %61*"]);
    assert_eq!(foreign.normalize("http://h/?von%c3%bc=1&VONü=2&Von ab=3&von=4").unwrap(), "http://h/?von=4");
    let every = Normalizer::safe().tracking(["*"]);
    assert_eq!(every.normalize("http://h/?a&b=1&%2F").unwrap(), "http://h/");
}

#[test]
fn names_to_keep_are_at_the_level_of_encoding() {
    let normalizer = Normalizer::safe().keep_only(["%61", "é", "c d", "%", "a/b"]);
    let form = normalizer.normalize("http://h/?a=1&%C3%A9=2&c%20d=3&%=4");
    assert!(form.is_err());
    let form = normalizer.normalize("http://h/?a=1&%c3%a9=2&c d=3&a%2Fb=4&a/b=5&x").unwrap();
    assert_eq!(form, "http://h/?a=1&%C3%A9=2&c%20d=3&a/b=5");
    // A name is no reference, which would get `./` in front.
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
    let fill = |head: &str, unit: &str| format!("{head}{}", unit.repeat((1 << 20) / unit.len()));
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
        fill("http://h/", "a/") + &"../".repeat(1 << 18),
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

/// The changes that a mask picks.
fn all(mask: u32) -> Normalizer {
    Change::ALL.iter().enumerate().fold(Normalizer::safe(), |normalizer, (at, change)| match mask >> at & 1 {
        0 => normalizer.without(*change),
        _ => normalizer.with(*change),
    })
}

/// A text that has what the changes are about.
#[derive(Clone, Debug)]
struct Link(String);

fn pick<'a>(g: &mut Gen, from: &[&'a str]) -> &'a str {
    g.choose(from).unwrap()
}

fn several(g: &mut Gen, most: usize, from: &[&str], out: &mut String) {
    for _ in 0..usize::arbitrary(g) % (most + 1) {
        out.push_str(pick(g, from));
    }
}

impl Arbitrary for Link {
    fn arbitrary(g: &mut Gen) -> Self {
        let schemes = [
            "http:", "http:", "https:", "HTTP:", "ftp:", "ws:", "wss:", "file:", "gopher:", "mailto:", "x-y:", "",
            "%61:",
        ];
        let hosts = [
            "www.",
            "WWW.",
            "%77ww.",
            "example",
            "Ex%41mple",
            ".com",
            ".",
            "ü",
            "%C3%BC",
            "%c3%9c",
            "%FC",
            "%21",
            "!",
            "xn--a",
            "ß",
            "。",
            "\u{ad}",
            "１",
            "℀",
            "localhost",
            "[::1]",
            "127.0.0.1",
            "\"",
            " ",
            "a",
            "%2F",
            "ｗ",
            "www",
            "{ü",
        ];
        let ports = ["", "", "", ":", ":80", ":443", ":%38%30", ":8080", ":080", ":80:80"];
        let segments = [
            "/",
            "/",
            "/",
            "//",
            "a",
            ".",
            "..",
            "%2e",
            "%2E%2e",
            ".%2E",
            ";jsessionid=1",
            ";sid",
            ";x",
            ";",
            "%3Bsid=1",
            "index.html",
            "INDEX.%70hp",
            "/index.html",
            "http:",
            "http://",
            "HTTP%3A//",
            "x-1:",
            "é",
            "%C3",
            "%2F",
            " ",
            "%7E",
            "~",
            ":",
            "=",
            "\"",
            "/..;sid=1",
            "/.;a;sid",
            "/../",
            "/./",
        ];
        let params = [
            "&",
            "&",
            "&",
            "&&",
            "=",
            "a",
            "b",
            "a=1",
            "a=",
            "b=2",
            "utm_source=x",
            "utm%5Fa",
            "UTM_b=",
            "fbclid",
            "fb%63lid=1",
            "sid=1",
            "PHPSESSID=2",
            "%26",
            "%3D",
            ";",
            "+",
            "%20",
            "é",
            "%E9",
            "?",
            "/",
            "%75tm_c",
            "~",
            "%",
            "[]",
        ];
        let mut out = String::new();
        out.push_str(pick(g, &schemes));
        if u8::arbitrary(g) % 8 > 0 {
            out.push_str("//");
            out.push_str(pick(g, &["", "", "", "u@", "u:p@", "@", "u@v@", "%40@", "www.@"]));
            several(g, 4, &hosts, &mut out);
            out.push_str(pick(g, &ports));
        }
        if u8::arbitrary(g) % 8 > 0 {
            out.push_str(pick(g, &["/", "/", "/", "//", "", "/web/2020/http://h/", "/./", "/.."]));
            several(g, 6, &segments, &mut out);
        }
        if u8::arbitrary(g) % 3 > 0 {
            out.push('?');
            // A lone `%` is an error, which is not to happen to most.
            let known = if u8::arbitrary(g) % 16 == 0 { params.len() } else { params.len() - 5 };
            several(g, 12, &params[..known], &mut out);
        }
        if u8::arbitrary(g) % 4 == 0 {
            out.push_str(pick(g, &["#", "#x", "#/../a", "#a?b&a", "#%7e"]));
        }
        Link(out)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let text = self.0.clone();
        let less = text.char_indices().map(|(at, c)| format!("{}{}", &text[..at], &text[at + c.len_utf8()..]));
        Box::new(less.map(Link).collect::<Vec<_>>().into_iter())
    }
}

/// Once is as good as twice.
fn idempotent(normalizer: &Normalizer, uri: &str) -> TestResult {
    let Ok(once) = normalizer.normalize(uri) else { return TestResult::discard() };
    match normalizer.normalize(&once) {
        Ok(twice) if twice == once => TestResult::passed(),
        twice => TestResult::error(format!("{normalizer:?}: {once}, then {twice:?}")),
    }
}

quickcheck! {
    fn any_changes_are_idempotent(link: Link, mask: u32) -> TestResult {
        idempotent(&all(mask), &link.0)
    }

    fn any_changes_are_idempotent_with_lists(link: Link, mask: u32) -> TestResult {
        idempotent(&all(mask).tracking(["a", "b*"]).keep_only(["sid", "b", "utm_a", "é"]), &link.0)
    }

    fn presets_are_idempotent(link: Link) -> TestResult {
        let presets = [Normalizer::safe(), Normalizer::crawl(), all(u32::MAX)];
        let failed = presets.iter().map(|preset| idempotent(preset, &link.0)).find(TestResult::is_failure);
        failed.unwrap_or_else(TestResult::passed)
    }

    /// Any text either has a form or has an illegal escape.
    fn total(text: Text, mask: u32) -> bool {
        all(mask).normalize(&text.0).is_ok() == canon::normalize(&text.0, Rung::Encoding).is_ok()
            && !idempotent(&all(mask), &text.0).is_failure()
    }

    fn safe_is_the_canonical_form(link: Link) -> bool {
        Normalizer::safe().normalize(&link.0) == canon::normalize(&link.0, Rung::Scheme).map(Into::into)
    }

    fn safe_is_the_canonical_form_of_texts(text: Text) -> bool {
        Normalizer::safe().normalize(&text.0) == canon::normalize(&text.0, Rung::Scheme).map(Into::into)
    }

    /// What is the same safely is the same with more changes.
    fn more_changes_keep_what_is_the_same(link: Link, mask: u32) -> TestResult {
        let safe = Normalizer::safe();
        let Ok(form) = safe.normalize(&link.0) else { return TestResult::discard() };
        let more = Change::ALL.iter().filter(|change| safe.has(**change)).fold(all(mask), |more, change| more.with(*change));
        let (one, other) = (more.normalize(&link.0).unwrap(), more.normalize(&form).unwrap());
        if one == other { TestResult::passed() } else { TestResult::error(format!("{more:?}: {one} and {other}")) }
    }

    fn resolving_into_is_two_passes(pair: Pair, link: Link, mask: u32) -> bool {
        let normalizer = all(mask);
        [&pair.reference, &link.0].into_iter().all(|reference| {
            let base = Base::new(&pair.base, Rules::RFC3986).unwrap();
            let mut out = String::from("é");
            let done = normalizer.resolve_into(&base, reference, &mut out);
            match normalizer.normalize(&base.resolve(reference).to_string()) {
                Ok(form) => done.is_ok() && out == format!("é{form}"),
                Err(error) => done == Err(error) && out == "é",
            }
        })
    }

    fn explaining_is_normalizing(link: Link, mask: u32) -> TestResult {
        let normalizer = all(mask);
        let Ok(form) = normalizer.normalize(&link.0) else { return TestResult::discard() };
        let effects = normalizer.explain(&link.0).unwrap();
        let linked = effects.windows(2).all(|pair| pair[0].after == pair[1].before && pair[0].change < pair[1].change);
        let first = effects.first().map_or(&form, |effect| &effect.before);
        let last = effects.last().map_or(&link.0, |effect| &effect.after);
        TestResult::from_bool(linked && *first == link.0 && *last == form)
    }

    /// The key of a form is that of the URI.
    fn keys_are_of_normal_forms(link: Link, mask: u32) -> TestResult {
        let normalizer = all(mask);
        let Ok(form) = normalizer.normalize(&link.0) else { return TestResult::discard() };
        let (mut one, mut other) = (String::new(), String::new());
        normalizer.surt_into(&link.0, &mut one).unwrap();
        normalizer.surt_into(&form, &mut other).unwrap();
        TestResult::from_bool(one == other && (!form.contains("://") || !one.is_empty()))
    }
}
