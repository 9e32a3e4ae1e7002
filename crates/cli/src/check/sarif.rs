//! Problems as SARIF 2.1.0.

use std::io;
use std::path::Path;

use relref::UriRef;
use relref_links::check::{Problem, ProblemKind, Totals, Unread};
use serde_json::{Value, json};

use super::report::{Report, message};
use crate::file_uri::{file_uri, uri_path};
use crate::output::{Output, shown};

#[derive(Default)]
pub struct Sarif {
    results: u64,
    unread: u64,
    /// The first files that could not be read.
    notes: Vec<Value>,
}

/// The most files that could not be read in the report.
const MAX_UNREAD: usize = 1000;

/// Services take no more.
const MAX_RESULTS: u64 = 25_000;

impl Report for Sarif {
    fn problem(&mut self, problem: &Problem, out: &mut Output) -> io::Result<()> {
        self.results += 1;
        if self.results > MAX_RESULTS {
            return Ok(());
        }
        if self.results == 1 {
            start(out)?;
        } else {
            out.text.push_str(",\n");
        }
        let mut location = json!({ "artifactLocation": { "uri": uri(&problem.page)? } });
        if let Some(place) = problem.place {
            location["region"] = json!({
                "startLine": place.line,
                "startColumn": place.column,
                "byteOffset": place.start,
                "byteLength": place.end - place.start,
            });
        }
        let text = message(problem);
        let known = [problem.kind.name(), &problem.reference].join(" ");
        out.json(&json!({
            "ruleId": problem.kind.name(),
            "level": if problem.kind.is_note() { "note" } else { "error" },
            "message": { "text": if text.ends_with('?') { text } else { text + "." } },
            "locations": [{ "physicalLocation": location }],
            // It stays when lines move.
            "partialFingerprints": { "problemAndReference/v1": known },
        }))
    }

    fn unread(&mut self, unread: &Unread) -> io::Result<()> {
        self.unread += 1;
        if self.notes.len() < MAX_UNREAD {
            self.notes.push(json!({
                "level": "error",
                "message": { "text": shown(&unread.why) },
                "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri(&unread.path)? } } }],
            }));
        }
        Ok(())
    }

    fn finish(&mut self, _: &Totals, out: &mut Output) -> io::Result<()> {
        if self.results == 0 {
            start(out)?;
        }
        out.text.push_str("],\"columnKind\":\"unicodeCodePoints\",\"invocations\":[");
        let left_out = self.results.saturating_sub(MAX_RESULTS);
        let mut notes = std::mem::take(&mut self.notes);
        if left_out > 0 {
            let text = format!("{left_out} more problems are left out: --format jsonl prints all.");
            notes.push(json!({ "level": "warning", "message": { "text": text } }));
        }
        let is_whole = self.unread == 0;
        out.json(&json!({ "executionSuccessful": is_whole, "toolExecutionNotifications": notes }))?;
        out.text.push_str("]}]}");
        out.end_line()
    }
}

/// A relative reference for a relative path, as services that show files want it.
fn uri(page: &Path) -> io::Result<String> {
    match page.to_str() {
        // A page of an archive.
        Some(page) if UriRef::new(page).scheme().is_some() && UriRef::new(page).authority().is_some() => {
            Ok(page.into())
        }
        _ if page.is_absolute() => file_uri(page),
        _ => {
            let page = uri_path(page);
            let page = page.strip_prefix("./").unwrap_or(&page);
            // A name before a colon would be a scheme (RFC 3986 §4.2).
            let has_colon = page.split('/').next().is_some_and(|name| name.contains(':'));
            Ok(if has_colon { format!("./{page}") } else { page.into() })
        }
    }
}

fn start(out: &mut Output) -> io::Result<()> {
    out.text.push_str(
        "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":",
    );
    let rule = |&kind: &ProblemKind| json!({ "id": kind.name(), "shortDescription": { "text": description(kind) } });
    let rules: Vec<_> = ProblemKind::ALL.iter().map(rule).collect();
    out.json(&json!({ "driver": {
        "name": "relref",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "informationUri": "https://docs.rs/relref",
        "rules": rules,
    } }))?;
    out.text.push_str(",\"results\":[\n");
    Ok(())
}

fn description(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::Invalid => "The reference is not a valid URL.",
        ProblemKind::NotALink => "A mail address or the name of a server is written without a scheme.",
        ProblemKind::WrongCase => "The name of the file differs in case.",
        ProblemKind::NoIndex => "The folder has no index file.",
        ProblemKind::MissingFragment => "The page has no element with this id.",
        ProblemKind::MissingSlash => "The path of a folder has no slash at its end.",
        ProblemKind::Status => "The server answered with an error.",
        _ => "The file does not exist.",
    }
}
