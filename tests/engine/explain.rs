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
        actions("mailto:a@b?q", "./c", Rules::RFC1630),
        [said(Action::WholePath, "mailto:"), said(Action::DotRemoved, ".")]
    );
    assert_eq!(
        actions(base, "/x/../g?/../y", Rules::RFC2396),
        [said(Action::Root, "http://a"), said(Action::DotsKept, "/x/../g")]
    );
    assert_eq!(
        actions("http://a", "../g", Rules::RFC2396),
        [said(Action::MissingPath, "http://a"), said(Action::SurplusKept, "..")]
    );
    assert_eq!(actions("http://h?q#f", "x", Rules::RFC3986), [said(Action::MissingPath, "http://h")]);
    assert_eq!(actions("x:/http://h?q#f", "g", Rules::RFC1630), [said(Action::MissingPath, "x:/http://h")]);
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

/// Returns the source of each step, as it is printed, up to the quoted words.
fn cited(base: &str, reference: &str, rules: Rules) -> Vec<String> {
    let base = Base::new(base, rules).unwrap();
    let sources = base.explain(reference).steps.into_iter().map(|step| step.source.to_string());
    sources.map(|source| source.split(": \"").next().unwrap().to_string()).collect()
}

/// The section that each rule set cites for each step of some references, in order; or that it is a decision, and why.
#[test]
fn sources() {
    let base = "http://a/b/c/d;p?q";
    let nothing = "decision: nothing names the object itself, and a fragment a part of it, as later documents say; by the \
                   letter, the last part of the path would go";
    let current =
        "decision: the base is taken for the current document, as in RFC 3986: a resolved reference needs a URI";
    let [url7, draft, rfc1630] = ["URL7, appendix 1.2", "draft-www-uri-00 §4.4", "RFC 1630, Partial (relative) form"];
    let documents = [
        (Rules::URL7, [url7, nothing, nothing, url7]),
        (Rules::DRAFT_WWW_URI_00, [draft, nothing, nothing, draft]),
        (Rules::RFC1630, [rfc1630, nothing, nothing, rfc1630]),
        (Rules::RFC1808, ["RFC 1808 §4 step 2b", "RFC 1808 §4 step 2a", "RFC 1808 §4 step 5", "RFC 1808 §4 step 5b"]),
        (Rules::RFC2396, ["RFC 2396 §5.2 step 3", current, current, "RFC 2396 §5.2 step 6a"]),
        (Rules::RFC3986, ["RFC 3986 §5.2.2"; 4]),
    ];
    for (rules, expected) in documents {
        for (reference, expected) in ["g:h", "", "#s", "?y"].into_iter().zip(expected) {
            assert_eq!(cited(base, reference, rules), [expected], "{rules}: {reference}");
        }
    }

    let long = "./../../../g";
    let surplus = "decision: `xxx` is a segment other than `..`, as RFC 1808 §4 step 6c says; a `..` without one before it \
                   stays";
    let inner = "decision: the slash after `xxx/..` is removed with it, as in all other documents; by the letter two \
                 slashes would remain";
    assert_eq!(cited(base, long, Rules::RFC1630), [rfc1630, rfc1630, rfc1630, rfc1630, surplus]);
    assert_eq!(cited(base, long, Rules::DRAFT_WWW_URI_00), [draft, draft, draft, draft, surplus]);
    assert_eq!(cited(base, long, Rules::URL7), [url7, url7, inner, inner, surplus]);
    let steps = |document: &str, sections: &[&str]| -> Vec<String> {
        sections.iter().map(|section| format!("{document} §{section}")).collect()
    };
    assert_eq!(
        cited(base, long, Rules::RFC1808),
        steps("RFC 1808", &["4 step 6", "4 step 6a", "4 step 6c", "4 step 6c", "5.2"])
    );
    assert_eq!(
        cited(base, long, Rules::RFC2396),
        steps("RFC 2396", &["5.2 step 6a", "5.2 step 6c", "5.2 step 6e", "5.2 step 6e", "5.2 step 6g"])
    );
    assert_eq!(
        cited(base, long, Rules::RFC3986),
        steps("RFC 3986", &["5.2.3", "5.2.4, 2B", "5.2.4, 2C", "5.2.4, 2C", "5.2.4, 2C"])
    );

    for (rules, root, authority, lenient) in [
        (Rules::URL7, url7, url7, "RFC 1808 §5.2"),
        (Rules::RFC1808, "RFC 1808 §4 step 4", "RFC 1808 §4 step 3", "RFC 1808 §5.2"),
        (Rules::RFC2396, "RFC 2396 §5.2 step 5", "RFC 2396 §5.2 step 4", "RFC 2396 §5.2 step 3"),
        (Rules::RFC3986, "RFC 3986 §5.2.2", "RFC 3986 §5.2.2", "RFC 3986 §5.2.2"),
    ] {
        assert_eq!(cited(base, "/g", rules), [root]);
        assert_eq!(cited(base, "//g", rules), [authority]);
        assert_eq!(cited(base, "http:/g", rules.lenient()), [lenient, root]);
    }
    assert_eq!(cited(base, ";x", Rules::RFC1808), ["RFC 1808 §4 step 5a"]);
}

