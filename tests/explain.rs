//! Explanations: what is said of each choice.

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
        [directory, dot.clone(), said(Action::ParentRemoved, "b"), dot, said(Action::SurplusDropped, "..")]
    );
    assert_eq!(
        actions("http://a", "../g", Rules::RFC2396),
        [said(Action::Directory, "http://a"), said(Action::MissingPath, "http://a"), said(Action::SurplusKept, "..")]
    );
    assert_eq!(
        actions("http://a//b", "../g", Rules::RFC1630),
        [said(Action::Directory, "http://a//"), said(Action::DotsBehindRun, "..")]
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

#[test]
fn every_source_is_of_the_document() {
    let documents = ["URL7", "draft-www-uri-00", "RFC 1630", "RFC 1808", "RFC 2396", "RFC 3986"];
    for (rules, document) in Rules::ALL.into_iter().zip(documents) {
        let base = Base::new("http://a/b/c/d;p?q", rules).unwrap();
        for reference in ["g", "../../../g", "/g", "//g", "?y", "#s", "", ";x", "g:h"] {
            for step in base.explain(reference).steps {
                assert!(step.source.starts_with(document), "{rules}: {step}");
            }
        }
    }
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
