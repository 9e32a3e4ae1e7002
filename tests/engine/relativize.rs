//! Relativizing: laws on random pairs, naive searches for a shorter reference, and rare forms.

use std::collections::HashMap;

use quickcheck::{TestResult, quickcheck};
use relref::{AnyBase, Base, ReferenceForm, Rules, UriRef, whatwg};

use crate::inputs::references::{AnyRules, Pair};
use crate::inputs::runner::tries;

quickcheck! {
    /// For a target to which some reference resolves, relativizing gives a reference that resolves to it, under every rule set and
    /// mix. If the target resolves to itself, the reference is not longer than the target.
    fn resolves_back(pair: Pair, rules: AnyRules) -> TestResult {
        let AnyRules(rules) = rules;
        let base = Base::new(&pair.base, rules).unwrap();
        let resolved = base.resolve(&pair.reference).to_string();
        for (target, is_reached) in [(resolved, true), (pair.base.clone(), false), (pair.reference.clone(), false)] {
            let stable = base.resolve(&target) == *target;
            let reference = base.relativize(&target);
            let back = base.resolve(&reference).to_string();
            let good = back == target || (!is_reached && !stable && reference == *target);
            if !good || (stable && reference.len() > target.len()) {
                return TestResult::error(format!("{rules:?}: {target} from {base} = {reference}, back {back}"));
            }
        }
        TestResult::passed()
    }

    /// A reference of a form resolves to the target, and has the form unless it is the target itself.
    fn forms_resolve_back(pair: Pair, rules: AnyRules) -> TestResult {
        let base = Base::new(&pair.base, rules.0).unwrap();
        let any = AnyBase::new(&pair.base, rules.0).unwrap();
        let browsers = whatwg::Base::new(&pair.base).ok();
        let target = base.resolve(&pair.reference).to_string();
        let href = browsers.as_ref().and_then(|base| base.resolve(&pair.reference).ok());
        for form in [ReferenceForm::Shortest, ReferenceForm::SameOrigin, ReferenceForm::Relative, ReferenceForm::Rooted] {
            let has_form = |reference: &str| match form {
                ReferenceForm::Shortest => true,
                ReferenceForm::SameOrigin => UriRef::new(reference).is_relative() && !reference.starts_with("//"),
                ReferenceForm::Relative => UriRef::new(reference).is_relative() && !reference.starts_with('/'),
                _ => reference.starts_with('/') && !reference.starts_with("//"),
            };
            let reference = base.relativize_as(&target, form);
            let is_own = *reference == *target;
            if any.relativize_as(&target, form).is_some_and(|other| other != reference)
                || !(is_own || has_form(&reference) && base.resolve(&reference) == *target)
                || (form == ReferenceForm::Shortest) && reference != base.relativize(&target)
            {
                return TestResult::error(format!("{rules:?} {form:?}: {target} from {base} = {reference}"));
            }
            let (Some(base), Some(href)) = (&browsers, &href) else { continue };
            let reference = base.relativize_as(href, form);
            if *reference != **href && !(has_form(&reference) && base.resolve(&reference).as_ref() == Ok(href)) {
                return TestResult::error(format!("whatwg {form:?}: {href} from {base} = {reference}"));
            }
        }
        TestResult::passed()
    }

    /// The reference that relativizing finds is never longer than the one that was resolved to the target.
    fn no_longer_than_the_original(pair: Pair) -> TestResult {
        for rules in Rules::ALL.iter().flat_map(|rules| [*rules, rules.lenient()]) {
            let base = Base::new(&pair.base, rules).unwrap();
            let target = base.resolve(&pair.reference).to_string();
            let reference = base.relativize(&target);
            if reference.len() > pair.reference.len() {
                return TestResult::error(format!("{rules}: {target} from {base} = {reference}, not {}", pair.reference));
            }
        }
        TestResult::passed()
    }
}

