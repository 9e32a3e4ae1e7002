//! The answers of all rule sets to a base and a reference, with their steps and drawings, as JSON.

use relref::support::InnerBase;
use relref::whatwg::{self, inspect};
use relref::{AnyBase, BaseError, RuleSet, Source};

use crate::drawing::Drawing;
use crate::{differences, json};

/// Steps beyond these are counted.
const MOST_STEPS: usize = 100;
/// A sentence with more bytes is cut short: it has parts of the input in it.
const MOST_BYTES: usize = 1000;

/// Returns an array with an object for each rule set, in the order of [`RuleSet::ALL`].
pub fn json(base: &str, reference: &str) -> String {
    let mut out = String::new();
    json::array(&mut out, RuleSet::ALL, |out, rules| write_answer(out, base, reference, *rules));
    out
}

/// Writes `name`, `title`, and either `error` or `uri`, `read_as` (the base, if it is read as another text), `steps`, `more_steps`,
/// `differences`, `drawing`.
fn write_answer(out: &mut String, base: &str, reference: &str, rules: RuleSet) {
    let (name, title) = (("name", Some(rules.name())), ("title", Some(rules.title())));
    let mut write_error = |error: String| {
        json::open_object(out, &[name, title, ("error", Some(&error))]);
        out.push('}');
    };
    let base = match AnyBase::new(base, rules) {
        Ok(base) => base,
        Err(BaseError::Whatwg(error)) => return write_error(format!("the base: {}", told(error))),
        Err(error) => return write_error(shortened(format!("the base: {error}"))),
    };
    let uri = match resolved(&base, reference) {
        Ok(uri) => uri,
        Err(error) => return write_error(told(error)),
    };
    let read_as = match base.inner() {
        InnerBase::Whatwg(parsed) => Some(parsed.as_str()).filter(|href| *href != base.as_str()),
        InnerBase::Rules(_) => None,
    };
    json::open_object(out, &[name, title, ("uri", Some(&uri)), ("read_as", read_as)]);
    out.push_str(",\"steps\":");
    let (steps, more) = steps(base.inner(), reference);
    json::array(out, &steps, |out, (sentence, source)| write_step(out, sentence, *source));
    out.push_str(&format!(",\"more_steps\":{more},\"differences\":"));
    differences::write(out, &base, reference, &uri);
    out.push_str(",\"drawing\":");
    match Drawing::new(base.inner(), reference, &uri) {
        Some(drawing) => drawing.write(out),
        None => out.push_str("null"),
    }
    out.push('}');
}

/// Resolves by the code that reports steps: without the fast paths the page is smaller by 7 %.
pub fn resolved(base: &AnyBase, reference: &str) -> Result<String, whatwg::Error> {
    match base.inner() {
        InnerBase::Rules(base) => Ok(base.explain_each(reference, |_| {}).into_string()),
        InnerBase::Whatwg(base) => inspect(reference, Some(base)).url.map(String::from),
    }
}

fn told(error: whatwg::Error) -> String {
    match error.kind() {
        whatwg::ErrorKind::FeatureIdnaMissing => {
            // With them the page would be larger by half.
            String::from("a host that is not US-ASCII needs tables that browsers have, and this page has not")
        }
        _ => shortened(error.to_string()),
    }
}

/// Returns the first steps, as sentences with their sources, and the number of the others.
fn steps(base: &InnerBase, reference: &str) -> (Vec<(String, Source)>, usize) {
    let (mut steps, mut more) = (Vec::new(), 0);
    let mut add = |source: Source, printed: &dyn Fn() -> String| match steps.len() < MOST_STEPS {
        true => steps.push((sentence(printed(), source), source)),
        false => more += 1,
    };
    match base {
        InnerBase::Rules(base) => {
            base.explain_each(reference, |step| add(step.source, &|| step.to_string()));
        }
        InnerBase::Whatwg(base) => {
            let inspection = inspect(reference, Some(base));
            inspection.steps.iter().for_each(|step| add(step.source(), &|| step.to_string()));
            more += inspection.left_out.steps;
        }
    }
    (steps, more)
}

/// Returns a printed step, shortened, without the source that ends it: the page shows that in another place.
pub fn sentence(mut printed: String, source: Source) -> String {
    let end = format!("{source})");
    if let Some(sentence) = printed.strip_suffix(&end).and_then(|rest| Some(rest.rsplit_once(" (")?.0)) {
        printed.truncate(sentence.len());
    }
    shortened(printed)
}

pub fn shortened(mut text: String) -> String {
    if text.len() > MOST_BYTES {
        let end = (0..=MOST_BYTES).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let more = text.len() - end;
        text.truncate(end);
        text.push_str(&format!("… and {more} more bytes"));
    }
    text
}

/// Writes `sentence`, and `document`, `section` and `words`, or `decision`.
fn write_step(out: &mut String, sentence: &str, source: Source) {
    let sentence = ("sentence", Some(sentence));
    match source {
        Source::Document { document, section, words } => {
            let (document, section) = (("document", Some(document)), ("section", Some(section)));
            json::open_object(out, &[sentence, document, section, ("words", Some(words))]);
        }
        Source::Decision { reason } => json::open_object(out, &[sentence, ("decision", Some(reason))]),
    }
    out.push('}');
}