/// A rule that no document says is a decision, also where the same action elsewhere is quoted.
#[test]
fn decisions() {
    let is_decided = |base: &str, reference: &str, rules: Rules| -> Vec<bool> {
        cited(base, reference, rules).iter().map(|source| source.starts_with("decision: ")).collect()
    };
    let base = "http://a/b/c/д";
    // A final dot segment is not an inner one.
    assert_eq!(is_decided(base, ".", Rules::RFC1630), [false, true]);
    assert_eq!(is_decided(base, "./g", Rules::RFC1630), [false, false]);
    assert_eq!(is_decided(base, "..", Rules::RFC1630), [false, true]);
    assert_eq!(is_decided(base, "../g", Rules::DRAFT_WWW_URI_00), [false, false]);
    assert_eq!(is_decided(base, "..", Rules::URL7), [false, false]);
    assert_eq!(is_decided(base, "../g", Rules::URL7), [false, true]);
    for rules in [Rules::RFC1808, Rules::RFC2396, Rules::RFC3986] {
        assert_eq!(is_decided(base, "..", rules), [false, false], "{rules}");
        assert_eq!(is_decided(base, "./.", rules), [false, false, false], "{rules}");
    }
    // The scope of "Within the result".
    assert_eq!(is_decided(base, "/x/../g", Rules::RFC1630), [false, true]);
    assert_eq!(is_decided(base, "/x/../g", Rules::URL7), [false, true]);
    assert_eq!(is_decided(base, "/x/../g", Rules::RFC1808), [false, false]);
    // Runs.
    assert_eq!(is_decided("http://a//b", "../g", Rules::RFC1630), [false, true]);
    assert_eq!(is_decided("a:b://h", "/g", Rules::RFC1630), [true]);
    assert_eq!(is_decided(base, "///g", Rules::RFC1630), [true]);
    assert_eq!(is_decided("http://a/b?x=y///z", "/g", Rules::RFC1630), [true, false]);
    assert_eq!(is_decided("http://a/b?x=y", "/g", Rules::RFC1630), [false]);
    // A base without a slash, and one without a path.
    assert_eq!(is_decided("mailto:a@b", "c", Rules::RFC1630), [true]);
    assert_eq!(is_decided("mailto:a@b", "./c", Rules::RFC1630), [true, true]);
    assert_eq!(is_decided("mailto:a@b", "c", Rules::RFC3986), [false]);
    assert_eq!(is_decided("mailto:a@b", "c", Rules::RFC1808), [false]);
    assert_eq!(is_decided("http://a", "c", Rules::RFC1808), [true]);
    assert_eq!(is_decided("http://a", "c", Rules::RFC3986), [false]);
    // Below a run of two, no segment is removed that may be a host.
    let why = Base::new("http://h/a//b/c", Rules::RFC1630).unwrap().explain("../g").to_string();
    assert!(why.contains("(decision: a run of two or more slashes may have a host after it"), "{why}");
    assert_eq!(is_decided("f:/a", ".//g", Rules::RFC3986), [false, false, true]);
    // A mix does what its document does not.
    let mix = Rules { drop_surplus: true, ..Rules::RFC1808 };
    assert_eq!(
        Base::new("http://a", mix).unwrap().explain("/../g").steps[1].source.to_string(),
        "RFC 1808 §4 steps 3 and 4: \"we skip to Step 7\""
    );
    assert_eq!(
        Base::new("http://a/b", mix).unwrap().explain("../g").steps[1].source.to_string(),
        "decision: the rule set is a mix: its document does not do this"
    );
}

/// Empty parts of the reference and of the base are told where they are left out.
#[test]
fn empty_parts() {
    let left_out = |text: &str| said(Action::EmptyLeftOut, text);
    assert_eq!(
        actions("http://h/é;?q", "///;?#", Rules::RFC1808),
        [left_out("//"), left_out(";"), left_out("?"), left_out("#"), said(Action::Root, "http://h")]
    );
    assert_eq!(
        actions("http://h/é;?q#f", "#", Rules::RFC1808),
        [left_out("#"), left_out(";"), said(Action::AllEmpty, "http://h/é"), said(Action::AllEmpty, "?q")]
    );
    assert_eq!(
        actions("http://h/é;?q#f", "#s", Rules::RFC1808),
        [left_out(";"), said(Action::Fragment, "http://h/é"), said(Action::Fragment, "?q")]
    );
    assert_eq!(one("http://h/é;?q#f", "", Rules::RFC1808), said(Action::Empty, "http://h/é;?q#f"));
    assert_eq!(one("http://h/é", "http://h/?", Rules::RFC1808), said(Action::Absolute, "http://h/?"));
    assert_eq!(one("http://h/é", "?", Rules::RFC3986), said(Action::Query, "http://h/é"));
}

#[test]
fn in_words() {
    let base = Base::new("magic://a/b/c//d/e/f", Rules::RFC1630).unwrap();
    let expected = "\
keep `magic://a/b/c//d`: the run of 1 slash at bytes 16..17 is the first of its length with no longer run to its right \
(RFC 1630, Partial (relative) form: \"the first occurrence of exactly the same number of consecutive slashes which has no greater \
number of consecutive slashes anywhere to the right of it\")
magic://a/b/c//d/g";
    assert_eq!(base.explain("/g").to_string(), expected);

    let base = Base::new("http://a/b?x=y///z", Rules::RFC1630).unwrap();
    let expected = "\
look for slash runs only in `http://a/b`, before the query (decision: the query is left out, as its slashes are no hierarchy; \
\"anywhere to the right of it\" does not exclude them)
";
    assert!(base.explain("/g").to_string().starts_with(expected), "{}", base.explain("/g"));
    let base = Base::new("http://a/b", Rules::RFC3986).unwrap();
    let lines = base.explain("g:b/..").to_string();
    let lines: Vec<&str> = lines.lines().map(|line| line.split(" (").next().unwrap()).collect();
    let absolute = "the reference has a scheme: nothing of the base is used";
    assert_eq!(lines, [absolute, "remove `b/..`", "start the path with `/`, which stays of `/..`", "g:/"]);
    assert_eq!(base.explain("g:b/..").steps[2].action, Action::RootAdded);
    // A rooted path stays rooted.
    assert!(base.explain("../x/..").steps.iter().all(|step| step.action != Action::RootAdded));
}
