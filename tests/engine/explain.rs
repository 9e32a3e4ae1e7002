//! Explanations: the steps, and the words for each decision.

use relref::{Action, Base, Rules};

fn actions(base: &str, reference: &str, rules: Rules) -> Vec<(Action, String)> {
    let base = Base::new(base, rules).unwrap();
    let steps = base.explain(reference).steps;
    steps.iter().map(|step| (step.action.clone(), step.text.to_string())).collect()
}

fn one(base: &str, reference: &str, rules: Rules) -> (Action, String) {
    let actions = actions(base, reference, rules);
    assert_eq!(actions.len(), 1, "{actions:?}");
    actions[0].clone()
}

fn said(action: Action, text: &str) -> (Action, String) {
    (action, text.to_string())
}

#[test]
fn the_chosen_run() {
    let base = "magic://a/b/c//d/e/f";
    assert_eq!(one(base, "/g", Rules::RFC1630), said(Action::Run(16..17), "magic://a/b/c//d"));
    assert_eq!(one(base, "/g", Rules::DRAFT_WWW_URI_00), said(Action::FirstRun(9..10), "magic://a"));
    assert_eq!(one(base, "//g", Rules::RFC1630), said(Action::Run(6..8), "magic:"));
    assert_eq!(one(base, "///g", Rules::RFC1630), said(Action::NoRun, "magic:"));
    assert_eq!(one("a:b://h", "/g", Rules::RFC1630), said(Action::Host(4..6), "a:b://h"));
    assert_eq!(one(base, "/g", Rules::RFC3986), said(Action::Root, "magic://a"));
    assert_eq!(one(base, "//g", Rules::RFC3986), said(Action::Authority, "magic:"));
}

#[test]
fn what_is_kept_and_removed() {
    let base = "http://a/./b/c?q#f";
    assert_eq!(one(base, "x:y", Rules::RFC3986), said(Action::Absolute, "x:y"));
    assert_eq!(one(base, "", Rules::RFC3986), said(Action::Empty, "http://a/./b/c?q"));
    assert_eq!(one(base, "", Rules::RFC1808), said(Action::Empty, base));
    assert_eq!(one(base, "#s", Rules::RFC3986), said(Action::Fragment, "http://a/./b/c?q"));
    assert_eq!(one(base, "?y", Rules::RFC3986), said(Action::Query, "http://a/./b/c"));
    assert_eq!(one(base, ";x", Rules::RFC1808), said(Action::Params, "http://a/./b/c"));
    let directory = said(Action::Directory, "http://a/./b/");
    let dot = said(Action::DotRemoved, ".");
    assert_eq!(actions(base, "?y", Rules::RFC2396), [directory.clone(), dot.clone()]);
    assert_eq!(
        actions(base, ".././../g", Rules::RFC3986),
        [directory, dot.clone(), said(Action::SegmentRemoved, "b"), dot, said(Action::SurplusDropped, "..")]
    );
    assert_eq!(
        actions("http://a", "../g", Rules::RFC2396),
        [said(Action::Directory, "http://a"), said(Action::MissingPath, "http://a"), said(Action::SurplusKept, "..")]
    );
    assert_eq!(
        actions("http://h?q#f", "x", Rules::RFC3986),
        [said(Action::Directory, "http://h"), said(Action::MissingPath, "http://h")]
    );
    assert_eq!(
        actions("x:/http://h?q#f", "g", Rules::RFC1630),
        [said(Action::Directory, "x:/http://"), said(Action::MissingPath, "x:/http://h")]
    );
    assert_eq!(
        actions("http://h?q#f", ";x", Rules::RFC1808),
        [said(Action::MissingPath, "http://h"), said(Action::Params, "http://h")]
    );
    assert_eq!(
        actions("http://a//b", "../g", Rules::RFC1630),
        [said(Action::Directory, "http://a//"), said(Action::DotsAfterRun, "..")]
    );
    assert_eq!(
        actions("file:///./a", "g", Rules::RFC1630),
        [said(Action::Directory, "file:///./"), said(Action::DotsAfterRun, ".")]
    );
    assert_eq!(
        actions("f:/a", ".//g", Rules::RFC3986),
        [said(Action::Directory, "f:/"), said(Action::DotRemoved, "."), said(Action::Guard, "/.")]
    );
    assert_eq!(
        actions("HTTP://a/b", "http:g", Rules::RFC3986.lenient()),
        [said(Action::SchemeIgnored, "http"), said(Action::Directory, "HTTP://a/")]
    );
}

