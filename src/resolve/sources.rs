//! The source of each step: the words of the rule set's document, or a decision of this crate. A table a document, a row a line.

use super::step::{Action, Place};
use crate::rules::{Document, decisions};
use crate::source::Source;

/// The kind of reference whose dot segments a step is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DotsOf {
    /// A relative path, with the directory of the base before it.
    Relative,
    Slashed,
    Absolute,
}

/// The source of what a document does not do: its rules were changed.
const MIXED: Source = Source::decision("the rule set is a mix: its document does not do this");

/// `place` and `dots_of` say where a dot segment is.
pub(super) fn source(action: &Action, document: Document, text: &str, place: Place, dots_of: DotsOf) -> Source {
    match (action, document) {
        (Action::Guard, _) => decisions::GUARD.source(),
        (_, Document::Rfc3986) => rfc3986(action, place),
        (Action::MissingPath, _) => decisions::MISSING_PATH.source(),
        (_, Document::Url7 | Document::DraftWwwUri00 | Document::Rfc1630) => early(action, document, place, dots_of),
        (_, Document::Rfc1808) => rfc1808(action, text, place, dots_of),
        (_, Document::Rfc2396) => rfc2396(action, place, dots_of),
    }
}

/// Returns the source for the documents of 1993 and 1994, whose sentences are nearly the same.
#[rustfmt::skip]
fn early(action: &Action, document: Document, place: Place, dots_of: DotsOf) -> Source {
    use Action::*;
    let is_url7 = document == Document::Url7;
    let said = |words| match document {
        Document::Url7 => Source::document("URL7", "appendix 1.2", words),
        Document::DraftWwwUri00 => Source::document("draft-www-uri-00", "§4.4", words),
        _ => Source::document("RFC 1630", "Partial (relative) form", words),
    };
    match action {
        Absolute if is_url7 => said("a full form must have a colon and that colon must occur before any slash characters"),
        Absolute => said("the latter must have a colon and that colon must occur before any slash characters"),
        SchemeIgnored => LOOPHOLE,
        Empty | Fragment => decisions::EMPTY.source(),
        QueryLeftOut if !is_url7 => decisions::QUERY_LEFT_OUT.source(),
        Run(_) if document == Document::Rfc1630 => said("the first occurrence of exactly the same number of consecutive slashes which has no greater number of consecutive slashes anywhere to the right of it"),
        FirstRun(_) if document == Document::DraftWwwUri00 => said("the first occurrence of exactly the same number of consecutive slashes"),
        Host(_) if !is_url7 => decisions::HOST_CUT.source(),
        NoRun if !is_url7 => decisions::NO_RUN.source(),
        Authority if is_url7 => said("the host, port name and all the rest of the locator must be given"),
        Root if is_url7 => said("If a leading slash is present, the path is absolute."),
        Directory if is_url7 => said("The last part of the path of the context locator … is removed, and the given partial URL appended in its place"),
        Directory => said("The last part of the path of the context URI … is removed, and the given partial URI appended in its place"),
        WholePath => decisions::WHOLE_PATH.source(),
        DotsKept if dots_of == DotsOf::Absolute => decisions::ABSOLUTE_DOTS.source(),
        DotsKept if is_url7 => decisions::ROOTED_DOTS.source(),
        DotsAfterRun if !is_url7 => decisions::DOTS_AFTER_RUN.source(),
        SurplusKept if place.is_after_host && !is_url7 => decisions::DOTS_AFTER_RUN.source(),
        SurplusKept => decisions::SURPLUS.source(),
        DotRemoved | SegmentRemoved if dots_of == DotsOf::Absolute => MIXED,
        DotRemoved | SegmentRemoved if dots_of == DotsOf::Slashed && is_url7 => MIXED,
        DotRemoved | SegmentRemoved if dots_of == DotsOf::Slashed => decisions::ROOTED_DOTS.source(),
        DotRemoved if place.is_last => decisions::FINAL_DOT.source(),
        DotRemoved if place.is_first => decisions::FIRST_DOT.source(),
        SegmentRemoved if is_url7 && !place.is_last => decisions::INNER_PARENT.source(),
        SegmentRemoved if !is_url7 && place.is_last => decisions::FINAL_PARENT.source(),
        DotRemoved | SegmentRemoved if is_url7 => said("all occurrences of \"xxx/..\" or \"/.\" are recursively removed"),
        DotRemoved | SegmentRemoved => said("all occurrences of \"xxx/../\" or \"/.\" are recursively removed"),
        _ => MIXED,
    }
}

/// The words about a scheme that is the base's, also for older documents: these only say that it is omitted.
const LOOPHOLE: Source = Source::document(
    "RFC 1808",
    "§5.2",
    "older parsers allow the scheme name to be present in a relative URL if it is the same as the base URL scheme",
);

