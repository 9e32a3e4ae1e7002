//! `relref compare`: a table of references, resolved by every rule set.

use std::io::{self, IsTerminal};

use anstyle::{AnsiColor, Style};
use relref::{Base, Rules};
use serde_json::{Map, Value, json};

use crate::args::Compare;
use crate::output::{Output, quoted};

pub fn run(args: &Compare, out: &mut Output) -> io::Result<()> {
    let mut rows = Vec::new();
    for reference in &args.references {
        let mut row = Vec::new();
        for rules in Rules::ALL {
            match Base::new(args.base.as_str(), rules) {
                Ok(base) => row.push(base.resolve(reference).to_string()),
                Err(error) => {
                    out.problem(quoted(&args.base), error);
                    return Ok(());
                }
            }
        }
        rows.push((reference, row));
    }
    if args.json {
        for (reference, row) in rows {
            let names = Rules::ALL.map(|rules| rules.to_string());
            let results: Map<String, Value> = names.into_iter().zip(row.into_iter().map(Value::from)).collect();
            let object = json!({ "base": args.base, "reference": reference, "results": results });
            out.text.push_str(&object.to_string());
            out.end_line()?;
        }
        return Ok(());
    }
    table(&rows, out)
}

/// Writes the table. A cell that differs from that of rfc3986 is colored on a terminal, and is followed by `*` elsewhere.
fn table(rows: &[(&String, Vec<String>)], out: &mut Output) -> io::Result<()> {
    let stdout = io::stdout();
    let color = stdout.is_terminal() && anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never;
    let standard = Rules::ALL.iter().position(|&rules| rules == Rules::RFC3986).unwrap_or(0);
    let mark = Style::new().fg_color(Some(AnsiColor::Yellow.into()));

    let mut lines = vec![vec![(String::from("reference"), false)]];
    lines[0].extend(Rules::ALL.map(|rules| (rules.to_string(), false)));
    for (reference, row) in rows {
        let mut line = vec![(quoted(reference), false)];
        line.extend(row.iter().map(|cell| match *cell != row[standard] {
            true if !color => (format!("{}*", quoted(cell)), false),
            differs => (quoted(cell), differs),
        }));
        lines.push(line);
    }
    let width = |column: usize| lines.iter().map(|line| line[column].0.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    for line in &lines {
        for (column, (cell, marked)) in line.iter().enumerate() {
            let pad = if column + 1 == line.len() { 0 } else { widths[column] + 2 - cell.chars().count() };
            let style = if *marked { mark } else { Style::new() };
            out.text.push_str(&format!("{style}{cell}{style:#}{:pad$}", ""));
        }
        out.end_line()?;
    }
    Ok(())
}
