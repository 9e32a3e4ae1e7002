//! Writes results and steps as JSON, piece by piece, so that a long list of steps needs no memory.

use std::io::{self, Write};

use relref::whatwg::{self, Inspection};
use relref::{Resolved, Step, UriRef};
use serde_json::json;

use crate::rule_set::{AnyBase, ByRules};
use crate::{inspect, quoting};

/// Writes an object: the reference, its URI, the components of the URI, and, if `explain` is true, the steps. The inner error is
/// about the reference: then nothing is written. The outer error is about the output.
pub fn resolution(
    out: &mut impl Write,
    base: &AnyBase,
    reference: &str,
    explain: bool,
) -> io::Result<Result<(), String>> {
    let rules = base.rules().to_string();
    let first = [("base", base.uri), ("rules", &*rules), ("reference", reference)];
    match &base.by {
        ByRules::Rules(base) => {
            let result = base.resolve(reference);
            start(out, &first)?;
            components(out, &result)?;
            if explain {
                out.write_all(b",\"steps\":[")?;
                let mut done = Ok(());
                let mut separator = "";
                base.explain_each(reference, |one| {
                    if done.is_ok() {
                        done = step(out, separator, &one);
                        separator = ",";
                    }
                });
                done?;
                out.write_all(b"]")?;
            }
        }
        ByRules::Whatwg(base) => {
            let href = match base.resolve(reference) {
                Ok(href) => href,
                Err(error) => return Ok(Err(error.to_string())),
            };
            start(out, &first)?;
            for (name, text) in inspect::components(UriRef::new(&*href)) {
                field(out, ",", name, text)?;
            }
            if explain {
                whatwg_steps(out, &whatwg::inspect(reference, Some(base)))?;
            }
        }
    }
    out.write_all(b"}").map(Ok)
}

/// Writes three more fields of an object: the states of the URL Standard's parser, the parts that it percent-encoded, and the
/// validation errors.
fn whatwg_steps(out: &mut impl Write, inspection: &Inspection) -> io::Result<()> {
    let states: Vec<_> = inspection.states.iter().map(|state| state.name()).collect();
    let encoded = inspection
        .encoded
        .iter()
        .map(|one| json!({ "range": [one.range.start, one.range.end], "set": one.set.name() }));
    let errors =
        inspection.errors.iter().map(|error| json!({ "name": error.kind().name(), "position": error.position() }));
    for (name, list) in [("states", json!(states)), ("encoded", encoded.collect()), ("errors", errors.collect())] {
        write!(out, ",\"{name}\":{list}")?;
    }
    Ok(())
}

/// Writes an object whose values are strings.
pub fn object(out: &mut impl Write, fields: &[(&str, &str)]) -> io::Result<()> {
    start(out, fields)?;
    out.write_all(b"}")
}

/// Writes `{` and the first fields of an object, of which there must be at least one.
fn start(out: &mut impl Write, fields: &[(&str, &str)]) -> io::Result<()> {
    let mut separator = "{";
    for (name, text) in fields {
        field(out, separator, name, Some(text))?;
        separator = ",";
    }
    Ok(())
}

/// Writes the URI of a result and its components as more fields of an object.
fn components(out: &mut impl Write, result: &Resolved<'_>) -> io::Result<()> {
    let mut uri = String::new();
    result.append_to(&mut uri);
    field(out, ",", "uri", Some(&uri))?;
    drop(uri);
    field(out, ",", "scheme", Some(result.scheme()))?;
    field(out, ",", "authority", result.authority())?;
    field(out, ",", "path", Some(&result.path()))?;
    field(out, ",", "query", result.query())?;
    field(out, ",", "fragment", result.fragment())
}

/// Writes a separator, then a step as an object. Its slash run is written as the index of the first byte in the base and the index
/// after the last byte. It is `null` if the step has none.
fn step(out: &mut impl Write, separator: &str, step: &Step<'_>) -> io::Result<()> {
    write!(out, "{separator}{{\"action\":\"{}\",\"text\":", step.action.name())?;
    quoting::json(out, step.text)?;
    match step.action.run() {
        Some(run) => write!(out, ",\"run\":[{},{}]", run.start, run.end)?,
        None => out.write_all(b",\"run\":null")?,
    }
    field(out, ",", "source", Some(step.source))?;
    out.write_all(b"}")
}

/// Writes a separator, a name and a value: the text as a string, or `null` if there is no text.
fn field(out: &mut impl Write, separator: &str, name: &str, text: Option<&str>) -> io::Result<()> {
    write!(out, "{separator}\"{name}\":")?;
    match text {
        Some(text) => quoting::json(out, text),
        None => out.write_all(b"null"),
    }
}