#[rustfmt::skip]
fn rfc1808(action: &Action, text: &str, place: Place, dots_of: DotsOf) -> Source {
    use Action::*;
    let said = |section, words| Source::document("RFC 1808", section, words);
    match action {
        Absolute => said("§4 step 2b", "If the embedded URL starts with a scheme name, it is interpreted as an absolute URL"),
        SchemeIgnored => LOOPHOLE,
        EmptyLeftOut => match text {
            "#" => said("§2.4.1", "If the crosshatch is the last character, … then the fragment identifier is empty."),
            "?" => said("§2.4.4", "If the question mark is the last character, … then the query information is empty."),
            ";" => said("§2.4.5", "If the semicolon is the last character, … then <params> is empty."),
            _ => said("§4 step 3", "If the embedded URL's <net_loc> is non-empty, … Otherwise, the embedded URL inherits the <net_loc>"),
        },
        Empty => said("§4 step 2a", "If the embedded URL is entirely empty, it inherits the entire base URL"),
        AllEmpty | Fragment => said("§4 step 5", "inherits the base URL path, … it inherits the <params> of the base URL (if any) … it inherits the <query>"),
        Query => said("§4 step 5b", "if the embedded URL's <query> is non-empty, we skip to step 7"),
        Params => said("§4 step 5a", "if the embedded URL's <params> is non-empty, we skip to step 7"),
        Authority => said("§4 step 3", "If the embedded URL's <net_loc> is non-empty, we skip to Step 7."),
        Root => said("§4 step 4", "If the embedded URL path is preceded by a slash \"/\", the path is not relative and we skip to Step 7."),
        Directory => said("§4 step 6", "The last segment of the base URL's path (anything following the rightmost slash \"/\", …) is removed"),
        WholePath => said("§4 step 6", "The last segment of the base URL's path (… or the entire path if no slash is present) is removed"),
        DotsKept if dots_of == DotsOf::Absolute => said("§4 step 2b", "is interpreted as an absolute URL and we are done"),
        DotsKept => said("§4 steps 3 and 4", "we skip to Step 7"),
        SurplusKept => said("§5.2", "../../../g = <URL:http://a/../g>"),
        DotRemoved | SegmentRemoved if dots_of != DotsOf::Relative => MIXED,
        DotRemoved if place.is_last => said("§4 step 6b", "If the path ends with \".\" as a complete path segment, that \".\" is removed."),
        DotRemoved => said("§4 step 6a", "All occurrences of \"./\", where \".\" is a complete path segment, are removed."),
        SegmentRemoved if place.is_last => said("§4 step 6d", "that \"<segment>/..\" is removed"),
        SegmentRemoved => said("§4 step 6c", "All occurrences of \"<segment>/../\", … are removed."),
        _ => MIXED,
    }
}

#[rustfmt::skip]
fn rfc2396(action: &Action, place: Place, dots_of: DotsOf) -> Source {
    use Action::*;
    let said = |section, words| Source::document("RFC 2396", section, words);
    match action {
        Absolute => said("§5.2 step 3", "If the scheme component is defined, … the reference is interpreted as an absolute URI"),
        SchemeIgnored => said("§5.2 step 3", "some parsers allow the scheme name to be present in a relative URI if it is the same as the base URI scheme"),
        Empty | Fragment => decisions::CURRENT_DOCUMENT.source(),
        Authority => said("§5.2 step 4", "If the authority component is defined, then the reference is a network-path and we skip"),
        Root => said("§5.2 step 5", "the reference is an absolute-path and we skip to step 7"),
        Directory | WholePath => said("§5.2 step 6a", "any characters after the last (right-most) slash character, if any, are excluded"),
        DotsKept if dots_of == DotsOf::Absolute => said("§5.2 step 3", "the reference is interpreted as an absolute URI and we are done"),
        DotsKept => said("§5.2 steps 4 and 5", "we skip to step 7"),
        SurplusKept => said("§5.2 step 6g", "may handle this error by retaining these components in the resolved path"),
        SurplusDropped => said("§5.2 step 6g", "may handle this error … by removing them from the resolved path"),
        DotRemoved | SegmentRemoved if dots_of != DotsOf::Relative => MIXED,
        DotRemoved if place.is_last => said("§5.2 step 6d", "If the buffer string ends with \".\" as a complete path segment, that \".\" is removed."),
        DotRemoved => said("§5.2 step 6c", "All occurrences of \"./\", where \".\" is a complete path segment, are removed"),
        SegmentRemoved if place.is_last => said("§5.2 step 6f", "that \"<segment>/..\" is removed"),
        SegmentRemoved => said("§5.2 step 6e", "All occurrences of \"<segment>/../\", … are removed"),
        _ => MIXED,
    }
}

