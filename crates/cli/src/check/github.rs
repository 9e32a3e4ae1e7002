//! Problems as annotations of GitHub Actions ("Workflow commands for GitHub Actions").

use std::io::{self, Write};

use relref_links::check::Problem;

use super::report::{Report, message, shown_place};
use crate::output::Output;
use crate::quoting::path_name;

pub struct Annotations;

impl Report for Annotations {
    fn problem(&mut self, problem: &Problem, out: &mut Output) -> io::Result<()> {
        let level = if problem.kind.is_note() { "notice" } else { "error" };
        let file = path_name(&problem.page).replace(std::path::MAIN_SEPARATOR, "/");
        let mut properties = format!("file={}", property(&file));
        if let Some(place) = shown_place(problem) {
            properties += &format!(",line={},col={}", place.line, place.column);
        }
        properties += &format!(",title={}", property(problem.kind.name()));
        writeln!(out, "::{level} {properties}::{}", data(&message(problem)))
    }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
