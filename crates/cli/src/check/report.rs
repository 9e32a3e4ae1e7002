//! The parts that the formats of reports have in common: where problems go, and texts about them.

use std::io;

use relref_links::check::{Problem, ProblemKind, Totals, Unread};
use relref_links::html::Place;

use crate::output::{Output, shown};
use crate::quoting::path_name;

/// Where the problems go. An error is about the output.
pub trait Report {
    fn problem(&mut self, problem: &Problem, out: &mut Output) -> io::Result<()>;

    /// A file that could not be read. Messages tell it, too.
    fn unread(&mut self, _unread: &Unread) -> io::Result<()> {
        Ok(())
    }

    /// Ends the report, after all problems.
    fn finish(&mut self, _totals: &Totals, _out: &mut Output) -> io::Result<()> {
        Ok(())
    }
}

/// No report, where something else is printed.
pub struct Silent;

impl Report for Silent {
    fn problem(&mut self, _: &Problem, _: &mut Output) -> io::Result<()> {
        Ok(())
    }
}

pub fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number with its noun, such as `1,000 pages`. `one` is the noun in the singular.
pub fn counted(count: u64, one: &str) -> String {
    format!("{} {one}{}", with_commas(count), if count == 1 { "" } else { "s" })
}

/// A problem as a sentence without its end.
pub fn message(problem: &Problem) -> String {
    use ProblemKind as Kind;
    let reference = shown(&problem.reference);
    let target = problem.target.as_ref().map(|target| shown(&path_name(target)));
    let target = target.as_deref().unwrap_or("it");
    let mut text = match problem.kind {
        Kind::Invalid => format!("{reference} is not a valid URL"),
        Kind::NotALink => format!("{reference} is the path of a file that does not exist"),
        Kind::WrongCase => format!("{reference} differs in case from {target}"),
        Kind::NoIndex => format!("{reference} leads to the folder {target}, which has no index file"),
        Kind::MissingFragment => format!("{target} has no element with the id {}", shown(fragment_of(problem))),
        Kind::MissingSlash => format!("{reference} leads to a folder without the slash at its end"),
        _ if problem.target.is_some() => format!("{target} does not exist"),
        _ => format!("{reference} leads to nothing"),
    };
    if let Some(note) = &problem.note {
        text += &format!(": {}", shown(note));
    }
    if let Some(suggestion) = &problem.suggestion {
        text += &format!("; is {} meant?", shown(suggestion));
    }
    text
}

/// Returns the target of a problem, as it is shown, by which problems are grouped.
pub fn target_of(problem: &Problem) -> String {
    let path = || problem.target.as_ref().map(|target| shown(&path_name(target)));
    match problem.kind {
        ProblemKind::MissingFragment if problem.target.is_some() => {
            format!("{}#{}", path().unwrap_or_default(), shown(fragment_of(problem)))
        }
        ProblemKind::Invalid | ProblemKind::NotALink => shown(&problem.reference),
        _ => path().unwrap_or_else(|| shown(problem.uri.as_ref().unwrap_or(&problem.reference))),
    }
}

/// Returns the place to go to: in an invalid reference, that of the error.
pub fn shown_place(problem: &Problem) -> Option<Place> {
    problem.error_place.or(problem.place)
}

fn fragment_of(problem: &Problem) -> &str {
    problem.uri.as_deref().and_then(|uri| uri.split_once('#')).map_or("", |(_, fragment)| fragment)
}

/// Returns the place of a problem as it comes after the name of the page; empty if it is not known.
pub fn place_of(problem: &Problem) -> String {
    shown_place(problem).map_or(String::new(), |place| format!(":{}:{}", place.line, place.column))
}
