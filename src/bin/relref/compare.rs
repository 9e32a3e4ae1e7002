//! `relref compare`: references, resolved by every rule set.

mod table;

use std::io;

use relref::whatwg;
use serde_json::{Map, Value, json};

use self::table::{Cell, Table};
use crate::args::Compare;
use crate::output::{Output, quoted};
use crate::rule_set::{AnyBase, RuleSet};

/// Runs `relref compare`. Problems of inputs are reported in `out`. A returned error is about the output.
pub fn run(args: &Compare, out: &mut Output) -> io::Result<()> {
    let chosen = if args.rules.is_empty() { RuleSet::all().collect() } else { args.rules.clone() };
    let mut bases = Vec::new();
    // Each error once, with the names of the rule sets.
    let mut problems: Vec<(Vec<String>, String)> = Vec::new();
    for rules in chosen {
        match AnyBase::new(&args.base, rules) {
            Ok(base) => bases.push(base),
            Err(error) => match problems.iter_mut().find(|(_, known)| *known == error) {
                Some((names, _)) => names.push(rules.to_string()),
                None => problems.push((vec![rules.to_string()], error)),
            },
        }
    }
    if let (true, Some((_, error))) = (bases.is_empty(), problems.first()) {
        out.problem(quoted(&args.base), error);
        return Ok(());
    }
    for (names, error) in problems {
        out.problem(format_args!("{}: by {}", quoted(&args.base), names.join(", ")), error);
    }
    let rows: Vec<_> = args.references.iter().map(|reference| row(reference, &bases)).collect();
    if args.json {
        for row in rows {
            out.json(&object(&args.base, &bases, &row))?;
            out.end_line()?;
        }
        return Ok(());
    }
    let standard = bases.iter().position(|base| base.rules() == RuleSet::RFC3986).unwrap_or(0);
    let cells = |row: Row| {
        let differs: Vec<bool> = row.results.iter().map(|result| *result != row.results[standard]).collect();
        let text = |result: Result<String, whatwg::Error>| match result {
            Ok(uri) => quoted(&uri),
            Err(error) => format!("({})", error.kind()),
        };
        let cells = row.results.into_iter().zip(differs);
        (quoted(row.reference), cells.map(|(result, differs)| Cell { text: text(result), differs }).collect())
    };
    let names = bases.iter().map(|base| base.rules().to_string()).collect();
    Table { names, rows: rows.into_iter().map(cells).collect() }.write(out)
}

/// A reference and its result by each rule set, in the order of the bases.
struct Row<'r> {
    reference: &'r str,
    results: Vec<Result<String, whatwg::Error>>,
}

/// Resolves a reference by each of the bases.
fn row<'r>(reference: &'r str, bases: &[AnyBase<'_>]) -> Row<'r> {
    let resolve = |base: &AnyBase<'_>| {
        let mut uri = String::new();
        base.resolve_into(reference, &mut uri).map(|()| uri)
    };
    Row { reference, results: bases.iter().map(resolve).collect() }
}

/// Returns the row as an object. A result that is an error is null, and its message is in `errors`.
fn object(base: &str, bases: &[AnyBase<'_>], row: &Row<'_>) -> Value {
    let names = || bases.iter().map(|base| base.rules().to_string());
    let uri = |result: &Result<String, whatwg::Error>| result.clone().map_or(Value::Null, Value::from);
    let results: Map<String, Value> = names().zip(row.results.iter().map(uri)).collect();
    let error = |(name, result): (String, &Result<String, whatwg::Error>)| {
        result.as_ref().err().map(|error| (name, Value::from(error.to_string())))
    };
    let errors: Map<String, Value> = names().zip(&row.results).filter_map(error).collect();
    let mut object = json!({ "base": base, "reference": row.reference, "results": results });
    if !errors.is_empty() {
        object["errors"] = errors.into();
    }
    object
}