#[test]
fn references_have_the_form_that_is_asked_for() {
    let base = "http://h/a/b/c?q";
    for (target, same_origin, relative, rooted) in [
        ("http://h/a/b/d", "d", "d", "/a/b/d"),
        ("http://h/d", "/d", "../../d", "/d"),
        ("http://h/", "/", "../../", "/"),
        ("http://h//d", "/.//d", "../..//d", "/.//d"),
        ("http://h/a/b/d:e", "./d:e", "./d:e", "/a/b/d:e"),
        ("http://h/a/b/c?q#f", "#f", "#f", "/a/b/c?q#f"),
        ("http://h:80/d", "http://h:80/d", "http://h:80/d", "http://h:80/d"),
        ("http://other/d", "http://other/d", "http://other/d", "http://other/d"),
        ("mailto:a@b", "mailto:a@b", "mailto:a@b", "mailto:a@b"),
    ] {
        let documents = Base::new(base, Rules::RFC3986).unwrap();
        let browsers = whatwg::Base::new(base).unwrap();
        for (form, expected) in [
            (ReferenceForm::SameOrigin, same_origin),
            (ReferenceForm::Relative, relative),
            (ReferenceForm::Rooted, rooted),
        ] {
            assert_eq!(documents.relativize_as(target, form), expected, "{target} {form:?}");
            // No serialized URL has a default port.
            if !target.contains(":80") {
                assert_eq!(browsers.relativize_as(target, form), expected, "{target} {form:?}");
            }
        }
    }
}

/// Returns the shortest references that resolve to a target, found naively: tries every start that a reference may need with every
/// end of the target after it.
fn shortest(base: &Base, target: &str) -> Vec<String> {
    let directories = base.as_str().matches('/').count();
    let parents = (1..=directories + 1).flat_map(|parents| ["../".repeat(parents), "../".repeat(parents - 1) + ".."]);
    let fixed = ["", ".", "./", "/", "/.", "/./", "/..", "/../", "//", "#"].map(String::from);
    let starts: Vec<String> = fixed.into_iter().chain([format!("{}:", base.uri().scheme())]).chain(parents).collect();
    let ends = target.char_indices().map(|(at, _)| &target[at..]).chain([""]);
    let mut all: Vec<String> = ends.flat_map(|end| starts.iter().map(move |start| format!("{start}{end}"))).collect();
    all.sort_by_key(String::len);
    let mut found: Vec<String> = Vec::new();
    for reference in all {
        if found.first().is_some_and(|first| first.len() < reference.len()) {
            break;
        }
        if base.resolve(&reference) == *target {
            found.push(reference);
        }
    }
    found
}

/// No reference that resolves to the target is shorter than the one found. Of several of the same length, one without a slash at
/// its start is chosen, unless it needs a dot there or the path of the target starts with `/.//`.
#[test]
fn the_naive_search_finds_none_shorter() {
    fn law(pair: Pair, which: usize) -> TestResult {
        let rules = Rules::ALL[which % 6];
        for rules in [rules, rules.lenient()] {
            let base = Base::new(&pair.base, rules).unwrap();
            // The reference after the last slash of the base: a target of the same directory, mostly.
            let near = pair.base.rfind('/').map_or("", |slash| &pair.base[..=slash]).to_string() + &pair.reference;
            let resolved = base.resolve(&pair.reference).to_string();
            for target in [resolved, near, pair.base.clone(), pair.reference.clone()] {
                let (found, shortest) = (base.relativize(&target), shortest(&base, &target));
                let is_later = |reference: &String| reference.starts_with('/') || reference.starts_with("./");
                let is_guarded = UriRef::new(&target).path().starts_with("/.//");
                let is_in_order = !found.starts_with('/') || is_guarded || shortest.iter().all(is_later);
                let is_found =
                    if shortest.is_empty() { *found == target } else { shortest.contains(&found.to_string()) };
                if !is_found || !is_in_order {
                    return TestResult::error(format!("{rules}: {target} from {base} = {found}, not of {shortest:?}"));
                }
            }
        }
        TestResult::passed()
    }
    tries(1000).quickcheck(law as fn(Pair, usize) -> TestResult);
}

/// Returns all texts of up to `longest` characters from a small alphabet.
fn texts(longest: u32) -> impl Iterator<Item = String> {
    let alphabet = ['/', '.', 'a', 'b', '?', '#', ':', ';'];
    (0..=longest).flat_map(move |len| {
        (0..alphabet.len().pow(len)).map(move |number| {
            let digit = |place| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
            (0..len).map(digit).collect()
        })
    })
}