#[rustfmt::skip]
fn rfc3986(action: &Action, place: Place) -> Source {
    use Action::*;
    let said = |words| Source::document("RFC 3986", "§5.2.2", words);
    let in_step = |section, words| Source::document("RFC 3986", section, words);
    const PARENT: &str = "begins with a prefix of \"/../\" or \"/..\", … replace that prefix with \"/\" in the input buffer and remove the last segment";
    match action {
        Absolute => said("if defined(R.scheme) then T.scheme = R.scheme;"),
        SchemeIgnored => said("A non-strict parser may ignore a scheme in the reference … identical to the base URI's scheme"),
        Empty | Fragment => said("if (R.path == \"\") then T.path = Base.path; … T.query = Base.query; … T.fragment = R.fragment;"),
        Query => said("if (R.path == \"\") then T.path = Base.path; if defined(R.query) then T.query = R.query;"),
        Authority => said("if defined(R.authority) then T.authority = R.authority;"),
        Root => said("if (R.path starts-with \"/\") then T.path = remove_dot_segments(R.path);"),
        MissingPath => in_step("§5.2.3", "has a defined authority component and an empty path, then return a string consisting of \"/\""),
        Directory => in_step("§5.2.3", "appended to all but the last segment of the base URI's path"),
        WholePath => in_step("§5.2.3", "excluding the entire base URI path if it does not contain any \"/\" characters"),
        DotRemoved | SurplusDropped if place.is_first && place.is_last => in_step("§5.2.4, 2D", "if the input buffer consists only of \".\" or \"..\", then remove that from the input buffer"),
        DotRemoved | SurplusDropped if place.is_first => in_step("§5.2.4, 2A", "begins with a prefix of \"../\" or \"./\", then remove that prefix"),
        DotRemoved => in_step("§5.2.4, 2B", "begins with a prefix of \"/./\" or \"/.\", … replace that prefix with \"/\""),
        SegmentRemoved | RootAdded => in_step("§5.2.4, 2C", PARENT),
        SurplusDropped => in_step("§5.2.4, 2C", "remove the last segment and its preceding \"/\" (if any)"),
        _ => MIXED,
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::rules::Rules;
    use crate::source::tests::assert_quoted;

    fn actions() -> Vec<Action> {
        use Action::*;
        let by_reference =
            [Absolute, SchemeIgnored, EmptyLeftOut, Empty, AllEmpty, Fragment, Query, Params, QueryLeftOut];
        let cuts = [Run(1..2), FirstRun(1..2), Host(1..3), NoRun, Authority, Root, Directory, WholePath, MissingPath];
        let dots = [DotsKept, DotRemoved, SegmentRemoved, RootAdded, SurplusKept, SurplusDropped, DotsAfterRun, Guard];
        by_reference.into_iter().chain(cuts).chain(dots).collect()
    }

    fn each(mut call: impl FnMut(&Action, Document, Source)) {
        for action in actions() {
            for &document in Document::ALL {
                for (text, is_first, is_last) in ["#", "?", ";", "//"].into_iter().flat_map(|text| {
                    [(text, false, false), (text, false, true), (text, true, false), (text, true, true)]
                }) {
                    for dots_of in [DotsOf::Relative, DotsOf::Slashed, DotsOf::Absolute] {
                        for is_after_host in [false, true] {
                            let place = Place { is_first, is_last, is_after_host };
                            call(&action, document, source(&action, document, text, place, dots_of));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn words_stand_in_their_documents() {
        let (mut quoted, mut known) = (0, Vec::new());
        each(|_, _, source| {
            if !known.contains(&source) {
                assert_quoted(source);
                known.push(source);
            }
            quoted += usize::from(matches!(source, Source::Document { .. }));
        });
        assert!(quoted > 1000, "{quoted}");
    }

    /// A decision is in the list of the document that it is given for.
    #[test]
    fn decisions_are_listed() {
        each(|action, document, source| {
            let Source::Decision { reason } = source else { return };
            let mut listed = document.rules().decisions();
            assert!(source == MIXED || listed.any(|known| known.reason == reason), "{document}: {action:?}: {source}");
        });
    }

    /// No step of a document's own rules has the source of a mix.
    #[test]
    fn documents_do_what_their_rules_do() {
        use crate::resolve::Base;
        let paths = ["", "a", "/a", "/a/b/c", "/./a/../b/", "/a//b/../c", "/x://h", "/x://h/a/b", "/a;p", "/a;", "/.."];
        let hosts = ["s:", "s://", "s://h", "s:///", "s:b"];
        let tails = ["", "?q", "?", "?x/y//z", "#f", "?#"];
        let references = [
            "",
            "#",
            "#s",
            "?",
            "?y",
            ";",
            ";x",
            ";?",
            "/g",
            "//g",
            "///g",
            "////g",
            "//",
            "/./g/../h",
            "//g/x/../h/.",
            "g",
            ".",
            "..",
            "./g",
            "../g",
            "../../../../g",
            "g/.",
            "g/..",
            "..//g",
            ".//g",
            "g;",
            "g?#",
            "S:g",
            "s:g/..",
            "t:a/./b",
            "t:b/..",
            "t:..",
            "t:/../a",
            "t://h/../x",
            "a/../../..",
        ];
        for rules in Rules::ALL.iter().flat_map(|rules| [*rules, rules.lenient()]) {
            for base in hosts.iter().flat_map(|host| paths.map(|path| [*host, path].concat())) {
                for base in tails.map(|tail| [&*base, tail].concat()) {
                    let base = Base::new(base, rules).unwrap();
                    for reference in references {
                        let why = base.explain(reference);
                        assert!(why.steps.iter().all(|step| step.source != MIXED), "{rules}: {base}: {why}");
                        assert_eq!(why.uri, *base.resolve(reference).to_string());
                    }
                }
            }
        }
    }
}
