//! Laws of splitting and resolving that hold for every input, tried on random ones.

use quickcheck::{TestResult, quickcheck};
use relref::{Base, Error, Rules, Segments, Slashes, UriRef};

use super::oracle;
use crate::inputs::references::{AnyRules, Pair, Text};

/// Resolves a reference in two ways, at once and with a prepared base, and checks that both agree.
fn resolve(base: &str, reference: &str, rules: Rules) -> Result<String, Error> {
    let once = relref::resolve(base, reference, rules)?;
    assert_eq!(Base::new(base, rules)?.resolve(reference), once, "{rules}: {base} + {reference}");
    Ok(once)
}

fn against_oracle(pair: &Pair, rules: Rules) -> TestResult {
    let expected = oracle::resolve(&pair.base, &pair.reference, rules);
    let result = resolve(&pair.base, &pair.reference, rules).unwrap();
    if result == expected {
        return TestResult::passed();
    }
    TestResult::error(format!("{rules}: {} + {} = {result}, not {expected}", pair.base, pair.reference))
}

/// Tries bases whose slashes are at every distance from each other and from the end, because slashes are found in windows of
/// several bytes.
#[test]
fn slashes_at_every_distance() {
    for (start, end) in ["s:", "s:/", "h:///", "h://a", "h://a/b/", "h://a/b/c/d/", "n://a//b/c/d/e/"]
        .into_iter()
        .flat_map(|start| ["", "/", "/y", "/y/z", "/y?q/r", "/./y", "/y/../z"].map(|end| (start, end)))
    {
        let middles = ["x", "é"].map(|x| (0..=140 / x.len()).map(move |len| x.repeat(len)));
        for base in middles.into_iter().flatten().map(|middle| format!("{start}{middle}{end}")) {
            for reference in ["g", "../g", "../../g", "../../../g", "../../../../g", "../../../../../../g", "/g", "?g"]
            {
                for &rules in Rules::ALL {
                    let expected = oracle::resolve(&base, reference, rules);
                    assert_eq!(resolve(&base, reference, rules).unwrap(), expected, "{rules}: {base} + {reference}");
                }
            }
        }
    }
}

/// Tries bases with segments of about the length from which on the engine remembers where segments start.
#[test]
fn long_segments() {
    let lens = [0, 1, 1022, 1023, 1024, 1025, 3000];
    let segments = lens.into_iter().flat_map(|one| lens.map(|other| (one, other)));
    for (one, other) in segments {
        let (one, other) = ("a".repeat(one), "b".repeat(other));
        for base in ["h://x/{}/{}/c/d/e/f", "h://x/{}/./{}/y/../c/d", "h:{}/{}/c/d/e", "h://x/{}//{}/c/d/../e/f"] {
            let base = base.replacen("{}", &one, 1).replacen("{}", &other, 1);
            for reference in (0..8).map(|parents| "../".repeat(parents) + "g").chain([String::from("/../g")]) {
                for &rules in Rules::ALL {
                    let expected = oracle::resolve(&base, &reference, rules);
                    let result = resolve(&base, &reference, rules).unwrap();
                    assert!(result == expected, "{rules}: {} and {}, {reference}", one.len(), other.len());
                }
            }
        }
    }
}

