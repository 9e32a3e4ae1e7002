//! Problems as JSON lines.

use std::io;

use relref_links::check::Problem;
use serde_json::{Value, json};

use super::report::Report;
use crate::output::Output;
use crate::quoting::path_name;

pub struct JsonLines;

impl Report for JsonLines {
    fn problem(&mut self, problem: &Problem, out: &mut Output) -> io::Result<()> {
        let (place, error) = (problem.place, problem.error_place);
        // In the order of the fields of the contract. Those without a value are left out.
        let mut line = json!({
            "page": path_name(&problem.page),
            "line": place.map(|place| place.line),
            "column": place.map(|place| place.column),
            "start": place.map(|place| place.start),
            "end": place.map(|place| place.end),
            "error_line": error.map(|place| place.line),
            "error_column": error.map(|place| place.column),
            "error_start": error.map(|place| place.start),
            "element": problem.element,
            "attribute": problem.attribute,
            "reference": problem.reference,
            "uri": problem.uri,
            "problem": problem.kind.name(),
            "target": problem.target.as_deref().map(path_name),
            "suggestion": problem.suggestion,
            "suggested_file": problem.suggested_file.as_deref().map(path_name),
            "note": problem.note,
        });
        if let Value::Object(fields) = &mut line {
            fields.retain(|_, value| !value.is_null());
        }
        out.json(&line)?;
        out.end_line()
    }
}
