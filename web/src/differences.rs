//! Why a rule set has another answer than RFC 3986: the decisions without which it would have the same.

use relref::support::InnerBase;
use relref::whatwg::{self, Action, inspect};
use relref::{AnyBase, Rules, Slashes};

use crate::answers::{self, sentence, shortened};
use crate::json;

/// Takes over a decision of another rule set.
type Take = fn(&mut Rules, Rules);

/// The decisions in which a document can differ from RFC 3986: what it says then, and what RFC 3986 says.
const DECISIONS: [(Take, &str, &str); 7] = [
    (
        |rules, other| rules.query_replaces = other.query_replaces,
        "a query alone replaces the last segment of the path",
        "a query alone keeps the whole path",
    ),
    (
        |rules, other| rules.rooted_dots = other.rooted_dots,
        "after a leading slash, dot segments stay",
        "dot segments are removed from every path",
    ),
    (
        |rules, other| rules.absolute_dots = other.absolute_dots,
        "a reference with a scheme stays as it is, with its dot segments",
        "dot segments are removed from every path",
    ),
    (
        |rules, other| rules.drop_surplus = other.drop_surplus,
        "a `..` with nothing left to remove stays",
        "a `..` with nothing left to remove is dropped",
    ),
    (
        |rules, other| rules.empty_is_whole = other.empty_is_whole,
        "an empty reference is the whole base, with its fragment",
        "an empty reference is the base without its fragment",
    ),
    (
        |rules, other| rules.params = other.params,
        "`;` starts parameters, a part of their own after the path",
        "`;` is a character of a segment",
    ),
    (
        |rules, other| rules.empty_is_absent = other.empty_is_absent,
        "`?`, `#`, `;` or `//` with nothing after it does not count",
        "`?`, `#` or `//` with nothing after it is an empty part, and counts",
    ),
];

/// Returns the decision about slashes, of which there are several kinds.
fn about_slashes(rules: Rules, reference: &str) -> (Take, &'static str, &'static str) {
    let take: Take = |rules, other| rules.slashes = other.slashes;
    if !reference.starts_with('/') {
        return (
            take,
            "slashes are levels: no `..` removes what follows a run of two or more slashes, as that may be a host",
            "`..` removes any segment before it, also an empty one or a host inside the path",
        );
    }
    let here = match rules.slashes {
        Slashes::Levels => {
            "slashes are levels: the base is cut before a run of exactly as many slashes as the reference starts with, the \
             first that has no longer run to its right"
        }
        _ => {
            "slashes are levels: the base is cut before the first run of exactly as many slashes as the reference starts with"
        }
    };
    (take, here, "one leading slash replaces all after the authority, and two replace all after the scheme")
}

/// Of steps by browsers' rules, this many are told.
const MOST: usize = 5;

/// Writes an array of pairs: what the rule set says, and what RFC 3986 says. Only what changes the answer is in it. Of browsers' rules
/// the first text of a pair is a step, and the second is empty.
pub fn write(out: &mut String, base: &AnyBase, reference: &str, uri: &str) {
    let pairs = match base.inner() {
        InnerBase::Rules(inner) => by_document(base.as_str(), reference, inner.rules(), uri),
        InnerBase::Whatwg(_)
            if resolved(base.as_str(), reference, Rules::RFC3986).is_some_and(|other| other == uri) =>
        {
            Vec::new()
        }
        InnerBase::Whatwg(inner) => by_browsers(inner, base.as_str(), reference),
    };
    json::array(out, &pairs, |out, (here, there)| json::array(out, [here.as_str(), there], json::string));
}

/// `uri` is the base as it was given.
fn by_browsers(base: &whatwg::Base, uri: &str, reference: &str) -> Vec<(String, &'static str)> {
    let inspection = inspect(reference, Some(base));
    let mut told = Vec::new();
    for step in &inspection.steps {
        match step.action {
            _ if step.action.is_kept() => {
                if !uri.starts_with(&step.written) {
                    told.push(shortened(format!("read the base as `{}`", base.as_str())));
                }
            }
            // RFC 3986 does the same, except with dots that are percent-encoded.
            Action::DotRemoved | Action::SegmentRemoved | Action::SurplusDropped if !step.text.contains('%') => {}
            Action::Absolute => {}
            _ => told.push(sentence(step.to_string(), step.source())),
        }
        if told.len() == MOST {
            break;
        }
    }
    if told.is_empty() && inspection.url.is_ok_and(|url| url.has_opaque_path()) {
        told.push(String::from("a path without a slash after the scheme is opaque, with its dot segments"));
    }
    told.into_iter().map(|here| (here, "")).collect()
}

fn by_document(base: &str, reference: &str, rules: Rules, uri: &str) -> Vec<(String, &'static str)> {
    if resolved(base, reference, Rules::RFC3986).is_none_or(|other| other == uri) {
        return Vec::new();
    }
    // Takes over each decision of RFC 3986 that changes nothing. Each of the others is needed for the answer.
    let mut mix = rules;
    let decisions = [about_slashes(rules, reference)].into_iter().chain(DECISIONS);
    decisions
        .filter(|(take, ..)| {
            let mut other = mix;
            take(&mut other, Rules::RFC3986);
            let is_needed = resolved(base, reference, other).is_none_or(|other| other != uri);
            if !is_needed {
                mix = other;
            }
            is_needed
        })
        .map(|(_, here, there)| (String::from(here), there))
        .collect()
}

fn resolved(base: &str, reference: &str, rules: Rules) -> Option<String> {
    answers::resolved(&AnyBase::new(base, rules).ok()?, reference).ok()
}
