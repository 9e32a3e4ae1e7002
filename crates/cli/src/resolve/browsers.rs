//! The output of `relref resolve --explain` by browsers' rules: the steps, errors and encoded parts, as lines and as JSON.

use std::fmt::Display;
use std::io::{self, Write};

use relref::whatwg::{self, Action, Base, Inspection, Step, inspect};
use serde::ser::SerializeMap;
use serde_json::{Map, Value, json};

use crate::output::{Output, quoted};

/// Writes the steps and validation errors of a base and of a reference. The inner error says why the reference has no URI.
pub fn lines(out: &mut Output, uri: &str, base: &Base, reference: &str) -> io::Result<Result<String, String>> {
    let of_base = inspect(uri, None);
    inspection_lines(out, "base: ", &of_base)?;
    if !of_base.steps.is_empty() {
        writeln!(out, "  base: this is `{}`", base.as_str())?;
    }
    let inspection = inspect(reference, Some(base));
    inspection_lines(out, "", &inspection)?;
    Ok(inspection.url.map(String::from).map_err(|error| error.to_string()))
}

/// Writes each step with its errors after it. Each line starts with `of`.
fn inspection_lines(out: &mut Output, of: &str, inspection: &Inspection) -> io::Result<()> {
    let mut line = |what: &dyn Display, source: &str| writeln!(out, "  {of}{}{source}", quoted(&what.to_string()));
    let mut errors = inspection.errors.iter().peekable();
    let section = " (URL Standard §1.1)";
    for step in &inspection.steps {
        line(step, "")?;
        let is_in_step = |error: &&whatwg::Error| match step.action {
            // Done at both ends, and everywhere inside, before the parser starts.
            Action::Trimmed | Action::TabsRemoved { .. } => error.position() == step.range.start,
            _ => error.position() < step.range.end,
        };
        while let Some(error) = errors.next_if(is_in_step) {
            line(error, section)?;
        }
    }
    errors.try_for_each(|error| line(error, section))?;
    let left_out = inspection.left_out;
    for (count, what) in [(left_out.steps, "steps"), (left_out.errors, "validation errors")] {
        if count > 0 {
            line(&format_args!("and {count} more {what}"), "")?;
        }
    }
    Ok(())
}

/// `uri` is the base as it was given. The field `left_out` has the numbers of items that are left out, if there are any.
pub fn fields<M: SerializeMap>(object: &mut M, uri: &str, base: &Base, reference: &str) -> Result<(), M::Error> {
    let of_base = inspect(uri, None);
    let Inspection { steps, errors, encoded, left_out, .. } = inspect(reference, Some(base));
    object.serialize_entry("base_steps", &of_base.steps.iter().map(step_object).collect::<Value>())?;
    object.serialize_entry("steps", &steps.iter().map(step_object).collect::<Value>())?;
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
fn step_object(step: &Step) -> Value {
    json!({
        "action": step.action.name(),
        "state": step.state.map(whatwg::State::name),
        "text": step.text,
        "written": step.written,
        "range": [step.range.start, step.range.end],
        "source": step.source(),
    })
}
