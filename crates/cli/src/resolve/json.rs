//! The JSON of `relref resolve`. Steps are written one by one, so a long list of them takes no memory.

use std::io;

use relref::support::InnerBase;
use relref::whatwg::{self, Inspection, inspect};
use relref::{AnyBase, Base, Step, UriRef};
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};
use serde_json::{Map, Value, json};

use crate::inspect::components;
use crate::output::Output;
use crate::quoting::json_writer;

/// Writes an object without a line end, or nothing if the inner error says why there is no URI. The components are those of the
/// innermost URI.
pub fn object(out: &mut Output, base: &AnyBase, reference: &str, explain: bool) -> io::Result<Result<(), String>> {
    let href = match base.inner() {
        InnerBase::Rules(_) => String::new(),
        InnerBase::Whatwg(base) => match base.resolve(reference) {
            Ok(href) => href,
            Err(error) => return Ok(Err(error.to_string())),
        },
    };
    let mut json = json_writer(out);
    let mut object = json.serialize_map(None)?;
    object.serialize_entry("base", base.as_str())?;
    object.serialize_entry("rules", &base.rules().to_string())?;
    object.serialize_entry("reference", reference)?;
    let (inner, prefix) = (base.innermost(), base.prefix());
    if !prefix.is_empty() {
        object.serialize_entry("prefix", prefix)?;
        if explain {
            object.serialize_entry("prefix_source", &super::NESTED)?;
        }
    }
    match base.inner() {
        InnerBase::Rules(base) => {
            let result = base.resolve(reference);
            object.serialize_entry("uri", &format_args!("{prefix}{result}"))?;
            object.serialize_entry("scheme", result.scheme())?;
            object.serialize_entry("authority", &result.authority())?;
            object.serialize_entry("path", result.path())?;
            object.serialize_entry("query", &result.query())?;
            object.serialize_entry("fragment", &result.fragment())?;
            if explain {
                object.serialize_entry("steps", &Steps { base, reference })?;
            }
        }
        InnerBase::Whatwg(whatwg) => {
            object.serialize_entry("uri", &format_args!("{prefix}{href}"))?;
            for (name, text) in components(UriRef::new(&*href)).into_iter().skip(1) {
                object.serialize_entry(name, &text)?;
            }
            if explain {
                browser_fields(&mut object, inner, whatwg, reference)?;
            }
        }
    }
    Ok(Ok(SerializeMap::end(object)?))
}

struct Steps<'s> {
    base: &'s Base,
    reference: &'s str,
}

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut steps = serializer.serialize_seq(None)?;
        let mut done = Ok(());
        self.base.explain_each(self.reference, |Step { action, text, source, .. }| {
            if done.is_ok() {
                // The bytes of the slash run of the base that the step chose, if it chose one.
                let run = action.run().map(|run| [run.start, run.end]);
                let step = json!({ "action": action.name(), "text": text, "run": run, "source": source });
                done = steps.serialize_element(&step);
            }
        });
        done?;
        steps.end()
    }
}

/// The steps, errors and encoded parts by browsers' rules. `uri` is the base as it was given. The field `left_out` has the numbers of items that are left out, if there are any.
fn browser_fields<M: SerializeMap>(
    object: &mut M,
    uri: &str,
    base: &whatwg::Base,
    reference: &str,
) -> Result<(), M::Error> {
    let of_base = inspect(uri, None);
    let Inspection { steps, errors, encoded, left_out, .. } = inspect(reference, Some(base));
    object.serialize_entry("base_steps", &of_base.steps.iter().map(browser_step).collect::<Value>())?;
    object.serialize_entry("steps", &steps.iter().map(browser_step).collect::<Value>())?;
    let encoded = encoded.iter().map(|one| json!({ "range": [one.range.start, one.range.end], "set": one.set.name() }));
    object.serialize_entry("encoded", &encoded.collect::<Value>())?;
    let errors = errors.iter().map(|error| json!({ "name": error.kind().name(), "position": error.position() }));
    object.serialize_entry("errors", &errors.collect::<Value>())?;
    let left_out = [
        ("base_steps", of_base.left_out.steps),
        ("steps", left_out.steps),
        ("encoded", left_out.encoded),
        ("errors", left_out.errors),
    ];
    let left_out: Map<_, _> =
        left_out.into_iter().filter(|&(_, count)| count > 0).map(|(list, count)| (list.into(), count.into())).collect();
    if left_out.is_empty() { Ok(()) } else { object.serialize_entry("left_out", &left_out) }
}

/// The state is null before the first state and after the last.
fn browser_step(step: &whatwg::Step) -> Value {
    json!({
        "action": step.action.name(),
        "state": step.state.map(whatwg::State::name),
        "text": step.text,
        "written": step.written,
        "range": [step.range.start, step.range.end],
        "source": step.source(),
    })
}
