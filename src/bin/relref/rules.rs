//! `relref rules`: prints the decisions of each rule set, an example of each, and the section that makes it.

use std::io;

use relref::{Base, Rules, Slashes, whatwg};
use serde::Serialize;
use serde_json::json;

use crate::args;
use crate::output::Output;
use crate::rule_set::RuleSet;

/// A question that rule sets answer differently, and an example of it.
struct Question {
    /// The subject of the question, as it is printed.
    topic: &'static str,
    /// A base and a reference. Rule sets with different answers resolve them differently.
    example: (&'static str, &'static str),
    /// The function that returns the answer by the rules of a document.
    answer_by: fn(&Rules) -> &'static str,
    /// The answer of the URL Standard, and the name of the state of its parser that decides this.
    whatwg: (&'static str, &'static str),
}

/// The questions, in the order in which they are printed.
const QUESTIONS: [Question; 8] = [
    Question {
        topic: "leading slashes",
        example: ("http://h//x/y//z/w", "/g"),
        answer_by: |rules| match rules.slashes {
            Slashes::Levels => "replace the base from the first run of as many slashes with no longer run to its right",
            Slashes::FirstRun => "replace the base from the first run of as many slashes",
            Slashes::Components => "`//` replaces all after the scheme, `/` all after the authority",
        },
        whatwg: (
            "`//` replaces all after the scheme, `/` all after the host; `\\` is a slash in web schemes",
            "relative slash",
        ),
    },
    Question {
        topic: "query alone",
        example: ("http://h/a/b", "?y"),
        answer_by: |rules| match rules.query_replaces {
            true => "replaces the last segment of the base path too",
            false => "keeps the base path",
        },
        whatwg: ("keeps the base path", "relative"),
    },
    Question {
        topic: "empty reference",
        example: ("http://h/a#top", ""),
        answer_by: |rules| match rules.empty_is_whole {
            true => "is the whole base",
            false => "is the base without its fragment",
        },
        whatwg: ("is the base without its fragment", "relative"),
    },
    Question {
        topic: "parameters",
        example: ("http://h/a;x", ";y"),
        answer_by: |rules| match rules.params {
            true => "are a component: `;y` alone keeps the path before them",
            false => "are part of a segment",
        },
        whatwg: ("are part of a segment", "path"),
    },
    Question {
        topic: "dots after a leading slash",
        example: ("http://h/", "/x/../g"),
        answer_by: |rules| if rules.rooted_dots { "are removed" } else { "are kept" },
        whatwg: ("are removed, also `%2e`", "path"),
    },
    Question {
        topic: "dots after a scheme",
        example: ("http://h/", "http://h/x/../g"),
        answer_by: |rules| if rules.absolute_dots { "are removed" } else { "are kept" },
        whatwg: ("are removed, unless the path has no slash before it, as in `mailto:`", "path"),
    },
    Question {
        topic: "surplus `..`",
        example: ("http://h/a", "../../g"),
        answer_by: |rules| if rules.drop_surplus { "is dropped" } else { "is kept" },
        whatwg: ("is dropped", "path"),
    },
    Question {
        topic: "the base's own scheme",
        example: ("http://h/a/b", "http:g"),
        answer_by: |rules| match rules.lenient {
            true => "is ignored if no authority follows",
            false => "makes a reference absolute",
        },
        whatwg: ("is ignored in web schemes if no slashes follow", "special relative or authority"),
    },
];

/// The answer of a rule set to a question, and the result of the example. It is also the JSON object that is printed.
#[derive(Serialize)]
struct Decision {
    /// The subject of the question, as it is printed.
    topic: &'static str,
    answer: &'static str,
    /// The document and section that decide.
    source: String,
    base: &'static str,
    reference: &'static str,
    /// The URI to which the rule set resolves the reference of the example.
    result: String,
}

/// Runs `relref rules`. Problems of inputs are reported in `out`. A returned error is about the output.
pub fn run(args: &args::Rules, out: &mut Output) -> io::Result<()> {
    let all: Vec<RuleSet> = RuleSet::all().collect();
    let chosen = if args.rules.is_empty() { &all } else { &args.rules };
    for (number, &rules) in chosen.iter().enumerate() {
        let decisions = QUESTIONS.iter().map(|question| decide(question, rules));
        if args.json {
            let decisions: Vec<_> = decisions.collect();
            out.json(&json!({ "name": rules.to_string(), "title": rules.title(), "decisions": decisions }))?;
            out.end_line()?;
            continue;
        }
        if number > 0 {
            out.end_line()?;
        }
        out.text.push_str(&format!("{rules}: {}\n", rules.title()));
        for Decision { topic, answer, source, base, reference, result } in decisions {
            let reference = if reference.is_empty() { "\"\"" } else { reference };
            out.text.push_str(&format!("  {topic}: {answer} ({source})\n    {reference} in {base} is {result}"));
            out.end_line()?;
        }
    }
    Ok(())
}

/// Returns the answer of a rule set to a question, and the URI of the example by this rule set. For the rules of a document, finds
/// the section in the resolution of the example: it is that of the last step about dots or, if no step is about dots, of the first
/// step. For browsers' rules, the section is that of the state which the question names.
fn decide(question: &Question, rules: RuleSet) -> Decision {
    let Question { topic, example: (base, reference), answer_by, whatwg } = *question;
    let (answer, source, result) = match rules {
        RuleSet::Rules(rules) => {
            let base = Base::new(base, rules).expect("the base of an example is absolute");
            let explanation = base.explain(reference);
            let is_about_dots = |name| matches!(name, "segment-removed" | "surplus-kept" | "surplus-dropped");
            let about_dots = explanation.steps.iter().rfind(|step| is_about_dots(step.action.name()));
            let source = about_dots.or(explanation.steps.first()).map_or("", |step| step.source);
            (answer_by(&rules), source.to_owned(), explanation.result.to_string())
        }
        RuleSet::Whatwg => {
            let (answer, state) = whatwg;
            let base = whatwg::Base::new(base).expect("the base of an example is valid");
            let result = base.resolve(reference).expect("the reference of an example is valid");
            (answer, format!("URL Standard §4.4, {state} state"), result)
        }
    };
    Decision { topic, answer, source, base, reference, result }
}
