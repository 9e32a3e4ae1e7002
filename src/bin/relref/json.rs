//! Writes results and steps as JSON, piece by piece, so that a long list of steps needs no memory.

use std::io::{self, Write};

use relref::{Base, Resolved, Step};

use crate::quoting::json;

/// Writes an object: the reference, its URI, the components of the URI, and, if `explain`, the steps.
pub fn resolution(out: &mut impl Write, base: &Base<&str>, reference: &str, explain: bool) -> io::Result<()> {
    let result = base.resolve(reference);
    let rules = base.rules().to_string();
    start(out, &[("base", base.as_str()), ("rules", &rules), ("reference", reference)])?;
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
    out.write_all(b"}")
}

/// Writes an object whose values are strings.
pub fn object(out: &mut impl Write, fields: &[(&str, &str)]) -> io::Result<()> {
    start(out, fields)?;
    out.write_all(b"}")
}

/// Writes `{` and the first fields of an object.
fn start(out: &mut impl Write, fields: &[(&str, &str)]) -> io::Result<()> {
    let mut separator = "{";
    for (name, text) in fields {
        field(out, separator, name, Some(text))?;
        separator = ",";
    }
    Ok(())
}

/// Writes the fields of the result: the URI and its components.
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

/// Writes a step. Its slash run is written as a range of bytes in the base: the first, and the one after the last.
fn step(out: &mut impl Write, separator: &str, step: &Step<'_>) -> io::Result<()> {
    write!(out, "{separator}{{\"action\":\"{}\",\"text\":", step.action.name())?;
    json(out, step.text)?;
    match step.action.run() {
        Some(run) => write!(out, ",\"run\":[{},{}]", run.start, run.end)?,
        None => out.write_all(b",\"run\":null")?,
    }
    field(out, ",", "source", Some(step.source))?;
    out.write_all(b"}")
}

/// Writes a separator, then a field.
fn field(out: &mut impl Write, separator: &str, name: &str, text: Option<&str>) -> io::Result<()> {
    write!(out, "{separator}\"{name}\":")?;
    match text {
        Some(text) => json(out, text),
        None => out.write_all(b"null"),
    }
}
