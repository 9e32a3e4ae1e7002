//! `relref compare`: resolves each reference by several rule sets, and prints a table of the results, which has a column for each
//! rule set. On a terminal that is narrower than the table, it has a line for each result instead.

use std::env;
use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style};
use relref::{AnyBase, RuleSet, Rules, whatwg};
use serde_json::{Map, Value, json};

use crate::args::Compare;
use crate::base::new_base;
use crate::output::{Output, is_colored, shown};

pub fn run(args: &Compare, out: &mut Output) -> io::Result<()> {
    let chosen = if args.rules.is_empty() { RuleSet::ALL.to_vec() } else { args.rules.clone() };
    let mut bases = Vec::new();
    // Each error once, with the names of the rule sets.
    let mut problems: Vec<(Vec<String>, String)> = Vec::new();
    for rules in chosen {
        match new_base(&args.base, rules, args.nested) {
            Ok(base) => bases.push(base),
            Err(error) => match problems.iter_mut().find(|(_, known)| *known == error) {
                Some((names, _)) => names.push(rules.to_string()),
                None => problems.push((vec![rules.to_string()], error)),
            },
        }
    }
    if let (true, Some((_, error))) = (bases.is_empty(), problems.first()) {
        out.problem(shown(&args.base), error);
        return Ok(());
    }
    for (names, error) in problems {
        out.problem(format_args!("{}: by {}", shown(&args.base), names.join(", ")), error);
    }
    let resolved = |reference: &str| bases.iter().map(|base| base.resolve(reference)).collect();
    let rows = args.references.iter().map(|reference| (reference.as_str(), resolved(reference)));
    if args.json {
        for (reference, results) in rows {
            out.json(&results_object(&args.base, reference, &bases, &results))?;
            out.end_line()?;
        }
        return Ok(());
    }
    let cell = |text, differs| Cell { text, differs };
    let names = bases.iter().map(|base| base.rules().to_string());
    let names = [String::from("reference")].into_iter().chain(names).map(|name| cell(name, false)).collect();
    let standard = bases.iter().position(|base| base.rules() == RuleSet::Rules(Rules::RFC3986)).unwrap_or(0);
    let row = |(reference, results): (&str, Results)| {
        let cells = results.iter().map(|result| {
            let text = match result {
                Ok(uri) => shown(uri),
                Err(error) => format!("({})", error.kind()),
            };
            cell(text, *result != results[standard])
        });
        [cell(shown(reference), false)].into_iter().chain(cells).collect()
    };
    write_table([names].into_iter().chain(rows.map(row)).collect(), out)
}

/// In the order of the bases.
type Results = Vec<Result<String, whatwg::Error>>;

/// A result that is an error is null in `results`, and has its message in `errors`, which is missing if there are none.
fn results_object(base: &str, reference: &str, bases: &[AnyBase], results: &Results) -> Value {
    let (mut uris, mut errors) = (Map::new(), Map::new());
    for (base, result) in bases.iter().zip(results) {
        let name = base.rules().to_string();
        if let Err(error) = result {
            errors.insert(name.clone(), error.to_string().into());
        }
        uris.insert(name, result.as_ref().ok().cloned().into());
    }
    let mut object = json!({ "base": base, "reference": reference, "results": uris });
    if !errors.is_empty() {
        object["errors"] = errors.into();
    }
    object
}

struct Cell {
    text: String,
    /// The result is not that of RFC 3986 or, if that is not compared, of the first rule set.
    differs: bool,
}

/// The first row names the columns. A result that differs is colored on a terminal, and followed by `*` elsewhere.
fn write_table(rows: Vec<Vec<Cell>>, out: &mut Output) -> io::Result<()> {
    let width = if io::stdout().is_terminal() { terminal_width() } else { None };
    for line in table_lines(rows, is_colored(), width) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Gives each reference and each result a line of its own if the table is wider than `width` characters.
fn table_lines(mut rows: Vec<Vec<Cell>>, color: bool, width: Option<usize>) -> Vec<String> {
    if !color {
        for cell in rows.iter_mut().flatten().filter(|cell| cell.differs) {
            cell.text.push('*');
            cell.differs = false;
        }
    }
    let column_width = |column: usize| rows.iter().map(|row| char_count(&row[column].text)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(column_width).collect();
    let total = widths.iter().sum::<usize>() + 2 * (widths.len() - 1);
    if width.is_none_or(|width| total <= width) {
        return rows.iter().map(|row| row_line(&row.iter().collect::<Vec<_>>(), &widths)).collect();
    }
    let names = &rows[0][1..];
    let name_width = names.iter().map(|name| char_count(&name.text)).max().unwrap_or(0);
    let mut lines = Vec::new();
    for row in &rows[1..] {
        lines.push(row[0].text.clone());
        let results = names.iter().zip(&row[1..]);
        lines.extend(results.map(|(name, cell)| format!("  {}", row_line(&[name, cell], &[name_width]))));
    }
    lines
}

/// Pads each cell but the last to the width of its column (in characters) and two more.
fn row_line(cells: &[&Cell], widths: &[usize]) -> String {
    let mut line = String::new();
    for (column, Cell { text, differs }) in cells.iter().enumerate() {
        let pad = if column + 1 == cells.len() { 0 } else { widths[column] + 2 - char_count(text) };
        let style = if *differs { Style::new().fg_color(Some(AnsiColor::Yellow.into())) } else { Style::new() };
        line.push_str(&format!("{style}{text}{style:#}{:pad$}", ""));
    }
    line
}

fn char_count(text: &str) -> usize {
    text.chars().count()
}

fn terminal_width() -> Option<usize> {
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(color: bool, width: Option<usize>) -> Vec<String> {
        let row = |[reference, first, second]: [&str; 3], differs| {
            let cell = |text: &str, differs| Cell { text: String::from(text), differs };
            vec![cell(reference, false), cell(first, differs), cell(second, false)]
        };
        let rows = [
            row(["reference", "url7", "rfc3986"], false),
            row(["?y", "http://a/?y", "http://a/b?y"], true),
            row(["é", "é", "é"], false),
        ];
        super::table_lines(rows.into(), color, width)
    }

    #[test]
    fn a_table_is_as_wide_as_its_longest_cells() {
        let wide =
            ["reference  url7          rfc3986", "?y         http://a/?y*  http://a/b?y", "é          é             é"];
        assert_eq!(lines(false, None), wide);
        let width = wide[1].len();
        assert_eq!(lines(false, Some(width)), wide);
        let colored = "?y         \u{1b}[33mhttp://a/?y\u{1b}[0m  http://a/b?y";
        assert_eq!(lines(true, Some(width - 1))[1], colored);
    }

    #[test]
    fn in_a_narrow_terminal_each_result_has_a_line() {
        let tall = ["?y", "  url7     http://a/?y*", "  rfc3986  http://a/b?y", "é", "  url7     é", "  rfc3986  é"];
        assert_eq!(lines(false, Some(36)), tall);
        assert_eq!(lines(true, Some(1))[1], "  url7     \u{1b}[33mhttp://a/?y\u{1b}[0m");
    }
}