/// The section that each rule set cites for each step of some references, in order.
#[test]
fn sources() {
    let references = ["g:h", "", "#s", "?y"];
    let documents = [
        (Rules::URL7, "URL7, appendix 1.2|URL7, appendix 1.1|URL7, appendix 1.1|URL7, appendix 1.2"),
        (
            Rules::DRAFT_WWW_URI_00,
            "draft-www-uri-00 §4.4|draft-www-uri-00 §4.5|draft-www-uri-00 §4.5|draft-www-uri-00 §4.4",
        ),
        (Rules::RFC1630, "RFC 1630, P|RFC 1630, F|RFC 1630, F|RFC 1630, P"),
        (Rules::RFC1808, "RFC 1808 §4 step 2b|RFC 1808 §4 step 2a|RFC 1808 §4 step 5b|RFC 1808 §4 step 5b"),
        (Rules::RFC2396, "RFC 2396 §5.2 step 3|RFC 2396 §5.2 step 2|RFC 2396 §5.2 step 2|RFC 2396 §5.2 step 6"),
        (Rules::RFC3986, "RFC 3986 §5.2.2|RFC 3986 §5.2.2|RFC 3986 §5.2.2|RFC 3986 §5.2.2"),
    ];
    let cited = |rules: Rules, reference: &str| {
        let base = Base::new("http://a/b/c/d;p?q", rules).unwrap();
        let steps = base.explain(reference).steps;
        steps.iter().map(|step| step.source).collect::<Vec<_>>()
    };
    for (rules, expected) in documents {
        for (reference, expected) in references.iter().zip(expected.split('|')) {
            let expected = match expected {
                "RFC 1630, P" => "RFC 1630, Partial (relative) form",
                "RFC 1630, F" => "RFC 1630, Fragment-id",
                other => other,
            };
            assert_eq!(cited(rules, reference), [expected], "{rules}: {reference}");
        }
    }
    let long = "./../../../g";
    let steps = |one: &'static str, dot: &'static str, parent: &'static str, surplus: &'static str| {
        vec![one, dot, parent, parent, surplus]
    };
    let same = |source| steps(source, source, source, source);
    assert_eq!(cited(Rules::RFC1630, long), same("RFC 1630, Partial (relative) form"));
    assert_eq!(cited(Rules::DRAFT_WWW_URI_00, long), same("draft-www-uri-00 §4.4"));
    assert_eq!(cited(Rules::URL7, long), same("URL7, appendix 1.2"));
    let rfc1808 = ["RFC 1808 §4 step 6", "RFC 1808 §4 steps 6a, 6b", "RFC 1808 §4 steps 6c, 6d", "RFC 1808 §5.2"];
    assert_eq!(cited(Rules::RFC1808, long), steps(rfc1808[0], rfc1808[1], rfc1808[2], rfc1808[3]));
    let rfc2396 =
        ["RFC 2396 §5.2 step 6", "RFC 2396 §5.2 steps 6c, 6d", "RFC 2396 §5.2 steps 6e, 6f", "RFC 2396 §5.2 step 6g"];
    assert_eq!(cited(Rules::RFC2396, long), steps(rfc2396[0], rfc2396[1], rfc2396[2], rfc2396[3]));
    assert_eq!(
        cited(Rules::RFC3986, long),
        steps("RFC 3986 §5.2.3", "RFC 3986 §5.2.4", "RFC 3986 §5.2.4", "RFC 3986 §5.2.4")
    );
    for (rules, root, authority, lenient) in [
        (Rules::URL7, "URL7, appendix 1.2", "URL7, appendix 1.2", "RFC 1808 §5.2"),
        (Rules::RFC1808, "RFC 1808 §4 step 4", "RFC 1808 §4 step 3", "RFC 1808 §5.2"),
        (Rules::RFC2396, "RFC 2396 §5.2 step 5", "RFC 2396 §5.2 step 4", "RFC 2396 §5.2 step 3"),
        (Rules::RFC3986, "RFC 3986 §5.2.2", "RFC 3986 §5.2.2", "RFC 3986 §5.2.2"),
    ] {
        assert_eq!(cited(rules, "/g"), [root]);
        assert_eq!(cited(rules, "//g"), [authority]);
        assert_eq!(cited(rules.lenient(), "http:/g"), [lenient, root]);
    }
    assert_eq!(cited(Rules::RFC1808, ";x"), ["RFC 1808 §4 step 5a"]);
    let base = Base::new("http://a", Rules::RFC1808).unwrap();
    let steps = base.explain(";x").steps;
    assert_eq!(steps.iter().map(|step| step.source).collect::<Vec<_>>(), ["RFC 3986 §5.2.3", "RFC 1808 §4 step 5a"]);
    let base = Base::new("f:/a", Rules::RFC2396).unwrap();
    assert_eq!(base.explain(".//g").steps[2].source, "RFC 3986 §3.3, §4.2");
}

#[test]
fn in_words() {
    let base = Base::new("magic://a/b/c//d/e/f", Rules::RFC1630).unwrap();
    let expected = "\
keep `magic://a/b/c//d`: the run of 1 slash at bytes 16..17 is the first of its length with no longer run to its right \
(RFC 1630, Partial (relative) form)
magic://a/b/c//d/g";
    assert_eq!(base.explain("/g").to_string(), expected);
}
