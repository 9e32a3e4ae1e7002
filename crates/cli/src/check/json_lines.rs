//! Problems as JSON lines.

use std::io;

use relref_links::check::Problem;
use serde::Serialize;

use super::Report;
use crate::output::Output;
use crate::quoting::file_name;

pub struct JsonLines;

/// In the order of the fields of the contract.
#[derive(Serialize)]
struct Line<'p> {
    page: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<u64>,
    element: &'p str,
    attribute: &'p str,
    reference: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'p str>,
    problem: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'p str>,
}

impl Report for JsonLines {
    fn problem(&mut self, problem: &Problem, out: &mut Output) -> io::Result<()> {
        let place = problem.place;
        out.json(&Line {
            page: file_name(&problem.page),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            start: place.map(|place| place.start),
            end: place.map(|place| place.end),
            element: &problem.element,
            attribute: &problem.attribute,
            reference: &problem.reference,
            uri: problem.uri.as_deref(),
            problem: problem.kind.name(),
            target: problem.target.as_deref().map(file_name),
            suggestion: problem.suggestion.as_deref(),
            note: problem.note.as_deref(),
        })?;
        out.end_line()
    }
}