quickcheck! {
    /// A text of the program is split as any other.
    fn splits_the_same_in_a_constant(text: Text) -> bool {
        let text: &'static str = text.0.leak();
        let offsets = |uri: UriRef<&'static str>| {
            [uri.scheme(), uri.authority(), Some(uri.path()), uri.query(), uri.fragment()]
        };
        offsets(UriRef::from_static(text)) == offsets(UriRef::new(text))
    }

    fn oracle_rfc1630(pair: Pair) -> TestResult { against_oracle(&pair, Rules::RFC1630) }
    fn oracle_draft_www_uri_00(pair: Pair) -> TestResult { against_oracle(&pair, Rules::DRAFT_WWW_URI_00) }
    fn oracle_url7(pair: Pair) -> TestResult { against_oracle(&pair, Rules::URL7) }
    fn oracle_rfc1808(pair: Pair) -> TestResult { against_oracle(&pair, Rules::RFC1808) }
    fn oracle_rfc2396(pair: Pair) -> TestResult { against_oracle(&pair, Rules::RFC2396) }
    fn oracle_rfc3986(pair: Pair) -> TestResult { against_oracle(&pair, Rules::RFC3986) }

    /// The engine agrees with the oracle also with long names before the reference and after the base. Texts are searched in
    /// windows of several bytes.
    fn oracle_with_long_names(pair: Pair, lengths: (u8, u8)) -> TestResult {
        let name = |length: u8| "x".repeat(usize::from(length % 80));
        let base = format!("{}{}/{}", pair.base, name(lengths.0), name(lengths.1));
        for start in ["", "./", "../", "/", "//", "#"] {
            let reference = format!("{start}{}{}", name(lengths.1), pair.reference);
            for &rules in Rules::ALL {
                let result = against_oracle(&Pair { base: base.clone(), reference: reference.clone() }, rules);
                if result.is_failure() {
                    return result;
                }
            }
        }
        TestResult::passed()
    }

    /// With many segments, many of them dots, the text that is written at once agrees with the oracle and, by mixed rules, with the
    /// engine.
    fn oracle_with_many_segments(pair: Pair, picks: Vec<u8>, mixed: AnyRules) -> TestResult {
        const SEGMENTS: [&str; 8] = ["a", "bc", "..", "..", ".", ".d", "..e", ""];
        let segments: String = picks.iter().map(|&pick| [SEGMENTS[usize::from(pick % 8)], "/"].concat()).collect();
        let segments = if picks.len() % 2 == 0 { segments } else { segments.replace("//", "/f/") };
        // Some have more parts, and more bytes, than are taken at once.
        let segments = segments.repeat(if picks.len() % 8 == 0 { 20 } else { 1 });
        for start in ["", "/", "../"] {
            let reference = [start, &segments, &pair.reference].concat();
            for &rules in Rules::ALL {
                let result = against_oracle(&Pair { base: pair.base.clone(), reference: reference.clone() }, rules);
                if result.is_failure() {
                    return result;
                }
            }
            let base = Base::new(&pair.base, mixed.0).unwrap();
            let mut out = String::from("before ");
            base.resolve_into(&reference, &mut out);
            assert_eq!(out, format!("before {}", base.resolve(&reference)), "{mixed:?}: {base} + {reference}");
        }
        TestResult::passed()
    }

    /// The components of a split, put together again, are the text.
    fn split_loses_nothing(text: Text) -> bool {
        let Text(text) = text;
        let uri = UriRef::new(&text);
        let mut again = uri.scheme().map_or(String::new(), |scheme| format!("{scheme}:"));
        again += &uri.authority().map_or(String::new(), |authority| format!("//{authority}"));
        again += uri.path();
        again += &uri.query().map_or(String::new(), |query| format!("?{query}"));
        again += &uri.fragment().map_or(String::new(), |fragment| format!("#{fragment}"));
        again == text && format!("{uri}") == text && Segments::new(&text).to_string() == text
    }

    /// A base starts with a scheme as the document defines schemes. Otherwise, the error is at the first byte that a scheme cannot
    /// have.
    fn base_or_error(text: Text) -> bool {
        let Text(text) = &text;
        let scheme = text.split_once(':').is_some_and(|(scheme, _)| oracle::is_scheme(scheme));
        match Base::new(text, Rules::RFC1630) {
            Ok(base) => scheme && base.as_str() == *text && Base::new(text.clone(), Rules::RFC1630).is_ok(),
            Err(error) => {
                let (before, after) = text.split_at(error.position());
                let goes_on = after.starts_with(|c: char| c.is_ascii_alphanumeric() || "+-.:".contains(c));
                !scheme && (before.is_empty() || (oracle::is_scheme(before) && !goes_on))
            }
        }
    }

    /// A result has the components into which its text splits, under every rule set and mix. All ways to get the text agree.
    fn results_reparse(pair: Pair, rules: AnyRules) -> TestResult {
        let AnyRules(rules) = rules;
        let base = Base::new(&pair.base, rules).unwrap();
        let result = base.resolve(&pair.reference);
        let text = result.to_string();
        let again = UriRef::new(&text);
        // It is absolute, whatever the reference was.
        let same = again.scheme().is_some()
            && Some(result.scheme()) == again.scheme()
            && result.authority() == again.authority()
            && result.path() == again.path()
            && result.query() == again.query()
            && result.fragment() == again.fragment()
            && (result.userinfo(), result.host(), result.port()) == (again.userinfo(), again.host(), again.port())
            && (result.port_or_known_default(), result.origin().to_string()) == (again.port_or_known_default(), again.origin().to_string())
            && result.query_pairs().eq(again.query_pairs());
        let uri = result.to_uri();
        let same = same
            && (uri.authority(), uri.path(), uri.query(), uri.fragment())
                == (again.authority(), again.path(), again.query(), again.fragment());
        let mut into = String::from("> ");
        base.resolve_into(&pair.reference, &mut into);
        if !same || result.len() != text.len() || into[2..] != text || result != *text {
            return TestResult::error(format!("{rules:?}: {result:?}, but {again:?}"));
        }
        TestResult::passed()
    }

    /// An explanation has the result that resolving has, and its slash runs are slash runs of the base.
    fn explain_agrees(pair: Pair, rules: AnyRules) -> bool {
        let base = Base::new(&pair.base, rules.0).unwrap();
        let why = base.explain(&pair.reference);
        why.uri == *base.resolve(&pair.reference).to_string()
            && !why.steps.is_empty()
            && why.steps.iter().filter_map(|step| step.action.run()).all(|run| {
                let (before, after) = (&pair.base[..run.start], &pair.base[run.end..]);
                !run.is_empty()
                    && pair.base[run].bytes().all(|b| b == b'/')
                    && !before.ends_with('/')
                    && !after.starts_with('/')
            })
    }

    /// `resolve(resolve(C, "x/"), r) = resolve(C, "x/" + r)` for a relative path `r` and a base with a rooted path.
    fn bases_associate(pair: Pair) -> TestResult {
        let r = UriRef::new(&pair.reference);
        if r.scheme().is_some() || r.path().is_empty() || pair.reference.starts_with('/') || r.path().starts_with(';') {
            return TestResult::discard();
        }
        for &rules in Rules::ALL {
            let base = Base::new(&pair.base, rules).unwrap();
            if base.uri().authority().is_none() && !base.uri().path().starts_with('/') {
                return TestResult::discard();
            }
            let inner = base.resolve("x/").to_string();
            let left = Base::new(&inner, rules).unwrap().resolve(&pair.reference).to_string();
            let right = base.resolve(&format!("x/{}", pair.reference)).to_string();
            if left != right {
                return TestResult::error(format!("{rules}: {left} and {right}"));
            }
        }
        TestResult::passed()
    }

    /// No relative path changes the authority. By rules with slash levels, no relative path removes a host inside the path.
    fn dots_stay_below_the_authority(pair: Pair, rules: AnyRules) -> TestResult {
        let reference = format!("../../../../../{}", pair.reference.trim_start_matches('/'));
        let base = Base::new(&pair.base, rules.0).unwrap();
        let result = base.resolve(&reference).to_string();
        if UriRef::new(&result).authority() != base.uri().authority() {
            return TestResult::error(format!("{rules:?}: {} + {reference} = {result}", pair.base));
        }
        let nested = format!("http://archive/web/{}", pair.base);
        let uri = UriRef::new(&pair.base);
        let host = uri.authority().filter(|host| !host.is_empty()).map(|host| format!("{}://{host}", uri.scheme().unwrap()));
        for rules in [Rules::RFC1630, Rules::DRAFT_WWW_URI_00] {
            let result = resolve(&nested, &reference, rules).unwrap();
            if host.as_ref().is_some_and(|host| !result.starts_with(&format!("http://archive/web/{host}"))) {
                return TestResult::error(format!("{rules}: {nested} + {reference} = {result}"));
            }
        }
        TestResult::passed()
    }

    /// Removing dots a second time changes nothing.
    fn remove_dots_is_idempotent(text: Text, rules: AnyRules) -> bool {
        let mut once = Segments::new(&text.0);
        once.remove_dots(rules.0);
        let path = once.to_string();
        let mut twice = Segments::new(&path);
        twice.remove_dots(rules.0);
        twice.to_string() == path
    }

    /// For a directory without dot segments, `parent` gives what `..` after it gives.
    fn parent_is_two_dots(text: Text, rules: AnyRules) -> TestResult {
        let AnyRules(rules) = rules;
        let mut directory = Segments::new(&text.0);
        directory.remove_dots(rules);
        let before = directory.to_string();
        let dots = format!("{before}/..");
        let mut expected = Segments::new(&dots);
        expected.remove_dots(rules);

        let mut directory = Segments::new(&before);
        let is_after_run = rules.slashes != Slashes::Components && before.ends_with('/');
        let last = match directory.remove_last(rules) {
            Some(_) => "",
            None if rules.drop_surplus && !is_after_run => "",
            None => "..",
        };
        directory.push(last);
        if directory != expected {
            return TestResult::error(format!("{rules}: {before} becomes {directory}, not {expected}"));
        }
        TestResult::passed()
    }
}
