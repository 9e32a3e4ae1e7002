//! `relref rules`: prints what each rule set decides, with an example and the source of each answer, and the decisions of relref.

use std::io::{self, Write};

use relref::{Base, RuleSet, Rules, Slashes, Source, whatwg};
use serde::Serialize;
use serde_json::{Value, json};

use crate::args;
use crate::output::Output;

struct Question {
    topic: &'static str,
    /// A base and a reference, which rule sets with different answers resolve differently.
    example: (&'static str, &'static str),
    answer_by: fn(&Rules) -> &'static str,
    /// The answer of the URL Standard, its section, and the words there.
    whatwg: (&'static str, &'static str, &'static str),
}

/// The words of the URL Standard about `..`.
const DOTS: &str = "If buffer is a double-dot URL path segment, then: … Shorten url’s path.";
/// Its words about what a relative reference keeps.
const KEPT: &str = "url’s path to a clone of base’s path, and url’s query to base’s query";

/// In the order in which they are printed.
const QUESTIONS: [Question; 10] = [
    Question {
        topic: "one leading slash",
        example: ("http://h//x/y//z/w", "/g"),
        answer_by: |rules| match rules.slashes {
            Slashes::Levels => "replaces the base from the first single slash with no longer run to its right",
            Slashes::FirstRun => "replaces the base from the first single slash",
            Slashes::Components => "replaces all after the authority",
        },
        whatwg: (
            "replaces all after the host; `\\` is a slash in web schemes",
            "§4.4, relative slash state",
            "url’s host to base’s host, url’s port to base’s port, state to path state",
        ),
    },
    Question {
        topic: "two leading slashes",
        example: ("x:/a//b///c//d", "//g"),
        answer_by: |rules| match rules.slashes {
            Slashes::Levels => "replace the base from the first run of two with no longer run to its right",
            Slashes::FirstRun => "replace the base from the first run of two",
            Slashes::Components => "replace all after the scheme",
        },
        whatwg: (
            "replace all after the scheme",
            "§4.4, relative slash state",
            "if c is U+002F (/), then set state to authority state.",
        ),
    },
    Question {
        topic: "query alone",
        example: ("http://h/a/b", "?y"),
        answer_by: |rules| match rules.query_replaces {
            true => "replaces the last segment of the base path too",
            false => "keeps the base path",
        },
        whatwg: ("keeps the base path", "§4.4, relative state", KEPT),
    },
    Question {
        topic: "empty reference",
        example: ("http://h/a#top", ""),
        answer_by: |rules| match rules.empty_is_whole {
            true => "is the whole base",
            false => "is the base without its fragment",
        },
        whatwg: ("is the base without its fragment", "§4.4, relative state", KEPT),
    },
    Question {
        topic: "parameters",
        example: ("http://h/a;x", ";y"),
        answer_by: |rules| match rules.params {
            true => "are a component: `;y` alone keeps the path before them",
            false => "are part of a segment",
        },
        whatwg: (
            "are part of a segment",
            "§4.4, path state",
            "UTF-8 percent-encode c using the path percent-encode set and append the result to buffer.",
        ),
    },
    Question {
        topic: "parts with nothing in them",
        example: ("http://h/a?q", "?"),
        answer_by: |rules| match (rules.empty_is_absent, rules.query_replaces) {
            (true, _) => "count as absent: `?`, `#`, `;` and `//` are not written",
            (false, true) => "are parts: `?` is an empty query and replaces the last segment",
            (false, false) => "are parts: `?` is an empty query",
        },
        whatwg: (
            "are parts: `?` is an empty query; `//` needs a host in web schemes",
            "§4.4, relative state",
            "if c is U+003F (?), then set url’s query to the empty string, and state to query state.",
        ),
    },
    Question {
        topic: "dots after a leading slash",
        example: ("http://h/", "/x/../g"),
        answer_by: |rules| if rules.rooted_dots { "are removed" } else { "are kept" },
        whatwg: ("are removed, also `%2e`", "§4.4, path state", DOTS),
    },
    Question {
        topic: "dots after a scheme",
        example: ("http://h/", "http://h/x/../g"),
        answer_by: |rules| if rules.absolute_dots { "are removed" } else { "are kept" },
        whatwg: ("are removed, unless the path has no slash before it, as in `mailto:`", "§4.4, path state", DOTS),
    },
    Question {
        topic: "surplus `..`",
        example: ("http://h/a", "../../g"),
        answer_by: |rules| if rules.drop_surplus { "is dropped" } else { "is kept" },
        whatwg: ("is dropped", "§4.2, shorten a url’s path", "Remove path’s last item, if any."),
    },
    Question {
        topic: "the base's own scheme",
        example: ("http://h/a/b", "http:g"),
        answer_by: |rules| match rules.lenient {
            true => "is ignored if no authority follows",
            false => "makes a reference absolute",
        },
        whatwg: (
            "is ignored in web schemes if no slashes follow",
            "§4.4, special relative or authority state",
            "set state to relative state and decrease pointer by 1.",
        ),
    },
];

/// The answer of a rule set to a question. It is also an object in the JSON that is printed.
#[derive(Serialize)]
struct Answer {
    topic: &'static str,
    answer: &'static str,
    source: Source,
    base: &'static str,
    reference: &'static str,
    result: String,
}

pub fn run(args: &args::Rules, out: &mut Output) -> io::Result<()> {
    let chosen = if args.rules.is_empty() { RuleSet::ALL } else { &args.rules };
    for (number, &rules) in chosen.iter().enumerate() {
        let answers = QUESTIONS.iter().map(|question| answer(question, rules));
        let decisions = match rules {
            RuleSet::Rules(rules) => rules.decisions().collect(),
            RuleSet::Whatwg => Vec::new(),
        };
        if args.json {
            let answers: Vec<_> = answers.collect();
            let decisions = decisions.iter().map(
                |decision| json!({ "decision": decision.what, "reason": decision.reason, "letter": decision.letter }),
            );
            let (name, decisions) = (rules.to_string(), decisions.collect::<Value>());
            out.json(&json!({ "name": name, "title": rules.title(), "answers": answers, "decisions": decisions }))?;
            out.end_line()?;
            continue;
        }
        if number > 0 {
            out.end_line()?;
        }
        writeln!(out, "{rules}: {}", rules.title())?;
        for Answer { topic, answer, source, base, reference, result } in answers {
            let reference = if reference.is_empty() { "\"\"" } else { reference };
            writeln!(out, "  {topic}: {answer} ({source})\n    {reference} in {base} is {result}")?;
        }
        for decision in decisions {
            writeln!(out, "  decision: {}\n    {}", decision.what, decision.reason)?;
            for letter in decision.letter {
                writeln!(out, "    {letter}")?;
            }
        }
    }
    Ok(())
}

/// Takes the source from the example's last step about dots or, if there is none, from its first step.
fn answer(question: &Question, rules: RuleSet) -> Answer {
    let Question { topic, example: (base, reference), answer_by, whatwg } = *question;
    let (answer, source, result) = match rules {
        RuleSet::Rules(rules) => {
            let base = Base::new(base, rules).expect("the base of an example is absolute");
            let explanation = base.explain(reference);
            let is_about_dots =
                |name| matches!(name, "dots-kept" | "segment-removed" | "surplus-kept" | "surplus-dropped");
            let steps = &explanation.steps;
            let about_dots = steps.iter().rfind(|step| is_about_dots(step.action.name()));
            let step = about_dots.or(steps.first()).expect("a resolution has steps");
            (answer_by(&rules), step.source, explanation.uri.to_string())
        }
        RuleSet::Whatwg => {
            let (answer, section, words) = whatwg;
            let base = whatwg::Base::new(base).expect("the base of an example is valid");
            let result = base.resolve(reference).expect("the reference of an example is valid");
            (answer, Source::Document { document: "URL Standard", section, words }, result)
        }
    };
    Answer { topic, answer, source, base, reference, result }
}
