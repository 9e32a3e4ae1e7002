//! JSON of results and steps, written piece by piece.

use std::io::{self, Write};

use relref::{Base, Resolved, Step};

use crate::escape::json;

/// Writes an object: the reference, its URI, the components of that, and the steps if they are to be explained.
pub fn resolution(out: &mut impl Write, base: &Base<'_>, reference: &str, explain: bool) -> io::Result<()> {
    let result = base.resolve(reference);
    let rules = base.rules().to_string();
    start(out, &[("base", base.as_str()), ("rules", &rules), ("reference", reference)])?;
    components(out, &result)?;
    if explain {
        out.write_all(b",\"steps\":[")?;
        let mut done = Ok(());
        let mut before = "";
        base.explain_each(reference, |one| {
            if done.is_ok() {
                done = step(out, before, &one);
                before = ",";
            }
        });
        done?;
        out.write_all(b"]")?;
    }
    out.write_all(b"}")
}

/// Writes an object of texts.
pub fn object(out: &mut impl Write, fields: &[(&str, &str)]) -> io::Result<()> {
    start(out, fields)?;
    out.write_all(b"}")
}

/// Writes the start of an object, and its first fields.
fn start(out: &mut impl Write, fields: &[(&str, &str)]) -> io::Result<()> {
    let mut before = "{";
    for (name, text) in fields {
        field(out, before, name, Some(text))?;
        before = ",";
    }
    Ok(())
}

/// Writes the fields of a URI and its components.
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

/// Writes a step; a run is its first byte in the base and the one after it.
fn step(out: &mut impl Write, before: &str, step: &Step<'_>) -> io::Result<()> {
    write!(out, "{before}{{\"action\":\"{}\",\"text\":", step.action.name())?;
    json(out, step.text)?;
    match step.action.run() {
        Some(run) => write!(out, ",\"run\":[{},{}]", run.start, run.end)?,
        None => out.write_all(b",\"run\":null")?,
    }
    field(out, ",", "source", Some(step.source))?;
    out.write_all(b"}")
}

/// Writes a field, with what stands before it.
fn field(out: &mut impl Write, before: &str, name: &str, text: Option<&str>) -> io::Result<()> {
    write!(out, "{before}\"{name}\":")?;
    match text {
        Some(text) => json(out, text),
        None => out.write_all(b"null"),
    }
}
