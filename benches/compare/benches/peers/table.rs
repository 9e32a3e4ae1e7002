//! The tables: plain text with every number, and Markdown with a row for each contender.

use std::fmt::Write as _;

use crate::measure::{FLOOR, RELREF, Row, Unit};

/// Notes about the floors, and about peers whose task differs.
const NOTES: &str = "The smallest of five medians, in processor time. A floor copies the finished output (split: searches the \
    text once; long: copies both inputs). fluent-uri, url and ada-url make a new string on pages too; ada-url parses \
    the base anew for each reference. url and ada-url follow the URL Standard, which requires more work than RFC 3986. ";

fn find<'r>(rows: &'r [Row], workload: &str, contender: &str) -> Option<&'r Row> {
    rows.iter().find(|row| row.workload == workload && row.contender == contender)
}

/// Returns the different values that `value_of` has for the rows, in the order of their first rows.
pub fn distinct<'r>(rows: &'r [Row], value_of: impl Fn(&'r Row) -> &'r str) -> Vec<&'r str> {
    let mut seen = Vec::new();
    for row in rows {
        if !seen.contains(&value_of(row)) {
            seen.push(value_of(row));
        }
    }
    seen
}

/// Returns a time as text, in the unit of its workload.
fn value(row: &Row) -> String {
    match row.unit {
        Unit::Reference => digits(row.ns),
        Unit::Byte => format!("{} GB/s", digits(1.0 / row.ns)),
    }
}

/// Returns a number as text, with at least two digits.
pub fn digits(value: f64) -> String {
    match value {
        value if value < 0.95 => format!("{value:.2}"),
        value if value < 9.95 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    }
}

/// Returns a plain text table of every time, with its ratios to relref's time and to the floor's.
pub fn plain(rows: &[Row], notes: &[String]) -> String {
    let mut table =
        format!("{:<24}{:<25}{:>12}{:>11}{:>10}\n", "workload", "contender", "ns/reference", "x relref", "x floor");
    for workload in distinct(rows, |row| row.workload) {
        let to =
            |row: &Row, other| find(rows, workload, other).map_or(String::new(), |other| digits(row.ns / other.ns));
        for row in rows.iter().filter(|row| row.workload == workload) {
            let (relref, floor) = (to(row, RELREF), to(row, FLOOR));
            let _ = writeln!(table, "{workload:<24}{:<25}{:>12}{relref:>11}{floor:>10}", row.contender, value(row));
        }
    }
    table + NOTES + &notes.join(" ")
}

/// Returns a Markdown table of the times of each contender, with the ratio to relref's time. For the long inputs, it has only the
/// slowest shape.
pub fn markdown(rows: &[Row], notes: &[String]) -> String {
    let mut workloads = distinct(rows, |row| row.workload);
    let has_long = rows.iter().any(|row| row.unit == Unit::Byte);
    workloads.retain(|workload| !workload.starts_with("long"));
    let mut table = String::from("| ns a reference (times relref's)");
    workloads.iter().for_each(|workload| table.extend([" | ", workload]));
    table.push_str(if has_long { " | 2 MB, slowest of 5 shapes |\n|---" } else { " |\n|---" });
    table.push_str(&"|--:".repeat(workloads.len() + usize::from(has_long)));
    table.push_str("|\n");
    for contender in distinct(rows, |row| &row.contender) {
        let cell = |row: Option<&Row>, relref: Option<&Row>| match (row, relref) {
            (Some(row), Some(relref)) if row.contender != RELREF => {
                format!(" | {} ({})", value(row), digits(row.ns / relref.ns))
            }
            (Some(row), _) => format!(" | {}", value(row)),
            (None, _) => String::from(" |"),
        };
        let _ = write!(table, "| {contender}");
        for workload in &workloads {
            table.push_str(&cell(find(rows, workload, contender), find(rows, workload, RELREF)));
        }
        if has_long {
            table.push_str(&cell(slowest(rows, contender), slowest(rows, RELREF)));
        }
        table.push_str(" |\n");
    }
    table + "\n" + NOTES + &notes.join(" ")
}

/// Returns the row of the shape of long inputs in which a contender is slowest; `None` if it was not measured with all shapes.
pub fn slowest<'r>(rows: &'r [Row], contender: &str) -> Option<&'r Row> {
    let long = |name| rows.iter().filter(move |row| row.unit == Unit::Byte && row.contender == name);
    if long(contender).count() < long(FLOOR).count() {
        return None;
    }
    long(contender).max_by(|a, b| a.ns.total_cmp(&b.ns))
}