#[test]
fn no_short_reference_is_shorter() {
    let longest = std::env::var("RELREF_LONGEST").map_or(4, |longest| longest.parse().unwrap());
    let bases = [
        "a:",
        "a:b",
        "a:/",
        "a:/b",
        "a:b/a",
        "a:b/a/b",
        "a:/a/b/a",
        "a://",
        "a:///",
        "a://b",
        "a://b/",
        "a://b/a",
        "a://b/a/b/a",
        "a://b//a",
        "a://b//",
        "a://b/a//b/a",
        "a:///b/a",
        "a:/.//a/b",
        "a:/a//b",
        "a:b//a",
        "a://b/a:b/a",
        "a://b/a://b",
        "a://b/a://b/a",
        "a://b/a://b/a/b?a#b",
        "a://b?a/b",
        "a:b?a",
        "a://b/a;b",
        "a://b;a/b;a;b?a",
        "a://b/a/../b/a",
        "a://b/./a//../b",
        "a:a/../b",
        "a:../b",
        "a://b/../a/b",
        "a://b/a///b//a/b",
    ];
    for &rules in Rules::ALL {
        for base in bases {
            let base = Base::new(base, rules).unwrap();
            let mut shortest = HashMap::new();
            for reference in texts(longest) {
                // In order of length: the first is a shortest one.
                let target = base.resolve(&reference).to_string();
                shortest.entry(target).or_insert(reference);
            }
            for (target, reference) in shortest {
                let found = base.relativize(&target);
                assert!(base.resolve(&found) == *target, "{rules}: {target} from {base} = {found}");
                assert!(found.len() <= reference.len(), "{rules}: {target} from {base} = {found}, not {reference}");
            }
        }
    }
}

/// Relativizing finds the reference that was resolved to the target: where rules read targets as relative, for mixes of rules, and
/// in rare forms.
#[test]
fn references_of_rare_forms() {
    let draft = Rules::DRAFT_WWW_URI_00.lenient();
    let surplus = Rules { drop_surplus: true, ..Rules::RFC1630.lenient() };
    for (rules, base, target, expected) in [
        (Rules::RFC2396.lenient(), "E:2/.a", "E:.../x", "../.../x"),
        // The first segment before a cut is removed by a `..` after it.
        (draft, "f:a:/..x/f://../b;", "f:b", "/../b"),
        (draft, "f:h../..///b..", "f:", "/.."),
        (Rules::RFC1630, "long:a/..//b/c/d/e", "long:/x", "//x"),
        (Rules::RFC1630, "long:a/b/", "long:x", "/../x"),
        // Dots leave nothing before a cut, and the slash is removed with them.
        (draft, "a:./..;//#", "a:..", "/.."),
        (draft, "http:./x/..////", "http:/.///", "////"),
        (draft, "a:./b//c", "a:/x", "/.//x"),
        (draft, "a:.//b/c//d", "a:/.//x", "//.//x"),
        (Rules::RFC1630.lenient(), "a:.///f:h/a:/../", "a:/.//..///h.", "///..///h."),
        // A `..` too many leaves the root.
        (surplus, "http:x/?a", "http:/", ".."),
        (surplus, "f:x/b", "f:/http:;b", "../http:;b"),
        // After a slash run `./` would stay, and only the scheme keeps `a:` from being one.
        (Rules { rooted_dots: false, ..surplus }, "h:../b//", "h:b//a:/..c", "h:a:/..c"),
    ] {
        let base = Base::new(base, rules).unwrap();
        assert_eq!(base.relativize(target), expected, "{rules}: {target} from {base}");
        assert_eq!(base.resolve(expected), target);
    }
}

#[test]
fn relative_before_rooted() {
    let base = Base::new("http://h/a/b", Rules::RFC3986).unwrap();
    for (target, expected) in [
        ("http://h/", "/"),
        ("http://h/c", "/c"),
        ("http://h/a/", "."),
        ("http://h/a/c", "c"),
        ("http://h/a/b", ""),
        ("http://h/a/b#f", "#f"),
        ("http://h/a/b?q", "?q"),
        ("http://h/a/c:d", "./c:d"),
        ("http://h/a//c", ".//c"),
        ("http://h//c", "..//c"),
        ("http://h", "//h"),
        ("http://other/a/b", "//other/a/b"),
        ("https://h/a/b", "https://h/a/b"),
        ("HTTP://h/a/b", "HTTP://h/a/b"),
        ("not absolute", "not absolute"),
        ("", ""),
    ] {
        assert_eq!(base.relativize(target), expected);
    }
    // From three directories down, `/.` is shorter than dots.
    assert_eq!(Base::new("http://h/a/b/c/d", Rules::RFC3986).unwrap().relativize("http://h//c"), "/.//c");
    // `../c` and `/a/c` are equally long.
    let base = Base::new("http://h/a/b/x", Rules::RFC3986).unwrap();
    assert_eq!(base.relativize("http://h/a/c"), "../c");
}
